/**
 * What helps to find out why something does not work, as one text that a person can read before handing it on: versions, the
 * state, settings, counts, the last lines of the log. Never in it: keys, secrets, tokens, content of templates.
 */
import { cpus, freemem, release, totalmem } from 'node:os';
import { Router } from 'express';
import type { ServerServices } from '../services.ts';
import { serverState } from './view.ts';

/** Routes below `/api`. */
export function diagnosticRoutes(services: ServerServices): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/diagnostics', async (_request, response) => {
    response.type('text/plain').send(await diagnosticsOf(services));
  });
  return routes;
}

/** The text: sections with a title each. */
async function diagnosticsOf(services: ServerServices): Promise<string> {
  const { store, renderLogs, dataFolder, clock } = services;
  const { api, ...state } = await serverState(services);
  const { state: apiIs, url, problem } = api;
  // The types know it as a text; under Node alone it is absent.
  const { electron } = process.versions as { readonly electron?: string };
  const sections: readonly [title: string, lines: readonly string[]][] = [
    [
      'Program',
      linesOf({
        time: new Date(clock.now()).toISOString(),
        version: state.version,
        node: process.version,
        ...(electron !== undefined && { electron }),
        system: `${process.platform} ${release()} ${process.arch}`,
        processors: cpus().length,
        memory: `${megabytes(freemem())} of ${megabytes(totalmem())} free, ${megabytes(process.memoryUsage.rss())} used by the server`,
        running: `${Math.round(process.uptime())} s`,
        dataFolder,
      }),
    ],
    ['State', linesOf({ api: { state: apiIs, url, ...(problem && { problem }) }, ...state })],
    ['Settings', linesOf({ ...store.settings.values })],
    ['Counts', linesOf(countsOf(services))],
    ['Log', renderLogs.tail],
  ];
  return sections.map(([title, lines]) => [`# ${title}`, ...lines, ''].join('\n')).join('\n');
}

function countsOf({ store }: ServerServices): Readonly<Record<string, number>> {
  const renders: Record<string, number> = {};
  for (const { status } of store.renders.list()) {
    renders[`renders ${status}`] = (renders[`renders ${status}`] ?? 0) + 1;
  }
  return {
    ...renders,
    templates: store.templates.list().length,
    'templates in the Trash': store.templates.listDeleted().length,
    projects: store.projects.list().length,
    keys: store.keys.list().length,
    feeds: store.feeds.list().length,
    'media files': store.media.list().length,
    webhooks: store.deliveries.list().length,
  };
}

function linesOf(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
