/**
 * One worker process from its start to its end, as the server sees it: parses messages, gives it tasks, watches them
 * (vitals.ts), settles each with an outcome, and notices every end, wanted or not. Used by worker-client.ts (renders),
 * preview.ts (the editor's pictures) and ask-worker.ts (single questions).
 */
import { workLimits } from '../../../shared/limits.ts';
import { systemClock, type Clock } from '../../system/clock.ts';
import type { Log } from '../../system/log.ts';
import {
  tookMemory,
  workerEvent,
  type ForkWorker,
  type WorkerCommand,
  type WorkerEvent,
  type WorkerPort,
} from './protocol.ts';
import { renderPosition } from './render-protocol.ts';
import { stopped, type TaskOutcome } from './task-faults.ts';
import {
  tasks,
  type TaskInput,
  type TaskName,
  type TaskOutput,
  type TaskProgress,
} from './tasks.ts';
import { Vitals, watchInterval, type Pulse, type VitalLimits } from './vitals.ts';

/** Events about the process; those about a task reach whoever asked. */
export type ProcessEvent = Extract<WorkerEvent, { type: 'pulse' | 'log' }>;
type TaskEvent = Extract<WorkerEvent, { type: 'progress' | 'result' | 'failed' }>;

/** How a task is asked. */
export interface TaskOptions<Name extends TaskName> {
  /** Default: one that is not used twice. */
  readonly id?: string;
  /** Other limits than the row's. */
  readonly limits?: Partial<VitalLimits>;
  readonly onProgress?: ((progress: TaskProgress<Name>) => void) | undefined;
  /** Told that the process may have to be ended soon, again and again. */
  readonly onDoubt?: () => void;
}

/** A task under way. */
interface UnderWay {
  readonly vitals: Vitals | null;
  readonly hear: (event: TaskEvent) => void;
  /** Ends the process if it must be ended. */
  readonly look: () => void;
  readonly end: (how: string) => void;
}

/** What a process is started with. */
export interface WorkerProcessOptions {
  readonly fork: ForkWorker;
  readonly log: Log;
  /** Its name in sentences; default: `the worker`. */
  readonly called?: string;
  readonly clock?: Pick<Clock, 'steady'>;
  readonly onEvent?: (event: ProcessEvent) => void;
  /** Called once when it has ended without `end()`. @param how Its signal or code, or `tookMemory`. */
  readonly onDeath?: (how: string) => void;
}

/** A process. The constructor starts it. */
export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #port: WorkerPort;
  readonly #clock: Pick<Clock, 'steady'>;
  /** Resolves with its first message; rejects if it ends first or takes too long. */
  readonly ready: Promise<void>;
  #isReady = false;
  /** Whether it was told to have a low priority last. */
  isLow = true;
  /** It had a low priority before: most systems don't let it go back. */
  isOutdated = false;
  /** True once it has done work. */
  isUsed = false;
  #isEnded = false;
  /** By the ID of their start message. */
  readonly #underWay = new Map<string, UnderWay>();
  #lastTask = 0;

  /** @throws what starting a process throws. */
  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#port = options.fork();
    this.ready = this.#follow();
    // Whoever waits for it gets the error; without a waiter it must not be an unhandled rejection.
    this.ready.catch(() => undefined);
  }

  /** While it lives. */
  get pid(): number | undefined {
    return this.#isEnded ? undefined : this.#port.pid;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  send(command: WorkerCommand): void {
    if (!this.#isEnded) this.#port.send(command);
  }

  /** Has it do a task of the table, once it is ready, and watches it from now on. */
  ask<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    { id = `${name} ${++this.#lastTask}`, limits, onProgress, onDoubt }: TaskOptions<Name> = {},
  ): Promise<TaskOutcome<Name>> {
    if (this.#isEnded) return Promise.resolve({ kind: 'ended', how: stopped });
    const bounds = tasks[name].limits;
    const vitals = bounds && new Vitals(this.#clock.steady(), { ...bounds, ...limits });
    return new Promise((resolve) => {
      const settle = (outcome: TaskOutcome<Name>): void => {
        clearInterval(watch);
        this.#underWay.delete(id);
        resolve(outcome);
      };
      const look = (): void => {
        const now = this.#clock.steady();
        const why = vitals?.look(now) ?? null;
        if (why !== null) {
          settle({ kind: 'overdue', why });
          this.end();
        } else if (vitals?.isDoubtful(now)) onDoubt?.();
      };
      const watch = setInterval(look, watchInterval).unref();
      const hear = (event: TaskEvent): void => {
        const now = this.#clock.steady();
        vitals?.hear(now);
        if (event.type === 'failed') settle({ ...event, kind: 'failed' });
        else if (event.type === 'result') settle(outcomeOf(name, event.output));
        else {
          const position = renderPosition.safeParse(event.progress);
          if (position.success) vitals?.proceed(position.data, now);
          const progress = progressOf(name, event.progress);
          if (progress !== undefined) onProgress?.(progress);
        }
      };
      this.#underWay.set(id, { vitals, hear, look, end: (how) => settle({ kind: 'ended', how }) });
      const start = (): void => this.send({ type: 'start', id, name, input });
      if (this.#isReady) start();
      else void this.ready.then(start, () => undefined);
    });
  }

  /** Asks what it works on to stop; the limits of the task say when it is ended if it does not. */
  cancel(): void {
    this.send({ type: 'cancel' });
    for (const { vitals } of this.#underWay.values()) vitals?.cancel(this.#clock.steady());
  }

  /** Kills it. No more events follow. @param how As its tasks are told. */
  end(how: string = stopped): void {
    if (this.#isEnded) return;
    this.#giveUp(how);
    this.#port.kill();
  }

  #follow(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { called = 'the worker' } = this.#options;
      const late = setTimeout(() => {
        const how = `${called} did not start in time`;
        reject(new Error(how));
        this.end(how);
      }, workLimits.startTime);
      this.#port.onMessage((message) => {
        const event = this.#parse(message);
        if (this.#isEnded || !event) return;
        if (event.type === 'ready') {
          clearTimeout(late);
          this.#isReady = true;
          resolve();
        } else {
          this.#receive(event);
        }
      });
      this.#port.onExit(({ code, signal, lackedMemory }) => {
        clearTimeout(late);
        const how = lackedMemory ? tookMemory : (signal ?? `code ${code ?? 'unknown'}`);
        const inVain = `${called} ended while starting (${how})`;
        reject(new Error(inVain));
        if (this.#isEnded) return;
        this.#giveUp(this.#isReady ? how : inVain);
        if (this.#isReady) this.#options.onDeath?.(how);
      });
    });
  }

  #receive(event: Exclude<WorkerEvent, { type: 'ready' }>): void {
    if (event.type === 'pulse') this.#feel(event);
    if (event.type === 'pulse' || event.type === 'log') this.#options.onEvent?.(event);
    // Other answers came too late.
    else this.#underWay.get(event.id)?.hear(event);
  }

  #feel(pulse: Pulse): void {
    for (const { vitals, look } of [...this.#underWay.values()]) {
      vitals?.hear(this.#clock.steady(), pulse);
      look();
    }
  }

  /** Ends all tasks. */
  #giveUp(how: string): void {
    this.#isEnded = true;
    for (const { end } of this.#underWay.values()) end(how);
  }

  /** Our worker sends nothing else; a broken message means mixed versions and deserves a line in the log. */
  #parse(message: unknown): WorkerEvent | null {
    const result = workerEvent.safeParse(message);
    if (result.success) return result.data;
    this.#options.log('error', 'worker', `not understood: ${JSON.stringify(message)}`);
    return null;
  }
}

/** The answer to a task, as its row says. */
function outcomeOf<Name extends TaskName>(name: Name, sent: unknown): TaskOutcome<Name> {
  const read = tasks[name].output.safeParse(sent);
  // The row's own schema, which the types can't follow through the table.
  if (read.success) return { kind: 'done', output: read.data as TaskOutput<Name> };
  return { kind: 'ended', how: `its answer was not understood: ${read.error.message}` };
}

/** What a task reports, as its row says; undefined for signs of life. */
function progressOf<Name extends TaskName>(
  name: Name,
  sent: unknown,
): TaskProgress<Name> | undefined {
  const row: (typeof tasks)[TaskName] = tasks[name];
  // As above.
  if ('progress' in row) return row.progress.safeParse(sent).data as TaskProgress<Name> | undefined;
  return undefined;
}
