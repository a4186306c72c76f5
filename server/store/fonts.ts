/**
 * Fonts that people add, stored once per content. The facts are a record; the content is stored under its ID in a
 * folder of its own. Texts of all projects can use them by the name of their family.
 */
import { z } from 'zod';
import { looseName } from '../../shared/renderscript/same-name.ts';
import type { Clock } from '../system/clock.ts';
import { ContentFolder, type ContentPlace } from './content-folder.ts';
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
  readonly #contents: ContentFolder;
  #listed: readonly StoredFont[] | null = null;

  private constructor(
    { collection, contents }: { collection: Records<FontDoc>; contents: ContentFolder },
    clock: Clock,
  ) {
    this.#collection = collection;
    this.#clock = clock;
    this.#contents = contents;
  }

  /** Opens the collection `fonts` and its folder. */
  static async open(keeper: RecordKeeper, clock: Clock, place: ContentPlace): Promise<FontStore> {
    const opened = await ContentFolder.open(keeper, 'fonts', fontDoc, place, 'fonts');
    const store = new FontStore(opened, clock);
    keeper.follow?.(({ collection: name }) => {
      if (name === 'fonts') store.#listed = null;
    });
    return store;
  }

  /** Only contents, by ID. */
  get contentFolder(): string {
    return this.#contents.folder;
  }

  /** Where uploads are written before they are added; on the same drive. */
  get uploadFolder(): string {
    return this.#contents.uploads;
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** The part that a render's start message carries. */
  forRenders(): Pick<StoredFont, 'family' | 'style' | 'minWeight' | 'maxWeight' | 'path'>[] {
    return this.list().map(({ family, style, minWeight, maxWeight, path }) => ({
      ...{ family, style, minWeight, maxWeight, path },
    }));
  }

  /** All files by family, weight and style. The same array until something changes. */
  list(): readonly StoredFont[] {
    // Families are the same whatever their case.
    const { compare } = new Intl.Collator('en', { sensitivity: 'accent' });
    this.#listed ??= this.#collection
      .all()
      .map(({ _id: id, ...facts }) => ({ id, ...facts, path: this.#contents.pathOf(id) }))
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
    const key = looseName(family);
    return this.list().filter((font) => looseName(font.family) === key);
  }

  /** True if the content of a font is complete; someone may have tidied up the folder. */
  hasContent({ id, bytes }: StoredFont): Promise<boolean> {
    return this.#contents.isWhole(id, bytes);
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
    await this.#contents.take(id, content);
    await this.#collection.write({ _id: id, ...facts, addedAt: this.#clock.now() });
    this.#listed = null;
  }

  /** Removes all files of a family permanently. @returns how many there were. @throws ApiError `cannot_save`. */
  async removeFamily(family: string): Promise<number> {
    const fonts = this.ofFamily(family);
    for (const { id } of fonts) {
      await this.#collection.remove(id);
      this.#listed = null;
      await this.#contents.remove(id);
    }
    return fonts.length;
  }

  close(): Promise<void> {
    return this.#collection.close();
  }
}
