/**
 * Works on the renders of a database that several servers and workers share: in a process of its own (`framewright
 * worker`), and in each server unless it was told not to. Each slot takes one render after the other and makes it as a
 * server by itself does (attempt.ts). Meanwhile the worker says that it lives; who falls silent loses what it works on
 * to another one.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal, type HoldReason, type RenderPriority } from '../../../shared/api.ts';
import { workLimits } from '../../../shared/limits.ts';
import { isFilm, isStill } from '../../../shared/renderscript/formats.ts';
import { describeError } from '../../system/log.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import type { StoredRender } from '../../store/render-record.ts';
import { StorageError, type Storage } from '../../store/storage.ts';
import { runAttempt, type AttemptContext } from '../../jobs/attempt.ts';
import { renderError, Saver } from '../../jobs/files/storing.ts';
import { newSlot, type Slot } from '../../jobs/slot.ts';
import {
  createStatusChanges,
  failures,
  sourceFailureOf,
  type RenderStatusChanges,
  type StatusContext,
} from '../../jobs/status.ts';
import { failureOf } from '../../jobs/verdict.ts';
import { OwnFaults } from '../../jobs/worker/task-faults.ts';
import type { ForkWorker } from '../../jobs/worker/protocol.ts';
import type { WorkerTuning } from '../../jobs/worker/vitals.ts';
import { Claim, LateWord } from './claim.ts';
import { beat, type Build, buildOf, MachineRow } from './machines.ts';
import { FilmSharing } from './film-sharing.ts';
import { PieceFiles, PieceQueue } from './pieces.ts';
import { endChannel, workChannel, type JobQueue, type Ticket } from './job-queue.ts';
import { ProgressTeller } from './progress-board.ts';
import { LostError, MissingError, type Supplies, type Supply } from './supplies.ts';

/** Milliseconds between two looks for work when nobody tells of any. */
const lookPause = 2_000;
/** Milliseconds that a worker without ffmpeg leaves films to others. */
const encoderPause = 30_000;

/**
 * Milliseconds before a worker that gave a render back, because storage or something in it was away, looks for another
 * one.
 */
const supplyPause = 5_000;

/** Characters of the last failure's sentence that others are told. */
const failureLength = 300;

/** What a worker works with. */
export interface FarmWorkerOptions extends Omit<
  AttemptContext,
  'renders' | 'status' | 'events' | 'saver' | 'isClosed' | 'hiddenMedia'
> {
  readonly keeper: Pick<PostgresKeeper, 'inTurn' | 'listen' | 'lookAt'>;
  readonly jobs: JobQueue;
  readonly supply: Supply;
  /** Reached by all workers, for films that they make together. */
  readonly pieceStorage: Storage;
  readonly webhookUrlOf: StatusContext['webhookUrlOf'];
  /** True while nothing new may start, because someone has paused the queue. */
  readonly isPaused: () => boolean;
  readonly fork: ForkWorker;
  readonly workers?: WorkerTuning | undefined;
  /** How rendering takes turns with other programs. Default: `low`. */
  readonly priority?: (() => RenderPriority) | undefined;
  /** Renders at the same time. */
  readonly concurrency: number;
  /** The program's version. */
  readonly version: string;
  /** Looks whether this machine can work now, and calls `hold` if not. Default: it can. */
  readonly beforeRender?: () => Promise<void>;
  /** Called when it begins or ends a render, or its renderer changes state. */
  readonly onState?: () => void;
}

/** See above. */
export class FarmWorker {
  readonly #options: FarmWorkerOptions;
  readonly slots: Slot[] = [];
  readonly faults: OwnFaults;
  readonly #saver: Saver;
  readonly #teller: ProgressTeller;
  readonly #word: LateWord;
  readonly #claims = new Map<Slot, Claim>();
  readonly #holds = new Set<HoldReason>();
  readonly #row: MachineRow;
  readonly #startedAt = Date.now();
  /** Attempts that failed here since the start, and why the last one did. */
  #failed = 0;
  #lastFailure: string | undefined;
  #ffmpeg: string | undefined;
  /** What its films follow from; null while that is unknown. */
  #build: Build | null = null;
  /** Null while this worker makes films alone. */
  #sharing: FilmSharing | null = null;
  #finding: Promise<void> | null = null;
  #closed = false;
  /** Until then it does not look for pieces, on the clock of `performance.now()`. */
  #pieceLookAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Ends the waits of idle slots. */
  readonly #wakes = new Set<() => void>();

  constructor(options: FarmWorkerOptions) {
    this.#options = options;
    this.faults = new OwnFaults(options.workers?.restartPauses);
    this.#saver = new Saver(options.log);
    this.#teller = new ProgressTeller(options.keeper, options.log);
    this.#word = new LateWord(options.keeper);
    this.#row = new MachineRow(options.keeper, randomUUID());
  }

  /** Starts working. */
  async start(): Promise<void> {
    const { keeper, workFolder, concurrency } = this.#options;
    await rm(workFolder, { recursive: true, force: true });
    await mkdir(workFolder, { recursive: true, mode: 0o700 });
    await keeper.listen(workChannel, (text) => {
      if (text !== '') this.#pieceLookAt = 0;
      this.wake();
    });
    await keeper.listen(endChannel, (id) => this.#endOf(id));
    this.setConcurrency(concurrency);
    this.#timer = setInterval(() => void this.#beat(), beat);
    void this.#beat();
  }

  /** Sets how many renders it works on at once. Running ones always finish. */
  setConcurrency(count: number): void {
    const {
      fork,
      clock,
      log,
      workers: tuning,
      engine,
      workFolder,
      priority,
      onState,
    } = this.#options;
    for (const [index, slot] of this.slots.entries()) slot.retired = index >= count;
    this.wake();
    while (this.slots.length < count) {
      const slot = newSlot({
        ...{ fork, clock, log, workFolder, tuning, priority, faults: this.faults },
        fontFolder: engine.fontFolder,
        onState: () => onState?.(),
      });
      this.slots.push(slot);
      slot.work = this.#fill(slot);
    }
  }

  /** Lets the workers follow a change of their priority. */
  usePriority(): void {
    for (const { client } of this.slots) client.usePriority();
  }

  /** Sets or ends a reason of this machine not to begin anything. */
  hold(reason: HoldReason, holds: boolean): void {
    if (holds) this.#holds.add(reason);
    else this.#holds.delete(reason);
    this.wake();
  }

  /** The reasons why this machine begins nothing. */
  get heldBy(): readonly HoldReason[] {
    return [...this.#holds];
  }

  /** Has idle slots look for work now. */
  wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  /** Gives back what it works on, without losing an attempt, and ends. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.wake();
    this.#saver.close();
    for (const { client } of this.slots) client.close();
    await Promise.all(this.slots.map(({ work }) => work));
    await this.#row.remove().catch(() => undefined);
    await rm(this.#options.workFolder, { recursive: true, force: true });
  }

  /** Takes one render after the other. */
  async #fill(slot: Slot): Promise<void> {
    const { jobs, keeper, log } = this.#options;
    // On the connection of the records, which keeps the statement prepared.
    const take = (): Promise<Ticket | null> => keeper.inTurn((session) => jobs.take(session));
    while (!this.#isOver(slot)) {
      try {
        await slot.client.prepare();
        if (this.#ffmpeg === undefined) {
          await (this.#finding ??= this.#findEncoder(slot).finally(() => (this.#finding = null)));
        }
        // Films that were begun come first, also while the queue is paused.
        const mayGoOn = this.#holds.size === 0 && !this.#isOver(slot);
        if (mayGoOn && (await this.#workOnPiece(slot))) continue;
        // Asked now: someone may have paused the queue while the renderer started.
        const ticket = this.#mayBegin && !this.#isOver(slot) ? await take() : null;
        if (ticket) await this.#carryOut(slot, ticket);
        else if (!this.#isOver(slot)) await this.#wait(lookPause);
      } catch (error) {
        log('error', 'queue', describeError(error));
        await this.#wait(lookPause);
      }
    }
    slot.client.close();
    const index = this.slots.indexOf(slot);
    if (slot.retired && index >= 0) this.slots.splice(index, 1);
  }

  /** Works on a piece of a film, if there is one. Looks less often while none was found or announced. */
  async #workOnPiece(slot: Slot): Promise<boolean> {
    if (!this.#sharing || performance.now() < this.#pieceLookAt) return false;
    const told = this.#pieceLookAt;
    if (await this.#sharing.workOn(slot)) return true;
    if (this.#pieceLookAt === told) this.#pieceLookAt = performance.now() + lookPause / 2;
    return false;
  }

  async #findEncoder({ client }: Slot): Promise<void> {
    const { engine, version, jobs, keeper, pieceStorage } = this.#options;
    const answer = await client.findEncoder(engine.ffmpegPath, engine.fontFolder);
    if (answer?.build && !this.#sharing) {
      this.#build = buildOf(version, answer.build);
      const { name } = this.#build;
      this.#sharing = await FilmSharing.open({
        ...this.#options,
        ...{ keeper, build: name, pieces: new PieceFiles(pieceStorage) },
        queue: await PieceQueue.open(jobs, name),
        isClosed: () => this.#closed,
        pause: (milliseconds) => this.#saver.pause(milliseconds),
      });
    }
    this.#ffmpeg = answer?.found?.version;
    void this.#beat();
  }

  get #mayBegin(): boolean {
    return this.#holds.size === 0 && !this.#options.isPaused();
  }

  #isOver({ retired }: Slot): boolean {
    return this.#closed || retired;
  }

  /** Waits, or until there may be something to do. */
  async #wait(milliseconds: number): Promise<void> {
    const over = new AbortController();
    const wake = (): void => over.abort();
    this.#wakes.add(wake);
    // Not all at the same moment.
    const time = milliseconds * (0.75 + Math.random() / 2);
    await sleep(time, undefined, { signal: over.signal }).catch(() => undefined);
    this.#wakes.delete(wake);
  }

  async #carryOut(slot: Slot, ticket: Ticket): Promise<void> {
    const { keeper, jobs, log, clock, webhookUrlOf, onState } = this.#options;
    const claim = new Claim(ticket, this.#madeBy, { keeper, jobs, word: this.#word });
    const events = {
      emit: (happening: Parameters<AttemptContext['events']['emit']>[0]): void => {
        if (happening.type !== 'render.progress') return;
        this.#teller.tell(happening.id, claim.attempt, happening.progress);
      },
    };
    const status = createStatusChanges({
      ...{ renders: claim, events, webhookUrlOf, log },
      now: () => clock.now(),
      onEnd: ({ status, errorMessage, cancelled }) => {
        if (status === 'failed' && cancelled !== true) this.#countFailure(errorMessage);
      },
    });
    slot.id = ticket.id;
    slot.cancelled = false;
    this.#claims.set(slot, claim);
    onState?.();
    let mayHavePieces = true;
    let supplies: Supplies | null = null;
    try {
      const found = await claim.look();
      mayHavePieces = !found || (isFilm(found.outputFormat) && found.attempts > 0);
      const render = await this.#check(found, claim, status);
      supplies = render && (await this.#bring(render, claim, status));
      if (render && supplies) await this.#attempt(slot, render, { ...supplies, status, events });
    } finally {
      await supplies?.remove();
      this.#letGo(slot);
      this.#teller.forget(ticket.id);
      if (mayHavePieces || this.#sharing?.hasLed(ticket.id) === true) {
        await this.#sharing?.tidy(ticket.id).catch((error: unknown) => {
          log('warning', 'queue', describeError(error));
        });
      }
    }
  }

  /** What records name of who made them. */
  get #madeBy(): NonNullable<StoredRender['madeBy']> {
    const ffmpeg = this.#ffmpeg;
    const { x264, drawing, fonts } = this.#build?.programs ?? {};
    return {
      ...{ machine: hostname(), version: this.#options.version },
      ...(ffmpeg !== undefined && { ffmpeg }),
      ...(x264 !== undefined && { x264 }),
      ...(drawing !== undefined && { drawing }),
      ...(fonts !== undefined && { fonts }),
    };
  }

  /** The render if it is to be made, here and now. Null: it was ended or given back. */
  async #check(
    found: StoredRender | null,
    claim: Claim,
    status: RenderStatusChanges,
  ): Promise<StoredRender | null> {
    const { id } = claim.ticket;
    if (!found || isFinal(found.status)) {
      // Its change ends the job.
      await claim.change(id, () => null);
      return null;
    }
    const known = sourceFailureOf(found);
    if (known) {
      // The server that was to end it is gone.
      await status.fail(id, known);
      return null;
    }
    await this.#options.beforeRender?.();
    if (this.#closed || !this.#mayBegin) {
      await claim.giveBack();
      return null;
    }
    const wasLost = found.status !== 'planned';
    if (!wasLost || found.attempts < workLimits.attempts) return found;
    await status.fail(id, { message: failures.died, stopsRenderer: true });
    return null;
  }

  /** What the render needs here. Null: something is gone or away, and the render was ended or given back. */
  async #bring(
    found: StoredRender,
    claim: Claim,
    status: RenderStatusChanges,
  ): Promise<Supplies | null> {
    const { id } = claim.ticket;
    try {
      return await this.#options.supply.bring(found);
    } catch (error) {
      if (error instanceof LostError) {
        await status.fail(id, { message: renderError(error.message) });
      } else if (error instanceof MissingError || error instanceof StorageError) {
        this.#options.log('warning', `render ${id}`, `it waits: ${error.message}`);
        await claim.giveBack();
        await this.#saver.pause(supplyPause);
      } else throw error;
      return null;
    }
  }

  async #attempt(
    slot: Slot,
    { id, attempts, outputFormat }: StoredRender,
    given: Supplies & Pick<AttemptContext, 'status' | 'events'>,
  ): Promise<void> {
    if (attempts > 0) await slot.client.prepare(true);
    const entry = {
      ...{ id, place: 0, alone: attempts > 0, loss: null },
      needsEncoder: !isStill(outputFormat),
    };
    const attempt = runAttempt(slot, entry, {
      ...{ ...this.#options, saver: this.#saver, ...given },
      ...(this.#sharing && { sharing: this.#sharing }),
      isClosed: () => this.#closed,
    });
    slot.attempt = attempt;
    const again = await attempt;
    if (again?.loss) this.#countFailure(failureOf(again.loss, 1, null).message);
    if (again?.withoutEncoder === undefined) return;
    this.#options.log('error', 'queue', `there is no ffmpeg: ${again.withoutEncoder}`);
    await this.#wait(encoderPause);
  }

  #letGo(slot: Slot): void {
    this.#claims.delete(slot);
    slot.id = null;
    slot.progress = null;
    slot.picture = null;
    slot.pictureAskedAt = -Infinity;
    this.#options.onState?.();
  }

  /** Someone has ended a render. @param id Null: of which one is not known. */
  #endOf(id: string | null): void {
    if (id === null) return;
    for (const slot of this.slots) if (slot.id === id) this.#stop(slot);
    this.#sharing?.stop(id);
  }

  #stop(slot: Slot): void {
    slot.cancelled = true;
    slot.client.cancel();
  }

  /** Says that it lives, and what it does. Stops what was given to others. */
  async #beat(): Promise<void> {
    const { jobs, keeper, log } = this.#options;
    const claims = [...this.#claims];
    try {
      if (claims.length > 0) {
        const tickets = claims.map(([, { ticket }]) => ticket);
        const owned = await keeper.inTurn((session) => jobs.touch(tickets, session));
        for (const [slot, claim] of claims) {
          const isOwn = owned.has(claim.ticket.id);
          if (!isOwn && this.#claims.get(slot) === claim) this.#stop(slot);
        }
      }
      await this.#sharing?.beat();
      await this.#tellFacts();
    } catch (error) {
      if (!this.#closed) log('warning', 'queue', describeError(error));
    }
  }

  /** Says what it does, so that windows show it. */
  async #tellFacts(): Promise<void> {
    const { version } = this.#options;
    if (this.#closed) return;
    const pieces = this.#sharing?.films ?? [];
    await this.#row.tell({
      name: hostname(),
      version,
      pid: process.pid,
      ffmpeg: this.#ffmpeg ?? null,
      build: this.#build,
      slots: this.slots.length,
      renders: [...new Set([...this.slots.flatMap(({ id }) => id ?? []), ...pieces])],
      pieces,
      startedAt: this.#startedAt,
      failed: this.#failed,
      ...(this.#lastFailure !== undefined && { lastFailure: this.#lastFailure }),
      rendererFails: this.faults.areEnough,
    });
  }

  #countFailure(message: string | undefined): void {
    this.#failed += 1;
    this.#lastFailure = message?.slice(0, failureLength);
  }
}
