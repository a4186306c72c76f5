/**
 * Boxes and frames made by hand, for tests of painting. Values that a test does not name have plain defaults.
 */
import { createCanvas, GlobalFonts, type Canvas } from '@napi-rs/canvas';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Color, Path } from '../../shared/engine/compile/property-values.ts';
import type { TimelineElement } from '../../shared/engine/compile/timeline.ts';
import { translation, type Matrix, type Rect } from '../../shared/engine/geometry.ts';
import type {
  Box,
  Content,
  Frame,
  TextContent,
  TextPiece,
} from '../../shared/engine/layout/box.ts';
import type {
  Paint,
  PixelEffects,
  Shadow,
  Stroke,
} from '../../shared/engine/layout/paint-values.ts';
import type { Painter } from '../../shared/engine/paint/paint.ts';
import type { Sources, VideoFrame } from '../../shared/engine/paint/sources.ts';
import type { Drawable } from '../../shared/engine/surface.ts';
import { createPainter } from './painter.ts';

export const red: Color = [255, 0, 0, 1];
export const green: Color = [0, 255, 0, 1];
export const blue: Color = [0, 0, 255, 1];
export const white: Color = [255, 255, 255, 1];
export const black: Color = [0, 0, 0, 1];

/** One colour. */
export function solid(color: Color): Paint {
  return { kind: 'solid', color };
}

/** A gradient along a part of the x axis, with evenly spaced stops. */
export function across(x0: number, x1: number, ...colors: Color[]): Paint {
  const stops = colors.map((color, index) => ({ offset: index / (colors.length - 1), color }));
  return { kind: 'linear', x0, y0: 0, x1, y1: 0, stops };
}

/** A whole stroke with round joins. */
export function stroke(width: number, color: Color, more: Partial<Stroke> = {}): Stroke {
  return {
    paint: solid(color),
    width,
    cap: 'round',
    join: 'round',
    start: 0,
    end: 1,
    offset: 0,
    ...more,
  };
}

export function shadow(blur: number, x: number, y: number, color: Color = black): Shadow {
  return { color, blur, x, y };
}

/** Effects; unnamed ones do nothing. */
export function effects(more: Partial<PixelEffects>): PixelEffects {
  const none = {
    key: null,
    grade: null,
    lut: null,
    vignette: 0,
    filter: 'none',
    filterValue: 0,
  } as const;
  return { ...none, overlay: null, blur: 0, blurMode: 'stack', ...more };
}

/** The outline of a rectangle. */
export function rectPath(x: number, y: number, width: number, height: number): Path {
  return [
    ['M', x, y],
    ['L', x + width, y],
    ['L', x + width, y + height],
    ['L', x, y + height],
    ['Z'],
  ];
}

let elements = 0;

/** The parts of a timeline element that painting reads: a path, and whether it ever moves. */
export function element(moving = false): TimelineElement {
  const curves = moving ? { x: { mix: 'length', keys: [] } } : {};
  // Painting reads these three members only; a whole element would hide which.
  return {
    path: `elements[${elements++}]`,
    animations: [],
    values: { base: {}, curves },
  } as unknown as TimelineElement;
}

/** A box at (x, y) of its parent. */
export function box(content: Content, { x, y, width, height }: Rect, more: Partial<Box> = {}): Box {
  return {
    element: element(),
    width,
    height,
    transform: translation(x, y),
    contentTransform: null,
    opacity: 1,
    blendMode: 'none',
    fill: null,
    stroke: null,
    shadow: null,
    borderRadius: 0,
    clip: false,
    clipPaths: [],
    effects: null,
    mask: null,
    repeat: false,
    content,
    ...more,
  };
}

/** Short form for a rectangle's place. */
export function at(x: number, y: number, width: number, height: number): Rect {
  return { x, y, width, height };
}

/** A rectangular shape in one colour. */
export function rectangle(place: Rect, color: Color | null, more: Partial<Box> = {}): Box {
  const path = rectPath(0, 0, place.width, place.height);
  return box({ kind: 'shape', path }, place, { fill: color ? solid(color) : null, ...more });
}

/** A composition whose children are placed from its corner. */
export function group(place: Rect, children: readonly Box[], more: Partial<Box> = {}): Box {
  return box({ kind: 'composition', originX: 0, originY: 0, children }, place, more);
}

/** A picture that fills its box, or `rect`. */
export function picture(source: string, place: Rect, more: Partial<Box> = {}, rect?: Rect): Box {
  const window = { x: 0, y: 0, width: place.width, height: place.height };
  const whole = rect ?? window;
  return box(
    { kind: 'media', media: 'image', source, mediaTime: 0, mediaSpeed: 1, rect: whole, window },
    place,
    more,
  );
}

/** A frame of a video that fills its box. */
export function video(place: Rect, more: Partial<Box> = {}): Box {
  const rect = { x: 0, y: 0, width: place.width, height: place.height };
  const window = rect;
  return box(
    { kind: 'media', media: 'video', source: 'video', mediaTime: 0, mediaSpeed: 1, rect, window },
    place,
    more,
  );
}

/** Text on one line with its baseline at `size` from the top. */
export function line(
  text: string,
  size: number,
  more: Partial<TextPiece> = {},
  weight = 600,
): TextContent {
  const width = text.length * size * 0.62;
  const font = { family: 'Paint Test', weight, style: 'normal', size } as const;
  const run = { text, x: 0, y: size, width, font, letterSpacing: 0, color: null };
  const piece = {
    runs: [run],
    bounds: at(0, 0, width, size * 1.3),
    opacity: 1,
    transform: null,
    clip: null,
    ...more,
  };
  return { kind: 'text', backgrounds: [], pieces: [piece] };
}

/** A scaled and turned box transform. */
export function turned(degrees: number, scale: number, x: number, y: number): Matrix {
  const cos = Math.cos((degrees * Math.PI) / 180) * scale;
  const sin = Math.sin((degrees * Math.PI) / 180) * scale;
  return [cos, sin, -sin, cos, x, y];
}

/** Frames of `width` × `height` document pixels. */
export function frame(
  width: number,
  height: number,
  boxes: readonly Box[],
  fill: Color | null = white,
): Frame {
  return { width, height, fill: fill && solid(fill), boxes };
}

/** Pictures and video frames made by hand, and the test font. */
export function sources(
  pictures: Record<string, Drawable> = {},
  frames: Record<string, VideoFrame> = {},
): Sources {
  return {
    pictures: { image: (source) => pictures[source] ?? null },
    videos: { frame: (path) => frames[path] ?? null },
    fonts: {
      css: ({ family, weight, style, size }) => `${style} ${weight} ${size}px "${family}"`,
    },
  };
}

/** Registers the font that `line` uses. */
export function registerTestFont(): void {
  const file =
    '../../node_modules/@fontsource-variable/montserrat/files/montserrat-latin-wght-normal.woff2';
  GlobalFonts.registerFromPath(fileURLToPath(new URL(file, import.meta.url)), 'Paint Test');
}

/** A painter for frames of this size, at a scale. */
export function painter(
  width: number,
  height: number,
  options: { sources?: Sources; scale?: number; transparent?: boolean } = {},
): Painter<Canvas> {
  const { scale = 1, transparent = false } = options;
  return createPainter({
    width: width * scale,
    height: height * scale,
    documentWidth: width,
    documentHeight: height,
    transparent,
    sources: options.sources ?? sources(),
  });
}

/** A canvas drawn by hand, for use as a picture. */
export function drawn(
  width: number,
  height: number,
  draw: (ctx: ReturnType<Canvas['getContext']>) => void,
): Canvas {
  const canvas = createCanvas(width, height);
  draw(canvas.getContext('2d'));
  return canvas;
}

/** Red, green, blue, opacity of one pixel. */
export function pixel(canvas: Canvas, x: number, y: number): number[] {
  return [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];
}

/** Sides of the frames that `paint` makes, document pixels. */
export const side = 100;

/** 0 and 255 mixed in equal parts. */
export const mixed = 127;

/** Half red, half blue, 200 × 100. */
export const halves = drawn(200, 100, (ctx) => {
  ctx.fillStyle = '#f00';
  ctx.fillRect(0, 0, 100, 100);
  ctx.fillStyle = '#00f';
  ctx.fillRect(100, 0, 100, 100);
});

/** The picture `halves`. */
export const plainSources = sources({ halves });

/** Paints boxes on a new frame; `fill: null`: on transparency. */
export function paint(
  boxes: readonly Box[],
  options: { fill?: Color | null; sources?: Sources; scale?: number } = {},
): Canvas {
  const { fill = white, scale = 1 } = options;
  const opened = painter(side, side, {
    sources: options.sources ?? plainSources,
    scale,
    transparent: fill === null,
  });
  // Small frames are painted at once.
  void opened.paint(frame(side, side, boxes, fill));
  return opened.canvas;
}

/** The largest difference of any channel of two canvases of one size. */
export function distance(one: Canvas, two: Canvas): number {
  const first = one.data();
  const second = two.data();
  let largest = 0;
  for (let index = 0; index < first.length; index++) {
    largest = Math.max(largest, Math.abs(first[index]! - second[index]!));
  }
  return largest;
}

/** Fails unless a pixel has this colour, give or take rounding. */
export function expectPixel(
  canvas: Canvas,
  x: number,
  y: number,
  color: readonly number[],
  tolerance = 2,
): void {
  const found = pixel(canvas, x, y);
  const expected = color.length === 3 ? [...color, 255] : color;
  const off = expected.some((value, index) => Math.abs(value - found[index]!) > tolerance);
  if (off) expect(found, `pixel ${x}, ${y}`).toEqual(expected);
}
