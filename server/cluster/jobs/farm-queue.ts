/**
 * The queue as each of several servers sees it: the order is in the database, and whoever is free takes the next
 * render. This side adds, moves, cancels and counts; the work is that of farm-worker.ts, here or elsewhere.
 */
import {
  isFinal,
  type HoldReason,
  type MachineRecord,
  type RenderProgress,
} from '../../../shared/api.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import type { StoredRender } from '../../store/render-record.ts';
import type { RenderStore } from '../../store/renders.ts';
import type { SettingStore } from '../../store/settings.ts';
import { cancelled } from '../../jobs/attempt.ts';
import type { EventBus } from '../../jobs/events.ts';
import { Saver } from '../../jobs/files/storing.ts';
import type { Queue, RenderQueue } from '../../jobs/queue.ts';
import { rendererState } from '../../jobs/slot.ts';
import { sourceFailureOf, type RenderStatusChanges } from '../../jobs/status.ts';
import { WaitingLine } from '../../jobs/waiting-line.ts';
import type { FarmWorker } from './farm-worker.ts';
import type { JobQueue } from './job-queue.ts';
import { MachineBoard } from './machines.ts';
import { ProgressBoard } from './progress-board.ts';

/** What it works with. */
export interface FarmQueueOptions {
  readonly renders: RenderStore;
  readonly settings: SettingStore;
  readonly status: RenderStatusChanges;
  readonly events: EventBus;
  readonly keeper: PostgresKeeper;
  readonly jobs: JobQueue;
  /** Works in this process; null: it does not. */
  readonly worker: FarmWorker | null;
  readonly log: Log;
}

/** Milliseconds between two words about the queue. */
const tellPause = 200;

/** See above. */
export class FarmQueue implements RenderQueue {
  readonly #options: FarmQueueOptions;
  readonly #saver: Saver;
  readonly #board: ProgressBoard;
  #pausesAfter: string | null = null;
  #telling: NodeJS.Timeout | undefined;
  readonly #unfollow: () => void;
  readonly #machines: MachineBoard;

  private constructor(options: FarmQueueOptions, board: ProgressBoard) {
    this.#options = options;
    this.#saver = new Saver(options.log);
    this.#board = board;
    const { keeper, log, events } = options;
    this.#machines = new MachineBoard(keeper, log, () => events.emit({ type: 'machines.changed' }));
    this.#unfollow = options.events.subscribe((happening) => {
      if (happening.type !== 'render.updated') return;
      const { id, status } = happening.render;
      if (isFinal(status) || status === 'planned') board.forget(id);
      if (isFinal(status)) this.#pauseAfterEnd(id);
      this.#tell();
    });
  }

  /** Opens it. From now on changes of renders change their jobs. */
  static async open(options: FarmQueueOptions): Promise<FarmQueue> {
    const { keeper, jobs, events } = options;
    keeper.addAlongside((session, changes) => jobs.follow(session, changes));
    const board = await ProgressBoard.open(keeper, (id, progress) => {
      events.emit({ type: 'render.progress', id, progress });
    });
    return new FarmQueue(options, board);
  }

  get concurrency(): number {
    return this.#options.worker?.slots.length ?? 0;
  }

  setConcurrency(count: number): void {
    this.#options.worker?.setConcurrency(count);
  }

  usePriority(): void {
    this.#options.worker?.usePriority();
  }

  /** The setting pauses all workers; here it is only told. */
  pause(): void {
    this.#pausesAfter = null;
    this.#tell();
  }

  resume(): void {
    this.#pausesAfter = null;
    this.#options.worker?.wake();
    this.#tell();
  }

  pauseAfter(id: string): void {
    this.#pausesAfter = id;
    this.#pauseAfterEnd(id);
    this.#tell();
  }

  #pauseAfterEnd(id: string): void {
    const { renders, settings, log } = this.#options;
    const render = renders.find(id);
    if (this.#pausesAfter !== id || (render && !isFinal(render.status))) return;
    this.#pausesAfter = null;
    settings
      .change({ queuePaused: true })
      .catch((error: unknown) => log('error', 'queue', describeError(error)));
  }

  hold(reason: HoldReason, holds: boolean): void {
    this.#options.worker?.hold(reason, holds);
    this.#tell();
  }

  pauseBatch(id: string, paused: boolean): void {
    const { renders, jobs, log } = this.#options;
    const waiting = renders
      .listUnfinished()
      .filter(({ status, request }) => status === 'planned' && request.batch?.id === id);
    void (async () => {
      for (const render of waiting) await jobs.hold(render.id, paused);
      if (!paused) this.#options.worker?.wake();
    })().catch((error: unknown) => log('error', 'queue', describeError(error)));
  }

  /** Each worker looks by itself. */
  lookForEncoder(): Promise<void> {
    return Promise.resolve();
  }

  async move(id: string, before: string | null): Promise<void> {
    const { renders, events } = this.#options;
    const line = new WaitingLine(renders, events);
    for (const render of renders.listUnfinished())
      if (render.status === 'planned') line.add(render);
    await line.move(id, before);
    this.#tell();
  }

  recover(): Promise<void> {
    return Promise.resolve();
  }

  start(): void {
    void this.#options.worker?.start();
  }

  /** The server leads from now on: sees to renders that nobody would begin, because they have no job. */
  async lead(): Promise<void> {
    const { renders, keeper, jobs } = this.#options;
    const unfinished = renders.listUnfinished();
    for (const render of unfinished) this.add(render);
    await keeper.inTurn((session) => jobs.add(session, unfinished));
  }

  /**
   * Its job came with it. A document that is known to be wrong ends at once; if this server is lost before, by its job.
   */
  add(render: StoredRender): void {
    this.#tell();
    const failure = sourceFailureOf(render);
    if (failure) void this.#saver.untilSaved(() => this.#options.status.fail(render.id, failure));
  }

  async cancel(id: string): Promise<boolean> {
    const ended = await this.#options.status.fail(id, cancelled);
    return ended !== null;
  }

  progressOf(id: string): RenderProgress | null {
    const own = this.#options.worker?.slots.find((slot) => slot.id === id);
    return own?.progress ?? this.#board.of(id);
  }

  /** Only of what is made in this process: pictures don't travel. */
  pictureOf(id: string): Buffer | null {
    const slot = this.#options.worker?.slots.find((one) => one.id === id);
    if (!slot) return null;
    if (slot.progress?.phase === 'rendering') slot.client.look();
    return slot.picture;
  }

  get state(): Queue['state'] {
    const { worker, settings, renders } = this.#options;
    const heldBy = worker?.heldBy ?? [];
    const own = worker ? rendererState(worker.slots, worker.faults) : { state: 'idle' as const };
    const { unfinished } = renders;
    return {
      // What others draw is drawn, too.
      renderer: own.state === 'idle' && unfinished.running > 0 ? { state: 'rendering' } : own,
      encoder: 'unknown',
      queue: {
        ...unfinished,
        paused: settings.values.queuePaused,
        ...(heldBy.length > 0 && { heldBy }),
        ...(this.#pausesAfter !== null && { pausesAfter: this.#pausesAfter }),
      },
    };
  }

  get machines(): readonly MachineRecord[] {
    return this.#machines.machines;
  }

  get builds(): number {
    return this.#machines.builds;
  }

  get hasWork(): boolean {
    const { waiting, running } = this.#options.renders.unfinished;
    return waiting + running > 0;
  }

  /** Another machine may be able to draw. */
  get offReason(): string | null {
    return null;
  }

  restartWorkers(): void {
    const { worker } = this.#options;
    worker?.faults.forget();
    for (const { client } of worker?.slots ?? []) client.restart();
  }

  get workerPids(): number[] {
    return (this.#options.worker?.slots ?? []).flatMap(({ client }) => client.pid ?? []);
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#machines.close();
    clearTimeout(this.#telling);
    this.#saver.close();
    await this.#options.worker?.close();
    await this.#options.jobs.close();
  }

  /** The state follows the renders; many that change at once are one word. */
  #tell(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#options.events.emit({ type: 'server.state' });
    }, tellPause).unref();
  }
}
