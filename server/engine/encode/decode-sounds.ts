/**
 * Decodes sounds of media files to samples on the disk with ffmpeg, each stretch once. Runs in the worker before
 * mixing.
 */
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { decodeLimits } from '../../../shared/limits.ts';
import { sniffFile } from '../assets/examine/sniff.ts';
import type { Sound } from '../../../shared/engine/compile/timeline.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import { decoderLimits } from '../cage.ts';
import { decoderKilled, type Ffmpeg, runFfmpeg } from '../ffmpeg.ts';
import { soundArguments, type SoundCut } from './arguments.ts';
import { denoise } from './denoise.ts';
import { type Decoded, readWavFacts, soundRate } from './wav.ts';

/** What mixing needs besides the sounds. */
export interface MixOptions {
  /** Local file of every `Sound.source`. */
  readonly paths: ReadonlyMap<string, string>;
  /** Seconds of the output: frames ÷ frame rate. */
  readonly duration: number;
  /** LUFS of the mix. Default: null, as it is. */
  readonly loudness?: number | null;
  readonly ffmpeg: Ffmpeg;
  /** The mix stays here; everything else is removed. */
  readonly workFolder: string;
  readonly signal: AbortSignal;
  /** Called with the share of the work that is done, 0–1, without that of decoding. */
  readonly onShare?: ((share: number) => void) | undefined;
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

function cutKey({ source, clip, noiseReduction = 0 }: Sound): string {
  const { trimStart, trimDuration, loop, speed, speeds } = clip;
  return JSON.stringify([
    source,
    trimStart,
    trimDuration,
    loop,
    speeds ? 1 : speed,
    noiseReduction,
  ]);
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
    const decoded = await readWavFacts(filePath);
    const { noiseReduction } = sound;
    if (noiseReduction === undefined || decoded.length === 0) return decoded;
    const cleaned = await denoise(decoded, noiseReduction, { ffmpeg, limits, deadline, signal });
    if (cleaned !== decoded) await rm(filePath);
    return cleaned;
  } catch (error) {
    if (error instanceof RenderError && ['encoder_failed', 'media_unreadable'].includes(error.code))
      throw unreadable(sound, error);
    if (error instanceof RenderError && error.code === 'encoder_killed')
      throw decoderKilled(sound.name, `${sound.path}.source`, error);
    throw error;
  }
}

function unreadable({ name, path }: Sound, cause?: unknown): RenderError {
  const message = `Source error: ${name}.source: The sound of this file cannot be read`;
  return new RenderError('media_unreadable', message, { path: `${path}.source`, cause });
}

// Joins keep cuts and loops from clicking. A click is a jump between two samples that stands out from its
// surroundings; only such places change, so that a drum beat cut at its attack keeps it.

/** Interleaved samples. */
export interface Samples {
  readonly channels: 1 | 2;
  readonly values: Float32Array;
}

/** Samples over which a pass fades into the next one: 5 ms. */
export const joinLength = Math.round(0.005 * soundRate);
/** Samples over which a sound that begins or ends in the middle of its file fades: 2 ms. */
export const edgeLength = Math.round(0.002 * soundRate);
/** Samples on each side of a jump that define what is usual: 1 ms. */
export const surroundings = Math.round(0.001 * soundRate);

/** A jump this small is hidden in a 16-bit file's noise. */
const inaudible = 0.002;
/** A jump no larger than this many usual steps is part of the sound. */
const usualSteps = 2;

/**
 * True when going from the last of `before` to the first of `after` would click.
 *
 * @param before, after Samples up to and from the join; null = silence.
 */
export function clicks(before: Samples | null, after: Samples | null): boolean {
  const channels = before?.channels ?? after?.channels ?? 1;
  for (let channel = 0; channel < channels; channel++) {
    const last = before ? sampleAt(before, lengthOf(before) - 1, channel) : 0;
    const first = after ? sampleAt(after, 0, channel) : 0;
    const jump = Math.abs(first - last);
    const usual = Math.max(
      largestStep(before, channel, 'end'),
      largestStep(after, channel, 'start'),
    );
    if (jump > inaudible && jump > usualSteps * usual) return true;
  }
  return false;
}

/**
 * The beginning of a later pass: an equal-power crossfade from what would have followed the last pass.
 *
 * @param head The beginning of the pass; as long as the join.
 * @param before The end of the pass before; at least as long.
 * @param beyond What the file has after that end, at least as long as the join; null if the file ends there: then the
 * end played backwards replaces it, because that continues without a jump and is as loud.
 */
export function joinPasses(head: Samples, before: Samples, beyond: Samples | null): Float32Array {
  const length = lengthOf(head);
  const { channels } = head;
  const end = lengthOf(before) - 1;
  const joined = new Float32Array(length * channels);
  for (let index = 0; index < length; index++) {
    const angle = (((index + 1) / (length + 1)) * Math.PI) / 2;
    const rise = Math.sin(angle);
    const fall = Math.cos(angle);
    for (let channel = 0; channel < channels; channel++) {
      const going = beyond
        ? sampleAt(beyond, index, channel)
        : sampleAt(before, end - 1 - index, channel);
      joined[index * channels + channel] = sampleAt(head, index, channel) * rise + going * fall;
    }
  }
  return joined;
}

/** Multiplies samples by a quarter of a sine, rising or falling, in place. */
export function fadeEdge({ values, channels }: Samples, kind: 'in' | 'out'): void {
  const length = values.length / channels;
  for (let index = 0; index < length; index++) {
    const share = (kind === 'in' ? index + 1 : length - index) / (length + 1);
    const factor = Math.sin((share * Math.PI) / 2);
    for (let at = index * channels; at < (index + 1) * channels; at++)
      values[at] = (values[at] ?? 0) * factor;
  }
}

function lengthOf({ values, channels }: Samples): number {
  return values.length / channels;
}

function sampleAt({ values, channels }: Samples, index: number, channel: number): number {
  return values[index * channels + channel] ?? 0;
}

/** The largest difference between neighbours near one end. */
function largestStep(samples: Samples | null, channel: number, side: 'start' | 'end'): number {
  if (!samples) return 0;
  const length = lengthOf(samples);
  const from = side === 'start' ? 0 : Math.max(0, length - surroundings);
  const to = side === 'start' ? Math.min(length, surroundings) : length;
  let largest = 0;
  for (let index = from + 1; index < to; index++) {
    const step = sampleAt(samples, index, channel) - sampleAt(samples, index - 1, channel);
    largest = Math.max(largest, Math.abs(step));
  }
  return largest;
}
