/** One question to a worker process of its own, which ends with the answer: what may break it breaks nothing else. */
import { inspectEvent, type InspectEvent } from './inspect-protocol.ts';
import type { ForkWorker, WorkerCommand } from './protocol.ts';

/** What became of a question; never a rejection. */
export type WorkerAnswer =
  | { readonly kind: 'answered'; readonly event: InspectEvent }
  /** No answer in time. */
  | { readonly kind: 'late' }
  /** The process ended before it answered; `how` is its signal or code. */
  | { readonly kind: 'ended'; readonly how: string };

/** Starts a worker, asks and ends it. @param limit Milliseconds for all of that. */
export async function askWorker(
  fork: ForkWorker,
  question: WorkerCommand,
  limit: number,
): Promise<WorkerAnswer> {
  const worker = fork();
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<WorkerAnswer>((resolve) => {
      late = setTimeout(() => resolve({ kind: 'late' }), limit);
      worker.onMessage((received) => {
        const event = inspectEvent.safeParse(received);
        if (event.success) resolve({ kind: 'answered', event: event.data });
        else if (isReady(received)) worker.send(question);
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

function isReady(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready'
  );
}
