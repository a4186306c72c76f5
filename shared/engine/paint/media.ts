/**
 * Pictures and frames of videos: scaled, clipped to their box, drawn. Phase 4. The assets phase handles files and
 * decoding.
 */
import { mappedBounds, multiply, type Matrix, type Rect } from '../geometry.ts';
import type { Box, MediaContent } from '../layout/box.ts';
import { contextOf, type Context, type Drawable } from '../surface.ts';
import { visiblePart } from './bounds.ts';
import { freePixels } from './layers.ts';
import {
  addBorder,
  emptySize,
  fillSize,
  pixelsPerDrawn,
  putFrame,
  resized,
  sizeToKeep,
  type PictureMotion,
} from './picture-sizes.ts';
import { roundedRect } from './shape.ts';
import { applyLook, colorLook, lookName, type ColorLook } from './looks.ts';
import type { Size, Sources, StillPicture, VideoFrame, VideoPixels } from './sources.ts';

interface VideoPicture {
  serial: number;
  /** The look that the frame has, null for none, and its pixels. */
  look: ColorLook | null;
  looked?: Int32Array;
  /** The frame, then its halvings; their canvases are reused for every frame. */
  readonly sizes: Size[];
  /** How many of the sizes show the current frame. */
  current: number;
  /** Whether the first size's border does. */
  bordered: boolean;
  used: number;
}

/** Bytes of scaled pictures; beyond it, the least recently drawn go. */
const keptBytes = 64 * 2 ** 20;

/** After this many frames an unused video drops its canvas. */
const framesUnused = 30;

/** Caches pictures and video frames at their drawn sizes. */
export class MediaPainter {
  readonly #sources: Sources;
  readonly #pictures = new Map<Drawable | StillPicture, Map<string, Size>>();
  /** By clip, or the element's path. */
  readonly #videos = new Map<number | string, VideoPicture>();
  #frame = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /**
   * Draws a picture or the frame of a video, clipped to its window and round corners. The context's transform must be
   * `matrix`, box space → pixels with the content transform in it. Draws nothing without a picture.
   */
  draw(ctx: Context, box: Box, content: MediaContent, matrix: Matrix, motion: PictureMotion): void {
    const part = visiblePart(box, content);
    if (!part) return;
    const { rect } = content;
    // If the content moves inside its window, the round corners stay with the window.
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
      // The canvas does not soften a picture's edge between pixels; the clip does, if there are pixels on both sides:
      // that is what the border is for.
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
   * The rectangle, in box space, that a picture fills with opaque pixels up to edges on whole pixels or out of view, so
   * that a colour may simply be painted over it. Null if there is none. `matrix` = box space → pixels, of which `view`
   * can be seen.
   */
  solidArea(box: Box, content: MediaContent, matrix: Matrix, view: Rect): Rect | null {
    const area = filledArea(box, content);
    if (!area || box.borderRadius > 0 || !onWholePixels(matrix, area, view)) return null;
    const map = box.contentTransform ? multiply(matrix, box.contentTransform) : matrix;
    const size = this.#sizeFor(box, content, map, { whole: false, motion: 'resizes' });
    if (!size) return null;
    size.solid ??= size.opaque || isSolid(size);
    return size.solid ? area : null;
  }

  /**
   * True if a video's frame gets the look of its box before it is drawn: nothing else is in the box, and its pixels are
   * here. Reading them from a canvas would take longer than all of the look.
   */
  putsLook(box: Box): boolean {
    return this.#lookToPut(box) !== null;
  }

  #lookToPut({ content, effects, fill, stroke, element }: Box): ColorLook | null {
    if (content.kind !== 'media' || content.media !== 'video' || fill || stroke) return null;
    const look = colorLook(effects, this.#sources.luts);
    const frame = look && this.#sources.videos.frame(element.path);
    return frame && 'rgba' in frame ? look : null;
  }

  /** Call after every frame: drops what has not been drawn for a while. */
  endFrame(): void {
    this.#frame++;
    for (const [key, { used }] of this.#videos) {
      if (this.#frame - used > framesUnused) this.#videos.delete(key);
    }
    this.#dropOldest();
  }

  /** Frees all pictures; passes on copies that a later render may use. */
  close(): void {
    for (const [picture, sizes] of this.#pictures)
      if ('keep' in picture) for (const size of sizes.values()) picture.keep(size);
    this.#pictures.clear();
    this.#videos.clear();
  }

  /** `whole` = edges are on whole pixels and nothing is clipped: an unscaled frame then needs no border. */
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
      if (!frame || !isSomething(frame)) return null;
      const look = this.#lookToPut(box);
      const key = look ? path : (frame.clip ?? path);
      return this.#videoSize(key, frame, look, drawnWidth, drawnHeight, whole);
    }
    const { pictures } = this.#sources;
    const picture =
      pictures.still?.(content.source) ??
      pictures.image(content.source, drawnWidth, drawnHeight, content.mediaTime);
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
    picture: Drawable | StillPicture,
    drawnWidth: number,
    drawnHeight: number,
    motion: PictureMotion,
  ): Size {
    let sizes = this.#pictures.get(picture);
    if (!sizes) this.#pictures.set(picture, (sizes = new Map<string, Size>()));
    const { width, height } = sizeToKeep(picture, drawnWidth, drawnHeight, motion);
    const key = `${width}×${height}`;
    let size = sizes.get(key);
    if (!size) sizes.set(key, (size = copyOf(picture, width, height)));
    size.used = this.#frame;
    return size;
  }

  #videoSize(
    key: number | string,
    frame: VideoFrame,
    look: ColorLook | null,
    drawnWidth: number,
    drawnHeight: number,
    whole: boolean,
  ): Size {
    const { width, height, serial } = frame;
    let picture = this.#videos.get(key);
    if (picture?.sizes[0]?.width !== width || picture.sizes[0].height !== height) {
      picture = {
        serial: Number.NaN,
        look: null,
        sizes: 'drawing' in frame ? [frame.drawing] : [emptySize(width, height)],
        current: 0,
        bordered: false,
        used: 0,
      };
      this.#videos.set(key, picture);
    }
    const { sizes } = picture;
    picture.used = this.#frame;
    // Another clip of the same element counts anew.
    const isOther = 'drawing' in frame && picture.sizes[0] !== frame.drawing;
    if (picture.serial !== serial || isOther || !sameLook(picture.look, look)) {
      sizes[0] = filled(sizes[0], frame, look, picture);
      picture.look = look;
      for (const one of sizes) delete one.solid;
      picture.serial = serial;
      picture.current = 1;
      picture.bordered = false;
    }
    const size = sizes[0] ?? emptySize(width, height);
    const halvings = halvingsOf(frame, drawnWidth, drawnHeight);
    for (; picture.current <= halvings; picture.current++) {
      const half = (sizes[picture.current] ??= emptySize(
        size.width >> picture.current || 1,
        size.height >> picture.current || 1,
      ));
      fillSize(half, sizes[picture.current - 1] ?? size);
    }
    // A scaled drawing reads across the picture's edge.
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
      // The next frame will draw what the last one did.
      if (bytes <= keptBytes || entry.size.used >= this.#frame - 1) return;
      const sizes = this.#pictures.get(entry.drawable);
      sizes?.delete(entry.key);
      freePixels(entry.size.canvas);
      // Frames of animated pictures come and go; an entry would keep their pixels.
      if (sizes?.size === 0) this.#pictures.delete(entry.drawable);
      bytes -= entry.bytes;
    }
  }
}

function copyOf(picture: Drawable | StillPicture, width: number, height: number): Size {
  if (!('pixels' in picture)) return resized(picture, width, height);
  return picture.take(width, height) ?? resized(picture.pixels(), width, height);
}

/** How often to halve a video frame to get one to two pixels per drawn one. */
function halvingsOf(frame: VideoFrame, drawnWidth: number, drawnHeight: number): number {
  const most = Math.floor(Math.log2(Math.min(frame.width, frame.height)));
  const wanted = Math.floor(Math.log2(pixelsPerDrawn(frame, drawnWidth, drawnHeight)));
  return Math.max(0, Math.min(wanted, most));
}

/** A frame on a canvas: its own, else on `known` if that is of the right kind. */
function filled(
  known: Size | undefined,
  frame: VideoFrame,
  look: ColorLook | null,
  picture: VideoPicture,
): Size {
  if ('drawing' in frame) return frame.drawing;
  const opaque = !look?.key && (frame.opaque ?? isOpaque(frame.rgba));
  // Copying pixels to a canvas with alpha costs twice as much: they must be multiplied.
  const size = known?.opaque === opaque ? known : emptySize(frame.width, frame.height, opaque);
  putFrame(size, look ? lookedFrame(frame, look, picture) : frame);
  return size;
}

/** A frame with a look; the decoder's stays, as others may show it. */
function lookedFrame(frame: VideoPixels, look: ColorLook, picture: VideoPicture): VideoPixels {
  const { width, height } = frame;
  // Whole pixels begin at whole numbers.
  const rgba = frame.rgba.byteOffset % 4 === 0 ? frame.rgba : frame.rgba.slice();
  const looked = (picture.looked ??= new Int32Array(width * height));
  applyLook(new Int32Array(rgba.buffer, rgba.byteOffset, width * height), looked, look);
  return { ...frame, rgba: new Uint8Array(looked.buffer) };
}

const sameLook = (one: ColorLook | null, other: ColorLook | null): boolean =>
  one === other || (one !== null && other !== null && lookName(one) === lookName(other));

function isOpaque(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

/** True if a rectangle is on whole pixels, so that its edges need no softening. Those out of `view` may be anywhere. */
function onWholePixels(matrix: Matrix, { x, y, width, height }: Rect, view?: Rect): boolean {
  const [a, b, c, d, e, f] = matrix;
  if (b !== 0 || c !== 0) return false;
  const isFine = (edge: number, from: number | undefined, length = 0): boolean =>
    sameLength(edge, Math.round(edge)) ||
    (from !== undefined && (edge <= from - 1 || edge >= from + length + 1));
  return (
    [a * x + e, a * (x + width) + e].every((edge) => isFine(edge, view?.x, view?.width)) &&
    [d * y + f, d * (y + height) + f].every((edge) => isFine(edge, view?.y, view?.height))
  );
}

/** Equal up to a thousandth of a pixel. */
function sameLength(one: number, two: number): boolean {
  return Math.abs(one - two) < 1e-3;
}

function sameRect(one: Rect, two: Rect): boolean {
  return one.x === two.x && one.y === two.y && one.width === two.width && one.height === two.height;
}

/** True if a size without its border is fully opaque. */
function isSolid({ canvas, width, height }: Size): boolean {
  const { data } = contextOf(canvas).getImageData(1, 1, width, height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/**
 * What content fills in box space, if that is a rectangle: for content that moves behind its window, only if it covers
 * it.
 */
function filledArea(box: Box, content: MediaContent): Rect | null {
  const { clip, contentTransform } = box;
  const part = visiblePart(box, content);
  if (!contentTransform) return part;
  if (contentTransform[1] !== 0 || contentTransform[2] !== 0) return null;
  if (!clip) return part && mappedBounds(contentTransform, part);
  const { rect, window } = content;
  const moved = mappedBounds(contentTransform, rect);
  const covers =
    moved.x <= window.x &&
    moved.y <= window.y &&
    moved.x + moved.width >= window.x + window.width &&
    moved.y + moved.height >= window.y + window.height;
  return covers ? window : null;
}

function isSomething({ width, height }: { width: number; height: number }): boolean {
  return width > 0 && height > 0;
}
