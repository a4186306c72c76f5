/**
 * Feeds in the window: import a table, map it to a template, change rows, render them. Below `/api`, behind the
 * window's token.
 */
import { Router } from 'express';
import path from 'node:path';
import {
  batchRows,
  feedRows,
  feedWatchWords,
  mediaFolderWords,
  type WindowFeed,
  type WindowFeedBatch,
} from '../../shared/api/feeds.ts';
import { ApiError } from '../../shared/errors.ts';
import { feedLimits } from '../../shared/limits.ts';
import { anyBytes, bytesOf, largeJsonBody } from '../api/body.ts';
import { changeFeed } from '../api/feed-tables.ts';
import type { ServerServices } from '../services.ts';
import type { StoredBatch, StoredFeed } from '../store/feeds.ts';
import { firstProject } from '../store/projects.ts';
import { windowMedia } from './library.ts';
import { serveRows } from './rows.ts';

/** The bytes of a file; one more than allowed, so that the refusal can name the limit. */
const fileBody = anyBytes(feedLimits.bytes + 1);

/** Routes below `/api`. */
export function feedWindowRoutes(
  services: Pick<ServerServices, 'store' | 'desk' | 'work'>,
): Router {
  const { store, desk } = services;
  const { feedBatches, feedWatch } = services.work;
  const { feeds, templates, projects } = store;

  const shown = (feed: StoredFeed): WindowFeed => windowFeed(feed, feedWatch.problemOf(feed.id));

  const lists = { rows: feedLimits.rows };
  const routes = serveRows(
    feedRows,
    {
      list: () => feeds.list().map(shown),
      import: async ({ query: { name, project = firstProject, ...choice }, request }) => {
        if (!projects.find(project)) throw new ApiError('project_not_found', { id: project });
        const { columns, rows } = await desk.readTable(fileOf(request.body), choice);
        return shown(await feeds.insert(project, name, columns, rows));
      },
      look: ({ query, request }) => desk.lookAtTable(fileOf(request.body), query),
      rows: async ({ params: { id }, response }) => {
        response.type('json').send(await feeds.rowBytesOf(sure(feeds.find(id), id)));
      },
      importAgain: async ({ params: { id }, query, request }) => {
        const feed = sure(feeds.find(id), id);
        const known = { columns: feed.columns, rows: await feeds.rowBytesOf(feed) };
        const { columns, rows } = await desk.readTable(fileOf(request.body), query, known);
        return shown(sure(await feeds.replaceTable(id, columns, rows), id));
      },
      storeRows: async ({ params: { id }, query: { seen }, request }) => {
        const stored = await feeds.rowBytesOf(sure(feeds.find(id), id));
        const rows = await desk.readRows(bytesOf(request.body), stored);
        return shown(sure(await feeds.replaceRows(id, rows, seen), id));
      },
      change: async ({ params: { id }, body }) => {
        // The form of a whole path is the system's.
        if (body.watch && !path.isAbsolute(body.watch.path))
          throw new ApiError('invalid_parameter', { name: 'watch', what: feedWatchWords });
        if (body.mediaFolder && !path.isAbsolute(body.mediaFolder))
          throw new ApiError('invalid_parameter', { name: 'mediaFolder', what: mediaFolderWords });
        const feed = sure(feeds.find(id), id);
        const own = templates.inProject(feed.project);
        return shown(await changeFeed({ feeds, feedWatch, templates: own, desk }, feed, body));
      },
      remove: async ({ params: { id } }) => {
        if (!(await feeds.remove(id))) throw new ApiError('feed_not_found', { id });
      },
      render: async ({ params: { id }, body, response }) => {
        const batch = await feedBatches.start(id, body);
        if (!batch) return { id: null, rowCount: 0 };
        response.status(202);
        return { id: batch.id, rowCount: batch.rowCount };
      },
      check: ({ params: { id }, response }) => {
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        return feedBatches.check(id, gone.signal);
      },
      media: async ({ params: { id } }) => {
        const { targets, files } = await feedBatches.media(id);
        return {
          targets: Object.fromEntries(targets),
          files: files.map(({ media, ...named }) => ({
            ...named,
            ...(media && { media: windowMedia(media) }),
          })),
        };
      },
    },
    {
      import: fileBody,
      look: fileBody,
      importAgain: fileBody,
      storeRows: anyBytes(feedLimits.sentBytes),
      render: largeJsonBody(desk, { names: ['rows', 'changed'], lists }),
    },
  );
  return Router({ caseSensitive: true }).use(routes, batchRoutes(services));
}

function batchRoutes({ store, work }: Pick<ServerServices, 'store' | 'work'>): Router {
  const { feedBatches } = work;
  return serveRows(batchRows, {
    list: () => store.feeds.listBatches().map(windowBatch),
    change: async ({ params: { id }, body: { paused } }) => {
      const batch = await feedBatches.pause(id, paused);
      if (!batch) throw new ApiError('feed_not_found', { id });
      return windowBatch(batch);
    },
    remove: async ({ params: { id } }) => {
      if (!(await feedBatches.stop(id))) throw new ApiError('feed_not_found', { id });
    },
  });
}

function sure(feed: StoredFeed | null, id: string): StoredFeed {
  if (!feed) throw new ApiError('feed_not_found', { id });
  return feed;
}

function fileOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function windowFeed(feed: StoredFeed, problem: string | null): WindowFeed {
  const { id, project, name: feedName, createdAt, updatedAt, columns, rowCount, template } = feed;
  const { fixed = [], clearsEmpty = false, names = '', watch, mediaFolder } = feed;
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
    ...(mediaFolder !== undefined && { mediaFolder }),
  };
}

function windowBatch(batch: StoredBatch): WindowFeedBatch {
  const { id, feed, createdAt, rowCount, done, paused = false, error } = batch;
  return { id, feed, createdAt, rowCount, done, paused, ...(error !== undefined && { error }) };
}
