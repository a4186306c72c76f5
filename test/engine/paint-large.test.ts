/** Elements far larger than the picture: only what can be seen is drawn, at the size at which it is seen. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renderInto } from '../helpers/engine.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'paint-large-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const side = 300;
const square = 'M 0 0 L 100 0 L 100 100 L 0 100 Z';
const tall = '1000000%';

let drawn = 0;

async function pixelsOf(element: object): Promise<Uint8ClampedArray> {
  const name = `${drawn++}.png`;
  const source = { output_format: 'png', width: side, height: side, elements: [element] };
  await renderInto(folder, name, source as never);
  const ctx = createCanvas(side, side).getContext('2d');
  ctx.drawImage(await loadImage(path.join(folder, name)), 0, 0);
  return ctx.getImageData(0, 0, side, side).data;
}

/** Levels by which two pictures differ at most. */
function difference(one: Uint8ClampedArray, two: Uint8ClampedArray): number {
  return one.reduce((most, value, index) => Math.max(most, Math.abs(value - two[index]!)), 0);
}

/** Points of a warp that leaves everything where it is. */
const evenGrid = [0, 1, 2, 3].map((row) =>
  [0, 1, 2, 3].map((column) => ({ x: `${(column * 100) / 3}%`, y: `${(row * 100) / 3}%` })),
);

const column = { type: 'shape', path: square, width: '50%', fill_color: '#c03010' };
const marked = {
  type: 'composition',
  width: '80%',
  fill_color: '#a0b0c0',
  elements: [{ type: 'shape', path: square, width: 100, height: 60, fill_color: '#203040' }],
};

test.each([
  ['warp', { ...marked, height: tall, warp_matrix: evenGrid }, { ...marked, height: '300%' }],
  [
    'warp with a shadow',
    { ...column, height: tall, warp_matrix: evenGrid, shadow_color: '#000', shadow_blur: 40 },
    { ...column, height: '500%', shadow_color: '#000', shadow_blur: 40 },
  ],
  [
    'soft shadow',
    { ...column, height: tall, shadow_color: '#000', shadow_blur: 20 },
    { ...column, height: '500%', shadow_color: '#000', shadow_blur: 20 },
  ],
  [
    'blur',
    { ...column, height: tall, blur_radius: 12 },
    { ...column, height: '500%', blur_radius: 12 },
  ],
  [
    'box blur',
    { ...column, height: tall, blur_radius: 12, blur_mode: 'box' },
    { ...column, height: '500%', blur_radius: 12, blur_mode: 'box' },
  ],
])('10,000 times as tall as the picture: %s', async (name, large, small) => {
  const [one, two] = [await pixelsOf(large), await pixelsOf(small)];
  // Something is seen, and not one colour alone.
  expect(new Set(two).size).toBeGreaterThan(3);
  // A warped drawing is put down between pixels: half a pixel of the strongest edge, 128 levels, may be another's.
  expect(difference(one, two)).toBeLessThanOrEqual(name === 'warp' ? 64 : 4);
});

test('compositions of 8,000 pixels inside each other, warped and blurred', async () => {
  const nested = (depth: number): object =>
    depth === 0
      ? { type: 'shape', path: square, width: '50%', height: '50%', fill_color: '#c03010' }
      : {
          type: 'composition',
          width: 8_000,
          height: 8_000,
          blur_radius: 3,
          warp_matrix: evenGrid,
          elements: [nested(depth - 1)],
        };
  const pixels = await pixelsOf(nested(8));
  expect([...pixels.subarray(0, 4)]).toEqual([192, 48, 16, 255]);
}, 60_000);
