/** What a render and its painting threads say to each other. */
import type { Problem } from '../../../shared/renderscript/source.ts';
import type { RenderErrorCode } from '../../../shared/engine/errors.ts';
import type { Materials } from '../materials.ts';
import type { RenderJob } from '../render-job.ts';

/** What a painting thread begins with. */
export interface PainterData {
  readonly job: RenderJob;
  readonly materials: Materials;
  /** Its frames, one after the other, each as planes Y, U and V. */
  readonly frames: SharedArrayBuffer;
  /** See RegisteredFiles. */
  readonly fonts: SharedArrayBuffer;
  /** See CurrentElement. */
  readonly element: SharedArrayBuffer;
}

/** A run of frames to paint. */
export interface PaintTask {
  /** Number of the first frame of the film. */
  readonly first: number;
  readonly count: number;
  /** Where in `frames` the first of them goes; the others follow. */
  readonly place: number;
}

/** What a painting thread answers: that it can paint; then something for every frame, in order. */
export type PainterNews =
  | { readonly type: 'open' }
  | { readonly type: 'no-open'; readonly error: PlainError }
  | PaintedNews
  | { readonly type: 'failed'; readonly index: number; readonly error: PlainError };

/** A frame that is in its place. */
export interface PaintedNews {
  readonly type: 'painted';
  readonly index: number;
  /** True if it equals the frame before, and its place was left as it was. Never for the first of a run. */
  readonly isRepeat: boolean;
  /** What became known while painting it. */
  readonly warnings: readonly Problem[];
}

/** An error that can pass between threads. */
export interface PlainError {
  /** Null for a bug. */
  readonly code: RenderErrorCode | null;
  readonly message: string;
  readonly path: string | null;
  /** Details for the log. */
  readonly details: string;
}

const longestPath = 512;

/**
 * The path of the element that a thread is drawing, in shared memory: the only way to ask a thread that is deep inside
 * the drawing library. What is read may be half of an old and half of a new one.
 */
export class CurrentElement {
  readonly memory: SharedArrayBuffer;
  readonly #bytes: Buffer;

  constructor(memory = new SharedArrayBuffer(longestPath)) {
    this.memory = memory;
    this.#bytes = Buffer.from(memory);
  }

  /** Null: none. Paths that are too long count as none. */
  set(path: string | null): void {
    const length = path === null ? 0 : Buffer.byteLength(path);
    const end = path !== null && length <= longestPath ? this.#bytes.write(path) : 0;
    if (end < longestPath) this.#bytes[end] = 0;
  }

  get(): string | null {
    const end = this.#bytes.indexOf(0);
    return end === 0 ? null : this.#bytes.toString('utf8', 0, end < 0 ? longestPath : end);
  }
}
