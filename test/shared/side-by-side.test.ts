/** Differences with an old and a new side: what stands beside what, what is left out, and how much is shown at most. */
import { expect, test } from 'vitest';
import { mostRows, sideBySide, type SideRow } from '../../renderer/editor/versions/difference.ts';

const text = ({ before, after, skipped, changed }: SideRow): string =>
  skipped > 0
    ? `(${skipped})`
    : `${before ? `${before.number}${before.text}` : '-'}${changed ? '|' : '='}${after ? `${after.number}${after.text}` : '-'}`;
const shown = (before: string, after: string): string =>
  sideBySide(Array.from(before).join('\n'), Array.from(after).join('\n')).rows.map(text).join(' ');

test.each([
  ['abc', 'abc', ''],
  ['abc', 'axc', '1a=1a 2b|2x 3c=3c'],
  ['abc', 'ac', '1a=1a 2b|- 3c=2c'],
  ['ac', 'abc', '1a=1a -|2b 2c=3c'],
  ['abcdefgh', 'abcdefgx', '(4) 5e=5e 6f=6f 7g=7g 8h|8x'],
  ['xbcdefgh', 'abcdefgh', '1x|1a 2b=2b 3c=3c 4d=4d (4)'],
  ['x1234567890y', 'a1234567890b', '1x|1a 21=21 32=32 43=43 (4) 98=98 109=109 110=110 12y|12b'],
  // One line is not worth a gap.
  ['x1234567y', 'a1234567b', '1x|1a 21=21 32=32 43=43 54=54 65=65 76=76 87=87 9y|9b'],
])('%s → %s', (before, after, rows) => expect(shown(before, after)).toBe(rows));

test('every line of both sides is there once, and no more rows than can be read', () => {
  const lines = (letter: string, count: number): string =>
    Array.from({ length: count }, (_, at) => `${letter}${at}`).join('\n');
  const { rows, rest } = sideBySide(lines('a', 1500), lines('b', 900));
  expect([rows.length, rest]).toEqual([1500, 0]);
  expect(rows.filter(({ after }) => after)).toHaveLength(900);
  const many = sideBySide(lines('a', 50_000), lines('b', 40_000));
  expect([many.rows.length, many.rest]).toEqual([mostRows, 50_000 - mostRows]);
});
