/**
 * One program per data folder: two that write the same files overwrite each other's changes. The system holds the lock
 * on the open file `lock` and, because a person may remove that, on the open folder; neither its content nor its
 * existence matters. So the lock ends with its owner, however that ends, and a stopped owner keeps it. server/README.md
 * says what each system offers, including network drives.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { describeError, type Log } from '../system/log.ts';
import { StartError } from '../system/start-error.ts';
import { errorCode } from '../system/files.ts';

/** Another running program has the folder. */
export class FolderInUseError extends StartError {
  override readonly name = 'FolderInUseError';
}

/** Releases the folder. */
export type Unlock = () => Promise<void>;

/** Releases the system's lock. */
type Release = () => void;

/**
 * Flags that lock a file when opening it: `O_EXLOCK` on macOS, and libuv's own on Windows, which then shares the file
 * with nobody. Node passes them on but has no names for them. Linux has no such flag.
 */
const exclusive: Readonly<Partial<Record<NodeJS.Platform, number>>> = {
  darwin: 0x20 | constants.O_NONBLOCK,
  win32: 0x1000_0000,
};
/** Error codes if someone else has the file, and on drives without locks. */
const takenCodes = new Set(['EAGAIN', 'EWOULDBLOCK', 'EBUSY']);
const lockless = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOLCK', 'EINVAL']);
/** How often to retry when the last owner removed the file just before we locked it. */
const mostTries = 50;

/**
 * Takes a data folder for this process.
 *
 * @param log Used when this system can't lock files and a weaker lock is used.
 * @throws FolderInUseError if another program, or this one, has it; the system's error if that can't be determined.
 */
export async function lockFolder(folder: string, log: Log = () => undefined): Promise<Unlock> {
  const file = path.join(folder, 'lock');
  for (let tries = 0; tries < mostTries; tries++) {
    const { descriptor, release: releaseFile } = await take(file, folder, log);
    const releaseFolder = await holdFolder(folder);
    const release = (): void => {
      // First, so that the owner of the file also gets the folder.
      if (releaseFolder !== 'taken') releaseFolder();
      releaseFile();
    };
    if (releaseFolder === 'taken') {
      release();
      throw inUse(folder);
    }
    // The last owner may have removed the file between our opening and our lock: then this locks nothing.
    if (await isStill(file, descriptor)) {
      return async () => {
        releaseFolder();
        // While we hold it, so that nobody can lock a new file beside this one. Windows removes it only once it is
        // closed.
        if (process.platform === 'win32') releaseFile();
        await rm(file, { force: true }).catch(() => undefined);
        if (process.platform !== 'win32') releaseFile();
      };
    }
    release();
  }
  throw inUse(folder);
}

/** Opens the file and locks it. */
async function take(
  file: string,
  folder: string,
  log: Log,
): Promise<{ descriptor: number; release: Release }> {
  const open = (flag = 0): number =>
    openSync(file, constants.O_RDWR | constants.O_CREAT | flag, 0o600);
  const flag = exclusive[process.platform];
  if (flag !== undefined) {
    try {
      const descriptor = open(flag);
      return { descriptor, release: () => closeSync(descriptor) };
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (takenCodes.has(code)) throw inUse(folder, error);
      if (!lockless.has(code)) throw error;
    }
  }
  const descriptor = open();
  const close = (): void => closeSync(descriptor);
  try {
    const release =
      (flag === undefined ? await flock(descriptor) : null) ?? (await listenFor(folder, log));
    if (release === 'taken') throw inUse(folder);
    return {
      descriptor,
      release: () => {
        release();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Locks an open file with flock(2), which Node lacks: a short-lived `flock` process inherits the open file, so that the
 * lock lasts as long as this process has it open.
 *
 * @returns null if this computer lacks the program, or the drive such locks.
 */
async function flock(descriptor: number): Promise<Release | 'taken' | null> {
  const child = spawn('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  });
  let said = '';
  // Set to a pipe above.
  (child.stderr as Readable).setEncoding('utf8').on('data', (part: string) => (said += part));
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  if (code === 0) return () => undefined;
  // No message: someone else has it. All other errors print one.
  return code === 1 && said === '' ? 'taken' : null;
}

/**
 * Locks the open folder. Windows lets nobody remove a file that is open; where folders can't be locked, as on network
 * drives, the lock of the file is all there is.
 */
async function holdFolder(folder: string): Promise<Release | 'taken'> {
  if (process.platform === 'win32') return () => undefined;
  const flag = exclusive[process.platform];
  try {
    const descriptor = openSync(folder, constants.O_RDONLY | (flag ?? 0));
    const release = (): void => closeSync(descriptor);
    if (flag !== undefined || (await flock(descriptor)) !== 'taken') return release;
    release();
    return 'taken';
  } catch (error) {
    return takenCodes.has(errorCode(error) ?? '') ? 'taken' : () => undefined;
  }
}

/**
 * The fallback where files can't be locked: a name in the system's table of sockets, which also ends with its owner.
 * Other containers have their own table.
 */
async function listenFor(folder: string, log: Log): Promise<Release | 'taken'> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = createHash('sha256').update(`framewright ${dev} ${ino}`).digest('hex').slice(0, 40);
  const server: Server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(`\0framewright-${name}`, resolve);
    });
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return 'taken';
    log('warning', 'store', `The data folder could not be locked: ${describeError(error)}`);
    return () => undefined;
  }
  const text =
    "Files can't be locked here (no `flock`, or a drive without locks): a program in another container or on another computer would not be noticed.";
  log('warning', 'store', text);
  server.unref();
  return () => void server.close();
}

/**
 * True while the name still leads to the open file. Always true on Windows: nobody can remove a file that we have open.
 */
async function isStill(file: string, descriptor: number): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const named = await stat(file, { bigint: true }).catch(() => null);
  const open = fstatSync(descriptor, { bigint: true });
  return named !== null && named.ino === open.ino && named.dev === open.dev;
}

function inUse(folder: string, cause?: unknown): FolderInUseError {
  const text = `The data folder ${folder} is in use by another copy of the app.`;
  return new FolderInUseError(text, { cause });
}
