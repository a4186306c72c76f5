/** RGBA -> yuv420p against the formula in floating point. */
import { describe, expect, test } from 'vitest';
import { createVideoColors } from '../../server/engine/assets/videos/video-colors.ts';
import { Converter, evenArea, type PixelArea } from '../../server/engine/encode/pixels.ts';
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
  const actual = new Converter(width, height).convert(rgba);
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
  const result = new Converter(36, 2).convert(rgba);
  expect([result[0], result[36 * 2], result[36 * 2 + 18]]).toEqual(yuv);
  expect(new Set(result.subarray(0, 72)).size).toBe(1);
});

describe('dithered', () => {
  const [width, height] = [250, 64];
  /**
   * Slow gradients, dithered as the drawing library does it: `[first, last]` by channel, along x or round the middle.
   */
  const gradient = (colors: readonly (readonly [number, number])[], isRound: boolean) => {
    const share = (x: number, y: number): number =>
      isRound ? Math.hypot(x - width / 2, y - height / 2) / 130 : x / width;
    const at = (x: number, y: number, channel: number): number => {
      const [first, last] = colors[channel] ?? [255, 255];
      return first + (last - first) * share(x, y);
    };
    const exact = new Float64Array(width * height * 4);
    for (let index = 0; index < exact.length; index++)
      exact[index] = at((index >> 2) % width, Math.floor((index >> 2) / width), index & 3);
    const rgba = Uint8Array.from(exact, (value, index) => {
      const [x, y] = [(index >> 2) % width, Math.floor((index >> 2) / width)];
      const [across, down] = [x & 7, (y ^ x) & 7];
      const place =
        ((down & 1) << 5) |
        ((across & 1) << 4) |
        ((down & 2) << 2) |
        ((across & 2) << 1) |
        ((down >> 2) << 1) |
        (across >> 2);
      return Math.round(value + (place * 2 - 63) / 128);
    });
    return { exact: exact as unknown as Uint8Array, rgba };
  };
  /** The largest difference of the means of 8 x 8 values, which is what an eye sees, on Y, U and V. */
  const farthest = (actual: Uint8Array, expected: number[]): number[] => {
    const plane = (start: number, across: number, down: number): number => {
      let worst = 0;
      for (let y = 0; y + 8 <= down; y += 8) {
        for (let x = 0; x + 8 <= across; x += 8) {
          let sum = 0;
          for (let at = 0; at < 64; at++) {
            const index = start + (y + (at >> 3)) * across + x + (at & 7);
            sum += (actual[index] ?? NaN) - (expected[index] ?? NaN);
          }
          worst = Math.max(worst, Math.abs(sum / 64));
        }
      }
      return worst;
    };
    const luma = width * height;
    return [
      plane(0, width, height),
      plane(luma, width / 2, height / 2),
      plane(luma * 1.25, width / 2, height / 2),
    ];
  };

  // prettier-ignore
  test.each<[string, [number, number][], boolean]>([
    ['dark', [[11, 14], [16, 20], [32, 36]], false],
    ['from black', [[0, 2], [0, 3], [0, 4]], false],
    ['bright', [[243, 248], [244, 247], [246, 251]], false],
    ['coloured', [[90, 94], [20, 22], [150, 144]], false],
    ['radial', [[14, 11], [5, 2], [18, 12]], true],
  ])('%s: the mean follows the gradient', (_, colors, isRound) => {
    const { exact, rgba } = gradient(colors, isRound);
    const expected = reference(exact, width, height);
    const [luma = 1, blue = 1, red = 1] = farthest(
      new Converter(width, height, 1, true).convert(rgba),
      expected,
    );
    expect({ luma, blue, red }).toSatisfy(() => Math.max(luma, blue, red) < 0.35);
    // Rounded alone, there are steps of a whole level.
    const plain = farthest(new Converter(width, height).convert(rgba), expected);
    expect(Math.max(...plain)).toBeGreaterThan(0.38);
  });

  test('one colour stays one colour, to the byte', () => {
    const rgba = Uint8Array.from(
      { length: width * height * 4 },
      (_, index) => [77, 130, 9, 255][index & 3] ?? 0,
    );
    expect(new Converter(width, height, 1, true).convert(rgba)).toEqual(
      new Converter(width, height).convert(rgba),
    );
  });
});

describe.each([false, true])('changed areas, dithered: %s', (isDithered) => {
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
    const building = new Converter(width, height, slots, isDithered);
    const whole = new Converter(width, height, 1, isDithered);
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

  test.each([1, 2, 3, 4])('the same after any order of areas and grounds (%d slots)', (slots) => {
    const building = new Converter(width, height, slots);
    const random = noise(4_000, slots);
    const rgba = noise(width * height * 4, 1);
    const ground = noise((width * height * 3) / 2, 2);
    let standing = building.convert(rgba).slice();
    for (let step = 0; step < 300; step++) {
      const [left = 0, top = 0, kind = 0] = random.subarray(step * 12, step * 12 + 3);
      const [across = 0, down = 0] = random.subarray(step * 12 + 4, step * 12 + 6);
      if (kind < 20) {
        standing = building.compose(ground, []).slice();
        expect(Buffer.compare(standing, ground)).toBe(0);
        continue;
      }
      const wanted = { left: left % width, top: top % height, width: across / 3, height: down / 2 };
      const area = evenArea(wanted, width, height);
      const fresh = noise(area.width * area.height * 4, step);
      const result = building.convert(fresh, area);
      // What the area shows, on what stood there before.
      const expected = new Converter(width, height);
      const painted = new Uint8Array(width * height * 4);
      for (let row = 0; row < area.height; row++) {
        const line = fresh.subarray(row * area.width * 4, (row + 1) * area.width * 4);
        painted.set(line, ((area.top + row) * width + area.left) * 4);
      }
      laidOver(standing, expected.convert(painted), area, width, height);
      expect(Buffer.compare(result, standing), `step ${step}`).toBe(0);
    }
  });

  test('results stay good for as many calls as there are slots', () => {
    const converter = new Converter(width, height, 3);
    const first = converter.convert(noise(width * height * 4, 1));
    const kept = Uint8Array.from(first);
    converter.convert(noise(width * height * 4, 2));
    converter.convert(noise(width * height * 4, 3));
    expect(Buffer.compare(first, kept)).toBe(0);
  });
});

/** Copies an area of a frame's planes into another's. */
function laidOver(
  to: Uint8Array,
  from: Uint8Array,
  area: PixelArea,
  width: number,
  height: number,
): void {
  const luma = width * height;
  for (const [plane, share] of [
    [0, 1],
    [luma, 2],
    [luma * 1.25, 2],
  ] as const) {
    for (let row = area.top / share; row < (area.top + area.height) / share; row++) {
      const start = plane + (row * width) / share + area.left / share;
      to.set(from.subarray(start, start + area.width / share), start);
    }
  }
}

test('wrong sizes are refused with what was found', () => {
  expect(() => new Converter(1919, 1080)).toThrow('1919 x 1080');
  expect(() => new Converter(4, 4).convert(new Uint8Array(60))).toThrow(
    'expected 64 bytes for 4 x 4, found 60',
  );
  expect(() =>
    new Converter(4, 4).convert(new Uint8Array(16), { left: 0, top: 0, width: 2, height: 2 }),
  ).toThrow('nothing to build on');
  expect(() =>
    new Converter(4, 4).convert(new Uint8Array(24), { left: 1, top: 0, width: 3, height: 2 }),
  ).toThrow('expected an area on even borders, found 1,0 3 x 2');
});

describe('graphics over a ground', () => {
  /** Colours multiplied by an alpha that is 0, 255 or between, in blocks of odd sizes. */
  function graphics(width: number, height: number): Uint8Array {
    const rgba = noise(width * height * 4, 9);
    for (let pixel = 0; pixel < width * height; pixel++) {
      const kind = Math.floor((pixel % width) / 5) % 3;
      const alpha = kind === 0 ? 0 : kind === 1 ? 255 : (rgba[pixel * 4 + 1] ?? 0);
      for (let channel = 0; channel < 3; channel++) {
        rgba[pixel * 4 + channel] = Math.round(((rgba[pixel * 4 + channel] ?? 0) * alpha) / 255);
      }
      rgba[pixel * 4 + 3] = alpha;
    }
    return rgba;
  }

  /** Planes of a ground, mixed with the graphics' planes in floating point. */
  function mixed(ground: Uint8Array, rgba: Uint8Array, width: number, height: number): number[] {
    const alphas = Array.from({ length: width * height }, (_, at) => (rgba[at * 4 + 3] ?? 0) / 255);
    const blocks: number[] = [];
    for (let y = 0; y < height; y += 2)
      for (let x = 0; x < width; x += 2) {
        const at = y * width + x;
        const four = [at, at + 1, at + width, at + width + 1].map((index) => alphas[index] ?? 0);
        blocks.push(four.reduce((sum, alpha) => sum + alpha, 0) / 4);
      }
    const covers = [...alphas, ...blocks, ...blocks];
    // The formula's offsets belong to opaque pixels; those of premultiplied ones are as small as their alpha.
    return reference(rgba, width, height).map((value, index) => {
      const offset = index < width * height ? 16 : 128;
      const cover = covers[index] ?? 0;
      return value - offset * (1 - cover) + (1 - cover) * (ground[index] ?? 0);
    });
  }

  test.each([
    [34, 6],
    [70, 134],
  ])('%d x %d: as the formula has it', (width, height) => {
    const rgba = graphics(width, height);
    const ground = noise((width * height * 3) / 2, 3).map((value) => 16 + (value % 220));
    const converter = new Converter(width, height);
    converter.setGraphics(rgba);
    const actual = converter.compose(ground, [{ left: 0, top: 0, width, height }]);
    const worst = mixed(ground, rgba, width, height).reduce(
      (max, value, index) => Math.max(max, Math.abs(value - (actual[index] ?? NaN))),
      0,
    );
    // The graphics' share, its alpha in a block and the ground's rest are rounded, each to half a step.
    expect(worst).toBeLessThan(1.55);
  });

  test('opaque pixels are those of a canvas without a ground', () => {
    const [width, height] = [64, 32];
    const rgba = noise(width * height * 4, 5);
    const converter = new Converter(width, height, 2);
    converter.setGraphics(rgba);
    const ground = noise((width * height * 3) / 2, 6);
    const composed = converter.compose(ground, [{ left: 0, top: 0, width, height }]);
    expect(composed).toEqual(converter.convert(rgba));
  });

  test('without graphics the ground is left as it is, and so is all outside of the bands', () => {
    const [width, height] = [48, 16];
    const ground = noise((width * height * 3) / 2, 7);
    const converter = new Converter(width, height);
    const whole = { left: 0, top: 0, width, height };
    expect(converter.compose(ground, [whole])).toEqual(ground);
    converter.setGraphics(new Uint8Array(width * height * 4).fill(255));
    expect(converter.compose(ground, [])).toEqual(ground);
    const painted = converter.compose(ground, [{ left: 2, top: 4, width: 20, height: 6 }]);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const isInside = x >= 2 && x < 22 && y >= 4 && y < 10;
        expect(painted[y * width + x]).toBe(isInside ? 235 : ground[y * width + x]);
      }
    }
  });

  test('a changed area changes nothing else', () => {
    const [width, height] = [70, 134];
    const first = graphics(width, height);
    const area = { left: 6, top: 12, width: 40, height: 90 };
    const second = Uint8Array.from(first);
    for (let y = 0; y < area.height; y++) {
      const from = ((area.top + y) * width + area.left) * 4;
      second.set(noise(area.width * 4, y), from);
    }
    const whole = { left: 0, top: 0, width, height };
    const ground = noise((width * height * 3) / 2, 8);
    const [stepwise, atOnce] = [new Converter(width, height), new Converter(width, height)];
    stepwise.setGraphics(first);
    stepwise.setGraphics(second, area);
    atOnce.setGraphics(second);
    expect(stepwise.compose(ground, [whole])).toEqual(atOnce.compose(ground, [whole]));
  });
});

test.each([
  [2, 2],
  [16, 2],
  [22, 6],
  [70, 134],
])('%d x %d: planes become RGB like the formula', (width, height) => {
  const planes = noise((width * height * 3) / 2, width);
  const actual = createVideoColors().toRgba(planes, width, height);
  expect(actual).toHaveLength(width * height * 4);
  const [blueAt, redAt] = [width * height, width * height * 1.25];
  let worst = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = (y >> 1) * (width / 2) + (x >> 1);
      const light = (255 / 219) * ((planes[y * width + x] ?? 0) - 16);
      const blue = (255 / 224) * ((planes[blueAt + block] ?? 0) - 128);
      const red = (255 / 224) * ((planes[redAt + block] ?? 0) - 128);
      // ITU-R BT.709: green is what luma leaves when red and blue are known.
      const r = light + 2 * (1 - 0.2126) * red;
      const b = light + 2 * (1 - 0.0722) * blue;
      const g = (light - 0.2126 * r - 0.0722 * b) / 0.7152;
      const at = (y * width + x) * 4;
      for (const [channel, value] of [r, g, b].entries()) {
        const shown = Math.max(0, Math.min(255, value));
        worst = Math.max(worst, Math.abs(shown - (actual[at + channel] ?? NaN)));
      }
      expect(actual[at + 3]).toBe(255);
    }
  }
  // Half a step of rounding, and less than 1/40 of a step for 13-bit factors.
  expect(worst).toBeLessThan(0.53);
});

test('there and back again, a picture stays what it was', () => {
  const [width, height] = [64, 48];
  // Colours that the screen can show, changing softly.
  const rgba = Uint8Array.from({ length: width * height * 4 }, (_, index) => {
    const [x, y] = [(index >> 2) % width, Math.floor(index / 4 / width)];
    return [60 + 2 * x, 200 - 3 * y, 40 + x + y, 255][index % 4] ?? 0;
  });
  const planes = Uint8Array.from(new Converter(width, height).convert(rgba));
  const again = new Converter(width, height).convert(
    createVideoColors().toRgba(planes, width, height),
  );
  const worst = again.reduce(
    (max, value, index) => Math.max(max, Math.abs(value - (planes[index] ?? NaN))),
    0,
  );
  expect(worst).toBeLessThanOrEqual(1);
});
