/** The list of renders, and cancelling one: routes without an older form. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import { isFinal, type RenderProgress, renderStatuses } from '../../shared/api.ts';
import { requestLimits } from '../../shared/limits.ts';
import type { StoredRender } from '../store/render-record.ts';
import { baseUrlOf } from './answer.ts';
import { events, many, one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { answeredRender, renderOf } from './renders.ts';
import {
  listedRenderAnswer,
  renderAnswer,
  type ListedRender,
  id,
  type Answer,
} from './answer-schemas.ts';
import { listRendersQuery } from './request-schemas.ts';
import { formatDate, renderRecord } from './serialize.ts';
import type { EventReader } from './event-streams.ts';

/** A page of the list of renders. */
const renderPageAnswer = z
  .strictObject({
    renders: z.array(listedRenderAnswer),
    next_cursor: z.string().describe('For the next page; absent on the last one.').exactOptional(),
  })
  .meta({ id: 'RenderPage' });
export type RenderPage = Answer<typeof renderPageAnswer>;

const progressAnswer = z
  .strictObject({
    id,
    phase: z.enum(['waiting', 'transcribing', 'rendering', 'finishing']),
    percent: z.number().describe('0 to 99; does not go down within an attempt.'),
    frame: z.int().describe('Frames drawn; files fetched or recordings read in other phases.'),
    frames: z.int().describe('The total; 0 while unknown.'),
    frames_per_second: z.number().exactOptional(),
    seconds_left: z.number().describe('Left out while unknown.').exactOptional(),
  })
  .meta({ id: 'RenderProgress' });
type ProgressRecord = Answer<typeof progressAnswer>;

/** One event of a stream. */
const renderEventAnswer = z
  .discriminatedUnion('event', [
    z
      .strictObject({ event: z.literal('ready'), data: z.strictObject({}) })
      .meta({ id: 'ReadyEvent', description: 'The stream is open.' }),
    z
      .strictObject({ event: z.literal('render'), data: listedRenderAnswer })
      .meta({ id: 'StateEvent', description: 'A render as it is now.' }),
    z
      .strictObject({ event: z.literal('progress'), data: progressAnswer })
      .meta({ id: 'ProgressEvent', description: 'How far a render is.' }),
    z
      .strictObject({ event: z.literal('removed'), data: z.strictObject({ id }) })
      .meta({ id: 'RemovedEvent', description: 'A render is no longer in the list.' }),
  ])
  .meta({
    id: 'RenderEvent',
    description: 'The name of an event and its data, which is sent as one line of JSON.',
  });

const route = projectRoutes('renders');

/** A render in lists and events: without long modifications. */
export function listedRender(render: StoredRender, url: string): ListedRender {
  const { createdAt, finishedAt } = render;
  return {
    // Long modifications are a separate file, which is not read here; short ones are not text.
    ...(renderRecord(render, url) as ListedRender),
    created_at: formatDate(new Date(createdAt)),
    ...(finishedAt !== undefined && { finished_at: formatDate(new Date(finishedAt)) }),
  };
}

async function list(
  { renders, address }: ProjectServices,
  {
    query,
    request,
  }: { readonly query: z.infer<typeof listRendersQuery>; readonly request: Request },
): Promise<RenderPage> {
  const asked = query.status?.split(',');
  const statuses = asked && renderStatuses.filter((status) => asked.includes(status));
  const templateId = query.template_id?.toLowerCase();
  const after = Date.parse(query.created_after ?? '') || -Infinity;
  const before = Date.parse(query.created_before ?? '') || Infinity;
  const limit = Number(query.limit ?? requestLimits.page.usual);
  // The request is kept as JSON: one without these words is not what is sought, and need not be read.
  const words = [templateId, query.tag, query.metadata, query.batch_id]
    .filter((word) => word !== undefined)
    .map((word) => JSON.stringify(word));
  const found = await renders.list({
    before: query.cursor === undefined ? Infinity : parseInt(query.cursor, 36),
    limit,
    statuses,
    mayBe: ({ createdAt, request }) =>
      createdAt > after && createdAt < before && words.every((word) => request.includes(word)),
    isWanted: ({ request: { template, metadata, batch } }) =>
      (templateId === undefined || template?.id === templateId) &&
      (query.tag === undefined || template?.tags.includes(query.tag) === true) &&
      (query.metadata === undefined || metadata === query.metadata) &&
      (query.batch_id === undefined || batch?.id === query.batch_id),
  });
  const url = baseUrlOf(request, address.apiUrl());
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    renders: page.map((render) => listedRender(render, url)),
    ...(last && { next_cursor: last.order.toString(36) }),
  };
}

/** The routes of renders that have no older form. */
export const renderListOperations: readonly Operation[] = [
  route('GET /v2/renders', {
    id: 'listRenders',
    summary: 'List renders',
    explanation:
      'The newest first, in pages. A cursor marks a place in the list: creating or removing renders meanwhile moves nothing, and no render comes twice. Modifications of more than 2,000 characters are left out here.',
    query: listRendersQuery,
    answers: [one(200, renderPageAnswer, 'A page; without `next_cursor` it is the last one.')],
    refusals: ['invalid_parameter'],
    answer: list,
  }),
  route('GET /v1/renders', {
    id: 'listRendersOlder',
    summary: 'List renders (for older clients)',
    explanation: 'The same renders as under /v2, as an array without a cursor.',
    query: listRendersQuery,
    answers: [many(200, listedRenderAnswer, 'The newest ones.')],
    refusals: ['invalid_parameter'],
    answer: async (services, asked) => (await list(services, asked)).renders,
  }),
  route('POST /v2/renders/{id}/cancel', {
    id: 'cancelRender',
    summary: 'Cancel a render',
    explanation:
      'It ends as failed with the message "Render error: Cancelled". One that has already ended stays as it is, and the answer shows it.',
    answers: [one(200, renderAnswer, 'The render as it is now.')],
    refusals: ['render_not_found', 'cannot_save'],
    answer: async (services, { id, request }) => {
      await services.queue.cancel(renderOf(services, id).id);
      return answeredRender(services, request);
    },
  }),
];

function progressRecord(id: string, progress: RenderProgress): ProgressRecord {
  const { phase, percent, frame, frames, framesPerSecond, secondsLeft } = progress;
  return {
    id,
    phase,
    percent: Math.round(percent * 10) / 10,
    frame,
    frames,
    ...(framesPerSecond !== undefined && { frames_per_second: framesPerSecond }),
    ...(secondsLeft !== undefined && { seconds_left: secondsLeft }),
  };
}

/** Opens a stream of events about some renders. @param isWanted Selects them. @param onTold Called after each event. */
function openStream(
  services: ProjectServices,
  request: Request,
  response: Response,
  isWanted: (id: string) => boolean,
  onTold: (render: StoredRender | null) => void = () => undefined,
): { readonly reader: EventReader; readonly tell: (render: StoredRender) => void } {
  const { pending, renders, project, queue, address } = services;
  const url = baseUrlOf(request, address.apiUrl());
  const reader = pending.streams.open(response, () => unfollow());
  const tell = (render: StoredRender): void => {
    reader.send(listedRender(render, url), 'render');
    const progress = isFinal(render.status) ? null : queue.progressOf(render.id);
    if (progress) reader.send(progressRecord(render.id, progress), 'progress');
    onTold(render);
  };
  const unfollow = services.events.subscribe((happening) => {
    switch (happening.type) {
      case 'render.created':
      case 'render.updated': {
        const { render } = happening;
        if (render.project === project.id && isWanted(render.id)) tell(render);
        break;
      }
      case 'render.progress': {
        const { id, progress } = happening;
        if (isWanted(id) && renders.find(id)) reader.send(progressRecord(id, progress), 'progress');
        break;
      }
      case 'render.removed':
        if (isWanted(happening.id)) {
          reader.send({ id: happening.id }, 'removed');
          onTold(null);
        }
        break;
      default:
    }
  });
  return { reader, tell };
}

/** The routes of events. They come before those of one render, because `events` is no ID. */
export const renderEventOperations: readonly Operation[] = [
  route('GET /v2/renders/events', {
    id: 'followRenders',
    summary: 'Follow all renders of the project',
    explanation:
      'Server-sent events: `ready` once you are connected, `render` whenever one is created or changes its state, `progress` at most four times a second for each running one, `removed`. Missed events are not repeated: after reconnecting, list the renders.',
    answers: [events(renderEventAnswer, 'The stream; it stays open.')],
    refusals: ['too_many_streams'],
    answer: (services, { request, response }) => {
      openStream(services, request, response, () => true).reader.send({}, 'ready');
    },
  }),
  route('GET /v2/renders/{id}/events', {
    id: 'followRender',
    summary: 'Follow a render',
    explanation:
      'Server-sent events: first the current render, then each change of state and its progress. The stream ends after the event `render` with status succeeded or failed, or with `removed`.',
    answers: [events(renderEventAnswer, 'The stream; it ends with the render.')],
    refusals: ['render_not_found', 'too_many_streams'],
    answer: (services, { id, request, response }) => {
      const render = renderOf(services, id);
      const { reader, tell } = openStream(
        services,
        request,
        response,
        (other) => other === render.id,
        (now) => {
          if (!now || isFinal(now.status)) reader.end();
        },
      );
      tell(render);
    },
  }),
];
