/**
 * What README.md asks a new user to type, in a fresh clone on the bare system that .ci/bare makes and starts this on:
 * `npm ci`, `npm start` until window and API answer, `npm test`. Plain Node.
 *
 *   node .ci/first-commands.mjs RECORD [TEST FILE …]
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findChromium } from '../test/chromium.mjs';
import { findPostgres } from '../test/postgres-programs.mjs';
import { ctrlC, expectedLines, startInTerminal } from '../test/terminal.mjs';

const [record, ...files] = process.argv.slice(2);
const folder = path.dirname(import.meta.dirname);

/** What the tests and the program can use, and a bare computer hasn't. */
const absent = [
  ...['ffmpeg', 'ffprobe', 'chromium', 'chromium-browser', 'chromium-headless-shell'],
  ...[
    'google-chrome',
    'initdb',
    'psql',
    'postgres',
    'python3',
    'php',
    'makensis',
    'Xvfb',
    'weston',
  ],
];
/** How long the first start may take, in ms: it builds. */
const firstStart = 5 * 60_000;

function fail(reason) {
  console.error(`The bare system: ${reason}`);
  process.exit(1);
}

/** Runs a command, and shows what it says. @returns its output */
function run(command, more = {}) {
  console.log(`$ ${command}`);
  const started = Date.now();
  const child = spawn('bash', ['-c', `exec 2>&1; ${command}`], {
    cwd: folder,
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (piece) => {
    output += piece.toString();
    process.stdout.write(piece);
  });
  return new Promise((resolve) =>
    child.once('close', (code) => {
      console.log(`(${Math.round((Date.now() - started) / 1000)} s)`);
      if (code !== 0) fail(`${command} ended with ${code}.`);
      resolve(output);
    }),
  );
}

const places = process.env.PATH.split(':');
const found = [
  ...absent.flatMap((name) => places.map((place) => path.join(place, name))).filter(existsSync),
  ...[findChromium(), findPostgres()].filter(Boolean),
  ...['CHROMIUM_PATH', 'FFMPEG_PATH', 'DATABASE_URL'].filter((name) => process.env[name]),
];
if (found.length > 0) fail(`it has ${found.join(', ')}, so that it is none.`);

const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
  if (!readme.includes(`\n${command} `)) fail(`README.md no longer says ${command}.`);
}

// Once for both: after the first, `npm ci` brings the same packages again, and the build stays.
await run('npm ci');

console.log('$ npm start');
const started = await startInTerminal({ folder, patience: firstStart });
const { window, api, code } = started;
console.log(started.lines.join('\n'));
// The network is the computer's own, where a program may have the window's port: then it is another one, and that is
// said.
const lines = started.lines.filter((line) => !/The window is on port \d+ this time\.$/.test(line));
const expected = expectedLines({ isFirst: true });
const isExpected =
  lines.length === expected.length && expected.every((line, index) => line.test(lines[index]));
if (!isExpected) fail('npm start printed other lines than test/terminal.mjs expects.');
if (window !== 200) fail(`the window does not answer: ${window}`);
if (api !== 200) fail(`the API does not answer: ${api}`);
if (code !== ctrlC) fail(`npm start ended with ${code} after Ctrl+C.`);
if (existsSync(path.join(process.env.HOME, '.local/share/framewright/runtime.json'))) {
  fail('npm start did not end in order after Ctrl+C.');
}

const command = files.length === 0 ? 'npm test' : ['npm test --', ...files].join(' ');
const said = await run(command, { PASSED_RECORD: record });
const leftOut = ['no Chromium was found', 'tests on PostgreSQL'];
for (const reason of files.length > 0 ? [] : leftOut) {
  if (!said.includes(reason)) fail(`npm test does not say that it left out: ${reason}.`);
}
