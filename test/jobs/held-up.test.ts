/** Hostile requests, two at a time, against the built server: its thread is never held up for long. Needs dist/. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { attacksOn, writingRoutes, type Things } from '../helpers/body-routes.ts';
import { isLong } from '../helpers/long.ts';

const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));
const meter = new URL('../helpers/loop-delay.mjs', import.meta.url).href;
const key = 'held-up';
const runtimeFile = z.object({ pid: z.number(), apiUrl: z.string(), windowUrl: z.string() });
const delays = z.object({
  longest: z.number(),
  usual: z.number(),
  most: z.object({ what: z.string(), length: z.number() }),
  started: z.array(z.string()),
});

/** Milliseconds that one turn of the server's thread may take, on a machine that is busy otherwise. */
const longestTurn = 1_000;
/**
 * Bytes or characters that it may make, read or copy in one call, however busy the machine is. (What a preview tells of
 * 10,000 elements has 1.6 million.)
 */
const largestPart = 2_000_000;

let dataFolder: string;
let child: ChildProcess;
let url = '';
let windowOrigin = '';
let windowToken = '';

beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  const args = ['--import', meter, cli, 'serve', '--port', '0', '--data', dataFolder];
  child = spawn(process.execPath, [...args, '--api-key', key, '--no-rate-limit'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  for (let tries = 0; url === '' && tries < 1000; tries++) {
    const text = await readFile(path.join(dataFolder, 'runtime.json'), 'utf8').catch(() => '');
    if (text !== '') {
      const { apiUrl, windowUrl } = runtimeFile.parse(JSON.parse(text));
      url = apiUrl;
      windowOrigin = new URL(windowUrl).origin;
      windowToken = new URL(windowUrl).hash.replace('#token=', '');
    } else {
      await pause(20);
    }
  }
});
afterAll(async () => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await rm(dataFolder, { recursive: true, maxRetries: 20 });
});

const agent = new http.Agent({ keepAlive: true });

/** Sends a request; its answer is read and, but for the beginning, forgotten. */
function ask(
  method: string,
  target: string,
  body?: Buffer,
): Promise<{ status: number; begin: string }> {
  return new Promise((resolve, reject) => {
    const isOfWindow = target.startsWith('/api/');
    const secret: Record<string, string> = isOfWindow
      ? { 'x-framewright-token': windowToken }
      : { authorization: `Bearer ${key}` };
    const headers = { ...secret, 'content-type': 'application/json' };
    const whole = `${isOfWindow ? windowOrigin : url}${target}`;
    // What is refused unread ends its connection.
    const options = { method, headers, agent: isOfWindow ? false : agent };
    const request = http.request(whole, options, (response) => {
      let begin = '';
      response.on('data', (part: Buffer) => {
        if (begin.length < 500) begin += part.toString('latin1', 0, 500);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, begin }));
    });
    request.on('error', reject).end(body);
  });
}

async function held(): Promise<z.infer<typeof delays>> {
  return new Promise((resolve) => {
    const hear = (message: unknown): void => {
      // The server says other things, too.
      const { success, data } = delays.safeParse(message);
      if (!success) return;
      child.off('message', hear);
      resolve(data);
    };
    child.on('message', hear);
    child.send('how long');
  });
}

const keys = (count: number, key: (index: number) => string, value: unknown = 1): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), value]));
const named = (count: number): object[] =>
  Array.from({ length: count }, () => ({ type: 'text', name: 'Same', text: 'a' }));
const picture = { output_format: 'png', width: 10, height: 10, elements: [] };

/**
 * What was found to hold others up, as bodies of creates. The first four are tried in every run, and all with LONG=1.
 */
const attacks: Record<string, () => object> = {
  'unknown keys': () => ({ ...picture, ...keys(700_000, (i) => `k${i}`) }),
  keyframes: () => ({
    elements: [
      { type: 'shape', x: Array.from({ length: 300_000 }, () => ({ time: 0, value: 1 })) },
    ],
  }),
  'nine megabytes of modifications': () => ({
    source: picture,
    modifications: keys(9_000, (i) => `None${i}.text`, 'x'.repeat(1_000)),
  }),
  'modifications of small parts': () => ({
    source: picture,
    modifications: { 'None.text': Array.from({ length: 1_500_000 }, () => [0]) },
  }),
  'mistaken keyframes': () => ({
    elements: [
      { type: 'shape', x: Array.from({ length: 200_000 }, () => ({ time: 'q', value: 'w' })) },
    ],
  }),
  'keys for namesakes': () => ({
    source: { elements: named(9_000) },
    modifications: keys(10_000, (i) => `Same.p${i}`),
  }),
  'long values in many places': () => ({
    source: { elements: [{ type: 'text', text: '{{a}}'.repeat(20_000) }] },
    modifications: { a: 'x'.repeat(20_000) },
  }),
  'a document of small parts': () => ({
    source: { ...picture, note: Array.from({ length: 1_500_000 }, () => [0]) },
  }),
  'unknown properties': () => ({
    elements: [{ type: 'text', text: 'a', ...keys(400_000, (i) => `u${i}`) }],
  }),
  'many elements': () => ({ elements: named(100_000) }),
};

test('hostile requests, two at a time, hold up nobody else, and neither do their answers', async () => {
  await held();
  const all = Object.entries(attacks);
  const tried = isLong ? all : all.slice(0, 4);
  const times: number[] = [];
  const done = new AbortController();
  const others = (async () => {
    while (!done.signal.aborted) {
      const begun = performance.now();
      await ask('GET', '/v2/templates?tags=none');
      times.push(performance.now() - begun);
      await pause(5);
    }
  })();
  const worst: [what: string, longest: number, most: string][] = [];
  const heavy: string[] = [];
  for (const [what, make] of tried) {
    const whole = make();
    const body = Buffer.from(JSON.stringify(whole));
    const dry = Buffer.from(JSON.stringify({ ...whole, dry_run: true }));
    await held();
    const answers = await Promise.all([
      ask('POST', '/v2/renders', body),
      ask('POST', '/v2/renders', dry),
    ]);
    for (const { status, begin } of answers) expect([200, 202, 400, 503], begin).toContain(status);
    const id = answers[0].status === 202 && /"id":"([^"]+)"/.exec(answers[0].begin)?.[1];
    if (id) {
      const read = await Promise.all([1, 2].map(() => ask('GET', `/v2/renders/${id}`)));
      expect(read.map(({ status }) => status)).toEqual([200, 200]);
    }
    const { longest, most } = await held();
    worst.push([what, Math.round(longest), `${most.length} ${most.what}`]);
    if (most.length > largestPart) heavy.push(`${what}: ${most.length} in ${most.what}`);
  }
  done.abort();
  await others;
  times.sort((a, b) => a - b);
  const usual = times[Math.floor(times.length * 0.99)] ?? Infinity;
  if (isLong) console.log(worst, `99 % of ${times.length}: ${usual.toFixed()} ms`);
  expect(heavy).toEqual([]);
  expect(worst.filter(([, longest]) => longest > longestTurn)).toEqual([]);
}, 240_000);

test('workers are not started by the thread that answers, which a start keeps for a while', async () => {
  const preview = { client: 'held-up', time: 0, source: picture };
  const answers = await Promise.all([
    ask('POST', '/v2/renders', Buffer.from(JSON.stringify({ source: picture }))),
    ask('POST', '/api/preview', Buffer.from(JSON.stringify(preview))),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([202, 200]);
  const id = /"id":"([^"]+)"/.exec(answers[0].begin)?.[1] ?? '';
  await expect
    .poll(async () => (await ask('GET', `/v2/renders/${id}`)).begin, { timeout: 60_000 })
    .toContain('"status":"succeeded"');
  const { started } = await held();
  expect(started.filter((args) => args.includes('worker'))).toEqual([]);
}, 90_000);

test('every route that is written to is in the table of attacks', () => {
  expect(writingRoutes()).toEqual(Object.keys(attacksOn).sort());
});

test('no route is held up by large or hostile bodies, and none answers them with a fault of its own', async () => {
  const read = async (method: string, target: string, body: object | Buffer): Promise<unknown> => {
    const sent = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    return JSON.parse((await ask(method, target, sent)).begin);
  };
  const made = z.object({ id: z.string() });
  const source = { output_format: 'png', width: 10, height: 10, elements: [] };
  const { id: template } = made.parse(await read('POST', '/v2/templates', { name: 'T', source }));
  const { id: render } = made.parse(await read('POST', '/v2/renders', { source }));
  const feed = z
    .object({ id: z.string(), columns: z.array(z.object({ id: z.string() })) })
    .parse(await read('POST', '/api/feeds?name=F', Buffer.from('Title\nOne\n')));
  const things: Things = {
    template,
    render,
    feed: feed.id,
    columns: feed.columns.map(({ id }) => id),
  };
  const size = isLong ? 9_500_000 : 2_500_000;
  const worst: [what: string, longest: number, status: number][] = [];
  const heavy: string[] = [];
  for (const [route, make] of Object.entries(attacksOn)) {
    const [, method = ''] = route.split(' ');
    for (const { target, body } of make(things, size)) {
      const sent = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      await held();
      const { status, begin } = await ask(method, target, sent).catch((error: unknown) => {
        throw new Error(`${route}, ${sent.length} bytes`, { cause: error });
      });
      expect([200, 201, 202, 204, 400, 404, 409, 413, 422, 503], `${route}: ${begin}`).toContain(
        status,
      );
      const { longest, most } = await held();
      worst.push([`${route} (${sent.length})`, Math.round(longest), status]);
      if (most.length > largestPart) heavy.push(`${route}: ${most.length} in ${most.what}`);
    }
  }
  if (isLong) console.log(worst);
  expect(heavy).toEqual([]);
  expect(worst.filter(([, longest]) => longest > longestTurn)).toEqual([]);
}, 240_000);
