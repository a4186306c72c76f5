/** Pixels of one render, kept up to a number of bytes. */
import type { Canvas, Image } from '@napi-rs/canvas';

interface Kept<T extends Image | Canvas> {
  readonly drawable: T;
  readonly bytes: number;
}

/** Pixels kept up to a number of bytes; those not asked for longest go first, the newest never. */
export class PixelStore<T extends Image | Canvas> {
  readonly #budget: number;
  readonly #release: (drawable: T) => void;
  /** Oldest use first. */
  readonly #kept = new Map<string, Kept<T>>();
  readonly #retired = new Set<string>();
  #bytes = 0;

  /** `release` is told what was given up. */
  constructor(budget: number, release: (drawable: T) => void = () => undefined) {
    this.#budget = budget;
    this.#release = release;
  }

  /** True when so many more bytes find room; what was retired is given up for them, the oldest first. */
  makeRoom(bytes: number): boolean {
    for (const key of this.#retired) {
      if (this.#bytes + bytes <= this.#budget) break;
      this.#drop(key);
    }
    return this.#bytes + bytes <= this.#budget;
  }

  /** Counts bytes of what is being made; negative ones when it is done. */
  reserve(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Says that a drawable is probably needed no more. */
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

  /** Gives everything up. */
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
