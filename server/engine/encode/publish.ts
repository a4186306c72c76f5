/**
 * Puts a finished file in its final place: written beside it as `.part`, flushed, renamed, so that nobody ever sees
 * half a file. Runs in the worker.
 */
import { open, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RenderError } from '../../../shared/engine/errors.ts';
import { errorCode, flushFolder, renameOver } from '../../system/files.ts';

/** Below this many free bytes a failed write was the disk's fault. */
const diskFullBelow = 4 * 1024 * 1024;

/** What a full disk is called. */
export const diskFull =
  'Render error: The disk is full. Free some space or choose another output folder';

/** Where a file is written until it is complete. */
export function partPath(filePath: string): string {
  return `${filePath}.part`;
}

/**
 * Flushes `<filePath>.part` and gives it its name.
 *
 * @throws RenderError `output_unwritable`.
 */
export async function publish(filePath: string): Promise<void> {
  const part = partPath(filePath);
  try {
    await flush(part);
    await renameOver(part, filePath);
    await flushFolder(path.dirname(filePath));
  } catch (error) {
    throw await outputError(filePath, error);
  }
}

/** Writes a whole file at once; see {@link publish}. */
export async function publishBytes(filePath: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(partPath(filePath), bytes);
  } catch (error) {
    await discard(filePath);
    throw await outputError(filePath, error);
  }
  await publish(filePath);
}

/** Writes a file under its temporary name, and gives it its own. @throws RenderError, and what `write` does. */
export async function written<Result>(
  filePath: string,
  signal: AbortSignal,
  write: (part: string) => Promise<Result>,
): Promise<Result> {
  await discard(filePath);
  try {
    const result = await write(partPath(filePath));
    signal.throwIfAborted();
    await publish(filePath);
    return result;
  } catch (error) {
    await discard(filePath);
    const isEncoder =
      error instanceof RenderError && /^encoder_(?:failed|killed)$/.test(error.code);
    throw (isEncoder && (await placeError(filePath, error))) || error;
  }
}

/** Removes what was written so far. What can't be removed stays: why it was given up matters more. */
export async function discard(filePath: string): Promise<void> {
  await rm(partPath(filePath), { force: true }).catch(() => undefined);
}

/**
 * Why writing to a place failed, if the place is the cause: a full disk or a read-only folder.
 *
 * @returns Null if the place is fine and the cause lies elsewhere.
 */
export async function placeError(filePath: string, cause?: unknown): Promise<RenderError | null> {
  const folder = path.dirname(filePath);
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < diskFullBelow) {
      return new RenderError('output_unwritable', diskFull, { cause });
    }
    // As long as the name of the part.
    const probe = `${filePath}.test`;
    await writeFile(probe, '');
    await rm(probe, { force: true });
    return null;
  } catch (error) {
    const message =
      errorCode(error) === 'ENAMETOOLONG'
        ? 'Render error: The name of the output file is too long'
        : 'Render error: The output folder is missing or cannot be written';
    return new RenderError('output_unwritable', message, { cause });
  }
}

async function outputError(filePath: string, cause: unknown): Promise<unknown> {
  return (await placeError(filePath, cause)) ?? cause;
}

async function flush(filePath: string): Promise<void> {
  await using file = await open(filePath, 'r+');
  await file.sync();
}
