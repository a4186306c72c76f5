/**
 * Decides while a film is painted whether threads should paint the rest of it, and starts them meanwhile. Runs in the
 * worker's drawing thread.
 */
import type { Problem } from '../../../shared/renderscript/source.ts';
import { framesInFlight, type FrameSink } from '../encode/encoder.ts';
import type { FrameRange } from '../plan.ts';
import { paintersWanted } from '../../system/plain-way.ts';
import type { RenderContext, RenderJob } from '../render-job.ts';
import type { Stage } from '../stage.ts';
import { canShare, Pace } from './painter-count.ts';
import { Painters } from './painters.ts';

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
