/**
 * The queue: decides which render is worked on when, hands it to a worker, and sees to it that every render ends. Order
 * and attempts are in the store; what is here can be built again from it at any time (`recover`).
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isFinal, type RenderProgress, type RendererState } from '../../shared/api.ts';
import { engineLimits, progressInterval, workLimits } from '../../shared/limits.ts';
import { ApiError } from '../../shared/errors.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { placeOf, type RenderStore, type StoredRender } from '../store/renders.ts';
import { elementNameAt } from './element-name.ts';
import type { EventBus } from './events.ts';
import type { OutputFiles } from './output-files.ts';
import { ProgressMeter, type WorkerProgress } from './progress.ts';
import type { ForkWorker, StartMessage } from './protocol.ts';
import { failures, type Failure, type RenderStatusChanges } from './status.ts';
import { newSlot, type Slot } from './slot.ts';
import type { Outcome } from './worker-client.ts';

/** What every start message holds, whatever the render. */
export type EngineSettings = Pick<
  StartMessage,
  'cacheFolder' | 'mediaFolders' | 'fontFolder' | 'ffmpegPath' | 'allowPrivateAddresses'
>;

/** What the queue works with. */
export interface QueueOptions {
  readonly renders: RenderStore;
  readonly status: RenderStatusChanges;
  readonly events: EventBus;
  readonly files: OutputFiles;
  readonly fork: ForkWorker;
  readonly engine: EngineSettings;
  /** The speech recogniser as it is set now; asked for every render. Default: none. */
  readonly transcriber?: () => Pick<StartMessage, 'transcriber'>;
  /** Attempts have a folder each below this; it is emptied at the start. */
  readonly workFolder: string;
  /** Renders at the same time. Default 1: a render uses several cores by itself. */
  readonly concurrency?: number;
  /** True when renders are to stay planned until `resume()`. */
  readonly paused?: boolean;
  /** The queue has paused by itself, after a render; to be stored. */
  readonly onPaused?: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A render that waits for its turn. */
interface Entry {
  readonly id: string;
  readonly place: number;
  /** It had lost an attempt: runs with no other beside it, so that it can't take them along. */
  readonly alone: boolean;
}

/** Milliseconds before trying again to store something that the disk refused. */
const savePauses = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Milliseconds between two pictures of a running render. A little less than what the window waits. */
const pictureInterval = 1_900;

/** Works off the stored renders in the order of their counter. */
export class Queue {
  readonly #options: QueueOptions;
  #slots: Slot[] = [];
  /** In the order in which they are to run. */
  #waiting: Entry[] = [];
  /** True while a render that lost an attempt is running. */
  #alone = false;
  #started = false;
  #paused: boolean;
  /** The render at whose end the queue pauses. Not stored: a program that ends has paused anyway. */
  #pausesAfter: string | null = null;
  #closed = false;
  /** Renders of an earlier run that only have to be ended. */
  readonly #overdue: (() => void)[] = [];
  readonly #closing = new AbortController();
  /** What the last renders that needed it told about ffmpeg. */
  #encoder: 'unknown' | 'found' | 'missing' = 'unknown';

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#paused = options.paused ?? false;
    this.setConcurrency(options.concurrency ?? 1);
  }

  /** Renders at the same time from now on. Those that are being worked on are finished in any case. */
  setConcurrency(count: number): void {
    for (const [index, slot] of this.#slots.entries()) slot.retired = index >= count;
    const { fork, clock, log } = this.#options;
    const onState = (): void => this.#tell();
    while (this.#slots.length < count) this.#slots.push(newSlot({ fork, clock, log, onState }));
    for (const slot of [...this.#slots]) this.#dropRetired(slot);
    this.#pump();
  }

  /** Renders at the same time. */
  get concurrency(): number {
    return this.#slots.filter(({ retired }) => !retired).length;
  }

  /** Renders stay planned from now on; those being worked on are finished. */
  pause(): void {
    this.#paused = true;
    this.#pausesAfter = null;
    this.#tell();
  }

  /** Pauses when a render has ended, whatever its end and however many attempts it takes; at once when it has. */
  pauseAfter(id: string): void {
    this.#pausesAfter = id;
    this.#pauseAfterEnd(id);
    this.#tell();
  }

  /** Before the next render is begun. */
  #pauseAfterEnd(id: string): void {
    const { renders, onPaused, log } = this.#options;
    const render = renders.find(id);
    if (this.#pausesAfter !== id || (render && !isFinal(render.status))) return;
    this.#paused = true;
    this.#pausesAfter = null;
    onPaused?.().catch((error: unknown) => log('error', 'queue', describeError(error)));
  }

  /** Ends a pause, also one that is still to come. */
  resume(): void {
    this.#paused = false;
    this.#pausesAfter = null;
    this.#tell();
    this.#pump();
  }

  /**
   * Moves a waiting render in front of another one, or to the end.
   *
   * @throws ApiError `not_waiting` when one of them does not wait, `cannot_save`.
   */
  async move(id: string, before: string | null): Promise<void> {
    const others = this.#waiting.filter((entry) => entry.id !== id);
    if (others.length === this.#waiting.length) throw new ApiError('not_waiting', { id });
    const found = others.findIndex((entry) => entry.id === before);
    if (before !== null && found < 0) throw new ApiError('not_waiting', { id: before });
    const index = before === null ? others.length : found;
    const low = others[index - 1]?.place;
    const high = others[index]?.place;
    if (low === undefined && high === undefined) return;
    const place = ((low ?? (high ?? 0) - 2) + (high ?? (low ?? 0) + 2)) / 2;
    if (place === low || place === high) {
      // Moved into the same gap so often that there is no number left in it.
      const ids = others.map((entry) => entry.id);
      await this.#renumber([...ids.slice(0, index), id, ...ids.slice(index)]);
    } else {
      await this.#place(id, place);
    }
    this.#tell();
  }

  /** Gives waiting renders the places that their counters are, in the order wanted. */
  async #renumber(ids: readonly string[]): Promise<void> {
    const { renders } = this.#options;
    const places = ids.map((id) => renders.find(id)?.order ?? 0).sort((a, b) => a - b);
    await Promise.all(ids.map((id, index) => this.#place(id, places[index] ?? 0)));
  }

  /** Stores a place, then takes it over; a render that has been begun meanwhile is left alone. */
  async #place(id: string, place: number): Promise<void> {
    const { renders, events } = this.#options;
    const render = await renders.change(id, (found) =>
      found.status === 'planned' ? { ...found, place } : null,
    );
    if (!render) return;
    events.emit({ type: 'render.updated', render });
    const index = this.#waiting.findIndex((entry) => entry.id === id);
    const [entry] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (entry) this.#insert({ ...entry, place });
  }

  /** Ends the process of a place that is not wanted any more, unless it is busy. */
  #dropRetired(slot: Slot): void {
    if (!slot.retired || slot.busy) return;
    slot.client.close();
    this.#slots = this.#slots.filter((other) => other !== slot);
  }

  /**
   * Takes up what an earlier run of the program left: renders in work go back into the queue as lost attempts, leftovers
   * in the work folder go. Call once, before anything can be added; nothing is worked on before `start()`.
   */
  async recover(): Promise<void> {
    const { renders, status, files, workFolder, log } = this.#options;
    await rm(workFolder, { recursive: true, force: true });
    for (const render of renders.listUnfinished()) {
      // Half a file, or a whole one that was never acknowledged.
      if (render.attempts > 0) await files.remove(render).catch(() => undefined);
      if (render.sourceError !== undefined) {
        this.#overdue.push(() => void this.#failSource(render));
      } else if (render.status === 'planned') {
        this.#enqueue(render);
      } else if (render.attempts >= workLimits.attempts) {
        const fail = (): Promise<unknown> => status.fail(render.id, { message: failures.died });
        this.#overdue.push(() => void this.#untilSaved(fail));
      } else {
        log('info', 'queue', `render ${render.id} was interrupted; it starts again`);
        // A disk that can't be written now is no reason not to start; the render's next change of state is stored then.
        await status.putBack(render.id, true).catch(() => null);
        this.#enqueue(render);
      }
    }
  }

  /** Begins to work. */
  start(): void {
    this.#started = true;
    for (const end of this.#overdue.splice(0)) end();
    this.#pump();
    // The first render should not have to wait for a process to start.
    void this.#slots[0]?.client.prepare();
  }

  /** Takes in a stored render. A render whose document is known to be wrong ends at once. */
  add(render: StoredRender): void {
    if (render.sourceError === undefined) {
      this.#enqueue(render);
      this.#tell();
      this.#pump();
    } else {
      void this.#failSource(render);
    }
  }

  /** Ends a render with what validation found. */
  async #failSource({ id, sourceError, errorPath, errorElement }: StoredRender): Promise<void> {
    const failure = { message: sourceError ?? '', path: errorPath, element: errorElement };
    await this.#untilSaved(() => this.#options.status.fail(id, failure));
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
    const place = this.#waiting.findIndex((entry) => entry.id === id);
    if (place < 0) return false;
    const [entry] = this.#waiting.splice(place, 1);
    try {
      const ended = await this.#options.status.fail(id, cancelled);
      return ended !== null;
    } catch (error) {
      // Not stored, so not cancelled: it keeps its place.
      if (entry) this.#insert(entry);
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
   * A small jpg of a frame that a running render has drawn; null while there is none. Asking has the worker make the
   * next one, at most every two seconds, so that without anyone looking none is made.
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
  get state(): {
    readonly renderer: { readonly state: RendererState; readonly reason?: string };
    readonly encoder: 'unknown' | 'found' | 'missing';
    readonly queue: {
      readonly waiting: number;
      readonly running: number;
      readonly paused: boolean;
      readonly pausesAfter?: string;
    };
  } {
    const states = this.#slots.map(({ client }) => client.state);
    const worst = (['off', 'restarting', 'rendering'] as const).find((state) =>
      states.includes(state),
    );
    const reason = this.#slots.find(({ client }) => client.reason !== undefined)?.client.reason;
    return {
      renderer: { state: worst ?? 'idle', ...(reason !== undefined && { reason }) },
      encoder: this.#encoder,
      queue: {
        waiting: this.#waiting.length,
        running: this.#slots.filter(({ id }) => id !== null).length,
        paused: this.#paused,
        ...(this.#pausesAfter !== null && { pausesAfter: this.#pausesAfter }),
      },
    };
  }

  /** Starts workers again that gave up. */
  restartWorkers(): void {
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
    this.#closing.abort();
    for (const { client } of this.#slots) client.close();
    await Promise.all(this.#slots.map(({ work }) => work));
  }

  #enqueue(render: StoredRender): void {
    this.#insert({ id: render.id, place: placeOf(render), alone: render.attempts > 0 });
  }

  #insert(entry: Entry): void {
    const index = this.#waiting.findIndex(({ place }) => place > entry.place);
    this.#waiting.splice(index < 0 ? this.#waiting.length : index, 0, entry);
  }

  /** Starts what can be started. */
  #pump(): void {
    if (!this.#started || this.#closed) return;
    for (const slot of this.#slots) {
      if (!slot.busy && !slot.retired && this.#mayTake()) {
        slot.busy = true;
        slot.work = this.#fill(slot);
      }
    }
  }

  /** Works on one render after the other while there are any. */
  async #fill(slot: Slot): Promise<void> {
    try {
      while (!this.#closed && !slot.retired) {
        // First a living worker, then a render: while no worker starts, renders stay planned and can be cancelled.
        await slot.client.prepare();
        const entry = this.#take();
        if (!entry) break;
        slot.id = entry.id;
        slot.cancelled = false;
        this.#alone = entry.alone;
        slot.attempt = this.#attempt(slot, entry);
        try {
          await slot.attempt;
        } catch (error) {
          // The disk refused, or a bug of ours: the render keeps its place and the queue goes on.
          this.#options.log('error', 'queue', `render ${entry.id}: ${describeError(error)}`);
          this.#insert(entry);
          await this.#pause(savePauses[2] ?? 0);
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
    // Something may have come, or become possible, between the last look and now.
    if (this.#waiting.length > 0 && this.#mayTake()) this.#pump();
  }

  #mayTake(): boolean {
    const [next] = this.#waiting;
    const others = this.#slots.some(({ id }) => id !== null);
    return (
      next !== undefined &&
      !this.#closed &&
      !this.#paused &&
      !(others && (this.#alone || next.alone))
    );
  }

  #take(): Entry | undefined {
    return this.#mayTake() ? this.#waiting.shift() : undefined;
  }

  /** One attempt from its first write to the store to its last. */
  async #attempt(slot: Slot, { id }: Entry): Promise<void> {
    const { renders, status, files } = this.#options;
    // Before the attempt counts: a folder that can't be written is not the render's fault.
    await files.prepare();
    await mkdir(this.#options.workFolder, { recursive: true, mode: 0o700 });
    const source = await renders.readSource(id);
    if (!source) {
      await this.#untilSaved(() => status.fail(id, { message: failures.sourceLost }));
      return;
    }
    const render = await status.begin(id);
    if (!render) return;
    const workFolder = path.join(this.#options.workFolder, `${id}-${render.attempts}`);
    const outcome: Outcome = slot.cancelled
      ? { kind: 'cancelled' }
      : await this.#work(slot, render, source, workFolder);
    // The worker removes it too, unless it was ended by force.
    await rm(workFolder, { recursive: true, force: true });
    if (outcome.kind !== 'done') await files.remove(render);
    await this.#settle(render, source, outcome);
  }

  async #work(
    slot: Slot,
    render: StoredRender,
    source: Source,
    workFolder: string,
  ): Promise<Outcome> {
    const { files, engine, clock, status, log } = this.#options;
    const { renderScale, maxWidth, maxHeight, template } = render.request;
    const meter = new ProgressMeter();
    let toldAt = -Infinity;
    let saved = Promise.resolve();
    const onProgress = (event: WorkerProgress): void => {
      const before = slot.progress?.phase;
      slot.progress = meter.update(event, clock.steady());
      const phase = event.phase === 'finishing' ? 'rendering' : event.phase;
      if (event.phase !== before) {
        // One after the other, and none after the end: the attempt waits for them below.
        saved = saved.then(async () => {
          await status.proceed(render.id, phase);
        });
        saved.catch((error: unknown) => log('error', 'queue', describeError(error)));
      } else if (clock.steady() - toldAt < progressInterval) {
        return;
      }
      toldAt = clock.steady();
      this.#options.events.emit({
        type: 'render.progress',
        id: render.id,
        progress: slot.progress,
      });
    };
    const outcome = await slot.client.run(
      {
        type: 'start',
        id: render.id,
        source,
        scaling: { renderScale, maxWidth, maxHeight },
        outputPath: files.outputPath(render),
        snapshotPath: files.snapshotPath(render),
        ...(template && { madeFrom: { id: template.id, name: template.name } }),
        workFolder,
        ...engine,
        ...this.#options.transcriber?.(),
        limits: engineLimits,
      },
      onProgress,
      (jpg) => {
        slot.picture = jpg;
      },
    );
    await saved.catch(() => undefined);
    return slot.cancelled && outcome.kind === 'lost' ? { kind: 'cancelled' } : outcome;
  }

  /** Writes down how an attempt ended; does not give up before the disk has taken it. */
  async #settle(render: StoredRender, source: Source, outcome: Outcome): Promise<void> {
    const { status, log } = this.#options;
    const { id, attempts } = render;
    switch (outcome.kind) {
      case 'done':
        for (const warning of outcome.warnings) log('warning', `render ${id}`, warning);
        if (render.outputFormat === 'mp4' || render.outputFormat === 'gif') this.#encoder = 'found';
        await this.#untilSaved(() => status.succeed(id, outcome.facts));
        return;
      case 'failed':
        if (outcome.code === 'encoder_missing') this.#encoder = 'missing';
        await this.#untilSaved(() => status.fail(id, failureAt(source, outcome)));
        return;
      case 'cancelled':
        await this.#untilSaved(() => status.fail(id, cancelled));
        return;
      case 'lost':
        if (this.#closed) {
          await status.putBack(id, false);
          return;
        }
        log('warning', 'queue', `render ${id} lost attempt ${attempts}: ${outcome.reason}`);
        if (attempts >= workLimits.attempts) {
          await this.#untilSaved(() => status.fail(id, { message: failures[outcome.reason] }));
        } else {
          const planned = await this.#untilSaved(() => status.putBack(id, true));
          if (planned) this.#enqueue(planned);
        }
        return;
    }
  }

  /** Repeats a change of state until the disk takes it or the program ends (the next start then sees to it). */
  async #untilSaved<T>(change: () => Promise<T>): Promise<T | null> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await change();
      } catch (error) {
        this.#options.log('error', 'queue', describeError(error));
        if (this.#closed) return null;
        await this.#pause(savePauses[Math.min(attempt, savePauses.length - 1)] ?? 0);
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  #tell(): void {
    if (!this.#closed) this.#options.events.emit({ type: 'server.state' });
  }
}

const cancelled: Failure = { message: failures.cancelled, cancelled: true };

function failureAt(source: Source, outcome: Extract<Outcome, { kind: 'failed' }>): Failure {
  const { message, path: place } = outcome;
  if (place === undefined) return { message };
  return { message, path: place, element: elementNameAt(source, place) };
}
