/** Planes put down pixel by pixel: the routine by itself. What it draws of elements is in the samples `space-…`. */
import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { projectPicture } from '../../server/engine/canvas-surface.ts';
import type { Homography } from '../../shared/engine/homography.ts';

type Rgba = readonly [number, number, number, number];

const unmoved: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const none: Rgba = [0, 0, 0, 0];

/** What is seen of a picture through a map from the result to it. */
function seen(
  [width, height]: readonly [number, number],
  colorAt: (x: number, y: number) => Rgba,
  back: Homography,
  { samples = 1, wide = width, high = height } = {},
): (x: number, y: number) => number[] {
  const from = createCanvas(width, height).getContext('2d');
  const pixels = from.createImageData(width, height);
  for (let at = 0; at < width * height; at++)
    pixels.data.set(colorAt(at % width, Math.floor(at / width)), at * 4);
  from.putImageData(pixels, 0, 0);
  const onto = createCanvas(wide, high).getContext('2d');
  projectPicture({
    ...{ from, width, height, onto, ontoWidth: wide, ontoHeight: high, back, samples },
  });
  return (x, y) => [...onto.getImageData(x, y, 1, 1).data];
}

/** Every pixel another colour, with two transparent ones around. */
function colorful(width: number, height: number): (x: number, y: number) => Rgba {
  return (x, y) =>
    x < 2 || y < 2 || x >= width - 2 || y >= height - 2
      ? none
      : [(x * 37) % 256, (y * 53) % 256, (x * y * 11) % 256, 255];
}

describe('a picture through a projective map', () => {
  test.each([
    [16, 12],
    [13, 9],
    [7, 31],
  ])('is the same unmoved, %i × %i', (width, height) => {
    const color = colorful(width, height);
    const at = seen([width, height], color, unmoved);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) expect(at(x, y), `${x},${y}`).toEqual([...color(x, y)]);
  });

  test('is the same at other places, as far as it shows', () => {
    const color = colorful(20, 20);
    const at = seen([20, 20], color, [1, 0, 3, 0, 1, -4, 0, 0, 1], { wide: 11, high: 17 });
    expect(at(5, 10)).toEqual([...color(8, 6)]);
    expect(at(10, 16)).toEqual([...color(13, 12)]);
    expect(at(5, 3)).toEqual([...none]);
  });

  test('mixes neighbours by their distance', () => {
    const halves = (x: number): Rgba => (x < 8 ? [0, 0, 0, 255] : [200, 100, 50, 255]);
    const at = seen([16, 16], halves, [1, 0, 0.25, 0, 1, 0, 0, 0, 1]);
    expect(at(7, 8)).toEqual([50, 25, 13, 255]);
  });

  test('keeps colours at edges: transparent pixels have none to mix', () => {
    const half = (x: number): Rgba => (x < 8 ? [200, 100, 50, 255] : none);
    const [red = 0, green = 0, blue = 0, alpha] = seen(
      [16, 16],
      half,
      [1, 0, 0.5, 0, 1, 0, 0, 0, 1],
    )(7, 8);
    expect(alpha).toBeGreaterThan(125);
    expect(alpha).toBeLessThan(130);
    expect(Math.abs(red - 200) + Math.abs(green - 100) + Math.abs(blue - 50)).toBeLessThan(6);
  });

  test.each([
    [2, 4],
    [4, 8],
  ])(
    'squeezed, looks at %i places in each direction: a fine pattern is even',
    (samples, squeezed) => {
      const checks = (x: number, y: number): Rgba =>
        (x + y) % 2 === 0 ? [255, 255, 255, 255] : [0, 0, 0, 255];
      const map: Homography = [squeezed, 0, 0, 0, squeezed, 0, 0, 0, 1];
      const at = seen([64, 64], checks, map, { samples, wide: 8, high: 8 });
      for (const x of [2, 3, 4]) expect(Math.abs((at(x, 3)[0] ?? 0) - 128)).toBeLessThan(3);
    },
  );

  test('shows nothing behind the eye or close to it', () => {
    const white = (): Rgba => [255, 255, 255, 255];
    // w grows from −0.5 to 30 along the rows.
    const at = seen([40, 40], white, [10, 0, 0, 0, 10, 5, 0.5, 0, -0.5], { wide: 60, high: 4 });
    expect(at(0, 1)).toEqual([...none]);
    expect(at(20, 1)).toEqual([255, 255, 255, 255]);
    expect(at(59, 1)).toEqual([...none]);
  });

  test('is kept whole by another, larger one in between', () => {
    const color = colorful(16, 12);
    const at = seen([16, 12], color, unmoved);
    seen([900, 900], colorful(900, 900), unmoved);
    const again = seen([16, 12], color, unmoved);
    expect(again(5, 6)).toEqual(at(5, 6));
  });
});
