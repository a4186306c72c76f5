/**
 * The window's private path as one Express application: its page, its data, its events. On a listener of its own with a
 * token that is new at each start; it uses up none of the API's rate limit.
 */
import { Router, type Express, type RequestHandler } from 'express';
import { windowTokenHeader, type RenderList, type TemplateList } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { sameSecret } from '../api/auth.ts';
import { answerErrors, unknownRoute } from '../api/errors.ts';
import { fileRoutes } from '../api/files.ts';
import { guard } from '../api/guard.ts';
import { plainApp } from '../app.ts';
import { createRender, createRenderAgain } from '../jobs/create-render.ts';
import { inProject, type ServerServices } from '../services.ts';
import { createEventStream } from './event-stream.ts';
import { feedWindowRoutes } from './feeds.ts';
import { pageRoutes } from './page.ts';
import { settingRoutes } from './settings.ts';
import { serverState, windowRender, windowTemplate } from './view.ts';

/** What the listener of the window needs beyond the services. */
export interface WindowOptions {
  /** The built window; absent or empty: data only. */
  readonly folder?: string | undefined;
  /** Expected in a header of every request for data. */
  readonly token: string;
}

/** The application, and what ends its event streams. */
export interface WindowApp {
  readonly app: Express;
  close(): void;
}

/** The window's side of the server. */
export function createWindowApp(
  services: ServerServices,
  { folder, token }: WindowOptions,
): WindowApp {
  const stream = createEventStream(services);
  const app = plainApp();
  app.use(guard({ ownPage: true }));
  app.use(fileRoutes({ renders: services.store.renders, files: services.files }));
  app.use('/api', requireToken(token), dataRoutes(services, stream.handler));
  if (folder !== undefined) app.use(pageRoutes(folder));
  app.use(unknownRoute);
  app.use(answerErrors(services.apiUrl, services.log));
  return { app, close: () => stream.close() };
}

function requireToken(token: string): RequestHandler {
  return (request, _response, next) => {
    const given = request.get(windowTokenHeader);
    if (given === undefined || !sameSecret(given, token)) throw new ApiError('wrong_window_token');
    next();
  };
}

function dataRoutes(services: ServerServices, events: RequestHandler): Router {
  const { queue, events: bus } = services;
  const { renders, templates } = services.store;
  const routes = Router({ caseSensitive: true });

  routes.get('/state', async (_request, response) => {
    response.json(await serverState(services));
  });
  routes.get('/events', events);

  routes.get('/renders', (_request, response) => {
    // The number first: an event that arrives while the list is made is told again, which is harmless.
    const eventNumber = bus.number;
    const list = renders.list().map((render) => windowRender(render, services));
    response.json({ renders: list, eventNumber } satisfies RenderList);
  });

  routes.post('/renders/:id/cancel', async (request, response) => {
    const { id } = request.params;
    await queue.cancel(id);
    const render = renders.find(id);
    if (!render) throw new ApiError('render_not_found', { id });
    response.json(windowRender(render, services));
  });

  routes.post('/renders/:id/again', async (request, response) => {
    const { id } = request.params;
    const project = inProject(services, renders.find(id)?.project ?? '');
    const { render } = await createRenderAgain(project, id);
    response.status(202).json(windowRender(render, services));
  });

  routes.get('/templates', (_request, response) => {
    const eventNumber = bus.number;
    const list = templates.list().map(windowTemplate);
    response.json({ templates: list, eventNumber } satisfies TemplateList);
  });

  routes.post('/templates/:id/render', async (request, response) => {
    const { id } = request.params;
    const project = inProject(services, templates.find(id)?.project ?? '');
    const { render } = await createRender(project, { origin: { templateId: id }, request: {} });
    response.status(202).json(windowRender(render, services));
  });

  routes.post('/renderer/start', async (_request, response) => {
    queue.restartWorkers();
    response.json(await serverState(services));
  });

  routes.use(settingRoutes(services), feedWindowRoutes(services));
  return routes;
}
