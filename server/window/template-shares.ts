/**
 * Templates as one file in the window. As with archives, the window asks with its token and then loads the file from an
 * address that nobody can guess, because a browser follows download links without a token. Below `/api` but for that
 * address.
 */
import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { templateShareRows } from '../../shared/api/templates.ts';
import { ApiError } from '../../shared/errors.ts';
import { inProject } from '../api/project.ts';
import { planShare, receiveTemplate, sendShare } from '../api/template-shares.ts';
import type { Packing } from '../jobs/share/share-writer.ts';
import type { ServerServices } from '../services.ts';
import { serveRows } from './rows.ts';
import { windowTemplate } from './view.ts';

/** How long a file's address is valid, in ms, and how many may be open. */
const patience = { time: 60_000, files: 20 };

/** Routes below `/api`, and the one without a token that sends a file. */
export function templateShareRoutes(services: ServerServices): {
  readonly asking: Router;
  readonly fetching: Router;
} {
  const { store } = services;
  const { shares } = services.library;
  const waiting = new Map<string, Packing>();
  const asking = serveRows(templateShareRows, {
    share: async ({ params: { id } }) => {
      const template = store.templates.find(id);
      if (!template) throw new ApiError('template_not_found', { id });
      const packing = await planShare(shares, store.templates, template, null);
      const ticket = randomUUID();
      waiting.set(ticket, packing);
      setTimeout(() => waiting.delete(ticket), patience.time).unref();
      for (const old of [...waiting.keys()].slice(0, -patience.files)) waiting.delete(old);
      const { missing, files, bytes } = packing;
      return { path: `/shares/${ticket}.framewright`, files: files.length, bytes, missing };
    },
    import: async ({ query: { project }, request }) => {
      if (!store.projects.find(project)) throw new ApiError('project_not_found', { id: project });
      const received = await receiveTemplate(inProject(services, project), request, null);
      const { template, files, missing } = received;
      return { template: windowTemplate(template), files, missing };
    },
  });

  const fetching = Router({ caseSensitive: true });
  fetching.get('/shares/:name', async (request, response) => {
    const ticket = request.params.name.replace(/\.framewright$/, '');
    const packing = waiting.get(ticket);
    if (!packing) throw new ApiError('file_not_found', { path: request.path });
    waiting.delete(ticket);
    await sendShare(shares, packing, response);
  });
  return { asking, fetching };
}
