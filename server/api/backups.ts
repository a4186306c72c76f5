/**
 * Backups of the records over HTTP: list, make, remove, and put one back. What is done is here for the window's routes,
 * too, which answer in their own form.
 */
import { z } from 'zod';
import type { Response } from 'express';
import type { RestoredPart } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { describeError } from '../system/log.ts';
import { reasonOf } from '../store/health.ts';
import type { PlacedBackup, StoreBackups } from '../store/store-backups.ts';
import { one, type Operation, type WholeServer, serverRoutes } from './operation.ts';
import { date, type Answer } from './answer-schemas.ts';
import { formatDate } from './serialize.ts';

const count = z.int();
/** A backup of the records and of the files that they name. */
const backupAnswer = z
  .strictObject({
    id: z.string().describe('Its name, e.g. day-2026-11-21.'),
    kind: z
      .enum(['day', 'upgrade', 'own', 'replaced'])
      .describe(
        'What made it: the first start of a day, an upgrade, a person or program, or a restore, of what it replaced.',
      ),
    place: z
      .enum(['data_folder', 'backup_folder'])
      .describe('In the data folder, or in that of the setting `backup_folder`.'),
    created_at: date,
    file_size: z.int().describe('Bytes of its records and documents.'),
    media: z
      .strictObject({ files: count, file_size: z.int().describe('Bytes.') })
      .describe(
        'Its media and fonts; absent if it has none, because they would have needed space of their own.',
      )
      .exactOptional(),
    records: z
      .strictObject({
        templates: count,
        feeds: count,
        renders: count,
        projects: count,
        keys: count,
      })
      .describe('How many there are; absent if they were not counted.')
      .exactOptional(),
  })
  .meta({ id: 'Backup' });
export type BackupFacts = Answer<typeof backupAnswer>;

/** All backups. */
const backupPageAnswer = z
  .strictObject({
    backups: z.array(backupAnswer),
    folder: z.string().describe('Where the next one goes, on the computer of the server.'),
    last_restore: z
      .strictObject({
        backup: z.string(),
        asked_at: date,
        succeeded: z.boolean(),
        message: z.string().describe('What was restored, or why it was not, for people.'),
      })
      .describe(
        'What came of the restore that the server began its present run with; absent if it did not.',
      )
      .exactOptional(),
  })
  .meta({ id: 'BackupList' });
export type BackupPage = Answer<typeof backupPageAnswer>;

const restorable = 'work or all';
/** Body of `POST /v2/backups/{id}/restore`. */
const restoreBackupBody = z
  .object({
    what: z
      .enum(['work', 'all'], restorable)
      .describe(
        '`work`: templates with their versions, and feeds; media and fonts that are missing come back; renders, keys and settings stay. `all`: everything; keys deleted since then work again, and the queue is paused.',
      ),
  })
  .meta({ id: 'RestoreBackup' });

/** A backup will be put back. */
const startedRestoreAnswer = z
  .strictObject({
    restarts: z
      .boolean()
      .describe(
        'True: the server starts again now. False: the next start of the program restores it.',
      ),
    asked_at: date,
  })
  .meta({ id: 'StartedRestore' });
export type StartedRestore = Answer<typeof startedRestoreAnswer>;

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
