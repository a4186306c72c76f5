/**
 * The near side of the workers of one place in the queue: has a process ready, hands it one render after the other, watches
 * it, ends it, replaces it. The far side is server/worker.ts. A process is used again after a render that went well or
 * failed, never after a crash or a kill, and not when it keeps too much memory.
 */
import type { RendererRestart, RendererState } from '../../../shared/api.ts';
import { memoryLimits, workLimits } from '../../../shared/limits.ts';
import type { Clock } from '../../clock.ts';
import { describeError, type Log } from '../../log.ts';
import type { OwnFaults } from './own-faults.ts';
import type { WorkerProgress } from '../progress.ts';
import type { ForkWorker, RenderFacts, StartMessage } from './protocol.ts';
import { readTrail } from '../trail.ts';
import type { Loss } from '../verdict.ts';
import { memoryLimit, overdueReasons, Vitals, watchInterval } from './vitals.ts';
import { WorkerProcess, type EncoderAnswer, type WorkEvent } from './worker-process.ts';

/** How an attempt ended. */
export type Outcome =
  | { readonly kind: 'done'; readonly facts: RenderFacts; readonly warnings: readonly string[] }
  /** In the worker's own words. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly path?: string | undefined;
    }
  /** The process is gone. */
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'cancelled' };

/** When workers are started again, and when ended. */
export interface WorkerTuning {
  /** Pauses before the start after the first, second … failure of a worker itself, ms. Default: see shared/limits.ts. */
  readonly restartPauses?: readonly number[];
  /** Bytes of memory that a worker may take. Default: `memoryLimit()` of vitals.ts. */
  readonly memoryLimit?: number;
  /** Bytes that it may keep between two renders. Default: see shared/limits.ts. */
  readonly restingMemory?: number;
  /** Milliseconds of computing in one step of drawing. Default: see shared/limits.ts. */
  readonly step?: number;
}

/** What a client is made with. */
export interface WorkerClientOptions {
  readonly fork: ForkWorker;
  readonly clock: Clock;
  readonly log: Log;
  /** For the known picture. */
  readonly fontFolder: string;
  /** The same, for its files; a start of the program empties it. */
  readonly workFolder: string;
  /** Shared by all clients of a queue. */
  readonly faults: OwnFaults;
  readonly tuning?: WorkerTuning | undefined;
  /** The renderer became idle, busy, restarting or off. */
  readonly onState: () => void;
}

/** Milliseconds before a process that ended without work is replaced unasked, the second time in a row and so on. */
const idlePauses = [0, 1_000, 5_000, 15_000, 30_000] as const;

/** An attempt under way. */
interface Run {
  readonly id: string;
  readonly process: WorkerProcess;
  readonly onProgress: (progress: WorkerProgress) => void;
  readonly onPicture: (jpg: Buffer) => void;
  readonly finish: (end: RunEnd) => void;
  readonly vitals: Vitals;
  readonly isAlone: boolean;
  cancelled: boolean;
}

/** An end before the trail has been read. */
type RunEnd = Exclude<Outcome, { kind: 'lost' }> | { kind: 'lost'; reason: Loss['reason'] };

/** The worker of one place. */
export class WorkerClient {
  readonly #options: WorkerClientOptions;
  /** Started, and waiting for work or at it. */
  #process: WorkerProcess | null = null;
  /** Being started. */
  readonly #starting = new Set<WorkerProcess>();
  #preparing: Promise<void> | null = null;
  /** Another process, ready or being started; null in it when it did not start. See `#keepSpare`. */
  #spare: Promise<WorkerProcess | null> | null = null;
  #spareTimer: NodeJS.Timeout | undefined;
  /** Another process is being started in place of one that keeps too much. */
  #isReplacing = false;
  #run: Run | null = null;
  /** Why the last one ended or did not start; undefined once another one is ready. */
  #reason: string | undefined;
  /** The last process ended unasked: the next one has to show that it can draw. */
  #isDoubted = false;
  /** How often in a row it ended without work. */
  #idleDeaths = 0;
  /** Milliseconds before the next start. */
  #pause = 0;
  /** Ends that pause. */
  #wake: (() => void) | null = null;
  #closed = false;

  constructor(options: WorkerClientOptions) {
    this.#options = options;
  }

  get state(): RendererState {
    if (this.#run) return 'rendering';
    if (this.#reason === undefined) return 'idle';
    return this.#options.faults.areEnough ? 'off' : 'restarting';
  }

  /** Which start is tried next; null when none is due, or it has only been replaced. */
  get nextTry(): RendererRestart | null {
    const { count } = this.#options.faults;
    if (this.state !== 'restarting' || count === 0) return null;
    return { attempt: count + 1, most: workLimits.offFrom };
  }

  /** Why it is not working. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Process id, for tests and reports. */
  get pid(): number | undefined {
    return this.#process?.pid ?? [...this.#starting][0]?.pid;
  }

  /** Something has been worked on in the process that would take the next render. */
  get isUsed(): boolean {
    return this.#process?.isUsed ?? false;
  }

  /**
   * Settles when a process waits for work. After a failure of its own the next start waits (own-faults.ts). Settles at once
   * after `close()`.
   *
   * @param fresh A process that has worked on nothing yet.
   */
  prepare(fresh = false): Promise<void> {
    if (fresh && this.isUsed && !this.#run) this.#drop();
    this.#preparing ??= this.#prepare().finally(() => {
      this.#preparing = null;
    });
    return this.#preparing;
  }

  /** There is nothing to prepare, or nothing any more. */
  get #isDone(): boolean {
    return this.#closed || this.#process !== null;
  }

  async #prepare(): Promise<void> {
    while (!this.#isDone) {
      const spare = this.#spare && (await this.#takeSpare());
      if (!spare && this.#pause > 0) {
        await this.#rest();
        continue;
      }
      try {
        const process = spare ?? (await this.#start(this.#isDoubted));
        this.#process = process;
        this.#isDoubted = false;
        this.#options.faults.forget();
        if (this.#reason !== undefined) {
          this.#reason = undefined;
          this.#options.onState();
        }
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  /** A process that can take work. @param proof Whether it has to draw the known picture before. */
  async #start(proof: boolean): Promise<WorkerProcess> {
    const { fork, log, fontFolder, workFolder } = this.#options;
    const process: WorkerProcess = new WorkerProcess({
      fork,
      log,
      onEvent: (event) => this.#receive(process, event),
      onDeath: (how) => this.#onDeath(process, how),
    });
    this.#starting.add(process);
    try {
      await process.ready;
      if (proof) await process.prove(fontFolder, workFolder);
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

  /**
   * Has another process ready, for a while: the one at work may have to be ended, or one was. The next render does not wait
   * for a start then, and at rest there is one process alone.
   */
  #keepSpare(): void {
    if (this.#closed) return;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => this.#endSpare(), workLimits.spareTime).unref();
    this.#spare ??= this.#start(true).catch((error: unknown) => {
      // What is wrong shows when a render needs one.
      this.#options.log('warning', 'worker', `no second one: ${describeError(error)}`);
      return null;
    });
  }

  async #takeSpare(): Promise<WorkerProcess | null> {
    const spare = this.#spare;
    this.#spare = null;
    const process = await spare;
    if (this.#closed) process?.end();
    // It may have ended while it waited.
    return process?.pid === undefined ? null : process;
  }

  #endSpare(): void {
    clearTimeout(this.#spareTimer);
    void this.#spare?.then((process) => process?.end());
    this.#spare = null;
  }

  async #rest(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, this.#pause);
    });
    clearTimeout(timer);
    this.#wake = null;
    this.#pause = 0;
  }

  /** Tries again at once; the failures are to be forgotten first. */
  restart(): void {
    this.#pause = 0;
    this.#wake?.();
    this.#options.onState();
  }

  /** Carries out one render. Call `prepare()` before, and one at a time. Never rejects, never hangs. */
  async run(
    message: StartMessage,
    onProgress: (progress: WorkerProgress) => void,
    onPicture: (jpg: Buffer) => void = () => undefined,
  ): Promise<Outcome> {
    const process = this.#process;
    if (!process) return { kind: 'lost', loss: { reason: 'died', place: null, isAlone: false } };
    const { clock, tuning = {} } = this.#options;
    const { silence, frameless, idle, renderTime: time, step } = workLimits;
    const isAlone = !process.isUsed;
    process.isUsed = true;
    const end = await new Promise<RunEnd>((finish) => {
      const limits = { silence, frameless, idle, time, step: tuning.step ?? step };
      const memory = tuning.memoryLimit ?? memoryLimit();
      const vitals = new Vitals(clock.steady(), { ...limits, memory });
      const { id } = message;
      this.#run = { id, process, onProgress, onPicture, finish, vitals, isAlone, cancelled: false };
      this.#options.onState();
      this.#watch(this.#run);
      process.send(message);
    });
    this.#run = null;
    this.#options.onState();
    if (end.kind === 'done') this.#idleDeaths = 0;
    if (end.kind !== 'lost') return end;
    const place = await readTrail(message.workFolder);
    return { kind: 'lost', loss: { reason: end.reason, place, isAlone } };
  }

  /** Asks the process for ffmpeg, also while it renders. @returns null when there is no process, or it died meanwhile. */
  findEncoder(ffmpegPath: string | undefined): Promise<EncoderAnswer | null> {
    return this.#process?.findEncoder(ffmpegPath) ?? Promise.resolve(null);
  }

  /** Asks for a small picture of the next frame that is drawn. */
  look(): void {
    this.#run?.process.send({ type: 'look' });
  }

  /** Asks the running render to stop; its process is ended when it does not. */
  cancel(): void {
    const run = this.#run;
    if (!run || run.cancelled) return;
    run.cancelled = true;
    run.process.send({ type: 'cancel' });
    setTimeout(() => {
      if (this.#run !== run) return;
      this.#drop();
      run.finish({ kind: 'cancelled' });
    }, workLimits.cancelTime).unref();
  }

  /** Ends the process at once. A running attempt ends as lost. */
  close(): void {
    this.#closed = true;
    this.#drop();
    this.#endSpare();
    for (const process of this.#starting) process.end();
    this.#run?.finish({ kind: 'lost', reason: 'died' });
    this.#wake?.();
  }

  #receive(process: WorkerProcess, event: WorkEvent): void {
    const run = this.#run;
    if (event.type === 'pulse') {
      if (run?.process === process) run.vitals.hear(this.#options.clock.steady(), event);
      else this.#lookAtRest(process, event.memory);
      return;
    }
    if (!run || run.process !== process || !('id' in event)) return;
    const now = this.#options.clock.steady();
    run.vitals.hear(now);
    if (event.type === 'log') {
      this.#options.log(event.level, `render ${run.id}`, event.text);
      return;
    }
    if (event.id !== run.id) return;
    switch (event.type) {
      case 'progress':
        run.vitals.proceed(event, now);
        run.onProgress(event);
        return;
      case 'picture':
        run.onPicture(Buffer.from(event.jpg, 'base64'));
        return;
      case 'done':
        run.finish({ kind: 'done', facts: event.facts, warnings: event.warnings });
        return;
      case 'failed': {
        const { code, message, path, spoilt } = event;
        // Nothing is wrong with the next one, which needs no proof and no pause.
        if (spoilt) {
          this.#drop();
          void this.#prepareTwo();
        }
        run.finish(run.cancelled ? { kind: 'cancelled' } : { kind: 'failed', code, message, path });
        return;
      }
      default:
        // The preview process's, which has a client of its own.
        return;
    }
  }

  /** Ends a worker that shows no life, no new frames, no end, or no limit. */
  #watch(run: Run): void {
    const timer = setInterval(() => {
      if (this.#run !== run) {
        clearInterval(timer);
        return;
      }
      const now = this.#options.clock.steady();
      const overdue = run.vitals.look(now);
      if (overdue === null) {
        if (run.cancelled || run.vitals.isDoubtful(now)) this.#keepSpare();
        return;
      }
      const reason = overdueReasons[overdue];
      this.#options.log('warning', 'worker', `render ${run.id}: ended by force, ${reason}`);
      this.#drop();
      run.finish({ kind: 'lost', reason: overdue });
      this.#succeed(reason);
    }, watchInterval);
    timer.unref();
  }

  /** A process that had been started is gone, and nobody wanted that. */
  #onDeath(process: WorkerProcess, how: string): void {
    if (this.#process !== process) return;
    this.#process = null;
    const run = this.#run;
    const reason = `the worker ended (${how})`;
    this.#options.log('error', 'worker', run ? `render ${run.id}: ${reason}` : reason);
    run?.finish(run.cancelled ? { kind: 'cancelled' } : { kind: 'lost', reason: 'died' });
    if (run?.cancelled) return;
    if (run) this.#succeed(reason);
    else this.#succeed(reason, idlePauses[this.#idleDeaths++] ?? idlePauses.at(-1));
  }

  /**
   * The next process starts without being asked for, and shows that it can draw; a render that comes sooner starts it.
   *
   * @param pause Milliseconds; absent after the end of a render, which may be tried again.
   */
  #succeed(reason: string, pause?: number): void {
    this.#isDoubted = true;
    this.#reason = reason;
    this.#options.onState();
    if (pause === undefined) void this.#prepareTwo();
    else if (pause === 0) void this.prepare();
    else setTimeout(() => void this.prepare(), pause).unref();
  }

  /** One after the other: the first of them is waited for. */
  async #prepareTwo(): Promise<void> {
    await this.prepare();
    this.#keepSpare();
  }

  /** A start failed, or the known picture. */
  #fail(error: unknown): void {
    if (this.#closed) return;
    const { faults, clock, log, onState } = this.#options;
    this.#isDoubted = true;
    this.#pause = faults.add(clock.now());
    this.#reason = error instanceof Error ? error.message : String(error);
    log('error', 'worker', `${describeError(error)}; next start in ${this.#pause} ms`);
    onState();
  }

  /** Ends the process hard and forgets it. */
  #drop(): void {
    const process = this.#process;
    this.#process = null;
    process?.end();
  }

  /** One that keeps much memory after its work is replaced, by one that is started beside it: no render waits for that. */
  #lookAtRest(process: WorkerProcess, memory: number): void {
    const { log, tuning } = this.#options;
    if (process !== this.#process || memory <= (tuning?.restingMemory ?? memoryLimits.rest)) return;
    if (this.#isReplacing) return;
    log('info', 'worker', `it keeps ${Math.round(memory / 1e6)} MB and is replaced`);
    this.#isReplacing = true;
    void this.#replace(process).finally(() => {
      this.#isReplacing = false;
    });
  }

  async #replace(old: WorkerProcess): Promise<void> {
    let next: WorkerProcess;
    try {
      next = await this.#start(false);
    } catch (error) {
      // The old one goes on; what is wrong shows when it is gone.
      this.#options.log('warning', 'worker', `can’t be replaced: ${describeError(error)}`);
      return;
    }
    // A render that was begun meanwhile keeps its process; that will be looked at again when it has ended.
    if (this.#process === old && !this.#run) {
      this.#process = next;
      old.end();
    } else {
      next.end();
    }
  }
}
