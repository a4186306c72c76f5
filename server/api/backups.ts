/**
 * Backups of the records over HTTP: list, make, remove, and put one back. What is done is here for the window's routes,
 * too, which answer in their own form.
 */
import type { Response } from 'express';
import type { RestoredPart } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { describeError } from '../system/log.ts';
import { reasonOf } from '../store/health.ts';
import type { PlacedBackup, StoreBackups } from '../store/store-backups.ts';
import { one, type Operation, type WholeServer, serverRoutes } from './operation.ts';
import {
  backupAnswer,
  backupPageAnswer,
  restoreBackupBody,
  startedRestoreAnswer,
  type BackupFacts,
  type BackupPage,
  type StartedRestore,
} from './schemas.ts';
import { formatDate } from './serialize.ts';

const route = serverRoutes('backups');

/** What names a backup: where it is, and its name. */
type BackupName = Pick<PlacedBackup, 'place' | 'name'>;

/** The backups of a server with records in files. @throws ApiError `no_backups_here`. */
function keeperOf({ store }: WholeServer): StoreBackups {
  if (!store.backups) throw new ApiError('no_backups_here');
  return store.backups;
}

/** Makes a backup. @throws ApiError `no_backups_here`, `cannot_back_up`. */
export async function makeBackup(server: WholeServer): Promise<PlacedBackup> {
  const keeper = keeperOf(server);
  try {
    return await keeper.make();
  } catch (error) {
    server.log('warning', 'store', `A backup: ${describeError(error)}`);
    throw new ApiError('cannot_back_up', { folder: keeper.folder, reason: reasonOf(error) });
  }
}

/** Removes a backup. @throws ApiError `no_backups_here`, `no_backup`, `cannot_remove_backup`. */
export async function dropBackup(
  server: WholeServer,
  { place, name }: { readonly place: string; readonly name: string },
): Promise<void> {
  const removed = await keeperOf(server)
    .remove(place, name)
    .catch((error: unknown): never => {
      throw new ApiError('cannot_remove_backup', { name, reason: reasonOf(error) });
    });
  if (!removed) throw new ApiError('no_backup', { name });
  server.log('info', 'store', `The backup ${name} was removed`);
}

/**
 * Has the next start put a backup back, and starts the server again once the answer is sent, if it can.
 *
 * @returns when it was asked for, in ms since 1970. @throws ApiError `no_backups_here`, `no_backup`, `cannot_save`.
 */
export async function startRestore(
  server: WholeServer,
  { place, name }: { readonly place: string; readonly name: string },
  what: RestoredPart,
  response: Response,
): Promise<number> {
  const { log, run } = server;
  const askedAt = await keeperOf(server)
    .askFor(place, name, what)
    .catch((error: unknown): never => {
      throw new ApiError('cannot_save', { reason: reasonOf(error) });
    });
  if (askedAt === null) throw new ApiError('no_backup', { name });
  log('warning', 'store', `The backup ${name} is to be restored (${what})`);
  // The answer first: its connection ends with the server.
  response.once('close', () => run.restart?.());
  return askedAt;
}

// ---- the routes of the API ------------------------------------------------------------------------------------------

/** Names are unique in a folder; a backup that was copied from one folder to the other says where it is. */
function idsOf(all: readonly PlacedBackup[]): ReadonlyMap<string, PlacedBackup> {
  const own = new Set(all.filter(({ place }) => place === 'data').map(({ name }) => name));
  const idOfOne = ({ place, name }: BackupName): string =>
    place === 'chosen' && own.has(name) ? `${name}@backup_folder` : name;
  return new Map(all.map((backup) => [idOfOne(backup), backup]));
}

async function backupNamed(server: WholeServer, id: string): Promise<PlacedBackup> {
  const found = idsOf(await keeperOf(server).list()).get(id);
  if (!found) throw new ApiError('no_backup', { name: id });
  return found;
}

function backupRecord(id: string, backup: PlacedBackup): BackupFacts {
  const { place, kind, madeAt, bytes, contents, counts } = backup;
  return {
    id,
    kind,
    place: place === 'data' ? 'data_folder' : 'backup_folder',
    created_at: formatDate(new Date(madeAt)),
    file_size: bytes,
    ...(contents && { media: { files: contents.files, file_size: contents.bytes } }),
    ...(counts && { records: counts }),
  };
}

async function backupPage(server: WholeServer): Promise<BackupPage> {
  const keeper = keeperOf(server);
  const { restored, folder } = keeper;
  const all = idsOf(await keeper.list());
  return {
    backups: [...all].map(([id, backup]) => backupRecord(id, backup)),
    folder,
    ...(restored && {
      last_restore: {
        backup: restored.name,
        asked_at: formatDate(new Date(restored.askedAt)),
        succeeded: restored.isDone,
        message: restored.text,
      },
    }),
  };
}

/** The routes of backups. */
export const backupOperations: readonly Operation[] = [
  route('GET /v2/backups', {
    id: 'listBackups',
    summary: 'List backups',
    explanation: 'All of them, the newest first, and what came of the last restore.',
    answers: [one(200, backupPageAnswer, 'The backups.')],
    refusals: ['no_backups_here'],
    answer: backupPage,
  }),
  route('POST /v2/backups', {
    id: 'createBackup',
    summary: 'Make a backup',
    explanation:
      'Of all that is stored at this moment; the server goes on meanwhile. It is answered once the backup is whole and on the disk.',
    answers: [one(201, backupAnswer, 'The backup.')],
    refusals: ['no_backups_here', 'cannot_back_up'],
    answer: async (server) => {
      const made = await makeBackup(server);
      const all = idsOf(await keeperOf(server).list());
      const [id = made.name] =
        [...all].find(([, { place, name }]) => place === made.place && name === made.name) ?? [];
      return backupRecord(id, made);
    },
  }),
  route('DELETE /v2/backups/{id}', {
    id: 'deleteBackup',
    summary: 'Delete a backup',
    explanation: 'For good. The data stay as they are, and so do the other backups.',
    answers: [{ status: 204, description: 'Deleted; no body.', content: null }],
    refusals: ['no_backups_here', 'no_backup', 'cannot_remove_backup'],
    answer: async (server, { id }) => dropBackup(server, await backupNamed(server, id)),
  }),
  route('POST /v2/backups/{id}/restore', {
    id: 'restoreBackup',
    summary: 'Restore a backup',
    explanation:
      'The server answers, then starts again and puts the backup back before it opens its records. Renders under way go back into the queue, and what is replaced becomes a backup as well. Afterwards `last_restore` of the list says what came of it: it has the `asked_at` of this answer.',
    body: restoreBackupBody,
    answers: [
      one(
        202,
        startedRestoreAnswer,
        'It is restored at the next start, which is now if `restarts` is true.',
      ),
    ],
    refusals: ['no_backups_here', 'no_backup'],
    answer: async (server, { id, body: { what }, response }) => {
      const askedAt = await startRestore(server, await backupNamed(server, id), what, response);
      return {
        restarts: server.run.restart !== null,
        asked_at: formatDate(new Date(askedAt)),
      } satisfies StartedRestore;
    },
  }),
];
