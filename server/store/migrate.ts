/**
 * Brings data of older versions into the form of this one, step by step, before anything opens it. Every step can be
 * done twice: after a crash in the middle it is.
 */
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import { StartError } from '../start-error.ts';
import { errorCode, writeWhole } from './files.ts';
import { firstProject } from './projects.ts';
import { repairDataFile } from './repair.ts';

/** The form of the data files that this version writes. Raise it with every change that an older version can't read. */
export const currentFormat = 2;
/** Backups that are kept, of those made before an upgrade and of the daily ones. */
const keptUpgrades = 3;
const keptDays = 7;

const formatFile = z.object({ format: z.number().int() });

/** The data folder can't be used by this version. */
export class DataFormatError extends StartError {
  override readonly name = 'DataFormatError';
}

/** What leads from a format to the next one. */
const steps: Readonly<Record<number, (folder: string) => Promise<void>>> = {
  // Projects: what there was belongs to the first.
  1: async (folder) => {
    for (const name of ['renders', 'templates', 'keys']) {
      await changeRecords(path.join(folder, `${name}.db`), (record) => ({
        project: firstProject,
        ...record,
      }));
    }
  },
};

/**
 * Sees to it that a folder of data files has the current format. An upgrade is preceded by a copy.
 *
 * @returns what was done, for people; null when nothing was.
 * @throws DataFormatError when a newer version made the data, which is then not touched.
 */
export async function bringUpToDate(folder: string, now: Date): Promise<string | null> {
  const file = path.join(folder, 'format.json');
  const found = await readFormat(file);
  if (found === null) {
    await writeWhole(file, `${JSON.stringify({ format: currentFormat })}\n`);
    return null;
  }
  if (found > currentFormat) {
    throw new DataFormatError(
      `The data in ${folder} was made by a newer version of the app (format ${found}, this version knows ${currentFormat}).`,
    );
  }
  if (found === currentFormat) return null;
  const copy = await backUp(folder, `upgrade-${stampOf(now)}`, keptUpgrades);
  for (let format = found; format < currentFormat; format++) await steps[format]?.(folder);
  await writeWhole(file, `${JSON.stringify({ format: currentFormat })}\n`);
  return `The data was brought from format ${found} to ${currentFormat}; a copy from before is in ${copy}.`;
}

/** Makes the day's copy of the data files, unless there is one. Call before they are opened. */
export async function backUpDaily(folder: string, now: Date): Promise<void> {
  const name = `day-${now.toISOString().slice(0, 10)}`;
  const known = await readdir(path.join(folder, 'backups')).catch((): string[] => []);
  if (!known.includes(name)) await backUp(folder, name, keptDays);
}

/** Copies the records (not the documents of renders, which never change) to `backups/NAME`; removes the oldest of its kind. */
async function backUp(folder: string, name: string, kept: number): Promise<string> {
  const backups = path.join(folder, 'backups');
  const place = path.join(backups, name);
  await mkdir(place, { recursive: true, mode: 0o700 });
  for (const file of await readdir(folder)) {
    if (/\.db$|^format\.json$/.test(file))
      await cp(path.join(folder, file), path.join(place, file));
  }
  const kind = name.slice(0, name.indexOf('-') + 1);
  const same = (await readdir(backups)).filter((other) => other.startsWith(kind)).sort();
  for (const old of same.slice(0, -kept)) await rm(path.join(backups, old), { recursive: true });
  return place;
}

async function readFormat(file: string): Promise<number | null> {
  try {
    return formatFile.parse(JSON.parse(await readFile(file, 'utf8'))).format;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Rewrites a data file record by record; the database's own notes (removals, indexes) stay as they are. */
async function changeRecords(
  file: string,
  change: (record: JsonObject) => JsonObject,
): Promise<void> {
  await repairDataFile(file, new Date());
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const changed = lines.map((line) => {
    const record: unknown = JSON.parse(line);
    const ours = isJsonObject(record) && typeof record._id === 'string' && !record.$$deleted;
    return ours ? JSON.stringify(change(record)) : line;
  });
  await writeWhole(file, changed.map((line) => `${line}\n`).join(''));
}

function stampOf(date: Date): string {
  return date.toISOString().replace(/[:.]/g, '-');
}
