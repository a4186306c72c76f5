/**
 * The API as one Express application: who may ask, what is asked, how it is answered. No listening, no globals; the order
 * of the lines is the order of the checks (see server/README.md).
 */
import express, { type Express, type RequestHandler } from 'express';
import { ApiError } from '../shared/errors.ts';
import { auth } from './api/auth.ts';
import { docsRoutes } from './api/docs.ts';
import { answerErrors, unknownRoute } from './api/errors.ts';
import { fileRoutes } from './api/files.ts';
import { guard } from './api/guard.ts';
import { countRequest, remainingText } from './api/rate-limit.ts';
import { olderRenderRoutes, renderRoutes } from './api/renders.ts';
import { templateReadRoutes, templateWriteRoutes } from './api/templates.ts';
import type { Services } from './services.ts';

/** The public API. */
export function createApp(services: Services): Express {
  const { limiter, apiKey, clock, log, apiUrl } = services;
  const app = plainApp();

  app.use((_request, response, next) => {
    response.set('X-RateLimit-Remaining', remainingText(limiter));
    next();
  });
  app.use(guard({ ownPage: false }));

  app.use(fileRoutes(services));
  app.use('/docs', docsRoutes());

  app.use(['/v1', '/v2'], auth(apiKey, clock), countRequest(limiter));
  app.use(refuseOptions);
  app.use('/v2/renders', renderRoutes(services));
  app.use('/v2/templates', templateReadRoutes(services), templateWriteRoutes(services));
  app.use('/v1/renders', olderRenderRoutes(services));
  app.use('/v1/templates', templateReadRoutes(services));

  app.use(unknownRoute);
  app.use(answerErrors(apiUrl, log));
  return app;
}

/** Express with its extras switched off, and the headers that every answer of either listener has. */
export function plainApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.use((_request, response, next) => {
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    next();
  });
  return app;
}

/** Express would answer OPTIONS by itself; this API has no such method. */
const refuseOptions: RequestHandler = (request, _response, next) => {
  if (request.method === 'OPTIONS') {
    throw new ApiError('route_not_found', { method: 'OPTIONS', path: request.path });
  }
  next();
};
