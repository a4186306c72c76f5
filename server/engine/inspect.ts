/**
 * A file for the media library: what it is, and a small picture of it. Runs in a worker process, like everything that
 * opens files of unknown origin.
 */
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import type { Source } from '../../shared/renderscript/source.ts';
import { sniffFile } from './assets/examine/sniff.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
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
  readonly info: MediaInfo;
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
  const isPicture = (await sniffFile(job.filePath))?.kind === 'picture';
  const ffmpeg = isPicture ? null : await findFfmpeg(job.ffmpegPath);
  const { info, isCutOff } = await probe(job.filePath, { ffmpeg, signal });
  if (info.kind === 'audio') return { info, isCutOff, thumbnail: null };
  const thumbnail = info.hasAlpha ? 'png' : 'jpg';
  try {
    await drawThumbnail(job, info, thumbnail, signal);
  } catch (error) {
    // Messages for documents name the element; here there is only the file.
    if (!(error instanceof RenderError) || !(error.cause instanceof RenderError)) throw error;
    throw error.cause;
  }
  return { info, isCutOff, thumbnail };
}

async function drawThumbnail(
  { filePath, thumbnailPath, workFolder, fontFolder, ffmpegPath, limits }: InspectJob,
  { kind, width, height, duration }: MediaInfo,
  format: 'jpg' | 'png',
  signal: AbortSignal,
): Promise<void> {
  const scale = Math.min(1, thumbnailSide / Math.max(width, height));
  const source: Source = {
    output_format: format,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    elements: [
      {
        type: kind,
        source: path.basename(filePath),
        fit: 'fill',
        ...((kind === 'video' || kind === 'lottie') && {
          trim_start: Math.min(thumbnailTime, duration / 2),
        }),
      },
    ],
  };
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
