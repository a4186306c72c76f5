/**
 * The queue: decides which render runs when, gives it to a slot (attempt.ts), and makes sure that every render ends.
 * Order and attempts are in the store, from which all of this can be rebuilt at any time (`recover`).
 */
import { rm } from 'node:fs/promises';
import {
  isFinal,
  type HoldReason,
  type MachineRecord,
  type RenderPriority,
  type RenderProgress,
  type ServerState,
} from '../../shared/api.ts';
import { workLimits } from '../../shared/limits.ts';
import { describeError } from '../system/log.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { RenderStore } from '../store/renders.ts';
import { cancelled, runAttempt, type Again, type AttemptContext } from './attempt.ts';
import { EncoderWatch } from './worker/encoder-watch.ts';
import type { EventBus } from './events.ts';
import { OwnFaults } from './worker/task-faults.ts';
import type { ForkWorker } from './worker/protocol.ts';
import { Saver } from './files/storing.ts';
import { newSlot, rendererState, type Slot } from './slot.ts';
import { failures, sourceFailureOf, type Failure } from './status.ts';
import { WaitingLine, type Entry, Holds } from './waiting-line.ts';
import type { WorkerTuning } from './worker/vitals.ts';

/** What the queue works with. The folder of attempts is emptied at the start. */
export interface QueueOptions extends Omit<
  AttemptContext,
  'renders' | 'events' | 'saver' | 'isClosed'
> {
  readonly renders: RenderStore;
  readonly events: EventBus;
  readonly fork: ForkWorker;
  /** When workers are restarted and ended. */
  readonly workers?: WorkerTuning | undefined;
  /** Renders at the same time. Default 1: a render uses several cores by itself. */
  readonly concurrency?: number;
  /** How rendering takes turns with other programs. Default: `low`. */
  readonly priority?: (() => RenderPriority) | undefined;
  /** True to keep renders planned until `resume()`. */
  readonly paused?: boolean;
  /** The queue has paused itself after a render; store that. */
  readonly onPaused?: () => Promise<unknown>;
  /** Awaited before a render starts, to find out what may `hold` it. Never rejects. */
  readonly beforeRender?: () => Promise<void>;
}

/** What the rest of the server does with a queue, of one server or of several. */
export type RenderQueue = Pick<
  Queue,
  | 'concurrency'
  | 'setConcurrency'
  | 'usePriority'
  | 'pause'
  | 'pauseAfter'
  | 'resume'
  | 'hold'
  | 'pauseBatch'
  | 'lookForEncoder'
  | 'move'
  | 'recover'
  | 'start'
  | 'add'
  | 'cancel'
  | 'progressOf'
  | 'pictureOf'
  | 'state'
  | 'hasWork'
  | 'offReason'
  | 'restartWorkers'
  | 'workerPids'
  | 'close'
> & {
  /** Those that share the work, as they last said; absent: this program does all of it. */
  readonly machines?: readonly MachineRecord[];
  /** How many different builds of programs and fonts those have that were heard of lately; absent as above. */
  readonly builds?: number;
  /** With several servers: this one leads from now on. */
  readonly lead?: () => Promise<void>;
};

/** Milliseconds between two pictures of a running render. A little less than the window's interval. */
const pictureInterval = 1_900;

/** Runs the stored renders in the order of their counter. */
export class Queue {
  readonly #options: QueueOptions;
  #slots: Slot[] = [];
  readonly #waiting: WaitingLine;
  readonly #faults: OwnFaults;
  readonly #saver: Saver;
  readonly #context: AttemptContext;
  /** True while a render that lost an attempt is running. */
  #alone = false;
  #started = false;
  readonly #holds = new Holds();
  /** IDs of the feed batches whose renders wait. */
  readonly #pausedBatches = new Set<string>();
  /** The render at whose end the queue pauses. Not stored: a program that ends has paused anyway. */
  #pausesAfter: string | null = null;
  #closed = false;
  /** Renders of an earlier run that only need ending. */
  readonly #overdue: (() => void)[] = [];
  readonly #encoder: EncoderWatch;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#waiting = new WaitingLine(options.renders, options.events);
    this.#faults = new OwnFaults(options.workers?.restartPauses);
    this.#saver = new Saver(options.log);
    this.#context = {
      ...options,
      saver: this.#saver,
      isClosed: () => this.#closed,
    };
    this.#encoder = new EncoderWatch({
      engine: options.engine,
      worker: () => this.#slots.find(({ retired }) => !retired)?.client,
      onChange: (isMissing) => this.hold('encoder', isMissing),
      log: options.log,
    });
    this.#holds.set('person', options.paused ?? false);
    this.setConcurrency(options.concurrency ?? 1);
  }

  /** Sets how many renders may run at once. Running ones always finish. */
  setConcurrency(count: number): void {
    for (const [index, slot] of this.#slots.entries()) slot.retired = index >= count;
    const { fork, clock, log, workers: tuning, engine, workFolder, priority } = this.#options;
    const { fontFolder } = engine;
    const faults = this.#faults;
    const onState = (): void => {
      this.#tell();
      this.#pump();
    };
    while (this.#slots.length < count) {
      this.#slots.push(
        newSlot({ fork, clock, log, fontFolder, workFolder, priority, faults, tuning, onState }),
      );
    }
    for (const slot of [...this.#slots]) this.#dropRetired(slot);
    this.#pump();
  }

  /** Lets the workers follow a change of their priority. */
  usePriority(): void {
    for (const { client } of this.#slots) client.usePriority();
  }

  /** Renders at the same time. */
  get concurrency(): number {
    return this.#slots.filter(({ retired }) => !retired).length;
  }

  /** Keeps renders planned from now on; running ones finish. */
  pause(): void {
    this.#pausesAfter = null;
    this.hold('person', true);
  }

  /** Pauses when a render has ended, however it ends and however many attempts it takes; at once if it has already. */
  pauseAfter(id: string): void {
    this.#pausesAfter = id;
    this.#pauseAfterEnd(id);
    this.#tell();
  }

  /** Runs before the next render starts. */
  #pauseAfterEnd(id: string): void {
    const { renders, onPaused, log } = this.#options;
    const render = renders.find(id);
    if (this.#pausesAfter !== id || (render && !isFinal(render.status))) return;
    this.#holds.set('person', true);
    this.#pausesAfter = null;
    onPaused?.().catch((error: unknown) => log('error', 'queue', describeError(error)));
  }

  /** Ends a pause, including one that is still to come. */
  resume(): void {
    this.#pausesAfter = null;
    this.hold('person', false);
  }

  /** Sets or ends a reason for renders to wait (waiting-line.ts); running ones finish. */
  hold(reason: HoldReason, holds: boolean): void {
    this.#holds.set(reason, holds);
    this.#tell();
    this.#pump();
  }

  /** Has the renders of one feed batch wait, or lets them go on; those being worked on are finished. */
  pauseBatch(id: string, paused: boolean): void {
    if (paused) this.#pausedBatches.add(id);
    else this.#pausedBatches.delete(id);
    this.#pump();
  }

  /**
   * Looks for ffmpeg, and starts or stops holding films. Resolves with the answer; at once if no worker runs, and the
   * search then follows when one does.
   */
  async lookForEncoder(): Promise<void> {
    const looking = this.#encoder.look();
    const { state } = this.state.renderer;
    if (state !== 'off' && state !== 'restarting') await looking;
  }

  /**
   * Moves a waiting render in front of another one, or to the end.
   *
   * @throws ApiError `not_waiting` when one of them does not wait, `cannot_save`.
   */
  async move(id: string, before: string | null): Promise<void> {
    await this.#waiting.move(id, before);
    this.#tell();
  }

  /** Ends the process of a retired slot, unless it is busy. */
  #dropRetired(slot: Slot): void {
    if (!slot.retired || slot.busy) return;
    slot.client.close();
    this.#slots = this.#slots.filter((other) => other !== slot);
  }

  /**
   * Recovers what an earlier run left: running renders go back into the queue as lost attempts, leftovers in the work
   * folder are removed. Call once, before anything is added; nothing runs before `start()`.
   */
  async recover(): Promise<void> {
    const { renders, status, files, workFolder, log } = this.#options;
    await rm(workFolder, { recursive: true, force: true });
    for (const render of renders.listUnfinished()) {
      // Half a file, or a whole one that was never acknowledged.
      if (render.attempts > 0) await files.remove(render).catch(() => undefined);
      const known = sourceFailureOf(render);
      if (known) {
        this.#overdue.push(() => void this.#fail(render, known));
      } else if (render.status === 'planned') {
        this.#waiting.add(render);
      } else if (render.attempts >= workLimits.attempts) {
        const failure = { message: failures.died, stopsRenderer: true };
        this.#overdue.push(() => void this.#fail(render, failure));
      } else {
        log('info', 'queue', `render ${render.id} was interrupted; it starts again`);
        // A disk that can't be written must not prevent the start; the render's next change of state is stored later.
        await status.putBack(render.id, true).catch(() => null);
        this.#waiting.add(render);
      }
    }
  }

  /** Starts working. */
  start(): void {
    this.#started = true;
    for (const end of this.#overdue.splice(0)) end();
    this.#pump();
    // So that the first render need not wait for a process to start, nor the user to hear of a missing encoder.
    void this.lookForEncoder();
  }

  /** Adds a stored render. If its document is known to be wrong, the render ends at once. */
  add(render: StoredRender): void {
    const failure = sourceFailureOf(render);
    if (failure) {
      void this.#fail(render, failure);
      return;
    }
    this.#waiting.add(render);
    this.#tell();
    this.#pump();
    // It may be back, and with scripts as the only clients nobody would say so.
    if (this.#holds.has('encoder')) void this.lookForEncoder();
  }

  async #fail({ id }: StoredRender, failure: Failure): Promise<void> {
    await this.#saver.untilSaved(() => this.#options.status.fail(id, failure));
  }

  /** Stops a render. @returns false when there is none or it has ended. */
  async cancel(id: string): Promise<boolean> {
    const slot = this.#slots.find((candidate) => candidate.id === id);
    if (slot) {
      slot.cancelled = true;
      slot.client.cancel();
      await slot.attempt.catch(() => undefined);
      const render = this.#options.renders.find(id);
      return render?.cancelled === true;
    }
    const entry = this.#waiting.remove(id);
    if (!entry) return false;
    try {
      const ended = await this.#options.status.fail(id, cancelled);
      return ended !== null;
    } catch (error) {
      // Not stored, so not cancelled: it keeps its place.
      this.#waiting.insert(entry);
      throw error;
    } finally {
      this.#pauseAfterEnd(id);
      this.#tell();
    }
  }

  /** How far a render is; null while it is not being worked on. */
  progressOf(id: string): RenderProgress | null {
    return this.#slots.find((slot) => slot.id === id)?.progress ?? null;
  }

  /**
   * A small jpg of a frame that a running render has drawn; null while there is none. Each call makes the worker draw
   * the next one, at most every two seconds: when nobody looks, none is made.
   */
  pictureOf(id: string): Buffer | null {
    const slot = this.#slots.find((candidate) => candidate.id === id);
    if (!slot) return null;
    const now = this.#options.clock.steady();
    if (slot.progress?.phase === 'rendering' && now - slot.pictureAskedAt >= pictureInterval) {
      slot.pictureAskedAt = now;
      slot.client.look();
    }
    return slot.picture;
  }

  /** For the window's status bar. */
  get state(): Pick<ServerState, 'renderer' | 'encoder' | 'encoderReason' | 'ffmpeg' | 'queue'> {
    const heldBy = this.#holds.list.filter((hold) => hold !== 'person');
    return {
      renderer: rendererState(this.#slots, this.#faults),
      ...this.#encoder.state,
      queue: {
        waiting: this.#waiting.length,
        running: this.#slots.filter(({ id }) => id !== null).length,
        paused: this.#holds.has('person'),
        ...(heldBy.length > 0 && { heldBy }),
        ...(this.#pausesAfter !== null && { pausesAfter: this.#pausesAfter }),
      },
    };
  }

  /** True while a render waits or runs. */
  get hasWork(): boolean {
    return this.#waiting.length > 0 || this.#slots.some(({ id }) => id !== null);
  }

  /** Why nothing starts, in words; null while workers can draw. */
  get offReason(): string | null {
    if (!this.#faults.areEnough) return null;
    return this.state.renderer.reason ?? 'no worker can be started';
  }

  /** Restarts at once the workers that wait for a new try. */
  restartWorkers(): void {
    this.#faults.forget();
    for (const { client } of this.#slots) client.restart();
    this.#pump();
  }

  /** Process ids of the workers, for tests and reports. */
  get workerPids(): number[] {
    return this.#slots.flatMap(({ client }) => client.pid ?? []);
  }

  /** Ends all work at once; running renders go back into the queue without losing an attempt. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#encoder.close();
    this.#saver.close();
    for (const { client } of this.#slots) client.close();
    await Promise.all(this.#slots.map(({ work }) => work));
  }

  /** Starts what can be started. */
  #pump(): void {
    if (!this.#started || this.#closed) return;
    for (const slot of this.#slots) {
      if (!slot.busy && !slot.retired && this.#next) {
        slot.busy = true;
        slot.work = this.#fill(slot);
      }
    }
  }

  /** Runs one render after the other while there are any. */
  async #fill(slot: Slot): Promise<void> {
    try {
      while (!this.#closed && !slot.retired) {
        // A living worker first, then a render: until a worker starts, renders stay planned and can be cancelled.
        await slot.client.prepare(this.#next?.alone);
        await this.#options.beforeRender?.();
        if (this.#next?.needsEncoder === true && !(await this.#encoder.find(slot.client))) {
          await slot.client.prepare();
        }
        if (this.#next?.alone === true && slot.client.isUsed) continue;
        const entry = this.#take();
        if (!entry) break;
        slot.id = entry.id;
        slot.cancelled = false;
        this.#alone = entry.alone;
        const attempt = runAttempt(slot, entry, this.#context);
        slot.attempt = attempt;
        try {
          const again = await attempt;
          if (again) this.#putBack(again);
        } catch (error) {
          // The disk failed, or we have a bug: the render keeps its place and the queue goes on.
          this.#options.log('error', 'queue', `render ${entry.id}: ${describeError(error)}`);
          this.#waiting.insert(entry);
          await this.#saver.pause();
        } finally {
          slot.id = null;
          slot.progress = null;
          slot.picture = null;
          slot.pictureAskedAt = -Infinity;
          this.#pauseAfterEnd(entry.id);
          this.#alone = false;
          this.#tell();
          // Others may have waited for a render that had to run alone.
          this.#pump();
        }
      }
    } finally {
      slot.busy = false;
      this.#dropRetired(slot);
    }
    // Something may have arrived, or become possible, since the last check.
    this.#pump();
  }

  /** The render whose turn it is; undefined while nothing may start. */
  get #next(): Entry | undefined {
    if (this.#closed || this.#faults.areEnough) return undefined;
    const next = this.#waiting.first(
      (entry) => !this.#pausedBatches.has(entry.batch ?? '') && !this.#holds.keep(entry),
    );
    const others = this.#slots.some(({ id }) => id !== null);
    return others && (this.#alone || next?.alone === true) ? undefined : next;
  }

  #take(): Entry | undefined {
    const next = this.#next;
    return next && this.#waiting.remove(next.id);
  }

  /** Takes a render back into the line. */
  #putBack({ render, withoutEncoder, loss }: Again): void {
    this.#waiting.add(render, {
      ...(withoutEncoder !== undefined && { needsEncoder: true }),
      loss,
      // The others have waited for it once.
      isDeferred: loss !== undefined && this.#pausesAfter !== render.id,
    });
    if (withoutEncoder !== undefined) this.#encoder.lose(withoutEncoder);
  }

  #tell(): void {
    if (!this.#closed) this.#options.events.emit({ type: 'server.state' });
  }
}
