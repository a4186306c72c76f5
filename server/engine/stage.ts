/**
 * The stage of a document: checked, its files fetched, compiled, and everything open for drawing its frames. Renders
 * and previews use the same stage, hence the same pixels. Runs in a worker process.
 */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { drawWith } from '../../shared/engine/surface.ts';
import { formats, isFilm, isSequence, stillNamedBy } from '../../shared/renderscript/formats.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import type { Assets } from './assets/assets.ts';
import { fontsOf } from './assets/fonts/font-needs.ts';
import { FontBook } from './assets/fonts/fonts.ts';
import { ImageBook } from './assets/pictures/images.ts';
import { openSamples } from './sound-samples.ts';
import { openLuts } from './assets/luts.ts';
import type { loadAssets } from './assets/load.ts';
import { spokenTexts, type Transcripts } from './assets/speech/transcripts.ts';
import { createWindow } from './assets/videos/video-enlarger.ts';
import { VideoBook, type VideoRequest } from './assets/videos/video.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { OutputSettings, Timeline } from '../../shared/engine/compile/timeline.ts';
import type { Ffmpeg } from './ffmpeg.ts';
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
import type { Luts } from '../../shared/engine/lut.ts';
import { isPlainWay } from '../system/plain-way.ts';
import { canvasSurface } from './canvas-surface.ts';
import { gatherMaterials, isOwnPicture, type Materials } from './materials.ts';
import { isScaledByDecoder } from './plan.ts';
import type { RenderContext, RenderJob } from './render-job.ts';
import { isTimed, timed, timeElement } from './stopwatch.ts';

drawWith(canvasSurface);

/** Everything needed to draw frames, open until the render ends. */
export interface Stage {
  readonly timeline: Timeline;
  readonly layout: Layout;
  readonly painter: Painter<Canvas>;
  readonly ffmpeg: Ffmpeg | null;
  /** What it was built from. */
  readonly materials: Materials;
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
  /** The size in which each video is decoded, by the path of its element; absent: as large as it is drawn. */
  readonly clipSizes: ReadonlyMap<string, DrawnSize>;
  /**
   * Decodes what the clips of a frame show, or those of its ground and the graphics above; drawing it then waits for
   * nothing.
   */
  prepare(frame: Frame, ground: Ground | null): Promise<void>;
  /** Draws one moment on the painter's canvas, or only a part of it, and nothing elsewhere. */
  draw(frame: Frame, part?: Rect): Promise<void>;
  /**
   * The planes of a ground's video, cut to the output; draws the graphics above it on a separate canvas, or only a part
   * of them, and nothing elsewhere. The planes are valid until the next frame is drawn.
   */
  drawOver(ground: Ground, part?: Rect | 'none'): Promise<{ planes: Uint8Array; serial: number }>;
  /** Draws the graphics above a ground, or only a part, and nothing elsewhere, on the canvas for graphics. */
  drawGraphics(graphics: Frame, part?: Rect): Promise<void>;
  /** The canvas with the graphics; null while there were none. */
  graphics(): Canvas | null;
  /** Frees what is kept from frame to frame. Drawing goes on to work, and keeps it again. */
  rest(): void;
  close(): Promise<void>;
}

/**
 * Checks and compiles a document and opens everything for drawing its frames. The caller must close it.
 *
 * @param load Where the media come from; previews keep theirs. Default: fetched anew.
 * @throws RenderError
 */
export async function openStage(
  job: RenderJob,
  context: RenderContext,
  load?: typeof loadAssets,
): Promise<Stage> {
  return buildStage(job, context, await gatherMaterials(job, context, load));
}

/** Opens the stage of a document whose materials are there. The caller must close it. */
export async function buildStage(
  job: RenderJob,
  context: Pick<RenderContext, 'signal' | 'onElement'>,
  materials: Materials,
): Promise<Stage> {
  const { ffmpeg, assets, spoken, problems } = materials;
  const media = new Map([...assets.media].map(([source, file]) => [source, file.info]));
  const samples = await openSamples(materials.samples);
  const timeline = timed('compile', () =>
    compileTimeline(job.source, {
      media,
      scaling: job.scaling,
      transcripts: spoken.byText,
      samples,
      asFilm: !isOwnPicture(job),
    }),
  );

  const fonts = await timed('fonts', () => openFonts(job, assets, spoken));
  const pictures = await timed('decode pictures', () =>
    ImageBook.open(assets, (texts) => openSvgFonts(job, assets, texts)),
  );
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
  const onElement = isTimed ? timeElement : context.onElement;
  const books = { pictures, videos, fonts, luts: await openLuts(assets) };
  const drawing = createDrawing({ job, timeline, scale, sizes, media, books, onElement });
  const noticed = [assets, spoken, timeline, fonts, pictures, videos];
  return {
    timeline,
    layout: { ...layout, frameAt: (time) => timed('layout', () => layout.frameAt(time)) },
    ffmpeg,
    materials,
    files: assets.media,
    soundPaths: new Map([...assets.media].map(([source, file]) => [source, file.path])),
    problems,
    warnings: () => [...problems, ...noticed.flatMap(({ warnings }) => warnings)],
    scale: scaling(scale.x, scale.y),
    fonts,
    pictures,
    transcripts: spoken.byText,
    media,
    clipSizes: sizes,
    ...drawing,
    async close() {
      await videos.close();
      drawing.rest();
    },
  };
}

interface DrawingParts {
  readonly job: RenderJob;
  readonly timeline: Timeline;
  readonly scale: Scale;
  readonly sizes: ReadonlyMap<string, DrawnSize>;
  readonly media: ReadonlyMap<string, MediaInfo>;
  readonly books: {
    readonly pictures: ImageBook;
    readonly videos: VideoBook;
    readonly fonts: FontBook;
    readonly luts: Luts;
  };
  readonly onElement: RenderContext['onElement'];
}

/** Draws the frames of a stage on its canvases, each when the clips that it shows are decoded. */
function createDrawing({
  job,
  timeline,
  scale,
  sizes,
  media,
  books,
  onElement,
}: DrawingParts): Pick<
  Stage,
  'painter' | 'prepare' | 'draw' | 'drawOver' | 'drawGraphics' | 'graphics' | 'rest'
> {
  const { output } = timeline;
  const { pictures, videos } = books;
  const openPainter = (transparent: boolean): Painter<Canvas> =>
    createPainter({
      canvas: createCanvas(output.width, output.height),
      documentWidth: timeline.width,
      documentHeight: timeline.height,
      transparent,
      sources: books,
      onElement,
      closely: job.closely,
      keepsLayers: !isPlainWay(),
    });
  const painter = openPainter(keepsAlpha(job, timeline));
  let graphics: Painter<Canvas> | null = null;
  const window = createWindow(output.width, output.height);
  const prepare = (frame: Frame, ground: Ground | null): Promise<void> => {
    const above = clipRequests(ground?.graphics ?? frame, scale, sizes, output);
    const requests = ground ? [groundRequest(ground, output, media), ...above] : above;
    return timed('wait for decoder', () => videos.prepare(requests));
  };
  const paintGraphics = async (frame: Frame, part: Rect | undefined): Promise<void> => {
    const over = (graphics ??= openPainter(true));
    await timed('paint', () => over.paint(frame, part));
  };
  return {
    painter,
    prepare,
    graphics: () => graphics?.canvas ?? null,
    async drawOver(ground, part) {
      const { elementPath, place, veil } = ground;
      await prepare(ground.graphics, ground);
      if (part !== 'none') await paintGraphics(ground.graphics, part);
      const frame = videos.planarFrame(elementPath);
      if (!frame) throw new Error(`the video of a ground was not decoded: ${elementPath}`);
      const planes = timed('convert', () => window.show(frame, place, veil));
      return { planes, serial: frame.serial };
    },
    async drawGraphics(frame, part) {
      await prepare(frame, null);
      await paintGraphics(frame, part);
    },
    async draw(frame, part) {
      await prepare(frame, null);
      await timed('paint', () => painter.paint(frame, part));
    },
    rest() {
      pictures.close();
      painter.close();
      graphics?.close();
    },
  };
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

/** The fonts of a vector picture: what it looks like depends on it and the document's own fonts alone. */
function openSvgFonts(
  { source, fontFolder, addedFonts = [] }: RenderJob,
  assets: Assets,
  text: string,
): Promise<FontBook> {
  const { custom } = fontsOf(source, assets);
  const texts = [text];
  return FontBook.open({
    ...{ fontFolder, added: addedFonts, custom, families: [], texts, usesInstalled: false },
  });
}

/** The picture of the clip that a frame stands on; a colour over one that is enlarged comes later. */
function groundRequest(
  { elementPath, content, place, veil }: Ground,
  { frameRate }: OutputSettings,
  media: Stage['media'],
): VideoRequest {
  const info = media.get(content.source);
  const isVeiled = veil !== null && info !== undefined && isScaledByDecoder(place, info);
  return {
    elementPath,
    source: content.source,
    time: content.mediaTime,
    step: content.mediaSpeed / frameRate,
    width: place.width,
    height: place.height,
    pixels: 'yuv420p',
    ...(isVeiled && { veil }),
  };
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

function keepsAlpha(job: RenderJob, { output }: Timeline): boolean {
  if (job.moment !== undefined) return formats[stillNamedBy(job.outputPath)].keepsAlpha;
  const isKnown = isFilm(output.format) || isSequence(output.format);
  return isKnown ? output.hasAlpha === true : formats[output.format].keepsAlpha;
}
