/**
 * Writes files so that a crash or a power cut leaves the old content or the new one, never a part. Used by the store,
 * and for the few small files beside it.
 */
import { randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { flushFolder, renameOver } from '../system/files.ts';

/** The names of `besideOf`. */
const unfinished = /\.[\da-f]{8}-[\da-f-]{27}\.new$/;

/** Names of files that this process is writing: whatever sweeps a folder leaves them. */
const writing = new Set<string>();

/** Bytes to copy at a time. */
const pieceBytes = 1024 * 1024;

/** A unique name to write a file under before it replaces another. */
export function besideOf(file: string): string {
  return `${file}.${randomUUID()}.new`;
}

/** Appends to a file being written. */
export type AddPart = (part: string | Uint8Array) => Promise<void>;

/** Writes a whole file: beside it, flushed, renamed over it, folder flushed. Readable for this user only. */
export function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  return writeInParts(file, (add) => add(content));
}

/** The same for a file too long for memory: `produce` adds one part after the other. */
export async function writeInParts(
  file: string,
  produce: (add: AddPart) => Promise<void>,
): Promise<void> {
  const beside = besideOf(file);
  writing.add(path.basename(beside));
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      await produce((part) => handle.writeFile(part));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameOver(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  } finally {
    writing.delete(path.basename(beside));
  }
  await flushFolder(path.dirname(file));
}

/** Reads a whole file, piece by piece. @throws what the disk says. */
export async function readWhole(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.allocUnsafeSlow(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await handle.read(bytes, length, Math.min(pieceBytes, size - length));
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** True for bytes that begin and end like a JSON object: they are not cut off. */
export function isEnclosed(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b && bytes.at(-1) === 0x7d;
}

/** Passes on a range of a file, piece by piece. @throws the disk's error, and if the file is too short. */
export async function copyRange(
  file: string,
  start: number,
  length: number,
  add: AddPart,
): Promise<void> {
  const handle = await open(file, 'r');
  try {
    for (let done = 0; done < length;) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, length - done));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, start + done);
      if (bytesRead === 0) throw new Error(`${path.basename(file)} is shorter than it was`);
      await add(buffer.subarray(0, bytesRead));
      done += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** True for the name of a file that is being written, or was when a program ended. */
export function isUnfinished(name: string): boolean {
  return unfinished.test(name);
}

/** True for the name of a file that nobody here will finish: it was being written when a program ended. */
export function isLeftOver(name: string): boolean {
  return unfinished.test(name) && !writing.has(name);
}

/** Removes unfinished files that a crash left. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    if (!isLeftOver(name)) continue;
    await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Flushes what was appended to a file. @returns its length. */
export async function flushFile(file: string): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Truncates a file to a length, and flushes it. A shorter one stays as it is: zeros at its end would be damage. */
export async function cutFile(file: string, length: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    if ((await handle.stat()).size > length) await handle.truncate(length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/* Removes files that no record names any more; while a backup is being made, removals wait for it. */

/**
 * The removals of one data folder. A process that ends before a waiting one leaves a stray, which a later start
 * removes.
 */
export class Removals {
  readonly #waiting = new Set<string>();
  #holds = 0;
  /** The last one of those that waited. */
  #late: Promise<unknown> = Promise.resolve();

  /** Removes a file now, or after the backup; a missing one is fine. @throws what the disk says. */
  async remove(file: string): Promise<void> {
    if (this.#holds > 0) this.#waiting.add(file);
    else await rm(file, { force: true });
  }

  /** Call before a file with a name that may wait here is written again. */
  async keep(file: string): Promise<void> {
    this.#waiting.delete(file);
    await this.#late;
  }

  /** Removes nothing while `work` runs. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      for (const file of this.#waiting) {
        if (this.#holds > 0) break;
        this.#waiting.delete(file);
        // One that stays is a stray.
        this.#late = rm(file, { force: true }).catch(() => undefined);
        await this.#late;
      }
    }
  }
}
