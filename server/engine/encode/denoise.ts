/**
 * Lowers the steady noise of a decoded sound (hiss, hum of fans) with ffmpeg's `afftdn`. Runs in the worker, before
 * mixing.
 *
 * The filter must know how loud the noise is, and each version guesses that differently: 5.1 left noise at −45 dB
 * nearly as it was. So it is measured here, in the quietest tenth of the sound. Versions also differ in whether they
 * delay; that is found by comparing what comes out with what went in.
 */
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessLimits } from '../cage.ts';
import { runFfmpeg, type Ffmpeg } from '../ffmpeg.ts';
import { denoiseArguments } from './arguments.ts';
import { readSamples, readWavFacts, type Decoded, soundRate } from './wav.ts';

/** Samples of a stretch whose loudness is measured: 50 ms. */
const stretch = soundRate / 20;
/** The share of all stretches that counts as pauses. */
const pauses = 0.1;
/** dB: quieter is digital silence, which says nothing of a room. */
const silence = -90;
/** Noise comes and goes a little, and must be below the level given. */
const headroom = 8;
/** Samples by which versions of the filter delay a sound at soundRate. */
const delays = [0, soundRate / 40] as const;

/** How ffmpeg runs; `deadline` in milliseconds. */
interface Options {
  readonly ffmpeg: Ffmpeg;
  readonly limits: ProcessLimits;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/**
 * A sound with its noise lowered by up to `reduction` dB, in a file beside; the same sound if it is all silence.
 *
 * @throws RenderError as `runFfmpeg`
 */
export async function denoise(
  sound: Decoded,
  reduction: number,
  { ffmpeg, limits, deadline, signal }: Options,
): Promise<Decoded> {
  const { floor, loudestAt } = await listen(sound);
  if (floor === null) return sound;
  const cwd = path.dirname(sound.path);
  const cleaned = `${sound.path.slice(0, -'.wav'.length)}-clean.wav`;
  await runFfmpeg(ffmpeg, denoiseArguments(sound.path, cleaned, { floor, reduction }), {
    ...{ signal, cwd, limits, deadline },
  });
  const facts = await readWavFacts(cleaned);
  const delay = await delayOf(sound, facts, loudestAt);
  return {
    ...facts,
    offset: facts.offset + delay * facts.channels * 4,
    length: Math.min(sound.length, facts.length - delay),
  };
}

/** The level below which there is only noise, in dB of full scale (null: all is silence), and where it is loudest. */
async function listen(sound: Decoded): Promise<{ floor: number | null; loudestAt: number }> {
  await using file = await open(sound.path, 'r');
  const levels: number[] = [];
  let [loudest, loudestAt] = [0, 0];
  const samples = new Float32Array(stretch * sound.channels);
  for (let first = 0; first + stretch <= sound.length; first += stretch) {
    await readSamples(file, sound, first, samples);
    const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
    if (power > loudest) [loudest, loudestAt] = [power, first];
    const level = 10 * Math.log10(power);
    if (level > silence) levels.push(level);
  }
  levels.sort((a, b) => a - b);
  const quiet = levels[Math.floor(levels.length * pauses)];
  if (quiet === undefined) return { floor: null, loudestAt };
  // What the filter takes.
  return { floor: Math.round(Math.min(-20, Math.max(-80, quiet + headroom))), loudestAt };
}

/** The delay at which a cleaned sound fits its original best around a moment. */
async function delayOf(sound: Decoded, cleaned: Decoded, at: number): Promise<number> {
  const original = await sideOf(sound, at);
  const fits = await Promise.all(
    delays.map(async (delay) => {
      const other = await sideOf(cleaned, at + delay);
      return original.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
    }),
  );
  return (fits[1] ?? 0) > (fits[0] ?? 0) ? delays[1] : delays[0];
}

/** Samples of the first channel over four stretches; fewer at the end. */
async function sideOf(sound: Decoded, first: number): Promise<Float32Array> {
  await using file = await open(sound.path, 'r');
  const count = Math.max(0, Math.min(4 * stretch, sound.length - first));
  const samples = new Float32Array(count * sound.channels);
  await readSamples(file, sound, first, samples);
  return samples.filter((_, index) => index % sound.channels === 0);
}
