/**
 * Painting threads: several stages of one film, each in a thread, that paint runs of its frames side by side; the
 * frames come out in order. Runs in the worker's drawing thread, which itself only hands out and passes on.
 *
 * A frame depends on nothing but its time, so the bytes are the same for any number of threads.
 */
import { Worker } from 'node:worker_threads';
import { RenderError } from '../../../shared/engine/errors.ts';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { registeredFiles } from '../assets/fonts/registered-files.ts';
import type { Materials } from '../materials.ts';
import type { RenderContext, RenderJob } from '../render-job.ts';
import { timed } from '../stopwatch.ts';
import { threadFile } from '../thread-file.ts';
import {
  CurrentElement,
  type PaintedNews,
  type PainterData,
  type PainterNews,
  type PaintTask,
  type PlainError,
} from './painter-protocol.ts';

/** What painting threads are opened with. */
export interface PaintersOptions {
  readonly job: RenderJob;
  readonly materials: Materials;
  /** How many threads; 1 or more. */
  readonly count: number;
  /** Bytes of a frame in the encoder's format. */
  readonly frameBytes: number;
  /** How many frames may still be in use when the next one is taken. */
  readonly framesInUse: number;
  readonly context: Pick<RenderContext, 'signal' | 'onElement' | 'onQuiet'>;
}

/** A frame from a painting thread. */
export interface PaintedFrame {
  /** Planes Y, U and V, valid until `framesInUse` more frames were taken; null: the last frame again. */
  readonly planes: Uint8Array | null;
  /** What became known while painting it. */
  readonly warnings: readonly Problem[];
}

/** Bytes of all frames that are painted ahead or still in use. */
const aheadBytes = 96 * 1024 ** 2;
/** Frames that a thread paints one after the other: the first of them differs most from what it painted last. */
const longestRun = 4;
/** Runs of a thread: one being painted, one waiting for its turn, one being taken. */
const runsEach = 3;
const runsGiven = 2;
/** Milliseconds between two checks on the threads, and after which one that says nothing counts as quiet. */
const lookEvery = 250;
const quietAfter = 1_000;

interface Painter {
  readonly thread: Worker;
  readonly frames: SharedArrayBuffer;
  readonly element: CurrentElement;
  /** Places of runs that may be filled. */
  readonly free: number[];
  /** Frames that it was given and has not answered. */
  owed: number;
  /** When it last spoke, or was given work with nothing else to do. */
  heard: number;
}

interface Run extends PaintTask {
  readonly painter: Painter;
  readonly news: (PaintedNews | PlainError)[];
}

/** The painting threads of one film. */
export class Painters {
  readonly #options: PaintersOptions;
  readonly #runLength: number;
  readonly #painters: readonly Painter[];
  /** Runs that were given out and whose frames may be in use, in order. */
  #runs: Run[] = [];
  /** Wakes whoever waits for the next frame. */
  #wake: () => void = () => undefined;
  #failure: Error | undefined;
  #isQuiet = false;
  #look: NodeJS.Timeout | undefined;

  /** Resolves when all threads can paint; rejects if one of them can't, or was ended. */
  readonly opened: Promise<void>;

  /** Starts the threads, which takes half a second; meanwhile the caller may paint. */
  constructor(options: PaintersOptions) {
    this.#options = options;
    const { count, frameBytes } = options;
    const length = Math.floor(aheadBytes / (runsEach * count * frameBytes));
    this.#runLength = Math.max(1, Math.min(longestRun, length));
    this.#painters = Array.from({ length: count }, () => this.#start());
    this.opened = Promise.all(this.#painters.map((painter) => this.#opened(painter))).then(
      () => undefined,
    );
    options.context.signal.addEventListener('abort', () => this.#wake(), { once: true });
    this.#look = setInterval(() => this.#lookAround(), lookEvery);
  }

  /**
   * Frames in order. Call once.
   *
   * @param first Number of the first frame in the film.
   * @param end Number of the frame after the last.
   * @throws what painting a frame throws, once all frames before it were taken.
   */
  async *frames(first: number, end: number): AsyncGenerator<PaintedFrame, void> {
    let given = first;
    for (let index = first; index < end; index++) {
      given = this.#handOut(given, end);
      const run = this.#runOf(index);
      yield await timed('wait for painting threads', () => this.#frameOf(run, index));
      this.#release(index);
    }
  }

  /** Ends all threads. Safe to call twice. */
  async close(): Promise<void> {
    this.#fail(new Error('the painting threads were ended'));
    clearInterval(this.#look);
    this.#tellQuiet(null);
    await Promise.all(this.#painters.map(({ thread }) => thread.terminate()));
    registeredFiles.unlock();
  }

  #start(): Painter {
    const { job, materials, frameBytes } = this.#options;
    const frames = new SharedArrayBuffer(runsEach * this.#runLength * frameBytes);
    const element = new CurrentElement();
    const data: PainterData = {
      ...{ job, materials, frames },
      fonts: registeredFiles.memory,
      element: element.memory,
    };
    const thread = new Worker(threadFile('painter-thread'), { workerData: data });
    const free = Array.from({ length: runsEach }, (_, run) => run * this.#runLength);
    const painter: Painter = { thread, frames, element, free, owed: 0, heard: 0 };
    thread.on('message', (news: PainterNews) => this.#hear(painter, news));
    thread.on('error', (error) => this.#fail(error));
    thread.on('exit', () => this.#fail(new Error('a painting thread ended by itself')));
    return painter;
  }

  /** The first reason counts; closing is one. */
  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  /** Resolves when a thread can paint. */
  #opened({ thread }: Painter): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(this.#failure ?? new Error('a painting thread ended'));
      thread.once('error', end).once('exit', end);
      thread.once('message', (news: PainterNews) => {
        thread.off('error', end).off('exit', end);
        if (news.type === 'no-open') reject(errorOf(news.error));
        else resolve();
      });
    });
  }

  #hear(painter: Painter, news: PainterNews): void {
    if (news.type !== 'painted' && news.type !== 'failed') return;
    painter.heard = performance.now();
    const { index } = news;
    const run = this.#runOf(index);
    const left = news.type === 'failed' ? run.first + run.count - index : 1;
    painter.owed -= left;
    run.news[index - run.first] = news.type === 'failed' ? news.error : news;
    this.#wake();
  }

  /** Gives every thread enough to do. @returns the number of the next frame to give out. */
  #handOut(from: number, end: number): number {
    let first = from;
    while (first < end) {
      const most = (runsGiven - 1) * this.#runLength;
      const able = this.#painters.filter(({ free, owed }) => free.length > 0 && owed <= most);
      const painter = able.toSorted((one, two) => one.owed - two.owed)[0];
      const place = painter?.free.shift();
      if (!painter || place === undefined) break;
      const count = Math.min(this.#runLength, end - first);
      const task: PaintTask = { first, count, place };
      if (painter.owed === 0) painter.heard = performance.now();
      painter.owed += count;
      this.#runs.push({ ...task, painter, news: [] });
      painter.thread.postMessage(task);
      first += count;
    }
    return first;
  }

  async #frameOf(run: Run, index: number): Promise<PaintedFrame> {
    const { signal } = this.#options.context;
    const at = index - run.first;
    for (;;) {
      signal.throwIfAborted();
      if (this.#failure !== undefined) throw this.#failure;
      const news = run.news[at];
      if (news) {
        if (!('type' in news)) throw errorOf(news);
        return { planes: news.isRepeat ? null : this.#planes(run, at), warnings: news.warnings };
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #runOf(index: number): Run {
    const run = this.#runs.find((one) => index >= one.first && index < one.first + one.count);
    if (!run) throw new Error(`frame ${index} was given to no painting thread`);
    return run;
  }

  #planes({ painter, place }: Run, at: number): Uint8Array {
    const { frameBytes } = this.#options;
    return new Uint8Array(painter.frames, (place + at) * frameBytes, frameBytes);
  }

  /** Frees the places of frames that are no longer in use once frame `index` has been passed on. */
  #release(index: number): void {
    const over = index - this.#options.framesInUse;
    while (this.#runs[0] && this.#runs[0].first + this.#runs[0].count - 1 <= over) {
      const { painter, place } = this.#runs[0];
      painter.free.push(place);
      this.#runs = this.#runs.slice(1);
    }
  }

  /** A thread that hangs must not hide behind this one, which does not. */
  #lookAround(): void {
    const now = performance.now();
    const quiet = this.#painters.find(({ owed, heard }) => owed > 0 && now - heard > quietAfter);
    this.#tellQuiet(quiet ?? null);
  }

  #tellQuiet(painter: Painter | null): void {
    const { onQuiet, onElement } = this.#options.context;
    if (!painter && !this.#isQuiet) return;
    this.#isQuiet = painter !== null;
    onElement?.(painter?.element.get() ?? null);
    onQuiet?.(this.#isQuiet);
  }
}

function errorOf({ code, message, path, details }: PlainError): Error {
  if (code === null) return Object.assign(new Error(message), { stack: details });
  return new RenderError(code, message, { ...(path !== null && { path }), cause: details });
}
