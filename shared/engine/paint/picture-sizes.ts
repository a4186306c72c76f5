/** Copies of pictures in their drawn sizes. Phase 4. */
import { contextOf, surface, type Drawable } from '../surface.ts';
import { freePixels } from './layers.ts';
import type { Size, VideoPixels } from './sources.ts';

/**
 * [Note: Sizes of a picture]
 *
 * The canvas reads four neighbouring pixels of a picture for each drawn pixel. With many more pixels than drawn ones,
 * fine detail flickers as the picture moves; with equally many it is sharp on whole pixels and dull between them; with
 * fewer it shows squares. So a moving picture is drawn from a copy with about √2 pixels per drawn one, which balances
 * both (the numbers are in docs/decisions/011-drawing-with-the-canvas.md). A picture that keeps its size gets its own
 * copy; a resizing one uses copies in steps of half an octave; a static one is cached at exactly its drawn size. The
 * choice only depends on the drawn size. Videos are decoded at about their drawn size and halved, to one to two pixels
 * per drawn one.
 */

/** How a picture moves: not now, at one size all its life, or growing and shrinking. */
export type PictureMotion = 'still' | 'glides' | 'resizes';

/** Pixels per drawn one, along a side, for a moving picture. See: [Note: Sizes of a picture] */
const spare = Math.SQRT2;

/** Doubling is for small pictures; larger ones are drawn with the plain filter. */
const largestDoubled = 16e6;

/** Pixels of a canvas on which a picture is enlarged before it is halved. */
const bandPixels = 1e6;

/** Pixels per drawn one, along the side with fewer; slightly increased, against rounding. */
export function pixelsPerDrawn(
  picture: { width: number; height: number },
  drawnWidth: number,
  drawnHeight: number,
): number {
  if (drawnWidth <= 0 || drawnHeight <= 0) return 1;
  return Math.min(picture.width / drawnWidth, picture.height / drawnHeight) * 1.0001;
}

/** The size of a picture's drawn copy. See: [Note: Sizes of a picture] */
export function sizeToKeep(
  picture: { width: number; height: number },
  drawnWidth: number,
  drawnHeight: number,
  motion: PictureMotion,
): { width: number; height: number } {
  const { width, height } = picture;
  const ratio = pixelsPerDrawn(picture, drawnWidth, drawnHeight);
  const side = (length: number): number => Math.max(1, Math.round(length));
  if (ratio < 1) {
    const doubled = Math.floor(Math.log2(largestDoubled / (width * height)) / 2);
    const times = 2 ** Math.min(Math.ceil(-Math.log2(ratio)), 2, Math.max(0, doubled));
    return { width: width * times, height: height * times };
  }
  const more = motion === 'still' ? 1 : spare;
  // One per cent less is only rounding, not worth a copy.
  if (ratio <= more * 1.01) return { width, height };
  if (motion !== 'resizes')
    return {
      width: Math.min(width, side(drawnWidth * more)),
      height: Math.min(height, side(drawnHeight * more)),
    };
  const octaves = Math.round(Math.log2(ratio / more) * 2) / 2;
  return { width: side(width / 2 ** octaves), height: side(height / 2 ** octaves) };
}

/** A copy of a picture at a size, to be kept. */
export function resized(picture: Drawable, width: number, height: number): Size {
  const inside = scaled(picture, width, height);
  const size = emptySize(width, height);
  const ctx = contextOf(size.canvas);
  const { canvas } = inside;
  ctx.drawImage(canvas, 0, 0, width + 2, height + 2);
  // The border. Drawn from another canvas, because one that is drawn on itself is copied whole for each line.
  for (const [x, y, wide, high, toX, toY] of [
    [1, 1, width, 1, 1, 0],
    [1, height, width, 1, 1, height + 1],
    [1, 1, 1, height, 0, 1],
    [width, 1, 1, height, width + 1, 1],
    [1, 1, 1, 1, 0, 0],
    [width, 1, 1, 1, width + 1, 0],
    [1, height, 1, 1, 0, height + 1],
    [width, height, 1, 1, width + 1, height + 1],
  ] as const) {
    ctx.drawImage(canvas, x, y, wide, high, toX, toY, wide, high);
  }
  freePixels(canvas);
  surface().settle?.(ctx);
  return size;
}

/** The copy with an empty border. */
function scaled(picture: Drawable, width: number, height: number): Size {
  if (width >= picture.width && height >= picture.height) {
    const size = emptySize(width, height);
    contextOf(size.canvas).imageSmoothingQuality = 'high';
    drawInside(size, picture);
    return size;
  }
  // Halved while more than 2^¼ is left: averaging a nearly right size only dulls it.
  const ratio = Math.min(picture.width / width, picture.height / height);
  const halvings = Math.floor(Math.log2(ratio) - 0.25);
  let size: Size | null = null;
  for (let halving = 1; halving <= halvings; halving++) {
    // At exactly one half the plain filter averages four pixels. An odd side loses half a pixel.
    const half = emptySize(picture.width >> halving || 1, picture.height >> halving || 1);
    fillSize(half, size ?? picture);
    if (size) freePixels(size.canvas);
    size = half;
  }
  const result = averaged(size ?? picture, width, height);
  if (size) freePixels(size.canvas);
  return result;
}

/**
 * Scales a picture to `width` × `height`, smaller than itself but more than a third: scales to twice the goal and
 * halves, which weights every pixel by its share. In bands, because twice a photograph is large.
 */
function averaged(picture: Drawable | Size, width: number, height: number): Size {
  const result = emptySize(width, height);
  const ctx = contextOf(result.canvas);
  const rows = Math.min(height, Math.max(1, Math.floor(bandPixels / (4 * width))));
  const band = surface().createCanvas(width * 2, rows * 2);
  const wide = contextOf(band);
  wide.imageSmoothingQuality = 'high';
  wide.globalCompositeOperation = 'copy';
  const [drawable, from] = 'canvas' in picture ? [picture.canvas, 1] : [picture, 0];
  for (let top = 0; top < height; top += rows) {
    // The whole picture each time, so that bands meet without a seam; what is outside of the band is not drawn.
    wide.drawImage(
      drawable,
      from,
      from,
      picture.width,
      picture.height,
      0,
      -2 * top,
      width * 2,
      height * 2,
    );
    const high = Math.min(rows, height - top);
    ctx.drawImage(band, 0, 0, width * 2, high * 2, 1, 1 + top, width, high);
  }
  freePixels(band);
  return result;
}

/** Draws a picture over the whole of a size, border included. */
export function fillSize(size: Size, picture: Drawable | Size): void {
  contextOf(size.canvas).clearRect(0, 0, size.width + 2, size.height + 2);
  drawInside(size, picture);
  addBorder(size);
}

function drawInside(size: Size, picture: Drawable | Size): void {
  const ctx = contextOf(size.canvas);
  const { width, height } = picture;
  if ('canvas' in picture)
    ctx.drawImage(picture.canvas, 1, 1, width, height, 1, 1, size.width, size.height);
  else ctx.drawImage(picture, 0, 0, width, height, 1, 1, size.width, size.height);
}

/** Repeats the outermost pixels in the border around them. */
export function addBorder({ canvas, width, height }: Size): void {
  const ctx = contextOf(canvas);
  for (const [from, to] of [
    [1, 0],
    [height, height + 1],
  ] as const) {
    ctx.clearRect(0, to, width + 2, 1);
    ctx.drawImage(canvas, 0, from, width + 2, 1, 0, to, width + 2, 1);
  }
  for (const [from, to] of [
    [1, 0],
    [width, width + 1],
  ] as const) {
    ctx.clearRect(to, 0, 1, height + 2);
    ctx.drawImage(canvas, from, 0, 1, height + 2, to, 0, 1, height + 2);
  }
}

/** A canvas for a size, border included; the caller fills it. */
export function emptySize(width: number, height: number, opaque = false): Size {
  const canvas = surface().createCanvas(width + 2, height + 2);
  contextOf(canvas, { alpha: !opaque });
  return { canvas, width, height, opaque, used: 0 };
}

/** Copies a frame to a canvas, without the border. */
export function putFrame({ canvas }: Size, { rgba, width, height }: VideoPixels): void {
  const bytes = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, width * height * 4);
  contextOf(canvas).putImageData(surface().createPixels(bytes, width, height), 1, 1);
}
