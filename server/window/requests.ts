/** The list of requests to the public API, for the window. Below `/api`, behind the window's token. */
import type { Router } from 'express';
import { z } from 'zod';
import { requestRows, type RequestLimit, type RequestList } from '../../shared/api/requests.ts';
import { ApiError } from '../../shared/errors.ts';
import { sendParts } from '../api/answer.ts';
import type { ServerServices } from '../services.ts';
import { serveRows } from './rows.ts';

const bodyPart = z.enum(['request', 'answer']);

/** Routes below `/api`. */
export function requestRoutes({
  requests: { requestLog, limiter },
  store,
}: Pick<ServerServices, 'requests' | 'store'>): Router {
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

  return serveRows(requestRows, {
    list,
    limit,
    details: ({ params, request }) => {
      const found = requestLog.find(Number(params.number));
      if (!found) throw new ApiError('route_not_found', { method: 'GET', path: request.path });
      return found;
    },
    wholeBody: ({ params: { number, part }, request, response }) => {
      const known = bodyPart.safeParse(part).data;
      const pieces = known ? requestLog.wholeBody(Number(number), known) : null;
      if (pieces === null)
        throw new ApiError('route_not_found', { method: 'GET', path: request.path });
      sendParts(response.type('text/plain'), pieces);
    },
    record: ({ body }) => {
      requestLog.recording = body.recording;
      return list();
    },
    clear: () => {
      requestLog.clear();
    },
  });
}
