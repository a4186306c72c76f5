/**
 * Moments on an element's clock, and the default easing. Compile phase; pure.
 */
import { animationDefaults } from '../../renderscript/animation-types.ts';
import { parseEasing, type Easing } from '../../renderscript/easing.ts';
import type { Json, JsonObject } from '../../renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../renderscript/units.ts';

/**
 * A moment on an element's clock: seconds, `"2 s"`, `"start"`, `"end"`, or percent of the element's duration. Null if
 * the value is not usable.
 */
export function momentIn(value: Json | undefined, duration: number): number | null {
  if (value === 'start') return 0;
  if (value === 'end') return duration;
  const seconds = parseSeconds(value);
  if (seconds !== null) return seconds;
  const amount = parseAmount(value);
  return amount?.unit === '%' ? (amount.value / 100) * duration : null;
}

/** When an animation that is no transition plays. With neither time nor duration it lasts as long as the element. */
export function animationSpan(
  entry: JsonObject,
  elementDuration: number,
): { readonly start: number; readonly duration: number } {
  const given = parseSeconds(entry.duration);
  const timed = entry.time !== undefined && entry.time !== null;
  const duration = Math.max(0, given ?? (timed ? animationDefaults.duration : elementDuration));
  if (entry.time === 'end') return { start: elementDuration - duration, duration };
  return { start: momentIn(entry.time, elementDuration) ?? 0, duration };
}

/**
 * [Note: Default easing] Keyframes and animations without an easing, or with one that doesn't exist, move with the
 * language's default easing, which is not linear. The choice and its reason are in `animationDefaults`.
 */
export const defaultEasing: Easing = parseEasing(animationDefaults.easing) ?? {
  kind: 'named',
  name: 'linear',
};

/** The easing of this name, else the fallback: unknown names are silent in this language. */
export function easingOr(value: Json | undefined, fallback: Easing): Easing {
  return parseEasing(value) ?? fallback;
}
