/** Lengths of the language while they are changed by hand: they keep their unit and spelling. Pure. */
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';

/** Sides in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What the units of a length refer to. */
export interface LengthContext {
  /** The pixels that 100 % stands for. */
  readonly whole: number;
  readonly document: Size;
}

/** Pixels per unit; null for units that are no lengths. */
export function pixelsOf(
  unit: string,
  { whole, document: { width, height } }: LengthContext,
): number | null {
  switch (unit) {
    case '':
    case 'px':
      return 1;
    case '%':
      return whole / 100;
    case 'vw':
      return width / 100;
    case 'vh':
      return height / 100;
    case 'vmin':
      return Math.min(width, height) / 100;
    case 'vmax':
      return Math.max(width, height) / 100;
    default:
      return null;
  }
}

/** A length in pixels; null for anything else, keyframes too. */
export function pixelsIn(value: Json | undefined, context: LengthContext): number | null {
  const amount = parseAmount(value);
  const one = amount && pixelsOf(amount.unit, context);
  return amount && one !== null ? amount.value * one : null;
}

/** Pixels in a unit, e.g. `12.5%`. Pixels are whole; other units keep two places, which is finer. */
export function lengthOfPixels(pixels: number, unit: string, context: LengthContext): Json {
  return respelled('', pixels / (pixelsOf(unit, context) ?? 1), unit);
}

/**
 * The number in the spelling of the value before: a plain number stays one, and so do missing spaces before the unit.
 *
 * @param places Decimal places; by default none for pixels, else two.
 */
export function respelled(
  before: Json | undefined,
  value: number,
  unit: string,
  places = unit === '' || unit === 'px' ? 0 : 2,
): Json {
  const rounded = Number(value.toFixed(places));
  // -0 is spelled like 0.
  const number = rounded === 0 ? 0 : rounded;
  if (typeof before === 'number') return number;
  const spaced = before === '' ? !/[%°]/.test(unit) : hasSpace(before);
  return spelled(number, unit, spaced);
}

const hasSpace = (value: Json | undefined): boolean =>
  typeof value === 'string' && /\d\s+[a-z%°]+\s*$/i.test(value);

const spelled = (number: number, unit: string, spaced: boolean): string =>
  `${number}${spaced && unit !== '' ? ' ' : ''}${unit}`;

/**
 * Adds pixels to a length. All keyframes move, so the motion stays the same.
 *
 * @param standard What a missing value means.
 * @param least The result is no less, e.g. 0 of a size: keyframes of other moments can be smaller than the one seen.
 * @returns undefined where the value is no length.
 */
export function shifted(
  value: Json | undefined,
  by: number,
  context: LengthContext,
  standard: Json,
  least = -Infinity,
): Json | undefined {
  if (Array.isArray(value)) {
    const keys = (value as readonly Json[]).map((key): Json | undefined => {
      if (!isJsonObject(key)) return undefined;
      const moved = shifted(key.value, by, context, standard, least);
      return moved === undefined ? undefined : { ...key, value: moved };
    });
    return keys.some((key) => key === undefined) ? undefined : (keys as readonly Json[]);
  }
  const before = value ?? standard;
  const amount = parseAmount(before);
  const one = amount && pixelsOf(amount.unit, context);
  if (!amount || one === null || one === 0) return undefined;
  // What does not move keeps its value.
  if (by === 0) return before;
  return respelled(before, Math.max(least, amount.value + by / one), amount.unit);
}

/**
 * Adds degrees to an angle, which stays between -180° and 180° where it was; all keyframes turn. Undefined where the
 * value is no angle.
 */
export function turnedBy(value: Json | undefined, degrees: number): Json | undefined {
  if (Array.isArray(value)) {
    const keys = (value as readonly Json[]).map((key) =>
      isJsonObject(key) ? { ...key, value: turnedBy(key.value, degrees) ?? null } : null,
    );
    return keys.every((key) => key !== null && key.value !== null) ? keys : undefined;
  }
  const amount = parseAmount(value ?? '0°');
  if (!amount || (amount.unit !== '' && amount.unit !== '°')) return undefined;
  const sum = Math.round((amount.value + degrees) * 10) / 10;
  const within =
    sum > 180 && Math.abs(amount.value) <= 180
      ? sum - 360
      : sum < -180 && Math.abs(amount.value) <= 180
        ? sum + 360
        : sum;
  const number = within === 0 ? 0 : Math.round(within * 10) / 10;
  return typeof value === 'number'
    ? number
    : `${number}${amount.unit === '' && value !== undefined ? '' : '°'}`;
}

/** Multiplies a length or percentage, or all its keyframes. Undefined for other values. */
export function scaledBy(value: Json | undefined, factor: number): Json | undefined {
  if (Array.isArray(value)) {
    const keys = (value as readonly Json[]).map((key): Json | undefined => {
      const scaled = isJsonObject(key) ? scaledBy(key.value, factor) : undefined;
      return scaled === undefined || !isJsonObject(key) ? undefined : { ...key, value: scaled };
    });
    return keys.some((key) => key === undefined) ? undefined : (keys as readonly Json[]);
  }
  const amount = parseAmount(value);
  if (!amount) return undefined;
  const rounded = Number((amount.value * factor).toFixed(2));
  return typeof value === 'number' ? rounded : spelled(rounded, amount.unit, hasSpace(value));
}
