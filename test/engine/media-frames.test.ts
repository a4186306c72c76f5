/**
 * Which frame of a file is shown: random times, trims, speeds, rates and loops against the file's own time stamps, at
 * the decoder and in finished renders. The numbers drawn are the same in every run.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { MediaFile } from '../../server/engine/assets/assets.ts';
import { probeFile } from '../../server/engine/assets/examine/probe.ts';
import { VideoBook } from '../../server/engine/assets/videos/video.ts';
import { speedOf } from '../../shared/engine/compile/speed.ts';
import type { MediaClip } from '../../shared/engine/compile/timeline.ts';
import type { Ffmpeg } from '../../server/engine/ffmpeg.ts';
import { mediaTimeAt } from '../../shared/engine/layout/clock.ts';
import { renderInto } from '../helpers/engine.ts';
import { builds } from '../helpers/ffmpeg-builds.ts';
import { isLong } from '../helpers/long.ts';
import { clips, height, makeClip, maker, numberIn, timesOf, width } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'media-frames-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Mulberry32: the same numbers on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const names = Object.keys(clips);
const rates = [10, 12.5, 15, 23.976, 24, 25, 29.97, 30, 50, 60];

/** One way of playing a clip, and the moments of its element that are looked at. */
interface Play {
  readonly name: string;
  readonly clip: MediaClip;
  readonly rate: number;
  /** Seconds of the element. */
  readonly moments: readonly number[];
}

function randomPlay(random: () => number, name: string, frames: number): Play {
  const times = timesOf(name);
  const end = times.at(-1)!;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const trimStart = random() < 0.3 ? 0 : Math.round(random() * end * 800) / 1000;
  const trimDuration =
    random() < 0.5
      ? end - trimStart
      : Math.round((0.2 + random() * (end - trimStart - 0.2)) * 1000) / 1000;
  const speed = pick([1, 1, 1, 0.5, 2, 0.25 + random() * 3.75]);
  const rate = pick(rates);
  const loop = random() < 0.4;
  // Some begin past the end of what plays: the last frame is held there, or a later pass of the loop runs.
  const first = Math.floor(((random() * 1.3 * trimDuration) / speed) * rate);
  const moments = Array.from({ length: frames }, (_, index) => (first + index) / rate);
  return { name, clip: { trimStart, trimDuration, loop, speed }, rate, moments };
}

/** Seconds of the file that a moment of the element means, said again in plain words. */
function wantedTime({ trimStart, trimDuration, loop, speed }: MediaClip, moment: number): number {
  const played = moment * speed;
  if (loop) return trimStart + (played - trimDuration * Math.floor(played / trimDuration + 1e-9));
  return trimStart + Math.min(played, trimDuration);
}

/** How far a moment lies outside the time that a frame is shown, in lengths of that frame. */
function framesOff(times: readonly number[], shown: number, wanted: number): number {
  const start = times[shown] ?? Infinity;
  const end = times[shown + 1] ?? Infinity;
  const length = shown + 1 < times.length ? end - start : start - (times[shown - 1] ?? 0);
  return Math.max(0, start - wanted, shown + 1 < times.length ? wanted - end : 0) / length;
}

async function openClip(name: string, ffmpeg: Ffmpeg): Promise<VideoBook> {
  const file = makeClip(name, folder);
  const media: MediaFile = { source: 'clip', path: file, info: await probeFile(file, ffmpeg) };
  return new VideoBook({
    assets: { media: new Map([['clip', media]]) },
    ffmpeg,
    signal: new AbortController().signal,
  });
}

/** Shows the moments of a play and tells how far the worst frame is off. */
async function worstOf(play: Play, ffmpeg: Ffmpeg): Promise<{ off: number; late: number }> {
  const { name, clip, rate, moments } = play;
  const times = timesOf(name);
  await using disposal = {
    book: await openClip(name, ffmpeg),
    [Symbol.asyncDispose]: () => disposal.book.close(),
  };
  const { book } = disposal;
  let [off, late] = [0, 0];
  for (const moment of moments) {
    const time = mediaTimeAt(clip, moment);
    await book.prepare([
      { elementPath: 'e', source: 'clip', time, step: clip.speed / rate, width, height },
    ]);
    const found = framesOff(times, numberIn(book.frame('e')!), wantedTime(clip, moment));
    off = Math.max(off, found);
    if (found > 0.05) late++;
  }
  return { off, late };
}

/** A few at a time: most of the time goes by waiting for processes to start. */
async function together<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const run = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all([run(), run(), run()]);
  return results;
}

describe('random cases', () => {
  const framesOfPlay = 20;
  // 1,000 moments in the long form; else each clip twice, and once by what starts slowly.
  test.each(builds)(
    'none is off by more than half a frame, with %s',
    async (_, ffmpeg) => {
      const random = randomNumbers(20);
      const count = isLong
        ? 1000 / framesOfPlay
        : names.length * (ffmpeg === builds[0]![1] ? 2 : 1);
      for (const name of names) makeClip(name, folder);
      const plays = Array.from({ length: count }, (_unused, index) =>
        randomPlay(random, names[index % names.length]!, framesOfPlay),
      );
      const results = await together(plays, (play) => worstOf(play, ffmpeg));
      const wrong = results
        .map(({ off }, index) => ({ off, play: plays[index]! }))
        .filter(({ off }) => off > 0.5);
      expect(wrong).toEqual([]);
      // Nearly all are exact; what is not lies a millisecond beside a frame's start.
      expect(results.reduce((sum, { late }) => sum + late, 0)).toBeLessThanOrEqual(10);
    },
    120_000,
  );
});

describe('changing speed', () => {
  test.each(builds)(
    'shows the frame that the sum of the speeds leads to, with %s',
    async (_, ffmpeg) => {
      const name = 'mp4 30 with B-frames';
      const speeds = speedOf(
        [
          { time: 0, value: '50%' },
          { time: 1, value: '300%', easing: 'linear' },
          { time: 2, value: '100%', easing: 'quadratic-in-out' },
        ],
        3,
      );
      if (typeof speeds === 'number') throw new Error('expected a speed that changes');
      const clip = { trimStart: 0.5, trimDuration: 7, loop: false, speed: 1, speeds };
      const book = await openClip(name, ffmpeg);
      const times = timesOf(name);
      let worst = 0;
      for (let index = 0; index < 75; index++) {
        const moment = index / 25;
        const time = mediaTimeAt(clip, moment);
        // By small steps, with the speeds that the keyframes say.
        let wanted = 0.5;
        for (let at = 0; at < moment - 1e-9; at += 0.0005)
          wanted += 0.0005 * speedAtMoment(at + 0.00025);
        await book.prepare([
          { elementPath: 'e', source: 'clip', time, step: 1 / 25, width, height },
        ]);
        worst = Math.max(worst, framesOff(times, numberIn(book.frame('e')!), wanted));
      }
      await book.close();
      expect(worst).toBeLessThanOrEqual(0.5);
    },
  );

  function speedAtMoment(time: number): number {
    if (time <= 1) return 0.5 + 2.5 * time;
    if (time >= 2) return 1;
    const share = time - 1;
    return 3 - 2 * (share < 0.5 ? 2 * share ** 2 : 1 - 2 * (1 - share) ** 2);
  }
});

describe('finished renders', () => {
  /** The numbers in the frames of a finished video. */
  function numbersIn(file: string): number[] {
    const raw = execFileSync(
      maker.path,
      ['-v', 'error', '-i', file, '-map', '0:v', '-pix_fmt', 'rgba', '-f', 'rawvideo', '-'],
      { maxBuffer: 1 << 28 },
    );
    const bytes = width * height * 4;
    return Array.from({ length: raw.length / bytes }, (_, index) =>
      numberIn({ rgba: raw.subarray(index * bytes, (index + 1) * bytes), width, height }),
    );
  }

  test('random ones show the right frames, half of them with each ffmpeg', async () => {
    const random = randomNumbers(7);
    const plays = Array.from({ length: isLong ? 20 : names.length }, (_, index) =>
      randomPlay(random, names[index % names.length]!, 10),
    );
    for (const name of names) makeClip(name, folder);
    const results = await together([...plays.entries()], async ([index, { name, clip, rate }]) => {
      const frameRate = Math.min(60, rate);
      const workFolder = path.join(folder, `render-${index}`);
      mkdirSync(workFolder);
      const output = `render-${index}.mp4`;
      await renderInto(
        folder,
        output,
        {
          output_format: 'mp4',
          width,
          height,
          duration: 12 / frameRate,
          frame_rate: frameRate,
          elements: [
            {
              type: 'video',
              source: clips[name]!.file,
              duration: 12 / frameRate,
              trim_start: clip.trimStart,
              trim_duration: clip.trimDuration,
              loop: clip.loop,
              speed: `${clip.speed * 100}%`,
              volume: '0%',
            },
          ],
        },
        { workFolder, ffmpegPath: builds[index % builds.length]![1].path },
      );
      const numbers = numbersIn(path.join(folder, output));
      const times = timesOf(name);
      const off = numbers.map((number, frame) =>
        framesOff(times, number, wantedTime(clip, frame / frameRate)),
      );
      return { name, frames: numbers.length, worst: Math.max(...off) };
    });
    for (const { name, frames, worst } of results) {
      expect(frames, name).toBe(12);
      expect(worst, name).toBeLessThanOrEqual(0.5);
    }
  }, 120_000);

  test('shorter than its element: the last frame is held; a still shows the trimmed start', async () => {
    const name = 'uneven times';
    makeClip(name, folder);
    const element = { type: 'video', source: clips[name]!.file, trim_start: 6, duration: 2 };
    const document = { width, height, duration: 1.5, frame_rate: 10, elements: [element] };
    await renderInto(folder, 'held.mp4', { ...document, output_format: 'mp4' });
    const numbers = numbersIn(path.join(folder, 'held.mp4'));
    expect(numbers.slice(-5)).toEqual([119, 119, 119, 119, 119]);
    await renderInto(folder, 'still.png', { ...document, output_format: 'png' });
    const times = timesOf(name);
    expect(numbersIn(path.join(folder, 'still.png'))).toEqual([
      times.findLastIndex((time) => time <= 6.001),
    ]);
  });
});
