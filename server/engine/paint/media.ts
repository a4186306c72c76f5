/**
 * Pictures and frames of videos: brought to a good size, cut to their box, drawn. Phase 4. Files and decoding are the
 * assets phase's business.
 */
import { createCanvas, ImageData, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { mappedBounds, multiply, type Matrix, type Rect } from '../geometry.ts';
import type { Box, MediaContent } from '../layout/box.ts';
import { visiblePart } from './bounds.ts';
import { freePixels } from './layers.ts';
import { roundedRect } from './shape.ts';
import type { Drawable, Sources, VideoFrame } from './sources.ts';

/**
 * [Note: Sizes of a picture]
 *
 * The canvas reads four neighbouring pixels of a picture for each pixel that it draws. With many more pixels than drawn
 * ones fine detail flickers as the picture moves, with just as many it is sharp on whole pixels and dull between them,
 * with less it shows squares. So what is drawn is a copy with about √2 of its pixels for each drawn one, which is dull and
 * flickers least (README.md has the numbers). A picture that keeps its size gets a copy made for it; one that is resized
 * takes from copies that differ by half an octave. A picture that never moves is kept at the very size in which it is
 * drawn. The choice depends on the drawn size alone. Videos are decoded at about the size in which they are drawn; theirs
 * are halvings, one to two pixels for each.
 */
interface Size {
  /** The picture with a border of one pixel all around that repeats its edge. */
  readonly canvas: Canvas;
  /** Without the border. */
  readonly width: number;
  readonly height: number;
  /** The canvas has no opacity. */
  readonly opaque: boolean;
  /** Every pixel turned out to be opaque; undefined = nobody has asked yet. */
  solid?: boolean;
  /** Number of the frame in which it was last drawn. */
  used: number;
}

interface VideoPicture {
  serial: number;
  /** The frame, then its halvings; their canvases are used again for every frame. */
  readonly sizes: Size[];
  /** How many of the sizes show the present frame. */
  current: number;
  /** Whether the border of the first size does. */
  bordered: boolean;
  used: number;
}

/** Bytes of pictures at their sizes; beyond it, those not drawn for longest go. */
const keptBytes = 256 * 2 ** 20;

/** How a picture moves over its life: not at all, at one size, or growing and shrinking. */
export type PictureMotion = 'still' | 'glides' | 'resizes';

/** Pixels of a picture for each drawn one, along a side, where it moves. See: [Note: Sizes of a picture] */
const spare = Math.SQRT2;

/** Doubling is for small pictures; larger ones are drawn with the plain filter. */
const largestDoubled = 16e6;

/** Pixels of a canvas on which a picture is enlarged before it is halved. */
const bandPixels = 4e6;

/** Frames after which an unused video gives its canvas up. */
const framesUnused = 30;

/** Keeps pictures and video frames at the sizes in which they are drawn. */
export class MediaShelf {
  readonly #sources: Sources;
  readonly #pictures = new Map<Drawable, Map<string, Size>>();
  readonly #videos = new Map<string, VideoPicture>();
  #frame = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /**
   * Draws a picture or the frame of a video, cut to the box and its round corners. The context's transform must be
   * `matrix`, box space → pixels with the content transform in it. Draws nothing when there is no picture.
   */
  draw(
    ctx: SKRSContext2D,
    box: Box,
    content: MediaContent,
    matrix: Matrix,
    motion: PictureMotion,
  ): void {
    const part = visiblePart(box, content);
    if (!part) return;
    const { rect } = content;
    // Where the content moves inside a box that cuts it, the round corners stay with the box.
    const radius = box.contentTransform && box.clip ? 0 : box.borderRadius;
    const fits = radius <= 0 && onWholePixels(matrix, part);
    const whole = fits && sameRect(part, rect);
    const size = this.#sizeFor(box, content, matrix, { whole, motion });
    if (!size) return;
    const { canvas, width, height } = size;
    ctx.save();
    if (!whole) ctx.clip(roundedRect(part, radius));
    if (whole) {
      ctx.drawImage(canvas, 1, 1, width, height, rect.x, rect.y, rect.width, rect.height);
    } else {
      // The canvas does not soften the edge of a picture that lies between pixels; the cut does, given pixels on both
      // sides of it: that is what the border is for.
      const x = rect.width / width;
      const y = rect.height / height;
      ctx.drawImage(
        canvas,
        0,
        0,
        width + 2,
        height + 2,
        rect.x - x,
        rect.y - y,
        rect.width + 2 * x,
        rect.height + 2 * y,
      );
    }
    ctx.restore();
  }

  /**
   * The rectangle, in box space, that a picture fills with opaque pixels up to edges that lie on whole pixels: there a
   * colour may simply be painted over it. Null when it is not so. `matrix` = box space → pixels.
   */
  solidArea(box: Box, content: MediaContent, matrix: Matrix): Rect | null {
    const area = box.contentTransform ? coveredBox(box, content) : visiblePart(box, content);
    if (!area || box.borderRadius > 0 || !onWholePixels(matrix, area)) return null;
    const map = box.contentTransform ? multiply(matrix, box.contentTransform) : matrix;
    const size = this.#sizeFor(box, content, map, { whole: false, motion: 'resizes' });
    if (!size) return null;
    size.solid ??= size.opaque || isSolid(size);
    return size.solid ? area : null;
  }

  /** To be called after every frame: lets go of what has not been drawn for a while. */
  endFrame(): void {
    this.#frame++;
    for (const [path, { used }] of this.#videos) {
      if (this.#frame - used > framesUnused) this.#videos.delete(path);
    }
    this.#dropOldest();
  }

  /** Lets go of all pictures. */
  close(): void {
    this.#pictures.clear();
    this.#videos.clear();
  }

  /** `whole` = edges are on whole pixels and nothing is cut: in its own size a frame needs no border. */
  #sizeFor(
    box: Box,
    content: MediaContent,
    matrix: Matrix,
    { whole, motion }: { whole: boolean; motion: PictureMotion },
  ): Size | null {
    const drawnWidth = content.rect.width * Math.hypot(matrix[0], matrix[1]);
    const drawnHeight = content.rect.height * Math.hypot(matrix[2], matrix[3]);
    if (content.media === 'video') {
      const { path } = box.element;
      const frame = this.#sources.videos.frame(path);
      return frame && isSomething(frame)
        ? this.#videoSize(path, frame, drawnWidth, drawnHeight, whole)
        : null;
    }
    const picture = this.#sources.pictures.image(
      content.source,
      drawnWidth,
      drawnHeight,
      content.mediaTime,
    );
    if (!picture || !isSomething(picture)) return null;
    const turned = matrix[1] !== 0 || matrix[2] !== 0;
    const moves = box.contentTransform
      ? 'resizes'
      : turned && motion === 'still'
        ? 'glides'
        : motion;
    return this.#pictureSize(picture, drawnWidth, drawnHeight, moves);
  }

  #pictureSize(
    picture: Drawable,
    drawnWidth: number,
    drawnHeight: number,
    motion: PictureMotion,
  ): Size {
    let sizes = this.#pictures.get(picture);
    if (!sizes) this.#pictures.set(picture, (sizes = new Map<string, Size>()));
    const { width, height } = sizeToKeep(picture, drawnWidth, drawnHeight, motion);
    const key = `${width}×${height}`;
    let size = sizes.get(key);
    if (!size) sizes.set(key, (size = resized(picture, width, height)));
    size.used = this.#frame;
    return size;
  }

  #videoSize(
    path: string,
    frame: VideoFrame,
    drawnWidth: number,
    drawnHeight: number,
    whole: boolean,
  ): Size {
    const { width, height, serial } = frame;
    let picture = this.#videos.get(path);
    if (picture?.sizes[0]?.width !== width || picture.sizes[0].height !== height) {
      picture = {
        serial: Number.NaN,
        sizes: [emptySize(width, height)],
        current: 0,
        bordered: false,
        used: 0,
      };
      this.#videos.set(path, picture);
    }
    const { sizes } = picture;
    let size = sizes[0] ?? emptySize(width, height);
    picture.used = this.#frame;
    if (picture.serial !== serial) {
      const opaque = frame.opaque ?? isOpaque(frame.rgba);
      // Bringing pixels into a canvas that has opacity costs twice as much: they have to be multiplied by it.
      if (size.opaque !== opaque) sizes[0] = size = emptySize(width, height, opaque);
      putFrame(size, frame);
      picture.serial = serial;
      picture.current = 1;
      picture.bordered = false;
    }
    const halvings = halvingsOf(frame, drawnWidth, drawnHeight);
    for (; picture.current <= halvings; picture.current++) {
      const half = (sizes[picture.current] ??= emptySize(
        size.width >> picture.current || 1,
        size.height >> picture.current || 1,
      ));
      fillSize(half, sizes[picture.current - 1] ?? size);
    }
    // The canvas reads across the picture's edge as soon as it draws it in another size.
    const asIs = whole && sameLength(drawnWidth, width) && sameLength(drawnHeight, height);
    if (!picture.bordered && !asIs && halvings === 0) {
      addBorder(size);
      picture.bordered = true;
    }
    return sizes[halvings] ?? size;
  }

  #dropOldest(): void {
    const all = [...this.#pictures].flatMap(([drawable, sizes]) =>
      [...sizes].map(([key, size]) => ({
        drawable,
        key,
        size,
        bytes: size.canvas.width * size.canvas.height * 4,
      })),
    );
    let bytes = all.reduce((sum, entry) => sum + entry.bytes, 0);
    if (bytes <= keptBytes) return;
    for (const entry of all.sort((a, b) => a.size.used - b.size.used)) {
      // What the last frame drew, the next will draw again.
      if (bytes <= keptBytes || entry.size.used >= this.#frame - 1) return;
      const sizes = this.#pictures.get(entry.drawable);
      sizes?.delete(entry.key);
      freePixels(entry.size.canvas);
      // Frames of animated pictures come and go; an entry would hold their pixels.
      if (sizes?.size === 0) this.#pictures.delete(entry.drawable);
      bytes -= entry.bytes;
    }
  }
}

/** Pixels of a picture for each drawn one, along the side that has fewer; a little more, against rounding. */
function pixelsPerDrawn(
  picture: { width: number; height: number },
  drawnWidth: number,
  drawnHeight: number,
): number {
  if (drawnWidth <= 0 || drawnHeight <= 0) return 1;
  return Math.min(picture.width / drawnWidth, picture.height / drawnHeight) * 1.0001;
}

/** How often a frame of a video is to be halved to have one to two pixels for each drawn one. */
function halvingsOf(frame: VideoFrame, drawnWidth: number, drawnHeight: number): number {
  const most = Math.floor(Math.log2(Math.min(frame.width, frame.height)));
  const wanted = Math.floor(Math.log2(pixelsPerDrawn(frame, drawnWidth, drawnHeight)));
  return Math.max(0, Math.min(wanted, most));
}

/** The size of the copy of a picture that is drawn. See: [Note: Sizes of a picture] */
function sizeToKeep(
  picture: Drawable,
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
  // A hundredth less is the rounding of sizes, not worth a copy.
  if (ratio <= more * 1.01) return { width, height };
  if (motion !== 'resizes')
    return {
      width: Math.min(width, side(drawnWidth * more)),
      height: Math.min(height, side(drawnHeight * more)),
    };
  const octaves = Math.round(Math.log2(ratio / more) * 2) / 2;
  return { width: side(width / 2 ** octaves), height: side(height / 2 ** octaves) };
}

/** A copy of a picture at a size. */
function resized(picture: Drawable, width: number, height: number): Size {
  if (width >= picture.width && height >= picture.height) {
    const size = emptySize(width, height);
    size.canvas.getContext('2d').imageSmoothingQuality = 'high';
    fillSize(size, picture);
    return size;
  }
  // Halved as long as more than 2^¼ is left: averaging what has nearly the right size already only dulls it.
  const ratio = Math.min(picture.width / width, picture.height / height);
  const halvings = Math.floor(Math.log2(ratio) - 0.25);
  let size: Size | null = null;
  for (let halving = 1; halving <= halvings; halving++) {
    // At exactly one half the plain filter takes the average of four pixels. An odd side loses half a pixel.
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
 * A picture brought to `width` × `height`, less than itself and more than a third of it: brought to twice the goal and
 * halved, which weighs every pixel by the share of it that counts. In bands, because twice a photograph is large.
 */
function averaged(picture: Drawable | Size, width: number, height: number): Size {
  const result = emptySize(width, height);
  const ctx = result.canvas.getContext('2d');
  const rows = Math.min(height, Math.max(1, Math.floor(bandPixels / (4 * width))));
  const band = createCanvas(width * 2, rows * 2);
  const wide = band.getContext('2d');
  wide.imageSmoothingQuality = 'high';
  wide.globalCompositeOperation = 'copy';
  const [drawable, from] = 'canvas' in picture ? [picture.canvas, 1] : [picture, 0];
  for (let top = 0; top < height; top += rows) {
    // The whole picture each time, so that bands meet without a seam; what lies outside of the band is not drawn.
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
  addBorder(result);
  return result;
}

/** Draws a picture over the whole of a size, border included. */
function fillSize(size: Size, picture: Drawable | Size): void {
  const ctx = size.canvas.getContext('2d');
  ctx.clearRect(0, 0, size.width + 2, size.height + 2);
  const { width, height } = picture;
  if ('canvas' in picture)
    ctx.drawImage(picture.canvas, 1, 1, width, height, 1, 1, size.width, size.height);
  else ctx.drawImage(picture, 0, 0, width, height, 1, 1, size.width, size.height);
  addBorder(size);
}

/** Repeats the outermost pixels in the border around them. */
function addBorder({ canvas, width, height }: Size): void {
  const ctx = canvas.getContext('2d');
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

function emptySize(width: number, height: number, opaque = false): Size {
  const canvas = createCanvas(width + 2, height + 2);
  canvas.getContext('2d', { alpha: !opaque });
  return { canvas, width, height, opaque, used: 0 };
}

/** Brings a frame into a canvas, without the border. */
function putFrame({ canvas }: Size, { rgba, width, height }: VideoFrame): void {
  const bytes = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, width * height * 4);
  canvas.getContext('2d').putImageData(new ImageData(bytes, width, height), 1, 1);
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

/** True when a rectangle falls on whole pixels, so that its edges need no softening. */
function onWholePixels(matrix: Matrix, { x, y, width, height }: Rect): boolean {
  const [a, b, c, d, e, f] = matrix;
  if (b !== 0 || c !== 0) return false;
  return [a * x + e, a * (x + width) + e, d * y + f, d * (y + height) + f].every((edge) =>
    sameLength(edge, Math.round(edge)),
  );
}

/** Equal up to a thousandth of a pixel. */
function sameLength(one: number, two: number): boolean {
  return Math.abs(one - two) < 1e-3;
}

function sameRect(one: Rect, two: Rect): boolean {
  return one.x === two.x && one.y === two.y && one.width === two.width && one.height === two.height;
}

/** True when a size without its border has no pixel that lets something through. */
function isSolid({ canvas, width, height }: Size): boolean {
  const { data } = canvas.getContext('2d').getImageData(1, 1, width, height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** The box when it cuts its moving content and the content covers all of it without turning; else null. */
function coveredBox(
  { width, height, clip, contentTransform }: Box,
  { rect }: MediaContent,
): Rect | null {
  if (!clip || !contentTransform || contentTransform[1] !== 0 || contentTransform[2] !== 0)
    return null;
  const moved = mappedBounds(contentTransform, rect);
  const covers =
    moved.x <= 0 &&
    moved.y <= 0 &&
    moved.x + moved.width >= width &&
    moved.y + moved.height >= height;
  return covers ? { x: 0, y: 0, width, height } : null;
}

function isSomething({ width, height }: { width: number; height: number }): boolean {
  return width > 0 && height > 0;
}
