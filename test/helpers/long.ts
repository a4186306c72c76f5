/**
 * The two forms of a test that is long by nature: `npm test` runs a few rows and rounds of it, `npm test -- --long`
 * all. For tests in Node and in the browser.
 */
// For the type of its global.
import type {} from '../sought.ts';

/** Whether all of it is wanted: `LONG=1`. */
export const isLong = process.env['LONG'] === '1';

/** So many rows of a table, spread evenly over it, the first among them; all of them in the long form. */
export function someOf<T>(rows: readonly T[], count: number): T[] {
  if (isLong || count >= rows.length) return [...rows];
  return Array.from(
    { length: count },
    (_, index) => rows[Math.floor((index * rows.length) / count)]!,
  );
}

/** The rows with these names, all of them in the long form. @throws if a name is none of a row */
export function named<T extends readonly [name: string, ...rest: unknown[]]>(
  rows: readonly T[],
  names: readonly string[],
): T[] {
  const found = rows.filter(([name]) => names.includes(name));
  if (found.length !== names.length) {
    const missing = names.filter((name) => !rows.some(([own]) => own === name));
    throw new Error(`The short form names rows that the table lacks: ${missing.join(', ')}`);
  }
  return isLong ? [...rows] : found;
}

/** All rows of a table; in `npm test`, which leaves the others to CI, so many of them. */
export function someInQuick<T>(rows: readonly T[], count: number): readonly T[] {
  if (process.env['QUICK'] !== '1') return rows;
  noteLeft('rows that npm test leaves to CI');
  return someOf(rows, count);
}

/** Whether a test is left to CI: `test.skipIf(isLeftToCi())`. */
export function isLeftToCi(): boolean {
  if (process.env['QUICK'] !== '1') return false;
  noteLeft('a test that npm test leaves to CI');
  return true;
}

/** The step between the rounds of a test: this one in `npm test`, each round in CI. */
export function stepInQuick(step: number): number {
  if (process.env['QUICK'] !== '1') return 1;
  noteLeft('rounds that npm test leaves to CI');
  return step;
}

/** Notes for CI's list (test/sought.ts) that this file has more to do there. */
export function noteLeft(what: string): void {
  globalThis.framewrightSought?.now.push({ what, stack: new Error().stack ?? '' });
}
