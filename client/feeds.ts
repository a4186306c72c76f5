/** Requests about feeds, with the API key of their project. */
import type {
  ChangeFeed,
  Feed,
  FeedBatch,
  FeedFacts,
  FeedRow,
  FeedRows,
  FeedTable,
  FeedTableRow,
  NoFeedBatch,
  RenderFeed,
} from './generated/api-types.ts';
import { fileAsk, type Ask, type Connection, type FileContent } from './http.ts';

/** How a table is read; what is left out is recognised. */
export interface TableOptions {
  /** Between the values of a line. */
  readonly separator?: ',' | ';' | '\t' | '|' | undefined;
  readonly encoding?: string | undefined;
  /** Place of the sheet in its spreadsheet, from 1. */
  readonly sheet?: number | undefined;
  /** Whether the first row names the columns. */
  readonly head?: boolean | undefined;
}

/** Requests about feeds: tables whose rows become renders. */
export class Feeds {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): Promise<FeedFacts[]> {
    return this.#connection.json('/v1/feeds');
  }

  get(id: string): Promise<Feed> {
    return this.#connection.json(`/v1/feeds/${encodeURIComponent(id)}`);
  }

  /** The last rows of a feed. */
  sample(id: string): Promise<FeedRow[]> {
    return this.#connection.json(`/v1/feeds/${encodeURIComponent(id)}/sample`);
  }

  /** Feeds with columns and targets. */
  tables(): Promise<FeedTable[]> {
    return this.#connection.json('/v2/feeds');
  }

  /** Makes a feed of a table: CSV, TSV, JSON or XLSX. */
  import(content: FileContent, name: string, options: TableOptions = {}): Promise<FeedTable> {
    const ask = { ...fileAsk(content), query: { name, ...tableQuery(options) } };
    return this.#connection.json('/v2/feeds', ask);
  }

  /** Replaces the table; columns keep their targets. */
  replace(id: string, content: FileContent, options: TableOptions = {}): Promise<FeedTable> {
    const ask = { ...fileAsk(content), query: tableQuery(options), isRepeatable: true };
    return this.#connection.json(`${feedPath(id)}/table`, ask);
  }

  change(id: string, change: ChangeFeed): Promise<FeedTable> {
    return this.#connection.json(feedPath(id), { method: 'PATCH', body: change });
  }

  async delete(id: string): Promise<void> {
    await this.#connection.send(feedPath(id), { method: 'DELETE' });
  }

  rows(id: string): Promise<FeedTableRow[]> {
    return this.#connection.json(`${feedPath(id)}/rows`);
  }

  /** Replaces all rows. @param rows an ID stands for a row that stays as it is */
  replaceRows(id: string, rows: FeedRows['rows']): Promise<FeedTable> {
    const ask = { method: 'POST', body: { rows }, isRepeatable: true } as const;
    return this.#connection.json(`${feedPath(id)}/rows`, ask);
  }

  /** Renders rows of a feed, as a batch. @returns null if no row is to be rendered */
  async render(id: string, wanted: RenderFeed = {}): Promise<FeedBatch | null> {
    const ask = { method: 'POST', body: wanted } as const;
    const path = `${feedPath(id)}/render`;
    const batch = await this.#connection.json<FeedBatch | NoFeedBatch>(path, ask);
    return 'id' in batch ? batch : null;
  }

  /** Batches of its renders, the newest first. */
  batches(id: string): Promise<FeedBatch[]> {
    return this.#connection.json(`${feedPath(id)}/batches`);
  }
}

function feedPath(id: string): string {
  return `/v2/feeds/${encodeURIComponent(id)}`;
}

function tableQuery({ head, ...options }: TableOptions): NonNullable<Ask['query']> {
  return { ...options, head: head === undefined ? undefined : String(head) };
}
