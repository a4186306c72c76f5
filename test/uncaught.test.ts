/**
 * Errors that nobody catches, in the built server: requests get their 500, background faults a new start. A preloaded
 * file throws.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { said, startCli, type RunningCli } from './helpers/cli.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'uncaught-'));
const throwFile = path.join(folder, 'throw-now');
const preload = pathToFileURL(path.join(import.meta.dirname, 'helpers', 'throwing.mjs')).href;
let server: RunningCli;
let api: string;
let key: string;

beforeAll(async () => {
  const args = ['serve', '--port', '0', '--window-port', '0', '--no-samples', '--no-rate-limit'];
  server = startCli(folder, [...args, '--data', 'data'], {
    NODE_OPTIONS: `--import ${preload}`,
    THROW_FILE: throwFile,
  });
  await said(server, 'Press Ctrl+C');
  const runtime = readFileSync(path.join(folder, 'data', 'runtime.json'), 'utf8');
  ({ apiUrl: api, apiKey: key } = JSON.parse(runtime) as { apiUrl: string; apiKey: string });
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

const ask = (target: string, options: RequestInit = {}, more: object = {}): Promise<Response> =>
  fetch(`${api}${target}`, {
    ...options,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
  });

describe('F132, A: a request whose code throws where nobody catches gets its 500, and others go on', () => {
  test.each([
    ['timer', 'thrown in a timer'],
    ['stream', 'thrown in a stream'],
    ['unheard', 'thrown in an error event'],
    ['child', 'thrown in a child'],
    ['socket', 'thrown in a socket'],
    ['promise', 'thrown in a promise'],
    ['body', 'thrown in an event of the request'],
  ])('%s', async (way, message) => {
    const [broken, ...others] = await Promise.all([
      ask('/v2/templates', {}, { 'x-throw': way }),
      ...Array.from({ length: 5 }, () => ask('/v2/templates')),
    ]);
    const { hint } = (await broken.json()) as { hint: string };
    const [, reference = 'none'] = /\(reference ([\da-f]{8})\)/.exec(hint) ?? [];
    expect(broken.status).toBe(500);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    const line = server.errors.find((one) => one.includes(reference));
    expect(line).toMatch(/ error {3}api: \w+ GET \/v2\/templates: TypeError: /);
    expect(line).toContain(message);
    expect(server.child.exitCode).toBe(null);
  });

  test('an answer that has begun is cut off, not finished as if it were whole', async () => {
    const broken = await ask('/v2/templates', {}, { 'x-throw': 'begun' });
    await expect(broken.text()).rejects.toThrow();
    expect((await ask('/v2/templates')).status).toBe(200);
  });
});

test('what a request leaves behind is logged, and nothing starts again', async () => {
  expect((await ask('/v2/templates', {}, { 'x-throw': 'over' })).status).toBe(200);
  const isLogged = (): boolean =>
    server.errors.some((line) =>
      /Nobody caught this \(begun by GET \/v2\/templates\): .* an answer that is over/.test(line),
    );
  await expect.poll(isLogged).toBe(true);
  expect((await ask('/v2/templates')).status).toBe(200);
  expect(server.errors.filter((line) => line.includes('was started again'))).toEqual([]);
});

test('F133 after an error of background work the server is there again by itself, and so is the queue', async () => {
  const source = { output_format: 'mp4', width: 64, height: 64, duration: 30, elements: [] };
  const body = JSON.stringify(source);
  const made: string[] = [];
  for (let count = 0; count < 3; count++) {
    const answer = await ask('/v2/renders', { method: 'POST', body });
    expect(answer.status).toBe(202);
    made.push(((await answer.json()) as { id: string }).id);
  }
  const { pid } = server.child;
  // Whoever asks meanwhile waits, and is not refused.
  const asked: Promise<number>[] = [];
  const asking = setInterval(
    () => asked.push(ask('/v2/templates').then(({ status }) => status)),
    20,
  );
  writeFileSync(throwFile, '');
  await expect.poll(() => existsSync(throwFile), { interval: 5 }).toBe(false);
  await expect
    .poll(() => server.errors.some((line) => line.includes('was started again')), {
      interval: 10,
      timeout: 10_000,
    })
    .toBe(true);
  await expect
    .poll(async () => (await ask('/v2/templates').catch(() => null))?.status, {
      interval: 10,
      timeout: 10_000,
    })
    .toBe(200);
  clearInterval(asking);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  expect(server.child.pid).toBe(pid);
  expect(server.errors.some((line) => /Nobody caught this: .*background work/.test(line))).toBe(
    true,
  );
  for (const id of made) {
    const states = async (): Promise<string> =>
      ((await (await ask(`/v2/renders/${id}`)).json()) as { status: string }).status;
    await expect.poll(states, { timeout: 60_000, interval: 200 }).toBe('succeeded');
  }
}, 120_000);

test('F136 a watched table that ends the program twice is left alone, until it changes', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'watched-'));
  const table = path.join(own, 'shoes.csv');
  writeFileSync(table, 'Title\nABORT-HERE\n');
  const start = async (): Promise<RunningCli> => {
    const args = ['serve', '--port', '0', '--window-port', '0', '--no-samples', '--data', 'data'];
    const program = startCli(own, args, { NODE_OPTIONS: `--import ${preload}` });
    await said(program, 'Press Ctrl+C');
    return program;
  };
  const askWindow = async (method: string, target: string, body?: object): Promise<unknown> => {
    const runtime = readFileSync(path.join(own, 'data', 'runtime.json'), 'utf8');
    const { windowUrl } = JSON.parse(runtime) as { windowUrl: string };
    const { origin, hash } = new URL(windowUrl);
    const answer = await fetch(`${origin}/api/feeds${target}`, {
      method,
      headers: {
        'x-framewright-token': hash.replace('#token=', ''),
        'content-type': typeof body === 'undefined' ? 'text/csv' : 'application/json',
      },
      ...(method === 'POST' && { body: 'Title\nBoot\n' }),
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  interface Feed {
    readonly id: string;
    readonly rowCount: number;
    readonly watch?: { readonly problem?: string };
  }
  const feed = async (): Promise<Feed | undefined> =>
    ((await askWindow('GET', '')) as readonly Feed[])[0];
  try {
    let program = await start();
    const { id } = (await askWindow('POST', '?name=Shoes')) as Feed;
    await askWindow('PATCH', `/${id}`, { watch: { path: table, renders: false } });
    await program.ended;
    expect(program.child.signalCode).toBe('SIGABRT');
    program = await start();
    await program.ended;
    expect(program.child.signalCode).toBe('SIGABRT');
    program = await start();
    await expect
      .poll(async () => (await feed())?.watch?.problem, { timeout: 20_000 })
      .toContain('ended twice while it read this table');
    writeFileSync(table, 'Title\nBoot\nShoe\n');
    await expect.poll(async () => (await feed())?.rowCount, { timeout: 20_000 }).toBe(2);
    // Told once the look at it is over.
    await expect.poll(async () => (await feed())?.watch?.problem).toBe(undefined);
    program.child.kill('SIGTERM');
    await program.ended;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}, 120_000);
