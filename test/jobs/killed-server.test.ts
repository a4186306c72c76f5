/** The built server as a program of its own: killed at the worst moment, started twice on one folder. Needs dist/. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));
const key = 'killed-server';
const runtimeFile = z.object({ pid: z.number(), apiUrl: z.string() });
const answerBody = z.object({ id: z.string(), metadata: z.string() });

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

function serve(): ChildProcess {
  const args = [cli, 'serve', '--port', '0', '--data', dataFolder, '--api-key', key];
  const child = spawn(process.execPath, [...args, '--no-rate-limit'], {
    stdio: ['ignore', 'ignore', 'pipe'],
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
async function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = serve();
  for (let tries = 0; tries < 1000; tries++) {
    const text = await readFile(path.join(dataFolder, 'runtime.json'), 'utf8').catch(() => '');
    const runtime = text === '' ? null : runtimeFile.parse(JSON.parse(text));
    // That of a killed server is still there.
    if (runtime?.pid === child.pid) return { child, url: runtime!.apiUrl };
    if (child.exitCode !== null) break;
    await pause(20);
  }
  throw new Error('the server did not start');
}

/** Sends a create and calls `onEnd` in the very step in which the last byte of its answer is read. */
function create(url: string, metadata: string, onEnd: () => void): Promise<string> {
  const body = JSON.stringify({
    ...{ output_format: 'png', width: 64, height: 64, metadata },
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
