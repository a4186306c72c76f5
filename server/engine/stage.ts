/**
 * The stage of a document: checked, its files fetched, compiled, and everything open for drawing its frames. Renders and
 * previews use the same stage, hence the same pixels. Runs in a worker process.
 */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { drawWith } from '../../shared/engine/surface.ts';
import { formatOf, formats, isStill } from '../../shared/renderscript/formats.ts';
import { problemSentence, type Problem } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { Assets } from './assets/assets.ts';
import { collectMedia } from './assets/collect.ts';
import { fontsOf } from './assets/fonts/font-needs.ts';
import { FontBook } from './assets/fonts/fonts.ts';
import { ImageBook } from './assets/pictures/images.ts';
import { loadAssets } from './assets/load.ts';
import {
  followsSpeech,
  loadTranscripts,
  spokenTexts,
  type Transcripts,
} from './assets/speech/transcripts.ts';
import { VideoBook, type VideoRequest } from './assets/videos/video.ts';
import { createWindow } from './assets/videos/video-window.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { OutputSettings, Timeline } from '../../shared/engine/compile/timeline.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { findFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { scaling, type Matrix, type Rect } from '../../shared/engine/geometry.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import { createLayout, type Layout } from '../../shared/engine/layout/layout.ts';
import {
  clipSizes,
  videosOf,
  type DrawnSize,
  type Scale,
} from '../../shared/engine/layout/video-use.ts';
import { createMeasurer } from '../../shared/engine/paint/measure.ts';
import type { Ground } from '../../shared/engine/paint/ground.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { createPainter, type Painter } from '../../shared/engine/paint/paint.ts';
import { canvasSurface } from './canvas-surface.ts';
import type { RenderContext, RenderJob } from './render-job.ts';
import { isTimed, timed, timeElement } from './stopwatch.ts';

drawWith(canvasSurface);

/** Everything needed to draw frames, open until the render ends. */
export interface Stage {
  readonly timeline: Timeline;
  readonly layout: Layout;
  readonly painter: Painter<Canvas>;
  readonly ffmpeg: Ffmpeg | null;
  readonly soundPaths: ReadonlyMap<string, string>;
  /** The document's files, by its `source`. */
  readonly files: Assets['media'];
  /** The checker's problems, from before anything was opened. */
  readonly problems: readonly Problem[];
  /** All warnings so far; complete after the last frame, because fonts and clips report when used. */
  warnings(): readonly Problem[];
  /** Output pixels per document pixel. */
  readonly scale: Matrix;
  readonly fonts: FontBook;
  readonly pictures: ImageBook;
  /** Words of texts that follow speech, by the path of the text. */
  readonly transcripts: Transcripts['byText'];
  /** The files' facts, by the document's `source`. */
  readonly media: ReadonlyMap<string, MediaInfo>;
  /** Draws one moment on the painter's canvas, or only a part of it, and nothing elsewhere. */
  draw(frame: Frame, part?: Rect): Promise<void>;
  /**
   * The planes of a ground's video, cut to the output; draws the graphics above it on a separate canvas, or only a part of
   * them, and nothing elsewhere. The planes are valid until the next frame is drawn.
   */
  drawOver(ground: Ground, part?: Rect | 'none'): Promise<{ planes: Uint8Array; serial: number }>;
  /** Draws the graphics above a ground, or only a part, and nothing elsewhere, on the canvas for graphics. */
  drawGraphics(graphics: Frame, part?: Rect): Promise<void>;
  /** The canvas with the graphics; null while there were none. */
  graphics(): Canvas | null;
  close(): Promise<void>;
}

/**
 * Checks and compiles a document and opens everything for drawing its frames. The caller must close it.
 *
 * @param load Where the media come from; previews keep theirs.
 * @throws RenderError
 */
export async function openStage(
  job: RenderJob,
  context: RenderContext,
  load: typeof loadAssets = loadAssets,
): Promise<Stage> {
  const problems = checkSource(job);
  const ffmpeg = needsFfmpeg(job) ? await findFfmpeg(job.ffmpegPath) : null;
  const assets = await timed('fetch and probe', () =>
    load(job.source, assetOptions(job, context), ffmpeg),
  );
  const media = new Map([...assets.media].map(([source, file]) => [source, file.info]));
  const spoken = await transcriptsOf(job, context, assets, ffmpeg);
  const timeline = timed('compile', () =>
    compileTimeline(job.source, {
      media,
      scaling: job.scaling,
      transcripts: spoken.byText,
    }),
  );

  const fonts = await timed('fonts', () => openFonts(job, assets, spoken));
  const pictures = await timed('decode pictures', () => ImageBook.open(assets));
  const measured = { measurer: createMeasurer(fonts), media };
  const layout = createLayout(timeline, {
    ...measured,
    ...(context.onElement && { onElement: context.onElement }),
  });
  const { output } = timeline;
  const scale: Scale = { x: output.width / timeline.width, y: output.height / timeline.height };
  const sizes = timed('sizes of clips', () =>
    clipSizes({ timeline, context: measured, moment: job.moment, scale }),
  );
  const videos = new VideoBook({ assets, ffmpeg, signal: context.signal });
  const openPainter = (transparent: boolean): Painter<Canvas> =>
    createPainter({
      canvas: createCanvas(output.width, output.height),
      documentWidth: timeline.width,
      documentHeight: timeline.height,
      transparent,
      sources: { pictures, videos, fonts },
      onElement: isTimed ? timeElement : context.onElement,
      closely: job.closely,
    });
  const painter = openPainter(keepsAlpha(job, timeline));
  let graphics: Painter<Canvas> | null = null;
  const window = createWindow(output.width, output.height);
  const noticed = [assets, spoken, timeline, fonts, pictures, videos];

  return {
    timeline,
    layout: { ...layout, frameAt: (time) => timed('layout', () => layout.frameAt(time)) },
    painter,
    ffmpeg,
    files: assets.media,
    soundPaths: new Map([...assets.media].map(([source, file]) => [source, file.path])),
    problems,
    warnings: () => [...problems, ...noticed.flatMap(({ warnings }) => warnings)],
    scale: scaling(scale.x, scale.y),
    fonts,
    pictures,
    transcripts: spoken.byText,
    media,
    graphics: () => graphics?.canvas ?? null,
    async drawOver(ground, part) {
      const { elementPath, content, place } = ground;
      const clip: VideoRequest = {
        elementPath,
        source: content.source,
        time: content.mediaTime,
        step: content.mediaSpeed / output.frameRate,
        width: place.width,
        height: place.height,
        pixels: 'yuv420p',
      };
      await timed('wait for decoder', () =>
        videos.prepare([clip, ...clipRequests(ground.graphics, scale, sizes, output)]),
      );
      if (part !== 'none') {
        const over = (graphics ??= openPainter(true));
        await timed('paint', () => over.paint(ground.graphics, part));
      }
      const frame = videos.planarFrame(elementPath);
      if (!frame) throw new Error(`the video of a ground was not decoded: ${elementPath}`);
      return {
        planes: timed('convert', () => window.cut(frame, place)),
        serial: frame.serial,
      };
    },
    async drawGraphics(frame, part) {
      await timed('wait for decoder', () =>
        videos.prepare(clipRequests(frame, scale, sizes, output)),
      );
      const over = (graphics ??= openPainter(true));
      await timed('paint', () => over.paint(frame, part));
    },
    async draw(frame, part) {
      await timed('wait for decoder', () =>
        videos.prepare(clipRequests(frame, scale, sizes, output)),
      );
      await timed('paint', () => painter.paint(frame, part));
    },
    async close() {
      await videos.close();
      pictures.close();
      painter.close();
      graphics?.close();
    },
  };
}

/**
 * The checker's problems of a document that can be rendered.
 *
 * @throws RenderError `invalid_source` for one that can't.
 */
function checkSource({ source, scaling: wanted }: RenderJob): readonly Problem[] {
  const problems = validate(source, wanted);
  const error = problems.find((problem) => problem.severity === 'error');
  if (error)
    throw new RenderError('invalid_source', `Source error: ${problemSentence(error)}`, {
      path: error.path,
    });
  return problems;
}

function openFonts(
  { source, fontFolder, addedFonts = [] }: RenderJob,
  assets: Assets,
  spoken: Transcripts,
): Promise<FontBook> {
  const needs = fontsOf(source, assets);
  const texts = [...needs.texts, ...spokenTexts(spoken)];
  return FontBook.open({ fontFolder, added: addedFonts, ...needs, texts });
}

/** The pictures of clips that a frame shows. */
function clipRequests(
  frame: Frame,
  scale: Scale,
  sizes: ReadonlyMap<string, DrawnSize>,
  { frameRate }: OutputSettings,
): VideoRequest[] {
  return videosOf(frame, scale).map(({ elementPath, content, width, height }) => ({
    elementPath,
    source: content.source,
    time: content.mediaTime,
    step: content.mediaSpeed / frameRate,
    ...(sizes.get(elementPath) ?? { width, height }),
  }));
}

/** Pictures without video inputs are drawn and written without ffmpeg. */
function needsFfmpeg({ source, moment }: RenderJob): boolean {
  const still = moment !== undefined || isStill(formatOf(source));
  return !still || collectMedia(source).some(({ kind }) => kind !== 'image' && kind !== 'font');
}

/** The words of texts that follow speech; pictures have no speech, so `text` shows. */
async function transcriptsOf(
  job: RenderJob,
  context: RenderContext,
  assets: Assets,
  ffmpeg: Ffmpeg | null,
): Promise<Transcripts> {
  if (isStill(formatOf(job.source)) || !followsSpeech(job.source))
    return { byText: new Map(), warnings: [] };
  return loadTranscripts(job.source, assets, {
    ...assetOptions(job, context),
    ffmpeg,
    transcriber: job.transcriber ?? null,
    preview: job.moment !== undefined,
    onTranscribing: ({ recording: frame, recordings: frames, share }) =>
      context.onProgress({ phase: 'transcribing', frame, frames, share }),
  });
}

function keepsAlpha(job: RenderJob, { output }: Timeline): boolean {
  if (job.moment !== undefined) return job.outputPath.endsWith('.png');
  return formats[output.format].keepsAlpha;
}

/** A render's options for loading media. */
export function assetOptions(
  job: Pick<
    RenderJob,
    'workFolder' | 'cacheFolder' | 'mediaFolders' | 'allowPrivateAddresses' | 'ownPorts' | 'limits'
  >,
  { signal, onProgress, onElement }: RenderContext,
): Parameters<typeof loadAssets>[1] {
  return {
    workFolder: job.workFolder,
    cacheFolder: job.cacheFolder,
    mediaFolders: job.mediaFolders,
    allowPrivateAddresses: job.allowPrivateAddresses,
    ownPorts: job.ownPorts,
    pictureMegapixels: job.limits.pictureMegapixels,
    mediaBytes: job.limits.mediaBytes,
    signal,
    ...(onElement && { onElement }),
    onProgress: ({ files: frame, fileCount: frames, bytes, bytesTotal }) =>
      onProgress({
        phase: 'waiting',
        frame,
        frames,
        ...(bytes > 0 && { bytes }),
        ...(bytesTotal !== null && bytesTotal > 0 && { bytesTotal }),
      }),
  };
}
