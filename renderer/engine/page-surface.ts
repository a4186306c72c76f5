/**
 * The engine's drawing library in a page: the browser's own canvas. What a browser can't tell stays as it is drawn:
 * letters are not given away as paths, and overlapping contours are not united, so that outlined letters of variable
 * fonts show their inner lines.
 */
import type { Canvas, ContextSettings, Surface } from '../../shared/engine/surface.ts';
import { boundsOf, pathData, PagePath, trimmed } from './page-path.ts';
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

type Draw = (text: string, x: number, y: number) => void;

/**
 * Makes a context measure and draw words and spaces apart. Where letters are placed exactly, browsers kern them with
 * the spaces beside them; the server's library does not, and its lines are longer.
 */
function setByWords(context: OffscreenCanvasRenderingContext2D): void {
  const measure = context.measureText.bind(context);
  const widthOf = (text: string): number => measure(text).width;
  context.measureText = (text) => {
    if (!hasSpaces(text)) return measure(text);
    const { fontBoundingBoxAscent, fontBoundingBoxDescent } = measure(' ');
    const width = partsOf(text).reduce((sum, part) => sum + widthOf(part), 0);
    // As much of it as `Context` of the engine knows.
    return { width, fontBoundingBoxAscent, fontBoundingBoxDescent } as TextMetrics;
  };
  const spelt = (draw: Draw): Draw => {
    return (text, x, y) => {
      if (!hasSpaces(text)) {
        draw(text, x, y);
        return;
      }
      const parts = partsOf(text);
      let left = x;
      for (const part of context.direction === 'rtl' ? parts.toReversed() : parts) {
        if (part.trim() !== '') draw(part, left, y);
        left += widthOf(part);
      }
    };
  };
  context.fillText = spelt(context.fillText.bind(context));
  context.strokeText = spelt(context.strokeText.bind(context));
}

const hasSpaces = (text: string): boolean => text.includes(' ') && text !== ' ';

/** Words and the spaces between them, each space by itself. */
const partsOf = (text: string): string[] => text.split(/( )/).filter((part) => part !== '');
