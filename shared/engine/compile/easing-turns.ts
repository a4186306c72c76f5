/** Where easings reverse or jump on their way from 0 to 1: overshoot, springs, bounces, steps. Pure. */
import type { Easing } from '../../renderscript/easing.ts';
import { ease } from './easing.ts';

/** How many samples to take of an easing; the shortest turns of named easings are ten times as long. */
const looks = 512;

/** Most jumps that count; many small ones are like a straight line. */
const mostSteps = 64;

const ofNames = new Map<string, readonly number[]>();

/** Raw progress values between 0 and 1, ascending, at which eased progress jumps or reverses. */
export function easingTurns(easing: Easing): readonly number[] {
  switch (easing.kind) {
    // They only rise, but in jumps.
    case 'steps':
      return Array.from({ length: easing.count <= mostSteps ? easing.count - 1 : 0 }, (_, step) => (step + 1) / easing.count); // prettier-ignore
    case 'cubic-bezier':
      return bezierTurns(easing);
    case 'spring':
      return easing.damping < 1 ? seenTurns(easing) : [];
    case 'named': {
      let turns = ofNames.get(easing.name);
      if (!turns) ofNames.set(easing.name, (turns = seenTurns(easing)));
      return turns;
    }
  }
}

function seenTurns(easing: Easing): number[] {
  const turns: number[] = [];
  let [before, last] = [0, 0];
  for (let look = 1; look <= looks; look++) {
    const now = ease(easing, look / looks);
    if ((now - last) * (last - before) < 0) turns.push(turnIn(easing, look - 2, look, now < last));
    if (now !== last) before = last;
    last = now;
  }
  return turns;
}

/** The turn between two samples, by ternary search; `top` = a maximum, else a minimum. */
function turnIn(easing: Easing, from: number, to: number, top: boolean): number {
  let [low, high] = [from / looks, to / looks];
  for (let round = 0; round < 30; round++) {
    const third = (high - low) / 3;
    const rises = ease(easing, low + third) < ease(easing, high - third);
    if (rises === top) low += third;
    else high -= third;
  }
  return (low + high) / 2;
}

/** Where the slope of y is 0: 3(1−t)²·y1 + 6(1−t)t·(y2−y1) + 3t²·(1−y2). */
function bezierTurns({ x1, y1, x2, y2 }: Extract<Easing, { kind: 'cubic-bezier' }>): number[] {
  const square = 1 + 3 * (y1 - y2);
  const linear = 2 * (y2 - 2 * y1);
  const inside = linear ** 2 - 4 * square * y1;
  if (inside <= 0) return [];
  const root = Math.sqrt(inside);
  const places =
    Math.abs(square) < 1e-9
      ? [-y1 / linear]
      : [(-linear - root) / (2 * square), (-linear + root) / (2 * square)];
  return places
    .filter((t) => t > 0 && t < 1)
    .map((t) => 3 * (1 - t) ** 2 * t * x1 + 3 * (1 - t) * t ** 2 * x2 + t ** 3)
    .sort((a, b) => a - b);
}
