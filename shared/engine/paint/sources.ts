/**
 * What painting is handed from outside: pictures, frames of videos, fonts. Phase 4, in the worker.
 * The assets phase satisfies these shapes without importing them; tests hand in small ones of their own.
 */
import type { Canvas, Drawable } from '../surface.ts';
import type { FontSpec } from '../text/measurer.ts';

/** Pictures by the `source` value of the document. */
export interface Pictures {
  /**
   * The picture, upright, or null when there is none. The sizes are output pixels that the whole picture will cover:
   * a hint for rasters of vector pictures. `time` = seconds in the file, for animated pictures. Equal questions get the
   * same object for as long as it is kept, and painting caches by it.
   */
  image(source: string, drawnWidth: number, drawnHeight: number, time: number): Drawable | null;
}

/** A decoded frame of a video. */
export interface VideoFrame {
  /** Red, green, blue and opacity, straight (not multiplied), row after row. Read at once, never kept. */
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Changes when the picture changes; an equal number of the same element means equal pixels. */
  readonly serial: number;
  /** True when every pixel is opaque, false when some may not be; left out, painting looks for itself (2 ms in 1080p). */
  readonly opaque?: boolean;
}

/** Frames of videos, made ready for the moment that is painted. */
export interface Videos {
  /** By the element's path; null draws nothing. */
  frame(elementPath: string): VideoFrame | null;
}

/** Fonts as the canvas knows them. */
export interface Fonts {
  /** A CSS font shorthand with the chain of fallbacks, e.g. `italic 700 40px "Lato", "Aileron"`. */
  css(font: FontSpec): string;
  /**
   * The square picture of an emoji, at least `side` pixels large; null when it is drawn as a glyph of the font. Left out:
   * all are.
   */
  emoji?(text: string, side: number): Canvas | null;
}

/** All three. */
export interface Sources {
  readonly pictures: Pictures;
  readonly videos: Videos;
  readonly fonts: Fonts;
}
