/** The window's requests about feeds. Window only. */
import {
  batchRows,
  feedRows,
  type FeedChange,
  type FeedCheck,
  type TableChoice,
  type TableLook,
  type WindowFeed,
  type WindowFeedBatch,
  type WindowFeedRow,
} from '../../../shared/api/feeds.ts';
import type { AnswerOf, RequestFor } from '../../../shared/api/row.ts';
import { answerAs, answerOf } from './api.ts';
import { ask, call } from './call.ts';
import { storedRows } from './stored-rows.ts';

/** How a file is read, as an address has it. */
function queryOf({ head, ...choice }: TableChoice): RequestFor<typeof feedRows.look>['query'] {
  return { ...choice, ...(head !== undefined && { head: head ? 'true' : 'false' }) };
}

/** All feeds, newest change first. */
export const loadFeeds = (): Promise<readonly WindowFeed[]> => call(feedRows.list);

/** The rows of one. @throws {RequestProblem} */
export async function loadFeedRows(id: string): Promise<readonly WindowFeedRow[]> {
  const response = await ask(feedRows.rows, { params: { id } });
  if (!response.ok) await answerOf(response); // throws
  return answerAs(response, storedRows);
}

/** The beginning of a table file, and how it is read; nothing is stored. */
export const lookAtTable = (file: File, choice: TableChoice): Promise<TableLook> =>
  call(feedRows.look, { query: queryOf(choice), file });

/** Makes a feed of a file. */
export const importFeed = (
  file: File,
  choice: TableChoice,
  facts: { readonly name: string; readonly project: string },
): Promise<WindowFeed> => call(feedRows.import, { query: { ...queryOf(choice), ...facts }, file });

/** Puts the rows of a file in the place of those of a feed. */
export const importAgain = (id: string, file: File, choice: TableChoice): Promise<WindowFeed> =>
  call(feedRows.importAgain, { params: { id }, query: queryOf(choice), file });

export const changeFeed = (id: string, body: FeedChange): Promise<WindowFeed> =>
  call(feedRows.change, { params: { id }, body });

/**
 * Stores rows; of those that are there as they are, IDs do.
 * @param seen The `updatedAt` that they were made from: other rows are not overwritten.
 */
export const storeFeedRows = (
  id: string,
  rows: readonly (WindowFeedRow | string)[],
  seen: number,
): Promise<WindowFeed> =>
  call(feedRows.storeRows, { params: { id }, query: { seen }, body: { rows } });

/** Deletes a feed with its rows. */
export const deleteFeed = (id: string): Promise<undefined> =>
  call(feedRows.remove, { params: { id } });

/** Renders rows. @param rows their IDs @returns how many will be rendered */
export const renderFeed = (
  id: string,
  rows: readonly string[],
): Promise<AnswerOf<typeof feedRows.render>> =>
  call(feedRows.render, { params: { id }, body: { rows } });

/** What rendering all rows would say. */
export const checkFeed = (id: string, signal: AbortSignal): Promise<FeedCheck> =>
  call(feedRows.check, { params: { id }, signal });

/** What the rows of a feed name where its template wants files. */
export const loadFeedMedia = (
  id: string,
  signal: AbortSignal,
): Promise<AnswerOf<typeof feedRows.media>> => call(feedRows.media, { params: { id }, signal });

/** Batches of all feeds, the newest first. */
export const loadBatches = (): Promise<readonly WindowFeedBatch[]> => call(batchRows.list);

/** Keeps the renders of a batch waiting, or lets them go on. */
export async function pauseBatch(id: string, paused: boolean): Promise<void> {
  await call(batchRows.change, { params: { id }, body: { paused } });
}

/** Has no more renders made for a batch. */
export const stopBatch = (id: string): Promise<undefined> =>
  call(batchRows.remove, { params: { id } });
