/** Text that an animation brings to rest: it glides evenly to the very last frame, and then stands like still text. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { fontFolder } from '../../server/system/paths.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { openDocument } from '../helpers/frames.ts';
import { someInQuick } from '../helpers/long.ts';

const families = z
  .object({ families: z.array(z.object({ family: z.string() })) })
  .parse(JSON.parse(readFileSync(path.join(fontFolder(), 'fonts.json'), 'utf8')))
  .families.map(({ family }) => family);

const folder = mkdtempSync(path.join(tmpdir(), 'rest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const width = 120;
const height = 60;

/** A text whose baseline lies between pixels, by `offset` of them. */
function documentOf(offset: number, animations: readonly JsonObject[]): Source {
  return {
    output_format: 'mp4',
    width,
    height,
    frame_rate: 30,
    duration: 2,
    fill_color: '#000000',
    elements: [
      {
        type: 'text',
        text: 'Glide',
        y: 30 + offset,
        font_family: 'Inter',
        font_weight: '700',
        font_size: 24,
        fill_color: '#ffffff',
        animations,
      },
    ],
  };
}

/** The middle of the ink, pixels from the top. */
function middleOf(pixels: Buffer): number {
  let sum = 0;
  let weight = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const ink = pixels[at] ?? 0;
    sum += ink * Math.floor(at / 4 / width);
    weight += ink;
  }
  return sum / weight;
}

test.each([0, 0.2, 0.45, 0.55, 0.8])('a baseline %s px off the grid', async (offset) => {
  // Up by the height of the frame in a second, of which the last pixel is looked at.
  const slide = {
    type: 'slide',
    direction: '90°',
    time: 0,
    duration: 1,
    easing: 'linear',
    fade: false,
  };
  await using document = await openDocument(documentOf(offset, [slide]), folder);
  const middles: number[] = [];
  for (let step = 0; step <= 20; step++)
    middles.push(middleOf(await document.pixelsAt(1 - (20 - step) / 1000)));
  const steps = middles.slice(1).map((middle, index) => (middles[index] ?? 0) - middle);
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  // Skia keeps letters at quarters of a pixel; a jump into the grid would be up to half of one.
  for (const step of steps) expect(Math.abs(step - mean)).toBeLessThan(0.3);

  await using plain = await openDocument(documentOf(offset, []), folder);
  const still = await plain.pixelsAt(1.5);
  expect((await document.pixelsAt(1)).equals(still)).toBe(true);
});

/** Pairs that fonts kern, letters that they join to one glyph, and forms that script fonts choose by the neighbours. */
const words = 'AVATAR office obvious To';

/** Share of a text's ink that two pictures show differently. */
function differing(a: Buffer, b: Buffer): number {
  let differ = 0;
  let ink = 0;
  for (let at = 0; at < a.length; at += 4) {
    if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) > 64) differ++;
    if ((b[at] ?? 0) > 128) ink++;
  }
  return differ / ink;
}

function textOf(family: string, more: JsonObject): Source {
  const text = {
    type: 'text',
    text: words,
    font_family: family,
    font_weight: '700',
    font_size: 60,
  };
  return {
    output_format: 'mp4',
    width: 900,
    height: 120,
    frame_rate: 30,
    duration: 2,
    fill_color: '#000000',
    elements: [{ ...text, fill_color: '#ffffff', ...more }],
  };
}

/** Each with the share that may differ. Text that slides or grows is not hinted, as resting text is. */
const moving: readonly (readonly [share: number, animation: JsonObject])[] = [
  [0.003, { type: 'text-appear', split: 'letter', overlap: '100%' }],
  [0.0105, { type: 'text-slide', split: 'letter', direction: '90°' }],
  [0.0105, { type: 'text-scale', split: 'letter' }],
  [0.014, { type: 'text-slide', split: 'word' }],
];
test.each(someInQuick(families, 12))('B1: %s moves to where it rests', async (family) => {
  for (const [most, animation] of moving) {
    const animations = [{ ...animation, time: 'start', duration: 1, easing: 'linear' }];
    await using document = await openDocument(textOf(family, { animations }), folder);
    const last = await document.pixelsAt(0.9999);
    const share = differing(last, await document.pixelsAt(1.5));
    expect(share, JSON.stringify(animation)).toBeLessThan(most);
  }
});

test.each(['Caveat', 'Lobster', 'Pacifico'])(
  'B1: in %s, letters that move have the forms that those around give them',
  async (family) => {
    for (const stroke of [{}, { stroke_color: '#ffffff', stroke_width: 2 }]) {
      const appear = { type: 'text-appear', split: 'letter', overlap: '100%' };
      const animations = [{ ...appear, time: 'start', duration: 1, easing: 'linear' }];
      const source = textOf(family, { text: 'obvious banana', animations, ...stroke });
      await using document = await openDocument(source, folder);
      const last = await document.pixelsAt(0.99999);
      expect(differing(last, await document.pixelsAt(1.5))).toBeLessThan(0.003);
    }
  },
);

test.each([
  ['long words in wide pictures', { width: 4_000 }, { text: 'internationalization' }],
  ['large letters', { width: 4_200, height: 420 }, { text: 'obvious', font_size: 400 }],
  ['wide outlines', {}, { text: 'obvious', stroke_color: '#ffffff', stroke_width: 25 }],
])('letters that move lose none of the others: %s', async (_, picture, more) => {
  const appear = { type: 'text-appear', split: 'letter', overlap: '100%' };
  const animations = [{ ...appear, time: 'start', duration: 1, easing: 'linear' }];
  const source = { ...textOf('Pacifico', { ...more, animations }), ...picture };
  await using document = await openDocument(source, folder);
  const last = await document.pixelsAt(0.99999);
  expect(differing(last, await document.pixelsAt(1.5))).toBeLessThan(0.003);
});

test('letters that are too small to be seen leave nothing elsewhere', async () => {
  const scale = { type: 'text-scale', split: 'letter', time: 'start', duration: 1, fade: false };
  const source = textOf('Montserrat', { text: 'Words', animations: [scale] });
  await using document = await openDocument({ ...source, width: 4_000 }, folder);
  // Past the resting word.
  const edge = 2_400;
  for (const time of [2 / 30, 7 / 30, 12 / 30]) {
    const pixels = await document.pixelsAt(time);
    const stray = pixels.findIndex(
      (value, at) => at % 4 < 3 && value > 0 && (at >> 2) % 4_000 > edge,
    );
    expect([time, stray]).toEqual([time, -1]);
  }
});

test.each(['Inter', 'Roboto', 'Playfair Display'])(
  'B1: in %s, letters of another colour stand where they stood',
  async (family) => {
    await using kerned = await openDocument(textOf(family, { text: 'AVATAR To' }), folder);
    const inColor = textOf(family, {
      text: 'A[color #fefefe]VA[/color]TAR [color #fefefe]T[/color]o',
    });
    await using tags = await openDocument(inColor, folder);
    expect(differing(await tags.pixelsAt(1), await kerned.pixelsAt(1))).toBeLessThan(0.001);
  },
);
