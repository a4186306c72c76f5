/**
 * Files written so that a crash or a power cut leaves the old content or the new one, never a part. Used by the store,
 * and for the few small files beside it.
 */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Codes with which Windows refuses a rename while a scanner holds the file. */
const heldCodes = new Set(['EPERM', 'EBUSY', 'EACCES']);
/** Pauses before trying a refused rename again, ms; two seconds together. */
const renamePauses = [20, 50, 100, 200, 400, 600, 630];

/** The `code` of a system error, e.g. `ENOENT`; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Writes a whole file: beside it, flushed, renamed over it, folder flushed. Readable for this user only. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const beside = `${file}.${randomUUID()}.new`;
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameOver(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await flushFolder(path.dirname(file));
}

/** Flushes what was appended to a file, and tells its length. */
export async function flushFile(file: string): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Cuts a file to a length, and flushes that. A shorter one stays as it is: zeros at its end would be damage. */
export async function cutFile(file: string, length: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    if ((await handle.stat()).size > length) await handle.truncate(length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes names in a folder last. Windows knows no such thing and keeps them by itself. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function renameOver(from: string, to: string): Promise<void> {
  for (const wait of renamePauses) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!heldCodes.has(errorCode(error) ?? '')) throw error;
      await pause(wait);
    }
  }
  await rename(from, to);
}
