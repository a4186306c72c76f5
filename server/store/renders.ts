/**
 * Renders: one record each, and separate files for the document and, if large, the requested modifications. Records are
 * small because all are kept in memory and rewritten with every change of status; the files never change.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { isFinal, renderStatuses } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { answerText, contentOf, JsonText, type TextContent } from '../json-text.ts';
import { retention } from '../../shared/limits.ts';
import { outputFormats } from '../../shared/renderscript/formats.ts';
import { isJsonObject, type JsonObject, type Source } from '../../shared/renderscript/source.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { CreditSum } from './credit-sum.ts';
import { isEnclosed, isUnfinished, readWhole, writeWhole } from './files.ts';
import { reasonOf, type StoreHealth } from './health.ts';
import { recordText, textRecord } from './record-text.ts';
import { RenderOrder } from './render-order.ts';
import type { Identified, RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

/** Characters of modifications that stay in a record; more goes to a file. */
const modificationsLength = 2_000;
/** Characters of texts in a record that come from the document: a name may be as long as the document. */
const textLength = 2_000;

/** The request without its document. Echoed in answers, and used to render again. */
export interface RenderRequest {
  /** The template at the time of creation. */
  readonly template?: {
    readonly id: string;
    readonly name: string;
    readonly tags: readonly string[];
    /** The editor's unsaved version was rendered. */
    readonly isDraft?: true;
  };
  /** The document's most prominent text, to tell renders apart; absent in older ones and in documents without text. */
  readonly title?: string;
  readonly modifications?: JsonObject | JsonText;
  readonly renderScale?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly webhookUrl?: string;
  readonly metadata?: string;
  /** The feed batch that it is part of; not told by the public API. */
  readonly batch?: {
    readonly id: string;
    readonly name: string;
    /** ID of the row; absent in renders of earlier versions. */
    readonly row?: string;
    /** What tells whether the row was changed since: it follows from template and values. */
    readonly print?: string;
    /** Name of its file without the ending. */
    readonly file?: string;
  };
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
  /** Place in the queue: a counter, so that a jumping clock does not change the order. */
  order: z.number(),
  status: z.enum(renderStatuses),
  outputFormat: z.enum(outputFormats),
  /** Scale of the file relative to its document, if known. */
  scale: z.number().optional(),
  /** Credits: estimated at creation, those of the file with `succeeded`, 0 with `failed`. */
  credits: z.number().optional(),
  /** True if a text follows speech, which has its own price. */
  subtitled: z.boolean().optional(),
  /** Place in the queue after someone moved it; else that of `order`. */
  place: z.number().optional(),
  /** Times in ms since 1970. */
  createdAt: z.number(),
  startedAt: z.number().optional(),
  finishedAt: z.number().optional(),
  attempts: z.number(),
  /** With several workers: the name of the last attempt, which alone may end the render, and names its files. */
  attempt: z.string().optional(),
  /** With several workers: who made that attempt, or led it. Versions of the program and of what its pixels follow from. */
  madeBy: z
    .object({
      machine: z.string(),
      version: z.string(),
      ffmpeg: z.string().optional(),
      x264: z.string().optional(),
      drawing: z.string().optional(),
      fonts: z.string().optional(),
    })
    .optional(),
  /** Known at creation: the render will fail with this. */
  sourceError: z.string().optional(),
  /** With `failed`. */
  errorMessage: z.string().optional(),
  errorPath: z.string().optional(),
  errorElement: z.string().optional(),
  cancelled: z.boolean().optional(),
  /** It failed because it stopped the renderer this often. */
  rendererStops: z.number().optional(),
  /** With `succeeded`; read from the file. */
  facts: facts.optional(),
  /** With `succeeded`: keys of its files in storage. Absent: they are in the output folder. */
  stored: z.object({ output: z.string(), snapshot: z.string().optional() }).optional(),
  /** With a final status: the webhook to send. Stored here, so that no crash can lose it. */
  event: z.object({ id: z.string(), url: z.string() }).optional(),
  /** The `Idempotency-Key` of the request that made it. */
  once: z
    .object({
      key: z.string(),
      /** Hash of the request's path and body. */
      print: z.string(),
      /** How many renders the request made. */
      count: z.number(),
      /** True if the first answer had errors or warnings, which are in a file. */
      told: z.boolean(),
      /** Which of the request's items it is, from 0; only of batches. */
      place: z.number().optional(),
    })
    .optional(),
  /** JSON text of the RenderRequest; without modifications stored in a file. */
  request: z.string(),
  /** Length of that file; absent: there is none. */
  modificationsBytes: z.number().optional(),
});

type RenderDoc = z.infer<typeof renderDoc>;
type StoredOnce = Pick<RenderDoc, 'project' | 'once'>;

/** A stored render. */
export interface StoredRender extends Omit<RenderDoc, '_id' | 'request'> {
  readonly id: string;
  /** Without `modifications` while `modificationsBytes` is set; `withRequest` adds them. */
  readonly request: RenderRequest;
}

/** A render without a place in the queue yet. */
export type NewRender = Omit<StoredRender, 'order'>;

/** What the create request's answer said about a document. */
const told = z.object({ errors: z.array(z.string()), warnings: z.array(z.string()) });

/** See above. */
export type ToldNotices = z.infer<typeof told>;

/** Which renders to list. */
export interface RenderQuestion {
  /** Only those with a smaller `order`. */
  readonly before: number;
  readonly limit: number;
  readonly isWanted: (render: StoredRender) => boolean;
}

/** The renders of one project: all that its requests can see. */
export interface ProjectRenders {
  /** The render; null for one of another project, too. */
  find(id: string): StoredRender | null;
  /** See RenderStore. */
  insert(
    render: Omit<NewRender, 'project'>,
    source: Source | JsonText,
    notices?: ToldNotices,
  ): Promise<StoredRender>;
  /** Renders, newest first, at most `limit` and one more if there are more. */
  list(question: RenderQuestion): Promise<StoredRender[]>;
  /** Renders made by a request with this key while it is valid, in that order. */
  madeWith(key: string): StoredRender[];
  /** Reserves a key for one request. @returns the function that releases it; null while another request has it. */
  claim(key: string): (() => void) | null;
  /** What the first answer said about a render with `once`. */
  toldOf(render: StoredRender): Promise<ToldNotices>;
  readSource(id: string): Promise<JsonText | null>;
  /** See RenderStore. */
  withRequest(render: StoredRender): Promise<StoredRender>;
}

/** Where documents go beside their files, for workers that don't reach these. */
export interface DocumentPlace {
  /** Called before a render is stored. @throws ApiError `cannot_save`; then it is not. */
  bring(id: string, content: TextContent): Promise<void>;
  /** Called when it was stored, or was not. */
  done(id: string): void;
}

/** What the renders are opened with. */
export interface RenderStoreOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly health?: StoreHealth | undefined;
  /** True while nothing expires. Default: everything expires in time. */
  readonly keepsAll?: () => boolean;
}

/**
 * The renders of the data folder, of all projects. An expired render is invisible even before it is removed; only `has`,
 * `change`, `listWithEvents` and `listExpired` still see it.
 */
export class RenderStore {
  readonly #collection: Records<RenderDoc>;
  readonly #folder: string;
  readonly #options: RenderStoreOptions;
  #documents: DocumentPlace | null = null;
  /** IDs of renders by project and the key of their request. */
  readonly #keyed = new Map<string, Set<string>>();
  readonly #byOrder = new RenderOrder();
  #removed = 0;
  /** Projects and keys of running requests, with the IDs of the renders that each of them knows of. */
  readonly #claimed = new Map<string, Set<string>>();
  readonly #credits = new CreditSum();
  /** IDs of renders that wait, and of those that run. */
  readonly #unfinished = { waiting: new Set<string>(), running: new Set<string>() };
  #nextOrder: number;

  private constructor(
    collection: Records<RenderDoc>,
    folder: string,
    options: RenderStoreOptions,
    nextOrder: number,
  ) {
    this.#collection = collection;
    this.#folder = folder;
    this.#options = options;
    this.#nextOrder = nextOrder;
    const docs = collection.all();
    this.#byOrder.fill(docs.map(({ _id: id, order }) => ({ id, order })));
    for (const doc of docs) {
      this.#keyIn(doc);
      this.#follow(doc._id);
    }
  }

  /** Another process has changed a render. */
  #heard(id: string, before: StoredOnce | null): void {
    const doc = this.#collection.find(id);
    if (doc) {
      this.#nextOrder = Math.max(this.#nextOrder, doc.order + 1);
      this.#keep(doc);
    } else if (before?.once) {
      this.#keyed.get(keyedName(before.project, before.once.key))?.delete(id);
    }
    this.#follow(id);
  }

  /** Opens the collection `renders`, and `sources/`, `modifications/` and `notices/` in a folder. */
  static async open(
    keeper: RecordKeeper,
    folder: string,
    options: RenderStoreOptions,
  ): Promise<RenderStore> {
    for (const part of fileKinds) {
      await mkdir(path.join(folder, part), { recursive: true, mode: 0o700 });
    }
    const collection = await keeper.open('renders', renderDoc);
    let last = 0;
    for (const { order } of collection.all()) last = Math.max(last, order);
    const renders = new RenderStore(collection, folder, options, last + 1);
    keeper.follow?.(({ collection: name, id, before }) => {
      // A record of this collection.
      if (name === 'renders') renders.#heard(id, before as RenderDoc | null);
    });
    return renders;
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** Also gives the documents of new renders to another place from now on. */
  copyDocuments(place: DocumentPlace): void {
    this.#documents = place;
  }

  /** The renders as one project's requests see them. */
  inProject(project: string): ProjectRenders {
    const find = (id: string): StoredRender | null => {
      const render = this.find(id);
      return render?.project === project ? render : null;
    };
    return {
      find,
      insert: (render, source, notices) => this.insert({ ...render, project }, source, notices),
      list: (question) => this.#page(project, question),
      madeWith: (key) => this.#madeWith(keyedName(project, key)),
      claim: (key) => this.#claim(keyedName(project, key)),
      toldOf: (render) => this.#toldOf(render),
      readSource: async (id) => (find(id) ? this.readSource(id) : null),
      withRequest: (render) => this.withRequest(render),
    };
  }

  /** The render, or null. */
  find(id: string): StoredRender | null {
    const doc = this.#collection.find(id);
    return doc && !this.#isOver(doc) ? fromDoc(doc) : null;
  }

  /** True while there is a record, expired or not. */
  has(id: string): boolean {
    return this.#collection.find(id) !== null;
  }

  /** All renders, newest first. */
  list(): StoredRender[] {
    return [...this.each()];
  }

  /** All current renders, newest first, each read on demand. @param before Only those with a smaller `order`. */
  *each(before = Infinity): Generator<StoredRender> {
    for (const id of this.#byOrder.each(before)) {
      const doc = this.#collection.find(id);
      if (doc && !this.#isOver(doc)) yield fromDoc(doc);
    }
  }

  /** Renders that have not ended, in queue order. */
  listUnfinished(): StoredRender[] {
    const { waiting, running } = this.#unfinished;
    const unfinished = [...running, ...waiting].flatMap((id) => this.#collection.find(id) ?? []);
    return unfinished.sort((a, b) => placeOf(a) - placeOf(b)).map(fromDoc);
  }

  /** How many renders wait for their turn, and how many are being worked on. */
  get unfinished(): { readonly waiting: number; readonly running: number } {
    const { waiting, running } = this.#unfinished;
    return { waiting: waiting.size, running: running.size };
  }

  /** Renders whose end has an event, in order of creation. */
  listWithEvents(): StoredRender[] {
    const told = this.#collection.all().filter(({ event }) => event !== undefined);
    return told.sort((a, b) => a.order - b.order).map(fromDoc);
  }

  /** Ended renders that had expired at a moment, in ms since 1970; even while nothing expires. */
  listExpired(at: number): StoredRender[] {
    return this.#collection
      .all()
      .filter((doc) => isOverAt(doc, at))
      .map(fromDoc);
  }

  /** Credits of all renders together. */
  get credits(): number {
    const { clock, keepsAll } = this.#options;
    return this.#credits.at(clock.now(), keepsAll?.() === true, () => this.#counted());
  }

  *#counted(): Generator<readonly [string, RenderDoc]> {
    for (const doc of this.#collection.all()) if (!this.#isOver(doc)) yield [doc._id, doc];
  }

  /** A render may have changed: what is kept about all of them follows. */
  #follow(id: string): void {
    const doc = this.#collection.find(id);
    this.#credits.take(id, doc && !this.#isOver(doc) ? doc : null);
    const { waiting, running } = this.#unfinished;
    waiting.delete(id);
    running.delete(id);
    if (doc && !isFinal(doc.status)) (doc.status === 'planned' ? waiting : running).add(id);
  }

  /**
   * Stores a new render at the end of the queue; when this returns, it is on the disk. If there is one with its ID, which another
   * server has made of the same row of a batch, that one stays.
   *
   * @throws ApiError `cannot_save`, and `idempotency_key_in_use` if another server has just taken its key; then nothing is stored.
   */
  async insert(
    render: NewRender,
    source: Source | JsonText,
    notices?: ToldNotices,
  ): Promise<StoredRender> {
    const { id, request, ...fields } = render;
    const { text, aside } = requestTexts(request);
    try {
      await this.#writeFile('sources', id, contentOf(source));
      if (aside !== null) await this.#writeFile('modifications', id, aside);
      await this.#documents?.bring(id, contentOf(source));
      if (render.once?.told) await this.#writeFile('notices', id, JSON.stringify(notices));
      const made = await this.#collection.put(id, (found) => {
        if (found) return null;
        // Only now is it known what others have made.
        this.#refuseTaken(render);
        return {
          ...bounded(fields),
          _id: id,
          order: this.#nextOrder++,
          request: text,
          ...(aside !== null && { modificationsBytes: Buffer.byteLength(aside) }),
        };
      });
      const doc = made ?? this.#collection.find(id);
      if (!doc) throw new Error(`render ${id} is gone`);
      this.#keep(doc);
      if (doc.once) this.#claimed.get(keyedName(doc.project, doc.once.key))?.add(id);
      return fromDoc(doc);
    } catch (error) {
      await this.#removeFiles(id);
      throw error;
    } finally {
      this.#documents?.done(id);
    }
  }

  /** The render with its full request as sent. Lost parts are logged and left out. */
  async withRequest(render: StoredRender): Promise<StoredRender> {
    const { id, modificationsBytes: length, ...rest } = render;
    if (length === undefined) return render;
    try {
      const bytes = await readWhole(this.#fileOf('modifications', id));
      if (bytes.length !== length) throw new Error(`${bytes.length} bytes of ${length}`);
      // Written by insert() or the upgrade, in one piece.
      const modifications = new JsonText(bytes);
      return { ...rest, id, request: { ...render.request, modifications } };
    } catch (error) {
      const { log } = this.#options;
      log('error', 'store', `The modifications of render ${id}: ${describeError(error)}`);
      return render;
    }
  }

  /** Where the document of a render is; the file never changes. */
  sourceFile(id: string): string {
    return sourceFileIn(this.#folder, id);
  }

  /** The document of a render; null if its file is missing or visibly damaged (it is not parsed). */
  readSource(id: string): Promise<JsonText | null> {
    return readSourceIn(this.#folder, id, this.#options.log);
  }

  /**
   * Replaces a render with the result of `make`; null leaves it as it is.
   *
   * @returns the new state on the disk; null if there is no such render or `make` returned null.
   * @throws ApiError `cannot_save`.
   */
  async change(
    id: string,
    make: (render: StoredRender) => StoredRender | null,
  ): Promise<StoredRender | null> {
    const changed = await this.#collection.change(id, (doc) => {
      const made = make(fromDoc(doc));
      if (!made) return null;
      const { id: _id, ...fields } = made;
      // The request never changes.
      return { ...bounded(fields), _id, request: doc.request };
    });
    this.#follow(id);
    return changed && fromDoc(changed);
  }

  /** Removes record and files of a render. The caller removes the finished file. */
  async remove(id: string): Promise<void> {
    const doc = this.#collection.find(id);
    await this.#collection.remove(id);
    this.#follow(id);
    // Looking through all of them must stay rare.
    if (++this.#removed % 1_000 === 0)
      this.#byOrder.trim(this.#collection.all().length, (one) => this.has(one));
    if (doc?.once) this.#keyed.get(keyedName(doc.project, doc.once.key))?.delete(id);
    await this.#removeFiles(id);
  }

  /**
   * Removes files without a record: unfinished ones left by a crash, and those older than any render is kept. (Younger ones
   * may belong to records that someone restores from a backup.)
   *
   * @param before Only files last written before this moment, ms since 1970: the start of the program.
   */
  async removeStrays(before: number): Promise<void> {
    for (const kind of fileKinds) {
      for (const name of await readdir(path.join(this.#folder, kind))) {
        const isLeft = isUnfinished(name);
        if (!isLeft && this.has(path.basename(name, '.json'))) continue;
        const file = path.join(this.#folder, kind, name);
        const written = await stat(file).catch(() => null);
        if (!written || written.mtimeMs >= before - (isLeft ? 0 : retention.renders)) continue;
        await rm(file, { force: true }).catch(() => undefined);
      }
    }
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  /** In pieces: searching a full store at once would block everyone. */
  async #page(
    project: string,
    { before, limit, isWanted }: RenderQuestion,
  ): Promise<StoredRender[]> {
    const found: StoredRender[] = [];
    let looked = 0;
    for (const render of this.each(before)) {
      if (render.project === project && isWanted(render)) found.push(render);
      if (found.length > limit) break;
      if (++looked % pieceLength === 0) await setImmediate();
    }
    return found;
  }

  /** A render is new here. */
  #keep(doc: RenderDoc): void {
    this.#byOrder.add(doc._id, doc.order);
    this.#keyIn(doc);
    this.#follow(doc._id);
  }

  #keyIn({ _id, project, once }: RenderDoc): void {
    if (!once) return;
    const name = keyedName(project, once.key);
    const ids = this.#keyed.get(name) ?? new Set();
    this.#keyed.set(name, ids.add(_id));
  }

  #madeWith(name: string): StoredRender[] {
    const now = this.#options.clock.now();
    const renders = [...(this.#keyed.get(name) ?? [])].flatMap((id) => this.find(id) ?? []);
    return renders
      .filter(({ createdAt }) => now - createdAt <= retention.idempotencyKeys)
      .sort((one, other) => one.order - other.order);
  }

  #claim(name: string): (() => void) | null {
    if (this.#claimed.has(name)) return null;
    this.#claimed.set(name, new Set(this.#keyed.get(name)));
    return () => void this.#claimed.delete(name);
  }

  /** @throws ApiError `idempotency_key_in_use` if another server has made renders with the key of this one since it was claimed. */
  #refuseTaken({ project, once }: NewRender): void {
    if (!once) return;
    const name = keyedName(project, once.key);
    const known = this.#claimed.get(name);
    if (known && this.#madeWith(name).some(({ id }) => !known.has(id)))
      throw new ApiError('idempotency_key_in_use');
  }

  async #toldOf({ id, once }: StoredRender): Promise<ToldNotices> {
    if (!once?.told) return { errors: [], warnings: [] };
    try {
      return told.parse(JSON.parse(String(await readWhole(this.#fileOf('notices', id)))));
    } catch (error) {
      this.#options.log('error', 'store', `The notices of render ${id}: ${describeError(error)}`);
      return { errors: [], warnings: [] };
    }
  }

  /** True for a render that has expired. */
  #isOver(doc: RenderDoc): boolean {
    const { clock, keepsAll } = this.#options;
    return isOverAt(doc, clock.now()) && keepsAll?.() !== true;
  }

  async #writeFile(kind: FileKind, id: string, content: TextContent): Promise<void> {
    const file = this.#fileOf(kind, id);
    const { log, health } = this.#options;
    try {
      await writeWhole(file, content);
    } catch (error) {
      log('error', 'store', `${file} can't be written: ${describeError(error)}`);
      health?.doubt();
      throw new ApiError('cannot_save', { reason: reasonOf(error) });
    }
  }

  async #removeFiles(id: string): Promise<void> {
    for (const kind of fileKinds) await rm(this.#fileOf(kind, id), { force: true });
  }

  /** IDs are ours, made by randomUUID. */
  #fileOf(kind: FileKind, id: string): string {
    return path.join(this.#folder, kind, `${id}.json`);
  }
}

/** The files beside a render's record, each kind in its own folder. */
const fileKinds = ['sources', 'modifications', 'notices'] as const;
type FileKind = (typeof fileKinds)[number];

/** Renders to examine in one go. */
const pieceLength = 200;

/** A key is only valid in its project; neither contains a line end. */
function keyedName(project: string, key: string): string {
  return `${project}\n${key}`;
}

function isOverAt({ status, createdAt }: RenderDoc, at: number): boolean {
  return at - createdAt > retention.renders && isFinal(status);
}

/** Which part of a request goes into the record, and which into a file of modifications (null: none). */
export function requestTexts(request: RenderRequest): {
  text: string;
  aside: TextContent | null;
} {
  const { modifications, ...rest } = request;
  const aside = modifications === undefined ? '' : contentOf(modifications);
  if (aside.length <= modificationsLength) return { text: answerText(request), aside: null };
  return { text: JSON.stringify(rest), aside };
}

/** Cuts texts from the document to keep records small. */
function bounded<Fields extends Pick<RenderDoc, (typeof boundedFields)[number]>>(
  fields: Fields,
): Fields {
  if (!boundedFields.some((name) => (fields[name]?.length ?? 0) > textLength)) return fields;
  const cut: Partial<Record<(typeof boundedFields)[number], string>> = {};
  for (const name of boundedFields) {
    const text = fields[name];
    if (text !== undefined) cut[name] = shortened(text);
  }
  return { ...fields, ...cut };
}
const boundedFields = ['sourceError', 'errorMessage', 'errorPath', 'errorElement'] as const;

function shortened(text: string): string {
  if (text.length <= textLength) return text;
  // Drop half a surrogate pair.
  return `${text.slice(0, textLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A render's place in the queue: the smaller number runs first. */
export function placeOf({ place, order }: Pick<RenderDoc, 'place' | 'order'>): number {
  return place ?? order;
}

/** The render of a record of the collection. */
export function readRender(doc: Identified): StoredRender {
  // Records of this collection have this form.
  return fromDoc(doc as RenderDoc);
}

/**
 * Changes the text of a render's record, for who has no collection in memory, as `RenderStore.change` does.
 *
 * @returns null if `make` does, or if this version does not know the record's form.
 */
export function changeRenderText(
  text: string,
  make: (render: StoredRender) => StoredRender | null,
): { readonly text: string; readonly render: StoredRender } | null {
  const doc = renderDoc.safeParse(textRecord(text)).data;
  const made = doc && make(fromDoc(doc));
  if (!doc || !made) return null;
  const { id: _id, ...fields } = made;
  // The request never changes.
  const changed = { ...bounded(fields), _id, request: doc.request };
  return { text: recordText(changed), render: fromDoc(changed) };
}

/** Where the document of a render is below the folder of the store; the file never changes. */
export function sourceFileIn(folder: string, id: string): string {
  return path.join(folder, 'sources', `${id}.json`);
}

/** The document of a render; null, with a line in the log, if its file is missing or visibly damaged (it is not parsed). */
export async function readSourceIn(folder: string, id: string, log: Log): Promise<JsonText | null> {
  try {
    const bytes = await readWhole(sourceFileIn(folder, id));
    const source = new JsonText(bytes);
    const isWhole = source.isShort ? isJsonObject(source.value) : isEnclosed(bytes);
    if (!isWhole) throw new Error('it is cut');
    return source;
  } catch (error) {
    log('error', 'store', `The document of render ${id}: ${describeError(error)}`);
    return null;
  }
}

/** Records are never changed in place, so each is read once. */
const read = new WeakMap<RenderDoc, StoredRender>();

function fromDoc(doc: RenderDoc): StoredRender {
  const known = read.get(doc);
  if (known) return known;
  const { _id, request, ...fields } = doc;
  // Written by insert() or the upgrade from a RenderRequest.
  const render = { ...fields, id: _id, request: JSON.parse(request) as RenderRequest };
  read.set(doc, render);
  return render;
}
