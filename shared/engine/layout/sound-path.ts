/**
 * The outline of a shape that follows a sound, at a moment: from the samples around it, so that it depends on nothing
 * before. Pure arithmetic, in percent of the box like any outline.
 */
import { sampleRate, type SoundSamples } from '../compile/seen-sounds.ts';
import type { Path } from '../compile/property-values.ts';
import type { SeenSound } from '../compile/timeline.ts';
import type { PathCommand } from '../../renderscript/path.ts';
import { mediaTimeAt } from './clock.ts';

/** Samples of which the tones of a moment are found: 64 ms, a power of two. */
const windowLength = 1_024;
/** Seconds of the sound that a wave shows. */
const waveSeconds = 0.04;
/** Tones of the first and the last bar, Hz. */
const [lowest, highest] = [60, 7_000];
/** A bar's height is a straight line between these, dB of a full tone. */
const [quiet, loud] = [-58, -10];
/** Higher tones are weaker in all music and speech: dB for each octave above the lowest. */
const lift = 3;
/** Bars fall slower than they rise: what is left of those of moments before, seconds and share. */
const falling: readonly (readonly [since: number, share: number])[] = [
  [0, 1],
  [0.05, 0.8],
  [0.1, 0.55],
];
/** The height of a bar without sound, so that one sees where it is. */
const least = 0.02;

/** The outline at `time` seconds of the shape. */
export function soundPath(sound: SeenSound, time: number): Path {
  const { form, bars, gap } = sound;
  const at = time - sound.from;
  const isHeard = at >= 0 && at < sound.duration;
  const samples = isHeard && sound.clip ? sound.samples : null;
  const middle = sound.clip ? mediaTimeAt(sound.clip, Math.max(0, at)) : 0;
  if (form === 'wave') return wavePath(samples, middle, bars);
  const levels = levelsAt(samples, middle, bars).map((level) => Math.max(least, level));
  const pitch = 100 / bars;
  const side = pitch * (1 - gap);
  return levels.flatMap((level, index): Path => {
    const left = index * pitch + (pitch - side) / 2;
    if (form === 'circle') return spoke(left / 100, (left + side) / 100, level);
    const high = level * 100;
    const top = form === 'mirror' ? 50 - high / 2 : 100 - high;
    return closed([
      [left, top],
      [left + side, top],
      [left + side, top + high],
      [left, top + high],
    ]);
  });
}

/** The share of the radius inside of a circle's bars. */
const hole = 0.5;

/** A bar that stands on a circle, between shares of the way around. */
function spoke(from: number, to: number, level: number): Path {
  const place = (turn: number, radius: number): readonly [number, number] => {
    const angle = (turn - 0.25) * 2 * Math.PI;
    return [50 + 50 * radius * Math.cos(angle), 50 + 50 * radius * Math.sin(angle)];
  };
  const end = hole + (1 - hole) * level;
  return closed([place(from, hole), place(from, end), place(to, end), place(to, hole)]);
}

function closed(points: readonly (readonly [number, number])[]): Path {
  return [...points.map(([x, y], index): PathCommand => [index === 0 ? 'M' : 'L', x, y]), ['Z']];
}

/** The samples as a line, over the middle where there are none. */
function wavePath(samples: SoundSamples | null, middle: number, points: number): Path {
  const step = (waveSeconds * sampleRate) / (points - 1);
  const first = (middle - waveSeconds / 2) * sampleRate;
  return Array.from({ length: points }, (_, index): PathCommand => {
    const value = samples ? mean(samples, first + index * step, step) : 0;
    return [index === 0 ? 'M' : 'L', (index * 100) / (points - 1), 50 - 50 * value];
  });
}

/** −1–1, of the samples around a place. */
function mean(samples: SoundSamples, place: number, width: number): number {
  const from = Math.round(place - width / 2);
  const to = Math.max(from + 1, Math.round(place + width / 2));
  let sum = 0;
  for (let at = from; at < to; at++) sum += (samples[at] ?? 128) - 128;
  return sum / (to - from) / 128;
}

/** How loud each bar's tones are at a moment of the file, 0–1. */
function levelsAt(samples: SoundSamples | null, middle: number, bars: number): number[] {
  const levels = Array.from({ length: bars }, () => 0);
  if (!samples) return levels;
  for (const [since, share] of falling) {
    const tones = tonesAt(samples, Math.round((middle - since) * sampleRate));
    for (let bar = 0; bar < bars; bar++)
      levels[bar] = Math.max(
        levels[bar] ?? 0,
        share * levelOf(tones, bar / bars, (bar + 1) / bars),
      );
  }
  return levels;
}

/** The strongest tone between two shares of the scale, as a height. */
function levelOf(tones: Float64Array, from: number, to: number): number {
  const placeOf = (share: number): number =>
    (lowest * (highest / lowest) ** share * windowLength) / sampleRate;
  const [start, end] = [placeOf(from), placeOf(to)];
  let power = 0;
  // Low bars are narrower than the distance of two tones: they get what lies between these.
  if (end - start < 1) {
    const whole = Math.floor(start);
    const rest = start - whole;
    power = (tones[whole] ?? 0) * (1 - rest) + (tones[whole + 1] ?? 0) * rest;
  } else for (let at = Math.floor(start); at < end; at++) power = Math.max(power, tones[at] ?? 0);
  const octaves = from * Math.log2(highest / lowest);
  const decibels = 10 * Math.log10(power + 1e-12) + lift * octaves;
  return Math.min(1, Math.max(0, (decibels - quiet) / (loud - quiet)));
}

/** Twiddle factors and the window, once. */
const turns = Float64Array.from({ length: windowLength }, (_, at) =>
  Math.cos((2 * Math.PI * at) / windowLength),
);
const sineAt = (at: number): number => turns[(at + windowLength * 0.75) % windowLength] ?? 0;

/** The power of each tone around a sample, 1 = that of a full one: a fast Fourier transform. */
function tonesAt(samples: SoundSamples, middle: number): Float64Array {
  const real = new Float64Array(windowLength);
  const imaginary = new Float64Array(windowLength);
  const bits = Math.log2(windowLength);
  for (let at = 0; at < windowLength; at++) {
    const value = ((samples[middle - windowLength / 2 + at] ?? 128) - 128) / 128;
    let target = 0;
    for (let bit = 0; bit < bits; bit++) target |= ((at >> bit) & 1) << (bits - 1 - bit);
    real[target] = value * (0.5 - 0.5 * (turns[at] ?? 0));
  }
  for (let size = 2; size <= windowLength; size *= 2) {
    const half = size / 2;
    const step = windowLength / size;
    for (let start = 0; start < windowLength; start += size) {
      for (let at = 0; at < half; at++) {
        const [cosine, sine] = [turns[at * step] ?? 0, -sineAt(at * step)];
        const [one, other] = [start + at, start + at + half];
        const [r, i] = [real[other] ?? 0, imaginary[other] ?? 0];
        const [turnedR, turnedI] = [r * cosine - i * sine, r * sine + i * cosine];
        real[other] = (real[one] ?? 0) - turnedR;
        imaginary[other] = (imaginary[one] ?? 0) - turnedI;
        real[one] = (real[one] ?? 0) + turnedR;
        imaginary[one] = (imaginary[one] ?? 0) + turnedI;
      }
    }
  }
  const full = windowLength / 4;
  return Float64Array.from(
    { length: windowLength / 2 },
    (_, at) => ((real[at] ?? 0) ** 2 + (imaginary[at] ?? 0) ** 2) / full ** 2,
  );
}
