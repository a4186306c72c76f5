/** The list of requests to the public API, for the window. Below `/api`, behind the window's token. */
import { Router } from 'express';
import { z } from 'zod';
import type { RequestLimit, RequestList } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { sendParts } from '../api/answer.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';

const change = z.object({ recording: z.boolean('true or false') });
const bodyPart = z.enum(['request', 'answer']);

/** Routes below `/api`. */
export function requestRoutes({ requestLog, limiter, store }: ServerServices): Router {
  const routes = Router({ caseSensitive: true });
  const limit = (): RequestLimit => {
    const isLimited = Number.isFinite(limiter.limit);
    return {
      left: isLimited ? limiter.remaining : null,
      most: isLimited ? limiter.limit : null,
      window: limiter.window,
    };
  };
  const list = (): RequestList => ({
    recording: requestLog.recording,
    requests: requestLog.list(),
    keysUsed: Object.fromEntries(requestLog.keysUsed),
    size: store.settings.values.requestLogSize,
    limit: limit(),
  });

  routes.get('/requests', (_request, response) => {
    response.json(list());
  });

  routes.get('/request-limit', (_request, response) => {
    response.json(limit());
  });

  routes.get('/requests/:number', (request, response) => {
    const found = requestLog.find(Number(request.params.number));
    if (!found) throw new ApiError('route_not_found', { method: 'GET', path: request.path });
    response.json(found);
  });

  /** The whole of a shortened body. */
  routes.get('/requests/:number/:part', (request, response) => {
    const { number, part } = request.params;
    const known = bodyPart.safeParse(part).data;
    const pieces = known ? requestLog.wholeBody(Number(number), known) : null;
    if (pieces === null)
      throw new ApiError('route_not_found', { method: 'GET', path: request.path });
    sendParts(response.type('text/plain'), pieces);
  });

  routes.patch('/requests', jsonBody, (request, response) => {
    requestLog.recording = parseParameters(change, bodyOf(request)).recording;
    response.json(list());
  });

  routes.delete('/requests', (_request, response) => {
    requestLog.clear();
    response.status(204).end();
  });

  return routes;
}
