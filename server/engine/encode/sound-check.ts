/**
 * Checks that a finished file's sound peaks are low enough, and that it has the loudness asked for. AAC rounds, and
 * rounding moves peaks, in rare, unpredictable moments by up to 2 dB; it also leaves the highest tones out, which makes
 * hiss 1.6 LU quieter. So the finished sound is decoded and measured; if it is wrong, the same mix goes through another
 * limiter and is coded again beside the unchanged pictures. Runs in the worker, after the last frame.
 */
import { copyFile, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { startFfmpeg, stoppedError, type Ffmpeg } from '../ffmpeg.ts';
import { decodeSoundArguments, replaceSoundArguments } from './arguments.ts';
import type { SoundCoding } from './film-formats.ts';
import { ceiling, createLimiter, createPeaks } from './limiter.ts';
import { createLoudnessMeter } from './loudness-meter.ts';
import type { FileTags } from './tags.ts';
import { readSamples, readWavFacts, wavHeader, writeSamples, soundRate } from './wav.ts';

/** What mixSounds() made. */
export interface Mix {
  /** A wav of soundRate, stereo, exactly as long as the frames. */
  readonly path: string;
  /** Its largest sample, 0 to 1. */
  readonly loudest: number;
  /** LUFS that it was brought to (loudness.ts), which the finished file should have too; null: it is as it is. */
  readonly loudness: number | null;
  /** Of making it. */
  readonly warnings: readonly Problem[];
}

/** True peak that a finished file may have: −1 dB of full scale (EBU R 128). */
const highestPeak = 10 ** (-1 / 20);
/** A mix below this stays under it despite any rounding. */
const harmless = 0.5;
/** An extra reduction of 0.2 dB, because the next rounding will differ. */
const margin = 10 ** (-0.2 / 20);
/** LU by which a finished file may differ from its mix. */
const closeEnough = 0.2;
const mostTries = 4;
/** Samples at a time. */
const blockLength = 65_536;

/** What the check needs. */
interface CheckOptions {
  readonly ffmpeg: Ffmpeg;
  readonly workFolder: string;
  /** Of the file. */
  readonly coding: SoundCoding;
  /** The file has the sound alone. */
  readonly isAlone?: boolean;
  /** Those of a file of sound alone; a film keeps its own. */
  readonly tags?: FileTags | null | undefined;
  readonly signal: AbortSignal;
  /** Runs ffmpeg to successful completion. */
  readonly run: (args: readonly string[]) => Promise<void>;
}

/**
 * Lowers the sound of a finished film until its true peak is allowed, and brings it to its mix's loudness.
 *
 * @throws RenderError `encoder_failed`, `cancelled`.
 */
export async function settleSound(
  filePath: string,
  mix: Mix,
  options: CheckOptions,
): Promise<void> {
  if (mix.loudest < harmless && mix.loudness === null) return;
  const { workFolder, coding, isAlone = false, tags, run } = options;
  const other = path.join(workFolder, 'sound-other.wav');
  const replaced = path.join(workFolder, 'sound-other.film');
  let height = ceiling;
  let gain = 1;
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const { peak, loudness } = await measure(filePath, options);
      const missing = mix.loudness === null ? 0 : mix.loudness - loudness;
      const isQuiet = Math.abs(missing) > closeEnough;
      if (peak < highestPeak && !isQuiet) return;
      if (peak >= highestPeak) height *= (highestPeak / peak) * margin;
      if (isQuiet) gain *= 10 ** (missing / 20);
      await throughLimiter(mix.path, other, height, gain);
      const from = isAlone ? null : filePath;
      await run(replaceSoundArguments(from, other, replaced, coding, tags));
      await copyFile(replaced, filePath);
    }
  } finally {
    await Promise.all([other, replaced].map((file) => rm(file, { force: true })));
  }
}

/** Of a file's sound, decoded: true peak, exact above a little less than `highestPeak`, and loudness in LUFS. */
async function measure(
  filePath: string,
  { ffmpeg, workFolder, coding, signal }: CheckOptions,
): Promise<{ peak: number; loudness: number }> {
  const args = decodeSoundArguments(filePath, coding);
  const decoder = startFfmpeg(ffmpeg, args, { signal, cwd: workFolder, stdout: true });
  if (!decoder.stdout) throw new Error('the decoder was started without a pipe');
  const peaks = createPeaks(highestPeak * margin);
  const meter = createLoudnessMeter();
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
      meter.process(block);
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
  return { peak: highest, loudness: meter.loudness() };
}

/**
 * A mix through a limiter, into another wav.
 *
 * @param height True peak that it lets through.
 * @param gain What is before it; 1 = as it is.
 * @returns the largest sample
 */
export async function throughLimiter(
  from: string,
  to: string,
  height: number,
  gain = 1,
): Promise<number> {
  const wav = await readWavFacts(from);
  await using source = await open(from, 'r');
  await using target = await open(to, 'w');
  await target.write(wavHeader(wav.length));
  const limiter = createLimiter(soundRate, height);
  const samples = new Float32Array(blockLength * 2);
  let skip = limiter.delay;
  let loudest = 0;
  for (let first = 0; first < wav.length + limiter.delay; first += blockLength) {
    const length = Math.min(blockLength, wav.length + limiter.delay - first);
    const block = samples.subarray(0, length * 2).fill(0);
    const there = Math.max(0, Math.min(length, wav.length - first));
    await readSamples(source, wav, first, block.subarray(0, there * 2));
    if (gain !== 1) for (let at = 0; at < there * 2; at++) block[at] = (block[at] ?? 0) * gain;
    limiter.process(block);
    const ready = block.subarray(Math.min(skip, length) * 2);
    for (const value of ready) loudest = Math.max(loudest, Math.abs(value));
    await writeSamples(target, ready);
    skip = Math.max(0, skip - length);
  }
  return loudest;
}
