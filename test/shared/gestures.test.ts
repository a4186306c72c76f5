/**
 * The gestures of the editor that are tried, on its state or in the browser: each is a row of a table, is one step of
 * the history, and undone leaves the document's bytes. This counts them.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '..');

/** How many there are at least, by the files that have them. */
const least = {
  canvas: 25,
  'canvas-clipboard': 11,
  'canvas-crop': 10,
  timeline: 25,
  inspector: 28,
} as const;

/** What tries them: on the state, in the browser, or some in both. */
const filesOf = (name: string): readonly string[] =>
  [`renderer/${name}.test.ts`, `ui/${name}.spec.ts`]
    .map((file) => path.join(folder, file))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));

const rowsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ {4}what: '(.+)',$/gm)].map(([, what = '']) => what);

/** The sentences of the rows, each once. */
const rowsOf = (name: string): readonly string[] => [...new Set(filesOf(name).flatMap(rowsIn))];

const rows = Object.keys(least).flatMap((name) => rowsOf(name).map((what) => ({ name, what })));

test('at least a hundred gestures have tests', () => {
  expect(rows.length).toBeGreaterThanOrEqual(100);
});

test.each(Object.entries(least))('those of %s: %i', (name, count) => {
  expect(rowsOf(name).length).toBeGreaterThanOrEqual(count);
});

test('none is there twice', () => {
  const names = Object.keys(least);
  for (const all of [...names.flatMap(filesOf).map(rowsIn), names.flatMap(rowsOf)])
    expect(all.filter((what, index) => all.indexOf(what) !== index)).toEqual([]);
});

test.each(Object.keys(least))('the rows of %s are undone to the byte', (name) => {
  for (const text of filesOf(name))
    expect(text).toMatch(/tryGestures\(|taken back to the byte|document\.undo\(\)/);
});
