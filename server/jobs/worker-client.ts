/**
 * The near side of a worker process: starts it, hands it one render after the other, watches it, ends it. The far side is
 * server/worker.ts. A process is used again after a render that went well or failed, and never after a crash or a kill.
 */
import type { RendererRestart, RendererState } from '../../shared/api.ts';
import { workLimits } from '../../shared/limits.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import type { Deaths } from './deaths.ts';
import type { WorkerProgress } from './progress.ts';
import {
  workerEvent,
  type ForkWorker,
  type RenderFacts,
  type StartMessage,
  type WorkerEvent,
  type WorkerPort,
} from './protocol.ts';
import { memoryLimit, overdueReasons, Vitals, watchInterval, type Overdue } from './vitals.ts';

/** How an attempt ended. */
export type Outcome =
  | { readonly kind: 'done'; readonly facts: RenderFacts; readonly warnings: readonly string[] }
  /** Would happen again. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly path?: string | undefined;
    }
  /** The process is gone; the render may do better next time. */
  | { readonly kind: 'lost'; readonly reason: 'died' | Overdue }
  | { readonly kind: 'cancelled' };

/** What a worker says about ffmpeg. */
export interface EncoderAnswer {
  /** Why it is missing, in words; null when it is there. */
  readonly reason: string | null;
}

/** What a client is made with. */
export interface WorkerClientOptions {
  readonly fork: ForkWorker;
  readonly clock: Clock;
  readonly log: Log;
  /** Shared by all clients of a queue. */
  readonly deaths: Deaths;
  /** Bytes of memory that a process may take. Default: `memoryLimit()` of vitals.ts. */
  readonly memoryLimit?: number | undefined;
  /** The renderer became idle, busy, restarting or off. */
  readonly onState: () => void;
}

/** An attempt under way. */
interface Run {
  readonly id: string;
  readonly onProgress: (progress: WorkerProgress) => void;
  readonly onPicture: (jpg: Buffer) => void;
  readonly finish: (outcome: Outcome) => void;
  readonly vitals: Vitals;
  cancelled: boolean;
}

/** One worker process at a time. */
export class WorkerClient {
  readonly #options: WorkerClientOptions;
  #port: WorkerPort | null = null;
  /** Settles when the process has said that it is ready; null when there is none. */
  #ready: Promise<void> | null = null;
  /** `prepare()` under way: whoever else calls it waits for the same. */
  #preparing: Promise<void> | null = null;
  #run: Run | null = null;
  /** Questions for ffmpeg that are not answered yet, by their ID. */
  readonly #encoderQuestions = new Map<number, (answer: EncoderAnswer | null) => void>();
  #lastQuestion = 0;
  /** Why the last process died; undefined once another one is ready. */
  #reason: string | undefined;
  /** Milliseconds before the next start; null while it is off. */
  #pause: number | null = 0;
  #closed = false;
  /** Ends the pause before the next start. */
  #wake: (() => void) | null = null;

  constructor(options: WorkerClientOptions) {
    this.#options = options;
  }

  get state(): RendererState {
    if (this.#pause === null) return 'off';
    if (this.#run) return 'rendering';
    return this.#reason === undefined ? 'idle' : 'restarting';
  }

  /** Which start is tried next; null when none is due. */
  get nextTry(): RendererRestart | null {
    if (this.state !== 'restarting') return null;
    const { recent, most } = this.#options.deaths;
    return { attempt: recent + 1, most };
  }

  /** Why it is not working. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Process id, for tests and reports. */
  get pid(): number | undefined {
    return this.#port?.pid;
  }

  /**
   * Settles when a process waits for work. After a death the next start waits (deaths.ts); after too many the client is
   * off, and this waits until `restart()`. Settles at once after `close()`.
   */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare();
    return this.#preparing;
  }

  async #prepare(): Promise<void> {
    while (!this.#closed) {
      if (this.#pause !== 0) {
        await this.#rest(this.#pause);
        continue;
      }
      try {
        this.#ready ??= this.#start();
        await this.#ready;
        if (this.#reason !== undefined) {
          this.#reason = undefined;
          this.#options.onState();
        }
        break;
      } catch (error) {
        this.#ready = null;
        this.#noteDeath(
          error instanceof Error ? error.message : String(error),
          `can't be started: ${describeError(error)}`,
        );
      }
    }
    this.#preparing = null;
  }

  /** The pause before the next start; until `restart()` when it is null. */
  async #rest(pause: number | null): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (pause !== null) timer = setTimeout(resolve, pause);
    });
    clearTimeout(timer);
    this.#wake = null;
    this.#pause = 0;
  }

  /** Tries again at once after the client went off; the deaths are to be forgotten first. */
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
    const port = this.#port;
    if (!port) return { kind: 'lost', reason: 'died' };
    const { clock } = this.#options;
    const { silence, frameless, renderTime: time } = workLimits;
    const memory = this.#options.memoryLimit ?? memoryLimit();
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#run = {
        id: message.id,
        onProgress,
        onPicture,
        finish: resolve,
        vitals: new Vitals(clock.steady(), { silence, frameless, time, memory }),
        cancelled: false,
      };
      this.#options.onState();
      this.#watch(this.#run);
      port.send(message);
    });
    this.#run = null;
    this.#options.onState();
    return outcome;
  }

  /** Asks the process for ffmpeg, also while it renders. @returns null when there is no process, or it died meanwhile. */
  findEncoder(ffmpegPath: string | undefined): Promise<EncoderAnswer | null> {
    const port = this.#port;
    if (!port) return Promise.resolve(null);
    return new Promise((resolve) => {
      const id = ++this.#lastQuestion;
      this.#encoderQuestions.set(id, resolve);
      port.send({ type: 'find-encoder', id, ...(ffmpegPath !== undefined && { ffmpegPath }) });
    });
  }

  /** Asks for a small picture of the next frame that is drawn. */
  look(): void {
    if (this.#run) this.#port?.send({ type: 'look' });
  }

  /** Asks the running render to stop; its process is ended when it does not. */
  cancel(): void {
    const run = this.#run;
    if (!run || run.cancelled) return;
    run.cancelled = true;
    this.#port?.send({ type: 'cancel' });
    setTimeout(() => {
      if (this.#run === run) this.#discard();
    }, workLimits.cancelTime).unref();
  }

  /** Ends the process at once. A running attempt ends as lost. */
  close(): void {
    this.#closed = true;
    this.#discard();
    this.#wake?.();
  }

  /** Starts a process; settles with its first message. */
  #start(): Promise<void> {
    return new Promise((resolve, reject) => {
      let port: WorkerPort;
      try {
        port = this.#options.fork();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      this.#port = port;
      let isReady = false;
      const late = setTimeout(() => port.kill(), workLimits.startTime);
      port.onMessage((message) => {
        const event = this.#parse(message);
        if (event?.type === 'ready') {
          clearTimeout(late);
          isReady = true;
          resolve();
        } else if (event && this.#port === port) {
          this.#receive(event);
        }
      });
      port.onExit(({ code, signal }) => {
        clearTimeout(late);
        const how = signal ?? `code ${code ?? 'unknown'}`;
        // Noted as a death by who waits for it; harmless after `ready`.
        reject(new Error(`the worker ended while starting (${how})`));
        // One that was replaced since has been ended by us.
        if (this.#port !== port) return;
        this.#port = null;
        this.#ready = null;
        const wanted = this.#run?.cancelled === true;
        this.#lose();
        if (isReady && !wanted) this.#die(`the worker ended (${how})`);
      });
    });
  }

  /** Our own worker sends nothing else; a broken message shows a mix of versions and is worth a line. */
  #parse(message: unknown): WorkerEvent | null {
    const result = workerEvent.safeParse(message);
    if (result.success) return result.data;
    this.#options.log('error', 'worker', `not understood: ${JSON.stringify(message)}`);
    return null;
  }

  #receive(event: WorkerEvent): void {
    if (event.type === 'encoder') {
      this.#encoderQuestions.get(event.id)?.(event);
      this.#encoderQuestions.delete(event.id);
      return;
    }
    const run = this.#run;
    if (event.type === 'ready' || run?.id !== event.id) return;
    const now = this.#options.clock.steady();
    run.vitals.hear(now, 'memory' in event ? event.memory : undefined);
    switch (event.type) {
      // All but the first are the preview process's, which has a client of its own.
      case 'started':
      case 'preview-alive':
      case 'preview-done':
      case 'preview-failed':
        return;
      case 'log':
        this.#options.log(event.level, `render ${event.id}`, event.text);
        return;
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
        const { code, message, path } = event;
        run.finish(run.cancelled ? { kind: 'cancelled' } : { kind: 'failed', code, message, path });
        return;
      }
    }
  }

  /** Ends a worker that shows no life, no new frames, no end, or no limit. */
  #watch(run: Run): void {
    const timer = setInterval(() => {
      if (this.#run !== run) {
        clearInterval(timer);
        return;
      }
      const overdue = run.vitals.look(this.#options.clock.steady());
      if (overdue === null) return;
      const reason = overdueReasons[overdue];
      this.#options.log('warning', 'worker', `render ${run.id}: ended by force, ${reason}`);
      run.finish({ kind: 'lost', reason: overdue });
      this.#discard();
      // One that was at work all the time has done nothing wrong.
      if (overdue !== 'overtime') this.#die(reason);
    }, watchInterval);
    timer.unref();
  }

  /** The process is gone: so is the attempt. */
  #lose(): void {
    for (const answer of this.#encoderQuestions.values()) answer(null);
    this.#encoderQuestions.clear();
    const run = this.#run;
    run?.finish(run.cancelled ? { kind: 'cancelled' } : { kind: 'lost', reason: 'died' });
  }

  /** Ends the process hard and forgets it. */
  #discard(): void {
    const port = this.#port;
    this.#port = null;
    this.#ready = null;
    this.#lose();
    port?.kill();
  }

  /** A process that was ready is gone and nobody wanted that: the next one starts without being asked for. */
  #die(reason: string): void {
    this.#noteDeath(reason, reason);
    void this.prepare();
  }

  /** @param line for the log; the reason is for people */
  #noteDeath(reason: string, line: string): void {
    if (this.#closed) return;
    this.#pause = this.#options.deaths.add();
    this.#reason = reason;
    const next = this.#pause === null ? 'stays off' : `next start in ${this.#pause} ms`;
    this.#options.log('error', 'worker', `${line}; ${next}`);
    this.#options.onState();
  }
}
