/**
 * Has a separate worker process do one task; the process ends with the answer. Whatever breaks it breaks nothing else.
 */
import type { Log } from '../../system/log.ts';
import type { ForkWorker } from './protocol.ts';
import { stopped, type TaskOutcome } from './task-faults.ts';
import type { TaskInput, TaskName } from './tasks.ts';
import { WorkerProcess, type TaskOptions } from './worker-process.ts';
import { rm } from 'node:fs/promises';

/** How it is asked. */
interface AskOptions<Name extends TaskName> extends Pick<
  TaskOptions<Name>,
  'onProgress' | 'limits'
> {
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** Starts a worker, asks and ends it. */
export async function askWorker<Name extends TaskName>(
  { fork, log }: { readonly fork: ForkWorker; readonly log: Log },
  name: Name,
  input: TaskInput<Name>,
  { signal, ...options }: AskOptions<Name> = {},
): Promise<TaskOutcome<Name>> {
  if (signal?.aborted) return { kind: 'ended', how: stopped };
  let worker: WorkerProcess;
  try {
    worker = new WorkerProcess({ fork, log });
  } catch (error) {
    return { kind: 'ended', how: error instanceof Error ? error.message : String(error) };
  }
  signal?.addEventListener('abort', () => worker.end(), { once: true });
  try {
    return await worker.ask(name, input, options);
  } finally {
    worker.end();
  }
}

/*
 * The temporary folders of tasks. Whoever asks names one that nothing else uses (`workFolder` of the input). The worker
 * makes it (processes/worker-tasks.ts) unless something was put into it before. The server removes it once the task has
 * ended, however: a worker may be killed at any time. What a killed server leaves is removed by the next: all at its
 * start (`Queue.recover`), or where a folder has only one user, before its next work.
 */

/** Runs work that has a folder of its own; nothing is in it before, and nothing stays. */
export async function inWorkFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await rm(folder, { recursive: true, force: true });
  try {
    return await work();
  } finally {
    await removeWorkFolder(folder);
  }
}

/** Never rejects: what can't be removed is harmless. */
export async function removeWorkFolder(folder: string): Promise<void> {
  // Programs of a worker that was killed may end a moment later.
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
