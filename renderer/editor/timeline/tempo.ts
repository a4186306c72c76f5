/** Clips that play faster or slower, and what follows them. Pure. */
import { speedOf } from '../../../shared/engine/compile/speed.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import { changedSource, type Change } from './change.ts';
import { clipsOf, endOf, type Clip, type Clips } from './clips.ts';
import { rowOf } from './rows.ts';
import { secondsLike } from './seconds.ts';
import type { Placed } from './tracks.ts';
import { rippled } from './trim.ts';
import { lengthKind } from './wishes.ts';

type Values = Record<string, Json | undefined>;

/** Seconds; less is a rounded number. */
const tolerance = 0.002;

/**
 * Clips at other speeds: each shows as much of its file as before, so that its length changes, and its track closes up
 * or makes room; its keyframes go along. What repeats, fills a room, or changes its speed over time stays as long.
 *
 * @param speeds By the path of the element; undefined: none of its own.
 */
export function sped(
  { source, lengths }: Placed,
  speeds: Readonly<Record<string, Json | undefined>>,
): Change {
  const values: Values = {};
  for (const [path, speed] of Object.entries(speeds)) {
    // The others have made room already.
    const clips = clipsOf(changedSource(source, { values, order: null }), lengths);
    const clip = clips?.byPath.get(path);
    const length = clip && lengthAt(clip, speed);
    values[`${path}.speed`] = speed;
    if (!clips || !clip || length === null || length === undefined) continue;
    const { element, whole } = clip;
    if (lengthKind(clip) === 'number')
      values[`${path}.duration`] = secondsLike(element.duration, length, whole);
    Object.assign(values, keysAlong(clip, length / clip.duration));
    // What another one ends early does not push that away.
    const by = clip.cut ? Math.min(0, length - clip.duration) : length - clip.duration;
    if (clip.track !== null && isFollowed(clips, clip, by))
      Object.assign(values, rippled(clips, clip, by));
  }
  return { values, order: null };
}

/** Seconds that a clip lasts at a speed; null where that does not depend on it. */
function lengthAt(clip: Clip, speed: Json | undefined): number | null {
  const { element, media, duration } = clip;
  const kind = lengthKind(clip);
  if (!media || media.clip.loop || media.clip.speeds || kind === 'room') return null;
  if (keyframesOf(speed)) return null;
  if (speed !== undefined && speed !== null && parseAmount(speed) === null) return null;
  const next = speedOf(speed, duration);
  if (typeof next !== 'number' || next === media.clip.speed) return null;
  const { speed: before, trimDuration: part } = media.clip;
  const length = parseSeconds(element.duration) ?? duration;
  // What is longer than its file does not go on doing so.
  const played = kind === 'content' ? part : Math.min(length * before, part);
  return played / next;
}

/** New times of a clip's keyframes: what changes at a moment of its file still does so. */
function keysAlong({ path, element, duration }: Clip, factor: number): Values {
  const values: Values = {};
  for (const [name, value] of Object.entries(element)) {
    for (const [index, { time }] of (keyframesOf(value) ?? []).entries()) {
      // Percentages and `end` follow by themselves.
      const seconds = parseSeconds(time);
      if (seconds !== null && seconds !== 0)
        values[`${path}.${name}[${index}].time`] = secondsLike(time, seconds * factor, duration);
    }
  }
  return values;
}

/** Something on its track begins at its end, or would be run over. A gap that stays one moves nothing. */
function isFollowed(clips: Clips, clip: Clip, by: number): boolean {
  return rowOf(clips, clip).some((other) => {
    if (other === clip || other.start <= clip.start) return false;
    const begin = other.start + other.overlap;
    return begin < Math.max(endOf(clip), endOf(clip) + by) + tolerance;
  });
}
