/** Signals for the tests of sound: made here, written as wav, and read back from finished files. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { wavHead } from '../../shared/wav.ts';
import { usual } from '../helpers/ffmpeg-builds.ts';
import { sidesOf, soundSamples, type Sides } from '../helpers/media.ts';

/** Samples per second of everything that comes out. */
export const rate = 48_000;

/** A sample (−1 to 1) for an index. */
export type Signal = (index: number) => number;

/** Writes a 16-bit wav of one signal per channel; gives its path. */
export function writeWav(
  file: string,
  seconds: number,
  channels: readonly Signal[],
  sampleRate = rate,
): string {
  const length = Math.round(seconds * sampleRate);
  const samples = new Int16Array(length * channels.length);
  let at = 0;
  for (let index = 0; index < length; index++)
    for (const signal of channels)
      samples[at++] = Math.round(Math.max(-1, Math.min(1, signal(index))) * 32767);
  const data = Buffer.from(samples.buffer);
  const header = wavHead(length, { rate: sampleRate, channels: channels.length, sample: 'int16' });
  writeFileSync(file, Buffer.concat([header, data]));
  return file;
}

/** A tone. */
export function sine(hertz: number, level = 0.5, sampleRate = rate): Signal {
  return (index) => level * Math.sin((2 * Math.PI * hertz * index) / sampleRate);
}

/** Even noise, the same for the same seed and index. */
export function noise(seed: number, level = 0.5): Signal {
  return (index) => {
    let state = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3ca5);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return (level * (state ^ (state >>> 15))) / 2 ** 31;
  };
}

/** Something like loud music: a chord, a beat with sharp attacks and hiss, up to full scale. */
export function music(seed: number): Signal {
  const root = 110 * 2 ** ((seed % 12) / 12);
  const chord = [1, 1.26, 1.5, 2, 3.02, 5.04].map((ratio) => sine(root * ratio, 0.16));
  const hiss = noise(seed, 1);
  const beat = 0.5 - (seed % 5) * 0.03;
  return (index) => {
    const since = (index / rate) % beat;
    const hit = Math.exp(-since * 30);
    const kick = hit * Math.sin(2 * Math.PI * 60 * since);
    const value =
      chord.reduce((sum, tone) => sum + tone(index), 0) + kick + hiss(index) * (0.03 + 0.5 * hit);
    return Math.max(-0.999, Math.min(0.999, value));
  };
}

/** Left and right samples of a finished file, from the presentation's zero on. */
export function readSides(file: string): Sides {
  return sidesOf(soundSamples(file, 2));
}

/** Of a file, by ffmpeg's meter (ITU-R BS.1770): loudness in LUFS, true peak in dB of full scale, to a tenth. */
export function metered(file: string): { loudness: number; truePeak: number } {
  const args = ['-hide_banner', '-nostats', '-i', file];
  const meter = ['-map', '0:a', '-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const { stderr } = spawnSync(usual.path, [...args, ...meter], { encoding: 'utf8' });
  const [, peak] = /True peak:\s+Peak:\s+(-?[\d.]+) dBFS/.exec(stderr) ?? [];
  const [, loudness] = /Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(stderr) ?? [];
  if (!peak || !loudness) throw new Error(`no measurement in: ${stderr.slice(-500)}`);
  return { loudness: Number(loudness), truePeak: Number(peak) };
}

/** True peak of a file in dB of full scale. */
export function truePeak(file: string): number {
  return metered(file).truePeak;
}

/** Root mean square of a stretch; its borders may be fractions of samples. */
export function level(samples: Float32Array, from = 0, to = samples.length): number {
  const part = samples.subarray(Math.round(from), Math.round(to));
  return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);
}

/** A ratio in dB. */
export function decibels(ratio: number): number {
  return 20 * Math.log10(ratio);
}
