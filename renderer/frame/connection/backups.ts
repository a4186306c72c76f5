/** The window's requests about the data folder: its backups, and what it takes. Window only. */
import {
  backupRows,
  spaceRows,
  type BackupList,
  type BackupRecord,
  type KeptDownloads,
  type RestoredPart,
  type RestoreStart,
  type SpaceUse,
} from '../../../shared/api/data-folder.ts';
import { call } from './call.ts';

/** The backups, newest first, and what the records are now. */
export const loadBackups = (): Promise<BackupList> => call(backupRows.list);

/** What takes space on the disk now. */
export const loadSpace = (): Promise<SpaceUse> => call(spaceRows.space);

/** What downloads take that are kept between renders. */
export const loadDownloads = (): Promise<KeptDownloads> => call(spaceRows.downloads);

/** Removes them. @returns what is left */
export const clearDownloads = (): Promise<KeptDownloads> => call(spaceRows.clearDownloads);

/** Makes a backup of all that is stored now. */
export const makeBackup = (): Promise<BackupRecord> => call(backupRows.make);

/** Removes a backup for good. */
export const removeBackup = ({ place, name }: BackupRecord): Promise<undefined> =>
  call(backupRows.remove, { params: { place, name } });

/** Has a backup put back, for which the server starts again. */
export const restoreBackup = (
  { place, name }: BackupRecord,
  what: RestoredPart,
): Promise<RestoreStart> => call(backupRows.restore, { params: { place, name }, body: { what } });
