/**
 * Renders the rows of feeds: each row once, even if the program ends in the middle. The batch and its rows are stored
 * first; a render's ID follows from batch and row, so a start after a crash sees which ones exist.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { FeedCheck, RowProblem } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import type { JsonText } from '../../system/json-text.ts';
import { describeError, type Log } from '../../system/log.ts';
import {
  batchRenderId,
  type FeedColumn,
  type RowBytes,
  type StoredBatch,
  type StoredFeed,
} from '../../store/feeds.ts';
import type { Store } from '../../store/store.ts';
import {
  costOf,
  createBatchRender,
  type CreateContext,
  type RenderOrder,
} from '../create-render.ts';
import type { RenderQueue } from '../queue.ts';
import type { FeedFiles } from '../../../shared/feed-mapping.ts';
import { type FoundFault, RowFiles } from './feed-check.ts';
import { feedMedia, type FeedMedia } from './feed-media.ts';
import { isRowList, rowsIn, type BatchRow } from './feed-rows.ts';
import type { FileTrials } from './file-trials.ts';

/** What batches need. */
export interface FeedBatchOptions {
  readonly store: Store;
  /** What creating needs, for a project. */
  readonly inProject: (project: string) => CreateContext;
  readonly queue: Pick<RenderQueue, 'pauseBatch'>;
  readonly mediaFolders: () => readonly string[];
  /** Tries the files of rows. */
  readonly trials: Pick<FileTrials, 'try'>;
  readonly log: Log;
}

/** Which rows of a feed are rendered. */
export interface RowChoice {
  /** IDs; left out: all. */
  readonly rows?: readonly string[] | undefined;
  /** Leaves out those that a render was made of as they are now, unless it failed. */
  readonly changed?: boolean | undefined;
}

/** Batches that are being created. */
export class FeedBatches {
  readonly #options: FeedBatchOptions;
  /** By their IDs. */
  readonly #working = new Map<string, Promise<void>>();
  /** IDs of those of which no more renders are made. */
  readonly #stopped = new Set<string>();
  #closed = false;

  constructor(options: FeedBatchOptions) {
    this.#options = options;
  }

  /** Resumes the batches that an earlier run did not finish. Call once, at the start. */
  recover(): void {
    for (const batch of this.#options.store.feeds.listBatches()) {
      if (batch.paused === true) this.#options.queue.pauseBatch(batch.id, true);
      if (!batch.done && !this.#working.has(batch.id)) this.#begin(batch);
    }
  }

  /**
   * Renders rows of a feed. The answer comes when the batch is stored; its renders follow.
   *
   * @returns null when no row is left to be rendered.
   * @throws ApiError `feed_not_found`, `feed_not_mapped`, `template_not_found`, `out_of_credits`, `cannot_save`.
   */
  async start(feedId: string, choice: RowChoice = {}): Promise<StoredBatch | null> {
    const { feeds } = this.#options.store;
    const { feed, template, context, document } = await this.#mapped(feedId);
    const rows = await this.#linesOf(feed, document, await this.#mediaOf(feed, document), choice);
    if (rows.count === 0) return null;
    // Looked at once for all rows; not held while they are made, which may take longer than this run.
    if (context.credits.limited) {
      const orders = [...rowsIn(bufferOf(rows.bytes))].map((row) => orderOf(template, row));
      const cost = await costOf(context, orders);
      const release = await context.credits.reserve([{ id: randomUUID(), cost }]);
      release();
    }
    const batch = await feeds.insertBatch(feed, template, rows);
    this.#begin(batch);
    return batch;
  }

  /** What rendering all rows of a feed would say. @throws ApiError as `start`, without the last two, and `busy`. */
  async check(feedId: string, signal: AbortSignal): Promise<FeedCheck> {
    const { feed, context, document } = await this.#mapped(feedId);
    const media = await this.#mediaOf(feed, document);
    const all = await this.#linesOf(feed, document, media, {});
    const changed = await this.#linesOf(feed, document, media, { changed: true });
    const faults: FoundFault[] = [];
    const wanting = new RowFiles();
    let looked = 0;
    for (const { lines, count } of piecesOf(all.bytes, document.length)) {
      const isEnough = looked > 0 && (looked + count) * document.length > checkedInAll;
      if (isEnough || signal.aborted || this.#closed) break;
      const found = await context.desk.checkRows({ source: document.content, lines });
      faults.push(...found.faults);
      wanting.add(found);
      looked += count;
    }
    const tried = await this.#options.trials.try(wanting.files, feed.project, signal);
    faults.push(...wanting.faults(tried, namesByAddress(media)));
    const order = [...rowsIn(bufferOf(all.bytes))].map(({ id }) => id);
    const byRow = new Map<string, FoundFault[]>(faults.map(({ row }) => [row, []]));
    for (const fault of faults) byRow.get(fault.row)?.push(fault);
    const untried = wanting.untried(tried);
    const first = order.slice(0, looked).findIndex((id) => untried.has(id));
    return {
      rowCount: all.count,
      checked: first < 0 ? looked : first,
      wrong: order.filter((id) => byRow.has(id)),
      problems: order
        .flatMap((id) => byRow.get(id) ?? [])
        .slice(0, mostProblems)
        .map((fault) => problemOf(fault, feed.columns)),
      changed: [...rowsIn(bufferOf(changed.bytes))].map(({ id }) => id),
    };
  }

  /** What the files that a feed names are; without a template none. @throws ApiError as `check`. */
  async media(feedId: string): Promise<FeedMedia> {
    const isMapped = this.#options.store.feeds.find(feedId)?.template !== undefined;
    if (!isMapped) return { targets: new Map(), files: [], addresses: new Map() };
    const { feed, document } = await this.#mapped(feedId);
    return this.#mediaOf(feed, document);
  }

  #mediaOf(feed: StoredFeed, document: JsonText): Promise<FeedMedia> {
    const { store, inProject, mediaFolders } = this.#options;
    const { media, feeds } = store;
    return feedMedia(feed, document, {
      media,
      feeds,
      mediaFolders,
      desk: inProject(feed.project).desk,
    });
  }

  /**
   * Keeps the renders of a batch waiting, or lets them go on.
   * @returns null when there is no such batch.
   * @throws ApiError `cannot_save`.
   */
  async pause(id: string, paused: boolean): Promise<StoredBatch | null> {
    const batch = await this.#options.store.feeds.pauseBatch(id, paused);
    if (batch) this.#options.queue.pauseBatch(id, paused);
    return batch;
  }

  /**
   * Stops creating a batch's renders; queued ones stay. Settles when the last one exists.
   * @returns false if there is no such batch.
   */
  async stop(id: string): Promise<boolean> {
    if (!this.#options.store.feeds.findBatch(id)) return false;
    this.#stopped.add(id);
    await this.#working.get(id);
    this.#stopped.delete(id);
    return true;
  }

  /** A feed with its template. @throws ApiError */
  async #mapped(feedId: string): Promise<{
    readonly feed: StoredFeed;
    readonly template: string;
    readonly context: CreateContext;
    readonly document: JsonText;
  }> {
    const feed = this.#options.store.feeds.find(feedId);
    if (!feed) throw new ApiError('feed_not_found', { id: feedId });
    const { template, project } = feed;
    if (template === undefined) throw new ApiError('feed_not_mapped', { id: feedId });
    const context = this.#options.inProject(project);
    const stored = context.templates.find(template);
    if (!stored) throw new ApiError('template_not_found', { id: template });
    return { feed, template, context, document: await context.templates.readDocument(stored) };
  }

  async #linesOf(
    feed: StoredFeed,
    document: JsonText,
    { targets, addresses }: FeedFiles,
    { rows, changed }: RowChoice,
  ): Promise<RowBytes> {
    const { feeds } = this.#options.store;
    const { project, columns, name, fixed, clearsEmpty, names = '' } = feed;
    const { desk } = this.#options.inProject(project);
    const wish = {
      columns,
      fixed,
      clearsEmpty,
      names,
      files: { targets, addresses },
      feed: name,
      template: createHash('sha256').update(document.content).digest('base64url'),
      rows: rows ?? null,
      without: changed === true ? this.#madeOf(feed) : [],
    };
    return desk.batchRows(await feeds.rowBytesOf(feed), wish, document);
  }

  /** Prints of the rows that a render was made of; one that failed counts as none. */
  #madeOf(feed: StoredFeed): readonly string[] {
    const { store } = this.#options;
    const own = new Set(
      store.feeds.listBatches().flatMap((batch) => (batch.feed === feed.id ? [batch.id] : [])),
    );
    return store.renders.list().flatMap(({ status, request: { batch } }) => {
      const isMade = batch !== undefined && status !== 'failed' && own.has(batch.id);
      return isMade && batch.print !== undefined ? [batch.print] : [];
    });
  }

  /** Stops making renders; the next start goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#working.values());
  }

  #begin(batch: StoredBatch): void {
    const work = this.#create(batch)
      .catch((error: unknown) => {
        // The disk failed, or we have a bug: the next start resumes it.
        this.#options.log('error', 'feeds', `batch ${batch.id}: ${describeError(error)}`);
      })
      .finally(() => this.#working.delete(batch.id));
    this.#working.set(batch.id, work);
  }

  async #create(batch: StoredBatch): Promise<void> {
    const { store, inProject } = this.#options;
    const context = inProject(batch.project);
    const name = store.feeds.find(batch.feed)?.name ?? '';
    const stored = await store.feeds.rowBytesOfBatch(batch.id);
    const lines = isRowList(stored) ? bufferOf((await this.#older(batch, stored)).bytes) : stored;
    for (const row of rowsIn(lines)) {
      if (this.#closed) return;
      if (this.#stopped.has(batch.id)) break;
      const id = batchRenderId(batch.id, row.id);
      if (store.renders.find(id)) continue;
      try {
        const order = orderOf(batch.template, row);
        const { id: rowId, print, file } = row;
        const facts = {
          ...(print !== undefined && { print }),
          ...(file !== undefined && { file }),
        };
        const request = { ...order.request, batch: { id: batch.id, name, row: rowId, ...facts } };
        await createBatchRender(context, { ...order, request }, id);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'cannot_save') throw error;
        await store.feeds.endBatch(batch.id, error.message);
        return;
      }
    }
    await store.feeds.endBatch(batch.id);
  }

  /** The rows of a batch of an earlier version. */
  #older({ project, columns }: StoredBatch, bytes: Uint8Array): Promise<RowBytes> {
    const { desk } = this.#options.inProject(project);
    const none = { feed: '', names: '', template: '', rows: null, without: [] };
    return desk.batchRows(bytes, { columns, ...none }, null);
  }
}

/** Problems that are told. */
const mostProblems = 200;
/** Characters of documents that one check reads: seconds of computing for plain ones, a minute for dense ones. */
const checkedInAll = 200_000_000;
/** Characters of documents that one task of the desk looks at, and rows. */
const checkedAtOnce = { characters: 2_000_000, rows: 500 };

/** Lines in pieces that a task of the desk has done soon. @param length of the document that each is tried with */
function* piecesOf(
  bytes: Uint8Array,
  length: number,
): Generator<{ readonly lines: Uint8Array; readonly count: number }> {
  const lines = bufferOf(bytes);
  const most = Math.max(
    1,
    Math.min(checkedAtOnce.rows, Math.floor(checkedAtOnce.characters / (length + 1))),
  );
  for (let start = 0; start < lines.length;) {
    let end = start;
    let count = 0;
    for (; count < most && end < lines.length; count++) {
      end = lines.indexOf('\n', end) + 1;
    }
    // A copy: the whole is looked at in several tasks.
    yield { lines: Uint8Array.prototype.slice.call(lines, start, end), count };
    start = end;
  }
}

/** A fault with the column that it is about. */
function problemOf(
  { row, sentence, element, property, code }: FoundFault,
  columns: readonly FeedColumn[],
): RowProblem {
  const targets = [`${element}.${property}`, element];
  const column = targets
    .map((wanted) => columns.find(({ target }) => target === wanted))
    .find((one) => one !== undefined);
  return {
    row,
    sentence,
    ...(column && { column: column.id }),
    ...(code !== undefined && { code }),
  };
}

/** Names in cells by what renders are given for them; of several the shortest. */
function namesByAddress({ addresses }: FeedFiles): ReadonlyMap<string, string> {
  const names = [...addresses].sort(([one], [other]) => other.length - one.length);
  return new Map(names.map(([name, address]) => [address, name]));
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A row as a request. */
function orderOf(templateId: string, { modifications }: BatchRow): RenderOrder {
  return { origin: { templateId }, request: { modifications } };
}
