/**
 * The whole render on one page: source in, finished file out. Runs in a worker process.
 *
 * Phases are folders and pass plain data on: assets ▸ compile ▸ (layout ▸ paint ▸ encode) for every frame. This file,
 * frame-writer.ts and stage.ts join them. They know no HTTP, no database and no Electron.
 */
import { isFilm, isStill } from '../../shared/renderscript/formats.ts';
import type { Timeline } from '../../shared/engine/compile/timeline.ts';
import { mixSounds } from './encode/audio.ts';
import { checkResult } from './encode/check.ts';
import { openEncoder } from './encode/encoder.ts';
import { writeStill } from './encode/still.ts';
import { tagsOf } from './encode/tags.ts';
import { frameWriter } from './frame-writer.ts';
import { planFrames } from './plan.ts';
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

/** What moves: frame after frame into the encoder, which sets the pace. */
async function renderMotion(
  job: RenderJob,
  stage: Stage,
  { signal, onProgress, wantsPicture, onPicture }: RenderContext,
): Promise<RenderResult> {
  const { timeline, layout, painter, ffmpeg } = stage;
  const { output } = timeline;
  if (!ffmpeg) throw new Error('a moving picture was started without an encoder');
  const frames = output.frameCount;
  onProgress({ phase: 'rendering', frame: 0, frames });

  const sound = await timed('mix sounds', () =>
    mixSounds(timeline.sounds, {
      paths: stage.soundPaths,
      duration: frames / output.frameRate,
      ffmpeg,
      workFolder: job.workFolder,
      signal,
    }),
  );
  const encoder = await timed('start encoder', () =>
    openEncoder({
      ffmpeg,
      output,
      sound,
      filePath: job.outputPath,
      signal,
      workFolder: job.workFolder,
      tags: tagsOf(job.madeFrom),
    }),
  );
  const snapshotFrame = separateSnapshotFrame(timeline);
  const writer = frameWriter(stage, encoder);
  const plans = planFrames({
    timeline,
    frameAt: (time) => layout.frameAt(time),
    times: Array.from({ length: frames }, (_, index) => timeOfFrame(timeline, index)),
    scale: stage.scale,
    media: stage.media,
    wholeFrame: snapshotFrame,
  });
  let index = 0;
  try {
    for (const plan of plans) {
      signal.throwIfAborted();
      await writer.write(plan);
      if (index === snapshotFrame)
        await writeStill(painter.canvas, 'jpg', job.snapshotPath, tagsOf(job.madeFrom));
      if (wantsPicture?.()) onPicture?.(await writer.smallPicture());
      index++;
      onProgress({ phase: 'rendering', frame: index, frames });
    }
    onProgress({ phase: 'finishing', frame: frames, frames });
    const facts = await timed('finish and check', () => encoder.finish());
    return { facts, snapshot: snapshotFrame !== null, warnings: stage.warnings() };
  } catch (error) {
    // It is shown with the failure; a missing one is no failure.
    if (index > 0) await writer.smallPicture().then(onPicture, () => undefined);
    throw error;
  } finally {
    await encoder.close();
  }
}

/** Seconds that a frame shows. `snapshot_location` replaces the first or last frame with the snapshot's moment. */
function timeOfFrame({ output, snapshotTime, snapshotLocation }: Timeline, index: number): number {
  if (snapshotTime !== null) {
    if (snapshotLocation === 'start' && index === 0) return snapshotTime;
    if (snapshotLocation === 'end' && index === output.frameCount - 1) return snapshotTime;
  }
  return index / output.frameRate;
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
