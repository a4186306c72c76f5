/**
 * Starting a worker process under plain Node. (Electron's way, over a utility process, is main/worker-process.ts; both
 * are fitted to WorkerPort and use the environment that is made here.)
 */
import { fork } from 'node:child_process';
import { workerScript } from '../../paths.ts';
import { environmentWith } from '../../system/environment.ts';
import type { WorkerPort } from './protocol.ts';
import { followWorkerPrograms } from './worker-programs.ts';

/** Variables that a worker keeps beside the usual ones: what finding programs, folders and names needs. */
const kept = [
  ...['HOME', 'LANG', 'FFMPEG_PATH', 'FRAMEWRIGHT_OLD_FFMPEG', 'FRAMEWRIGHT_PLAN'],
  ...['ComSpec', 'PATHEXT', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
];

/**
 * The environment of every process with the engine in it: nothing of the server's own but what it needs, and three
 * settings for glibc's allocator. Frames are large blocks that come and go with every picture; by default each of them is
 * mapped and given back to the system, which costs more time than drawing (other systems ignore the two). Blocks beyond
 * the frames of 4K (33.2 MB) are given back at once: those of odd sizes, and photos above all, leave holes that nothing fits
 * into, twice what is in use. Photos of 12 megapixels kept so took 160 MB more in a slideshow; memory of its own for each thread
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

/** Windows has no process groups; there the worker's programs are ended one by one, as it told them. */
const ownGroup = process.platform !== 'win32';

/**
 * A worker under Node, e.g. `forkWorker()`.
 *
 * @param script Tests name another one that speaks the protocol.
 * @param execArgv Options of Node, none by default; tests load what breaks things.
 */
export function forkWorker(
  script: string = workerScript(),
  execArgv: readonly string[] = [],
): WorkerPort {
  const child = fork(script, {
    env: engineEnvironment(),
    // Without this the child would inherit --inspect and open the same port.
    execArgv: [...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A process group of its own: Ctrl+C in the terminal is for the server to answer, and the worker's children can be
    // ended together with it.
    detached: ownGroup,
  });
  const programs = followWorkerPrograms();
  const messageListeners: ((message: unknown) => void)[] = [];
  let ended: { code: number | null; signal: string | null } | null = null;
  const exitListeners: ((reason: { code: number | null; signal: string | null }) => void)[] = [];
  const killGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      // A group goes on without the process that it is named after.
      process.kill(ownGroup ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // All of it ended in this very moment.
    }
    programs.end();
  };
  const end = (code: number | null, signal: string | null): void => {
    if (ended) return;
    ended = { code, signal };
    if (ownGroup) killGroup();
    else programs.end();
    for (const listener of exitListeners) listener(ended);
  };
  child.on('message', (message) => {
    if (programs.take(message)) return;
    for (const listener of messageListeners) listener(message);
  });
  child.on('exit', end);
  // Raised when the process can't be started, killed or written to; only the first of them means that there is none.
  child.on('error', () => {
    if (child.pid === undefined) end(null, null);
  });

  return {
    get pid() {
      return ended ? undefined : child.pid;
    },
    send(command) {
      // A process that has just died takes no message; its exit tells the rest.
      if (child.connected) child.send(command, () => undefined);
    },
    onMessage: (listener) => void messageListeners.push(listener),
    onExit(listener) {
      if (ended) listener(ended);
      else exitListeners.push(listener);
    },
    kill() {
      if (!ended) killGroup();
    },
  };
}
