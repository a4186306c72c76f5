/**
 * Contents of files that people add, media and fonts alike: each once, under its ID, in a folder of its own. What is
 * known of them are records; content without a record stays, because the record may only be lost.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { contentKey, type ContentKind, type Storage } from './storage.ts';
import { errorCode, exists, renameOver } from '../system/files.ts';
import { flushFile, Removals } from './files.ts';
import type { Identified, RecordKeeper, Records } from './records.ts';

/** Where contents are kept. */
export interface ContentPlace {
  /** Has a folder for contents and one for uploads. */
  readonly folder: string;
  /** Other servers may be writing uploads there now. Default false. */
  readonly isShared?: boolean;
  /** Gets a copy of each content, for workers that don't reach the folder. Default: none. */
  readonly storage?: Storage | null;
  /** Wait while a backup is made. Default: nobody makes any. */
  readonly removals?: Removals;
}

/** A folder of contents, with one beside it for those that are still coming. */
export class ContentFolder {
  /** Only contents, by ID. */
  readonly folder: string;
  /** Where uploads are written before they are added; on the same drive. */
  readonly uploads: string;

  readonly #kind: ContentKind;
  readonly #storage: Storage | null;
  readonly #removals: Removals;

  private constructor(kind: ContentKind, { folder, storage, removals }: ContentPlace) {
    this.#kind = kind;
    this.#storage = storage ?? null;
    this.#removals = removals ?? new Removals();
    this.folder = path.join(folder, 'content');
    this.uploads = path.join(folder, 'uploads');
  }

  /**
   * Opens the records of contents and their folders, and removes uploads that a crash left.
   *
   * @param what the contents are called, e.g. `fonts`
   * @param more folders that are made as well
   */
  static async open<Doc extends Identified>(
    keeper: RecordKeeper,
    kind: ContentKind,
    schema: z.ZodType<Doc>,
    place: ContentPlace,
    what: string,
    more: readonly string[] = [],
  ): Promise<{ readonly collection: Records<Doc>; readonly contents: ContentFolder }> {
    const isMissing = await keeper.isMissing(kind);
    const collection = await keeper.open(kind, schema);
    const contents = new ContentFolder(kind, place);
    const { length } = isMissing ? await readdir(contents.folder).catch(() => []) : [];
    if (length > 0) {
      const text = `${kind}.db was missing: the ${length} ${what} in ${contents.folder} have no facts. Adding them again brings them back.`;
      collection.notices.push({ text });
    }
    if (place.isShared !== true) await rm(contents.uploads, { recursive: true, force: true });
    for (const part of [contents.folder, contents.uploads, ...more]) {
      // On a full disk, what is there can still be listed and used.
      await mkdir(part, { recursive: true, mode: 0o700 }).catch(() => undefined);
    }
    return { collection, contents };
  }

  /** Where a content is, or would be. */
  pathOf(id: string): string {
    return path.join(this.folder, id);
  }

  /** True if a content is complete; someone may have tidied up the folder. @throws what the disk says otherwise. */
  async isWhole(id: string, bytes: number): Promise<boolean> {
    try {
      return (await stat(this.pathOf(id))).size === bytes;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** True if there is something, complete or not. */
  has(id: string): Promise<boolean> {
    return exists(this.pathOf(id));
  }

  /** Moves a flushed upload here, over an equal one. @throws what the disk says, StorageError. */
  async take(id: string, upload: string): Promise<void> {
    await flushFile(upload);
    // Storage first: once a content is listed, every worker finds it.
    await this.#storage?.put(contentKey(this.#kind, id), { file: upload });
    await this.#removals.keep(this.pathOf(id));
    await renameOver(upload, this.pathOf(id));
  }

  async remove(id: string): Promise<void> {
    await this.#removals.remove(this.pathOf(id));
    // A copy that stays because the storage is away is swept (cluster/jobs/content-copies.ts).
    await this.#storage?.remove(contentKey(this.#kind, id)).catch(() => undefined);
  }
}
