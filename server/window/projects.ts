/** What the window does with projects and their keys. Below `/api`, behind the window's token. */
import type { Router } from 'express';
import { projectRows, type ProjectRecord } from '../../shared/api/projects.ts';
import {
  changeProject,
  dropKey,
  dropProject,
  keysOf,
  makeKey,
  makeProject,
  sureProject,
} from '../api/projects.ts';
import type { ServerServices } from '../services.ts';
import type { Project } from '../store/projects.ts';
import { serveRows } from './rows.ts';

/** Routes below `/api`. Every change emits `projects.changed`. */
export function projectRoutes(services: ServerServices): Router {
  const { projects } = services.store;
  const recordOf = (project: Project): ProjectRecord => ({
    ...project,
    keys: keysOf(services, project.id),
    webhookSecrets: projects.secretsOf(project.id),
  });

  return serveRows(projectRows, {
    list: () => projects.list().map(recordOf),
    create: async ({ body: { name } }) => recordOf(await makeProject(services, name)),
    change: async ({ params: { id }, body }) =>
      recordOf(await changeProject(services, id, body, 'webhookUrl')),
    remove: ({ params: { id } }) => dropProject(services, id),
    replaceSecret: async ({ params: { id } }) => {
      await projects.replaceSecret(id);
      const project = recordOf(sureProject(services, id));
      services.events.emit({ type: 'projects.changed' });
      return project;
    },
    createKey: ({ params: { id }, body: { name } }) => makeKey(services, id, name),
    removeKey: ({ params: { id } }) => dropKey(services, id),
  });
}
