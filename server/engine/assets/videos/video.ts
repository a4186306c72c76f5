/**
 * Phase 1, videos: the frame of every visible clip at the moment that is painted. One decoder per visible clip, running
 * forwards as the render does; jumps and loops start it anew at the place. Runs in the worker.
 */
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { drawingLimits } from '../../../../shared/limits.ts';
import type { Problem } from '../../../../shared/renderscript/source.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import {
  decoderKilled,
  isKilled,
  isOutOfMemory,
  type Ffmpeg,
  type FfmpegEnd,
} from '../../ffmpeg.ts';
import type { Assets, MediaFile } from '../assets.ts';
import { decoderBytes, frameBytes, VideoDecoder, type PixelFormat } from './video-decoder.ts';
import { createVideoColors, type VideoColors } from './video-colors.ts';
import { writeHdrTable } from './video-hdr.ts';

/** A clip on the screen at one moment. */
export interface VideoRequest {
  /** Tells clips apart; two elements with the same file have a decoder each. */
  readonly elementPath: string;
  /** Key in `Assets.media`. */
  readonly source: string;
  /** Seconds from the file's time 0. Before it the first frame is shown, after the end the last one. */
  readonly time: number;
  /** Seconds of the file from one output frame to the next; 0 when it stands still. */
  readonly step: number;
  /** Output pixels that the whole picture covers. Larger pictures are made smaller to this size, none is made larger. */
  readonly width: number;
  readonly height: number;
  /** What its frames are given as; see there for which files can be planes. Default `rgba`. */
  readonly pixels?: PixelFormat;
}

/** A frame for painting. */
export interface DecodedFrame {
  /** Straight RGBA, top row first; overwritten by the next `prepare`, or when that of another frame is read. */
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Equal for the same element means equal pixels. */
  readonly serial: number;
  readonly opaque: boolean;
}

/** A frame that goes to the encoder as it is. */
export interface PlanarFrame {
  /** Planes Y, U, V; overwritten by the next `prepare`. */
  readonly planes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** As that of a `DecodedFrame`. */
  readonly serial: number;
}

/** What the book works with. */
export interface VideoBookOptions {
  readonly assets: Pick<Assets, 'media'>;
  /** May be null when no video is ever asked for. */
  readonly ffmpeg: Ffmpeg | null;
  readonly signal: AbortSignal;
}

/** Frames that are read and dropped to get forwards; beyond, starting anew at the place is quicker. */
const longestSkip = 30;
/** A request this near to a decoder's grid, seconds, is on it. */
const gridTolerance = 0.0002;
/**
 * With more clips than this, each decoder gets one thread: the machine's cores are busy anyway. On two cores so are they with
 * one clip up to this many pixels: one thread decodes it faster than it is encoded, and takes 10 to 20 MB less.
 */
const manyClips = 3;
const fewCores = availableParallelism() <= 2;
const lightPixels = 1920 * 1088;
/** Frames that a clip whose decoder comes and goes reads at a time: the first have been decoded by then anyway. */
const leastAhead = 3;
const mostAhead = 32;
/** Seconds before the end from which the last frame is looked for; then the whole file. */
const lastFrameSearch = [3, 30, Infinity];

/** The videos of one render. */
export class VideoBook {
  readonly #options: VideoBookOptions;
  readonly #clips = new Map<string, Clip>();
  readonly #warnings: Problem[] = [];
  readonly #colors = createVideoColors();
  /** Never reused, so that painting's caches can't mistake one clip's frame for another's. */
  #serial = 0;

  constructor(options: VideoBookOptions) {
    this.#options = options;
    // Every open decoder listens for the end of the render.
    setMaxListeners(0, options.signal);
  }

  /** Videos that ended in the middle because they are damaged, and those whose colours were converted. */
  get warnings(): readonly Problem[] {
    return this.#warnings;
  }

  /**
   * Makes the right frame of every requested clip current; clips that are not requested are closed.
   *
   * Decoders stay open as far as their number and memory allow; the clips beyond have theirs opened for each frame.
   *
   * @throws RenderError `media_unreadable` when a file can't be decoded, `limit_exceeded` when the frames of all clips
   *   take more memory than is allowed, `cancelled`.
   */
  async prepare(requests: readonly VideoRequest[]): Promise<void> {
    const wanted = new Set(requests.map(({ elementPath }) => elementPath));
    const gone = [...this.#clips].filter(([elementPath]) => !wanted.has(elementPath));
    for (const [elementPath] of gone) this.#clips.delete(elementPath);
    await Promise.all(gone.map(([, clip]) => clip.close()));
    const threads = requests.length > manyClips ? 1 : 0;
    const { staying, passing } = this.#divide(requests);
    const inTurn = new Set(passing.map(({ elementPath }) => elementPath));
    // Before others are opened: those that had a decoder and are to have none.
    await Promise.all(
      [...this.#clips].map(async ([elementPath, clip]) => {
        if (inTurn.has(elementPath)) await clip.release();
      }),
    );
    await Promise.all(staying.map((request) => this.#show(request, threads)));
    const waiting = passing.values();
    const room = drawingLimits.passingFrameBytes / passing.length;
    await Promise.all(
      Array.from({ length: drawingLimits.passingDecoders }, async () => {
        for (const request of waiting) await (await this.#show(request, threads)).release(room);
      }),
    );
  }

  /** Those whose decoders stay open, in the order of drawing, and those whose decoders come and go. */
  #divide(requests: readonly VideoRequest[]): Record<'staying' | 'passing', VideoRequest[]> {
    const { decoders, decoderBytes: most, videoFrameBytes } = drawingLimits;
    const [staying, passing]: [VideoRequest[], VideoRequest[]] = [[], []];
    let open = 0;
    let held = 0;
    for (const request of requests) {
      const file = this.#fileOf(request);
      const size = frameSize(file, request.width, request.height);
      held += frameBytes(size.width, size.height, request.pixels ?? 'rgba');
      if (held > videoFrameBytes) throw tooManyFrames(file);
      const bytes = decoderBytes(file, size);
      if (staying.length < decoders && open + bytes <= most) {
        open += bytes;
        staying.push(request);
      } else {
        passing.push(request);
      }
    }
    return { staying, passing };
  }

  /** The current frame of an element; null when the last `prepare` had no request for it, or one for planes. */
  frame(elementPath: string): DecodedFrame | null {
    return this.#clips.get(elementPath)?.frame ?? null;
  }

  /** The current frame of an element that the last `prepare` was asked for in planes, else null. */
  planarFrame(elementPath: string): PlanarFrame | null {
    return this.#clips.get(elementPath)?.planarFrame ?? null;
  }

  /** Ends all decoders. */
  async close(): Promise<void> {
    const clips = [...this.#clips.values()];
    this.#clips.clear();
    await Promise.all(clips.map((clip) => clip.close()));
  }

  async #show(request: VideoRequest, threads: number): Promise<Clip> {
    let clip = this.#clips.get(request.elementPath);
    if (clip && !clip.fits(request)) {
      this.#clips.delete(request.elementPath);
      await clip.close();
      clip = undefined;
    }
    if (!clip) {
      clip = await this.#open(request);
      this.#clips.set(request.elementPath, clip);
    }
    const { width, height } = clip.file.info;
    const isLight = fewCores && width * height <= lightPixels;
    await clip.show(request.time, request.step, isLight ? 1 : threads).catch((error: unknown) => {
      throw error instanceof RenderError && error.code === 'media_unreadable'
        ? named(error, clip.file)
        : error;
    });
    return clip;
  }

  #fileOf({ source }: VideoRequest): MediaFile {
    const file = this.#options.assets.media.get(source);
    if (file) return file;
    throw new Error(`a frame of a file was asked for that is not among the assets: ${source}`);
  }

  async #open(request: VideoRequest): Promise<Clip> {
    const file = this.#fileOf(request);
    const { ffmpeg, signal } = this.#options;
    if (!ffmpeg) throw new Error('a frame of a video was asked for without ffmpeg');
    const hdr = file.info.picture?.hdr;
    const size = frameSize(file, request.width, request.height);
    const wish = request.pixels ?? 'rgba';
    if (hdr) {
      await writeHdrTable(path.dirname(file.path), hdr);
      const message = `The video has high dynamic range (${hdr.toUpperCase()}); its colours are brought to the standard range`;
      this.#warn(file, 'hdr_converted', message);
    }
    return new Clip({
      ffmpeg,
      signal,
      file,
      ...size,
      pixels: wish,
      decoded: isInPlanes(file, size) ? 'yuv420p' : wish,
      colors: this.#colors,
      newSerial: () => ++this.#serial,
      warn: (message) => this.#warn(file, 'file_cut_off', message),
    });
  }

  #warn({ element = '', place = '' }: MediaFile, code: string, message: string): void {
    if (this.#warnings.some((warning) => warning.path === place && warning.message === message))
      return;
    this.#warnings.push({
      path: place,
      element,
      property: 'source',
      severity: 'warning',
      code,
      message,
    });
  }
}

/** A reason becomes a sentence that names the element; one that already does is passed on. */
function named(error: RenderError, { element, place, source }: MediaFile): RenderError {
  if (error.path !== undefined || error.message.startsWith('Source error: ')) return error;
  const message = `Source error: ${element ?? source}.source: ${error.message}`;
  return new RenderError(error.code, message, {
    ...(place === undefined ? {} : { path: place }),
    cause: error,
  });
}

function tooManyFrames({ element, place, source }: MediaFile): RenderError {
  const megabytes = Math.round(drawingLimits.videoFrameBytes / 1e6);
  const message = `Render error: ${element ?? source}: The frames of all videos that show at the same time take more than ${megabytes} MB of memory, which is the limit`;
  return new RenderError('limit_exceeded', message, place === undefined ? {} : { path: place });
}

/** Size to decode at: that of the screen, but not larger than the file has it. */
function frameSize(
  { info }: MediaFile,
  width: number,
  height: number,
): { width: number; height: number } {
  // A hundredth of a pixel is the rounding of matrices, not a wish for one more pixel.
  const side = (wanted: number, own: number): number =>
    Math.max(1, Math.min(own, Math.ceil(wanted - 0.01)));
  return { width: side(width, info.width), height: side(height, info.height) };
}

/** True when a frame has the planes that painting's colours are worked out from: in its own size nothing is lost by them. */
function isInPlanes(
  { info }: MediaFile,
  { width, height }: Pick<DecodedFrame, 'width' | 'height'>,
): boolean {
  const { picture } = info;
  if (!picture?.inBlocks || info.hasAlpha || picture.hdr) return false;
  // Brought there from other colours they would be rounded twice.
  if (picture.matrix !== 'bt709' || picture.fullRange) return false;
  const isWhole = width === info.width && height === info.height;
  return isWhole && width % 2 === 0 && height % 2 === 0;
}

interface ClipOptions {
  readonly ffmpeg: Ffmpeg;
  readonly signal: AbortSignal;
  readonly file: MediaFile;
  readonly width: number;
  readonly height: number;
  /** What is asked for, and what the decoder gives. */
  readonly pixels: PixelFormat;
  readonly decoded: PixelFormat;
  readonly colors: VideoColors;
  readonly newSerial: () => number;
  readonly warn: (message: string) => void;
}

/** One element's video: its decoder and the frame it stands at. */
class Clip {
  readonly #options: ClipOptions;
  #decoder: VideoDecoder | undefined;
  /**
   * The frames are those at `#start + n × #step`; `#index` is the n of the current one, -1 before the first. They are the
   * same whether the decoder stays open or is opened anew for each.
   */
  #start = 0;
  #step = 0;
  #index = -1;
  /** Time goes on unevenly: the steps are half frames of the file, and the last one before the time is taken. */
  #uneven = false;
  /** Frames that were read before the decoder was ended, the next one first. */
  readonly #ahead: Uint8Array[] = [];
  /** The decoder has no more frames. */
  #ended = false;
  /** The current frame is the file's last one, however far time goes on. */
  #atLast = false;
  #time = Number.NaN;
  #frame: { readonly bytes: Uint8Array; readonly serial: number } | null = null;

  constructor(options: ClipOptions) {
    this.#options = options;
  }

  get frame(): DecodedFrame | null {
    const { width, height, pixels, decoded, colors, file } = this.#options;
    if (!this.#frame || pixels !== 'rgba') return null;
    const { bytes, serial } = this.#frame;
    return {
      get rgba() {
        return decoded === 'rgba' ? bytes : colors.toRgba(bytes, width, height);
      },
      width,
      height,
      serial,
      opaque: !file.info.hasAlpha,
    };
  }

  get planarFrame(): PlanarFrame | null {
    const { width, height, pixels } = this.#options;
    if (!this.#frame || pixels === 'rgba') return null;
    const { bytes, serial } = this.#frame;
    return { planes: bytes, width, height, serial };
  }

  get file(): MediaFile {
    return this.#options.file;
  }

  /** False when the clip must be opened anew: another file, other pixels, or shown larger than it was decoded. */
  fits({ source, width, height, pixels = 'rgba' }: VideoRequest): boolean {
    const { file } = this.#options;
    if (file.source !== source || pixels !== this.#options.pixels) return false;
    const size = frameSize(file, width, height);
    return size.width <= this.#options.width && size.height <= this.#options.height;
  }

  async show(time: number, step: number, threads: number): Promise<void> {
    if (time === this.#time) return;
    const forwards = time > this.#time;
    this.#time = time;
    if (this.#atLast && forwards) return;
    this.#atLast = false;

    const place = this.#step > 0 ? (time - this.#start) / this.#step : 0;
    const steps = this.#uneven ? Math.floor(place + 0.001) : Math.round(place);
    const onGrid =
      this.#uneven || Math.abs(this.#start + steps * this.#step - time) <= gridTolerance;
    const skip = steps - this.#index;
    const isOpened = this.#index >= 0 && !this.#ended;
    if (isOpened && onGrid && skip === 0) return;
    if (!isOpened || !onGrid || skip < 0 || skip > longestSkip) {
      // Going on a little, but not by equal steps, is what a changing speed does.
      const { frameRate } = this.#options.file.info;
      const isNear = this.#index >= 0 && skip > 0 && skip <= longestSkip;
      this.#uneven ||= isNear && !onGrid && frameRate > 0;
      const half = 0.5 / frameRate;
      if (this.#uneven) await this.#restart(Math.floor(time / half + 0.001) * half, half, threads);
      else await this.#restart(time, step, threads);
      await this.#advance(1);
    } else if (!this.#decoder && skip > this.#ahead.length) {
      this.#ahead.length = 0;
      this.#openAt(this.#start + steps * this.#step, threads);
      this.#index = steps - 1;
      await this.#advance(1);
    } else {
      await this.#advance(skip);
    }
    if (this.#ended) await this.#holdLast(time, threads);
  }

  /**
   * Ends the decoder and keeps the frame; another moment opens it anew at its place.
   *
   * @param room Bytes for frames that are read before that, because they come next: starting a process costs more than many
   *   small frames. Default: none.
   */
  async release(room = 0): Promise<void> {
    if (this.#decoder && !this.#ended) await this.#readAhead(room);
    const decoder = this.#decoder;
    this.#decoder = undefined;
    await decoder?.close();
  }

  async close(): Promise<void> {
    this.#frame = null;
    await this.release();
  }

  /** The more, the longer one frame has followed the other. */
  async #readAhead(room: number): Promise<void> {
    const frame = this.#frame;
    const worth = Math.min(mostAhead, Math.max(leastAhead, 2 * this.#index));
    const wanted = Math.min(worth, Math.floor(room / (frame?.bytes.length ?? 1)));
    if (!frame || wanted < 1) return;
    // The decoder uses its memory again.
    this.#frame = { ...frame, bytes: frame.bytes.slice() };
    while (this.#ahead.length < wanted) {
      const bytes = await this.#decoder?.next();
      if (!bytes) break;
      this.#ahead.push(bytes.slice());
    }
  }

  async #restart(time: number, step: number, threads: number): Promise<void> {
    this.#ahead.length = 0;
    await this.#decoder?.close();
    this.#start = time;
    // What stands still is one frame long; any step does.
    this.#step = step > 0 ? step : 1;
    this.#index = -1;
    this.#ended = false;
    this.#openAt(time, threads);
  }

  #openAt(time: number, threads: number): void {
    const { ffmpeg, file, signal, width, height, decoded: pixels } = this.#options;
    const plan = { time, step: this.#step, width, height, threads, pixels };
    this.#decoder = new VideoDecoder(ffmpeg, file, plan, signal);
  }

  /** Reads frames; stops at the last one there is. */
  async #advance(count: number): Promise<void> {
    for (let left = count; left > 0; left--) {
      const bytes = this.#ahead.shift() ?? (await this.#decoder?.next());
      if (!bytes) {
        this.#ended = true;
        await this.#reportEnd();
        return;
      }
      this.#index++;
      this.#keep(bytes);
    }
  }

  #keep(bytes: Uint8Array): void {
    this.#frame = { bytes, serial: this.#options.newSerial() };
  }

  /**
   * The decoder ran out before `time`. Its last frame need not be the file's last one, which may begin and end between
   * two steps; so that one is looked for, once.
   */
  async #holdLast(time: number, threads: number): Promise<void> {
    const { info } = this.#options.file;
    this.#atLast = true;
    for (const seconds of lastFrameSearch) {
      const start = Math.max(0, Math.min(time, info.duration) - seconds);
      const last = await this.#lastFrameAfter(start, threads);
      if (last) {
        this.#keep(last);
        return;
      }
      if (start === 0) break;
    }
    if (this.#frame) return;
    throw this.#unreadable();
  }

  async #lastFrameAfter(time: number, threads: number): Promise<Uint8Array | null> {
    const { ffmpeg, file, signal, width, height, decoded: pixels } = this.#options;
    const decoder = new VideoDecoder(
      ffmpeg,
      file,
      { time, step: 1, width, height, everyFrame: true, threads, pixels },
      signal,
    );
    try {
      let last: Uint8Array | null = null;
      for (let frame = await decoder.next(); frame; frame = await decoder.next()) {
        // Copied, because the decoder uses its memory again.
        if (last) last.set(frame);
        else last = frame.slice();
      }
      const end = await decoder.finished;
      if (isKilled(end)) throw this.#killed(end.lastLines);
      return last;
    } finally {
      await decoder.close();
    }
  }

  /** A decoder that failed after some frames leaves a damaged rest; the last good frame is held, and said so. */
  async #reportEnd(): Promise<void> {
    const end = await this.#decoder?.finished;
    if (!end || end.code === 0) return;
    // The file is not to blame: without this the rest of a good video would stand still.
    if (isKilled(end)) throw this.#killed(end.lastLines);
    if (!this.#frame) throw this.#unreadable(end);
    this.#options.warn('The video is damaged; its last good frame is held from there on');
  }

  #killed(cause: string): RenderError {
    const { element, place, source } = this.#options.file;
    return decoderKilled(element ?? source, place, cause);
  }

  /** @param end of the decoder, where there was one that gave no frame */
  #unreadable(end?: FfmpegEnd): RenderError {
    const { element, place, source, info } = this.#options.file;
    const cause = end?.lastLines;
    const reason =
      end && isOutOfMemory(end)
        ? 'The file takes more memory to decode than a decoder may have'
        : `The file uses a format we cannot read (${info.picture?.codec ?? info.format})`;
    const message = `Source error: ${element ?? source}.source: ${reason}`;
    return new RenderError('media_unreadable', message, {
      ...(place === undefined ? {} : { path: place }),
      cause,
    });
  }
}
