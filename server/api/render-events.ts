/** Changes of renders as server-sent events: of one until it has ended, or of all in the project. */
import type { Request, RequestHandler, Response } from 'express';
import { isFinal, type ProgressRecord, type RenderProgress } from '../../shared/api.ts';
import type { StoredRender } from '../store/render-record.ts';
import { baseUrlOf } from './base-url.ts';
import type { EventReader } from './event-streams.ts';
import { events, idOf, type Operation } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { listedRender } from './render-list.ts';
import { renderOf } from './renders.ts';
import { renderEventAnswer } from './schemas.ts';

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

function followOne(services: ProjectServices): RequestHandler {
  return (request, response) => {
    const render = renderOf(services, idOf(request));
    const { reader, tell } = openStream(
      services,
      request,
      response,
      (id) => id === render.id,
      (told) => {
        if (!told || isFinal(told.status)) reader.end();
      },
    );
    tell(render);
  };
}

function followAll(services: ProjectServices): RequestHandler {
  return (request, response) => {
    const { reader } = openStream(services, request, response, () => true);
    reader.send({}, 'ready');
  };
}

/** The routes of events. They come before those of one render, because `events` is no ID. */
export const renderEventOperations: readonly Operation[] = [
  {
    id: 'followRenders',
    method: 'GET',
    path: '/v2/renders/events',
    topic: 'renders',
    summary: 'Follow all renders of the project',
    explanation:
      'Server-sent events: `ready` once you are connected, `render` whenever one is created or changes its state, `progress` at most four times a second for each running one, `removed`. Missed events are not repeated: after reconnecting, list the renders.',
    answers: [events(renderEventAnswer, 'The stream; it stays open.')],
    refusals: ['too_many_streams'],
    serve: (services) => [followAll(services)],
  },
  {
    id: 'followRender',
    method: 'GET',
    path: '/v2/renders/{id}/events',
    topic: 'renders',
    summary: 'Follow a render',
    explanation:
      'Server-sent events: first the current render, then each change of state and its progress. The stream ends after the event `render` with status succeeded or failed, or with `removed`.',
    answers: [events(renderEventAnswer, 'The stream; it ends with the render.')],
    refusals: ['render_not_found', 'too_many_streams'],
    serve: (services) => [followOne(services)],
  },
];
