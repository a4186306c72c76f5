/** The rows of the timeline: tracks, lanes of elements without one, and those of unfolded compositions. Pure. */
import { lanesOf } from '../../../shared/renderscript/tracks.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { endOf, siblingsOf, type Clip, type Clips } from './clips.ts';
import { lengthKind } from './wishes.ts';

/** One row; what it has on one track may only overlap by transitions. */
export interface TimelineRow {
  /** The same for as long as the row means the same. */
  readonly key: string;
  /** The list of elements it belongs to, and the composition around that; '' for the document. */
  readonly list: string;
  readonly parent: string;
  /** Null: elements without a track. */
  readonly track: number | null;
  /** 1 for the document's own. */
  readonly level: number;
  readonly clips: readonly Clip[];
}

/** Clips of a row with what decides its place. */
interface Laid {
  readonly lane: number;
  readonly rank: number;
  readonly track: number | null;
  readonly row: readonly Clip[];
}

/** Ends are sums of fractions: what begins this many seconds before an end still comes after it. */
const tolerance = 0.002;

/**
 * The rows, the front ones first, as layers are; those with nothing but sounds last. Elements without a track share a
 * row while they do not overlap and nothing lies between them: which one is in front is then to be seen nowhere.
 *
 * @param unfolded Paths of the compositions whose own rows follow. Default: none.
 */
export function timelineRows(
  clips: readonly Clip[],
  unfolded: ReadonlySet<string> = new Set(),
): readonly TimelineRow[] {
  return rowsOf(clips, unfolded, 1);
}

/** The clips that a clip shares its row with, itself too, in the order of time. */
export function rowOf(clips: Clips, clip: Clip): readonly Clip[] {
  const siblings = siblingsOf(clips, clip);
  if (clip.track !== null) {
    const row = siblings.filter(({ track }) => track === clip.track);
    return row.sort((a, b) => a.start - b.start || a.index - b.index);
  }
  const rows = timelineRows(siblings);
  return rows.find((row) => row.clips.includes(clip))?.clips ?? [clip];
}

/** It fills the picture, for a time of its own. */
function isScene({ type, element, ...clip }: Clip): boolean {
  const isWhole = (side: Json | undefined): boolean => side === undefined || side === '100%';
  return (
    type !== 'audio' &&
    type !== 'text' &&
    isWhole(element.width) &&
    isWhole(element.height) &&
    (type !== 'shape' || element.width !== undefined) &&
    lengthKind({ type, element, ...clip }) !== 'room'
  );
}

/**
 * The track on which pictures and videos follow each other, below all others: the lowest one with nothing else on it,
 * or the first one, as long as there is nothing beneath.
 *
 * @param top The document's own clips.
 * @returns null where there is none and could be none: what is there is made otherwise.
 */
export function mainTrack(top: readonly Clip[]): number | null {
  const tracks = new Map<number, boolean>();
  for (const clip of top) {
    const { track } = clip;
    if (track !== null) tracks.set(track, (tracks.get(track) ?? true) && isScene(clip));
  }
  const main = [...tracks].filter(([, isMain]) => isMain).map(([track]) => track);
  if (main.length > 0) return main.reduce((lowest, track) => Math.min(lowest, track));
  const isFree = top.every(({ type, track }) => (track === null ? type === 'audio' : track > 1));
  return isFree ? 1 : null;
}

/**
 * The clips that have to stay end to end, whatever is done to one of them: those of the main track if they stand so
 * now.
 */
export function endToEnd({ top }: Clips): readonly Clip[] {
  const main = mainTrack(top);
  const row = top
    .filter(({ track }) => track !== null && track === main)
    .sort((a, b) => a.start - b.start || a.index - b.index);
  return row.every((one, index) => index === 0 || touches(row[index - 1], one)) ? row : [];
}

/**
 * Whether a clip begins where the one before it ends, or where its transition has it: at the earliest where that one
 * begins.
 */
export function touches(before: Clip | undefined, after: Clip): boolean {
  if (!before) return false;
  const due = Math.max(before.start, endOf(before) - after.overlap);
  return Math.abs(due - after.start) < tolerance;
}

/** Seconds that a clip can't be shorter than: the transitions that it begins and ends with, at least a frame. */
export function shortestOf(clips: Clips, clip: Clip, frame: number): number {
  const row = rowOf(clips, clip);
  const next = row[row.indexOf(clip) + 1];
  return Math.max(frame, clip.overlap + (next && touches(clip, next) ? next.overlap : 0));
}

function rowsOf(
  clips: readonly Clip[],
  unfolded: ReadonlySet<string>,
  level: number,
): TimelineRow[] {
  const [first] = clips;
  if (!first) return [];
  const { list, parent } = first;
  const lanes = lanesOf(clips.map(({ track }) => track));
  const tracks = new Map<number, Clip[]>();
  /** Rows without a track, by their lane, the lowest first; those of sounds apart from the others. */
  const free = new Map<number, Clip[][]>();
  const sounds = new Map<number, Clip[][]>();
  clips.forEach((clip, index) => {
    const lane = lanes[index] ?? 0;
    if (clip.track !== null) {
      const row = tracks.get(clip.track);
      if (row) row.push(clip);
      else tracks.set(clip.track, [clip]);
      return;
    }
    const kind = clip.type === 'audio' ? sounds : free;
    const rows = kind.get(lane) ?? [];
    kind.set(lane, rows);
    const lowest = rows.findLastIndex((row) => row.some((other) => meet(clip, other))) + 1;
    const row = rows[lowest];
    if (row) row.push(clip);
    else rows.push([clip]);
  });
  const found: Laid[] = [
    ...[...tracks].map(([track, row]) => ({
      lane: track,
      rank: 0,
      track,
      row,
    })),
    ...[...free, ...sounds].flatMap(([lane, rows]) =>
      rows.map((row, rank) => ({ lane, rank, track: null, row })),
    ),
  ].sort((a, b) => b.lane - a.lane || b.rank - a.rank);
  const isSound = ({ row }: { readonly row: readonly Clip[] }): boolean =>
    row.every(({ type }) => type === 'audio');
  const ordered = [...found.filter((one) => !isSound(one)), ...found.filter(isSound)];
  return ordered.flatMap(({ lane, rank, track, row }): TimelineRow[] => {
    const inTime = [...row].sort((a, b) => a.start - b.start || a.index - b.index);
    const kind = isSound({ row }) ? 'sound ' : '';
    const key = `${list} ${track === null ? `${kind}${lane} ${rank}` : track}`;
    const own = { key, list, parent, track, level, clips: inTime };
    const inner = inTime.filter(({ path }) => unfolded.has(path));
    return [own, ...inner.flatMap(({ children }) => rowsOf(children, unfolded, level + 1))];
  });
}

function meet(one: Clip, other: Clip): boolean {
  return one.start < endOf(other) - tolerance && other.start < endOf(one) - tolerance;
}
