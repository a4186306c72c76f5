/** The window's requests about backups. Window only. */
import type { BackupList, BackupRecord, RestoredPart, RestoreStart } from '../../../shared/api.ts';
import { answerOf, request } from './api.ts';

// The `as` below name the form that shared/api.ts promises for each address.

/** The backups, newest first, and what the records are now. */
export const loadBackups = async (): Promise<BackupList> =>
  (await answerOf(await request('/api/backups'))) as BackupList;

/** Makes a backup of all that is stored now. */
export const makeBackup = async (): Promise<BackupRecord> =>
  (await answerOf(await request('/api/backups', { method: 'POST' }))) as BackupRecord;

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
