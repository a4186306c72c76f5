/**
 * Samples of the sounds that shapes show: decoded once a file, beside it, in the form that layout reads. Phase 1, in
 * the worker.
 */
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { decodeLimits } from '../../shared/limits.ts';
import { scheduleDocument } from '../../shared/engine/compile/schedule.ts';
import {
  sampleRate,
  seenFiles,
  showsSound,
  type SoundSamples,
} from '../../shared/engine/compile/seen-sounds.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { decoderLimits } from './cage.ts';
import { sampleArguments } from './encode/arguments.ts';
import { decoderKilled, type Ffmpeg, runFfmpeg } from './ffmpeg.ts';
import type { Assets, MediaFile } from './assets/assets.ts';
import { sniffFile } from './assets/examine/sniff.ts';

/** Seconds of a file that are looked at; beyond, shapes show silence. */
const longest = 2 * 60 * 60;

/**
 * Paths of the samples that a document's shapes show, by the `source` of the file.
 * @throws RenderError `cancelled` …
 */
export async function decodeSamples(
  source: Source,
  { media }: Assets,
  ffmpeg: Ffmpeg | null,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const decoded = new Map<string, string>();
  if (!ffmpeg || !showsSound(source)) return decoded;
  const infos = new Map([...media].map(([name, { info }]) => [name, info]));
  for (const name of seenFiles(scheduleDocument(source, infos))) {
    const file = media.get(name);
    if (file) decoded.set(name, await samplesOf(file, ffmpeg, signal));
  }
  return decoded;
}

/** Reads them. */
export async function openSamples(
  paths: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, SoundSamples>> {
  const read = new Map<string, SoundSamples>();
  for (const [name, file] of paths) read.set(name, await readFile(file));
  return read;
}

async function samplesOf(file: MediaFile, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<string> {
  const { path: from, info, element = '', place = '' } = file;
  const filePath = `${from}.samples`;
  // The shelf of previews keeps files from one moment to the next.
  if (existsSync(filePath)) return filePath;
  const demuxer = (await sniffFile(from))?.demuxer;
  const seconds = Math.min(longest, info.duration + 1);
  const { picture, soundTrack: track = 0 } = info;
  const part = `${filePath}.part`;
  try {
    if (demuxer === undefined || demuxer === null)
      throw new RenderError('media_unreadable', 'The sound of this file cannot be read');
    const cut = { path: from, demuxer, track, fileStart: picture?.start ?? 0, seconds };
    await runFfmpeg(ffmpeg, sampleArguments(cut, sampleRate, part), {
      signal,
      cwd: path.dirname(from),
      deadline: decodeLimits.soundTime + seconds * 1_000,
      limits: {
        ...decoderLimits,
        memory: decodeLimits.soundMemory,
        block: decodeLimits.soundBlock,
        writes: Math.ceil((seconds + 60) * sampleRate),
      },
    });
    await rename(part, filePath);
    return filePath;
  } catch (error) {
    if (!(error instanceof RenderError) || error.code === 'cancelled') throw error;
    if (error.code === 'encoder_killed') throw decoderKilled(element, place, error);
    const message = `Source error: ${element}.source: The sound of this file cannot be read`;
    throw new RenderError('media_unreadable', message, { path: place, cause: error });
  }
}
