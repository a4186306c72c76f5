/**
 * Test files that passed on a bare computer (.ci/bare) and would do the same on a fuller one: nothing of them was left
 * out or tried twice, and they looked in vain for no program (test/sought.ts). CI runs them once. Of those that take
 * each ffmpeg of the computer by its name, or left rows to CI, it runs the others' tests (test/passed-packaged.ts).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const looked = 'looked for ';
/** What gives a file more tests, of other names. */
const ofOwnNames = new Set(['ffmpeg', 'rows that npm test leaves to CI']);

function commit() {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
}

/**
 * Writes the list.
 *
 * @param {string} record File for it.
 * @param {readonly string[]} reports Reports `json` of vitest.
 * @param {string} soughtFile What test/sought.ts wrote.
 */
export function recordPassed(record, reports, soughtFile) {
  const lines = readFileSync(soughtFile, 'utf8').split('\n').filter(Boolean);
  const sought = new Map(
    lines.map((line) => JSON.parse(line)).map((row) => [row.file, row.sought]),
  );
  const passed = [];
  /** Why the others run again. */
  const again = {};
  /**
   * Of those that only look for ffmpeg or have rows left: their tests, which ran. Another ffmpeg and other rows have
   * tests of their own.
   */
  const packaged = {};
  for (const report of reports) {
    for (const { name, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
      const file = path.relative(root, name).replaceAll(path.sep, '/');
      const reason = whyAgain(assertionResults, sought.get(file));
      if (reason === null) passed.push(file);
      else again[file] = reason;
      if (reason?.startsWith(looked) && sought.get(file).every((one) => ofOwnNames.has(one)))
        packaged[file] = assertionResults.map(({ fullName }) => fullName);
    }
  }
  writeFileSync(record, JSON.stringify({ commit: commit(), passed, again, packaged }, null, 2));
}

/** @returns {string | null} */
function whyAgain(tests, sought) {
  if (tests.length === 0) return 'no test ran';
  const other = tests.find(({ status }) => status !== 'passed');
  if (other) return `${other.status}: ${other.fullName}`;
  if (tests.some(({ failureMessages }) => failureMessages.length > 0)) return 'tried twice';
  if (sought === undefined) return 'nothing is known of what it looked for';
  return sought.length > 0 ? looked + sought.join(', ') : null;
}

/**
 * Reads the list: files by their paths in the project, and tests by their whole names.
 *
 * @param {string} record
 * @returns {{ passed: string[], packaged: Record<string, string[]> }}
 * @throws Error if it is of another commit
 */
export function readPassed(record) {
  const { commit: own, passed, packaged } = JSON.parse(readFileSync(record, 'utf8'));
  if (own !== commit()) throw new Error(`${record} is of commit ${own}, and this is ${commit()}.`);
  return { passed, packaged };
}
