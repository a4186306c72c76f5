/**
 * Writes a film's frames to its encoder, each with as little work as the difference from the last one allows: painted whole
 * or in part, laid over the video it stands on, or repeated. Runs in the worker.
 */
import type { Frame } from '../../shared/engine/layout/box.ts';
import { sameFrame } from '../../shared/engine/layout/same-frame.ts';
import { changedPart } from '../../shared/engine/paint/changes.ts';
import { bandsOf, type Ground } from '../../shared/engine/paint/ground.ts';
import { isFilm } from '../../shared/renderscript/formats.ts';
import type { FrameOver, FrameSink } from './encode/encoder.ts';
import { evenArea, type PixelArea } from './encode/pixels.ts';
import { smallPicture, smallPictureOfPlanes } from './encode/still.ts';
import { isPlainWay } from '../system/plain-way.ts';
import type { FramePlan } from './plan.ts';
import type { Stage } from './stage.ts';
import { timed } from './stopwatch.ts';

/** Takes the frames of one film in order. */
export interface FrameWriter {
  /** Makes a frame and passes it to the encoder. */
  write(plan: FramePlan): Promise<void>;
  /** A small jpg of the last frame. */
  smallPicture(): Promise<Buffer>;
}

/** Opens the writer of a film. */
export function frameWriter(stage: Stage, encoder: FrameSink): FrameWriter {
  const { output } = stage.timeline;
  /** The frame on the main canvas, and the one on the graphics canvas; the last frame is one of them. */
  let painted: Frame | undefined;
  let veil: Frame | undefined;
  let stands: { readonly serial: number; readonly place: Ground['place'] } | undefined;

  /** Paints the differences on the canvas. */
  const writeWhole = async (frame: Frame): Promise<void> => {
    const changes = painted && !stands ? changedPixels(stage, painted, frame) : 'all';
    if (changes === 'none') {
      await encoder.repeat();
    } else if (changes === 'all') {
      await stage.draw(frame);
      await encoder.write(timed('read back', () => stage.painter.canvas.data()));
    } else {
      const part = rectOf(changes);
      await stage.draw(frame, part);
      await encoder.write(
        timed('read back', () => stage.painter.read(part)),
        changes,
      );
    }
    painted = frame;
    stands = undefined;
  };

  const writeOver = async (ground: Ground): Promise<void> => {
    const { graphics, place } = ground;
    const changes = veil ? changedPixels(stage, veil, graphics) : firstOf(graphics);
    const part = typeof changes === 'object' ? rectOf(changes) : undefined;
    const { planes, serial } = await stage.drawOver(ground, changes === 'none' ? 'none' : part);
    veil = graphics;
    const isSame =
      changes === 'none' && stands?.serial === serial && samePlace(stands.place, place);
    stands = { serial, place };
    if (isSame) {
      await encoder.repeat();
      return;
    }
    const news = changes === 'none' ? null : newGraphics(stage, changes);
    const bands = bandsOf(graphics, stage.scale, output);
    await encoder.writeOver({ planes, bands, ...(news && { graphics: news }) });
  };

  return {
    write: ({ frame, ground }) => (ground ? writeOver(ground) : writeWhole(frame)),
    async smallPicture() {
      const planes = stands && encoder.lastPlanes();
      return planes ? smallPictureOfPlanes(planes, output) : smallPicture(stage.painter.canvas);
    },
  };
}

/** Without graphics, now and before, there is nothing to paint. */
function firstOf({ boxes }: Frame): 'all' | 'none' {
  return boxes.length === 0 ? 'none' : 'all';
}

function newGraphics(stage: Stage, changes: PixelArea | 'all'): FrameOver['graphics'] {
  const canvas = stage.graphics();
  if (!canvas) throw new Error('graphics were painted without a canvas');
  const pixels = timed('read back', () => canvas.data());
  return { pixels, ...(changes !== 'all' && { changed: changes }) };
}

function rectOf({ left: x, top: y, width, height }: PixelArea): Ground['place'] {
  return { x, y, width, height };
}

function samePlace(one: Ground['place'], two: Ground['place']): boolean {
  return one.x === two.x && one.y === two.y && one.width === two.width && one.height === two.height;
}

/** From this share of the picture on, reading a part costs more than reading all. */
const wholeFrom = 0.7;

/** The area to paint, read back and convert for the next frame. A gif's palette needs whole frames. */
function changedPixels(
  { timeline: { output }, scale }: Stage,
  last: Frame,
  next: Frame,
): PixelArea | 'all' | 'none' {
  if (isPlainWay()) return 'all';
  if (sameFrame(last, next)) return 'none';
  if (!isFilm(output.format)) return 'all';
  const part = changedPart(last, next, scale, {
    x: 0,
    y: 0,
    width: output.width,
    height: output.height,
  });
  if (!part) return 'none';
  const area = evenArea(
    { left: part.x, top: part.y, width: part.width, height: part.height },
    output.width,
    output.height,
  );
  return area.width * area.height > wholeFrom * output.width * output.height ? 'all' : area;
}
