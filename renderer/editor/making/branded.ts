/**
 * A document in the colours and fonts of a brand, with its logo. Photos, videos and what is done to them stay; so do
 * greys, unless the brand has its own. What is branded already stays as it is. Pure.
 */
import type { Brand } from '../../../shared/api.ts';
import type { Json, JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { colorLike } from '../inspector/colors.ts';
import type { Patch } from '../source/patch.ts';
import { lettersOf } from './area.ts';
import { seenIn, type Seen } from './grounds.ts';
import { keyOf, Palette } from './palette.ts';
import { recolored } from './recolored.ts';

/** What becomes of a document. */
export interface Branded {
  readonly patch: Patch;
  /** How many colours and font families were replaced, and elements that show a logo. */
  readonly colors: number;
  readonly fonts: number;
  readonly logos: number;
}

/**
 * Letters from which a text is a title, in hundredths of the smaller side: any, and bold ones; and the share of the
 * largest letters that makes one of any.
 */
const titles = { any: 6.5, bold: 5, boldWeight: 700, ofLargest: 0.75 };

/** Fonts whose only weight is heavy, though it is called regular. */
const heavy: ReadonlySet<string> = new Set([
  'Anton',
  'Bebas Neue',
  'Archivo Black',
  'Alfa Slab One',
]);

/** Names of a logo in the languages of the window. */
const logoName = /\blogo(?:tipo|s)?\b|ロゴ/i;

/**
 * The values that change, by their paths.
 *
 * @param lengths Seconds of its files, by `source`.
 * @returns nothing of a document with errors
 */
export function branded(
  source: Source,
  { colors, titleFont, textFont, logo }: Brand,
  lengths: Readonly<Record<string, number>> = {},
): Branded {
  const seen = seenIn(source, lengths);
  const patch: Record<string, Json> = {};
  const changed = new Set<string>();
  if (colors.length > 0) {
    const { spots, texts } = recolored(seen, new Palette(colors));
    for (const { spot, color } of spots) {
      patch[spot.path] = colorLike(spot.written ?? '', color);
      changed.add(keyOf(spot.color));
    }
    for (const { path, text, before } of texts) {
      patch[path] = text;
      for (const color of before) changed.add(keyOf(color));
    }
  }
  const families = new Set<string>();
  for (const [{ path, element }, font] of fontsOf(seen, titleFont, textFont)) {
    const before = element.font_family;
    if (font === '' || before === font || isFilledIn(before)) continue;
    patch[`${path}.font_family`] = font;
    // In another font, the letters would be thin.
    if (
      typeof before === 'string' &&
      heavy.has(before) &&
      (parseAmount(element.font_weight)?.value ?? 400) < 600
    )
      patch[`${path}.font_weight`] = '700';
    families.add(typeof before === 'string' ? before : '');
  }
  let logos = 0;
  for (const { path, element } of seen) {
    if (logo === '' || !isLogo(element) || element.source === logo) continue;
    patch[`${path}.source`] = logo;
    // Nothing of it may be cropped.
    if ((element.fit ?? 'cover') === 'cover') patch[`${path}.fit`] = 'contain';
    logos += 1;
  }
  return { patch, colors: changed.size, fonts: families.size, logos };
}

/** The font of each text: that of titles for the largest ones. */
function fontsOf(
  seen: readonly Seen[],
  titleFont: string,
  textFont: string,
): readonly (readonly [Seen, string])[] {
  const frame = seen[0]?.box;
  if (!frame) return [];
  const texts = seen
    .filter(({ element }) => element.type === 'text')
    .map((of) => ({ of, letters: lettersOf(of.element, of.box, of.room, frame) }));
  const largest = Math.max(0, ...texts.map(({ letters }) => letters));
  return texts.map(({ of, letters }) => {
    const weight = parseAmount(of.element.font_weight)?.value ?? 400;
    const isBold = weight >= titles.boldWeight || of.element.font_weight === 'bold';
    const isTitle =
      letters >= titles.any ||
      (isBold && letters >= titles.bold) ||
      letters >= largest * titles.ofLargest;
    return [of, isTitle ? titleFont : textFont];
  });
}

const isFilledIn = (value: Json | undefined): boolean =>
  typeof value === 'string' && value.includes('{{');

const isLogo = ({ type, name, source }: JsonObject): boolean =>
  type === 'image' && typeof name === 'string' && logoName.test(name) && !isFilledIn(source);
