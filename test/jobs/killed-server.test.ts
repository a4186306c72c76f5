/** The built server as a program of its own: killed at the worst moments, started twice on one folder. Needs dist/. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { runFfmpegSync } from '../helpers/media.ts';
import { listProcesses, startedBy } from '../helpers/process-table.ts';

const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));
const key = 'killed-server';
const runtimeFile = z.object({ pid: z.number(), apiUrl: z.string(), windowUrl: z.string() });
const answerBody = z.object({ id: z.string(), metadata: z.string() });
const stateBody = z.object({
  status: z.string(),
  error_message: z.string().optional(),
  file_size: z.number().optional(),
});
const listBody = z.object({
  renders: z.array(z.object({ id: z.string(), attempts: z.number() })),
});

let dataFolder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  // A worker that has lost its server may still be writing its last file.
  await rm(dataFolder, { recursive: true, maxRetries: 20 });
});

function serve(more: readonly string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const args = [cli, 'serve', '--port', '0', '--data', dataFolder, '--api-key', key];
  const child = spawn(process.execPath, [...args, '--no-rate-limit', ...more], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Starts it, and waits for the address that it notes. */
async function start(
  ...args: Parameters<typeof serve>
): Promise<{ child: ChildProcess; url: string; windowUrl: string }> {
  const child = serve(...args);
  for (let tries = 0; tries < 1000; tries++) {
    const text = await readFile(path.join(dataFolder, 'runtime.json'), 'utf8').catch(() => '');
    const runtime = text === '' ? null : runtimeFile.parse(JSON.parse(text));
    // That of a killed server is still there.
    if (runtime?.pid === child.pid) {
      return { child, url: runtime!.apiUrl, windowUrl: runtime!.windowUrl };
    }
    if (child.exitCode !== null) break;
    await pause(20);
  }
  throw new Error('the server did not start');
}

/** Sends a create and calls `onEnd` in the very step in which the last byte of its answer is read. */
function create(url: string, metadata: string, onEnd: () => void): Promise<string> {
  const body = JSON.stringify({
    output_format: 'png',
    width: 64,
    height: 64,
    metadata,
    elements: [{ type: 'shape', fill_color: '#ff0000' }],
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/v2/renders`, { method: 'POST', headers }, (response) => {
      let text = '';
      const length = Number(response.headers['content-length']);
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (Buffer.byteLength(text) < length) return;
        onEnd();
        expect(response.statusCode).toBe(202);
        resolve(answerBody.parse(JSON.parse(text)).id);
      });
    });
    request.on('error', reject).end(body);
  });
}

const film = {
  output_format: 'mp4',
  width: 640,
  height: 360,
  frame_rate: 25,
  duration: 12,
  elements: [
    {
      type: 'shape',
      width: '40%',
      height: '40%',
      fill_color: '#ff0000',
      x: [
        { time: 0, value: '0%' },
        { time: 12, value: '100%', easing: 'linear' },
      ],
    },
  ],
};

async function ask(url: string, target: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${target}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return response.json();
}

const outputFile = (id: string): string => path.join(dataFolder, 'output', `${id}.mp4`);

/** Creates a film and waits until its file is being written. */
async function draw(url: string, more: object = {}): Promise<string> {
  const { id } = z
    .object({ id: z.string() })
    .parse(await ask(url, '/v2/renders', { ...film, ...more }));
  const part = `${outputFile(id)}.part`;
  await expect
    .poll(() =>
      stat(part).then(
        ({ size }) => size > 0,
        () => false,
      ),
    )
    .toBe(true);
  return id;
}

/** Waits for its success, and for a file that is as long as the record says. @returns its attempts. */
async function succeed(url: string, windowUrl: string, id: string): Promise<number> {
  const state = async () => stateBody.parse(await ask(url, `/v2/renders/${id}`));
  const isOver = async (): Promise<boolean> =>
    ['succeeded', 'failed'].includes((await state()).status);
  await expect.poll(isOver, { timeout: 90_000 }).toBe(true);
  const { status, error_message: message, file_size: size } = await state();
  expect([status, message]).toEqual(['succeeded', undefined]);
  expect((await stat(outputFile(id))).size).toBe(size);
  const { origin, hash } = new URL(windowUrl);
  const headers = { 'x-framewright-token': hash.replace('#token=', '') };
  const list = await (await fetch(`${origin}/api/renders`, { headers })).json();
  return listBody.parse(list).renders.find((render) => render.id === id)?.attempts ?? 0;
}

/** One that has ended and was not asked for is no process any more. */
const isAlive = (pid: number): boolean =>
  listProcesses().some((one) => one.pid === pid && !one.isZombie);

const expectNothingLeft = (): void => {
  const names = (name: string): string[] => {
    const folder = path.join(dataFolder, name);
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  expect(names('work')).toEqual([]);
  expect(names('output').filter((name) => /part|try/.test(name))).toEqual([]);
  expect(names('store').filter((name) => /damaged|unreadable|\.new$/.test(name))).toEqual([]);
};

test('F1: killed while it draws: nothing goes on, the port is free, and the next start does the render again', async () => {
  const { child, url } = await start();
  const id = await draw(url);
  const waiting = await create(url, 'waits', () => undefined);
  const others = startedBy(child.pid!);
  // The worker and its encoder, at least.
  expect(others.length).toBeGreaterThan(1);
  await kill(child);
  await expect.poll(() => others.filter(isAlive)).toEqual([]);
  const port = Number(new URL(url).port);
  const probe = net.createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  probe.close();

  const again = await start();
  expect(stateBody.parse(await ask(again.url, `/v2/renders/${id}`)).status).not.toBe('failed');
  expect(await succeed(again.url, again.windowUrl, id)).toBe(2);
  await expect
    .poll(async () => stateBody.parse(await ask(again.url, `/v2/renders/${waiting}`)).status)
    .toBe('succeeded');
  expectNothingLeft();
}, 150_000);

test.skipIf(process.platform === 'win32')(
  'F3: killed after the file has its name and before the success is stored: one success, one event, a whole file',
  async () => {
    const told: (string | undefined)[] = [];
    const receiver = http.createServer((request, response) => {
      told.push(String(request.headers['webhook-id']));
      request.resume().on('end', () => response.end());
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const address = receiver.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const { child, url } = await start();
      const id = await draw(url, { webhook_url: `http://127.0.0.1:${port}/` });
      // The worker finishes; the server does not hear of it.
      child.kill('SIGSTOP');
      await expect.poll(() => existsSync(outputFile(id)), { timeout: 90_000 }).toBe(true);
      expect(existsSync(`${outputFile(id)}.part`)).toBe(false);
      await kill(child);
      expect(told).toEqual([]);

      const again = await start();
      expect(await succeed(again.url, again.windowUrl, id)).toBe(2);
      await expect.poll(() => told).toEqual([expect.any(String)]);
      // No other one comes with the next start.
      await kill(again.child);
      const last = await start();
      expect(await succeed(last.url, last.windowUrl, id)).toBe(2);
      expectNothingLeft();
      expect(new Set(told).size).toBe(1);
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
  },
  240_000,
);

test('F2: a render whose 202 has arrived is there after the server was killed in that moment', async () => {
  const created = new Map<string, string>();
  const check = async (url: string): Promise<void> => {
    for (const [id, metadata] of created) {
      const response = await fetch(`${url}/v2/renders/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.status).toBe(200);
      expect(answerBody.parse(await response.json())).toEqual({ id, metadata });
    }
  };
  for (let round = 0; round < 5; round++) {
    const { child, url } = await start();
    await check(url);
    const ended = once(child, 'exit');
    const metadata = `round ${round}`;
    created.set(await create(url, metadata, () => void child.kill('SIGKILL')), metadata);
    expect(await ended).toEqual([null, 'SIGKILL']);
  }
  expect(created.size).toBe(5);
  await check((await start()).url);
}, 60_000);

test('a transcript whose 202 has arrived is there after a kill, and the next start goes on with it', async () => {
  const model = path.join(dataFolder, 'model.bin');
  const whisper = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
  await writeFile(model, 'model');
  await writeFile(`${model}.mode`, 'wait');
  const media = path.join(dataFolder, 'talks');
  await mkdir(media);
  const length = ['sine=frequency=300:duration=1', 'sine=frequency=600:duration=1'];
  for (const [index, tone] of length.entries())
    runFfmpegSync('-f', 'lavfi', '-i', tone, path.join(media, `${index}.wav`));
  const env = { FRAMEWRIGHT_TRANSCRIBER: whisper, FRAMEWRIGHT_TRANSCRIBER_MODEL: model };
  const begin = (): ReturnType<typeof start> => start(['--media', media], env);
  const { child, url } = await begin();
  const made = await Promise.all(
    length.map((_, index) => ask(url, '/v2/transcripts', { source: `${index}.wav` })),
  );
  const ids = made.map((one) => z.object({ id: z.string() }).parse(one).id);
  const calls = async (): Promise<string> => readFile(`${model}.calls`, 'utf8').catch(() => '');
  await expect.poll(calls, { timeout: 60_000 }).not.toBe('');
  await kill(child);

  const again = await begin();
  const statusOf = async (id: string): Promise<string> =>
    stateBody.parse(await ask(again.url, `/v2/transcripts/${id}`)).status;
  for (const id of ids) expect(await statusOf(id)).toBe('transcribing');
  await writeFile(`${model}.mode`, 'words');
  for (const id of ids)
    await expect.poll(() => statusOf(id), { timeout: 60_000 }).toBe('succeeded');
  await kill(again.child);

  const last = await begin();
  for (const id of ids)
    expect(await ask(last.url, `/v2/transcripts/${id}`)).toMatchObject({
      status: 'succeeded',
      words: [{ value: 'It"s' }, {}, {}, {}, {}],
    });
}, 150_000);

test('F16: a second program on the same folder says so and ends; the first goes on', async () => {
  const { url } = await start();
  const before = await readFile(path.join(dataFolder, 'runtime.json'), 'utf8');
  const second = serve();
  let said = '';
  second.stderr?.setEncoding('utf8').on('data', (part: string) => (said += part));
  expect(await once(second, 'close')).toEqual([1, null]);
  expect(said).toBe(`The data folder ${dataFolder} is in use by another copy of the app.\n`);
  expect(await readFile(path.join(dataFolder, 'runtime.json'), 'utf8')).toBe(before);
  const id = await create(url, 'still here', () => undefined);
  expect(id).toMatch(/^[\da-f-]{36}$/);
}, 60_000);
