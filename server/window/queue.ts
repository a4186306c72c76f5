/** What the window does with the queue and with what keeps it waiting. Below `/api`, behind the window's token. */
import type { Router } from 'express';
import { queueRows } from '../../shared/api/state.ts';
import type { ServerServices } from '../services.ts';
import { serveRows } from './rows.ts';
import { serverState } from './view.ts';

/** Routes below `/api`. */
export function queueRoutes(services: ServerServices): Router {
  const { store } = services;
  const { queue, credits, output, power } = services.work;
  return serveRows(queueRows, {
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
      await output.check();
      return serverState(services);
    },
    overrulePower: () => {
      power.overrule();
      return serverState(services);
    },
    machines: () => queue.machines ?? [],
    credits: () => credits.state,
  });
}
