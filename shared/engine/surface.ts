/**
 * The engine's interface to the drawing library: canvases, paths, pixels, letters. The engine names no library; Node's
 * is server/engine/canvas-surface.ts, the page's is in renderer/engine/.
 *
 * Canvas, context and pixels follow the web's canvas (https://html.spec.whatwg.org/multipage/canvas.html), reduced to
 * what is used here. Everything beyond it is a function of `Surface`.
 */
import type { BlendMode } from '../renderscript/properties.ts';
import type { Homography } from './homography.ts';

/** A decoded picture of the library. */
export interface Image {
  readonly width: number;
  readonly height: number;
}

/** Something that a canvas can draw. */
export type Drawable = Image | Canvas;

/** Pixels to draw on. Setting a side clears it. */
export interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d', settings?: ContextSettings): Context | null;
}

/** The purpose of a canvas; only used when its context is first requested. */
export interface ContextSettings {
  /** False = opaque, black at first. Default true. */
  readonly alpha?: boolean;
}

/** Red, green, blue and opacity, straight (not multiplied), row after row. */
export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** Pixels of any kind: a library may have several. */
export interface AnyPixels {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

/** Colours along a line or from a point. */
export interface Gradient {
  addColorStop(offset: number, color: string): void;
}

/** A drawing that fills like a colour. */
export interface Pattern {
  setTransform(transform: MatrixMembers): void;
}

/** A matrix in the canvas's notation. */
export interface MatrixMembers {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** The steps of a shape, on a separate path or on a context's. */
interface PathSteps {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(cpx: number, cpy: number, x: number, y: number): void;
  bezierCurveTo(c1x: number, c1y: number, c2x: number, c2y: number, x: number, y: number): void;
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
  closePath(): void;
}

/** A stored path: the web's `Path2D`. */
export interface CanvasPath extends PathSteps {
  addPath(path: CanvasPath, transform?: MatrixMembers): void;
}

/** What draws on a canvas. */
export interface Context extends PathSteps {
  save(): void;
  restore(): void;
  reset(): void;

  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  resetTransform(): void;
  getTransform(): MatrixMembers;

  globalAlpha: number;
  globalCompositeOperation: Composite;
  fillStyle: string | Gradient | Pattern;
  strokeStyle: string | Gradient | Pattern;
  filter: string;
  imageSmoothingEnabled: boolean;
  imageSmoothingQuality: 'low' | 'medium' | 'high';
  lineWidth: number;
  lineCap: 'butt' | 'round' | 'square';
  lineJoin: 'bevel' | 'miter' | 'round';

  beginPath(): void;
  clip(path?: CanvasPath): void;
  fill(path?: CanvasPath): void;
  stroke(path?: CanvasPath): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  clearRect(x: number, y: number, width: number, height: number): void;

  /** A CSS font shorthand. */
  font: string;
  lang: string;
  direction: 'ltr' | 'rtl' | 'inherit';
  textAlign: 'left' | 'right' | 'center' | 'start' | 'end';
  letterSpacing: string;
  /** Only in some libraries. */
  fontOpticalSizing?: string;
  /** Only in some libraries: CSS's `font-feature-settings`. */
  fontFeatureSettings?: string;
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
  measureText(text: string): TextExtent;

  drawImage(picture: Drawable, x: number, y: number, width: number, height: number): void;
  drawImage(
    picture: Drawable,
    fromX: number,
    fromY: number,
    fromWidth: number,
    fromHeight: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void;
  getImageData(x: number, y: number, width: number, height: number): Pixels;
  putImageData(pixels: AnyPixels, x: number, y: number): void;
  putImageData(
    pixels: AnyPixels,
    x: number,
    y: number,
    partX: number,
    partY: number,
    partWidth: number,
    partHeight: number,
  ): void;

  createLinearGradient(x0: number, y0: number, x1: number, y1: number): Gradient;
  createRadialGradient(
    x0: number,
    y0: number,
    r0: number,
    x1: number,
    y1: number,
    r1: number,
  ): Gradient;
  createPattern(picture: Drawable, repetition: 'repeat' | 'no-repeat'): Pattern | null;
}

/** Ways to combine drawing with existing pixels: compositing operators, and the language's blend modes. */
export type Composite =
  | 'source-over'
  | 'source-in'
  | 'source-out'
  | 'source-atop'
  | 'destination-over'
  | 'destination-in'
  | 'destination-out'
  | 'destination-atop'
  | 'copy'
  | 'xor'
  | Exclude<BlendMode, 'none'>;

/** How far a text reaches, pixels. */
export interface TextExtent {
  readonly width: number;
  readonly fontBoundingBoxAscent: number;
  readonly fontBoundingBoxDescent: number;
  readonly actualBoundingBoxAscent: number;
  readonly actualBoundingBoxDescent: number;
  /** To the left of the place that the text was put at. */
  readonly actualBoundingBoxLeft: number;
  readonly actualBoundingBoxRight: number;
}

/** How letters are set for `Surface.lettersAsPaths`. */
export interface LetterSetting {
  /** A CSS font shorthand. */
  readonly font: string;
  /** Pixels between letters. */
  readonly letterSpacing: number;
  readonly direction: 'ltr' | 'rtl';
  /** Pixels to draw on: letters outside are left out. */
  readonly width: number;
  readonly height: number;
  /** Pixels from the top to the baseline. */
  readonly baseline: number;
}

/** What `Surface.project` draws. */
export interface Projection {
  /** Shows the picture in its upper left corner, with transparent edges: nothing is drawn beyond them. */
  readonly from: Context;
  readonly width: number;
  readonly height: number;
  /** Its upper left corner is overwritten. */
  readonly onto: Context;
  readonly ontoWidth: number;
  readonly ontoHeight: number;
  /**
   * Pixels of `onto` → those of the picture. Where w is not between 0 and 1 ÷ `nearest`, nothing is in front of the
   * eye.
   */
  readonly back: Homography;
  /** How many places of a pixel to look at in each direction: 1, 2 or 4. */
  readonly samples: number;
}

/** A drawing library. */
export interface Surface {
  /** Empty and transparent. Sides are whole pixels. */
  createCanvas(width: number, height: number): Canvas;
  /** Empty, a copy, or from SVG path data. */
  createPath(from?: CanvasPath | string): CanvasPath;
  /** Pixels over the given bytes; they are not copied. */
  createPixels(data: Uint8ClampedArray, width: number, height: number): Pixels;
  /** Pixels that repeat in all directions; null when there are none. */
  createTiles(ctx: Context, pixels: Pixels): Pattern | null;
  /**
   * The part of a path between two shares of its length, 0–1.
   *
   * @param isInverted True: all but that part, in one piece over the end of a closed path.
   */
  trimmed(path: CanvasPath, start: number, end: number, isInverted: boolean): CanvasPath;
  /** The union of all closed lines of a path. */
  united(path: CanvasPath): CanvasPath;
  /** Extent of a path with the handles of its curves. */
  boundsOf(path: CanvasPath): readonly [left: number, top: number, right: number, bottom: number];
  /** SVG path data, with the commands M, L, H, V, Q, C and Z. */
  pathData(path: CanvasPath): string;
  /** The letters of a text as SVG path data, one for each drawing operation of the library. */
  lettersAsPaths(text: string, setting: LetterSetting): readonly string[];
  /**
   * Turns exact, subpixel placement of letters on or off; absent if it is always on. While on, browsers report font
   * heights that differ from the file's.
   */
  placeLettersExactly?(ctx: Context, exactly: boolean): void;
  /**
   * Frees what a library remembers of how a canvas was drawn. For one that was drawn on for the last time and is kept.
   * Absent if libraries remember nothing.
   */
  settle?(ctx: Context): void;
  /** Draws a picture through a projective map; absent if the library has no quick way. */
  readonly project?: (projection: Projection) => void;
  /** Frees unreferenced pixels, if the library or its engine would delay that. */
  freeUnused(): Promise<void>;
}

let present: Surface | null = null;

/** Sets the library. Call once per process, before measuring or drawing anything. */
export function drawWith(library: Surface): void {
  present = library;
}

/** The current library. */
export function surface(): Surface {
  if (!present) throw new Error('nothing to draw with: drawWith was not called');
  return present;
}

/** A canvas's context; the same each time. */
export function contextOf(canvas: Canvas, settings?: ContextSettings): Context {
  const ctx = canvas.getContext('2d', settings);
  if (!ctx) throw new Error('the canvas has no context');
  return ctx;
}
