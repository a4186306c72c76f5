/**
 * Upgrades data of older versions to this one's format, step by step, before anything opens it. Every step can run
 * twice, as it does after a crash in the middle.
 */
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import { StartError } from '../system/start-error.ts';
import { backUpFiles, stampOf } from './backups.ts';
import { parseLine, readDataFile, readLines, type DataFile } from './data-file.ts';
import { writeInParts, writeWhole } from './files.ts';
import { errorCode } from '../system/files.ts';
import { firstProject } from './projects.ts';
import { requestTexts, type RenderRequest } from './render-record.ts';
import { needsRepair, repairDataFile, type StoreNotice } from './repair.ts';
import { isLong, writeUpgraded } from './template-files.ts';

/** The format that this version writes. Raise it with every change that an older version can't read. */
export const currentFormat = 4;

const formatFile = z.object({ format: z.number().int() });

/** The data folder can't be used by this version. */
export class DataFormatError extends StartError {
  override readonly name = 'DataFormatError';
}

/** We wrote it; a damaged one counts as empty. */
function parseRequest(text: string): RenderRequest {
  try {
    return JSON.parse(text) as RenderRequest;
  } catch {
    return {};
  }
}

/** The step from a format to the next one; returns what it had to repair. */
const steps: Readonly<Record<number, (folder: string) => Promise<readonly StoreNotice[]>>> = {
  // Projects: existing data belong to the first.
  1: async (folder) => {
    const notices: StoreNotice[] = [];
    for (const name of ['renders', 'templates', 'keys']) {
      const file = path.join(folder, `${name}.db`);
      const inFirst = (record: JsonObject): JsonObject => ({ project: firstProject, ...record });
      notices.push(...(await changeRecords(file, inFirst)));
    }
    return notices;
  },
  // Large modifications move out of their records. They never change, so they are written once for all states.
  2: async (folder) => {
    const aside = path.join(folder, 'modifications');
    await mkdir(aside, { recursive: true, mode: 0o700 });
    const written = new Set<string>();
    return changeRecords(path.join(folder, 'renders.db'), async (record) => {
      const { _id: id, request } = record;
      if (typeof id !== 'string' || typeof request !== 'string') return record;
      const texts = requestTexts(parseRequest(request));
      if (texts.aside === null) return record;
      if (!written.has(id)) await writeWhole(path.join(aside, `${id}.json`), texts.aside);
      written.add(id);
      const modificationsBytes = Buffer.byteLength(texts.aside);
      return { ...record, request: texts.text, modificationsBytes };
    });
  },
  // Long template documents, too. Superseded versions are dropped: each would need a file.
  3: (folder) =>
    changeRecords(path.join(folder, 'templates.db'), async (record, isLast) => {
      const { source, ...facts } = record;
      if (!isLast) return null;
      if (typeof source !== 'string' || !isLong(source)) return record;
      const file = await writeUpgraded(
        folder,
        typeof record._id === 'string' ? record._id : '',
        source,
      );
      return { ...facts, file: { ...file } };
    }),
};

/**
 * Upgrades a folder of data files to the current format, after making a copy.
 *
 * @returns what was done, if anything.
 * @throws DataFormatError if a newer version made the data, which then stay untouched.
 */
export async function bringUpToDate(folder: string, now: Date): Promise<readonly StoreNotice[]> {
  const file = path.join(folder, 'format.json');
  const found = await readFormat(file);
  if (found === null) {
    await writeWhole(file, `${JSON.stringify({ format: currentFormat })}\n`);
    return [];
  }
  if (found > currentFormat) {
    throw new DataFormatError(
      `The data in ${folder} was made by a newer version of the app (format ${found}, this version knows ${currentFormat}).`,
    );
  }
  if (found === currentFormat) return [];
  const copy = await backUpFiles(folder, 'upgrade', `upgrade-${stampOf(now)}`, now);
  const repaired: StoreNotice[] = [];
  for (let format = found; format < currentFormat; format++) {
    repaired.push(...((await steps[format]?.(folder)) ?? []));
  }
  await writeWhole(file, `${JSON.stringify({ format: currentFormat })}\n`);
  const text = `The data was brought from format ${found} to ${currentFormat}; a copy from before is in ${copy}.`;
  return [{ text }, ...repaired];
}

/** True before the first start in a folder. */
export async function isNewFolder(folder: string): Promise<boolean> {
  return (await readFormat(path.join(folder, 'format.json'))) === null;
}

/**
 * Looks for data files that are missing or empty, which NeDB would take for new ones. Copies the newest backup with
 * content to where no later backup displaces it; nothing is restored automatically, because the backup is older than
 * the lost data. Call before the files are opened.
 *
 * @param names Data files that a folder of this format always has. An opened one always has content.
 * @returns a notice for each.
 */
export async function findLost(
  folder: string,
  names: readonly string[],
  now: Date,
): Promise<StoreNotice[]> {
  const notices: StoreNotice[] = [];
  for (const name of names) {
    const size = await sizeOf(path.join(folder, name));
    // NeDB continues with the file of a rewrite that was interrupted before its renaming.
    if (size === null && (await sizeOf(path.join(folder, `${name}~`)))) continue;
    if (size !== null && size > 0) continue;
    const what = `${name} was ${size === null ? 'missing' : 'empty'}`;
    const backup = await newestBackup(folder, name);
    if (backup !== null) {
      const aside = path.join(folder, 'backups', `lost-${stampOf(now)}`, name);
      // On a full disk the backup itself must do for today.
      const kept = await cp(backup, aside).then(
        () => aside,
        () => backup,
      );
      const text = `${what}. There is a backup (${path.basename(path.dirname(backup))}), kept as ${kept}. To go back to it, end the app and copy it over ${path.join(folder, name)}.`;
      notices.push({ text });
    } else if (size === null) {
      notices.push({ text: `${what} and there is no backup of it. It starts empty.` });
    }
  }
  return notices;
}

/** The newest backup of a data file with content, of either kind. */
async function newestBackup(folder: string, name: string): Promise<string | null> {
  const backups = path.join(folder, 'backups');
  const kept = (await readdir(backups).catch((): string[] => [])).filter(
    (backup) => /^(day|upgrade)-/.test(backup) && !backup.endsWith('.part'),
  );
  // Both kinds of names end with the date.
  const dateOf = (backup: string): string => backup.slice(backup.indexOf('-'));
  kept.sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1));
  for (const backup of kept) {
    const file = path.join(backups, backup, name);
    if (await sizeOf(file)) return file;
  }
  return null;
}

/** Bytes of a file; null when there is none. */
async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The number in a `format.json`; null if there is none. @throws what the disk says, or zod. */
export async function readFormat(file: string): Promise<number | null> {
  try {
    return formatFile.parse(JSON.parse(await readFile(file, 'utf8'))).format;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Rewrites a data file of any length record by record; NeDB's own notes (removals, indexes) stay as they are.
 *
 * @param change Gets every state of a record in the file, and whether it is the last; null leaves it out.
 * @returns what it had to repair.
 */
async function changeRecords(
  file: string,
  change: (record: JsonObject, isLast: boolean) => JsonObject | null | Promise<JsonObject | null>,
): Promise<readonly StoreNotice[]> {
  const notices: StoreNotice[] = [];
  // Only where the last state of each begins: all together may not fit into memory.
  const look = (): Promise<DataFile> => readDataFile(file, (_record, line) => line.start);
  let found = await look();
  if (found.length === null) return notices;
  if (needsRepair(found)) {
    notices.push(await repairDataFile(file, found, new Date()));
    found = await look();
  }
  await writeInParts(file, async (add) => {
    for await (const lines of readLines(file)) {
      const changed: string[] = [];
      for (const line of lines) {
        const record = parseLine(line);
        if (!isJsonObject(record)) continue;
        const { _id: id } = record;
        const ours = typeof id === 'string' && record.$$deleted !== true;
        const isLast = ours && found.records.get(id) === line.start;
        const made = ours ? await change(record, isLast) : record;
        if (made) changed.push(`${JSON.stringify(made)}\n`);
      }
      await add(changed.join(''));
    }
  });
  return notices;
}
