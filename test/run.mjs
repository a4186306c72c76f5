/**
 * `npm test`: builds what is stale, then runs what can run on this machine and names what was left out and why. `--all`
 * adds what test/quick.mjs leaves to CI, `--long` also every row and round. The engine's tests and those in a browser
 * run at the same time, since both wait a third of theirs; the others in Node, which start servers and workers and look
 * at what they do in time, follow when the browser has ended. What these two say is printed after the engine's, and
 * last of all what failed. Arguments go to vitest, e.g. `npm test -- test/shared`. With `--looks` it looks at every
 * state of the window instead, in both themes and all sizes, and prints the budgets: minutes of work in Chromium. With
 * `--screens` it draws those states into test/ui/screens/, to be looked at by eye. Two variables are CI's:
 * PASSED_RECORD names a file for the list of test/passed.mjs, and PASSED such a list, whose files are left out.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.mjs';
import { findPostgres } from './postgres-programs.mjs';
import { readPassed, recordPassed } from './passed.mjs';
import { leftInNode, windowFiles } from './quick.mjs';
import { recapPlaywright, recapVitest } from './recap.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const screens = process.argv.includes('--screens');
const looks = screens || process.argv.includes('--looks');
const chosen = process.argv
  .slice(2)
  .filter((argument) => !/^--(looks|screens|all|long)$/.test(argument));
if (process.argv.includes('--long')) process.env.LONG = '1';
const isQuick = chosen.length === 0 && !process.argv.includes('--all') && process.env.LONG !== '1';
// For vitest.config.ts, which leaves out files.
if (isQuick) process.env.QUICK = '1';

/**
 * Runs a Node script of ours or of a package.
 *
 * @param keeps Whether its output is held back until `print` is called.
 */
function run(script, args, { keeps = false } = {}) {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', keeps ? 'pipe' : 'inherit', keeps ? 'pipe' : 'inherit'],
  });
  const output = [];
  child.stdout?.on('data', (piece) => output.push(piece));
  child.stderr?.on('data', (piece) => output.push(piece));
  const passed = new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
  return { passed, print: () => process.stdout.write(Buffer.concat(output)) };
}

/** Why the desktop tests cannot run in Electron; null when they can. */
function electronIsMissing() {
  if (!existsSync(path.join(root, 'node_modules/electron/path.txt'))) {
    return "Electron's binary is not installed (npx install-electron)";
  }
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return process.platform === 'linux' && !hasDisplay ? 'there is no display (try xvfb-run)' : null;
}

const playwright = 'node_modules/@playwright/test/cli.js';
const vitest = 'node_modules/vitest/vitest.mjs';
const chromium = chosen.length === 0 ? findChromium() : undefined;
if (chromium) process.env.CHROMIUM_PATH = chromium;

if (!(await run('build.mjs', ['--stale', '--quiet']).passed)) process.exit(1);

const reports = mkdtempSync(path.join(tmpdir(), 'framewright-reports-'));
const browserReport = path.join(reports, 'browser.json');
process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = browserReport;
const { PASSED: passedBefore, PASSED_RECORD: record } = process.env;
if (record !== undefined) process.env.SOUGHT = path.join(reports, 'sought');
const nodeReports = [];
const playwrightArguments = ['test', '--reporter=list,json'];

/** Starts tests in Node; `recap()` is what they say when they have ended. */
function runInNode(name, args, options) {
  const report = path.join(reports, `${name}.json`);
  nodeReports.push(report);
  const kinds = ['default', 'json', './test/unhandled.mjs'];
  const reporters = [...kinds.map((kind) => `--reporter=${kind}`), `--outputFile.json=${report}`];
  const part = run(vitest, ['run', ...reporters, ...args], options);
  return { ...part, recap: () => recapVitest(report, root) };
}

const leftOut = [];
/** What each part that ran says of itself. */
const recaps = {};
let passed;
if (looks) {
  passed = chromium !== undefined;
  if (screens) process.env.UPDATE_SCREENS = '1';
  // What is measured is measured alone.
  const kinds = screens ? [['screens']] : [['states'], ['budgets', '--workers=1']];
  for (const [kind, ...more] of chromium ? kinds : []) {
    process.env.LOOKS = kind;
    passed = (await run(playwright, [...playwrightArguments, ...more]).passed) && passed;
    recaps[`the window's ${kind}`] = recapPlaywright(browserReport);
    rmSync(browserReport, { force: true });
  }
} else if (chromium) {
  const engine = runInNode('engine', ['--project=engine', '--maxWorkers=2']);
  const files = isQuick ? windowFiles : [];
  const inBrowser = run(playwright, [...playwrightArguments, ...files], { keeps: true });
  passed = await inBrowser.passed;
  const others = runInNode(
    'others',
    ['--project=alone', '--project=sharing', '--project=renderer'],
    { keeps: true },
  );
  for (const part of [engine, others]) passed = (await part.passed) && passed;
  for (const part of [others, inBrowser]) part.print();
  recaps['the engine'] = engine.recap();
  recaps['the rest in Node'] = others.recap();
  recaps['the window'] = recapPlaywright(browserReport);
} else {
  const inNode = runInNode('node', chosen);
  passed = await inNode.passed;
  recaps.Node = inNode.recap();
}
if (record !== undefined && passed) recordPassed(record, nodeReports, process.env.SOUGHT);
rmSync(reports, { recursive: true, force: true });

if (passedBefore !== undefined) {
  const { passed: files, packaged } = readPassed(passedBefore);
  const tests = Object.values(packaged).flat().length;
  leftOut.push(
    `${files.length} files in Node that passed on the bare system and look for no program`,
    `${tests} tests that passed there, of files with more: for an installed ffmpeg, or left out there`,
  );
}
if (chosen.length === 0) {
  if (isQuick && !looks) {
    const kinds = Object.keys(leftInNode).length;
    leftOut.push(
      `what test/quick.mjs leaves to CI (${kinds} kinds of files in Node): npm run test:ci`,
    );
  }
  if (!chromium) {
    leftOut.push('UI tests in a browser: no Chromium was found (install it, or set CHROMIUM_PATH)');
  }
  if (!looks && !process.env.DATABASE_URL && !findPostgres()) {
    leftOut.push(
      'tests on PostgreSQL: it is not installed (apt-get install postgresql), and DATABASE_URL names none',
    );
  }
  const missing = looks ? null : electronIsMissing();
  if (missing) leftOut.push(`desktop tests in Electron: ${missing}`);
}
for (const reason of leftOut) console.log(`Left out: ${reason}.`);
for (const [part, recap] of Object.entries(recaps)) {
  if (recap === null) console.log(`The tests of ${part} ended before they were done.`);
  for (const test of recap?.retried ?? []) console.log(`Passed on a second try: ${test}`);
  for (const error of recap?.unhandled ?? []) console.log(`Caught by no test of ${part}: ${error}`);
  for (const test of recap?.failed ?? []) console.log(`Failed: ${test}`);
}
process.exit(passed ? 0 : 1);
