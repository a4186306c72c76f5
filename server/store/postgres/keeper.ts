/**
 * Keeps collections in PostgreSQL. Changes of all collections are written in batches over one connection, one after the other
 * among all servers: a transaction takes a lock and reads what others have changed in one step, computes its changes from that,
 * and in a second one writes them with a row for each in the table `changes` and ends; then the others are told. So memory is the truth whenever something is
 * computed from it. Workers change renders without the lock, each only one that nobody else has changed since it was read; a batch that
 * would change one that a worker has just changed is computed again. Who reads the rows goes by his last snapshot (`Position`), not by
 * their numbers, so a transaction that began earlier and ends later is not missed.
 *
 * A connection that breaks is opened again. Meanwhile reads go on, and changes wait for a while before they are refused. If it
 * breaks while a batch is being committed, nobody knows whether it was: that is looked up before anybody is answered.
 */
import type { QueryResultRow } from 'pg';
import type { z } from 'zod';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../shared/errors.ts';
import { describeError, type Log } from '../../log.ts';
import { StartError } from '../../start-error.ts';
import { UnavailableError, type StoreHealth } from '../health.ts';
import { asError } from '../records.ts';
import type {
  CollectionName,
  Identified,
  RecordChange,
  RecordKeeper,
  Records,
} from '../records.ts';
import { changesChannel, compute, statementsOf, type Alongside, type Begun } from './batch.ts';
import { PostgresCollection, type Computed, type Waiting } from './collection.ts';
import { Leadership } from './leadership.ts';
import { beginChange, lockNumbers } from './locks.ts';
import { RecordMemory } from './memory.ts';
import { adoptChanges, migrateDatabase } from './migrations.ts';
import { schemaName } from '../schema-name.ts';
import {
  awayWords,
  checkDatabaseUrl,
  databaseName,
  divisionByZero,
  isAway,
  openSession,
  sqlState,
  type Session,
} from './session.ts';
import type { Statement } from './statement.ts';
import { nextSeq, readPages } from './statements.ts';

/** The most changes of a transaction. */
const batchSize = 200;
/** Milliseconds between tries to connect; the last one repeats. */
const connectPauses = [50, 100, 200, 400, 800, 1_500];
/** Milliseconds that a start waits for the last process to let go of the database. */
const handoverTime = 3_000;
/** Milliseconds that a change waits for a database that is away. */
const usualPatience = 10_000;
/** Milliseconds until changes of others are read of which nobody asks, so that many are read at once. */
const lookPause = 25;
/** Milliseconds between two looks at what others may have changed whose word was lost with their connection. */
const missedPause = 5_000;
/** What a keeper is opened with. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/name`. */
  readonly url: string;
  readonly log: Log;
  readonly health?: StoreHealth | undefined;
  /** Whether this process alone may use the database; else it is shared with those that share it, too. Default true. */
  readonly exclusive?: boolean;
  /** Milliseconds that a change waits for a database that is away before it is refused. Default 10,000. */
  readonly patience?: number;
}

/** A storage by its ID and its name for people. */
export interface KnownStorage {
  readonly id: string;
  readonly name: string;
}

/** A batch whose commit was sent; the answer did not come. */
interface Unsure {
  readonly changes: readonly Waiting[];
  readonly computed: readonly Computed[];
  /** The first of its rows in `changes`: there if it was committed. */
  readonly mark: number;
}

/** Another process has the database. */
const takenWords = 'another Framewright uses the database';

/** The collections of one database. */
export class PostgresKeeper implements RecordKeeper {
  readonly #options: PostgresOptions;
  readonly #name: string;
  readonly #patience: number;
  readonly #memory: RecordMemory;
  /** Null while the database is away. */
  #session: Session | null = null;
  /** Settles when there is a session again. */
  #connecting: Promise<void> | null = null;
  /** Why there is no session. */
  #reason = awayWords;
  /** The database's own ID: another one may answer at the same address later. */
  #databaseId: string | null = null;
  /** True if there are changes of others to read. */
  #isBehind = false;
  /** True if they are to be read now, although nobody asks. */
  #isLookDue = false;
  #lookTimer: NodeJS.Timeout | undefined;
  readonly #missedTimer: NodeJS.Timeout | undefined;
  #waiting: Waiting[] = [];
  #unsure: Unsure | null = null;
  /** Other work on the connection, waiting for its turn. Never rejects. */
  readonly #turns: ((session: Session) => Promise<void>)[] = [];
  #draining: Promise<void> | null = null;
  #closing = false;
  /** The next look at what others have changed, until it begins. */
  #nextSync: Promise<void> | null = null;
  readonly #leadership: Leadership;
  readonly #listeners = new Map<string, (text: string | null) => void>();
  /** Called in the transaction of each batch, in this order. */
  readonly #alongside: Alongside[] = [];

  private constructor(options: PostgresOptions) {
    this.#options = options;
    this.#name = databaseName(options.url);
    this.#memory = new RecordMemory(options.log);
    this.#leadership = new Leadership((work) => this.inTurn(work));
    this.#patience = options.patience ?? usualPatience;
    options.health?.include(() => this.#test());
    if (options.exclusive === false)
      this.#missedTimer = setInterval(() => this.#behind(), missedPause).unref();
  }

  /**
   * Opens a database, making its tables if needed.
   *
   * @throws StartError with a sentence: it does not answer, refuses us, is used by another process, or a newer version made it.
   */
  static async open(options: PostgresOptions): Promise<PostgresKeeper> {
    checkDatabaseUrl(options.url);
    const keeper = new PostgresKeeper(options);
    const until = performance.now() + handoverTime;
    for (;;) {
      try {
        await keeper.#connect();
        return keeper;
      } catch (error) {
        const isTaken = error instanceof UnavailableError && error.message === takenWords;
        if (isTaken && performance.now() < until) {
          await pause(100);
          continue;
        }
        if (error instanceof StartError) throw error;
        const why = error instanceof UnavailableError ? error.message : asError(error).message;
        throw new StartError(`${keeper.#name} can't be used: ${why}.`, { cause: error });
      }
    }
  }

  /** The name of the database for people, without a password. */
  get name(): string {
    return this.#name;
  }

  /** The ID of the database, made with its tables. */
  get databaseId(): string {
    return this.#databaseId ?? '';
  }

  async open<Doc extends Identified>(
    name: CollectionName,
    schema: z.ZodType<Doc>,
  ): Promise<Records<Doc>> {
    const collection = new PostgresCollection(name, schema, {
      patience: this.#patience,
      add: (change) => this.#add(change),
      settle: () => this.#settle(),
    });
    await this.inTurn(async (session) => {
      await collection.receiveAll(readPages(session, name));
      // What changed before is in what was loaded.
      this.#memory.add(collection);
    });
    return collection;
  }

  /**
   * Makes a folder the home of the records' files if they have none.
   *
   * @returns null if it is now, or else their home.
   */
  async settleIn(folder: string): Promise<string | null> {
    const [row] = await this.inTurn((session) =>
      session.query<{ home: string }>(
        `UPDATE ${schemaName}.state SET home = coalesce(home, $1) RETURNING home`,
        [folder],
      ),
    );
    return row?.home === folder ? null : (row?.home ?? null);
  }

  /** The servers' storage, as they named it last; an empty ID: they have none; null: none has started. */
  async storage(): Promise<KnownStorage | null> {
    const [row] = await this.inTurn((session) =>
      session.query<{ storage: KnownStorage | null }>(`SELECT storage FROM ${schemaName}.state`),
    );
    return row?.storage ?? null;
  }

  /** Notes the servers' storage, so that workers can tell whether theirs is the same. Null: none. */
  async noteStorage(storage: KnownStorage | null): Promise<void> {
    const { id, name } = storage ?? { id: '', name: '' };
    await this.inTurn((session) =>
      session.query(
        `UPDATE ${schemaName}.state SET storage = jsonb_build_object('id', $1::text, 'name', $2::text)`,
        [id, name],
      ),
    );
  }

  isMissing(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** See RecordKeeper. */
  follow(listener: (change: RecordChange) => void): void {
    this.#memory.follow(listener);
  }

  /**
   * Waits until readers see all that any process had acknowledged before the call. While the database is away it returns at
   * once, and they see what they have seen last.
   */
  sync(): Promise<void> {
    this.#nextSync ??= this.inTurn(async (session) => {
      this.#nextSync = null;
      do await this.#catchUp(session);
      while (this.#isBehind);
    })
      .catch(() => undefined)
      .finally(() => {
        // It never began.
        if (!this.#session) this.#nextSync = null;
      });
    return this.#nextSync;
  }

  /** Waits until no other process starts, and has others wait until `endStart`, or until the connection ends. */
  async beginStart(): Promise<void> {
    await this.inTurn((session) => session.all(`SELECT pg_advisory_lock(${lockNumbers.start})`));
    await this.sync();
  }

  /** See `beginStart`. Nothing happens if the connection has ended since. */
  async endStart(): Promise<void> {
    await this.inTurn((session) =>
      session.all(`SELECT pg_advisory_unlock(${lockNumbers.start})`),
    ).catch(() => undefined);
  }

  /**
   * Wants to lead: one of the processes does, as long as its connection lasts, and then another one.
   *
   * @param onChange Called with true when this process becomes the leader, with false when it is it no longer.
   */
  lead(onChange: (leads: boolean) => void): void {
    this.#leadership.want(onChange);
  }

  /**
   * Listens to a channel, of which there is one listener.
   *
   * @param listener Called with what is told there, and with null when something may have been missed.
   */
  async listen(channel: string, listener: (text: string | null) => void): Promise<void> {
    this.#listeners.set(channel, listener);
    // While the database is away, the next connection does it.
    await this.inTurn((session) => session.all(`LISTEN ${channel}`)).catch(() => undefined);
  }

  #hear(channel: string, text: string | null): void {
    try {
      this.#listeners.get(channel)?.(text);
    } catch (error) {
      this.#options.log('error', 'store', `${this.#name}: ${describeError(error)}`);
    }
  }

  /**
   * Reads what was changed by others, or by work on the connection, unless it is of collections that are not open here.
   *
   * @param names Of the collections, with commas; empty: any.
   */
  lookAt(names: string): void {
    if (names === '' || names.split(',').some((name) => this.#memory.has(name))) this.#behind();
  }

  /** Does more in the transaction of each batch: with what it has changed, in order. An error refuses the batch. */
  addAlongside(alongside: Alongside): void {
    this.#alongside.push(alongside);
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#leadership.close();
    clearTimeout(this.#lookTimer);
    clearInterval(this.#missedTimer);
    await this.#settle();
    const session = this.#session;
    if (session) await session.all(`SELECT pg_advisory_unlock_all()`).catch(() => undefined);
    session?.end();
    await this.#connecting;
  }

  /** Does something on the connection between two batches. @throws UnavailableError at once if the database is away. */
  inTurn<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (!this.#session) return Promise.reject(new UnavailableError(this.#reason));
    return new Promise((resolve, reject) => {
      this.#turns.push((session) => work(session).then(resolve, reject));
      this.#draining ??= this.#drain();
    });
  }

  /**
   * Does something in a transaction of its own between two changes of records, of any process: readers see all that were
   * before. @throws as `inTurn`, and what `work` throws; then nothing of it is done.
   */
  between<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.inTurn(async (session) => {
      try {
        await this.#begin(session);
        const result = await work(session);
        await session.all('COMMIT');
        return result;
      } catch (error) {
        await session.all('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  /** A test write. @throws UnavailableError, or what the server says. */
  async #test(): Promise<void> {
    await this.inTurn((session) =>
      session.query(`UPDATE ${schemaName}.state SET forgotten = forgotten`),
    ).catch((error: unknown) => {
      throw new UnavailableError(this.#wordsFor(error), { cause: error });
    });
  }

  #add(change: Waiting): void {
    this.#waiting.push(change);
    this.#draining ??= this.#drain();
  }

  async #settle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Connects, and takes the database for this process. @throws UnavailableError, StartError, or what the server says. */
  async #connect(): Promise<void> {
    const isFirst = this.#databaseId === null;
    let opened: Session | null = null;
    const session = await openSession(this.#options.url, {
      onMessage: (channel, text, isOwn) => {
        // Its own changes it knows.
        if (channel !== changesChannel) this.#hear(channel, text);
        else if (!isOwn) this.lookAt(text);
      },
      onEnd: () => {
        if (opened) this.#lost(opened);
      },
    });
    opened = session;
    try {
      await takeDatabase(session, this.#options.exclusive !== false);
      if (isFirst) {
        await migrateDatabase(session, this.#name);
        await adoptChanges(session);
      }
      const channels = [changesChannel, ...this.#listeners.keys()];
      await session.all(channels.map((channel) => `LISTEN ${channel}`).join('; '));
      const [state] = await session.query<{
        id: string;
        last: number;
        known: boolean;
        snapshot: string;
      }>(
        `SELECT pg_current_snapshot()::text AS snapshot, database_id::text AS id, (SELECT coalesce(max(seq), 0)::float8 FROM ${schemaName}.changes) AS last,
                EXISTS (SELECT 1 FROM ${schemaName}.changes WHERE seq = $1) AS known
         FROM ${schemaName}.state`,
        [this.#memory.last],
      );
      if (!state) throw new UnavailableError('the database is incomplete');
      if (this.#databaseId !== null && state.id !== this.#databaseId) {
        throw new UnavailableError('another database answers at its address');
      }
      this.#databaseId = state.id;
      if (isFirst) this.#memory.begin(state.last, state.snapshot);
      // A database that was put back to an earlier state does not have what we have seen last: begin again.
      else if (!state.known) {
        this.#memory.doubt();
        await adoptChanges(session);
      }
    } catch (error) {
      session.end();
      throw error;
    }
    if (this.#closing) session.end();
    if (!session.isOpen) throw new UnavailableError(awayWords);
    this.#session = session;
    // Something may have changed while nobody listened.
    this.#behind();
    for (const channel of this.#listeners.keys()) this.#hear(channel, null);
  }

  /** The connection broke: opens another one. */
  #lost(session: Session): void {
    if (this.#session !== session) return;
    this.#session = null;
    this.#reason = awayWords;
    if (this.#closing) return;
    this.#leadership.lose();
    this.#options.log('error', 'store', `${this.#name}: the connection was lost.`);
    this.#options.health?.doubt();
    this.#connecting ??= this.#connectAgain().finally(() => {
      this.#connecting = null;
    });
  }

  async #connectAgain(): Promise<void> {
    for (let tries = 0; !this.#closing; tries++) {
      try {
        await this.#connect();
        this.#options.log('info', 'store', `${this.#name}: connected again.`);
        // Says at once that it works.
        this.#options.health?.doubt();
        return;
      } catch (error) {
        const reason = this.#wordsFor(error);
        if (reason !== this.#reason)
          this.#options.log('error', 'store', `${this.#name}: ${reason}`);
        this.#reason = reason;
      }
      await pause(connectPauses[Math.min(tries, connectPauses.length - 1)], undefined, {
        ref: false,
      });
    }
  }

  /** An error in plain words. */
  #wordsFor(error: unknown): string {
    if (error instanceof UnavailableError || error instanceof StartError) return error.message;
    if (sqlState(error) === null) return awayWords;
    return sqlState(error) === '53100'
      ? 'the disk of the database is full'
      : asError(error).message;
  }

  #behind(): void {
    this.#isBehind = true;
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined;
      this.#isLookDue = true;
      this.#draining ??= this.#drain();
    }, lookPause);
  }

  /** Does what there is to do, one thing after the other; waits for the database where it must. */
  async #drain(): Promise<void> {
    // Callers first get hold of the promise.
    await Promise.resolve();
    for (;;) {
      const session = this.#session;
      if (!session) {
        this.#refuseLate();
        if (this.#waiting.length === 0 && (this.#unsure === null || this.#closing)) break;
        await this.#awaitSession();
        continue;
      }
      try {
        const turn = this.#turns.shift();
        if (this.#unsure) await this.#findOut(session, this.#unsure);
        else if (turn) await turn(session);
        else if (this.#waiting.length > 0) await this.#writeBatch(session);
        else if (this.#isBehind && this.#isLookDue) await this.#catchUp(session);
        else break;
      } catch (error) {
        // What it was about stays to be done.
        if (!isAway(error)) session.end();
        this.#options.log('error', 'store', `${this.#name}: ${describeError(error)}`);
        await pause(100);
      }
    }
    if (this.#closing) this.#refuseAll();
    // In the same step as the last check: a later change starts a new drain.
    this.#draining = null;
  }

  /** Waits for a session, but not longer than the first change does. */
  async #awaitSession(): Promise<void> {
    const next = this.#waiting.reduce((first, { deadline }) => Math.min(first, deadline), Infinity);
    const wait = Math.min(Math.max(next - performance.now(), 0) + 1, 1_000);
    const over = new AbortController();
    const late = pause(wait, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#connecting ?? late, late]);
    over.abort();
  }

  /** Refuses what has waited long enough, and all if it closes. */
  #refuseLate(): void {
    const now = performance.now();
    const isLate = ({ deadline }: Waiting): boolean => this.#closing || deadline <= now;
    const late = this.#waiting.filter(isLate);
    this.#waiting = this.#waiting.filter((change) => !isLate(change));
    this.#refuse(late, this.#reason);
    if (this.#session) return;
    for (const turn of this.#turns.splice(0)) void turn(closedSession);
  }

  #refuseAll(): void {
    this.#refuse([...(this.#unsure?.changes ?? []), ...this.#waiting.splice(0)], this.#reason);
    this.#unsure = null;
  }

  #refuse(changes: readonly Waiting[], reason: string): void {
    for (const { reject } of changes) reject(new ApiError('cannot_save', { reason }));
  }

  /** Begins a transaction that may change records, in step with all others. */
  async #begin(session: Session): Promise<Begun> {
    // What was told until now is read here; if that fails, a look finds it.
    const wasBehind = this.#isBehind;
    this.#isBehind = false;
    const results = await session
      .all(`${beginChange}; SELECT ${nextSeq}::float8 AS mark; ${this.#memory.changesText()}`)
      .catch((error: unknown) => {
        if (wasBehind) this.#behind();
        throw error;
      });
    // As selected here, after BEGIN and the lock.
    const mark = Number(results[2]?.[0]?.['mark']);
    const forgotten = await this.#memory.receivePages(session, results);
    return { mark, forgotten, position: this.#memory.position, alongside: this.#alongside };
  }

  /** Reads what others have changed. */
  async #catchUp(session: Session): Promise<void> {
    this.#isBehind = false;
    this.#isLookDue = false;
    try {
      await this.#memory.receivePages(session, await session.all(this.#memory.changesText()));
    } catch (error) {
      this.#isBehind = true;
      this.#isLookDue = true;
      throw error;
    }
  }

  /** Writes waiting changes as one transaction. */
  async #writeBatch(session: Session): Promise<void> {
    const batch = this.#waiting.splice(0, batchSize);
    let left: readonly Waiting[] = batch;
    let computed: readonly Computed[];
    let mark: number;
    let statements: readonly Statement[];
    try {
      const begun = await this.#begin(session);
      mark = begun.mark;
      [left, computed] = compute(batch);
      statements = await statementsOf(left, computed, begun);
      if (statements.length === 0) await session.all('COMMIT');
    } catch (error) {
      await this.#takeBack(session, left, error);
      return;
    }
    let written: readonly QueryResultRow[][] = [];
    try {
      if (statements.length > 0) written = await session.together(statements);
    } catch (error) {
      if (session.isOpen) await this.#takeBack(session, left, error);
      else this.#unsure = { changes: left, computed, mark };
      return;
    }
    if (statements.length > 0) {
      const row = written.find(([first]) => first?.['xid'] !== undefined)?.[0];
      this.#memory.wrote(Number(row?.['seq']), String(row?.['xid']));
      for (const { take } of computed) take();
      this.#options.health?.worked();
    }
    for (const { answer } of computed) answer();
  }

  /** A batch was not written: tries again where that may help, else refuses. */
  async #takeBack(session: Session, left: readonly Waiting[], error: unknown): Promise<void> {
    if (isAway(error) || !session.isOpen) {
      this.#waiting.unshift(...left);
      return;
    }
    await session.all('ROLLBACK');
    const state = sqlState(error) ?? '';
    // A worker has changed a render meanwhile.
    if (state === divisionByZero) {
      this.#waiting.unshift(...left);
      return;
    }
    // Deadlocks and serialisation, which our order of locks leaves to others who use the tables.
    if (/^40/.test(state)) {
      this.#waiting.unshift(...left);
      await pause(20);
      return;
    }
    this.#options.log('error', 'store', `${this.#name}: ${describeError(error)}`);
    const [first, ...others] = left;
    // Values that the database does not take: the change that has them fails alone.
    if (/^2[123]/.test(state) && first && others.length > 0) {
      const rest = this.#waiting.splice(0);
      for (const change of left) {
        this.#waiting.push(change);
        await this.#writeBatch(session);
      }
      this.#waiting.push(...rest);
      return;
    }
    this.#options.health?.doubt();
    this.#refuse(left, this.#wordsFor(error));
  }

  /** Looks up whether a batch was committed whose answer did not come. */
  async #findOut(session: Session, { changes, computed, mark }: Unsure): Promise<void> {
    // Its transaction has ended once we have the lock.
    const [, , found] = await session.all(
      `${beginChange};
       SELECT 1 FROM ${schemaName}.changes WHERE seq = ${mark}; COMMIT`,
    );
    const isThere = (found ?? []).length > 0;
    if (isThere) {
      // Takes them into memory, and whatever others made of them since.
      do await this.#catchUp(session);
      while (this.#isBehind);
      for (const { answer } of computed) answer();
    } else {
      this.#waiting.unshift(...changes);
    }
    this.#unsure = null;
  }
}

/** @throws UnavailableError if another process has the database, or, unless it is to be shared, if others share it. */
async function takeDatabase(session: Session, isExclusive: boolean): Promise<void> {
  const lock = isExclusive ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  const [row] = await session.query<{ taken: boolean }>(
    `SELECT ${lock}(${lockNumbers.server}) AS taken`,
  );
  if (row?.taken !== true) throw new UnavailableError(takenWords);
}

/** What work is given that has waited for a connection in vain. */
const closedSession: Session = {
  together: () => Promise.reject(new UnavailableError(awayWords)),
  tell: () => Promise.reject(new UnavailableError(awayWords)),
  query: () => Promise.reject(new UnavailableError(awayWords)),
  all: () => Promise.reject(new UnavailableError(awayWords)),
  isOpen: false,
  end: () => undefined,
};
