/** The signs of fractions, superscripts and subscripts, which can be set from figures (text/small-figures.ts). Pure. */

const single = /[¼-¾⅐-⅟↉²³¹⁰ⁱ⁴-ⁿ₀-₎]/u;

/** All signs that are set from figures where a font lacks them. */
export const signs: readonly string[] = Array.from({ length: 0x2190 - 0xb0 }, (_, index) =>
  String.fromCodePoint(0xb0 + index),
).filter((character) => single.test(character));

/** True for signs that are set from figures where a font lacks them. */
export function isSetFromFigures(character: string): boolean {
  return single.test(character);
}

/** How many characters a sign has when it is set from figures: 3 for ½. */
export function figuresOf(character: string): number {
  return /[¼-¾⅐-⅟↉]/u.test(character) ? character.normalize('NFKD').length : 1;
}

/** The characters that the signs of a text may be set from, in addition to ASCII; most texts need none. */
export function figuresFor(text: string): string {
  return isSetFromFigures(text) ? '⁄−' : '';
}
