/** The window's requests about feeds. Window only. */
import {
  feedRows,
  type TableChoice,
  type TableLook,
  type WindowFeed,
  type WindowFeedRow,
} from '../../../shared/api/feeds.ts';
import type { RequestFor } from '../../../shared/api/row.ts';
import { answerAs, answerOf } from './api.ts';
import { ask, call } from './call.ts';
import { storedRows } from './stored-rows.ts';

/** How a file is read, as an address has it. */
function queryOf({ head, ...choice }: TableChoice): RequestFor<typeof feedRows.look>['query'] {
  return { ...choice, ...(head !== undefined && { head: head ? 'true' : 'false' }) };
}

/** The rows of one. @throws {RequestProblem} */
export async function loadFeedRows(id: string): Promise<readonly WindowFeedRow[]> {
  const response = await ask(feedRows.rows, { params: { id } });
  if (!response.ok) await answerOf(response); // throws
  return answerAs(response, storedRows);
}

/** The beginning of a table file, and how it is read; nothing is stored. */
export const lookAtTable = (file: File, choice: TableChoice): Promise<TableLook> =>
  call(feedRows.look, { query: queryOf(choice), file });

export const importFeed = (
  file: File,
  choice: TableChoice,
  facts: { readonly name: string; readonly project: string },
): Promise<WindowFeed> => call(feedRows.import, { query: { ...queryOf(choice), ...facts }, file });

/** Puts the rows of a file in the place of those of a feed. */
export const importAgain = (id: string, file: File, choice: TableChoice): Promise<WindowFeed> =>
  call(feedRows.importAgain, { params: { id }, query: queryOf(choice), file });
