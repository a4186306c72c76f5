/**
 * Feeds in the window: import a table, map it to a template, change rows, render them. Below `/api`, behind the
 * window's token.
 */
import { Router } from 'express';
import path from 'node:path';
import { z } from 'zod';
import type { WindowFeed, WindowFeedBatch } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { tableSeparators } from '../../shared/feed-table.ts';
import { textEncodings } from '../../shared/text-encodings.ts';
import { feedLimits } from '../../shared/limits.ts';
import { anyBytes, bodyOf, bytesOf, jsonBody, largeJsonBody } from '../api/body.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';
import type { StoredBatch, StoredFeed } from '../store/feeds.ts';
import { firstProject } from '../store/projects.ts';

const words = {
  name: `a string of 1 to ${feedLimits.nameLength} characters`,
  columns: `an array of at most ${feedLimits.columns} columns, each with id, name and a target of at most ${feedLimits.targetLength} characters`,
  rowIds: `an array of at most ${feedLimits.rows} row IDs`,
  template: 'the ID of a template, or null',
  separator: `one of ${tableSeparators.map((sign) => JSON.stringify(sign)).join(' ')}`,
  encoding: `one of ${textEncodings.join(', ')}`,
  sheet: 'a whole number from 1',
  head: 'true or false',
  seen: 'the number that updatedAt was',
  changed: 'true or false',
  fixed: `an array of at most ${feedLimits.columns} objects with target and value, each a string`,
  clearsEmpty: 'true or false',
  names: `a string of at most ${feedLimits.nameLength} characters`,
  watch: 'an object with path, the whole path of a file or folder, and renders; or null',
  paused: 'true or false',
};

const name = z.string(words.name).min(1, words.name).max(feedLimits.nameLength, words.name);
/** How a file is to be read, from the query; what is left out is recognised. */
const readingShape = {
  separator: z.enum(tableSeparators, words.separator).exactOptional(),
  encoding: z.enum(textEncodings, words.encoding).exactOptional(),
  sheet: z.coerce.number(words.sheet).int(words.sheet).min(1, words.sheet).exactOptional(),
  head: z
    .enum(['true', 'false'], words.head)
    .transform((text) => text === 'true')
    .exactOptional(),
};
const reading = z.object(readingShape);
const newFeed = z.object({
  ...readingShape,
  name,
  project: z.string('the ID of a project').default(firstProject),
});
/** The `updatedAt` that whoever sends rows has seen; absent: whatever is there is replaced. */
const seenVersion = z.object({ seen: z.coerce.number(words.seen).exactOptional() });
const feedChange = z.object({
  name: name.exactOptional(),
  template: z.string(words.template).nullable().exactOptional(),
  columns: z
    .array(
      z.object({
        id: z.string(words.columns).max(feedLimits.nameLength, words.columns),
        name,
        target: z
          .string(words.columns)
          .min(1)
          .max(feedLimits.targetLength, words.columns)
          .optional(),
      }),
      words.columns,
    )
    .max(feedLimits.columns, words.columns)
    .exactOptional(),
  fixed: z
    .array(
      z.object({
        target: z.string(words.fixed).min(1, words.fixed).max(feedLimits.targetLength, words.fixed),
        value: z.string(words.fixed).max(feedLimits.valueLength, words.fixed),
      }),
      words.fixed,
    )
    .max(feedLimits.columns, words.fixed)
    .exactOptional(),
  clearsEmpty: z.boolean(words.clearsEmpty).exactOptional(),
  names: z.string(words.names).max(feedLimits.nameLength, words.names).exactOptional(),
  watch: z
    .object({
      path: z.string(words.watch).refine((given) => path.isAbsolute(given), words.watch),
      renders: z.boolean(words.watch),
    })
    .nullable()
    .exactOptional(),
});
const batchRequest = z.object({
  rows: z
    .array(z.string(words.rowIds), words.rowIds)
    .max(feedLimits.rows, words.rowIds)
    .exactOptional(),
  changed: z.boolean(words.changed).exactOptional(),
});
const batchChange = z.object({ paused: z.boolean(words.paused) });

/** The bytes of a file; one more than allowed, so that the refusal can name the limit. */
const fileBody = anyBytes(feedLimits.bytes + 1);

/** Routes below `/api`. */
export function feedWindowRoutes(services: ServerServices): Router {
  const { store, feedBatches, feedWatch, desk } = services;
  const { feeds, templates, projects } = store;
  const routes = Router({ caseSensitive: true });
  const sure = (feed: StoredFeed | null, id: string): StoredFeed => {
    if (!feed) throw new ApiError('feed_not_found', { id });
    return feed;
  };

  const shown = (feed: StoredFeed): WindowFeed => windowFeed(feed, feedWatch.problemOf(feed.id));

  routes.get('/feeds', (_request, response) => {
    response.json(feeds.list().map(shown));
  });

  routes.get('/feeds/:id/rows', async (request, response) => {
    const { id } = request.params;
    // Sent as stored: a table may have many megabytes.
    response.type('json').send(await feeds.rowBytesOf(sure(feeds.find(id), id)));
  });

  /** The file is the body; its name, its project and how it is read are in the query. */
  routes.post('/feeds', fileBody, async (request, response) => {
    const { name: given, project, ...choice } = parseParameters(newFeed, request.query);
    if (!projects.find(project)) throw new ApiError('project_not_found', { id: project });
    const { columns, rows } = await desk.readTable(fileOf(request.body), choice);
    response.status(201).json(shown(await feeds.insert(project, given, columns, rows)));
  });

  /** The file is the body; nothing is stored. */
  routes.post('/feeds/look', fileBody, async (request, response) => {
    const choice = parseParameters(reading, request.query);
    response.json(await desk.lookAtTable(fileOf(request.body), choice));
  });

  routes.put('/feeds/:id/table', fileBody);
  routes.put('/feeds/:id/table', async (request, response) => {
    const { id } = request.params;
    const feed = sure(feeds.find(id), id);
    const known = { columns: feed.columns, rows: await feeds.rowBytesOf(feed) };
    const choice = parseParameters(reading, request.query);
    const { columns, rows } = await desk.readTable(fileOf(request.body), choice, known);
    response.json(shown(sure(await feeds.replaceTable(id, columns, rows), id)));
  });

  routes.put('/feeds/:id/rows', anyBytes(feedLimits.sentBytes));
  routes.put('/feeds/:id/rows', async (request, response) => {
    const { id } = request.params;
    const { seen } = parseParameters(seenVersion, request.query);
    const stored = await feeds.rowBytesOf(sure(feeds.find(id), id));
    const rows = await desk.readRows(bytesOf(request.body), stored);
    response.json(shown(sure(await feeds.replaceRows(id, rows, seen), id)));
  });

  routes.patch('/feeds/:id', jsonBody);
  routes.patch('/feeds/:id', async (request, response) => {
    const { id } = request.params;
    const { columns: sent, ...given } = parseParameters(feedChange, bodyOf(request));
    const feed = sure(feeds.find(id), id);
    // Leave out a property without a value.
    const columns = sent?.map(({ target, ...column }) => ({
      ...column,
      ...(target && { target }),
    }));
    if (typeof given.template !== 'string') {
      const change = { ...given, ...(columns && { columns }) };
      response.json(shown(sure(await feeds.change(id, change), id)));
      feedWatch.retry(id);
      return;
    }
    const template = templates.inProject(feed.project).find(given.template);
    if (!template) throw new ApiError('template_not_found', { id: given.template });
    const document = await templates.readDocument(template);
    const mapped = await desk.mapColumns(columns ?? feed.columns, document);
    response.json(shown(sure(await feeds.change(id, { ...given, columns: mapped }), id)));
    feedWatch.retry(id);
  });

  routes.delete('/feeds/:id', async (request, response) => {
    const { id } = request.params;
    if (!(await feeds.remove(id))) throw new ApiError('feed_not_found', { id });
    response.status(204).end();
  });

  const lists = { rows: feedLimits.rows };
  routes.post('/feeds/:id/render', largeJsonBody(desk, { names: ['rows', 'changed'], lists }));
  routes.post('/feeds/:id/render', async (request, response) => {
    const choice = parseParameters(batchRequest, bodyOf(request));
    const batch = await feedBatches.start(request.params.id, choice);
    if (batch) response.status(202).json({ id: batch.id, rowCount: batch.rowCount });
    else response.json({ id: null, rowCount: 0 });
  });

  /** What rendering all rows would say; nothing is stored. */
  routes.post('/feeds/:id/check', async (request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.json(await feedBatches.check(request.params.id, gone.signal));
  });

  routes.get('/batches', (_request, response) => {
    response.json(feeds.listBatches().map(windowBatch));
  });

  routes.patch('/batches/:id', jsonBody);
  routes.patch('/batches/:id', async (request, response) => {
    const { id } = request.params;
    const { paused } = parseParameters(batchChange, bodyOf(request));
    const batch = await feedBatches.pause(id, paused);
    if (!batch) throw new ApiError('feed_not_found', { id });
    response.json(windowBatch(batch));
  });

  /** Makes no more renders of it. */
  routes.delete('/batches/:id', async (request, response) => {
    const { id } = request.params;
    if (!(await feedBatches.stop(id))) throw new ApiError('feed_not_found', { id });
    response.status(204).end();
  });

  return routes;
}

function fileOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function windowFeed(feed: StoredFeed, problem: string | null): WindowFeed {
  const { id, project, name: feedName, createdAt, updatedAt, columns, rowCount, template } = feed;
  const { fixed = [], clearsEmpty = false, names = '', watch } = feed;
  const read = watch?.readAt;
  return {
    id,
    project,
    name: feedName,
    createdAt,
    updatedAt,
    columns,
    rowCount,
    ...(template !== undefined && { template }),
    fixed,
    clearsEmpty,
    names,
    ...(watch && {
      watch: {
        path: watch.path,
        renders: watch.renders,
        ...(read !== undefined && { readAt: read }),
        ...(problem !== null && { problem }),
      },
    }),
  };
}

function windowBatch(batch: StoredBatch): WindowFeedBatch {
  const { id, feed, createdAt, rowCount, done, paused = false, error } = batch;
  return { id, feed, createdAt, rowCount, done, paused, ...(error !== undefined && { error }) };
}
