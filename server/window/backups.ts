/**
 * Backups of the records, for the window: what there is, one more, one less, and one to put back. Below `/api`, behind
 * its token.
 */
import { Router } from 'express';
import { z } from 'zod';
import type { BackupList, BackupRecord, RestoreStart } from '../../shared/api.ts';
import { dropBackup, makeBackup, startRestore } from '../api/backups.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { restoreBackupBody } from '../api/schemas.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';
import type { PlacedBackup } from '../store/store-backups.ts';

/** A place that does not exist has no backups. */
const named = z.object({ place: z.string(), name: z.string() });

/** Routes below `/api`. */
export function backupRoutes(services: ServerServices): Router {
  const routes = Router({ caseSensitive: true });

  routes.get('/backups', async (_request, response) => {
    const { backups } = services.store;
    const found = (await backups?.list()) ?? [];
    const list: BackupList = {
      backups: found.map(recordOf),
      folder: backups?.folder ?? null,
      now: backups?.counts ?? null,
    };
    response.json(list);
  });

  routes.post('/backups', async (_request, response) => {
    response.status(201).json(recordOf(await makeBackup(services)));
  });

  routes.delete('/backups/:place/:name', async (request, response) => {
    await dropBackup(services, named.parse(request.params));
    response.status(204).end();
  });

  routes.post('/backups/:place/:name/restore', jsonBody, async (request, response) => {
    const { what } = parseParameters(restoreBackupBody, bodyOf(request));
    await startRestore(services, named.parse(request.params), what, response);
    response.status(202).json({ restarts: services.restart !== null } satisfies RestoreStart);
  });
  return routes;
}

function recordOf(backup: PlacedBackup): BackupRecord {
  const { name, place, kind, madeAt, bytes, contents, counts } = backup;
  return { name, place, kind, madeAt, bytes, contents, counts };
}
