/**
 * A small copy of a video that browsers can decode, in the very colours that the engine's own decoder gives, for
 * playing it in the window. Kept by the content of the video. Runs in a worker process.
 */
import { rename, utimes } from 'node:fs/promises';
import path from 'node:path';
import { proxyLimits } from '../../shared/limits.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { isStandard, type MediaInfo } from '../../shared/engine/media-info.ts';
import { contentDigest, exists } from '../system/files.ts';
import { probe } from './assets/examine/probe.ts';
import { readingArguments, type DecoderPlan } from './assets/videos/video-decoder.ts';
import { colorTableFilter, writeColorTable } from './assets/videos/video-standard.ts';
import { decoderLimits } from './cage.ts';
import { findFfmpeg, startFfmpeg, stoppedError, type Ffmpeg } from './ffmpeg.ts';

/** Which video, and where copies are kept. */
export interface ProxyJob {
  readonly filePath: string;
  readonly folder: string;
  /** Exists already; the caller removes it. */
  readonly workFolder: string;
  readonly ffmpegPath?: string | undefined;
}

/** Frames from key frame to key frame: few, because the window jumps. */
const keyFrames = 12;
/** Of the time of a frame, microseconds: a frame that begins so little before 0 is the first one. */
const nearZero = 2_000;

/**
 * Sees to it that there is a copy: the one that was made before, or a new one.
 *
 * @returns its name in the folder.
 * @throws RenderError
 */
export async function writeProxy(job: ProxyJob, signal: AbortSignal): Promise<string> {
  const { filePath, folder, workFolder, ffmpegPath } = job;
  const name = `${await contentDigest(filePath, signal)}.mp4`;
  const target = path.join(folder, name);
  if (await exists(target)) {
    // The one used longest ago goes first.
    await utimes(target, new Date(), new Date());
    return name;
  }
  const ffmpeg = await findFfmpeg(ffmpegPath);
  const { info } = await probe(filePath, { ffmpeg, signal });
  const refusal = whyNot(info);
  if (refusal !== null) throw new RenderError('media_unreadable', refusal);
  if (info.picture && !isStandard(info.picture)) await writeColorTable(workFolder, info.picture);
  const made = path.join(workFolder, name);
  const args = proxyArguments(ffmpeg, filePath, info, path.resolve(made));
  const limits = { ...decoderLimits, writes: proxyLimits.bytes };
  const end = await startFfmpeg(ffmpeg, args, { signal, cwd: workFolder, limits }).finished;
  if (end.code !== 0) throw stoppedError(end);
  await rename(made, target);
  return name;
}

function whyNot(info: MediaInfo): string | null {
  if (info.kind !== 'video') return 'The file is not a video';
  if (info.hasAlpha) return 'A small copy of a video would lose its opacity';
  return info.duration > proxyLimits.longest ? 'The video is too long for a small copy' : null;
}

/** ffmpeg's arguments: every frame at its own time, BT.709 in limited range. Pure. */
function proxyArguments(
  ffmpeg: Ffmpeg,
  filePath: string,
  info: MediaInfo,
  target: string,
): string[] {
  const scale = Math.min(1, proxyLimits.side / Math.max(info.width, info.height));
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * scale) / 2));
  // What is not in planes of a matrix that ffmpeg was told is brought there by way of RGB.
  const { picture } = info;
  const standard = picture && !isStandard(picture) ? [colorTableFilter] : [];
  const isPlain = picture !== undefined && isStandard(picture) && !/rgb|gray/.test(picture.matrix);
  const plan: DecoderPlan = {
    time: 0,
    step: 1,
    everyFrame: true,
    width: even(info.width),
    height: even(info.height),
    pixels: isPlain ? 'yuv420p' : standard.length > 0 ? 'gbrp16le' : 'rgba',
  };
  const colors = isPlain
    ? []
    : ['scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd', 'format=yuv420p'];
  const then = [...standard, ...colors, `trim=start_pts=${-nearZero}`];
  const marks = ['-colorspace', '-color_primaries', '-color_trc'].flatMap((key) => [key, 'bt709']);
  return [
    ...readingArguments(ffmpeg, { source: '', path: filePath, info }, plan, then),
    ...['-enc_time_base', '1:90000', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18'],
    ...['-threads', '2', '-g', String(keyFrames), '-bf', '0', ...marks, '-color_range', 'tv'],
    ...['-map_metadata', '-1', '-movflags', '+faststart', '-f', 'mp4', '-y', target],
  ];
}
