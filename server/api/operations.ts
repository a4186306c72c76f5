/**
 * THE ROUTES of the API as a table: what each takes, answers and refuses, and what serves it. The application, the
 * OpenAPI document and the help pages are made from it; the tests hold the running server against it, both ways.
 */
import { Router, type RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { firstProject } from '../store/projects.ts';
import { backupOperations } from './backups.ts';
import { connectorOperations } from './connectors.ts';
import { feedTableOperations } from './feed-tables.ts';
import { feedOperations } from './feeds.ts';
import { fontOperations } from './fonts.ts';
import type { Operation, WholeServer } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { mediaOperations } from './media.ts';
import { projectOperations } from './projects.ts';
import { previewOperations } from './previews.ts';
import { renderBatchOperations } from './render-batch.ts';
import { renderEventOperations, renderListOperations } from './render-list.ts';
import { renderOperations } from './renders.ts';
import { settingOperations } from './settings.ts';
import { templateShareOperations } from './template-shares.ts';
import { deletedTemplateOperations, templateOperations } from './templates.ts';
import { transcriptOperations } from './transcripts.ts';
import {
  projectSecretOperations,
  webhookDeliveryOperations,
  webhookSecretOperations,
} from './webhooks.ts';

/** All of them, in the order of the help pages. */
export const operations: readonly Operation[] = [
  ...renderEventOperations,
  ...renderOperations,
  ...renderBatchOperations,
  ...renderListOperations,
  ...previewOperations,
  ...deletedTemplateOperations,
  ...templateOperations,
  ...templateShareOperations,
  ...mediaOperations,
  ...transcriptOperations,
  ...connectorOperations,
  ...fontOperations,
  ...feedOperations,
  ...feedTableOperations,
  ...webhookSecretOperations,
  ...webhookDeliveryOperations,
  ...projectOperations,
  ...projectSecretOperations,
  ...backupOperations,
  ...settingOperations,
];

/** The routes of one project, with their whole paths; those of the server answer only its keys if it is the first. */
export function projectRoutes(services: ProjectServices, server: WholeServer): Router {
  const routes = Router({ caseSensitive: true });
  for (const operation of operations) {
    const { method, path } = operation;
    const route = routes.route(path.replace('{id}', ':id'));
    const handlers =
      operation.of === 'server'
        ? [firstProjectOnly(services, server), ...operation.serve(server)]
        : operation.serve(services);
    if (method === 'GET') route.get(...handlers);
    else if (method === 'POST') route.post(...handlers);
    else if (method === 'PATCH') route.patch(...handlers);
    else route.delete(...handlers);
  }
  return routes;
}

/** The methods that a path takes; none if it is unknown. */
export function methodsAt(path: string): string[] {
  const asked = path.replace(/\/$/, '');
  const named = operations.filter((one) => one.path === asked);
  const hasId = (one: Operation): boolean =>
    new RegExp(`^${one.path.replace('{id}', '[^/]+')}$`).test(asked);
  const known = named.length > 0 ? named : operations.filter(hasId);
  return known.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
}

function firstProjectOnly({ project }: ProjectServices, { store }: WholeServer): RequestHandler {
  return (_request, _response, next) => {
    if (project.id === firstProject) {
      next();
      return;
    }
    const first = store.projects.find(firstProject)?.name ?? firstProject;
    throw new ApiError('first_project_only', { project: project.name(), first });
  };
}
