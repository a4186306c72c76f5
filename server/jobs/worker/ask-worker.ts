/**
 * Asks a separate worker process one question; the process ends with the answer. Whatever breaks it breaks nothing
 * else.
 */
import type { Log } from '../../system/log.ts';
import type { InspectEvent } from './inspect-protocol.ts';
import { tookMemory, type ForkWorker, type WorkerCommand, type WorkerEvent } from './protocol.ts';
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

/** How it is asked. */
interface AskOptions {
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Told what the worker says of long work meanwhile. */
  readonly onProgress?: (event: WorkerEvent) => void;
  /** Bytes that it may take; never more than workers may. */
  readonly memory?: number;
}

/**
 * Starts a worker, asks and ends it.
 *
 * @param limit Milliseconds for all of that.
 */
export async function askWorker(
  { fork, log }: { readonly fork: ForkWorker; readonly log: Log },
  question: WorkerCommand,
  limit: number,
  { signal, onProgress, memory = Infinity }: AskOptions = {},
): Promise<WorkerAnswer> {
  if (signal?.aborted) return { kind: 'ended', how: stopped };
  let answer: (answer: WorkerAnswer) => void = () => undefined;
  const answered = new Promise<WorkerAnswer>((resolve) => {
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
        if (event.type !== 'pulse') {
          if (!('id' in event)) answer({ kind: 'answered', event });
          else onProgress?.(event);
        } else if (event.memory > mostMemory) {
          ended(tookMemory);
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
