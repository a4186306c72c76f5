/**
 * The drawing thread of a worker process: one start message in, events out; or one task after the other. Hosts the
 * engine; in a worker, only this thread loads the drawing library. The main thread (worker.ts) passes on what the
 * server says, and answers for the process while this thread is busy drawing.
 */
import { mkdir, rm } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { createCanvas } from '@napi-rs/canvas';
import { isSpoilt } from './engine/assets/examine/trial.ts';
import { ApiError } from '../shared/errors.ts';
import { RenderError } from '../shared/engine/errors.ts';
import { startWith } from './engine/ffmpeg.ts';
import { freeReadPixels } from './engine/garbage.ts';
import { joinPieces, makePiece, renderOrSplit } from './engine/pieces/pieces.ts';
import type { RenderContext, RenderProgress } from './engine/render-job.ts';
import { render } from './engine/render.ts';
import {
  outOfMemory,
  workerCommand,
  type StartMessage,
  type WorkerEvent,
} from './jobs/worker/protocol.ts';
import { asides, type TaskMessage, type WorkFailure } from './jobs/worker/tasks.ts';
import { Trail } from './jobs/trail.ts';
import { followPrograms } from './processes/started-programs.ts';
import { readSource, runTask } from './processes/worker-tasks.ts';
import { problemSentence } from '../shared/renderscript/source.ts';

/** Milliseconds between progress events, sent even without a change: this thread's sign of life. */
const progressInterval = 250;

if (!parentPort) throw new Error('drawing.ts runs as a thread of worker.ts');
const front = parentPort;
followPrograms((event) => front.postMessage(event));
const port = {
  send: (event: WorkerEvent): void => front.postMessage(event),
};
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
  else if (command.type === 'task') void carryOutTask(command);
  else void work(command);
});
port.send({ type: 'ready' });
// For whoever started this process; under plain Node the answer is known.
if (process.env['FRAMEWRIGHT_MEASURE'] === 'read-back') {
  front.postMessage({ type: 'read-back', ...measureReadBack() });
}

async function work(job: StartMessage): Promise<void> {
  const { id } = job;
  const abort = new AbortController();
  running = abort;
  isLookedAt = false;
  let progress: RenderProgress = { phase: 'waiting', frame: 0, frames: 0 };
  let isQuiet = false;
  const timer = setInterval(() => {
    if (!isQuiet) port.send({ type: 'progress', id, ...progress });
  }, progressInterval);
  let trail: Trail | null = null;
  // Widened: TypeScript does not see that a callback sets it.
  let element = null as string | null;
  try {
    await mkdir(job.workFolder, { recursive: true });
    trail = new Trail(job.workFolder);
    trail.note(progress);
    const answer = await carryOut(job, {
      signal: abort.signal,
      onProgress: (next) => {
        progress = next;
        trail?.note({ phase: next.phase, frame: next.frame });
      },
      onElement: (path) => {
        element = path;
        trail?.at(path);
      },
      onQuiet: (now) => (isQuiet = now),
      onNote: (text) => port.send({ type: 'log', id, level: 'warning', text }),
      wantsPicture: () => isLookedAt,
      onPicture: (jpg) => {
        isLookedAt = false;
        port.send({ type: 'picture', id, jpg: jpg.toString('base64') });
      },
    });
    port.send({ id, ...answer });
  } catch (error) {
    const failure = describe(error, abort.signal);
    const at = failure.code === 'internal_error' ? element : null;
    port.send({ type: 'failed', id, ...failure, ...(at !== null && { path: at }) });
  } finally {
    clearInterval(timer);
    trail?.close();
    running = null;
    await freeReadPixels();
    // The server removes what stays; a file in use must not cost the next render its worker.
    await rm(job.workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The whole file, or what else a start message asks for. */
async function carryOut(
  { task, ...message }: StartMessage,
  context: RenderContext,
): Promise<WorkAnswer> {
  const job = toRenderJob(message);
  if (task?.kind === 'piece') {
    const warnings = await makePiece(job, context, task);
    return { type: 'piece-made', warnings: warnings.map(problemSentence) };
  }
  const result =
    task?.kind === 'join'
      ? await joinPieces(job, context, task)
      : task
        ? await renderOrSplit(job, context, task)
        : await render(job, context);
  if ('print' in result) return { type: 'split', split: { ...result, ranges: [...result.ranges] } };
  const { facts, snapshot, warnings } = result;
  return { type: 'done', facts: { ...facts, snapshot }, warnings: warnings.map(problemSentence) };
}

/** How work ends well. */
type WorkAnswer = Unnamed<Extract<WorkerEvent, { type: 'done' | 'split' | 'piece-made' }>>;
type Unnamed<Event> = Event extends unknown ? Omit<Event, 'id'> : never;

/** A row of tasks.ts. The server asks one at a time, and asides whenever it likes. */
async function carryOutTask({ id, name, input }: TaskMessage): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  const isAside = asides.has(name);
  if (!isAside) running = abort;
  const sign = (): void => port.send({ type: 'task-progress', id });
  const timer = isAside ? undefined : setInterval(sign, progressInterval);
  try {
    const output = await runTask(name, input, {
      signal,
      onProgress: (share) => port.send({ type: 'task-progress', id, share }),
    });
    port.send({ type: 'task-done', id, output });
  } catch (error) {
    port.send({ type: 'failed', id, ...describe(error, signal) });
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

/** A parsed message may hold `undefined` for optional members; in the engine's types they may only be absent. */
function toRenderJob({
  scaling,
  moment,
  ffmpegPath,
  madeFrom,
  closely,
  ...job
}: Omit<StartMessage, 'task'>): Parameters<typeof render>[0] {
  const { renderScale, maxWidth, maxHeight, largestSide } = scaling;
  return {
    ...job,
    source: readSource(job.source),
    scaling: {
      ...(renderScale !== undefined && { renderScale }),
      ...(maxWidth !== undefined && { maxWidth }),
      ...(maxHeight !== undefined && { maxHeight }),
      ...(largestSide !== undefined && { largestSide }),
    },
    ...(moment !== undefined && { moment }),
    ...(madeFrom && { madeFrom }),
    ...(closely !== undefined && { closely }),
    ...(ffmpegPath !== undefined && { ffmpegPath }),
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
