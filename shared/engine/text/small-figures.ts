/**
 * Fractions, superscripts and subscripts whose signs a family lacks: set from the family's own figures, smaller, so
 * that they look like the text around them. A text has one look of each kind: if one sign is missing, none is taken
 * from the font. Pure.
 */
import type { Span, TextStyle } from './markup.ts';

/** Size of the small figures, as a factor of the text around them. */
const smallSize = 0.62;

/** A kind of signs. `NFKD` spells them with plain figures. */
interface Kind {
  readonly signs: RegExp;
  /**
   * How far the figures stand above the baseline, in font sizes of the text around them; of a fraction, those above its
   * bar.
   */
  readonly rise: number;
}

const kinds: readonly Kind[] = [
  // A whole number on each side of a fraction slash is a fraction as well.
  { signs: /[¼-¾⅐-⅞↉]|⅟\d{0,8}|(?<!\d)\d{1,8}⁄\d{1,8}(?!\d)/gu, rise: 0.27 },
  { signs: /[²³¹⁰ⁱ⁴-ⁿ]+/gu, rise: 0.34 },
  { signs: /[₀-₎]+/gu, rise: -0.14 },
];

/** @param lacks True if a style's family, or the element's if that is null, lacks a sign. */
export function withSmallFigures(
  spans: readonly Span[],
  lacks: (sign: string, family: string | null) => boolean,
): Span[] {
  return kinds.reduce<Span[]>(
    (all, { signs, rise }) => {
      const isLacking = all.some(({ text, style }) =>
        (text.match(signs) ?? []).some((found) =>
          Array.from(found).some((sign) => sign === '⁄' || lacks(sign, style.family)),
        ),
      );
      return isLacking ? all.flatMap((span) => setSigns(span, signs, rise)) : all;
    },
    [...spans],
  );
}

function setSigns({ text, style }: Span, signs: RegExp, rise: number): Span[] {
  if (style.rise !== undefined) return [{ text, style }];
  const spans: Span[] = [];
  const add = (part: string, changed: TextStyle = style): void => {
    if (part !== '') spans.push({ text: part, style: changed });
  };
  const small = (above: number): TextStyle => ({
    ...style,
    size: style.size * smallSize,
    rise: above * style.size,
  });
  let end = 0;
  for (const { 0: found, index } of text.matchAll(signs)) {
    add(text.slice(end, index));
    end = index + found.length;
    const [above = '', below] = found.normalize('NFKD').split('⁄');
    add(above, small(rise));
    if (below === undefined) continue;
    add('⁄');
    add(below, small(0));
  }
  add(text.slice(end));
  return spans;
}
