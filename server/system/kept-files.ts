/**
 * Folders of files that are kept for later: what is in one, by when it was last used, and how one is taken out. Several
 * processes may have the same folder, so any file may go at any time; who takes one has a link of its own.
 */
import { constants } from 'node:fs';
import { copyFile, link, readdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './files.ts';

/** One of them. */
export interface KeptFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** Those that were used longest ago first; none where there is no folder. @param ending Of the names. Default: any. */
export async function keptFiles(folder: string, ending = ''): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(ending)) continue;
    const facts = await stat(path.join(folder, name)).catch(() => null);
    if (facts) files.push({ name, size: facts.size, usedAt: facts.mtimeMs });
  }
  return files.sort((a, b) => a.usedAt - b.usedAt);
}

/** What they take. */
export function sizeOf(files: readonly KeptFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Links a kept file to a place, which may have it already, or copies it where there are no links; notes that it was
 * used.
 *
 * @throws what the disk says, `ENOENT` if it has gone.
 */
export async function takeKept(file: string, place: string): Promise<void> {
  try {
    await link(file, place);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code === 'ENOENT') throw error;
    await copyFile(file, place, constants.COPYFILE_FICLONE);
  }
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}
