/**
 * Which folder and which database belong together: the records of an installation may be in PostgreSQL, but the
 * documents and media that they name are files of one data folder. The folder names its database
 * (`store/database.json`), and the database its folder, so that neither is ever used with another one: cleaning up
 * would take its files for strays.
 */
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Log } from '../system/log.ts';
import { StartError } from '../system/start-error.ts';
import { errorCode } from '../system/files.ts';
import { writeWhole } from './files.ts';
import type { StoreHealth } from './health.ts';
import type { PostgresKeeper } from './postgres/keeper.ts';

const bindingForm = z.object({ id: z.string(), name: z.string() });

/** The database that a folder belongs to. */
export type Binding = z.infer<typeof bindingForm>;

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

/**
 * Opens a database for a data folder, and ties the two together at the first time.
 *
 * @param isShared Whether other servers may use both at the same time. The folder may have another name on each
 * computer.
 * @throws StartError with a sentence: it can't be opened, or one of the two belongs to another.
 */
export async function openDatabase(
  dataFolder: string,
  url: string,
  log: Log,
  health: StoreHealth,
  isShared = false,
): Promise<PostgresKeeper> {
  // Loaded only now: a start without a database must not pay for it.
  const { PostgresKeeper } = await import('./postgres/keeper.ts');
  if (!(await readBinding(dataFolder)) && (await hasRecords(dataFolder))) {
    throw new StartError(
      `${dataFolder} has records of its own. Move them first: framewright migrate --from ${dataFolder} --database URL. Or name another folder with --data.`,
    );
  }
  const keeper = await PostgresKeeper.open({ url, log, health, exclusive: !isShared });
  const { name } = keeper;
  try {
    if (isShared) await keeper.beginStart();
    const binding = await readBinding(dataFolder);
    if (binding && binding.id !== keeper.databaseId) {
      throw new StartError(
        `${dataFolder} belongs to the database ${binding.name}, and ${name} is another one.`,
      );
    }
    if (!binding) {
      const home = await keeper.settleIn(`${dataFolder} on ${hostname()}`);
      if (home !== null) {
        throw new StartError(
          `The files of ${name} are in ${home}: name that folder with --data. A new folder would have the records without their documents.`,
        );
      }
      await writeBinding(dataFolder, { id: keeper.databaseId, name });
    }
    return keeper;
  } catch (error) {
    await keeper.close();
    throw error;
  }
}
