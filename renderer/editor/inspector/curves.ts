/** Easings as curves to look at and to pull. Pure. */
import { ease } from '../../../shared/engine/compile/easing.ts';
import { easingNames, parseEasing } from '../../../shared/renderscript/easing.ts';

/** Room of a curve beyond 0 and 1, which springs and the like leave. */
const beyond = 0.35;
const points = 40;

/** The curve as a path in a square of 100 × 100; '' for what is no easing. */
export function curveOf(text: string): string {
  const easing = parseEasing(text);
  if (!easing) return '';
  const count = easing.kind === 'steps' ? 400 : points;
  const parts = Array.from({ length: count + 1 }, (_, index) => {
    const at = index / count;
    return `${round(at * 100)} ${round(heightOf(ease(easing, at)))}`;
  });
  return `M ${parts.join(' L ')}`;
}

/** Where a progress lies in the square. */
export function heightOf(progress: number): number {
  const bounded = Math.min(1 + beyond, Math.max(-beyond, progress));
  return 100 - ((bounded + beyond) / (1 + 2 * beyond)) * 100;
}

/** The progress of a place in the square. */
export function progressAt(height: number): number {
  return (1 - height / 100) * (1 + 2 * beyond) - beyond;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** The two points of a curve that can be pulled. */
export type Bezier = readonly [x1: number, y1: number, x2: number, y2: number];

/** That of an easing, if it has such points. */
export function bezierOf(text: string): Bezier | null {
  const easing = parseEasing(text);
  return easing?.kind === 'cubic-bezier' ? [easing.x1, easing.y1, easing.x2, easing.y2] : null;
}

/** As the language writes it. */
export function bezierText(points: Bezier): string {
  return `cubic-bezier(${points.map((part) => Number(part.toFixed(2))).join(', ')})`;
}

/** The names to choose from: those of CSS are curves that can be pulled. */
export const namedEasings: readonly string[] = easingNames;
