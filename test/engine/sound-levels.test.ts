/** How loud a finished file is: one sound as it was, many under the ceiling, and nothing pumped. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import { builds, rowsFor } from '../helpers/ffmpeg-builds.ts';
import {
  decibels,
  level,
  music,
  noise,
  rate,
  readSides,
  sine,
  truePeak,
  writeWav,
  type Signal,
} from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sound-levels-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);

const tiny = { output_format: 'mp4', width: 32, height: 32, frame_rate: 5 };
const seconds = 1.2;

/** Renders sounds over an empty picture. */
async function mixed(
  name: string,
  elements: readonly JsonObject[],
  ffmpegPath: string,
): Promise<string> {
  const source = { ...tiny, duration: seconds, elements };
  await renderInto(folder, name, source, ffmpegPath === '' ? {} : { ffmpegPath });
  return inFolder(name);
}

const audio = (source: string, rest: JsonObject = {}): JsonObject => ({
  type: 'audio',
  source,
  ...rest,
});

beforeAll(() => {
  for (let track = 0; track < 16; track++)
    writeWav(inFolder(`music${track}.wav`), seconds, [music(track), music(track + 100)]);
  const signals: Record<string, Signal> = {
    tone: sine(997, 0.5),
    noise: noise(7, 0.9),
    loud: sine(997, 0.999),
    calm: (index) => 0.4 * music(3)(index),
    square: (index) => (index % 480 < 240 ? 0.999 : -0.999),
  };
  for (const [name, signal] of Object.entries(signals))
    writeWav(inFolder(`${name}.wav`), seconds, [signal, signal]);
});

describe.each(builds)('with %s', (build, { path: ffmpegPath }) => {
  const tracksOf = rowsFor(build, [['1'], ['4'], ['16']], ['4']);
  test.each(tracksOf)('%s loud tracks stay under −1 dB true peak', async (name) => {
    const tracks = Number(name);
    const elements = Array.from({ length: tracks }, (_, track) => audio(`music${track}.wav`));
    const file = await mixed(`tracks${tracks}.mp4`, elements, ffmpegPath);
    const peak = truePeak(file);
    expect(peak).toBeLessThanOrEqual(-1);
    // And they are not merely turned down: the mix is as loud as its ceiling lets it be.
    expect(peak).toBeGreaterThan(-3.5);
  });

  // Noise and steep edges are what coding moves most.
  test.each(rowsFor(build, [['noise'], ['square']], ['square']))(
    'sixteen times %s stays under −1 dB',
    async (name) => {
      const file = await mixed(`${name}.mp4`, Array(16).fill(audio(`${name}.wav`)), ffmpegPath);
      expect(truePeak(file)).toBeLessThanOrEqual(-1);
    },
  );

  test.each(rowsFor(build, [['tone'], ['calm']], ['tone']))(
    'one %s is as loud as it was',
    async (name) => {
      const file = await mixed(`one-${name}.mp4`, [audio(`${name}.wav`)], ffmpegPath);
      const before = level(readSides(inFolder(`${name}.wav`)).left);
      const after = readSides(file);
      // Noise above 16 kHz is left out by AAC at this rate, so noise isn't among them.
      for (const side of [after.left, after.right])
        expect(Math.abs(decibels(level(side, 0, seconds * rate) / before))).toBeLessThan(0.5);
    },
  );
});

test('a loud moment turns down itself alone: no pumping', async () => {
  const elements = [
    audio('tone.wav'),
    audio('loud.wav', { time: 0.3, duration: 0.1 }),
    audio('loud.wav', { time: 0.3, duration: 0.1 }),
  ];
  const { left } = readSides(await mixed('moment.mp4', elements, ''));
  const loudness = (from: number, to: number): number =>
    decibels(level(left, from * rate, to * rate) / (0.5 / Math.SQRT2));
  expect(Math.abs(loudness(0.1, 0.28))).toBeLessThan(0.2);
  expect(Math.abs(loudness(1, 1.15))).toBeLessThan(0.2);
  // A fifth of a second later most of it is back.
  expect(loudness(0.6, 0.8)).toBeGreaterThan(-2.5);
});
