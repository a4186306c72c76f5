/** What happens to the data files of a folder before they are opened: upgrades, a look for lost ones, the day's backup. */
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { reasonOf } from './health.ts';
import { backUpDaily, bringUpToDate, findLost, isNewFolder, lastBackup } from './migrate.ts';
import type { StoreNotice } from './repair.ts';

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

/** Brings data files up to date and backs them up, before they are opened. @returns what was done or found. */
export async function prepareFiles(folder: string, log: Log, clock: Clock): Promise<StoreNotice[]> {
  const today = new Date(clock.now());
  const isNew = await isNewFolder(folder);
  const notices = [...(await bringUpToDate(folder, today))];
  // An upgrade may create files that did not exist before.
  if (!isNew && notices.length === 0) notices.push(...(await findLost(folder, dataFiles, today)));
  // A folder without room for a copy still opens.
  await backUpDaily(folder, today).catch(async (error: unknown) => {
    log('warning', 'store', `today’s backup: ${describeError(error)}`);
    const last = await lastBackup(folder);
    const since = last === null ? 'There is no backup yet' : `No backup since ${last}`;
    const text = `${since}: ${reasonOf(error)}. The next start tries again.`;
    notices.push({ text });
  });
  return notices;
}
