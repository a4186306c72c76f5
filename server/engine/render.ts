/**
 * The whole render on one page: source in, finished file out. Runs in a worker process.
 *
 * Phases are folders and pass plain data on: assets ▸ compile ▸ (layout ▸ paint ▸ encode) for every frame. This file,
 * frame-writer.ts, overlay-film.ts and stage.ts join them. They know no HTTP, no database and no Electron.
 */
import { isFilm, isStill } from '../../shared/renderscript/formats.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import type { Timeline } from '../../shared/engine/compile/timeline.ts';
import { mixSounds } from './encode/audio.ts';
import { checkResult, type FileFacts } from './encode/check.ts';
import { openEncoder, type EncoderOptions } from './encode/encoder.ts';
import { smallPicture, writeStill } from './encode/still.ts';
import { tagsOf } from './encode/tags.ts';
import type { Mix } from './encode/sound-check.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { frameWriter } from './frame-writer.ts';
import { isWorthFrames, renderOverlay } from './overlay-film.ts';
import { planOverlay, type OverlayPlan } from './overlay-plan.ts';
import { openCrew } from './painters/crew.ts';
import { frameTimes, planFrames, type PlanOptions } from './plan.ts';
import type { RenderContext, RenderJob, RenderResult } from './render-job.ts';
import { openStage, type Stage } from './stage.ts';
import { beginProfile, finishProfile, timed } from './stopwatch.ts';

/**
 * Renders a document to a file.
 *
 * @throws RenderError for everything that the document's author can act on; other errors are bugs.
 */
export async function render(job: RenderJob, context: RenderContext): Promise<RenderResult> {
  beginProfile();
  const stage = await openStage(job, context);
  try {
    const { format } = stage.timeline.output;
    if (job.moment !== undefined) return await renderStill(job, stage, job.moment);
    if (isStill(format)) return await renderStill(job, stage, 0);
    return await renderMotion(job, stage, context);
  } finally {
    await stage.close();
    finishProfile();
  }
}

/** Pictures: one frame, no clock. A moment of a video is one too. */
async function renderStill(job: RenderJob, stage: Stage, moment: number): Promise<RenderResult> {
  await stage.draw(stage.layout.frameAt(moment));
  const format = job.outputPath.endsWith('.png') ? 'png' : 'jpg';
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
): Promise<RenderResult> {
  const { timeline, layout, ffmpeg } = stage;
  const { signal, onProgress } = context;
  const { output } = timeline;
  if (!ffmpeg) throw new Error('a moving picture was started without an encoder');
  const frames = output.frameCount;
  onProgress({ phase: 'rendering', frame: 0, frames });

  const plans: PlanOptions = {
    timeline,
    frameAt: (time) => layout.frameAt(time),
    times: frameTimes(timeline),
    scale: stage.scale,
    media: stage.media,
  };
  const snapshotFrame = separateSnapshotFrame(timeline);
  const { sound, overlay } = await prepare(job, stage, { plans, snapshotFrame, ffmpeg, signal });
  const motion: Motion = {
    ...{ job, stage, context, plans, overlay, snapshotFrame },
    encoding: {
      ...{ ffmpeg, output, sound, signal },
      filePath: job.outputPath,
      workFolder: job.workFolder,
      tags: tagsOf(job.madeFrom),
    },
    warnings: [],
  };
  const facts = (await inOneProcess(motion)) ?? (await frameAfterFrame(motion));
  const warnings = [...stage.warnings(), ...motion.warnings];
  return { facts, snapshot: motion.snapshotFrame !== null, warnings };
}

/** Mixes the sound, which the encoder starts with. Meanwhile the film is planned, and the decoders of its first frame start. */
async function prepare(
  job: RenderJob,
  stage: Stage,
  { plans, snapshotFrame, ffmpeg, signal }: Preparation,
): Promise<{ readonly sound: Mix | null; readonly overlay: OverlayPlan | null }> {
  const { sounds, output } = stage.timeline;
  const failed = new AbortController();
  const mixing = timed('mix sounds', () =>
    mixSounds(sounds, {
      paths: stage.soundPaths,
      duration: output.frameCount / output.frameRate,
      ffmpeg,
      workFolder: job.workFolder,
      signal: AbortSignal.any([signal, failed.signal]),
    }),
  );
  // Whoever waits for it below sees its failure.
  mixing.catch(() => undefined);
  try {
    const overlay = job.closely ? null : await planOverlay(plans, signal);
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

/** A film or gif about to be made. */
interface Motion {
  readonly job: RenderJob;
  readonly stage: Stage;
  readonly context: RenderContext;
  readonly encoding: EncoderOptions;
  readonly plans: PlanOptions;
  /** How one ffmpeg can make all of it; null if none can. */
  readonly overlay: OverlayPlan | null;
  /** See separateSnapshotFrame. */
  readonly snapshotFrame: number | null;
  /** Those that the stage does not know of. */
  readonly warnings: Problem[];
}

/** A film of one video under graphics; null if it is another, or must be made frame after frame. */
async function inOneProcess(motion: Motion): Promise<FileFacts | null> {
  const { job, stage, context, encoding, plans, overlay: plan, snapshotFrame } = motion;
  const { signal, onProgress, wantsPicture, onPicture } = context;
  if (!plan) return null;
  const frames = plans.times.length;
  const draw = (index: number): Promise<void> =>
    stage.draw(plans.frameAt(plans.times[Math.min(index, frames - 1)] ?? 0));
  try {
    const facts = await renderOverlay({
      ...{ stage, plan, frames: plans, encoding },
      async onFrames(done) {
        onProgress({ phase: done < frames ? 'rendering' : 'finishing', frame: done, frames });
        if (!wantsPicture?.()) return;
        await draw(done);
        onPicture?.(await smallPicture(stage.painter.canvas));
      },
    });
    onProgress({ phase: 'finishing', frame: frames, frames });
    if (snapshotFrame === null) return facts;
    await draw(snapshotFrame);
    await writeSnapshot(job, stage);
    return facts;
  } catch (error) {
    if (signal.aborted || !isWorthFrames(error)) throw error;
    return null;
  }
}

/** Frame after frame into the encoder: painted here, and by threads as soon as that pays. */
async function frameAfterFrame(motion: Motion): Promise<FileFacts> {
  const { job, stage, context, encoding, plans, snapshotFrame } = motion;
  const { signal, onProgress, wantsPicture, onPicture } = context;
  const frames = plans.times.length;
  const encoder = await timed('start encoder', () => openEncoder(encoding));
  const writer = frameWriter(stage, encoder);
  const crew = await openCrew(job, stage, context, encoder);
  let index = 0;
  const written = async (frameAt: () => Frame): Promise<void> => {
    if (index === snapshotFrame) {
      if (!writer.isWhole) await stage.draw(frameAt());
      await writeSnapshot(job, stage);
    }
    if (wantsPicture?.()) onPicture?.(await writer.smallPicture());
    index++;
    onProgress({ phase: 'rendering', frame: index, frames });
  };
  try {
    for (const plan of planFrames(plans, snapshotFrame)) {
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
    if (index > 0) await writer.smallPicture().then(onPicture, () => undefined);
    throw error;
  } finally {
    await crew.close();
    await encoder.close();
  }
}

function writeSnapshot({ snapshotPath, madeFrom }: RenderJob, { painter }: Stage): Promise<void> {
  return writeStill(painter.canvas, 'jpg', snapshotPath, tagsOf(madeFrom));
}

/** The frame that is also written as a separate picture, or null. */
function separateSnapshotFrame({
  output,
  snapshotTime,
  snapshotLocation,
}: Timeline): number | null {
  if (snapshotTime === null || snapshotLocation !== null || !isFilm(output.format)) return null;
  return Math.min(output.frameCount - 1, Math.max(0, Math.round(snapshotTime * output.frameRate)));
}
