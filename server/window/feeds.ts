/**
 * Feeds in the window: import a table, map it to a template, change rows, render them. Below `/api`, behind the window's
 * token.
 */
import { Router } from 'express';
import { z } from 'zod';
import type { WindowFeed } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { feedLimits } from '../../shared/limits.ts';
import { anyBytes, bodyOf, bytesOf, jsonBody, jsonBytes, largeJsonBody } from '../api/body.ts';
import type { FeedTable } from '../jobs/feeds/feed-rows.ts';
import { parseParameters } from '../parameters.ts';
import type { ServerServices } from '../services.ts';
import type { FeedColumn, StoredFeed } from '../store/feeds.ts';
import { firstProject } from '../store/projects.ts';

const words = {
  name: `a string of 1 to ${feedLimits.nameLength} characters`,
  columns: `an array of at most ${feedLimits.columns} columns, each with id, name and a target of at most ${feedLimits.targetLength} characters`,
  rowIds: `an array of at most ${feedLimits.rows} row IDs`,
  template: 'the ID of a template, or null',
};

const name = z.string(words.name).min(1, words.name).max(feedLimits.nameLength, words.name);
const newFeed = z.object({ name, project: z.string('the ID of a project').default(firstProject) });
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
});
const batchRequest = z.object({
  rows: z
    .array(z.string(words.rowIds), words.rowIds)
    .max(feedLimits.rows, words.rowIds)
    .exactOptional(),
});

/** The bytes of a file; one more than allowed, so that the refusal can name the limit. */
const fileBody = anyBytes(feedLimits.bytes + 1);

/** Routes below `/api`. */
export function feedWindowRoutes(services: ServerServices): Router {
  const { store, feedBatches, desk } = services;
  const { feeds, templates, projects } = store;
  const routes = Router({ caseSensitive: true });
  const tableOf = (body: unknown, known?: readonly FeedColumn[]): Promise<FeedTable> =>
    desk.readTable(Buffer.isBuffer(body) ? body : Buffer.alloc(0), known);
  const sure = (feed: StoredFeed | null, id: string): StoredFeed => {
    if (!feed) throw new ApiError('feed_not_found', { id });
    return feed;
  };

  routes.get('/feeds', (_request, response) => {
    response.json(feeds.list().map(windowFeed));
  });

  routes.get('/feeds/:id/rows', async (request, response) => {
    const { id } = request.params;
    // Sent as stored: a table may have many megabytes.
    response.type('json').send(await feeds.rowBytesOf(sure(feeds.find(id), id)));
  });

  /** The file is the body; its name and project are in the query. */
  routes.post('/feeds', fileBody, async (request, response) => {
    const given = parseParameters(newFeed, request.query);
    if (!projects.find(given.project)) {
      throw new ApiError('project_not_found', { id: given.project });
    }
    const { columns, rows } = await tableOf(request.body);
    const feed = await feeds.insert(given.project, given.name, columns, rows);
    response.status(201).json(windowFeed(feed));
  });

  routes.put('/feeds/:id/table', fileBody);
  routes.put('/feeds/:id/table', async (request, response) => {
    const { id } = request.params;
    const known = sure(feeds.find(id), id).columns;
    const { columns, rows } = await tableOf(request.body, known);
    response.json(windowFeed(sure(await feeds.replaceTable(id, columns, rows), id)));
  });

  routes.put('/feeds/:id/rows', jsonBytes);
  routes.put('/feeds/:id/rows', async (request, response) => {
    const { id } = request.params;
    const rows = await desk.readRows(bytesOf(request.body));
    response.json(windowFeed(sure(await feeds.replaceRows(id, rows), id)));
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
      response.json(windowFeed(sure(await feeds.change(id, change), id)));
      return;
    }
    const template = templates.inProject(feed.project).find(given.template);
    if (!template) throw new ApiError('template_not_found', { id: given.template });
    const document = await templates.readDocument(template);
    const mapped = await desk.mapColumns(columns ?? feed.columns, document);
    response.json(windowFeed(sure(await feeds.change(id, { ...given, columns: mapped }), id)));
  });

  routes.delete('/feeds/:id', async (request, response) => {
    const { id } = request.params;
    if (!(await feeds.remove(id))) throw new ApiError('feed_not_found', { id });
    response.status(204).end();
  });

  const lists = { rows: feedLimits.rows };
  routes.post('/feeds/:id/render', largeJsonBody(desk, { names: ['rows'], lists }));
  routes.post('/feeds/:id/render', async (request, response) => {
    const { rows } = parseParameters(batchRequest, bodyOf(request));
    const { id, rowCount } = await feedBatches.start(request.params.id, rows);
    response.status(202).json({ id, rowCount });
  });

  routes.get('/batches', (_request, response) => {
    response.json(feeds.listBatches());
  });

  return routes;
}

function windowFeed(feed: StoredFeed): WindowFeed {
  const { id, project, name: feedName, createdAt, updatedAt, columns, rowCount, template } = feed;
  return {
    id,
    project,
    name: feedName,
    createdAt,
    updatedAt,
    columns,
    rowCount,
    ...(template !== undefined && { template }),
  };
}
