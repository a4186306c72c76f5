/** Backups of the records, for the window: what there is, one more, one less, and one to put back. Below `/api`, behind its token. */
import { Router } from 'express';
import { z } from 'zod';
import type { BackupList, BackupRecord, RestoreStart } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { describeError } from '../log.ts';
import { parseParameters } from '../parameters.ts';
import type { ServerServices } from '../services.ts';
import { reasonOf } from '../store/health.ts';
import type { PlacedBackup, StoreBackups } from '../store/store-backups.ts';

const restoring = z.object({ what: z.enum(['work', 'all']) });
/** A place that does not exist has no backups. */
const named = z.object({ place: z.string(), name: z.string() });

/** Routes below `/api`. */
export function backupRoutes(services: ServerServices): Router {
  const routes = Router({ caseSensitive: true });
  const { store, log, restart } = services;
  const backups = (): StoreBackups => {
    if (!store.backups) throw new ApiError('no_backups_here');
    return store.backups;
  };

  routes.get('/backups', async (_request, response) => {
    const { backups } = store;
    const found = (await backups?.list()) ?? [];
    const list: BackupList = {
      backups: found.map(recordOf),
      folder: backups?.folder ?? null,
      now: backups?.counts ?? null,
    };
    response.json(list);
  });

  routes.post('/backups', async (_request, response) => {
    const keeper = backups();
    try {
      response.status(201).json(recordOf(await keeper.make()));
    } catch (error) {
      log('warning', 'store', `A backup: ${describeError(error)}`);
      throw new ApiError('cannot_back_up', { folder: keeper.folder, reason: reasonOf(error) });
    }
  });

  routes.delete('/backups/:place/:name', async (request, response) => {
    const { place, name } = named.parse(request.params);
    const removed = await backups()
      .remove(place, name)
      .catch((error: unknown): never => {
        throw new ApiError('cannot_remove_backup', { name, reason: reasonOf(error) });
      });
    if (!removed) throw new ApiError('no_backup', { name });
    log('info', 'store', `The backup ${name} was removed`);
    response.status(204).end();
  });

  routes.post('/backups/:place/:name/restore', jsonBody, async (request, response) => {
    const { what } = parseParameters(restoring, bodyOf(request));
    const { place, name } = named.parse(request.params);
    const keeper = backups();
    const found = await keeper.askFor(place, name, what).catch(refuse);
    if (!found) throw new ApiError('no_backup', { name });
    log('warning', 'store', `The backup ${name} is to be restored (${what})`);
    // The answer first: its connection ends with the server.
    response.once('close', () => restart?.());
    response.status(202).json({ restarts: restart !== null } satisfies RestoreStart);
  });
  return routes;
}

function refuse(error: unknown): never {
  throw new ApiError('cannot_save', { reason: reasonOf(error) });
}

function recordOf(backup: PlacedBackup): BackupRecord {
  const { name, place, kind, madeAt, bytes, contents, counts } = backup;
  return { name, place, kind, madeAt, bytes, contents, counts };
}
