/** Lengths of the timeline in document pixels, once the side that percentages count of is known. Pure arithmetic. */
import type { Length } from '../compile/property-values.ts';

/** A length in pixels; `whole` is what 100 % stands for. */
export function lengthIn({ px, percent }: Length, whole: number): number {
  return px + percent * whole;
}
