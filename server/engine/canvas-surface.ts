/** The engine's drawing library under Node: Skia, by @napi-rs/canvas. */
import {
  createCanvas,
  ImageData,
  Path2D,
  SvgExportFlag,
  type SKRSContext2D,
} from '@napi-rs/canvas';
import { setTextDefaults } from '../../shared/engine/paint/text-defaults.ts';
import type { Surface } from '../../shared/engine/surface.ts';
import { freeReadPixels } from './garbage.ts';
import { projectPicture } from './projector.ts';

/** For `drawWith`. It only receives objects that it made. */
export const canvasSurface: Surface = {
  createCanvas,
  createPath: (from?: Path2D | string) => new Path2D(from),
  createPixels: (data, width, height) => new ImageData(data, width, height),
  createTiles: (ctx: SKRSContext2D, pixels: ImageData) => ctx.createPattern(pixels, 'repeat'),
  // `trim` and `simplify` modify their path.
  trimmed: (path: Path2D, start, end, isInverted) => new Path2D(path).trim(start, end, isInverted),
  united: (path: Path2D) => new Path2D(path).simplify(),
  boundsOf: (path: Path2D) => path.getBounds(),
  pathData: (path: Path2D) => path.toSVGString(),
  lettersAsPaths(text, { font, letterSpacing, direction, width, height, baseline }) {
    // Only the SVG export returns letters as paths. Such a canvas has no pixels, so its size costs nothing.
    const canvas = createCanvas(width, height, SvgExportFlag.ConvertTextToPaths);
    const ctx = canvas.getContext('2d');
    setTextDefaults(ctx);
    ctx.font = font;
    ctx.letterSpacing = `${letterSpacing}px`;
    ctx.direction = direction;
    ctx.fillText(text, 0, baseline);
    const svg = canvas.getContent().toString();
    return [...svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/g)].map(([, data = '']) => data);
  },
  settle(ctx: SKRSContext2D) {
    // The library keeps the pictures that were drawn on a canvas until it is read for the second time, with something
    // drawn between. Drawn on after that, it would take the memory of two; so it does after many drawings.
    for (let reading = 1; reading <= 2; reading++) {
      ctx.fillRect(-2, -2, 1, 1);
      ctx.getImageData(0, 0, 1, 1);
    }
  },
  project: projectPicture,
  freeUnused: freeReadPixels,
};
