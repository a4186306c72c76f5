/** A loudness that a document asks for: measured on the finished file by ffmpeg's meter, and nothing else changes. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import type { RenderResult } from '../../server/engine/render-job.ts';
import { renderInto } from '../helpers/engine.ts';
import { someInQuick } from '../helpers/long.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import {
  decibels,
  level,
  metered,
  music,
  noise,
  rate,
  readSides,
  sine,
  writeWav,
  type Signal,
} from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sound-loudness-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);

/** Something like speech: bursts of a buzz with pauses, a third of the time silent. */
const talk: Signal = (index) => {
  const time = index / rate;
  const isHeard = time % 1.5 < 1 && (time * 4) % 1 < 0.8;
  const hum = [1, 2, 3, 4, 5, 6].reduce(
    (sum, tone) => sum + sine(130 * tone, 0.2 / tone)(index),
    0,
  );
  return isHeard ? hum + noise(9, 0.02)(index) : 0;
};
const pulses: Signal = (index) =>
  index % 9600 < 40 ? noise(4, 0.99)(index) : sine(330, 0.01)(index);

const seconds = 4;
/** Each is written as NAME.wav. */
const signals: Readonly<Record<string, Signal>> = {
  talk,
  music: music(3),
  tone: sine(997, 0.5),
  bass: sine(70, 0.8),
  quiet: (index) => 0.01 * music(5)(index),
  hiss: noise(2, 0.02),
  pulses,
  framed: (index) => (index > 1.2 * rate && index < 2.7 * rate ? talk(index) : 0),
};

beforeAll(() => {
  for (const [name, signal] of Object.entries(signals))
    writeWav(inFolder(`${name}.wav`), seconds, [signal, (index) => 0.8 * signal(index + 31)]);
});

const audio = (name: string, rest: JsonObject = {}): JsonObject => ({
  type: 'audio',
  source: `${name}.wav`,
  ...rest,
});

async function rendered(
  name: string,
  elements: readonly JsonObject[],
  loudness: Json | undefined,
): Promise<{ file: string; result: RenderResult }> {
  const source = {
    output_format: 'mp4',
    width: 32,
    height: 32,
    frame_rate: 5,
    duration: seconds,
    elements,
  };
  const result = await renderInto(
    folder,
    name,
    loudness === undefined ? source : { ...source, target_loudness: loudness },
  );
  return { file: inFolder(name), result };
}

/** Ten mixes: quiet and loud, with pauses, with silence at the ends, many at once, coming and going. */
const mixes: readonly [name: string, elements: readonly JsonObject[]][] = [
  ['speech', [audio('talk')]],
  ['speech over music', [audio('talk'), audio('music', { volume: '20%' })]],
  ['loud music', [audio('music'), audio('music', { time: 0.3 })]],
  ['a tone', [audio('tone')]],
  ['a low tone', [audio('bass', { volume: '30%' })]],
  ['quiet music', [audio('quiet')]],
  ['hiss', [audio('hiss')]],
  ['sharp pulses', [audio('pulses')]],
  ['silence at both ends', [audio('framed')]],
  ['music that fades in and out', [audio('music', { audio_fade_in: 2, audio_fade_out: 2 })]],
];

describe.each([
  [-14, someInQuick(mixes, 4)],
  [-16, mixes.slice(1, 3)],
  [-23, mixes.slice(6, 8)],
] as const)('at %i LUFS', (target, tried) => {
  test.each(tried)('%s', async (name, elements) => {
    const { file, result } = await rendered(`${name}${target}.mp4`, elements, target);
    const { loudness, truePeak } = metered(file);
    expect(truePeak).toBeLessThanOrEqual(-1);
    expect(Math.abs(loudness - target)).toBeLessThanOrEqual(0.5);
    expect(result.warnings).toEqual([]);
  });
});

test('turned down, a mix is the same throughout: no limiter has touched it', async () => {
  const own = inFolder('music.wav');
  const { file } = await rendered('down.mp4', [audio('music'), audio('tone', { time: 3 })], -23);
  const [before, after] = [readSides(own).left, readSides(file).left];
  const change = (from: number, to: number): number =>
    decibels(level(after, from * rate, to * rate) / level(before, from * rate, to * rate));
  const first = change(0.2, 0.6);
  for (const from of [0.7, 1.2, 1.7, 2.3])
    expect(Math.abs(change(from, from + 0.5) - first)).toBeLessThan(0.2);
});

test.each<[name: string, elements: readonly JsonObject[], found: RegExp]>([
  ['a recording of next to nothing', [audio('hiss', { volume: '5%' })], /it is -\d+\.\d LUFS/],
  ['silence', [audio('framed', { duration: 1 })], /it is silent/],
])('%s gets a warning that names the loudness reached', async (name, elements, found) => {
  const { result } = await rendered(`${name}.mp4`, elements, -14);
  const [warning] = result.warnings;
  expect(warning).toMatchObject({
    code: 'loudness_missed',
    path: 'target_loudness',
    severity: 'warning',
  });
  expect(warning?.message).toMatch(found);
});

test('a document that does not ask, and one that says null, are the same bytes', async () => {
  const elements = [audio('talk'), audio('music')];
  const without = await rendered('without.mp4', elements, undefined);
  const off = await rendered('off.mp4', elements, null);
  expect(readFileSync(off.file).equals(readFileSync(without.file))).toBe(true);
  expect(Math.abs(metered(without.file).loudness + 14)).toBeGreaterThan(1);
});

const speech = '/work/shared/media/speech-1961.wav';
test.skipIf(!existsSync(speech))('recorded speech, at the loudness of a podcast', async () => {
  runFfmpegSync('-i', speech, '-t', String(seconds), inFolder('spoken.wav'));
  const { file } = await rendered('spoken.mp4', [audio('spoken'), audio('quiet')], -16);
  const { loudness, truePeak } = metered(file);
  expect(truePeak).toBeLessThanOrEqual(-1);
  expect(Math.abs(loudness + 16)).toBeLessThanOrEqual(0.5);
});
