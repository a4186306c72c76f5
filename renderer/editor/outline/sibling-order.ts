/**
 * The order of the elements of one list, by track and time: as they are painted, and as the outline shows them, the
 * front first. And how moving one changes the source. Pure.
 */
import { lanesOf } from '../../../shared/renderscript/tracks.ts';

/** An element among those of its list. */
export interface Sibling {
  /** Null = a lane of its own (shared/renderscript/tracks.ts). */
  readonly track: number | null;
  /** It has a time of its own; else it follows the one before it on its track. */
  readonly isTimed: boolean;
  /** Seconds, as drawn last; null = not known. */
  readonly start: number | null;
}

/**
 * The indexes of siblings as they are painted: by track, the lowest first, then by their starts; what neither decides
 * stays as it is in the source. What was drawn may be a moment older than the source: an element that follows another
 * one is shown after it in any case.
 */
export function paintedOrder(siblings: readonly Sibling[]): readonly number[] {
  const lanes = lanesOf(siblings.map(({ track }) => track));
  const starts = startsOf(siblings);
  return siblings
    .map((sibling, index) => ({
      index,
      lane: lanes[index] ?? 0,
      // Without a track each is alone in its lane, and time decides nothing.
      start: sibling.track === null ? 0 : (starts[index] ?? 0),
    }))
    .sort((a, b) => a.lane - b.lane || a.start - b.start || a.index - b.index)
    .map(({ index }) => index);
}

/** The same order with the front first; what follows on one track stays in the order of time, as on the timeline. */
export function frontFirst(
  painted: readonly number[],
  siblings: readonly Sibling[],
): readonly number[] {
  const rows: number[][] = [];
  const trackOf = (index: number | undefined): number | null =>
    index === undefined ? null : (siblings[index]?.track ?? null);
  for (const index of painted) {
    const last = rows.at(-1);
    if (last && trackOf(index) !== null && trackOf(last[0]) === trackOf(index)) last.push(index);
    else rows.push([index]);
  }
  return rows.reverse().flat();
}

/** Starts with what is not known filled in: that of the one before on the same track. */
function startsOf(siblings: readonly Sibling[]): readonly number[] {
  const last = new Map<number | null, number>();
  return siblings.map(({ track, isTimed, start }) => {
    const before = last.get(track) ?? 0;
    const found = isTimed ? (start ?? before) : Math.max(start ?? before, before);
    last.set(track, found);
    return found;
  });
}

/** What a move does: it swaps two elements in the source, moves one in it, or does nothing, for a reason. */
export type SiblingMove =
  | { readonly kind: 'swap'; readonly from: number; readonly to: number }
  | { readonly kind: 'move'; readonly from: number; readonly to: number }
  /** It is the first or the last one. */
  | { readonly kind: 'edge' }
  /** Its neighbour is on another track, so it would need another track itself. */
  | { readonly kind: 'track'; readonly track: number }
  /** `index` begins at a time of its own, which decides its place on the track. */
  | { readonly kind: 'time'; readonly index: number };

/** The elements of one list, and the order in which they are shown, the front first. */
export interface SiblingGroup {
  readonly siblings: readonly Sibling[];
  /** Indexes in `siblings`. */
  readonly order: readonly number[];
}

/**
 * How an element moves one place down (1) or up (-1) in the order shown. On a track it changes places with its
 * neighbour there, and so in time. Without a track it goes above or below its neighbour, and past all of that one's
 * track at once.
 *
 * @param place In the order shown.
 */
export function moveOf({ siblings, order }: SiblingGroup, place: number, by: 1 | -1): SiblingMove {
  const from = order[place];
  const to = order[place + by];
  const own = from === undefined ? undefined : siblings[from];
  const other = to === undefined ? undefined : siblings[to];
  if (from === undefined || to === undefined || !own || !other) return { kind: 'edge' };
  if (own.track === null) {
    return other.track === null
      ? { kind: 'swap', from, to }
      : { kind: 'move', from, to: pastTrack(siblings, from, by < 0) };
  }
  if (other.track !== own.track) return { kind: 'track', track: own.track };
  const isSameStart = own.start === other.start;
  if (own.isTimed && !isSameStart) return { kind: 'time', index: from };
  if (other.isTimed && !isSameStart) return { kind: 'time', index: to };
  return { kind: 'swap', from, to };
}

/**
 * Where an element without a track goes in the source to pass the next track: to come in front, behind the first
 * element of it; else before the first one of the highest track that was defined before.
 */
function pastTrack(siblings: readonly Sibling[], from: number, isForward: boolean): number {
  const tracks = siblings.map(({ track }) => track ?? 0);
  const highest = Math.max(0, ...tracks.slice(0, from));
  if (!isForward) return tracks.indexOf(highest);
  return tracks.findIndex((track, index) => index > from && track > highest);
}
