/**
 * Phase 1, pictures that may keep the drawing library busy for ever: drawn for the first time in a thread beside, which the
 * drawing thread waits for, with a deadline and a memory limit. Native code can't be ended alone; so a picture that fails its
 * trial fails its render at once, with a sentence, and the process is then given up (`isSpoilt`).
 */
import { Worker } from 'node:worker_threads';
import { trialLimits } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { threadFile } from './thread-file.ts';

/** What the thread is asked: to draw a picture that large. */
export interface TrialQuestion {
  readonly bytes: Uint8Array;
  /** Pixels, 1 or more. */
  readonly width: number;
  readonly height: number;
  /** One 32-bit number, which becomes `over`. */
  readonly state: SharedArrayBuffer;
}

/** Says that the thread is done with its picture, drawn or damaged. */
export const over = 1;

/** Milliseconds between two looks at the clock and the memory. */
const lookEvery = 40;

/** Elements of vector pictures whose cost grows with their number only, and what is nothing but a name for them. */
const plainTags = new Set(
  (
    'svg g defs title desc metadata path rect circle ellipse line polyline polygon lineargradient ' +
    'radialgradient stop style'
  ).split(' '),
);
/** What makes drawing costlier than its length tells: strokes cut to pieces, layers inside each other. */
const costlyWords = /dasharray|mask|filter|clip-path|mix-blend|isolation/i;
/** Elements that are see-through as a whole; each inside of another takes a layer. */
const seeThrough = /(?<![\w-])opacity/gi;
const mostSeeThrough = 4;
/** Bytes of a vector picture that can't be costly by its length. */
const plainBytes = 32 * 1024;
/** Megapixels of other pictures that are decoded without a trial: less than a second. */
const plainMegapixels = 60;
/** The same where a photograph is sent in so many passes; usual ones have about ten. */
const plainScans = 100;
const plainScanMegapixels = 1;

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let spoilt = false;

/** True once a picture was given up: a thread of this process may be busy for ever, and the process is to be ended. */
export function isSpoilt(): boolean {
  return spoilt;
}

/**
 * Whether a picture might take more than a moment.
 *
 * @param format A word from sniff.ts whose kind is `picture`.
 * @param megapixels Of the header; means nothing for vector pictures.
 */
export function needsTrial(format: string, megapixels: number, bytes: Buffer): boolean {
  if (format === 'svg') return !isPlainVector(bytes);
  if (megapixels > plainMegapixels) return true;
  return format === 'jpg' && megapixels > plainScanMegapixels && scansOf(bytes) > plainScans;
}

function isPlainVector(bytes: Buffer): boolean {
  if (bytes.length > plainBytes) return false;
  const text = bytes.toString('utf8');
  if (costlyWords.test(text)) return false;
  if ((text.match(seeThrough) ?? []).length > mostSeeThrough) return false;
  // Names with a prefix, or written in other letters, are in no list: those pictures are tried.
  for (const [, name = ''] of text.matchAll(/<([^\s/!?>]+)/g))
    if (!plainTags.has(name.toLowerCase())) return false;
  return true;
}

/** Passes that a JPEG file sends its picture in; looks no further than it has to. */
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

/**
 * Draws a picture once, elsewhere, and waits for the end of it. Damaged ones pass.
 *
 * @throws RenderError `limit_exceeded`, without the name of an element.
 */
export function tryPicture(bytes: Buffer, width: number, height: number): void {
  // A thread that never came back: the next one would only add to it.
  if (spoilt) throw tooLong();
  const state = new SharedArrayBuffer(4);
  const end = new Int32Array(state);
  openThread().postMessage({
    bytes,
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
    // What the process computed, because a busy computer is no fault of the picture.
    if (Math.min((user + system) / 1_000, waited) > trialLimits.time) throw giveUp(tooLong());
    if (waited > trialLimits.longest) throw giveUp(tooLong());
  }
  rest();
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
  // While nobody waits nobody listens, and an error that nobody hears would end the process.
  opened.on('error', () => undefined);
  thread = opened;
  return opened;
}

/** Lets the thread go when it has had nothing to do for a while. */
function rest(): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    void thread?.terminate();
    thread = null;
  }, trialLimits.keepThread).unref();
}
