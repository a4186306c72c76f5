/** Tables as files: what a reader gets back, and that nothing of it is a formula. */
import { expect, test } from 'vitest';
import { csvOf, xlsxOf } from '../../renderer/feeds/table-files.ts';
import { readTable } from '../../server/jobs/feeds/feed-table.ts';

const lines = [
  ['name', 'text', 'number'],
  ['=1+1', 'a "b", <c> & d\r\n', '007'],
  ['+cmd', '', '-5'],
  ['@x', '\t=1', '\ud83d\ude00'],
];

test('a spreadsheet gives each value back as the text that it was', async () => {
  const { columns, rows } = await readTable(Buffer.from(xlsxOf(lines)));
  expect(columns).toEqual(lines[0]);
  expect(rows.map((row) => row.map((value) => value.trim()))).toEqual(
    lines.slice(1).map((line) => line.map((value) => value.trim())),
  );
});

test('characters that XML can’t have break no spreadsheet', async () => {
  const odd = Array.from({ length: 40 }, (_, code) => `a${String.fromCharCode(code)}b`);
  const { rows } = await readTable(
    Buffer.from(xlsxOf([['x'], ...odd.map((value) => [value]), ['\ud800'], ['x'.repeat(50_000)]])),
  );
  expect(rows).toHaveLength(42);
});

test('lines of CSV begin no cell as a formula does', async () => {
  const text = csvOf(lines);
  expect(text).toContain("'=1+1");
  const { rows } = await readTable(Buffer.from(text));
  for (const value of rows.flat()) expect(value).not.toMatch(/^[=+\-@\t\r]/);
  expect(rows[0]).toEqual(["'=1+1", 'a "b", <c> & d\r\n', '007']);
});
