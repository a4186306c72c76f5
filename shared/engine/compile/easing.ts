/**
 * Easing: from raw progress to eased progress. Used by keyframes and animations, in the compile and layout phases. Pure
 * arithmetic; parsing the language's words is shared/renderscript/easing.ts.
 */
import type { Easing } from '../../renderscript/easing.ts';

/**
 * Eased progress.
 *
 * Progress is clamped to 0–1; 0 gives 0 and 1 gives 1 for every easing (steps jump at their end). In between, `back`,
 * `elastic`, springs and some Béziers leave 0–1 on purpose.
 */
export function ease(easing: Easing, progress: number): number {
  if (!(progress > 0)) return 0;
  if (progress >= 1) return 1;
  switch (easing.kind) {
    case 'named':
      return (named.get(easing.name) ?? identity)(progress);
    case 'cubic-bezier':
      return cubicBezier(easing, progress);
    case 'steps':
      return steps(easing.count, progress);
    case 'spring':
      return spring(easing.damping, progress);
  }
}

type Curve = (progress: number) => number;

const identity: Curve = (p) => p;

// Overshoot of `back` (10 %) and its size for the in-out form, both Penner's.
const overshoot = 1.70158;
const overshootInOut = overshoot * 1.525;

/** The accelerating half of each family; `-out` and `-in-out` follow by mirroring. Robert Penner's formulas. */
const families: Readonly<Record<string, Curve>> = {
  sinusoid: (p) => 1 - Math.cos((p * Math.PI) / 2),
  quadratic: (p) => p ** 2,
  cubic: (p) => p ** 3,
  quartic: (p) => p ** 4,
  quintic: (p) => p ** 5,
  exponential: (p) => 2 ** (10 * p - 10),
  circular: (p) => 1 - Math.sqrt(1 - p ** 2),
  back: (p) => (overshoot + 1) * p ** 3 - overshoot * p ** 2,
  elastic: (p) => elastic(p, 3),
  bounce: (p) => 1 - bounceOut(1 - p),
};

/** In-out forms that are not just the in form mirrored at half size. */
const ownInOut: Readonly<Record<string, Curve>> = {
  back: (p) => (overshootInOut + 1) * p ** 3 - overshootInOut * p ** 2,
  elastic: (p) => elastic(p, 4.5),
};

/** `period` is in tenths of the run. */
function elastic(p: number, period: number): number {
  if (p <= 0 || p >= 1) return p <= 0 ? 0 : 1;
  const quarter = period / 4;
  return -(2 ** (10 * p - 10)) * Math.sin(((10 * p - 10 - quarter) * 2 * Math.PI) / period);
}

function bounceOut(p: number): number {
  const height = 7.5625;
  if (p < 1 / 2.75) return height * p ** 2;
  if (p < 2 / 2.75) return height * (p - 1.5 / 2.75) ** 2 + 0.75;
  if (p < 2.5 / 2.75) return height * (p - 2.25 / 2.75) ** 2 + 0.9375;
  return height * (p - 2.625 / 2.75) ** 2 + 0.984375;
}

const named: ReadonlyMap<string, Curve> = new Map([
  ['linear', identity],
  ...Object.entries(families).flatMap(([family, start]): [string, Curve][] => {
    const half = ownInOut[family] ?? start;
    return [
      [`${family}-in`, start],
      [`${family}-out`, (p) => 1 - start(1 - p)],
      [`${family}-in-out`, (p) => (p < 0.5 ? half(2 * p) / 2 : 1 - half(2 - 2 * p) / 2)],
    ];
  }),
]);

/** CSS `steps(n, jump-end)`: holds each value until its step ends. */
function steps(count: number, progress: number): number {
  // Frame times have rounding errors; just before a step's end counts as its end.
  return Math.floor(progress * count + 1e-9) / count;
}

/** One coordinate of a Bézier from 0 to 1 with two inner control values. */
function bezier(t: number, first: number, second: number): number {
  return ((1 + 3 * (first - second)) * t + 3 * (second - 2 * first)) * t * t + 3 * first * t;
}

function bezierSlope(t: number, first: number, second: number): number {
  return 3 * (1 + 3 * (first - second)) * t * t + 6 * (second - 2 * first) * t + 3 * first;
}

type CubicBezier = Extract<Easing, { kind: 'cubic-bezier' }>;

/** CSS `cubic-bezier`: the y where the curve's x is `progress`. Newton's method, with bisection as fallback. */
function cubicBezier({ x1, y1, x2, y2 }: CubicBezier, progress: number): number {
  let t = progress;
  for (let round = 0; round < 8; round++) {
    const error = bezier(t, x1, x2) - progress;
    if (Math.abs(error) < 1e-9) return bezier(t, y1, y2);
    const slope = bezierSlope(t, x1, x2);
    if (Math.abs(slope) < 1e-6) break;
    t -= error / slope;
    if (t < 0 || t > 1) break;
  }
  let low = 0;
  let high = 1;
  for (let round = 0; round < 50; round++) {
    t = (low + high) / 2;
    if (bezier(t, x1, x2) < progress) low = t;
    else high = t;
  }
  return bezier(t, y1, y2);
}

/** Share of the way by which a spring may be off and still count as at rest. */
const restDistance = 0.001;

/**
 * A damped spring released at 0, at rest at 1 when progress is 1; see [Note: Springs] in shared/renderscript/easing.ts.
 * `damping` is the damping ratio. The textbook solutions of x″ + 2ζx′ + x = 1; the remaining, invisible distance at the
 * end is spread over the whole way.
 */
function spring(damping: number, progress: number): number {
  const length = settlingTime(damping);
  const rest = 1 - springAt(damping, length);
  return springAt(damping, progress * length) + progress * rest;
}

/** Radians of the undamped spring until rest. */
function settlingTime(damping: number): number {
  const root = Math.sqrt(Math.abs(1 - damping ** 2));
  const decay = damping < 1 ? damping : damping - root;
  // How much the distance can exceed e^(-decay t); the formula has a pole at critical damping.
  const envelope = Math.min(10, Math.max(1, 1 / root));
  return Math.log(envelope / restDistance) / decay;
}

function springAt(damping: number, time: number): number {
  const root = Math.sqrt(Math.abs(1 - damping ** 2));
  // The three solutions meet at 1, where the outer two become 0 ÷ 0.
  if (root < 1e-4) return 1 - Math.exp(-time) * (1 + time);
  if (damping < 1) {
    const swing = Math.cos(root * time) + (damping / root) * Math.sin(root * time);
    return 1 - Math.exp(-damping * time) * swing;
  }
  const slow = damping - root;
  const fast = damping + root;
  return 1 - (fast * Math.exp(-slow * time) - slow * Math.exp(-fast * time)) / (2 * root);
}
