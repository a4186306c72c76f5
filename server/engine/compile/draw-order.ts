/**
 * Drawing order of siblings with equal z-index: track by track, then in definition order. Compile phase; pure.
 */

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
 * Elements without a track lie above everything that is defined before them and below the tracks that only appear
 * later, as definition order says; where tracks and definition order disagree, tracks win. An element that comes in
 * below its predecessor is moved under it, which changes nothing else: neighbours on a track meet in transitions only.
 */
export function drawOrder(siblings: readonly Layered[]): DrawPlace[] {
  let highest = 0;
  const keyed = siblings.map(({ track }, index) => {
    highest = Math.max(highest, track ?? 0);
    // Half a track up: above the highest track so far, below the next.
    return { index, own: track === null, key: track ?? highest + 0.5 };
  });
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
