/**
 * Phase 1, pictures: decodes them for painting. The drawing library is given bytes, never a path or an address, because
 * it would open local files and follow addresses by itself. Pictures turn upright as their EXIF marks ask.
 */
import { createCanvas, Image, type Canvas } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import type { Assets, MediaFile } from './assets.ts';
import { frameAt } from '../../../shared/engine/media-info.ts';
import { MovingPicture } from './moving-picture.ts';
import { timed } from '../stopwatch.ts';
import { needsTrial, tryPicture } from './trial.ts';

/** Decoded pixels kept at a time, bytes. Least recently used pictures go first and are decoded anew when they return. */
const pixelBudget = 192 * 1024 ** 2;
/** The same for frames of animated pictures, so that a long one does not drive out everything else. */
const movingBudget = 64 * 1024 ** 2;
/** Longest side of a raster of a vector picture, pixels. */
const maxRaster = 4096;
/** Pictures decoded at the same time while opening; decoding runs on other threads. */
const parallel = 4;

interface Kept<T extends Image | Canvas> {
  readonly drawable: T;
  readonly bytes: number;
}

/** Pixels kept up to a number of bytes; those not asked for longest go first, the newest never. */
class PixelStore<T extends Image | Canvas> {
  readonly #budget: number;
  readonly #release: (drawable: T) => void;
  /** Oldest use first. */
  readonly #kept = new Map<string, Kept<T>>();
  #bytes = 0;

  /** `release` is told what was given up. */
  constructor(budget: number, release: (drawable: T) => void = () => undefined) {
    this.#budget = budget;
    this.#release = release;
  }

  /** True when so many more bytes find room without anything being given up. */
  hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= this.#budget;
  }

  get(key: string): T | null {
    const kept = this.#kept.get(key);
    if (!kept) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.drawable;
  }

  keep<D extends T>(key: string, drawable: D): D {
    const bytes = drawable.width * drawable.height * 4;
    this.#kept.set(key, { drawable, bytes });
    this.#bytes += bytes;
    for (const [oldest, { drawable: given, bytes: freed }] of this.#kept) {
      if (this.#bytes <= this.#budget || oldest === key) break;
      this.#kept.delete(oldest);
      this.#release(given);
      this.#bytes -= freed;
    }
    return drawable;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}

/** The pictures of one render. */
export class ImageBook {
  readonly #files: ReadonlyMap<string, MediaFile>;
  /** Decoded pictures by source, rasters of vector pictures by source and size. */
  readonly #still = new PixelStore<Image | Canvas>(pixelBudget);
  /** Pictures that came through a trial, and the largest vector ones did it at. */
  readonly #tried = new Map<string, number>();
  /** Animated pictures by source, and their finished frames by source and number. */
  readonly #moving = new Map<string, MovingPicture>();
  readonly #frames = new PixelStore<Canvas>(movingBudget, shrink);

  private constructor(files: ReadonlyMap<string, MediaFile>) {
    this.#files = files;
  }

  /**
   * Decodes the pictures of a render ahead, as many as fit the budget; of animated ones the first frame.
   *
   * @throws RenderError `media_unreadable` naming the element when a picture is damaged.
   */
  static async open(assets: Assets): Promise<ImageBook> {
    const files = new Map([...assets.media].filter(([, { info }]) => info.kind === 'image'));
    const book = new ImageBook(files);
    // Vector pictures are opened when the size that they are drawn at is known.
    const queue = [...files.values()].filter(({ info }) => info.format !== 'svg');
    // One by one and before the others, because what the process computes is counted.
    for (const file of queue) if (!file.info.animation) book.#try(file, 1);
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        for (let file = queue.shift(); file; file = queue.shift()) {
          if (file.info.animation) book.#frame(file, 0);
          else if (book.#still.hasRoom(pixelBytes(file)))
            book.#still.keep(file.source, await decode(file));
        }
      }),
    );
    return book;
  }

  /** What the person should know: animations with damaged frames. Complete after the last frame. */
  get warnings(): readonly Problem[] {
    return [...this.#moving]
      .filter(([, { isDamaged }]) => isDamaged)
      .flatMap(([source]) => {
        const file = this.#files.get(source);
        return file ? [damageWarning(file)] : [];
      });
  }

  /**
   * A picture ready to draw, or null when the render has none of that name. The same question gives the same object
   * while it is kept.
   *
   * @param drawnWidth Output pixels that the whole picture will cover; vector pictures are drawn at least that large.
   * @param time Seconds in the file, for animated pictures; past the end the last frame.
   * @throws RenderError `media_unreadable` when the picture turns out damaged.
   */
  image(source: string, drawnWidth: number, drawnHeight: number, time = 0): Image | Canvas | null {
    const file = this.#files.get(source);
    if (!file) return null;
    const { animation, format, width, height } = file.info;
    if (animation) return this.#frame(file, frameAt(animation.starts, time));
    const isVector = format === 'svg';
    const scale = isVector ? rasterScale(file, drawnWidth, drawnHeight) : 1;
    const key = isVector ? `${source}\n${scale}` : source;
    const kept = this.#still.get(key);
    if (kept) return kept;
    this.#try(file, scale);
    const image = timed('decode pictures', () => (isVector ? this.#vector(file) : decodeNow(file)));
    return this.#still.keep(
      key,
      isVector ? rasterize(image, width * scale, height * scale) : image,
    );
  }

  /** Lets go of all pixels. */
  close(): void {
    this.#still.clear();
    this.#frames.clear();
    this.#moving.clear();
  }

  /**
   * Has a picture that looks costly drawn elsewhere before it is drawn here.
   *
   * @throws RenderError `limit_exceeded` naming the element.
   */
  #try(file: MediaFile, scale: number): void {
    const { source, info } = file;
    if ((this.#tried.get(source) ?? 0) >= scale) return;
    tryFile(file, info.width * scale, info.height * scale);
    this.#tried.set(source, scale);
  }

  /** The parsed vector picture, from which rasters are made. */
  #vector(file: MediaFile): Image {
    const kept = this.#still.get(file.source);
    return kept instanceof Image ? kept : this.#still.keep(file.source, decodeNow(file));
  }

  /** A frame of an animated picture as it is seen. */
  #frame(file: MediaFile, index: number): Canvas {
    const { source, path, info } = file;
    const keyOf = (at: number): string => `${source}\n${at}`;
    const kept = this.#frames.get(keyOf(index));
    if (kept) return kept;
    let moving = this.#moving.get(source);
    if (!moving) {
      const opened = MovingPicture.open(path, info.format, decodeBytes);
      if (!opened) throw damaged(file);
      this.#moving.set(source, (moving = opened));
    }
    const frame = withElement(file, () => moving.frame(index, (at) => this.#frames.get(keyOf(at))));
    if (!frame) throw damaged(file);
    return this.#frames.keep(keyOf(index), frame);
  }
}

/**
 * Frees the pixels of a canvas now: the garbage collector does not see how large they are and comes too late. What was
 * drawn from it stays drawn.
 */
function shrink(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

function tryFile(file: MediaFile, width: number, height: number): void {
  const { info } = file;
  const bytes = readFileSync(file.path);
  if (!needsTrial(info.format, (info.width * info.height) / 1e6, bytes)) return;
  withElement(file, () => {
    // Decoding is what other pictures cost; on how large a canvas makes no difference.
    if (info.format === 'svg') tryPicture(bytes, width, height);
    else tryPicture(bytes, 1, 1);
  });
}

/** Does something with a file; the reason of a failure becomes a sentence that names its element. */
function withElement<T>({ element, source, place }: MediaFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new RenderError(
      error.code,
      `Source error: ${element ?? source}.source: ${error.message}`,
      {
        ...(place === undefined ? {} : { path: place }),
        cause: error,
      },
    );
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

/**
 * Decodes at once: drawing makes the library finish a picture whose decoding has only begun. Of animated pictures the
 * first frame; null when the bytes are damaged.
 */
export function decodeBytes(bytes: Buffer): Image | null {
  const image = new Image();
  // A damaged picture has no size after this; its error would otherwise be thrown uncaught.
  image.onerror = () => undefined;
  image.src = bytes;
  try {
    probeCanvas.getContext('2d').drawImage(image, 0, 0);
  } catch (error) {
    // What is already known to be damaged can't be drawn at all.
    if (error instanceof Error && error.name === 'InvalidStateError') return null;
    throw error;
  }
  return image.width === 0 || image.height === 0 ? null : image;
}

function decodeNow(file: MediaFile): Image {
  const image = decodeBytes(readFileSync(file.path));
  if (!image) throw damaged(file);
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

function damageWarning({ element = '', place = '' }: MediaFile): Problem {
  return {
    path: place,
    element,
    property: 'source',
    severity: 'warning',
    code: 'file_damaged',
    message: 'Some frames of the animated picture are damaged; the frame before is shown instead',
  };
}
