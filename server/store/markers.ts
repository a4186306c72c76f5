/** The form of markers wherever they come in: in requests, in files of templates, and in records. */
import { z } from 'zod';
import { markerLimits as limits } from '../../shared/limits.ts';
import { markerColors } from '../../shared/markers.ts';

const words = {
  markers: `an array of at most ${limits.count} markers`,
  time: `seconds from 0 to ${limits.latest}`,
  name: `a string of at most ${limits.nameLength} characters`,
  color: `one of ${markerColors.join(', ')}`,
};

/** Markers of a template, in any order. */
export const markerList = z
  .array(
    z.object({
      time: z.number(words.time).min(0, words.time).max(limits.latest, words.time),
      name: z.string(words.name).max(limits.nameLength, words.name),
      color: z.enum(markerColors, words.color),
    }),
    words.markers,
  )
  .max(limits.count, words.markers);
