/** Times of the language while they are changed by hand: they keep their unit and spelling. Pure. */
import type { Json } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';

/** Of a second: times are written to a thousandth. */
const unit = 1000;

/**
 * A time as it is written. It is never after the moment meant, so that what begins with a frame is seen in that frame:
 * frames lie at thirds and sixtieths.
 */
export function tidySeconds(seconds: number): number {
  const tidy = Math.floor(seconds * unit + 0.01) / unit;
  return tidy === 0 ? 0 : tidy;
}

/**
 * Seconds in the spelling of the value before: `2`, `"2 s"`, `"2s"`, or percent of `whole`; a plain number in place of
 * words, and of what is missing.
 */
export function secondsLike(before: Json | undefined, seconds: number, whole: number): Json {
  const amount = parseAmount(before);
  if (!amount || typeof before !== 'string') return tidySeconds(seconds);
  const space = /\d\s+\S+\s*$/.test(before) ? ' ' : '';
  if (amount.unit === '%' && whole > 0) {
    const percent = Number(((seconds / whole) * 100).toFixed(3));
    return `${percent === 0 ? 0 : percent}${space}%`;
  }
  const tidy = tidySeconds(seconds);
  if (amount.unit === 's') return `${tidy}${space}s`;
  return amount.unit === '' ? String(tidy) : tidy;
}

/** The first moment of the frame that is nearest to a moment. */
export function atFrame(seconds: number, frameRate: number): number {
  return Math.round(seconds * frameRate) / frameRate;
}
