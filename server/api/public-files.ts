/** Files that need no key, like the help: nothing in them belongs to a project. */
import { Router } from 'express';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { renderScriptSchema } from '../../shared/renderscript/schema.ts';
import { clientPackage } from '../system/paths.ts';

/** The client as a package at `/client.tgz`, for `npm install` without a registry; made by client/pack.mjs. */
export function clientPackageRoutes(): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/client.tgz', async (_request, response, next) => {
    const bytes = await readFile(clientPackage()).catch(() => null);
    if (bytes === null) {
      next();
      return;
    }
    response.type('application/gzip').set({
      // Kept, but asked about each time: another version of the program has another client at the same address.
      'Cache-Control': 'no-cache',
      ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    });
    response.send(bytes);
  });
  return routes;
}

/** The JSON Schema of the language at `/renderscript.schema.json`, for editors. */
export function languageRoutes(): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/renderscript.schema.json', (_request, response) => {
    response
      .type('application/schema+json')
      .send(`${JSON.stringify(renderScriptSchema(), null, 2)}\n`);
  });
  return routes;
}
