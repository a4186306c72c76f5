/** Mixing: positions to the sample, levels, loops, speed, fades, and what comes back out of the finished file. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  MediaClip,
  OutputSettings,
  Sound,
  SoundFade,
} from '../../shared/engine/compile/timeline.ts';
import { playedAt, timePlayed } from '../../shared/engine/compile/speed.ts';
import { soundArguments, tempo } from '../../server/engine/encode/arguments.ts';
import { mixSounds } from '../../server/engine/encode/audio.ts';
import { openEncoder } from '../../server/engine/encode/encoder.ts';
import { ceiling, createLimiter } from '../../server/engine/encode/limiter.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { builds, usual } from '../helpers/ffmpeg-builds.ts';
import {
  decibels,
  level,
  rate,
  sine,
  writeWav as writeWavFile,
  type Signal,
} from './sound-signals.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'audio-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

let ffmpeg = usual;

const writeWav = (
  name: string,
  seconds: number,
  channels: readonly Signal[],
  sampleRate = rate,
): string => writeWavFile(path.join(folder, name), seconds, channels, sampleRate);
const clickAt =
  (...places: number[]) =>
  (index: number): number =>
    places.includes(index) ? 0.9 : 0;

const paths = new Map<string, string>();
const wholeClip: MediaClip = { trimStart: 0, trimDuration: Infinity, loop: false, speed: 1 };

/** What tests change about a sound; a number for the volume, and straight fades by their lengths. */
type Change = Omit<Partial<Sound>, 'clip' | 'volume'> & {
  clip?: Partial<MediaClip>;
  volume?: number | Sound['volume'];
  fadeIn?: number;
  fadeOut?: number;
};

function sound(source: string, change: Change = {}): Sound {
  const { fadeIn = 0, fadeOut = 0, volume = 1, clip, ...rest } = change;
  const duration = change.duration ?? 1;
  const own: SoundFade[] = [];
  if (fadeIn > 0) own.push({ kind: 'in', from: 0, to: fadeIn, shape: 'straight' });
  if (fadeOut > 0)
    own.push({ kind: 'out', from: duration - fadeOut, to: duration, shape: 'straight' });
  return {
    path: 'elements[0]',
    name: 'Audio 1',
    source,
    start: 0,
    fileStart: 0,
    withPicture: false,
    fades: own,
    ...rest,
    duration,
    volume: typeof volume === 'number' ? [{ time: 0, value: volume }] : volume,
    clip: { ...wholeClip, trimDuration: duration, ...clip },
  };
}

let folders = 0;

/** Mixes and reads the result: both channels, and the checks that hold for every mix. */
async function mix(
  sounds: Sound[],
  duration: number,
): Promise<{ left: Float32Array; right: Float32Array; file: string }> {
  const workFolder = path.join(folder, `work-${String(folders++)}`);
  mkdirSync(workFolder);
  const mixed = await mixSounds(sounds, {
    paths,
    duration,
    ffmpeg,
    workFolder,
    signal: new AbortController().signal,
  });
  if (mixed === null) throw new Error('nothing was mixed');
  const file = mixed.path;
  expect(readdirSync(workFolder)).toEqual(['sound.wav']);
  const bytes = readFileSync(file);
  const data = bytes.indexOf('data') + 8;
  const count = Math.round(duration * rate);
  expect(bytes.length - data).toBe(count * 8);
  expect(bytes.readUInt32LE(data - 4)).toBe(count * 8);
  const left = Float32Array.from({ length: count }, (_, index) =>
    bytes.readFloatLE(data + index * 8),
  );
  const right = Float32Array.from({ length: count }, (_, index) =>
    bytes.readFloatLE(data + index * 8 + 4),
  );
  return { left, right, file };
}

/** Places whose sample stands out. */
const peaks = (samples: Float32Array, least = 0.4): number[] =>
  [...samples.keys()].filter((index) => Math.abs(samples[index] ?? 0) > least);

beforeAll(() => {
  paths.set('click', writeWav('click.wav', 1, [clickAt(0), clickAt(0)]));
  paths.set(
    'clicks',
    writeWav('clicks.wav', 3, [
      clickAt(0, 48_000, 96_000, 120_000),
      clickAt(0, 48_000, 96_000, 120_000),
    ]),
  );
  paths.set('mono', writeWav('mono.wav', 2, [sine(440)]));
  paths.set('sides', writeWav('sides.wav', 2, [sine(440, 0.5), sine(880, 0.25)]));
  paths.set('slow rate', writeWav('slow.wav', 2, [sine(440, 0.5, 22_050)], 22_050));
  paths.set('loud', writeWav('loud.wav', 2, [sine(100, 0.999)]));
  paths.set('half second', writeWav('half.wav', 0.5, [sine(300)]));
});

test('nothing audible gives no file', async () => {
  const options = {
    paths,
    duration: 2,
    ffmpeg,
    workFolder: folder,
    signal: new AbortController().signal,
  };
  expect(await mixSounds([], options)).toBeNull();
  const silent = [
    sound('mono', { volume: 0 }),
    sound('mono', { start: 2 }),
    sound('mono', { start: -1 }),
  ];
  expect(await mixSounds(silent, options)).toBeNull();
});

describe('positions', () => {
  test.each([0, 0.5, 1 / 3, 1.234567, 1.99999])(
    'a click at %d s is at its sample',
    async (start) => {
      const { left, right } = await mix([sound('click', { start })], 2);
      const expected = Math.round(start * rate);
      const wanted = expected < left.length ? [expected] : [];
      expect(peaks(left)).toEqual(wanted);
      expect(peaks(right)).toEqual(wanted);
    },
  );

  test('trimming starts at its sample and ends at its sample', async () => {
    const cut = sound('clicks', {
      duration: 1,
      start: 0.25,
      clip: { trimStart: 2, trimDuration: 1 },
    });
    expect(peaks((await mix([cut], 2)).left)).toEqual([12_000, 36_000]);
    const short = sound('clicks', {
      duration: 0.5,
      start: 0.25,
      clip: { trimStart: 2, trimDuration: 0.5 },
    });
    expect(peaks((await mix([short], 2)).left)).toEqual([12_000]);
  });

  test('a start before the beginning cuts the sound', async () => {
    expect(peaks((await mix([sound('clicks', { start: -1.5, duration: 3 })], 2)).left)).toEqual([
      24_000, 48_000,
    ]);
  });

  test('blocks join without a seam', async () => {
    paths.set('long', writeWav('long.wav', 5, [sine(440)]));
    const { left } = await mix([sound('long', { duration: 5, start: 0.1 })], 5);
    const wrong = left.findIndex((value, index) => {
      const played = index - 4800;
      return Math.abs(value - (played < 0 ? 0 : sine(440)(played))) > 1e-4;
    });
    expect(wrong).toBe(-1);
  });

  test('hundreds of sounds at once and one after another', async () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      sound('click', { start: index * 0.01, duration: 0.005 }),
    );
    const { left } = await mix(many, 4);
    expect(peaks(left)).toEqual(many.map((_, index) => index * 480));
  });

  test.each([
    ['m4a', ['-c:a', 'aac', '-b:a', '192k'], 30],
    ['mp3', ['-c:a', 'libmp3lame', '-b:a', '192k'], 30],
    ['flac', ['-c:a', 'flac'], 0],
    ['ogg', ['-c:a', 'libvorbis', '-q:a', '8'], 30],
    ['mkv', ['-c:a', 'libopus', '-b:a', '160k'], 60],
  ])('%s: a click in the middle stays where it was', async (ending, codec, tolerance) => {
    const burst = (index: number): number =>
      index >= 60_000 && index < 60_480 ? sine(2000, 0.8)(index - 60_000) : 0;
    const wav = writeWav('burst.wav', 2, [burst, burst]);
    const file = path.join(folder, `burst.${ending}`);
    execFileSync(usual.path, ['-loglevel', 'error', '-y', '-i', wav, ...codec, file]);
    paths.set(ending, file);
    for (const trimStart of [0, 0.5]) {
      const { left } = await mix(
        [sound(ending, { duration: 1.5, clip: { trimStart, trimDuration: 1.5 } })],
        1.5,
      );
      const first = left.findIndex((value) => Math.abs(value) > 0.4);
      const expected = 60_000 - trimStart * rate + 3;
      expect(Math.abs(first - expected)).toBeLessThanOrEqual(tolerance);
    }
  });

  test('a sound that begins late in its file stays late', async () => {
    const file = path.join(folder, 'late.mkv');
    const picture = ['-f', 'lavfi', '-i', 'color=s=32x32:d=1:r=25'];
    const late = ['-itsoffset', '0.4', '-i', paths.get('click') ?? ''];
    const streams = ['-map', '0:v', '-map', '1:a', '-c:v', 'libx264', '-c:a', 'flac'];
    execFileSync(usual.path, ['-loglevel', 'error', '-y', ...picture, ...late, ...streams, file]);
    paths.set('late', file);
    expect(peaks((await mix([sound('late')], 1)).left)).toEqual([19_200]);
  });

  test('far into a long file', async () => {
    const at = 55 * rate;
    paths.set(
      'long tone',
      writeWav('long-tone.wav', 60, [(index) => (index < at ? 0 : sine(1000)(index - at))]),
    );
    const wav = writeWav('long-clicks.wav', 60, [clickAt(at)]);
    for (const [name, codec] of [
      ['long.wav', 'pcm_s16le'],
      ['long.flac', 'flac'],
      ['long.mkv', 'flac'],
      ['long.mov', 'alac'],
    ] as const) {
      const file = path.join(folder, name);
      execFileSync(usual.path, ['-loglevel', 'error', '-y', '-i', wav, '-c:a', codec, file]);
      paths.set(name, file);
      const cut = sound(name, { duration: 2, clip: { trimStart: 54.5, trimDuration: 2 } });
      expect(peaks((await mix([cut], 2)).left)).toEqual([24_000]);
    }
    const opus = path.join(folder, 'long-opus.mkv');
    execFileSync(usual.path, [
      '-loglevel',
      'error',
      '-y',
      '-i',
      paths.get('long tone') ?? '',
      '-c:a',
      'libopus',
      opus,
    ]);
    paths.set('opus', opus);
    const cut = sound('opus', { duration: 2, clip: { trimStart: 54.5, trimDuration: 2 } });
    const { left } = await mix([cut], 2);
    expect(Math.abs(left.findIndex((value) => Math.abs(value) > 0.3) - 24_000)).toBeLessThan(60);
  });
});

describe('levels', () => {
  test.each(['mono', 'slow rate'])(
    'one sound (%s) at full volume is as loud as it was',
    async (source) => {
      const { left, right } = await mix([sound(source, { duration: 2 })], 2);
      for (const side of [left, right]) {
        expect(Math.abs(decibels(level(side, 1000, 90_000) / (0.5 / Math.SQRT2)))).toBeLessThan(
          0.05,
        );
      }
    },
  );

  test('sides stay apart', async () => {
    const { left, right } = await mix([sound('sides', { duration: 2 })], 2);
    expect(level(left, 0, 96_000)).toBeCloseTo(0.5 / Math.SQRT2, 3);
    expect(level(right, 0, 96_000)).toBeCloseTo(0.25 / Math.SQRT2, 3);
  });

  test('volume is a factor; sounds add up; another one does not turn the first down', async () => {
    const half = await mix([sound('mono', { volume: 0.5 })], 1);
    expect(level(half.left, 0, rate)).toBeCloseTo(0.25 / Math.SQRT2, 3);
    const two = await mix([sound('mono', { volume: 0.5 }), sound('mono', { volume: 0.5 })], 1);
    expect(level(two.left, 0, rate)).toBeCloseTo(0.5 / Math.SQRT2, 3);
    const later = await mix([sound('mono'), sound('click', { start: 0.9 })], 1);
    expect(level(later.left, 0, 40_000)).toBeCloseTo(0.5 / Math.SQRT2, 3);
  });

  test('fades are straight lines at both ends', async () => {
    const { left } = await mix(
      [sound('mono', { start: 0.5, duration: 1, fadeIn: 0.2, fadeOut: 0.4 })],
      2,
    );
    const loudness = (at: number): number => level(left, at - 480, at + 480) / (0.5 / Math.SQRT2);
    expect(loudness(24_000 + 4800)).toBeCloseTo(0.5, 1);
    expect(loudness(24_000 + 24_000)).toBeCloseTo(1, 1);
    expect(loudness(72_000 - 9600)).toBeCloseTo(0.5, 1);
    expect(level(left, 72_000, 96_000)).toBe(0);
  });

  test('a fade-out ends with the sound when its file is shorter than asked for', async () => {
    const { left } = await mix([sound('half second', { duration: 2, fadeOut: 0.25 })], 2);
    expect(level(left, 18_000 - 480, 18_000 + 480) / (0.5 / Math.SQRT2)).toBeCloseTo(0.5, 1);
    expect(level(left, 24_000, 96_000)).toBe(0);
  });

  test('too many loud sounds stay under the ceiling, and the others are left alone', async () => {
    const { left } = await mix(
      [sound('mono', { duration: 2 }), sound('loud', { start: 1 }), sound('loud', { start: 1 })],
      2,
    );
    const loudest = left.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    expect(loudest).toBeLessThanOrEqual(ceiling + 1e-6);
    expect(loudest).toBeGreaterThan(0.8);
    expect(level(left, 0, 40_000)).toBeCloseTo(0.5 / Math.SQRT2, 3);
  });
});

describe('loops and speed', () => {
  test('a loop repeats to the sample, over the block borders too', async () => {
    const looped = sound('clicks', {
      duration: 4,
      clip: { trimStart: 1, trimDuration: 0.7, loop: true },
    });
    const { left } = await mix([looped], 4);
    expect(peaks(left)).toEqual([0, 33_600, 67_200, 100_800, 134_400, 168_000]);
  });

  test('a loop runs over what the file has', async () => {
    const looped = sound('half second', { duration: 2, clip: { trimDuration: 0.6, loop: true } });
    const { left } = await mix([looped], 2);
    expect(level(left, 0, 96_000)).toBeCloseTo(0.5 / Math.SQRT2, 2);
    expect(left[24_100]).toBeCloseTo(sine(300)(100), 3);
  });

  test.each([0.4, 0.5, 1.5, 2, 3])('speed %d keeps pitch and changes length', async (speed) => {
    paths.set('tone', writeWav('tone.wav', 6, [sine(500)]));
    const heard = 1.8;
    const { left } = await mix(
      [sound('tone', { duration: heard, clip: { trimDuration: heard * speed, speed } })],
      2.2,
    );
    const middle = left.subarray(20_000, 68_000);
    const crossings = middle.filter(
      (value, index) => value >= 0 && (middle[index - 1] ?? 0) < 0,
    ).length;
    expect(Math.abs(crossings - 500)).toBeLessThan(8);
    const end = left.findLastIndex((value) => Math.abs(value) > 0.05);
    expect(Math.abs(end / rate - heard)).toBeLessThan(0.05);
  });

  describe('a speed that changes', () => {
    const speeds = [
      { time: 0, value: 1 },
      { time: 1, value: 1 },
      { time: 3, value: 2.5 },
      { time: 3, value: 0.5 },
      { time: 5, value: 0.5 },
    ];
    const clip = { trimDuration: 6, speed: 1, speeds };

    test('keeps pitch', async () => {
      paths.set('tone', writeWav('tone.wav', 6, [sine(500)]));
      const { left } = await mix([sound('tone', { duration: 4.5, clip })], 4.5);
      for (const from of [0.2, 1.2, 2, 2.5, 3.2, 3.8]) {
        const part = left.subarray(from * rate, (from + 0.4) * rate);
        const crossings = part.filter(
          (value, index) => value >= 0 && (part[index - 1] ?? 0) < 0,
        ).length;
        expect(Math.abs(crossings - 200)).toBeLessThan(5);
        expect(Math.abs(decibels(level(part, 0, part.length) / (0.5 / Math.SQRT2)))).toBeLessThan(
          1,
        );
      }
    });

    test('brings every moment of the file within 10 ms of its time', async () => {
      const burst = (index: number): number =>
        index % 24_000 < 2400 ? sine(1000, 0.6)(index % 24_000) : 0;
      paths.set('bursts', writeWav('bursts.wav', 6, [burst, burst]));
      const { left } = await mix([sound('bursts', { duration: 4.5, clip })], 4.5);
      const heard = playedAt(clip, 4.4);
      for (let media = 0.5; media < heard; media += 0.5) {
        const expected = Math.round(timePlayed(clip, media) * rate);
        const quiet = expected - 1500;
        const first = left.findIndex((value, index) => index > quiet && Math.abs(value) > 0.2);
        expect(Math.abs(first - expected) / rate).toBeLessThan(0.01);
      }
    });

    test('is what was recorded where it is 100 %', async () => {
      paths.set('tone', writeWav('tone.wav', 6, [sine(500)]));
      const { left } = await mix([sound('tone', { duration: 4.5, clip })], 4.5);
      const wrong = left.findIndex(
        (value, index) => index < 0.95 * rate && Math.abs(value - sine(500)(index)) > 1e-3,
      );
      expect(wrong).toBe(-1);
    });

    test('goes on through the passes of a loop', async () => {
      const burst = (index: number): number => (index < 2400 ? sine(1000, 0.6)(index) : 0);
      paths.set('beat', writeWav('beat.wav', 1, [burst, burst]));
      const faster = [
        { time: 0, value: 2 },
        { time: 9, value: 2.0001 },
      ];
      const looped = { trimDuration: 1, loop: true, speed: 2, speeds: faster };
      const { left } = await mix([sound('beat', { duration: 3, clip: looped })], 3);
      for (let pass = 1; pass < 6; pass++) {
        const expected = pass * 24_000;
        const first = left.findIndex(
          (value, index) => index > expected - 2000 && Math.abs(value) > 0.2,
        );
        expect(Math.abs(first - expected) / rate).toBeLessThan(0.01);
      }
    });
  });

  test.each([
    [1, []],
    [2, ['atempo=2.000000000']],
    [0.5, ['atempo=0.500000000']],
    [4, ['atempo=2.000000000', 'atempo=2.000000000']],
    [0.25, ['atempo=0.500000000', 'atempo=0.500000000']],
    [3, ['atempo=1.732050808', 'atempo=1.732050808']],
  ])('speed %d is the chain %j', (speed, chain) => {
    expect(tempo(speed)).toEqual(chain);
  });
});

test('files are read by the demuxer that we name', () => {
  const cut = {
    path: '/work/in.mp4',
    demuxer: 'mov',
    fileStart: 0,
    start: 45.25,
    duration: 2,
    speed: 1,
  };
  const args = soundArguments(cut, '/work/out.wav').join(' ');
  expect(args).toContain('-ss 35 ');
  expect(args).toContain('-protocol_whitelist file,pipe -f mov -i /work/in.mp4');
  expect(args).toContain('atrim=start_sample=492000:end_sample=588000');
  expect(soundArguments({ ...cut, demuxer: 'mp3' }, '').join(' ')).not.toContain('-ss');
});

test('a file without readable sound is the element’s fault', async () => {
  const file = path.join(folder, 'text.mp3');
  writeFileSync(file, '#EXTM3U\nfile:///etc/hostname\n');
  paths.set('text', file);
  const error = await mix([sound('text', { name: 'Music', path: 'elements[3]' })], 1).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RenderError);
  expect(error).toMatchObject({
    code: 'media_unreadable',
    path: 'elements[3].source',
    message: 'Source error: Music.source: The sound of this file cannot be read',
  });
});

test('a cancelled mix ends at once', async () => {
  const options = { paths, duration: 2, ffmpeg, workFolder: folder, signal: AbortSignal.abort() };
  await expect(mixSounds([sound('mono')], options)).rejects.toMatchObject({ code: 'cancelled' });
});

describe('limiter', () => {
  const feed = (samples: Float32Array): Float32Array => {
    const limiter = createLimiter(rate);
    const stereo = new Float32Array((samples.length + limiter.delay) * 2);
    samples.forEach((value, index) => stereo.fill(value, index * 2, index * 2 + 2));
    for (let at = 0; at < stereo.length; at += 2000)
      limiter.process(stereo.subarray(at, at + 2000));
    return stereo.filter((_, index) => index % 2 === 0).subarray(limiter.delay);
  };

  test('what fits passes bit for bit, before and well after something loud', () => {
    const quiet = Float32Array.from({ length: 4000 }, (_, index) => sine(300, 0.8)(index));
    expect(feed(quiet)).toEqual(quiet);
    const loud = Float32Array.from({ length: 200_000 }, (_, index) =>
      sine(300, index > 4000 && index < 5000 ? 3 : 0.8)(index),
    );
    const result = feed(loud);
    expect(result.subarray(0, 3500)).toEqual(loud.subarray(0, 3500));
    expect(result.subarray(150_000)).toEqual(loud.subarray(150_000));
  });

  test('no sample exceeds the ceiling', () => {
    let state = 1;
    const noise = Float32Array.from({ length: 50_000 }, (_, index) => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return (state / 2 ** 31) * (index % 5000 < 40 ? 8 : 1.2);
    });
    expect(feed(noise).every((value) => Math.abs(value) <= ceiling + 1e-6)).toBe(true);
  });
});

describe.each(builds)('with %s', (_, build) => {
  test('a click in the finished mp4 is within 1 ms, at its loudness', async () => {
    ffmpeg = build;
    const burst = (index: number): number => (index < 480 ? sine(2000, 0.8)(index) : 0);
    paths.set('burst', writeWav('mp4-burst.wav', 0.1, [burst]));
    const starts = [0, 0.5, 1.2345];
    const bursts = starts.map((start) => sound('burst', { start, duration: 0.1 }));
    const { file } = await mix([...bursts, sound('mono', { start: 1.5, duration: 0.5 })], 2);
    ffmpeg = usual;

    const output: OutputSettings = {
      format: 'mp4',
      width: 64,
      height: 64,
      frameRate: 25,
      frameCount: 50,
      crf: 23,
      videoCodec: 'h264',
      gifQuality: 'fast',
      gifCompression: 0,
      gifLoop: true,
      loudness: null,
    };
    const result = path.join(folder, 'click.mp4');
    const workFolder = path.dirname(file);
    const signal = new AbortController().signal;
    await using sink = await openEncoder({
      ffmpeg: build,
      output,
      sound: { path: file, loudest: 1, loudness: null, warnings: [] },
      filePath: result,
      signal,
      workFolder,
    });
    await sink.write(new Uint8Array(64 * 64 * 4).fill(128));
    for (let frame = 1; frame < output.frameCount; frame++) await sink.repeat();
    expect(await sink.finish()).toMatchObject({ duration: 2 });

    const raw = execFileSync(usual.path, ['-loglevel', 'error', '-i', result, '-f', 'f32le', '-'], {
      maxBuffer: 1 << 28,
    });
    const samples = Float32Array.from({ length: raw.length / 8 }, (_, index) =>
      raw.readFloatLE(index * 8),
    );
    for (const start of starts) {
      const at = Math.round(start * rate);
      const first = samples.findIndex((value, index) => index > at - 2000 && Math.abs(value) > 0.3);
      expect(Math.abs(first - at - 3)).toBeLessThanOrEqual(48);
    }
    expect(Math.abs(decibels(level(samples, 76_800, 91_200) / (0.5 / Math.SQRT2)))).toBeLessThan(
      0.1,
    );
    expect(Math.abs(samples.length / rate - 2)).toBeLessThan(0.025);
  });
});
