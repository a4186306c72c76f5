/**
 * Opens a document as the engine does, but in pieces: tests can make many layouts and painters of it, and compare what
 * they draw. Video frames are made up, so that no decoder runs.
 */
import type { Canvas } from '@napi-rs/canvas';
import { fontsOf } from '../../server/engine/assets/fonts/font-needs.ts';
import { FontBook } from '../../server/engine/assets/fonts/fonts.ts';
import { ImageBook, type OpenFonts } from '../../server/engine/assets/pictures/images.ts';
import { loadAssets } from '../../server/engine/assets/load.ts';
import { loadTranscripts, spokenTexts } from '../../server/engine/assets/speech/transcripts.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { Timeline } from '../../shared/engine/compile/timeline.ts';
import type { Ffmpeg } from '../../server/engine/ffmpeg.ts';
import { scaling, type Matrix } from '../../shared/engine/geometry.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import type { LayoutContext } from '../../shared/engine/layout/bodies.ts';
import { createLayout, type Layout } from '../../shared/engine/layout/layout.ts';
import { clipSizes, videosOf } from '../../shared/engine/layout/video-use.ts';
import type { Painter } from '../../shared/engine/paint/paint.ts';
import type { VideoFrame } from '../../shared/engine/paint/sources.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { engineLimits } from '../../shared/limits.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { createMeasurer, createPainter } from './painter.ts';

/** The fonts of a vector picture's texts. */
export const vectorFonts: OpenFonts = (text) =>
  FontBook.open({ fontFolder: fontFolder(), families: [], custom: [], texts: [text] });

/** Options for opening a document. */
export interface DrawingOptions {
  /** Folder for the engine's files. */
  readonly scratch: string;
  readonly mediaFolders: readonly string[];
  readonly renderScale: number;
  /** Needed for documents with videos and sounds. */
  readonly ffmpeg?: Ffmpeg;
}

/** A document that can be drawn. Close it. */
export interface OpenedDrawing {
  readonly timeline: Timeline;
  /** Output pixels. */
  readonly width: number;
  readonly height: number;
  /** Document pixels → output pixels. */
  readonly scale: Matrix;
  /** What a layout works with. */
  readonly context: LayoutContext;
  /** A new layout. */
  layout(): Layout;
  /** A new painter. Its video frames are those of the last `show`. */
  painter(): Painter<Canvas>;
  /** Makes the video frames for a frame. */
  show(frame: Frame): void;
  close(): void;
}

/**
 * Opens a document.
 *
 * @throws RenderError
 */
export async function openDrawing(
  source: Source,
  { scratch, mediaFolders, renderScale, ffmpeg }: DrawingOptions,
): Promise<OpenedDrawing> {
  const options = {
    workFolder: scratch,
    cacheFolder: scratch,
    mediaFolders: [...mediaFolders],
    allowPrivateAddresses: false,
    ownPorts: [],
    pictureMegapixels: engineLimits.pictureMegapixels,
    mediaBytes: engineLimits.mediaBytes,
    signal: new AbortController().signal,
  };
  const assets = await loadAssets(source, options, ffmpeg ?? null);
  const spoken = await loadTranscripts(source, assets, {
    ...options,
    ffmpeg: null,
    transcriber: null,
    preview: true,
    onTranscribing: () => undefined,
  });
  const media = new Map([...assets.media].map(([key, { info }]) => [key, info]));
  const timeline = compileTimeline(source, {
    media,
    scaling: { renderScale },
    transcripts: spoken.byText,
  });
  const needs = fontsOf(source, assets);
  const texts = [...needs.texts, ...spokenTexts(spoken)];
  const fonts = await FontBook.open({ fontFolder: fontFolder(), ...needs, texts });
  const pictures = await ImageBook.open(assets, vectorFonts);
  const { width, height } = timeline.output;
  const size = { width, height, documentWidth: timeline.width, documentHeight: timeline.height };
  const factor = { x: width / timeline.width, y: height / timeline.height };
  const context: LayoutContext = { measurer: createMeasurer(fonts), media };
  const layout = (): Layout => createLayout(timeline, { measurer: createMeasurer(fonts), media });
  const sizes = clipSizes({ timeline, context, moment: undefined, scale: factor });
  const shown = new Map<string, VideoFrame>();
  const videos = { frame: (path: string) => shown.get(path) ?? null };
  return {
    timeline,
    width,
    height,
    scale: scaling(factor.x, factor.y),
    layout,
    context,
    painter: () =>
      createPainter({ ...size, transparent: false, sources: { pictures, fonts, videos } }),
    show(frame) {
      shown.clear();
      for (const { elementPath, content } of videosOf(frame, factor)) {
        const own = media.get(content.source);
        const wanted = sizes.get(elementPath);
        if (!own || !wanted) continue;
        const side = (length: number, most: number): number =>
          Math.max(1, Math.min(most, Math.ceil(length - 0.01)));
        const [across, down] = [side(wanted.width, own.width), side(wanted.height, own.height)];
        shown.set(elementPath, madeUpFrame(across, down, content.mediaTime));
      }
    },
    close: () => pictures.close(),
  };
}

const serials = new Map<string, number>();

/** A video frame: slanted stripes that show the moment. The same arguments give the same pixels and serial number. */
function madeUpFrame(width: number, height: number, seconds: number): VideoFrame {
  const key = `${width} ${height} ${seconds}`;
  const serial = serials.get(key) ?? serials.size + 1;
  serials.set(key, serial);
  const pixels = new Uint32Array(width * height);
  const shift = Math.round(seconds * 240);
  for (let x = 0; x < width; x++) {
    const step = (x + shift) & 255;
    pixels[x] = 0xff000000 | (step << 16) | ((x >> 2) & 255 & ~step) | (((x ^ shift) & 63) << 8);
  }
  for (let y = 1; y < height; y++) {
    pixels.copyWithin(y * width + 1, (y - 1) * width, y * width - 1);
    pixels[y * width] = pixels[y * width - 1] ?? 0;
  }
  return { rgba: new Uint8Array(pixels.buffer), width, height, serial, opaque: true };
}

/** The first different pixel of two canvases of one width, as `x, y`; null: none. */
export function firstDifference(one: Buffer, two: Buffer, width: number): string | null {
  if (one.equals(two)) return null;
  const pixel = Math.floor(one.findIndex((value, index) => value !== two[index]) / 4);
  let count = 0;
  let largest = 0;
  for (let index = 0; index < one.length; index++) {
    const difference = Math.abs((one[index] ?? 0) - (two[index] ?? 0));
    if (difference > 0) count++;
    largest = Math.max(largest, difference);
  }
  return `${pixel % width}, ${Math.floor(pixel / width)} (${count} bytes, up to ${largest} levels)`;
}
