/**
 * Decides while a film is painted whether threads should paint the rest of it, and starts them meanwhile. Runs in the
 * worker's drawing thread.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { type EncoderTimes, framesInFlight, type FrameSink } from '../encode/encoder.ts';
import type { FrameRange } from '../plan.ts';
import { isPlainWay, paintersWanted } from '../../system/plain-way.ts';
import type { RenderContext, RenderJob } from '../render-job.ts';
import type { Stage } from '../stage.ts';
import { Painters } from './painters.ts';
import type { MediaInfo } from '../../../shared/engine/media-info.ts';
import { mostPaintingThreads } from '../../../shared/limits.ts';
import { isPlanar } from '../encode/film-formats.ts';
import { needsTrial } from '../assets/examine/trial.ts';
import type { MediaFile } from '../assets/assets.ts';

/** The painting threads that a film may get. */
export interface Crew {
  /** Call after every frame with the number of the next one. @returns true once threads can paint the rest. */
  isReadyAfter(index: number): boolean;
  /** The frames from this one on, as planes or null for the last one again; none unless threads can paint them. */
  frames(first: number): AsyncGenerator<Uint8Array | null, void>;
  /** What the threads found, in the order of the frames. */
  readonly warnings: readonly Problem[];
  /** Ends the threads. Safe at any time. */
  close(): Promise<void>;
}

/** The crew of a film, or of some of its frames; it has no threads yet, unless some are demanded. */
export async function openCrew(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
  encoder: Pick<FrameSink, 'times'>,
  { first: begin, end }: FrameRange,
): Promise<Crew> {
  const { width, height } = stage.timeline.output;
  const pace = canShare(job, stage) ? new Pace(end - begin) : null;
  const warnings: Problem[] = [];
  let painters: Painters | null = null;
  let isReady = false;
  let isClosed = false;

  const start = async (count: number): Promise<void> => {
    painters = new Painters({
      ...{ job, context, count },
      materials: stage.materials,
      frameBytes: (width * height * 3) / 2,
      framesInUse: framesInFlight,
    });
    try {
      await painters.opened;
      isReady = true;
    } catch (error) {
      // This thread can paint: only memory or the system can be the reason, and the film is made without them.
      if (!isClosed) context.onNote?.(`painted by one thread: ${String(error)}`);
      await painters.close();
    }
  };
  // One thread is this one, which needs no others.
  const set = job.paintingThreads === 1 ? 0 : job.paintingThreads;
  const demanded = paintersWanted() ?? set ?? null;
  const wanted = pace ? (demanded ?? 0) : 0;
  if (wanted > 0) await start(wanted);

  return {
    isReadyAfter(index) {
      if (pace && !painters && demanded === null) {
        const count = pace.look(index - begin, () => encoder.times());
        if (count > 0) void start(count);
      }
      return isReady && index < end;
    },
    async *frames(first) {
      if (!painters || !isReady) return;
      // From now on only a snapshot is painted here.
      stage.rest();
      for await (const frame of painters.frames(first, end)) {
        warnings.push(...frame.warnings.filter((one) => isNew(one, warnings)));
        yield frame.planes;
      }
    },
    warnings,
    async close() {
      isClosed = true;
      await painters?.close();
    },
  };
}

/** Several threads may find the same. */
function isNew({ path, message }: Problem, others: readonly Problem[]): boolean {
  return !others.some((other) => other.path === path && other.message === message);
}

// Threads pay when painting is what a film waits for: usually with more than two cores, as an encoder uses several
// and painting only one.

/** Milliseconds that the rest of a film must take for threads to be worth their start, and between two checks. */
const leastLeft = 3_000;
const window = 500;
/**
 * An encoder first looks ahead, and computes little meanwhile: nothing is measured before so many frames or
 * milliseconds.
 */
const lookahead = { frames: 48, time: 2_000 } as const;
/** Share of the time in which nobody waits for the encoder, from which on painting is the slower side. */
const busyFrom = 0.9;
/** Of the computer's free memory, the share that they may take together. */
const memoryShare = 0.4;
/** Bytes that a process needs before it paints, and the least that a thread takes. */
const baseBytes = 100 * 1024 ** 2;
const leastBytes = 120 * 1024 ** 2;

/**
 * True if a film's frames can be painted by threads: all they need are pictures that stand still. Pictures that might
 * take long are tried out first, which counts the computing of the whole process, and so must be alone in it.
 */
export function canShare({ closely }: RenderJob, { timeline, files }: Stage): boolean {
  if (closely || isPlainWay() || !isPlanar(timeline.output)) return false;
  return [...files.values()].every((file) => file.info.kind === 'audio' || isQuick(file));
}

function isQuick({ path, info }: MediaFile): boolean {
  const { kind, animation, format, width, height }: MediaInfo = info;
  if (kind !== 'image' || animation) return false;
  return !needsTrial(format, (width * height) / 1e6, readFileSync(path));
}

/** What had been spent at some moment, in milliseconds. */
interface Spent extends EncoderTimes {
  readonly at: number;
  /** Frames. */
  readonly index: number;
  /** That this process computed. */
  readonly painting: number;
}

/** Watches the pace of a film, to find out how many threads should paint it. */
export class Pace {
  readonly #frames: number;
  readonly #begun = performance.now();
  #last: Spent | null = null;

  constructor(frames: number) {
    this.#frames = frames;
  }

  /**
   * Call after every frame.
   *
   * @param index Frames painted so far.
   * @returns how many threads should paint the rest; 0: none.
   */
  look(index: number, times: () => EncoderTimes): number {
    const at = performance.now();
    const isEarly = index < lookahead.frames && at - this.#begun < lookahead.time;
    if (isEarly || (this.#last && at - this.#last.at < window)) return 0;
    const { user, system } = process.cpuUsage();
    const spent: Spent = { ...times(), at, index, painting: (user + system) / 1_000 };
    const count = this.#last ? this.#count(this.#last, spent) : 0;
    this.#last = spent;
    return count;
  }

  /**
   * As many as share the cores with the encoder so that both end together: of all cores, painting's share of the
   * computing. Less than two are no gain.
   */
  #count(last: Spent, now: Spent): number {
    const elapsed = now.at - last.at;
    const isSlower = now.waited - last.waited <= (1 - busyFrom) * elapsed;
    const left = ((this.#frames - now.index) * elapsed) / (now.index - last.index);
    if (!isSlower || left < leastLeft) return 0;
    const painting = now.painting - last.painting;
    const cores = os.availableParallelism();
    // An unknown encoder gets a core.
    const share =
      now.computed === null || last.computed === null
        ? (cores - 1) / cores
        : painting / (painting + now.computed - last.computed);
    const each = Math.max(leastBytes, process.memoryUsage.rss() - baseBytes);
    const memory = (os.freemem() * memoryShare) / each;
    const count = Math.min(mostPaintingThreads, Math.round(cores * share), Math.floor(memory));
    return count >= 2 ? count : 0;
  }
}
