/** What the window does with projects and their keys. Below `/api`, behind the window's token. */
import { Router } from 'express';
import { z } from 'zod';
import type { ProjectRecord } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { brandLimits, requestLimits } from '../../shared/limits.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { checkWebhookAddress } from '../jobs/webhooks/webhook-call.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';
import { firstProject, type Project } from '../store/projects.ts';
import type { Store } from '../store/store.ts';

const words = {
  name: `a string of 1 to ${requestLimits.nameLength} characters`,
  colors: `a list of up to ${brandLimits.colors} colours as #rrggbb`,
  font: `a string of at most ${brandLimits.fontLength} characters`,
  logo: `a string of at most ${brandLimits.logoLength} characters`,
  webhook: 'an http or https address without a name and password, or null',
};

const name = z.string(words.name).min(1, words.name).max(requestLimits.nameLength, words.name);
const named = z.object({ name });
const font = z.string(words.font).max(brandLimits.fontLength, words.font);
const brand = z.object({
  colors: z
    .array(z.string(words.colors).regex(/^#[0-9a-f]{6}$/i, words.colors), words.colors)
    .max(brandLimits.colors, words.colors),
  titleFont: font,
  textFont: font,
  logo: z.string(words.logo).max(brandLimits.logoLength, words.logo),
});
const projectChange = z.object({
  name: name.exactOptional(),
  brand: brand.exactOptional(),
  webhookUrl: z
    .string(words.webhook)
    .max(requestLimits.webhookUrlLength, words.webhook)
    .nullable()
    .exactOptional(),
});

/** Routes below `/api`. Every change emits `projects.changed`. */
export function projectRoutes({ store, addressRule, events }: ServerServices): Router {
  const { projects, keys } = store;
  const routes = Router({ caseSensitive: true });
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

  routes.get('/projects', (_request, response) => {
    response.json(projects.list().map(recordOf));
  });

  routes.post('/projects', jsonBody, async (request, response) => {
    const given = parseParameters(named, bodyOf(request));
    const project = await projects.insert(given.name);
    await keys.add(project.id, 'Default');
    response.status(201).json(recordOf(project));
    tell();
  });

  routes.patch('/projects/:id', jsonBody);
  routes.patch('/projects/:id', async (request, response) => {
    const { id } = request.params;
    const given = parseParameters(projectChange, bodyOf(request));
    if (given.webhookUrl)
      checkWebhookAddress('webhookUrl', given.webhookUrl, addressRule(), words.webhook);
    response.json(found(await projects.change(id, given), id));
    tell();
  });

  /** Deletes an empty project and its keys; scripts that use them are refused from now on. */
  routes.delete('/projects/:id', async (request, response) => {
    const { id } = request.params;
    found(projects.find(id), id);
    if (id === firstProject) throw new ApiError('first_project');
    if (!isEmpty(store, id)) throw new ApiError('project_not_empty');
    // Keys first: one left over after a crash would open a missing project.
    for (const key of keys.list(id)) await keys.remove(key.id);
    await projects.remove(id);
    response.status(204).end();
    tell();
  });

  routes.post('/projects/:id/secret', async (request, response) => {
    const { id } = request.params;
    await projects.replaceSecret(id);
    response.json(found(projects.find(id), id));
    tell();
  });

  routes.post('/projects/:id/keys', jsonBody);
  routes.post('/projects/:id/keys', async (request, response) => {
    const { id } = request.params;
    const given = parseParameters(named, bodyOf(request));
    found(projects.find(id), id);
    const { id: keyId, name: keyName, key } = await keys.add(id, given.name);
    response.status(201).json({ id: keyId, name: keyName, key });
    tell();
  });

  routes.delete('/keys/:id', async (request, response) => {
    const { id } = request.params;
    const key = keys.list().find((one) => one.id === id);
    if (!key) throw new ApiError('key_not_found', { id });
    if (keys.list(key.project).length === 1) throw new ApiError('last_key');
    await keys.remove(id);
    response.status(204).end();
    tell();
  });

  return routes;
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
