/**
 * Leaves out tests that passed on a bare computer, of files that have more: an installed ffmpeg has tests with its name
 * (test/helpers/ffmpeg-builds.ts), and so have the rows that were left out there. Read before each test file, if PASSED
 * names a record.
 */
import path from 'node:path';
import { beforeEach } from 'vitest';
import { readPassed } from './passed.mjs';

const root = path.dirname(import.meta.dirname);
// Without one, there is no setup by this file.
const { packaged } = readPassed(process.env['PASSED'] ?? '');

beforeEach(({ task, skip }) => {
  const file = path.relative(root, task.file.filepath).replaceAll(path.sep, '/');
  const titles = [task.name];
  for (let { suite } = task; suite; { suite } = suite) titles.unshift(suite.name);
  if (packaged[file]?.includes(titles.join(' ')) === true) skip('It passed on a bare computer.');
});
