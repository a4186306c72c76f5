/**
 * Feeds between server and window: how a table file is read, what is wrong with rows, files that are followed, batches.
 */

import type { TextEncoding } from './text-encodings.ts';

/** Signs between the values of a line that can be chosen for an import. */
export const tableSeparators = [',', ';', '\t', '|'] as const;
/** How a table file is read. In a request, what is left out is recognised. */
export interface TableChoice {
  /** Only for lines of text. */
  readonly separator?: (typeof tableSeparators)[number];
  /** Only for text. */
  readonly encoding?: TextEncoding;
  /** Place of the sheet in its spreadsheet, from 1; default 1. */
  readonly sheet?: number;
  /** The first row names the columns; JSON has no such row. */
  readonly head?: boolean;
}

/** Answer of `POST /api/feeds/look`: the beginning of a table, and how it was read. */
export interface TableLook {
  readonly kind: 'lines' | 'json' | 'spreadsheet';
  readonly choice: TableChoice;
  /** Names of the sheets, in their order; only of a spreadsheet. */
  readonly sheets?: readonly string[];
  readonly columns: readonly string[];
  /** The first ones, in the order of the columns. */
  readonly rows: readonly (readonly string[])[];
  readonly rowCount: number;
}

/** What is wrong with a row of a feed, or would be. */
export interface RowProblem {
  /** ID of the row. */
  readonly row: string;
  /** As the render would say it. */
  readonly sentence: string;
  /** ID of the column whose value it is; absent where it can't be told. */
  readonly column?: string;
}

/** Answer of `POST /api/feeds/ID/check`: what rendering all rows would say. */
export interface FeedCheck {
  readonly rowCount: number;
  /** Rows that were checked, from the first; fewer than all if the template is large. */
  readonly checked: number;
  /** IDs of the rows with problems. */
  readonly wrong: readonly string[];
  /** The first ones, in the order of the rows. */
  readonly problems: readonly RowProblem[];
  /** IDs of the rows that no render was made of as they are now, with the template as it is now. */
  readonly changed: readonly string[];
}

/** A file that a feed follows. */
export interface FeedWatch {
  /** Of a table, or of a folder whose newest table counts. */
  readonly path: string;
  /** Renders the changed rows whenever it was read. */
  readonly renders: boolean;
}

/** The same as the window shows it. */
export interface WindowFeedWatch extends FeedWatch {
  /** ms since 1970: when it was read last. */
  readonly readAt?: number;
  /** Why it could not be read. */
  readonly problem?: string;
}

/** A batch of renders of a feed, as the window shows it. */
export interface WindowFeedBatch {
  readonly id: string;
  readonly feed: string;
  /** ms since 1970. */
  readonly createdAt: number;
  /** Renders that it is to have. */
  readonly rowCount: number;
  /** All of them are in the queue, or it was given up. */
  readonly done: boolean;
  readonly paused: boolean;
  /** Why it was given up. */
  readonly error?: string;
}
