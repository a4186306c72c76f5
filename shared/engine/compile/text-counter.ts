/**
 * The text counter: an element's text at a moment while its numbers count. Called by layout once per frame, before
 * setting the text; pure. Digits other than 0–9 stay as they are.
 */
import { held, partProgress } from './progress.ts';
import type { Animation } from './timeline.ts';

/** The type's name in the language. */
export const textCounter = 'text-counter';

/**
 * A markup tag, whose numbers aren't part of the text; or a number with its separators. Spaces separate thousands only
 * between groups of three.
 */
const tagOrNumber = /\[\/?[a-z]+[^[\]]*\]|\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*/g;

/** The text with its numbers at the counters' progress; the same string if no counter is active. */
export function countedText(animations: readonly Animation[], text: string, time: number): string {
  let result = text;
  for (const animation of animations) {
    if (animation.type !== textCounter || animation.side === 'outgoing') continue;
    const share = countedShare(animation, time);
    if (share === 1) continue;
    result = result.replace(tagOrNumber, (found) =>
      found.startsWith('[') ? found : countedNumber(found, share),
    );
  }
  return result;
}

/** The first number in a text, as the counter reads it; null: there is none. */
export function numberIn(text: string): number | null {
  const found = [...text.matchAll(tagOrNumber)].find(([one]) => !one.startsWith('['));
  if (!found) return null;
  const [number] = found;
  const point = decimalPoint(number);
  const digits = (part: string): string => part.replace(/\D/g, '');
  const value =
    point < 0
      ? Number(digits(number))
      : Number(`${digits(number.slice(0, point))}.${number.slice(point + 1)}`);
  return /[-−]$/.test(text.slice(0, found.index)) ? -value : value;
}

/** The reached share of every number, 0–1. */
function countedShare(animation: Animation, time: number): number {
  const { countingStart, countingDuration, direction } = animation.options;
  // Overshooting numbers would need more digits than the text has room for.
  const progress = held(partProgress(animation, time, countingStart, countingDuration));
  return direction === 'down' ? 1 - progress : progress;
}

/**
 * A share of a number in the same notation: with its decimals, separators and any leading zeros, e.g. `1,250.00` at 0.5
 * is `625.00`, and `007` is `004`.
 */
function countedNumber(number: string, share: number): string {
  const point = decimalPoint(number);
  const whole = point < 0 ? number : number.slice(0, point);
  const decimals = point < 0 ? 0 : number.length - point - 1;
  const all = number.replace(/\D/g, '');
  const padded = /^0\d/.test(whole);
  const least = padded ? all.length : decimals + 1;
  const digits = String(Math.round(Number(all) * share)).padStart(least, '0');
  const wholeDigits = digits.slice(0, digits.length - decimals);
  return (
    withSeparators(wholeDigits, whole) +
    (point < 0 ? '' : number.charAt(point) + digits.slice(-decimals))
  );
}

/**
 * Where a number's decimals are separated from the rest; −1 = nowhere. With two kinds of separators it is the last; a
 * repeated one separates thousands, and so does a single comma before three digits.
 */
function decimalPoint(number: string): number {
  const separators = [...number.matchAll(/[.,]/g)];
  const last = separators.at(-1);
  if (!last) return -1;
  if (separators.filter(([kind]) => kind === last[0]).length > 1) return -1;
  const isFirstKind = separators.length === 1 && !/[ \u00a0\u202f'’]/.test(number);
  if (isFirstKind && last[0] === ',' && /^[1-9]\d{0,2},\d{3}$/.test(number)) return -1;
  return last.index;
}

/** Digits with the separators of a pattern, counted from the right. */
function withSeparators(digits: string, pattern: string): string {
  let result = '';
  let left = digits.length;
  for (let index = pattern.length - 1; index >= 0 && left > 0; index--) {
    const character = pattern.charAt(index);
    result = (/\d/.test(character) ? digits.charAt(--left) : character) + result;
  }
  return digits.slice(0, left) + result;
}
