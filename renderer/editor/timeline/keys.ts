/** The keyframes of a clip, by moments, as the timeline shows and changes them. Pure. */
import { momentIn } from '../../../shared/engine/compile/clock.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import type { Change } from './change.ts';
import type { Clip } from './clips.ts';
import { secondsLike } from './seconds.ts';

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

const tolerance = 0.0015;

/** Two moments on an element's clock are the same one: times are written to a thousandth. */
export const isSameMoment = (one: number, other: number): boolean =>
  Math.abs(one - other) < tolerance;

/** Keyframes at the same moment are shown as one; in order. */
export function keyMomentsOf(clip: Clip): readonly KeyMoment[] {
  const found: { at: number; keys: Key[] }[] = [];
  for (const [name, value] of Object.entries(clip.element)) {
    // Words have times, too.
    if (name === 'animations' || name === 'transcript_source') continue;
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

/** The keyframes at some moments, in seconds of the element's clock; in order. */
export function momentsAt(clip: Clip, chosen: readonly number[]): readonly KeyMoment[] {
  return keyMomentsOf(clip).filter(({ at }) => chosen.some((one) => isSameMoment(one, at)));
}

/** How far the keyframes of some moments can go: they stay in the clip, and between those that stay where they are. */
export function boundedKeys(
  clip: Clip,
  chosen: readonly number[],
  by: number,
  frame: number,
): number {
  const held = momentsAt(clip, chosen);
  let [least, most] = [-Infinity, Infinity];
  for (const { at, keys } of held) {
    least = Math.max(least, -at);
    most = Math.min(most, Math.max(0, clip.duration - at));
    for (const { name, index } of keys) {
      const stays = (other: number): number | null => {
        const time = momentIn(keyframesOf(clip.element[name])?.[other]?.time, clip.duration);
        return time === null || held.some((one) => isSameMoment(one.at, time)) ? null : time;
      };
      const [before, after] = [stays(index - 1), stays(index + 1)];
      if (before !== null) least = Math.max(least, before + frame - at);
      if (after !== null) most = Math.min(most, after - frame - at);
    }
  }
  return Math.max(Math.min(0, least), Math.min(Math.max(0, most), by));
}

/** The keyframes of some moments, moved in time. */
export function movedKeys(clip: Clip, chosen: readonly number[], by: number): Change {
  const values: Record<string, Json> = {};
  for (const { at, keys } of by === 0 ? [] : momentsAt(clip, chosen)) {
    for (const { name, index } of keys) {
      const key = keyframesOf(clip.element[name])?.[index];
      const path = `${clip.path}.${name}[${index}].time`;
      values[path] = secondsLike(key?.time, at + by, clip.duration);
    }
  }
  return { values, order: null };
}

/** Without the keyframes of some moments; of a property whose last one that was, its value stays. */
export function withoutKeys(clip: Clip, chosen: readonly number[]): Change {
  const values: Record<string, Json> = {};
  const gone = momentsAt(clip, chosen).flatMap(({ keys }) => keys);
  for (const { name } of gone) {
    const list = clip.element[name] as readonly JsonObject[];
    const rest = list.filter((_, at) => !gone.some((key) => key.name === name && key.index === at));
    values[`${clip.path}.${name}`] = rest.length > 0 ? rest : (list[0]?.value ?? null);
  }
  return { values, order: null };
}
