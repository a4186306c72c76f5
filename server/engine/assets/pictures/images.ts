/**
 * Phase 1, pictures: decodes them for painting. The drawing library is given bytes, never a path or an address, because
 * it would open local files and follow addresses by itself. Pictures turn upright as their EXIF marks ask.
 */
import { createCanvas, Image, type Canvas } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import type { Problem } from '../../../../shared/renderscript/source.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { Assets, MediaFile } from '../assets.ts';
import { frameAt } from '../../../../shared/engine/media-info.ts';
import { MovingPicture } from './moving-picture.ts';
import { PixelStore } from './pixel-store.ts';
import { timed } from '../../stopwatch.ts';
import {
  contentName,
  freePixels,
  keepCopy,
  knownSides,
  takeCopy,
  type Size,
} from './picture-copies.ts';
import { needsTrial, tryPicture } from '../examine/trial.ts';

/**
 * Decoded pixels kept at a time, bytes: a photo of 12 megapixels. Painting keeps the copies that it draws; least recently
 * used pictures go first and are decoded anew when another copy of them is needed.
 */
const pixelBudget = 64 * 1024 ** 2;
/** The same for frames of animated pictures, so that a long one does not drive out everything else. */
const movingBudget = 64 * 1024 ** 2;
/** Longest side of a raster of a vector picture, pixels. */
const maxRaster = 4096;
/** Pictures decoded at the same time while opening; decoding runs on other threads. */
const parallel = 4;

/** A picture that stays as it is, without its pixels; what painting asks of one. */
interface StillPicture {
  readonly width: number;
  readonly height: number;
  pixels(): Image | Canvas;
  take(width: number, height: number): Size | null;
  keep(copy: Size): void;
}

/** The pictures of one render. */
export class ImageBook {
  readonly #files: ReadonlyMap<string, MediaFile>;
  /** Decoded pictures by source, rasters of vector pictures by source and size. */
  readonly #pixels = new PixelStore<Image | Canvas>(pixelBudget, shrink);
  /** Parsed vector pictures, from which the rasters are made. */
  readonly #vectors = new PixelStore<Image>(pixelBudget);
  /** Pictures without their pixels, by source, and the names of their contents. */
  readonly #stills = new Map<string, StillPicture | null>();
  readonly #contents = new Map<string, string>();
  /** Pictures that were not decoded yet, in the order of the document. */
  #unseen: MediaFile[] = [];
  /** Pictures that came through a trial, and the largest vector ones did it at. */
  readonly #tried = new Map<string, number>();
  /** Animated pictures by source, and their finished frames by source and number. */
  readonly #moving = new Map<string, MovingPicture>();
  readonly #frames = new PixelStore<Canvas>(movingBudget, shrink);
  #isClosed = false;

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
    for (const file of queue) if (file.info.animation) book.#frame(file, 0);
    book.#unseen = queue.filter((file) => !file.info.animation && !book.#isKnown(file));
    // One by one and before the others, because what the process computes is counted.
    for (const file of book.#unseen) book.#try(file, 1);
    await Promise.all(Array.from({ length: parallel }, () => book.#decodeAhead()));
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
    if (format !== 'svg') return this.#decoded(file);
    const scale = rasterScale(file, drawnWidth, drawnHeight);
    const key = `${source}\n${scale}`;
    const kept = this.#pixels.get(key);
    if (kept) return kept;
    this.#try(file, scale);
    const vector = timed('decode pictures', () => this.#vector(file));
    return this.#pixels.keep(key, rasterize(vector, width * scale, height * scale));
  }

  /**
   * A picture that stays as it is, without its pixels; null for animated and vector pictures, and when the render has none of
   * that name.
   */
  still(source: string): StillPicture | null {
    let still = this.#stills.get(source);
    if (still === undefined) this.#stills.set(source, (still = this.#openStill(source)));
    return still;
  }

  #openStill(source: string): StillPicture | null {
    const file = this.#files.get(source);
    if (!file || file.info.animation || file.info.format === 'svg') return null;
    const content = this.#contentOf(file);
    const { width, height } = knownSides(content) ?? this.#decoded(file);
    return {
      width,
      height,
      pixels: () => {
        // Painting makes its copy at once. Then the next picture of a slideshow is got ready on another thread.
        setImmediate(() => this.#goOn(file));
        return this.#decoded(file);
      },
      take: (across, down) => takeCopy(content, across, down),
      keep: (copy) => keepCopy(content, { width, height }, copy),
    };
  }

  /** Whether it came through a trial and was decoded in an earlier render, of which there is a copy. */
  #isKnown(file: MediaFile): boolean {
    return knownSides(this.#contentOf(file)) !== null;
  }

  #contentOf(file: MediaFile): string {
    let content = this.#contents.get(file.source);
    if (content === undefined)
      this.#contents.set(file.source, (content = contentName(readFileSync(file.path))));
    return content;
  }

  #goOn({ source }: MediaFile): void {
    if (this.#isClosed) return;
    this.#pixels.retire(source);
    // A damaged one fails where it is needed.
    this.#decodeAhead().catch(() => undefined);
  }

  /** Decodes pictures that nobody has asked for yet, one after the other, as far as there is room. */
  async #decodeAhead(): Promise<void> {
    for (;;) {
      const [file] = this.#unseen;
      if (!file || !this.#pixels.makeRoom(pixelBytes(file))) return;
      this.#unseen.shift();
      this.#pixels.reserve(pixelBytes(file));
      try {
        const image = await decode(file);
        if (this.#isClosed) shrink(image);
        // It may have been needed before it was ready.
        else if (!this.#pixels.get(file.source)) this.#pixels.keep(file.source, image);
      } finally {
        this.#pixels.reserve(-pixelBytes(file));
      }
    }
  }

  /** A picture, decoded at once where it was not decoded ahead. */
  #decoded(file: MediaFile): Image | Canvas {
    const kept = this.#pixels.get(file.source);
    if (kept) return kept;
    this.#unseen = this.#unseen.filter(({ source }) => source !== file.source);
    this.#try(file, 1);
    return this.#pixels.keep(
      file.source,
      timed('decode pictures', () => decodeNow(file)),
    );
  }

  /** Lets go of all pixels. */
  close(): void {
    this.#isClosed = true;
    this.#pixels.clear();
    this.#vectors.clear();
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

  #vector(file: MediaFile): Image {
    return this.#vectors.get(file.source) ?? this.#vectors.keep(file.source, decodeNow(file));
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
 * Frees the pixels of a canvas or a picture now: the garbage collector does not see how large they are and comes too late. What
 * was drawn from it stays drawn.
 */
function shrink(drawable: Image | Canvas): void {
  if (drawable instanceof Image) drawable.src = Buffer.alloc(0);
  else freePixels(drawable);
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
