/**
 * Phase 1, videos: the frame of every visible clip at the painted moment. One decoder per visible clip, running
 * forwards like the render; jumps and loops restart it at the new position. Elements that show the same share a clip,
 * such as a picture and its blurred background. Runs in the worker.
 */
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { isStandard } from '../../../../shared/engine/media-info.ts';
import { drawingLimits } from '../../../../shared/limits.ts';
import type { Problem } from '../../../../shared/renderscript/source.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { Ffmpeg } from '../../ffmpeg.ts';
import type { Assets, MediaFile } from '../assets.ts';
import { Clip, type DecodedFrame, type FrameSize, type PlanarFrame } from './video-clip.ts';
import { createVideoColors } from './video-colors.ts';
import {
  decoderBytes,
  frameBytes,
  type DecodedFormat,
  type PixelFormat,
  type Veil,
} from './video-decoder.ts';

/** A clip on the screen at one moment. */
export interface VideoRequest {
  /** Its frame is requested by this path. */
  readonly elementPath: string;
  /** Key in `Assets.media`. */
  readonly source: string;
  /** Seconds from the file's time 0. Before it the first frame is shown, after the end the last one. */
  readonly time: number;
  /** Seconds of the file from one output frame to the next; 0 when it stands still. */
  readonly step: number;
  /** Output pixels that the whole picture covers. Larger pictures are scaled down to this size; none is scaled up. */
  readonly width: number;
  readonly height: number;
  /** The pixel format of its frames; see there for which files can be planes. Default `rgba`. */
  readonly pixels?: PixelFormat;
  /** A colour over its planes. Default: none. */
  readonly veil?: Veil;
}

/** What the book works with. */
export interface VideoBookOptions {
  readonly assets: Pick<Assets, 'media'>;
  /** May be null if no video is ever requested. */
  readonly ffmpeg: Ffmpeg | null;
  readonly signal: AbortSignal;
}

/**
 * With more clips than this, each decoder gets one thread: the cores are busy anyway. On two cores the same applies to
 * one clip of up to this many pixels: one thread decodes it faster than it is encoded, and takes 10 to 20 MB less.
 */
const manyClips = 3;
const fewCores = availableParallelism() <= 2;
const lightPixels = 1920 * 1088;

/** Clips with their requests, in drawing order; several elements may request the same. */
type Showings = Map<Clip, VideoRequest>;

/** The videos of one render. */
export class VideoBook {
  readonly #options: VideoBookOptions;
  /** By the paths of the elements that show them. */
  #clips: ReadonlyMap<string, Clip> = new Map();
  readonly #warnings: Problem[] = [];
  readonly #colors = createVideoColors();
  /** Never reused, so that painting's caches can't mistake one clip's frame for another's. */
  #serial = 0;

  constructor(options: VideoBookOptions) {
    this.#options = options;
    // Every open decoder listens for the end of the render.
    setMaxListeners(0, options.signal);
  }

  /** Videos that ended early because of damage, and those whose colours were converted. */
  get warnings(): readonly Problem[] {
    return this.#warnings;
  }

  /**
   * Makes the right frame of every requested clip current; closes all other clips.
   *
   * Decoders stay open as far as their number and memory allow; beyond that, a clip's decoder is opened for each frame.
   *
   * @throws RenderError `media_unreadable` if a file can't be decoded, `limit_exceeded` if the frames of all clips take
   * more memory than allowed, `cancelled`.
   */
  async prepare(requests: readonly VideoRequest[]): Promise<void> {
    const before = new Set(this.#clips.values());
    const showings = this.#share(requests);
    for (const clip of showings.keys()) before.delete(clip);
    await Promise.all([...before].map((clip) => clip.close()));
    const threads = showings.size > manyClips ? 1 : 0;
    const { staying, passing } = divide(showings);
    // Before opening others: release decoders that must not stay open.
    await Promise.all([...passing.keys()].map((clip) => clip.release()));
    await Promise.all([...staying].map(([clip, request]) => this.#show(clip, request, threads)));
    const waiting = passing.entries();
    const room = drawingLimits.passingFrameBytes / passing.size;
    await Promise.all(
      Array.from({ length: drawingLimits.passingDecoders }, async () => {
        for (const [clip, request] of waiting) {
          await this.#show(clip, request, threads);
          await clip.release(room);
        }
      }),
    );
  }

  /**
   * Gives every element its clip: the previous one, if that fits; elements that now request different moments get
   * separate clips. New ones share a clip with others that request the same, whether new or arriving there in equal
   * steps.
   */
  #share(requests: readonly VideoRequest[]): Showings {
    const showings: Showings = new Map();
    const clips = new Map<string, Clip>();
    /** Clips that others may share, by request. */
    const open = new Map<string, Clip>();
    const show = (clip: Clip, request: VideoRequest): void => {
      clips.set(request.elementPath, clip);
      showings.set(clip, showings.get(clip) ?? request);
    };
    const isNew: VideoRequest[] = [];
    for (const request of requests) {
      const { elementPath, time, step } = request;
      let clip = this.#clips.get(elementPath);
      if (!clip || !this.#fits(clip, request)) {
        isNew.push(request);
        continue;
      }
      const other = showings.get(clip) ?? request;
      if (other.time !== time || other.step !== step) {
        const key = `${clip.number} at ${time} by ${step}`;
        clip = open.get(key) ?? clip.fork();
        open.set(key, clip);
      } else if (clip.arrivesAt(time, step)) {
        open.set(whatIsShown(clip.file, clip.size, request), clip);
      }
      show(clip, request);
    }
    for (const request of isNew) {
      const file = this.#fileOf(request);
      const key = whatIsShown(file, frameSize(file, request), request);
      const clip = open.get(key) ?? this.#create(file, request);
      open.set(key, clip);
      show(clip, request);
    }
    this.#clips = clips;
    return showings;
  }

  /** The current frame of an element; null if the last `prepare` had no request for it, or one for planes. */
  frame(elementPath: string): DecodedFrame | null {
    return this.#clips.get(elementPath)?.frame ?? null;
  }

  /** The current frame of an element requested in planes in the last `prepare`, else null. */
  planarFrame(elementPath: string): PlanarFrame | null {
    return this.#clips.get(elementPath)?.planarFrame ?? null;
  }

  /** Ends all decoders. */
  async close(): Promise<void> {
    const clips = new Set(this.#clips.values());
    this.#clips = new Map();
    await Promise.all([...clips].map((clip) => clip.close()));
  }

  async #show(clip: Clip, { time, step }: VideoRequest, threads: number): Promise<void> {
    const { info } = clip.file;
    const isLight = fewCores && info.width * info.height <= lightPixels;
    await clip.show(time, step, isLight ? 1 : threads).catch((error: unknown) => {
      throw error instanceof RenderError && error.code === 'media_unreadable'
        ? named(error, clip.file)
        : error;
    });
  }

  #fileOf({ source }: VideoRequest): MediaFile {
    const file = this.#options.assets.media.get(source);
    if (file) return file;
    throw new Error(`a frame of a file was asked for that is not among the assets: ${source}`);
  }

  /**
   * False if a clip must be reopened: another file, another pixel format or veil, or shown larger than decoded, planes
   * also smaller.
   */
  #fits(clip: Clip, request: VideoRequest): boolean {
    const { source, pixels = 'rgba', veil } = request;
    if (clip.file.source !== source || clip.pixels !== pixels) return false;
    if (clip.veil?.join() !== veil?.join()) return false;
    const size = frameSize(clip.file, request);
    // Planes can't be made smaller by painting.
    if (pixels !== 'rgba')
      return clip.size.width === size.width && clip.size.height === size.height;
    return clip.covers(size);
  }

  #create(file: MediaFile, request: VideoRequest): Clip {
    const { ffmpeg, signal } = this.#options;
    if (!ffmpeg) throw new Error('a frame of a video was asked for without ffmpeg');
    const hdr = file.info.picture?.hdr;
    const size = frameSize(file, request);
    const wish = request.pixels ?? 'rgba';
    if (hdr) {
      const message = `The video has high dynamic range (${hdr.toUpperCase()}); its colours are brought to the standard range`;
      this.#warn(file, 'hdr_converted', message);
    }
    return new Clip({
      ffmpeg,
      signal,
      file,
      ...size,
      pixels: wish,
      ...(request.veil && { veil: request.veil }),
      decoded: wish === 'rgba' ? decodedFormat(file, size) : wish,
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

/** Clips whose decoders stay open, in drawing order, and clips with temporary decoders. */
function divide(showings: Showings): Record<'staying' | 'passing', Showings> {
  const { decoders, decoderBytes: most, videoFrameBytes } = drawingLimits;
  const staying: Showings = new Map();
  const passing: Showings = new Map();
  let open = 0;
  let held = 0;
  for (const [clip, request] of showings) {
    const { file, size } = clip;
    held += frameBytes(size.width, size.height, clip.pixels);
    if (held > videoFrameBytes) throw tooManyFrames(file);
    const bytes = decoderBytes(file, size);
    if (staying.size < decoders && open + bytes <= most) {
      open += bytes;
      staying.set(clip, request);
    } else {
      passing.set(clip, request);
    }
  }
  return { staying, passing };
}

/** Turns a reason into a sentence that names the element; passes on one that already does. */
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

/** Size to decode at: the shown size, but no larger than the file's. */
function frameSize({ info }: MediaFile, { width, height }: FrameSize): FrameSize {
  // A hundredth of a pixel is rounding, not a wish for one more pixel.
  const side = (wanted: number, own: number): number =>
    Math.max(1, Math.min(own, Math.ceil(wanted - 0.01)));
  return { width: side(width, info.width), height: side(height, info.height) };
}

/** Everything that the picture depends on. */
function whatIsShown(
  { source }: MediaFile,
  { width, height }: FrameSize,
  { time, step, pixels = 'rgba', veil }: VideoRequest,
): string {
  const look = veil ? `${pixels} under ${veil.join()}` : pixels;
  return `${width} × ${height} ${look} at ${time} by ${step} of ${source}`;
}

/**
 * How frames for painting are decoded: as they are, where painting computes their colours better or faster than ffmpeg.
 */
function decodedFormat({ info }: MediaFile, { width, height }: FrameSize): DecodedFormat {
  const { picture, hasAlpha } = info;
  if (picture && !isStandard(picture)) return hasAlpha ? 'gbrap16le' : 'gbrp16le';
  // Planes of other matrices or ranges would be rounded twice; unscaled, nothing is lost.
  const isOwn = picture?.inBlocks && !hasAlpha && picture.matrix === 'bt709' && !picture.fullRange;
  const isWhole = width === info.width && height === info.height;
  return isOwn && isWhole && width % 2 === 0 && height % 2 === 0 ? 'yuv420p' : 'rgba';
}
