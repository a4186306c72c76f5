/** What the window does with the queue and with what keeps it waiting. Below `/api`, behind the window's token. */
import { Router } from 'express';
import { z } from 'zod';
import type { CreditRecord, MachineRecord } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';
import { serverState, windowRender } from './view.ts';

const move = z.object({
  before: z.string('the ID of a waiting render, or null for the end of the queue').nullable(),
});

/** Routes below `/api`. */
export function queueRoutes(services: ServerServices): Router {
  const { queue, store, credits } = services;
  const routes = Router({ caseSensitive: true });

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

  /** Checks the output folder again; the state has the result. */
  routes.post('/output/look', async (_request, response) => {
    await services.output.check();
    response.json(await serverState(services));
  });

  /** Starts renders although the battery is low, until the computer has been plugged in. */
  routes.post('/power/overrule', async (_request, response) => {
    services.power.overrule();
    response.json(await serverState(services));
  });

  /** Empty without a farm. */
  routes.get('/machines', (_request, response) => {
    response.json((queue.machines ?? []) satisfies readonly MachineRecord[]);
  });

  routes.get('/credits', (_request, response) => {
    response.json(credits.state satisfies CreditRecord);
  });

  return routes;
}
