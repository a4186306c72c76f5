/**
 * Fonts that people add, stored once per content. The facts are a record; the content is stored under its ID in a folder of
 * its own. Texts of all projects can use them by the name of their family.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { renameOver } from '../system/files.ts';
import { flushFile } from './files.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const fontDoc = z.object({
  /** The beginning of the content's SHA-256, 32 hexadecimal digits. */
  _id: z.string(),
  /** The file's original name. */
  name: z.string(),
  family: z.string(),
  style: z.enum(['normal', 'italic']),
  /** 1–1000; equal unless the weight is variable. */
  minWeight: z.number(),
  maxWeight: z.number(),
  bytes: z.number(),
  addedAt: z.number(),
});

type FontDoc = z.infer<typeof fontDoc>;

/** A font file that someone added. */
export type StoredFont = Omit<FontDoc, '_id'> & {
  readonly id: string;
  /** Absolute path of its content; contains the ID. */
  readonly path: string;
};

/** The added fonts of the data folder, of all projects. */
export class FontStore {
  readonly #collection: Records<FontDoc>;
  readonly #clock: Clock;
  readonly #contentFolder: string;
  /** Where uploads are written before they are added; on the same drive. */
  readonly uploadFolder: string;
  #listed: readonly StoredFont[] | null = null;

  private constructor(collection: Records<FontDoc>, folder: string, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
    this.#contentFolder = path.join(folder, 'content');
    this.uploadFolder = path.join(folder, 'uploads');
  }

  /**
   * Opens the collection `fonts` and its folder. Removes uploads that a crash left; content without a record stays, because
   * the record may only be lost.
   */
  static async open(keeper: RecordKeeper, folder: string, clock: Clock): Promise<FontStore> {
    const isMissing = await keeper.isMissing('fonts');
    const collection = await keeper.open('fonts', fontDoc);
    const store = new FontStore(collection, folder, clock);
    const lost = isMissing ? await readdir(store.#contentFolder).catch(() => []) : [];
    if (lost.length > 0) {
      const text = `fonts.db was missing: the ${lost.length} fonts in ${store.#contentFolder} have no facts. Adding them again brings them back.`;
      collection.notices.push({ text });
    }
    await rm(store.uploadFolder, { recursive: true, force: true });
    for (const part of [store.#contentFolder, store.uploadFolder]) {
      // On a full disk existing fonts can still be listed and used.
      await mkdir(part, { recursive: true, mode: 0o700 }).catch(() => undefined);
    }
    return store;
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** All files by family, weight and style. The same array until something changes. */
  list(): readonly StoredFont[] {
    // Families are the same whatever their case.
    const { compare } = new Intl.Collator('en', { sensitivity: 'accent' });
    this.#listed ??= this.#collection
      .all()
      .map(({ _id: id, ...facts }) => ({ id, ...facts, path: this.#contentPath(id) }))
      .sort(
        (a, b) =>
          compare(a.family, b.family) ||
          a.minWeight - b.minWeight ||
          compare(b.style, a.style) ||
          a.addedAt - b.addedAt,
      );
    return this.#listed;
  }

  /** The files of a family, whatever the case of its name; empty for an unknown one. */
  ofFamily(family: string): readonly StoredFont[] {
    const key = family.toLowerCase();
    return this.list().filter((font) => font.family.toLowerCase() === key);
  }

  /** True if the content of a font is complete; someone may have tidied up the folder. */
  async hasContent({ path: file, bytes }: StoredFont): Promise<boolean> {
    const found = await stat(file).catch(() => null);
    return found?.size === bytes;
  }

  /**
   * Adds a font: moves its content here and flushes it before writing the record.
   *
   * @throws ApiError `cannot_save`.
   */
  async keep(
    { id, ...facts }: Omit<StoredFont, 'addedAt' | 'path'>,
    content: string,
  ): Promise<void> {
    await flushFile(content);
    await renameOver(content, this.#contentPath(id));
    await this.#collection.write({ _id: id, ...facts, addedAt: this.#clock.now() });
    this.#listed = null;
  }

  /** Removes all files of a family permanently. @returns how many there were. @throws ApiError `cannot_save`. */
  async removeFamily(family: string): Promise<number> {
    const fonts = this.ofFamily(family);
    for (const { id, path: file } of fonts) {
      await this.#collection.remove(id);
      this.#listed = null;
      await rm(file, { force: true });
    }
    return fonts.length;
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  #contentPath(id: string): string {
    return path.join(this.#contentFolder, id);
  }
}
