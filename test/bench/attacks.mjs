/**
 * `npm run bench -- attacks [--attacks NAME,NAME --seconds 5 --answers 1500 --together]`: starts the built server and
 * asks it small things all the time while one attack after the other runs, and then all together (`--together`: only
 * that). Each attack has one bad render in the line at a time, because a flood of any renders makes a long line. Prints
 * how long answers took (first without any attack: compare with that, on a busy machine too), how long the server's
 * thread was held up and which share of the time it waited for a core of the computer (Linux), how other renders ended
 * and when, and what the bad ones say.
 *
 * The server, the one who asks, and the attackers are a session of processes each: Linux shares its cores between
 * sessions, and in one together the attackers' own work would be measured. That of the attackers gets a small share:
 * attackers compute on computers of their own. All together goes on until enough was asked for a 99th percentile.
 */
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { strToU8, zipSync } from 'fflate';

const { values: chosen } = parseArgs({
  options: {
    attacks: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    answers: { type: 'string', default: '1500' },
    together: { type: 'boolean', default: false },
  },
});
// sched(7), "The autogroup feature"; where it is missing, attackers compete with the server.
await writeFile('/proc/self/autogroup', '15').catch(() => undefined);
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
const clip = await readFile(path.join(media, 'a.mp4'));
// Tables of times that claim four billion entries, and a film that ends in the middle of its data.
const endless = Buffer.from(clip);
for (let at = endless.indexOf('stts'); at >= 0; at = endless.indexOf('stts', at + 4)) {
  endless.writeUInt32BE(0xffffffff, at + 8);
}
await writeFile(path.join(media, 'endless.mp4'), endless);
await writeFile(path.join(media, 'cut.mp4'), clip.subarray(0, Math.floor(clip.length * 0.6)));
const data = path.join(folder, 'data');
const child = spawn(
  process.execPath,
  [
    ...['--import', meter, cli, 'serve', '--port', '0', '--data', data, '--media', media],
    ...['--api-key', key, '--no-rate-limit'],
  ],
  { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], detached: true },
);

// In a session of its own it does not hear what ends this process.
process.on('exit', () => child.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

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
function ask(method, target, body, { secret = key } = {}) {
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
    const request = http.request(whole, { method, headers, agent: false }, (response) => {
      let begin = '';
      response.on('data', (part) => {
        if (begin.length < 2_000) begin += part.toString('utf8', 0, 2_000);
      });
      response.on('end', () => resolve({ status: response.statusCode, begin }));
    });
    request.on('error', reject).end(sent);
  });
}

function heldUp() {
  return new Promise((resolve) => {
    const hear = ({ longest }) => {
      // The server says other things, too.
      if (longest === undefined) return;
      child.off('message', hear);
      resolve(Math.round(longest));
    };
    child.on('message', hear);
    child.send('how long');
  });
}

const picture = { output_format: 'png', width: 32, height: 32, elements: [] };
const film = (element) => ({
  output_format: 'mp4',
  width: 32,
  height: 32,
  duration: 60,
  elements: [{ name: 'Bad one', ...element }],
});
const still = (element) => ({ ...picture, elements: [{ name: 'Bad one', ...element }] });
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const keys = (count, name, value = 1) => Object.fromEntries(many(count, (i) => [name(i), value]));
const nested = (depth) => ({
  type: 'composition',
  width: 8_000,
  height: 8_000,
  blur_radius: 50,
  elements: depth === 0 ? [{ type: 'shape', fill_color: '#ff0000' }] : [nested(depth - 1)],
});

/** Bodies that take long to make are made before anything is measured: this process is the client, too. */
const bytes = (body) => Buffer.from(JSON.stringify(body));
const large = {
  modifications: bytes({
    source: picture,
    modifications: keys(9_000, (i) => `N${i}.text`, 'x'.repeat(1_000)),
  }),
  commas: Buffer.alloc(19e6, ','),
  namesakes: bytes({
    dry_run: true,
    source: { elements: many(9_000, () => ({ type: 'text', name: 'Same' })) },
    modifications: keys(10_000, (i) => `Same.p${i}`),
  }),
  preview: bytes({
    client: 'bench',
    time: 0,
    source: { ...picture, note: many(2_200_000, () => [0]) },
  }),
  template: bytes({ name: 'T', source: { ...picture, note: 'x'.repeat(9e6) } }),
};

/** A spreadsheet of one sheet. @param cells as XML */
function spreadsheet(cells) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const list = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const files = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${list}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${cells}</sheetData></worksheet>`,
  };
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(text)]);
  return Buffer.from(zipSync(Object.fromEntries(bytes)));
}
const cell = (place, text) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const sheets = [
  spreadsheet(`<row r="1048576">${cell('XFD1048576', 'a')}</row>`),
  spreadsheet(`<row r="1">${cell('ZZZZZZ1', 'a')}</row>`),
  spreadsheet(`<row r="999999999">${cell('A999999999', 'a')}</row>`),
  spreadsheet(`<row r="1">${cell('A1', 'x'.repeat(90e6))}</row>`),
];

/** Processes of ffmpeg that this server's workers began. Linux. */
async function decoders() {
  const parents = new Map();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, name, parent] = /\((.*)\) \S (\d+)/.exec(text) ?? [];
    if (name !== undefined) parents.set(Number(pid), { name, parent: Number(parent) });
  }
  const isOurs = (pid) =>
    pid === child.pid || (parents.has(pid) && isOurs(parents.get(pid).parent));
  return [...parents].flatMap(([pid, { name }]) => (name === 'ffmpeg' && isOurs(pid) ? [pid] : []));
}

/** What each does once; creates give the ID of a render that must fail, or may. */
const attacks = {
  'endless loop of a sound': () =>
    create(
      film({ type: 'audio', source: 'a.mp4', loop: true, trim_duration: 1e-7, duration: null }),
    ),
  '9 MB of modifications': () => create(large.modifications),
  '19 MB of commas': () => ask('POST', '/api/feeds?name=F', large.commas),
  'keys for namesakes': () => create(large.namesakes),
  'previews of 9 MB': () => ask('POST', '/api/preview', large.preview),
  'templates of 9 MB': () => ask('POST', '/v2/templates', large.template),
  'nested compositions with blur': () => create(still(nested(15))),
  'brackets around a letter': () =>
    create(still({ type: 'text', text: `${'('.repeat(49_000)}a${')'.repeat(49_000)}` })),
  'held connections': async () => {
    const { hostname, port } = new URL(apiUrl);
    const sockets = many(200, () => net.connect(Number(port), hostname).on('error', () => {}));
    await pause(1_000);
    for (const socket of sockets) socket.destroy();
  },
  'media that claim too much': () =>
    create(film({ type: 'video', source: 'endless.mp4', duration: null })),
  'media that end too early': () =>
    create(film({ type: 'video', source: 'cut.mp4', duration: null })),
  'hostile spreadsheets': () =>
    Promise.all(sheets.map((sheet) => ask('POST', '/api/feeds?name=F', sheet))),
  '300 videos': () =>
    create({
      output_format: 'mp4',
      width: 64,
      height: 64,
      duration: 1,
      elements: many(300, (i) => ({ type: 'video', source: 'a.mp4', track: i + 1 })),
    }),
  'a warp far beyond the picture': () =>
    create(
      still({
        type: 'shape',
        fill_color: '#ff0000',
        height: '1000000%',
        warp_mode: 'default',
        warp_matrix: [
          [
            { x: '0%', y: '0%' },
            { x: '100%', y: '0%' },
          ],
          [
            { x: '0%', y: '100%' },
            { x: '100%', y: '100%' },
          ],
        ],
      }),
    ),
  'names cut inside a character': async () => {
    const name = `${'a'.repeat(119)}\u{1f600}${'b'.repeat(30)}`;
    const made = await ask('POST', '/v2/templates', { name, source: picture });
    return create({ template_id: /"id":"([^"]+)"/.exec(made.begin)[1] });
  },
  'decoders that are killed': async () => {
    const id = await create(film({ type: 'video', source: 'a.mp4', loop: true }));
    for (let tries = 0; tries < 40; tries++) {
      for (const pid of await decoders()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has just ended.
        }
      }
      await pause(50);
    }
    return id;
  },
  'starts in the same data folder': async () => {
    const starts = many(3, () =>
      spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', data], { stdio: 'ignore' }),
    );
    const codes = await Promise.all(starts.map(async (one) => (await once(one, 'exit'))[0]));
    if (codes.includes(0)) throw new Error('a second start got the data folder');
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
    await pause(tries < 40 ? 25 : 200);
  }
  return { status: 'still waiting' };
}

/** Seconds after which it ends with fewer answers. */
const longestRun = 90;

/**
 * Milliseconds that the server's thread was ready for work, and another program had the core. Elsewhere than on Linux:
 * 0.
 */
async function waitedForCore() {
  const file = `/proc/${child.pid}/task/${child.pid}/schedstat`;
  const text = await readFile(file, 'utf8').catch(() => '0 0');
  return Number(text.split(' ')[1]) / 1e6;
}

const middle = (sorted) => sorted[Math.floor((sorted.length - 1) / 2)];

/** Runs attacks for some seconds beside a client that asks small things. */
async function run(what, names) {
  const [bad, costs] = [[], []];
  /** What an attack itself ran into. */
  const surprises = new Map();
  const least = names.length > 1 ? Number(chosen.answers) : 0;
  await heldUp();
  const begun = performance.now();
  const waitedBefore = await waitedForCore();
  const order = JSON.stringify({ apiUrl, key, seconds, least, most: longestRun, picture });
  const questions = fork(new URL('./small-questions.mjs', import.meta.url), [order], {
    detached: true,
  });
  let isOver = false;
  const asked = once(questions, 'message').then(() => (isOver = true));
  const answered = new Promise((resolve) => {
    questions.on('message', (message) => typeof message === 'object' && resolve(message));
  });
  const attacker = async (name) => {
    while (!isOver) {
      const id = await attacks[name]().catch((error) => {
        surprises.set(`${name}: ${error.message}`, 0);
      });
      if (typeof id === 'string') {
        const created = performance.now();
        const end = await ended(id).catch((error) => ({ status: error.message }));
        bad.push([name, end]);
        costs.push(performance.now() - created);
      }
      await pause(50);
    }
  };
  // Before the attackers, who wait for their renders.
  const measured = asked.then(async () => {
    const waited = (await waitedForCore()) - waitedBefore;
    return { longest: await heldUp(), waits: waited / (performance.now() - begun) };
  });
  await Promise.all([measured, ...names.map(attacker)]);
  const { longest, waits } = await measured;
  const { times, refused, others } = await answered;
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)]);
  const outcomes = new Map([...surprises].map(([text]) => [text, 'during']));
  for (const [name, { status, message = '' }] of bad) {
    const text = `${name}: ${status}${message && `, ${message}`}`;
    outcomes.set(text, (outcomes.get(text) ?? 0) + 1);
  }
  const good = others.filter(({ status }) => status === 'succeeded').length;
  const sorted = (list) => list.map(Math.round).sort((a, b) => a - b);
  const took = sorted(others.map((one) => one.took));
  return {
    row: {
      attack: what,
      answers: times.length,
      refused,
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
      'thread held up': longest,
      'waits for a core': `${Math.round(waits * 100)} %`,
      'others succeeded': `${good} of ${others.length}`,
      'their p50': middle(took),
      'their max': took.at(-1),
      'bad ones p50': middle(sorted(costs)),
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
    ...(chosen.together ? [] : wanted.map((name) => [name, [name]])),
    ...(wanted.length > 1 ? [['(all together)', wanted]] : []),
  ]) {
    const { row, outcomes } = await run(what, names);
    table.push(row);
    console.log(`${what}: p99 ${row.p99} ms, thread held up ${row['thread held up']} ms`);
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
