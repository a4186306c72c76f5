/**
 * Phase 1, pictures: decodes them for painting. The drawing library only gets bytes, never a path or an address,
 * because it would open local files and fetch addresses itself. Pictures are turned upright by their EXIF orientation.
 */
import { createCanvas, Image, type Canvas } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import type { Problem } from '../../../../shared/renderscript/source.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { Assets, MediaFile } from '../assets.ts';
import { frameAt, type MediaInfo } from '../../../../shared/engine/media-info.ts';
import { drawableLottie } from '../lottie/lottie-letters.ts';
import { LottiePicture } from '../lottie/lottie-picture.ts';
import { MovingPicture } from './moving-picture.ts';
import {
  contentName,
  freePixels,
  keepCopy,
  knownSides,
  PixelStore,
  type Size,
  takeCopy,
} from './picture-copies.ts';
import { withProfile } from './png-colors.ts';
import { timed } from '../../stopwatch.ts';
import { isTried, needsTrial, needsVectorTrial, tryPicture } from '../examine/trial.ts';
import type { FontBook } from '../fonts/fonts.ts';
import { plainSvg, type SvgPicture } from '../vectors/svg-picture.ts';
import { readSvg, svgTexts } from '../vectors/svg-tree.ts';
import { drawSvg, loadSvgRenderer } from '../vectors/svg-renderer.ts';

/**
 * Bytes of decoded pixels to keep: a photo of 12 megapixels. Painting keeps the copies that it draws; the least
 * recently used pictures go first and are decoded again if another copy is needed.
 */
const pixelBudget = 64 * 1024 ** 2;
/** The same for frames of animated pictures, so that a long one does not displace everything else. */
const movingBudget = 64 * 1024 ** 2;
/** Milliseconds in which a second copy of a picture may follow the first. */
const secondCopy = 100;
/** Longest side of a raster of a vector picture, pixels. */
const maxRaster = 4096;
/** The same of the drawings with which a Lottie animation is tried out. */
const trialSide = 1080;
/** Parts of a vector picture that one warning names. */
const mostNamed = 12;
/** Pictures decoded at the same time while opening; decoding runs on other threads. */
const parallel = 4;

/** Makes the fonts for the texts of a vector picture, those of this computer left out. */
export type OpenFonts = (texts: string) => Promise<FontBook>;

/** What painting needs to know about a still picture, without its pixels. */
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
  /** Vector pictures, from which the rasters are made, by source; null for damaged ones. */
  readonly #vectors = new Map<string, SvgPicture | null>();
  readonly #vectorWarnings: Problem[] = [];
  /** Still pictures without pixels, by source, and the hashes of their content. */
  readonly #stills = new Map<string, StillPicture | null>();
  readonly #contents = new Map<string, string>();
  /** Pictures not decoded yet, in document order. */
  #unseen: MediaFile[] = [];
  /** Pictures that passed a trial; for vector ones, at which scale. */
  readonly #tried = new Map<string, number>();
  /** Animated pictures by source, and their composed frames by source and number. */
  readonly #moving = new Map<string, MovingPicture>();
  readonly #frames = new PixelStore<Canvas>(movingBudget, shrink);
  readonly #lotties = new Map<string, LottiePicture>();
  #isClosed = false;

  private constructor(files: ReadonlyMap<string, MediaFile>) {
    this.#files = files;
  }

  /**
   * Decodes the pictures of a render in advance, as many as fit the budget; for animated ones the first frame. Vector
   * pictures are read, and drawn once the size is known.
   *
   * @throws RenderError `media_unreadable` naming the element if a picture is damaged.
   */
  static async open(assets: Assets, openFonts: OpenFonts): Promise<ImageBook> {
    const files = new Map(
      [...assets.media].filter(([, { info }]) => info.kind === 'image' || info.kind === 'lottie'),
    );
    const book = new ImageBook(files);
    for (const file of files.values())
      if (file.info.format === 'svg') await book.#readVector(file, openFonts);
      else if (file.info.format === 'lottie') await book.#readLottie(file, openFonts);
    const queue = [...files.values()].filter(({ info }) => !isDrawn(info));
    for (const file of queue) if (file.info.animation) book.#frame(file, 0);
    book.#unseen = queue.filter((file) => !file.info.animation && !book.#isKnown(file));
    // One by one and before the others, because trials count the process's computing time.
    for (const file of book.#unseen) book.#try(file);
    await Promise.all(Array.from({ length: parallel }, () => book.#decodeAhead()));
    return book;
  }

  /** Vector pictures not drawn whole, animations with damaged frames. Complete after the last frame. */
  get warnings(): readonly Problem[] {
    const damaged = [...this.#moving]
      .filter(([, { isDamaged }]) => isDamaged)
      .flatMap(([source]) => {
        const file = this.#files.get(source);
        return file ? [warning(file, 'file_damaged', damagedFrames)] : [];
      });
    return [...this.#vectorWarnings, ...damaged];
  }

  /**
   * A picture ready to draw, or null if the render has none with that source. The same arguments give the same object
   * while it is cached.
   *
   * @param drawnWidth Output pixels that the whole picture will cover; vector pictures are drawn at least that large.
   * @param time Seconds in the file, for animated pictures; past the end the last frame.
   * @throws RenderError `media_unreadable` if the picture turns out to be damaged.
   */
  image(source: string, drawnWidth: number, drawnHeight: number, time = 0): Image | Canvas | null {
    const file = this.#files.get(source);
    if (!file) return null;
    const { animation, format, width, height } = file.info;
    if (format === 'lottie') return this.#lottieFrame(file, drawnWidth, drawnHeight, time);
    if (animation) return this.#frame(file, frameAt(animation.starts, time));
    if (format !== 'svg') return this.#decoded(file);
    const scale = rasterScale(file, drawnWidth, drawnHeight);
    const key = `${source}\n${scale}`;
    const kept = this.#pixels.get(key);
    if (kept) return kept;
    const vector = this.#vectors.get(source);
    if (!vector) throw damaged(file);
    const across = Math.max(1, Math.round(width * scale));
    const down = Math.max(1, Math.round(height * scale));
    this.#tryVector(file, vector, scale);
    return this.#pixels.keep(
      key,
      timed('decode pictures', () => raster(file, vector, across, down)),
    );
  }

  /**
   * A still picture without its pixels; null for animated and vector pictures, and if the render has none with that
   * source.
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
        // Painting makes its copy at once, and another one if the picture begins to grow. Then another thread prepares
        // the next picture of a slideshow.
        setTimeout(() => this.#goOn(file), secondCopy).unref();
        return this.#decoded(file);
      },
      take: (across, down) => takeCopy(content, across, down),
      keep: (copy) => keepCopy(content, { width, height }, copy),
    };
  }

  /** True if an earlier render tried and decoded it, and left a copy. */
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

  /** Decodes pictures not needed yet, one after the other, while there is room. */
  async #decodeAhead(): Promise<void> {
    for (;;) {
      const [file] = this.#unseen;
      if (!file || !this.#pixels.makeRoom(pixelBytes(file))) return;
      this.#unseen.shift();
      this.#pixels.reserve(pixelBytes(file));
      try {
        const image = await decode(file);
        if (this.#isClosed) shrink(image);
        // It may have been decoded meanwhile.
        else if (!this.#pixels.get(file.source)) this.#pixels.keep(file.source, image);
      } finally {
        this.#pixels.reserve(-pixelBytes(file));
      }
    }
  }

  /** A picture, decoded now unless it was decoded in advance. */
  #decoded(file: MediaFile): Image | Canvas {
    const kept = this.#pixels.get(file.source);
    if (kept) return kept;
    this.#unseen = this.#unseen.filter(({ source }) => source !== file.source);
    this.#try(file);
    return this.#pixels.keep(
      file.source,
      timed('decode pictures', () => decodeNow(file)),
    );
  }

  /** Releases all pixels. */
  close(): void {
    this.#isClosed = true;
    this.#pixels.clear();
    this.#vectors.clear();
    this.#frames.clear();
    this.#moving.clear();
  }

  /**
   * Gives a picture that looks costly a trial before it is drawn here.
   *
   * @throws RenderError `limit_exceeded` naming the element.
   */
  #try(file: MediaFile): void {
    if (this.#tried.has(file.source)) return;
    tryFile(file);
    this.#tried.set(file.source, 1);
  }

  #tryVector(file: MediaFile, vector: SvgPicture, scale: number): void {
    const { source, info } = file;
    if ((this.#tried.get(source) ?? 0) >= scale) return;
    if (needsVectorTrial(vector))
      withElement(file, () => tryPicture(vector, info.width * scale, info.height * scale));
    this.#tried.set(source, scale);
  }

  async #readVector(file: MediaFile, openFonts: OpenFonts): Promise<void> {
    await loadSvgRenderer();
    const document = readSvg(readFileSync(file.path));
    if (!document) {
      this.#vectors.set(file.source, null);
      return;
    }
    const fonts = await openFonts(svgTexts(document));
    const vector = timed('decode pictures', () => plainSvg(document, fonts, file.info));
    this.#vectors.set(file.source, vector);
    const lacking = fonts.warnings.filter(({ code }) => code === 'missing_characters');
    for (const { code, message } of lacking)
      this.#vectorWarnings.push(warning(file, code, message));
    if (vector.omitted.length === 0) return;
    const message = `Parts of the SVG are not drawn as a browser draws them: ${vector.omitted.slice(0, mostNamed).join('; ')}`;
    this.#vectorWarnings.push(warning(file, 'svg_not_whole', message));
  }

  async #readLottie(file: MediaFile, openFonts: OpenFonts): Promise<void> {
    const { source, path, info } = file;
    const { warnings, ...drawable } = await drawableLottie(
      readFileSync(path, 'utf8'),
      openFonts,
    ).catch((error: unknown) =>
      withElement(file, () => {
        throw error;
      }),
    );
    for (const message of warnings)
      this.#vectorWarnings.push(warning(file, 'lottie_not_whole', message));
    withElement(file, () => {
      const scale = trialSide / Math.max(info.width, info.height);
      if (!isTried(drawable)) tryPicture(drawable, info.width * scale, info.height * scale);
      this.#lotties.set(source, new LottiePicture(drawable));
    });
  }

  /** As large as it is drawn, so that its lines are sharp. */
  #lottieFrame(file: MediaFile, drawnWidth: number, drawnHeight: number, time: number): Canvas {
    const { source } = file;
    const picture = this.#lotties.get(source);
    if (!picture) throw damaged(file);
    const most = maxRaster / Math.max(drawnWidth, drawnHeight, maxRaster);
    const side = (length: number): number => Math.max(1, Math.ceil(length * most - 1e-6));
    const [width, height] = [side(drawnWidth), side(drawnHeight)];
    const key = `${source}\n${width}×${height} ${time}`;
    const kept = this.#frames.get(key);
    return (
      kept ??
      this.#frames.keep(
        key,
        timed('decode pictures', () => picture.frame(time, width, height)),
      )
    );
  }

  /** A composed frame of an animated picture. */
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
 * Frees the pixels of a canvas or a picture now: the garbage collector does not see their size and comes too late. What
 * was drawn from it stays.
 */
function shrink(drawable: Image | Canvas): void {
  if (drawable instanceof Image) drawable.src = Buffer.alloc(0);
  else freePixels(drawable);
}

function tryFile(file: MediaFile): void {
  const { info } = file;
  const bytes = readFileSync(file.path);
  if (!needsTrial(info.format, (info.width * info.height) / 1e6, bytes)) return;
  // They cost their decoding; the canvas size does not matter.
  withElement(file, () => tryPicture(bytes, 1, 1));
}

/** Runs work on a file; turns the reason of a failure into a sentence that names the element. */
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

/** True if it has no pixels of its own. */
const isDrawn = ({ format }: MediaInfo): boolean => format === 'svg' || format === 'lottie';

function pixelBytes({ info }: MediaFile): number {
  return isDrawn(info) ? 0 : info.width * info.height * 4;
}

/** Decodes on another thread. */
async function decode(file: MediaFile): Promise<Image> {
  const image = new Image();
  // Without a listener the library throws an uncaught error besides rejecting.
  image.onerror = () => undefined;
  image.src = withProfile(readFileSync(file.path));
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
 * Decodes at once: drawing makes the library finish decoding. For animated pictures the first frame; null if the bytes
 * are damaged.
 */
export function decodeBytes(bytes: Buffer): Image | null {
  const image = new Image();
  // A damaged picture then has no size; without a listener its error would be uncaught.
  image.onerror = () => undefined;
  image.src = withProfile(bytes);
  try {
    probeCanvas.getContext('2d').drawImage(image, 0, 0);
  } catch (error) {
    // The library refuses to draw what it knows to be damaged.
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
 * The scale at which to draw a vector picture. Steps of half an octave, so that a slowly growing picture is not drawn
 * again for every frame; always large enough, so that painting only scales it down.
 */
function rasterScale({ info }: MediaFile, drawnWidth: number, drawnHeight: number): number {
  const { width, height } = info;
  const needed = Math.max(drawnWidth / width, drawnHeight / height, 1 / Math.min(width, height));
  const step = 2 ** (Math.ceil(Math.log2(Number.isFinite(needed) ? needed : 1) * 2 - 1e-6) / 2);
  return Math.min(step, maxRaster / Math.max(width, height));
}

function raster(file: MediaFile, vector: SvgPicture, width: number, height: number): Canvas {
  try {
    return drawSvg(vector, width, height);
  } catch (error) {
    throw damaged(file, error);
  }
}

function damaged({ element, place, source }: MediaFile, cause?: unknown): RenderError {
  const message = `Source error: ${element ?? source}.source: The file is not a video, image or audio file we can read`;
  return new RenderError('media_unreadable', message, {
    ...(place === undefined ? {} : { path: place }),
    cause,
  });
}

const damagedFrames =
  'Some frames of the animated picture are damaged; the frame before is shown instead';

function warning({ element = '', place = '' }: MediaFile, code: string, message: string): Problem {
  return { path: place, element, property: 'source', severity: 'warning', code, message };
}
