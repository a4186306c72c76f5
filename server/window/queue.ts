/** What the window does with the queue and with what keeps it waiting. Below `/api`, behind the window's token. */
import { Router } from 'express';
import { z } from 'zod';
import { queueRows } from '../../shared/api/state.ts';
import { ApiError } from '../../shared/errors.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';
import { serveRows } from './rows.ts';
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

  routes.use(
    serveRows(queueRows, {
      pause: async () => {
        await store.settings.change({ queuePaused: true });
        queue.pause();
        return serverState(services);
      },
      pauseAfter: ({ params: { id } }) => {
        queue.pauseAfter(id);
        return serverState(services);
      },
      resume: async () => {
        await store.settings.change({ queuePaused: false });
        queue.resume();
        return serverState(services);
      },
      checkOutput: async () => {
        await services.output.check();
        return serverState(services);
      },
      overrulePower: () => {
        services.power.overrule();
        return serverState(services);
      },
      machines: () => queue.machines ?? [],
      credits: () => credits.state,
    }),
  );
  return routes;
}
