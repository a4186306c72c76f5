/**
 * The window's address: the same at each start, kept where only this user reads it, and elsewhere when its port is
 * taken.
 */
import { createHmac } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { proofPath, proofText } from '../../shared/window-proof.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer | null = null;
let other: Server | null = null;

afterEach(async () => {
  await server?.stop();
  server = null;
  await new Promise<void>((resolve) => (other ? other.close(() => resolve()) : resolve()));
  other = null;
});

const windowUrlOf = (one: TestServer): string => one.running.windowUrl;
const portOf = (one: TestServer): number => Number(new URL(windowUrlOf(one)).port);

/** Starts a server that keeps a port of its own: other tests take turns at the usual one. */
async function startAtOwnPort(): Promise<TestServer> {
  const started = await startTestServer();
  server = started;
  const file = path.join(started.dataFolder, 'window.json');
  const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...Object(kept), port: await freePort() }));
  await started.restart();
  return started;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Takes a port while the server is not running. */
async function take(port: number): Promise<void> {
  const listener = createServer();
  other = listener;
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', () => resolve());
  });
}

test('a server that is started again has the same address', async () => {
  server = await startAtOwnPort();
  const before = windowUrlOf(server);
  await server.restart();
  expect(windowUrlOf(server)).toBe(before);
  expect((await server.askWindow('GET', '/api/state')).status).toBe(200);
});

describe('the proof that a server knows the token', () => {
  const ask = async (nonce: string): Promise<unknown> => {
    const response = await server!.askWindow('GET', `${proofPath}?nonce=${nonce}`);
    return response.status === 200 ? response.body : response.status;
  };

  test('is given to whoever asks, for its own port, and is another for another nonce', async () => {
    server = await startAtOwnPort();
    const token = new URL(windowUrlOf(server)).hash.replace('#token=', '');
    const nonce = 'n'.repeat(32);
    const url = new URL(`${proofPath}?nonce=${nonce}`, windowUrlOf(server));
    // Without the token, as the page asks.
    const plain: unknown = await (await fetch(url)).json();
    const port = portOf(server);
    const proof = createHmac('sha256', token).update(proofText(nonce, port)).digest('hex');
    expect(plain).toEqual({ port, proof });
    expect(await ask('m'.repeat(32))).not.toEqual({ port, proof });
    expect(JSON.stringify(plain)).not.toContain(token);
  });

  test('is for nonces alone', async () => {
    server = await startAtOwnPort();
    for (const nonce of ['', 'short', 'n'.repeat(65), 'not%20a%20nonce%20with%20enough'])
      expect(await ask(nonce)).toBe(400);
    expect(await ask(`${'n'.repeat(32)}&nonce=${'m'.repeat(32)}`)).toBe(400);
  });
});

test.skipIf(process.platform === 'win32')('only this user can read where it is kept', async () => {
  server = await startAtOwnPort();
  for (const name of ['window.json', 'runtime.json']) {
    const { mode } = await stat(path.join(server.dataFolder, name));
    expect(mode & 0o777).toBe(0o600);
  }
});

test('while the port is taken the window is elsewhere, the log says so, and it comes back', async () => {
  server = await startAtOwnPort();
  const before = windowUrlOf(server);
  const port = portOf(server);
  await server.running.close();
  await take(port);
  await server.restart();
  expect(portOf(server)).not.toBe(port);
  expect(new URL(windowUrlOf(server)).hash).toBe(new URL(before).hash);
  expect(server.logged.join('\n')).toContain(
    `Port ${port} of the window is used by another program. The window is on port ${portOf(server)} this time.`,
  );
  await new Promise<void>((resolve) => other?.close(() => resolve()));
  other = null;
  await server.restart();
  expect(windowUrlOf(server)).toBe(before);
});

test('a file that is damaged costs the address, and nothing else', async () => {
  server = await startAtOwnPort();
  const before = windowUrlOf(server);
  const file = path.join(server.dataFolder, 'window.json');
  for (const content of ['', '{"port":"x"', '{"port":99999,"token":"short"}']) {
    await writeFile(file, content);
    await server.restart();
    expect(new URL(windowUrlOf(server)).hash).not.toBe(new URL(before).hash);
    expect((await server.askWindow('GET', '/api/state')).status).toBe(200);
  }
  await rm(file);
  await server.restart();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ port: portOf(server) });
});

test('a port that is named is used, or the start says why not', async () => {
  server = await startAtOwnPort();
  const before = windowUrlOf(server);
  await server.restart({ windowPort: 0 });
  expect(new URL(windowUrlOf(server)).hash).toBe(new URL(before).hash);
  await server.running.close();
  await take(portOf(server));
  await expect(server.restart({ windowPort: portOf(server) })).rejects.toThrow(
    /^Port \d+ is used by another program/,
  );
  await server.restart();
  expect(windowUrlOf(server)).toBe(before);
});
