/**
 * The columns of the list of renders: choice, order, widths, and what they make of the room there is. Cards and pace
 * too.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  columnGap,
  edgeRange,
  fitColumns,
  movedColumn,
  movedEdge,
  readColumns,
  resizedColumn,
  toggledColumn,
  usualColumns,
  type ColumnName,
  type ColumnWidths,
} from '../../renderer/queue/columns.ts';
import { cardHeight, factsPerLine } from '../../renderer/queue/list-shape.ts';
import { Pace } from '../../renderer/ui/turns.ts';

const usual = [...usualColumns];

/** Widths of the drawn columns by name, in a row of so many pixels. */
function sizes(
  room: number,
  widths: ColumnWidths = {},
  shown: readonly ColumnName[] = usual,
): Record<string, number> {
  const { drawn } = fitColumns(shown, widths, room, false);
  return Object.fromEntries(drawn.map(({ name, size }) => [name, size]));
}

describe('which columns, in which order', () => {
  test.each<[string, string[], ColumnName[]]>([
    ['nothing', [], usual],
    ['an order', ['name', 'status', 'preview'], ['name', 'status', 'preview']],
    ['unknown and doubled names', ['name', 'colour', 'name', 'id'], ['name', 'id']],
    ['a list of added ones', ['attempts', 'id'], [...usual, 'attempts', 'id']],
  ])('remembered: %s', (_case, remembered, expected) => {
    expect(readColumns(remembered)).toEqual(expected);
  });

  test('a column is hidden, and comes back where the table has it; the name always stays', () => {
    const without = toggledColumn(usual, 'status');
    expect(without).toEqual(['preview', 'name', 'output', 'created']);
    expect(toggledColumn(without, 'status')).toEqual(usual);
    expect(toggledColumn(usual, 'speed')).toEqual([...usual, 'speed']);
    expect(toggledColumn(usual, 'name')).toBe(usual);
  });

  test.each<[ColumnName, number, ColumnName[]]>([
    ['status', 0, ['status', 'preview', 'name', 'output', 'created']],
    ['preview', 9, ['name', 'status', 'output', 'created', 'preview']],
    ['created', -1, ['created', 'preview', 'name', 'status', 'output']],
    ['name', 1, usual],
  ])('%s is moved to place %d', (name, place, expected) => {
    expect(movedColumn(usual, name, place)).toEqual(expected);
  });
});

describe('widths', () => {
  /** Of the buttons that come under the pointer, which cover no column where there is room. */
  const quick = 72;
  /** What a row of the usual columns needs beside the name. */
  const beside = 28 + 34 + quick + 64 + 304 + 156 + 96 + 6 * columnGap;

  test('the name takes what is left', () => {
    expect(sizes(beside + 500)['name']).toBe(500);
    expect(sizes(beside + 500, { status: 404 })).toMatchObject({ status: 404, name: 400 });
  });

  test('a name with a width of its own leaves the rest free', () => {
    expect(sizes(beside + 500, { name: 300 })).toEqual({ ...sizes(beside + 500), name: 300 });
  });

  test.each([740, 800, 1000, 1250])(
    'all that is drawn fits into %d pixels, and leaves no more than the buttons need',
    (room) => {
      const drawn = Object.values(sizes(room, { output: 190 }, [...usual, 'attempts', 'webhook']));
      const all = drawn.reduce((sum, size) => sum + size + columnGap, 28 + columnGap + 34);
      expect(all).toBeLessThanOrEqual(room);
      expect(room - all).toBeLessThanOrEqual(quick);
    },
  );

  test('with little room the usual widths give way first, the one that was set last at the end', () => {
    const wide = { output: 240, status: 400 };
    expect(sizes(beside + 500, wide)).toMatchObject(wide);
    // Box, menu and gaps take 134, the least of picture, name and time 254: 612 are left for the 640 of the two.
    expect(sizes(1000, wide)).toMatchObject({ preview: 40, name: 130, created: 84, status: 400 });
    expect(sizes(1000, wide)['output']).toBeLessThan(240);
    expect(sizes(1000, { status: 400, output: 240 })['output']).toBe(240);
  });

  test('what has no room is left out from the end, but never name and status', () => {
    const { drawn, leftOut } = fitColumns([...usual, 'expires'], {}, 600, false);
    expect(drawn.map(({ name }) => name)).toEqual(['preview', 'name', 'status']);
    expect(leftOut).toEqual(['output', 'created', 'expires']);
    const tiny = fitColumns(['name', 'preview', 'status'], {}, 300, false);
    expect(tiny.drawn.map(({ name }) => name)).toEqual(['name', 'status']);
  });

  test('an edge divides what its two columns have, and moves no other one', () => {
    const before = fitColumns(usual, {}, 1000, false);
    const at = 2; // between status and output
    const status = before.drawn[at]!.size;
    const widths = movedEdge({}, before.drawn, at, status + 15);
    const after = sizes(1000, widths);
    expect(after['status']).toBe(status + 15);
    for (const { name, size } of before.drawn.filter((_one, index) => index !== 2 && index !== 3)) {
      expect(Math.abs(after[name]! - size), name).toBeLessThanOrEqual(3);
    }
    const range = edgeRange(before.drawn, at)!;
    expect(movedEdge({}, before.drawn, at, 5000)).toMatchObject({
      status: range.most,
      output: 134,
    });
    expect(edgeRange(before.drawn, 4)).toBeNull();
  });

  test('a name without a width of its own stays without when its edge is moved', () => {
    const { drawn } = fitColumns(usual, {}, 1100, false);
    const widths = movedEdge({}, drawn, 1, drawn[1]!.size + 40);
    expect(widths).toEqual({ status: drawn[2]!.size - 40 });
  });

  test('a width stays within what the column can be, and can be taken away', () => {
    expect(resizedColumn({}, 'created', 5)).toEqual({ created: 84 });
    expect(resizedColumn({}, 'created', 5000)).toEqual({ created: 200 });
    expect(resizedColumn({ created: 90, id: 90 }, 'created', null)).toEqual({ id: 90 });
    expect(Object.keys(resizedColumn({ created: 90, id: 90 }, 'created', 95))).toEqual([
      ...['id', 'created'],
    ]);
  });

  test('compact rows have a smaller picture', () => {
    expect(fitColumns(usual, {}, 1200, true).drawn[0]).toMatchObject({ size: 44 });
  });
});

test('a card is as high as the facts of the chosen columns need', () => {
  const more: ColumnName[] = [...usual, 'id', 'webhook'];
  expect(cardHeight(usual, 600, false) - cardHeight(['name'], 600, false)).toBe(19);
  expect(cardHeight(more, 600, false) - cardHeight(usual, 600, false)).toBe(19);
  // Long facts have a line of their own where it is narrow; format and time are short.
  expect(cardHeight(more, 400, false) - cardHeight(['name'], 400, false)).toBe(4 * 19);
  expect(factsPerLine(['output', 'created'], 400)).toBe(2);
  expect(cardHeight(usual, 600, true)).toBeLessThan(cardHeight(usual, 600, false));
});

describe('pace', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('hands on at most ten times a second, of each key the newest', () => {
    const seen: string[] = [];
    const pace = new Pace<number>(100, (key, value) => seen.push(`${key}${value}`));
    pace.add('a', 1);
    expect(seen).toEqual(['a1']);
    for (let time = 0; time < 90; time += 10) {
      pace.add('a', time);
      pace.add('b', time);
      vi.advanceTimersByTime(10);
    }
    expect(seen).toEqual(['a1']);
    vi.advanceTimersByTime(10);
    expect(seen).toEqual(['a1', 'a80', 'b80']);
  });

  test('what is known better is not handed on any more', () => {
    const seen: string[] = [];
    const pace = new Pace<number>(100, (key, value) => seen.push(`${key}${value}`));
    for (const key of ['a', 'b', 'c']) pace.add(key, 1);
    pace.drop('b');
    vi.advanceTimersByTime(200);
    expect(seen).toEqual(['a1', 'c1']);
    pace.add('a', 2);
    pace.add('a', 3);
    pace.drop();
    vi.advanceTimersByTime(200);
    expect(seen).toEqual(['a1', 'c1', 'a2']);
  });
});
