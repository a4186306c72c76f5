/**
 * Backups of the records, for the window: what there is, one more, one less, and one to put back. Below `/api`, behind
 * its token.
 */
import type { Router } from 'express';
import { backupRows, type BackupRecord } from '../../shared/api/data-folder.ts';
import { dropBackup, makeBackup, startRestore } from '../api/backups.ts';
import type { ServerServices } from '../services.ts';
import type { PlacedBackup } from '../store/store-backups.ts';
import { serveRows } from './rows.ts';

/** Routes below `/api`. */
export function backupRoutes(services: ServerServices): Router {
  return serveRows(backupRows, {
    list: async () => {
      const { backups } = services.store;
      const found = (await backups?.list()) ?? [];
      return {
        backups: found.map(recordOf),
        folder: backups?.folder ?? null,
        now: backups?.counts ?? null,
      };
    },
    make: async () => recordOf(await makeBackup(services)),
    // A place that does not exist has no backups.
    remove: ({ params }) => dropBackup(services, params),
    restore: async ({ params, body, response }) => {
      await startRestore(services, params, body.what, response);
      return { restarts: services.run.restart !== null };
    },
  });
}

function recordOf(backup: PlacedBackup): BackupRecord {
  const { name, place, kind, madeAt, bytes, contents, counts } = backup;
  return { name, place, kind, madeAt, bytes, contents, counts };
}
