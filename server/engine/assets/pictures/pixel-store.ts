/** Pixels of one render, kept up to a number of bytes. */
import type { Canvas, Image } from '@napi-rs/canvas';

interface Kept<T extends Image | Canvas> {
  readonly drawable: T;
  readonly bytes: number;
}

/** Pixels kept up to a number of bytes; the least recently used go first, the newest never. */
export class PixelStore<T extends Image | Canvas> {
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
