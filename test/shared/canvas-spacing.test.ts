/** Distances between things on the picture, and gaps that are equal. */
import { describe, expect, test } from 'vitest';
import type { Bounds } from '../../renderer/editor/canvas/plane.ts';
import { distances, gapsOf, toEqualGaps } from '../../renderer/editor/canvas/spacing.ts';

const at = (left: number, top = 0, width = 10, height = 10): Bounds => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

describe('the way to equal gaps', () => {
  test.each<[what: string, moved: number, others: readonly number[], way: number]>([
    ['between two', 42, [0, 80], -2],
    ['behind two', 63, [0, 30], -3],
    ['before two', 17, [50, 80], 3],
    ['out of reach', 50, [0, 80], 0],
    ['with one alone', 42, [0], 0],
    ['equal already', 40, [0, 80], 0],
  ])('%s', (_, moved, others, way) => {
    expect(
      toEqualGaps(
        at(moved),
        others.map((left) => at(left)),
        'x',
        6,
      ),
    ).toBe(way);
    const upright = others.map((top) => at(0, top));
    expect(toEqualGaps(at(0, moved), upright, 'y', 6)).toBe(way);
  });
  test('what is not beside it does not count', () => {
    expect(toEqualGaps(at(42), [at(0, 50), at(80, 50)], 'x', 6)).toBe(0);
  });
});

describe('the distances shown', () => {
  test('are equal gaps, both', () => {
    expect(gapsOf(at(40), [at(0), at(80)], [])).toEqual([
      { axis: 'x', from: 10, to: 40, at: 5, equal: true },
      { axis: 'x', from: 50, to: 80, at: 5, equal: true },
    ]);
  });
  test('are those along a guide', () => {
    const guide = { axis: 'y', at: 0, from: 0, to: 90 } as const;
    expect(gapsOf(at(45), [at(0)], [guide])).toEqual([
      { axis: 'x', from: 10, to: 45, at: 5, equal: false },
    ]);
    expect(gapsOf(at(45), [at(0)], [])).toEqual([]);
  });
});

describe('from one thing to another', () => {
  const shown = (from: Bounds, to: Bounds): unknown =>
    distances(from, to).map(({ axis, from, to }) => `${axis} ${from}–${to}`);
  test.each<[what: string, from: Bounds, to: Bounds, gives: readonly string[]]>([
    ['beside it', at(0), at(30), ['x 10–30']],
    ['across a corner', at(0), at(30, 40), ['x 10–30', 'y 10–40']],
    ['around it', at(20, 30), at(0, 0, 100, 100), ['x 0–20', 'x 30–100', 'y 0–30', 'y 40–100']],
    ['the same', at(0), at(0), []],
  ])('%s', (_, from, to, gives) => expect(shown(from, to)).toEqual(gives));
});
