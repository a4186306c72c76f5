/**
 * Long films, which are made in pieces by all workers together, or one after the other by the only one: the same file
 * either way. Whoever has taken such a render leads: has it divided, adds a job for each piece, works on pieces like
 * the others, and joins what storage has of the film. A piece is there when its file is; so a leader that is lost loses
 * nothing: the next one finds the pieces that were made. Only the leader changes the record, under its claim.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../../../shared/api.ts';
import { workLimits } from '../../../shared/limits.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import { describeError } from '../../system/log.ts';
import { DamagedError } from '../storage/content-cache.ts';
import { StorageError } from '../../store/storage.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import { tableOf } from '../postgres/migrations.ts';
import { changeRenderText, type StoredRender } from '../../store/render-record.ts';
import { schemaName } from '../postgres/statement.ts';
import { startMessageOf, type AttemptContext, type Sharing } from '../../jobs/attempt.ts';
import { renderError, storeWithPatience } from '../../jobs/files/storing.ts';
import type { WorkerProgress } from '../../jobs/progress.ts';
import type { Slot } from '../../jobs/slot.ts';
import type { Offer, RenderInput, SplitFilm } from '../../jobs/worker/render-protocol.ts';
import { wholeOf, type Outcome, type WholeOutcome } from '../../jobs/verdict.ts';
import type { MadePiece, PieceFiles, PieceJob, PieceQueue, PieceTicket } from './pieces.ts';
import { LostError, type Supplies, type Supply } from './supplies.ts';

/** Where it is told how many frames of a piece are done, as JSON of `Told`. */
const channel = `${schemaName}_pieces`;
/** Milliseconds between two words about a piece, and between two looks of a leader. */
const pause = 500;
/**
 * Milliseconds before a leader asks a storage again that was away, and before a worker that could not begin a piece
 * looks for one.
 */
const awayPause = 2_000;

interface Told {
  readonly render: string;
  readonly name: string;
  readonly frame: number;
}

/** What it works with. */
export interface FilmSharingOptions extends Pick<
  AttemptContext,
  'files' | 'transcriber' | 'largestSide' | 'workFolder' | 'log' | 'isClosed'
> {
  readonly keeper: Pick<PostgresKeeper, 'inTurn' | 'listen'>;
  readonly queue: PieceQueue;
  /** Names the programs and fonts of this worker. */
  readonly build: string;
  readonly pieces: PieceFiles;
  readonly supply: Supply;
  /** Waits, unless the program ends. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** All pieces of a film, by name. */
interface MadePieces {
  readonly kind: 'made';
  readonly made: ReadonlyMap<string, MadePiece>;
  /** Seconds of the film that other films had. */
  readonly reused: number;
}

/** See above. */
export class FilmSharing implements Sharing {
  readonly #options: FilmSharingOptions;
  readonly #taken = new Map<Slot, PieceTicket>();
  /** Frames of pieces that others work on, of the films that are led here. */
  readonly #heard = new Map<string, Map<string, number>>();
  /** Films that were led here and may have left pieces, by ID. */
  readonly #led = new Set<string>();

  private constructor(options: FilmSharingOptions) {
    this.#options = options;
  }

  /** Opens it, and follows what others tell. */
  static async open(options: FilmSharingOptions): Promise<FilmSharing> {
    const sharing = new FilmSharing(options);
    await options.keeper.listen(channel, (text) => {
      if (text === null) return;
      const { render, name, frame } = JSON.parse(text) as Told; // from `#tell`
      sharing.#heard.get(render)?.set(name, frame);
    });
    return sharing;
  }

  /** IDs of the films whose pieces are worked on here. */
  get films(): string[] {
    return [...this.#taken.values()].map(({ job }) => job.render);
  }

  async offer({ id, outputFormat, attempts }: StoredRender): Promise<Offer | null> {
    const { build, pieces } = this.#options;
    if (!isFilm(outputFormat)) return null;
    // After a loss one worker makes it, and finds the element; unless only its leader was lost.
    if (attempts > 1 && !(await this.#reach(() => pieces.split(id)))) return null;
    return { build };
  }

  async make(
    slot: Slot,
    start: RenderInput,
    split: SplitFilm,
    onProgress: (event: WorkerProgress) => void,
  ): Promise<WholeOutcome | null> {
    const { isClosed, pieces } = this.#options;
    const { id } = start;
    // Pieces that a lost leader's workers made are as good, if they are of the same film.
    const known = await this.#reach(() => pieces.split(id));
    if (known?.print !== split.print) await this.#reach(() => pieces.begin(id, split));
    this.#heard.set(id, new Map());
    this.#led.add(id);
    const folder = path.join(this.#options.workFolder, `film-${id}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      let outcome: WholeOutcome | 'again' | null;
      do {
        const ended = await this.#untilMade(slot, id, split, onProgress);
        outcome =
          ended?.kind === 'made'
            ? await this.#join(slot, start, split, { ...ended, folder }, onProgress)
            : ended;
      } while (outcome === 'again');
      // Who was stopped may have lost the film to another leader.
      if (outcome?.kind !== 'cancelled' && !isClosed()) await this.#remove(id);
      return outcome;
    } finally {
      this.#heard.delete(id);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      await slot.client.prepare();
    }
  }

  /**
   * Works on pieces until all are made.
   * @returns them by name, or how the film ended; null if one worker should make it.
   */
  async #untilMade(
    slot: Slot,
    id: string,
    split: SplitFilm,
    onProgress: (event: WorkerProgress) => void,
  ): Promise<MadePieces | WholeOutcome | null> {
    const { queue, isClosed, pieces: files } = this.#options;
    const pieces = piecesOf(id, split);
    const isMissing = ({ name }: PieceJob): boolean => !made.has(name);
    const look = async (): Promise<ReadonlyMap<string, MadePiece>> => {
      const kept = pieces.filter((piece) => piece.mayBeKept && isMissing(piece));
      const found = this.#reach(() => files.made(id, namesOf(kept)));
      return new Map([...made, ...(await found)]);
    };
    let made: ReadonlyMap<string, MadePiece> = new Map();
    made = await look();
    const reused = secondsOf(pieces, split, ({ name }) => made.get(name)?.isKept === true);
    const jobs = await queue.add(pieces.filter(isMissing));
    for (;;) {
      if (slot.cancelled) return { kind: 'cancelled' };
      if (isClosed()) return lost;
      const missing = pieces.filter(isMissing);
      onProgress(this.#progressOf(id, split, missing));
      if (missing.length === 0) return { kind: 'made', made, reused };
      // A piece is put into storage before its job ends, so storage need not be asked each time.
      const ends = await queue.ends(
        id,
        missing.map(({ name }) => jobs.get(name) ?? ''),
      );
      if (ends.size > 0) made = await look();
      for (const { name } of pieces.filter(isMissing)) {
        const end = ends.get(jobs.get(name) ?? '');
        if (end?.kind === 'failed') return end.code === 'pieces_differ' ? null : end;
        if (end) return lost;
      }
      if (ends.size === 0 && !(await this.workOn(slot))) await sleep(pause);
    }
  }

  /** Fetches the pieces and joins them. @returns `again` if one is damaged or gone: it must be made again. */
  async #join(
    slot: Slot,
    start: RenderInput,
    split: SplitFilm,
    { made, reused, folder }: MadePieces & { readonly folder: string },
    onProgress: (event: WorkerProgress) => void,
  ): Promise<WholeOutcome | 'again' | null> {
    const { pieces, log } = this.#options;
    // Two pieces with the same contents have the same name.
    const paths = piecesOf(start.id, split).map(({ piece, name }, index) => ({
      ...{ piece, name },
      filePath: path.join(folder, `${index}.mp4`),
    }));
    for (const { name, filePath } of paths) {
      if (slot.cancelled) return { kind: 'cancelled' };
      const piece = made.get(name);
      await rm(filePath, { force: true });
      try {
        if (piece && (await this.#reach(() => pieces.fetch(piece, filePath)))) continue;
      } catch (error) {
        if (!(error instanceof DamagedError)) throw error;
        log('warning', `render ${start.id}`, error.message);
      }
      return 'again';
    }
    await slot.client.prepare();
    if (slot.cancelled) return { kind: 'cancelled' };
    const files = {
      frames: paths.filter(({ piece }) => piece !== 'sound').map(({ filePath }) => filePath),
      sound: paths.find(({ piece }) => piece === 'sound')?.filePath ?? null,
    };
    const task = { kind: 'join', split, files, reused } as const;
    const outcome = wholeOf(await slot.client.run({ ...start, task }, onProgress));
    return outcome.kind === 'failed' && outcome.code === 'pieces_differ' ? null : outcome;
  }

  /** Takes a piece of any film and makes it. @returns false: there is none. */
  async workOn(slot: Slot): Promise<boolean> {
    const { queue, log, isClosed, supply } = this.#options;
    await slot.client.prepare();
    const ticket = isClosed() ? null : await queue.take();
    if (!ticket) return false;
    const { render: id, name } = ticket.job;
    const render = await this.#read(id);
    if (!render || isFinal(render.status) || ticket.retryCount > mostTries) {
      await queue.end(ticket, { kind: 'lost' });
      return true;
    }
    const mark = randomBytes(4).toString('hex');
    const own = path.join(this.#options.workFolder, `made-${mark}.mp4`);
    const workFolder = path.join(this.#options.workFolder, `piece-${mark}`);
    let supplies: Supplies | null = null;
    this.#taken.set(slot, ticket);
    try {
      supplies = await this.#reach(() => supply.bring(render));
      const source = await supplies.renders.readSource(id);
      if (!source) throw new LostError('its document is missing or damaged');
      const context = { ...this.#options, ...supplies };
      const start = startMessageOf({ ...render, attempts: 1 }, source, workFolder, context);
      const { basis, piece } = ticket.job;
      const { build } = this.#options;
      const outcome = await slot.client.run(
        { ...start, outputPath: own, task: { kind: 'piece', basis, piece, build } },
        this.#teller(ticket),
        (jpg) => {
          // Helpers of another film have no render to show.
          if (slot.id === id) slot.picture = jpg;
        },
      );
      await this.#settle(ticket, outcome, own);
    } catch (error) {
      if (error instanceof LostError) {
        await queue.end(ticket, {
          ...{ kind: 'failed', code: 'source_lost', message: renderError(error.message) },
        });
      } else {
        log('warning', `render ${id}`, `piece ${name}: ${describeError(error)}`);
        await queue.giveBack(ticket).catch(() => undefined);
        // Others may do better.
        if (!isClosed()) await this.#options.pause(awayPause);
      }
    } finally {
      this.#taken.delete(slot);
      await supplies?.remove();
      await rm(own, { force: true });
    }
    return true;
  }

  /** Puts what was made among the film's pieces, or says what became of it. */
  async #settle(ticket: PieceTicket, outcome: Outcome, own: string): Promise<void> {
    const { queue, log, isClosed } = this.#options;
    const { render, name } = ticket.job;
    switch (outcome.kind) {
      case 'piece': {
        for (const warning of outcome.warnings) log('warning', `render ${render}`, warning);
        const isKept = ticket.job.mayBeKept && outcome.warnings.length === 0;
        const { pause: wait, pieces } = this.#options;
        const context = { log, isClosed, pause: wait };
        const stored = await storeWithPatience(
          `render ${render}`,
          () => pieces.add(ticket.job, own, isKept),
          context,
        );
        if (stored.kind === 'closed') return queue.giveBack(ticket);
        if (stored.kind === 'stored') return queue.end(ticket, { kind: 'made' });
        const { message } = stored;
        return queue.end(ticket, { kind: 'failed', code: 'piece_not_stored', message });
      }
      case 'failed': {
        const { code, message, path: place } = outcome;
        const isPassing = code === 'encoder_killed' || code === 'encoder_missing';
        log('warning', `render ${render}`, `piece ${name}: ${message}`);
        if (isPassing && ticket.retryCount < workLimits.attempts) return queue.giveBack(ticket);
        return queue.end(ticket, {
          ...{ kind: 'failed', code, message },
          ...(place !== undefined && { path: place }),
        });
      }
      case 'lost': {
        if (isClosed()) return queue.giveBack(ticket);
        log('warning', `render ${render}`, `lost piece ${name}: ${outcome.loss.reason}`);
        const isEnough = ticket.retryCount + 1 >= workLimits.attempts;
        return isEnough ? queue.end(ticket, { kind: 'lost' }) : queue.giveBack(ticket);
      }
      default:
        // It was stopped: its film has ended, or the slot's other one.
        return queue.giveBack(ticket);
    }
  }

  /** A film has ended: stops working on its pieces. */
  stop(id: string): void {
    for (const [slot, { job }] of this.#taken) if (job.render === id) slot.client.cancel();
  }

  /** Says that the workers of these pieces live; stops what was given to others. */
  async beat(): Promise<void> {
    const taken = [...this.#taken];
    if (taken.length === 0) return;
    const owned = await this.#options.queue.touch(taken.map(([, ticket]) => ticket));
    for (const [slot, ticket] of taken)
      if (!owned.has(ticket.id) && this.#taken.get(slot) === ticket) slot.client.cancel();
  }

  /** True if a film was led here since `tidy`. */
  hasLed(id: string): boolean {
    return this.#led.has(id);
  }

  /** Removes the pieces of an ended film, whichever worker led it. */
  async tidy(id: string): Promise<void> {
    this.#led.delete(id);
    const render = await this.#read(id);
    if (!render || isFinal(render.status)) await this.#remove(id);
  }

  async #remove(id: string): Promise<void> {
    await this.#options.queue.forget(id);
    // What stays because the storage is away is swept.
    await this.#options.pieces.remove(id).catch((error: unknown) => {
      this.#options.log('warning', `render ${id}`, describeError(error));
    });
  }

  /** Does something with storage, and again as long as that is only away. */
  async #reach<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isPassing = error instanceof StorageError && error.isPassing;
        if (!isPassing || this.#options.isClosed()) throw error;
        this.#options.log('warning', 'queue', error.message);
        await this.#options.pause(awayPause);
      }
    }
  }

  #progressOf(
    id: string,
    { output, ranges }: SplitFilm,
    missing: readonly PieceJob[],
  ): WorkerProgress {
    const heard = this.#heard.get(id);
    const left = missing.map(({ name, piece }) =>
      piece === 'sound' ? 0 : piece.end - piece.first - (heard?.get(name) ?? 0),
    );
    const frames = output.frameCount;
    const isSoundOnly = missing.length > 0 && missing.every(({ piece }) => piece === 'sound');
    return {
      phase: isSoundOnly && ranges.length > 0 ? 'finishing' : 'rendering',
      frame: frames - left.reduce((sum, count) => sum + count, 0),
      frames,
    };
  }

  #teller({ job: { render, name } }: PieceTicket): (progress: WorkerProgress) => void {
    let toldAt = -Infinity;
    return ({ phase, frame }) => {
      const now = performance.now();
      if (phase !== 'rendering' || now - toldAt < pause) return;
      toldAt = now;
      const told: Told = { render, name, frame };
      this.#options.keeper
        .inTurn((session) => session.tell(channel, JSON.stringify(told)))
        .catch(() => undefined);
    };
  }

  async #read(id: string): Promise<StoredRender | null> {
    const [row] = await this.#options.keeper.inTurn((session) =>
      session.query<{ text: string }>(
        `SELECT doc::text AS text FROM ${tableOf('renders')} WHERE id = $1`,
        [id],
      ),
    );
    return row ? (changeRenderText(row.text, (render) => render)?.render ?? null) : null;
  }
}

/** What becomes of a film whose piece was lost too often: one worker makes it, and finds the element. */
const lost: WholeOutcome = {
  kind: 'lost',
  loss: { reason: 'died', place: null, isAlone: false },
};
/** Workers that may be lost with a piece; then the piece is the reason. */
const mostTries = 5;

/** The pieces of a film: its sound, which takes longest to come, and its frames in order. */
function piecesOf(render: string, split: SplitFilm): PieceJob[] {
  const { print, isOneProcess, kept, ranges, hasSound } = split;
  const basis = { print, isOneProcess };
  const frames = ranges.map((piece, index) => {
    const name = kept?.pieces[index] ?? `${print}-${piece.first}-${piece.end}`;
    return { render, name, mayBeKept: kept !== null, piece, basis };
  });
  if (!hasSound) return frames;
  const name = kept?.sound ?? `${print}-sound`;
  return [{ render, name, mayBeKept: kept !== null, piece: 'sound', basis }, ...frames];
}

function secondsOf(
  pieces: readonly PieceJob[],
  { output }: SplitFilm,
  isCounted: (piece: PieceJob) => boolean,
): number {
  const counted = pieces.filter(isCounted);
  const frames = counted.map(({ piece }) => (piece === 'sound' ? 0 : piece.end - piece.first));
  return frames.reduce((sum, count) => sum + count, 0) / output.frameRate;
}

function namesOf(pieces: readonly PieceJob[]): string[] {
  return [...new Set(pieces.map(({ name }) => name))];
}
