/**
 * Easing names and curves, parsed to plain data. Evaluation is the engine's business (compile/easing.ts).
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
  | { readonly kind: 'steps'; readonly count: number };

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

/** Every easing that has a name, in the order in which an editor should offer them. */
export const easingNames: readonly string[] = [
  'linear',
  ...easingFamilies.flatMap((family) => [`${family}-in`, `${family}-out`, `${family}-in-out`]),
  'ease',
  'ease-in',
  'ease-out',
  'ease-in-out',
  'steps',
];

const namedEasings = new Set(easingNames.slice(0, 1 + 3 * easingFamilies.length));

/** Real documents use the CSS names, so they mean the CSS curves. */
const cssCurves = new Map<string, Easing>([
  ['ease', { kind: 'cubic-bezier', x1: 0.25, y1: 0.1, x2: 0.25, y2: 1 }],
  ['ease-in', { kind: 'cubic-bezier', x1: 0.42, y1: 0, x2: 1, y2: 1 }],
  ['ease-out', { kind: 'cubic-bezier', x1: 0, y1: 0, x2: 0.58, y2: 1 }],
  ['ease-in-out', { kind: 'cubic-bezier', x1: 0.42, y1: 0, x2: 0.58, y2: 1 }],
]);

const callPattern = /^(cubic-bezier|steps)\s*\(([^()]*)\)$/;

/**
 * Reads an easing: a name, `cubic-bezier(x1, y1, x2, y2)`, `steps(n)` or bare `steps` (= `steps(1)`). Null for
 * everything else; the language then moves linearly.
 */
export function parseEasing(text: unknown): Easing | null {
  if (typeof text !== 'string') return null;
  const name = text.trim();
  if (namedEasings.has(name)) return { kind: 'named', name };
  if (name === 'steps') return { kind: 'steps', count: 1 };
  const curve = cssCurves.get(name);
  if (curve !== undefined) return curve;
  const call = callPattern.exec(name);
  if (call === null) return null;
  const parts = (call[2] ?? '').split(',').map((part) => parseAmount(part));
  return call[1] === 'steps' ? steps(parts) : cubicBezier(parts);
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
  // Time may not run backwards: x stays within 0–1, as in CSS. The comparisons also refuse NaN.
  if (!(x1 >= 0 && x1 <= 1 && x2 >= 0 && x2 <= 1) || Number.isNaN(y1) || Number.isNaN(y2))
    return null;
  return { kind: 'cubic-bezier', x1, y1, x2, y2 };
}
