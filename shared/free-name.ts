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
