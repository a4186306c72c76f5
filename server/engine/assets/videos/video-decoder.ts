/**
 * Phase 1, videos: one ffmpeg process that decodes one clip forwards at equal steps of the file's time, and its
 * arguments. video.ts decides when to start one; nothing here knows elements or the render's frames.
 */
import type { Readable } from 'node:stream';
import { decodeLimits } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { startFfmpeg, type Ffmpeg, type FfmpegEnd, type FfmpegProcess } from '../../ffmpeg.ts';
import { can, frameTiming } from '../../ffmpeg-builds.ts';
import { timed } from '../../stopwatch.ts';
import type { MediaFile } from '../assets.ts';
import {
  isStandard,
  type MediaInfo,
  type VideoPicture,
} from '../../../../shared/engine/media-info.ts';
import { inputArguments } from '../examine/sniff.ts';

/** What a decoder returns: the frames shown at `time`, `time + step`, `time + 2 × step`, … */
export interface DecoderPlan {
  /** Seconds from the file's time 0. */
  readonly time: number;
  /** Seconds of the file from frame to frame; above 0. */
  readonly step: number;
  /** Size of the frames, pixels. */
  readonly width: number;
  readonly height: number;
  /** True returns every frame of the file from `time` on, without steps: to find the last one. */
  readonly everyFrame?: boolean;
  /** Decoding threads; 0 lets ffmpeg choose. */
  readonly threads?: number;
  /** The frames' pixel format. Default `rgba`. */
  readonly pixels?: DecodedFormat;
  /** A colour over planes. Default: none. */
  readonly veil?: Veil;
}

/**
 * Straight RGBA for painting, or the encoder's format: planes Y, U, V in BT.709, limited range, for frames with even
 * sides from files without alpha and HDR.
 */
export type PixelFormat = 'rgba' | 'yuv420p';

/**
 * Bytes of a pixel in each format that a decoder writes: also planes of green, blue, red and opacity in 16 bits, full
 * range.
 */
const pixelBytes = { rgba: 4, yuv420p: 1.5, gbrp16le: 6, gbrap16le: 8 } as const;

/** What a decoder writes. */
export type DecodedFormat = keyof typeof pixelBytes;

/** A colour that lies over a video: red, green, blue 0–255 and opacity 0–1. */
export type Veil = readonly [red: number, green: number, blue: number, alpha: number];

/** Bytes of a frame. */
export function frameBytes(width: number, height: number, pixels: DecodedFormat): number {
  return width * height * pixelBytes[pixels];
}

/**
 * A frame may be shown this many seconds before its time stamp. Files with time stamps in whole milliseconds (webm,
 * mkv) have 67 ms for the frame at 66.67; without this, every third frame would repeat.
 */
const timeTolerance = 0.001;

/** How many seconds before the wanted time to start reading, by demuxer. Without an index, seeking is a guess. */
const seekMargins: Readonly<Record<string, number>> = { mp4: 0.2, webm: 0.2, gif: Infinity };
const otherMargin = 12;

/**
 * ffmpeg's arguments for a plan. Pure.
 *
 * Keeps the file's time stamps (`-copyts`), because ffmpeg otherwise counts from the first packet, which may be audio.
 * `fps` drops the frames between the key frame and the wanted time, not ffmpeg's accurate seeking, which would also
 * drop the frame that begins before the wanted time and is still shown.
 */
export function decoderArguments(ffmpeg: Ffmpeg, file: MediaFile, plan: DecoderPlan): string[] {
  return [...readingArguments(ffmpeg, file, plan), ...['-f', 'rawvideo', 'pipe:1']];
}

/**
 * The same without what becomes of the frames.
 *
 * @param then Filters for the frames of the plan.
 */
export function readingArguments(
  ffmpeg: Ffmpeg,
  file: MediaFile,
  plan: DecoderPlan,
  then: readonly string[] = [],
): string[] {
  return [
    ...['-loglevel', 'error', '-copyts', ...fileArguments(file, plan)],
    ...['-map', '0:V:0', '-an', '-sn', '-dn'],
    ...['-vf', [...planFilters(ffmpeg, file, plan), ...then].join(',')],
    ...frameTiming(ffmpeg, 'passthrough'),
  ];
}

/** The file as an input of ffmpeg, read from shortly before the plan's time; needs `-copyts`. Pure. */
export function fileArguments({ path, info }: MediaFile, plan: DecoderPlan): string[] {
  const picture = pictureOf(info);
  const margin = seekMargins[info.format] ?? otherMargin;
  const seek = plan.time + picture.start - picture.firstPacket - margin;
  return [
    ...(plan.threads === undefined || plan.threads === 0 ? [] : ['-threads', String(plan.threads)]),
    ...(info.format === 'gif' ? ['-ignore_loop', '1'] : []),
    ...alphaDecoder(info.hasAlpha, picture.codec),
    '-noaccurate_seek',
    ...(seek > 0.5 ? ['-ss', seek.toFixed(6)] : []),
    ...inputArguments(info.format),
    ...['-i', path],
  ];
}

/** Filters that make the plan's frames of the file's, counted from time 0. Pure. */
export function planFilters(ffmpeg: Ffmpeg, { info }: MediaFile, plan: DecoderPlan): string[] {
  const picture = pictureOf(info);
  const offset = Math.round((picture.start + plan.time + timeTolerance) * 1e6);
  const sampling = plan.everyFrame ? [] : [`fps=fps=${rate(1 / plan.step)}:start_time=0:round=up`];
  return [
    ...deinterlacing(info, picture),
    'settb=1/1000000',
    `setpts=PTS-${offset}`,
    ...sampling,
    // ffmpeg takes gray for full range, whatever it is told.
    ...(picture.matrix === 'gray' ? ['lutyuv=y=(val-16)*255/219+0.5'] : []),
    scaling(picture, plan),
    ...(isFasterAsPlanes(ffmpeg, info, plan) ? ['format=gbrp'] : []),
    `format=${plan.pixels ?? 'rgba'}`,
    ...(plan.veil ? [veiling(plan.veil)] : []),
  ];
}

/** Codecs whose frames may hold two fields, and say so one by one. */
const fieldCodecs = new Set(
  'h264 mpeg2video mpeg4 vc1 wmv3 dvvideo prores dnxhd mjpeg ffv1 rawvideo'.split(' '),
);

/** Makes whole frames of those that say to hold two fields; any other passes through. */
function deinterlacing({ width, height }: MediaInfo, { codec, matrix }: VideoPicture): string[] {
  const canHold = fieldCodecs.has(codec) && matrix !== 'rgb' && Math.min(width, height) >= 4;
  return canHold ? ['bwdif=mode=send_frame:deint=interlaced'] : [];
}

/** The encoder's range and matrix (BT.709, limited), for a colour's red, green and blue 0–255. */
const matrix = {
  y: { offset: 16, red: 0.2126, green: 0.7152, blue: 0.0722, share: 219 / 255 },
  u: { offset: 128, red: -0.1146, green: -0.3854, blue: 0.5, share: 224 / 255 },
  v: { offset: 128, red: 0.5, green: -0.4542, blue: -0.0458, share: 224 / 255 },
} as const;

/**
 * Lays a colour over planes: as blending is linear, so is it in each plane. ffmpeg makes a table of each, and cuts off
 * fractions.
 */
function veiling(veil: Veil): string {
  const alpha = veil[3];
  const terms = inPlanes(veil).map((value, plane) => {
    return `${'yuv'[plane]}=val*${(1 - alpha).toFixed(6)}+${(value * alpha + 0.5).toFixed(6)}`;
  });
  return `lutyuv=${terms.join(':')}`;
}

/** A colour in the encoder's planes Y, U and V, without its opacity. */
export function inPlanes([red, green, blue]: Veil): number[] {
  return Object.values(matrix).map(
    (row) => row.offset + row.share * (row.red * red + row.green * green + row.blue * blue),
  );
}

/**
 * True if scaling to planes of red, green and blue first, and mixing them afterwards, is faster: the same bytes in half
 * the time since ffmpeg 5.0, whose exact routine for planes uses the processor's wide registers; 8 % more time before.
 */
function isFasterAsPlanes(ffmpeg: Ffmpeg, info: MediaInfo, plan: DecoderPlan): boolean {
  const { pixels = 'rgba' } = plan;
  return can(ffmpeg, 'scale planes of colours faster') && pixels === 'rgba' && !info.hasAlpha;
}

/** Animated pictures in a video element are plain RGB and start at 0. */
function pictureOf(info: MediaInfo): VideoPicture {
  return (
    info.picture ?? { codec: info.format, matrix: 'rgb', fullRange: true, start: 0, firstPacket: 0 }
  );
}

/** ffmpeg's built-in decoders drop the alpha of VP8 and VP9. */
function alphaDecoder(hasAlpha: boolean, codec: string): string[] {
  if (!hasAlpha) return [];
  if (codec === 'vp9') return ['-c:v', 'libvpx-vp9'];
  return codec === 'vp8' ? ['-c:v', 'libvpx'] : [];
}

/**
 * Scales and converts in one filter, with explicit matrix and range: ffmpeg would take unmarked files of any size for
 * BT.601. By its exact routine: the fast one is 2 levels off, also in white. Frames that are in the wanted colours and
 * size pass.
 */
function scaling(picture: VideoPicture, { width, height, pixels }: DecoderPlan): string {
  const given = pixels === 'yuv420p' ? ':out_color_matrix=bt709:out_range=tv' : ':out_range=pc';
  const colors =
    picture.matrix === 'rgb' || picture.matrix === 'gray'
      ? ''
      : `:in_color_matrix=${picture.matrix}:in_range=${picture.fullRange ? 'pc' : 'tv'}${given}`;
  return `scale=${width}:${height}:flags=bicubic+accurate_rnd+full_chroma_int${colors}`;
}

/** A rate as a fraction that ffmpeg reads without loss: 30000/1001, 300/13. */
function rate(value: number): string {
  for (let below = 1; below <= 2002; below++) {
    const above = Math.round(value * below);
    if (above > 0 && Math.abs(above / below - value) <= value * 1e-10) return `${above}/${below}`;
  }
  return `${Math.max(1, Math.round(value * 1e6))}/1000000`;
}

/**
 * Frames decoded ahead of the current one. More would only cost memory: the process itself also runs a little ahead.
 */
const ahead = 2;

/** Memory of an ffmpeg process before the first picture, in bytes, and how many of the file's pictures it keeps. */
const processBytes = 30e6;
const heldPictures = 12;

/** Approximate memory of an open decoder and its process, in bytes, for frames of a size. */
export function decoderBytes(
  { info }: MediaFile,
  size: { readonly width: number; readonly height: number },
): number {
  const deep = info.picture && !isStandard(info.picture) ? 2 : 1;
  const pictures = heldPictures * info.width * info.height * 1.5 * deep;
  return processBytes + pictures + (ahead + 2) * size.width * size.height * 4;
}

/** A running decoder. Frames come in order; it only reads what there is room for. */
export class VideoDecoder {
  readonly #process: FfmpegProcess;
  readonly #output: Readable;
  readonly #frameBytes: number;
  readonly #free: Uint8Array[];
  readonly #ready: Uint8Array[] = [];
  #filling: Uint8Array | undefined;
  #filled = 0;
  /** What arrived after the room was full. */
  #rest: Buffer | undefined;
  #current: Uint8Array | undefined;
  #ended = false;
  #waiting: (() => void) | undefined;

  constructor(ffmpeg: Ffmpeg, file: MediaFile, plan: DecoderPlan, signal: AbortSignal) {
    this.#frameBytes = frameBytes(plan.width, plan.height, plan.pixels ?? 'rgba');
    this.#free = Array.from({ length: ahead + 1 }, () => new Uint8Array(this.#frameBytes));
    this.#process = startFfmpeg(ffmpeg, decoderArguments(ffmpeg, file, plan), {
      signal,
      stdout: true,
    });
    if (!this.#process.stdout) throw new Error('a decoder was started without a pipe');
    this.#output = this.#process.stdout;
    this.#output.on('data', (chunk: Buffer) => timed('bytes of videos', () => this.#take(chunk)));
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    this.#output.once('end', end);
    this.#output.once('close', end);
    this.#output.on('error', end);
    this.#process.finished.catch(end);
  }

  /**
   * The plan's next frame, or null after the last one. Requesting the frame after it overwrites it.
   *
   * @throws RenderError `cancelled` if the render was; `media_unreadable`, only the reason, if none comes for too long.
   */
  async next(): Promise<Uint8Array | null> {
    while (this.#ready.length === 0 && !this.#ended) await this.#wait();
    const frame = this.#ready.shift();
    if (!frame) {
      await this.#process.finished;
      return null;
    }
    if (this.#current) this.#free.push(this.#current);
    this.#current = frame;
    this.#resume();
    return frame;
  }

  /** How the process ended, once `next` has returned null. */
  get finished(): Promise<FfmpegEnd> {
    return this.#process.finished;
  }

  /** Ends the process and waits for it. */
  async close(): Promise<void> {
    this.#process.kill();
    this.#output.destroy();
    this.#free.length = 0;
    await this.#process.finished.catch(() => undefined);
  }

  /** Waits until something has arrived. */
  async #wait(): Promise<void> {
    const { frameTime } = decodeLimits;
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const woken = await Promise.race([
      new Promise<void>((resolve) => (this.#waiting = resolve)),
      new Promise<symbol>((resolve) => (timer = setTimeout(() => resolve(late), frameTime))),
    ]);
    clearTimeout(timer);
    if (woken !== late) return;
    this.#process.kill();
    const message = `No picture could be decoded within ${frameTime / 1_000} seconds`;
    throw new RenderError('media_unreadable', message);
  }

  #take(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      this.#filling ??= this.#free.pop();
      if (!this.#filling) {
        const left = chunk.subarray(offset);
        // Node resumes a paused pipe when its process has ended, so more may come.
        this.#rest = this.#rest ? Buffer.concat([this.#rest, left]) : left;
        this.#output.pause();
        return;
      }
      const length = Math.min(chunk.length - offset, this.#frameBytes - this.#filled);
      this.#filling.set(
        offset === 0 && length === chunk.length ? chunk : chunk.subarray(offset, offset + length),
        this.#filled,
      );
      this.#filled += length;
      offset += length;
      if (this.#filled < this.#frameBytes) continue;
      this.#ready.push(this.#filling);
      this.#filling = undefined;
      this.#filled = 0;
      this.#wake();
    }
  }

  #resume(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    // Before taking: what doesn't fit pauses it again.
    this.#output.resume();
    if (rest) this.#take(rest);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }
}
