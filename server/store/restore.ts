/**
 * Restores a backup when the data can't be opened. Nothing is lost: the replaced data are kept beside the backups. Runs
 * before the server, while nobody has the folder open.
 */
import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** A complete backup of the records. */
export interface Backup {
  /** Its folder's name, e.g. `day-2026-11-21`. */
  readonly name: string;
  /** When it was made, ms since 1970. */
  readonly madeAt: number;
}

/** The newest backup of a data folder; null if there is none. */
export async function newestBackup(dataFolder: string): Promise<Backup | null> {
  const folder = backupsOf(dataFolder);
  const names = await readdir(folder).catch((): string[] => []);
  const found: Backup[] = [];
  for (const name of names) {
    if (!/^(day|upgrade)-/.test(name) || name.endsWith('.part')) continue;
    const facts = await stat(path.join(folder, name)).catch(() => null);
    if (facts?.isDirectory()) found.push({ name, madeAt: facts.mtimeMs });
  }
  found.sort((a, b) => b.madeAt - a.madeAt);
  return found[0] ?? null;
}

/**
 * Replaces the current records with a backup's; the current ones are kept as `backups/replaced-TIME`, including records that
 * the backup does not have.
 *
 * @returns where the replaced ones are. @throws the file system's error; trying again is then safe.
 */
export async function restoreBackup(dataFolder: string, name: string, now: Date): Promise<string> {
  const store = path.join(dataFolder, 'store');
  const aside = path.join(
    backupsOf(dataFolder),
    `replaced-${now.toISOString().replace(/[:.]/g, '-')}`,
  );
  await mkdir(aside, { recursive: true, mode: 0o700 });
  const present = (await readdir(store)).filter(isRecordFile);
  for (const file of present) await cp(path.join(store, file), path.join(aside, file));
  const source = path.join(backupsOf(dataFolder), name);
  const restored = (await readdir(source)).filter(isRecordFile);
  for (const file of restored) await cp(path.join(source, file), path.join(store, file));
  for (const file of present) {
    if (!restored.includes(file)) await rm(path.join(store, file), { force: true });
  }
  return aside;
}

const backupsOf = (dataFolder: string): string => path.join(dataFolder, 'store', 'backups');

/** The files in backups: data files, leftovers of rewrites, and the format. */
const isRecordFile = (name: string): boolean => /\.db~?$|^format\.json$/.test(name);
