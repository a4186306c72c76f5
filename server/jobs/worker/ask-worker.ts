/**
 * Has a separate worker process do one task; the process ends with the answer. Whatever breaks it breaks nothing else.
 */
import type { Log } from '../../system/log.ts';
import type { ForkWorker } from './protocol.ts';
import { stopped, type TaskOutcome } from './task-faults.ts';
import type { TaskInput, TaskName } from './tasks.ts';
import { WorkerProcess, type TaskOptions } from './worker-process.ts';

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
