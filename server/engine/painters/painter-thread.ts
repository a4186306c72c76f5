/**
 * A painting thread: builds the render's stage once more from the same materials, and paints runs of its frames into
 * shared memory, in the encoder's format. Loads the drawing library, like drawing.ts; there may be several in a worker
 * process.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { RenderError } from '../../../shared/engine/errors.ts';
import { registeredFiles } from '../assets/fonts/registered-files.ts';
import { Converter } from '../encode/pixels.ts';
import { frameWriter, type FrameTaker } from '../frame-writer.ts';
import { frameTimes } from '../plan.ts';
import { buildStage, type Stage } from '../stage.ts';
import {
  CurrentElement,
  type PainterData,
  type PainterNews,
  type PaintTask,
  type PlainError,
} from './painter-protocol.ts';

if (!parentPort) throw new Error('painter-thread.ts runs as a thread');
const port = parentPort;
const say = (news: PainterNews): void => port.postMessage(news);
// Made by painters.ts.
const { job, materials, frames, fonts, element } = workerData as PainterData;
registeredFiles.join(fonts);
const current = new CurrentElement(element);

/** Paints one run after the other, in the order in which they were given. */
function serve(stage: Stage): void {
  const { width, height, hasSlowGradients } = stage.timeline.output;
  const size = (width * height * 3) / 2;
  const times = frameTimes(stage.timeline);
  const converter = new Converter(width, height, 1, hasSlowGradients);
  /** The last frame, in the converter's memory, and whether painting has changed it. */
  let standing: Uint8Array | null = null;
  let isNew = false;
  const taker: FrameTaker = {
    write(pixels, changed) {
      standing = converter.convert(pixels, changed);
      isNew = true;
      return Promise.resolve();
    },
    repeat() {
      isNew = false;
      return Promise.resolve();
    },
    pass: () => Promise.reject(new Error('a painting thread only paints')),
    writeOver: () => Promise.reject(new Error('a painting thread decodes no videos')),
    lastPlanes: () => standing,
  };
  const writer = frameWriter(stage, taker);
  const known = new Set(stage.warnings().map(({ path, message }) => `${path}\n${message}`));

  const paint = async (index: number, isFirst: boolean, place: number): Promise<void> => {
    await writer.write({ frame: stage.layout.frameAt(times[index] ?? 0), ground: null });
    if (!standing) throw new Error('a frame was painted, but not converted');
    const isRepeat = !isNew && !isFirst;
    if (!isRepeat) new Uint8Array(frames, place * size, size).set(standing);
    const warnings = stage.warnings().filter(({ path, message }) => {
      const key = `${path}\n${message}`;
      return !known.has(key) && known.add(key);
    });
    say({ type: 'painted', index, isRepeat, warnings });
  };
  const run = async ({ first, count, place }: PaintTask): Promise<void> => {
    for (let at = 0; at < count; at++) {
      try {
        await paint(first + at, at === 0, place + at);
      } catch (error) {
        say({ type: 'failed', index: first + at, error: plain(error) });
        return;
      }
    }
  };
  let last = Promise.resolve();
  port.on('message', (task: PaintTask) => {
    last = last.then(() => run(task));
  });
}

function plain(error: unknown): PlainError {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!(error instanceof RenderError)) return { code: null, message: details, path: null, details };
  const { code, message, path = null, cause } = error;
  return { code, message, path, details: typeof cause === 'string' ? cause : details };
}

try {
  const context = {
    // Whoever started this thread ends it.
    signal: new AbortController().signal,
    onElement: (path: string | null): void => current.set(path),
  };
  serve(await buildStage(job, context, materials));
  say({ type: 'open' });
} catch (error) {
  say({ type: 'no-open', error: plain(error) });
}
