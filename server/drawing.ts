/**
 * The drawing thread of a worker process: one start message in, events out; or, for the editor, one preview message
 * after the other. Hosts the engine; in a worker, only this thread loads the drawing library. The main thread
 * (worker.ts) passes on what the server says, and answers for the process while this thread is busy drawing.
 */
import { mkdir, rm } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { createCanvas } from '@napi-rs/canvas';
import { cageInWords } from './engine/cage.ts';
import { readsOwnFilesOnly } from './engine/assets/examine/old-ffmpeg.ts';
import { isSpoilt } from './engine/assets/examine/trial.ts';
import { ApiError } from '../shared/errors.ts';
import { RenderError } from '../shared/engine/errors.ts';
import { findFfmpeg, startWith } from './engine/ffmpeg.ts';
import { freeReadPixels } from './engine/garbage.ts';
import { engineBuild } from './engine/build.ts';
import { PreviewStage } from './engine/preview.ts';
import { knownPictureProblem } from './engine/known-picture.ts';
import { joinPieces, makePiece, renderOrSplit } from './engine/pieces/pieces.ts';
import type { RenderContext, RenderProgress } from './engine/render-job.ts';
import { render } from './engine/render.ts';
import type { PreviewMessage } from './jobs/worker/preview-protocol.ts';
import {
  outOfMemory,
  workerCommand,
  type FindEncoderMessage,
  type ProveMessage,
  type StartMessage,
  type WorkerEvent,
} from './jobs/worker/protocol.ts';
import type { TaskMessage } from './jobs/worker/tasks.ts';
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
let running: AbortController | null = null;
/** True when a small picture of the next frame is wanted. */
let isLookedAt = false;
/** Stays open between previews; made with the first. */
let previews: PreviewStage | null = null;

front.on('message', (message) => {
  const command = workerCommand.parse(message);
  if (command.type === 'cancel')
    running?.abort(new RenderError('cancelled', 'Render error: Cancelled'));
  else if (command.type === 'look') isLookedAt = true;
  else if (command.type === 'priority') startWith(command.priority);
  else if (command.type === 'prove') void prove(command);
  else if (command.type === 'preview') void preview(command);
  else if (command.type === 'task') void carryOutTask(command);
  else if (command.type === 'find-encoder') void findEncoder(command);
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
  port.send({ type: 'started', id });
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
    // The details first: the failure says that the log has them.
    const details = detailsOf(error);
    if (details !== null) port.send({ type: 'log', id, level: 'error', text: details });
    const failure = describe(error, abort.signal);
    port.send({
      type: 'failed',
      id,
      ...failure,
      ...(failure.code === 'internal_error' && element !== null && { path: element }),
      ...(isSpoilt() && { spoilt: true }),
    });
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

/** One picture for the editor. The server asks one at a time. */
async function preview({ id, ffmpegPath, ...job }: PreviewMessage): Promise<void> {
  const abort = new AbortController();
  running = abort;
  const timer = setInterval(() => port.send({ type: 'preview-alive', id }), progressInterval);
  try {
    previews ??= new PreviewStage();
    const { facts, picture, kit } = await previews.draw(
      {
        ...job,
        source: readSource(job.source),
        ...(ffmpegPath !== undefined && { ffmpegPath }),
      },
      abort.signal,
    );
    port.send({
      type: 'preview-done',
      id,
      facts: { ...facts, elements: [...facts.elements], warnings: [...facts.warnings] },
      picture: picture.toString('base64'),
      kit,
    });
  } catch (error) {
    const isBug = !(error instanceof RenderError) && !abort.signal.aborted;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    port.send({
      type: 'preview-failed',
      id,
      ...describe(error, abort.signal),
      ...(isBug && { stack }),
      ...(isSpoilt() && { spoilt: true }),
    });
  } finally {
    clearInterval(timer);
    running = null;
  }
}

/** A row of tasks.ts. The server asks one at a time. */
async function carryOutTask({ name, input }: TaskMessage): Promise<void> {
  const abort = new AbortController();
  running = abort;
  try {
    const output = await runTask(name, input, {
      signal: abort.signal,
      onProgress: (share) => port.send({ type: 'task-progress', share }),
    });
    port.send({ type: 'task-done', output });
  } catch (error) {
    const known = error instanceof RenderError || error instanceof ApiError;
    const { message } = error instanceof ApiError ? error : describe(error, abort.signal);
    const stack = detailsOf(error);
    port.send({ type: 'task-failed', message, known, ...(stack !== null && { stack }) });
  } finally {
    running = null;
  }
}

/** Tests whether this process can draw at all. */
async function prove(job: ProveMessage): Promise<void> {
  port.send({ type: 'proven', problem: await knownPictureProblem(job) });
}

/** Looks for ffmpeg, for the queue: no film starts without it. */
async function findEncoder({ id, ffmpegPath, fontFolder }: FindEncoderMessage): Promise<void> {
  try {
    const ffmpeg = await findFfmpeg(ffmpegPath);
    const { path, major, minor } = ffmpeg;
    const found = {
      path,
      version: `${major}.${minor}`,
      ownFilesOnly: readsOwnFilesOnly(ffmpeg),
      cage: cageInWords(ffmpeg.cage),
      endsWithWorker: (ffmpeg.cage?.lifeline.length ?? 0) > 0,
    };
    const build = fontFolder === undefined ? null : await engineBuild(ffmpeg, fontFolder);
    port.send({ type: 'encoder', id, reason: null, found, ...(build && { build }) });
  } catch (error) {
    const { message } = describe(error, new AbortController().signal);
    port.send({ type: 'encoder', id, reason: message });
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
  if (!(error instanceof RenderError)) return error.stack ?? error.message;
  // The last lines of ffmpeg, e.g.
  return typeof error.cause === 'string' && error.cause !== '' ? error.cause : null;
}

/** What the render's record says. The text of a bug is not shown to the user; its stack goes to the log. */
function describe(
  error: unknown,
  signal: AbortSignal,
): { code: string; message: string; path?: string } {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (reason instanceof RenderError) {
    return {
      code: reason.code,
      message: reason.message,
      ...(reason.path !== undefined && { path: reason.path }),
    };
  }
  if (reason instanceof RangeError && /allocation failed/i.test(reason.message)) {
    return { code: 'internal_error', message: outOfMemory };
  }
  return {
    code: 'internal_error',
    message: 'Render error: Something went wrong while rendering. The log has the details.',
  };
}
