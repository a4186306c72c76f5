/** Names beside others. Pure. */

/**
 * A name that none of the others has, whatever the case of its letters: `Reel`, else `Reel 2`.
 *
 * @param isTaken asked with small letters
 * @param most Characters; the name is cut so that its number fits. Default: any.
 */
export function freeName(
  name: string,
  isTaken: (name: string) => boolean,
  most = Infinity,
): string {
  let one = name.slice(0, most);
  for (let count = 2; isTaken(one.toLowerCase()); count++) {
    const number = ` ${count}`;
    one = `${name.slice(0, most - number.length)}${number}`;
  }
  return one;
}

/**
 * Of each set of names, the number after the last one found for a stem: many names with one stem are not all tried
 * again.
 */
const nextNumbers = new WeakMap<ReadonlySet<string>, Map<string, number>>();

/**
 * A name for one more element: itself where that is free, else with the next free number, counted on from its own:
 * `Title` → `Title 2`, `Take 7` → `Take 8`. It is taken from then on.
 *
 * @param names Those that are taken; only ever grow.
 */
export function takeName(name: string, names: Set<string>): string {
  let found = name;
  if (names.has(name)) {
    const [, stem = name, own = '1'] = /^(.*) (\d{1,9})$/.exec(name) ?? [];
    const numbers = nextNumbers.get(names) ?? new Map<string, number>();
    nextNumbers.set(names, numbers);
    let count = Math.max(Number(own) + 1, numbers.get(stem) ?? 2);
    while (names.has(`${stem} ${count}`)) count++;
    numbers.set(stem, count + 1);
    found = `${stem} ${count}`;
  }
  names.add(found);
  return found;
}
