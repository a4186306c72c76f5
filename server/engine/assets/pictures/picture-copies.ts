/**
 * Copies of pictures in the sizes in which they were drawn, kept from render to render by the content of the file: the next card
 * with the same photo neither decodes nor resizes it. Process-wide, in the worker.
 *
 * A copy is the same whenever it is made, so that one that was kept never shows. Whoever takes a copy has it alone, and hands it
 * back at the end of its render; so nothing is freed that is being drawn.
 */
import { createHash } from 'node:crypto';
import { isPlainWay } from '../../../system/plain-way.ts';
import type { Canvas } from '../../../../shared/engine/surface.ts';

/**
 * Bytes of all copies: five of a square of 1080 pixels from a photo of 4:3. They take up to twice as much for real, and a worker
 * at rest is to stay under what it is replaced at. Those kept first go first.
 */
const budget = 32 * 1024 ** 2;

/** A copy as painting makes it, which knows what its members mean. */
export interface Size {
  readonly canvas: Canvas;
  readonly width: number;
  readonly height: number;
  readonly opaque: boolean;
  solid?: boolean;
  used: number;
}

interface Sides {
  readonly width: number;
  readonly height: number;
}

interface Copy {
  /** Of the file's bytes. */
  readonly content: string;
  /** Of the picture itself, decoded. */
  readonly whole: Sides;
  readonly size: Size;
}

const kept = new Map<string, Copy>();
let bytes = 0;

/** The name of a content. */
export function contentName(file: Buffer): string {
  return createHash('sha256').update(file).digest('base64');
}

/** The sides of a picture of which there is any copy, else null. */
export function knownSides(content: string): Sides | null {
  if (isPlainWay()) return null;
  for (const copy of kept.values()) if (copy.content === content) return copy.whole;
  return null;
}

/** The copy of that size, which is the caller's from now on; null when there is none. */
export function takeCopy(content: string, width: number, height: number): Size | null {
  const key = keyOf(content, { width, height });
  const copy = kept.get(key);
  if (!copy || isPlainWay()) return null;
  kept.delete(key);
  bytes -= bytesOf(copy.size);
  return copy.size;
}

/** Keeps a copy that nobody draws any more. */
export function keepCopy(content: string, whole: Sides, size: Size): void {
  const key = keyOf(content, size);
  if (kept.has(key) || bytesOf(size) > budget) {
    freePixels(size.canvas);
    return;
  }
  kept.set(key, { content, whole, size });
  bytes += bytesOf(size);
  for (const [oldest, copy] of kept) {
    if (bytes <= budget) break;
    kept.delete(oldest);
    bytes -= bytesOf(copy.size);
    freePixels(copy.size.canvas);
  }
}

/** Bytes of what is kept. */
export function keptBytes(): number {
  return bytes;
}

function keyOf(content: string, { width, height }: Sides): string {
  return `${content} ${width}×${height}`;
}

/** Frees the pixels of a canvas now: the garbage collector does not see how large they are and comes too late. */
export function freePixels(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

function bytesOf({ canvas }: Size): number {
  return canvas.width * canvas.height * 4;
}
