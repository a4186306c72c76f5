/**
 * The files of long films that are made in pieces, in storage, which all workers reach: how a film is divided, and what
 * was made of it. A piece is kept for other films under the print of its contents (`Split.kept`), unless making it
 * warned: then it is its film's own, so that the next film warns again. The names end with the hashes of the files, so
 * that each is checked when it is fetched.
 */
import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JobWithMetadata } from 'pg-boss';
import { isFinal } from '../../../shared/api.ts';
import { takeChecked } from '../storage/content-cache.ts';
import {
  keptKey,
  pieceKey,
  piecePrefix,
  prefixes,
  type Storage,
  type StoredFile,
} from '../../store/storage.ts';
import type { RenderStore } from '../../store/renders.ts';
import { contentDigest } from '../../system/files.ts';
import {
  basis,
  split as splitForm,
  type SplitFilm,
  task,
} from '../../jobs/worker/render-protocol.ts';
import type { JobQueue, Ticket } from './job-queue.ts';

/** Milliseconds without a new piece: until then a film may just have begun, or its last workers be about to stop. */
const stillFor = 3_600_000;
/** Milliseconds after which a kept piece that is used is put again: storage knows no time of use. */
const renewAfter = 24 * 3_600_000;
/** Questions to storage at the same time. */
const asked = 16;
/** Beside its pieces: how the film is divided. */
const splitName = 'split.json';
/** A render's ID: whatever else is there is not ours. */
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** `NAME.HASH.mp4` */
const pieceForm = /^(.+)\.([0-9a-f]{64})\.mp4$/;

/** A piece that was made. */
export interface MadePiece {
  readonly key: string;
  /** The SHA-256 of its content. */
  readonly hash: string;
  /** Other films may use it, too. */
  readonly isKept: boolean;
  /** ms since 1970. */
  readonly changedAt: number;
}

/** The pieces of films in a storage. Each method throws StorageError. */
export class PieceFiles {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** How a film is divided; null while it is not. */
  async split(id: string): Promise<SplitFilm | null> {
    const found = await this.#storage.get(pieceKey(id, splitName));
    if (!found) return null;
    const content = await text(found.stream);
    try {
      return splitForm.parse(JSON.parse(content));
    } catch {
      // Of another version.
      return null;
    }
  }

  /** Says how a film is divided, and removes what was made of it in another way. */
  async begin(id: string, split: SplitFilm): Promise<void> {
    await this.remove(id);
    await this.#storage.put(pieceKey(id, splitName), Buffer.from(JSON.stringify(split)));
  }

  /**
   * The pieces that there are of a film, by name.
   *
   * @param kept Names of those that may be kept.
   */
  async made(id: string, kept: readonly string[]): Promise<ReadonlyMap<string, MadePiece>> {
    const made = new Map<string, MadePiece>();
    const look = async (prefix: string, folder: string): Promise<void> => {
      for await (const { key, changedAt } of this.#storage.list(prefix)) {
        const [, name, hash] = pieceForm.exec(key.slice(folder.length)) ?? [];
        if (name === undefined || hash === undefined) continue;
        // What was made by two is the same.
        made.set(name, { key, hash, isKept: folder === prefixes.kept, changedAt });
      }
    };
    await look(piecePrefix(id), piecePrefix(id));
    const names = kept.filter((name) => !made.has(name));
    const lookAll = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        await look(keptKey(`${name}.`), prefixes.kept);
    };
    await Promise.all(Array.from({ length: asked }, lookAll));
    return made;
  }

  /** Adds a piece. @param isKept Other films may use it. @throws also what the disk says. */
  async add(
    { render, name }: Pick<PieceJob, 'render' | 'name'>,
    file: string,
    isKept: boolean,
  ): Promise<void> {
    const whole = `${name}.${await contentDigest(file)}.mp4`;
    await this.#storage.put(isKept ? keptKey(whole) : pieceKey(render, whole), { file });
  }

  /**
   * Fetches a piece to a place where nothing is yet. One that is kept counts as used.
   *
   * @returns false: it is gone. @throws also DamagedError.
   */
  async fetch({ key, hash, isKept, changedAt }: MadePiece, place: string): Promise<boolean> {
    if (!(await takeChecked(this.#storage, key, hash, place))) return false;
    if (isKept && Date.now() - changedAt > renewAfter)
      await this.#storage.put(key, { file: place });
    return true;
  }

  /** Removes all that there is of a film. */
  async remove(id: string): Promise<void> {
    for await (const { key } of this.#storage.list(piecePrefix(id)))
      await this.#storage.remove(key);
  }

  /**
   * Removes what workers that were all lost have left of films that have ended or that nobody knows. For the server
   * that leads.
   *
   * @param now ms since 1970. @returns how many files.
   */
  async sweep(renders: Pick<RenderStore, 'find'>, now: number): Promise<number> {
    const films = new Map<string, { keys: string[]; changedAt: number }>();
    for await (const { key, changedAt } of this.#storage.list(prefixes.pieces)) {
      const id = key.split('/')[1] ?? '';
      if (!idForm.test(id)) continue;
      const film = films.get(id) ?? { keys: [], changedAt: 0 };
      film.keys.push(key);
      films.set(id, { ...film, changedAt: Math.max(film.changedAt, changedAt) });
    }
    let removed = 0;
    for (const [id, { keys, changedAt }] of films) {
      const render = renders.find(id);
      if (changedAt > now - stillFor || (render && !isFinal(render.status))) continue;
      for (const key of keys) await this.#storage.remove(key);
      removed += keys.length;
    }
    return removed;
  }

  /**
   * Removes the kept pieces that were not used for longest, until the rest is within a limit. For the leading server.
   *
   * @param limit Bytes. @param now ms since 1970. @returns how many files.
   */
  async shrink(limit: number, now: number): Promise<number> {
    const files: StoredFile[] = [];
    for await (const file of this.#storage.list(prefixes.kept)) files.push(file);
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    let removed = 0;
    for (const { key, bytes, changedAt } of files.toSorted((a, b) => a.changedAt - b.changedAt)) {
      if (total <= limit || changedAt > now - stillFor) break;
      await this.#storage.remove(key);
      total -= bytes;
      removed++;
    }
    return removed;
  }
}

// One job for each piece, in a queue that only workers with the same programs and fonts look at, so that pieces of
// different ones don't meet. A piece whose worker falls silent, or that is given back, goes to another one.

/** Of which film, and what to make. */
const pieceJob = z.object({
  render: z.string(),
  /** The name of its file, without the hash of its content. */
  name: z.string(),
  /** The name is a print: whoever has the same print needs the same piece. */
  mayBeKept: z.boolean(),
  piece: task.options[1].shape.piece,
  basis,
});

/** See above. */
export type PieceJob = z.infer<typeof pieceJob>;

/** How a piece ended, if its file is not there. */
const pieceEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made') }),
  z.object({
    kind: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    path: z.string().optional(),
  }),
  z.object({ kind: z.literal('lost') }),
]);

/** See above. */
type PieceEnd = z.infer<typeof pieceEnd>;

/** A piece that a worker has taken. */
export interface PieceTicket extends Ticket {
  readonly job: PieceJob;
}

/** The most jobs of a film that are looked at: the most that the library lists. A film has a few for each worker. */
const mostJobs = 100_000;

/** The pieces of one build. */
export class PieceQueue {
  readonly #jobs: JobQueue;
  readonly #name: string;

  private constructor(jobs: JobQueue, name: string) {
    this.#jobs = jobs;
    this.#name = name;
  }

  /** @param build Letters and digits. */
  static async open(jobs: JobQueue, build: string): Promise<PieceQueue> {
    const name = `pieces-${build}`;
    await jobs.ensure(name);
    return new PieceQueue(jobs, name);
  }

  /** Takes the next piece, of whatever film; null: there is none. */
  async take(): Promise<PieceTicket | null> {
    const [job] = await this.#jobs.boss.fetch(this.#name);
    return job ? { id: job.id, retryCount: job.retryCount, job: pieceJob.parse(job.data) } : null;
  }

  /** Adds what is not waited for or worked on yet. @returns the ID of each piece's job. */
  async add(pieces: readonly PieceJob[]): Promise<ReadonlyMap<string, string>> {
    const [first] = pieces;
    if (!first) return new Map();
    const open = new Map((await this.#open(first.render)).map(({ id, name }) => [name, id]));
    const lacking = new Map(pieces.map((piece) => [piece.name, piece]));
    const added = [...lacking.values()]
      .filter(({ name }) => !open.has(name))
      // Those of films that began earlier come first.
      .map((data) => ({ id: randomUUID(), data, priority: -Math.round(Date.now() / 1000) }));
    if (added.length > 0) await this.#jobs.boss.insert(this.#name, added);
    await this.#jobs.tellOfPieces();
    for (const { id, data } of added) open.set(data.name, id);
    return open;
  }

  /** How jobs of a film ended; none for those that have not. A job that is gone was lost. */
  async ends(render: string, ids: readonly string[]): Promise<ReadonlyMap<string, PieceEnd>> {
    const ends = new Map<string, PieceEnd>();
    const found = await this.#jobsOf(render);
    const jobs = new Map(found.map((job) => [job.id, job]));
    for (const id of ids) {
      const job = jobs.get(id);
      if (job?.state === 'completed') ends.set(id, pieceEnd.parse(job.output));
      else if (!job || job.state === 'failed' || job.state === 'cancelled')
        ends.set(id, { kind: 'lost' });
    }
    return ends;
  }

  /** As `JobQueue.touch`. */
  touch(tickets: readonly Ticket[]): Promise<ReadonlySet<string>> {
    return this.#jobs.touch(tickets, undefined, this.#name);
  }

  /** Ends a job, if it is still its worker's. */
  async end({ id, retryCount }: Ticket, end: PieceEnd): Promise<void> {
    await this.#jobs.boss.complete(this.#name, { id, retryCount }, end);
  }

  /** Gives a job back to be taken again. */
  async giveBack({ id, retryCount }: Ticket): Promise<void> {
    await this.#jobs.boss.fail(this.#name, { id, retryCount });
    await this.#jobs.tellOfPieces();
  }

  /** Forgets the jobs of a film. */
  async forget(render: string): Promise<void> {
    const open = await this.#open(render);
    if (open.length > 0)
      await this.#jobs.boss.cancel(
        this.#name,
        open.map(({ id }) => id),
      );
  }

  #jobsOf(render: string): Promise<JobWithMetadata<{ name: string }>[]> {
    return this.#jobs.boss.findJobs(this.#name, { data: { render }, limit: mostJobs });
  }

  /** The jobs of a film that have not ended. */
  async #open(render: string): Promise<{ id: string; name: string }[]> {
    const found = await this.#jobsOf(render);
    return found
      .filter(({ state }) => ['created', 'retry', 'active'].includes(state))
      .map(({ id, data }) => ({ id, name: data.name }));
  }
}
