/** The list of requests to the public API, for the window. Below `/api`, behind the window's token. */
import { Router } from 'express';
import { z } from 'zod';
import type { RequestList } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { bodyOf, jsonBody, parseParameters } from '../api/body.ts';
import type { ServerServices } from '../services.ts';

const change = z.object({ recording: z.boolean('true or false') });

/** Routes below `/api`. */
export function requestRoutes({ requestLog, limiter }: ServerServices): Router {
  const routes = Router({ caseSensitive: true });
  const list = (): RequestList => ({
    recording: requestLog.recording,
    requests: requestLog.list(),
    keysUsed: Object.fromEntries(requestLog.keysUsed),
    left: Number.isFinite(limiter.limit) ? limiter.remaining : null,
    limit: Number.isFinite(limiter.limit) ? limiter.limit : null,
  });

  routes.get('/requests', (_request, response) => {
    response.json(list());
  });

  routes.get('/requests/:number', (request, response) => {
    const found = requestLog.find(Number(request.params.number));
    if (!found) throw new ApiError('route_not_found', { method: 'GET', path: request.path });
    response.json(found);
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
