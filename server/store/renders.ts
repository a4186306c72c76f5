/**
 * Renders: one record each, and separate files for the document and, if large, the requested modifications. Records are
 * small because all are kept in memory and rewritten with every change of status; the files never change.
 */
import { setImmediate } from 'node:timers/promises';
import { isFinal, type RenderStatus } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { retention } from '../../shared/limits.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import type { Clock } from '../system/clock.ts';
import { contentOf, type JsonText, type TextContent } from '../system/json-text.ts';
import type { Log } from '../system/log.ts';
import { CreditSum, RenderIndex, RenderKeys } from './render-index.ts';
import type { StoreHealth } from './health.ts';
import { RenderFiles } from './render-files.ts';
import {
  bounded,
  expiryOf,
  fromDoc,
  renderDoc,
  requestTexts,
  type NewRender,
  type RenderDoc,
  type StoredOnce,
  type StoredRender,
  type ToldNotices,
} from './render-record.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

/** Which renders to list. */
export interface RenderQuestion {
  /** Only those with a smaller `order`. */
  readonly before: number;
  readonly limit: number;
  /** Only those in one of these states; undefined: in any. If they are few, no others are looked at. */
  readonly statuses: readonly RenderStatus[] | undefined;
  /** What the record itself tells: of many thousands, few are then looked into. */
  readonly mayBe: (record: Pick<RenderDoc, 'createdAt' | 'request'>) => boolean;
  readonly isWanted: (render: StoredRender) => boolean;
}

/** The renders of one project: all that its requests can see. */
export interface ProjectRenders {
  /** Its ID. */
  readonly project: string;
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
 * The renders of the data folder, of all projects. An expired render is invisible even before it is removed; only
 * `has`, `change`, `listWithEvents` and `listExpired` still see it.
 */
export class RenderStore {
  readonly #collection: Records<RenderDoc>;
  readonly #files: RenderFiles;
  readonly #options: RenderStoreOptions;
  #documents: DocumentPlace | null = null;
  readonly #keys = new RenderKeys();
  readonly #index: RenderIndex;
  readonly #credits = new CreditSum();
  #nextOrder: number;

  private constructor(
    collection: Records<RenderDoc>,
    files: RenderFiles,
    options: RenderStoreOptions,
    nextOrder: number,
  ) {
    this.#collection = collection;
    this.#files = files;
    this.#options = options;
    this.#nextOrder = nextOrder;
    const docs = collection.all();
    this.#index = new RenderIndex((id) => collection.find(id), docs);
    for (const doc of docs) {
      this.#keys.add(doc);
      this.#count(doc._id);
    }
  }

  /** Another process has changed a render. */
  #heard(id: string, before: StoredOnce | null): void {
    const doc = this.#collection.find(id);
    if (doc) {
      this.#nextOrder = Math.max(this.#nextOrder, doc.order + 1);
      this.#keep(doc);
    } else if (before) {
      this.#keys.remove(id, before);
    }
    this.#follow(id);
  }

  /** Opens the collection `renders`, and `sources/`, `modifications/` and `notices/` in a folder. */
  static async open(
    keeper: RecordKeeper,
    folder: string,
    options: RenderStoreOptions,
  ): Promise<RenderStore> {
    const files = await RenderFiles.open(folder, options);
    const collection = await keeper.open('renders', renderDoc);
    let last = 0;
    for (const { order } of collection.all()) last = Math.max(last, order);
    const renders = new RenderStore(collection, files, options, last + 1);
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
      project,
      find,
      insert: (render, source, notices) => this.insert({ ...render, project }, source, notices),
      list: (question) => this.#page(project, question),
      madeWith: (key) => this.#madeWith(project, key),
      claim: (key) => this.#keys.claim(project, key),
      toldOf: (render) => this.#files.noticesOf(render),
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

  /** All current renders, newest first, each read on demand. */
  *each(): Generator<StoredRender> {
    for (const doc of this.#index.each()) if (!this.#isOver(doc)) yield fromDoc(doc);
  }

  /** Renders that have not ended, in queue order. */
  listUnfinished(): StoredRender[] {
    return this.#index.listUnfinished().map(fromDoc);
  }

  /** How many renders wait for their turn, and how many are being worked on. */
  get unfinished(): { readonly waiting: number; readonly running: number } {
    return this.#index.unfinished;
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
    for (const doc of this.#collection.all()) if (this.#costs(doc)) yield [doc._id, doc];
  }

  /** A render may have changed: what is kept about all of them follows. */
  #follow(id: string): void {
    this.#index.follow(id);
    this.#count(id);
  }

  #count(id: string): void {
    const doc = this.#collection.find(id);
    this.#credits.take(id, doc && this.#costs(doc) ? doc : null);
  }

  /** What a person keeps costs no longer than what expires. */
  #costs({ status, createdAt }: RenderDoc): boolean {
    return !this.#isOver({ status, createdAt });
  }

  /**
   * Stores a new render at the end of the queue; when this returns, it is on the disk. If there is one with its ID,
   * which another server has made of the same row of a batch, that one stays.
   *
   * @throws ApiError `cannot_save`, and `idempotency_key_in_use` if another server has just taken its key; then nothing
   * is stored.
   */
  async insert(
    render: NewRender,
    source: Source | JsonText,
    notices?: ToldNotices,
  ): Promise<StoredRender> {
    const { id, request, ...fields } = render;
    const { text, aside } = requestTexts(request);
    try {
      await this.#files.write('sources', id, contentOf(source));
      if (aside !== null) await this.#files.write('modifications', id, aside);
      await this.#documents?.bring(id, contentOf(source));
      if (render.once?.told) await this.#files.write('notices', id, JSON.stringify(notices));
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
      this.#keys.makeKnown(id, doc);
      return fromDoc(doc);
    } catch (error) {
      await this.#files.remove(id);
      throw error;
    } finally {
      this.#documents?.done(id);
    }
  }

  /** The render with its full request as sent. Lost parts are logged and left out. */
  withRequest(render: StoredRender): Promise<StoredRender> {
    return this.#files.withRequest(render);
  }

  /** Where the document of a render is; the file never changes. */
  sourceFile(id: string): string {
    return this.#files.sourceFile(id);
  }

  /** The document of a render; null if its file is missing or visibly damaged (it is not parsed). */
  readSource(id: string): Promise<JsonText | null> {
    return this.#files.readSource(id);
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
    this.#index.remove(id);
    this.#count(id);
    if (doc) this.#keys.remove(id, doc);
    await this.#files.remove(id);
  }

  /**
   * Removes files without a record.
   *
   * @param before Only files last written before this moment, ms since 1970: the start of the program.
   */
  removeStrays(before: number): Promise<void> {
    return this.#files.removeStrays((id) => this.has(id), before);
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  /** In pieces: searching a full store at once would block everyone. */
  async #page(
    project: string,
    { before, limit, statuses, mayBe, isWanted }: RenderQuestion,
  ): Promise<StoredRender[]> {
    const found: StoredRender[] = [];
    let work = 0;
    for (const doc of this.#index.each(before, statuses)) {
      const isAsked = statuses?.includes(doc.status) ?? true;
      if (isAsked && doc.project === project && mayBe(doc) && !this.#isOver(doc)) {
        const render = fromDoc(doc);
        if (isWanted(render)) found.push(render);
        work += lookedInto;
      }
      if (found.length > limit) break;
      if (++work < pieceLength) continue;
      work = 0;
      await setImmediate();
    }
    return found;
  }

  /** A render is new here. */
  #keep(doc: RenderDoc): void {
    this.#index.add(doc);
    this.#keys.add(doc);
    this.#count(doc._id);
  }

  #madeWith(project: string, key: string): StoredRender[] {
    const now = this.#options.clock.now();
    return this.#keys
      .madeWith(project, key)
      .flatMap((id) => this.find(id) ?? [])
      .filter(({ createdAt }) => now - createdAt <= retention.idempotencyKeys)
      .sort((one, other) => one.order - other.order);
  }

  /**
   * @throws ApiError `idempotency_key_in_use` if another server has made renders with the key of this one since it was
   * claimed.
   */
  #refuseTaken({ project, once }: NewRender): void {
    if (!once) return;
    const made = this.#madeWith(project, once.key).map(({ id }) => id);
    if (this.#keys.isTaken(project, once.key, made)) throw new ApiError('idempotency_key_in_use');
  }

  /** True for a render that has expired. */
  #isOver(doc: Ending): boolean {
    const { clock, keepsAll } = this.#options;
    return isOverAt(doc, clock.now()) && keepsAll?.() !== true;
  }
}

/** Records to examine in one go: a few milliseconds. */
const pieceLength = 4_000;
/** Looking into a request costs as much as examining so many records. */
const lookedInto = 20;

/** What of a render decides when it is over. */
type Ending = Pick<RenderDoc, 'status' | 'createdAt' | 'kept' | 'freedAt'>;

function isOverAt(doc: Ending, at: number): boolean {
  return at > expiryOf(doc) && isFinal(doc.status);
}
