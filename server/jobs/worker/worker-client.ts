/**
 * The server's side of the workers of one slot: keeps a process ready (worker-starts.ts), gives it one render after the
 * other, and replaces it. The other side is server/worker.ts. A process is reused after a render that
 * succeeded or failed, never after a crash or a kill, and not if it keeps too much memory.
 */
import type { RendererRestart, RendererState } from '../../../shared/api.ts';
import { memoryLimits, workLimits } from '../../../shared/limits.ts';
import { describeError } from '../../system/log.ts';
import { type OwnFaults, stopped, type TaskOutcome } from './task-faults.ts';
import type { WorkerProgress } from '../progress.ts';
import type { Loss, Outcome } from '../verdict.ts';
import { tookMemory } from './protocol.ts';
import type { RenderInput } from './render-protocol.ts';
import { readTrail } from '../trail.ts';
import type { TaskOutput } from './tasks.ts';
import { overdueReasons, type WorkerTuning } from './vitals.ts';
import { removeWorkFolder } from './ask-worker.ts';
import type { ProcessEvent, WorkerProcess } from './worker-process.ts';
import { WorkerStarts, type WorkerStartOptions } from './worker-starts.ts';

/** What a client is made with. */
export interface WorkerClientOptions extends WorkerStartOptions {
  /** Shared by all clients of a queue. */
  readonly faults: OwnFaults;
  readonly tuning?: WorkerTuning | undefined;
  /** Called when the renderer becomes idle, busy, restarting or off. */
  readonly onState: () => void;
}

/** What a worker says about ffmpeg. @property reason Why it is missing, in words; null when it is there. */
type EncoderAnswer = { readonly reason: string | null } & Partial<TaskOutput<'find-encoder'>>;

/** Milliseconds before replacing a process that ended without work: the first time, the second in a row, and so on. */
const idlePauses = [0, 1_000, 5_000, 15_000, 30_000] as const;

/** An attempt under way. */
interface Run {
  readonly id: string;
  readonly process: WorkerProcess;
  cancelled: boolean;
}

/** An end before the trail has been read. */
type RunEnd = Exclude<Outcome, { kind: 'lost' }> | { kind: 'lost'; reason: Loss['reason'] };

/** The worker of one slot. */
export class WorkerClient {
  readonly #options: WorkerClientOptions;
  /** The started process, waiting or working. */
  #process: WorkerProcess | null = null;
  readonly #starts: WorkerStarts;
  #preparing: Promise<void> | null = null;
  /** True while a replacement starts for a process that keeps too much memory. */
  #isReplacing = false;
  #run: Run | null = null;
  /** Why the last one ended or did not start; undefined once the next is ready. */
  #reason: string | undefined;
  /** The last process ended unexpectedly: the next one must prove that it can draw. */
  #isDoubted = false;
  /** How often in a row it ended without work. */
  #idleDeaths = 0;
  /** Milliseconds before the next start. */
  #pause = 0;
  /** Ends that pause early. */
  #wake: (() => void) | null = null;
  #closed = false;

  constructor(options: WorkerClientOptions) {
    this.#options = options;
    this.#starts = new WorkerStarts({
      ...options,
      onEvent: (process, event) => this.#receive(process, event),
      onDeath: (process, how) => this.#onDeath(process, how),
    });
  }

  get state(): RendererState {
    if (this.#run) return 'rendering';
    if (this.#reason === undefined) return 'idle';
    return this.#options.faults.areEnough ? 'off' : 'restarting';
  }

  /** The next attempt to start; null if none is due, or the process is only being replaced. */
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
    return this.#process?.pid ?? this.#starts.pid;
  }

  /** True if the process that would take the next render has done work before. */
  get isUsed(): boolean {
    return this.#process?.isUsed ?? false;
  }

  /**
   * Resolves when a process is ready for work. After a worker's own failure the next start waits (task-faults.ts).
   * Resolves at once after `close()`.
   *
   * @param fresh True for a process that has done no work yet.
   */
  prepare(fresh = false): Promise<void> {
    const isUnfit = (fresh && this.isUsed) || this.#process?.isOutdated === true;
    if (isUnfit && !this.#run) this.#drop();
    this.#preparing ??= this.#prepare().finally(() => {
      this.#preparing = null;
    });
    return this.#preparing;
  }

  /** Nothing to prepare, now or ever again. */
  get #isDone(): boolean {
    return this.#closed || this.#process !== null;
  }

  async #prepare(): Promise<void> {
    while (!this.#isDone) {
      const spare = this.#starts.hasSpare ? await this.#starts.takeSpare() : null;
      if (!spare && this.#pause > 0) {
        await this.#rest();
        continue;
      }
      try {
        const process = spare ?? (await this.#starts.start(this.#isDoubted));
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

  /**
   * Follows a change of the priority: at once as far as the system allows, and with a new process once there is no
   * work.
   */
  usePriority(): void {
    const process = this.#process;
    if (!process) return;
    const wasLow = process.isLow;
    this.#starts.usePriority(process);
    this.#starts.endSpare();
    if (wasLow && !process.isLow) process.isOutdated = true;
    if (process.isOutdated && !this.#run) this.#renew(process, 'it had a lower priority');
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

  /** Tries again at once; forget the failures first. */
  restart(): void {
    this.#pause = 0;
    this.#wake?.();
    this.#options.onState();
  }

  /** Runs one render. Call `prepare()` first, and only one at a time. Never rejects, never hangs. */
  async run(
    order: RenderInput,
    onProgress: (progress: WorkerProgress) => void,
    onPicture: (jpg: Buffer) => void = () => undefined,
  ): Promise<Outcome> {
    const process = this.#process;
    if (!process) return { kind: 'lost', loss: { reason: 'died', place: null, isAlone: false } };
    const { tuning: { memoryLimit: memory = Infinity, step = workLimits.step } = {} } =
      this.#options;
    const isAlone = !process.isUsed;
    process.isUsed = true;
    const { id } = order;
    const run: Run = { id, process, cancelled: false };
    this.#run = run;
    this.#options.onState();
    const outcome = await process.ask('render', order, {
      id,
      limits: { memory, step },
      onProgress: (progress) => {
        if ('picture' in progress) onPicture(Buffer.from(progress.picture, 'base64'));
        else onProgress(progress);
      },
      onDoubt: () => this.#starts.keepSpare(),
    });
    this.#run = null;
    const end = this.#take(run, outcome);
    this.#options.onState();
    const place = end.kind === 'lost' ? await readTrail(order.workFolder) : null;
    await removeWorkFolder(order.workFolder);
    if (end.kind !== 'lost') return end;
    return { kind: 'lost', loss: { reason: end.reason, place, isAlone } };
  }

  /** What the end of a render means, and what follows from it for the process. */
  #take({ id, process, cancelled }: Run, outcome: TaskOutcome<'render'>): RunEnd {
    const { log } = this.#options;
    switch (outcome.kind) {
      case 'done':
        if (outcome.output.kind === 'done') this.#idleDeaths = 0;
        return outcome.output;
      case 'failed': {
        const { code, message, path, details, spoilt } = outcome;
        if (details !== undefined) log('error', `render ${id}`, details);
        // The next one will be fine: no proof, no pause.
        if (spoilt) {
          this.#drop(process);
          void this.#prepareTwo();
        }
        return cancelled ? { kind: 'cancelled' } : { kind: 'failed', code, message, path };
      }
      case 'overdue': {
        this.#drop(process);
        const { why } = outcome;
        if (why === 'deaf') return { kind: 'cancelled' };
        const reason = overdueReasons[why];
        log('warning', 'worker', `render ${id}: ended by force, ${reason}`);
        this.#succeed(reason);
        return { kind: 'lost', reason: why };
      }
      case 'ended': {
        this.#drop(process);
        if (outcome.how === stopped) return { kind: 'lost', reason: 'died' };
        const reason = `the worker ended (${outcome.how})`;
        log('error', 'worker', `render ${id}: ${reason}`);
        if (cancelled) return { kind: 'cancelled' };
        this.#succeed(reason);
        return { kind: 'lost', reason: outcome.how === tookMemory ? 'memory' : 'died' };
      }
    }
  }

  /**
   * Asks the process for ffmpeg, also while it renders. @param fontFolder To hear of the build, too. @returns null if
   * there is no process, or if it dies meanwhile.
   */
  async findEncoder(ffmpegPath?: string, fontFolder?: string): Promise<EncoderAnswer | null> {
    const answer = await this.#process?.ask('find-encoder', { ffmpegPath, fontFolder });
    if (answer?.kind === 'done') return { reason: null, ...answer.output };
    return answer?.kind === 'failed' ? { reason: answer.message } : null;
  }

  /** Asks for a small picture of the next drawn frame. */
  look(): void {
    this.#run?.process.send({ type: 'look' });
  }

  /** Asks the running render to stop; its process is ended if it does not. */
  cancel(): void {
    if (!this.#run || this.#run.cancelled) return;
    this.#run.cancelled = true;
    this.#run.process.cancel();
  }

  /** Ends the process at once. A running attempt ends as lost. */
  close(): void {
    this.#closed = true;
    this.#drop();
    this.#starts.close();
    this.#wake?.();
  }

  #receive(process: WorkerProcess, event: ProcessEvent): void {
    const run = this.#run?.process === process ? this.#run : null;
    if (event.type === 'log') {
      if (run) this.#options.log(event.level, `render ${run.id}`, event.text);
    } else if (!run) this.#lookAtRest(process, event.memory);
  }

  /** A started process is gone unexpectedly. Its render, if it has one, ends as well. */
  #onDeath(process: WorkerProcess, how: string): void {
    if (this.#process !== process) return;
    this.#process = null;
    if (this.#run) return;
    const reason = `the worker ended (${how})`;
    this.#options.log('error', 'worker', reason);
    this.#succeed(reason, idlePauses[this.#idleDeaths++] ?? idlePauses.at(-1));
  }

  /**
   * Starts the next process without waiting for a render, and lets it prove that it can draw; an earlier render starts
   * it at once.
   *
   * @param pause Milliseconds; absent after the loss of a render, which may be tried again.
   */
  #succeed(reason: string, pause?: number): void {
    this.#isDoubted = true;
    this.#reason = reason;
    this.#options.onState();
    if (pause === undefined) void this.#prepareTwo();
    else if (pause === 0) void this.prepare();
    else setTimeout(() => void this.prepare(), pause).unref();
  }

  /** One after the other: renders wait for the first. */
  async #prepareTwo(): Promise<void> {
    await this.prepare();
    this.#starts.keepSpare();
  }

  /** A start failed, or a proof. */
  #fail(error: unknown): void {
    if (this.#closed) return;
    const { faults, clock, log, onState } = this.#options;
    this.#isDoubted = true;
    this.#pause = faults.add(clock.now());
    this.#reason = error instanceof Error ? error.message : String(error);
    log('error', 'worker', `${describeError(error)}; next start in ${this.#pause} ms`);
    onState();
  }

  /** Kills a process and forgets it. */
  #drop(process = this.#process): void {
    if (process === this.#process) this.#process = null;
    process?.end();
  }

  /**
   * Replaces a process that keeps much memory after its work; the new one starts beside it, so that no render waits.
   */
  #lookAtRest(process: WorkerProcess, memory: number): void {
    const { tuning } = this.#options;
    if (process.isOutdated) this.#renew(process, 'it had a lower priority');
    else if (memory > (tuning?.restingMemory ?? memoryLimits.rest))
      this.#renew(process, `it keeps ${Math.round(memory / 1e6)} MB`);
  }

  #renew(process: WorkerProcess, why: string): void {
    if (process !== this.#process || this.#isReplacing) return;
    this.#options.log('info', 'worker', `${why} and is replaced`);
    this.#isReplacing = true;
    void this.#replace(process).finally(() => {
      this.#isReplacing = false;
    });
  }

  async #replace(old: WorkerProcess): Promise<void> {
    let next: WorkerProcess;
    try {
      next = await this.#starts.start(false);
    } catch (error) {
      // The old one stays in use.
      this.#options.log('warning', 'worker', `can’t be replaced: ${describeError(error)}`);
      return;
    }
    // A render that started meanwhile keeps its process, which is checked again when the render has ended.
    if (this.#process === old && !this.#run) {
      this.#process = next;
      old.end();
    } else {
      next.end();
    }
  }
}
