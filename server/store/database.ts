/**
 * One collection of records in one NeDB data file, which keeps what it acknowledges: changes are flushed before they
 * are answered, a failed write is undone on disk and in memory, and a read-only folder can still be read.
 *
 * Reads come from a map of the acknowledged records, which never contains a change that is not yet on the disk (and
 * needs no copy). Collections store what users send as JSON text in one field: NeDB allows no dots or dollar signs in
 * field names and turns `{"$$date": …}` into dates.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type Datastore from 'nedb-promises';
import type { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Snapshot } from './backups.ts';
import {
  Compaction,
  type DataFile,
  fillDatabase,
  isWasteful,
  openedNote,
  readDataFile,
} from './data-file.ts';
import { cutFile, flushFile, writeWhole } from './files.ts';
import { errorCode } from '../system/files.ts';
import { reasonOf, type StoreHealth } from './health.ts';
import {
  asError,
  EditedRecords,
  workOut,
  type CollectionName,
  type Edit,
  type Identified,
  type Outcome,
  type RecordKeeper,
  type Records,
} from './records.ts';
import { needsRepair, repairDataFile, type StoreNotice } from './repair.ts';

/** What a collection is opened with. */
export interface CollectionOptions<Doc extends Identified> {
  /** The data file. */
  readonly file: string;
  /** The form of a record. Others are set aside when the file is opened, and no change creates one. */
  readonly schema: z.ZodType<Doc>;
  readonly log: Log;
  /** Notified when writing fails. Default: nobody. */
  readonly health?: StoreHealth | undefined;
}

/** A change waiting for the disk. */
interface Waiting<Doc> {
  readonly edit: Edit<Doc>;
  /** Receives the edit's result. */
  readonly resolve: (done: Outcome<Doc> | null) => void;
  readonly reject: (error: Error) => void;
}

/** Records of one kind. Changes happen one after the other; those that arrive together share one flush. */
export class Collection<Doc extends Identified> extends EditedRecords<Doc> implements Records<Doc> {
  readonly #file: string;
  readonly #schema: z.ZodType<Doc>;
  readonly #log: Log;
  readonly #health: StoreHealth | undefined;
  /** The acknowledged records, shared with readers and never changed in place. */
  readonly #docs = new Map<string, Doc>();
  /** Bytes of each record's line, and of all together. */
  readonly #sizes = new Map<string, number>();
  #live = 0;
  /** Records that this version does not understand, until they are set aside. */
  #unknown: Identified[] = [];
  /** Null while the file can't be written. */
  #data: Datastore<Doc> | null = null;
  /** Length of the acknowledged part of the file; null until it is opened for writing. */
  #goodLength: number | null = null;
  /** Why the file can't be written; null while it can. */
  #lastError: Error | null = null;
  readonly #waiting: Waiting<Doc>[] = [];
  /** Work on the file itself, waiting for its turn among the changes. Never rejects. */
  readonly #turns: (() => Promise<void>)[] = [];
  #draining: Promise<void> | null = null;
  #compacting: Promise<void> | null = null;
  /** How often the file has been rewritten. */
  #edition = 0;
  /** Length below which the file is not rewritten, after that failed. */
  #notBelow = 0;
  #closing = false;
  /** What had to be repaired at opening. */
  readonly notices: StoreNotice[] = [];
  changes = 0;

  private constructor({ file, schema, log, health }: CollectionOptions<Doc>) {
    super();
    this.#file = file;
    this.#schema = schema;
    this.#log = log;
    this.#health = health;
    health?.include(() => this.#makeWritable());
  }

  /**
   * Opens the data file, repairing it first if needed; a missing file starts empty. If it can't be written (full disk),
   * the records can be read, and every change is refused until it can.
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

  /** Waits for the changes under way. */
  async close(): Promise<void> {
    this.#closing = true;
    while (this.#compacting) await this.#compacting;
    while (this.#draining) await this.#draining;
  }

  /** Opens the file for writing if that failed before, in its turn among the changes. @throws the disk's error. */
  async #makeWritable(): Promise<void> {
    if (this.#data) return;
    await this.#inTurn(() => this.#load()).catch((error: unknown) => {
      this.#lastError = asError(error);
    });
    if (this.#lastError !== null) throw this.#lastError;
  }

  protected override apply(edit: Edit<Doc>): Promise<Outcome<Doc> | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ edit, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Runs work on the file while no change is being written. */
  #inTurn(work: () => Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#turns.push(async () => {
        await work().then(() => resolve(), reject);
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Writes all waiting changes as one batch; repeats while more arrive. */
  async #drain(): Promise<void> {
    for (;;) {
      const turn = this.#turns.shift();
      if (turn) await turn();
      else if (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0));
      else break;
    }
    // In the same step as the last check: a later change starts a new drain.
    this.#draining = null;
    this.#compactIfWasteful();
  }

  /**
   * Computes changes, writes them, flushes once, and answers them all alike; one that can't be computed fails alone.
   */
  async #writeBatch(batch: readonly Waiting<Doc>[]): Promise<void> {
    const next = new Map<string, Doc | null>();
    const outcomes: Outcome<Doc>[] = [];
    const answers: (() => void)[] = [];
    const refusals: Waiting<Doc>['reject'][] = [];
    for (const { edit, resolve, reject } of batch) {
      try {
        const done = workOut(edit, this.#schema, next, (id) => this.find(id));
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

  /** Writes and flushes, then updates memory. @throws the disk's error. */
  async #save(outcomes: readonly Outcome<Doc>[]): Promise<void> {
    const data = (this.#data ??= await this.#load());
    if (outcomes.length === 0) return;
    const isThere = new Map<string, boolean>();
    for (const { id, doc } of outcomes) {
      const isNew = !(isThere.get(id) ?? this.#docs.has(id));
      await applyTo(data, id, doc, isNew);
      isThere.set(id, doc !== null);
    }
    const length = await flushFile(this.#file);
    // Someone has removed the file: what we appended started a new one.
    if (length <= (this.#goodLength ?? 0)) throw new Error(`${this.#file} is shorter than it was`);
    this.#goodLength = length;
    for (const { id, doc } of outcomes) this.#take(id, doc);
  }

  /** Adds a record to memory, or removes it. */
  #take(id: string, doc: Doc | null, size = doc ? sizeOf(doc) : 0): void {
    this.changes += 1;
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
   * After a failed write the file may end in half a line, and NeDB contains what the file does not. Restores both from
   * what was acknowledged; if that fails too, the next change tries again.
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

  /** Prepares the file for changes. @throws the disk's error. */
  async #load(): Promise<Datastore<Doc>> {
    if (this.#goodLength === null) await this.#prepare(await readDataFile(this.#file));
    else await this.#cutBack(this.#goodLength);
    if (this.#unknown.length > 0) await this.#setAside();
    this.#data = fillDatabase(this.#file, this.all());
    this.#lastError = null;
    return this.#data;
  }

  /** Repairs the file if needed, and makes sure that it has content. @returns its content. */
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

  /** Cuts off what was not acknowledged. Rewrites a file that someone removed or emptied. */
  async #cutBack(length: number): Promise<void> {
    const found = await stat(this.#file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (found && found.size >= length) {
      await cutFile(this.#file, length);
      return;
    }
    const compaction = await Compaction.begin(this.#file, 0);
    try {
      await compaction.add(this.#docs.values(), () => false);
      this.#goodLength = await compaction.finish(0);
      this.#edition++;
      this.#log('warning', 'store', `${this.#file} was removed; it was written again.`);
    } catch (error) {
      await compaction.abandon();
      throw error;
    }
  }

  /** Fills the map from the file. */
  #takeIn({ records, sizes }: DataFile): void {
    for (const [id, record] of records) {
      const { success, data } = this.#schema.safeParse(record);
      if (success) this.#take(id, data, sizes.get(id));
      // It has an ID at least, or it would count as damaged.
      else this.#unknown.push(record as Identified);
    }
  }

  /** Moves records that this version does not understand to a file beside the data. */
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

  /** Rewrites the file if worthwhile; changes go on meanwhile. */
  #compactIfWasteful(): void {
    const length = this.#goodLength ?? 0;
    if (this.#compacting || this.#closing || !this.#data || length < this.#notBelow) return;
    if (!isWasteful(length, this.#live)) return;
    this.#compacting = this.#compact(length)
      .catch((error: unknown) => {
        const reason = describeError(error);
        this.#log('warning', 'store', `${this.#file} could not be rewritten: ${reason}`);
        // Don't retry at once: the disk may be full, which does not harm the current file.
        this.#notBelow = length * 1.5;
      })
      .finally(() => {
        this.#compacting = null;
      });
  }

  async #compact(length: number): Promise<void> {
    // No change is being written now, so the file contains exactly these records.
    const docs = this.all();
    const edition = this.#edition;
    const compaction = await Compaction.begin(this.#file, length);
    try {
      await compaction.add(docs, () => this.#closing);
      if (!this.#closing) {
        await this.#inTurn(async () => {
          // Leave a file that can't be written now, or was rewritten meanwhile.
          if (!this.#data || this.#goodLength === null || this.#edition !== edition) return;
          this.#goodLength = await compaction.finish(this.#goodLength);
          this.#edition++;
        });
      }
    } finally {
      await compaction.abandon();
    }
  }
}

/** Collections as files. */
export interface FileKeeper extends RecordKeeper {
  /** The acknowledged records of all opened collections at this moment. */
  readonly snapshot: () => Snapshot;
}

/** Collections as data files in a folder, `NAME.db`. */
export function keepInFiles(folder: string, log: Log, health?: StoreHealth): FileKeeper {
  const fileOf = (name: string): string => path.join(folder, `${name}.db`);
  const opened = new Map<CollectionName, { all(): readonly Identified[] }>();
  return {
    open: async (name, schema) => {
      const collection = await Collection.open({ file: fileOf(name), schema, log, health });
      opened.set(name, collection);
      return collection;
    },
    snapshot: () => new Map([...opened].map(([name, collection]) => [name, collection.all()])),
    isMissing: async (name) => (await stat(fileOf(name)).catch(() => null)) === null,
    close: () => Promise.resolve(),
  };
}

/** Bytes of a record's line. */
function sizeOf(doc: object): number {
  return Buffer.byteLength(JSON.stringify(doc)) + 1;
}

/** Applies one change to NeDB. */
async function applyTo<Doc extends Identified>(
  data: Datastore<Doc>,
  id: string,
  doc: Doc | null,
  isNew: boolean,
): Promise<void> {
  if (!doc) await data.remove({ _id: id }, {});
  else if (isNew) await data.insert(doc);
  else await data.update({ _id: id }, doc);
}
