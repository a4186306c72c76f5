/** The fault table and the tests that carry its numbers, held together. */
import { expect, test } from 'vitest';
import path from 'node:path';
import { faults } from './faults/table.ts';
import { faultTests, testsIn } from './faults/titles.ts';

const tests = faultTests(path.join(import.meta.dirname, '..'));

/** Need Electron's program, which few machines have that run the tests. */
const onlyDesktop = 'test/desktop/electron.spec.ts';

test('every number has a test that runs here, or a reason why not', () => {
  const tested = new Set(
    tests.filter(({ file }) => file !== onlyDesktop).flatMap(({ numbers }) => numbers),
  );
  const missing = faults
    .filter(({ number, reason }) => reason === null && !tested.has(number))
    .map(({ number }) => number);
  expect(missing).toEqual([]);
});

test('no test carries a number that the table does not have', () => {
  const known = new Set(faults.map(({ number }) => number));
  expect(known.size).toBe(141);
  expect(tests.filter(({ numbers }) => numbers.some((number) => !known.has(number)))).toEqual([]);
});

test('numbers are found in titles, groups and rows, and nowhere else', () => {
  const text = `
    test('F1: one', () => { press('F2'); });
    describe.skipIf(true)('F3 F4 two', () => undefined);
    test.each([['F5', 1], ['F6 more', 2]])('%s %d', () => undefined);
    test.each([['F7', 1]])('keys %s', () => undefined);
    const rows = [['F8', 1]] as const;
    test.for(rows)('%s', () => undefined);
    test('opens with F9', () => undefined);
    test(\`F10: \${name}\`, () => undefined);
    expect(test.title).toBe('F11: no');
  `;
  const found = testsIn('a.test.ts', text).flatMap(({ numbers }) => numbers);
  expect(found).toEqual([1, 3, 4, 5, 6, 8, 10]);
});
