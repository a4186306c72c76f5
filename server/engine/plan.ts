/**
 * The plan of a film: which frames are painted whole, and which are graphics over a video whose decoded frames go to
 * the encoder unchanged ([Note: Ground]). Pure except for the layout, which it requests frame by frame. Runs in the
 * worker.
 *
 * [Note: Ground] Decoding to RGBA, painting, reading back and converting cost more than the encoder. If a frame stands
 * on a video (shared/engine/paint/ground.ts), its decoder produces the encoder's format, in the size of the output or
 * to be enlarged; only the graphics above are painted, when they change, and laid over it. Both ways give the same
 * picture except for the rounding of colours.
 */
import { groundOf, type Ground } from '../../shared/engine/paint/ground.ts';
import type { Timeline } from '../../shared/engine/compile/timeline.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import type { Matrix, Rect } from '../../shared/engine/geometry.ts';
import { isStandard, type MediaInfo } from '../../shared/engine/media-info.ts';
import { isPlanar } from './encode/film-formats.ts';
import { isPlainWay } from '../system/plain-way.ts';

/** How one frame is made. */
export interface FramePlan {
  readonly frame: Frame;
  /** Set: it stands on a video. Null: it is painted whole. */
  readonly ground: Ground | null;
}

/** Seconds that each frame shows. `snapshot_location` replaces the first or last frame with the snapshot's moment. */
export function frameTimes({ output, snapshotTime, snapshotLocation }: Timeline): number[] {
  const times = Array.from({ length: output.frameCount }, (_, index) => index / output.frameRate);
  if (snapshotTime !== null && times.length > 0) {
    if (snapshotLocation === 'start') times[0] = snapshotTime;
    if (snapshotLocation === 'end') times[times.length - 1] = snapshotTime;
  }
  return times;
}

/** What a plan is made from. */
export interface PlanOptions {
  readonly timeline: Timeline;
  readonly frameAt: (time: number) => Frame;
  /** Seconds that each frame shows, in order. */
  readonly times: readonly number[];
  /** Output pixels per document pixel. */
  readonly scale: Matrix;
  readonly media: ReadonlyMap<string, MediaInfo>;
}

/** Frames of a film, by their numbers in it. */
export interface FrameRange {
  readonly first: number;
  /** The number after the last. */
  readonly end: number;
}

/**
 * A shorter run of frames on one video isn't worth reopening its decoder: that takes about 0.1 s, the gain of ten
 * frames.
 */
const shortestRun = 20;

/**
 * Plans the frames one after the other; lays out frames ahead where a run may begin.
 *
 * @param wholeFrame The number of a frame that must be painted whole, or null.
 * @param range Which frames. Default: all. Their plans are those that they have among all.
 */
export function* planFrames(
  options: PlanOptions,
  wholeFrame: number | null = null,
  range: FrameRange = { first: 0, end: options.times.length },
): Generator<FramePlan, void> {
  const { times, frameAt, timeline } = options;
  const { first, end } = range;
  if (!isPlanar(timeline.output) || isPlainWay()) {
    for (const time of times.slice(first, end)) yield { frame: frameAt(time), ground: null };
    return;
  }
  const possible = (index: number): FramePlan => {
    const plan = groundAt(options, index);
    return index === wholeFrame ? { ...plan, ground: null } : plan;
  };
  /** Frames from this one on that had to be examined. */
  const ahead: FramePlan[] = [];
  let standsOn: string | null = null;
  // Whether a frame is in a run shows in the frames before it, as many as the shortest run has.
  for (let index = Math.max(0, first - shortestRun + 1); index < end; index++) {
    if (ahead.length === 0) ahead.push(possible(index));
    const picture = pictureIn(ahead[0]);
    if (picture === null || picture !== standsOn) {
      const most = Math.min(shortestRun, times.length - index);
      while (picture !== null && ahead.length < most && pictureIn(ahead.at(-1)) === picture)
        ahead.push(possible(index + ahead.length));
      // The end of a film cuts a run short; a short film has not opened another decoder yet.
      const isRun = ahead.length === shortestRun || ahead.length === times.length;
      standsOn = isRun && ahead.every((plan) => pictureIn(plan) === picture) ? picture : null;
    }
    const next = ahead.shift();
    if (next && index >= first) yield standsOn === null ? { ...next, ground: null } : next;
  }
}

/** What a frame could stand on: one decoder gives it as long as this stays the same. */
function pictureIn(plan: FramePlan | undefined): string | null {
  const ground = plan?.ground;
  return ground ? `${ground.elementPath} ${ground.veil?.join() ?? ''}` : null;
}

/** A frame with its ground, if its video can be one. */
export function groundAt(
  { times, frameAt, timeline: { output }, scale, media }: PlanOptions,
  index: number,
): FramePlan {
  const frame = frameAt(times[index] ?? 0);
  const ground = groundOf(frame, scale, output);
  return { frame, ground: ground && canStand(ground, media) ? ground : null };
}

/**
 * True if a video's frames can be produced as they must look: opaque, in colours that ffmpeg can convert, scaled by its
 * decoder or enlarged (assets/videos/video-enlarger.ts).
 */
function canStand({ content, place }: Ground, media: PlanOptions['media']): boolean {
  const info = media.get(content.source);
  const picture = info?.picture;
  if (!info || !picture || info.hasAlpha || !isStandard(picture)) return false;
  if (picture.matrix !== 'bt709' && picture.matrix !== 'bt601') return false;
  return isScaledByDecoder(place, info) || isEnlarged(place, info);
}

/**
 * True if a video's decoder can give its frames in the size that they have on the output: not larger, and on even
 * pixels.
 */
export function isScaledByDecoder(place: Rect, info: MediaInfo): boolean {
  const { x, y, width, height } = place;
  const isEven = [x, y, width, height].every((value) => value % 2 === 0);
  return isEven && width <= info.width && height <= info.height;
}

/** True if a video's whole frames, in planes, are to be enlarged or moved by parts of pixels. */
function isEnlarged({ width, height }: Rect, info: MediaInfo): boolean {
  const isEven = info.width % 2 === 0 && info.height % 2 === 0;
  return isEven && width >= info.width && height >= info.height;
}
