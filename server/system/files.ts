/** What every file system call of server and engine needs beside node:fs: codes of errors, patience, and names that last. */
import { open, rename } from 'node:fs/promises';
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

/** Renames over a file that may be there, patiently where a scanner holds it. @throws what the system says in the end. */
export async function renameOver(from: string, to: string): Promise<void> {
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

/** Makes names in a folder last. Windows can't open folders, and keeps names by itself. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
