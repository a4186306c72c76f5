/** Feeds over HTTP, read only: the list, one with its columns, its last rows. They are filled in the window. */
import { Router } from 'express';
import type { FeedRecord, FullFeedRecord } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { feedLimits } from '../../shared/limits.ts';
import type { ServerServices } from '../services.ts';
import type { StoredFeed } from '../store/feeds.ts';
import { formatDate } from './serialize.ts';

/** A feed as the list shows it. */
export function feedRecord({ id, name, createdAt, updatedAt }: StoredFeed): FeedRecord {
  return {
    id,
    name,
    created_at: formatDate(new Date(createdAt)),
    updated_at: formatDate(new Date(updatedAt)),
  };
}

/** A feed with its columns and its template. */
export function fullFeedRecord(feed: StoredFeed): FullFeedRecord {
  return {
    ...feedRecord(feed),
    columns: feed.columns.map(({ id, name }) => ({ id, name })),
    ...(feed.template !== undefined && { template_id: feed.template }),
  };
}

/** Routes below `/v1/feeds`, for one project. */
export function feedRoutes({ store, desk }: ServerServices, project: string): Router {
  const { feeds } = store;
  const routes = Router({ caseSensitive: true });
  const find = (id: string): StoredFeed => {
    const feed = feeds.find(id);
    if (feed?.project !== project) throw new ApiError('feed_not_found', { id });
    return feed;
  };

  routes.get('/', (_request, response) => {
    response.json(feeds.list(project).map(feedRecord));
  });

  routes.get('/:id', (request, response) => {
    response.json(fullFeedRecord(find(request.params.id)));
  });

  routes.get('/:id/sample', async (request, response) => {
    const feed = find(request.params.id);
    const rows = await desk.lastRows(await feeds.rowBytesOf(feed), feedLimits.sampleRows);
    const sample = rows.map(({ values }) =>
      Object.fromEntries(feed.columns.map(({ id, name }) => [name, values[id] ?? ''])),
    );
    response.json(sample);
  });

  return routes;
}
