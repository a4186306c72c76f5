/**
 * The jobs of films in pieces: one for each piece, in a queue of pg-boss that only workers with the same programs and
 * fonts look at, so that pieces of different ones don't meet. A piece whose worker falls silent, or that is given back,
 * goes to another one.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { basis, task } from '../../jobs/worker/piece-protocol.ts';
import type { JobQueue, Ticket } from './job-queue.ts';
import type { JobWithMetadata } from 'pg-boss';

/** Of which film, and what to make. */
const pieceJob = z.object({
  render: z.string(),
  /** The name of its file, without the hash of its content. */
  name: z.string(),
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
export type PieceEnd = z.infer<typeof pieceEnd>;

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
    const added = pieces
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
