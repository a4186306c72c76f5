/**
 * The folder of downloads that are kept between renders: what it takes, and what goes when it takes too much. Runs in
 * the worker, after each download, and in the server, for the user. server/engine/assets/fetch/fetch.ts fills it.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { keptFiles, sizeOf } from './kept-files.ts';

/** Where a server or a worker keeps them. @param dataFolder Its own. */
export function downloadFolder(dataFolder: string): string {
  return path.join(dataFolder, 'cache');
}

/** Ends the names of their contents. */
const ending = '.bin';

/** What the kept downloads take. */
export async function downloadsKept(folder: string): Promise<{ bytes: number; files: number }> {
  const files = await keptFiles(folder, ending);
  return { bytes: sizeOf(files), files: files.length };
}

/**
 * Removes the least recently used downloads beyond the limit. Renders that use one have their own link to it.
 *
 * @param limit Bytes; 0 removes all.
 * @param justKept A file that stays; older ones of its address go.
 */
export async function shrinkDownloads(
  folder: string,
  limit: number,
  justKept?: string,
): Promise<void> {
  const files = await keptFiles(folder, ending);
  const sameAddress = justKept === undefined ? null : addressOf(justKept);
  let total = sizeOf(files);
  for (const { name, size } of files) {
    if (name === justKept) continue;
    const isOld = addressOf(name) === sameAddress;
    if (total <= limit && !isOld) continue;
    // The entry first: without it the file counts as missing.
    if (!isOld) await rm(path.join(folder, `${addressOf(name)}.json`), { force: true });
    await rm(path.join(folder, name), { force: true });
    total -= size;
  }
}

/** The digest of a file's address, with which its name begins. */
function addressOf(name: string): string {
  return name.slice(0, name.indexOf('-'));
}
