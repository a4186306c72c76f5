/**
 * How a worker does with one render or preview, and when that is reason to end its process.
 *
 * The pulse comes from a thread that does not draw. So a process that stands still (no pulse) is told from a drawing thread
 * that is deep inside one step (pulses that say it is quiet), and that from one that waits for something which never comes
 * (no new frame). A step may take long on a slow or busy computer: it counts as endless by what was computed in it, not
 * by the clock alone.
 */
import os from 'node:os';
import { memoryLimits, workLimits } from '../../../shared/limits.ts';
import type { WorkerProgress } from '../progress.ts';

/** Why an attempt is lost whose process was ended by force. */
export type Overdue = keyof typeof overdueReasons;

/** In words, for the log and the window; as `RendererState`'s reason. */
export const overdueReasons = {
  silent: `the worker gave no sign of life for ${workLimits.silence / 1000} s`,
  stuck: `the worker computed one step without end`,
  frameless: `the worker drew no new frame for ${workLimits.frameless / 1000} s`,
  idle: `the worker got no further for ${workLimits.idle / 60_000} minutes`,
  overtime: `the render took longer than ${workLimits.renderTime / 3_600_000} h`,
  memory: 'the worker took more of the computer’s memory than it may',
} as const;

/** Milliseconds between two looks at a running worker. */
export const watchInterval = 1_000;
/** The server itself was stopped (sleep, debugger) when its own looks are further apart than this. */
const ownPause = 5_000;

/** Bytes that a worker may take on this computer, with the processes that it starts. */
export function memoryLimit(): number {
  // What a container was given; 0, or more than there is, without any.
  const given = process.constrainedMemory() || Infinity;
  return Math.min(Math.min(os.totalmem(), given) * memoryLimits.share, memoryLimits.most);
}

/** How long it may go on without a sign, in ms, and what it may take, in bytes. */
export interface VitalLimits {
  /** Without any message. */
  readonly silence: number;
  /** Computed by the process in one step of the drawing thread. */
  readonly step: number;
  /** Without a new frame while frames are drawn; one step of any kind may not take longer either. */
  readonly frameless: number;
  /** Without getting any further before frames are drawn. */
  readonly idle: number;
  /** All of it. */
  readonly time: number;
  readonly memory: number;
}

/** The worker's pulse. */
export interface Pulse {
  /** Bytes that it takes of the computer's memory, with the processes that it started. */
  readonly memory: number;
  /** Milliseconds since its drawing thread was last heard of, and what the process computed in them. */
  readonly quiet: number;
  readonly computed: number;
}

/** The signs of life of one piece of work. All times are steady, in ms. */
export class Vitals {
  readonly #limits: VitalLimits;
  /** Time that was slept through taken out. */
  #startedAt: number;
  #heardAt: number;
  #movedAt: number;
  #lookedAt: number;
  #progress: WorkerProgress = { phase: 'waiting', frame: 0, frames: 0 };
  /** Since when it is above the limit of memory; null while it is not. */
  #heavySince: number | null = null;
  /** It is so far above that it may take all there is before the next look. */
  #isBursting = false;
  #pulse: Pulse | null = null;

  constructor(now: number, limits: VitalLimits) {
    this.#limits = limits;
    this.#startedAt = this.#heardAt = this.#movedAt = this.#lookedAt = now;
  }

  /** The worker said something. @param pulse Where that was its pulse. */
  hear(now: number, pulse?: Pulse): void {
    this.#heardAt = now;
    if (!pulse) return;
    this.#pulse = pulse;
    const { memory } = pulse;
    this.#heavySince = memory > this.#limits.memory ? (this.#heavySince ?? now) : null;
    this.#isBursting = memory > this.#limits.memory * memoryLimits.burst;
  }

  /** The worker said how far it is. */
  proceed(next: WorkerProgress, now: number): void {
    const last = this.#progress;
    const isFurther =
      next.phase !== last.phase ||
      next.frame > last.frame ||
      (next.bytes ?? 0) > (last.bytes ?? 0) ||
      (next.share ?? 0) > (last.share ?? 0);
    if (isFurther) this.#movedAt = now;
    this.#progress = next;
  }

  /** Milliseconds that the drawing thread had been deep inside one step, by the last pulse. */
  get quiet(): number {
    return this.#pulse?.quiet ?? 0;
  }

  /** True when it may have to be ended: it is in a long step, takes too much memory, or is half-way to one of its limits. */
  isDoubtful(now: number): boolean {
    const { silence, frameless, idle } = this.#limits;
    const isSilent = now - this.#heardAt > silence / 2;
    const isInStep = this.quiet > workLimits.doubt;
    const stillness = this.#progress.phase === 'waiting' ? idle : frameless;
    const isStill = now - this.#movedAt > stillness / 2;
    return this.#heavySince !== null || isSilent || isInStep || isStill;
  }

  /** To be called every `watchInterval`. @returns why the process has to be ended; null while all is well. */
  look(now: number): Overdue | null {
    const since = now - this.#lookedAt;
    if (since > ownPause) {
      this.#startedAt += since;
      // We slept, and so did the worker: its silence means nothing.
      this.#heardAt = now;
      this.#movedAt = now;
      if (this.#heavySince !== null) this.#heavySince = now;
      this.#pulse = null;
    }
    this.#lookedAt = now;
    const { silence, step, frameless, idle, time } = this.#limits;
    // First: one that the system is swapping out falls silent, too.
    const isHeavy = this.#heavySince !== null && now - this.#heavySince > memoryLimits.patience;
    if (isHeavy || this.#isBursting) return 'memory';
    if (now - this.#heardAt > silence) return 'silent';
    const { quiet = 0, computed = 0 } = this.#pulse ?? {};
    if (Math.min(quiet, computed) > step) return 'stuck';
    const still = now - this.#movedAt;
    const { phase } = this.#progress;
    if (quiet > frameless || (phase === 'rendering' && still > frameless)) return 'frameless';
    if (phase === 'waiting' && still > idle) return 'idle';
    if (now - this.#startedAt > time) return 'overtime';
    return null;
  }
}
