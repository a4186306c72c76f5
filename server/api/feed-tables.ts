/**
 * Feeds over HTTP, as a server without a window fills them: import a table, map it to a template, change rows, render
 * them. The routes under /v1 (feeds.ts) only read.
 */
import type { Request } from 'express';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { feedRows, rowValues, type FeedChange, type TableChoice } from '../../shared/api/feeds.ts';
import { ApiError, type ErrorCode } from '../../shared/errors.ts';
import { feedLimits } from '../../shared/limits.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import type { FeedWatch } from '../jobs/feeds/feed-watch.ts';
import { checkSize } from '../jobs/feeds/feed-table.ts';
import type { FeedStore, StoredBatch, StoredFeed } from '../store/feeds.ts';
import type { ProjectTemplates } from '../store/templates.ts';
import { parseQuery, sureChange } from '../system/parameters.ts';
import { anyBytes, bytesOf, largeJsonBody } from './body.ts';
import { feedOf, feedRecord } from './feeds.ts';
import { idOf, many, one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { date } from './answer-schemas.ts';
import { feedFields } from './feeds.ts';
import { formatDate } from './serialize.ts';
import { readUpload } from './uploads.ts';

const route = projectRoutes('feeds');

/** What changing a feed needs. */
interface FeedContext {
  readonly feeds: FeedStore;
  readonly feedWatch: Pick<FeedWatch, 'retry'>;
  /** Those of the feed's project. */
  readonly templates: Pick<ProjectTemplates, 'find' | 'readDocument'>;
  readonly desk: Pick<Desk, 'mapColumns'>;
}

/**
 * Changes what a feed is and means, but not its rows. With a template, columns without a target are mapped to it.
 * @throws ApiError `feed_not_found`, `template_not_found`, `busy`, `cannot_save`.
 */
export async function changeFeed(
  { feeds, feedWatch, templates, desk }: FeedContext,
  feed: StoredFeed,
  { columns: given, ...change }: FeedChange,
): Promise<StoredFeed> {
  const changed = async (more: FeedChange): Promise<StoredFeed> => {
    const stored = await feeds.change(feed.id, more);
    if (!stored) throw new ApiError('feed_not_found', { id: feed.id });
    feedWatch.retry(feed.id);
    return stored;
  };
  // Leave out a property without a value.
  const columns = given?.map(({ target, ...column }) => ({ ...column, ...(target && { target }) }));
  if (typeof change.template !== 'string')
    return changed({ ...change, ...(columns && { columns }) });
  const template = templates.find(change.template);
  if (!template) throw new ApiError('template_not_found', { id: change.template });
  const document = await templates.readDocument(template);
  return changed({ ...change, columns: await desk.mapColumns(columns ?? feed.columns, document) });
}

// ---- the routes of the API
// -----------------------------------------------------------------------------------------------

const choice = feedRows.importAgain.query.shape;
const readingQuery = z.object({
  separator: choice.separator.register(z.globalRegistry, {
    description: 'Between the values of a line: a comma, semicolon, tab or bar.',
  }),
  encoding: choice.encoding.register(z.globalRegistry, { description: 'Of a text.' }),
  sheet: choice.sheet.register(z.globalRegistry, {
    type: 'integer',
    description: 'Place of the sheet in its spreadsheet, from 1. Default 1.',
  }),
  head: choice.head.register(z.globalRegistry, {
    description: 'Whether the first row names the columns: true or false.',
  }),
});
const importQuery = readingQuery.extend({
  name: feedRows.import.query.shape.name.clone().register(z.globalRegistry, {
    description: 'The name of the feed. A form may leave it out: then it is that of its file.',
  }),
});
const formQuery = importQuery.partial({ name: true });

const { shape: changeShape } = feedRows.change.body;
const changeBody = z
  .object({
    name: changeShape.name,
    template_id: changeShape.template.register(z.globalRegistry, {
      description: 'The template for its rows; null for none.',
    }),
    columns: changeShape.columns.register(z.globalRegistry, {
      description:
        'All of them, in their order. `target` is the modification that a column becomes, e.g. `Title.text`. With `template_id`, those without one are mapped by their names.',
    }),
    fixed_values: changeShape.fixed.register(z.globalRegistry, {
      description: 'Modifications that are the same in all rows.',
    }),
    clears_empty: changeShape.clearsEmpty.register(z.globalRegistry, {
      description: 'An empty cell empties what it fills, instead of keeping the value.',
    }),
    file_names: changeShape.names.register(z.globalRegistry, {
      description: 'Pattern for the names of files, e.g. `{n} {Title}`.',
    }),
  })
  .meta({
    id: 'ChangeFeed',
    description: 'Fields that are left out keep their values; at least one is needed.',
  });
const rowsBody = z.object(feedRows.storeRows.body.shape).meta({
  id: 'FeedRows',
  description: 'All rows, each with values by the IDs of columns; for one that stays, its ID.',
});
const renderBody = z.object(feedRows.render.body.shape).meta({
  id: 'RenderFeed',
  description:
    '`rows`: only those with these IDs. `changed`: only those that no render was made of as they are now.',
});

const tableAnswer = z
  .strictObject({
    ...feedFields,
    row_count: z.int(),
    columns: z.array(
      z.strictObject({ id: z.string(), name: z.string(), target: z.string().optional() }),
    ),
    template_id: z.guid().exactOptional(),
    fixed_values: z.array(z.strictObject({ target: z.string(), value: z.string() })),
    clears_empty: z.boolean(),
    file_names: z.string(),
  })
  .meta({ id: 'FeedTable' });
const rowAnswer = z
  .strictObject({ id: z.string(), values: rowValues })
  .meta({ id: 'FeedTableRow', description: 'Values by the IDs of the columns.' });
const batchAnswer = z
  .strictObject({
    id: z.guid().describe('`GET /v2/renders?batch_id=` lists its renders.'),
    created_at: date,
    row_count: z.int().describe('Renders that it is to have.'),
    done: z.boolean().describe('All of them are made, or it was given up.'),
    paused: z.boolean(),
    error: z.string().describe('Why it was given up.').exactOptional(),
  })
  .meta({ id: 'FeedBatch' });
const noneAnswer = z
  .strictObject({ row_count: z.literal(0) })
  .meta({ id: 'NoFeedBatch', description: 'No row is to be rendered.' });

function tableRecord(feed: StoredFeed): z.infer<typeof tableAnswer> {
  const { rowCount, columns, template, fixed = [], clearsEmpty = false, names = '' } = feed;
  return {
    ...feedRecord(feed),
    row_count: rowCount,
    columns,
    ...(template !== undefined && { template_id: template }),
    fixed_values: fixed,
    clears_empty: clearsEmpty,
    file_names: names,
  };
}

function batchRecord(batch: StoredBatch): z.infer<typeof batchAnswer> {
  const { id, createdAt, rowCount, done, paused = false, error } = batch;
  const created = formatDate(new Date(createdAt));
  return {
    ...{ id, created_at: created, row_count: rowCount, done, paused },
    ...(error !== undefined && { error }),
  };
}

/** The file of a request, which is small enough for a table. @throws ApiError as `readUpload`, and `feed_refused`. */
function tableFile(
  request: Request,
  name: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly called: string }> {
  return readUpload(request, name, async (content, called) => ({
    bytes: await collected(content),
    called,
  }));
}

async function collected(content: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    // A stream without an encoding gives buffers.
    pieces.push(piece as Buffer);
    length += pieces.at(-1)?.length ?? 0;
    checkSize({ length });
  }
  return Buffer.concat(pieces);
}

const fileRefusals: readonly ErrorCode[] = [
  'feed_refused',
  'upload_refused',
  'invalid_parameter',
  'incomplete_body',
  'media_too_large',
  'busy',
  'cannot_save',
];

/** A feed of the project that was there a moment ago. @throws ApiError `feed_not_found`. */
function sure(feed: StoredFeed | null, request: Request): StoredFeed {
  if (!feed) throw new ApiError('feed_not_found', { id: idOf(request) });
  return feed;
}

async function importAgain(services: ProjectServices, request: Request): Promise<StoredFeed> {
  const { project, desk } = services;
  const feed = feedOf(services, idOf(request));
  const query: TableChoice = parseQuery(readingQuery, request.query);
  const { bytes } = await tableFile(request, 'table');
  const known = { columns: feed.columns, rows: await project.feeds.rowBytesOf(feed) };
  const { columns, rows } = await desk.readTable(bytes, query, known);
  return sure(await project.feeds.replaceTable(feed.id, columns, rows), request);
}

/** Import, list, change and delete. */
const tableOperations: readonly Operation[] = [
  route('POST /v2/feeds', {
    id: 'importFeed',
    summary: 'Import a table',
    explanation: `CSV, TSV, JSON or XLSX, with at most ${feedLimits.rows.toLocaleString('en')} rows, ${feedLimits.columns} columns and ${feedLimits.bytes / 1e6} MB: the file itself as the body, or as the part \`file\` of multipart/form-data. What the query leaves out is recognised.`,
    query: formQuery,
    bodyForm: 'file',
    answers: [one(201, tableAnswer, 'The feed, without a template yet.')],
    refusals: fileRefusals,
    answer: async ({ project, desk }, { query: { name, ...query }, request }) => {
      const { bytes, called } = await tableFile(request, name);
      const { columns, rows } = await desk.readTable(bytes, query);
      const named = name ?? path.parse(called).name;
      const feed = await project.feeds.insert(project.id, named, columns, rows);
      return tableRecord(feed);
    },
  }),
  route('GET /v2/feeds', {
    id: 'listFeedTables',
    summary: 'List feeds with their columns',
    answers: [many(200, tableAnswer, 'The feeds, the newest change first.')],
    refusals: [],
    answer: ({ project }) => project.feeds.list(project.id).map(tableRecord),
  }),
  route('GET /v2/feeds/{id}', {
    id: 'readFeedTable',
    summary: 'Read what a feed is mapped to',
    answers: [one(200, tableAnswer, 'The feed.')],
    refusals: ['feed_not_found'],
    answer: (services, { id }) => tableRecord(feedOf(services, id)),
  }),
  route('PATCH /v2/feeds/{id}', {
    id: 'changeFeed',
    summary: 'Change a feed',
    explanation: 'Its name, its template, and which modification each column becomes.',
    body: changeBody,
    answers: [one(200, tableAnswer, 'The feed.')],
    refusals: ['feed_not_found', 'template_not_found', 'nothing_to_change', 'busy'],
    answer: async (services, asked) => {
      const { project, templates, desk, work } = services;
      const feed = feedOf(services, asked.id);
      const { name, columns, template_id, fixed_values, clears_empty, file_names } = asked.body;
      const change: FeedChange = {
        ...(name !== undefined && { name }),
        ...(columns && { columns }),
        ...(template_id !== undefined && { template: template_id }),
        ...(fixed_values && { fixed: fixed_values }),
        ...(clears_empty !== undefined && { clearsEmpty: clears_empty }),
        ...(file_names !== undefined && { names: file_names }),
      };
      sureChange(change, Object.keys(changeBody.shape));
      const { feeds } = project;
      const context = { feeds, feedWatch: work.feedWatch, templates, desk };
      return tableRecord(await changeFeed(context, feed, change));
    },
  }),
  route('DELETE /v2/feeds/{id}', {
    id: 'deleteFeed',
    summary: 'Delete a feed',
    explanation: 'For good, with its rows. Renders that were made of them stay.',
    answers: [{ status: 204, description: 'Deleted; no body.', content: null }],
    refusals: ['feed_not_found', 'cannot_save'],
    answer: async (services, { id }) => {
      await services.project.feeds.remove(feedOf(services, id).id);
    },
  }),
];

/** The rows. */
const rowOperations: readonly Operation[] = [
  route('POST /v2/feeds/{id}/table', {
    id: 'replaceFeedTable',
    summary: 'Import a newer table',
    explanation:
      'Its rows take the place of those that are there. Columns of the same name keep what they are mapped to, and rows with the same values keep their IDs.',
    query: readingQuery,
    bodyForm: 'file',
    answers: [one(200, tableAnswer, 'The feed.')],
    refusals: ['feed_not_found', ...fileRefusals],
    answer: async (services, { request }) => tableRecord(await importAgain(services, request)),
  }),
  route('GET /v2/feeds/{id}/rows', {
    id: 'listFeedRows',
    summary: 'List the rows of a feed',
    answers: [many(200, rowAnswer, 'All rows, in their order.')],
    refusals: ['feed_not_found'],
    answer: async (services, { id, response }) => {
      // As stored: a table may have many megabytes.
      const rows = await services.project.feeds.rowBytesOf(feedOf(services, id));
      response.type('json').send(rows);
    },
  }),
  route('POST /v2/feeds/{id}/rows', {
    id: 'replaceFeedRows',
    summary: 'Replace the rows of a feed',
    body: rowsBody,
    answers: [one(200, tableAnswer, 'The feed.')],
    refusals: ['feed_not_found', 'busy'],
    reader: () => anyBytes(feedLimits.sentBytes),
    answer: async (services, { id, request }) => {
      const { feeds } = services.project;
      const feed = feedOf(services, id);
      const stored = await feeds.rowBytesOf(feed);
      const rows = await services.desk.readRows(bytesOf(request.body), stored);
      return tableRecord(sure(await feeds.replaceRows(feed.id, rows), request));
    },
  }),
];

/** Rendering them. */
const batchOperations: readonly Operation[] = [
  route('POST /v2/feeds/{id}/render', {
    id: 'renderFeed',
    summary: 'Render the rows of a feed',
    explanation:
      'One render for each row, as a batch: it is answered once the batch is stored, and its renders follow. `{}` renders all rows.',
    body: renderBody,
    answers: [
      one(202, batchAnswer, 'The batch.'),
      one(200, noneAnswer, 'There is no row to render.'),
    ],
    refusals: ['feed_not_found', 'feed_not_mapped', 'template_not_found', 'out_of_credits', 'busy'],
    reader: ({ desk }) =>
      largeJsonBody(desk, {
        names: Object.keys(renderBody.shape),
        lists: { rows: feedLimits.rows },
      }),
    answer: async (services, asked) => {
      const feed = feedOf(services, asked.id);
      const batch = await services.work.feedBatches.start(feed.id, asked.body);
      if (batch) return batchRecord(batch);
      asked.response.status(200);
      return { row_count: 0 } satisfies z.infer<typeof noneAnswer>;
    },
  }),
  route('GET /v2/feeds/{id}/batches', {
    id: 'listFeedBatches',
    summary: 'List the batches of a feed',
    answers: [many(200, batchAnswer, 'The batches, the newest first.')],
    refusals: ['feed_not_found'],
    answer: (services, asked) => {
      const { id } = feedOf(services, asked.id);
      const all = services.project.feeds.listBatches().filter(({ feed }) => feed === id);
      return all.map(batchRecord);
    },
  }),
];

/** The routes of feeds that are filled without a window. */
export const feedTableOperations: readonly Operation[] = [
  ...tableOperations,
  ...rowOperations,
  ...batchOperations,
];
