/**
 * Moments of documents: whatever their format, between two scenes, behind a text that is revealed, around a fitted
 * picture.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import { openDocument } from '../helpers/frames.ts';
import { readPicture } from '../helpers/pictures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'moments-'));
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const covering = { type: 'shape', width: '100%', height: '100%' };

describe('B3: the moment of --frame', () => {
  const changing: Source = {
    width: 20,
    height: 20,
    duration: 3,
    fill_color: '#000000',
    elements: [
      { ...covering, time: 0, duration: 1, fill_color: '#ff0000' },
      { ...covering, time: 1, duration: 1, fill_color: '#00ff00' },
      { ...covering, time: 2, duration: 1, fill_color: '#0000ff' },
    ],
  };
  test.each([{}, { output_format: 'jpg' }, { output_format: 'png' }, { output_format: 'mp4' }])(
    'is drawn whatever the format: %j',
    async (format) => {
      const shown: number[] = [];
      for (const moment of [0, 1.5, 2.5]) {
        const file = `moment-${Object.values(format).join('')}-${moment}.png`;
        await renderInto(folder, file, { ...format, ...changing }, { moment });
        const { data } = readPicture(path.join(folder, file));
        shown.push([0, 1, 2].findIndex((channel) => (data[channel] ?? 0) > 200));
      }
      expect(shown).toEqual([0, 1, 2]);
    },
  );
});

describe('B5: no ground shows between two scenes', () => {
  const directions = ['0°', '90°', '180°', '270°'];
  const animations: JsonObject[] = [
    ...['slide', 'squash', 'shift', 'film-roll', 'wipe', 'color-wipe'].flatMap((type) =>
      directions.map((direction) =>
        type === 'slide'
          ? { type, direction, fade: false }
          : { type, angle: direction, direction, fade: false, color: '#ffffff' },
      ),
    ),
    { type: 'stripe', fade: false },
    { type: 'circular-wipe', fade: false },
  ];
  test.each(animations.map((animation) => [JSON.stringify(animation), animation] as const))(
    '%s',
    async (_, animation) => {
      const scene = { type: 'composition', track: 1, duration: 1.5, fill_color: '#ffffff' };
      await using document = await openDocument(
        {
          ...{
            output_format: 'mp4',
            width: 128,
            height: 74,
            frame_rate: 30,
            fill_color: '#000000',
          },
          elements: [
            scene,
            { ...scene, animations: [{ ...animation, duration: 1, transition: true }] },
          ],
        },
        folder,
      );
      for (const time of [0.502, 0.61, 0.777, 0.9, 1.003, 1.29, 1.4, 1.499]) {
        const pixels = await document.pixelsAt(time);
        let darkest = 255;
        for (let at = 0; at < pixels.length; at += 4) darkest = Math.min(darkest, pixels[at] ?? 0);
        expect(darkest, `${time} s`).toBeGreaterThan(250);
      }
    },
  );
});

test('B5: a text that is revealed has its background whole, padding included', async () => {
  await using document = await openDocument(
    {
      ...{
        output_format: 'mp4',
        width: 300,
        height: 160,
        frame_rate: 30,
        duration: 2,
        fill_color: '#000000',
      },
      elements: [
        {
          ...{
            type: 'text',
            text: 'Big sale today\nsave now',
            font_family: 'Poppins',
            font_size: 28,
          },
          ...{ fill_color: '#ff0000', background_color: '#ff0000', x_alignment: '50%' },
          animations: [
            {
              type: 'text-reveal',
              scope: 'text',
              axis: 'x',
              x_anchor: '0%',
              time: 'start',
              duration: 1,
              easing: 'linear',
              fade: false,
            },
          ],
        },
      ],
    },
    folder,
  );
  /** The columns that are red in any row. */
  const columns = async (time: number): Promise<[number, number]> => {
    const pixels = await document.pixelsAt(time);
    let [left, right] = [300, -1];
    for (let at = 0; at < pixels.length; at += 4) {
      if ((pixels[at] ?? 0) < 128) continue;
      left = Math.min(left, (at / 4) % 300);
      right = Math.max(right, (at / 4) % 300);
    }
    return [left, right];
  };
  const [left, right] = await columns(1.5);
  for (const share of [0.25, 0.5, 0.9, 0.999]) {
    const [from, to] = await columns(share);
    expect(from).toBe(left);
    // Linear from edge to edge: nothing is left for a jump at the end.
    expect(Math.abs(to - (left + (right + 1 - left) * share))).toBeLessThan(2.5);
  }
});

test('B5: the outline of a picture that fits inside follows the picture, and its corners are round', async () => {
  const canvas = createCanvas(100, 50);
  const context = canvas.getContext('2d');
  context.fillStyle = '#00ff00';
  context.fillRect(0, 0, 100, 50);
  writeFileSync(path.join(folder, 'wide.png'), canvas.toBuffer('image/png'));
  const picture = { type: 'image', source: 'wide.png', width: 100, height: 100, fit: 'contain' };
  const look = { stroke_color: '#ff0000', stroke_width: 6, border_radius: 20 };
  await renderInto(folder, 'contain.png', {
    ...{ output_format: 'png', width: 120, height: 120, fill_color: '#000000' },
    elements: [{ ...picture, ...look }],
  });
  const { data } = readPicture(path.join(folder, 'contain.png'));
  const at = (x: number, y: number): number[] => [
    ...data.subarray((y * 120 + x) * 4, (y * 120 + x) * 4 + 3),
  ];
  expect(at(60, 35)).toEqual([255, 0, 0]); // its upper edge
  expect(at(60, 85)).toEqual([255, 0, 0]);
  expect(at(60, 60)).toEqual([0, 255, 0]);
  expect(at(60, 10)).toEqual([0, 0, 0]); // the box's
  expect(at(10, 35)).toEqual([0, 0, 0]); // its corner
});
