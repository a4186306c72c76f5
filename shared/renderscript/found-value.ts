/**
 * Describes a wrong value in words, and guesses what was meant. For messages about wrong values. Pure.
 */
import { isJsonObject } from './source.ts';
import { parseAmount } from './units.ts';

/** Most letters of a text to show. */
const mostLetters = 40;

/**
 * A value in words: `'1.2em'`, `5`, `true`, `null`, `an empty text`, `an object`, `an empty list`. Cuts long texts;
 * line ends and other invisible characters become spaces. Never throws.
 */
export function foundValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : quoted(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return isJsonObject(value) ? 'an object' : String(value);
}

function quoted(text: string): string {
  const shown = Array.from(text.slice(0, 2 * mostLetters + 1), (letter) =>
    /[\p{C}\p{Z}]/u.test(letter) ? ' ' : letter,
  );
  const isCut = shown.length > mostLetters || text.length > 2 * mostLetters + 1;
  return `'${shown.slice(0, mostLetters).join('')}${isCut ? '…' : ''}'`;
}

/** The first bad item of a list, e.g. `5 at position 2`; otherwise the same as `foundValue`. */
export function foundInList(value: unknown, isGood: (item: unknown) => boolean): string {
  if (!Array.isArray(value)) return foundValue(value);
  const items: readonly unknown[] = value;
  const index = items.findIndex((item) => !isGood(item));
  return index < 0 ? foundValue(value) : `${foundValue(items[index])} at position ${index + 1}`;
}

/** Units from CSS and elsewhere, with the language's unit for each and a factor. */
const otherUnits: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  deg: ['°', 1],
  degrees: ['°', 1],
  turn: ['°', 360],
  ms: [' s', 0.001],
  sec: [' s', 1],
  seconds: [' s', 1],
  x: ['%', 100],
  // A share of the smaller side, if the property takes no percentage.
  '%': [' vmin', 1],
};

/** What a guess needs of a property's rule. */
interface AmountRule {
  readonly units: readonly string[];
  /** Null: a unit is required. */
  readonly bare: string | null;
  /** The percentage for 1 em; undefined if percentages do not refer to a font size. */
  readonly em?: number;
}

/** Sides by their names, as other languages align with them. */
export const sidesInWords: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    left: '0%',
    top: '0%',
    start: '0%',
    center: '50%',
    centre: '50%',
    middle: '50%',
    right: '100%',
    bottom: '100%',
    end: '100%',
  }),
);

/** A number without a unit is a share of 1 up to here, and percent above. */
const largestShare = 10;

/**
 * The amount that was probably meant if the property does not accept its unit: `6deg` → `6°`, `1.2em` → `120%`,
 * `center` → `50%`, and `1` → `100%` where a unit is required. Null if there is no good guess.
 */
export function likelyAmount(value: unknown, { units, bare, em }: AmountRule): string | null {
  // A word for the place itself would be that of a side, not of the anchor.
  const side = typeof value === 'string' ? sidesInWords.get(value.toLowerCase()) : undefined;
  if (side !== undefined && !units.includes('px')) return side;
  const amount = parseAmount(value);
  if (amount === null) return null;
  if (amount.unit === '' && bare === null)
    return `${amount.value <= largestShare ? amount.value * 100 : amount.value}%`;
  const unit = amount.unit.toLowerCase();
  const known = unit === 'em' ? em !== undefined && (['%', em] as const) : otherUnits[unit];
  if (!known || (unit !== 'em' && !Object.hasOwn(otherUnits, unit))) return null;
  return `${Number((amount.value * known[1]).toPrecision(6))}${known[0]}`;
}
