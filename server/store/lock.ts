/**
 * One program per data folder. The database has no lock of its own, and two programs with the same file overwrite each
 * other's changes; so a file `lock` names the owner: process, its start time, a random value.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { errorCode } from './files.ts';

const owner = z.object({
  pid: z.number().int(),
  /** When the process started, in the system's own words; null where the system doesn't tell. */
  processStart: z.string().nullable(),
  token: z.string(),
});

/** Between tries to write an owner that did not fit on the disk, ms. */
const claimPause = 2000;

/** Another living program has the folder. */
export class FolderInUseError extends StartError {
  override readonly name = 'FolderInUseError';
}

/** Tokens of the locks that this process holds: tells its own lock from one of an earlier process with its number. */
const held = new Set<string>();

/** Releases the folder. */
export type Unlock = () => Promise<void>;

/**
 * Takes a data folder for this process. A lock whose owner is gone is taken over silently.
 *
 * @throws FolderInUseError when its owner is alive.
 */
export async function lockFolder(folder: string): Promise<Unlock> {
  const file = path.join(folder, 'lock');
  const token = randomUUID();
  const text = JSON.stringify({
    pid: process.pid,
    processStart: processStart(process.pid),
    token,
  });
  // Twice: the first try may meet a stale lock, the second only someone who was faster.
  for (const lastTry of [false, true]) {
    try {
      const handle = await open(file, 'wx', 0o600);
      const release = await claim(handle, text);
      held.add(token);
      return async () => {
        held.delete(token);
        await release();
        await rm(file, { force: true });
      };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      if (lastTry || (await ownerLives(file))) {
        throw new FolderInUseError(
          `The data folder ${folder} is in use by another copy of the app.`,
          { cause: error },
        );
      }
      await rm(file, { force: true });
    }
  }
  throw new Error('unreachable: the second try returns or throws');
}

/**
 * Writes the owner into a new lock. On a full disk the folder is still opened for reading: the owner is written as soon
 * as there is room, which is before anything else can be saved for long.
 *
 * @returns what closes the file.
 */
async function claim(handle: FileHandle, text: string): Promise<() => Promise<void>> {
  try {
    await handle.write(text, 0);
    await handle.close();
    return () => Promise.resolve();
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) {
      await handle.close();
      throw error;
    }
  }
  const timer = setInterval(() => {
    // From the start again: what fitted the last time may be half of it. When it fails, the next turn tries it.
    handle.write(text, 0).then(
      () => clearInterval(timer),
      () => undefined,
    );
  }, claimPause);
  timer.unref();
  return () => {
    clearInterval(timer);
    return handle.close();
  };
}

/** False for unreadable locks too: they are written in one go, so half of one is a leftover of a crash. */
async function ownerLives(file: string): Promise<boolean> {
  let lock: z.infer<typeof owner>;
  try {
    lock = owner.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return false;
  }
  if (lock.pid === process.pid) return held.has(lock.token);
  try {
    process.kill(lock.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  // The number may have been given to another program since.
  const start = processStart(lock.pid);
  return start === null || lock.processStart === null || start === lock.processStart;
}

/**
 * When a process started: boot and ticks since then, from /proc (field 22 of `stat`; the name in field 2 may hold spaces
 * and brackets, so fields are counted after its end). Null on systems without /proc.
 */
function processStart(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields[19];
    return ticks === undefined ? null : `${boot} ${ticks}`;
  } catch {
    return null;
  }
}
