/** `smart_crop`: the subject of a picture stays in view, wherever it stands. */
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFocus } from '../../server/engine/assets/focus.ts';
import { coverAround, fitMedia } from '../../shared/engine/layout/bodies.ts';
import { load, mediaFolder, useFolder } from './assets-loading.ts';

useFolder();

type Draw = (ctx: SKRSContext2D, x: number, y: number, size: number) => void;

/** A head with hair, eyes and mouth. */
const face =
  (skin: string, hair: string): Draw =>
  (ctx, x, y, size) => {
    const round = (dx: number, dy: number, radius: number, colour: string): void => {
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.arc(x + dx * size, y + dy * size, radius * size, 0, 2 * Math.PI);
      ctx.fill();
    };
    round(0, -0.1, 0.5, hair);
    round(0, 0, 0.45, skin);
    round(-0.17, -0.08, 0.06, '#201810');
    round(0.17, -0.08, 0.06, '#201810');
    round(0, 0.2, 0.08, '#a03030');
  };

const subjects: Readonly<Record<string, Draw>> = {
  'a light face': face('#e8b890', '#4a3020'),
  'a dark face': face('#7a4a30', '#181010'),
  'a red ball': (ctx, x, y, size) => {
    ctx.fillStyle = '#d02020';
    ctx.beginPath();
    ctx.arc(x, y, size / 2, 0, 2 * Math.PI);
    ctx.fill();
  },
  'a striped box': (ctx, x, y, size) => {
    for (let line = 0; line < 8; line++) {
      ctx.fillStyle = line % 2 ? '#303030' : '#e0e0e0';
      ctx.fillRect(x - size / 2 + (line * size) / 8, y - size / 2, size / 8, size);
    }
  },
};

/** Sky over a meadow with a little grain, the subject at a place given in shares. */
function scene(width: number, height: number, draw: Draw | null, x = 0.5, y = 0.5): Canvas {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  const ground = ctx.createLinearGradient(0, 0, 0, height);
  ground.addColorStop(0, '#88b0d8');
  ground.addColorStop(0.6, '#a8c4d8');
  ground.addColorStop(1, '#78a068');
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, width, height);
  for (let index = 0; index < 2000; index++) {
    ctx.fillStyle = index % 2 ? 'rgba(0, 0, 0, 0.04)' : 'rgba(255, 255, 255, 0.04)';
    ctx.fillRect((index * 7919) % width, (index * 104729) % height, 3, 3);
  }
  draw?.(ctx, x * width, y * height, Math.min(width, height) / 3);
  return canvas;
}

describe('the subject of a picture', () => {
  const places: [name: string, width: number, height: number, x: number, y: number][] = [
    ['on the left', 800, 400, 0.15, 0.5],
    ['on the right', 800, 400, 0.85, 0.55],
    ['in the middle', 800, 400, 0.5, 0.5],
    ['on top', 400, 800, 0.5, 0.15],
    ['at the bottom', 400, 800, 0.45, 0.85],
    ['in a corner', 600, 600, 0.2, 0.2],
  ];
  for (const [name, draw] of Object.entries(subjects)) {
    test.each(places)(`${name} %s`, (_, width, height, x, y) => {
      const focus = findFocus(scene(width, height, draw, x, y));
      expect(Math.abs(focus.x - x) * width).toBeLessThan(80);
      expect(Math.abs(focus.y - y) * height).toBeLessThan(80);
      // A square cut out of it shows the whole subject, which is a third of the shorter side wide.
      const room = { x: 0, y: 0, width: 200, height: 200 };
      const rect = coverAround(focus, { width, height }, room);
      const shown = { x: rect.x + x * rect.width, y: rect.y + y * rect.height };
      const half = (200 / 3 / 2) * 0.9;
      for (const side of [shown.x, shown.y]) {
        expect(side - half).toBeGreaterThan(-1);
        expect(side + half).toBeLessThan(201);
      }
    });
  }

  test('a picture without a subject is cropped around its middle', () => {
    const flat = createCanvas(300, 200);
    flat.getContext('2d').fillRect(0, 0, 300, 200);
    expect(findFocus(flat)).toEqual({ x: 0.5, y: 0.5 });
    expect(findFocus(createCanvas(300, 200))).toEqual({ x: 0.5, y: 0.5 });
    expect(findFocus(createCanvas(1, 1))).toEqual({ x: 0.5, y: 0.5 });
  });

  test('the same picture has the same subject, and its size hardly matters', () => {
    const at = (scale: number) =>
      findFocus(scene(800 * scale, 400 * scale, subjects['a light face']!, 0.2, 0.6));
    expect(at(1)).toEqual(at(1));
    expect(Math.abs(at(3).x - at(1).x)).toBeLessThan(0.03);
  });

  test('it is only looked for where the document asks, in any of the elements that share a file', async () => {
    const file = path.join(mediaFolder, 'meadow.png');
    writeFileSync(file, scene(400, 200, subjects['a red ball']!, 0.8).toBuffer('image/png'));
    const focusOf = async (...crops: (boolean | undefined)[]) => {
      const elements = crops.map((crop) => ({
        type: 'image',
        source: 'meadow.png',
        ...(crop === undefined ? {} : { smart_crop: crop }),
      }));
      return (await load({ elements })).media.get('meadow.png')!.info.focus;
    };
    expect(await focusOf(undefined)).toBeUndefined();
    expect(await focusOf(false)).toBeUndefined();
    expect((await focusOf(false, true))!.x).toBeGreaterThan(0.7);
    expect(readFileSync(file).length).toBeGreaterThan(0);
  });
});

describe('where the picture goes', () => {
  const wide = { width: 400, height: 100 };
  const room = { x: 10, y: 20, width: 100, height: 100 };
  test.each([
    [0, 10],
    [0.05, 10],
    [0.25, 10 + 50 - 100],
    [0.5, 10 + 50 - 200],
    [0.75, 10 + 50 - 300],
    [1, 10 - 300],
  ])('a subject at %s of the width puts the left edge at %s', (x, left) => {
    expect(coverAround({ x, y: 0.5 }, wide, room)).toEqual({
      x: left,
      y: 20,
      width: 400,
      height: 100,
    });
  });

  test('where nothing is cropped it changes nothing', () => {
    const same = { width: 50, height: 50 };
    expect(coverAround({ x: 0.9, y: 0.1 }, same, room)).toEqual(
      fitMedia('cover', same, room, 0.5, 0.5),
    );
  });
});
