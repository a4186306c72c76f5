/**
 * Templates: named documents. Deleting moves them to the Trash, from which they are removed after a while. The document
 * is stored as JSON text, so that every key and value comes back as sent; a long one is a file (template-files.ts).
 */
import { ApiError } from '../../shared/errors.ts';
import { versionLimits } from '../../shared/limits.ts';
import type { Marker } from '../../shared/markers.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { contentOf, JsonText, plainText } from '../system/json-text.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { StoreHealth } from './health.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { Removals } from './files.ts';
import type { StoreNotice } from './repair.ts';
import {
  isLong,
  openTemplateFiles,
  type DocumentFile,
  type TemplateFiles,
} from './template-files.ts';
import {
  fromDoc,
  templateDoc,
  unique,
  type SeenFacts,
  type StoredTemplate,
  type TemplateDoc,
} from './template-record.ts';
import { TemplateVersions } from './template-versions.ts';

/** What can be changed in a template. */
export interface TemplateChange {
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly source?: Source | JsonText;
  readonly markers?: readonly Marker[];
}

/** What a new template is made of. */
export interface NewTemplate extends Required<Omit<TemplateChange, 'markers'>> {
  /** Default: none. */
  readonly markers?: readonly Marker[];
}

/** The templates of one project: all that its requests can see. See TemplateStore. */
export interface ProjectTemplates {
  find(id: string): StoredTemplate | null;
  list(tags?: readonly string[]): StoredTemplate[];
  readDocument(template: StoredTemplate): Promise<JsonText>;
  insert(id: string, template: NewTemplate): Promise<StoredTemplate>;
  insertNew(id: string, template: NewTemplate): Promise<StoredTemplate | null>;
  change(id: string, change: TemplateChange): Promise<StoredTemplate | null>;
  remove(id: string): Promise<boolean>;
  listDeleted(): DeletedTemplate[];
  restore(id: string): Promise<StoredTemplate | null>;
  /** Removes one from the Trash. @returns false if it is not there. @throws ApiError `cannot_save`. */
  purge(id: string): Promise<boolean>;
}

/** A template in the Trash. */
export type DeletedTemplate = StoredTemplate & {
  /** ms since 1970. */
  readonly deletedAt: number;
};

/** What the store of templates needs. */
export interface TemplateStoreOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly health?: StoreHealth;
  /** How many earlier versions of a template are kept; 0: none. Default 50. */
  readonly versionsKept?: () => number;
  /** Default: its own. */
  readonly removals?: Removals;
}

/**
 * The templates of the data folder, of all projects. Deleted ones are invisible to everything but `listDeleted` and
 * `purge`.
 */
export class TemplateStore {
  readonly #collection: Records<TemplateDoc>;
  readonly #files: TemplateFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  /** What documents were before their changes. */
  readonly versions: TemplateVersions;
  /** Changes of documents under way, by template: each knows what it replaces. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Refuses documents that must not be stored, wherever they come from; set after the checks exist. Default: none. */
  check: (source: Source | JsonText) => Promise<void> = () => Promise.resolve();
  /** IDs of templates being stored. */
  readonly #taking = new Set<string>();

  private constructor(
    collection: Records<TemplateDoc>,
    files: TemplateFiles,
    versions: TemplateVersions,
    clock: Clock,
    log: Log,
  ) {
    this.#collection = collection;
    this.#files = files;
    this.versions = versions;
    this.#clock = clock;
    this.#log = log;
  }

  /** Opens the collections `templates` and `template-versions`, and `template-documents/` in a folder. */
  static async open(
    keeper: RecordKeeper,
    folder: string,
    options: TemplateStoreOptions,
  ): Promise<TemplateStore> {
    const { log, clock, health, versionsKept = () => versionLimits.usual } = options;
    const files = await openTemplateFiles(folder, log, health, options.removals);
    const [collection, versions] = await Promise.all([
      keeper.open('templates', templateDoc),
      TemplateVersions.open(keeper, files, versionsKept, log),
    ]);
    return new TemplateStore(collection, files, versions, clock, log);
  }

  get notices(): readonly StoreNotice[] {
    return [...this.#collection.notices, ...this.versions.notices];
  }

  /** The templates as one project's requests see them: others don't exist. */
  inProject(project: string): ProjectTemplates {
    const find = (id: string): StoredTemplate | null => {
      const template = this.find(id);
      return template?.project === project ? template : null;
    };
    return {
      find,
      list: (tags) => this.list(tags, project),
      readDocument: (template) => this.readDocument(template),
      insert: (id, template) => this.insert(project, id, template),
      insertNew: (id, template) => this.insertNew(project, id, template),
      change: async (id, change) => (find(id) ? this.change(id, change) : null),
      remove: async (id) => (find(id) ? this.remove(id) : false),
      listDeleted: () => this.listDeleted(project),
      restore: async (id) =>
        this.#collection.find(id)?.project === project ? this.restore(id) : null,
      purge: async (id) => {
        if (!this.listDeleted(project).some((one) => one.id === id)) return false;
        await this.purge(id);
        return true;
      },
    };
  }

  /** The template; null if there is none or it was deleted. */
  find(id: string): StoredTemplate | null {
    const doc = this.#collection.find(id);
    return doc && doc.deletedAt === undefined ? fromDoc(doc) : null;
  }

  /** All templates, newest change first; with `tags`, those that have one of them; with `project`, its own. */
  list(tags: readonly string[] = [], project?: string): StoredTemplate[] {
    return this.#collection
      .all()
      .filter((doc) => doc.deletedAt === undefined)
      .filter((doc) => project === undefined || doc.project === project)
      .filter((doc) => tags.length === 0 || doc.tags.some((tag) => tags.includes(tag)))
      .sort((a, b) => b.updatedAt - a.updatedAt || b.createdAt - a.createdAt)
      .map(fromDoc);
  }

  /** The document of a template. @throws ApiError `template_damaged`; the log says why. */
  async readDocument(template: StoredTemplate): Promise<JsonText> {
    const { document } = template;
    if (document instanceof JsonText) return document;
    // Written by insert(), change() or the upgrade, in one piece.
    return new JsonText(await this.#readFile(template.id, document));
  }

  /** True if a document's JSON contains a word; false if it can't be read. */
  async hasWord({ id, document }: StoredTemplate, word: string): Promise<boolean> {
    if (document instanceof JsonText) return document.text.includes(word);
    const content = await this.#readFile(id, document).catch(() => null);
    return content?.includes(word) === true;
  }

  async #readFile(id: string, file: DocumentFile): Promise<Buffer> {
    try {
      return await this.#files.read(file);
    } catch (error) {
      // It may have been replaced since the template was looked up.
      const now = this.#collection.find(id)?.file;
      if (now && now.name !== file.name) return this.#readFile(id, now);
      this.#log('error', 'store', `The document of template ${id}: ${describeError(error)}`);
      throw new ApiError('template_damaged', { id });
    }
  }

  /**
   * Stores facts about a long document, unless it was replaced meanwhile.
   *
   * @returns the template with it, or null. @throws ApiError `cannot_save`.
   */
  async noteFacts(
    { id, document }: StoredTemplate,
    seen: SeenFacts,
  ): Promise<StoredTemplate | null> {
    if (document instanceof JsonText) return null;
    const changed = await this.#collection.change(id, (doc) =>
      doc.file?.name === document.name ? { ...doc, seen } : null,
    );
    return changed && fromDoc(changed);
  }

  /** Stores a new template under a new ID. @throws ApiError `cannot_save`. */
  async insert(project: string, id: string, template: NewTemplate): Promise<StoredTemplate> {
    const made = await this.#insert(project, id, template);
    if (!made) throw new Error(`there is a template ${id}`);
    return made;
  }

  /** @returns null if there is one with the ID, which another server may just have made. */
  async #insert(
    project: string,
    id: string,
    { name, tags, source, markers = [] }: NewTemplate,
  ): Promise<StoredTemplate | null> {
    const now = this.#clock.now();
    const doc = {
      ...{ _id: id, project, name, tags: unique(tags), createdAt: now, updatedAt: now },
      ...(markers.length > 0 && { markers: [...markers] }),
    };
    const content = await this.#keep(source);
    try {
      const made = await this.#collection.put(id, (found) =>
        found ? null : { ...doc, ...content },
      );
      if (made) return fromDoc(made);
    } catch (error) {
      await this.#files.remove(content.file);
      throw error;
    }
    await this.#files.remove(content.file);
    return null;
  }

  /**
   * Stores a new template under a chosen ID.
   *
   * @returns null if the ID is in use, even in another project or in the Trash. @throws ApiError `cannot_save`.
   */
  async insertNew(
    project: string,
    id: string,
    template: NewTemplate,
  ): Promise<StoredTemplate | null> {
    if (this.#collection.find(id) || this.#taking.has(id)) return null;
    this.#taking.add(id);
    try {
      return await this.#insert(project, id, template);
    } finally {
      this.#taking.delete(id);
    }
  }

  /**
   * Changes the given values. A document that is replaced by another one becomes a version.
   *
   * @param base Time of the change that this one is based on; null: any. Default null.
   * @returns null if there is no such template, or another change came after `base`. @throws ApiError `cannot_save`.
   */
  async change(
    id: string,
    change: TemplateChange,
    base: number | null = null,
  ): Promise<StoredTemplate | null> {
    if (change.source === undefined) return this.#change(id, change, base);
    const turn = Promise.resolve(this.#turns.get(id)?.catch(() => undefined)).then(() =>
      this.#change(id, change, base),
    );
    this.#turns.set(id, turn);
    return turn.finally(() => {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    });
  }

  async #change(
    id: string,
    { name, tags, source, markers }: TemplateChange,
    base: number | null,
  ): Promise<StoredTemplate | null> {
    const before = this.#collection.find(id);
    const isMeant = (doc: TemplateDoc | null): doc is TemplateDoc =>
      doc?.deletedAt === undefined && doc !== null && (base === null || doc.updatedAt === base);
    if (!isMeant(before)) return null;
    const content = source === undefined ? undefined : await this.#keep(source);
    if (content) await this.#files.touch(before.file);
    const version = content && (await this.#keepVersion(before, content));
    // The file that no record needs afterwards: the new one, unless it replaces an old one.
    let unused = content?.file;
    try {
      const changed = await this.#collection.change(id, (doc) => {
        unused = content?.file;
        if (!isMeant(doc)) return null;
        const { source: oldText, file: oldFile, seen, ...facts } = doc;
        if (content) unused = oldFile;
        return {
          ...facts,
          ...(content ?? {
            ...(oldText !== undefined && { source: oldText }),
            ...(oldFile && { file: oldFile }),
            ...(seen && { seen }),
          }),
          ...(name !== undefined && { name }),
          ...(tags !== undefined && { tags: unique(tags) }),
          ...(markers !== undefined && { markers: [...markers] }),
          // Never earlier than before, even if the clock was set back.
          updatedAt: Math.max(this.#clock.now(), doc.updatedAt + 1),
        };
      });
      if (!changed && version) await this.versions.remove(id, version, before.file);
      if (!this.versions.holds(id, unused)) await this.#files.leave(unused);
      if (changed && content) await this.versions.prune(id, changed.file);
      return changed && fromDoc(changed);
    } catch (error) {
      // The record is unchanged.
      await this.#files.leave(content?.file);
      throw error;
    }
  }

  /**
   * Makes the document of a record a version, unless the new one is the same. @returns the version's ID; null if there
   * is none.
   * @throws ApiError `cannot_save`; the new document's file is removed.
   */
  async #keepVersion(
    before: TemplateDoc,
    content: Pick<TemplateDoc, 'source' | 'file'>,
  ): Promise<string | null> {
    try {
      if (await this.#files.isSame(before, content)) return null;
      const document = before.file ?? before.source ?? '{}';
      return await this.versions.keep({
        template: before._id,
        savedAt: before.updatedAt,
        document,
      });
    } catch (error) {
      await this.#files.leave(content.file);
      throw error;
    }
  }

  /** Removes one version of a template. @returns false if there is no such version. */
  removeVersion(id: string, version: string): Promise<boolean> {
    return this.versions.remove(id, version, this.#collection.find(id)?.file);
  }

  /** Puts a document into the record, or writes it to a file. @throws ApiError `cannot_save`, and as `check`. */
  async #keep(source: Source | JsonText): Promise<Pick<TemplateDoc, 'source' | 'file'>> {
    await this.check(source);
    const content = contentOf(source);
    if (isLong(content)) return { file: await this.#files.write(content) };
    return { source: plainText(content) };
  }

  /** Moves a template to the Trash. @returns false if there is no such template. @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<boolean> {
    const changed = await this.#collection.change(id, (doc) =>
      doc.deletedAt === undefined ? { ...doc, deletedAt: this.#clock.now() } : null,
    );
    return changed !== null;
  }

  /**
   * Restores a template from the Trash; its time of change stays. @returns null if it is not there. @throws ApiError
   * `cannot_save`.
   */
  async restore(id: string): Promise<StoredTemplate | null> {
    const changed = await this.#collection.change(id, ({ deletedAt, ...doc }) =>
      deletedAt === undefined ? null : doc,
    );
    return changed && fromDoc(changed);
  }

  /** The templates in the Trash with the time of their deletion, the last first; of one project if named. */
  listDeleted(project?: string): DeletedTemplate[] {
    return this.#collection
      .all()
      .filter((doc) => project === undefined || doc.project === project)
      .flatMap((doc) => {
        const { deletedAt } = doc;
        return deletedAt === undefined ? [] : [{ ...fromDoc(doc), deletedAt }];
      })
      .sort((a, b) => b.deletedAt - a.deletedAt);
  }

  /** Removes a template permanently. */
  async purge(id: string): Promise<void> {
    const file = this.#collection.find(id)?.file;
    await this.#collection.remove(id);
    await this.#files.remove(file);
    await this.versions.removeAll(id);
  }

  /**
   * Removes documents that no template has and no backup can need. @param before ms since 1970: the start of the
   * program.
   */
  async removeStrays(before: number): Promise<void> {
    await this.versions.removeStrays((id) => this.#collection.find(id) !== null);
    const known = new Set(this.#collection.all().flatMap(({ file }) => file?.name ?? []));
    const versions = this.versions.fileNames();
    await this.#files.removeStrays((name) => known.has(name) || versions.has(name), before);
  }

  async close(): Promise<void> {
    await Promise.all([this.#collection.close(), this.versions.close()]);
  }
}
