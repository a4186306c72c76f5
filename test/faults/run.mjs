/**
 * `npm run test:faults`: the fault table and its tests.
 *
 *   npm run test:faults -- --list       each fault with its tests, or why there is none
 *   npm run test:faults -- F23 F24      runs the tests of these
 *   npm run test:faults                 runs the tests of all
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { findChromium } from '../chromium.mjs';

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const root = path.join(import.meta.dirname, '..', '..');

/** A TypeScript file of this folder. */
const load = async (file) =>
  (
    await runnerImport(path.join(import.meta.dirname, file), {
      configFile: false,
      logLevel: 'error',
    })
  ).module;
const { faults } = await load('table.ts');
const { faultTests } = await load('titles.ts');

const numbers = positionals.map((word) => Number(/^F?(\d+)$/i.exec(word)?.[1]));
const unknown = positionals.filter((_, index) => !faults[numbers[index] - 1]);
if (unknown.length > 0) {
  console.error(`There is no fault '${unknown.join(', ')}': they go from F1 to F${faults.length}.`);
  process.exit(2);
}
const tests = faultTests(root).filter(
  (test) => numbers.length === 0 || test.numbers.some((number) => numbers.includes(number)),
);

/** Runs a program of a package with its output here; resolves to whether it ended well. */
function run(script, args) {
  const file = path.join(root, 'node_modules', script);
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
}

if (values.list) {
  let open = 0;
  for (const { number, what, reason } of faults) {
    if (numbers.length > 0 && !numbers.includes(number)) continue;
    console.log(`F${number} ${what}`);
    const own = tests.filter((test) => test.numbers.includes(number));
    for (const { file, line, title } of own) console.log(`     ${file}:${line}  ${title}`);
    if (own.length > 0) continue;
    if (reason === null) open++;
    console.log(reason === null ? '     NO TEST' : `     no test: ${reason}`);
  }
  process.exit(open === 0 ? 0 : 1);
}

const files = [...new Set(tests.map(({ file }) => file))];
const inBrowser = files.filter((file) => file.endsWith('.spec.ts'));
const inNode = files.filter((file) => file.endsWith('.test.ts'));
const wanted = numbers.length === 0 ? 'F\\d+' : `F(?:${numbers.join('|')})`;
// Numbers stand at the beginning of a title, of a group's or of a test's.
const pattern = `(?:^|\\s)${wanted}\\b`;
let passed = tests.length > 0;
if (inNode.length > 0) {
  const filter = ['--testNamePattern', pattern, '--passWithNoTests'];
  passed = await run('vitest/vitest.mjs', ['run', ...filter, ...inNode]);
}
const chromium = findChromium();
if (inBrowser.length > 0 && chromium === undefined) {
  console.log(`Left out, since no Chromium was found: ${inBrowser.join(', ')}.`);
} else if (inBrowser.length > 0) {
  process.env.CHROMIUM_PATH = chromium;
  passed = (await run('@playwright/test/cli.js', ['test', '-g', pattern, ...inBrowser])) && passed;
}
if (tests.length === 0) console.error('No test carries this number.');
process.exit(passed ? 0 : 1);
