/** `noise_reduction`, measured on the mix: steady noise goes, the sound stays and keeps its place. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { builds, usual } from '../helpers/ffmpeg-builds.ts';
import type { Sides } from '../helpers/media.ts';
import { mixIn } from './sound-mixes.ts';
import { decibels, level, noise, rate, sine, writeWav, type Signal } from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sound-denoise-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seconds = 6;
const clickAt = 5;
/** A tone from 2 s to 4 s and a click at 5 s. */
const heard: Signal = (index) => {
  const time = index / rate;
  if (time >= clickAt && index < clickAt * rate + 48) return 0.8;
  return time >= 2 && time < 4 ? sine(700, 0.3)(index) : 0;
};
const hiss = { 'a quiet hiss': 0.003, 'a hiss': 0.01, 'a loud hiss': 0.03 };
for (const [name, loud] of Object.entries(hiss)) {
  const side = (seed: number): Signal => {
    const around = noise(seed, loud);
    return (index) => heard(index) + around(index);
  };
  writeWav(path.join(folder, `${name}.wav`), seconds, [side(1), side(2)]);
}

const mixOf = (name: string, rest: JsonObject, ffmpeg = usual): Promise<Sides> =>
  mixIn(folder, seconds, [{ type: 'audio', source: `${name}.wav`, ...rest }], ffmpeg);

/** Where the click is, in samples. */
function click(samples: Float32Array): number {
  let at = Math.round(4.5 * rate);
  for (let index = at; index < samples.length; index++)
    if (Math.abs(samples[index] ?? 0) > Math.abs(samples[at] ?? 0)) at = index;
  return at;
}

describe.each(builds)('with %s', (_, build) => {
  test.each(Object.keys(hiss))('%s', async (name) => {
    const before = await mixOf(name, {}, build);
    const after = await mixOf(name, { noise_reduction: 12 }, build);
    for (const side of ['left', 'right'] as const) {
      const change = (from: number, to: number): number =>
        decibels(
          level(after[side], from * rate, to * rate) / level(before[side], from * rate, to * rate),
        );
      expect(change(0.5, 1.9)).toBeLessThan(-9);
      expect(change(4.2, 4.9)).toBeLessThan(-9);
      expect(Math.abs(change(2.2, 3.8))).toBeLessThan(0.3);
      expect(after[side]).toHaveLength(before[side].length);
      expect(Math.abs(click(after[side]) - click(before[side]))).toBeLessThan(rate / 1000);
    }
  });
});

test('more noise goes if more is asked for, none at 0', async () => {
  const of = async (reduction: number): Promise<number> =>
    level((await mixOf('a hiss', { noise_reduction: reduction })).left, 0.5 * rate, 1.9 * rate);
  const [none, some, more] = [await of(0), await of(6), await of(20)];
  expect(none).toBe(level((await mixOf('a hiss', {})).left, 0.5 * rate, 1.9 * rate));
  expect(decibels(some / none)).toBeLessThan(-4);
  expect(decibels(some / none)).toBeGreaterThan(-8);
  expect(decibels(more / none)).toBeLessThan(-14);
});

test('a part of a file, looped and faster, keeps its length', async () => {
  const rest = { trim_start: 1, trim_duration: 2, loop: true, duration: null, speed: '150%' };
  const before = await mixOf('a hiss', rest);
  const after = await mixOf('a hiss', { ...rest, noise_reduction: 12 });
  const begins = (samples: Float32Array): number =>
    samples.findIndex((value) => Math.abs(value) > 0.2);
  expect(Math.abs(begins(after.left) - begins(before.left))).toBeLessThan(rate / 200);
  expect(level(after.left, 5 * rate, 5.2 * rate)).toBeGreaterThan(0.1);
});

test('silence stays silence', async () => {
  writeWav(path.join(folder, 'nothing.wav'), 1, [() => 0]);
  const { left } = await mixOf('nothing', { noise_reduction: 12, duration: 1 });
  expect(left.every((value) => value === 0)).toBe(true);
});

const speech = '/work/shared/media/speech-1961.wav';
test.skipIf(!existsSync(speech))('recorded speech stays as loud, its pauses do not', async () => {
  copyFileSync(speech, path.join(folder, 'speech.wav'));
  const before = (await mixOf('speech', {})).left;
  const after = (await mixOf('speech', { noise_reduction: 12 })).left;
  const levels = Array.from({ length: seconds * 20 }, (_, index) => {
    const [from, to] = [(index * rate) / 20, ((index + 1) * rate) / 20];
    const own = level(before, from, to);
    return { own, change: decibels(level(after, from, to) / own) };
  }).sort((a, b) => a.own - b.own);
  const mean = (list: readonly { change: number }[]): number =>
    list.reduce((sum, { change }) => sum + change, 0) / list.length;
  expect(mean(levels.slice(-40))).toBeGreaterThan(-1);
  expect(mean(levels.slice(0, 12))).toBeLessThan(-2);
});
