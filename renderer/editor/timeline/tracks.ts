/** Elements on other tracks, while everything stays where it is in time and in depth. Pure. */
import { lanesOf } from '../../../shared/renderscript/tracks.ts';
import type { Json, Source } from '../../../shared/renderscript/source.ts';
import { changedSource, type Change } from './change.ts';
import { clipsOf, endOf, siblingsOf, type Clip, type Clips } from './clips.ts';
import { secondsLike } from './seconds.ts';
import { lengthKind, obstacleOf } from './wishes.ts';

type Values = Record<string, Json | undefined>;

/** A document and the lengths of its files. */
export interface Placed {
  readonly source: Source;
  readonly lengths: Readonly<Record<string, number>>;
}

/** Less is a rounded number. */
const tolerance = 0.002;

/**
 * Elements on other tracks, with the times that keep all of their siblings where they were: without those, what has no
 * time of its own would follow another one, or begin with the composition.
 *
 * @param tracks By the path of the element; undefined: none.
 */
export function onTracks(
  { source, lengths }: Placed,
  tracks: Readonly<Record<string, Json | undefined>>,
): Change {
  const values: Values = {};
  for (const [path, track] of Object.entries(tracks)) values[`${path}.track`] = track;
  const before = clipsOf(source, lengths);
  const lists = new Set(Object.keys(tracks).map((path) => path.slice(0, path.lastIndexOf('['))));
  const beside = [...(before?.byPath.values() ?? [])].filter(({ list }) => lists.has(list));
  const placed = (): Clips | null =>
    clipsOf(changedSource(source, { values, order: null }), lengths);
  let now = placed();
  let written = Object.keys(values).length;
  for (const clip of beside) {
    const moved = now?.byPath.get(clip.path);
    if (!moved || obstacleOf(clip, false)) continue;
    const { path, element, whole } = clip;
    if (Math.abs(moved.start - clip.start) > tolerance)
      values[`${path}.time`] = secondsLike(element.time, clip.start - clip.offset, whole);
    // It would fill another room. What another one ends early has its length from that one.
    const isOther = Math.abs(moved.duration - clip.duration) > tolerance && !moved.cut;
    if (isOther && lengthKind(clip) === 'room')
      values[`${path}.duration`] = secondsLike(element.duration, clip.duration, whole);
    // What follows it moves along with it.
    const count = Object.keys(values).length;
    if (count > written) now = placed();
    written = count;
  }
  return { values, order: null };
}

/** On the clock of the document both are there at some moment. */
const meet = (one: Clip, other: Clip): boolean =>
  one.start < endOf(other) - tolerance && other.start < endOf(one) - tolerance;

/**
 * Puts clips of one list, which follow each other, on one track: that of one of them, else a new one at the depth where
 * they are.
 *
 * @returns null where that would cut something, or change what lies over what.
 */
export function joined(placed: Placed, clips: Clips, members: readonly Clip[]): Change | null {
  const [first] = members;
  if (!first) return null;
  const siblings = siblingsOf(clips, first);
  const own = members.find(({ track }) => track !== null)?.track ?? null;
  const tracks: Record<string, Json | undefined> = {};
  const lanes = lanesOf(siblings.map(({ track }) => track));
  const track = own ?? Math.floor(lanes[siblings.indexOf(first)] ?? 0) + 1;
  if (own === null && siblings.some((one) => one.track === track)) {
    for (const one of siblings)
      if (one.track !== null && one.track >= track) tracks[one.path] = one.track + 1;
  }
  for (const one of members) if (one.track !== track) tracks[one.path] = track;
  const change = onTracks(placed, tracks);
  const after = clipsOf(changedSource(placed.source, change), placed.lengths);
  return after && isAsBefore(siblings, siblingsOf(after, first)) ? change : null;
}

/** Everything is there at the same time, and what is seen together lies in the same order. */
function isAsBefore(before: readonly Clip[], after: readonly Clip[]): boolean {
  const isStill = before.every((clip, index) => {
    const now = after[index];
    return (
      now !== undefined &&
      Math.abs(now.start - clip.start) <= tolerance &&
      Math.abs(now.duration - clip.duration) <= tolerance
    );
  });
  if (!isStill) return false;
  const [lanes, others] = [before, after].map((list) => lanesOf(list.map(({ track }) => track)));
  const isOver = (of: readonly number[] | undefined, a: number, b: number): boolean =>
    (of?.[a] ?? 0) === (of?.[b] ?? 0) ? a > b : (of?.[a] ?? 0) > (of?.[b] ?? 0);
  const seen = before.flatMap((clip, index) => (clip.type === 'audio' ? [] : [{ clip, index }]));
  return seen.every(({ clip, index }, place) =>
    seen
      .slice(place + 1)
      .every(
        (other) =>
          !meet(clip, other.clip) ||
          isOver(lanes, index, other.index) === isOver(others, index, other.index),
      ),
  );
}

/** The highest track of siblings that is written; 0 = none. */
export const highestTrack = (siblings: readonly Pick<Clip, 'track'>[]): number =>
  Math.max(0, ...siblings.map(({ track }) => track ?? 0));
