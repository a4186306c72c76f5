/**
 * Has a separate worker process do one task; the process ends with the answer. Whatever breaks it breaks nothing else.
 */
import type { Log } from '../../system/log.ts';
import { tookMemory, type ForkWorker } from './protocol.ts';
import { tasks, type TaskInput, type TaskName, type TaskOutput } from './tasks.ts';
import { memoryLimit } from './vitals.ts';
import { WorkerProcess } from './worker-process.ts';

/** Why there is no output. */
export type TaskFault =
  /** The worker says so. `known`: it says itself what to do; else something is wrong with the program. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly known: boolean;
      /** For the log. */
      readonly stack?: string | undefined;
    }
  /** No answer in time. */
  | { readonly kind: 'late' }
  /** The process ended before answering; `how` is its signal or code. */
  | { readonly kind: 'ended'; readonly how: string };

/** The outcome of a task; never a rejection. */
export type TaskOutcome<Name extends TaskName> =
  { readonly kind: 'done'; readonly output: TaskOutput<Name> } | TaskFault;

/** How a process ended that its caller stopped. */
export const stopped = 'stopped by the caller';

/** How it is asked. */
interface AskOptions {
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Told the share of long work that is done, 0–1. */
  readonly onProgress?: (share: number) => void;
  /** Bytes that it may take; never more than workers may. */
  readonly memory?: number;
}

/**
 * Starts a worker, asks and ends it.
 *
 * @param limit Milliseconds for all of that.
 */
export async function askWorker<Name extends TaskName>(
  { fork, log }: { readonly fork: ForkWorker; readonly log: Log },
  name: Name,
  input: TaskInput<Name>,
  limit: number,
  { signal, onProgress, memory = Infinity }: AskOptions = {},
): Promise<TaskOutcome<Name>> {
  if (signal?.aborted) return { kind: 'ended', how: stopped };
  let answer: (outcome: TaskOutcome<Name>) => void = () => undefined;
  const answered = new Promise<TaskOutcome<Name>>((resolve) => {
    answer = resolve;
  });
  const ended = (how: string): void => answer({ kind: 'ended', how });
  const done = (sent: unknown): void => {
    const read = tasks[name].output.safeParse(sent);
    // The row's own schema, which the types can't follow through the table.
    if (read.success) answer({ kind: 'done', output: read.data as TaskOutput<Name> });
    else ended(`its answer was not understood: ${read.error.message}`);
  };
  const mostMemory = Math.min(memory, memoryLimit());
  let worker: WorkerProcess;
  try {
    worker = new WorkerProcess({
      fork,
      log,
      onDeath: ended,
      onEvent(event) {
        if (event.type === 'pulse' && event.memory > mostMemory) ended(tookMemory);
        else if (event.type === 'task-progress') onProgress?.(event.share);
        else if (event.type === 'task-done') done(event.output);
        else if (event.type === 'task-failed') {
          const { message, known, stack } = event;
          answer({ kind: 'failed', message, known, stack });
        }
      },
    });
  } catch (error) {
    return { kind: 'ended', how: error instanceof Error ? error.message : String(error) };
  }
  const late = setTimeout(() => answer({ kind: 'late' }), limit);
  signal?.addEventListener('abort', () => ended(stopped), { once: true });
  worker.ready.then(
    () => worker.send({ type: 'task', name, input }),
    (error: unknown) => ended(error instanceof Error ? error.message : String(error)),
  );
  try {
    return await answered;
  } finally {
    clearTimeout(late);
    worker.end();
  }
}
