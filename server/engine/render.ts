/**
 * The whole render on one page: source in, finished file out. Runs in a worker process.
 *
 * Phases are folders and pass plain data on: assets ▸ compile ▸ (layout ▸ paint ▸ encode) for every frame. This file,
 * motion.ts, frame-writer.ts, overlay-film.ts and stage.ts join them. They know no HTTP, no database and no Electron.
 */
import { RenderError } from '../../shared/engine/errors.ts';
import { pieceLimits } from '../../shared/limits.ts';
import { isSound, isStill, stillNamedBy } from '../../shared/renderscript/formats.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import { checkResult } from './encode/check.ts';
import type { Mix } from './encode/sound-check.ts';
import { requireEncoders } from './encode/film-formats.ts';
import { diskFull } from './encode/publish.ts';
import { writeStill } from './encode/still.ts';
import { tagsOf } from './encode/tags.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { makeMotion, plansOf, separateSnapshotFrame } from './motion.ts';
import { cutFilm } from './pieces/cuts.ts';
import { divideFilm } from './pieces/split.ts';
import { mayBeKept, renderKept, type KeptFilm } from './pieces/kept-film.ts';
import { giveUpPieces, pieceFolder } from '../system/kept-pieces.ts';
import type { RenderContext, RenderJob, RenderResult } from './render-job.ts';
import { planOverlay, type OverlayPlan } from './overlay-plan.ts';
import { planFrames, type PlanOptions } from './plan.ts';
import type { Hardware } from './encode/hardware.ts';
import { byHardware } from './hardware-film.ts';
import { writeReceipt } from './receipt.ts';
import { mixStage } from './sound.ts';
import { renderSound } from './sound-file.ts';
import { openStage, type Stage } from './stage.ts';
import { beginProfile, finishProfile, timed } from './stopwatch.ts';

/**
 * Renders a document to a file.
 *
 * @throws RenderError for everything that the document's author can act on; other errors are bugs.
 */
export async function render(job: RenderJob, context: RenderContext): Promise<RenderResult> {
  return onStage(job, context, (stage) => renderStage(job, stage, context));
}

/** Does something with a document's stage, and closes it. @throws RenderError */
export async function onStage<Result>(
  job: RenderJob,
  context: RenderContext,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  beginProfile();
  const stage = await openStage(job, context);
  try {
    return await work(stage);
  } finally {
    await stage.close();
    finishProfile();
  }
}

/** Renders the document of a stage to a file; a full disk gives up the kept pieces first. @throws RenderError */
export function renderStage(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
): Promise<RenderResult> {
  return withReceipt(job, stage, context, () => drawStage(job, stage, context));
}

/** Makes a job's file, and then its receipt, if one was asked for. @throws what `make` does */
export async function withReceipt(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
  make: () => Promise<RenderResult>,
): Promise<RenderResult> {
  const result = await make();
  const { receiptPath } = job;
  if (receiptPath !== undefined) {
    // The file is what was asked for.
    const { encoder } = result;
    await timed('receipt', () => writeReceipt(job, stage, receiptPath, encoder)).catch(
      (error: unknown) => context.onNote?.(`the receipt was not written: ${String(error)}`),
    );
  }
  return result;
}

async function drawStage(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
): Promise<RenderResult> {
  try {
    return await drawFormat(job, stage, context);
  } catch (error) {
    const folder = pieceFolder(job.cacheFolder);
    const isFull = error instanceof RenderError && error.message === diskFull;
    if (!isFull || !(await giveUpPieces(folder))) throw error;
    return drawFormat({ ...job, piecesLimit: 0 }, stage, context);
  }
}

function drawFormat(job: RenderJob, stage: Stage, context: RenderContext): Promise<RenderResult> {
  const { format } = stage.timeline.output;
  if (job.moment !== undefined) return renderStill(job, stage, job.moment);
  if (isStill(format)) return renderStill(job, stage, 0);
  if (isSound(format)) return renderSound(job, stage, format, context);
  return byHardware(job, stage, context, (hardware) => renderMotion(job, stage, context, hardware));
}

/** Pictures: one frame, no clock. A moment of a video is one too. */
async function renderStill(job: RenderJob, stage: Stage, moment: number): Promise<RenderResult> {
  await stage.draw(stage.layout.frameAt(moment));
  const format = stillNamedBy(job.outputPath);
  await timed('write picture', () =>
    writeStill(stage.painter.canvas, format, job.outputPath, tagsOf(job.madeFrom)),
  );
  const { width, height } = stage.timeline.output;
  const facts = await timed('finish and check', () =>
    checkResult(job.outputPath, { format, width, height }),
  );
  return { facts, snapshot: false, warnings: stage.warnings() };
}

/** What moves: the sound first, then the frames, at the pace that the encoder sets. */
async function renderMotion(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
  hardware: Hardware | null,
): Promise<RenderResult> {
  const { timeline, ffmpeg } = stage;
  const { signal, onProgress } = context;
  const { output } = timeline;
  if (!ffmpeg) throw new Error('a moving picture was started without an encoder');
  const frames = output.frameCount;
  const { format } = output;
  if (!isStill(format)) requireEncoders(ffmpeg, { ...output, format }, timeline.sounds.length > 0);
  onProgress({ phase: 'rendering', frame: 0, frames });

  const plans = plansOf(stage);
  const kept = hardware ? null : await planKept(job, stage, { plans, ffmpeg, signal });
  if (kept) return renderKept(job, stage, context, kept);
  const snapshotFrame = separateSnapshotFrame(timeline, job.firstPicture);
  const { sound, overlay } = await prepare(job, stage, { plans, snapshotFrame, ffmpeg, signal });
  const warnings: Problem[] = [];
  const facts = await makeMotion({
    ...{ job, stage, context, plans, overlay, snapshotFrame, warnings },
    encoding: {
      ...{ ffmpeg, output, sound, signal },
      ...(hardware && { hardware }),
      filePath: job.outputPath,
      workFolder: job.workFolder,
      tags: tagsOf(job.madeFrom),
    },
    range: { first: 0, end: frames },
  });
  warnings.push(...(sound?.warnings ?? []));
  return { facts, snapshot: snapshotFrame !== null, warnings: [...stage.warnings(), ...warnings] };
}

/** How a film is made in pieces that are kept; null: it is left whole. */
async function planKept(
  job: RenderJob,
  stage: Stage,
  { plans, ffmpeg, signal }: Omit<Preparation, 'snapshotFrame'>,
): Promise<KeptFilm | null> {
  const { piecesLimit: limit = pieceLimits.kept, isShared = false } = job;
  const { timeline } = stage;
  if (job.isDivided === true) {
    const isOneProcess = (await planOverlay(plans, ffmpeg, signal)) !== null;
    return { plans, ranges: divideFilm(timeline), isOneProcess, limit };
  }
  if (limit === 0 || !mayBeKept(job, stage)) return null;
  // Cheap, and enough for most.
  if (cutFilm(timeline, { isOneProcess: false, isShared }).length < 2) return null;
  const isOneProcess = (await planOverlay(plans, ffmpeg, signal)) !== null;
  const ranges = cutFilm(timeline, { isOneProcess, isShared });
  return ranges.length < 2 ? null : { plans, ranges, isOneProcess, limit };
}

/**
 * Mixes the sound, which the encoder starts with. Meanwhile the film is planned, and the decoders of its first frame
 * start.
 */
async function prepare(
  job: RenderJob,
  stage: Stage,
  { plans, snapshotFrame, ffmpeg, signal }: Preparation,
): Promise<{ readonly sound: Mix | null; readonly overlay: OverlayPlan | null }> {
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const mixing = mixStage(stage, ffmpeg, job.workFolder, ended);
  // Whoever waits for it below sees its failure.
  mixing.catch(() => undefined);
  try {
    const overlay = job.closely ? null : await planOverlay(plans, ffmpeg, signal);
    const [first] = overlay ? [] : planFrames(plans, snapshotFrame);
    if (first) await stage.prepare(first.frame, first.ground);
    return { sound: await mixing, overlay };
  } catch (error) {
    failed.abort();
    await mixing.catch(() => undefined);
    throw error;
  }
}

/** What the first steps need. */
interface Preparation {
  readonly plans: PlanOptions;
  readonly snapshotFrame: number | null;
  readonly ffmpeg: Ffmpeg;
  readonly signal: AbortSignal;
}
