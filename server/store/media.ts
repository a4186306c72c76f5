/**
 * The media library: files that people add, stored once per content. The facts are a record; the content is stored under its
 * ID in a folder that is one of the renders' media folders, so that `media:ID` finds it.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { flushFile } from './files.ts';
import { errorCode, renameOver } from '../system/files.ts';
import { mediaFacts } from './media-facts.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const mediaDoc = mediaFacts.extend({
  /** The beginning of the content's SHA-256, 32 hexadecimal digits. */
  _id: z.string(),
  /** The file's original name. */
  name: z.string(),
  bytes: z.number(),
  addedAt: z.number(),
  /** File ending of its thumbnail; null: none. */
  thumbnail: z.enum(['jpg', 'png']).nullable(),
});

type MediaDoc = z.infer<typeof mediaDoc>;

/** A file of the library. */
export type StoredMedia = Omit<MediaDoc, '_id'> & { readonly id: string };

/** The files of the data folder's library, of all projects. */
export class MediaStore {
  readonly #collection: Records<MediaDoc>;
  readonly #clock: Clock;
  /** Only content, by ID: renders may read everything here. */
  readonly contentFolder: string;
  readonly #thumbnailFolder: string;
  /** Where uploads are written before they are added; on the same drive. */
  readonly uploadFolder: string;

  private constructor(collection: Records<MediaDoc>, folder: string, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
    this.contentFolder = path.join(folder, 'content');
    this.#thumbnailFolder = path.join(folder, 'thumbnails');
    this.uploadFolder = path.join(folder, 'uploads');
  }

  /**
   * Opens the collection `media` and the library's own folder. Removes uploads that a crash left; content without
   * a record stays, because the record may only be lost.
   */
  static async open(keeper: RecordKeeper, folder: string, clock: Clock): Promise<MediaStore> {
    const isMissing = await keeper.isMissing('media');
    const collection = await keeper.open('media', mediaDoc);
    const store = new MediaStore(collection, folder, clock);
    const lost = isMissing ? await readdir(store.contentFolder).catch(() => []) : [];
    if (lost.length > 0) {
      const text = `media.db was missing: the ${lost.length} files of the library in ${store.contentFolder} have no facts. Adding them again brings them back.`;
      collection.notices.push({ text });
    }
    await rm(store.uploadFolder, { recursive: true, force: true });
    for (const part of [store.contentFolder, store.#thumbnailFolder, store.uploadFolder]) {
      // On a full disk existing files can still be listed and used.
      await mkdir(part, { recursive: true, mode: 0o700 }).catch(() => undefined);
    }
    return store;
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** Newest first. */
  list(): StoredMedia[] {
    return this.#collection
      .all()
      .sort((a, b) => b.addedAt - a.addedAt || (a._id < b._id ? -1 : 1))
      .map(storedMedia);
  }

  /** The file's facts, or null. */
  find(id: string): StoredMedia | null {
    const doc = this.#collection.find(id);
    return doc && storedMedia(doc);
  }

  /** True if the content of a file is complete; someone may have tidied up the folder. */
  async hasContent({ id, bytes }: StoredMedia): Promise<boolean> {
    try {
      return (await stat(this.#contentPath(id))).size === bytes;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** Path of a file's thumbnail; null if it has none. */
  thumbnailPath({ id, thumbnail }: StoredMedia): string | null {
    return thumbnail === null ? null : path.join(this.#thumbnailFolder, `${id}.${thumbnail}`);
  }

  /**
   * Adds a file: moves its content and thumbnail here and flushes them before writing the record.
   *
   * @throws ApiError `cannot_save`.
   */
  async keep(
    media: Omit<StoredMedia, 'addedAt'>,
    contentPath: string,
    thumbnailPath: string | null,
  ): Promise<StoredMedia> {
    const { id, ...facts } = media;
    const doc: MediaDoc = { _id: id, ...facts, addedAt: this.#clock.now() };
    const picture = this.thumbnailPath(storedMedia(doc));
    if (picture !== null && thumbnailPath !== null) await renameOver(thumbnailPath, picture);
    await flushFile(contentPath);
    await renameOver(contentPath, this.#contentPath(id));
    await this.#collection.write(doc);
    return storedMedia(doc);
  }

  /**
   * Keeps content that has no facts, and so is not listed: fonts and subtitles that a template brought with it. `media:ID` finds
   * it like the others.
   */
  async keepPart(id: string, contentPath: string): Promise<void> {
    await flushFile(contentPath);
    await renameOver(contentPath, this.#contentPath(id));
  }

  /** Removes a file permanently. @returns false if there is none. @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<boolean> {
    const media = this.find(id);
    if (!media) return false;
    await this.#collection.remove(id);
    await rm(this.#contentPath(id), { force: true });
    const picture = this.thumbnailPath(media);
    if (picture !== null) await rm(picture, { force: true });
    return true;
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  #contentPath(id: string): string {
    return path.join(this.contentFolder, id);
  }
}

function storedMedia({ _id: id, ...facts }: MediaDoc): StoredMedia {
  return { id, ...facts };
}
