/**
 * One collection of records in one NeDB data file, made to keep what it acknowledged: changes are flushed before they
 * are answered, a failed write is taken back on disk and in memory, and a folder that can't be written is still read.
 *
 * Reading is answered from a map of the acknowledged records, which never holds a change that is not on the disk yet
 * (and costs no copy). What users send is stored by the collections as JSON text in one field: the database allows no
 * dots or dollar signs in field names and turns `{"$$date": …}` into dates.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type Datastore from 'nedb-promises';
import type { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { describeError, type Log } from '../log.ts';
import { Compaction, isWasteful } from './compaction.ts';
import { openedNote, readDataFile, type DataFile } from './data-file.ts';
import { cutFile, flushFile, writeWhole } from './files.ts';
import { errorCode } from '../system/files.ts';
import { reasonOf, type StoreHealth } from './health.ts';
import { fillDatabase } from './nedb.ts';
import { needsRepair, repairDataFile, type StoreNotice } from './repair.ts';

/** Every record has an ID of our own making. */
interface Identified {
  readonly _id: string;
}

/** What a collection is opened with. */
export interface CollectionOptions<Doc extends Identified> {
  /** The data file. */
  readonly file: string;
  /** The form of a record. Others are set aside when the file is opened, and no change leads to one. */
  readonly schema: z.ZodType<Doc>;
  readonly log: Log;
  /** Told when writing fails. Default: nobody is. */
  readonly health?: StoreHealth | undefined;
}

/** What a change does; a null record removes it. */
interface Outcome<Doc> {
  readonly id: string;
  readonly doc: Doc | null;
}

/** A change, worked out from the acknowledged records and the changes before it; null: nothing. What it throws is its own. */
type Edit<Doc> = (current: (id: string) => Doc | null) => Outcome<Doc> | null;

/** A change waiting for the disk. */
interface Waiting<Doc> {
  readonly edit: Edit<Doc>;
  /** Gets what the edit gave. */
  readonly resolve: (done: Outcome<Doc> | null) => void;
  readonly reject: (error: Error) => void;
}

/** Records of one kind. Changes happen one after the other; those that arrive together share one flush. */
export class Collection<Doc extends Identified> {
  readonly #file: string;
  readonly #schema: z.ZodType<Doc>;
  readonly #log: Log;
  readonly #health: StoreHealth | undefined;
  /** The acknowledged records. They are shared with readers and never changed in place. */
  readonly #docs = new Map<string, Doc>();
  /** Bytes of the line of each, and of all together. */
  readonly #sizes = new Map<string, number>();
  #live = 0;
  /** Records of the file that this version can't make sense of, until they are set aside. */
  #unknown: Identified[] = [];
  /** Null while the file can't be written. */
  #data: Datastore<Doc> | null = null;
  /** Length of the file up to which everything was acknowledged; null until it was opened for writing. */
  #goodLength: number | null = null;
  /** Why the file can't be written; null while it can. */
  #lastError: Error | null = null;
  readonly #waiting: Waiting<Doc>[] = [];
  /** Work on the file itself that waits for its turn among the changes. Never rejects. */
  readonly #turns: (() => Promise<void>)[] = [];
  #draining: Promise<void> | null = null;
  #compacting: Promise<void> | null = null;
  /** Counts how often the file was written anew. */
  #edition = 0;
  /** Bytes below which the file is not written anew, after that failed. */
  #notBelow = 0;
  #closing = false;
  /** What had to be repaired at opening. */
  readonly notices: StoreNotice[] = [];

  private constructor({ file, schema, log, health }: CollectionOptions<Doc>) {
    this.#file = file;
    this.#schema = schema;
    this.#log = log;
    this.#health = health;
    health?.include(() => this.#makeWritable());
  }

  /**
   * Opens the data file, repairing it first if needed; a missing file starts empty. If it can't be written (full disk), the
   * records are there for reading and every change is refused until it can.
   */
  static async open<Doc extends Identified>(
    options: CollectionOptions<Doc>,
  ): Promise<Collection<Doc>> {
    const collection = new Collection<Doc>(options);
    let found = await readDataFile(options.file);
    try {
      found = await collection.#prepare(found);
    } catch (error) {
      collection.#refuseChanges(error);
      options.health?.doubt();
    }
    collection.#takeIn(found);
    if (collection.#goodLength !== null) {
      await collection.#load().catch((error: unknown) => {
        collection.#refuseChanges(error);
        options.health?.doubt();
      });
    }
    collection.#compactIfWasteful();
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

  /** Stores a record, in place of one with its ID. @throws ApiError `cannot_save`; memory and disk are then as before. */
  async write(doc: Doc): Promise<Doc> {
    const done = await this.#write(() => ({ id: doc._id, doc }));
    return done?.doc ?? doc;
  }

  /**
   * Replaces a record by what `make` makes of it; null leaves it alone.
   *
   * @returns the new record, or null when there is none or `make` declined.
   * @throws ApiError `cannot_save`, and what `make` throws; the record then has its old values.
   */
  async change(id: string, make: (doc: Doc) => Doc | null): Promise<Doc | null> {
    const done = await this.#write((current) => {
      const doc = current(id);
      const changed = doc && make(doc);
      return changed && { id, doc: changed };
    });
    return done?.doc ?? null;
  }

  /** The same where there need not be a record: `make` is given null then. */
  async put(id: string, make: (doc: Doc | null) => Doc | null): Promise<Doc | null> {
    const done = await this.#write((current) => {
      const doc = make(current(id));
      return doc && { id, doc };
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
    this.#closing = true;
    while (this.#compacting) await this.#compacting;
    while (this.#draining) await this.#draining;
  }

  /** Opens the file for writing if it could not be, in its turn among the changes. @throws what the disk says. */
  async #makeWritable(): Promise<void> {
    if (this.#data) return;
    await this.#inTurn(() => this.#load()).catch((error: unknown) => {
      this.#lastError = asError(error);
    });
    if (this.#lastError !== null) throw this.#lastError;
  }

  #write(edit: Edit<Doc>): Promise<Outcome<Doc> | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ edit, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Does something with the file while no change is being written. */
  #inTurn(work: () => Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#turns.push(async () => {
        await work().then(() => resolve(), reject);
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Writes all waiting changes as one batch; again while more have arrived meanwhile. */
  async #drain(): Promise<void> {
    for (;;) {
      const turn = this.#turns.shift();
      if (turn) await turn();
      else if (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0));
      else break;
    }
    // In the same step as the last look: a change that comes later starts anew.
    this.#draining = null;
    this.#compactIfWasteful();
  }

  /** Works changes out, writes them, flushes once, and answers them all alike; one that can't be worked out fails alone. */
  async #writeBatch(batch: readonly Waiting<Doc>[]): Promise<void> {
    const next = new Map<string, Doc | null>();
    const outcomes: Outcome<Doc>[] = [];
    const answers: (() => void)[] = [];
    const refusals: Waiting<Doc>['reject'][] = [];
    for (const { edit, resolve, reject } of batch) {
      try {
        const done = this.#workOut(edit, next);
        if (done) outcomes.push(done);
        answers.push(() => resolve(done));
        refusals.push(reject);
      } catch (error) {
        reject(asError(error));
      }
    }
    try {
      await this.#save(outcomes);
      for (const answer of answers) answer();
      if (outcomes.length > 0) this.#health?.worked();
    } catch (error) {
      await this.#takeBack(error);
      this.#health?.doubt();
      const refusal = new ApiError('cannot_save', { reason: reasonOf(error) });
      for (const reject of refusals) reject(refusal);
    }
  }

  /** What a change comes to, after those before it. A record of another form would be set aside at the next start. */
  #workOut(edit: Edit<Doc>, next: Map<string, Doc | null>): Outcome<Doc> | null {
    const done = edit((id) => next.get(id) ?? (next.has(id) ? null : this.find(id)));
    if (!done) return null;
    const doc = done.doc && this.#schema.parse(done.doc);
    next.set(done.id, doc);
    return { id: done.id, doc };
  }

  /** Writes and flushes, then takes over what is now on the disk. @throws what the disk says. */
  async #save(outcomes: readonly Outcome<Doc>[]): Promise<void> {
    const data = (this.#data ??= await this.#load());
    if (outcomes.length === 0) return;
    const isThere = new Map<string, boolean>();
    for (const { id, doc } of outcomes) {
      const isNew = !(isThere.get(id) ?? this.#docs.has(id));
      await apply(data, id, doc, isNew);
      isThere.set(id, doc !== null);
    }
    const length = await flushFile(this.#file);
    // Someone has taken the file away: what was appended is the beginning of another one.
    if (length <= (this.#goodLength ?? 0)) throw new Error(`${this.#file} is shorter than it was`);
    this.#goodLength = length;
    for (const { id, doc } of outcomes) this.#take(id, doc);
  }

  /** Takes a record over, or forgets it. */
  #take(id: string, doc: Doc | null, size = doc ? sizeOf(doc) : 0): void {
    this.#live += size - (this.#sizes.get(id) ?? 0);
    if (doc) {
      this.#docs.set(id, doc);
      this.#sizes.set(id, size);
    } else {
      this.#docs.delete(id);
      this.#sizes.delete(id);
    }
  }

  /**
   * After a failed write the file may end in half a line, and the database holds what the file does not. Both are made
   * again of what was acknowledged; if that fails too, the next change tries it again.
   */
  async #takeBack(error: unknown): Promise<void> {
    this.#log('error', 'store', `${this.#file} can't be written: ${describeError(error)}`);
    this.#data = null;
    await this.#load().catch((loadError: unknown) => this.#refuseChanges(loadError));
  }

  #refuseChanges(error: unknown): void {
    this.#lastError = asError(error);
    const reason = describeError(error);
    this.#log('error', 'store', `${this.#file} is read-only for now: ${reason}`);
  }

  /** Makes the file ready for changes. @throws what the disk says. */
  async #load(): Promise<Datastore<Doc>> {
    if (this.#goodLength === null) await this.#prepare(await readDataFile(this.#file));
    else await this.#cutBack(this.#goodLength);
    if (this.#unknown.length > 0) await this.#setAside();
    this.#data = fillDatabase(this.#file, this.all());
    this.#lastError = null;
    return this.#data;
  }

  /** Repairs the file where it needs it, and sees to it that it has content. @returns what is in it then. */
  async #prepare(found: DataFile): Promise<DataFile> {
    let sound = found;
    if (needsRepair(found)) {
      this.notices.push(await repairDataFile(this.#file, found, new Date()));
      sound = await readDataFile(this.#file);
    }
    if (!sound.length) await writeWhole(this.#file, openedNote);
    this.#goodLength = await flushFile(this.#file);
    return sound;
  }

  /** Cuts off what was not acknowledged. A file that someone took away or emptied is written anew. */
  async #cutBack(length: number): Promise<void> {
    const found = await stat(this.#file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (found && found.size >= length) {
      await cutFile(this.#file, length);
      return;
    }
    this.#log('warning', 'store', `${this.#file} was taken away; it is written anew.`);
    const anew = await Compaction.begin(this.#file, 0);
    try {
      await anew.add(this.#docs.values(), () => false);
      this.#goodLength = await anew.finish(0);
      this.#edition++;
    } catch (error) {
      await anew.abandon();
      throw error;
    }
  }

  /** Fills the map with what the file has. */
  #takeIn({ records, sizes }: DataFile): void {
    for (const [id, record] of records) {
      const { success, data } = this.#schema.safeParse(record);
      if (success) this.#take(id, data, sizes.get(id));
      // Whatever else it is: it has an ID, or it would be damaged.
      else this.#unknown.push(record as Identified);
    }
  }

  /** Records that this version can't make sense of go to a file beside the data. */
  async #setAside(): Promise<void> {
    const count = this.#unknown.length;
    const stamp = new Date().toISOString().replace(/[:.]/g, '-');
    const lines = this.#unknown.map((record) => `${JSON.stringify(record)}\n`).join('');
    const aside = this.#file.replace(/\.db$/, `-unreadable-${stamp}.jsonl`);
    await writeWhole(aside, lines);
    const data = fillDatabase(this.#file, this.#unknown);
    for (const { _id } of this.#unknown) await data.remove({ _id }, {});
    this.#goodLength = await flushFile(this.#file);
    this.#unknown = [];
    this.notices.push({
      text: `${path.basename(this.#file)}: ${count} unreadable records were set aside.`,
      setAside: { records: count, file: aside },
    });
  }

  /** Writes the file anew when it is worth it; changes go on meanwhile. */
  #compactIfWasteful(): void {
    const length = this.#goodLength ?? 0;
    if (this.#compacting || this.#closing || !this.#data || length < this.#notBelow) return;
    if (!isWasteful(length, this.#live)) return;
    this.#compacting = this.#compact(length)
      .catch((error: unknown) => {
        const reason = describeError(error);
        this.#log('warning', 'store', `${this.#file} could not be written anew: ${reason}`);
        // Not at once again: the disk may be full, which is no harm to the file as it is.
        this.#notBelow = length * 1.5;
      })
      .finally(() => {
        this.#compacting = null;
      });
  }

  async #compact(length: number): Promise<void> {
    // Of this moment: no change is being written, so the file tells just these records.
    const docs = this.all();
    const edition = this.#edition;
    const anew = await Compaction.begin(this.#file, length);
    try {
      await anew.add(docs, () => this.#closing);
      if (!this.#closing) {
        await this.#inTurn(async () => {
          // One that can't be written now, or had to be written anew meanwhile, is left as it is.
          if (!this.#data || this.#goodLength === null || this.#edition !== edition) return;
          this.#goodLength = await anew.finish(this.#goodLength);
          this.#edition++;
        });
      }
    } finally {
      await anew.abandon();
    }
  }
}

/** Bytes of the line of a record. */
function sizeOf(doc: object): number {
  return Buffer.byteLength(JSON.stringify(doc)) + 1;
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
