/**
 * What happens to the data files of a folder before they are opened: a backup is put back if someone asked for it,
 * upgrades, a look for lost ones, the day's backup.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import { reasonOf } from './health.ts';
import { backUpDaily, lastBackup } from './backups.ts';
import { bringUpToDate, findLost, isNewFolder } from './migrate.ts';
import type { StoreNotice } from './repair.ts';
import { finishRestore, type RestoreOutcome } from './restore.ts';
import { StartError } from '../system/start-error.ts';
import { errorCode } from '../system/files.ts';
import { writeWhole } from './files.ts';

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

// Which folder and which database belong together: the records of an installation may be in PostgreSQL, but the
// documents and media that they name are files of one data folder. The folder names its database
// (`store/database.json`), and the database its folder, so that neither is ever used with another one: cleaning up
// would take its files for strays.

const bindingForm = z.object({ id: z.string(), name: z.string() });

/** The database that a folder belongs to. */
type Binding = z.infer<typeof bindingForm>;

const fileOf = (dataFolder: string): string => path.join(dataFolder, 'store', 'database.json');

/** The database that a data folder belongs to; null: it has its own records. @throws what the disk says, or zod. */
export async function readBinding(dataFolder: string): Promise<Binding | null> {
  try {
    return bindingForm.parse(JSON.parse(await readFile(fileOf(dataFolder), 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Makes a data folder the one of a database. */
export async function writeBinding(dataFolder: string, binding: Binding): Promise<void> {
  await writeWhole(fileOf(dataFolder), `${JSON.stringify(binding)}\n`);
}

/** True if a data folder has records in files. */
export async function hasRecords(dataFolder: string): Promise<boolean> {
  const names = await readdir(path.join(dataFolder, 'store')).catch((): string[] => []);
  return names.some((name) => /\.db~?$/.test(name));
}

/** @throws StartError if the records of a folder are in a database. */
export async function refuseBound(dataFolder: string): Promise<void> {
  const binding = await readBinding(dataFolder);
  if (!binding) return;
  throw new StartError(
    `The records of ${dataFolder} are in the database ${binding.name}: name it with --database. To go back to the records that were in the folder before, remove ${fileOf(dataFolder)}.`,
  );
}
