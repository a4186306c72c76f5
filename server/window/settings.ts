/**
 * What the window sets: projects and their keys, the queue, the server's settings, webhook deliveries, what the
 * window remembers. Below `/api`, behind the window's token.
 */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Router } from 'express';
import { z } from 'zod';
import type {
  CreditRecord,
  DeliveryRecord,
  ProjectRecord,
  SettingsRecord,
} from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { concurrencyLimit, requestLimits } from '../../shared/limits.ts';
import { bodyOf, jsonBody, parseParameters } from '../api/body.ts';
import { isWebhookAddress } from '../jobs/webhook-call.ts';
import type { ServerServices } from '../services.ts';
import type { Project } from '../store/projects.ts';
import { testFfmpeg } from './ffmpeg-test.ts';
import { serverState, windowRender } from './view.ts';

const words = {
  name: `a string of 1 to ${requestLimits.nameLength} characters`,
  webhook: 'an http or https address without a name and password, or null',
  before: 'the ID of a waiting render, or null for the end of the queue',
  credits: 'a number of credits that is at least 0, or null for no limit',
  concurrency: `a whole number from 1 to ${concurrencyLimit}, or null`,
  flag: 'true or false',
  path: 'the path of a file, or null',
  port: 'a whole number from 1024 to 65535, or null',
  folder: 'the whole path of a folder, or null',
  folders: 'an array of at most 50 whole paths of folders',
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
const filePath = z.string(words.path).max(4096, words.path).nullable();
const wholePath = z
  .string(words.folder)
  .max(4096, words.folder)
  .refine((text) => path.isAbsolute(text), words.folder);
const port = z.int(words.port).min(1024, words.port).max(65_535, words.port).nullable();
const settingsChange = z.object({
  port: port.exactOptional(),
  outputFolder: wholePath.nullable().exactOptional(),
  mediaFolders: z.array(wholePath, words.folders).max(50, words.folders).exactOptional(),
  ffmpegPath: filePath.exactOptional(),
  rateLimit: z.boolean(words.flag).nullable().exactOptional(),
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
  transcriber: filePath.exactOptional(),
  transcriberModel: filePath.exactOptional(),
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
  preferenceRoutes(routes, services);
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
  const { queue, store, credits, events, startedConcurrency } = services;

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

  routes.post('/queue/pause-after/:id', async (request, response) => {
    queue.pauseAfter(request.params.id);
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
    await checkSettings(given, services);
    // The port first: it may be taken, and then nothing is to be stored.
    if (given.port !== undefined) await services.usePort(given.port);
    const { folder: outputFolder } = services.files;
    const earlier = store.settings.values.earlierOutputFolders;
    const settings = await store.settings.change({
      ...given,
      ...(given.outputFolder !== undefined && {
        earlierOutputFolders: [...new Set([...earlier, outputFolder])],
      }),
    });
    services.useSettings();
    if (given.concurrency !== undefined) {
      queue.setConcurrency(settings.concurrency ?? startedConcurrency);
    }
    if (given.queuePaused === true) queue.pause();
    if (given.queuePaused === false) queue.resume();
    response.json(settings);
    events.emit({ type: 'server.state' });
  });

  /** For this run of the program: nothing is stored. Whether it worked is in the answer. */
  routes.post('/api-listener', jsonBody, async (request, response) => {
    const given = parseParameters(z.object({ port }), bodyOf(request));
    await services.openApi(given.port);
    response.json(await serverState(services));
  });

  routes.get('/settings/all', (_request, response) => {
    response.json(settingsRecord(services));
  });

  routes.post('/settings/ffmpeg-test', jsonBody, async (request, response) => {
    const given = parseParameters(z.object({ path: z.string(words.path) }), bodyOf(request));
    response.json(await testFfmpeg(given.path.trim() === '' ? 'ffmpeg' : given.path));
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

/** What the window remembers about itself is one object of its own; nothing here looks into it. */
function preferenceRoutes(routes: Router, { store }: ServerServices): void {
  routes.get('/preferences', (_request, response) => {
    response.type('json').send(store.settings.preferences);
  });

  routes.put('/preferences', jsonBody, async (request, response) => {
    await store.settings.setPreferences(JSON.stringify(bodyOf(request)));
    response.status(204).end();
  });
}

/** What is in force now. */
function settingsRecord(services: ServerServices): SettingsRecord {
  const { store, queue, credits, files, limiter, apiUrl, fixedSettings, dataFolder } = services;
  const { mediaFolders, ffmpegPath, creditAllowance } = store.settings.values;
  return {
    port: Number(new URL(apiUrl()).port),
    outputFolder: files.folder,
    mediaFolders,
    ffmpegPath,
    rateLimit: Number.isFinite(limiter.limit),
    concurrency: queue.concurrency,
    concurrencyLimit,
    creditAllowance,
    creditsUsed: credits.state.used,
    fixed: fixedSettings,
    dataFolder,
  };
}

/** Refuses what could not be used, before anything is stored. */
async function checkSettings(
  given: z.infer<typeof settingsChange>,
  { fixedSettings }: ServerServices,
): Promise<void> {
  const refuse = (setting: string, what: string): never => {
    throw new ApiError('invalid_parameter', { name: setting, what });
  };
  for (const setting of fixedSettings) {
    if (given[setting] !== undefined) refuse(setting, 'left as it was named at the start');
  }
  if (given.outputFolder && !(await isWritable(given.outputFolder))) {
    refuse('outputFolder', 'a folder that can be written');
  }
  for (const folder of given.mediaFolders ?? []) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) refuse('mediaFolders', `folders that exist, unlike ${folder}`);
  }
  if (given.ffmpegPath) {
    const tested = await testFfmpeg(given.ffmpegPath);
    if (!tested.works) refuse('ffmpegPath', `the path of an ffmpeg that works. ${tested.reason}`);
  }
}

/** Tries it: permissions alone don't tell on every system. */
async function isWritable(folder: string): Promise<boolean> {
  const file = path.join(folder, `.framewright-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, '');
    await rm(file);
    return true;
  } catch {
    return false;
  }
}
