/**
 * Sound and picture of finished files, in step: every flash with its chirp, from the first second to the last.
 *
 * `SOUND_MINUTES=30 npx vitest run test/engine/sound-sync.test.ts` adds a film of that length (minutes of work).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import { builds } from '../helpers/ffmpeg-builds.ts';
import { isLong } from '../helpers/long.ts';
import { frameBrightness, runFfmpegSync } from '../helpers/media.ts';
import { rate, readSides, writeWav } from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sound-sync-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);

const chirpLength = 960;
/** A sweep from 500 Hz up, which fits itself at one place only. */
const chirp = Float32Array.from({ length: chirpLength }, (_, index) => {
  const time = index / rate;
  return 0.8 * Math.sin(2 * Math.PI * (500 * time + 87_500 * time * time));
});

/** A film that flashes for one frame and chirps at every whole second but the first. */
function makeFilm(
  name: string,
  seconds: number,
  frameRate: number,
  sound: readonly string[],
): void {
  const wav = writeWav(inFolder(`${name}.wav`), seconds, [
    (index) => (index < rate ? 0 : (chirp[index % rate] ?? 0)),
  ]);
  const flash = `gte(t,0.999)*lt(mod(t+0.001,1),${1 / frameRate - 0.001})`;
  runFfmpegSync(
    ...['-f', 'lavfi', '-i', `color=c=black:s=32x32:r=${frameRate}:d=${seconds}`, '-i', wav],
    ...['-vf', `drawbox=c=white:t=fill:enable='${flash}'`, '-c:v', 'libx264', '-g', '50'],
    ...['-pix_fmt', 'yuv420p', ...sound, inFolder(name)],
  );
}

/** Seconds by which each chirp comes after its flash; negative = before. */
function offsets(file: string, frameRate: number): number[] {
  const brightness = frameBrightness(file);
  const { left } = readSides(file);
  const flashes = [...brightness.keys()].filter(
    (frame) => (brightness[frame] ?? 0) > 120 && (brightness[frame - 1] ?? 0) <= 120,
  );
  return flashes.map((frame) => chirpNear(left, frame / frameRate) - frame / frameRate);
}

/** Where a chirp lies within 25 ms of a moment, seconds: the best fit, to the sample. */
function chirpNear(samples: Float32Array, moment: number): number {
  const middle = Math.round(moment * rate);
  let [best, at] = [-Infinity, NaN];
  const first = Math.max(0, middle - 1200);
  // Beyond its end a film is silent.
  const heard = new Float32Array(2401 + chirpLength);
  heard.set(samples.subarray(first, first + heard.length));
  const look = (from: number, to: number, step: number): void => {
    for (let place = from; place <= to; place += step) {
      const fit = fitAt(heard, place - first);
      if (fit > best) [best, at] = [fit, place];
    }
  };
  // A chirp still fits itself well three samples aside, and nowhere else.
  look(first, middle + 1200, 3);
  look(Math.max(first, at - 2), Math.min(middle + 1200, at + 2), 1);
  // Half of what a whole chirp fits itself: less is none.
  return best > 0.5 * fitAt(chirp, 0) ? at / rate : NaN;
}

/** How well the chirp fits what is heard from a place on. A film has millions of such places. */
function fitAt(heard: Float32Array, place: number): number {
  let fit = 0;
  for (let index = 0; index < chirpLength; index++) fit += heard[place + index]! * chirp[index]!;
  return fit;
}

/** The largest offset, and how much it changes from the first to the last, in ms. */
function summary(values: readonly number[]): { count: number; largest: number; drift: number } {
  const milliseconds = values.map((value) => value * 1000);
  return {
    count: values.length,
    largest: Math.max(...milliseconds.map(Math.abs)),
    drift: Math.abs((milliseconds.at(-1) ?? NaN) - (milliseconds[0] ?? NaN)),
  };
}

const tiny = { output_format: 'mp4', width: 32, height: 32 };
const video = (source: string, rest: JsonObject = {}): JsonObject => ({
  type: 'video',
  source,
  ...rest,
});

const films = [
  { name: 'ten seconds', seconds: 10, frameRate: 25, sound: ['-c:a', 'aac'], ending: 'mp4' },
  {
    name: 'ten seconds of mkv',
    seconds: 10,
    frameRate: 30,
    sound: ['-c:a', 'flac'],
    ending: 'mkv',
  },
  { name: 'a minute', seconds: 60, frameRate: 10, sound: ['-c:a', 'pcm_s16le'], ending: 'mov' },
];
/** Every build its short films, in the short form one each; the minute once, in the long form. */
const cases = builds.flatMap(([build, { path: ffmpegPath }], index) =>
  films
    .filter(({ seconds }, at) => (isLong ? seconds === 10 || index === 0 : at === index))
    .map((film) => ({ ...film, build, ffmpegPath })),
);

test.each(cases)(
  '$name with $build',
  async ({ name, seconds, frameRate, sound, ending, ffmpegPath }) => {
    const film = `${name}.${ending}`;
    makeFilm(film, seconds, frameRate, sound);
    const source = { ...tiny, frame_rate: frameRate, elements: [video(film)] };
    await renderInto(folder, 'film.mp4', source, { ffmpegPath });
    const { count, largest, drift } = summary(offsets(inFolder('film.mp4'), frameRate));
    expect(count).toBe(seconds - 1);
    expect(largest).toBeLessThan(10);
    expect(drift).toBeLessThan(1);
  },
);

test('a short video with shorter sound, looped again and again', async () => {
  makeFilm('second.mov', 1.4, 10, ['-c:a', 'pcm_s16le', '-af', 'atrim=end=1.37']);
  const elements = [video('second.mov', { loop: true, duration: null })];
  const source = { ...tiny, frame_rate: 10, duration: 12, elements };
  await renderInto(folder, 'looped.mp4', source);
  const { count, largest, drift } = summary(offsets(inFolder('looped.mp4'), 10));
  expect(count).toBeGreaterThan(7);
  expect(largest).toBeLessThan(10);
  expect(drift).toBeLessThan(1);
});

test.each([
  ['wav', ['-c:a', 'pcm_s16le']],
  ['m4a', ['-c:a', 'aac', '-b:a', '192k']],
  ['mp3', ['-c:a', 'libmp3lame', '-b:a', '192k']],
])('sixty clips of %s in a row do not drift', async (ending, coding) => {
  const seconds = 30;
  const wav = writeWav(inFolder('chirps.wav'), seconds, [
    (index) => (index < rate ? 0 : (chirp[index % rate] ?? 0)),
  ]);
  const file = `chirps60.${ending}`;
  runFfmpegSync('-i', wav, ...coding, inFolder(file));
  // Each has the chirp of another second, a third of a second in: lengths that are no whole number of samples.
  const [length, before] = [0.7 + 1 / 7, 1 / 3];
  const elements = Array.from({ length: 60 }, (_, index) => ({
    ...{ type: 'audio', source: file, track: 1, duration: length },
    trim_start: 1 + (index % (seconds - 3)) - before + 1,
  }));
  const source = { ...tiny, frame_rate: 10, elements };
  await renderInto(folder, 'sixty.mp4', source);
  const { left } = readSides(inFolder('sixty.mp4'));
  const late = elements.map((_, index) => {
    const due = index * length + before;
    return (chirpNear(left, due) - due) * 1000;
  });
  for (const value of late) expect(Math.abs(value), JSON.stringify(late)).toBeLessThan(1);
});

const minutes = Number(process.env['SOUND_MINUTES'] ?? 0);
if (minutes > 0) {
  test(`${minutes} minutes`, { timeout: 1_800_000 }, async () => {
    makeFilm('long.mp4', minutes * 60, 10, ['-c:a', 'aac']);
    const source = { ...tiny, frame_rate: 10, elements: [video('long.mp4')] };
    await renderInto(folder, 'long-film.mp4', source);
    const { count, largest, drift } = summary(offsets(inFolder('long-film.mp4'), 10));
    console.log(`${minutes} minutes: ${JSON.stringify({ count, largest, drift })}`);
    expect(count).toBe(minutes * 60 - 1);
    expect(largest).toBeLessThan(10);
    expect(drift).toBeLessThan(1);
  });
}
