/**
 * Writes a film's frames to its encoder, each with as little work as the difference from the last one allows: painted
 * whole or in part, laid over the video it stands on, or repeated. Runs in the worker.
 */
import type { Frame } from '../../shared/engine/layout/box.ts';
import { sameFrame } from '../../shared/engine/layout/same-frame.ts';
import type { Rect } from '../../shared/engine/geometry.ts';
import { changedPart } from '../../shared/engine/paint/changes.ts';
import { bandsOf, type Ground } from '../../shared/engine/paint/ground.ts';
import { isPlanar } from './encode/film-formats.ts';
import type { FrameOver, FrameSink } from './encode/encoder.ts';
import { evenArea, type PixelArea } from './encode/pixels.ts';
import { smallPicture, smallPictureOfPlanes } from './encode/still.ts';
import { isPlainWay } from '../system/plain-way.ts';
import { letGo } from './garbage.ts';
import type { FramePlan } from './plan.ts';
import type { Stage } from './stage.ts';
import { timed } from './stopwatch.ts';

/** Takes the frames of one film in order. */
export interface FrameWriter {
  /** Makes a frame and passes it to the encoder. */
  write(plan: FramePlan): Promise<void>;
  /** Passes on a frame that was made elsewhere; null: the last one again. */
  pass(planes: Uint8Array | null): Promise<void>;
  /** A small jpg of the last frame. */
  smallPicture(): Promise<Buffer>;
  /** True if the painter's canvas contains all of the last frame. */
  readonly isWhole: boolean;
}

/** Takes what a writer makes: an encoder, or a painting thread that passes it on to one. */
export type FrameTaker = Pick<FrameSink, 'write' | 'writeOver' | 'pass' | 'repeat' | 'lastPlanes'>;

/** Opens the writer of a film. */
export function frameWriter(stage: Stage, encoder: FrameTaker): FrameWriter {
  const { output } = stage.timeline;
  /** The frame on the main canvas, and the one on the graphics canvas; the last frame is one of them. */
  let painted: Frame | undefined;
  let veil: Frame | undefined;
  let stands: { readonly serial: number; readonly place: Ground['place'] } | undefined;
  let isWhole = false;

  /** Paints the differences on the canvas. */
  const writeWhole = async (frame: Frame): Promise<void> => {
    const changes = painted && !stands ? changedPixels(stage, painted, frame) : everything;
    if (changes === null) {
      await encoder.repeat();
    } else {
      const { painted: part, changed } = changes;
      await stage.draw(frame, part);
      isWhole = !part;
      const pixels = timed('read back', () =>
        changed ? stage.painter.read(rectOf(changed)) : stage.painter.canvas.data(),
      );
      await encoder.write(pixels, changed);
      letGo(pixels);
    }
    painted = frame;
    stands = undefined;
  };

  const writeOver = async (ground: Ground): Promise<void> => {
    const { graphics, place } = ground;
    const changes = veil ? changedPixels(stage, veil, graphics) : firstOf(graphics);
    const { planes, serial } = await stage.drawOver(ground, changes ? changes.painted : 'none');
    veil = graphics;
    const isSame = !changes && stands?.serial === serial && samePlace(stands.place, place);
    stands = { serial, place };
    isWhole = false;
    if (isSame) {
      await encoder.repeat();
      return;
    }
    const news = changes && newGraphics(stage, changes.changed);
    const bands = bandsOf(graphics, stage.scale, output);
    await encoder.writeOver({ planes, bands, ...(news && { graphics: news }) });
    if (news) letGo(news.pixels);
  };

  return {
    write: ({ frame, ground }) => (ground ? writeOver(ground) : writeWhole(frame)),
    pass(planes) {
      if (!planes) return encoder.repeat();
      // What is on the canvases is no longer the last frame.
      painted = veil = stands = undefined;
      isWhole = false;
      return encoder.pass(planes);
    },
    async smallPicture() {
      const planes = isWhole ? null : encoder.lastPlanes();
      return planes ? smallPictureOfPlanes(planes, output) : smallPicture(stage.painter.canvas);
    },
    get isWhole() {
      return isWhole;
    },
  };
}

/** What to do for a frame that differs from the last one. */
interface Changes {
  /** Absent: paint all. */
  readonly painted?: Rect | undefined;
  /** Absent: all may differ. */
  readonly changed?: PixelArea | undefined;
}

const everything: Changes = {};

/** Without graphics, now and before, there is nothing to paint. */
function firstOf({ boxes }: Frame): Changes | null {
  return boxes.length === 0 ? null : everything;
}

function newGraphics(stage: Stage, changed: PixelArea | undefined): FrameOver['graphics'] {
  const canvas = stage.graphics();
  if (!canvas) throw new Error('graphics were painted without a canvas');
  const pixels = timed('read back', () => canvas.data());
  return { pixels, ...(changed && { changed }) };
}

function rectOf({ left: x, top: y, width, height }: PixelArea): Rect {
  return { x, y, width, height };
}

function samePlace(one: Ground['place'], two: Ground['place']): boolean {
  return one.x === two.x && one.y === two.y && one.width === two.width && one.height === two.height;
}

/** From this share of the picture on, a part costs more than all. */
const wholeFrom = 0.7;

/** What to paint, read back and convert for the next frame; null: nothing. Palettes and alpha need whole frames. */
function changedPixels(
  { timeline: { output }, scale }: Stage,
  last: Frame,
  next: Frame,
): Changes | null {
  if (isPlainWay()) return everything;
  if (sameFrame(last, next)) return null;
  if (!isPlanar(output)) return everything;
  const { width, height } = output;
  const part = changedPart(last, next, scale, { x: 0, y: 0, width, height });
  if (!part) return null;
  const isPart = (area: PixelArea): boolean =>
    area.width * area.height <= wholeFrom * width * height;
  const painted = evenArea(areaOf(part.painted), width, height);
  const changed = evenArea(areaOf(part.changed), width, height);
  return {
    ...(isPart(painted) && { painted: rectOf(painted) }),
    ...(isPart(changed) && { changed }),
  };
}

function areaOf({ x: left, y: top, width, height }: Rect): PixelArea {
  return { left, top, width, height };
}
