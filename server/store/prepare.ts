/**
 * What happens to the data files of a folder before they are opened: a backup is put back if someone asked for it,
 * upgrades, a look for lost ones, the day's backup.
 */
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import { reasonOf } from './health.ts';
import { backUpDaily, lastBackup } from './backups.ts';
import { bringUpToDate, findLost, isNewFolder } from './migrate.ts';
import type { StoreNotice } from './repair.ts';
import { finishRestore, type RestoreOutcome } from './restore.ts';

/** The files that every data folder of this format has. */
const dataFiles = [
  'renders.db',
  'templates.db',
  'projects.db',
  'keys.db',
  'deliveries.db',
  'feeds.db',
  'batches.db',
  'settings.db',
];

/** Puts back what is to be put back, brings data files up to date and backs them up, before they are opened. */
export async function prepareFiles(
  folder: string,
  log: Log,
  clock: Clock,
): Promise<{
  /** What was done or found. */
  readonly notices: StoreNotice[];
  /** The folder of the day's backup if this made it; null if there was one, or it failed. */
  readonly backup: string | null;
  /** Null: no backup was to be put back. */
  readonly restored: RestoreOutcome | null;
}> {
  const today = new Date(clock.now());
  const restored = await finishRestore(folder, log);
  const isNew = await isNewFolder(folder);
  const upgraded = await bringUpToDate(folder, today);
  const notices = [...(restored ? [{ text: restored.text }] : []), ...upgraded];
  // An upgrade may create files that did not exist before.
  if (!isNew && upgraded.length === 0) notices.push(...(await findLost(folder, dataFiles, today)));
  // A folder without room for a copy still opens.
  const backup = await backUpDaily(folder, today).catch(async (error: unknown) => {
    log('warning', 'store', `today’s backup: ${describeError(error)}`);
    const last = await lastBackup(folder);
    const since = last === null ? 'There is no backup yet' : `No backup since ${last}`;
    const text = `${since}: ${reasonOf(error)}. The next start tries again.`;
    notices.push({ text });
    return null;
  });
  return { notices, backup, restored };
}
