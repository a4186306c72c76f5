/**
 * Curves of numbers as points joined by straight lines, for values that are integrated over time (speed) or read for
 * every sample, where easings would be too slow. Compile phase; pure.
 */
import { ease } from './easing.ts';
import type { Curve, Keyframe } from './property-values.ts';

/** A value at a moment of the element's clock. */
export interface CurvePoint {
  /** Seconds. */
  readonly time: number;
  readonly value: number;
}

/** Points per eased segment. */
const pointsPerSegment = 48;
/** More steps look and sound like a line. */
const mostSteps = 1_000;

/**
 * The points of a curve, in order of time; two at the same time are a jump. Held before the first and after the last.
 */
export function pointsOf({ keys }: Curve<number>): CurvePoint[] {
  const [first] = keys;
  if (!first) return [];
  return [
    { time: first.time, value: first.value },
    ...keys.slice(1).flatMap((key, index) => segment(keys[index] ?? first, key)),
  ];
}

/** The way from one keyframe to the next, without its beginning. */
function segment(from: Keyframe<number>, to: Keyframe<number>): CurvePoint[] {
  const seconds = to.time - from.time;
  const end = { time: to.time, value: to.value };
  if (from.value === to.value || seconds <= 0) return [end];
  const { easing } = to;
  if (easing.kind === 'named' && easing.name === 'linear') return [end];
  const between = (share: number): number => from.value + (to.value - from.value) * share;
  if (easing.kind === 'steps' && easing.count > mostSteps) return [end];
  if (easing.kind === 'steps') {
    return Array.from({ length: easing.count }, (_, step) => {
      const time = from.time + (seconds * (step + 1)) / easing.count;
      return [step, step + 1].map((done) => ({ time, value: between(done / easing.count) }));
    }).flat();
  }
  return Array.from({ length: pointsPerSegment }, (_, index) => {
    const share = (index + 1) / pointsPerSegment;
    return { time: from.time + seconds * share, value: between(ease(easing, share)) };
  });
}
