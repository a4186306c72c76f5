/**
 * Starting a worker process under plain Node. (Electron uses a utility process, in main/worker-process.ts; both
 * implement WorkerPort and use the environment made here.)
 */
import { fork } from 'node:child_process';
import { workerScript } from '../../system/paths.ts';
import { environmentWith } from '../../system/programs.ts';
import type { WorkerEnd, WorkerPort } from './protocol.ts';
import { followWorkerPrograms } from './worker-programs.ts';

/** Variables that a worker inherits: what it needs to find programs, folders and names. */
const kept = [
  ...[
    'HOME',
    'LANG',
    'FFMPEG_PATH',
    'FRAMEWRIGHT_OLD_FFMPEG',
    'FRAMEWRIGHT_PLAN',
    'FRAMEWRIGHT_PAINTERS',
  ],
  ...['ComSpec', 'PATHEXT', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
];

/**
 * The environment of every process with the engine in it: only the server's variables that it needs, and three settings
 * for glibc's allocator. Frames are large blocks that come and go with every picture; by default each is mapped and
 * returned to the system, which costs more time than drawing (other systems ignore these settings). Blocks larger than
 * a 4K frame (33.2 MB) are returned at once: odd sizes, photos above all, leave holes that nothing fits, up to twice
 * the memory in use. Keeping photos of 12 megapixels took 160 MB more in a slideshow; a separate arena for each thread
 * took another 50 MB.
 */
export function engineEnvironment(): Record<string, string> {
  return {
    ...environmentWith(...kept),
    MALLOC_MMAP_THRESHOLD_: '33554432',
    MALLOC_TRIM_THRESHOLD_: '268435456',
    MALLOC_ARENA_MAX: '1',
  };
}

/** How V8, C++, Rust and Node say that the system gave no more memory. */
const memoryWords = /out of memory|allocation failed|bad_alloc|memory allocation of|OUT_OF_MEMORY/i;

/** Characters of what it says last: V8's report of a full heap has about three thousand. */
const mostLastWords = 8_000;

/** Milliseconds for which the last words of a process that ended are waited for. */
const lastWordsTime = 500;

/** Windows has no process groups; there the worker's programs are ended one by one, as it has reported them. */
const ownGroup = process.platform !== 'win32';

/**
 * A worker under Node, e.g. `forkWorker()`.
 *
 * @param script Tests name another one that speaks the protocol.
 * @param execArgv Options of Node, none by default; tests use them to break things.
 */
export function forkWorker(
  script: string = workerScript(),
  execArgv: readonly string[] = [],
): WorkerPort {
  const child = fork(script, {
    env: engineEnvironment(),
    // Without this the child would inherit --inspect and open the same port.
    execArgv: [...execArgv],
    // What it says last tells why it ended.
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // Its own process group: Ctrl+C in the terminal then reaches the server alone, and the worker's children can be
    // ended together with it.
    detached: ownGroup,
  });
  const programs = followWorkerPrograms();
  const messageListeners: ((message: unknown) => void)[] = [];
  let isEnded = false;
  /** How it ended, once its last words are read. */
  let told: WorkerEnd | null = null;
  const exitListeners: ((reason: WorkerEnd) => void)[] = [];
  let lastWords = '';
  child.stderr?.on('data', (piece: Buffer) => {
    lastWords = (lastWords + piece.toString('latin1')).slice(-mostLastWords);
    process.stderr.write(piece);
  });
  const killGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      // A group outlives the process that it is named after.
      process.kill(ownGroup ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // All of it ended in this very moment.
    }
    programs.end();
  };
  const end = (code: number | null, signal: string | null): void => {
    if (isEnded) return;
    isEnded = true;
    if (ownGroup) killGroup();
    else programs.end();
    const tell = (): void => {
      if (told) return;
      told = { code, signal, lackedMemory: memoryWords.test(lastWords) };
      for (const listener of exitListeners) listener(told);
    };
    // A program that it left may keep its last words open.
    if (child.pid === undefined) tell();
    child.once('close', tell);
    setTimeout(tell, lastWordsTime).unref();
  };
  child.on('message', (message) => {
    if (programs.take(message)) return;
    for (const listener of messageListeners) listener(message);
  });
  child.on('exit', end);
  // Raised when the process can't be started, killed or written to; only the first means that there is no process.
  child.on('error', () => {
    if (child.pid === undefined) end(null, null);
  });

  return {
    get pid() {
      return isEnded ? undefined : child.pid;
    },
    send(command) {
      // A process that has just died takes no message; its exit event follows.
      if (child.connected) child.send(command, () => undefined);
    },
    onMessage: (listener) => void messageListeners.push(listener),
    onExit(listener) {
      if (told) listener(told);
      else exitListeners.push(listener);
    },
    kill() {
      if (!isEnded) killGroup();
    },
  };
}
