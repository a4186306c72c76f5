/**
 * The worker as Electron's utility process, fitted to the server's WorkerPort. Main process.
 * A utility process instead of child_process.fork: the packed program can't be run as plain Node (electron-builder.yml), and
 * a utility process ends with the program.
 */
import { utilityProcess } from 'electron';
import { z } from 'zod';
import { engineEnvironment } from '../server/jobs/worker/fork-worker.ts';
import type { WorkerPort } from '../server/jobs/worker/protocol.ts';
import { followWorkerPrograms } from '../server/jobs/worker/worker-programs.ts';
import type { Log } from '../server/log.ts';
import { workerScript } from '../server/paths.ts';

type End = Parameters<Parameters<WorkerPort['onExit']>[0]>[0];

/** What a worker measured (server/read-back.ts). */
const readBackEvent = z.object({
  type: z.literal('read-back'),
  milliseconds: z.number(),
  pages: z.number(),
});

/** What systems and Electron's events call it. */
export const workerName = 'Framewright renderer';

/** More new pages than this for one frame: its memory was given back to the system and fetched anew. Measured: 110 and 510. */
const manyPages = 300;

/** The measured cost for the log, with what a person can do where it is high. Other systems than Linux have no such setting. */
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

/** Starts one worker. @param log is told, once, what reading a frame back costs under Electron's allocator */
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
  let ended: End | null = null;
  const exitListeners: ((reason: End) => void)[] = [];
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
    // Electron tells the code only; a signal shows as the code that the system gives such an end.
    ended = { code, signal: null };
    // They were in no group with it.
    programs.end();
    for (const listener of exitListeners) listener(ended);
  });
  // Out of memory, e.g.: its end follows as `exit`. Unheard, it would count as an error of the program itself.
  child.on('error', () => undefined);
  const killHard = (): void => {
    if (ended || child.pid === undefined) return;
    try {
      // `kill()` of a utility process asks politely, which a worker deep inside the drawing library doesn't hear.
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
      // One that is only being started has no number yet, and would go on for ever.
      if (child.pid === undefined) child.once('spawn', killHard);
      else killHard();
    },
  };
}
