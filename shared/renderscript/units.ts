/**
 * Numbers with units as RenderScript writes them: `50%`, `-5.07°`, `2 s`, `60 fps`, `3 vmin`.
 * Pure; properties.ts says which property takes which unit.
 */

/** A number and its unit; '' for a bare number. */
export interface Amount {
  readonly value: number;
  readonly unit: string;
}

/** Longer texts are not numbers; the bound keeps the pattern below cheap for hostile input. */
const longestAmount = 64;

const amountPattern = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%°]*)\s*$/i;

/**
 * Reads `50`, `"50"`, `"50 %"`, `"-5.07°"`, `"12px"`. Spaces around the unit are optional. Null for anything else,
 * including numbers that aren't finite. Accepts any unit: `"3 apples"` has the unit `apples`.
 */
export function parseAmount(value: unknown): Amount | null {
  if (typeof value === 'number') return Number.isFinite(value) ? { value, unit: '' } : null;
  if (typeof value !== 'string' || value.length > longestAmount) return null;
  const match = amountPattern.exec(value);
  if (match === null) return null;
  const number = Number(match[1]);
  return Number.isFinite(number) ? { value: number, unit: match[2] ?? '' } : null;
}

/** Seconds from `2`, `"2"` or the editor's `"2 s"`; null for anything else. */
export function parseSeconds(value: unknown): number | null {
  const amount = parseAmount(value);
  return amount !== null && (amount.unit === '' || amount.unit === 's') ? amount.value : null;
}
