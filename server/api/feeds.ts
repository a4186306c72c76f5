/** Feeds as programs of others read them: list, columns, last rows. feed-tables.ts fills and renders them. */
import type { FeedRecord, FullFeedRecord } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { feedLimits } from '../../shared/limits.ts';
import type { StoredFeed } from '../store/feeds.ts';
import { idOf, many, one, type Operation } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { feedAnswer, feedRowAnswer, fullFeedAnswer } from './schemas.ts';
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

/** A feed of the project. @throws ApiError `feed_not_found`. */
export function feedOf({ project }: ProjectServices, id: string): StoredFeed {
  const feed = project.feeds.find(id);
  if (feed?.project !== project.id) throw new ApiError('feed_not_found', { id });
  return feed;
}

/** The routes of feeds. */
export const feedOperations: readonly Operation[] = [
  {
    id: 'listFeeds',
    method: 'GET',
    path: '/v1/feeds',
    topic: 'feeds',
    summary: 'List feeds',
    explanation: 'All feeds in one answer, the newest change first.',
    answers: [many(200, feedAnswer, 'The feeds.')],
    refusals: [],
    serve: ({ project }) => [
      (_request, response) => {
        response.json(project.feeds.list(project.id).map(feedRecord));
      },
    ],
  },
  {
    id: 'readFeed',
    method: 'GET',
    path: '/v1/feeds/{id}',
    topic: 'feeds',
    summary: 'Read a feed',
    answers: [one(200, fullFeedAnswer, 'The feed with its columns.')],
    refusals: ['feed_not_found'],
    serve: (services) => [
      (request, response) => {
        response.json(fullFeedRecord(feedOf(services, idOf(request))));
      },
    ],
  },
  {
    id: 'readFeedSample',
    method: 'GET',
    path: '/v1/feeds/{id}/sample',
    topic: 'feeds',
    summary: 'Read the last rows of a feed',
    answers: [many(200, feedRowAnswer, 'At most 10 rows, the last one at the end.')],
    refusals: ['feed_not_found'],
    serve: (services) => [
      async (request, response) => {
        const { project, desk } = services;
        const feed = feedOf(services, idOf(request));
        const rows = await desk.lastRows(
          await project.feeds.rowBytesOf(feed),
          feedLimits.sampleRows,
        );
        const sample = rows.map(({ values }) =>
          Object.fromEntries(feed.columns.map(({ id, name }) => [name, values[id] ?? ''])),
        );
        response.json(sample);
      },
    ],
  },
];
