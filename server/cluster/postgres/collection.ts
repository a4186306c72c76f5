/**
 * One collection of records in PostgreSQL: all of them in memory, kept in step by the keeper, which also writes its
 * changes.
 */
import type { z } from 'zod';
import {
  EditedRecords,
  recordText,
  textRecord,
  workOut,
  type CollectionName,
  type Edit,
  type Identified,
  type RecordChange,
  type Outcome,
  type Records,
} from '../../store/records.ts';
import type { StoreNotice } from '../../store/repair.ts';

/** A record as the database has it; a null text: there is none. */
export interface Row {
  readonly id: string;
  readonly text: string | null;
}

/** A change that was computed and is to be written. */
export interface Computed {
  /** What to write; null: the edit changes nothing. */
  readonly row: Row | null;
  /** The record before and after the change. Both are null if it changes nothing. */
  readonly before: Identified | null;
  readonly after: Identified | null;
  /** Call once it is committed: readers see it from then on. */
  readonly take: () => void;
  /** Answers the caller. */
  readonly answer: () => void;
}

/** A change that waits for the database. */
export interface Waiting {
  readonly collection: Followed;
  /** When to give up waiting for a database that is away, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Computes it from what is in memory and the changes before it in the same batch. @throws what its edit throws. */
  readonly compute: () => Computed;
  readonly reject: (error: Error) => void;
}

/** What the keeper knows of a collection. */
export interface Followed {
  readonly name: CollectionName;
  /** The next changes are computed from what is in memory alone. */
  startBatch(): void;
  /** Takes in what the database has of one record. @returns what that changed; null: nothing, or it was known. */
  receive(row: Row): RecordChange | null;
  /**
   * Takes in all records, in place of those that it had, which readers see until all are read. @returns what that
   * changed.
   */
  receiveAll(pages: AsyncIterable<readonly Row[]>): Promise<RecordChange[]>;
}

/** What the keeper does for a collection. */
export interface Writer {
  /** ms that a change waits for a database that is away. */
  readonly patience: number;
  /** Writes a change after those before it. */
  readonly add: (change: Waiting) => void;
  /** Waits for all changes before. */
  readonly settle: () => Promise<void>;
}

/** Records of one kind in PostgreSQL. */
export class PostgresCollection<Doc extends Identified>
  extends EditedRecords<Doc>
  implements Records<Doc>, Followed
{
  readonly name: CollectionName;
  readonly #schema: z.ZodType<Doc>;
  readonly #writer: Writer;
  /** The acknowledged records, shared with readers and never changed in place. */
  #docs = new Map<string, Doc>();
  /** What the changes of the current batch make of records; null: removed. */
  #next = new Map<string, Doc | null>();
  readonly notices: StoreNotice[] = [];
  changes = 0;

  constructor(name: CollectionName, schema: z.ZodType<Doc>, writer: Writer) {
    super();
    this.name = name;
    this.#schema = schema;
    this.#writer = writer;
  }

  find(id: string): Doc | null {
    return this.#docs.get(id) ?? null;
  }

  all(): Doc[] {
    return [...this.#docs.values()];
  }

  close(): Promise<void> {
    return this.#writer.settle();
  }

  protected override apply(edit: Edit<Doc>): Promise<Outcome<Doc> | null> {
    return new Promise((resolve, reject) => {
      const compute = (): Computed => {
        let before: Doc | null = null;
        const done = workOut(
          (current) => {
            const made = edit(current);
            before = made && current(made.id);
            return made;
          },
          this.#schema,
          this.#next,
          (id) => this.find(id),
        );
        return {
          row: done && { id: done.id, text: done.doc && recordText(done.doc) },
          before,
          after: done?.doc ?? null,
          take: () => {
            if (done) this.#take(done.id, done.doc);
          },
          answer: () => resolve(done),
        };
      };
      const deadline = performance.now() + this.#writer.patience;
      this.#writer.add({ collection: this, deadline, compute, reject });
    });
  }

  startBatch(): void {
    this.#next = new Map();
  }

  receive({ id, text }: Row): RecordChange | null {
    const before = this.find(id);
    const after = text === null ? null : this.#read(text);
    this.#take(id, after);
    // A change that came with an earlier one: the record was read after both.
    if (before && after && JSON.stringify(before) === JSON.stringify(after)) return null;
    return before || after ? { collection: this.name, id, before, after } : null;
  }

  async receiveAll(pages: AsyncIterable<readonly Row[]>): Promise<RecordChange[]> {
    const docs = new Map<string, Doc>();
    let count = 0;
    for await (const rows of pages) {
      count += rows.length;
      for (const { id, text } of rows) {
        const doc = text === null ? null : this.#read(text);
        if (doc) docs.set(id, doc);
      }
    }
    const old = this.#docs;
    this.#docs = docs;
    this.changes += 1;
    this.#noticeLeft(count - docs.size, count);
    return [...new Set([...old.keys(), ...docs.keys()])].flatMap((id) => {
      const [before, after] = [old.get(id) ?? null, docs.get(id) ?? null];
      const isSame = before && after && JSON.stringify(before) === JSON.stringify(after);
      return isSame ? [] : { collection: this.name, id, before, after };
    });
  }

  #noticeLeft(left: number, count: number): void {
    if (left === 0) return;
    // They stay where they are: another process, of a newer version, may need them.
    const text = `${this.name}: ${left} of ${count} records have a form that this version does not know, and were left out. They stay in the database.`;
    if (!this.notices.some((notice) => notice.text === text)) this.notices.push({ text });
  }

  /** The record of a text; null if this version does not understand it. */
  #read(text: string): Doc | null {
    return this.#schema.safeParse(textRecord(text)).data ?? null;
  }

  #take(id: string, doc: Doc | null): void {
    this.changes += 1;
    if (doc) this.#docs.set(id, doc);
    else this.#docs.delete(id);
  }
}
