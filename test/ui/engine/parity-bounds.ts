/**
 * How near the page's frames have to be to the server's, in dB, at the samples' own size: 320 pixels across, so that
 * edges are much of them. What is further away than its kind stands in a table with its cause, so that anything new
 * fails.
 */
import { isJsonObject, type Json, type Source } from '../../../shared/renderscript/source.ts';

/** Least dB by what a document shows. */
const floors = {
  /** Nothing but rounding of colours. */
  exact: 50,
  /** Colours of videos, which the browser works out with other rounding. */
  videos: 38,
  /**
   * The same outlines in the same places. The server's library hints them lightly (it moves horizontal edges to whole
   * pixels), which no browser does where letters are placed exactly, and each darkens edges in its own way.
   */
  letters: 28,
} as const;

/** Why a document is further from the server's frame than others of its kind. */
const causes = {
  arcs: 'round corners are cubics in the page and conics at the server’s: their edges differ by a level or two',
  vectors: 'a page gets a vector picture as a large raster, and makes it smaller',
  resampling: 'fine patterns are made smaller by another filter',
  thin: 'thin or small letters, nearly all of which is edges',
  unshipped:
    'a letter that no shipped font has, taken from the fonts of this computer by other rules',
  inside: 'outlines of letters whose contours overlap are united by the server alone',
  bitmaps: 'emoji of a font are pictures, which are made smaller by another filter',
} as const;

const arcs = { least: 42, cause: causes.arcs };
const vectors = { least: 39, cause: causes.vectors };
const thin = { least: 25, cause: causes.thin };
const inside = { least: 25, cause: causes.inside };
const bitmaps = { least: 27, cause: causes.bitmaps };

/** By the name of the sample. */
export const exceptions: Readonly<
  Record<string, { readonly least: number; readonly cause: string }>
> = {
  'animation-middle': arcs,
  'image-border-radius': arcs,
  'image-padding-cover': arcs,
  'image-radius-contain': arcs,
  'image-radius-sizes': arcs,
  'layout-clip-turned': arcs,
  'layout-repeat': arcs,
  'shape-radius-paths': arcs,
  'shape-radius-units': arcs,
  'image-formats': vectors,
  'image-shadow-alpha': vectors,
  'image-svg-composition': vectors,
  'image-svg-large': vectors,
  'image-svg-zoomed': vectors,
  'image-downscaled': { least: 39, cause: causes.resampling },
  'image-downscaled-glide': { least: 39, cause: causes.resampling },
  'image-downscaled-zoom': { least: 36, cause: causes.resampling },
  'animation-text-backgrounds': thin,
  'animation-text-cursor': thin,
  'font-families-display': thin,
  'font-script-thai': thin,
  'font-weights-montserrat': thin,
  'font-weights-poppins': thin,
  'text-break-numbers': thin,
  'text-combining-marks': { least: 23, cause: causes.unshipped },
  'text-outline-moving': inside,
  'text-outline-united': inside,
  'emoji-sequences-google': bitmaps,
  'emoji-sizes-google': bitmaps,
};

/** Least dB of a sample. */
export function leastOf(name: string, source: Source): number {
  const exception = exceptions[name];
  if (exception) return exception.least;
  if (shows(source, 'text')) return floors.letters;
  return shows(source, 'video') ? floors.videos : floors.exact;
}

function shows(value: Json | Source | undefined, type: string): boolean {
  if (Array.isArray(value)) return value.some((part: Json) => shows(part, type));
  if (!isJsonObject(value)) return false;
  return value.type === type || Object.values(value).some((part) => shows(part, type));
}
