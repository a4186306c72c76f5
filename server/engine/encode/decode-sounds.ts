/**
 * Decodes sounds of media files to samples on the disk with ffmpeg, each stretch once. Runs in the worker before
 * mixing.
 */
import os from 'node:os';
import path from 'node:path';
import { decodeLimits } from '../../../shared/limits.ts';
import { sniffFile } from '../assets/examine/sniff-file.ts';
import type { Sound } from '../../../shared/engine/compile/timeline.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import { decoderLimits } from '../cage.ts';
import { decoderKilled, runFfmpeg, type Ffmpeg } from '../ffmpeg.ts';
import { soundArguments, soundRate, type SoundCut } from './arguments.ts';
import { joinLength } from './joins.ts';
import { readWavFacts, type Decoded } from './wav.ts';

/** What mixing needs besides the sounds. */
export interface MixOptions {
  /** Local file of every `Sound.source`. */
  readonly paths: ReadonlyMap<string, string>;
  /** Seconds of the output: frames ÷ frame rate. */
  readonly duration: number;
  readonly ffmpeg: Ffmpeg;
  /** The mix stays here; everything else is removed. */
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

/**
 * Decodes what the sounds play, equal stretches once, a few at the same time. Results in the order of the sounds.
 *
 * @throws RenderError `media_unreadable` naming the element, `cancelled`.
 */
export async function decodeSounds(
  sounds: readonly Sound[],
  options: MixOptions,
): Promise<Decoded[]> {
  const jobs = new Map<string, { sound: Sound; seconds: number }>();
  for (const sound of sounds) {
    const key = cutKey(sound);
    const seconds = Math.max(jobs.get(key)?.seconds ?? 0, secondsOfFile(sound, options.duration));
    jobs.set(key, { sound, seconds });
  }
  const results = new Map<string, Decoded>();
  const waiting = [...jobs].entries();
  const work = async (): Promise<void> => {
    for (const [index, [key, { sound, seconds }]] of waiting) {
      results.set(key, await decode(sound, seconds, `cut-${index}.wav`, options));
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, os.availableParallelism()) }, work));
  return sounds.map((sound) => {
    const result = results.get(cutKey(sound));
    if (!result) throw new Error(`${sound.path}: its sound was not decoded`);
    return result;
  });
}

function cutKey({ source, clip }: Sound): string {
  const { trimStart, trimDuration, loop, speed, speeds } = clip;
  return JSON.stringify([source, trimStart, trimDuration, loop, speeds ? 1 : speed]);
}

/**
 * Seconds of the file that are ever heard: a loop needs its whole pass and a little beyond, to join its passes;
 * anything else only what fits.
 */
function secondsOfFile({ start, duration, clip }: Sound, outputDuration: number): number {
  if (clip.loop) return clip.trimDuration + (joinLength / soundRate) * clip.speed;
  // A changing speed is applied afterwards, to everything that plays.
  if (clip.speeds) return clip.trimDuration;
  const played = Math.min(duration, outputDuration - start);
  return Math.min(clip.trimDuration, played * clip.speed);
}

async function decode(
  sound: Sound,
  seconds: number,
  name: string,
  options: MixOptions,
): Promise<Decoded> {
  const { paths, ffmpeg, workFolder, signal } = options;
  if (signal.aborted) throw new RenderError('cancelled', 'Render error: Cancelled');
  const source = paths.get(sound.source);
  if (source === undefined) throw new Error(`${sound.path}: no local file for its source`);
  const demuxer = (await sniffFile(source))?.demuxer;
  if (demuxer === undefined || demuxer === null) throw unreadable(sound);
  const filePath = path.join(workFolder, name);
  const { clip, fileStart } = sound;
  const cut: SoundCut = {
    path: source,
    demuxer,
    fileStart,
    track: sound.track ?? 0,
    start: clip.trimStart,
    duration: seconds,
    speed: clip.speeds ? 1 : clip.speed,
  };
  try {
    const deadline = decodeLimits.soundTime + seconds * 1_000;
    // As 32-bit samples of eight channels, and a minute more.
    const writes = (seconds + 60) * soundRate * 4 * 8;
    const limits = {
      ...decoderLimits,
      memory: decodeLimits.soundMemory,
      block: decodeLimits.soundBlock,
      writes: Math.ceil(writes),
    };
    await runFfmpeg(ffmpeg, soundArguments(cut, filePath), {
      signal,
      cwd: workFolder,
      deadline,
      limits,
    });
  } catch (error) {
    if (error instanceof RenderError && ['encoder_failed', 'media_unreadable'].includes(error.code))
      throw unreadable(sound, error);
    if (error instanceof RenderError && error.code === 'encoder_killed')
      throw decoderKilled(sound.name, `${sound.path}.source`, error);
    throw error;
  }
  return readWavFacts(filePath);
}

function unreadable({ name, path }: Sound, cause?: unknown): RenderError {
  const message = `Source error: ${name}.source: The sound of this file cannot be read`;
  return new RenderError('media_unreadable', message, { path: `${path}.source`, cause });
}
