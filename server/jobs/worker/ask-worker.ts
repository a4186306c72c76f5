/**
 * Has a separate worker process do one task; the process ends with the answer. Whatever breaks it breaks nothing else.
 */
import type { Log } from '../../system/log.ts';
import { tookMemory, type ForkWorker } from './protocol.ts';
import { stopped, type TaskOutcome } from './task-faults.ts';
import { tasks, type TaskInput, type TaskName } from './tasks.ts';
import { memoryLimit } from './vitals.ts';
import { WorkerProcess } from './worker-process.ts';

/** How it is asked. */
interface AskOptions {
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Told the share of long work that is done, 0–1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Bytes that it may take; never more than workers may. */
  readonly memory?: number;
  /** Milliseconds for all of that. Default: as the row says. */
  readonly time?: number | null | undefined;
}

/** Starts a worker, asks and ends it. */
export async function askWorker<Name extends TaskName>(
  { fork, log }: { readonly fork: ForkWorker; readonly log: Log },
  name: Name,
  input: TaskInput<Name>,
  { signal, onProgress, memory = Infinity, time = tasks[name].time }: AskOptions = {},
): Promise<TaskOutcome<Name>> {
  if (signal?.aborted) return { kind: 'ended', how: stopped };
  let answer: (outcome: TaskOutcome<Name>) => void = () => undefined;
  const answered = new Promise<TaskOutcome<Name>>((resolve) => {
    answer = resolve;
  });
  const ended = (how: string): void => answer({ kind: 'ended', how });
  const mostMemory = Math.min(memory, memoryLimit());
  let worker: WorkerProcess;
  try {
    worker = new WorkerProcess({
      fork,
      log,
      onDeath: ended,
      onEvent(event) {
        if (event.type === 'pulse' && event.memory > mostMemory) ended(tookMemory);
      },
    });
  } catch (error) {
    return { kind: 'ended', how: error instanceof Error ? error.message : String(error) };
  }
  const late = time === null ? undefined : setTimeout(() => answer({ kind: 'late' }), time);
  signal?.addEventListener('abort', () => ended(stopped), { once: true });
  worker.ready.then(
    () => void worker.ask(name, input, { onProgress, time: null }).then(answer),
    (error: unknown) => ended(error instanceof Error ? error.message : String(error)),
  );
  try {
    return await answered;
  } finally {
    clearTimeout(late);
    worker.end();
  }
}
