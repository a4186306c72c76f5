/**
 * What the window sets: projects and their keys, the queue, the server's settings, webhook deliveries, the bin of
 * templates. Below `/api`, behind the window's token.
 */
import { Router } from 'express';
import { z } from 'zod';
import type { CreditRecord, DeliveryRecord, ProjectRecord } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { concurrencyLimit, requestLimits } from '../../shared/limits.ts';
import { bodyOf, jsonBody, parseParameters } from '../api/body.ts';
import { isWebhookAddress } from '../jobs/webhook-call.ts';
import type { ServerServices } from '../services.ts';
import type { Project } from '../store/projects.ts';
import { serverState, windowRender, windowTemplate } from './view.ts';

const words = {
  name: `a string of 1 to ${requestLimits.nameLength} characters`,
  webhook: 'an http or https address without a name and password, or null',
  before: 'the ID of a waiting render, or null for the end of the queue',
  credits: 'a number of credits that is at least 0, or null for no limit',
  concurrency: `a whole number from 1 to ${concurrencyLimit}, or null`,
  flag: 'true or false',
  origins: 'an array of at most 20 addresses of pages without a path, e.g. http://localhost:3000',
};

const name = z.string(words.name).min(1, words.name).max(requestLimits.nameLength, words.name);
const named = z.object({ name });
const webhookUrl = z
  .string(words.webhook)
  .max(requestLimits.webhookUrlLength, words.webhook)
  .nullable();
const projectChange = z.object({
  name: name.exactOptional(),
  webhookUrl: webhookUrl.exactOptional(),
});
const move = z.object({ before: z.string(words.before).nullable() });
const settingsChange = z.object({
  creditAllowance: z.number(words.credits).min(0, words.credits).nullable().exactOptional(),
  concurrency: z
    .int(words.concurrency)
    .min(1, words.concurrency)
    .max(concurrencyLimit, words.concurrency)
    .nullable()
    .exactOptional(),
  queuePaused: z.boolean(words.flag).exactOptional(),
  deletionPaused: z.boolean(words.flag).exactOptional(),
  allowedOrigins: z
    .array(z.string(words.origins).refine(isOrigin, words.origins), words.origins)
    .max(20, words.origins)
    .exactOptional(),
});

/** True for an address as browsers send it in `Origin`: scheme, host and port alone. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Routes below `/api`. */
export function settingRoutes(services: ServerServices): Router {
  const routes = Router({ caseSensitive: true });
  projectRoutes(routes, services);
  queueRoutes(routes, services);
  deliveryRoutes(routes, services);
  binRoutes(routes, services);
  return routes;
}

function projectRoutes(routes: Router, { store, apiUrl }: ServerServices): void {
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

  routes.get('/projects', (_request, response) => {
    response.json(projects.list().map(recordOf));
  });

  routes.post('/projects', jsonBody, async (request, response) => {
    const given = parseParameters(named, bodyOf(request));
    const project = await projects.insert(given.name);
    await keys.add(project.id, 'Default');
    response.status(201).json(recordOf(project));
  });

  routes.patch('/projects/:id', jsonBody);
  routes.patch('/projects/:id', async (request, response) => {
    const { id } = request.params;
    const given = parseParameters(projectChange, bodyOf(request));
    if (given.webhookUrl && !isWebhookAddress(given.webhookUrl, apiUrl())) {
      throw new ApiError('invalid_parameter', { name: 'webhookUrl', what: words.webhook });
    }
    response.json(found(await projects.change(id, given), id));
  });

  routes.post('/projects/:id/secret', async (request, response) => {
    const { id } = request.params;
    await projects.replaceSecret(id);
    response.json(found(projects.find(id), id));
  });

  routes.post('/projects/:id/keys', jsonBody);
  routes.post('/projects/:id/keys', async (request, response) => {
    const { id } = request.params;
    const given = parseParameters(named, bodyOf(request));
    found(projects.find(id), id);
    const { id: keyId, name: keyName, key } = await keys.add(id, given.name);
    response.status(201).json({ id: keyId, name: keyName, key });
  });

  routes.delete('/keys/:id', async (request, response) => {
    const { id } = request.params;
    const key = keys.list().find((one) => one.id === id);
    if (!key) throw new ApiError('key_not_found', { id });
    if (keys.list(key.project).length === 1) throw new ApiError('last_key');
    await keys.remove(id);
    response.status(204).end();
  });
}

function queueRoutes(routes: Router, services: ServerServices): void {
  const { queue, store, credits, startedConcurrency } = services;

  routes.post('/renders/:id/move', jsonBody);
  routes.post('/renders/:id/move', async (request, response) => {
    const { id } = request.params;
    const { before } = parseParameters(move, bodyOf(request));
    await queue.move(id, before);
    const render = store.renders.find(id);
    if (!render) throw new ApiError('render_not_found', { id });
    response.json(windowRender(render, services));
  });

  routes.post('/queue/pause', async (_request, response) => {
    await store.settings.change({ queuePaused: true });
    queue.pause();
    response.json(await serverState(services));
  });

  routes.post('/queue/resume', async (_request, response) => {
    await store.settings.change({ queuePaused: false });
    queue.resume();
    response.json(await serverState(services));
  });

  routes.get('/settings', (_request, response) => {
    response.json(store.settings.values);
  });

  routes.patch('/settings', jsonBody, async (request, response) => {
    const given = parseParameters(settingsChange, bodyOf(request));
    const settings = await store.settings.change(given);
    if (given.concurrency !== undefined) {
      queue.setConcurrency(settings.concurrency ?? startedConcurrency);
    }
    if (given.queuePaused === true) queue.pause();
    if (given.queuePaused === false) queue.resume();
    response.json(settings);
  });

  routes.get('/credits', (_request, response) => {
    response.json(credits.state satisfies CreditRecord);
  });
}

function deliveryRoutes(routes: Router, { store, webhooks }: ServerServices): void {
  routes.get('/deliveries', (_request, response) => {
    response.json(store.deliveries.list() satisfies DeliveryRecord[]);
  });

  routes.post('/deliveries/:id/retry', async (request, response) => {
    response.json((await webhooks.retry(request.params.id)) satisfies DeliveryRecord);
  });
}

function binRoutes(routes: Router, { store, events }: ServerServices): void {
  const { templates } = store;

  routes.get('/deleted-templates', (_request, response) => {
    response.json(templates.listDeleted());
  });

  routes.post('/deleted-templates/:id/restore', async (request, response) => {
    const { id } = request.params;
    const template = await templates.restore(id);
    if (!template) throw new ApiError('template_not_found', { id });
    events.emit({ type: 'template.created', template });
    response.json(windowTemplate(template));
  });
}
