/** An animation's progress at a moment of its element's clock; for all kinds of animations. Pure. */
import { ease } from './easing.ts';
import type { Animation } from './timeline.ts';

type Option = Animation['options'][string] | undefined;

/** Progress of the whole animation before easing; runs backwards when reversed. */
export function evenProgress({ start, duration, reversed }: Animation, time: number): number {
  const even = duration > 0 ? held((time - start) / duration) : time < start ? 0 : 1;
  return reversed ? 1 - even : even;
}

/** The same after easing; outside 0–1 where the easing overshoots. */
export function easedProgress(animation: Animation, time: number): number {
  return ease(animation.easing, evenProgress(animation, time));
}

/** Seconds since the beginning of an animation that plays forwards, to the end of one that plays backwards. */
export function secondsIn({ start, duration, reversed }: Animation, time: number): number {
  return reversed ? start + duration - time : time - start;
}

/**
 * Eased progress of the typing or counting part of an animation.
 *
 * @param start Option: seconds within the animation; anything but a number = 0.
 * @param duration Option: seconds; anything but a number = to the animation's end.
 */
export function partProgress(
  animation: Animation,
  time: number,
  start: Option,
  duration: Option,
): number {
  const from = typeof start === 'number' ? start : 0;
  const length = typeof duration === 'number' ? duration : animation.duration - from;
  const passed = secondsIn(animation, time) - from;
  const even = length > 0 ? held(passed / length) : passed < 0 ? 0 : 1;
  return ease(animation.easing, even);
}

/** Progress clamped to 0–1. */
export function held(progress: number): number {
  return Math.min(1, Math.max(0, progress));
}
