/**
 * One worker process from its start to its end, as the server sees it: parses messages, settles every question, and
 * notices every end, wanted or not. Used by worker-client.ts (renders), preview.ts (the editor's pictures) and
 * ask-worker.ts (single questions).
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { workLimits } from '../../../shared/limits.ts';
import type { FfmpegInUse } from '../../../shared/api.ts';
import type { Log } from '../../system/log.ts';
import type { WorkerBuild } from './piece-protocol.ts';
import {
  tookMemory,
  workerEvent,
  type ForkWorker,
  type WorkerCommand,
  type WorkerEvent,
  type WorkerPort,
} from './protocol.ts';

/** What a worker says about ffmpeg. */
export interface EncoderAnswer {
  /** Why it is missing, in words; null when it is there. */
  readonly reason: string | null;
  /** The one that was found. */
  readonly found?: FfmpegInUse | undefined;
  /** What films follow from, if that was asked. */
  readonly build?: WorkerBuild;
}

/** Events about a worker's task; all others are answers, which reach their caller. */
export type WorkEvent = Exclude<WorkerEvent, { type: 'ready' | 'proven' | 'encoder' }>;

/** What a process is started with. */
export interface WorkerProcessOptions {
  readonly fork: ForkWorker;
  readonly log: Log;
  /** Its name in sentences; default: `the worker`. */
  readonly called?: string;
  /** Receives events about its task; answers resolve their promises instead. */
  readonly onEvent: (event: WorkEvent) => void;
  /** Called once when it has ended without `end()`. @param how Its signal or code, or `tookMemory`. */
  readonly onDeath: (how: string) => void;
}

/** A process. The constructor starts it. */
export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #port: WorkerPort;
  /** Resolves with its first message; rejects if it ends first or takes too long. */
  readonly ready: Promise<void>;
  /** Whether it was told to have a low priority last. */
  isLow = true;
  /** It had a low priority before: most systems don't let it go back. */
  isOutdated = false;
  /** True once it has done work. */
  isUsed = false;
  #isEnded = false;
  #proof: ((problem: string | null) => void) | null = null;
  /** Open questions about ffmpeg, by number. */
  readonly #questions = new Map<number, (answer: EncoderAnswer | null) => void>();
  #lastQuestion = 0;

  /** @throws what starting a process throws. */
  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    this.#port = options.fork();
    this.ready = this.#follow();
    // Whoever waits for it gets the error; without a waiter it must not be an unhandled rejection.
    this.ready.catch(() => undefined);
  }

  /** While it lives. */
  get pid(): number | undefined {
    return this.#isEnded ? undefined : this.#port.pid;
  }

  send(command: WorkerCommand): void {
    if (!this.#isEnded) this.#port.send(command);
  }

  /**
   * Lets it draw the known picture. @param folder For its files; the next start empties the parent folder. @throws
   * Error with what is wrong.
   */
  async prove(fontFolder: string, folder: string): Promise<void> {
    const workFolder = path.join(folder, `proof-${randomUUID()}`);
    let late: NodeJS.Timeout | undefined;
    const problem = await new Promise<string | null>((resolve) => {
      this.#proof = resolve;
      late = setTimeout(
        () => resolve('it did not draw its own picture in time'),
        workLimits.startTime,
      );
      this.send({ type: 'prove', fontFolder, workFolder });
    });
    clearTimeout(late);
    this.#proof = null;
    if (problem !== null) throw new Error(`the worker can’t draw its own picture: ${problem}`);
  }

  /**
   * Asks for ffmpeg, also while it renders.
   * @param fontFolder To hear of the build, too.
   * @returns null if it has ended, or ends meanwhile.
   */
  findEncoder(ffmpegPath: string | undefined, fontFolder?: string): Promise<EncoderAnswer | null> {
    if (this.#isEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      const id = ++this.#lastQuestion;
      this.#questions.set(id, resolve);
      this.send({
        ...{ type: 'find-encoder', id },
        ...(ffmpegPath !== undefined && { ffmpegPath }),
        ...(fontFolder !== undefined && { fontFolder }),
      });
    });
  }

  /** Kills it. No more events follow. */
  end(): void {
    if (this.#isEnded) return;
    this.#giveUp('it was ended');
    this.#port.kill();
  }

  #follow(): Promise<void> {
    return new Promise((resolve, reject) => {
      let isReady = false;
      const { called = 'the worker' } = this.#options;
      const late = setTimeout(() => {
        reject(new Error(`${called} did not start in time`));
        this.end();
      }, workLimits.startTime);
      this.#port.onMessage((message) => {
        const event = this.#parse(message);
        if (this.#isEnded || !event) return;
        if (event.type === 'ready') {
          clearTimeout(late);
          isReady = true;
          resolve();
        } else {
          this.#receive(event);
        }
      });
      this.#port.onExit(({ code, signal, lackedMemory }) => {
        clearTimeout(late);
        const how = lackedMemory ? tookMemory : (signal ?? `code ${code ?? 'unknown'}`);
        reject(new Error(`${called} ended while starting (${how})`));
        if (this.#isEnded) return;
        this.#giveUp(`it ended (${how})`);
        if (isReady) this.#options.onDeath(how);
      });
    });
  }

  #receive(event: Exclude<WorkerEvent, { type: 'ready' }>): void {
    if (event.type === 'encoder') {
      this.#questions.get(event.id)?.(event);
      this.#questions.delete(event.id);
    } else if (event.type === 'proven') {
      this.#proof?.(event.problem);
    } else {
      this.#options.onEvent(event);
    }
  }

  /** Ends all waiting for answers. */
  #giveUp(why: string): void {
    this.#isEnded = true;
    for (const answer of this.#questions.values()) answer(null);
    this.#questions.clear();
    this.#proof?.(why);
  }

  /** Our worker sends nothing else; a broken message means mixed versions and deserves a line in the log. */
  #parse(message: unknown): WorkerEvent | null {
    const result = workerEvent.safeParse(message);
    if (result.success) return result.data;
    this.#options.log('error', 'worker', `not understood: ${JSON.stringify(message)}`);
    return null;
  }
}
