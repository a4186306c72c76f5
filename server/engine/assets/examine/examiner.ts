/**
 * Phase 1: examines files in a thread that can be ended. A few damaged bytes can make reading a file endless or
 * enormous; here it has a deadline and a memory limit, so that such a file fails only its own render, at once and with
 * a clear message. Runs in the worker process; the thread is examine-thread.ts.
 */
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { examineLimits } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { FileFacts } from './examine.ts';
import { endsIdleThreads } from '../../../system/programs.ts';
import { threadFile } from '../../thread-file.ts';

/** A question to the thread. */
export interface Question {
  readonly id: number;
  readonly filePath: string;
}

/** The thread's answers: that it starts a file, then the result. */
export type Answer = { readonly id: number } & (
  | { readonly kind: 'begun' }
  | { readonly kind: 'examined'; readonly facts: FileFacts }
  /** It threw, which is a bug or a disk error. */
  | { readonly kind: 'failed'; readonly reason: string }
);

/** Milliseconds between two checks of clock and memory. */
const lookEvery = 40;

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;
/** One file at a time, so that time and memory are that file's. */
let last: Promise<unknown> = Promise.resolve();

/** Starts the thread before the first question, while something else is under way. */
export function warmExaminer(): void {
  openThread();
}

/**
 * Finds out what a file contains.
 *
 * @throws RenderError `media_unreadable` or `limit_exceeded` if it takes too long or too much memory; `cancelled`.
 */
export function examine(filePath: string, signal?: AbortSignal): Promise<FileFacts> {
  const result = last.then(() => ask(filePath, signal));
  last = result.catch(() => undefined);
  return result;
}

async function ask(filePath: string, signal: AbortSignal | undefined): Promise<FileFacts> {
  if (signal?.aborted) throw cancelled();
  const { size } = await stat(filePath);
  const allowed = examineLimits.time + (size / examineLimits.bytesPerSecond) * 1_000;
  const worker = openThread();
  const id = ++lastId;
  let look: NodeJS.Timeout | undefined;
  const listening = new AbortController();
  try {
    return await new Promise<FileFacts>((resolve, reject) => {
      const { signal: over } = listening;
      signal?.addEventListener('abort', () => reject(cancelled()), { signal: over });
      const onError = (error: Error & { code?: string }): void =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : error);
      const onExit = (): void => reject(new Error('the examining thread ended by itself'));
      const onMessage = (answer: Answer): void => {
        if (answer.id !== id) return;
        if (answer.kind === 'begun') look = watch(allowed, reject);
        else if (answer.kind === 'examined') resolve(answer.facts);
        else reject(new Error(answer.reason));
      };
      worker.on('error', onError).on('exit', onExit).on('message', onMessage);
      over.addEventListener('abort', () => {
        worker.off('error', onError).off('exit', onExit).off('message', onMessage);
      });
      worker.postMessage({ id, filePath } satisfies Question);
    });
  } catch (error) {
    // Nobody waits for its current work any longer.
    await endThread(worker);
    throw error;
  } finally {
    clearInterval(look);
    listening.abort();
    rest(worker);
  }
}

/** Checks clock and process memory while a file is examined. */
function watch(allowed: number, reject: (error: RenderError) => void): NodeJS.Timeout {
  const memory = process.memoryUsage.rss();
  let spent = 0;
  let before = performance.now();
  return setInterval(() => {
    const now = performance.now();
    // Not the file's fault if the computer slept or our thread was busy.
    spent += Math.min(now - before, 5 * lookEvery);
    before = now;
    // The thread's own limit does not count buffers, and one large array can exceed it by far.
    if (process.memoryUsage.rss() - memory > examineLimits.memory) reject(tooMuchMemory());
    if (spent > allowed) reject(tooLong(allowed));
  }, lookEvery);
}

function tooLong(allowed: number): RenderError {
  const seconds = Math.round(allowed / 1_000);
  return new RenderError(
    'media_unreadable',
    `The file is damaged or too long: it could not be read within ${seconds} seconds`,
  );
}

function tooMuchMemory(): RenderError {
  const megabytes = Math.round(examineLimits.memory / 1e6);
  return new RenderError(
    'limit_exceeded',
    `The file is damaged: reading it takes more than ${megabytes} MB of memory, which is the limit`,
  );
}

function cancelled(): RenderError {
  return new RenderError('cancelled', 'Render error: Cancelled');
}

function openThread(): Worker {
  clearTimeout(idle);
  if (thread) return thread;
  const opened = new Worker(threadFile('examine-thread'), {
    resourceLimits: { maxOldGenerationSizeMb: Math.round(examineLimits.memory / 1e6) },
  });
  // The thread must not keep an idle process alive.
  opened.unref();
  opened.once('exit', () => {
    if (thread === opened) thread = null;
  });
  // Between questions nobody listens, and an unhandled error would end the process.
  opened.on('error', () => undefined);
  thread = opened;
  return opened;
}

/** Ends the thread after a while without work, which frees its memory. */
function rest(worker: Worker): void {
  clearTimeout(idle);
  if (thread !== worker || !endsIdleThreads()) return;
  idle = setTimeout(() => void endThread(worker), examineLimits.keepThread).unref();
}

async function endThread(worker: Worker): Promise<void> {
  if (thread === worker) thread = null;
  await worker.terminate();
}
