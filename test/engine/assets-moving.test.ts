/** Animated pictures: every frame as its file means it, at its own time, whatever was asked for before. */
import { createCanvas, type Canvas, type Image } from '@napi-rs/canvas';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ImageBook } from '../../server/engine/assets/pictures/images.ts';
import { unrollAvif } from '../../server/engine/assets/pictures/moving-picture.ts';
import { vectorFonts } from '../helpers/drawing.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { readPictureHeader } from '../../server/engine/assets/pictures/picture-header.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { createLayout } from '../../shared/engine/layout/layout.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import {
  asGif,
  asPng,
  asWebp,
  expectedFrames,
  type Patch,
  type PatchAnimation,
} from '../helpers/animations.ts';
import { load, mediaFolder, useFolder } from './assets-loading.ts';
import { runFfmpegSync } from '../helpers/media.ts';

useFolder();

const red = [255, 0, 0, 255] as const;
const green = [0, 255, 0, 255] as const;
const blue = [0, 0, 255, 255] as const;
const glass = [0, 0, 255, 128] as const;
const nothing = [0, 0, 0, 0] as const;

const ground: Patch = { place: [0, 0, 24, 16], colour: red, milliseconds: 200 };
const patch: Patch = { place: [4, 2, 8, 8], colour: green, milliseconds: 50 };
const later: Patch = { place: [8, 6, 10, 8], colour: blue, milliseconds: 350 };
const last: Patch = { place: [20, 12, 4, 4], colour: green, milliseconds: 100 };

const movie = (...patches: Patch[]): PatchAnimation => ({
  width: 24,
  height: 16,
  plays: 0,
  patches,
});

const formats = [
  ['gif', asGif],
  ['webp', asWebp],
  ['png', asPng],
] as const;

async function open(file: string, bytes: Buffer): Promise<{ book: ImageBook; info: MediaInfo }> {
  writeFileSync(path.join(mediaFolder, file), bytes);
  const assets = await load({ elements: [{ type: 'image', source: file }] });
  return { book: await ImageBook.open(assets, vectorFonts), info: assets.media.get(file)!.info };
}

function pixels(drawable: Image | Canvas | null): Uint8ClampedArray {
  const canvas = createCanvas(drawable!.width, drawable!.height);
  const ctx = canvas.getContext('2d');
  ctx.drawImage(drawable!, 0, 0);
  return ctx.getImageData(0, 0, canvas.width, canvas.height).data;
}

/** The largest difference between two pictures; colours below an opacity of zero do not count. */
function distance(one: Uint8ClampedArray, two: Uint8ClampedArray): number {
  expect(one.length).toBe(two.length);
  let largest = 0;
  for (let at = 0; at < one.length; at += 4) {
    const parts = one[at + 3] === 0 && two[at + 3] === 0 ? [3] : [0, 1, 2, 3];
    for (const part of parts)
      largest = Math.max(largest, Math.abs(one[at + part]! - two[at + part]!));
  }
  return largest;
}

const stories: [name: string, animation: PatchAnimation, formats: readonly string[]][] = [
  ['patches that stay', movie(ground, patch, later, last), ['gif', 'webp', 'png']],
  [
    'a patch that is cleared',
    movie(ground, { ...patch, disposal: 'clear' }, later, last),
    ['gif', 'webp', 'png'],
  ],
  [
    'a patch that is taken back',
    movie(ground, { ...patch, disposal: 'restore' }, later, last),
    ['gif', 'png'],
  ],
  [
    'two patches taken back in a row',
    movie(ground, { ...patch, disposal: 'restore' }, { ...later, disposal: 'restore' }, last),
    ['gif', 'png'],
  ],
  [
    'a whole frame that is cleared',
    movie({ ...ground, disposal: 'clear' }, patch, later, last),
    ['gif', 'webp', 'png'],
  ],
  [
    'the first frame is a patch',
    movie(patch, later, { ...last, disposal: 'clear' }, patch),
    ['gif', 'webp', 'png'],
  ],
  [
    'a patch that lets all of the ground show',
    movie(ground, { ...patch, colour: nothing }, later),
    ['gif', 'webp', 'png'],
  ],
  [
    'a half transparent patch over the ground',
    movie(ground, { ...patch, colour: glass, blend: 'over' }, later),
    ['webp', 'png'],
  ],
  [
    'a half transparent patch instead of the ground',
    movie(ground, { ...patch, colour: glass, blend: 'replace' }, later),
    ['webp', 'png'],
  ],
  [
    'whole frames that replace each other',
    movie(
      { ...ground, blend: 'replace' },
      { ...ground, colour: glass, blend: 'replace' },
      { ...patch, blend: 'replace' },
    ),
    ['webp', 'png'],
  ],
];

describe('frames of an animated picture', () => {
  for (const [name, animation, kinds] of stories) {
    for (const [format, encode] of formats.filter(([kind]) => kinds.includes(kind))) {
      test(`${name} (${format})`, async () => {
        const { book, info } = await open(
          `${name.replaceAll(' ', '-')}.${format}`,
          encode(animation),
        );
        const source = `${name.replaceAll(' ', '-')}.${format}`;
        const expected = expectedFrames(animation);
        const { starts } = info.animation!;
        // WebP stores colours at half their resolution and in video levels.
        const tolerance = format === 'webp' ? 6 : 1;
        const forwards = starts.map((start) => pixels(book.image(source, 24, 16, start)));
        forwards.forEach((seen, index) =>
          expect(distance(seen, expected[index]!), `frame ${index}`).toBeLessThanOrEqual(tolerance),
        );
        // Asked for alone, from the last to the first, by books that know nothing yet.
        for (const index of [...starts.keys()].reverse()) {
          const { book: fresh } = await open(source, encode(animation));
          const alone = pixels(fresh.image(source, 24, 16, starts[index]));
          expect(distance(alone, forwards[index]!), `frame ${index} alone`).toBe(0);
        }
      });
    }
  }

  test.each(formats)('each frame of a %s has its own time', async (format, encode) => {
    const { book, info } = await open(`times.${format}`, encode(movie(ground, patch, later, last)));
    expect(info).toMatchObject({ kind: 'image', duration: 0.7, hasAlpha: true });
    expect(info.animation).toEqual({ starts: [0, 0.2, 0.25, 0.6], plays: null });
    const at = (time: number) => book.image(`times.${format}`, 24, 16, time);
    expect(at(0.1999)).toBe(at(0));
    expect(at(0.2)).not.toBe(at(0));
    expect(at(0.2)).toBe(at(0.2499));
    expect(at(99)).toBe(at(0.6));
  });

  test.each(formats)(
    'delays that nobody could see are slow ones, and plays count (%s)',
    (format, encode) => {
      const hasty = movie({ ...ground, milliseconds: 0 }, { ...patch, milliseconds: 10 }, later);
      const facts = readPictureHeader(format, encode({ ...hasty, plays: 3 }))!;
      expect(facts.animation).toEqual({ starts: [0, 0.1, 0.2], plays: 3 });
      expect(readPictureHeader(format, encode({ ...hasty, plays: 1 }))!.animation!.plays).toBe(1);
    },
  );

  test.each(formats)('one frame alone is a still picture (%s)', (format, encode) => {
    const facts = readPictureHeader(format, encode(movie(ground)))!;
    expect(facts).toMatchObject({ width: 24, height: 16, duration: 0, frames: 1 });
    expect(facts.animation).toBeUndefined();
  });

  test.each(formats)('a %s that is cut off plays as far as it goes', async (format, encode) => {
    const whole = encode(movie(ground, patch, later, last));
    for (const share of [0.55, 0.75, 0.9]) {
      const bytes = whole.subarray(0, Math.round(whole.length * share));
      const frames = readPictureHeader(format, bytes)?.frames ?? 0;
      expect(frames).toBeGreaterThan(0);
      const { book, info } = await open(`cut.${format}`, bytes);
      const { starts } = info.animation ?? { starts: [0] };
      for (const start of starts) expect(book.image(`cut.${format}`, 24, 16, start)).not.toBeNull();
    }
  });

  test('a damaged frame leaves the one before it, and that is said', async () => {
    const bytes = asWebp(movie(ground, patch, later));
    const second = bytes.indexOf('ANMF', bytes.indexOf('ANMF') + 4);
    // The name of the chunk behind the frame's place.
    bytes.fill('????', second + 24, second + 28);
    const { book } = await open('damaged.webp', bytes);
    expect(book.warnings).toEqual([]);
    const [first, damaged] = [0, 0.2].map((time) =>
      pixels(book.image('damaged.webp', 24, 16, time)),
    );
    expect(distance(first!, damaged!)).toBe(0);
    expect(book.warnings.map(({ code, path: place }) => [code, place])).toEqual([
      ['file_damaged', 'elements[0].source'],
    ]);
  });

  test('a long animation does not unfold: a thousand frames of a megapixel', async () => {
    const frames = Array.from({ length: 1000 }, (_, index): Patch => ({
      place: [(index % 50) * 20, 0, 20, 20],
      colour: [index % 256, 100, 100, 255],
    }));
    const { book, info } = await open(
      'long.gif',
      asGif({ width: 1000, height: 1000, plays: 0, patches: frames }),
    );
    const before = process.memoryUsage().rss;
    for (let index = 0; index < 400; index++)
      expect(book.image('long.gif', 1000, 1000, info.animation!.starts[index])).not.toBeNull();
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(250);
  });
});

describe('animated pictures on the timeline', () => {
  const info = (plays: number | null): MediaInfo => ({
    kind: 'image',
    format: 'gif',
    width: 24,
    height: 16,
    duration: 0.7,
    frameRate: 4 / 0.7,
    hasAudio: false,
    hasAlpha: true,
    animation: { starts: [0, 0.2, 0.25, 0.6], plays },
  });

  /** The start of the frame that each moment shows. */
  function shown(element: JsonObject, plays: number | null, times: readonly number[]): number[] {
    const media = new Map([['a.gif', info(plays)]]);
    const source = {
      output_format: 'mp4',
      width: 100,
      height: 100,
      duration: 10,
      elements: [{ source: 'a.gif', ...element }],
    };
    const timeline = compileTimeline(source, { media, scaling: {} });
    const measurer = { measure: () => ({ width: 0, ascent: 0, descent: 0 }) } as never;
    const layout = createLayout(timeline, { measurer, media });
    return times.map((time) => {
      const content = layout.frameAt(time).boxes[0]?.content;
      return content?.kind === 'media' ? content.mediaTime : -1;
    });
  }

  test.each<[name: string, element: JsonObject, plays: number | null, expected: number[]]>([
    ['an image loops for its whole length', { type: 'image' }, null, [0, 0.2, 0.6, 0, 0.25, 0]],
    ['an image plays as often as its file says', { type: 'image' }, 2, [0, 0.2, 0.6, 0, 0.25, 0.6]],
    ['one play ends on the last frame', { type: 'image' }, 1, [0, 0.2, 0.6, 0.6, 0.6, 0.6]],
    [
      'a video plays once and holds',
      { type: 'video', duration: 9 },
      null,
      [0, 0.2, 0.6, 0.6, 0.6, 0.6],
    ],
    [
      'a looped video goes on',
      { type: 'video', duration: 9, loop: true },
      1,
      [0, 0.2, 0.6, 0, 0.25, 0],
    ],
    ['a video is as long as its file', { type: 'video' }, null, [0, 0.2, 0.6, -1, -1, -1]],
    [
      'an image as long as its file',
      { type: 'image', duration: 'media' },
      null,
      [0, 0.2, 0.6, -1, -1, -1],
    ],
    [
      'the beginning of a video is cut off',
      { type: 'video', duration: 9, trim_start: 0.25, loop: true },
      null,
      [0.25, 0.25, 0.25, 0.6, 0.25, 0.6],
    ],
  ])('%s', (_, element, plays, expected) => {
    expect(shown(element, plays, [0, 0.21, 0.65, 0.81, 1.1, 2.18])).toEqual(expected);
  });
});

test('B7: a moving avif moves, and without ffmpeg a warning says that it stands', async () => {
  const file = path.join(mediaFolder, 'moving.avif');
  const colors = ['red', 'lime', 'blue'].flatMap((name) => {
    return ['-f', 'lavfi', '-i', `color=${name}:s=16x16:r=5:d=0.2`];
  });
  runFfmpegSync(
    ...[...colors, '-filter_complex', '[0][1][2]concat=n=3,format=yuv420p'],
    ...['-c:v', 'libaom-av1', '-strict', 'experimental', '-cpu-used', '8', '-crf', '10'],
    ...['-b:v', '0', '-f', 'mp4', file],
  );
  // An avif sequence is such a film under another name.
  const bytes = readFileSync(file);
  bytes.write('avis', 8, 'latin1');
  writeFileSync(file, bytes);
  const source = { elements: [{ type: 'image', source: 'moving.avif' }] };
  const assets = await load(source);
  expect(assets.media.get('moving.avif')?.info).toMatchObject({ format: 'png', width: 16 });
  expect(assets.media.get('moving.avif')?.info.animation?.starts).toEqual([0, 0.2, 0.4]);
  expect(assets.warnings).toEqual([]);
  const pictures = await ImageBook.open(assets, vectorFonts);
  const seen = [0.1, 0.3, 0.5].map((time) => {
    const context = createCanvas(16, 16).getContext('2d');
    context.drawImage(pictures.image('moving.avif', 16, 16, time)!, 0, 0);
    const [r = 0, g = 0, b = 0] = context.getImageData(8, 8, 1, 1).data;
    return [r, g, b].map((value) => value > 200);
  });
  expect(seen).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ]);
  await expect(unrollAvif(file, null, new AbortController().signal)).resolves.toBe(false);
});
