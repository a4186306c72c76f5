/**
 * Starts the processes of one slot: the next one, which may have to prove that it can draw, and a spare one beside it.
 * Used by worker-client.ts, which gives them work. Server only.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { RenderPriority } from '../../../shared/api.ts';
import { workLimits } from '../../../shared/limits.ts';
import type { Clock } from '../../system/clock.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { ForkWorker } from './protocol.ts';
import { explain } from './task-faults.ts';
import { removeWorkFolder } from './ask-worker.ts';
import { WorkerProcess, type ProcessEvent } from './worker-process.ts';

/** What processes are started with. */
export interface WorkerStartOptions {
  readonly fork: ForkWorker;
  readonly log: Log;
  readonly clock: Clock;
  /** For the known picture. */
  readonly fontFolder: string;
  /** For the known picture's files; the program's start empties it. */
  readonly workFolder: string;
  /** How the process takes turns with others; read for each process. Default: `low`. */
  readonly priority?: (() => RenderPriority) | undefined;
}

/** Who hears of the processes, from their start on. */
interface WorkerEars {
  readonly onEvent: (process: WorkerProcess, event: ProcessEvent) => void;
  readonly onDeath: (process: WorkerProcess, how: string) => void;
}

/** See above. */
export class WorkerStarts {
  readonly #options: WorkerStartOptions & WorkerEars;
  /** Processes that are starting. */
  readonly #starting = new Set<WorkerProcess>();
  /** A second process, ready or starting; resolves with null if it does not start. See `keepSpare`. */
  #spare: Promise<WorkerProcess | null> | null = null;
  #spareTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WorkerStartOptions & WorkerEars) {
    this.#options = options;
  }

  /** Of a process that is starting. */
  get pid(): number | undefined {
    return [...this.#starting][0]?.pid;
  }

  get hasSpare(): boolean {
    return this.#spare !== null;
  }

  /**
   * Starts a process that can take work.
   * @param proof Whether it must draw the known picture first. @throws if it ends, or can't draw
   */
  async start(proof: boolean): Promise<WorkerProcess> {
    const { fork, log, clock, onEvent, onDeath } = this.#options;
    const process: WorkerProcess = new WorkerProcess({
      fork,
      log,
      clock,
      onEvent: (event) => onEvent(process, event),
      onDeath: (how) => onDeath(process, how),
    });
    this.#starting.add(process);
    try {
      await process.ready;
      this.usePriority(process);
      if (proof) await this.#prove(process);
      if (this.#closed || process.pid === undefined)
        throw new Error('the worker ended while starting');
      return process;
    } catch (error) {
      process.end();
      throw error;
    } finally {
      this.#starting.delete(process);
    }
  }

  /** Lets it draw the known picture. @throws Error with what is wrong. */
  async #prove(process: WorkerProcess): Promise<void> {
    const { log, fontFolder } = this.#options;
    const folder = path.join(this.#options.workFolder, `proof-${randomUUID()}`);
    const proof = await process.ask('prove', { fontFolder, folder });
    void removeWorkFolder(folder);
    const problem = proof.kind === 'done' ? proof.output.problem : explain('prove', proof, log);
    if (problem !== null) throw new Error(`the worker can’t draw its own picture: ${problem}`);
  }

  /** Tells a process the present priority. */
  usePriority(process: WorkerProcess): void {
    const priority = this.#options.priority?.() ?? 'low';
    // It gives way by itself.
    if (process.isLow && priority === 'low') return;
    process.isLow = priority === 'low';
    process.send({ type: 'priority', priority });
  }

  /**
   * Keeps a second process ready for a while, when the working one may have to be ended or was. Then the next render
   * need not wait for a start; at rest there is only one process.
   */
  keepSpare(): void {
    if (this.#closed) return;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => this.endSpare(), workLimits.spareTime).unref();
    this.#spare ??= this.start(true).catch((error: unknown) => {
      // A render that needs one will show what is wrong.
      this.#options.log('warning', 'worker', `no second one: ${describeError(error)}`);
      return null;
    });
  }

  /** The spare process, once it is ready. @returns null if there is none */
  async takeSpare(): Promise<WorkerProcess | null> {
    const spare = this.#spare;
    this.#spare = null;
    const process = await spare;
    if (this.#closed) process?.end();
    // It may have ended while waiting.
    return process?.pid === undefined ? null : process;
  }

  endSpare(): void {
    clearTimeout(this.#spareTimer);
    void this.#spare?.then((process) => process?.end());
    this.#spare = null;
  }

  /** Ends all that are starting, and starts none any more. */
  close(): void {
    this.#closed = true;
    this.endSpare();
    for (const process of this.#starting) process.end();
  }
}
