/**
 * Phase 1 while the render runs: the frames of an animated picture put together. A frame of such a file may be a patch on
 * the frames before it; what is seen is worked out from the last whole one on, so that any frame can be asked for in any
 * order and is always the same.
 */
import { createCanvas, type Canvas, type Image } from '@napi-rs/canvas';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { drawingLimits } from '../../../../shared/limits.ts';
import {
  fitsCanvas,
  readAnimation,
  standaloneFrame,
  type AnimationFrame,
  type PictureAnimation,
} from './picture-animation.ts';

/** Frames put together before, by their number; those that are still kept. */
export type KeptFrames = (index: number) => Canvas | null;

/** Decodes the bytes of a still picture; null when they are damaged. */
export type DecodePicture = (bytes: Buffer) => Image | null;

/** One animated picture. Holds the places of its frames in the file, no pixels. */
export class MovingPicture {
  readonly #path: string;
  readonly #animation: PictureAnimation;
  readonly #decode: DecodePicture;
  /** Frames that could not be decoded, which is tried once. */
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

  /** True once a frame could not be decoded; what was seen before it stays in its place. */
  get isDamaged(): boolean {
    return this.#damaged.size > 0;
  }

  /**
   * The whole picture as it is seen while frame `index` is shown, on a canvas of its own.
   *
   * @param kept Finished frames to build on; only spares work.
   * @returns null when there is nothing to show because the first frame is damaged.
   * @throws RenderError `limit_exceeded`, the reason alone, when too many large frames lie on each other.
   */
  frame(index: number, kept: KeptFrames): Canvas | null {
    for (let at = index; at >= 0; at--) {
      const canvas = this.#build(at, kept);
      if (canvas) return canvas;
    }
    return null;
  }

  /** Null when nothing could be decoded of it. */
  #build(index: number, kept: KeptFrames): Canvas | null {
    const { frames, width, height } = this.#animation;
    // The frames that this one is built of, the last one first; each stands on what the one after it in the list left.
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
    // Not before there is something to draw: of a file of damaged frames every one is asked for.
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

  /** @param start The first patch as it was put together before, which costs nothing. */
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

  /** The frame whose picture is the ground of frame `index`; null when it stands on nothing. */
  #below(index: number): number | null {
    const { frames } = this.#animation;
    for (let at = index - 1; at >= 0; at--) {
      const frame = frames[at];
      // What was taken back is as if it had never been there.
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
