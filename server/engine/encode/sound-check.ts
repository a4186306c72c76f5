/**
 * Checks that a finished file's sound peaks are low enough. AAC rounds, and rounding moves peaks, in rare,
 * unpredictable moments by up to 2 dB. So the finished sound is decoded and measured; if it is too high, the same mix
 * goes through a lower limiter and is coded again beside the unchanged pictures. Runs in the worker, after the last
 * frame.
 */
import { copyFile, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { startFfmpeg, stoppedError, type Ffmpeg } from '../ffmpeg.ts';
import { decodeSoundArguments, replaceSoundArguments, soundRate } from './arguments.ts';
import type { FilmCoding } from './film-formats.ts';
import { ceiling, createLimiter, createPeaks } from './limiter.ts';
import { readSamples, readWavFacts, wavHeader, writeSamples } from './wav.ts';

/** What mixSounds() made. */
export interface Mix {
  /** A wav of soundRate, stereo, exactly as long as the frames. */
  readonly path: string;
  /** Its largest sample, 0 to 1. */
  readonly loudest: number;
}

/** True peak that a finished file may have: −1 dB of full scale (EBU R 128). */
const highestPeak = 10 ** (-1 / 20);
/** A mix below this stays under it despite any rounding. */
const harmless = 0.5;
/** An extra reduction of 0.2 dB, because the next rounding will differ. */
const margin = 10 ** (-0.2 / 20);
const mostTries = 4;
/** Samples at a time. */
const blockLength = 65_536;

/** What the check needs. */
interface CheckOptions {
  readonly ffmpeg: Ffmpeg;
  readonly workFolder: string;
  /** Of the film. */
  readonly coding: FilmCoding;
  /** The file has the film's sound alone. */
  readonly isAlone?: boolean;
  readonly signal: AbortSignal;
  /** Runs ffmpeg to successful completion. */
  readonly run: (args: readonly string[]) => Promise<void>;
}

/**
 * Lowers the sound of a finished film until its true peak is allowed.
 *
 * @throws RenderError `encoder_failed`, `cancelled`.
 */
export async function keepUnderPeak(
  filePath: string,
  mix: Mix,
  options: CheckOptions,
): Promise<void> {
  if (mix.loudest < harmless) return;
  const { workFolder, coding, isAlone = false, run } = options;
  const lowered = path.join(workFolder, 'sound-lower.wav');
  const replaced = path.join(workFolder, 'sound-lower.film');
  let height = ceiling;
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const peak = await truePeakOf(filePath, options);
      if (peak < highestPeak) return;
      height *= (highestPeak / peak) * margin;
      await lower(mix.path, lowered, height);
      await run(replaceSoundArguments(isAlone ? null : filePath, lowered, replaced, coding));
      await copyFile(replaced, filePath);
    }
  } finally {
    await Promise.all([lowered, replaced].map((file) => rm(file, { force: true })));
  }
}

/** The true peak of a file's sound, decoded; exact above a little less than `highestPeak`. */
async function truePeakOf(
  filePath: string,
  { ffmpeg, workFolder, coding, signal }: CheckOptions,
): Promise<number> {
  const args = decodeSoundArguments(filePath, coding);
  const decoder = startFfmpeg(ffmpeg, args, { signal, cwd: workFolder, stdout: true });
  if (!decoder.stdout) throw new Error('the decoder was started without a pipe');
  const peaks = createPeaks(highestPeak * margin);
  const frameBytes = 8;
  let highest = 0;
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of decoder.stdout as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = bytes.length - (bytes.length % frameBytes);
      const block = new Float32Array(whole / 4);
      // A copy, because samples must lie at multiples of their size.
      new Uint8Array(block.buffer).set(bytes.subarray(0, whole));
      rest = Buffer.from(bytes.subarray(whole));
      const { peak } = peaks.process(block);
      for (let index = 0; index < block.length / 2; index++)
        highest = Math.max(highest, peak[index] ?? 0);
    }
  } catch (error) {
    decoder.kill();
    throw error;
  }
  const end = await decoder.finished;
  if (end.code !== 0) throw stoppedError(end);
  return highest;
}

/** The same mix through a lower limiter. */
async function lower(from: string, to: string, height: number): Promise<void> {
  const wav = await readWavFacts(from);
  await using source = await open(from, 'r');
  await using target = await open(to, 'w');
  await target.write(wavHeader(wav.length));
  const limiter = createLimiter(soundRate, height);
  const samples = new Float32Array(blockLength * 2);
  let skip = limiter.delay;
  for (let first = 0; first < wav.length + limiter.delay; first += blockLength) {
    const length = Math.min(blockLength, wav.length + limiter.delay - first);
    const block = samples.subarray(0, length * 2).fill(0);
    const there = Math.max(0, Math.min(length, wav.length - first));
    await readSamples(source, wav, first, block.subarray(0, there * 2));
    limiter.process(block);
    await writeSamples(target, block.subarray(Math.min(skip, length) * 2));
    skip = Math.max(0, skip - length);
  }
}
