/**
 * Renders: one record each, and the document that it was made from as a file of its own. Records are small because they
 * are all kept in memory and written anew with every change of status; the document never changes.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isFinal, renderStatuses } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { textOf, type JsonText } from '../json-text.ts';
import {
  isJsonObject,
  outputFormats,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { describeError, type Log } from '../log.ts';
import { Collection } from './database.ts';
import { errorCode, writeWhole } from './files.ts';
import type { StoreHealth } from './health.ts';
import type { StoreNotice } from './repair.ts';

/** What was asked for: everything of the request but the document. Echoed in answers, and used to render again. */
export interface RenderRequest {
  /** As the template was when the render was created. */
  readonly template?: {
    readonly id: string;
    readonly name: string;
    readonly tags: readonly string[];
    /** It was rendered as it stood in the editor, and not as it was stored. */
    readonly isDraft?: true;
  };
  /** What the document says most prominently, to tell renders apart; absent in older ones and where nothing is said. */
  readonly title?: string;
  readonly modifications?: JsonObject | JsonText;
  readonly renderScale?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly webhookUrl?: string;
  readonly metadata?: string;
  /** The feed batch that it is part of; not told by the public API. */
  readonly batch?: { readonly id: string; readonly name: string };
}

const facts = z.object({
  width: z.number(),
  height: z.number(),
  frameRate: z.number().optional(),
  duration: z.number().optional(),
  fileSize: z.number(),
  snapshot: z.boolean(),
});

const renderDoc = z.object({
  _id: z.string(),
  /** The ID of the project that it belongs to. */
  project: z.string(),
  /** Place in the queue: a counter, so that a clock that jumps changes no order. */
  order: z.number(),
  status: z.enum(renderStatuses),
  outputFormat: z.enum(outputFormats),
  /** Scale of the file relative to its document, where it is known. */
  scale: z.number().optional(),
  /** Credits: estimated at creation, those of the file with `succeeded`, 0 with `failed`. */
  credits: z.number().optional(),
  /** True when a text follows speech, which has a price of its own. */
  subtitled: z.boolean().optional(),
  /** Place in the queue after someone moved it; else that of `order`. */
  place: z.number().optional(),
  /** Times in ms since 1970. */
  createdAt: z.number(),
  startedAt: z.number().optional(),
  finishedAt: z.number().optional(),
  attempts: z.number(),
  /** Known at creation: the render will fail with this. */
  sourceError: z.string().optional(),
  /** With `failed`. */
  errorMessage: z.string().optional(),
  errorPath: z.string().optional(),
  errorElement: z.string().optional(),
  cancelled: z.boolean().optional(),
  /** It failed because the renderer was lost this often while working on it. */
  rendererStops: z.number().optional(),
  /** With `succeeded`; read from the file. */
  facts: facts.optional(),
  /** With a final status: the webhook that is to be sent for it. Stored here, so that no crash can lose it. */
  event: z.object({ id: z.string(), url: z.string() }).optional(),
  /** JSON text of the RenderRequest. */
  request: z.string(),
});

type RenderDoc = z.infer<typeof renderDoc>;

/** A stored render. */
export interface StoredRender extends Omit<RenderDoc, '_id' | 'request'> {
  readonly id: string;
  readonly request: RenderRequest;
}

/** A render before it has its place in the queue. */
export type NewRender = Omit<StoredRender, 'order'>;

/** The renders of one project: all that its requests can see. */
export interface ProjectRenders {
  /** The render; null also for one of another project. */
  find(id: string): StoredRender | null;
  /** See RenderStore. */
  insert(render: Omit<NewRender, 'project'>, source: Source | JsonText): Promise<StoredRender>;
  readSource(id: string): Promise<Source | null>;
}

/** The renders of the data folder, of all projects. */
export class RenderStore {
  readonly #collection: Collection<RenderDoc>;
  readonly #sourceFolder: string;
  readonly #log: Log;
  readonly #health: StoreHealth | undefined;
  #nextOrder: number;

  private constructor(
    collection: Collection<RenderDoc>,
    parts: { sourceFolder: string; log: Log; health: StoreHealth | undefined },
    nextOrder: number,
  ) {
    this.#collection = collection;
    this.#sourceFolder = parts.sourceFolder;
    this.#log = parts.log;
    this.#health = parts.health;
    this.#nextOrder = nextOrder;
  }

  /** Opens `renders.db` and `sources/` in a folder. */
  static async open(folder: string, log: Log, health?: StoreHealth): Promise<RenderStore> {
    const sourceFolder = path.join(folder, 'sources');
    await mkdir(sourceFolder, { recursive: true, mode: 0o700 });
    const collection = await Collection.open({
      file: path.join(folder, 'renders.db'),
      schema: renderDoc,
      log,
      health,
    });
    const orders = collection.all().map(({ order }) => order);
    const last = orders.reduce((highest, order) => Math.max(highest, order), 0);
    return new RenderStore(collection, { sourceFolder, log, health }, last + 1);
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** What the requests of one project work with. */
  inProject(project: string): ProjectRenders {
    const find = (id: string): StoredRender | null => {
      const render = this.find(id);
      return render?.project === project ? render : null;
    };
    return {
      find,
      insert: (render, source) => this.insert({ ...render, project }, source),
      readSource: async (id) => (find(id) ? this.readSource(id) : null),
    };
  }

  /** The render, or null. */
  find(id: string): StoredRender | null {
    const doc = this.#collection.find(id);
    return doc && fromDoc(doc);
  }

  /** All renders, newest first. */
  list(): StoredRender[] {
    const docs = this.#collection.all();
    return docs.sort((a, b) => b.order - a.order).map(fromDoc);
  }

  /** Renders that have not ended, in the order in which they are to run. */
  listUnfinished(): StoredRender[] {
    const unfinished = this.#collection.all().filter(({ status }) => !isFinal(status));
    return unfinished.sort((a, b) => placeOf(a) - placeOf(b)).map(fromDoc);
  }

  /**
   * Stores a new render at the end of the queue; when this returns, it is on the disk.
   *
   * @throws ApiError `cannot_save`; nothing is kept then.
   */
  async insert(render: NewRender, source: Source | JsonText): Promise<StoredRender> {
    const order = this.#nextOrder++;
    const file = this.#sourceFile(render.id);
    try {
      await writeWhole(file, textOf(source));
    } catch (error) {
      this.#log('error', 'store', `${file} can't be written: ${describeError(error)}`);
      this.#health?.doubt();
      throw new ApiError('cannot_save', {
        reason: errorCode(error) === 'ENOSPC' ? 'the disk is full' : 'writing failed',
      });
    }
    const { id, request, ...fields } = render;
    try {
      await this.#collection.insert({
        ...fields,
        _id: id,
        order,
        request: JSON.stringify(request),
      });
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
    return { ...render, order };
  }

  /** The document of a render; null when its file is missing or damaged. */
  async readSource(id: string): Promise<Source | null> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#sourceFile(id), 'utf8'));
      return isJsonObject(value) ? value : null;
    } catch (error) {
      this.#log('error', 'store', `The document of render ${id}: ${describeError(error)}`);
      return null;
    }
  }

  /**
   * Replaces a render by what `make` makes of it; null leaves it as it is.
   *
   * @returns the new state on the disk; null when there is no such render or `make` declined.
   * @throws ApiError `cannot_save`.
   */
  async change(
    id: string,
    make: (render: StoredRender) => StoredRender | null,
  ): Promise<StoredRender | null> {
    let changed: StoredRender | null = null;
    await this.#collection.change(id, (doc) => {
      changed = make(fromDoc(doc));
      if (!changed) return null;
      const { id: _id, ...fields } = changed;
      // What was asked for never changes.
      return { ...fields, _id, request: doc.request };
    });
    return changed;
  }

  /** Removes record and document. The finished file is the caller's business. */
  async remove(id: string): Promise<void> {
    await this.#collection.remove(id);
    await rm(this.#sourceFile(id), { force: true });
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  /** IDs are ours, made by randomUUID. */
  #sourceFile(id: string): string {
    return path.join(this.#sourceFolder, `${id}.json`);
  }
}

/** Where a render stands in the queue: the smaller number runs first. */
export function placeOf({ place, order }: Pick<RenderDoc, 'place' | 'order'>): number {
  return place ?? order;
}

/** Records are never changed in place, so each is read once. */
const read = new WeakMap<RenderDoc, StoredRender>();

function fromDoc(doc: RenderDoc): StoredRender {
  const known = read.get(doc);
  if (known) return known;
  const { _id, request, ...fields } = doc;
  // Written by insert() from a RenderRequest.
  const render = { ...fields, id: _id, request: JSON.parse(request) as RenderRequest };
  read.set(doc, render);
  return render;
}
