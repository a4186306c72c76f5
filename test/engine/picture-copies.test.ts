/** Copies of pictures that are kept between renders: they save work and never show. */
import { createCanvas } from '@napi-rs/canvas';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { keptBytes } from '../../server/engine/assets/pictures/picture-copies.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { canvasSurface } from '../../server/engine/canvas-surface.ts';
import { resized } from '../../shared/engine/paint/picture-sizes.ts';
import type { Size } from '../../shared/engine/paint/sources.ts';
import { contextOf, drawWith } from '../../shared/engine/surface.ts';
import { renderInto } from '../helpers/engine.ts';

const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-copies-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  delete process.env['FRAMEWRIGHT_PLAN'];
});

/** A photo with fine detail everywhere, in a colour of its own. */
async function writePhoto(name: string, colour: string, width = 900, height = 700): Promise<void> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (let x = 0; x < width; x += 3) {
    context.fillStyle = x % 2 === 0 ? colour : '#ffffff';
    context.fillRect(x, 0, 2, height - x / 2);
  }
  await writeFile(path.join(folder, name), await canvas.encode('jpeg', 90));
}

const card = (source: string, width = 300): Source => ({
  output_format: 'png',
  width,
  height: 200,
  elements: [{ type: 'image', source, border_radius: 20, width: '90%', height: '90%' }],
});

describe('copies of pictures between renders', () => {
  let count = 0;
  const draw = async (source: Source): Promise<string> => {
    const name = `card-${++count}.${source.output_format === 'jpg' ? 'jpg' : 'png'}`;
    await renderInto(folder, name, source);
    return createHash('sha256')
      .update(await readFile(path.join(folder, name)))
      .digest('hex');
  };
  const drawPlain = async (source: Source): Promise<string> => {
    process.env['FRAMEWRIGHT_PLAN'] = 'plain';
    try {
      return await draw(source);
    } finally {
      delete process.env['FRAMEWRIGHT_PLAN'];
    }
  };

  test('a kept copy gives the picture that a fresh one gives, at every size', async () => {
    await writePhoto('photo.jpg', '#cc2222');
    for (const width of [300, 120, 640, 300]) {
      const plain = await drawPlain(card('photo.jpg', width));
      const fresh = await draw(card('photo.jpg', width));
      const before = keptBytes();
      expect(before).toBeGreaterThan(0);
      const kept = await draw(card('photo.jpg', width));
      expect([fresh, kept]).toEqual([plain, plain]);
      expect(keptBytes()).toBe(before);
    }
  });

  test('another file under the same name is another picture, the same file under another name is not', async () => {
    await writePhoto('card.jpg', '#2222cc');
    const blue = await draw(card('card.jpg'));
    await writePhoto('card.jpg', '#22cc22');
    const green = await draw(card('card.jpg'));
    expect(green).not.toBe(blue);
    expect(green).toBe(await drawPlain(card('card.jpg')));
    await writePhoto('other.jpg', '#22cc22');
    const before = keptBytes();
    expect(await draw(card('other.jpg'))).toBe(green);
    expect(keptBytes()).toBe(before);
  });

  test('many sizes of many photos stay within 32 MB, and those let go come back the same', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `large-${index}.jpg`);
    for (const [index, name] of names.entries())
      await writePhoto(name, `#${index}0${index}0ff`, 2400, 1800);
    const first = await draw(card(names[0] ?? ''));
    // Larger than the picture, so that each copy takes all of its pixels.
    for (const name of names)
      await draw({ ...card(name, 2400), height: 1800, output_format: 'jpg' });
    expect(keptBytes()).toBeGreaterThan(15e6);
    expect(keptBytes()).toBeLessThanOrEqual(32 * 1024 ** 2);
    expect(await draw(card(names[0] ?? ''))).toBe(first);
  }, 60_000);

  test('pictures of one render with the same content are drawn side by side', async () => {
    await writePhoto('one.jpg', '#888800');
    await writePhoto('two.jpg', '#888800');
    const pair = {
      ...card('one.jpg'),
      elements: ['one.jpg', 'two.jpg'].map((source, index) => ({
        type: 'image',
        source,
        track: index + 1,
        x: `${25 + 50 * index}%`,
        width: '40%',
      })),
    };
    const plain = await drawPlain(pair);
    expect([await draw(pair), await draw(pair)]).toEqual([plain, plain]);
  });
});

test('a copy takes the memory of its pixels, not of what it was drawn from', () => {
  drawWith(canvasSurface);
  const photo = createCanvas(4000, 3000);
  photo.getContext('2d').fillRect(500, 500, 2000, 2000);
  const drawn = contextOf(canvasSurface.createCanvas(64, 64));
  const copies: Size[] = [];
  const before = process.memoryUsage.rss();
  for (let count = 0; count < 12; count++) {
    const size = resized(photo, 2828, 2121);
    copies.push(size);
    drawn.drawImage(size.canvas, 0, 0, 64, 64);
  }
  const grown = process.memoryUsage.rss() - before;
  const pixels = copies.reduce((sum, { width, height }) => sum + width * height * 4, 0);
  expect(grown / pixels).toBeLessThan(1.7);
});
