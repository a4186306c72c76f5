/** The API's own listener, as the window opens and stops it. Below `/api`, behind the window's token. */
import type { Router } from 'express';
import { z } from 'zod';
import { apiRows } from '../../shared/api/state.ts';
import { bodyOf } from '../api/body.ts';
import { port } from '../api/server-settings.ts';
import type { ServerServices } from '../services.ts';
import { serveRows } from './rows.ts';
import { parseSetting } from './settings.ts';
import { serverState } from './view.ts';

/** Routes below `/api`. */
export function apiListenerRoutes(services: ServerServices): Router {
  return serveRows(apiRows, {
    open: async ({ request }) => {
      const given = parseSetting(z.object({ port }), bodyOf(request));
      await services.listener.openApi(given.port);
      return serverState(services);
    },
    stop: async () => {
      await services.listener.stopApi();
      return serverState(services);
    },
  });
}
