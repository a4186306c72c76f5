/**
 * The whole render on one page: source in, finished file out. Runs in a worker process.
 *
 * Phases are folders and hand plain data on: assets ▸ compile ▸ (layout ▸ paint ▸ encode) for every frame. Only this
 * file joins them. It knows no HTTP, no database and no Electron.
 */
import { problemSentence, type Problem, type Source } from '../../shared/renderscript/source.ts';
import { defaultOf } from '../../shared/renderscript/properties.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { Assets } from './assets/assets.ts';
import { FontBook, fontsOf } from './assets/fonts.ts';
import { ImageBook } from './assets/images.ts';
import { loadAssets } from './assets/load.ts';
import type { Transcriber } from './assets/transcribe.ts';
import {
  followsSpeech,
  loadTranscripts,
  spokenTexts,
  type Transcripts,
} from './assets/transcripts.ts';
import { VideoBook } from './assets/video.ts';
import { compileTimeline } from './compile/compile.ts';
import type { Timeline } from './compile/timeline.ts';
import { mixSounds } from './encode/audio.ts';
import { checkResult, type FileFacts } from './encode/check.ts';
import { openEncoder } from './encode/encoder.ts';
import { evenArea, type PixelArea } from './encode/pixels.ts';
import { smallPicture, writeStill } from './encode/still.ts';
import { tagsOf, type MadeFrom } from './encode/tags.ts';
import { RenderError } from './errors.ts';
import { findFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { scaling, type Matrix, type Rect } from './geometry.ts';
import { createLayout, type Layout } from './layout/layout.ts';
import { sameFrame } from './layout/same-frame.ts';
import type { Frame } from './layout/box.ts';
import { largestSizes, videosOf } from './layout/video-use.ts';
import { changedPart } from './paint/changes.ts';
import { createMeasurer } from './paint/measure.ts';
import { createPainter, type Painter } from './paint/paint.ts';
import { collectMedia } from './assets/collect.ts';

/** What to render, where to, and what it may touch. The worker's start message fits it. */
export interface RenderJob {
  /** RenderScript after modifications. */
  readonly source: Source;
  readonly scaling: { renderScale?: number; maxWidth?: number; maxHeight?: number };
  /** Seconds: draw this moment alone as a picture (png or jpg by the ending of `outputPath`). */
  readonly moment?: number;
  readonly outputPath: string;
  readonly snapshotPath: string;
  /** The template that `source` came from, which the file then names. */
  readonly madeFrom?: MadeFrom;
  /** Exists already; the caller removes it. */
  readonly workFolder: string;
  readonly cacheFolder: string;
  readonly mediaFolders: readonly string[];
  readonly fontFolder: string;
  readonly ffmpegPath?: string;
  /** For texts that follow a recording; absent = there is none. */
  readonly transcriber?: Transcriber;
  readonly allowPrivateAddresses: boolean;
  readonly limits: { pictureMegapixels: number; mediaBytes: number };
}

/** How far a render is. */
export interface RenderProgress {
  readonly phase: 'waiting' | 'transcribing' | 'rendering' | 'finishing';
  /** Frames written, and frames in all; files while waiting, per cent while transcribing. */
  readonly frame: number;
  readonly frames: number;
}

/** What came of it. */
export interface RenderResult {
  /** Read from the finished file. */
  readonly facts: FileFacts;
  /** True when a separate snapshot was written. */
  readonly snapshot: boolean;
  readonly warnings: readonly Problem[];
}

/** What a render tells while it runs, and what can end it. */
export interface RenderContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RenderProgress) => void;
  /** Asked after every frame: true when `onPicture` is to be given it. Absent: nobody looks. */
  readonly wantsPicture?: () => boolean;
  /** A small jpg of the frame drawn last. */
  readonly onPicture?: (jpg: Buffer) => void;
}

/**
 * Renders a document to a file.
 *
 * @throws RenderError for everything the person who sent the document can act on; other errors are bugs.
 */
export async function render(job: RenderJob, context: RenderContext): Promise<RenderResult> {
  const stage = await openStage(job, context);
  try {
    const { format } = stage.timeline.output;
    if (job.moment !== undefined) return await renderStill(job, stage, job.moment);
    if (format === 'jpg' || format === 'png') return await renderStill(job, stage, 0);
    return await renderMotion(job, stage, context);
  } finally {
    await stage.close();
  }
}

/** Everything that frames are drawn with, open until the render ends. */
export interface Stage {
  readonly timeline: Timeline;
  readonly layout: Layout;
  readonly painter: Painter;
  readonly ffmpeg: Ffmpeg | null;
  readonly soundPaths: ReadonlyMap<string, string>;
  /** What the checker said before anything was opened. */
  readonly problems: readonly Problem[];
  /** All that was noticed so far; complete after the last frame, because fonts and clips speak up when they are used. */
  warnings(): readonly Problem[];
  /** Output pixels per document pixel. */
  readonly scale: Matrix;
  /** Draws one moment on the painter's canvas, or the part of it that differs from what is there. */
  draw(frame: Frame, part?: Rect): Promise<void>;
  close(): Promise<void>;
}

/**
 * Checks and compiles a document and opens what its frames are drawn with. Close it.
 *
 * @param load Where the media come from; previews keep theirs.
 * @throws RenderError
 */
export async function openStage(
  job: RenderJob,
  context: RenderContext,
  load: typeof loadAssets = loadAssets,
): Promise<Stage> {
  const problems = validate(job.source, job.scaling);
  const error = problems.find((problem) => problem.severity === 'error');
  if (error)
    throw new RenderError('invalid_source', `Source error: ${problemSentence(error)}`, {
      path: error.path,
    });

  const ffmpeg = needsFfmpeg(job) ? await findFfmpeg(job.ffmpegPath) : null;
  const assets = await load(job.source, assetOptions(job, context), ffmpeg);
  const media = new Map([...assets.media].map(([source, file]) => [source, file.info]));
  const spoken = await transcriptsOf(job, context, assets, ffmpeg);
  const timeline = compileTimeline(job.source, {
    media,
    scaling: job.scaling,
    transcripts: spoken.byText,
  });

  const needs = fontsOf(job.source, assets);
  const texts = [...needs.texts, ...spokenTexts(spoken)];
  const fonts = await FontBook.open({ fontFolder: job.fontFolder, ...needs, texts });
  const pictures = await ImageBook.open(assets);
  const { output } = timeline;
  const scaleX = output.width / timeline.width;
  const scaleY = output.height / timeline.height;
  const measurer = createMeasurer(fonts);
  const layout = createLayout(timeline, { measurer, media });
  // Only moving media are decoded at a size, and looking through the document takes longer than a frame.
  const moves = [...media.values()].some(({ kind, duration }) => kind === 'video' || duration > 0);
  const samples = moves ? sampledFrames(timeline, layout, job.moment) : [];
  const sizes = largestSizes(samples, scaleX, scaleY);
  const videos = new VideoBook({ assets, ffmpeg, signal: context.signal });
  const painter = createPainter({
    width: output.width,
    height: output.height,
    documentWidth: timeline.width,
    documentHeight: timeline.height,
    transparent: keepsAlpha(job, timeline),
    sources: { pictures, videos, fonts },
  });

  return {
    timeline,
    layout,
    painter,
    ffmpeg,
    soundPaths: new Map([...assets.media].map(([source, file]) => [source, file.path])),
    problems,
    warnings: () =>
      [
        problems,
        assets.warnings,
        spoken.warnings,
        timeline.warnings,
        fonts.warnings,
        pictures.warnings,
        videos.warnings,
      ].flat(),
    scale: scaling(scaleX, scaleY),
    async draw(frame, part) {
      await videos.prepare(
        videosOf(frame, scaleX, scaleY).map(({ elementPath, content, width, height }) => ({
          elementPath,
          source: content.source,
          time: content.mediaTime,
          step: content.mediaSpeed / output.frameRate,
          ...(sizes.get(elementPath) ?? { width, height }),
        })),
      );
      painter.paint(frame, part);
    },
    async close() {
      await videos.close();
      pictures.close();
      painter.close();
    },
  };
}

/** Pictures: one frame, no clock. A moment of a video is one too. */
async function renderStill(job: RenderJob, stage: Stage, moment: number): Promise<RenderResult> {
  await stage.draw(stage.layout.frameAt(moment));
  const format = job.outputPath.endsWith('.png') ? 'png' : 'jpg';
  await writeStill(stage.painter.canvas, format, job.outputPath, tagsOf(job.madeFrom));
  const { width, height } = stage.timeline.output;
  const facts = await checkResult(job.outputPath, { format, width, height });
  return { facts, snapshot: false, warnings: stage.warnings() };
}

/** mp4 and gif: frame after frame into the encoder; its pace is ours. */
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

  const sound = await mixSounds(timeline.sounds, {
    paths: stage.soundPaths,
    duration: frames / output.frameRate,
    ffmpeg,
    workFolder: job.workFolder,
    signal,
  });
  const encoder = await openEncoder({
    ffmpeg,
    output,
    sound,
    filePath: job.outputPath,
    signal,
    workFolder: job.workFolder,
    tags: tagsOf(job.madeFrom),
  });
  const snapshotFrame = separateSnapshotFrame(timeline);
  try {
    let last: Frame | undefined;
    for (let index = 0; index < frames; index++) {
      signal.throwIfAborted();
      const frame = layout.frameAt(timeOfFrame(timeline, index));
      const changes = last ? changedPixels(stage, last, frame) : 'all';
      if (changes === 'none') {
        await encoder.repeat();
      } else if (changes === 'all') {
        await stage.draw(frame);
        await encoder.write(painter.canvas.data());
      } else {
        const { left: x, top: y, width, height } = changes;
        await stage.draw(frame, { x, y, width, height });
        await encoder.write(painter.read({ x, y, width, height }), changes);
      }
      if (index === snapshotFrame)
        await writeStill(painter.canvas, 'jpg', job.snapshotPath, tagsOf(job.madeFrom));
      if (wantsPicture?.()) onPicture?.(await smallPicture(painter.canvas));
      last = frame;
      onProgress({ phase: 'rendering', frame: index + 1, frames });
    }
    onProgress({ phase: 'finishing', frame: frames, frames });
    const facts = await encoder.finish();
    return { facts, snapshot: snapshotFrame !== null, warnings: stage.warnings() };
  } finally {
    await encoder.close();
  }
}

/** Share of the picture from which on reading a part of it costs more than reading all. */
const wholeFrom = 0.7;

/** What has to be painted, read back and converted for the next frame. A gif's palette wants whole frames. */
function changedPixels(
  { timeline: { output }, scale }: Stage,
  last: Frame,
  next: Frame,
): PixelArea | 'all' | 'none' {
  if (sameFrame(last, next)) return 'none';
  if (output.format !== 'mp4') return 'all';
  const part = changedPart(last, next, scale, {
    x: 0,
    y: 0,
    width: output.width,
    height: output.height,
  });
  if (!part) return 'none';
  const area = evenArea(
    { left: part.x, top: part.y, width: part.width, height: part.height },
    output.width,
    output.height,
  );
  return area.width * area.height > wholeFrom * output.width * output.height ? 'all' : area;
}

/** Seconds that a frame shows. `snapshot_location` puts the snapshot's moment in place of the first or last frame. */
function timeOfFrame({ output, snapshotTime, snapshotLocation }: Timeline, index: number): number {
  if (snapshotTime !== null) {
    if (snapshotLocation === 'start' && index === 0) return snapshotTime;
    if (snapshotLocation === 'end' && index === output.frameCount - 1) return snapshotTime;
  }
  return index / output.frameRate;
}

/** The frame that becomes a picture of its own beside the video, or null. */
function separateSnapshotFrame({
  output,
  snapshotTime,
  snapshotLocation,
}: Timeline): number | null {
  if (snapshotTime === null || snapshotLocation !== null || output.format !== 'mp4') return null;
  return Math.min(output.frameCount - 1, Math.max(0, Math.round(snapshotTime * output.frameRate)));
}

/** Frames spread over the whole document, enough to see how large every clip gets; fixed, so that results are too. */
function* sampledFrames(
  { output, duration }: Timeline,
  layout: Layout,
  moment: number | undefined,
): Generator<Frame> {
  const samples = Math.min(output.frameCount, 240);
  for (let index = 0; index < samples; index++) yield layout.frameAt((index * duration) / samples);
  if (moment !== undefined) yield layout.frameAt(moment);
}

/** Pictures without video inputs are drawn and written without ffmpeg. */
function needsFfmpeg({ source, moment }: RenderJob): boolean {
  const { output_format: format = defaultOf('root', 'output_format') } = source;
  const still = moment !== undefined || format === 'jpg' || format === 'png';
  return !still || collectMedia(source).some(({ kind }) => kind !== 'image' && kind !== 'font');
}

/** The words of texts that follow speech; in pictures nothing is spoken, and `text` shows. */
async function transcriptsOf(
  job: RenderJob,
  context: RenderContext,
  assets: Assets,
  ffmpeg: Ffmpeg | null,
): Promise<Transcripts> {
  const { output_format: format = defaultOf('root', 'output_format') } = job.source;
  if (format === 'jpg' || format === 'png' || !followsSpeech(job.source))
    return { byText: new Map(), warnings: [] };
  return loadTranscripts(job.source, assets, {
    ...assetOptions(job, context),
    ffmpeg,
    transcriber: job.transcriber ?? null,
    preview: job.moment !== undefined,
    onTranscribing: (share) =>
      context.onProgress({ phase: 'transcribing', frame: Math.floor(share * 100), frames: 100 }),
  });
}

function keepsAlpha(job: RenderJob, { output }: Timeline): boolean {
  if (job.moment !== undefined) return job.outputPath.endsWith('.png');
  return output.format === 'png' || output.format === 'gif';
}

/** What loading media needs to know of a render. */
export function assetOptions(
  job: Pick<
    RenderJob,
    'workFolder' | 'cacheFolder' | 'mediaFolders' | 'allowPrivateAddresses' | 'limits'
  >,
  { signal, onProgress }: RenderContext,
): Parameters<typeof loadAssets>[1] {
  return {
    workFolder: job.workFolder,
    cacheFolder: job.cacheFolder,
    mediaFolders: job.mediaFolders,
    allowPrivateAddresses: job.allowPrivateAddresses,
    pictureMegapixels: job.limits.pictureMegapixels,
    mediaBytes: job.limits.mediaBytes,
    signal,
    onProgress: (done, total) => onProgress({ phase: 'waiting', frame: done, frames: total }),
  };
}
