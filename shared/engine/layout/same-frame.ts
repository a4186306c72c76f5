/**
 * Tells whether two frames are the same picture, so that the encoder can repeat the last one without painting, reading
 * back or converting. Pure; runs once per frame, and returns early because layout keeps the identity of unchanged
 * objects.
 */
import type { Frame } from './box.ts';

/** True if both frames draw the same, value by value. Video frames differ by their `mediaTime`. */
export function sameFrame(a: Frame, b: Frame): boolean {
  return same(a, b);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => same(item, b[index]));
  }
  const left = Object.entries(a);
  if (left.length !== Object.keys(b).length) return false;
  // Both are plain data made by layout; a key missing on the right reads as undefined and differs.
  const right = b as Record<string, unknown>;
  return left.every(([key, value]) => same(value, right[key]));
}
