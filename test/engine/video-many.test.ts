/** More clips on the screen than decoders may be open: each shows what it shows alone, however often it is reopened. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaFile } from '../../server/engine/assets/assets.ts';
import { probeFile } from '../../server/engine/assets/examine/probe.ts';
import { VideoBook, type VideoRequest } from '../../server/engine/assets/videos/video.ts';
import { drawingLimits } from '../../shared/limits.ts';
import { ffmpegChildren } from './ffmpeg-children.ts';
import { height, makeClip, maker, numberIn, width } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'video-many-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Clips that are compared: a file, and the time of each frame n at 30 frames a second. */
const compared: readonly (readonly [string, number, (n: number) => number])[] = [
  ['mp4 30 with B-frames', 1 / 30, (n) => n / 30],
  ['uneven times', 1 / 30, (n) => n / 30],
  ['mov 23.976', 0.7 / 30, (n) => (n * 0.7) / 30],
  // The speed changes, so that no step holds.
  ['uneven times', 1 / 30, (n) => n / 30 + (n * n) / 400],
  ['mkv 25', 1 / 30, (n) => n / 30 + (n * n) / 400],
  ['webm 30, times in milliseconds, sound before 0', 1 / 30, (n) => 1.5 - n / 30],
  // Over the end.
  ['ts 25, times from 1.4 s', 0.5, (n) => n * 1.7],
  ['uneven times', 0.1, (n) => 5 + n * 0.1],
];
const standing = 'mp4 30 with B-frames';
const frames = 8;

const media = new Map<string, MediaFile>();
beforeAll(async () => {
  for (const name of new Set([standing, ...compared.map(([source]) => source)])) {
    const file = makeClip(name, folder);
    media.set(name, { source: name, path: file, info: await probeFile(file, maker) });
  }
});

const openBook = (files: ReadonlyMap<string, MediaFile> = media): VideoBook =>
  new VideoBook({
    assets: { media: files },
    ffmpeg: maker,
    signal: new AbortController().signal,
  });

/** Each at a moment of its own within frame 30: those of one moment have a decoder together. */
const still = (index: number): VideoRequest => ({
  elementPath: `standing[${index}]`,
  source: standing,
  time: 1 + index / 2_000,
  step: 0,
  width,
  height,
});

test('clips that are reopened for each frame show the very pictures that they show alone', async () => {
  const moving = (n: number): VideoRequest[] =>
    compared.map(([source, step, timeOf], index) => ({
      elementPath: `compared[${index}]`,
      source,
      time: 0.413 + timeOf(n),
      step,
      width,
      height,
    }));
  const all = Array.from({ length: drawingLimits.decoders }, (_, index) => still(index));
  const together = openBook();
  const shown: { rgba: Uint8Array; width: number; height: number }[][] = [];
  for (let n = 0; n < frames; n++) {
    // Reopened for each frame; then with a decoder that stays; then reopened again.
    const staysOpen = n === 4 || n === 5;
    await together.prepare(staysOpen ? [...moving(n), ...all] : [...all, ...moving(n)]);
    shown.push(
      moving(n).map(({ elementPath }) => {
        const frame = together.frame(elementPath)!;
        return { ...frame, rgba: frame.rgba.slice() };
      }),
    );
    for (const { elementPath } of all) expect(numberIn(together.frame(elementPath)!)).toBe(30);
  }
  await together.close();
  const different: string[] = [];
  for (const [index, [source]] of compared.entries()) {
    const alone = openBook();
    for (let n = 0; n < frames; n++) {
      const request = moving(n)[index]!;
      await alone.prepare([request]);
      const own = alone.frame(request.elementPath)!;
      const other = shown[n]![index]!;
      if (Buffer.compare(own.rgba, other.rgba) !== 0)
        different.push(
          `${index} ${source} at ${request.time}: frame ${numberIn(other)}, alone ${numberIn(own)}`,
        );
    }
    await alone.close();
  }
  expect(different).toEqual([]);
}, 120_000);

test('a clip that goes back from its end shows the frame before it', async () => {
  const book = openBook();
  const at = async (time: number): Promise<number> => {
    const request = { ...still(0), source: 'mkv 25', time, step: 0.4 };
    await book.prepare([request]);
    return numberIn(book.frame(request.elementPath)!);
  };
  // 150 frames at 25 a second; the last one begins at 5.96, between two steps.
  expect([await at(5.2), await at(5.6), await at(6), await at(5.6)]).toEqual([130, 140, 149, 140]);
  await book.close();
});

/** The same file, said to be of another size. */
function sized(source: string, side: number): MediaFile {
  const file = media.get(standing)!;
  return { ...file, source, element: 'Wall', info: { ...file.info, width: side, height: side } };
}

test.skipIf(process.platform !== 'linux')(
  'decoders of large files stay open only as far as their memory goes',
  async () => {
    const book = openBook(new Map([['large', sized('large', 6_000)]]));
    const requests = Array.from({ length: 14 }, (_, index) => ({
      ...still(index),
      source: 'large',
    }));
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, ffmpegChildren())), 5);
    await book.prepare(requests);
    clearInterval(look);
    const shown = requests.map(({ elementPath }) => numberIn(book.frame(elementPath)!));
    expect(new Set(shown)).toEqual(new Set([30]));
    // 6,000 × 6,000 × 1.5 × 12 is 648 MB: two stay open.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2 + drawingLimits.passingDecoders);
    await book.close();
  },
);

test('frames that take too much memory together are refused by name, before any is decoded', async () => {
  const book = openBook(new Map([['large', sized('large', 6_000)]]));
  const count = Math.floor(drawingLimits.videoFrameBytes / (6_000 * 6_000 * 4)) + 1;
  const requests = Array.from({ length: count }, (_, index) => ({
    ...still(index),
    source: 'large',
    width: 6_000,
    height: 6_000,
  }));
  await expect(book.prepare(requests)).rejects.toThrow(
    'Render error: Wall: The frames of all videos that show at the same time take more than 1000 MB of memory, which is the limit',
  );
  await book.close();
});
