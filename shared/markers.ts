/**
 * Markers: named moments of a template's timeline, for whoever makes it. They belong to the template, not to its
 * document, and no render knows them.
 */
import * as z from 'zod/mini';
import type { Of } from './api/row.ts';
import { markerLimits as limits } from './limits.ts';

/** Their colours; what each looks like is the window's. */
export const markerColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'grey'] as const;
/** A colour of a marker. */
export type MarkerColor = (typeof markerColors)[number];

const words = {
  markers: `an array of at most ${limits.count} markers`,
  time: `seconds from 0 to ${limits.latest}`,
  name: `a string of at most ${limits.nameLength} characters`,
  color: `one of ${markerColors.join(', ')}`,
};

const marker = z.object({
  /** Seconds from the beginning of the document. */
  time: z.number(words.time).check(z.gte(0, words.time), z.lte(limits.latest, words.time)),
  /** May be empty. */
  name: z.string(words.name).check(z.maxLength(limits.nameLength, words.name)),
  color: z.enum(markerColors, words.color),
});
/** A moment with a name. */
export type Marker = Of<typeof marker>;

/** Markers of a template, in any order. The form wherever they come in: in requests, files of templates, records. */
export const markerList = z
  .array(marker, words.markers)
  .check(z.maxLength(limits.count, words.markers));

/** The same markers in the same order. */
export function sameMarkers(one: readonly Marker[], other: readonly Marker[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ time, name, color }, index) => {
      const beside = other[index];
      return beside?.time === time && beside.name === name && beside.color === color;
    })
  );
}
