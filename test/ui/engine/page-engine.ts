/** The engine in a page: bundled by engine-in-page.spec.ts, and run there without anything of Node. */
import { compileTimeline } from '../../../shared/engine/compile/compile.ts';
import { createLayout } from '../../../shared/engine/layout/layout.ts';
import { createMeasurer } from '../../../shared/engine/paint/measure.ts';
import { createPainter } from '../../../shared/engine/paint/paint.ts';
import type { Fonts } from '../../../shared/engine/paint/sources.ts';
import { drawWith } from '../../../shared/engine/surface.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { pageSurface } from '../../../renderer/engine/page-surface.ts';

declare global {
  /** What the bundle leaves in the page. */
  var drawMoment: typeof draw;
}

/** Fonts of the page, under the names that the document uses. */
const fonts: Fonts = {
  css: ({ family, weight, style, size }) => `${style} ${weight} ${size}px "${family}"`,
};

/**
 * Draws a moment of a document without media.
 *
 * @param time seconds.
 * @returns Red, green, blue and opacity, row after row.
 */
async function draw(source: Source, time: number): Promise<number[]> {
  drawWith(pageSurface);
  const media = new Map();
  const timeline = compileTimeline(source, { media, scaling: {}, transcripts: new Map() });
  const { width, height } = timeline.output;
  const layout = createLayout(timeline, { measurer: createMeasurer(fonts), media });
  const painter = createPainter({
    canvas: pageSurface.createCanvas(width, height),
    documentWidth: timeline.width,
    documentHeight: timeline.height,
    transparent: true,
    sources: { fonts, pictures: { image: () => null }, videos: { frame: () => null } },
  });
  await painter.paint(layout.frameAt(time));
  const pixels = painter.read({ x: 0, y: 0, width, height });
  painter.close();
  return [...pixels];
}

globalThis.drawMoment = draw;
