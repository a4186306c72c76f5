/** The sound of a clip as the timeline shows and changes it: how it comes and goes, and how loud it is. Pure. */
import { momentIn } from '../../../shared/engine/compile/clock.ts';
import { loudnessOf } from '../../../shared/engine/compile/sounds.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import type { Change } from './change.ts';
import type { Clip } from './clips.ts';
import { boundedKeys } from './keys.ts';
import { secondsLike } from './seconds.ts';
import type { Edge } from './trim.ts';

/** Percent at the upper edge of a clip; what is louder is drawn there. */
export const loudest = 200;
/** Percent around 100 that a drag takes for 100. */
const usualReach = 4;

const properties = { start: 'audio_fade_in', end: 'audio_fade_out' } as const;

export const hasSound = ({ type, element }: Clip): boolean =>
  (type === 'audio' || type === 'video') && element.muted !== true;

/** Seconds that a fade lasts; 0 = none. */
export function fadeOf({ element, duration }: Clip, edge: Edge): number {
  return Math.min(duration, Math.max(0, parseSeconds(element[properties[edge]]) ?? 0));
}

/** Where the handle of a fade is, in seconds of the element's clock: where the sound is whole. */
export function fadeEnd(clip: Clip, edge: Edge): number {
  const length = fadeOf(clip, edge);
  return edge === 'start' ? length : clip.duration - length;
}

/** A fade made longer or shorter by dragging its handle: within the clip, and not into the fade of its other side. */
export function faded(clip: Clip, edge: Edge, by: number): Change {
  const room = clip.duration - fadeOf(clip, edge === 'start' ? 'end' : 'start');
  const wished = fadeOf(clip, edge) + (edge === 'start' ? by : -by);
  const name = properties[edge];
  const length = secondsLike(clip.element[name], Math.max(0, Math.min(room, wished)), 0);
  const isNone = parseSeconds(length) === 0;
  return { values: { [`${clip.path}.${name}`]: isNone ? undefined : length }, order: null };
}

export interface LoudnessPoint {
  /** Seconds of the element's clock. */
  readonly at: number;
  readonly percent: number;
}

/** How loud a clip is over its time, as the engine mixes it; a single point if that does not change. */
export function loudnessLine({ element, duration }: Clip): readonly LoudnessPoint[] {
  return loudnessOf(element, duration).map(({ time, value }) => ({
    at: time,
    percent: value * 100,
  }));
}

/** The keyframes of the volume that can be dragged, by their index. */
export function loudnessKeys({ element, duration }: Clip): readonly LoudnessPoint[] {
  return (keyframesOf(element.volume) ?? []).flatMap(({ time, value }) => {
    const at = momentIn(time, duration);
    return at === null ? [] : [{ at, percent: percentIn(value) }];
  });
}

const percentIn = (value: Json | undefined): number =>
  Math.max(0, parseAmount(value)?.value ?? 100);

/** Percent in the spelling of the value before: `80`, or `"80%"`. */
function percentLike(before: Json | undefined, percent: number): Json {
  const tidy = Math.round(percent);
  return typeof before === 'number' ? tidy : `${tidy}%`;
}

/** A value so much louder, or quieter: percent, with a wide catch at 100. */
function turned(before: Json | undefined, by: number): Json {
  const wished = Math.max(0, Math.min(loudest, percentIn(before) + by));
  return percentLike(before, Math.abs(wished - 100) < usualReach ? 100 : wished);
}

/** A clip without keyframes of its volume made louder, or quieter, by percent. */
export function turnedClip({ path, element }: Clip, by: number): Change {
  return { values: { [`${path}.volume`]: turned(element.volume, by) }, order: null };
}

/**
 * A keyframe of the volume pulled up or down, and along.
 *
 * @param by Percent, and seconds. A way of fewer than three frames is meant straight up or down.
 */
export function pulledKey(
  clip: Clip,
  index: number,
  by: { readonly percent: number; readonly seconds: number },
  frame: number,
): Change {
  const key = keyframesOf(clip.element.volume)?.[index];
  const at = momentIn(key?.time, clip.duration) ?? 0;
  const isAlong = Math.abs(by.seconds) >= 3 * frame - 0.001;
  const way = isAlong ? boundedKeys(clip, [at], by.seconds, frame) : 0;
  const path = `${clip.path}.volume[${index}]`;
  return {
    values: {
      [`${path}.value`]: turned(key?.value, by.percent),
      ...(way !== 0 && { [`${path}.time`]: secondsLike(key?.time, at + way, clip.duration) }),
    },
    order: null,
  };
}
