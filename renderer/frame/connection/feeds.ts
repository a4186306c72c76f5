/** The window's requests about feeds. Window only. */
import type {
  FeedCheck,
  FeedWatch,
  FixedValue,
  TableChoice,
  TableLook,
  WindowFeed,
  WindowFeedBatch,
  WindowFeedRow,
} from '../../../shared/api.ts';
import { storedRows } from './stored-rows.ts';
import { answerAs, answerOf, request } from './api.ts';

// The `as` below name the form that shared/api.ts promises for each address.

const at = (id: string, rest = ''): string => `/api/feeds/${encodeURIComponent(id)}${rest}`;

async function ask(
  method: string,
  path: string,
  sent?: object | File,
  signal?: AbortSignal,
): Promise<unknown> {
  const isFile = sent instanceof File;
  return answerOf(
    await request(path, {
      method,
      ...(signal && { signal }),
      ...(sent && {
        body: isFile ? sent : JSON.stringify(sent),
        headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
      }),
    }),
  );
}

function queryOf(choice: TableChoice, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(more);
  for (const [name, value] of Object.entries(choice)) query.set(name, String(value));
  return `?${query.toString()}`;
}

/** All feeds, newest change first. */
export const loadFeeds = async (): Promise<readonly WindowFeed[]> =>
  (await ask('GET', '/api/feeds')) as WindowFeed[];

/** The rows of one. @throws {RequestProblem} */
export async function loadFeedRows(id: string): Promise<readonly WindowFeedRow[]> {
  const response = await request(at(id, '/rows'));
  return response.ok
    ? answerAs(response, storedRows)
    : ((await answerOf(response)) as WindowFeedRow[]);
}

/** The beginning of a table file, and how it is read; nothing is stored. */
export const lookAtTable = async (file: File, choice: TableChoice): Promise<TableLook> =>
  (await ask('POST', `/api/feeds/look${queryOf(choice)}`, file)) as TableLook;

/** Makes a feed of a file. */
export const importFeed = async (
  file: File,
  choice: TableChoice,
  facts: { readonly name: string; readonly project: string },
): Promise<WindowFeed> =>
  (await ask('POST', `/api/feeds${queryOf(choice, facts)}`, file)) as WindowFeed;

/** Puts the rows of a file in the place of those of a feed. */
export const importAgain = async (
  id: string,
  file: File,
  choice: TableChoice,
): Promise<WindowFeed> =>
  (await ask('PUT', at(id, `/table${queryOf(choice)}`), file)) as WindowFeed;

/** What of a feed can be changed beside its rows. */
export interface FeedChange {
  readonly name?: string;
  readonly columns?: WindowFeed['columns'];
  /** Columns without a target are mapped to it by their names. */
  readonly template?: string | null;
  readonly fixed?: readonly FixedValue[];
  readonly clearsEmpty?: boolean;
  readonly names?: string;
  /** Null: it follows no file any more. */
  readonly watch?: FeedWatch | null;
}

export const changeFeed = async (id: string, change: FeedChange): Promise<WindowFeed> =>
  (await ask('PATCH', at(id), change)) as WindowFeed;

/**
 * Stores rows; of those that are there as they are, IDs do.
 * @param seen The `updatedAt` that they were made from: other rows are not overwritten.
 */
export const storeFeedRows = async (
  id: string,
  rows: readonly (WindowFeedRow | string)[],
  seen: number,
): Promise<WindowFeed> => (await ask('PUT', at(id, `/rows?seen=${seen}`), { rows })) as WindowFeed;

/** Deletes a feed with its rows. */
export async function deleteFeed(id: string): Promise<void> {
  await ask('DELETE', at(id));
}

/** Renders rows. @param rows their IDs @returns how many will be rendered */
export const renderFeed = async (
  id: string,
  rows: readonly string[],
): Promise<{ readonly rowCount: number }> =>
  (await ask('POST', at(id, '/render'), { rows })) as { rowCount: number };

/** What rendering all rows would say. */
export const checkFeed = async (id: string, signal: AbortSignal): Promise<FeedCheck> =>
  (await ask('POST', at(id, '/check'), {}, signal)) as FeedCheck;

/** Batches of all feeds, the newest first. */
export const loadBatches = async (): Promise<readonly WindowFeedBatch[]> =>
  (await ask('GET', '/api/batches')) as WindowFeedBatch[];

const batchAt = (id: string): string => `/api/batches/${encodeURIComponent(id)}`;

/** Keeps the renders of a batch waiting, or lets them go on. */
export async function pauseBatch(id: string, paused: boolean): Promise<void> {
  await ask('PATCH', batchAt(id), { paused });
}

/** Has no more renders made for a batch. */
export async function stopBatch(id: string): Promise<void> {
  await ask('DELETE', batchAt(id));
}
