/** The connection of a keeper: opened, taken for this process, and opened again whenever it breaks. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../system/log.ts';
import { StartError } from '../../system/start-error.ts';
import { UnavailableError, type StoreHealth } from '../../store/health.ts';
import { asError } from '../../store/records.ts';
import { lockNumbers, schemaName } from './statement.ts';
import { changesChannel, rendersChannel } from './batch.ts';
import type { RecordMemory } from './memory.ts';
import { adoptChanges, migrateDatabase } from './migrations.ts';
import { awayWords, openSession, sqlState, type Session } from './session.ts';

/** Milliseconds between tries to connect; the last one repeats. */
const connectPauses = [50, 100, 200, 400, 800, 1_500];
/** Milliseconds that a start waits for the last process to let go of the database. */
const handoverTime = 3_000;

/** Another process has the database. */
const takenWords = 'another Framewright uses the database';

/** What a connection is made with. */
export interface ConnectionOptions {
  readonly url: string;
  /** Of the database, for people. */
  readonly name: string;
  readonly log: Log;
  readonly health?: StoreHealth | undefined;
  /** Whether this process alone may use the database. */
  readonly isExclusive: boolean;
  /** What the process has in memory of the database. */
  readonly memory: RecordMemory;
  /** Channels to listen to, beside those of changes. */
  readonly channels: () => Iterable<string>;
  /** Called with each word on a channel. @param isOwn True if this connection has told it. */
  readonly onWord: (channel: string, text: string, isOwn: boolean) => void;
  /** Called when there is a session: what was told before was missed. */
  readonly onOpen: () => void;
  /** Called when there is none any more. */
  readonly onLost: () => void;
}

/** See above. */
export class Connection {
  readonly #options: ConnectionOptions;
  #session: Session | null = null;
  /** Settles when there is a session again. */
  #connecting: Promise<void> | null = null;
  #reason = awayWords;
  #databaseId: string | null = null;
  #closing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Null while the database is away. */
  get session(): Session | null {
    return this.#session;
  }

  /** Why there is no session. */
  get reason(): string {
    return this.#reason;
  }

  /** The database's own ID: another one may answer at the same address later. Null before the first session. */
  get databaseId(): string | null {
    return this.#databaseId;
  }

  /**
   * Opens the first session, making the tables of the database if needed.
   *
   * @throws StartError with a sentence: it does not answer, refuses us, is used by another process, or a newer version
   * made it.
   */
  async open(): Promise<void> {
    const until = performance.now() + handoverTime;
    for (;;) {
      try {
        await this.#connect();
        return;
      } catch (error) {
        const isTaken = error instanceof UnavailableError && error.message === takenWords;
        if (isTaken && performance.now() < until) {
          await pause(100);
          continue;
        }
        if (error instanceof StartError) throw error;
        const why = error instanceof UnavailableError ? error.message : asError(error).message;
        throw new StartError(`${this.#options.name} can't be used: ${why}.`, { cause: error });
      }
    }
  }

  /** Waits for a session, at most so many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    const over = new AbortController();
    const late = pause(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#connecting ?? late, late]);
    over.abort();
  }

  /** Opens no session any more. The present one stays until `close`. */
  stop(): void {
    this.#closing = true;
  }

  /** Ends it, and lets others have the database. */
  async close(): Promise<void> {
    const session = this.#session;
    if (session) await session.all(`SELECT pg_advisory_unlock_all()`).catch(() => undefined);
    session?.end();
    await this.#connecting;
  }

  /**
   * Connects, and takes the database for this process.
   * @throws UnavailableError, StartError, or what the server says.
   */
  async #connect(): Promise<void> {
    const { url, name, isExclusive, memory, channels, onWord, onOpen } = this.#options;
    const isFirst = this.#databaseId === null;
    let opened: Session | null = null;
    const session = await openSession(url, {
      onMessage: onWord,
      onEnd: () => {
        if (opened) this.#lost(opened);
      },
    });
    opened = session;
    try {
      await takeDatabase(session, isExclusive);
      if (isFirst) {
        await migrateDatabase(session, name);
        await adoptChanges(session);
      }
      const renders = memory.has('renders') ? [rendersChannel] : [];
      const all = [changesChannel, ...renders, ...channels()];
      await session.all(all.map((channel) => `LISTEN ${channel}`).join('; '));
      const [state] = await session.query<{
        id: string;
        last: number;
        known: boolean;
        snapshot: string;
      }>(
        `SELECT pg_current_snapshot()::text AS snapshot, database_id::text AS id, (SELECT coalesce(max(seq), 0)::float8 FROM ${schemaName}.changes) AS last,
                EXISTS (SELECT 1 FROM ${schemaName}.changes WHERE seq = $1) AS known
         FROM ${schemaName}.state`,
        [memory.last],
      );
      if (!state) throw new UnavailableError('the database is incomplete');
      if (this.#databaseId !== null && state.id !== this.#databaseId) {
        throw new UnavailableError('another database answers at its address');
      }
      this.#databaseId = state.id;
      if (isFirst) memory.begin(state.last, state.snapshot);
      // A database that was put back to an earlier state does not have what we have seen last: begin again.
      else if (!state.known) {
        memory.doubt();
        await adoptChanges(session);
      }
    } catch (error) {
      session.end();
      throw error;
    }
    if (this.#closing) session.end();
    if (!session.isOpen) throw new UnavailableError(awayWords);
    this.#session = session;
    onOpen();
  }

  /** The connection broke: opens another one. */
  #lost(session: Session): void {
    if (this.#session !== session) return;
    this.#session = null;
    this.#reason = awayWords;
    if (this.#closing) return;
    const { log, name, health, onLost } = this.#options;
    onLost();
    log('error', 'store', `${name}: the connection was lost.`);
    health?.doubt();
    this.#connecting ??= this.#connectAgain().finally(() => {
      this.#connecting = null;
    });
  }

  async #connectAgain(): Promise<void> {
    const { log, name, health } = this.#options;
    for (let tries = 0; !this.#closing; tries++) {
      try {
        await this.#connect();
        log('info', 'store', `${name}: connected again.`);
        // Says at once that it works.
        health?.doubt();
        return;
      } catch (error) {
        const reason = wordsFor(error);
        if (reason !== this.#reason) log('error', 'store', `${name}: ${reason}`);
        this.#reason = reason;
      }
      await pause(connectPauses[Math.min(tries, connectPauses.length - 1)], undefined, {
        ref: false,
      });
    }
  }
}

/** An error in plain words. */
export function wordsFor(error: unknown): string {
  if (error instanceof UnavailableError || error instanceof StartError) return error.message;
  if (sqlState(error) === null) return awayWords;
  return sqlState(error) === '53100' ? 'the disk of the database is full' : asError(error).message;
}

/** @throws UnavailableError if another process has the database, or, unless it is to be shared, if others share it. */
async function takeDatabase(session: Session, isExclusive: boolean): Promise<void> {
  const lock = isExclusive ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  const [row] = await session.query<{ taken: boolean }>(
    `SELECT ${lock}(${lockNumbers.server}) AS taken`,
  );
  if (row?.taken !== true) throw new UnavailableError(takenWords);
}
