/**
 * Phase 1 while the render runs: composes the frames of an animated picture. A frame in the file may be a patch on
 * earlier frames; composing starts from the last complete one, so that frames can be requested in any order and are
 * always the same.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { type Canvas, createCanvas, type Image } from '@napi-rs/canvas';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { drawingLimits, examineLimits } from '../../../../shared/limits.ts';
import {
  type AnimationFrame,
  fitsCanvas,
  type PictureAnimation,
  readAnimation,
  standaloneFrame,
} from './picture-animation.ts';
import { type Ffmpeg, runFfmpeg } from '../../ffmpeg.ts';
import { frameTiming, type Release } from '../../ffmpeg-builds.ts';
import { renameOver } from '../../../system/files.ts';

/** Frames composed before and still cached, by number. */
export type KeptFrames = (index: number) => Canvas | null;

/** Decodes the bytes of a still picture; null when they are damaged. */
export type DecodePicture = (bytes: Buffer) => Image | null;

/** One animated picture. Contains the positions of its frames in the file, no pixels. */
export class MovingPicture {
  readonly #path: string;
  readonly #animation: PictureAnimation;
  readonly #decode: DecodePicture;
  /** Frames that could not be decoded; each is tried once. */
  readonly #damaged = new Set<AnimationFrame>();

  private constructor(path: string, animation: PictureAnimation, decode: DecodePicture) {
    this.#path = path;
    this.#animation = animation;
    this.#decode = decode;
  }

  /** Finds the frames of a file; null when it is not an animation. `format`: a word from sniff.ts. */
  static open(path: string, format: string, decode: DecodePicture): MovingPicture | null {
    const animation = readAnimation(format, readFileSync(path));
    return animation && new MovingPicture(path, animation, decode);
  }

  /** True once a frame could not be decoded; the frame before it is shown instead. */
  get isDamaged(): boolean {
    return this.#damaged.size > 0;
  }

  /**
   * The composed picture at frame `index`, on a new canvas.
   *
   * @param kept Composed frames to build on; only saves work.
   * @returns null if the first frame is damaged, so there is nothing to show.
   * @throws RenderError `limit_exceeded`, only the reason, if too many large frames overlap.
   */
  frame(index: number, kept: KeptFrames): Canvas | null {
    for (let at = index; at >= 0; at--) {
      const canvas = this.#build(at, kept);
      if (canvas) return canvas;
    }
    return null;
  }

  /** Null if nothing of it could be decoded. */
  #build(index: number, kept: KeptFrames): Canvas | null {
    const { frames, width, height } = this.#animation;
    // The frames that make up this one, last first; each builds on the next in the list.
    const patches: number[] = [];
    let start: Canvas | null = null;
    for (let at: number | null = index; at !== null; at = this.#below(at)) {
      start = at === index ? null : kept(at);
      if (start) {
        patches.push(at);
        break;
      }
      patches.push(at);
      const frame = frames[at];
      if (frame?.blend === 'replace' && this.#isWhole(frame)) break;
    }

    this.#checkWork(patches, start);
    // Only once there is something to draw: in a damaged file every frame is requested.
    let canvas: Canvas | null = null;
    const draw = (picture: Canvas | Image, x: number, y: number): void => {
      canvas ??= createCanvas(width, height);
      canvas.getContext('2d').drawImage(picture, x, y);
    };
    const clear = ({ x, y, width: w, height: h }: AnimationFrame): void =>
      canvas?.getContext('2d').clearRect(x, y, w, h);
    for (let left = patches.pop(); left !== undefined; left = patches.pop()) {
      const frame = frames[left];
      if (!frame) continue;
      const picture = start ? null : this.#decodeFrame(frame);
      if (start) draw(start, 0, 0);
      if (picture && frame.blend === 'replace') clear(frame);
      if (picture) draw(picture, frame.x, frame.y);
      start = null;
      const isLast = patches.length === 0;
      if (!isLast && frame.disposal === 'clear') clear(frame);
    }
    return canvas;
  }

  /** @param start The first patch, if already composed: it costs nothing. */
  #checkWork(patches: readonly number[], start: Canvas | null): void {
    let pixels = 0;
    for (const [index, at] of patches.entries()) {
      const frame = this.#animation.frames[at];
      const isThere = (start !== null && index === patches.length - 1) || !frame;
      if (!isThere && !this.#damaged.has(frame)) pixels += frame.width * frame.height;
    }
    if (pixels <= drawingLimits.animationPixels) return;
    const megapixels = (count: number): number => Math.round(count / 1e6);
    throw new RenderError(
      'limit_exceeded',
      `One moment of the animated picture is built of frames with ${megapixels(pixels)} megapixels together; the limit is ${megapixels(drawingLimits.animationPixels)}`,
    );
  }

  /** The frame that frame `index` builds on; null if none. */
  #below(index: number): number | null {
    const { frames } = this.#animation;
    for (let at = index - 1; at >= 0; at--) {
      const frame = frames[at];
      // A frame that is undone leaves no trace.
      if (!frame || frame.disposal === 'restore') continue;
      return frame.disposal === 'clear' && this.#isWhole(frame) ? null : at;
    }
    return null;
  }

  #isWhole({ x, y, width, height }: AnimationFrame): boolean {
    const canvas = this.#animation;
    return x === 0 && y === 0 && width >= canvas.width && height >= canvas.height;
  }

  #decodeFrame(frame: AnimationFrame): Image | null {
    if (this.#damaged.has(frame)) return null;
    const fits = fitsCanvas(frame, this.#animation);
    const picture = fits ? this.#decode(this.#bytesOf(frame)) : null;
    if (!picture) this.#damaged.add(frame);
    return picture;
  }

  #bytesOf(frame: AnimationFrame): Buffer {
    const file = openSync(this.#path, 'r');
    try {
      const parts = frame.data.map(({ start, end }) => {
        const part = Buffer.alloc(Math.max(0, end - start));
        readSync(file, part, 0, part.length, start);
        return part;
      });
      return standaloneFrame(this.#animation, frame, parts);
    } finally {
      closeSync(file);
    }
  }
}

// A moving avif as a moving png, because the drawing library only knows its first picture. ffmpeg makes it, as the
// frames are a film in AV1.

/** True for an avif that says it is a sequence. */
async function isSequence(filePath: string): Promise<boolean> {
  await using file = await open(filePath, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
  if (bytesRead < 16 || buffer.toString('latin1', 4, 8) !== 'ftyp') return false;
  return buffer.toString('latin1', 8, Math.min(bytesRead, buffer.readUInt32BE(0))).includes('avis');
}

/**
 * Replaces a moving avif by a png that moves alike.
 *
 * @param ffmpeg Null if there is none that may read the file.
 * @returns False for a moving one that stays as it is: without ffmpeg, with transparency, or too large.
 */
export async function unrollAvif(
  filePath: string,
  ffmpeg: Ffmpeg | null,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await isSequence(filePath))) return true;
  if (!ffmpeg) return false;
  const target = `${filePath}.frames`;
  try {
    const report = await runFfmpeg(ffmpeg, unrollArguments(filePath, target, ffmpeg), {
      deadline: examineLimits.ffmpegTime,
      signal,
    });
    // Its opacity is a second film, in gray.
    if (/Stream #0:1/.test(report.split(/^Output #0/m)[0] ?? '')) return false;
    await renameOver(target, filePath);
    return true;
  } catch (error) {
    if (error instanceof RenderError && error.code !== 'cancelled') return false;
    throw error;
  } finally {
    await rm(target, { force: true });
  }
}

/** The arguments with which ffmpeg does it. */
export function unrollArguments(from: string, to: string, build: Release): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', from, '-map', '0:V:0'],
    ...[...frameTiming(build, 'passthrough'), '-sws_flags', 'accurate_rnd+full_chroma_int'],
    ...['-pix_fmt', 'rgb24', '-c:v', 'apng', '-plays', '0', '-f', 'apng', '-y', to],
  ];
}
