/** The rows of the timeline: tracks, lanes of elements without one, and those of unfolded compositions. Pure. */
import { lanesOf } from '../../../shared/renderscript/lanes.ts';
import { endOf, siblingsOf, type Clip, type Clips } from './clips.ts';

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
