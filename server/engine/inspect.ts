/**
 * A file for the media library: what it is, and a small picture of it. Runs in a worker process, like everything that
 * opens files of unknown origin.
 */
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { sniffFile } from './assets/examine/sniff.ts';
import { isLut, readLut } from './assets/luts.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import type { LibraryFacts } from '../../shared/api/media.ts';
import { probe } from './assets/examine/probe.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { render } from './render.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import { type FontFacts, readFontFacts } from './assets/fonts/font-file.ts';
import { shippedFamilies } from './assets/fonts/font-list.ts';

/** The file to inspect, and where its thumbnail goes. */
export interface InspectJob {
  readonly filePath: string;
  /** Without its ending, which depends on the file. */
  readonly thumbnailPath: string;
  /** Exists; the caller removes it. */
  readonly workFolder: string;
  readonly fontFolder: string;
  readonly ffmpegPath?: string | undefined;
  readonly limits: { readonly pictureMegapixels: number; readonly mediaBytes: number };
}

/** What was found. */
export interface Inspection {
  readonly info: MediaInfo | LibraryFacts;
  /** The file ends too early, and plays as far as it goes. */
  readonly isCutOff: boolean;
  /** Ending of the thumbnail: png if the file has alpha. Null for sounds. */
  readonly thumbnail: 'jpg' | 'png' | null;
}

/** Longest side of the thumbnail, pixels. */
const thumbnailSide = 320;
/** The thumbnail's moment in a video, in seconds: the first frame is often black. */
const thumbnailTime = 1;

/**
 * Finds out what a file is and draws its thumbnail.
 *
 * @throws RenderError whose message is only the reason: `The file is not a video, image or audio file we can read`.
 */
export async function inspectFile(job: InspectJob, signal: AbortSignal): Promise<Inspection> {
  if (await isLut(job.filePath)) return inspectLut(job, signal);
  const isPicture = (await sniffFile(job.filePath))?.kind === 'picture';
  const ffmpeg = isPicture ? null : await findFfmpeg(job.ffmpegPath);
  const { info, isCutOff } = await probe(job.filePath, { ffmpeg, signal });
  if (info.kind === 'audio') return { info, isCutOff, thumbnail: null };
  const thumbnail = info.hasAlpha ? 'png' : 'jpg';
  const { kind, width, height, duration } = info;
  const scale = Math.min(1, thumbnailSide / Math.max(width, height));
  const source: Source = {
    output_format: thumbnail,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    elements: [
      {
        type: kind,
        source: path.basename(job.filePath),
        fit: 'fill',
        ...((kind === 'video' || kind === 'lottie') && {
          trim_start: Math.min(thumbnailTime, duration / 2),
        }),
      },
    ],
  };
  try {
    await draw(job, source, thumbnail, signal);
  } catch (error) {
    // Messages for documents name the element; here there is only the file.
    if (!(error instanceof RenderError) || !(error.cause instanceof RenderError)) throw error;
    throw error.cause;
  }
  return { info, isCutOff, thumbnail };
}

/** Looks at a table of colors. Its picture is a small landscape as it changes it. */
async function inspectLut(job: InspectJob, signal: AbortSignal): Promise<Inspection> {
  await readLut(job.filePath);
  const shape = (path: string, fill_color: string, more: JsonObject = {}): JsonObject => {
    return { type: 'shape', width: '100%', height: '100%', path, fill_color, ...more };
  };
  const elements = [
    shape('M 0 0 H 100% V 100% H 0 Z', '#3d6fb4'),
    shape('M -20% 20% H 120% V 120% H -20% Z', '#f3c79c', { blur_radius: '12 vmin' }),
    shape('M 0 78% Q 30% 42% 62% 72% T 100% 60% V 100% H 0 Z', '#5c8a4e'),
    shape('M 0 96% Q 40% 62% 100% 88% V 100% H 0 Z', '#7a4b3a'),
    {
      ...shape('M 50% 0 A 50% 50% 0 1 1 50% 100% A 50% 50% 0 1 1 50% 0 Z', '#fff3d0'),
      x: '74%',
      y: '40%',
      width: '13 vmin',
      height: '13 vmin',
    },
    ...['#fff', '#aaa', '#555', '#000'].map((fill_color, at) => {
      return {
        ...shape('M 0 0 H 100% V 100% H 0 Z', fill_color),
        x: `${8 + 4 * at}%`,
        y: '90%',
        width: '4%',
        height: '8%',
      };
    }),
  ];
  const source: Source = {
    output_format: 'png',
    width: thumbnailSide,
    height: (thumbnailSide * 9) / 16,
    elements: [{ type: 'composition', look_lut: path.basename(job.filePath), elements }],
  };
  await draw(job, source, 'png', signal);
  const none = { width: 0, height: 0, duration: 0, frameRate: 0, hasAudio: false, hasAlpha: false };
  return { info: { kind: 'lut', format: 'cube', ...none }, isCutOff: false, thumbnail: 'png' };
}

async function draw(
  { filePath, thumbnailPath, workFolder, fontFolder, ffmpegPath, limits }: InspectJob,
  source: Source,
  format: 'jpg' | 'png',
  signal: AbortSignal,
): Promise<void> {
  await render(
    {
      source,
      scaling: {},
      outputPath: `${thumbnailPath}.${format}`,
      snapshotPath: `${thumbnailPath}-snapshot.jpg`,
      workFolder,
      cacheFolder: path.join(workFolder, 'cache'),
      mediaFolders: [path.dirname(filePath)],
      fontFolder,
      ffmpegPath,
      allowPrivateAddresses: false,
      ownPorts: [],
      limits,
    },
    { signal, onProgress: () => undefined },
  );
}

// A font file that someone adds: what it is, and whether the drawing library can use it. Runs in a worker process,
// like everything that opens files of unknown origin.

/** The font, and whether a shipped family has its name. */
interface FontInspection extends FontFacts {
  readonly isShipped: boolean;
}

/**
 * Finds out what a font file is, and draws with it.
 *
 * @throws RenderError whose message is only the reason, without a full stop.
 */
export function inspectFont(filePath: string, fontFolder: string): FontInspection {
  const facts = readFontFacts(readFileSync(filePath));
  // Its tables may be in order and its letters not.
  const alias = 'fw inspected';
  if (GlobalFonts.registerFromPath(filePath, alias) === null)
    throw new RenderError('media_unreadable', 'its letters are damaged, so nothing can be drawn');
  const context = createCanvas(400, 60).getContext('2d');
  context.font = `${facts.minWeight} 30px "${alias}"`;
  context.fillText(facts.family, 0, 40);
  return { ...facts, isShipped: shippedFamilies(fontFolder).has(looseName(facts.family)) };
}
