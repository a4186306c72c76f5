/**
 * The soak test: thousands of small renders through one running server with its real workers, mixed as people mix them:
 * pictures, GIFs, films with a video in them, some that fail at once or in the work, some that are stopped. What server
 * and workers hold at the end is held against what they held after the first hundred.
 *
 *   node test/soak/soak.mjs [--renders 10000] [--baseline 100] [--seed 1]      on the built dist/, Linux
 *
 * Prints both as a table and ends with 1 when something grew beyond its bound, or a render ended in another way than it
 * had to.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from './random.mjs';
import { leftFiles, processesOf } from './vitals.mjs';

const { values } = parseArgs({
  options: {
    renders: { type: 'string', default: '10000' },
    baseline: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const count = Number(values.renders);
const baseline = Number(values.baseline);
if (!(baseline > 0 && count > baseline)) {
  console.error('--renders should be more than --baseline, and that more than 0.');
  process.exit(2);
}
const random = randomFrom(Number(values.seed));
const root = path.join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'framewright-soak-'));
const dataFolder = path.join(folder, 'data');
const temporary = path.join(folder, 'tmp');
mkdirSync(temporary);

const title = (text) => ({ type: 'text', text, fill_color: '#123456', width: '100%' });
const small = (number, more) => ({
  width: 64,
  height: 64,
  metadata: String(number),
  elements: [title(`Number ${number}`)],
  ...more,
});
const film = { type: 'video', source: 'numbers.mp4', duration: 0.4 };

/** How often of a hundred, what is asked for, how it must end, and whether it is stopped on its way. */
const kinds = [
  [58, (number) => small(number, { output_format: 'png' }), 'succeeded'],
  [10, (number) => small(number, { output_format: 'jpg' }), 'succeeded'],
  [8, (number) => small(number, { output_format: 'gif', duration: 0.3 }), 'succeeded'],
  [8, (number) => small(number, { output_format: 'mp4', elements: [film] }), 'succeeded'],
  // Refused by its values, and found out in the work.
  [5, (number) => small(number, { elements: [{ type: 'text', x: 'no' }] }), 'failed'],
  [5, (number) => small(number, { elements: [{ type: 'image', source: 'no.png' }] }), 'failed'],
  [6, (number) => small(number, { output_format: 'mp4', duration: 600 }), 'failed', true],
];
const total = kinds.reduce((sum, [share]) => sum + share, 0);

function nextKind() {
  let place = random() * total;
  return kinds.find(([share]) => (place -= share) < 0) ?? kinds[0];
}

const key = 'soak-test';
const server = spawn(
  process.execPath,
  [
    path.join(root, 'dist/server/cli.mjs'),
    ...['serve', '--port', '0', '--data', dataFolder, '--api-key', key, '--no-rate-limit'],
    ...['--media', path.join(root, 'test/fixtures')],
  ],
  { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TMPDIR: temporary } },
);
let said = '';
server.stderr.on('data', (part) => (said = (said + part).slice(-10_000)));
const ended = new Promise((resolve) => server.once('exit', resolve));

async function readRuntime() {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the server ended:\n${said}`);
    try {
      return JSON.parse(readFileSync(path.join(dataFolder, 'runtime.json'), 'utf8'));
    } catch {
      await pause(50);
    }
  }
}
const { apiUrl, windowUrl } = await readRuntime();
const { origin, hash } = new URL(windowUrl);

async function ask(method, address, body) {
  const isOwn = address.startsWith('/api/');
  const response = await fetch(`${isOwn ? origin : apiUrl}${address}`, {
    method,
    headers: {
      'content-type': 'application/json',
      // A connection that is kept may be closed by the server while the next question is on its way.
      connection: 'close',
      ...(isOwn
        ? { 'x-framewright-token': hash.replace('#token=', '') }
        : { authorization: `Bearer ${key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

const problems = [];

async function renderOne(number) {
  const [, make, expected, isStopped] = nextKind();
  const { id } = await ask('POST', '/v2/renders', make(number));
  if (isStopped) {
    await pause(random() * 300);
    await ask('POST', `/api/renders/${id}/cancel`);
  }
  for (;;) {
    const render = await ask('GET', `/v2/renders/${id}`);
    if (render.status === 'succeeded' || render.status === 'failed') {
      if (render.status !== expected)
        problems.push(`render ${number} ended ${render.status}: ${render.error_message ?? ''}`);
      return;
    }
    await pause(20);
  }
}

/** Renders up to a number, a few at the same time. */
let number = 0;
async function renderUpTo(last) {
  const lane = async () => {
    while (number < last) {
      number += 1;
      await renderOne(number);
      if (process.stdout.isTTY && number % 100 === 0) console.log(`${number} of ${count}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  // What is put away after a render's end, and memory that is given back.
  await pause(3_000);
}

/** What it holds now. */
function measure() {
  const all = processesOf(server.pid);
  const workers = all.filter(({ pid }) => pid !== server.pid);
  const own = all.find(({ pid }) => pid === server.pid);
  const sum = (list, name) => list.reduce((so, one) => so + one[name], 0);
  return {
    'memory of the server, MB': own.megabytes,
    'memory of the workers, MB': sum(workers, 'megabytes'),
    'open files of the server': own.files,
    'open files of the workers': sum(workers, 'files'),
    processes: all.length,
    'temporary files': leftFiles(temporary).length,
    'work files': leftFiles(path.join(dataFolder, 'work')).length,
    'unfinished files': leftFiles(path.join(dataFolder, 'output')).filter((name) =>
      name.endsWith('.part'),
    ).length,
  };
}

/**
 * How much each may grow. Memory: an allocator's play, and in the server the records of the renders, which are kept in
 * memory; a video's decoder and fonts of the workers come with the first renders. A connection more or less is kept
 * alive.
 */
const bounds = {
  'memory of the server, MB': 60 + (count - baseline) * 0.015,
  'memory of the workers, MB': 150,
  'open files of the server': 8,
  'open files of the workers': 4,
  processes: 0,
  'temporary files': 0,
  'work files': 0,
  'unfinished files': 0,
};

try {
  const begun = performance.now();
  await renderUpTo(baseline);
  const first = measure();
  await renderUpTo(count);
  const last = measure();
  const minutes = (performance.now() - begun) / 60_000;
  console.log(`${count} renders in ${minutes.toFixed(1)} minutes, seed ${values.seed}`);
  console.log(`${''.padEnd(28)} after ${String(baseline).padEnd(8)} at the end   may grow by`);
  for (const [name, bound] of Object.entries(bounds)) {
    const isOver = last[name] - first[name] > bound;
    const [from, to, by] = [first[name], last[name], bound].map((value) => Math.round(value));
    console.log(
      `${name.padEnd(28)} ${String(from).padStart(8)} ${String(to).padStart(14)} ${String(by).padStart(12)}${isOver ? '  TOO MUCH' : ''}`,
    );
    if (isOver) problems.push(`${name} grew from ${from} to ${to}`);
  }
} finally {
  const before = processesOf(server.pid);
  server.kill('SIGTERM');
  await Promise.race([ended, pause(20_000)]);
  await pause(500);
  for (const { pid, name } of before) {
    const isThere = processesOf(pid).some((one) => one.name === name);
    if (isThere) problems.push(`process ${pid} (${name}) is still there after the end`);
  }
}
for (const name of readdirSync(temporary)) problems.push(`${name} is left in the temporary folder`);
for (const problem of problems) console.error(problem);
if (problems.length === 0) rmSync(folder, { recursive: true });
else console.error(`Data kept in ${folder}. The server said:\n${said}`);
process.exit(problems.length === 0 ? 0 : 1);
