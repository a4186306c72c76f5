/**
 * The API as one Express application: who may call, what they asked for, how we answer. No listening, no globals; the
 * lines stand in the order of the checks (see server/README.md).
 */
import express, { Router, type Express, type RequestHandler } from 'express';
import { ApiError } from '../shared/errors.ts';
import { isLoopback } from '../shared/listen-address.ts';
import { auth, projectOf } from './api/auth.ts';
import { clientPackageRoutes, docsRoutes, languageRoutes } from './api/docs/routes.ts';
import { answerErrors, unknownRoute } from './api/errors.ts';
import { fileRoutes } from './api/files.ts';
import { guard, monitoringPaths } from './api/guard.ts';
import { healthRoutes } from './api/metrics.ts';
import { mcpRoutes } from './api/mcp/endpoint.ts';
import { openApiRoutes } from './api/openapi.ts';
import { methodsAt, projectRoutes } from './api/operations.ts';
import { countRequest, remainingText } from './api/rate-limit.ts';
import { inProject, type ProjectServices } from './api/project.ts';
import type { ServerServices } from './services.ts';

/** The public API. */
export function createApp(services: ServerServices): Express {
  const { store, clock, log, library, requests } = services;
  const { limiter, metrics, requestLog } = requests;
  const { apiUrl, publicUrl, allowedHosts, trustsProxy } = services.address;
  const app = plainApp();

  app.use(metrics.watch);
  // Questions every few seconds would fill the list.
  app.use(unlessMonitoring(requestLog.handler));
  app.use((_request, response, next) => {
    response.set('X-RateLimit-Remaining', remainingText(limiter));
    next();
  });
  // Also their settings, which the guard reads.
  app.use(knowOthers(requests));
  app.use(
    guard({
      ownPage: false,
      origins: () => store.settings.values.allowedOrigins,
      names: allowedHosts,
      isBehind: () => !isLoopback(services.listener.api.host),
      trustsProxy,
      publicUrl,
    }),
  );
  app.use(knownExpectation);

  app.get('/', (_request, response) => response.redirect(`${publicUrl() ?? ''}/docs`));
  app.use(fileRoutes({ renders: store.renders, files: library.files }));
  app.use(healthRoutes({ store, files: library.files }));
  app.get('/metrics', auth(store.keys, clock), metrics.answer);
  app.use('/docs', docsRoutes(apiUrl));
  app.use(languageRoutes());
  app.use(clientPackageRoutes());
  app.use(openApiRoutes(apiUrl));

  app.use(['/v1', '/v2', '/mcp'], auth(store.keys, clock), countRequest(limiter));
  app.use(refuseOptions);
  // As a route, not with `use`, which would take the version from the path.
  app.all(['/v1/*rest', '/v2/*rest', '/mcp'], ofProject(services));

  app.use(unknownRoute(methodsAt));
  app.use(answerErrors(apiUrl, log));
  return app;
}

/** Leaves out the questions of programs that watch this one. */
function unlessMonitoring(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (monitoringPaths.test(request.path)) next();
    else handler(request, response, next);
  };
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

/** Lets a request see everything that other servers had answered before it arrived. */
export function knowOthers({ sync }: Pick<ServerServices['requests'], 'sync'>): RequestHandler {
  return (_request, _response, next) => {
    if (sync) void sync().then(() => next());
    else next();
  };
}

/** The routes of the project that the key opens: they get its renders and templates and know no others. */
function ofProject(services: ServerServices): RequestHandler {
  const known = new Map<string, Router>();
  return (request, response, next) => {
    const project = projectOf(request);
    const routes = known.get(project) ?? routesOf(inProject(services, project), services);
    known.set(project, routes);
    routes(request, response, next);
  };
}

function routesOf(project: ProjectServices, server: ServerServices): Router {
  return Router({ caseSensitive: true }).use(
    projectRoutes(project, server),
    mcpRoutes(project, server.log),
  );
}

/** Node answers `100-continue` itself and passes any other expectation on. */
const knownExpectation: RequestHandler = (request, _response, next) => {
  const { expect: expectation } = request.headers;
  if (expectation !== undefined && !/^100-continue$/i.test(expectation)) {
    throw new ApiError('expectation_failed', { expectation });
  }
  next();
};

/** Express would answer OPTIONS by itself; this API has no such method. */
const refuseOptions: RequestHandler = (request, response, next) => {
  if (request.method === 'OPTIONS') unknownRoute(methodsAt)(request, response, next);
  else next();
};
