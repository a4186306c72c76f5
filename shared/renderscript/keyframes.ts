/**
 * Distinguishes keyframes from other lists. A list in a property may be keyframes (`time`, `value`), colour stops
 * (`offset`, `color`) or another value (warp rows, word timings); the keys of its items decide. Pure.
 */
import { isJsonObject, type Json } from './source.ts';

/** One keyframe as written, unchecked. `easing` belongs to the segment that ends here. */
export interface RawKeyframe {
  readonly time: Json;
  readonly value: Json;
  readonly easing: Json | undefined;
}

/** The keyframes of a property's value, in the order written; null if the value is something else. */
export function keyframesOf(value: unknown): readonly RawKeyframe[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const keyframes: RawKeyframe[] = [];
  for (const item of value as readonly unknown[]) {
    if (!isJsonObject(item) || item.time === undefined || item.value === undefined) return null;
    keyframes.push({ time: item.time, value: item.value, easing: item.easing });
  }
  return keyframes;
}

/** Whether a list is meant as keyframes, even if some lack their time or value. */
export function looksLikeKeyframes(value: unknown): boolean {
  return (
    Array.isArray(value) && value.some((item) => isJsonObject(item) && item.value !== undefined)
  );
}
