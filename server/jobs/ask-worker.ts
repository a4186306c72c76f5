/** One question to a worker process of its own, which ends with the answer: what may break it breaks nothing else. */
import { inspectEvent, type InspectEvent } from './inspect-protocol.ts';
import { workerEvent, type ForkWorker, type WorkerCommand, type WorkerPort } from './protocol.ts';
import { memoryLimit } from './vitals.ts';

/** What became of a question; never a rejection. */
export type WorkerAnswer =
  | { readonly kind: 'answered'; readonly event: InspectEvent }
  /** No answer in time. */
  | { readonly kind: 'late' }
  /** The process ended before it answered; `how` is its signal or code. */
  | { readonly kind: 'ended'; readonly how: string };

/** How a process ended that its asker stopped. */
export const stopped = 'stopped by who asked';

/**
 * Starts a worker, asks and ends it.
 *
 * @param limit Milliseconds for all of that.
 * @param signal Ends it before.
 */
export async function askWorker(
  fork: ForkWorker,
  question: WorkerCommand,
  limit: number,
  signal?: AbortSignal,
): Promise<WorkerAnswer> {
  if (signal?.aborted) return { kind: 'ended', how: stopped };
  let worker: WorkerPort;
  try {
    worker = fork();
  } catch (error) {
    return { kind: 'ended', how: error instanceof Error ? error.message : String(error) };
  }
  const mostMemory = memoryLimit();
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<WorkerAnswer>((resolve) => {
      late = setTimeout(() => resolve({ kind: 'late' }), limit);
      signal?.addEventListener('abort', () => resolve({ kind: 'ended', how: stopped }));
      worker.onMessage((received) => {
        const answer = inspectEvent.safeParse(received);
        if (answer.success) {
          resolve({ kind: 'answered', event: answer.data });
          return;
        }
        const { data: event } = workerEvent.safeParse(received);
        if (event?.type === 'ready') worker.send(question);
        if (event?.type === 'pulse' && event.memory > mostMemory) {
          resolve({ kind: 'ended', how: 'it took too much memory' });
        }
      });
      worker.onExit(({ code, signal }) =>
        resolve({ kind: 'ended', how: signal ?? `code ${code ?? 'unknown'}` }),
      );
    });
  } finally {
    clearTimeout(late);
    worker.kill();
  }
}
