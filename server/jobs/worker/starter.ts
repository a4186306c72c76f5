/**
 * Starts worker processes under Node from a separate thread: a start blocks its thread until the new process has loaded
 * its program, half a second on a busy computer. The other side is server/processes/starter-thread.ts; Electron's
 * starts don't block.
 */
import { Worker } from 'node:worker_threads';
import { starterScript } from '../../system/paths.ts';
import type { ForkWorker, WorkerCommand, WorkerEnd } from './protocol.ts';

/** Orders to the thread; workers have numbers. */
export type StarterOrder =
  | { readonly kind: 'start' | 'kill'; readonly worker: number }
  | { readonly kind: 'send'; readonly worker: number; readonly command: WorkerCommand };

/** Its reports. */
export type StarterReport =
  | { readonly kind: 'started'; readonly worker: number; readonly pid: number | undefined }
  | { readonly kind: 'message'; readonly worker: number; readonly message: unknown }
  | { readonly kind: 'ended'; readonly worker: number; readonly reason: WorkerEnd };

/** Starts workers from a thread, which itself starts with the first of them. */
export function workerStarter(): ForkWorker {
  /** The listener of each worker that has not ended. */
  const workers = new Map<number, (report: StarterReport) => void>();
  let thread: Worker | null = null;
  let last = 0;

  const begin = (): Worker => {
    const begun = new Worker(starterScript(), { execArgv: [] });
    begun.on('message', (report: StarterReport) => workers.get(report.worker)?.(report));
    // If the thread breaks, its workers lose the server and end.
    const over = (): void => {
      if (thread === begun) thread = null;
      const reason = { code: null, signal: null };
      for (const [worker, hear] of workers) hear({ kind: 'ended', worker, reason });
    };
    return begun.on('error', over).on('exit', over);
  };

  return () => {
    const starter = (thread ??= begin());
    const worker = ++last;
    const messageListeners: ((message: unknown) => void)[] = [];
    const exitListeners: ((reason: WorkerEnd) => void)[] = [];
    let pid: number | undefined;
    let ended: WorkerEnd | null = null;
    workers.set(worker, (report) => {
      if (report.kind === 'started') pid = report.pid;
      if (report.kind === 'message')
        for (const listener of messageListeners) listener(report.message);
      if (report.kind !== 'ended') return;
      pid = undefined;
      ended = report.reason;
      workers.delete(worker);
      // The thread must not keep a closed server alive.
      if (workers.size === 0) starter.unref();
      for (const listener of exitListeners) listener(report.reason);
    });
    starter.ref();
    const order = (what: StarterOrder): void => starter.postMessage(what);
    order({ kind: 'start', worker });
    return {
      get pid() {
        return pid;
      },
      send: (command) => order({ kind: 'send', worker, command }),
      onMessage: (listener) => void messageListeners.push(listener),
      onExit(listener) {
        if (ended) listener(ended);
        else exitListeners.push(listener);
      },
      kill: () => order({ kind: 'kill', worker }),
    };
  };
}
