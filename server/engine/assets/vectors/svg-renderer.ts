/**
 * Phase 1, vector pictures: the renderer, resvg as WebAssembly: the same pixels on every system, no files, no
 * addresses.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas';
import { straightenAlpha } from '../../routines.ts';

/** An SVG as the renderer takes it. */
export interface PlainSvg {
  /** With `sizeMark` in its root. */
  readonly text: string;
  /** The root's own colour behind everything; null: none. */
  readonly background: string | null;
}

/** What stands where the size in pixels goes. */
export const sizeMark = 'width="fw" height="fw"';

let ready: Promise<void> | null = null;

/** Loads the renderer, once per thread. Await it before `drawSvg`. */
export function loadSvgRenderer(): Promise<void> {
  return (ready ??= initWasm(
    readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')),
  ));
}

/**
 * Draws an SVG.
 *
 * @param width Pixels, a whole number of 1 or more; so is height.
 * @throws Error if it is damaged.
 */
export function drawSvg({ text, background }: PlainSvg, width: number, height: number): Canvas {
  const sized = text.replace(sizeMark, `width="${width}" height="${height}"`);
  const svg = new Resvg(sized, background === null ? {} : { background });
  try {
    const image = svg.render();
    const pixels = new Uint8ClampedArray(image.pixels);
    image.free();
    straightenAlpha(pixels);
    const canvas = createCanvas(width, height);
    canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
    return canvas;
  } finally {
    svg.free();
  }
}
