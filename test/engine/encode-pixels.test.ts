/** RGBA -> yuv420p against the formula in floating point. */
import { describe, expect, test } from 'vitest';
import { createConverter, evenArea, type PixelArea } from '../../server/engine/encode/pixels.ts';
import { cropped } from '../helpers/pixels.ts';

/** Repeatable noise. */
function noise(length: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, (_, index) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return index % 4 === 3 ? 255 : state >>> 24;
  });
}

/** BT.709, limited range, unrounded. */
function reference(rgba: Uint8Array, width: number, height: number): number[] {
  const luma: number[] = [];
  const blue: number[] = [];
  const red: number[] = [];
  const at = (x: number, y: number): number[] => [
    ...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
  ];
  const weigh = ([r = 0, g = 0, b = 0]: number[]): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) luma.push(16 + (219 / 255) * weigh(at(x, y)));
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const block = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
      const mean = [0, 1, 2].map(
        (channel) => block.reduce((sum, pixel) => sum + (pixel[channel] ?? 0), 0) / 4,
      );
      blue.push(128 + ((224 / 255) * ((mean[2] ?? 0) - weigh(mean))) / (2 * (1 - 0.0722)));
      red.push(128 + ((224 / 255) * ((mean[0] ?? 0) - weigh(mean))) / (2 * (1 - 0.2126)));
    }
  }
  return [...luma, ...blue, ...red];
}

test.each([
  [2, 2],
  [16, 2],
  [18, 4],
  [34, 6],
  [64, 64],
  [130, 132],
  [318, 66],
])('%d x %d: noise converts like the formula', (width, height) => {
  const rgba = noise(width * height * 4, width);
  const actual = createConverter(width, height).convert(rgba);
  const expected = reference(rgba, width, height);
  expect(actual.length).toBe((width * height * 3) / 2);
  const worst = expected.reduce(
    (max, value, index) => Math.max(max, Math.abs(value - (actual[index] ?? NaN))),
    0,
  );
  // Half a step of rounding, and less than 1/60 of a step for 15-bit factors.
  expect(worst).toBeLessThan(0.515);
});

test.each([
  ['black', [0, 0, 0], [16, 128, 128]],
  ['white', [255, 255, 255], [235, 128, 128]],
  ['grey', [128, 128, 128], [126, 128, 128]],
  ['red', [255, 0, 0], [63, 102, 240]],
  ['green', [0, 255, 0], [173, 42, 26]],
  ['blue', [0, 0, 255], [32, 240, 118]],
])('%s', (_, [r = 0, g = 0, b = 0], yuv) => {
  const rgba = Uint8Array.from(
    { length: 36 * 2 * 4 },
    (_, index) => [r, g, b, 255][index % 4] ?? 0,
  );
  const result = createConverter(36, 2).convert(rgba);
  expect([result[0], result[36 * 2], result[36 * 2 + 18]]).toEqual(yuv);
  expect(new Set(result.subarray(0, 72)).size).toBe(1);
});

describe('changed areas', () => {
  const [width, height] = [70, 134];
  const areas: (PixelArea | undefined)[] = [
    { left: 0, top: 0, width: 2, height: 2 },
    { left: 3, top: 65, width: 21, height: 3 },
    { left: 69, top: 133, width: 1, height: 1 },
    { left: 10, top: 10, width: 0, height: 0 },
    { left: -5, top: -5, width: 500, height: 20 },
    { left: 20.5, top: 100.25, width: 8.1, height: 30 },
    undefined,
  ];

  test.each([1, 2, 3])('a frame built on the last one is the whole frame (%d slots)', (slots) => {
    const building = createConverter(width, height, slots);
    const whole = createConverter(width, height);
    const rgba = noise(width * height * 4);
    building.convert(rgba);
    areas.forEach((area, index) => {
      const fresh = noise(width * height * 4, index + 7);
      const { left, top, ...size } = area ?? { left: 0, top: 0, width, height };
      for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, top + size.height); y++) {
        for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, left + size.width); x++) {
          const at = (y * width + x) * 4;
          rgba.set(fresh.subarray(at, at + 4), at);
        }
      }
      const even = area && evenArea(area, width, height);
      const result = building.convert(even ? cropped(rgba, width, even) : rgba, even);
      expect(Buffer.compare(result, whole.convert(rgba))).toBe(0);
    });
  });

  test('results stay good for as many calls as there are slots', () => {
    const converter = createConverter(width, height, 3);
    const first = converter.convert(noise(width * height * 4, 1));
    const kept = Uint8Array.from(first);
    converter.convert(noise(width * height * 4, 2));
    converter.convert(noise(width * height * 4, 3));
    expect(Buffer.compare(first, kept)).toBe(0);
  });
});

test('wrong sizes are refused with what was found', () => {
  expect(() => createConverter(1919, 1080)).toThrow('1919 x 1080');
  expect(() => createConverter(4, 4).convert(new Uint8Array(60))).toThrow(
    'expected 64 bytes for 4 x 4, found 60',
  );
  expect(() =>
    createConverter(4, 4).convert(new Uint8Array(16), { left: 0, top: 0, width: 2, height: 2 }),
  ).toThrow('nothing to build on');
  expect(() =>
    createConverter(4, 4).convert(new Uint8Array(24), { left: 1, top: 0, width: 3, height: 2 }),
  ).toThrow('expected an area on even borders, found 1,0 3 x 2');
});
