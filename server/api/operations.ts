/**
 * THE ROUTES of the API as a table: what each takes, answers and refuses, and what serves it. The application, the OpenAPI
 * document and the help pages are made from it; the tests hold the running server against it, both ways.
 */
import { Router } from 'express';
import { connectorOperations } from './connectors.ts';
import { feedOperations } from './feeds.ts';
import type { Operation } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { mediaOperations } from './media.ts';
import { previewOperations } from './previews.ts';
import { renderBatchOperations } from './render-batch.ts';
import { renderEventOperations } from './render-events.ts';
import { renderListOperations } from './render-list.ts';
import { renderOperations } from './renders.ts';
import { templateShareOperations } from './template-shares.ts';
import { templateOperations } from './templates.ts';

/** All of them, in the order of the help pages. */
export const operations: readonly Operation[] = [
  ...renderEventOperations,
  ...renderOperations,
  ...renderBatchOperations,
  ...renderListOperations,
  ...previewOperations,
  ...templateOperations,
  ...templateShareOperations,
  ...mediaOperations,
  ...connectorOperations,
  ...feedOperations,
];

/** The routes of one project, with their whole paths. */
export function projectRoutes(services: ProjectServices): Router {
  const routes = Router({ caseSensitive: true });
  for (const { method, path, serve } of operations) {
    const route = routes.route(path.replace('{id}', ':id'));
    const handlers = serve(services);
    if (method === 'GET') route.get(...handlers);
    else if (method === 'POST') route.post(...handlers);
    else if (method === 'PATCH') route.patch(...handlers);
    else route.delete(...handlers);
  }
  return routes;
}
