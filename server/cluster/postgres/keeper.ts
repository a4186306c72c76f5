/**
 * Keeps collections in PostgreSQL. Changes of all collections are written in batches over one connection, one batch at
 * a time among all servers: a transaction takes the lock and reads what others have changed, computes its changes,
 * writes them with a row for each in the table `changes`, and ends; then it notifies the others. So memory is current
 * whenever something is computed from it. Workers change renders without the lock, and only those that nobody has
 * changed since they read them; a batch that meets such a change is computed again. Readers go by their last snapshot
 * (`Position`), not by row numbers, so they miss no transaction that began earlier and ends later.
 *
 * A connection that breaks is opened again. Meanwhile reads go on, and changes wait for a while before they are
 * refused. If it breaks while a batch is being committed, nobody knows whether it was: that is looked up before anybody
 * is answered.
 */
import type { z } from 'zod';
import { describeError, type Log } from '../../system/log.ts';
import { type StoreHealth, UnavailableError } from '../../store/health.ts';
import type {
  CollectionName,
  Identified,
  RecordChange,
  RecordKeeper,
  Records,
} from '../../store/records.ts';
import { lockNumbers, schemaName } from './statement.ts';
import { type Alongside, changesChannel, rendersChannel } from './batch.ts';
import { PostgresCollection } from './collection.ts';
import { Connection, wordsFor } from './connection.ts';
import { RecordMemory } from './memory.ts';
import { checkDatabaseUrl, databaseName, type Session } from './session.ts';
import { readPages } from './statements.ts';
import { WorkLine } from './work-line.ts';

/** Milliseconds that a change waits for a database that is away. */
const usualPatience = 10_000;
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

/** The collections of one database. */
export class PostgresKeeper implements RecordKeeper {
  readonly #options: PostgresOptions;
  readonly #name: string;
  readonly #patience: number;
  readonly #memory: RecordMemory;
  readonly #connection: Connection;
  readonly #line: WorkLine;
  readonly #missedTimer: NodeJS.Timeout | undefined;
  readonly #leadership: Leadership;
  readonly #listeners = new Map<string, (text: string | null) => void>();

  private constructor(options: PostgresOptions) {
    const { url, log, health, exclusive, patience } = options;
    this.#options = options;
    this.#name = databaseName(url);
    this.#memory = new RecordMemory(log);
    this.#leadership = new Leadership((work) => this.inTurn(work));
    this.#patience = patience ?? usualPatience;
    const common = { name: this.#name, log, health, memory: this.#memory };
    this.#connection = new Connection({
      ...{ ...common, url, isExclusive: exclusive !== false },
      channels: () => this.#listeners.keys(),
      onWord: (channel, text, isOwn) => {
        const isOfRenders = channel === rendersChannel;
        if (!isOfRenders && channel !== changesChannel) this.#hear(channel, text);
        // Its own changes it knows.
        else if (!isOwn) this.lookAt(isOfRenders ? 'renders' : text);
      },
      onOpen: () => {
        // Something may have changed while nobody listened.
        this.#line.behind();
        for (const channel of this.#listeners.keys()) this.#hear(channel, null);
      },
      onLost: () => this.#leadership.lose(),
    });
    this.#line = new WorkLine({ ...common, connection: this.#connection });
    health?.include(() => this.#test());
    if (exclusive === false)
      this.#missedTimer = setInterval(() => this.#line.behind(), missedPause).unref();
  }

  /**
   * Opens a database, making its tables if needed.
   *
   * @throws StartError with a sentence: it does not answer, refuses us, is used by another process, or a newer version
   * made it.
   */
  static async open(options: PostgresOptions): Promise<PostgresKeeper> {
    checkDatabaseUrl(options.url);
    const keeper = new PostgresKeeper(options);
    await keeper.#connection.open();
    return keeper;
  }

  /** The name of the database for people, without a password. */
  get name(): string {
    return this.#name;
  }

  /** The ID of the database, made with its tables. */
  get databaseId(): string {
    return this.#connection.databaseId ?? '';
  }

  async open<Doc extends Identified>(
    name: CollectionName,
    schema: z.ZodType<Doc>,
  ): Promise<Records<Doc>> {
    const collection = new PostgresCollection(name, schema, {
      patience: this.#patience,
      add: (change) => this.#line.add(change),
      settle: () => this.#line.settle(),
    });
    await this.inTurn(async (session) => {
      if (name === 'renders') await session.all(`LISTEN ${rendersChannel}`);
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
   * Waits until readers see all that any process had acknowledged before the call. While the database is away it
   * returns at once, and they see what they have seen last.
   */
  sync(): Promise<void> {
    return this.#line.sync();
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
    if (names === '' || names.split(',').some((name) => this.#memory.has(name)))
      this.#line.behind();
  }

  /** Does more in the transaction of each batch: with what it has changed, in order. An error refuses the batch. */
  addAlongside(alongside: Alongside): void {
    this.#line.addAlongside(alongside);
  }

  async close(): Promise<void> {
    this.#connection.stop();
    this.#leadership.close();
    clearInterval(this.#missedTimer);
    await this.#line.close();
    await this.#connection.close();
  }

  /** Does something on the connection between two batches. @throws UnavailableError at once if the database is away. */
  inTurn<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#line.inTurn(work);
  }

  /**
   * Does something in a transaction of its own between two changes of records, of any process: readers see all that
   * were before. @throws as `inTurn`, and what `work` throws; then nothing of it is done.
   */
  between<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#line.between(work);
  }

  /** A test write. @throws UnavailableError, or what the server says. */
  async #test(): Promise<void> {
    await this.inTurn((session) =>
      session.query(`UPDATE ${schemaName}.state SET forgotten = forgotten`),
    ).catch((error: unknown) => {
      throw new UnavailableError(wordsFor(error), { cause: error });
    });
  }
}

// One of several processes on a database leads: it has a lock as long as its connection lasts, and then another one
// has.

/** Milliseconds between two looks whether the leader is gone. */
const leadPause = 1_000;

/** Whether this process leads. */
class Leadership {
  readonly #inTurn: <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>;
  /** Null: it does not want to. */
  #onChange: ((leads: boolean) => void) | null = null;
  #leads = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param inTurn Does something on the connection; fails while there is none. */
  constructor(inTurn: <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>) {
    this.#inTurn = inTurn;
  }

  /** Wants to lead. @param onChange Called with true when it does, with false when it does no longer. */
  want(onChange: (leads: boolean) => void): void {
    this.#onChange = onChange;
    void this.#try();
  }

  /** The connection is gone, and the lock with it. */
  lose(): void {
    if (!this.#leads) return;
    this.#leads = false;
    this.#onChange?.(false);
    void this.#try();
  }

  /** Wants it no longer. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#leads || !this.#onChange) return;
    const lock = `SELECT pg_try_advisory_lock(${lockNumbers.leader}) AS leads`;
    const hasIt = await this.#inTurn(async (session) => {
      const [row] = await session.query<{ leads: boolean }>(lock);
      return row?.leads === true && session.isOpen;
    }).catch(() => false);
    if (hasIt) {
      this.#leads = true;
      this.#onChange(true);
      return;
    }
    this.#timer = setTimeout(() => void this.#try(), leadPause).unref();
  }
}
