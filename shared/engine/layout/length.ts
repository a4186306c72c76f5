/** Lengths of the timeline in document pixels, once the reference of percentages is known. Pure arithmetic. */
import type { Length } from '../compile/property-values.ts';

/** The content box of a composition: the reference of its children's percentages. */
export interface Space {
  readonly width: number;
  readonly height: number;
}

/** A length in pixels; `whole` is 100 %. */
export function lengthIn({ px, percent }: Length, whole: number): number {
  return px + percent * whole;
}

/** The reference of percentages without an axis, such as outlines and font sizes: the parent's smaller side. */
export function smallerSide({ width, height }: Space): number {
  return Math.min(width, height);
}
