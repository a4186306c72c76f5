/**
 * Which folder and which database belong together: the records of an installation may be in PostgreSQL, but the
 * documents and media that they name are files of one data folder. The folder names its database
 * (`store/database.json`), and the database its folder, so that neither is ever used with another one: cleaning up
 * would take its files for strays.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from '../system/start-error.ts';
import { errorCode } from '../system/files.ts';
import { writeWhole } from './files.ts';

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
