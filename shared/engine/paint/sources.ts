/**
 * What painting gets from outside: pictures, video frames, fonts. Phase 4, in the worker. The assets phase satisfies
 * these interfaces without importing them; tests pass in simple ones.
 */
import type { Canvas, Drawable } from '../surface.ts';
import type { Luts } from '../lut.ts';
import type { FontSpec } from '../text/measurer.ts';

/** A copy of a picture in its drawn size. See: [Note: Sizes of a picture] in picture-sizes.ts */
export interface Size {
  /** The picture with a border of one pixel all around that repeats its edge. */
  readonly canvas: Canvas;
  /** Without the border. */
  readonly width: number;
  readonly height: number;
  /** The canvas has no opacity. */
  readonly opaque: boolean;
  /** True if every pixel is opaque; undefined = not checked yet. */
  solid?: boolean;
  /** Number of the frame in which it was last drawn. */
  used: number;
}

/** A still picture whose pixels are loaded on demand: copies of it are drawn. */
export interface StillPicture {
  readonly width: number;
  readonly height: number;
  /** The picture itself, upright. */
  pixels(): Drawable;
  /** A cached copy from an earlier render, now owned by the caller; null if there is none. */
  take(width: number, height: number): Size | null;
  /** Returns a copy that is no longer drawn, to be cached or freed. */
  keep(copy: Size): void;
}

/** Pictures by the `source` value of the document. */
export interface Pictures {
  /**
   * The picture, upright, or null if there is none. The sizes are output pixels that the whole picture will cover, a
   * hint for rasters of vector pictures. `time` = seconds in the file, for animated pictures. Equal arguments return
   * the same object while it is cached, and painting caches by it.
   */
  image(source: string, drawnWidth: number, drawnHeight: number, time: number): Drawable | null;
  /**
   * The same without its pixels; null for animated and vector pictures, and where there is none. Left out: null for
   * all.
   */
  still?(source: string): StillPicture | null;
}

/** A decoded frame of a video, as pixels or on a canvas. */
export type VideoFrame = VideoPixels | VideoDrawing;

/** What both kinds have. */
interface AnyVideoFrame {
  /**
   * The same for elements that always show the same frames, which are copied to a canvas once. Left out: the element's
   * own.
   */
  readonly clip?: number;
  readonly width: number;
  readonly height: number;
  /** Changes when the picture changes; an equal number of the same clip means equal pixels. */
  readonly serial: number;
}

/** A frame as a decoder gives it. */
export interface VideoPixels extends AnyVideoFrame {
  /** Red, green, blue and opacity, straight (not multiplied), row after row. Read at once, never kept. */
  readonly rgba: Uint8Array;
  /** True when every pixel is opaque, false when some may not be; left out, painting checks it (2 ms in 1080p). */
  readonly opaque?: boolean;
}

/** A frame that was drawn on a canvas instead, so that its pixels need not be copied there. */
export interface VideoDrawing extends AnyVideoFrame {
  /** Painting fills its border. As long as the serial number is the same, so is the picture. */
  readonly drawing: Size;
}

/** Video frames, prepared for the painted moment. */
export interface Videos {
  /** By the element's path; null draws nothing. */
  frame(elementPath: string): VideoFrame | null;
}

/** Fonts registered with the canvas. */
export interface Fonts {
  /** A CSS font shorthand with the chain of fallbacks, e.g. `italic 700 40px "Lato", "Aileron"`. */
  css(font: FontSpec): string;
  /**
   * The square picture of an emoji, at least `side` pixels large; null if it is drawn as a glyph of the font. Left out:
   * all are.
   */
  emoji?(text: string, side: number): Canvas | null;
  /** True if a family is known to lack a character. Left out: none is. */
  lacks?(character: string, family: string): boolean;
  /** Families that draw what one lacks, in the order to try: first one that looks like it. Left out: none. */
  fallbacks?(family: string): readonly string[];
}

/** All of them. */
export interface Sources {
  readonly pictures: Pictures;
  readonly videos: Videos;
  readonly fonts: Fonts;
  /** Left out: there are none. */
  readonly luts?: Luts;
}
