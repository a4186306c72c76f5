/**
 * The client as a package at `/client.tgz`, for `npm install` without a registry. It needs no key, like the help; the
 * build makes it (client/pack.mjs).
 */
import { Router } from 'express';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { clientPackage } from '../system/paths.ts';

/** Its route. */
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
