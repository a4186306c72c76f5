/** What server and engine need beside node:fs: error codes, patient renaming, and flushed folders. */
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

/** Codes with which Windows refuses a rename while a scanner holds the file. */
const heldCodes = new Set(['EPERM', 'EBUSY', 'EACCES']);
/** Pauses before retrying a refused rename, ms; two seconds in total. */
const renamePauses = [20, 50, 100, 200, 400, 600, 630];

/** The `code` of a system error, e.g. `ENOENT`; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** What a refusal of the system means for those who store. */
export type RefusalKind = 'full' | 'denied' | 'away' | 'slow';

/** The system's error codes: in words about `it`, and their kind. */
const refusals: Readonly<Record<string, readonly [words: string, kind?: RefusalKind]>> = {
  ENOENT: ['it is not there', 'away'],
  ENOTDIR: ['a part of its path is a file, not a folder', 'away'],
  EISDIR: ['it is a folder, not a file'],
  EEXIST: ['it is a file, not a folder'],
  EACCES: ['this user may not use it', 'denied'],
  EPERM: ['this user may not use it', 'denied'],
  EROFS: ['its drive is read-only', 'denied'],
  ENAMETOOLONG: ['its name is too long'],
  ENOSPC: ['its disk is full', 'full'],
  EDQUOT: ['its disk quota is used up', 'full'],
  EFBIG: ['its drive takes no file of that size', 'full'],
  ELOOP: ['its links lead in a circle'],
  EIO: ['its drive reports an error', 'away'],
  ESTALE: ['its drive is gone', 'away'],
  ENODEV: ['its drive is gone', 'away'],
  ENXIO: ['its drive is gone', 'away'],
  ENOTCONN: ['its drive is not connected', 'away'],
  EHOSTDOWN: ['its computer does not answer', 'away'],
  EHOSTUNREACH: ['its computer does not answer', 'away'],
  ETIMEDOUT: ['its drive does not answer', 'slow'],
};

/**
 * Why the system refused a file or a folder, in words; undefined for any other error.
 *
 * @param it What was refused. Default: `it`.
 */
export function refusalWords(error: unknown, it = 'it'): string | undefined {
  const [words] = refusals[errorCode(error) ?? ''] ?? [];
  return it === 'it' ? words : words?.replace(/\bits\b/, 'the').replace(/\bit\b/, it);
}

/** What the refusal means; undefined for any other error. */
export function refusalKind(error: unknown): RefusalKind | undefined {
  return refusals[errorCode(error) ?? '']?.[1];
}

/** The system's refusal of a file or a folder in a sentence with its path and the cure; null for any other error. */
export function fileRefusal(error: unknown): string | null {
  const why = refusalWords(error);
  const { path: place } = error as NodeJS.ErrnoException; // read of any error
  return why !== undefined && place !== undefined
    ? `${place} can't be used: ${why}. Name another place.`
    : null;
}

/** Whether something is there that can be looked at. */
export function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Makes a folder and those that it lies in. One by one: where the system makes none, as below /proc, Node's recursive
 * way never ends.
 *
 * @param mode Default: what the system gives. @throws the system's error.
 */
export function makeFolders(folder: string, mode?: number): void {
  const missing: string[] = [];
  let at = path.resolve(folder);
  for (; !existsSync(at) && path.dirname(at) !== at; at = path.dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Renames over an existing file; retries while a scanner holds it. @throws the system's last error. */
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

/** Flushes the names in a folder. Windows can't open folders, and flushes names itself. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/**
 * The SHA-256 of a file's content, in hexadecimal digits.
 * @param signal Gives up, with its reason.
 * @throws the system's error
 */
export async function contentDigest(filePath: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(filePath), hash, { ...(signal && { signal }) });
  return hash.digest('hex');
}
