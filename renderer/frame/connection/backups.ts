/** The window's requests about the data folder: its backups, and what it takes. Window only. */
import type {
  BackupList,
  BackupRecord,
  RestoredPart,
  RestoreStart,
  KeptDownloads,
  SpaceUse,
} from '../../../shared/api.ts';
import { answerOf, request } from './api.ts';

// The `as` below name the form that shared/api.ts promises for each address.

/** The backups, newest first, and what the records are now. */
export const loadBackups = async (): Promise<BackupList> =>
  (await answerOf(await request('/api/backups'))) as BackupList;

/** What takes space on the disk now. */
export const loadSpace = async (): Promise<SpaceUse> =>
  (await answerOf(await request('/api/space'))) as SpaceUse;

/** What downloads take that are kept between renders. */
export const loadDownloads = async (): Promise<KeptDownloads> =>
  (await answerOf(await request('/api/downloads'))) as KeptDownloads;

/** Removes them. @returns what is left */
export const clearDownloads = async (): Promise<KeptDownloads> =>
  (await answerOf(await request('/api/downloads', { method: 'DELETE' }))) as KeptDownloads;

/** Makes a backup of all that is stored now. */
export const makeBackup = async (): Promise<BackupRecord> =>
  (await answerOf(await request('/api/backups', { method: 'POST' }))) as BackupRecord;

/** Removes a backup for good. */
export async function removeBackup({ place, name }: BackupRecord): Promise<void> {
  const path = `/api/backups/${place}/${encodeURIComponent(name)}`;
  await answerOf(await request(path, { method: 'DELETE' }));
}

/** Has a backup put back, for which the server starts again. */
export async function restoreBackup(
  { place, name }: BackupRecord,
  what: RestoredPart,
): Promise<RestoreStart> {
  const path = `/api/backups/${place}/${encodeURIComponent(name)}/restore`;
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify({ what }) };
  return (await answerOf(await request(path, sent))) as RestoreStart;
}
