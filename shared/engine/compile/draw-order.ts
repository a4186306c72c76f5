/**
 * Drawing order of siblings with equal z-index: track by track, then in definition order. Compile phase; pure.
 */
import { lanesOf } from '../../renderscript/lanes.ts';

/** What drawing order depends on. */
export interface Layered {
  /** Its own track, or null for a track of its own. */
  readonly track: number | null;
  /** Index of the sibling that this one replaces and is drawn below while it does; null = drawn in its turn. */
  readonly below: number | null;
}

/** A sibling in drawing order. */
export interface DrawPlace {
  readonly index: number;
  /** 1, 2, 3 … from bottom to top; siblings of one track share theirs. */
  readonly lane: number;
}

/**
 * Siblings from bottom to top.
 *
 * Tracks make lanes (`lanesOf`). An element that comes in below its predecessor is moved under it, which changes nothing
 * else: neighbours on a track meet in transitions only.
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
