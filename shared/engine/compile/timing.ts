/**
 * Timing: when every element of one composition starts and how long it lasts. Compile phase; pure arithmetic on slots,
 * without elements or media. schedule.ts makes slots from a document, inside-out, and calls this.
 *
 * The language's rules in short: elements of a track follow each other; a composition ends with the last element that
 * has its own length; elements without a length fill the remaining time; the next one on a track ends its predecessor,
 * except for the overlap of a transition.
 */

/** When an element wants to start. `auto` = after its predecessor on the track. */
export type StartWish =
  | { readonly kind: 'auto' }
  | { readonly kind: 'at'; readonly seconds: number }
  /** A share of the composition's length, 1 = all of it. */
  | { readonly kind: 'share'; readonly share: number }
  /** So that it ends together with the composition. */
  | { readonly kind: 'end' };

/** How long an element wants to last. */
export type LengthWish =
  /** A length of its own: a number of seconds, a media file's length, a composition's content. */
  | { readonly kind: 'fixed'; readonly seconds: number }
  /** A share of the composition's length, 1 = all of it. */
  | { readonly kind: 'share'; readonly share: number }
  /**
   * The free time on its track; several share it by weight (`fr`). `fallback` is used for the composition's length if
   * nothing in it has its own length: one pass of an endless loop.
   */
  | { readonly kind: 'fill'; readonly weight: number; readonly fallback?: number };

/** What timing needs of an element. */
export interface Slot {
  /** Elements of one track follow each other; null = alone on a track of its own. */
  readonly track: number | null;
  readonly start: StartWish;
  readonly length: LengthWish;
  /** Seconds by which it starts before its predecessor's end: the transition between them; 0 = none. */
  readonly overlap: number;
}

/** A slot's place in time. */
export interface Placement {
  /** Seconds on the composition's clock. */
  readonly start: number;
  /** Seconds; 0 = never visible. */
  readonly duration: number;
  /** True if the next one on the track ends it early. */
  readonly cut: boolean;
  /** Index of the slot that is still visible when this one starts, to which a transition belongs; null = none. */
  readonly predecessor: number | null;
}

/** The length of a document in which nothing has its own length, seconds. */
export const emptyLength = 5;

/**
 * The composition's length by its slots: the latest end of those with their own length; else the latest fallback; null
 * without either.
 */
export function contentLength(slots: readonly Slot[]): number | null {
  const own = furthestEnd(slots, (length) => length.kind === 'fixed');
  return own ?? furthestEnd(slots.map(useFallback), (length) => length.kind === 'fixed');
}

/** Starts that depend on the composition's length can't determine it: such slots count from their predecessor's end. */
function startUnknown(slot: Slot): Slot {
  return slot.start.kind === 'at' ? slot : { ...slot, start: { kind: 'auto' } };
}

function useFallback(slot: Slot): Slot {
  if (slot.length.kind !== 'fill' || slot.length.fallback === undefined) return slot;
  return { ...slot, length: { kind: 'fixed', seconds: slot.length.fallback } };
}

function furthestEnd(
  slots: readonly Slot[],
  counts: (length: LengthWish) => boolean,
): number | null {
  // With an unknown length, shares and free time count as zero: lengths add up as in a composition of length 0.
  const ends = placeSlots(slots.map(startUnknown), 0)
    .filter((_, index) => counts(slots[index]?.length ?? { kind: 'fill', weight: 1 }))
    .map(({ start, duration }) => start + duration);
  const furthest = Math.max(0, ...ends);
  return furthest > 0 ? furthest : null;
}

/** Places every slot in a composition of the given length; placements come in the order of the slots. */
export function placeSlots(slots: readonly Slot[], total: number): Placement[] {
  const placements = new Array<Placement>(slots.length);
  for (const track of tracksOf(slots)) {
    const spans = cutAtFollowers(chain(track, total));
    for (const { index, span } of spans) placements[index] = span;
  }
  return placements;
}

/** A slot with its place in the composition. */
interface Entry {
  readonly index: number;
  readonly slot: Slot;
}

/** The slots of every track in definition order. */
function tracksOf(slots: readonly Slot[]): Entry[][] {
  const tracks = new Map<number, Entry[]>();
  const alone: Entry[][] = [];
  slots.forEach((slot, index) => {
    const entry = { index, slot };
    if (slot.track === null) {
      alone.push([entry]);
      return;
    }
    const track = tracks.get(slot.track);
    if (track) track.push(entry);
    else tracks.set(slot.track, [entry]);
  });
  return [...tracks.values(), ...alone];
}

interface Span {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly overlap: number;
}

/**
 * Places the slots of one track in sequence. A slot with a fixed start begins a new group; within a group, the time up
 * to the next such slot is divided among those that fill.
 */
function chain(track: readonly Entry[], total: number): Span[] {
  const groups: { start: number; entries: Entry[] }[] = [];
  for (const entry of track) {
    const anchor = anchorOf(entry.slot, total);
    const group = groups.at(-1);
    if (anchor !== null) groups.push({ start: anchor, entries: [entry] });
    else if (group) group.entries.push(entry);
    else groups.push({ start: 0, entries: [entry] });
  }
  const ends = roomEnds(groups, total);
  return groups.flatMap((group, index) =>
    layGroup(group.entries, group.start, ends[index] ?? total, total),
  );
}

/**
 * Where every group's time ends: at the next later start on the track, transition included, else with the composition.
 */
function roomEnds(
  groups: readonly { start: number; entries: readonly Entry[] }[],
  total: number,
): number[] {
  const ends = new Array<number>(groups.length);
  let later = total;
  let same = { start: Number.POSITIVE_INFINITY, end: total };
  const backwards = groups
    .map((group, index) => ({ ...group, index }))
    .sort((a, b) => b.start - a.start || b.index - a.index);
  for (const { start, entries, index } of backwards) {
    if (start < same.start) later = same.end;
    ends[index] = later;
    // Of several that start together, the first one follows those before it.
    same = { start, end: start + (entries[0]?.slot.overlap ?? 0) };
  }
  return ends;
}

/** The fixed start of a slot in seconds; null = after its predecessor. */
function anchorOf({ start, length }: Slot, total: number): number | null {
  switch (start.kind) {
    case 'auto':
      return null;
    case 'at':
      return start.seconds;
    case 'share':
      return start.share * total;
    case 'end': {
      // Filling up to the end and ending at the end are the same.
      const seconds = ownLength(length, total);
      return seconds === null ? null : Math.max(0, total - seconds);
    }
  }
}

/** Seconds of a slot that doesn't depend on its neighbours; null = it fills. */
function ownLength(length: LengthWish, total: number): number | null {
  switch (length.kind) {
    case 'fixed':
      return length.seconds;
    case 'share':
      return length.share * total;
    case 'fill':
      return null;
  }
}

function layGroup(entries: readonly Entry[], start: number, end: number, total: number): Span[] {
  const lengths = entries.map(({ slot }) => ownLength(slot.length, total));
  const taken = lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  const overlaps = entries.slice(1).reduce((sum, { slot }) => sum + slot.overlap, 0);
  const weights = entries.reduce((sum, { slot }) => sum + weightOf(slot), 0);
  // Overlapping neighbours share time, so there is more to divide.
  const free = Math.max(0, end - start - taken + overlaps);

  let previous: Span | null = null;
  return entries.map(({ index, slot }, position) => {
    const length = lengths[position] ?? (weights > 0 ? (free * weightOf(slot)) / weights : 0);
    const from: number =
      previous === null ? start : Math.max(previous.start, previous.end - slot.overlap);
    previous = { index, start: from, end: from + length, overlap: slot.overlap };
    return previous;
  });
}

function weightOf({ length }: Slot): number {
  return length.kind === 'fill' ? length.weight : 0;
}

/** Ends every span where the next one begins (or, with a transition, where that is over). */
function cutAtFollowers(spans: readonly Span[]): { index: number; span: Placement }[] {
  // Stable: of two that start together, the later one follows.
  const inTime = [...spans].sort((a, b) => a.start - b.start);
  const ends = inTime.map(({ end }, position) => {
    const next = inTime[position + 1];
    return next ? Math.min(end, next.start + next.overlap) : end;
  });
  return inTime.map(({ index, start, end }, position) => {
    const before = inTime[position - 1];
    const cutEnd = ends[position] ?? end;
    return {
      index,
      span: {
        start: tidy(start),
        duration: tidy(Math.max(0, cutEnd - start)),
        cut: cutEnd < end - 1e-9,
        predecessor: before && (ends[position - 1] ?? 0) > start + 1e-9 ? before.index : null,
      },
    };
  });
}

/** Removes floating-point errors from sums of times (0.1 + 0.2); a nanosecond is far below a frame or a sample. */
function tidy(seconds: number): number {
  return Math.round(seconds * 1e9) / 1e9;
}
