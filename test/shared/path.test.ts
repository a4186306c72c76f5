/** SVG paths: the whole grammar, and arcs against their circle. */
import { describe, expect, test } from 'vitest';
import { parsePath } from '../../shared/renderscript/path.ts';
import { seededRandom } from './random.ts';

test.each([
  ['', []],
  ['  ', []],
  ['M 1 2', [['M', 1, 2]]],
  ['M0 0L100 0 100 100Z', [['M', 0, 0], ['L', 100, 0], ['L', 100, 100], ['Z']]],
  [
    'M 0% 0% L 100% 50%',
    [
      ['M', 0, 0],
      ['L', 100, 50],
    ],
  ],
  ['m 10,10 20,0 0,20 z', [['M', 10, 10], ['L', 30, 10], ['L', 30, 30], ['Z']]],
  [
    'M10 10h5v-5H0V0',
    [
      ['M', 10, 10],
      ['L', 15, 10],
      ['L', 15, 5],
      ['L', 0, 5],
      ['L', 0, 0],
    ],
  ],
  [
    'M1.5.5-3-4e1',
    [
      ['M', 1.5, 0.5],
      ['L', -3, -40],
    ],
  ],
  ['M5 5l1 1z l2 2', [['M', 5, 5], ['L', 6, 6], ['Z'], ['L', 7, 7]]],
  [
    'M0 0C1 1 2 2 3 3',
    [
      ['M', 0, 0],
      ['C', 1, 1, 2, 2, 3, 3],
    ],
  ],
  [
    'M1 1c1 1 2 2 3 3',
    [
      ['M', 1, 1],
      ['C', 2, 2, 3, 3, 4, 4],
    ],
  ],
  [
    'M0 0C0 1 2 1 2 0S4-1 4 0',
    [
      ['M', 0, 0],
      ['C', 0, 1, 2, 1, 2, 0],
      ['C', 2, -1, 4, -1, 4, 0],
    ],
  ],
  [
    'M0 0S1 1 2 0',
    [
      ['M', 0, 0],
      ['C', 0, 0, 1, 1, 2, 0],
    ],
  ],
  [
    'M0 0Q1 1 2 0T4 0t2 0',
    [
      ['M', 0, 0],
      ['Q', 1, 1, 2, 0],
      ['Q', 3, -1, 4, 0],
      ['Q', 5, 1, 6, 0],
    ],
  ],
  [
    'M0 0T4 0',
    [
      ['M', 0, 0],
      ['Q', 0, 0, 4, 0],
    ],
  ],
  [
    'M0 0A0 5 0 0 1 10 10',
    [
      ['M', 0, 0],
      ['L', 10, 10],
    ],
  ],
  ['M3 3A5 5 0 0 1 3 3', [['M', 3, 3]]],
])('%s', (text, commands) => {
  expect(parsePath(text)).toEqual(commands);
});

test.each([
  'L 0 0',
  '5 5',
  'M',
  'M 1',
  'M 1 2 3',
  'M 0 0 X 1 1',
  'M 0 0 L',
  'M 0 0 Z 5 5',
  'M 0 0 C 1 1 2 2 3',
  'hello',
  'M 1px 2px',
  'M 0 0 A 1 1 0 2 0 5 5',
  'M 1e999 0',
  'M 1e308 0 l 1e308 0',
  'M 0 0 A 1e300 1e300 0 0 1 1e200 0 %',
])('refuses %s', (text) => {
  expect(parsePath(text)).toBeNull();
});

describe('arcs', () => {
  /** Points along a cubic. */
  function along(
    start: readonly number[],
    cubic: readonly (string | number)[],
  ): [number, number][] {
    const [, x1, y1, x2, y2, x3, y3] = cubic as [
      string,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return [0.25, 0.5, 0.75, 1].map((t) => {
      const u = 1 - t;
      const mix = (a: number, b: number, c: number, d: number): number =>
        u ** 3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t ** 3 * d;
      return [mix(start[0]!, x1, x2, x3), mix(start[1]!, y1, y2, y3)];
    });
  }

  test.each([
    ['M 10 0 A 10 10 0 0 1 0 10', 1, [0, 0]],
    ['M 10 0 A 10 10 0 1 0 0 10', 3, [0, 0]],
    ['M 10 0 A 10 10 45 0 1 -10 0', 2, [0, 0]],
    ['M 10 0a10 10 0 01-10 10', 1, [0, 0]],
    ['M 10 0a10 10 0 1110-10', 3, [10, -10]],
    ['M 10 0a10 10 0 0110-10', 1, [20, 0]],
  ])('%s runs along its circle', (text, count, centre) => {
    const [start, ...cubics] = parsePath(text)!;
    expect(cubics).toHaveLength(count);
    let pen = start!.slice(1) as number[];
    for (const cubic of cubics) {
      for (const [x, y] of along(pen, cubic)) {
        expect(Math.hypot(x - centre[0]!, y - centre[1]!)).toBeCloseTo(10, 2);
      }
      pen = cubic.slice(-2) as number[];
    }
  });

  test('radii that are too small grow until they reach', () => {
    const commands = parsePath('M 0 0 A 1 1 0 0 1 20 0')!;
    expect(commands).toHaveLength(3);
    expect(commands[1]![6]).toBeCloseTo(-10, 6);
    expect(commands.at(-1)!.slice(-2)).toEqual([20, 0]);
  });
});

test('never throws and gives finite numbers only, whatever the text', () => {
  const random = seededRandom(3);
  const parts = [
    ...'MmLlHhVvCcSsQqTtAaZz'.split(''),
    ' ',
    ',',
    '-',
    '.',
    '%',
    '0',
    '1',
    '12.5',
    '1e30',
    '1e308',
    '-7',
    'x',
  ];
  let read = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const text = `M 0 0 ${Array.from({ length: random.below(12) }, () => random.pick(parts)).join(' ')}`;
    const commands = parsePath(text);
    if (commands === null) continue;
    read += 1;
    for (const [, ...numbers] of commands) expect(numbers.every(Number.isFinite)).toBe(true);
  }
  expect(read).toBeGreaterThan(500);
});

test('a long path', () => {
  const text = `M 0 0 ${'L 1.25 -3.5 '.repeat(100_000)}`;
  expect(parsePath(text)).toHaveLength(100_001);
});
