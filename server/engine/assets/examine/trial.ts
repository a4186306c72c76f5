/**
 * Phase 1, pictures that may keep the drawing library busy for ever: drawn for the first time in a second thread, with
 * a deadline and a memory limit, while the drawing thread waits. Native code can't be interrupted; so a picture that
 * fails its trial fails its render at once with a clear message, and the process is abandoned (`isSpoilt`).
 */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { trialLimits } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { endsIdleThreads } from '../../../system/programs.ts';
import { threadFile } from '../../thread-file.ts';
import type { DrawableLottie } from '../lottie/lottie-picture.ts';
import type { PlainSvg } from '../vectors/svg-renderer.ts';

/** The thread's task: to draw a picture at a size. */
export interface TrialQuestion {
  readonly picture: Uint8Array | PlainSvg | DrawableLottie;
  /** Pixels, 1 or more. */
  readonly width: number;
  readonly height: number;
  /** One 32-bit number, which becomes `over`. */
  readonly state: SharedArrayBuffer;
}

/** Means that the thread has finished its picture, drawn or damaged. */
export const over = 1;

/** Milliseconds between two checks of clock and memory. */
const lookEvery = 40;

/** Elements of vector pictures whose cost depends only on their number, and mere groups. */
const plainTags = new Set(
  'svg g defs path rect circle ellipse line polyline polygon lineargradient radialgradient stop'.split(
    ' ',
  ),
);
/** What makes drawing costlier than its length suggests: dashes, nested layers. */
const costlyWords = /dasharray|mask|filter|clip-path|mix-blend|isolation/i;
/** Translucent elements; each nested one takes a layer. */
const seeThrough = /(?<![\w-])opacity/gi;
const mostSeeThrough = 4;
/** Up to so many bytes the length of a vector picture can't be costly. */
const plainBytes = 32 * 1024;
/** Megapixels of other pictures that are decoded without a trial: less than a second. */
const plainMegapixels = 60;
/** The same for the passes of a progressive JPEG; usual ones have about ten. */
const plainScans = 100;
const plainScanMegapixels = 1;

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let spoilt = false;

/** True once a picture was abandoned: a thread of this process may be stuck for ever, and the process must be ended. */
export function isSpoilt(): boolean {
  return spoilt;
}

/**
 * Whether a picture of pixels might take more than a moment.
 *
 * @param format A word from sniff.ts whose kind is `picture`.
 * @param megapixels From the header.
 */
export function needsTrial(format: string, megapixels: number, bytes: Buffer): boolean {
  if (megapixels > plainMegapixels) return true;
  return format === 'jpg' && megapixels > plainScanMegapixels && scansOf(bytes) > plainScans;
}

/** The same of a vector picture. */
export function needsVectorTrial({ text }: PlainSvg): boolean {
  if (text.length > plainBytes) return true;
  return !isPlainVector(text);
}

function isPlainVector(text: string): boolean {
  if (costlyWords.test(text)) return false;
  if ((text.match(seeThrough) ?? []).length > mostSeeThrough) return false;
  // Prefixed or encoded names are in no list: those pictures get a trial.
  for (const [, name = ''] of text.matchAll(/<([^\s/!?>]+)/g))
    if (!plainTags.has(name.toLowerCase())) return false;
  return true;
}

/** The number of passes in a JPEG file; reads no further than needed. */
function scansOf(bytes: Buffer): number {
  const mark = Buffer.from([0xff, 0xda]);
  let count = 0;
  for (
    let at = bytes.indexOf(mark);
    at >= 0 && count <= plainScans;
    at = bytes.indexOf(mark, at + 2)
  )
    count++;
  return count;
}

/** Lottie animations that passed, by the hash of their text: previews open a document with each change. */
const passed = new Set<string>();
const mostPassed = 500;

const hashOf = ({ lottie }: DrawableLottie): string =>
  createHash('sha256').update(lottie).digest('base64');

/** Whether a Lottie animation has passed its trial in this process. */
export const isTried = (picture: DrawableLottie): boolean => passed.has(hashOf(picture));

/**
 * Draws a picture once in the other thread and waits for it. Damaged ones pass.
 *
 * @throws RenderError `limit_exceeded`, without the name of an element.
 */
export function tryPicture(
  picture: Buffer | PlainSvg | DrawableLottie,
  width: number,
  height: number,
): void {
  // A thread is stuck already; another one would only make it worse.
  if (spoilt) throw tooLong();
  const state = new SharedArrayBuffer(4);
  const end = new Int32Array(state);
  openThread().postMessage({
    picture,
    state,
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(height)),
  } satisfies TrialQuestion);
  const memory = process.memoryUsage.rss();
  const before = process.cpuUsage();
  const start = performance.now();
  while (Atomics.wait(end, 0, 0, lookEvery) === 'timed-out') {
    if (process.memoryUsage.rss() - memory > trialLimits.memory) throw giveUp(tooMuchMemory());
    const { user, system } = process.cpuUsage(before);
    const waited = performance.now() - start;
    // Counts computing time, because a busy computer is not the picture's fault.
    if (Math.min((user + system) / 1_000, waited) > trialLimits.time) throw giveUp(tooLong());
    if (waited > trialLimits.longest) throw giveUp(tooLong());
  }
  rest();
  if (!('lottie' in picture)) return;
  if (passed.size >= mostPassed) passed.clear();
  passed.add(hashOf(picture));
}

function giveUp(error: RenderError): RenderError {
  spoilt = true;
  thread = null;
  return error;
}

function tooLong(): RenderError {
  return new RenderError(
    'limit_exceeded',
    `Drawing the picture takes more than ${trialLimits.time / 1_000} seconds of computing, which is the limit`,
  );
}

function tooMuchMemory(): RenderError {
  return new RenderError(
    'limit_exceeded',
    `Drawing the picture takes more than ${Math.round(trialLimits.memory / 1e6)} MB of memory, which is the limit`,
  );
}

function openThread(): Worker {
  clearTimeout(idle);
  if (thread) return thread;
  const opened = new Worker(threadFile('trial-thread'));
  opened.unref();
  opened.once('exit', () => {
    if (thread === opened) thread = null;
  });
  // Between trials nobody listens, and an unhandled error would end the process.
  opened.on('error', () => undefined);
  thread = opened;
  return opened;
}

/** Ends the thread after a while without work. */
function rest(): void {
  clearTimeout(idle);
  if (!endsIdleThreads()) return;
  idle = setTimeout(() => {
    void thread?.terminate();
    thread = null;
  }, trialLimits.keepThread).unref();
}
