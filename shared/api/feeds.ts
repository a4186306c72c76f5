/** The window's routes about feeds and their batches. */
import * as z from 'zod/mini';
import { feedLimits } from '../limits.ts';
import { textEncodings } from '../text-encodings.ts';
import { mediaKinds } from '../renderscript/source.ts';
import { windowMedia } from './media.ts';
import { longList, type Of, type RequestFor, type Rows } from './row.ts';

/** Signs between the values of a line that can be chosen for an import. */
export const tableSeparators = [',', ';', '\t', '|'] as const;
export type TableSeparator = (typeof tableSeparators)[number];

/** What a feed's media folder should be. */
export const mediaFolderWords = 'the whole path of a folder, or null';

const words = {
  name: `a string of 1 to ${feedLimits.nameLength} characters`,
  columns: `an array of at most ${feedLimits.columns} columns, each with id, name and a target of at most ${feedLimits.targetLength} characters`,
  rowIds: `an array of at most ${feedLimits.rows} row IDs`,
  template: 'the ID of a template, or null',
  separator: `one of ${tableSeparators.map((sign) => JSON.stringify(sign)).join(' ')}`,
  encoding: `one of ${textEncodings.join(', ')}`,
  sheet: 'a whole number from 1',
  seen: 'the number that updatedAt was',
  flag: 'true or false',
  fixed: `an array of at most ${feedLimits.columns} objects with target and value, each a string`,
  names: `a string of at most ${feedLimits.nameLength} characters`,
  mediaFolder: mediaFolderWords,
};
/** What a watched file should be. */
export const feedWatchWords =
  'an object with path, the whole path of a file or folder, and renders; or null';

/** How a table file is read. */
const choice = z.object({
  /** Only for lines of text. */
  separator: z.exactOptional(z.enum(tableSeparators, words.separator)),
  /** Only for text. */
  encoding: z.exactOptional(z.enum(textEncodings, words.encoding)),
  /** Place of the sheet in its spreadsheet, from 1; default 1. */
  sheet: z.exactOptional(z.number()),
  /** The first row names the columns; JSON has no such row. */
  head: z.exactOptional(z.boolean()),
});
/** How a table file is read. In a request, what is left out is recognised. */
export type TableChoice = Of<typeof choice>;

/** The same in a query, where all values are texts. */
const reading = {
  ...choice.shape,
  sheet: z.exactOptional(
    z.coerce.number(words.sheet).check(z.int(words.sheet), z.gte(1, words.sheet)),
  ),
  head: z.exactOptional(
    z.pipe(
      z.enum(['true', 'false'], words.flag),
      z.transform((text) => text === 'true'),
    ),
  ),
};

const look = z.object({
  kind: z.enum(['lines', 'json', 'spreadsheet']),
  choice,
  /** Names of the sheets, in their order; only of a spreadsheet. */
  sheets: z.exactOptional(z.array(z.string())),
  columns: z.array(z.string()),
  /** The first ones, in the order of the columns. */
  rows: z.array(z.array(z.string())),
  rowCount: z.number(),
});
/** The beginning of a table, and how it was read. */
export type TableLook = Of<typeof look>;

const rowProblem = z.object({
  /** ID of the row. */
  row: z.string(),
  /** As the render would say it. */
  sentence: z.string(),
  /** ID of the column whose value it is; absent where it can't be told. */
  column: z.exactOptional(z.string()),
  /** What is wrong with a file, as the error of the render; absent: it isn't about a file. */
  code: z.exactOptional(z.string()),
});
/** What is wrong with a row of a feed, or would be. */
export type RowProblem = Of<typeof rowProblem>;

const check = z.object({
  rowCount: z.number(),
  /** Rows that were checked with all their files, from the first; fewer than all if that takes too long. */
  checked: z.number(),
  /** IDs of the rows with problems. */
  wrong: z.array(z.string()),
  /** The first ones, in the order of the rows; a row may have several. */
  problems: z.array(rowProblem),
  /** IDs of the rows that no render was made of as they are now, with the template as it is now. */
  changed: z.array(z.string()),
});
/** What rendering all rows would say. */
export type FeedCheck = Of<typeof check>;

const watch = z.object({
  /** Of a table, or of a folder whose newest table counts. */
  path: z.string(feedWatchWords),
  /** Renders the changed rows whenever it was read. */
  renders: z.boolean(feedWatchWords),
});
const shownWatch = z.extend(watch, {
  /** ms since 1970: when it was read last. */
  readAt: z.exactOptional(z.number()),
  /** Why it could not be read. */
  problem: z.exactOptional(z.string()),
});

const feedColumn = z.object({
  id: z.string(),
  name: z.string(),
  /** The modification that its values become, e.g. `Title.text`; absent: none. */
  target: z.optional(z.string()),
});
/** A column of a feed. */
export type FeedColumnFacts = Of<typeof feedColumn>;

const fixedValue = z.object({
  /** The modification that it becomes, e.g. `Title.fill_color`. */
  target: z.string(),
  value: z.string(),
});
/** A value that is the same in all rows. */
export type FixedValue = Of<typeof fixedValue>;

const feed = z.object({
  id: z.string(),
  project: z.string(),
  name: z.string(),
  /** ms since 1970. */
  createdAt: z.number(),
  updatedAt: z.number(),
  columns: z.array(feedColumn),
  rowCount: z.number(),
  /** The ID of the template for its rows. */
  template: z.exactOptional(z.string()),
  fixed: z.array(fixedValue),
  /** An empty cell empties what it fills, instead of keeping the template's value. */
  clearsEmpty: z.boolean(),
  /** Pattern for the names of files (`rowName`); '': they are named as those of other renders. */
  names: z.string(),
  watch: z.exactOptional(shownWatch),
  /** The folder that its cells name files in; absent: that of the table that it follows, if it follows one. */
  mediaFolder: z.exactOptional(z.string()),
});
/** A feed as the window shows it. */
export type WindowFeed = Of<typeof feed>;

/** Text by the IDs of columns. */
export const rowValues = z.record(z.string(), z.string());
const feedRow = z.object({ id: z.string(), values: rowValues });
/** A row of a feed. */
export type WindowFeedRow = Of<typeof feedRow>;
export const feedTable = z.array(feedRow);

const batch = z.object({
  id: z.string(),
  feed: z.string(),
  /** ms since 1970. */
  createdAt: z.number(),
  /** Renders that it is to have. */
  rowCount: z.number(),
  /** All of them are in the queue, or it was given up. */
  done: z.boolean(),
  paused: z.boolean(),
  /** Why it was given up. */
  error: z.exactOptional(z.string()),
});
/** A batch of renders of a feed, as the window shows it. */
export type WindowFeedBatch = Of<typeof batch>;

const name = z
  .string(words.name)
  .check(z.minLength(1, words.name), z.maxLength(feedLimits.nameLength, words.name));
const column = z.object({
  id: z.string(words.columns).check(z.maxLength(feedLimits.nameLength, words.columns)),
  name,
  target: z.optional(
    z
      .string(words.columns)
      .check(z.minLength(1), z.maxLength(feedLimits.targetLength, words.columns)),
  ),
});
const fixed = z.object({
  target: z
    .string(words.fixed)
    .check(z.minLength(1, words.fixed), z.maxLength(feedLimits.targetLength, words.fixed)),
  value: z.string(words.fixed).check(z.maxLength(feedLimits.valueLength, words.fixed)),
});
const change = z.object({
  name: z.exactOptional(name),
  /** Columns without a target are mapped to it by their names. */
  template: z.exactOptional(z.nullable(z.string(words.template))),
  columns: z.exactOptional(
    z.array(column, words.columns).check(z.maxLength(feedLimits.columns, words.columns)),
  ),
  fixed: z.exactOptional(
    z.array(fixed, words.fixed).check(z.maxLength(feedLimits.columns, words.fixed)),
  ),
  clearsEmpty: z.exactOptional(z.boolean(words.flag)),
  names: z.exactOptional(
    z.string(words.names).check(z.maxLength(feedLimits.nameLength, words.names)),
  ),
  /** Null: it follows no file any more. */
  watch: z.exactOptional(z.nullable(watch)),
  /** The whole path of the folder that cells name files in; null: none. */
  mediaFolder: z.exactOptional(z.nullable(z.string(words.mediaFolder))),
});

const namedMedia = z.object({
  /** As it stands in cells. */
  name: z.string(),
  /** What a render is given for it. */
  address: z.string(),
  /** `elsewhere`: nobody has looked, because it leads to another computer or is the file itself. */
  state: z.enum(['file', 'missing', 'outside', 'not a file', 'elsewhere']),
  /** Its file of the library. */
  media: z.exactOptional(windowMedia),
});
/** A name of a file in cells, and what it stands for. */
export type NamedMedia = Of<typeof namedMedia>;
const media = z.object({
  /** Modifications that name files, with the kind that fits. */
  targets: z.record(z.string(), z.enum(mediaKinds)),
  /** Each name once. */
  files: longList(namedMedia),
});

/** Feeds: import a table, map it to a template, change rows, render them. */
export const feedRows = {
  /** Newest change first. */
  list: { method: 'GET', path: '/feeds', answer: z.array(feed) },
  /** The file is the body. */
  import: {
    method: 'POST',
    path: '/feeds',
    query: z.object({
      ...reading,
      name,
      project: z.exactOptional(z.string('the ID of a project')),
    }),
    status: 201,
    answer: feed,
  },
  /** The file is the body; nothing is stored. */
  look: { method: 'POST', path: '/feeds/look', query: z.object(reading), answer: look },
  /** Sent as stored, since a table may have many megabytes; see stored-rows.ts. */
  rows: { method: 'GET', path: '/feeds/:id/rows', answer: 'file' },
  /** Puts the rows of a file, which is the body, in the place of those that are there. */
  importAgain: {
    method: 'PUT',
    path: '/feeds/:id/table',
    query: z.object(reading),
    answer: feed,
  },
  /** Of rows that are there as they are, IDs do. */
  storeRows: {
    method: 'PUT',
    path: '/feeds/:id/rows',
    /** The `updatedAt` that whoever sends rows has seen; absent: whatever is there is replaced. */
    query: z.object({ seen: z.exactOptional(z.coerce.number(words.seen)) }),
    body: z.object({ rows: z.array(z.union([feedRow, z.string()])) }),
    unread: true,
    answer: feed,
  },
  change: { method: 'PATCH', path: '/feeds/:id', body: change, answer: feed },
  /** With its rows. */
  remove: { method: 'DELETE', path: '/feeds/:id', answer: null },
  /** Of rows, by their IDs. 202; 200: there is none to render. */
  render: {
    method: 'POST',
    path: '/feeds/:id/render',
    body: z.object({
      rows: z.exactOptional(
        z
          .array(z.string(words.rowIds), words.rowIds)
          .check(z.maxLength(feedLimits.rows, words.rowIds)),
      ),
      changed: z.exactOptional(z.boolean(words.flag)),
    }),
    answer: z.object({ id: z.nullable(z.string()), rowCount: z.number() }),
  },
  check: { method: 'POST', path: '/feeds/:id/check', answer: check },
  /** What its stored rows name where the template wants files. */
  media: { method: 'GET', path: '/feeds/:id/media', answer: media },
} as const satisfies Rows;

/** Batches of renders of feeds. */
export const batchRows = {
  /** Of all feeds, the newest first. */
  list: { method: 'GET', path: '/batches', answer: z.array(batch) },
  /** Keeps its renders waiting, or lets them go on. */
  change: {
    method: 'PATCH',
    path: '/batches/:id',
    body: z.object({ paused: z.boolean(words.flag) }),
    answer: batch,
  },
  /** Makes no more renders of it. */
  remove: { method: 'DELETE', path: '/batches/:id', answer: null },
} as const satisfies Rows;

/** What of a feed can be changed beside its rows. */
export type FeedChange = RequestFor<typeof feedRows.change>['body'];
