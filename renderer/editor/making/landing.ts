/** Where something that is added comes to lie in a film: on which track, when, and what makes room for it. Pure. */
import { lanesOf } from '../../../shared/renderscript/tracks.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { endOf, type Clip } from '../timeline/clips.ts';
import { mainTrack } from '../timeline/rows.ts';
import { secondsLike, tidySeconds } from '../timeline/seconds.ts';
import { highestTrack } from '../timeline/tracks.ts';
import { isAutomatic } from '../timeline/wishes.ts';

/** Sums of fractions that differ by less are the same moment. */
const tolerance = 0.002;

const isSeen = ({ type }: Clip): boolean => type !== 'audio';

export interface Landing {
  readonly track: number;
  /** Seconds of the document. */
  readonly start: number;
  /** The time that is written; null: it follows the one before it. */
  readonly time: number | null;
  /** In the document's list. */
  readonly index: number;
  /** New values of what makes room, by path. */
  readonly values: Readonly<Record<string, Json | undefined>>;
}

/**
 * Between which clips of a row something would be put, and when: where a clip is, at the nearer one of its ends.
 *
 * @param row In the order of time.
 * @returns the index of the clip that comes after it
 */
function cutOn(
  row: readonly Clip[],
  at: number,
): { readonly next: number; readonly start: number } {
  const over = row.findIndex((clip) => at > clip.start + tolerance && at < endOf(clip) - tolerance);
  const clip = row[over];
  if (!clip) {
    const next = row.findIndex(({ start }) => start >= at - tolerance);
    return { next: next < 0 ? row.length : next, start: Math.max(0, at) };
  }
  if (at >= clip.start + clip.duration / 2) return { next: over + 1, start: endOf(clip) };
  // The one before it ends with its transition, which the new one gets.
  const before = row[over - 1];
  const isOver = before && endOf(before) > clip.start;
  return { next: over, start: isOver ? endOf(before) : clip.start };
}

/**
 * The place on a track of something that is `seconds` long: what follows is pushed on as far as it needs.
 *
 * @param at Seconds of the document; null: behind the last one.
 */
export function landingOn(
  top: readonly Clip[],
  track: number,
  at: number | null,
  seconds: number,
): Landing {
  const row = top.filter((clip) => clip.track === track);
  const inTime = [...row].sort((a, b) => a.start - b.start || a.index - b.index);
  const end = inTime.reduce((most, clip) => Math.max(most, endOf(clip)), 0);
  const cut = at === null ? { next: inTime.length, start: end } : cutOn(inTime, at);
  const { start } = cut;
  const last = inTime[cut.next - 1];
  const later = inTime.slice(cut.next);
  const [next] = later;
  // The next one goes on with its transition, over this one now.
  const overlap = Math.min(next?.overlap ?? 0, seconds);
  const push = next ? Math.max(0, start + seconds - overlap - next.start) : 0;
  const values: Record<string, Json | undefined> = {};
  for (const clip of push > 0 ? later : []) {
    if (isAutomatic(clip)) continue;
    values[`${clip.path}.time`] = secondsLike(clip.element.time, clip.start + push, clip.whole);
  }
  const index = last ? last.index + 1 : next ? next.index : top.length;
  // In the list, it stands behind the one that it follows in time.
  const isLast = !row.some((clip) => clip.index > (last?.index ?? -1) && clip.index < index);
  const follows =
    last === undefined ? start <= tolerance : Math.abs(endOf(last) - start) <= tolerance && isLast;
  // Nothing of the track may stand before it in the list that begins later.
  const isInOrder = later.every((clip) => clip.index >= index);
  const time = follows && isInOrder ? null : tidySeconds(start);
  return { track, start, time, index, values };
}

/**
 * The track of something that lies over all there is: one on which it has room, else a new one.
 *
 * @param seconds Infinity: up to the end.
 */
export function layerTrack(
  top: readonly Clip[],
  kind: 'seen' | 'heard',
  start: number,
  seconds: number,
): number {
  const main = mainTrack(top);
  const lanes = lanesOf(top.map(({ track }) => track));
  const meets = (clip: Clip): boolean =>
    clip.start < start + seconds - tolerance && endOf(clip) > start + tolerance;
  const covered = top.reduce(
    (most, clip, index) => (isSeen(clip) && meets(clip) ? Math.max(most, lanes[index] ?? 0) : most),
    0,
  );
  const tracks = [...new Set(top.flatMap(({ track }) => track ?? []))].sort((a, b) => a - b);
  const found = tracks.find((track) => {
    const own = top.filter((clip) => clip.track === track);
    const isAlike = own.every((clip) => isSeen(clip) === (kind === 'seen'));
    const isFree = !own.some((clip) => meets(clip) || clip.start > start);
    return track !== main && isAlike && isFree && (kind === 'heard' || track > covered);
  });
  // The first one is kept for the pictures and videos that may come.
  return found ?? Math.max(1, highestTrack(top)) + 1;
}
