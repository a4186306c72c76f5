/**
 * Earlier versions of templates: what a document was before each change. A version is a record with a file in
 * `template-documents/`; a long document gives its file to its version, so nothing is copied. Owned by TemplateStore.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { requestLimits, versionLimits } from '../../shared/limits.ts';
import { describeError, type Log } from '../system/log.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';
import type { DocumentFile, TemplateFiles } from './template-files.ts';

const versionDoc = z.object({
  _id: z.string(),
  /** ID of the template. */
  template: z.string(),
  /** When this document was saved, in ms since 1970. */
  savedAt: z.number(),
  /** Given by the user; a version with a name is kept longer than the others. */
  name: z.string().max(requestLimits.nameLength).optional(),
  file: z.object({ name: z.string(), bytes: z.number() }),
});

type VersionDoc = z.infer<typeof versionDoc>;

/** An earlier version of a template, without its document. */
export interface TemplateVersion {
  readonly id: string;
  readonly template: string;
  /** When it was saved, in ms since 1970. */
  readonly savedAt: number;
  /** Its name; null if it has none. */
  readonly name: string | null;
  readonly file: DocumentFile;
}

/** A document that is about to be replaced. */
export interface Replaced {
  readonly template: string;
  readonly savedAt: number;
  /** Its text, or the file that has it. */
  readonly document: string | DocumentFile;
}

/** The versions of all templates. */
export class TemplateVersions {
  readonly #collection: Records<VersionDoc>;
  readonly #files: TemplateFiles;
  readonly #log: Log;
  /** How many versions of a template are kept; 0: none. */
  readonly #most: () => number;
  /** Versions by template, oldest first. */
  readonly #byTemplate = new Map<string, VersionDoc[]>();

  private constructor(
    collection: Records<VersionDoc>,
    files: TemplateFiles,
    log: Log,
    most: () => number,
  ) {
    this.#collection = collection;
    this.#files = files;
    this.#log = log;
    this.#most = most;
    for (const doc of collection.all()) this.#take(doc);
  }

  /** Opens the collection `template-versions`. @param most how many versions of a template are kept */
  static async open(
    keeper: RecordKeeper,
    files: TemplateFiles,
    most: () => number,
    log: Log,
  ): Promise<TemplateVersions> {
    const collection = await keeper.open('template-versions', versionDoc);
    const versions = new TemplateVersions(collection, files, log, most);
    keeper.follow?.(({ collection: name, id, before, after }) => {
      if (name !== 'template-versions') return;
      const doc = after && collection.find(id);
      // A record of this collection.
      if (doc) versions.#take(doc);
      else if (before) versions.#drop(before as VersionDoc);
    });
    return versions;
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** The versions of a template, newest first. */
  list(template: string): TemplateVersion[] {
    return (this.#byTemplate.get(template) ?? []).map(fromDoc).reverse();
  }

  /** The version; null if there is none of this template with that ID. */
  find(template: string, id: string): TemplateVersion | null {
    const doc = this.#collection.find(id);
    return doc?.template === template ? fromDoc(doc) : null;
  }

  /** The document's JSON text. @throws ApiError `template_damaged`; the log says why. */
  async read({ id, template, file }: TemplateVersion): Promise<Buffer> {
    try {
      return await this.#files.read(file);
    } catch (error) {
      this.#log('error', 'store', `Version ${id} of ${template}: ${describeError(error)}`);
      throw new ApiError('template_damaged', { id: template });
    }
  }

  /** True if a version has this file, so that it must stay. */
  holds(template: string, file: DocumentFile | undefined): boolean {
    const docs = this.#byTemplate.get(template) ?? [];
    return file !== undefined && docs.some((doc) => doc.file.name === file.name);
  }

  /** Names of all files that versions have. */
  fileNames(): ReadonlySet<string> {
    return new Set(this.#collection.all().map(({ file }) => file.name));
  }

  /**
   * Keeps a document before it is replaced, unless the newest version has it already, as after a crash.
   *
   * @returns the version's ID to take it back with; null if none was made. @throws ApiError `cannot_save`.
   */
  async keep({ template, savedAt, document }: Replaced): Promise<string | null> {
    if (this.#most() === 0) return null;
    const newest = this.#byTemplate.get(template)?.at(-1);
    if (newest && (await this.#isSame(newest.file, document))) return null;
    const isText = typeof document === 'string';
    const file = isText ? await this.#files.write(document) : document;
    const doc = { _id: randomUUID(), template, savedAt, file };
    try {
      this.#take(await this.#collection.write(doc));
      return doc._id;
    } catch (error) {
      if (isText) await this.#files.remove(file);
      throw error;
    }
  }

  async #isSame(file: DocumentFile, document: string | DocumentFile): Promise<boolean> {
    if (typeof document !== 'string') return file.name === document.name;
    if (file.bytes !== Buffer.byteLength(document)) return false;
    const text = await this.#files.read(file).catch(() => null);
    return text?.toString() === document;
  }

  /** Removes the versions that are too many, oldest first; those with names only when no others are left. */
  async prune(template: string, current: DocumentFile | undefined): Promise<void> {
    const docs = this.#byTemplate.get(template) ?? [];
    let count = docs.length;
    let bytes = docs.reduce((sum, { file }) => sum + file.bytes, 0);
    const plain = docs.filter(({ name }) => name === undefined);
    const named = docs.filter(({ name }) => name !== undefined);
    for (const { _id, file } of [...plain, ...named]) {
      if (count <= this.#most() && bytes <= versionLimits.bytes) return;
      count -= 1;
      bytes -= file.bytes;
      await this.remove(template, _id, current);
    }
  }

  /**
   * Names a version, or takes its name away.
   *
   * @returns null if there is no such version. @throws ApiError `cannot_save`.
   */
  async rename(template: string, id: string, name: string | null): Promise<TemplateVersion | null> {
    const changed = await this.#collection.change(id, ({ _id, template: of, savedAt, file }) =>
      of === template ? { _id, template, savedAt, file, ...(name !== null && { name }) } : null,
    );
    if (!changed) return null;
    this.#take(changed);
    return fromDoc(changed);
  }

  /**
   * Removes a version with its file.
   *
   * @param current the template's own file, which stays. @returns false if there is no such version.
   */
  async remove(template: string, id: string, current: DocumentFile | undefined): Promise<boolean> {
    const doc = this.#collection.find(id);
    if (doc?.template !== template) return false;
    await this.#collection.remove(id);
    const left = (this.#byTemplate.get(template) ?? []).filter(({ _id }) => _id !== id);
    if (left.length > 0) this.#byTemplate.set(template, left);
    else this.#byTemplate.delete(template);
    if (doc.file.name !== current?.name && !this.holds(template, doc.file)) {
      await this.#files.touch(doc.file);
      await this.#files.leave(doc.file);
    }
    return true;
  }

  /** Removes all versions of a template that is gone for good. */
  async removeAll(template: string): Promise<void> {
    for (const { _id, file } of this.#byTemplate.get(template) ?? []) {
      await this.#collection.remove(_id);
      await this.#files.remove(file);
    }
    this.#byTemplate.delete(template);
  }

  /** Removes the versions of templates that are no more: the program was ended while it removed one. */
  async removeStrays(isKnown: (template: string) => boolean): Promise<void> {
    for (const template of [...this.#byTemplate.keys()]) {
      if (!isKnown(template)) await this.removeAll(template);
    }
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  #drop({ _id, template }: VersionDoc): void {
    const others = (this.#byTemplate.get(template) ?? []).filter((doc) => doc._id !== _id);
    if (others.length > 0) this.#byTemplate.set(template, others);
    else this.#byTemplate.delete(template);
  }

  /** Puts a record into its place in the order of time. */
  #take(doc: VersionDoc): void {
    const others = (this.#byTemplate.get(doc.template) ?? []).filter(({ _id }) => _id !== doc._id);
    const docs = [...others, doc].sort((a, b) => a.savedAt - b.savedAt);
    this.#byTemplate.set(doc.template, docs);
  }
}

function fromDoc({ _id, template, savedAt, name, file }: VersionDoc): TemplateVersion {
  return { id: _id, template, savedAt, name: name ?? null, file };
}
