/**
 * The drawing library, as far as the engine uses one: canvases, paths, pixels, letters. The engine names no library; Node's
 * comes from server/engine/canvas-surface.ts, and whoever draws in a page brings one of its own.
 *
 * Canvas, context and pixels are those of the web's canvas (https://html.spec.whatwg.org/multipage/canvas.html), less what is
 * not used here. What goes beyond it is a function of `Surface`.
 */
import type { BlendMode } from '../renderscript/properties.ts';

/** A decoded picture, as the library holds it. */
export interface Image {
  readonly width: number;
  readonly height: number;
}

/** Something that a canvas can draw. */
export type Drawable = Image | Canvas;

/** Pixels to draw on. Setting a side empties it. */
export interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d', settings?: ContextSettings): Context | null;
}

/** What a canvas is made for; counts the first time that it is asked for its context. */
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

/** Pixels of whatever kind: a library may know more than one. */
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

/** A matrix as the canvas spells it. */
export interface MatrixMembers {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** What a shape is made of, on a path of its own or on that of a context. */
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

/** A path that is kept: the web's `Path2D`. */
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
  /** Of libraries that have it. */
  fontOpticalSizing?: string;
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

/** Ways in which what is drawn mixes with what is there: those of shapes that overlap, and the blend modes of the language. */
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
  /** Every closed line of a path united with those that it overlaps. */
  united(path: CanvasPath): CanvasPath;
  /** Extent of a path with the handles of its curves. */
  boundsOf(path: CanvasPath): readonly [left: number, top: number, right: number, bottom: number];
  /** SVG path data, with the commands M, L, H, V, Q, C and Z. */
  pathData(path: CanvasPath): string;
  /** The letters of a text as SVG path data, one for each drawing that the library makes of them. */
  lettersAsPaths(text: string, setting: LetterSetting): readonly string[];
  /**
   * Has a context put letters where they belong, between pixels too, or no more; left out where that is so from the beginning.
   * Browsers then say heights of fonts that are not those of the file.
   */
  placeLettersExactly?(ctx: Context, exactly: boolean): void;
  /** Frees pixels that nobody holds any more, where the library or its engine would wait with that. */
  freeUnused(): Promise<void>;
}

let present: Surface | null = null;

/** Puts the library in. Once per process, before anything is measured or drawn. */
export function drawWith(library: Surface): void {
  present = library;
}

/** The library that was put in. */
export function surface(): Surface {
  if (!present) throw new Error('nothing to draw with: drawWith was not called');
  return present;
}

/** What draws on a canvas; the same each time. */
export function contextOf(canvas: Canvas, settings?: ContextSettings): Context {
  const ctx = canvas.getContext('2d', settings);
  if (!ctx) throw new Error('the canvas has no context');
  return ctx;
}
