/**
 * Templates: named documents. Deleting marks them; they go for good when their time in the bin is over. The document is
 * stored as JSON text, so that any key and any value comes back as it was sent.
 */
import path from 'node:path';
import { z } from 'zod';
import type { Source } from '../../shared/renderscript/source.ts';
import { JsonText, textOf } from '../json-text.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Collection } from './database.ts';
import type { StoreHealth } from './health.ts';
import type { StoreNotice } from './repair.ts';

const templateDoc = z.object({
  _id: z.string(),
  /** The ID of the project that it belongs to. */
  project: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  /** Times in ms since 1970. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Present in the bin only. */
  deletedAt: z.number().optional(),
  /** JSON text of the document. */
  source: z.string(),
});

type TemplateDoc = z.infer<typeof templateDoc>;

/** A stored template without its document. */
export interface TemplateFacts {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A stored template. */
export interface StoredTemplate extends TemplateFacts {
  /** Its document, taken apart when it is first asked for. */
  readonly source: Source;
  /** The document is one that was not saved; never so in the store. */
  readonly isDraft?: true;
  /** The same as it is stored. */
  readonly document: JsonText;
}

/** What can be changed of a template. */
export interface TemplateChange {
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly source?: Source | JsonText;
}

/** The templates of one project: all that its requests can see. See TemplateStore. */
export interface ProjectTemplates {
  find(id: string): StoredTemplate | null;
  list(tags?: readonly string[]): StoredTemplate[];
  insert(id: string, template: Required<TemplateChange>): Promise<StoredTemplate>;
  insertNew(id: string, template: Required<TemplateChange>): Promise<StoredTemplate | null>;
  change(id: string, change: TemplateChange): Promise<StoredTemplate | null>;
  remove(id: string): Promise<boolean>;
}

/** The templates of the data folder, of all projects. Deleted ones are invisible to everything but `listDeleted` and `purge`. */
export class TemplateStore {
  readonly #collection: Collection<TemplateDoc>;
  readonly #clock: Clock;
  /** IDs that are being stored. */
  readonly #taking = new Set<string>();

  private constructor(collection: Collection<TemplateDoc>, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
  }

  /** Opens `templates.db` in a folder. */
  static async open(
    folder: string,
    log: Log,
    clock: Clock,
    health?: StoreHealth,
  ): Promise<TemplateStore> {
    const file = path.join(folder, 'templates.db');
    return new TemplateStore(
      await Collection.open({ file, schema: templateDoc, log, health }),
      clock,
    );
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** What the requests of one project work with: templates of others don't exist for it. */
  inProject(project: string): ProjectTemplates {
    const find = (id: string): StoredTemplate | null => {
      const template = this.find(id);
      return template?.project === project ? template : null;
    };
    return {
      find,
      list: (tags) => this.list(tags, project),
      insert: (id, template) => this.insert(project, id, template),
      insertNew: (id, template) => this.insertNew(project, id, template),
      change: async (id, change) => (find(id) ? this.change(id, change) : null),
      remove: async (id) => (find(id) ? this.remove(id) : false),
    };
  }

  /** The template, or null when there is none or it was deleted. */
  find(id: string): StoredTemplate | null {
    const doc = this.#collection.find(id);
    return doc && doc.deletedAt === undefined ? fromDoc(doc) : null;
  }

  /** All templates, newest change first; with `tags`, those that carry one of them; with `project`, its own. */
  list(tags: readonly string[] = [], project?: string): StoredTemplate[] {
    return this.#collection
      .all()
      .filter((doc) => doc.deletedAt === undefined)
      .filter((doc) => project === undefined || doc.project === project)
      .filter((doc) => tags.length === 0 || doc.tags.some((tag) => tags.includes(tag)))
      .sort((a, b) => b.updatedAt - a.updatedAt || b.createdAt - a.createdAt)
      .map(fromDoc);
  }

  /** Stores a new template. @throws ApiError `cannot_save`. */
  async insert(
    project: string,
    id: string,
    { name, tags, source }: Required<TemplateChange>,
  ): Promise<StoredTemplate> {
    const now = this.#clock.now();
    const doc = { _id: id, project, name, tags: unique(tags), createdAt: now, updatedAt: now };
    return fromDoc(await this.#collection.insert({ ...doc, source: textOf(source) }));
  }

  /**
   * Stores a new template under an ID that somebody chose.
   *
   * @returns null when the ID is used, also by one of another project or in the bin. @throws ApiError `cannot_save`.
   */
  async insertNew(
    project: string,
    id: string,
    template: Required<TemplateChange>,
  ): Promise<StoredTemplate | null> {
    if (this.#collection.find(id) || this.#taking.has(id)) return null;
    this.#taking.add(id);
    try {
      return await this.insert(project, id, template);
    } finally {
      this.#taking.delete(id);
    }
  }

  /**
   * Changes what is given.
   *
   * @param base The time of the change that it was made on; null: whatever there is. Default null.
   * @returns null when there is no such template, or another change came after `base`. @throws ApiError `cannot_save`.
   */
  async change(
    id: string,
    { name, tags, source }: TemplateChange,
    base: number | null = null,
  ): Promise<StoredTemplate | null> {
    const changed = await this.#collection.change(id, (doc) =>
      doc.deletedAt === undefined && (base === null || doc.updatedAt === base)
        ? {
            ...doc,
            ...(name !== undefined && { name }),
            ...(tags !== undefined && { tags: unique(tags) }),
            ...(source !== undefined && { source: textOf(source) }),
            // Never earlier than before, also when the clock was set back.
            updatedAt: Math.max(this.#clock.now(), doc.updatedAt + 1),
          }
        : null,
    );
    return changed && fromDoc(changed);
  }

  /** Puts a template into the bin. @returns false when there is no such template. @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<boolean> {
    const changed = await this.#collection.change(id, (doc) =>
      doc.deletedAt === undefined ? { ...doc, deletedAt: this.#clock.now() } : null,
    );
    return changed !== null;
  }

  /** Takes a template out of the bin, with the time of its last change. @returns null when it is not there. @throws ApiError `cannot_save`. */
  async restore(id: string): Promise<StoredTemplate | null> {
    const changed = await this.#collection.change(id, ({ deletedAt, ...doc }) =>
      deletedAt === undefined ? null : doc,
    );
    return changed && fromDoc(changed);
  }

  /** What is in the bin, with the time at which it came there. */
  listDeleted(): (StoredTemplate & { readonly deletedAt: number })[] {
    return this.#collection.all().flatMap((doc) => {
      const { deletedAt } = doc;
      return deletedAt === undefined ? [] : [{ ...fromDoc(doc), deletedAt }];
    });
  }

  /** Removes a template for good. */
  async purge(id: string): Promise<void> {
    await this.#collection.remove(id);
  }

  close(): Promise<void> {
    return this.#collection.close();
  }
}

/** Each tag once, in the order given. */
const unique = (tags: readonly string[]): string[] => [...new Set(tags)];

/** Records are never changed in place, so each is read once. */
const read = new WeakMap<TemplateDoc, StoredTemplate>();

function fromDoc(doc: TemplateDoc): StoredTemplate {
  const known = read.get(doc);
  if (known) return known;
  const { _id, project, name, tags, createdAt, updatedAt, source } = doc;
  // Written by insert() and change() from a checked object.
  const document = new JsonText(source);
  // Unique also where an earlier version stored them otherwise.
  const template = {
    ...{ id: _id, project, name, tags: unique(tags), createdAt, updatedAt },
    document,
    get source() {
      return document.value;
    },
  };
  read.set(doc, template);
  return template;
}
