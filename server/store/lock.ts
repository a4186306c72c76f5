/**
 * One program per data folder: two that write the same files overwrite each other's changes. The lock is held by the
 * system on the open file `lock`, never by what the file says or that it is there, so it ends with its owner, however that
 * ended, and is kept by one that is only stopped. What each system gives, also on network drives, is in server/README.md.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { describeError, type Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { errorCode } from '../system/files.ts';

/** Another living program has the folder. */
export class FolderInUseError extends StartError {
  override readonly name = 'FolderInUseError';
}

/** Releases the folder. */
export type Unlock = () => Promise<void>;

/** Lets go of what the system holds for us. */
type Release = () => void;

/**
 * Opening flags that lock a file against everyone else who uses them: `O_EXLOCK` of macOS, and libuv's own for Windows, which
 * then shares the file with nobody. Node passes them on without naming them. Linux has no such flag.
 */
const exclusive: Readonly<Partial<Record<NodeJS.Platform, number>>> = {
  darwin: 0x20 | constants.O_NONBLOCK,
  win32: 0x1000_0000,
};
/** With which opening fails when someone else has the file, and on drives that know no locks. */
const takenCodes = new Set(['EAGAIN', 'EWOULDBLOCK', 'EBUSY']);
const lockless = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOLCK', 'EINVAL']);
/** How often a lock is taken anew whose file was removed in the moment before by the owner that let it go. */
const mostTries = 50;

/**
 * Takes a data folder for this process.
 *
 * @param log Told when this system can't lock files and something less is used.
 * @throws FolderInUseError when another program, or this one, has it; what opening says when that can't be found out.
 */
export async function lockFolder(folder: string, log: Log = () => undefined): Promise<Unlock> {
  const file = path.join(folder, 'lock');
  for (let tries = 0; tries < mostTries; tries++) {
    const { descriptor, release } = await take(file, folder, log);
    // Its last owner may have removed the file between our opening and our turn: then this is nobody's lock.
    if (await isStill(file, descriptor)) {
      return async () => {
        // While it is held, so that nobody can have the new file and this one. Windows removes it only when it is closed.
        if (process.platform === 'win32') release();
        await rm(file, { force: true }).catch(() => undefined);
        if (process.platform !== 'win32') release();
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
      (flag === undefined ? await flock(descriptor) : null) ?? (await listenFor(descriptor, log));
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
 * Locks an open file with flock(2), which Node does not have: a short-lived `flock` is given the open file itself, so
 * that what it locks stays locked for as long as this process has it open.
 *
 * @returns null when this computer has no such program, or the drive no such locks.
 */
async function flock(descriptor: number): Promise<Release | 'taken' | null> {
  const child = spawn('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  });
  let said = '';
  // Asked for as a pipe above.
  (child.stderr as Readable).setEncoding('utf8').on('data', (part: string) => (said += part));
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  if (code === 0) return () => undefined;
  // Without a word: someone else has it. Anything else is said.
  return code === 1 && said === '' ? 'taken' : null;
}

/**
 * What is left where nothing locks files: a name in the system's table of sockets, which also ends with its owner. Programs in
 * another container have another table.
 */
async function listenFor(descriptor: number, log: Log): Promise<Release | 'taken'> {
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
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

/** True while the name still leads to the open file. On Windows it does: nobody can remove what we have open. */
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
