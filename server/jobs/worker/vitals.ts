/**
 * The health of a worker during one task, and when its process must be ended.
 *
 * The pulse comes from a thread that does not draw. This tells apart a process that stands still (no pulse), a drawing
 * thread deep inside one step (pulses that say it is quiet), and one that waits for something that never comes (no new
 * frame). A step may take long on a slow or busy computer: computing time decides when it is endless, not the clock
 * alone.
 */
import os from 'node:os';
import { memoryLimits, workLimits } from '../../../shared/limits.ts';
import type { WorkerProgress } from '../progress.ts';

/** Why a process was ended by force and its task lost. */
export type Overdue = keyof typeof overdueReasons;

/** In words, for the log and the window; as `RendererState`'s reason. */
export const overdueReasons = {
  silent: `the worker gave no sign of life for ${workLimits.silence / 1000} s`,
  stuck: `the worker computed one step without end`,
  frameless: `the worker drew no new frame for ${workLimits.frameless / 1000} s`,
  idle: `the worker got no further for ${workLimits.idle / 60_000} minutes`,
  overtime: `the render took longer than ${workLimits.renderTime / 3_600_000} h`,
  memory: 'the worker took more of the computer’s memory than it may',
  deaf: 'the worker did not hear that it should stop',
} as const;

/** Milliseconds between two checks of a running worker. */
export const watchInterval = 500;
/** If its own checks are further apart than this, the server itself was stopped (sleep, debugger). */
const ownPause = 5_000;

/** Bytes that a worker and the processes it starts may take on this computer. */
export function memoryLimit(): number {
  // A container's limit; without one, 0 or more than there is.
  const given = process.constrainedMemory() || Infinity;
  return Math.min(Math.min(os.totalmem(), given) * memoryLimits.share, memoryLimits.most);
}

/**
 * Bytes that the system lets each single process of a worker reserve, so that none takes all memory between two pulses.
 */
export function hardMemoryLimit(): number {
  return Math.ceil(memoryLimit() * memoryLimits.burst) + memoryLimits.unused;
}

/** How long it may stay silent, in ms, and how much memory it may take, in bytes. What is absent has no bound. */
export interface VitalLimits {
  /** Without any message. */
  readonly silence: number;
  /** Computing time of the process in one step of the drawing thread. */
  readonly step: number;
  /** Without a new frame while drawing; also the limit for any single step. */
  readonly frameless: number;
  /** Without progress before drawing starts. */
  readonly idle: number;
  /** All of it. */
  readonly time: number;
  /** Never more than `memoryLimit()`. */
  readonly memory: number;
  /** So many times that memory end it at once. Absent: `memoryLimits.burst`. */
  readonly burst: number;
  /** To the end, once it was told to stop. */
  readonly cancel: number;
  /** In one step of the drawing thread, once it was told to stop. */
  readonly deaf: number;
}

const unbounded = {
  silence: Infinity,
  step: Infinity,
  frameless: Infinity,
  idle: Infinity,
  time: Infinity,
  burst: memoryLimits.burst,
  cancel: Infinity,
  deaf: Infinity,
} as const;

/** The worker's pulse. */
export interface Pulse {
  /** Bytes of memory that it and the processes it started take. */
  readonly memory: number;
  /** Milliseconds since its drawing thread last spoke, and how long the process has computed since. */
  readonly quiet: number;
  readonly computed: number;
}

/** The signs of life during one task. All times are steady, in ms. */
export class Vitals {
  readonly #limits: VitalLimits;
  /** Moved on by the time the computer slept. */
  #startedAt: number;
  #heardAt: number;
  #movedAt: number;
  #lookedAt: number;
  #progress: WorkerProgress = { phase: 'waiting', frame: 0, frames: 0 };
  /** Since when it has been above the memory limit; null while it is not. */
  #heavySince: number | null = null;
  /** So far above that it may take all memory before the next check. */
  #isBursting = false;
  #pulse: Pulse | null = null;
  /** When it was told to stop. */
  #cancelledAt: number | null = null;

  constructor(now: number, limits: Partial<VitalLimits>) {
    const memory = Math.min(memoryLimit(), limits.memory ?? Infinity);
    this.#limits = { ...unbounded, ...limits, memory };
    this.#startedAt = this.#heardAt = this.#movedAt = this.#lookedAt = now;
  }

  /** The worker sent a message. @param pulse If that was its pulse. */
  hear(now: number, pulse?: Pulse): void {
    this.#heardAt = now;
    if (!pulse) return;
    this.#pulse = pulse;
    const { memory } = pulse;
    this.#heavySince = memory > this.#limits.memory ? (this.#heavySince ?? now) : null;
    this.#isBursting = memory > this.#limits.memory * this.#limits.burst;
  }

  /** It was told to stop. */
  cancel(now: number): void {
    this.#cancelledAt ??= now;
  }

  /** The worker reported progress. */
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

  /**
   * True if it may have to be ended soon: it was told to stop, is in a long step, takes too much memory, or is half-way
   * to a limit.
   */
  isDoubtful(now: number): boolean {
    const { silence, frameless, idle } = this.#limits;
    const isSilent = now - this.#heardAt > silence / 2;
    const isInStep = (this.#pulse?.quiet ?? 0) > workLimits.doubt;
    const stillness = this.#progress.phase === 'waiting' ? idle : frameless;
    const isStill = now - this.#movedAt > stillness / 2;
    const isUnwanted = this.#cancelledAt !== null;
    return isUnwanted || this.#heavySince !== null || isSilent || isInStep || isStill;
  }

  /** Call every `watchInterval`. @returns why the process must be ended; null while all is well. */
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
    const { silence, step, frameless, idle, time, cancel, deaf } = this.#limits;
    // Memory first: a process being swapped out falls silent too.
    const heavyFor = this.#heavySince === null ? 0 : now - this.#heavySince;
    if (heavyFor > memoryLimits.patience || this.#isBursting) return 'memory';
    if (now - this.#heardAt > silence) return 'silent';
    const { quiet = 0, computed = 0 } = this.#pulse ?? {};
    // A step that fills the memory ends for its memory, however late its pulse came.
    if (Math.min(quiet, computed) > step) return heavyFor > 0 ? 'memory' : 'stuck';
    const still = now - this.#movedAt;
    const { phase } = this.#progress;
    if (quiet > frameless || (phase === 'rendering' && still > frameless)) return 'frameless';
    if (phase === 'waiting' && still > idle) return 'idle';
    if (now - this.#startedAt > time) return 'overtime';
    if (this.#cancelledAt === null) return null;
    return now - this.#cancelledAt >= cancel || quiet > deaf ? 'deaf' : null;
  }
}

/** When workers are restarted and ended; tests have other bounds. */
export interface WorkerTuning {
  /**
   * Pauses before the next start after the first, second … failure of a worker itself, ms. Default: see
   * shared/limits.ts.
   */
  readonly restartPauses?: readonly number[];
  /** Bytes of memory that a worker may take. Default: `memoryLimit()`. */
  readonly memoryLimit?: number;
  /** Bytes that it may keep between two renders. Default: see shared/limits.ts. */
  readonly restingMemory?: number;
  /** Computing time allowed in one drawing step, ms. Default: see shared/limits.ts. */
  readonly step?: number;
}
