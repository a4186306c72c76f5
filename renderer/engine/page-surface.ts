/**
 * The engine's drawing library in a page: the browser's own canvas. What a browser can't tell stays as it is drawn:
 * letters are not given away as paths, and overlapping contours are not united, so that outlined letters of variable
 * fonts show their inner lines.
 */
import type { Canvas, ContextSettings, Surface } from '../../shared/engine/surface.ts';
import { boundsOf, pathData, PagePath, trimmed } from './page-path.ts';
import { setByWords } from './set-by-words.ts';
import { softenCuts } from './soft-cuts.ts';

/** Pixels that are read often: without that, they go to the graphics card and back. */
class PageCanvas extends OffscreenCanvas {
  #context: OffscreenCanvasRenderingContext2D | null = null;

  // @ts-expect-error The other kinds of contexts are left out.
  override getContext(kind: '2d', settings?: ContextSettings) {
    if (!this.#context) {
      this.#context = super.getContext(kind, { ...settings, willReadFrequently: true });
      if (this.#context) {
        softenCuts(this.#context);
        setByWords(this.#context);
      }
    }
    return this.#context;
  }
}

/**
 * For `drawWith`. Whatever it is handed, it has made; the types of the page are wider than the engine's or narrower.
 */
export const pageSurface = {
  createCanvas: (width: number, height: number) =>
    new PageCanvas(width, height) as unknown as Canvas,
  createPath: (from) => new PagePath(from),
  createPixels: (data, width, height) =>
    new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height),
  createTiles(ctx, pixels) {
    const tile = new OffscreenCanvas(pixels.width, pixels.height);
    tile.getContext('2d')?.putImageData(pixels as ImageData, 0, 0);
    const context = ctx as unknown as OffscreenCanvasRenderingContext2D;
    return context.createPattern(tile, 'repeat');
  },
  trimmed,
  united: (path) => path,
  boundsOf,
  pathData,
  lettersAsPaths: () => [],
  placeLettersExactly(ctx, exactly) {
    const context = ctx as unknown as OffscreenCanvasRenderingContext2D;
    context.textRendering = exactly ? 'geometricPrecision' : 'auto';
  },
  freeUnused: () => Promise.resolve(),
} satisfies Surface;
