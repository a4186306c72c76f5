/** Which known word a misspelt one means. Pure. */

/**
 * The known word nearest to the written one: `fontSize`, `font-size` and `fnt_size` are all `font_size`. Null if none
 * is near, or two are equally near.
 */
export function nearest(written: string, known: readonly string[]): string | null {
  if (written.length > 40) return null;
  const plain = simplified(written);
  // Few changes turn a short word into another.
  const reach = [0, 0, 0, 1, 1][plain.length] ?? 2;
  let best: string | null = null;
  let least = reach + 1;
  for (const word of known) {
    if (Math.abs(word.length - written.length) > reach + 4) continue;
    const distance = distanceBetween(plain, simplified(word));
    if (distance < least) [best, least] = [word, distance];
    else if (distance === least) best = null;
  }
  return best;
}

function simplified(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '');
}

/** How many letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function distanceBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? 0;
}
