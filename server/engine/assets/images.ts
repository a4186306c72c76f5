/**
 * Phase 1, pictures: decodes them for painting. The drawing library is given bytes, never a path or an address, because
 * it would open local files and follow addresses by itself. Pictures turn upright as their EXIF marks ask.
 */
import { createCanvas, Image, type Canvas } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { RenderError } from '../errors.ts';
import type { Assets, MediaFile } from './assets.ts';

/** Decoded pixels kept at a time, bytes. Least recently used pictures go first and are decoded anew when they return. */
const pixelBudget = 192 * 1024 ** 2;
/** Longest side of a raster of a vector picture, pixels. */
const maxRaster = 4096;
/** Pictures decoded at the same time while opening; decoding runs on other threads. */
const parallel = 4;

interface Kept {
  readonly drawable: Image | Canvas;
  readonly bytes: number;
}

/** The pictures of one render. */
export class ImageBook {
  readonly #files: ReadonlyMap<string, MediaFile>;
  /** Decoded pictures by source, rasters of vector pictures by source and size; oldest use first. */
  readonly #kept = new Map<string, Kept>();
  readonly #warnings: Problem[] = [];
  #bytes = 0;

  private constructor(files: ReadonlyMap<string, MediaFile>) {
    this.#files = files;
  }

  /**
   * Decodes the pictures of a render ahead, as many as fit the budget.
   *
   * @throws RenderError `media_unreadable` naming the element when a picture is damaged.
   */
  static async open(assets: Assets): Promise<ImageBook> {
    const files = new Map([...assets.media].filter(([, { info }]) => info.kind === 'image'));
    const book = new ImageBook(files);
    const queue = [...files.values()];
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        for (let file = queue.shift(); file; file = queue.shift()) {
          if (file.info.duration > 0) book.#warnings.push(animationWarning(file));
          if (book.#bytes + pixelBytes(file) <= pixelBudget)
            book.#keep(file.source, await decode(file));
        }
      }),
    );
    return book;
  }

  /** What the person should know, e.g. that an animated picture stands still. */
  get warnings(): readonly Problem[] {
    return this.#warnings;
  }

  /**
   * A picture ready to draw, or null when the render has none of that name. The same question gives the same object
   * while it is kept.
   *
   * @param drawnWidth Output pixels that the whole picture will cover; vector pictures are drawn at least that large.
   * @throws RenderError `media_unreadable` when the picture turns out damaged.
   */
  image(source: string, drawnWidth: number, drawnHeight: number): Image | Canvas | null {
    const file = this.#files.get(source);
    if (!file) return null;
    const isVector = file.info.format === 'svg';
    const scale = isVector ? rasterScale(file, drawnWidth, drawnHeight) : 1;
    const key = isVector ? `${source}\n${scale}` : source;
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept.drawable;
    }
    const image = isVector ? this.#vector(file) : decodeNow(file);
    if (!isVector) return this.#keep(key, image);
    const { width, height } = file.info;
    return this.#keep(key, rasterize(image, width * scale, height * scale));
  }

  /** Lets go of all pixels. */
  close(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** The parsed vector picture, from which rasters are made. */
  #vector(file: MediaFile): Image {
    const kept = this.#kept.get(file.source)?.drawable;
    if (kept instanceof Image) return kept;
    const image = decodeNow(file);
    this.#keep(file.source, image);
    return image;
  }

  #keep<T extends Image | Canvas>(key: string, drawable: T): T {
    const bytes = drawable.width * drawable.height * 4;
    this.#kept.set(key, { drawable, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= pixelBudget || oldest === key) break;
      this.#kept.delete(oldest);
      this.#bytes -= freed;
    }
    return drawable;
  }
}

function pixelBytes({ info }: MediaFile): number {
  return info.format === 'svg' ? 0 : info.width * info.height * 4;
}

/** Decodes on another thread. */
async function decode(file: MediaFile): Promise<Image> {
  const image = new Image();
  // Without a listener the library throws an uncaught error besides rejecting.
  image.onerror = () => undefined;
  image.src = readFileSync(file.path);
  try {
    await image.decode();
  } catch (error) {
    throw damaged(file, error);
  }
  if (image.width === 0 || image.height === 0) throw damaged(file);
  return image;
}

const probeCanvas = createCanvas(1, 1);

/** Decodes at once: drawing makes the library finish a picture whose decoding has only begun. */
function decodeNow(file: MediaFile): Image {
  const image = new Image();
  // A damaged picture has no size after this; its error would otherwise be thrown uncaught.
  image.onerror = () => undefined;
  image.src = readFileSync(file.path);
  probeCanvas.getContext('2d').drawImage(image, 0, 0);
  if (image.width === 0 || image.height === 0) throw damaged(file);
  return image;
}

/**
 * How many times its own size a vector picture is drawn. Steps of half an octave, so that a picture that grows slowly
 * is not drawn anew for every frame, and always enough or more, so that painting only ever makes it smaller.
 */
function rasterScale({ info }: MediaFile, drawnWidth: number, drawnHeight: number): number {
  const { width, height } = info;
  const needed = Math.max(drawnWidth / width, drawnHeight / height, 1 / Math.min(width, height));
  const step = 2 ** (Math.ceil(Math.log2(Number.isFinite(needed) ? needed : 1) * 2 - 1e-6) / 2);
  return Math.min(step, maxRaster / Math.max(width, height));
}

function rasterize(image: Image, width: number, height: number): Canvas {
  const canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function damaged({ element, place, source }: MediaFile, cause?: unknown): RenderError {
  const message = `Source error: ${element ?? source}.source: The file is not a video, image or audio file we can read`;
  return new RenderError('media_unreadable', message, {
    ...(place === undefined ? {} : { path: place }),
    cause,
  });
}

function animationWarning({ element = '', place = '', info }: MediaFile): Problem {
  return {
    path: place,
    element,
    property: 'source',
    severity: 'warning',
    code: 'animation_stands_still',
    message: `Animated ${info.format} pictures are drawn as their first frame; use a video element to play them`,
  };
}
