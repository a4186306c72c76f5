/**
 * What is done on a keeper's connection, one thing after the other: changes in batches, other work, and reading what
 * others have changed.
 *
 * A connection that breaks is opened again. Meanwhile changes wait for a while before they are refused. If it breaks
 * while a batch is being committed, nobody knows whether it was: that is looked up before anybody is answered.
 */
import type { QueryResultRow } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../shared/errors.ts';
import { describeError, type Log } from '../../system/log.ts';
import { UnavailableError, type StoreHealth } from '../../store/health.ts';
import { beginChange, schemaName, type Statement } from './statement.ts';
import { compute, statementsOf, type Alongside, type Begun } from './batch.ts';
import type { Computed, Waiting } from './collection.ts';
import { wordsFor, type Connection } from './connection.ts';
import type { RecordMemory } from './memory.ts';
import { awayWords, divisionByZero, isAway, sqlState, type Session } from './session.ts';
import { drawMark } from './statements.ts';

/** The most changes of a transaction. */
const batchSize = 200;
/** Milliseconds until changes of others are read of which nobody asks, so that many are read at once. */
const lookPause = 25;

/** A batch whose commit was sent; the answer did not come. */
interface Unsure {
  readonly changes: readonly Waiting[];
  readonly computed: readonly Computed[];
  /** The first of its rows in `changes`: there if it was committed. */
  readonly mark: number;
}

/** What it works with. */
export interface WorkLineOptions {
  readonly connection: Connection;
  readonly memory: RecordMemory;
  /** Of the database, for people. */
  readonly name: string;
  readonly log: Log;
  readonly health?: StoreHealth | undefined;
}

/** See above. */
export class WorkLine {
  readonly #options: WorkLineOptions;
  readonly #memory: RecordMemory;
  /** True if there are changes of others to read. */
  #isBehind = false;
  /** True if they are to be read now, although nobody asks. */
  #isLookDue = false;
  #lookTimer: NodeJS.Timeout | undefined;
  #waiting: Waiting[] = [];
  #unsure: Unsure | null = null;
  /** Other work on the connection, waiting for its turn. Never rejects. */
  readonly #turns: ((session: Session) => Promise<void>)[] = [];
  #draining: Promise<void> | null = null;
  #closing = false;
  /** The next look at what others have changed, until it begins. */
  #nextSync: Promise<void> | null = null;
  /** Called in the transaction of each batch, in this order. */
  readonly #alongside: Alongside[] = [];

  constructor(options: WorkLineOptions) {
    this.#options = options;
    this.#memory = options.memory;
  }

  /** See PostgresKeeper. */
  addAlongside(alongside: Alongside): void {
    this.#alongside.push(alongside);
  }

  /** Writes a change after those before it. */
  add(change: Waiting): void {
    this.#waiting.push(change);
    this.#draining ??= this.#drain();
  }

  /** Waits for all that was asked for. */
  async settle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Waits for all that was asked for, and refuses what can't be done now. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#lookTimer);
    await this.settle();
  }

  /** See PostgresKeeper. */
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

  /** Changes of others are read soon. */
  behind(): void {
    this.#isBehind = true;
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined;
      this.#isLookDue = true;
      this.#draining ??= this.#drain();
    }, lookPause);
  }

  /** Does something on the connection between two batches. @throws UnavailableError at once if the database is away. */
  inTurn<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (!this.#session)
      return Promise.reject(new UnavailableError(this.#options.connection.reason));
    return new Promise((resolve, reject) => {
      this.#turns.push((session) => work(session).then(resolve, reject));
      this.#draining ??= this.#drain();
    });
  }

  /**
   * Does something in a transaction of its own between two changes of records, of any process: readers see all that
   * were before. @throws as `inTurn`, and what `work` throws; then nothing of it is done.
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

  get #session(): Session | null {
    return this.#options.connection.session;
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
        this.#options.log('error', 'store', `${this.#options.name}: ${describeError(error)}`);
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
    await this.#options.connection.wait(wait);
  }

  /** Refuses what has waited long enough, and all if it closes. */
  #refuseLate(): void {
    const now = performance.now();
    const isLate = ({ deadline }: Waiting): boolean => this.#closing || deadline <= now;
    const late = this.#waiting.filter(isLate);
    this.#waiting = this.#waiting.filter((change) => !isLate(change));
    this.#refuse(late, this.#options.connection.reason);
    if (this.#session) return;
    for (const turn of this.#turns.splice(0)) void turn(closedSession);
  }

  #refuseAll(): void {
    const { reason } = this.#options.connection;
    this.#refuse([...(this.#unsure?.changes ?? []), ...this.#waiting.splice(0)], reason);
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
      .together([...beginChange, { text: drawMark }, this.#memory.changesStatement()])
      .catch((error: unknown) => {
        if (wasBehind) this.behind();
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
      const found = await session.together([this.#memory.changesStatement()]);
      await this.#memory.receivePages(session, found);
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
    this.#options.log('error', 'store', `${this.#options.name}: ${describeError(error)}`);
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
    this.#refuse(left, wordsFor(error));
  }

  /** Looks up whether a batch was committed whose answer did not come. */
  async #findOut(session: Session, { changes, computed, mark }: Unsure): Promise<void> {
    // Its transaction has ended once we have the lock.
    const [, , found] = await session.together([
      ...beginChange,
      { text: `SELECT 1 FROM ${schemaName}.changes WHERE seq = $1`, values: [mark] },
      { text: 'COMMIT' },
    ]);
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

/** What work is given that has waited for a connection in vain. */
const closedSession: Session = {
  together: () => Promise.reject(new UnavailableError(awayWords)),
  tell: () => Promise.reject(new UnavailableError(awayWords)),
  query: () => Promise.reject(new UnavailableError(awayWords)),
  all: () => Promise.reject(new UnavailableError(awayWords)),
  isOpen: false,
  end: () => undefined,
};
