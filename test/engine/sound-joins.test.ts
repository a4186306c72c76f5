/** Cuts, loops, fades and files of all kinds, measured on the mix: no clicks, right levels, right places. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { builds, usual } from '../helpers/ffmpeg-builds.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { runFfmpegSync, type Sides } from '../helpers/media.ts';
import { mixIn } from './sound-mixes.ts';
import { decibels, level, noise, rate, sine, writeWav, type Signal } from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sound-joins-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);
const mixOf = (duration: number, elements: readonly JsonObject[], ffmpeg = usual): Promise<Sides> =>
  mixIn(folder, duration, elements, ffmpeg);

const audio = (source: string, rest: JsonObject = {}): JsonObject => ({
  type: 'audio',
  source,
  ...rest,
});

/**
 * The sharpest bend near a moment: a click is broadband, and the second difference of a low tone is next to nothing.
 */
function sharpest(samples: Float32Array, moment: number): number {
  const middle = Math.round(moment * rate);
  let largest = 0;
  for (let at = Math.max(1, middle - 400); at < Math.min(samples.length - 1, middle + 400); at++) {
    const bend = (samples[at - 1] ?? 0) - 2 * (samples[at] ?? 0) + (samples[at + 1] ?? 0);
    largest = Math.max(largest, Math.abs(bend));
  }
  return largest;
}

/** 0.01 of full scale is 40 dB under a click at full scale; a jump in a tone of 0.5 bends by up to 1. */
const silentBend = 0.01;

describe('no clicks', () => {
  writeWav(inFolder('tone.wav'), 3, [sine(200, 0.5), sine(200, 0.5)]);
  // A whole file that begins and ends in the middle of its wave.
  writeWav(inFolder('odd.wav'), 0.50125, [(index) => sine(200, 0.5)(index + 55)]);

  test.each([
    ['a trimmed beginning', { trim_start: 0.50125, time: 0.5 }, [0.5]],
    ['an end cut by the duration', { duration: 0.80125 }, [0.80125]],
    [
      'a loop of a part',
      { trim_start: 0.3, trim_duration: 0.40125, loop: true, duration: null },
      [0.40125, 0.8025, 1.20375],
    ],
  ])('%s', async (_, rest, moments) => {
    const { left } = await mixOf(2, [audio('tone.wav', rest)]);
    for (const moment of moments) expect(sharpest(left, moment)).toBeLessThan(silentBend);
  });

  test('a loop of a whole file, and its level holds', async () => {
    const { left } = await mixOf(2, [audio('odd.wav', { loop: true, duration: null })]);
    for (let pass = 1; pass < 4; pass++) {
      const moment = pass * 0.50125;
      // The end played backwards bends at the join, a twentieth of the jump that it replaces.
      expect(sharpest(left, moment)).toBeLessThan(5 * silentBend);
      const at = Math.round(moment * rate);
      expect(decibels(level(left, at - 480, at + 480) / (0.5 / Math.SQRT2))).toBeGreaterThan(-3);
    }
  });

  test('without the join there would be one: the measure can fail', () => {
    const jump = Float32Array.from({ length: rate }, (_, index) =>
      index < 24_060 ? sine(200, 0.5)(index) : 0,
    );
    expect(sharpest(jump, 24_060 / rate)).toBeGreaterThan(10 * silentBend);
  });

  /** A file played in sixty clips, one after the other; each goes on where the one before ended. */
  const inClips = (source: string, step: number, rest: JsonObject = {}): JsonObject[] =>
    Array.from({ length: 60 }, (_, index) =>
      audio(source, { track: 1, trim_start: index * step, duration: step, ...rest }),
    );

  test.each([
    ['a tone', 'minute.wav', sine(200, 0.5)],
    ['low noise', 'low.wav', (index: number) => 0.3 * noise(3, 1)(Math.floor(index / 40))],
  ])('%s cut into sixty clips is what it was', async (_, name, signal) => {
    const step = 1 / 3;
    writeWav(inFolder(name), 21, [signal]);
    const { left } = await mixOf(20, inClips(name, step));
    let largest = 0;
    for (let at = 0; at < 20 * rate - 200; at++)
      largest = Math.max(largest, Math.abs((left[at] ?? 0) - signal(at)));
    expect(largest).toBeLessThan(0.001);
  });

  test('clips from other places of a file join without a click', async () => {
    // From one sample of the tone to the next, at most.
    const slope = (0.5 * 2 * Math.PI * 200) / rate;
    const { left } = await mixOf(
      6,
      Array.from({ length: 20 }, (_, index) =>
        audio('tone.wav', { track: 1, trim_start: (index * 0.13777) % 2, duration: 0.3 }),
      ),
    );
    for (let index = 1; index < 20; index++)
      expect(sharpest(left, index * 0.3)).toBeLessThan(1.5 * slope);
  });

  test('a beat cut at its attack keeps it, to the sample', async () => {
    const hits: Signal = (index) =>
      index % 24_000 < 4000 ? noise(5, 0.4)(index % 24_000) * Math.exp(-(index % 24_000) / 800) : 0;
    writeWav(inFolder('beat.wav'), 2, [hits]);
    const rest = { trim_start: 0.5, trim_duration: 0.5, loop: true, duration: null };
    const { left } = await mixOf(2, [audio('beat.wav', rest)]);
    const wrong = left.findIndex((value, index) => Math.abs(value - hits(index)) > 1e-4);
    expect(wrong).toBe(-1);
  });

  test('volume that jumps takes 5 ms', async () => {
    const volume = [
      { time: 0, value: '100%' },
      { time: 1.00125, value: '20%', easing: 'steps(1)' },
    ];
    const { left } = await mixOf(2, [audio('tone.wav', { volume })]);
    expect(sharpest(left, 1.00125)).toBeLessThan(silentBend);
    expect(level(left, 1.1 * rate, 1.9 * rate)).toBeCloseTo(0.1 / Math.SQRT2, 3);
    expect(level(left, 0.1 * rate, 0.9 * rate)).toBeCloseTo(0.5 / Math.SQRT2, 3);
  });
});

describe('levels over time', () => {
  writeWav(inFolder('soft.wav'), 4, [sine(440, 0.1)]);
  const at = (samples: Float32Array, moment: number): number =>
    level(samples, (moment - 0.02) * rate, (moment + 0.02) * rate) / (0.1 / Math.SQRT2);

  test('keyframes of volume, up to three times as loud', async () => {
    const volume = [
      { time: 0, value: '0%' },
      { time: 1, value: '100%', easing: 'linear' },
      { time: 3, value: '300%', easing: 'linear' },
    ];
    const { left } = await mixOf(4, [audio('soft.wav', { volume })]);
    for (const [moment, wanted] of [
      [0.5, 0.5],
      [1, 1],
      [2, 2],
      [3.5, 3],
    ] as const)
      expect(at(left, moment)).toBeCloseTo(wanted, 1);
  });

  test('audio_fade_in and audio_fade_out', async () => {
    const { left } = await mixOf(4, [
      audio('soft.wav', { audio_fade_in: 1, audio_fade_out: '2 s' }),
    ]);
    for (const [moment, wanted] of [
      [0.25, 0.25],
      [0.5, 0.5],
      [1.5, 1],
      [3, 0.5],
      [3.5, 0.25],
    ] as const)
      expect(at(left, moment)).toBeCloseTo(wanted, 1);
  });

  test('a transition cross-fades two videos at equal power', async () => {
    for (const [name, seed] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      const wav = writeWav(inFolder(`${name}.wav`), 3, [noise(seed, 0.3)]);
      const picture = ['-f', 'lavfi', '-i', 'color=s=32x32:r=10:d=3'];
      runFfmpegSync(
        ...picture,
        '-i',
        wav,
        '-c:v',
        'libx264',
        '-c:a',
        'pcm_s16le',
        inFolder(`${name}.mov`),
      );
    }
    const fade = { animations: [{ type: 'fade', transition: true, duration: 1 }] };
    const { left } = await mixOf(5, [
      { type: 'video', source: 'one.mov', track: 1 },
      { type: 'video', source: 'two.mov', track: 1, ...fade },
    ]);
    const alone = level(left, 0.5 * rate, 1.5 * rate);
    // Two sounds that have nothing to do with each other are as loud together as each alone, all the way.
    for (let moment = 2.05; moment < 3; moment += 0.1) {
      const now = level(left, (moment - 0.05) * rate, (moment + 0.05) * rate);
      expect(Math.abs(decibels(now / alone))).toBeLessThan(0.5);
    }
  });

  test('nested, looped and shifted compositions', async () => {
    writeWav(inFolder('mark.wav'), 0.2, [(index) => (index < 4800 ? sine(1000, 0.5)(index) : 0)]);
    const inner = {
      type: 'composition',
      time: 0.25,
      duration: 0.5,
      elements: [audio('mark.wav', { time: 0.1 })],
    };
    const looped = { type: 'composition', time: 0.5, duration: 1, loop: true, elements: [inner] };
    const { left } = await mixOf(4, [looped]);
    const wanted = [0, 1, 2, 3].map((pass) => 0.5 + pass + 0.35);
    for (const moment of wanted) {
      const first = left.findIndex(
        (value, index) => index > (moment - 0.2) * rate && Math.abs(value) > 0.05,
      );
      expect(Math.abs(first - Math.round(moment * rate))).toBeLessThanOrEqual(2);
    }
    const heard = level(left) * Math.sqrt(left.length);
    const once = (0.5 / Math.SQRT2) * Math.sqrt(4800);
    expect(heard / once).toBeCloseTo(Math.sqrt(wanted.length), 1);
  });
});

describe.each(builds)('files, with %s', (_, build) => {
  test.each([
    ['mono', 'FC', 1, 1],
    ['stereo', 'FL', 1, 0],
    ['quad', 'FL', 1, 0],
    ['5.1', 'FL', 1, 0],
    ['5.1', 'FC', Math.SQRT1_2, Math.SQRT1_2],
    ['6.1', 'FR', 0, 1],
    ['7.1', 'FL', 1, 0],
    ['7.1', 'FC', Math.SQRT1_2, Math.SQRT1_2],
  ])('%s: %s comes out at its level', async (layout, channel, toLeft, toRight) => {
    const name = `${layout}-${channel}.flac`;
    runFfmpegSync(
      ...['-f', 'lavfi', '-i', 'aevalsrc=0.25*sin(2*PI*500*t):d=1:s=48000'],
      ...['-filter_complex', `[0:a]pan=${layout}|${channel}=c0`, '-c:a', 'flac', inFolder(name)],
    );
    const { left, right } = await mixOf(1, [audio(name)], build);
    expect(level(left) / (0.25 / Math.SQRT2)).toBeCloseTo(toLeft, 2);
    expect(level(right) / (0.25 / Math.SQRT2)).toBeCloseTo(toRight, 2);
  });

  test.each([8000, 44_100, 192_000])(
    '%d samples a second keep pitch, level and place',
    async (sampleRate) => {
      const name = `rate${sampleRate}.wav`;
      const begin = sampleRate / 2;
      const tone: Signal = (index) =>
        index < begin ? 0 : sine(500, 0.5, sampleRate)(index - begin);
      writeWav(inFolder(name), 1.5, [tone], sampleRate);
      const { left } = await mixOf(1.5, [audio(name)], build);
      expect(Math.abs(left.findIndex((value) => Math.abs(value) > 0.1) - 24_000)).toBeLessThan(12);
      expect(decibels(level(left, 26_000, 70_000) / (0.5 / Math.SQRT2))).toBeCloseTo(0, 0);
      const part = left.subarray(26_000, 50_000);
      const crossings = part.filter((value, index) => value >= 0 && (part[index - 1] ?? 0) < 0);
      expect(Math.abs(crossings.length - 250)).toBeLessThanOrEqual(2);
    },
  );

  test('of several sound tracks the first plays', async () => {
    const tones = ['sine=300:d=1', 'sine=900:d=1'].flatMap((tone) => ['-f', 'lavfi', '-i', tone]);
    const maps = ['-map', '0:a', '-map', '1:a', '-c:a', 'flac'];
    runFfmpegSync(...tones, ...maps, inFolder('several.mkv'));
    const { left } = await mixOf(1, [audio('several.mkv')], build);
    const crossings = left.filter((value, index) => value >= 0 && (left[index - 1] ?? 0) < 0);
    expect(Math.abs(crossings.length - 300)).toBeLessThan(50);
  });

  test.each([
    ['mkv', 'flac'],
    ['ts', 'ac3'],
    ['mov', 'pcm_s16le'],
  ])('a recording whose clock begins at 5 s (%s)', async (ending, codec) => {
    const wav = writeWav(inFolder('late.wav'), 2, [
      (index) => (index >= rate && index < rate + 4800 ? sine(2000, 0.8)(index - rate) : 0),
    ]);
    const name = `late.${ending}`;
    runFfmpegSync(
      ...['-f', 'lavfi', '-i', 'color=s=32x32:r=25:d=2', '-i', wav, '-c:v', 'libx264'],
      ...['-c:a', codec, '-output_ts_offset', '5', inFolder(name)],
    );
    const { left } = await mixOf(2, [{ type: 'video', source: name }], build);
    const first = left.findIndex((value) => Math.abs(value) > 0.3);
    expect(Math.abs(first / rate - 1)).toBeLessThan(0.01);
  });
});
