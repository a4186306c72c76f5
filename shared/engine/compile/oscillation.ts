/**
 * The swing of oscillating animations (shake, bounce, wiggle): how far from rest at a moment. Pure, so that any frame
 * can be drawn alone.
 */
import { ease } from './easing.ts';
import type { Animation } from './timeline.ts';

/**
 * Deflection between −1 and 1 at a moment of the element's clock; 0 outside the animation's time.
 *
 * A sine with `frequency` swings per second, or `count` swings over the whole time, starting at `phase`. `randomness`
 * blends it into smooth noise of about the same speed. Strength grows and falls within `rampDuration` of the time,
 * eased.
 */
export function swing(animation: Animation, time: number): number {
  const { start, duration, reversed, easing, options } = animation;
  const local = time - start;
  if (local < 0 || local > duration || duration <= 0) return 0;
  const passed = reversed ? duration - local : local;
  const cycles =
    typeof options.count === 'number'
      ? (options.count * passed) / duration
      : numberOr(options.frequency, 0) * passed;
  const turns = cycles + numberOr(options.phase, 0);
  const randomness = numberOr(options.randomness, 0);
  const regular = Math.sin(2 * Math.PI * turns);
  // Two new random values per swing move about as fast as the sine does.
  const wave =
    randomness === 0 ? regular : (1 - randomness) * regular + randomness * noise(2 * turns);
  const ramp = numberOr(options.rampDuration, 0) * duration;
  const strength = ramp === 0 ? 1 : ease(easing, Math.min(passed, duration - passed) / ramp);
  return wave * strength;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

/** Smooth noise between −1 and 1: a random value at every whole number, blended in between. */
function noise(place: number): number {
  const whole = Math.floor(place);
  const share = place - whole;
  const smooth = share * share * (3 - 2 * share);
  return randomAt(whole) * (1 - smooth) + randomAt(whole + 1) * smooth;
}

/** A value between −1 and 1 that depends only on a whole number (integer hash by multiply and shift). */
function randomAt(place: number): number {
  let bits = Math.imul(place ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 0x7fffffff - 1;
}
