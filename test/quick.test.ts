/** The lists of what `npm test` leaves to CI: a name that fits no file would leave nothing out, or leave out a page. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { leftInNode, windowFiles } from './quick.mjs';

const root = path.join(import.meta.dirname, '..');

test.each(Object.keys(leftInNode))('%s is there', (pattern) => {
  const [before = '', after = ''] = path.basename(pattern).split('*');
  const names = readdirSync(path.join(root, path.dirname(pattern)));
  expect(names.some((name) => name.startsWith(before) && name.endsWith(after))).toBe(true);
});

test.each(windowFiles)('%s is there', (file) => {
  expect(existsSync(path.join(root, file))).toBe(true);
});
