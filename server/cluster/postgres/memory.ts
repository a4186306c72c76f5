/** What a process has of the records of a database in memory, and how far it has read the changes of others. */
import type { QueryResultRow } from 'pg';
import { describeError, type Log } from '../../system/log.ts';
import type { RecordChange } from '../../store/records.ts';
import { schemaName, type Statement } from './statement.ts';
import type { Followed } from './collection.ts';
import type { Session } from './session.ts';
import {
  changesStatement,
  readChanges,
  readPages,
  readRecords,
  type PageEnd,
  type Position,
} from './statements.ts';

/** See above. */
export class RecordMemory {
  readonly #log: Log;
  readonly #collections = new Map<string, Followed>();
  readonly #followers = new Set<(change: RecordChange) => void>();
  /** The highest number of a change that it contains; less than 0: it does not count. */
  #last = 0;
  #position: Position = { snapshot: '1:1:', own: [] };

  constructor(log: Log) {
    this.#log = log;
  }

  /** The highest number of a change that it contains. */
  get last(): number {
    return this.#last;
  }

  /** Which changes it contains. */
  get position(): Position {
    return this.#position;
  }

  /** Begins where a database is now. */
  begin(last: number, snapshot: string): void {
    this.#last = last;
    this.#position = { snapshot, own: [] };
  }

  /** Reads all records again next time: the state of the database is unknown. */
  doubt(): void {
    this.#last = -1;
  }

  /** Follows a collection whose records were just read. */
  add(collection: Followed): void {
    this.#collections.set(collection.name, collection);
  }

  /** Whether a collection is followed. */
  has(name: string): boolean {
    return this.#collections.has(name);
  }

  /** Adds a listener for what others change. */
  follow(listener: (change: RecordChange) => void): void {
    this.#followers.add(listener);
  }

  /** Contains what this process itself has written. @param seq The last change. @param xid Its transaction. */
  wrote(seq: number, xid: string): void {
    this.#last = Math.max(this.#last, seq);
    const { snapshot, own } = this.#position;
    this.#position = { snapshot, own: [...own, xid] };
  }

  /** What reads what others have changed since. @param after Only changes after the end of an earlier page. */
  changesStatement(after: PageEnd | null = null): Statement {
    return changesStatement(this.#position, after, this.has('renders'));
  }

  /** Takes in a first page of changes and those after it. @returns up to which changes are forgotten. */
  async receivePages(session: Session, results: readonly QueryResultRow[][]): Promise<number> {
    let found = readChanges(results);
    const { forgotten, snapshot } = found;
    if (this.#last < forgotten || this.#last < 0) {
      await this.#receiveAll(session);
      return forgotten;
    }
    for (;;) {
      await this.#receive(session, found);
      if (!found.next) break;
      found = readChanges(await session.together([this.changesStatement(found.next)]));
    }
    // What ended since the first page is read again at the next look.
    this.#position = { snapshot, own: [] };
    return forgotten;
  }

  /** Takes all records into memory: some changes were missed. */
  async #receiveAll(session: Session): Promise<void> {
    const [row] = await session.query<{ last: number; snapshot: string }>(
      `SELECT coalesce(max(seq), 0)::float8 AS last, pg_current_snapshot()::text AS snapshot FROM ${schemaName}.changes`,
    );
    for (const collection of this.#collections.values()) {
      this.#tell(await collection.receiveAll(readPages(session, collection.name)));
    }
    this.#last = row?.last ?? 0;
    if (row) this.#position = { snapshot: row.snapshot, own: [] };
  }

  /** Takes changes into memory. */
  async #receive(
    session: Session,
    { records, last }: ReturnType<typeof readChanges>,
  ): Promise<void> {
    const others = new Map<string, string[]>();
    for (const { collection, id } of records) {
      if (collection === 'renders' || !this.has(collection)) continue;
      others.set(collection, [...(others.get(collection) ?? []), id]);
    }
    const texts = new Map<string, ReadonlyMap<string, string>>();
    for (const [collection, ids] of others)
      texts.set(collection, await readRecords(session, collection, ids));
    const received: RecordChange[] = [];
    for (const { collection, id, text } of records) {
      const now = collection === 'renders' ? text : (texts.get(collection)?.get(id) ?? null);
      const change = this.#collections.get(collection)?.receive({ id, text: now });
      if (change) received.push(change);
    }
    this.#last = Math.max(last ?? 0, this.#last);
    this.#tell(received);
  }

  /** Tells what others have changed. */
  #tell(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      for (const listener of this.#followers) {
        try {
          listener(change);
        } catch (error) {
          this.#log('error', 'store', describeError(error));
        }
      }
    }
  }
}
