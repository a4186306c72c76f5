/**
 * Asks a separate worker process one question; the process ends with the answer. Whatever breaks it breaks nothing else.
 */
import type { Log } from '../../log.ts';
import type { InspectEvent } from './inspect-protocol.ts';
import type { ForkWorker, WorkerCommand, WorkerEvent } from './protocol.ts';
import { memoryLimit } from './vitals.ts';
import { WorkerProcess } from './worker-process.ts';

/** The outcome of a question; never a rejection. */
export type WorkerAnswer =
  | { readonly kind: 'answered'; readonly event: InspectEvent }
  /** No answer in time. */
  | { readonly kind: 'late' }
  /** The process ended before answering; `how` is its signal or code. */
  | { readonly kind: 'ended'; readonly how: string };

/** How a process ended that its caller stopped. */
export const stopped = 'stopped by the caller';

/**
 * Starts a worker, asks and ends it.
 *
 * @param limit Milliseconds for all of that.
 * @param signal Ends it early.
 * @param onProgress Told what the worker says of long work meanwhile.
 */
export async function askWorker(
  { fork, log }: { readonly fork: ForkWorker; readonly log: Log },
  question: WorkerCommand,
  limit: number,
  signal?: AbortSignal,
  onProgress?: (event: WorkerEvent) => void,
): Promise<WorkerAnswer> {
  if (signal?.aborted) return { kind: 'ended', how: stopped };
  let answer: (answer: WorkerAnswer) => void = () => undefined;
  const answered = new Promise<WorkerAnswer>((resolve) => {
    answer = resolve;
  });
  const ended = (how: string): void => answer({ kind: 'ended', how });
  const mostMemory = memoryLimit();
  let worker: WorkerProcess;
  try {
    worker = new WorkerProcess({
      fork,
      log,
      onDeath: ended,
      onEvent(event) {
        if (event.type !== 'pulse') {
          if (!('id' in event)) answer({ kind: 'answered', event });
          else onProgress?.(event);
        } else if (event.memory > mostMemory) {
          ended('it took too much memory');
        }
      },
    });
  } catch (error) {
    return { kind: 'ended', how: error instanceof Error ? error.message : String(error) };
  }
  const late = setTimeout(() => answer({ kind: 'late' }), limit);
  signal?.addEventListener('abort', () => ended(stopped), { once: true });
  worker.ready.then(
    () => worker.send(question),
    (error: unknown) => ended(error instanceof Error ? error.message : String(error)),
  );
  try {
    return await answered;
  } finally {
    clearTimeout(late);
    worker.end();
  }
}
