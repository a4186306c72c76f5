/**
 * Easing names and curves, parsed to plain data. The engine evaluates them (compile/easing.ts).
 */
import { parseAmount } from './units.ts';

/** An easing, ready to be evaluated; plain data. Names are `linear` or one of the families with a direction. */
export type Easing =
  | { readonly kind: 'named'; readonly name: string }
  | {
      readonly kind: 'cubic-bezier';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
    }
  | { readonly kind: 'steps'; readonly count: number }
  /** `damping` is the damping ratio: below 1 the spring overshoots, from 1 on it approaches slowly. */
  | { readonly kind: 'spring'; readonly damping: number };

/** The families of curves; each comes with `-in`, `-out` and `-in-out`. */
const easingFamilies = [
  'sinusoid',
  'quadratic',
  'cubic',
  'quartic',
  'quintic',
  'exponential',
  'circular',
  'back',
  'elastic',
  'bounce',
] as const;

/** All named easings, in the order for completion. */
export const easingNames: readonly string[] = [
  'linear',
  ...easingFamilies.flatMap((family) => [`${family}-in`, `${family}-out`, `${family}-in-out`]),
  'ease',
  'ease-in',
  'ease-out',
  'ease-in-out',
  'steps',
  'spring',
];

/** Curves with numbers for completion, with values that look good unchanged. */
export const easingCalls: readonly string[] = [
  'cubic-bezier(0.25, 0.1, 0.25, 1)',
  'steps(4)',
  'spring(1, 100, 10)',
];

const namedEasings = new Set(easingNames.slice(0, 1 + 3 * easingFamilies.length));

/** Real documents use the CSS names, so they mean the CSS curves. */
const cssCurves = new Map<string, Easing>([
  ['ease', { kind: 'cubic-bezier', x1: 0.25, y1: 0.1, x2: 0.25, y2: 1 }],
  ['ease-in', { kind: 'cubic-bezier', x1: 0.42, y1: 0, x2: 1, y2: 1 }],
  ['ease-out', { kind: 'cubic-bezier', x1: 0, y1: 0, x2: 0.58, y2: 1 }],
  ['ease-in-out', { kind: 'cubic-bezier', x1: 0.42, y1: 0, x2: 0.58, y2: 1 }],
]);

const callPattern = /^(cubic-bezier|steps|spring)\s*\(([^()]*)\)$/;

/**
 * [Note: Springs] An extension of ours: `spring(mass, stiffness, damping)`, or bare `spring` for `spring(1, 100, 10)`.
 * The spring is pulled from the old value to the new one and let go. Keyframes and animations say themselves how long
 * they last, so its time is stretched until it comes to rest at the end; of the three numbers only their damping ratio,
 * damping ÷ (2 √(mass × stiffness)), is left then. Ratios outside these bounds count as the nearest one, because they
 * swing or creep too long to be told from each other.
 */
const dampingRatios = { min: 0.02, max: 10 } as const;
const usualSpring = [1, 100, 10] as const;

/**
 * Reads an easing: a name, `cubic-bezier(x1, y1, x2, y2)`, `steps(n)` or bare `steps` (= `steps(1)`), or a spring
 * ([Note: Springs]). Null for anything else; then the default easing applies.
 */
export function parseEasing(text: unknown): Easing | null {
  if (typeof text !== 'string') return null;
  const name = text.trim();
  if (namedEasings.has(name)) return { kind: 'named', name };
  if (name === 'steps') return { kind: 'steps', count: 1 };
  if (name === 'spring') return springOf(...usualSpring);
  const curve = cssCurves.get(name);
  if (curve !== undefined) return curve;
  const call = callPattern.exec(name);
  if (call === null) return null;
  const parts = (call[2] ?? '').split(',').map((part) => parseAmount(part));
  switch (call[1]) {
    case 'steps':
      return steps(parts);
    case 'spring':
      return spring(parts);
    default:
      return cubicBezier(parts);
  }
}

type Part = ReturnType<typeof parseAmount> | undefined;

function steps(parts: readonly Part[]): Easing | null {
  const [count] = parts;
  if (parts.length !== 1 || count?.unit !== '') return null;
  return Number.isInteger(count.value) && count.value >= 1
    ? { kind: 'steps', count: count.value }
    : null;
}

function cubicBezier(parts: readonly Part[]): Easing | null {
  const [x1, y1, x2, y2] = parts.map((part) => (part?.unit === '' ? part.value : Number.NaN));
  if (
    parts.length !== 4 ||
    x1 === undefined ||
    y1 === undefined ||
    x2 === undefined ||
    y2 === undefined
  )
    return null;
  // Time can't run backwards: x stays within 0–1, as in CSS. The comparisons also refuse NaN.
  if (!(x1 >= 0 && x1 <= 1 && x2 >= 0 && x2 <= 1) || Number.isNaN(y1) || Number.isNaN(y2))
    return null;
  return { kind: 'cubic-bezier', x1, y1, x2, y2 };
}

function spring(parts: readonly Part[]): Easing | null {
  const [mass, stiffness, damping] = parts.map((part) =>
    part?.unit === '' && part.value > 0 ? part.value : null,
  );
  // This also refuses missing arguments.
  if (parts.length !== 3 || !mass || !stiffness || !damping) return null;
  return springOf(mass, stiffness, damping);
}

function springOf(mass: number, stiffness: number, damping: number): Easing {
  // Two roots, because the product of the two numbers may overflow or underflow.
  const ratio = damping / (2 * Math.sqrt(mass) * Math.sqrt(stiffness));
  const { min, max } = dampingRatios;
  return { kind: 'spring', damping: Math.min(max, Math.max(min, ratio)) };
}
