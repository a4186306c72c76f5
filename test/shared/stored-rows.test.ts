/** Rows of a feed read one by one are the rows that the server stores, whatever their values are. */
import { expect, test } from 'vitest';
import { storedRows } from '../../renderer/frame/connection/stored-rows.ts';
import type { WindowFeedRow } from '../../shared/api.ts';

const hostile = [
  ...['', '"', '\\', '\\"', '}},{"id":', '"}},{"id":"x', '","values":{', ']}', '}}]', '[{"id":'],
  ...['\n', '\u2028', 'für', '日本語', '😀', '\ud800', '{', '__proto__', 'a}},{', '\\u0022'],
];
const rowsOf = (count: number): WindowFeedRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `row-${at}`,
    values: Object.fromEntries(
      hostile.map((value, column) => [`c${column}`, `${value}${hostile[at % hostile.length]}`]),
    ),
  }));

test.each([0, 1, 2, 40, 2000])('%i rows', (count) => {
  const rows = rowsOf(count);
  const found = storedRows(JSON.stringify(rows));
  expect(found.map(({ id, values }) => ({ id, values }))).toEqual(rows);
  // Again, after their values were forgotten.
  expect(found.map(({ id, values }) => ({ id, values }))).toEqual(rows);
  expect(JSON.parse(JSON.stringify(found))).toEqual(rows);
});

test('rows without values, and with columns named like parts of rows', () => {
  const rows = [
    { id: 'a', values: {} },
    { id: 'b', values: { id: '}},{', values: '{' } },
    { id: 'c', values: {} },
  ];
  expect(JSON.parse(JSON.stringify(storedRows(JSON.stringify(rows))))).toEqual(rows);
});

test('a table written by hand is read as well, and no table is refused', () => {
  const rows = rowsOf(3);
  expect(storedRows(JSON.stringify(rows, null, 2))).toEqual(rows);
  const turned = rows.map(({ id, values }) => ({ values, id }));
  expect(storedRows(JSON.stringify(turned))).toEqual(rows);
  expect(() => storedRows('[{"id":"a"')).toThrow(SyntaxError);
  expect(() => storedRows('')).toThrow(SyntaxError);
});
