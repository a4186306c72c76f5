/** Markers of the timeline as lists, which are always in order of time. Pure. */
import { markerLimits } from '../../../shared/limits.ts';
import type { Marker } from '../../../shared/markers.ts';
import { tidySeconds } from './seconds.ts';

/** A list of markers in order of time; those of one moment in the order given. */
export const inTime = (markers: readonly Marker[]): readonly Marker[] =>
  [...markers].sort((a, b) => a.time - b.time);

/** A list with a marker in place of another one; null: without it. */
export function withMarker(
  markers: readonly Marker[],
  old: Marker,
  next: Marker | null,
): readonly Marker[] {
  return inTime(markers.flatMap((one) => (one !== old ? [one] : next ? [next] : [])));
}

/** A moment that a marker can have: within bounds, and never after the frame meant. */
export function markerTime(seconds: number): number {
  return Math.min(markerLimits.latest, tidySeconds(Math.max(0, seconds)));
}

/** The marker at a moment; null where there is none within half a frame. */
export function markerAt(
  markers: readonly Marker[],
  seconds: number,
  frame: number,
): Marker | null {
  return markers.find(({ time }) => Math.abs(time - seconds) < frame / 2) ?? null;
}

/** The next marker after a moment (1), or the last one before it (-1); null without one. */
export function markerBeside(
  markers: readonly Marker[],
  seconds: number,
  way: 1 | -1,
  frame: number,
): Marker | null {
  const ahead = markers.filter(({ time }) => (time - seconds) * way >= frame / 2);
  return (way > 0 ? ahead[0] : ahead.at(-1)) ?? null;
}
