/**
 * Drawing order of siblings with equal z-index: track by track, then in definition order. Compile phase; pure.
 */
import { lanesOf } from '../../renderscript/lanes.ts';

/** What drawing order depends on. */
export interface Layered {
  /** The number of its track; null for a separate one. */
  readonly track: number | null;
  /** Index of the sibling that this one replaces, below which it is drawn meanwhile; null = normal order. */
  readonly below: number | null;
}

/** A sibling in drawing order. */
export interface DrawPlace {
  readonly index: number;
  /** 1, 2, 3 … from bottom to top; siblings on one track share it. */
  readonly lane: number;
}

/**
 * Siblings from bottom to top.
 *
 * Tracks make lanes (`lanesOf`). An element that comes in below its predecessor is moved under it. Nothing else
 * changes: neighbours on a track only meet in transitions.
 */
export function drawOrder(siblings: readonly Layered[]): DrawPlace[] {
  const keys = lanesOf(siblings.map(({ track }) => track));
  const keyed = keys.map((key, index) => ({ index, own: siblings[index]?.track === null, key }));
  const sorted = keyed.sort((a, b) => a.key - b.key || a.index - b.index);
  let lane = 0;
  let before: (typeof sorted)[number] | undefined;
  const places = sorted.map((entry): DrawPlace => {
    if (before?.key !== entry.key || entry.own) lane += 1;
    before = entry;
    return { index: entry.index, lane };
  });
  for (const [index, { below }] of siblings.entries()) {
    if (below === null) continue;
    const from = places.findIndex((place) => place.index === index);
    const to = places.findIndex((place) => place.index === below);
    if (to >= 0 && to < from) places.splice(to, 0, ...places.splice(from, 1));
  }
  return places;
}
