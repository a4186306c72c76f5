/** What the window does with projects and their keys. Below `/api`, behind the window's token. */
import type { Router } from 'express';
import { projectRows, webhookWords, type ProjectRecord } from '../../shared/api/projects.ts';
import { ApiError } from '../../shared/errors.ts';
import { checkWebhookAddress } from '../jobs/webhooks/webhook-call.ts';
import type { ServerServices } from '../services.ts';
import { firstProject, type Project } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import { serveRows } from './rows.ts';

/** Routes below `/api`. Every change emits `projects.changed`. */
export function projectRoutes({
  store,
  address: { addressRule },
  events,
}: Pick<ServerServices, 'store' | 'address' | 'events'>): Router {
  const { projects, keys } = store;
  const recordOf = (project: Project): ProjectRecord => ({
    ...project,
    keys: keys.list(project.id).map(({ id, name: keyName, key }) => ({ id, name: keyName, key })),
    webhookSecrets: projects.secretsOf(project.id),
  });
  const found = (project: Project | null, id: string): ProjectRecord => {
    if (!project) throw new ApiError('project_not_found', { id });
    return recordOf(project);
  };
  const tell = (): void => events.emit({ type: 'projects.changed' });

  return serveRows(projectRows, {
    list: () => projects.list().map(recordOf),
    create: async ({ body: { name } }) => {
      const project = await projects.insert(name);
      await keys.add(project.id, 'Default');
      tell();
      return recordOf(project);
    },
    change: async ({ params: { id }, body }) => {
      if (body.webhookUrl)
        checkWebhookAddress('webhookUrl', body.webhookUrl, addressRule(), webhookWords);
      const project = found(await projects.change(id, body), id);
      tell();
      return project;
    },
    remove: async ({ params: { id } }) => {
      found(projects.find(id), id);
      if (id === firstProject) throw new ApiError('first_project');
      if (!isEmpty(store, id)) throw new ApiError('project_not_empty');
      // Keys first: one left over after a crash would open a missing project.
      for (const key of keys.list(id)) await keys.remove(key.id);
      await projects.remove(id);
      tell();
    },
    replaceSecret: async ({ params: { id } }) => {
      await projects.replaceSecret(id);
      const project = found(projects.find(id), id);
      tell();
      return project;
    },
    createKey: async ({ params: { id }, body }) => {
      found(projects.find(id), id);
      const { id: keyId, name, key } = await keys.add(id, body.name);
      tell();
      return { id: keyId, name, key };
    },
    removeKey: async ({ params: { id } }) => {
      const key = keys.list().find((one) => one.id === id);
      if (!key) throw new ApiError('key_not_found', { id });
      if (keys.list(key.project).length === 1) throw new ApiError('last_key');
      await keys.remove(id);
      tell();
    },
  });
}

/** True when nothing belongs to a project, the Trash included. */
function isEmpty({ templates, feeds, renders }: Store, project: string): boolean {
  return (
    templates.list([], project).length === 0 &&
    templates.listDeleted().every((one) => one.project !== project) &&
    feeds.list(project).length === 0 &&
    renders.list().every((one) => one.project !== project)
  );
}
