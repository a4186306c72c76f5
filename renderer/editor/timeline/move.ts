/** Clips that are moved in time and to other tracks. Pure. */
import type { Json } from '../../../shared/renderscript/source.ts';
import type { Arranged, Change } from './change.ts';
import { endOf, siblingsOf, type Clip, type Clips } from './clips.ts';
import { secondsLike } from './seconds.ts';
import { isAutomatic, lengthKind } from './wishes.ts';

/** Where clips are let go: a track; the place of an element without one, by its index; a new row in front of all. */
export type Target =
  | { readonly kind: 'track'; readonly track: number }
  | { readonly kind: 'lane'; readonly index: number }
  | { readonly kind: 'front' };

/** Sums of fractions that differ by less are the same moment. */
const tolerance = 0.0015;

/** Seconds on the clock of the composition around it. */
const localOf = ({ start, offset }: Clip): number => start - offset;

/** How far clips can be moved: none begins before its composition. */
export function boundedWay(held: readonly Clip[], by: number): number {
  return Math.max(by, -Math.max(0, Math.min(...held.map(localOf))));
}

/**
 * Moves clips of one list. One without a time of its own that passes others of its kind takes its place among them;
 * else what is moved gets a time.
 *
 * @param by Seconds.
 * @param target Null: each stays on its row.
 * @param staysInOrder None takes another's place: it is moved by steps that are too small for that.
 */
export function movedClips(
  clips: Clips,
  held: readonly Clip[],
  by: number,
  target: Target | null,
  staysInOrder = false,
): Change {
  const way = boundedWay(held, by);
  const [clip] = held;
  if (!clip) return { values: {}, order: null };
  const goal = goalOf(clips, clip, target);
  if (goal.track !== null && held.length === 1 && !staysInOrder)
    return onTrack(clips, clip, way, goal.track);
  const isKept = goal.track === undefined || goal.track === null || goal.track === clip.track;
  const values = Object.assign(
    {},
    ...held.map((one) => {
      const follows = isKept && isLed(clips, one, held);
      return {
        ...(!follows && timed(one, way, !isKept)),
        ...(!isKept && { [`${one.path}.track`]: goal.track }),
      };
    }),
  ) as Change['values'];
  if (isKept) return { values, order: goal.order };
  const others = onTrackOf(clips, clip, goal.track).filter((one) => !held.includes(one));
  return { values, order: arranged(clip.list, [...others, ...held]) };
}

/**
 * The track that a target means for a clip, null for none, undefined for each its own; and its place among the layers.
 */
function goalOf(
  clips: Clips,
  clip: Clip,
  target: Target | null,
): { readonly track: number | null | undefined; readonly order: Arranged | null } {
  const own = clip.track;
  if (target === null) return { track: own, order: null };
  if (target.kind === 'track') return { track: target.track, order: null };
  const siblings = siblingsOf(clips, clip);
  if (own === null) {
    const to = target.kind === 'lane' ? target.index : siblings.length - 1;
    return { track: null, order: layered(clip, to) };
  }
  if (target.kind === 'lane') return { track: own, order: null };
  return { track: Math.max(0, ...siblings.map(({ track }) => track ?? 0)) + 1, order: null };
}

/** One clip on a track, its own or another one. */
function onTrack(clips: Clips, clip: Clip, way: number, track: number | undefined): Change {
  if (track === undefined) return { values: timed(clip, way, false), order: null };
  const isOther = track !== clip.track;
  const tracked = isOther ? { [`${clip.path}.track`]: track } : {};
  const others = onTrackOf(clips, clip, track).filter((one) => one !== clip);
  const start = localOf(clip) + way;
  if (!isAutomatic(clip)) {
    // Behind the others: what follows one of those goes on doing so.
    const order = isOther ? arranged(clip.list, [...others, clip]) : null;
    return { values: { ...tracked, ...timed(clip, way, false) }, order };
  }
  const inTime = [...others].sort((a, b) => a.start - b.start || a.index - b.index);
  const isBefore = (other: Clip): boolean => {
    const middle = localOf(other) + other.duration / 2;
    if (isOther) return middle <= start + tolerance;
    return other.index < clip.index ? start >= middle : start + clip.duration > middle;
  };
  const place = inTime.filter(isBefore).length;
  const [last, next] = [inTime[place - 1], inTime[place]];
  const wasAt = inTime.filter((other) => other.index < clip.index).length;
  const isPassing = isOther || place !== wasAt;
  if (!isPassing) return { values: timed(clip, way, false), order: null };
  const end = Math.max(0, ...others.map((one) => endOf(one) - one.offset));
  const follows = others.length > 0 && (!next || isAutomatic(next)) && start <= end + tolerance;
  const order = arranged(clip.list, inserted(others, clip, last, next));
  return { values: { ...tracked, ...(!follows && timed(clip, way, isOther)) }, order };
}

/** Of the list of a clip, those on a track, in the document's order. */
function onTrackOf(clips: Clips, clip: Clip, track: number | undefined): readonly Clip[] {
  return siblingsOf(clips, clip).filter((one) => one.track === track);
}

/** In the document's order, with a clip behind one, else before another. */
function inserted(
  others: readonly Clip[],
  clip: Clip,
  last: Clip | undefined,
  next: Clip | undefined,
): readonly Clip[] {
  const at = last ? others.indexOf(last) + 1 : next ? others.indexOf(next) : others.length;
  return [...others.slice(0, at), clip, ...others.slice(at)];
}

/** These clips in this order, at the places that they have now; null where that is so already. */
function arranged(list: string, wanted: readonly Clip[]): Arranged | null {
  const items = wanted.map(({ index }) => index);
  const places = [...items].sort((a, b) => a - b);
  return items.every((item, at) => item === places[at]) ? null : { list, places, items };
}

/** An element without a track at another place among the layers. */
function layered({ list, index }: Clip, to: number): Arranged | null {
  if (to === index) return null;
  const first = Math.min(index, to);
  const places = Array.from({ length: Math.abs(to - index) + 1 }, (_, at) => first + at);
  const items = places.filter((place) => place !== index);
  items.splice(to - first, 0, index);
  return { list, places, items };
}

/** It follows another one that is held, and so moves along. */
function isLed(clips: Clips, clip: Clip, held: readonly Clip[]): boolean {
  if (clip.track === null || !isAutomatic(clip)) return false;
  const before = siblingsOf(clips, clip).findLast(
    ({ track, index }) => track === clip.track && index < clip.index,
  );
  return before !== undefined && held.includes(before);
}

/** @param always Also where it does not move: elsewhere, without a time, it would begin at another one. */
function timed(clip: Clip, way: number, always: boolean): Record<string, Json> {
  const start = localOf(clip) + way;
  if (Math.abs(way) < tolerance && !(always && isAutomatic(clip) && start > tolerance)) return {};
  const { path, element, whole, duration } = clip;
  const time = { [`${path}.time`]: secondsLike(element.time, start, whole) };
  // It lasts to the end of its room: begun earlier, it would become longer.
  if (way > 0 || lengthKind(clip) !== 'room') return time;
  return { ...time, [`${path}.duration`]: secondsLike(element.duration, duration, whole) };
}
