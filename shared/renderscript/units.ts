/**
 * Numbers with units as RenderScript writes them: `50%`, `-5.07°`, `2 s`, `60 fps`, `3 vmin`.
 * Pure; which property takes which unit is the business of properties.ts.
 */

/** A number and the unit behind it; the unit is '' for a plain number. */
export interface Amount {
  readonly value: number;
  readonly unit: string;
}

/** Longer texts are no numbers; the bound keeps the pattern below cheap on hostile input. */
const longestAmount = 64;

const amountPattern = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%°]*)\s*$/i;

/**
 * Reads `50`, `"50"`, `"50 %"`, `"-5.07°"`, `"12px"`. Spaces around the unit are optional. Null for everything else,
 * also for numbers that aren't finite. Units are not judged: `"3 apples"` gives the unit `apples`.
 */
export function parseAmount(value: unknown): Amount | null {
  if (typeof value === 'number') return Number.isFinite(value) ? { value, unit: '' } : null;
  if (typeof value !== 'string' || value.length > longestAmount) return null;
  const match = amountPattern.exec(value);
  if (match === null) return null;
  const number = Number(match[1]);
  return Number.isFinite(number) ? { value: number, unit: match[2] ?? '' } : null;
}

/** Seconds from `2`, `"2"` or the editor's spelling `"2 s"`; null for everything else. */
export function parseSeconds(value: unknown): number | null {
  const amount = parseAmount(value);
  return amount !== null && (amount.unit === '' || amount.unit === 's') ? amount.value : null;
}
