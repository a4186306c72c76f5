/**
 * Phase 1, videos: one clip: a file shown in one size at successive moments. It decides when its decoder starts, reads
 * on and ends; several elements may show it. Runs in the worker.
 */
import { RenderError } from '../../../../shared/engine/errors.ts';
import {
  decoderKilled,
  isKilled,
  isOutOfMemory,
  type Ffmpeg,
  type FfmpegEnd,
} from '../../ffmpeg.ts';
import type { MediaFile } from '../assets.ts';
import {
  VideoDecoder,
  type DecodedFormat,
  type DecoderPlan,
  type PixelFormat,
  type Veil,
} from './video-decoder.ts';
import type { VideoColors } from './video-colors.ts';

/** A frame for painting. */
export interface DecodedFrame {
  /** Equal for elements that show the same clip. */
  readonly clip: number;
  /** Straight RGBA, top row first; overwritten by the next `prepare`, or when another frame's is read. */
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** For the same clip, equal numbers mean equal pixels. */
  readonly serial: number;
  readonly opaque: boolean;
}

/** A frame that goes to the encoder unchanged. */
export interface PlanarFrame {
  /** Planes Y, U, V; overwritten by the next `prepare`. */
  readonly planes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** As in `DecodedFrame`. */
  readonly serial: number;
}

/** How many frames to read and drop to move forwards; beyond that, restarting the decoder is quicker. */
const longestSkip = 30;
/** A request this close to a decoder's grid, in seconds, is on it. */
const gridTolerance = 0.0002;
/** Seconds of rounding errors in sums. */
const sameMoment = 1e-9;
/** How many frames a clip with a temporary decoder reads at a time: the first are decoded by then anyway. */
const leastAhead = 3;
const mostAhead = 32;
/** Seconds before the end at which to start looking for the last frame; finally the whole file. */
const lastFrameSearch = [3, 30, Infinity];

/** Pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** What a clip is made of. */
export interface ClipOptions extends FrameSize {
  readonly ffmpeg: Ffmpeg;
  readonly signal: AbortSignal;
  readonly file: MediaFile;
  /** The pixel format of requests and decoder. */
  readonly pixels: PixelFormat;
  readonly decoded: DecodedFormat;
  /** As in VideoRequest. */
  readonly veil?: Veil;
  readonly colors: VideoColors;
  /** Returns a number that was never used before. */
  readonly newSerial: () => number;
  readonly warn: (message: string) => void;
}

/** A video as elements show it: its decoder and the current frame. */
export class Clip {
  readonly #options: ClipOptions;
  /** Tells clips of a render apart. */
  readonly number: number;
  #decoder: VideoDecoder | undefined;
  /**
   * The frames are those at `#start + n × #step`; `#index` is the n of the current one, -1 before the first. They are
   * the same whether the decoder stays open or is opened again for each.
   */
  #start = 0;
  #step = 0;
  #index = -1;
  /**
   * True if time moves unevenly: steps are then half a frame of the file, and the last frame before the time is shown.
   */
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
    this.number = options.newSerial();
  }

  /** Another clip at the same position, which continues on its own; it has no decoder yet. */
  fork(): Clip {
    const other = new Clip(this.#options);
    other.#start = this.#start;
    other.#step = this.#step;
    other.#index = this.#index;
    other.#uneven = this.#uneven;
    other.#ended = this.#ended;
    other.#atLast = this.#atLast;
    other.#time = this.#time;
    const frame = this.#frame;
    // Copied, because the decoder reuses its memory.
    other.#frame = frame && { ...frame, bytes: frame.bytes.slice() };
    return other;
  }

  get frame(): DecodedFrame | null {
    const { width, height, pixels, decoded, colors, file } = this.#options;
    if (!this.#frame || pixels !== 'rgba') return null;
    const { bytes, serial } = this.#frame;
    return {
      get rgba() {
        if (decoded === 'rgba') return bytes;
        const { picture } = file.info;
        return decoded === 'yuv420p' || !picture
          ? colors.toRgba(bytes, width, height)
          : colors.toStandard(bytes, width * height, picture, decoded === 'gbrap16le');
      },
      clip: this.number,
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

  /** Of its frames. */
  get size(): FrameSize {
    const { width, height } = this.#options;
    return { width, height };
  }

  get pixels(): PixelFormat {
    return this.#options.pixels;
  }

  get veil(): Veil | undefined {
    return this.#options.veil;
  }

  /** How its decoders make the frames. */
  get #look(): Pick<DecoderPlan, 'width' | 'height' | 'pixels' | 'veil'> {
    const { width, height, decoded: pixels, veil } = this.#options;
    return { width, height, pixels, ...(veil && { veil }) };
  }

  /** True when its frames are at least as large. */
  covers({ width, height }: FrameSize): boolean {
    return width <= this.#options.width && height <= this.#options.height;
  }

  /**
   * True if continuing to a moment gives the same frame as starting there: it is one of the equal steps, and not past
   * the end.
   */
  arrivesAt(time: number, step: number): boolean {
    if (this.#uneven || this.#ended || step <= 0 || step !== this.#step) return false;
    const steps = (time - this.#start) / step;
    return Math.abs(steps - Math.round(steps)) * step < sameMoment;
  }

  /** Makes the frame of a moment current. `step` and `threads` are those of a `DecoderPlan`. */
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
      // A changing speed moves on a little, but not in equal steps.
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
   * Ends the decoder and keeps the frame; another moment opens it again at its position.
   *
   * @param room Bytes for frames to read first, because they come next: starting a process costs more than many small
   * frames. Default: none.
   */
  async release(room = 0): Promise<void> {
    if (this.#decoder && !this.#ended) await this.#readAhead(room);
    const decoder = this.#decoder;
    this.#decoder = undefined;
    await decoder?.close();
  }

  /** Ends the decoder for good. */
  async close(): Promise<void> {
    this.#frame = null;
    await this.release();
  }

  /** Reads more ahead the longer frames have been in sequence. */
  async #readAhead(room: number): Promise<void> {
    const frame = this.#frame;
    const worth = Math.min(mostAhead, Math.max(leastAhead, 2 * this.#index));
    const wanted = Math.min(worth, Math.floor(room / (frame?.bytes.length ?? 1)));
    if (!frame || wanted < 1) return;
    // The decoder reuses its memory.
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
    // A still video needs one frame; any step will do.
    this.#step = step > 0 ? step : 1;
    this.#index = -1;
    this.#ended = false;
    this.#openAt(time, threads);
  }

  #openAt(time: number, threads: number): void {
    const { ffmpeg, file, signal } = this.#options;
    const plan = { time, step: this.#step, threads, ...this.#look };
    this.#decoder = new VideoDecoder(ffmpeg, file, plan, signal);
  }

  /** Reads frames; stops at the last one. */
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
   * two steps; so look for that, once.
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
    const { ffmpeg, file, signal } = this.#options;
    const plan = { time, step: 1, everyFrame: true, threads, ...this.#look };
    const decoder = new VideoDecoder(ffmpeg, file, plan, signal);
    try {
      let last: Uint8Array | null = null;
      for (let frame = await decoder.next(); frame; frame = await decoder.next()) {
        // Copied, because the decoder reuses its memory.
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

  /** If a decoder fails after some frames, the rest is damaged: holds the last good frame, with a warning. */
  async #reportEnd(): Promise<void> {
    const end = await this.#decoder?.finished;
    if (!end || end.code === 0) return;
    // Not the file's fault: without this the rest of a good video would freeze.
    if (isKilled(end)) throw this.#killed(end.lastLines);
    if (!this.#frame) throw this.#unreadable(end);
    this.#options.warn('The video is damaged; its last good frame is held from there on');
  }

  #killed(cause: string): RenderError {
    const { element, place, source } = this.#options.file;
    return decoderKilled(element ?? source, place, cause);
  }

  /** @param end of the decoder, if it gave no frame */
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
