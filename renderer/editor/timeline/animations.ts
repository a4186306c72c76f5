/** Animations and keyframes of a clip as the timeline shows and changes them. Pure. */
import { animationSpan, momentIn } from '../../../shared/engine/compile/clock.ts';
import { transitionLength } from '../../../shared/renderscript/tracks.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import type { Change } from './change.ts';
import type { Clip } from './clips.ts';
import { secondsLike } from './seconds.ts';

/** A part of a clip that is animated. */
export interface Region {
  /** In the element's `animations`. */
  readonly index: number;
  readonly type: string;
  /** `whole`: as long as the clip, so there is no length to change. */
  readonly kind: 'transition' | 'in' | 'out' | 'between' | 'whole';
  /** Seconds of the element's clock. */
  readonly from: number;
  readonly to: number;
}

const tolerance = 0.0015;

const entriesOf = ({ element }: Clip): readonly Json[] =>
  Array.isArray(element.animations) ? (element.animations as readonly Json[]) : [];

/** The animations of a clip, in the element's order. */
export function regionsOf(clip: Clip): readonly Region[] {
  return entriesOf(clip).flatMap((entry, index): Region[] => {
    if (!isJsonObject(entry) || typeof entry.type !== 'string') return [];
    const { type } = entry;
    if (entry.transition === true)
      return [{ index, type, kind: 'transition', from: 0, to: transitionLength(entry) }];
    const { start, duration } = animationSpan(entry, clip.duration);
    const isWhole =
      entry.duration === undefined && (entry.time === undefined || entry.time === null);
    const kind = isWhole
      ? 'whole'
      : entry.time === 'end'
        ? 'out'
        : start <= tolerance
          ? 'in'
          : 'between';
    return [{ index, type, kind, from: start, to: start + duration }];
  });
}

/** Where the handle of a region is, in seconds of the element's clock: the end that is not the clip's own. */
export const handleOf = ({ kind, from, to }: Region): number => (kind === 'out' ? from : to);

/** An animation made longer (or shorter) by dragging its handle; it fits into its clip, and lasts a frame at least. */
export function stretched(clip: Clip, index: number, by: number, frame: number): Change {
  const region = regionsOf(clip).find((one) => one.index === index);
  const entry = entriesOf(clip)[index];
  if (!region || region.kind === 'whole' || !isJsonObject(entry))
    return { values: {}, order: null };
  const before = region.to - region.from;
  const room = region.kind === 'between' ? clip.duration - region.from : clip.duration;
  const wished = before + (region.kind === 'out' ? -by : by);
  const length = Math.max(frame, Math.min(Math.max(room, before), wished));
  const path = `${clip.path}.animations[${index}].duration`;
  return { values: { [path]: secondsLike(entry.duration, length, 0) }, order: null };
}

/** A keyframe of one property. */
interface Key {
  readonly name: string;
  readonly index: number;
  /** '' = the default one. */
  readonly easing: string;
}

/** All keyframes of a clip at one moment. */
export interface KeyMoment {
  /** Seconds of the element's clock. */
  readonly at: number;
  readonly keys: readonly Key[];
}

/** Keyframes at the same moment are shown as one; in order. */
export function keyMomentsOf(clip: Clip): readonly KeyMoment[] {
  const found: { at: number; keys: Key[] }[] = [];
  for (const [name, value] of Object.entries(clip.element)) {
    if (name === 'animations') continue;
    keyframesOf(value)?.forEach(({ time, easing }, index) => {
      const at = momentIn(time, clip.duration);
      if (at !== null)
        found.push({
          at,
          keys: [{ name, index, easing: typeof easing === 'string' ? easing : '' }],
        });
    });
  }
  const moments: { at: number; keys: Key[] }[] = [];
  for (const one of found.sort((a, b) => a.at - b.at)) {
    const last = moments.at(-1);
    if (last && one.at - last.at < tolerance) last.keys.push(...one.keys);
    else moments.push(one);
  }
  return moments;
}

const momentAt = (clip: Clip, at: number): KeyMoment | undefined =>
  keyMomentsOf(clip).find((one) => Math.abs(one.at - at) < tolerance);

/** How far the keyframes of a moment can go: they stay in the clip, and between those beside them. */
export function boundedKeys(clip: Clip, at: number, by: number, frame: number): number {
  const moment = momentAt(clip, at);
  let [least, most] = [-at, Math.max(0, clip.duration - at)];
  for (const { name, index } of moment?.keys ?? []) {
    const times = (keyframesOf(clip.element[name]) ?? []).map(({ time }) =>
      momentIn(time, clip.duration),
    );
    const [before, after] = [times[index - 1], times[index + 1]];
    if (typeof before === 'number') least = Math.max(least, before + frame - at);
    if (typeof after === 'number') most = Math.min(most, after - frame - at);
  }
  return Math.max(Math.min(0, least), Math.min(Math.max(0, most), by));
}

/** The keyframes of a moment, moved in time. */
export function movedKeys(clip: Clip, at: number, by: number): Change {
  const values: Record<string, Json> = {};
  for (const { name, index } of by === 0 ? [] : (momentAt(clip, at)?.keys ?? [])) {
    const key = keyframesOf(clip.element[name])?.[index];
    values[`${clip.path}.${name}[${index}].time`] = secondsLike(key?.time, at + by, clip.duration);
  }
  return { values, order: null };
}

/** Without the keyframes of a moment; of a property whose last one that was, its value stays. */
export function withoutKeys(clip: Clip, at: number): Change {
  const values: Record<string, Json> = {};
  for (const { name } of momentAt(clip, at)?.keys ?? []) {
    const list = clip.element[name] as readonly JsonObject[];
    const rest = list.filter((key) => {
      const moment = momentIn(key.time, clip.duration);
      return moment === null || Math.abs(moment - at) >= tolerance;
    });
    values[`${clip.path}.${name}`] = rest.length > 0 ? rest : (list[0]?.value ?? null);
  }
  return { values, order: null };
}
