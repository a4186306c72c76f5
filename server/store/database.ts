/**
 * One collection of records in one NeDB data file, made to keep what it acknowledged: changes are flushed before they
 * are answered, a failed write is taken back on disk and in memory, and a folder that can't be written is still read.
 *
 * Reading is answered from a map of the acknowledged records, which never holds a change that is not on the disk yet
 * (and costs no copy). What users send is stored by the collections as JSON text in one field: the database allows no
 * dots or dollar signs in field names and turns `{"$$date": …}` into dates.
 */
import path from 'node:path';
import Datastore from 'nedb-promises';
import type { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { describeError, type Log } from '../log.ts';
import { cutFile, flushFile, writeWhole } from './files.ts';
import { reasonOf, type StoreHealth } from './health.ts';
import { escapeLineEnds, readRecords, repairDataFile, type StoreNotice } from './repair.ts';

/** Every record has an ID of our own making. */
interface Identified {
  readonly _id: string;
}

/** What a collection is opened with. */
export interface CollectionOptions<Doc extends Identified> {
  /** The data file. */
  readonly file: string;
  /** The form of a record; others are set aside when the file is opened. */
  readonly schema: z.ZodType<Doc>;
  readonly log: Log;
  /** Told when writing fails. Default: nobody is. */
  readonly health?: StoreHealth | undefined;
}

/** What a change does, worked out from the acknowledged records and the changes before it; null: nothing. */
type Edit<Doc> = (current: (id: string) => Doc | null) => { id: string; doc: Doc | null } | null;

/** A change waiting for the disk. */
interface Waiting<Doc> {
  readonly edit: Edit<Doc>;
  /** Gets what the edit gave. */
  readonly resolve: (done: ReturnType<Edit<Doc>>) => void;
  readonly reject: (error: Error) => void;
}

/** A field that no record has. */
const openedNote = 'opened';

/** Records of one kind. Changes happen one after the other; those that arrive together share one flush. */
export class Collection<Doc extends Identified> {
  readonly #file: string;
  readonly #log: Log;
  readonly #health: StoreHealth | undefined;
  /** The acknowledged records. They are shared with readers and never changed in place. */
  #docs = new Map<string, Doc>();
  /** Null while the file can't be written. */
  #data: Datastore<Doc> | null = null;
  /** Length of the file up to which everything was acknowledged; null until it was opened for writing. */
  #goodLength: number | null = null;
  /** Why the file can't be written; null while it can. */
  #lastError: Error | null = null;
  readonly #waiting: Waiting<Doc>[] = [];
  #draining: Promise<void> | null = null;
  /** What had to be repaired at opening. */
  readonly notices: StoreNotice[] = [];

  private constructor({ file, log, health }: CollectionOptions<Doc>) {
    this.#file = file;
    this.#log = log;
    this.#health = health;
    health?.include(() => this.#makeWritable());
  }

  /**
   * Opens the data file, repairing it first if needed; a missing file starts empty. If the file can't be rewritten (full
   * disk), the records are there for reading and every change is refused until it can.
   */
  static async open<Doc extends Identified>(
    options: CollectionOptions<Doc>,
  ): Promise<Collection<Doc>> {
    const { file, schema, log } = options;
    const collection = new Collection<Doc>(options);
    let records: readonly unknown[];
    try {
      collection.#data = await collection.#load();
      records = recordsOf(collection.#data);
    } catch (error) {
      log('error', 'store', `${file} can't be written: ${describeError(error)}`);
      collection.#lastError = asError(error);
      options.health?.doubt();
      records = await readRecords(file);
    }
    await collection.#takeIn(records, schema);
    return collection;
  }

  /** The record, or null. */
  find(id: string): Doc | null {
    return this.#docs.get(id) ?? null;
  }

  /** All records, in no particular order. */
  all(): Doc[] {
    return [...this.#docs.values()];
  }

  /** @throws ApiError `cannot_save`; the record is then neither in memory nor on the disk. */
  async insert(doc: Doc): Promise<Doc> {
    await this.#write(() => ({ id: doc._id, doc }));
    return doc;
  }

  /**
   * Replaces a record by what `make` makes of it; null leaves it alone.
   *
   * @returns the new record, or null when there is none or `make` declined.
   * @throws ApiError `cannot_save`; the record then has its old values.
   */
  async change(id: string, make: (doc: Doc) => Doc | null): Promise<Doc | null> {
    const done = await this.#write((current) => {
      const doc = current(id);
      const changed = doc && make(doc);
      return changed && { id, doc: changed };
    });
    return done?.doc ?? null;
  }

  /** @returns false when there was no such record. @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<boolean> {
    const done = await this.#write((current) => current(id) && { id, doc: null });
    return done !== null;
  }

  /** Waits for the changes under way. */
  async close(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Loads the file if it could not be written, in its turn among the changes. @throws what the disk says. */
  async #makeWritable(): Promise<void> {
    if (this.#data) return;
    await this.#write(() => null).catch(() => undefined);
    if (this.#lastError !== null) throw this.#lastError;
  }

  #write(edit: Edit<Doc>): Promise<ReturnType<Edit<Doc>>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ edit, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Writes all waiting changes as one batch; again while more have arrived meanwhile. */
  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0));
    // In the same step as the last look: a change that comes later starts anew.
    this.#draining = null;
  }

  /** Applies changes, flushes once, and answers them all alike. */
  async #writeBatch(batch: readonly Waiting<Doc>[]): Promise<void> {
    const next = new Map<string, Doc | null>();
    const current = (id: string): Doc | null =>
      next.get(id) ?? (next.has(id) ? null : this.find(id));
    try {
      const data = (this.#data ??= await this.#load());
      const answers: (() => void)[] = [];
      for (const { edit, resolve } of batch) {
        const done = edit(current);
        if (done) {
          await apply(data, done.id, done.doc, current(done.id) === null);
          next.set(done.id, done.doc);
        }
        answers.push(() => resolve(done));
      }
      this.#goodLength = await flushFile(this.#file);
      for (const [id, doc] of next) {
        if (doc) this.#docs.set(id, doc);
        else this.#docs.delete(id);
      }
      for (const answer of answers) answer();
      if (next.size > 0) this.#health?.worked();
    } catch (error) {
      await this.#takeBack(error);
      this.#health?.doubt();
      const refusal = new ApiError('cannot_save', { reason: reasonOf(error) });
      for (const { reject } of batch) reject(refusal);
    }
  }

  /**
   * After a failed write the file may end in half a line, and the database holds what the file does not. Both are loaded
   * again from the acknowledged part; if that fails too, the next change tries it again.
   */
  async #takeBack(error: unknown): Promise<void> {
    this.#log('error', 'store', `${this.#file} can't be written: ${describeError(error)}`);
    this.#data = null;
    try {
      this.#data = await this.#load();
    } catch (loadError) {
      this.#lastError = asError(loadError);
      this.#log(
        'error',
        'store',
        `${this.#file} is read-only for now: ${describeError(loadError)}`,
      );
    }
  }

  /** Opens the file without a torn end. Loading rewrites it, so it shows that writing works. */
  async #load(): Promise<Datastore<Doc>> {
    if (this.#goodLength === null) {
      const repaired = await repairDataFile(this.#file, new Date());
      if (repaired !== null) this.notices.push(repaired);
    } else {
      await cutFile(this.#file, this.#goodLength);
    }
    const options = {
      filename: this.#file,
      // The data may hold keys and private addresses: for this user only.
      modes: { fileMode: 0o600, dirMode: 0o700 },
      afterSerialization: escapeLineEnds,
      // JSON undoes it.
      beforeDeserialization: (line: string) => line,
    };
    const data: Datastore<Doc> = Datastore.create(options);
    await data.load();
    // It was written anew: an earlier length says nothing about it.
    this.#goodLength = await flushFile(this.#file);
    // Leaves a note in the file: one without content is then known to be damaged, however few records there are.
    await data.ensureIndex({ fieldName: openedNote, sparse: true });
    this.#goodLength = await flushFile(this.#file);
    this.#lastError = null;
    return data;
  }

  /** Fills the map; records that this version can't make sense of go to a file beside the data. */
  async #takeIn(records: readonly unknown[], schema: z.ZodType<Doc>): Promise<void> {
    const unknown: Identified[] = [];
    for (const record of records) {
      const { success, data } = schema.safeParse(record);
      if (success) this.#docs.set(data._id, data);
      // Whatever else it is: without an ID the database would not have given it.
      else unknown.push(record as Identified);
    }
    if (unknown.length === 0 || !this.#data) return;
    const stamp = new Date().toISOString().replace(/[:.]/g, '-');
    const lines = unknown.map((record) => `${JSON.stringify(record)}\n`).join('');
    const aside = this.#file.replace(/\.db$/, `-unreadable-${stamp}.jsonl`);
    await writeWhole(aside, lines);
    for (const { _id } of unknown) await this.#data.remove({ _id }, {});
    this.#goodLength = await flushFile(this.#file);
    this.notices.push({
      text: `${path.basename(this.#file)}: ${unknown.length} unreadable records were set aside.`,
      setAside: { records: unknown.length, file: aside },
    });
  }
}

/** The records themselves, of which `find` would copy thousands at every start: nobody changes them in place. */
function recordsOf<Doc extends Identified>(data: Datastore<Doc>): readonly unknown[] {
  // The wrapper passes on what it does not have itself, and its types don't say so.
  return (data as unknown as { getAllData(): unknown[] }).getAllData();
}

/** Brings one change into the database. */
async function apply<Doc extends Identified>(
  data: Datastore<Doc>,
  id: string,
  doc: Doc | null,
  isNew: boolean,
): Promise<void> {
  if (!doc) await data.remove({ _id: id }, {});
  else if (isNew) await data.insert(doc);
  else await data.update({ _id: id }, doc);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
