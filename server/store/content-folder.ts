/**
 * Contents of files that people add, media and fonts alike: each once, under its ID, in a folder of its own. What is
 * known of them are records; content without a record stays, because the record may only be lost.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { contentKey, type ContentKind, type Storage } from './storage.ts';
import { errorCode, exists, renameOver } from '../system/files.ts';
import { flushFile, Removals } from './files.ts';
import type { StoreNotice } from './repair.ts';

/** Storage that has the same contents, for workers that don't reach the folder. */
export interface ContentCopies {
  readonly storage: Storage;
  readonly kind: ContentKind;
}

/** A folder of contents, with one beside it for those that are still coming. */
export class ContentFolder {
  /** Only contents, by ID. */
  readonly folder: string;
  /** Where uploads are written before they are added; on the same drive. */
  readonly uploads: string;

  readonly #isShared: boolean;
  readonly #copies: ContentCopies | null;
  readonly #removals: Removals;

  /**
   * @param parent of both folders
   * @param isShared Whether other servers may be writing uploads there now. Default false.
   * @param copies Default: none.
   * @param removals wait while a backup is made. Default: nobody makes any.
   */
  constructor(
    parent: string,
    isShared = false,
    copies: ContentCopies | null = null,
    removals = new Removals(),
  ) {
    this.#isShared = isShared;
    this.#copies = copies;
    this.#removals = removals;
    this.folder = path.join(parent, 'content');
    this.uploads = path.join(parent, 'uploads');
  }

  /** Makes the folders, and removes uploads that a crash left. @param more folders that are made as well */
  async prepare(more: readonly string[] = []): Promise<void> {
    if (!this.#isShared) await rm(this.uploads, { recursive: true, force: true });
    for (const part of [this.folder, this.uploads, ...more]) {
      // On a full disk, what is there can still be listed and used.
      await mkdir(part, { recursive: true, mode: 0o700 }).catch(() => undefined);
    }
  }

  /**
   * What to tell when the file with the records was missing, but contents are there.
   * @param file with the records, e.g. `media.db`
   * @param what the contents are called, e.g. `fonts`
   */
  async lost(file: string, what: string): Promise<readonly StoreNotice[]> {
    const { length } = await readdir(this.folder).catch(() => []);
    if (length === 0) return [];
    const text = `${file} was missing: the ${length} ${what} in ${this.folder} have no facts. Adding them again brings them back.`;
    return [{ text }];
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
    if (this.#copies) {
      const { storage, kind } = this.#copies;
      await storage.put(contentKey(kind, id), { file: upload });
    }
    await this.#removals.keep(this.pathOf(id));
    await renameOver(upload, this.pathOf(id));
  }

  async remove(id: string): Promise<void> {
    await this.#removals.remove(this.pathOf(id));
    // A copy that stays because the storage is away is swept (cluster/jobs/content-copies.ts).
    await this.#copies?.storage.remove(contentKey(this.#copies.kind, id)).catch(() => undefined);
  }
}
