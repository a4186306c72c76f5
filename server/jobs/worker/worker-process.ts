/**
 * One worker process from its start to its end, as the server sees it: parses messages, settles every question, and
 * notices every end, wanted or not. Used by worker-client.ts (renders), preview.ts (the editor's pictures) and
 * ask-worker.ts (single questions).
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { workLimits } from '../../../shared/limits.ts';
import type { Log } from '../../system/log.ts';
import {
  tookMemory,
  workerEvent,
  type ForkWorker,
  type WorkerCommand,
  type WorkerEvent,
  type WorkerPort,
} from './protocol.ts';
import { explain, stopped, type TaskOutcome } from './task-faults.ts';
import { tasks, type TaskEvent, type TaskInput, type TaskName, type TaskOutput } from './tasks.ts';

/** Events about a render; the others are answers, which reach their caller. */
export type WorkEvent = Exclude<WorkerEvent, { type: 'ready' }>;

/** How a task is asked. */
interface TaskOptions {
  /** Told the share that is done, 0–1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Told of every sign of life of the drawing thread. */
  readonly onSign?: () => void;
  readonly time?: number | null;
}

/** A task under way. */
interface Asked {
  readonly hear: (event: TaskEvent) => void;
  readonly end: (how: string) => void;
}

/** The answer to a task, as its row says. */
function outputOf<Name extends TaskName>(name: Name, sent: unknown): TaskOutcome<Name> {
  const read = tasks[name].output.safeParse(sent);
  // The row's own schema, which the types can't follow through the table.
  if (read.success) return { kind: 'done', output: read.data as TaskOutput<Name> };
  return { kind: 'ended', how: `its answer was not understood: ${read.error.message}` };
}

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
  /** Tasks under way, by number. */
  readonly #asked = new Map<string, Asked>();
  #lastTask = 0;

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

  /** Has it do a task of the table. @param options.time Milliseconds. Default: as the row says. */
  ask<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    { onProgress, onSign, time = tasks[name].time }: TaskOptions = {},
  ): Promise<TaskOutcome<Name>> {
    if (this.#isEnded) return Promise.resolve({ kind: 'ended', how: stopped });
    return new Promise((resolve) => {
      const id = `${name} ${++this.#lastTask}`;
      let late: NodeJS.Timeout | undefined;
      const settle = (outcome: TaskOutcome<Name>): void => {
        clearTimeout(late);
        this.#asked.delete(id);
        resolve(outcome);
      };
      if (time !== null) late = setTimeout(() => settle({ kind: 'late' }), time);
      const hear = (event: TaskEvent): void => {
        onSign?.();
        if (event.type === 'failed') settle({ ...event, kind: 'failed' });
        else if (event.type === 'task-done') settle(outputOf(name, event.output));
        else if (event.share !== undefined) onProgress?.(event.share);
      };
      this.#asked.set(id, { hear, end: (how) => settle({ kind: 'ended', how }) });
      this.send({ type: 'task', id, name, input });
    });
  }

  /**
   * Lets it draw the known picture. @param folder For its files; the next start empties the parent folder. @throws
   * Error with what is wrong.
   */
  async prove(fontFolder: string, folder: string): Promise<void> {
    const workFolder = path.join(folder, `proof-${randomUUID()}`);
    const proof = await this.ask('prove', { fontFolder, workFolder });
    const problem =
      proof.kind === 'done' ? proof.output.problem : explain('prove', proof, this.#options.log);
    if (problem !== null) throw new Error(`the worker can’t draw its own picture: ${problem}`);
  }

  /** Kills it. No more events follow. */
  end(): void {
    if (this.#isEnded) return;
    this.#giveUp(stopped);
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
        this.#giveUp(how);
        if (isReady) this.#options.onDeath(how);
      });
    });
  }

  #receive(event: Exclude<WorkerEvent, { type: 'ready' }>): void {
    const isAnswer =
      event.type === 'task-progress' || event.type === 'task-done' || event.type === 'failed';
    const asked = isAnswer ? this.#asked.get(event.id) : undefined;
    if (isAnswer && asked) asked.hear(event);
    else this.#options.onEvent(event);
  }

  /** Ends all waiting for answers. */
  #giveUp(how: string): void {
    this.#isEnded = true;
    for (const { end } of this.#asked.values()) end(how);
  }

  /** Our worker sends nothing else; a broken message means mixed versions and deserves a line in the log. */
  #parse(message: unknown): WorkerEvent | null {
    const result = workerEvent.safeParse(message);
    if (result.success) return result.data;
    this.#options.log('error', 'worker', `not understood: ${JSON.stringify(message)}`);
    return null;
  }
}
