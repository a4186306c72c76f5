/**
 * The folder of films' pieces that are kept between renders: what it takes, and what goes when it takes too much. Runs
 * in the worker, after each film, and in the server, for the user. server/engine/pieces/piece-cache.ts fills it.
 */
import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { keptFiles, sizeOf } from './kept-files.ts';

/** Where it is. @param cacheFolder That of downloads. */
export function pieceFolder(cacheFolder: string): string {
  return path.join(cacheFolder, 'pieces');
}

/** Bytes that stay free on the disk, whatever the limit. */
export const reserve = 2_000_000_000;
/** Ends the name of a piece that is being copied. */
export const unfinished = '.part';
/** Ends the name of a piece's ground (server/engine/pieces/grounds.ts), which one process reads. */
export const groundEnding = '.ground';
/** Milliseconds after which a half-written file, or a ground that nobody used, is a left-over. */
const abandonedAfter = 3_600_000;

/** What the kept pieces take. */
export async function piecesKept(folder: string): Promise<{ bytes: number; files: number }> {
  const files = await keptFiles(folder);
  return { bytes: sizeOf(files), files: files.length };
}

/** Removes the least recently used pieces beyond the limit. @param limit Bytes; 0 removes all. */
export async function shrinkPieces(folder: string, limit: number): Promise<void> {
  const files = await keptFiles(folder);
  if (files.length === 0) return;
  let total = sizeOf(files);
  const { bavail, bsize } = await statfs(folder);
  const most = Math.min(limit, total + bavail * bsize - reserve);
  for (const { name, size, usedAt } of files) {
    const isPassing = name.endsWith(unfinished) || name.endsWith(groundEnding);
    const isAbandoned = isPassing && Date.now() - usedAt > abandonedAfter;
    if (total <= most && !isAbandoned) continue;
    await rm(path.join(folder, name), { force: true });
    total -= size;
  }
}

/** Removes all of them. @returns whether there were any; never rejects */
export async function giveUpPieces(folder: string): Promise<boolean> {
  const { files } = await piecesKept(folder);
  if (files > 0) await shrinkPieces(folder, 0).catch(() => undefined);
  return files > 0;
}
