/** Lengths of the timeline in document pixels, once the side that percentages count of is known. Pure arithmetic. */
import type { Length } from '../compile/property-values.ts';

/** The content box of a composition: what its children's percentages count of. */
export interface Space {
  readonly width: number;
  readonly height: number;
}

/** A length in pixels; `whole` is what 100 % stands for. */
export function lengthIn({ px, percent }: Length, whole: number): number {
  return px + percent * whole;
}

/** What percentages of outlines and font sizes count of, which belong to no axis: the parent's smaller side. */
export function smallerSide({ width, height }: Space): number {
  return Math.min(width, height);
}
