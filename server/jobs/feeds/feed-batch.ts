/**
 * Renders the rows of feeds: each row once, even if the program ends in the middle. The batch and its rows are stored first;
 * a render's ID follows from batch and row, so a start after a crash sees which ones exist.
 */
import { ApiError } from '../../../shared/errors.ts';
import { describeError, type Log } from '../../log.ts';
import { batchRenderId, type StoredBatch } from '../../store/feeds.ts';
import type { Store } from '../../store/store.ts';
import {
  costOf,
  createBatchRender,
  type CreateContext,
  type RenderOrder,
} from '../create-render.ts';
import { isRowList, rowsIn, type BatchRow } from './feed-rows.ts';

/** What batches need. */
export interface FeedBatchOptions {
  readonly store: Store;
  /** What creating needs, for a project. */
  readonly inProject: (project: string) => CreateContext;
  readonly log: Log;
}

/** Batches that are being created. */
export class FeedBatches {
  readonly #options: FeedBatchOptions;
  readonly #working = new Set<Promise<void>>();
  #closed = false;

  constructor(options: FeedBatchOptions) {
    this.#options = options;
  }

  /** Resumes the batches that an earlier run did not finish. Call once, at the start. */
  recover(): void {
    for (const batch of this.#options.store.feeds.listBatches()) {
      if (!batch.done) this.#begin(batch);
    }
  }

  /**
   * Renders rows of a feed: the named ones, or all. The answer comes when the batch is stored; its renders follow.
   *
   * @throws ApiError `feed_not_found`, `feed_not_mapped`, `template_not_found`, `out_of_credits`, `cannot_save`.
   */
  async start(feedId: string, rowIds?: readonly string[]): Promise<StoredBatch> {
    const { feeds } = this.#options.store;
    const feed = feeds.find(feedId);
    if (!feed) throw new ApiError('feed_not_found', { id: feedId });
    const { template, project, columns } = feed;
    if (template === undefined) throw new ApiError('feed_not_mapped', { id: feedId });
    const context = this.#options.inProject(project);
    if (!context.templates.find(template)) {
      throw new ApiError('template_not_found', { id: template });
    }
    const bytes = await feeds.rowBytesOf(feed);
    const rows = await context.desk.batchRows(bytes, columns, rowIds ?? null);
    // Checked once for all rows; not reserved while they are made, which may take longer than this run.
    if (context.credits.limited) {
      const lines = Buffer.from(rows.bytes.buffer, rows.bytes.byteOffset, rows.bytes.length);
      const orders = [...rowsIn(lines)].map((row) => orderOf(template, row));
      context.credits.reserve(await costOf(context, orders))();
    }
    const batch = await feeds.insertBatch(feed, template, rows);
    this.#begin(batch);
    return batch;
  }

  /** Stops making renders; the next start resumes. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#working);
  }

  #begin(batch: StoredBatch): void {
    const work = this.#create(batch)
      .catch((error: unknown) => {
        // The disk failed, or we have a bug: the next start resumes it.
        this.#options.log('error', 'feeds', `batch ${batch.id}: ${describeError(error)}`);
      })
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  async #create(batch: StoredBatch): Promise<void> {
    const { store, inProject } = this.#options;
    const context = inProject(batch.project);
    const name = store.feeds.find(batch.feed)?.name ?? '';
    const stored = await store.feeds.rowBytesOfBatch(batch.id);
    const lines = isRowList(stored)
      ? Buffer.from((await context.desk.batchRows(stored, batch.columns, null)).bytes)
      : stored;
    for (const row of rowsIn(lines)) {
      if (this.#closed) return;
      const id = batchRenderId(batch.id, row.id);
      if (store.renders.find(id)) continue;
      try {
        const order = orderOf(batch.template, row);
        const request = { ...order.request, batch: { id: batch.id, name, row: row.id } };
        await createBatchRender(context, { ...order, request }, id);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'cannot_save') throw error;
        await store.feeds.endBatch(batch.id, error.message);
        return;
      }
    }
    await store.feeds.endBatch(batch.id);
  }
}

/** A row as a request. */
function orderOf(templateId: string, { modifications }: BatchRow): RenderOrder {
  return { origin: { templateId }, request: { modifications } };
}
