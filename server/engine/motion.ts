/**
 * The frames of a film or gif, all of them or one range, into a finished file: one ffmpeg makes them, or they are
 * painted one after the other and passed to an encoder. Runs in the worker.
 */
import type { Frame } from '../../shared/engine/layout/box.ts';
import type { Timeline } from '../../shared/engine/compile/timeline.ts';
import { isFilm, isSequence } from '../../shared/renderscript/formats.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import type { FileFacts } from './encode/check.ts';
import { openEncoder, type EncoderOptions } from './encode/encoder.ts';
import { openPieceEncoders, type PieceFile } from './encode/piece-encoders.ts';
import { smallPicture, writeStill } from './encode/still.ts';
import { tagsOf } from './encode/tags.ts';
import { frameWriter } from './frame-writer.ts';
import { isWorthFrames, renderOverlay } from './overlay-film.ts';
import type { OverlayPlan } from './overlay-plan.ts';
import { openCrew } from './painters/crew.ts';
import type { Grounds } from './pieces/grounds.ts';
import { frameTimes, planFrames, type FrameRange, type PlanOptions } from './plan.ts';
import type { RenderContext, RenderJob } from './render-job.ts';
import type { Stage } from './stage.ts';
import { timed } from './stopwatch.ts';

/** A film or gif about to be made, or a range of its frames. */
export interface Motion {
  readonly job: RenderJob;
  readonly stage: Stage;
  readonly context: RenderContext;
  /** How it is coded; its output has the frames of the range. */
  readonly encoding: EncoderOptions;
  /** Of the whole film. */
  readonly plans: PlanOptions;
  readonly range: FrameRange;
  /** The frame that is also written as a picture, or null; see separateSnapshotFrame. */
  readonly snapshotFrame: number | null;
  /** How one ffmpeg can make the range; null if none can. */
  readonly overlay: OverlayPlan | null;
  /** As in `OverlayFilm`. */
  readonly grounds?: Grounds | undefined;
  /** The files of the range, if it becomes several; not for one ffmpeg. */
  readonly pieces?: {
    readonly files: readonly PieceFile[];
    /** Called when a file is complete. */
    readonly onPiece: (piece: PieceFile) => Promise<void>;
  };
  /** Those that the stage does not know of. */
  readonly warnings: Problem[];
}

/** What the frames of a stage are planned from. */
export function plansOf({ timeline, layout, scale, media }: Stage): PlanOptions {
  return {
    ...{ timeline, scale, media },
    frameAt: (time) => layout.frameAt(time),
    times: frameTimes(timeline),
  };
}

/** The same for a range of the frames alone. */
export function rangeOf(plans: PlanOptions, { first, end }: FrameRange): PlanOptions {
  return { ...plans, times: plans.times.slice(first, end) };
}

/** Makes the file. @throws RenderError */
export async function makeMotion(motion: Motion): Promise<FileFacts> {
  return (await inOneProcess(motion)) ?? (await frameAfterFrame(motion));
}

/** A film of one video under graphics; null if it is another, or must be made frame after frame. */
async function inOneProcess(motion: Motion): Promise<FileFacts | null> {
  const { job, stage, context, encoding, range, overlay: plan, grounds, snapshotFrame } = motion;
  const { signal, onProgress, wantsPicture, onPicture } = context;
  if (!plan) return null;
  const plans = rangeOf(motion.plans, range);
  const { times } = plans;
  const frames = times.length;
  const draw = (index: number): Promise<void> =>
    stage.draw(plans.frameAt(times[Math.min(index, frames - 1)] ?? 0));
  try {
    const facts = await renderOverlay({
      ...{ stage, plan, grounds, frames: plans, encoding },
      async onFrames(done) {
        onProgress({ phase: done < frames ? 'rendering' : 'finishing', frame: done, frames });
        if (!wantsPicture?.()) return;
        await draw(done);
        onPicture?.(await smallPicture(stage.painter.canvas));
      },
    });
    onProgress({ phase: 'finishing', frame: frames, frames });
    if (snapshotFrame === null) return facts;
    await draw(snapshotFrame - range.first);
    await writeSnapshot(job, stage);
    return facts;
  } catch (error) {
    if (signal.aborted || !isWorthFrames(error)) throw error;
    return null;
  }
}

/** Frame after frame into the encoder: painted here, and by threads as soon as that pays. */
async function frameAfterFrame(motion: Motion): Promise<FileFacts> {
  const { job, stage, context, encoding, plans, range, snapshotFrame, pieces } = motion;
  const { signal, onProgress, wantsPicture, onPicture } = context;
  const { first, end } = range;
  const frames = end - first;
  const encoder = await timed('start encoder', () =>
    pieces ? openPieceEncoders(encoding, pieces.files, pieces.onPiece) : openEncoder(encoding),
  );
  const writer = frameWriter(stage, encoder);
  const crew = await openCrew(job, stage, context, encoder, range);
  let index = first;
  const written = async (frameAt: () => Frame): Promise<void> => {
    if (index === snapshotFrame) {
      if (!writer.isWhole) await stage.draw(frameAt());
      await writeSnapshot(job, stage);
    }
    if (wantsPicture?.()) onPicture?.(await writer.smallPicture());
    index++;
    onProgress({ phase: 'rendering', frame: index - first, frames });
  };
  try {
    for (const plan of planFrames(plans, snapshotFrame, range)) {
      signal.throwIfAborted();
      await writer.write(plan);
      await written(() => plan.frame);
      if (crew.isReadyAfter(index)) break;
    }
    for await (const planes of crew.frames(index)) {
      await writer.pass(planes);
      await written(() => plans.frameAt(plans.times[index] ?? 0));
    }
    motion.warnings.push(...crew.warnings);
    onProgress({ phase: 'finishing', frame: frames, frames });
    return await timed('finish and check', () => encoder.finish());
  } catch (error) {
    // It is shown with the failure; a missing one is no failure.
    if (index > first) await writer.smallPicture().then(onPicture, () => undefined);
    throw error;
  } finally {
    await crew.close();
    await encoder.close();
  }
}

/** Writes what is on the painter's canvas as the render's separate picture. */
export function writeSnapshot(
  { snapshotPath, madeFrom }: RenderJob,
  { painter }: Stage,
): Promise<void> {
  return writeStill(painter.canvas, 'jpg', snapshotPath, tagsOf(madeFrom));
}

/**
 * The frame that is also written as a separate picture, or null.
 *
 * @param firstPicture As in `RenderJob`.
 */
export function separateSnapshotFrame(
  { output, snapshotTime, snapshotLocation }: Timeline,
  firstPicture = false,
): number | null {
  const { format, frameCount, frameRate } = output;
  const isShown = isFilm(format) || isSequence(format);
  if (snapshotTime === null || snapshotLocation !== null || !isShown)
    return firstPicture && isSequence(format) ? 0 : null;
  return Math.min(frameCount - 1, Math.max(0, Math.round(snapshotTime * frameRate)));
}
