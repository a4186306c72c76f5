/**
 * Copies of pictures in their drawn sizes, cached across renders by the file's content: the next card with the same
 * photo neither decodes nor resizes it. Process-wide, in the worker.
 *
 * A copy is always the same, so caching never shows. Whoever takes a copy owns it until it returns it at the end of the
 * render, so nothing is freed while it is drawn.
 */
import { createHash } from 'node:crypto';
import type { Canvas as DrawnCanvas, Image } from '@napi-rs/canvas';
import { isPlainWay } from '../../../system/plain-way.ts';
import type { Canvas } from '../../../../shared/engine/surface.ts';

/**
 * Bytes of all copies: five of a square of 1080 pixels from a photo of 4:3. An idle worker must stay below the
 * size at which it is replaced. The oldest go first.
 */
const budget = 32 * 1024 ** 2;

/** A copy as made by painting, which defines its members. */
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
  /** Hash of the file's bytes. */
  readonly content: string;
  /** Of the picture itself, decoded. */
  readonly whole: Sides;
  readonly size: Size;
}

const kept = new Map<string, Copy>();
let bytes = 0;

/** The hash that identifies a content. */
export function contentName(file: Buffer): string {
  return createHash('sha256').update(file).digest('base64');
}

/** The size of a picture that has any copy, else null. */
export function knownSides(content: string): Sides | null {
  if (isPlainWay()) return null;
  for (const copy of kept.values()) if (copy.content === content) return copy.whole;
  return null;
}

/** The copy of that size, now owned by the caller; null if there is none. */
export function takeCopy(content: string, width: number, height: number): Size | null {
  const key = keyOf(content, { width, height });
  const copy = kept.get(key);
  if (!copy || isPlainWay()) return null;
  kept.delete(key);
  bytes -= bytesOf(copy.size);
  return copy.size;
}

/** Returns a copy that is no longer drawn. */
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

/** Bytes of the cached copies. */
export function keptBytes(): number {
  return bytes;
}

function keyOf(content: string, { width, height }: Sides): string {
  return `${content} ${width}×${height}`;
}

/** Frees the pixels of a canvas now: the garbage collector does not see their size and comes too late. */
export function freePixels(canvas: Canvas): void {
  canvas.width = 1;
  canvas.height = 1;
}

function bytesOf({ canvas }: Size): number {
  return canvas.width * canvas.height * 4;
}

interface Kept<T extends Image | DrawnCanvas> {
  readonly drawable: T;
  readonly bytes: number;
}

/** Pixels kept up to a number of bytes; the least recently used go first, the newest never. */
export class PixelStore<T extends Image | DrawnCanvas> {
  readonly #budget: number;
  readonly #release: (drawable: T) => void;
  /** Oldest use first. */
  readonly #kept = new Map<string, Kept<T>>();
  readonly #retired = new Set<string>();
  #bytes = 0;

  /** `release` is called with what was dropped. */
  constructor(budget: number, release: (drawable: T) => void = () => undefined) {
    this.#budget = budget;
    this.#release = release;
  }

  /** True if so many more bytes fit; drops retired items for them, oldest first. */
  makeRoom(bytes: number): boolean {
    for (const key of this.#retired) {
      if (this.#bytes + bytes <= this.#budget) break;
      this.#drop(key);
    }
    return this.#bytes + bytes <= this.#budget;
  }

  /** Counts bytes of something being made; pass negative ones when it is done. */
  reserve(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Marks a drawable as probably no longer needed. */
  retire(key: string): void {
    if (this.#kept.has(key)) this.#retired.add(key);
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
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#budget || oldest === key) break;
      this.#drop(oldest);
    }
    return drawable;
  }

  /** Drops everything. */
  clear(): void {
    for (const key of this.#kept.keys()) this.#drop(key);
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    this.#retired.delete(key);
    if (!kept) return;
    this.#bytes -= kept.bytes;
    this.#release(kept.drawable);
  }
}
