/**
 * The drawing thread of a worker process: one start message in, events out, then the next. Hosts the engine; in a
 * worker, only this thread loads the drawing library. The main thread (worker.ts) passes on what the server says, and
 * answers for the process while this thread is busy drawing.
 */
import { parentPort } from 'node:worker_threads';
import { createCanvas } from '@napi-rs/canvas';
import { isSpoilt } from './engine/assets/examine/trial.ts';
import { ApiError } from '../shared/errors.ts';
import { RenderError } from '../shared/engine/errors.ts';
import { startWith } from './engine/ffmpeg.ts';
import {
  outOfMemory,
  workerCommand,
  type StartMessage,
  type WorkerEvent,
  type WorkFailure,
} from './jobs/worker/protocol.ts';
import { asides } from './jobs/worker/tasks.ts';
import { followPrograms } from './jobs/worker/worker-programs.ts';
import { runTask } from './processes/worker-tasks.ts';

/** Milliseconds between progress events, sent even without a change: this thread's sign of life. */
const progressInterval = 250;

if (!parentPort) throw new Error('drawing.ts runs as a thread of worker.ts');
const front = parentPort;
followPrograms((event) => front.postMessage(event));
const send = (event: WorkerEvent): void => front.postMessage(event);
const bug = 'Render error: Something went wrong while rendering. The log has the details.';
let running: AbortController | null = null;
/** True when a small picture of the next frame is wanted. */
let isLookedAt = false;

front.on('message', (message) => {
  const command = workerCommand.parse(message);
  if (command.type === 'cancel')
    running?.abort(new RenderError('cancelled', 'Render error: Cancelled'));
  else if (command.type === 'look') isLookedAt = true;
  else if (command.type === 'priority') startWith(command.priority);
  else void work(command);
});
send({ type: 'ready' });
// For whoever started this process; under plain Node the answer is known.
if (process.env['FRAMEWRIGHT_MEASURE'] === 'read-back') {
  front.postMessage({ type: 'read-back', ...measureReadBack() });
}

/** A row of tasks.ts. The server asks one at a time, and asides whenever it likes. */
async function work({ id, name, input }: StartMessage): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  const isAside = asides.has(name);
  if (!isAside) {
    running = abort;
    isLookedAt = false;
  }
  let position: unknown;
  let isQuiet = false;
  // Widened: TypeScript does not see that a callback sets it.
  let element = null as string | null;
  const sign = (): void => {
    if (!isQuiet) send({ type: 'progress', id, progress: position });
  };
  const timer = isAside ? undefined : setInterval(sign, progressInterval);
  try {
    const output = await runTask(name, input, {
      signal,
      onProgress: (progress) => {
        isLookedAt = false;
        send({ type: 'progress', id, progress });
      },
      onPosition: (progress) => (position = progress),
      onQuiet: (now) => (isQuiet = now),
      onNote: (text) => send({ type: 'log', id, level: 'warning', text }),
      onElement: (path) => (element = path),
      wantsPicture: () => isLookedAt,
    });
    send({ type: 'result', id, output });
  } catch (error) {
    const failure = describe(error, signal);
    const path = failure.code === 'internal_error' ? element : null;
    send({ type: 'failed', id, ...failure, ...(path !== null && { path }) });
  } finally {
    clearInterval(timer);
    if (!isAside) running = null;
  }
}

/**
 * Measures what it costs to read a drawn frame of 1920 × 1080 back. Frames come and go as large blocks of memory; we
 * tell glibc to keep them (jobs/worker/fork-worker.ts), but another allocator, as in Electron, ignores that.
 *
 * @returns milliseconds and new memory pages per frame
 */
function measureReadBack(): { milliseconds: number; pages: number } {
  const size = { width: 1920, height: 1080 };
  // The first rounds allocate memory that the others may reuse.
  const rounds = { before: 2, measured: 4 };
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  const read = (times: number): void => {
    for (let time = 0; time < times; time++) {
      context.fillRect(time, 0, 9, 9);
      canvas.data();
    }
  };
  const pagesSoFar = (): number => process.resourceUsage().minorPageFault;
  read(rounds.before);
  const [begun, pages] = [performance.now(), pagesSoFar()];
  read(rounds.measured);
  return {
    milliseconds: (performance.now() - begun) / rounds.measured,
    pages: (pagesSoFar() - pages) / rounds.measured,
  };
}

/** What the log needs beside the failure's message; null when the message says it all. */
function detailsOf(error: unknown): string | null {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ApiError) return null;
  if (!(error instanceof RenderError)) return error.stack ?? error.message;
  // The last lines of ffmpeg, e.g.
  return typeof error.cause === 'string' && error.cause !== '' ? error.cause : null;
}

/** Any failure, as the server is told. The text of a bug is not shown to the user; its stack goes to the log. */
function describe(error: unknown, signal: AbortSignal): WorkFailure {
  const details = detailsOf(error);
  const rest = {
    ...(details !== null && { details }),
    ...(isSpoilt() && { spoilt: true as const }),
  };
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (reason instanceof RenderError || reason instanceof ApiError) {
    const { code, message } = reason;
    const path = reason instanceof RenderError ? reason.path : undefined;
    return { code, message, ...(path !== undefined && { path }), ...rest };
  }
  const isFull = reason instanceof RangeError && /allocation failed/i.test(reason.message);
  return { code: 'internal_error', message: isFull ? outOfMemory : bug, ...rest };
}
