/**
 * Long films, which are made in pieces by all workers together, or one after the other by the only one: the same file either way. Whoever has taken such a render leads: has it divided, adds a job for each piece, works on pieces like
 * the others, and joins what lies in the film's folder, which all workers share. A piece is there when its file is; so a leader that is
 * lost loses nothing: the next one finds the pieces that were made. Only the leader changes the record, under its claim.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../../../shared/api.ts';
import { workLimits } from '../../../shared/limits.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import { describeError } from '../../log.ts';
import type { PostgresKeeper } from '../../store/postgres/keeper.ts';
import { tableOf } from '../../store/postgres/migrations.ts';
import { changeRenderText, type StoredRender } from '../../store/renders.ts';
import { schemaName } from '../../store/schema-name.ts';
import { startMessageOf, type AttemptContext, type Sharing } from '../attempt.ts';
import type { WorkerProgress } from '../progress.ts';
import type { Slot } from '../slot.ts';
import { failures } from '../status.ts';
import { split as splitForm, type Offer, type SplitFilm } from '../worker/piece-protocol.ts';
import type { StartMessage } from '../worker/protocol.ts';
import { wholeOf, type Outcome, type WholeOutcome } from '../worker/worker-client.ts';
import type { PieceJob, PieceQueue, PieceTicket } from './piece-queue.ts';

/** Where it is told how many frames of a piece are done, as JSON of `Told`. */
const channel = `${schemaName}_pieces`;
/** Milliseconds between two words about a piece, and between two looks of a leader. */
const pause = 500;
/** Beside its pieces: how the film is divided. */
const splitName = 'split.json';

interface Told {
  readonly render: string;
  readonly name: string;
  readonly frame: number;
}

/** What it works with. */
export interface FilmSharingOptions extends Pick<
  AttemptContext,
  'renders' | 'files' | 'engine' | 'transcriber' | 'largestSide' | 'workFolder' | 'log' | 'isClosed'
> {
  readonly keeper: Pick<PostgresKeeper, 'inTurn' | 'listen'>;
  readonly queue: PieceQueue;
  /** Names the programs and fonts of this worker. */
  readonly build: string;
  /** Shared by all workers; has a folder for each film. */
  readonly folder: string;
}

/** See above. */
export class FilmSharing implements Sharing {
  readonly #options: FilmSharingOptions;
  readonly #taken = new Map<Slot, PieceTicket>();
  /** Frames of pieces that others work on, of the films that are led here. */
  readonly #heard = new Map<string, Map<string, number>>();

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
    const { build } = this.#options;
    // After a loss one worker makes it, and finds the element; unless only its leader was lost.
    if (!isFilm(outputFormat) || (attempts > 1 && !(await this.#splitOf(id)))) return null;
    return { build };
  }

  async make(
    slot: Slot,
    start: StartMessage,
    split: SplitFilm,
    onProgress: (event: WorkerProgress) => void,
  ): Promise<WholeOutcome | null> {
    const { isClosed } = this.#options;
    const { id } = start;
    const folder = this.#folderOf(id);
    // Pieces that a lost leader's workers made are as good, if they are of the same film.
    if ((await this.#splitOf(id))?.print !== split.print) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path.join(folder, splitName), JSON.stringify(split));
    }
    this.#heard.set(id, new Map());
    try {
      const ended = await this.#untilMade(slot, id, split, onProgress);
      const outcome = ended === 'made' ? await this.#join(slot, start, split, onProgress) : ended;
      // Who was stopped may have lost the film to another leader.
      if (outcome?.kind !== 'cancelled' && !isClosed()) await this.#remove(id);
      return outcome;
    } finally {
      this.#heard.delete(id);
      await slot.client.prepare();
    }
  }

  /** Works on pieces until all are made. @returns null if one worker should make the film. */
  async #untilMade(
    slot: Slot,
    id: string,
    split: SplitFilm,
    onProgress: (event: WorkerProgress) => void,
  ): Promise<'made' | WholeOutcome | null> {
    const { queue, isClosed } = this.#options;
    const pieces = piecesOf(id, split);
    const first = await this.#missing(id, pieces);
    const jobs = await queue.add(first);
    for (;;) {
      if (slot.cancelled) return { kind: 'cancelled' };
      if (isClosed()) return lost;
      const missing = await this.#missing(id, pieces);
      onProgress(this.#progressOf(id, split, missing));
      if (missing.length === 0) return 'made';
      const ends = await queue.ends(
        id,
        missing.map(({ name }) => jobs.get(name) ?? ''),
      );
      const isLate = ends.size > 0 ? await this.#missing(id, pieces) : [];
      for (const { name } of isLate) {
        const end = ends.get(jobs.get(name) ?? '');
        if (end?.kind === 'failed') return end.code === 'pieces_differ' ? null : end;
        if (end) return lost;
      }
      if (!(await this.workOn(slot))) await sleep(pause);
    }
  }

  async #join(
    slot: Slot,
    start: StartMessage,
    split: SplitFilm,
    onProgress: (event: WorkerProgress) => void,
  ): Promise<WholeOutcome | null> {
    await slot.client.prepare();
    if (slot.cancelled) return { kind: 'cancelled' };
    const paths = piecesOf(start.id, split).map(({ piece, name }) => ({
      piece,
      filePath: path.join(this.#folderOf(start.id), name),
    }));
    const files = {
      frames: paths.filter(({ piece }) => piece !== 'sound').map(({ filePath }) => filePath),
      sound: paths.find(({ piece }) => piece === 'sound')?.filePath ?? null,
    };
    const task = { kind: 'join', split, files } as const;
    const outcome = wholeOf(await slot.client.run({ ...start, task }, onProgress));
    return outcome.kind === 'failed' && outcome.code === 'pieces_differ' ? null : outcome;
  }

  /** Takes a piece of any film and makes it. @returns false: there is none. */
  async workOn(slot: Slot): Promise<boolean> {
    const { queue, renders, log, isClosed } = this.#options;
    await slot.client.prepare();
    const ticket = isClosed() ? null : await queue.take();
    if (!ticket) return false;
    const { render: id, name } = ticket.job;
    const render = await this.#read(id);
    const isOver = !render || isFinal(render.status) || ticket.retryCount > mostTries;
    const source = isOver ? null : await renders.readSource(id);
    if (isOver || !source) {
      const failure = {
        kind: 'failed',
        code: 'source_lost',
        message: failures.sourceLost,
      } as const;
      await queue.end(ticket, isOver ? { kind: 'lost' } : failure);
      return true;
    }
    const mark = randomBytes(4).toString('hex');
    const own = path.join(this.#folderOf(id), `${name}.${mark}`);
    const workFolder = path.join(this.#options.workFolder, `piece-${mark}`);
    const start = startMessageOf({ ...render, attempts: 1 }, source, workFolder, this.#options);
    this.#taken.set(slot, ticket);
    try {
      await mkdir(path.dirname(own), { recursive: true, mode: 0o700 });
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
      log('warning', `render ${id}`, `piece ${name}: ${describeError(error)}`);
      await queue.giveBack(ticket).catch(() => undefined);
    } finally {
      this.#taken.delete(slot);
      await rm(own, { force: true });
      await rm(workFolder, { recursive: true, force: true });
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
        // What was made by two is the same.
        await rename(own, path.join(this.#folderOf(render), name));
        return queue.end(ticket, { kind: 'made' });
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

  /** Removes the pieces of a film that has ended, whoever led it. */
  async tidy(id: string): Promise<void> {
    const render = await this.#read(id);
    if (!render || isFinal(render.status)) await this.#remove(id);
  }

  async #remove(id: string): Promise<void> {
    await this.#options.queue.forget(id);
    await rm(this.#folderOf(id), { recursive: true, force: true, maxRetries: 3 });
  }

  #folderOf(id: string): string {
    return path.join(this.#options.folder, id);
  }

  async #splitOf(id: string): Promise<SplitFilm | null> {
    try {
      const text = await readFile(path.join(this.#folderOf(id), splitName), 'utf8');
      return splitForm.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }

  /** Pieces whose files are not there. */
  async #missing(id: string, pieces: readonly PieceJob[]): Promise<PieceJob[]> {
    const there = new Set(await readdir(this.#folderOf(id)).catch(() => []));
    return pieces.filter(({ name }) => !there.has(name));
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
        .inTurn((session) =>
          session.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(told)]),
        )
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
  const { print, isOneProcess } = split;
  const all = [...(split.hasSound ? (['sound'] as const) : []), ...split.ranges];
  return all.map((piece) => {
    const what = piece === 'sound' ? piece : `${piece.first}-${piece.end}`;
    return { render, name: `${print}-${what}.mp4`, piece, basis: { print, isOneProcess } };
  });
}
