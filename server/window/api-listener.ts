/** The API's own listener, as the window opens and stops it. Below `/api`, behind the window's token. */
import { Router } from 'express';
import { z } from 'zod';
import { bodyOf, jsonBody } from '../api/body.ts';
import { port } from '../api/server-settings.ts';
import type { ServerServices } from '../services.ts';
import { parseSetting } from './settings.ts';
import { serverState } from './view.ts';

/** Routes below `/api`. */
export function apiListenerRoutes(services: ServerServices): Router {
  const routes = Router({ caseSensitive: true });

  /** For this run only: nothing is stored. The answer says whether it worked. */
  routes.post('/api-listener', jsonBody, async (request, response) => {
    const given = parseSetting(z.object({ port }), bodyOf(request));
    await services.openApi(given.port);
    response.json(await serverState(services));
  });

  /** Until someone opens it or restarts the program. The window's own listener stays open. */
  routes.delete('/api-listener', async (_request, response) => {
    await services.stopApi();
    response.json(await serverState(services));
  });

  return routes;
}
