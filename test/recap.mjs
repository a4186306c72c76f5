/**
 * The last lines of `npm test`: which tests failed, and which passed only on a second try. What a test prints is
 * thousands of lines further up by then, and a record of a run may keep no more than its end.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { unhandledEnding } from './unhandled.mjs';

/**
 * @typedef {object} Recap
 * @property {string[]} failed One line for each: file, names, first line of the reason.
 * @property {string[]} retried The same for those that passed only on a second try.
 * @property {string[]} unhandled Errors that no test caught, each with its stack: they fail the run as well.
 */

/** @param {string} message */
const firstLine = (message) => stripVTControlCharacters(message).trim().split('\n')[0];

/**
 * @param {readonly string[]} names File, groups and test.
 * @param {string} [reason]
 */
const line = (names, reason) =>
  names.filter(Boolean).join(' › ') + (reason ? `: ${firstLine(reason)}` : '');

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * What vitest's report `json` says.
 *
 * @param {string} file
 * @param {string} root Folder that file names are shown from.
 * @returns {Recap | null} Null for a report that was never written: the run ended before its tests did.
 */
export function recapVitest(file, root) {
  const report = readReport(file);
  if (report === null) return null;
  const failed = [];
  const retried = [];
  for (const { name, status, message, assertionResults } of report.testResults) {
    const place = path.relative(root, name);
    let isTold = false;
    for (const test of assertionResults) {
      const said = line([place, ...test.ancestorTitles, test.title], test.failureMessages[0]);
      if (test.status === 'failed') {
        failed.push(said);
        isTold = true;
      } else if (test.failureMessages.length > 0) {
        // What passed in the end still has the reasons of its first try.
        retried.push(said);
      }
    }
    // The file itself could not be run.
    if (status === 'failed' && !isTold) failed.push(line([place], message));
  }
  const unhandled = (readReport(file + unhandledEnding) ?? []).map(stripVTControlCharacters);
  return { failed, retried, unhandled };
}

/**
 * What Playwright's report `json` says.
 *
 * @param {string} file
 * @returns {Recap | null} Null as above.
 */
export function recapPlaywright(file) {
  const report = readReport(file);
  if (report === null) return null;
  const failed = report.errors.map(({ message }) => firstLine(message));
  const retried = [];
  const visit = (suite, names) => {
    for (const { title, tests } of suite.specs ?? []) {
      for (const { status, results } of tests) {
        const reason = results.findLast(({ error }) => error)?.error.message;
        if (status === 'unexpected') failed.push(line([...names, title], reason));
        if (status === 'flaky') retried.push(line([...names, title], reason));
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, [...names, inner.title]);
  };
  for (const suite of report.suites) visit(suite, [suite.title]);
  return { failed, retried, unhandled: [] };
}
