/** Feeds as programs of others read them: list, columns, last rows. feed-tables.ts fills and renders them. */
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { feedLimits } from '../../shared/limits.ts';
import type { StoredFeed } from '../store/feeds.ts';
import { many, one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { date, id, type Answer } from './answer-schemas.ts';
import { formatDate } from './serialize.ts';

/** What every form of a feed has. */
export const feedFields = { id, name: z.string(), created_at: date, updated_at: date };

/** A feed as the list shows it. */
const feedAnswer = z.strictObject(feedFields).meta({ id: 'FeedFacts' });
export type FeedRecord = Answer<typeof feedAnswer>;

/** A feed with its columns. */
const fullFeedAnswer = z
  .strictObject({
    ...feedFields,
    columns: z.array(z.strictObject({ id, name: z.string() })),
    template_id: id
      .describe('The template for its rows; absent while it has none.')
      .exactOptional(),
  })
  .meta({ id: 'Feed' });
export type FullFeedRecord = Answer<typeof fullFeedAnswer>;

/** A row of a feed. */
const feedRowAnswer = z
  .record(z.string(), z.string())
  .meta({ id: 'FeedRow', description: 'Texts by the names of the columns.' });

const route = projectRoutes('feeds');

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
  route('GET /v1/feeds', {
    id: 'listFeeds',
    summary: 'List feeds',
    explanation: 'All feeds in one answer, the newest change first.',
    answers: [many(200, feedAnswer, 'The feeds.')],
    refusals: [],
    answer: ({ project }) => project.feeds.list(project.id).map(feedRecord),
  }),
  route('GET /v1/feeds/{id}', {
    id: 'readFeed',
    summary: 'Read a feed',
    answers: [one(200, fullFeedAnswer, 'The feed with its columns.')],
    refusals: ['feed_not_found'],
    answer: (services, { id }) => fullFeedRecord(feedOf(services, id)),
  }),
  route('GET /v1/feeds/{id}/sample', {
    id: 'readFeedSample',
    summary: 'Read the last rows of a feed',
    answers: [many(200, feedRowAnswer, 'At most 10 rows, the last one at the end.')],
    refusals: ['feed_not_found'],
    answer: async (services, { id }) => {
      const { project, desk } = services;
      const feed = feedOf(services, id);
      const rows = await desk.lastRows(await project.feeds.rowBytesOf(feed), feedLimits.sampleRows);
      const sample = rows.map(({ values }) =>
        Object.fromEntries(feed.columns.map(({ id, name }) => [name, values[id] ?? ''])),
      );
      return sample;
    },
  }),
];
