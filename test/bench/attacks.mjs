/**
 * `npm run bench:attacks [-- --attacks NAME,NAME --seconds 5]`: starts the built server and asks it small things all the time while
 * one attack after the other runs, and then all together. Prints how long answers took (first without any attack: compare with
 * that, on a busy machine too), how long the server's thread was held up, how other renders ended, and what the bad ones say.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: chosen } = parseArgs({
  options: { attacks: { type: 'string' }, seconds: { type: 'string', default: '5' } },
});
const seconds = Number(chosen.seconds);
const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));
const meter = new URL('../helpers/loop-delay.mjs', import.meta.url).href;
const key = 'bench';
const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-bench-'));
const media = path.join(folder, 'media');
await mkdir(media);
execFileSync(process.env.FFMPEG_PATH ?? 'ffmpeg', [
  ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=96x64:r=10:d=1'],
  ...['-f', 'lavfi', '-i', 'sine=d=1', '-pix_fmt', 'yuv420p', path.join(media, 'a.mp4')],
]);
const data = path.join(folder, 'data');
const child = spawn(
  process.execPath,
  [
    ...['--import', meter, cli, 'serve', '--port', '0', '--data', data, '--media', media],
    ...['--api-key', key, '--no-rate-limit'],
  ],
  { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
);

/** Where it is found, once it is. */
async function found() {
  for (;;) {
    const text = await readFile(path.join(data, 'runtime.json'), 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text);
    if (child.exitCode !== null) throw new Error('the server did not start');
    await pause(20);
  }
}

const { apiUrl, windowUrl } = await found();
const { origin, hash } = new URL(windowUrl);

/** One request; `begin` is the beginning of the answer. */
function ask(method, target, body, { agent = false, secret = key } = {}) {
  const isOfWindow = target.startsWith('/api/');
  const headers = {
    'content-type': 'application/json',
    ...(isOfWindow
      ? { 'x-framewright-token': hash.replace('#token=', '') }
      : { authorization: `Bearer ${secret}` }),
  };
  const sent = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const whole = `${isOfWindow ? origin : apiUrl}${target}`;
    const request = http.request(whole, { method, headers, agent }, (response) => {
      let begin = '';
      response.on('data', (part) => {
        if (begin.length < 2_000) begin += part.toString('utf8', 0, 2_000);
      });
      response.on('end', () => resolve({ status: response.statusCode, begin }));
    });
    request.on('error', reject).end(sent);
  });
}

async function heldUp() {
  const told = once(child, 'message');
  child.send('how long');
  const [{ longest }] = await told;
  return Math.round(longest);
}

const picture = { output_format: 'png', width: 32, height: 32, elements: [] };
const film = (element) => ({
  ...{ output_format: 'mp4', width: 32, height: 32, duration: 60 },
  elements: [{ name: 'Bad one', ...element }],
});
const still = (element) => ({ ...picture, elements: [{ name: 'Bad one', ...element }] });
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const keys = (count, name, value = 1) => Object.fromEntries(many(count, (i) => [name(i), value]));
const nested = (depth) => ({
  ...{ type: 'composition', width: 8_000, height: 8_000, blur_radius: 50 },
  elements: depth === 0 ? [{ type: 'shape', fill_color: '#ff0000' }] : [nested(depth - 1)],
});

/** What each does once; creates give the ID of a render that must fail, or may. */
const attacks = {
  'endless loop of a sound': () =>
    create(
      film({
        ...{ type: 'audio', source: 'a.mp4', loop: true, trim_duration: 1e-7, duration: null },
      }),
    ),
  '9 MB of modifications': () =>
    create({ source: picture, modifications: keys(9_000, (i) => `N${i}.text`, 'x'.repeat(1_000)) }),
  '19 MB of commas': () => ask('POST', '/api/feeds?name=F', Buffer.alloc(19e6, ',')),
  'keys for namesakes': () =>
    create({
      ...{
        dry_run: true,
        source: { elements: many(9_000, () => ({ type: 'text', name: 'Same' })) },
      },
      modifications: keys(10_000, (i) => `Same.p${i}`),
    }),
  'previews of 9 MB': () =>
    ask('POST', '/api/preview', {
      ...{ client: 'bench', time: 0 },
      source: { ...picture, note: many(2_200_000, () => [0]) },
    }),
  'templates of 9 MB': () =>
    ask('POST', '/v2/templates', { name: 'T', source: { ...picture, note: 'x'.repeat(9e6) } }),
  'nested compositions with blur': () => create(still(nested(15))),
  'brackets around a letter': () =>
    create(still({ type: 'text', text: `${'('.repeat(49_000)}a${')'.repeat(49_000)}` })),
  'held connections': async () => {
    const { hostname, port } = new URL(apiUrl);
    const sockets = many(200, () => net.connect(Number(port), hostname).on('error', () => {}));
    await pause(1_000);
    for (const socket of sockets) socket.destroy();
  },
  'wrong keys': () =>
    Promise.all(many(50, () => ask('GET', '/v2/templates', undefined, { secret: 'wrong' }))),
};

async function create(body) {
  const { status, begin } = await ask('POST', '/v2/renders', body);
  return status === 202 ? (/"id":"([^"]+)"/.exec(begin)?.[1] ?? null) : null;
}

async function ended(id) {
  for (let tries = 0; tries < 600; tries++) {
    const { begin } = await ask('GET', `/v2/renders/${id}`);
    const status = /"status":"([^"]+)"/.exec(begin)?.[1];
    if (status === 'succeeded' || status === 'failed') {
      const message = /"error_message":"((?:[^"\\]|\\.)*)"/.exec(begin)?.[1];
      return { status, ...(message && { message }) };
    }
    await pause(200);
  }
  return { status: 'still waiting' };
}

/** Runs attacks for some seconds beside a client that asks small things. */
async function run(what, names) {
  const agent = new http.Agent({ keepAlive: true });
  const times = [];
  const [plain, bad] = [[], []];
  let refused = 0;
  const until = performance.now() + seconds * 1_000;
  await heldUp();
  const client = async () => {
    for (let turn = 0; performance.now() < until; turn++) {
      const begun = performance.now();
      const makes = turn % 50 === 0;
      const request = makes
        ? ask('POST', '/v2/renders', picture, { agent })
        : ask('GET', '/v2/templates?tags=none', undefined, { agent });
      const answer = await request.catch(() => null);
      times.push(performance.now() - begun);
      if (!answer || answer.status >= 400) refused++;
      else if (makes) plain.push(/"id":"([^"]+)"/.exec(answer.begin)[1]);
      await pause(5);
    }
  };
  const attacker = async (name) => {
    while (performance.now() < until) {
      const id = await attacks[name]().catch(() => null);
      if (typeof id === 'string') bad.push([name, id]);
      await pause(50);
    }
  };
  await Promise.all([client(), ...names.map(attacker)]);
  const longest = await heldUp();
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)]);
  const outcomes = new Map();
  for (const [name, id] of bad) {
    const { status, message = '' } = await ended(id);
    const text = `${name}: ${status}${message && `, ${message}`}`;
    outcomes.set(text, (outcomes.get(text) ?? 0) + 1);
  }
  const others = (await Promise.all(plain.map(ended))).map(({ status }) => status);
  const good = others.filter((status) => status === 'succeeded').length;
  return {
    row: {
      ...{ attack: what, answers: times.length, refused, p50: at(0.5), p99: at(0.99), max: at(1) },
      ...{ 'thread held up': longest, 'others succeeded': `${good} of ${others.length}` },
    },
    outcomes,
  };
}

try {
  const wanted = chosen.attacks?.split(',') ?? Object.keys(attacks);
  const unknown = wanted.filter((name) => !(name in attacks));
  if (unknown.length > 0) throw new Error(`there is no attack named ${unknown.join(', ')}`);
  // The first render starts the worker.
  await ended(await create(picture));
  const table = [];
  for (const [what, names] of [
    ['(none)', []],
    ...wanted.map((name) => [name, [name]]),
    ...(wanted.length > 1 ? [['(all together)', wanted]] : []),
  ]) {
    const { row, outcomes } = await run(what, names);
    table.push(row);
    for (const [text, count] of outcomes) console.log(`${count} × ${text}`);
  }
  console.log('Milliseconds:');
  console.table(table);
} finally {
  const gone = child.exitCode === null ? once(child, 'exit') : null;
  child.kill('SIGTERM');
  await gone;
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}
