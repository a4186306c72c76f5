/**
 * Which elements show at a moment, and what their own clocks say: elements, looped compositions, video. Pure
 * arithmetic.
 *
 * Frame times are quotients (119 / 29.97) and starts are sums, so "equal" means "closer than a microsecond".
 */
import { frameAt } from '../media-info.ts';
import { playedAt } from '../compile/speed.ts';
import type {
  CompositionElement,
  MediaClip,
  Timeline,
  TimelineElement,
} from '../compile/timeline.ts';

const tolerance = 1e-6;

/** A moment on a composition's clock; `still` = the document is a picture and has no clock: everything shows. */
export interface Clock {
  /** Seconds. */
  readonly time: number;
  readonly still: boolean;
}

/**
 * The document's clock. A time at or after the end means the last moment that still shows something, so that a snapshot
 * of the end is not empty; a negative time means the beginning. A picture of one moment always shows that one.
 */
export function documentClock({ duration, moment }: Timeline, time: number): Clock {
  if (duration <= 0) return { time: 0, still: true };
  const last = Math.max(0, duration - 10 * tolerance);
  return { time: Math.min(Math.max(0, moment ?? time), last), still: false };
}

/** True if the element is visible at this moment. Its start is included, its end is not. */
export function isShowing({ start, duration }: TimelineElement, { time, still }: Clock): boolean {
  return still || (time >= start - tolerance && time < start + duration - tolerance);
}

/** The element's own clock: seconds since it began. */
export function elementTime({ start }: TimelineElement, { time, still }: Clock): number {
  return still ? 0 : Math.max(0, time - start);
}

/**
 * The moment at which the shown frame of an animated picture began. Constant while the frame stays, so that nothing is
 * redrawn meanwhile.
 */
export function frameStartAt(clip: MediaClip, time: number, starts: readonly number[]): number {
  return starts[frameAt(starts, mediaTimeAt(clip, time))] ?? 0;
}

/** The clock of a composition's children. A loop restarts after every pass, until its last play. */
export function contentClock(composition: CompositionElement, time: number, still: boolean): Clock {
  const { loop, contentDuration, plays } = composition;
  if (still || !loop || contentDuration <= 0) return { time, still };
  const pass = Math.floor((time + tolerance) / contentDuration);
  if (plays !== null && pass >= plays) return { time, still };
  return { time: Math.max(0, time - pass * contentDuration), still };
}

/**
 * Seconds between the held moment and the end of the played part: more than the tolerance of time stamps in
 * assets/videos/video-decoder.ts, less than any frame.
 */
const beforeEnd = 0.002;

/**
 * The place in a video file, seconds. After its end a looped clip restarts and any other holds its last frame. The held
 * moment is measured from the end, not in frames, because frames may have different lengths.
 */
export function mediaTimeAt(clip: MediaClip, time: number): number {
  const { trimStart, trimDuration, loop, plays = Infinity } = clip;
  const played = playedAt(clip, time);
  if (trimDuration <= 0) return trimStart;
  const pass = Math.floor((played + tolerance) / trimDuration);
  if (loop && pass < plays) {
    return trimStart + Math.max(0, played - pass * trimDuration);
  }
  return trimStart + Math.min(played, Math.max(0, trimDuration - beforeEnd));
}
