/**
 * The queue of several servers and workers: pg-boss in the database of the records, one job for each render that has
 * not ended, under the render's ID. Jobs are made, moved and ended in the transactions that change the renders, so that
 * one is never without the other. The library is loaded here and only here, when servers share a database.
 */
import { z } from 'zod';
import { isFinal } from '../../../shared/api.ts';
import { describeError, type Log } from '../../system/log.ts';
import { StartError } from '../../system/start-error.ts';
import type { Session } from '../postgres/session.ts';
import type { RecordChange } from '../../store/records.ts';
import { placeOf, readRender, type StoredRender } from '../../store/render-record.ts';
import { errorCode } from '../../system/files.ts';
import { forgetProgress } from './progress-board.ts';
import type { Db, PgBoss } from 'pg-boss';

/** Names in the library, and where its tables are. */
const queueName = 'renders';
const deadName = 'dead-renders';
const schema = 'framewright_jobs';
/** Told when there may be something to do; with `pieceWork` if it is a piece of a film. */
export const workChannel = 'framewright_work';
/** See above. */
export const pieceWork = 'piece';
/** Told with the ID of a render that someone has ended. */
export const endChannel = 'framewright_end';
/** Seconds without a sign of life after which a job goes to another worker; the least that the library takes. */
export const silence = 10;
const day = 24 * 3600;
/** Priorities are whole numbers: so many lie between two neighbours, for renders that people move. */
const steps = 16;
/** When a job is due that waits for its batch to go on. */
const never = new Date('2999-01-01');

/** How the library treats jobs whose workers are gone. */
const queueOptions = {
  // Ours to decide (verdict.ts): a render that is given back has not failed.
  retryLimit: 1_000_000,
  heartbeatSeconds: silence,
  expireInSeconds: day,
  retentionSeconds: 365 * day,
  deleteAfterSeconds: 600,
};

/** What the library answers, which its types leave open: the jobs that were there to be touched. */
const touched = z.object({ settled: z.array(z.string()).nullish() });

/** A job that a worker has taken. */
export interface Ticket {
  /** The render's ID. */
  readonly id: string;
  /**
   * How often it was taken before: tells this time from others, so that one that was given to somebody else changes
   * nothing.
   */
  readonly retryCount: number;
}

/** What the queue asks about the records. */
export interface JobQueueOptions {
  readonly url: string;
  readonly log: Log;
  /** Whether this process looks after jobs whose workers are gone. */
  readonly supervises: boolean;
  /**
   * The most renders of a project at the same time, over all workers; about, since workers don't wait for each other.
   * Default: any.
   */
  readonly perProject?: number | undefined;
  /** True for a batch whose renders wait. */
  readonly isBatchPaused?: (id: string) => boolean;
}

/** The jobs of a database. */
export class JobQueue {
  /** The library, for the queues of pieces (pieces.ts). */
  readonly boss: PgBoss;
  readonly #options: JobQueueOptions;

  private constructor(boss: PgBoss, options: JobQueueOptions) {
    this.boss = boss;
    this.#options = options;
  }

  /**
   * Opens it, making its tables if needed.
   * @throws StartError if the library is not installed, or what the server says.
   */
  static async open(options: JobQueueOptions): Promise<JobQueue> {
    const { PgBoss: Boss } = await import('pg-boss').catch((error: unknown) => {
      if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
      throw new StartError(
        "Servers and workers that share a database need the package pg-boss, which is not installed by default. Run 'npm install pg-boss' in the program's folder.",
      );
    });
    const { url, log, supervises } = options;
    const boss = new Boss({
      connectionString: url,
      schema,
      application_name: 'framewright',
      max: 3,
      schedule: false,
      supervise: supervises,
      superviseIntervalSeconds: 3,
      monitorIntervalSeconds: 3,
      registerInstance: false,
    });
    boss.on('error', (error) => log('error', 'queue', describeError(error)));
    try {
      await boss.start();
      await boss.createQueue(deadName, { retentionSeconds: 30 * day });
      await boss.createQueue(queueName, queueOptions);
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      throw error;
    }
    return new JobQueue(boss, options);
  }

  /** Does for the jobs what changes do to renders, in their transaction. See PostgresKeeper.addAlongside. */
  async follow(session: Session, changes: readonly RecordChange[]): Promise<void> {
    const added: StoredRender[] = [];
    for (const { collection, id, before, after } of changes) {
      if (collection !== 'renders') continue;
      const [old, now] = [before && readRender(before), after && readRender(after)];
      const wasOpen = old !== null && !isFinal(old.status);
      const isOpen = now !== null && !isFinal(now.status);
      if (now && isOpen && !old) added.push(now);
      else if (now && isOpen && old && placeOf(old) !== placeOf(now)) {
        const db = dbOf(session);
        await this.boss.update(queueName, undefined, { id, priority: priorityOf(now), db });
      } else if (wasOpen && !isOpen) {
        await this.boss.cancel(queueName, id, { db: dbOf(session) });
        await forgetProgress(session, id);
        await session.tell(endChannel, id);
      }
    }
    await this.add(session, added);
  }

  /** Adds jobs for renders; those that have one keep it. */
  async add(session: Session, renders: readonly StoredRender[]): Promise<void> {
    if (renders.length === 0) return;
    const { isBatchPaused } = this.#options;
    const unique = new Map(renders.map((render) => [render.id, render]));
    const jobs = [...unique.values()].map((render) => {
      const { batch } = render.request;
      const waits = batch !== undefined && isBatchPaused?.(batch.id) === true;
      return {
        id: render.id,
        priority: priorityOf(render),
        group: { id: render.project },
        ...(waits && { startAfter: never.toISOString() }),
      };
    });
    await this.boss.insert(queueName, jobs, { db: dbOf(session) });
    await session.tell(workChannel);
  }

  /** Makes another queue, if there is none of this name. */
  async ensure(name: string): Promise<void> {
    await this.boss.createQueue(name, queueOptions);
  }

  /** Has workers look for pieces of films. */
  async tellOfPieces(): Promise<void> {
    await this.boss.getDb().executeSql(`NOTIFY ${workChannel}, '${pieceWork}'`);
  }

  /** Keeps a waiting render until it is told otherwise, or lets it go on. */
  async hold(id: string, holds: boolean): Promise<void> {
    await this.boss.update(queueName, undefined, { id, startAfter: holds ? never : 0 });
  }

  /** Takes the next job; null: there is none. @param session Default: a connection of the library's own. */
  async take(session?: Session): Promise<Ticket | null> {
    const { perProject } = this.#options;
    // One statement, which the session keeps prepared.
    const db: Db | undefined = session && {
      executeSql: async (text, values = []) => ({ rows: await session.query(text, values) }),
    };
    const [job] = await this.boss.fetch(queueName, {
      ...(db && { db }),
      ...(perProject !== undefined && { groupConcurrency: perProject }),
    });
    return job ? { id: job.id, retryCount: job.retryCount } : null;
  }

  /** Says that the workers of these jobs live. @returns the IDs of those that are still theirs. */
  async touch(
    tickets: readonly Ticket[],
    session?: Session,
    queue = queueName,
  ): Promise<ReadonlySet<string>> {
    const answer: unknown = await this.boss.touch(
      queue,
      tickets.map(({ id, retryCount }) => ({ id, retryCount })),
      session && { db: dbOf(session) },
    );
    return new Set(touched.parse(answer).settled ?? []);
  }

  /**
   * A condition for a statement: a job is still its worker's.
   * @param id What stands for its ID.
   * @param retryCount … for that of its ticket.
   */
  ownedSql(id: string, retryCount: string): string {
    return `EXISTS (SELECT 1 FROM ${schema}.job WHERE name = '${queueName}' AND id = ${id}
                      AND state = 'active' AND retry_count = ${retryCount})`;
  }

  /**
   * Ends a job, in the transaction that ends its render.
   * @param reason With a render that can't be made: for the dead letters.
   */
  async end({ id, retryCount }: Ticket, session: Session, reason?: string): Promise<void> {
    const db = dbOf(session);
    await this.boss.complete(queueName, { id, retryCount }, null, { db });
    if (reason !== undefined) await this.boss.send(deadName, { render: id, reason }, { db });
  }

  /** Gives a job back, in the transaction that puts its render back. */
  async giveBack({ id, retryCount }: Ticket, session: Session): Promise<void> {
    await this.boss.fail(queueName, { id, retryCount }, null, { db: dbOf(session) });
    await session.tell(workChannel);
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }
}

/** The library's statements on a connection of ours. */
function dbOf(session: Session): Db {
  return {
    executeSql: async (text, values = []) => {
      // Statements without values may be several.
      const rows =
        values.length > 0
          ? await session.query(text, values)
          : ((await session.all(text)).at(-1) ?? []);
      // What is only noted has no answer yet, and the library looks for a count in it.
      return { rows: session.isNoted ? [{}] : rows };
    },
  };
}

/** The first of the queue has the highest. */
function priorityOf(render: StoredRender): number {
  return -Math.round(placeOf(render) * steps);
}
