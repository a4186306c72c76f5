/** How a worker does with one render or preview, and when that is reason to end its process. */
import os from 'node:os';
import { memoryLimits, workLimits } from '../../shared/limits.ts';
import type { WorkerProgress } from './progress.ts';

/** Why an attempt is lost whose process was ended by force. */
export type Overdue = keyof typeof overdueReasons;

/** In words, for the log and the window; as `RendererState`'s reason. */
export const overdueReasons = {
  silent: `the worker gave no sign of life for ${workLimits.silence / 1000} s`,
  frameless: `the worker drew no new frame for ${workLimits.frameless / 1000} s`,
  overtime: `the render took longer than ${workLimits.renderTime / 3_600_000} h`,
  memory: 'the worker took more of the computer’s memory than it may',
} as const;

/** Milliseconds between two looks at a running worker. */
export const watchInterval = 1_000;
/** The server itself was stopped (sleep, debugger) when its own looks are further apart than this. */
const ownPause = 5_000;

/** Bytes that a worker may take on this computer. */
export function memoryLimit(): number {
  // What a container was given; 0, or more than there is, without any.
  const given = process.constrainedMemory() || Infinity;
  return Math.min(Math.min(os.totalmem(), given) * memoryLimits.share, memoryLimits.most);
}

/** How long it may go on without a sign, in ms, and what it may take, in bytes. */
export interface VitalLimits {
  /** Without any message. */
  readonly silence: number;
  /** Without a new frame while frames are drawn. */
  readonly frameless: number;
  /** All of it. */
  readonly time: number;
  readonly memory: number;
}

/** The signs of life of one piece of work. All times are steady, in ms. */
export class Vitals {
  readonly #limits: VitalLimits;
  readonly #startedAt: number;
  #heardAt: number;
  #framedAt: number;
  #lookedAt: number;
  #frame = 0;
  #phase: WorkerProgress['phase'] = 'waiting';
  /** Since when it is above the limit of memory; null while it is not. */
  #heavySince: number | null = null;

  constructor(now: number, limits: VitalLimits) {
    this.#limits = limits;
    this.#startedAt = this.#heardAt = this.#framedAt = this.#lookedAt = now;
  }

  /** The worker said something. @param memory Bytes that it takes; undefined where it said nothing of that. */
  hear(now: number, memory: number | undefined): void {
    this.#heardAt = now;
    if (memory === undefined) return;
    this.#heavySince = memory > this.#limits.memory ? (this.#heavySince ?? now) : null;
  }

  /** The worker said how far it is. */
  proceed({ phase, frame }: WorkerProgress, now: number): void {
    if (phase !== this.#phase || frame > this.#frame) this.#framedAt = now;
    this.#phase = phase;
    this.#frame = frame;
  }

  /** To be called every `watchInterval`. @returns why the process has to be ended; null while all is well. */
  look(now: number): Overdue | null {
    if (now - this.#lookedAt > ownPause) {
      // We slept, and so did the worker: its silence means nothing.
      this.#heardAt = now;
      this.#framedAt = now;
      if (this.#heavySince !== null) this.#heavySince = now;
    }
    this.#lookedAt = now;
    // First: one that the system is swapping out falls silent, too.
    const isHeavy = this.#heavySince !== null && now - this.#heavySince > memoryLimits.patience;
    if (isHeavy) return 'memory';
    if (now - this.#heardAt > this.#limits.silence) return 'silent';
    const isDrawing = this.#phase === 'rendering';
    if (isDrawing && now - this.#framedAt > this.#limits.frameless) return 'frameless';
    if (now - this.#startedAt > this.#limits.time) return 'overtime';
    return null;
  }
}
