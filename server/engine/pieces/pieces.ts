/**
 * A film made in pieces (split.ts): whether it is, a piece of its frames, its sound, and all of it joined. Each is the
 * work of one worker, on a stage of its own; the phases are those of any film. Runs in a worker.
 */
import type { Problem } from '../../../shared/renderscript/source.ts';
import { makeMotion, plansOf, rangeOf, separateSnapshotFrame, writeSnapshot } from '../motion.ts';
import { planOverlay } from '../overlay-plan.ts';
import type { FrameRange } from '../plan.ts';
import type { RenderContext, RenderJob, RenderResult } from '../render-job.ts';
import { onStage, renderStage, withReceipt } from '../render.ts';
import type { Stage } from '../stage.ts';
import { ffmpegOf, joinFilm, makeSound, otherInputs } from './join.ts';
import { printOf, splitFilm, type Offer, type PieceBasis, type Split } from './split.ts';

/** What there is to make: some frames, or the sound. */
export type Piece = FrameRange | 'sound';

/**
 * Renders a document, unless it is better divided: then only its separate picture is made, if it has one.
 *
 * @throws RenderError
 */
export function renderOrSplit(
  job: RenderJob,
  context: RenderContext,
  offer: Offer,
): Promise<RenderResult | Split> {
  return onStage(job, context, async (stage) => {
    const split = await splitFilm(job, stage, offer, context.signal);
    if (!split) return renderStage(job, stage, context);
    const frame = separateSnapshotFrame(stage.timeline);
    if (frame !== null) {
      const plans = plansOf(stage);
      await stage.draw(plans.frameAt(plans.times[frame] ?? 0));
      await writeSnapshot(job, stage);
    }
    return split;
  });
}

/**
 * Makes a piece as `job.outputPath`.
 *
 * @param build As in `Offer`.
 * @returns warnings.
 * @throws RenderError `pieces_differ` if this computer's files or programs are others than those that the split was
 * made from.
 */
export function makePiece(
  job: RenderJob,
  context: RenderContext,
  { basis, piece, build }: { basis: PieceBasis; piece: Piece; build: string },
): Promise<readonly Problem[]> {
  return onStage(job, context, async (stage) => {
    if ((await printOf(job, stage, build)) !== basis.print) throw otherInputs('other inputs');
    if (piece !== 'sound') return makeFrames(job, stage, context, piece, basis);
    return [...stage.warnings(), ...(await makeSound(job, stage, context))];
  });
}

async function makeFrames(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
  range: FrameRange,
  { isOneProcess }: PieceBasis,
): Promise<readonly Problem[]> {
  const { timeline } = stage;
  const ffmpeg = ffmpegOf(stage);
  const { signal, onProgress } = context;
  const frameCount = range.end - range.first;
  onProgress({ phase: 'rendering', frame: 0, frames: frameCount });
  const plans = plansOf(stage);
  const overlay = isOneProcess ? await planOverlay(rangeOf(plans, range), ffmpeg, signal) : null;
  const warnings: Problem[] = [];
  await makeMotion({
    ...{ job, stage, context, range, warnings },
    // It was written with the split.
    snapshotFrame: null,
    encoding: {
      ...{ ffmpeg, signal, sound: null, isPiece: true },
      output: { ...timeline.output, frameCount },
      filePath: job.outputPath,
      workFolder: job.workFolder,
    },
    ...{ plans, overlay },
  });
  return [...stage.warnings(), ...warnings];
}

/** Where the pieces of a film are. */
export interface PieceFiles {
  /** One for each range. */
  readonly frames: readonly string[];
  /** Null: the film has no sound. */
  readonly sound: string | null;
}

/** Joins the pieces of several workers. @throws RenderError as `joinFilm` */
export function joinPieces(
  job: RenderJob,
  context: RenderContext,
  { split, files, reused }: { split: Split; files: PieceFiles; reused: number },
): Promise<RenderResult> {
  const { output, ranges, hasSnapshot: snapshot } = split;
  const { frameCount: frames } = output;
  return onStage(job, context, (stage) =>
    withReceipt({ ...job, isDivided: true }, stage, context, async () => {
      context.onProgress({ phase: 'finishing', frame: frames, frames });
      const pieces = ranges.map((range, index) => ({
        ...range,
        filePath: files.frames[index] ?? '',
      }));
      const parts = { output, pieces, sound: files.sound };
      const facts = await joinFilm(job, parts, ffmpegOf(stage), context.signal);
      return { facts, snapshot, warnings: [], ...(reused > 0 && { reused }) };
    }),
  );
}
