/**
 * Feeds, tables whose rows become renders, and the batches that render them. A feed's facts are a record; its rows, and
 * the rows of each batch at its start, are a file each, because they are large and change as a whole.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { FixedValue } from '../../shared/api/feeds.ts';
import { ApiError } from '../../shared/errors.ts';
import { retention } from '../../shared/limits.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import { removeUnfinished, writeWhole, Removals } from './files.ts';
import { reasonOf, type StoreHealth } from './health.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const column = z.object({
  id: z.string(),
  name: z.string(),
  /** The modification that its values set, e.g. `Title.text`; absent: none. */
  target: z.string().optional(),
});

/** A file or folder that the feed follows. */
const watch = z.object({
  path: z.string(),
  renders: z.boolean(),
  /** Name, time and size of the table that was read last. */
  seen: z.string().optional(),
  readAt: z.number().optional(),
  /**
   * The table that is being read, and how often that was begun: a later start finds it if the program ended meanwhile.
   */
  reading: z.object({ print: z.string(), times: z.number() }).optional(),
});

const feedDoc = z.object({
  _id: z.string(),
  project: z.string(),
  name: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  columns: z.array(column),
  rowCount: z.number(),
  /** The file of its rows: a new one for each version, so that a crash leaves the old or the new. */
  rowFile: z.string(),
  /** The template for the rows. */
  template: z.string().optional(),
  /** Values that are the same in all rows. */
  fixed: z.array(z.object({ target: z.string(), value: z.string() })).optional(),
  /** An empty cell empties what it fills. */
  clearsEmpty: z.boolean().optional(),
  /** Pattern for the names of files. */
  names: z.string().optional(),
  watch: watch.optional(),
  /** The folder that its cells name files in. */
  mediaFolder: z.string().optional(),
});

const batchDoc = z.object({
  _id: z.string(),
  project: z.string(),
  feed: z.string(),
  template: z.string(),
  /** With their mapping at the time. */
  columns: z.array(column),
  createdAt: z.number(),
  rowCount: z.number(),
  /** True when every row has its render, or the batch was given up. */
  done: z.boolean(),
  /** Why it was given up. */
  error: z.string().optional(),
  /** Its renders wait until someone lets them go on. */
  paused: z.boolean().optional(),
});

const row = z.object({ id: z.string(), values: z.record(z.string(), z.string()) });
/** Rows as stored. */
export const rowList = z.array(row);

type FeedDoc = z.infer<typeof feedDoc>;
type BatchDoc = z.infer<typeof batchDoc>;

/** A column of a feed. */
export type FeedColumn = z.infer<typeof column>;
/** What a feed follows. */
export type StoredWatch = z.infer<typeof watch>;
/** A row: values by the IDs of their columns. */
export type FeedRow = z.infer<typeof row>;
/** A stored feed without its rows. */
export type StoredFeed = Omit<FeedDoc, '_id'> & { readonly id: string };
/** A stored batch without its rows. */
export type StoredBatch = Omit<BatchDoc, '_id'> & { readonly id: string };

/** A table as it was imported: values in the order of the columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The content of a rows file, and the number of rows. */
export interface RowBytes {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/** What can be changed in a feed. */
export interface FeedChange {
  readonly name?: string;
  readonly columns?: readonly FeedColumn[];
  /** Null removes it. */
  readonly template?: string | null;
  readonly fixed?: readonly FixedValue[];
  readonly clearsEmpty?: boolean;
  readonly names?: string;
  /** Null: none any more. */
  readonly watch?: StoredWatch | null;
  /** Null: none any more. */
  readonly mediaFolder?: string | null;
}

/** The feeds of the data folder, of all projects. */
export class FeedStore {
  readonly #feeds: Records<FeedDoc>;
  readonly #batches: Records<BatchDoc>;
  readonly #folder: string;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #health: StoreHealth | undefined;
  readonly #removals: Removals;
  readonly #listeners = new Set<() => void>();

  private constructor(parts: {
    feeds: Records<FeedDoc>;
    batches: Records<BatchDoc>;
    folder: string;
    log: Log;
    clock: Clock;
    health: StoreHealth | undefined;
    removals: Removals;
  }) {
    this.#feeds = parts.feeds;
    this.#batches = parts.batches;
    this.#folder = parts.folder;
    this.#log = parts.log;
    this.#clock = parts.clock;
    this.#health = parts.health;
    this.#removals = parts.removals;
  }

  /** Opens the collections `feeds` and `batches`, and `feed-rows/` in a folder. */
  static async open(
    keeper: RecordKeeper,
    folder: string,
    log: Log,
    clock: Clock,
    health?: StoreHealth,
    removals = new Removals(),
  ): Promise<FeedStore> {
    const rowFolder = path.join(folder, 'feed-rows');
    await mkdir(rowFolder, { recursive: true, mode: 0o700 });
    await removeUnfinished(rowFolder);
    const [feeds, batches] = await Promise.all([
      keeper.open('feeds', feedDoc),
      keeper.open('batches', batchDoc),
    ]);
    return new FeedStore({ feeds, batches, folder: rowFolder, log, clock, health, removals });
  }

  get notices(): readonly StoreNotice[] {
    return [...this.#feeds.notices, ...this.#batches.notices];
  }

  /** Calls a function after each change of a feed or batch. @returns the function that ends it. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The feed, or null. */
  find(id: string): StoredFeed | null {
    const doc = this.#feeds.find(id);
    return doc && fromDoc(doc);
  }

  /** All feeds, newest change first; of one project if named. */
  list(project?: string): StoredFeed[] {
    const docs = this.#feeds.all().filter((doc) => (project ?? doc.project) === doc.project);
    return docs.sort((a, b) => b.updatedAt - a.updatedAt).map(fromDoc);
  }

  /** The rows of a feed, in their order: JSON of a list. @throws when their file is missing. */
  rowBytesOf({ rowFile }: StoredFeed): Promise<Buffer> {
    return readFile(this.#rowPath(rowFile));
  }

  /** Stores a new feed. @throws ApiError `cannot_save`. */
  async insert(
    project: string,
    name: string,
    columns: readonly FeedColumn[],
    rows: RowBytes,
  ): Promise<StoredFeed> {
    const rowFile = await this.#writeRows(rows);
    const now = this.#clock.now();
    const times = { createdAt: now, updatedAt: now };
    const facts = { project, name, ...times, columns: [...columns], rowCount: rows.count, rowFile };
    const stored = await this.#feeds.write({ _id: randomUUID(), ...facts });
    this.#tell();
    return fromDoc(stored);
  }

  /** Changes the given values. @returns null if there is no such feed. @throws ApiError `cannot_save`. */
  async change(id: string, change: FeedChange): Promise<StoredFeed | null> {
    const { template, watch: followed, mediaFolder, columns, fixed, ...given } = change;
    const changed = await this.#feeds.change(id, (all) => {
      const { template: before, watch: last, mediaFolder: beside, ...doc } = all;
      const chosen = template === undefined ? before : template;
      const follows = followed === undefined ? last : followed;
      const folder = mediaFolder === undefined ? beside : mediaFolder;
      return {
        ...doc,
        ...given,
        ...(columns && { columns: [...columns] }),
        ...(fixed && { fixed: [...fixed] }),
        ...(chosen !== null && chosen !== undefined && { template: chosen }),
        ...(follows !== null && follows !== undefined && { watch: follows }),
        ...(folder !== null && folder !== undefined && { mediaFolder: folder }),
        updatedAt: Math.max(this.#clock.now(), doc.updatedAt + 1),
      };
    });
    this.#tell();
    return changed && fromDoc(changed);
  }

  /**
   * Replaces the table of a feed. Existing columns keep their mapping.
   *
   * @param watch The file that it was read from, where the feed still follows it.
   * @returns null when there is no such feed. @throws ApiError `cannot_save`.
   */
  async replaceTable(
    id: string,
    columns: readonly FeedColumn[],
    rows: RowBytes,
    watch?: StoredWatch,
  ): Promise<StoredFeed | null> {
    const feed = this.find(id);
    return feed && this.#replaceRows(feed, rows, { columns, watch });
  }

  /**
   * Replaces the rows of a feed.
   *
   * @param seen Its `updatedAt` as whoever changed the rows knows it; undefined: whatever is there is replaced.
   * @throws ApiError `cannot_save`, `feed_changed`.
   */
  async replaceRows(id: string, rows: RowBytes, seen?: number): Promise<StoredFeed | null> {
    const feed = this.find(id);
    return feed && this.#replaceRows(feed, rows, { seen });
  }

  /** @returns false when there is no such feed. @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<boolean> {
    const feed = this.find(id);
    const removed = await this.#feeds.remove(id);
    if (feed) await this.#removals.remove(this.#rowPath(feed.rowFile));
    this.#tell();
    return removed;
  }

  /** Stores a batch with the rows to render, in the form that their reader wants. @throws ApiError `cannot_save`. */
  async insertBatch(feed: StoredFeed, template: string, rows: RowBytes): Promise<StoredBatch> {
    const id = randomUUID();
    await this.#writeRows(rows, batchFile(id));
    const { project, columns } = feed;
    const facts = { project, feed: feed.id, template, columns, done: false };
    const now = this.#clock.now();
    const batch = { _id: id, createdAt: now, rowCount: rows.count, ...facts };
    const stored = await this.#batches.write(batch);
    this.#tell();
    return fromDoc(stored);
  }

  /** The batch, or null. */
  findBatch(id: string): StoredBatch | null {
    const doc = this.#batches.find(id);
    return doc && fromDoc(doc);
  }

  /**
   * Keeps whether the renders of a batch wait.
   * @returns null when there is no such batch.
   * @throws ApiError `cannot_save`.
   */
  async pauseBatch(id: string, paused: boolean): Promise<StoredBatch | null> {
    const changed = await this.#batches.change(id, (doc) => ({ ...doc, paused }));
    this.#tell();
    return changed && fromDoc(changed);
  }

  /** Batches, newest first. */
  listBatches(): StoredBatch[] {
    const docs = this.#batches.all().sort((a, b) => b.createdAt - a.createdAt);
    return docs.map(fromDoc);
  }

  /** The rows of a batch, as stored. @throws when their file is missing. */
  rowBytesOfBatch(id: string): Promise<Buffer> {
    return readFile(this.#rowPath(batchFile(id)));
  }

  /** Marks a batch as done; its rows are no longer needed. @throws ApiError `cannot_save`. */
  async endBatch(id: string, error?: string): Promise<void> {
    await this.#batches.change(id, (doc) => ({
      ...doc,
      done: true,
      ...(error !== undefined && { error }),
    }));
    await this.#removals.remove(this.#rowPath(batchFile(id)));
    this.#tell();
  }

  /**
   * Removes rows that no record has: a crash came between the record and its file. Younger ones stay, because records
   * may be restored from a backup of an earlier version, which has no rows of its own.
   *
   * @param before ms since 1970: the start of the program.
   */
  async removeStrays(before: number): Promise<void> {
    const running = this.#batches.all().filter(({ done }) => !done);
    const known = new Set([
      ...this.#feeds.all().map(({ rowFile }) => rowFile),
      ...running.map(({ _id }) => batchFile(_id)),
    ]);
    for (const name of await readdir(this.#folder)) {
      if (known.has(name)) continue;
      const file = this.#rowPath(name);
      const found = await stat(file).catch(() => null);
      if (!found || found.mtimeMs >= before - retention.renders) continue;
      await rm(file, { force: true }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#feeds.close(), this.#batches.close()]);
  }

  async #replaceRows(
    feed: StoredFeed,
    rows: RowBytes,
    given: {
      readonly columns?: readonly FeedColumn[];
      readonly seen?: number | undefined;
      readonly watch?: StoredWatch | undefined;
    },
  ): Promise<StoredFeed | null> {
    const { columns, seen, watch: read } = given;
    const rowFile = await this.#writeRows(rows);
    let unused = rowFile;
    const changed = await this.#feeds.change(feed.id, (doc) => {
      unused = rowFile;
      if (seen !== undefined && seen !== doc.updatedAt) return doc;
      unused = doc.rowFile;
      return {
        ...doc,
        // Columns keep what was set meanwhile.
        ...(columns && {
          columns: columns.map((one) => doc.columns.find(({ id }) => id === one.id) ?? one),
        }),
        ...(read &&
          doc.watch?.path === read.path && { watch: { ...read, renders: doc.watch.renders } }),
        rowCount: rows.count,
        rowFile,
        updatedAt: Math.max(this.#clock.now(), doc.updatedAt + 1),
      };
    });
    await this.#removals.remove(this.#rowPath(unused));
    this.#tell();
    if (changed && changed.rowFile !== rowFile) throw new ApiError('feed_changed', { id: feed.id });
    return changed && fromDoc(changed);
  }

  async #writeRows({ bytes }: RowBytes, name = `${randomUUID()}.json`): Promise<string> {
    try {
      await writeWhole(this.#rowPath(name), bytes);
    } catch (error) {
      this.#log('error', 'store', `${name} can't be written: ${describeError(error)}`);
      this.#health?.doubt();
      const reason = reasonOf(error);
      throw new ApiError('cannot_save', { reason });
    }
    return name;
  }

  /** Names are ours, made by randomUUID. */
  #rowPath(name: string): string {
    return path.join(this.#folder, name);
  }
}

/** The ID of the render of a row in a batch: always the same one, so that a row is never rendered twice. */
export function batchRenderId(batch: string, rowId: string): string {
  const hex = createHash('sha256').update(`${batch} ${rowId}`).digest('hex');
  // The form of a random UUID (version 4, variant 10), which clients may check.
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function batchFile(id: string): string {
  return `batch-${id}.json`;
}

function fromDoc<Doc extends { readonly _id: string }>(
  doc: Doc,
): Omit<Doc, '_id'> & { readonly id: string } {
  const { _id: id, ...fields } = doc;
  return { ...fields, id };
}
