/**
 * The gestures of the editor that are tried in the browser: each is a row of a table in its spec, is one step of the
 * history, and undone leaves the document's bytes. This counts them.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../ui');

/** How many there are at least, by the spec that has them. */
const least = {
  canvas: 25,
  'canvas-clipboard': 11,
  'canvas-crop': 10,
  timeline: 25,
  inspector: 28,
} as const;

/** The sentences of a spec's rows. */
function rowsOf(name: string): readonly string[] {
  const text = readFileSync(path.join(folder, `${name}.spec.ts`), 'utf8');
  return [...text.matchAll(/^ {4}what: '(.+)',$/gm)].map(([, what = '']) => what);
}

const rows = Object.keys(least).flatMap((name) => rowsOf(name).map((what) => ({ name, what })));

test('at least sixty gestures have tests', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
});

test.each(Object.entries(least))('those of %s: %i', (name, count) => {
  expect(rowsOf(name).length).toBeGreaterThanOrEqual(count);
});

test('none is there twice', () => {
  const all = rows.map(({ what }) => what);
  expect(all.filter((what, index) => all.indexOf(what) !== index)).toEqual([]);
});

test.each(Object.keys(least))('the rows of %s are undone to the byte', (name) => {
  const text = readFileSync(path.join(folder, `${name}.spec.ts`), 'utf8');
  expect(text).toMatch(/tryGestures\(|taken back to the byte/);
});
