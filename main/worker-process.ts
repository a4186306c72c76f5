/**
 * The worker as Electron's utility process, implementing the server's WorkerPort. Main process. A utility process
 * instead of child_process.fork: the packed program can't be run as plain Node (electron-builder.yml), and a utility
 * process ends with the program.
 */
import { utilityProcess } from 'electron';
import { z } from 'zod';
import { engineEnvironment } from '../server/jobs/worker/fork-worker.ts';
import type { WorkerEnd, WorkerPort } from '../server/jobs/worker/protocol.ts';
import { followWorkerPrograms } from '../server/jobs/worker/worker-programs.ts';
import type { Log } from '../server/system/log.ts';
import { workerScript } from '../server/system/paths.ts';

/** What a worker measured (server/drawing.ts). */
const readBackEvent = z.object({
  type: z.literal('read-back'),
  milliseconds: z.number(),
  pages: z.number(),
});

/** Its name for the system and in Electron's events. */
export const workerName = 'Framewright renderer';

/**
 * More new pages than this for one frame mean that its memory was returned to the system and allocated again. Measured:
 * 110 and 510.
 */
const manyPages = 300;

/** The measured cost for the log, with advice if it is high. Only Linux has such a setting. */
export function readBackWords(
  { milliseconds, pages }: Omit<z.infer<typeof readBackEvent>, 'type'>,
  platform: string = process.platform,
): string {
  const cost = `A frame is read back in ${milliseconds.toFixed(1)} ms, with ${Math.round(pages)} new pages`;
  if (platform !== 'linux' || pages <= manyPages) return cost;
  return `${cost}: memory is not kept between frames here; for long queues, framewright serve may be faster`;
}

/** One worker of a run measures. */
let isMeasured = false;

/** Starts one worker. @param log Gets, once, the cost of reading a frame back under Electron's allocator. */
export function forkWorkerProcess(log?: Log): WorkerPort {
  const measures = log !== undefined && !isMeasured;
  isMeasured ||= measures;
  const child = utilityProcess.fork(workerScript(), [], {
    env: { ...engineEnvironment(), ...(measures && { FRAMEWRIGHT_MEASURE: 'read-back' }) },
    stdio: 'inherit',
    serviceName: workerName,
  });
  const programs = followWorkerPrograms();
  const messageListeners: ((message: unknown) => void)[] = [];
  let ended: WorkerEnd | null = null;
  const exitListeners: ((reason: WorkerEnd) => void)[] = [];
  child.on('message', (message: unknown) => {
    if (programs.take(message)) return;
    const { data: cost } = readBackEvent.safeParse(message);
    if (cost) {
      log?.('info', 'worker', readBackWords(cost));
      return;
    }
    for (const listener of messageListeners) listener(message);
  });
  child.once('exit', (code) => {
    // Electron only reports the code; a signal appears as the system's code for it.
    ended = { code, signal: null };
    // They are not in a process group with it.
    programs.end();
    for (const listener of exitListeners) listener(ended);
  });
  // For example out of memory; `exit` follows. Without a listener it would be an uncaught error.
  child.on('error', () => undefined);
  const killHard = (): void => {
    if (ended || child.pid === undefined) return;
    try {
      // `kill()` of a utility process asks politely, which a worker busy in the drawing library doesn't notice.
      process.kill(child.pid, 'SIGKILL');
    } catch {
      // It ended in this very moment.
    }
    programs.end();
  };
  return {
    get pid() {
      return ended ? undefined : child.pid;
    },
    send(command) {
      if (!ended) child.postMessage(command);
    },
    onMessage: (listener) => void messageListeners.push(listener),
    onExit(listener) {
      if (ended) listener(ended);
      else exitListeners.push(listener);
    },
    kill() {
      // One that is still starting has no id yet, and would run for ever.
      if (child.pid === undefined) child.once('spawn', killHard);
      else killHard();
    },
  };
}
