/**
 * Phase 1, pictures: a moving avif as a moving png, because the drawing library only knows its first picture. ffmpeg
 * makes it, as the frames are a film in AV1.
 */
import { open, rm } from 'node:fs/promises';
import { examineLimits } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { runFfmpeg, type Ffmpeg } from '../../ffmpeg.ts';
import { frameTiming, type Release } from '../../ffmpeg-builds.ts';
import { renameOver } from '../../../system/files.ts';

/** True for an avif that says it is a sequence. */
async function isSequence(filePath: string): Promise<boolean> {
  await using file = await open(filePath, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
  if (bytesRead < 16 || buffer.toString('latin1', 4, 8) !== 'ftyp') return false;
  return buffer.toString('latin1', 8, Math.min(bytesRead, buffer.readUInt32BE(0))).includes('avis');
}

/**
 * Replaces a moving avif by a png that moves alike.
 *
 * @param ffmpeg Null if there is none that may read the file.
 * @returns False for a moving one that stays as it is: without ffmpeg, with transparency, or too large.
 */
export async function unrollAvif(
  filePath: string,
  ffmpeg: Ffmpeg | null,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await isSequence(filePath))) return true;
  if (!ffmpeg) return false;
  const target = `${filePath}.frames`;
  try {
    const report = await runFfmpeg(ffmpeg, unrollArguments(filePath, target, ffmpeg), {
      deadline: examineLimits.ffmpegTime,
      signal,
    });
    // Its opacity is a second film, in gray.
    if (/Stream #0:1/.test(report.split(/^Output #0/m)[0] ?? '')) return false;
    await renameOver(target, filePath);
    return true;
  } catch (error) {
    if (error instanceof RenderError && error.code !== 'cancelled') return false;
    throw error;
  } finally {
    await rm(target, { force: true });
  }
}

/** The arguments with which ffmpeg does it. */
export function unrollArguments(from: string, to: string, build: Release): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', from, '-map', '0:V:0'],
    ...[...frameTiming(build, 'passthrough'), '-sws_flags', 'accurate_rnd+full_chroma_int'],
    ...['-pix_fmt', 'rgb24', '-c:v', 'apng', '-plays', '0', '-f', 'apng', '-y', to],
  ];
}
