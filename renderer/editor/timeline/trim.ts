/** Clips whose beginning or end is moved. Pure. */
import type { Json } from '../../../shared/renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import type { Change } from './change.ts';
import { endOf, type Clip, type Clips } from './clips.ts';
import { entryOf } from './cuts.ts';
import { rowOf, shortestOf, touches } from './rows.ts';
import { secondsLike } from './seconds.ts';
import { isAutomatic, lengthKind, mediaObstacleOf, obstacleOf, trimStartOf } from './wishes.ts';

export type Edge = 'start' | 'end';

type Values = Record<string, Json | undefined>;

/**
 * How far an edge can go: some of the clip stays, nothing begins before its composition, and a file plays no more than
 * it has.
 *
 * @param shortest Seconds that stay, if it is not shorter already.
 * @param ripples The beginning stays where it is, and only what is left out of the file changes.
 */
export function boundedTrim(
  clip: Clip,
  edge: Edge,
  by: number,
  shortest: number,
  ripples = false,
): number {
  const { duration, start, offset, media, element } = clip;
  const longest = duration - Math.min(shortest, duration);
  const speed = media?.clip.speed ?? 1;
  const isLimited = media !== null && !media.clip.loop && media.length > 0;
  if (edge === 'start') {
    const before = isLimited ? trimStartOf(clip) / speed : Infinity;
    const room = ripples ? before : Math.min(start - offset, before);
    return Math.min(longest, Math.max(by, -room));
  }
  const rest = isLimited ? (media.length - trimStartOf(clip)) / speed - duration : Infinity;
  // What is longer than its file already holds its last picture, and may go on doing so.
  const isHolding = isLimited && rest < 0 && parseSeconds(element.duration) !== null;
  return Math.max(-longest, isHolding ? by : Math.min(by, Math.max(0, rest)));
}

/**
 * Moves the beginning or the end of a clip by some seconds. What its file shows stays where it was in time.
 *
 * @param ripples What follows on its track moves along; nothing else does.
 */
export function trimmedClip(
  clips: Clips,
  clip: Clip,
  edge: Edge,
  by: number,
  ripples: boolean,
): Change {
  if (by === 0) return { values: {}, order: null };
  const values = edge === 'start' ? startTrimmed(clip, by, ripples) : endTrimmed(clip, by);
  const shift = edge === 'start' ? -by : by;
  return { values: { ...values, ...(ripples && rippled(clips, clip, shift)) }, order: null };
}

function startTrimmed(clip: Clip, by: number, ripples: boolean): Values {
  const { path, element, start, offset, whole, duration } = clip;
  const kind = lengthKind(clip);
  const time: Values = ripples
    ? {}
    : { [`${path}.time`]: secondsLike(element.time, start - offset + by, whole) };
  const isLooped = clip.media?.clip.loop === true;
  const file = clip.media && !isLooped ? fileTrimmed(clip, by) : {};
  // By its file, which is shorter now, or to the end of its room.
  const isGiven =
    kind === 'number' ||
    (kind === 'content' && (!clip.media || isLooped)) ||
    (kind === 'room' && ripples);
  const length = isGiven
    ? { [`${path}.duration`]: secondsLike(element.duration, duration - by, whole) }
    : {};
  return { ...time, ...file, ...length };
}

/** The part of the file that plays begins later, by so many seconds of the document. */
function fileTrimmed(clip: Clip, by: number): Values {
  const { path, element, media } = clip;
  const played = by * (media?.clip.speed ?? 1);
  const begin = Math.max(0, trimStartOf(clip) + played);
  const part = parseSeconds(element.trim_duration);
  return {
    [`${path}.trim_start`]: secondsLike(element.trim_start, begin, 0),
    ...(part !== null && {
      [`${path}.trim_duration`]: secondsLike(element.trim_duration, Math.max(0, part - played), 0),
    }),
  };
}

function endTrimmed(clip: Clip, by: number): Values {
  const { path, element, whole, duration, media, start, offset } = clip;
  const length = duration + by;
  const speed = media?.clip.speed ?? 1;
  const part = parseSeconds(element.trim_duration);
  const trimDuration = (seconds: number): Values => ({
    [`${path}.trim_duration`]: secondsLike(element.trim_duration, seconds, 0),
  });
  // Its author cut the file itself.
  if (media && part !== null && lengthKind(clip) === 'content') return trimDuration(length * speed);
  const isShort = media !== null && part !== null && !media.clip.loop && length * speed > part;
  return {
    // What ends with its composition would begin elsewhere.
    ...(element.time === 'end' && {
      [`${path}.time`]: secondsLike(undefined, start - offset, whole),
    }),
    [`${path}.duration`]: secondsLike(element.duration, length, whole),
    ...(isShort && trimDuration(length * speed)),
  };
}

/** New times of what has one of its own and comes later on the row of a clip. */
export function rippled(clips: Clips, clip: Clip, by: number): Values {
  return shifted(rowOf(clips, clip), (other) =>
    other !== clip && endOf(clip) <= latestBefore(other) ? by : 0,
  );
}

/**
 * New times of what comes after clips on their rows, when those are taken away. A transition that is longer than the
 * clip before it then has room becomes as short as that.
 */
export function closedUp(clips: Clips, gone: readonly Clip[]): Values {
  const values: Values = {};
  const left = new Set(gone);
  for (const first of gone) {
    if (!left.has(first)) continue;
    const row = rowOf(clips, first);
    const own = row.filter((clip) => left.delete(clip));
    const freed = new Set(own);
    const lost = lostOverlaps(row, freed);
    const sum = sumUntil(
      row.flatMap((one, index) => {
        if (freed.has(one)) return [[endOf(one), coveredOf(row, index) - one.duration]];
        const seconds = lost.get(one);
        return seconds === undefined ? [] : [[endOf(one), seconds]];
      }),
    );
    const shiftOf = (other: Clip): number => {
      if (freed.has(other)) return 0;
      const until = latestBefore(other);
      return sum(until) + (endOf(other) <= until ? 0 : (lost.get(other) ?? 0));
    };
    Object.assign(values, shifted(row, shiftOf));
    for (const [clip, seconds] of lost) {
      const entry = entryOf(clip);
      if (!entry) continue;
      values[`${clip.path}.animations[${entry.index}].duration`] = secondsLike(
        entry.values.duration,
        clip.overlap - seconds,
        clip.duration,
      );
    }
  }
  return values;
}

/** By how many seconds transitions are too long for the clips that come before them once others are gone. */
function lostOverlaps(row: readonly Clip[], gone: ReadonlySet<Clip>): ReadonlyMap<Clip, number> {
  const lost = new Map<Clip, number>();
  let before: Clip | null = null;
  let isFreed = false;
  for (const [index, clip] of row.entries()) {
    if (gone.has(clip)) {
      isFreed = true;
      continue;
    }
    const room = before ? before.duration - before.overlap + (lost.get(before) ?? 0) : 0;
    const most = coveredOf(row, index);
    if (isFreed && most > room) lost.set(clip, most - Math.max(0, room));
    before = clip;
    isFreed = false;
  }
  return lost;
}

/** Seconds of a clip in which the one before it is still there: its transition, or less where that one is shorter. */
function coveredOf(row: readonly Clip[], index: number): number {
  const [before, clip] = [row[index - 1], row[index]];
  return before && clip ? Math.max(0, endOf(before) - clip.start) : 0;
}

/** The sum of what belongs to moments up to one. @param entries moments in seconds, and what belongs to each */
function sumUntil(entries: readonly (readonly [number, number])[]): (moment: number) => number {
  let total = 0;
  const sums = entries
    .toSorted(([one], [two]) => one - two)
    .map(([moment, by]) => [moment, (total += by)] as const);
  return (moment) => {
    let [low, high] = [0, sums.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle]?.[0] ?? Infinity) <= moment) low = middle + 1;
      else high = middle;
    }
    return sums[low - 1]?.[1] ?? 0;
  };
}

/** What ends until then comes before a clip on its row, transitions apart. */
const latestBefore = (clip: Clip): number => clip.start + clip.overlap + 0.0015;

function shifted(row: readonly Clip[], shiftOf: (clip: Clip) => number): Values {
  const values: Values = {};
  for (const one of row) {
    const by = shiftOf(one);
    if (by === 0 || isAutomatic(one) || parseAmount(one.element.time) === null) continue;
    const start = Math.max(0, one.start - one.offset + by);
    values[`${one.path}.time`] = secondsLike(one.element.time, start, one.whole);
  }
  return values;
}

/**
 * Moves the cut between a clip and the one that touches it there: one becomes as much longer as the other becomes
 * shorter.
 *
 * @returns null where nothing that can be changed touches it.
 */
export function rolledCut(
  clips: Clips,
  clip: Clip,
  edge: Edge,
  by: number,
  frame: number,
): { readonly change: Change; readonly by: number } | null {
  const pair = touching(clips, clip, edge);
  if (!pair) return null;
  const { before, after } = pair;
  const back = boundedTrim(after, 'start', by, shortestOf(clips, after, frame), true);
  const way = boundedTrim(before, 'end', back, shortestOf(clips, before, frame));
  if (way === 0) return { change: { values: {}, order: null }, by: 0 };
  const values = { ...endTrimmed(before, way), ...startTrimmed(after, way, isAutomatic(after)) };
  return { change: { values, order: null }, by: way };
}

function touching(
  clips: Clips,
  clip: Clip,
  edge: Edge,
): { readonly before: Clip; readonly after: Clip } | null {
  const beside = rowOf(clips, clip).find((other) => {
    if (other === clip) return false;
    const [before, after] = edge === 'end' ? [clip, other] : [other, clip];
    return touches(before, after);
  });
  if (!beside) return null;
  const isFixed = obstacleOf(beside, beside.element.locked === true) ?? mediaObstacleOf(beside);
  if (isFixed) return null;
  return edge === 'end' ? { before: clip, after: beside } : { before: beside, after: clip };
}
