/** Reading single values: numbers with units, colours, easings, keyframes, and the size of the output. */
import { describe, expect, test } from 'vitest';
import { colorNames, formatColor, parseColor } from '../../shared/renderscript/color.ts';
import { easingCalls, easingNames, parseEasing } from '../../shared/renderscript/easing.ts';
import { keyframesOf, looksLikeKeyframes } from '../../shared/renderscript/keyframes.ts';
import { outputSize } from '../../shared/renderscript/output.ts';
import { parseAmount, parseSeconds } from '../../shared/renderscript/units.ts';
import { seededRandom } from './random.ts';

describe('parseAmount', () => {
  test.each([
    [12, 12, ''],
    [-0.5, -0.5, ''],
    ['12', 12, ''],
    ['50%', 50, '%'],
    ['50 %', 50, '%'],
    ['-5.0717°', -5.0717, '°'],
    ['+3 vmin', 3, 'vmin'],
    ['.5px', 0.5, 'px'],
    ['5.', 5, ''],
    ['1e3 px', 1000, 'px'],
    ['60 fps', 60, 'fps'],
    ['1.5 Hz', 1.5, 'Hz'],
    ['  2 s  ', 2, 's'],
    ['1 fr', 1, 'fr'],
    ['5em', 5, 'em'],
    ['6deg', 6, 'deg'],
  ])('%j', (text, value, unit) => {
    expect(parseAmount(text)).toEqual({ value, unit });
  });

  test.each([
    '',
    ' ',
    'px',
    '%',
    '5 5',
    '5 px px',
    '1,5',
    '--5',
    '5-3',
    '0x10',
    'NaN',
    'Infinity',
    '1e999',
    NaN,
    Infinity,
    null,
    undefined,
    true,
    [],
    [5],
    {},
    '9'.repeat(100),
  ])('refuses %j', (value) => {
    expect(parseAmount(value)).toBeNull();
  });

  test('endless digits cost nothing', () => {
    // Backtracking over these would take longer than any test may.
    expect(parseAmount(`${'1'.repeat(5_000_000)}x!`)).toBeNull();
  });
});

test.each([
  [2, 2],
  ['2 s', 2],
  ['0.5', 0.5],
  ['16.028 s', 16.028],
  ['2 f', null],
  ['50%', null],
  ['start', null],
  [null, null],
])('parseSeconds(%j) = %j', (value, seconds) => {
  expect(parseSeconds(value)).toBe(seconds);
});

describe('parseColor', () => {
  test.each([
    ['#fff', [255, 255, 255, 1]],
    ['#F0a8', [255, 0, 170, 136 / 255]],
    ['#3498db', [52, 152, 219, 1]],
    ['#00000080', [0, 0, 0, 128 / 255]],
    [' #FFFFFF ', [255, 255, 255, 1]],
    ['rgb(1,2,3)', [1, 2, 3, 1]],
    ['rgba(0, 0, 0, 0.65)', [0, 0, 0, 0.65]],
    ['rgba(0,0,0,65%)', [0, 0, 0, 0.65]],
    ['rgb(100% 0% 50% / 25%)', [255, 0, 127.5, 0.25]],
    ['rgb(300, -5, 0)', [255, 0, 0, 1]],
    ['rgba(1,2,3,7)', [1, 2, 3, 1]],
    ['hsl(120, 100%, 50%)', [0, 255, 0, 1]],
    ['hsl(-120deg 100% 50% / .5)', [0, 0, 255, 0.5]],
    ['hsla(0.5turn, 100%, 25%, 1)', [0, 127.5, 127.5, 1]],
    ['hsl(0, 0%, 50%)', [127.5, 127.5, 127.5, 1]],
    ['gray', [128, 128, 128, 1]],
    ['RebeccaPurple', [102, 51, 153, 1]],
    ['transparent', [0, 0, 0, 0]],
  ])('%s', (text, expected) => {
    const color = parseColor(text);
    expect(color).toHaveLength(4);
    color?.forEach((channel, index) => expect(channel).toBeCloseTo(expected[index]!, 9));
  });

  test.each([
    '',
    '#',
    '#12',
    '#12345',
    '#ggg',
    'fff',
    'rgb(1,2)',
    'rgb(1,2,3,4,5)',
    'rgb(a,b,c)',
    'rgb(1,2,3',
    'hsl(x,1%,1%)',
    'rgb(1e999,0,0)',
    'hsl(7e307%, 3%, 1%)',
    'hsl(1e308turn, 3%, 1%)',
    'no-such-color',
    'currentcolor',
    'constructor',
    '__proto__',
    5,
    null,
    undefined,
    [],
    {},
  ])('refuses %j', (value) => {
    expect(parseColor(value)).toBeNull();
  });

  test('knows every CSS name', () => {
    expect(colorNames).toHaveLength(148);
    expect([...colorNames].sort()).toEqual(colorNames);
    for (const name of colorNames) expect(parseColor(name), name).not.toBeNull();
  });

  test('formatting and reading again gives the same color', () => {
    const random = seededRandom(1);
    for (let round = 0; round < 500; round += 1) {
      const alpha = random.below(2) === 0 ? 1 : random.below(1001) / 1000;
      const color = [random.below(256), random.below(256), random.below(256), alpha] as const;
      expect(parseColor(formatColor(color))).toEqual(color);
    }
    expect(formatColor([255, 0, 127.5, 1])).toBe('#ff0080');
    expect(formatColor([255, 0, 0, 0.5])).toBe('rgba(255, 0, 0, 0.5)');
  });
});

describe('parseEasing', () => {
  test.each([
    ['linear', { kind: 'named', name: 'linear' }],
    ['quadratic-out', { kind: 'named', name: 'quadratic-out' }],
    [' elastic-in-out ', { kind: 'named', name: 'elastic-in-out' }],
    ['steps', { kind: 'steps', count: 1 }],
    ['steps(4)', { kind: 'steps', count: 4 }],
    [
      'cubic-bezier(0, 1.52, 0.27, 0.98)',
      { kind: 'cubic-bezier', x1: 0, y1: 1.52, x2: 0.27, y2: 0.98 },
    ],
    ['ease-out', { kind: 'cubic-bezier', x1: 0, y1: 0, x2: 0.58, y2: 1 }],
    ['ease', { kind: 'cubic-bezier', x1: 0.25, y1: 0.1, x2: 0.25, y2: 1 }],
    ['spring', { kind: 'spring', damping: 0.5 }],
    ['spring(1, 100, 10)', { kind: 'spring', damping: 0.5 }],
    ['spring(4, 25, 20)', { kind: 'spring', damping: 1 }],
    ['spring(1, 100, 0.001)', { kind: 'spring', damping: 0.02 }],
    ['spring(1e-300, 1e-300, 1e300)', { kind: 'spring', damping: 10 }],
    ['spring(1e300, 1e300, 1)', { kind: 'spring', damping: 0.02 }],
  ])('%s', (text, easing) => {
    expect(parseEasing(text)).toEqual(easing);
  });

  test.each([
    '',
    'quadratic',
    'quadratic-up',
    'Linear',
    'steps(0)',
    'steps(1.5)',
    'steps()',
    'steps(2, end)',
    'spring(1)',
    'spring()',
    'spring(1, 100, 0)',
    'spring(0, 100, 10)',
    'spring(1, -100, 10)',
    'spring(1, 100, 10, 0)',
    'spring(1, 100 px, 10)',
    'spring(a, b, c)',
    'cubic-bezier(0,0,1)',
    'cubic-bezier(2,0,1,1)',
    'cubic-bezier(0,0,1,1,1)',
    'cubic-bezier(a,b,c,d)',
    'cubic-bezier(0,0,1px,1)',
    5,
    null,
    undefined,
    {},
  ])('refuses %j', (value) => {
    expect(parseEasing(value)).toBeNull();
  });

  test('reads every name that it offers', () => {
    expect(easingNames).toHaveLength(37);
    for (const name of [...easingNames, ...easingCalls])
      expect(parseEasing(name), name).not.toBeNull();
  });
});

test.each([
  [
    [
      { time: 0, value: '0%' },
      { time: 'end', value: '100%', easing: 'linear' },
    ],
    true,
    true,
  ],
  [[{ time: 0, value: null }], true, true],
  [[{ time: 0, value: [{ offset: '0%', color: 'red' }] }], true, true],
  [[{ time: 0, value: 1 }, { value: 2 }], false, true],
  [[{ offset: '0%', color: 'red' }], false, false],
  [[[{ x: '0%', y: '0%' }]], false, false],
  [[], false, false],
  [[null], false, false],
  ['50%', false, false],
  [{ time: 0, value: 1 }, false, false],
])('keyframes: %j', (value, are, look) => {
  expect(keyframesOf(value) !== null).toBe(are);
  expect(looksLikeKeyframes(value)).toBe(look);
});

describe('outputSize', () => {
  const size = { width: 1920, height: 1080, format: 'mp4' } as const;
  test.each([
    [{ ...size }, 1920, 1080, 1],
    [{ ...size, renderScale: 0.5 }, 960, 540, 0.5],
    [{ ...size, renderScale: 2 }, 3840, 2160, 2],
    [{ ...size, renderScale: null, maxWidth: null }, 1920, 1080, 1],
    [{ ...size, maxWidth: 960 }, 960, 540, 0.5],
    [{ ...size, maxWidth: 960, renderScale: 3 }, 960, 540, 0.5],
    [{ ...size, maxWidth: 960, maxHeight: 108 }, 192, 108, 0.1],
    [{ ...size, maxWidth: 5000, renderScale: 2 }, 1920, 1080, 1],
    [{ ...size, largestSide: 960 }, 960, 540, 0.5],
    [{ ...size, largestSide: 960, renderScale: 0.25 }, 480, 270, 0.25],
    [{ ...size, largestSide: 960, renderScale: 2 }, 960, 540, 0.5],
    [{ ...size, largestSide: 960, maxWidth: 480 }, 480, 270, 0.25],
    [{ ...size, largestSide: 3000 }, 1920, 1080, 1],
    [{ ...size, maxWidth: 101 }, 100, 56, 101 / 1920],
    [{ ...size, width: 1081, height: 719 }, 1080, 718, 1],
    [{ ...size, width: 1, height: 1 }, 2, 2, 1],
    [{ ...size, width: 3, height: 3, format: 'png' as const, renderScale: 0.1 }, 1, 1, 0.1],
    [{ ...size, format: 'jpg' as const, maxHeight: 333 }, 592, 333, 333 / 1080],
    [{ ...size, width: 101, height: 51, format: 'gif' as const }, 101, 51, 1],
  ])('%j', (request, width, height, scale) => {
    expect(outputSize(request)).toEqual({
      width,
      height,
      scale: expect.closeTo(scale, 12) as number,
    });
  });

  test('sides keep their rules whatever is asked', () => {
    const random = seededRandom(2);
    for (let round = 0; round < 2000; round += 1) {
      const format = random.pick(['mp4', 'gif', 'jpg', 'png'] as const);
      const maxWidth = 2 + random.below(3000);
      const maxHeight = 2 + random.below(3000);
      const request = {
        width: 1 + random.below(4000),
        height: 1 + random.below(4000),
        format,
        maxWidth,
        maxHeight,
      };
      const { width, height } = outputSize(request);
      const step = format === 'mp4' ? 2 : 1;
      expect([width % step, height % step]).toEqual([0, 0]);
      expect(width).toBeGreaterThanOrEqual(step);
      expect(height).toBeGreaterThanOrEqual(step);
      expect(width).toBeLessThanOrEqual(maxWidth);
      expect(height).toBeLessThanOrEqual(maxHeight);
    }
  });
});
