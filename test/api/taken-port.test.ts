/** The API's port is taken when the server starts: everything else runs, and the API comes when it can. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PortError } from '../../server/api/listener/listen.ts';
import type { ServerState } from '../../shared/api.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let other: Server;
let taken: number;
let server: TestServer | null = null;

beforeEach(async () => {
  other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  taken = typeof address === 'object' && address ? address.port : 0;
});

afterEach(async () => {
  await server?.stop();
  server = null;
  await free();
});

const free = (): Promise<void> => new Promise((resolve) => other.close(() => resolve()));

const apiOf = async (from: TestServer): Promise<ServerState['api']> =>
  (await from.askWindow('GET', '/api/state')).body.api;

test('F101: the window has its data, and what is wrong with the port', async () => {
  server = await startTestServer({ port: taken });
  const { url, problem } = await apiOf(server);
  expect(url).toBe(`http://127.0.0.1:${taken}`);
  expect(problem).toMatchObject({ port: taken, reason: 'taken' });
  expect(problem?.freePort).toBeGreaterThan(taken);
  expect(server.logged).toContain(
    `warning server: The API is off. Port ${taken} is used by another program. Close it, or choose another port.`,
  );
  const runtime: unknown = JSON.parse(
    readFileSync(path.join(server.dataFolder, 'runtime.json'), 'utf8'),
  );
  expect(runtime).toMatchObject({ apiUrl: null, windowUrl: server.running.windowUrl });
  expect((await server.askWindow('GET', '/api/renders')).status).toBe(200);
});

test('F102: a port that is not allowed is refused in words, and the old one is kept', async () => {
  server = await startTestServer();
  const stored = async (): Promise<unknown> =>
    (await server!.askWindow('GET', '/api/settings/all')).body;
  const before = await stored();
  for (const port of [80, 0, -1, 1023, 65_536, 70_000, 5000.5, '5000', [5000], true]) {
    const { status, body } = await server.askWindow('PATCH', '/api/settings', { port });
    expect([port, status, body.hint]).toEqual([
      port,
      400,
      'Expected a whole number from 1024 to 65535.',
    ]);
    expect(await stored()).toEqual(before);
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  }
  const onRequest = await server.askWindow('POST', '/api/api-listener', { port: 80 });
  expect(onRequest.status).toBe(400);
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
});

test('F101: trying again fails while the port is taken and works when it is free', async () => {
  server = await startTestServer({ port: taken });
  const again = await server.askWindow('POST', '/api/api-listener', { port: null });
  expect(again.body.api.problem?.port).toBe(taken);
  await free();
  const then = await server.askWindow('POST', '/api/api-listener', { port: null });
  expect(then.body.api.problem).toBeUndefined();
  expect(server.running.apiUrl).toBe(`http://127.0.0.1:${taken}`);
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
});

test('F101: another port for this time answers and is not stored', async () => {
  server = await startTestServer({ port: taken });
  const port = (await apiOf(server)).problem?.freePort ?? 0;
  await server.askWindow('POST', '/api/api-listener', { port });
  expect(server.running.apiUrl).toBe(`http://127.0.0.1:${port}`);
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  const { body } = await server.askWindow('GET', '/api/settings');
  expect(body).toMatchObject({ port: null });
});

test('F101: a stored port that is taken is no reason not to start; another one is stored instead', async () => {
  server = await startTestServer();
  await free();
  expect((await server.askWindow('PATCH', '/api/settings', { port: taken })).status).toBe(200);
  await server.running.close();
  await new Promise<void>((resolve) => other.listen(taken, '127.0.0.1', resolve));
  const from = server;
  await from.restart();
  const { problem } = await apiOf(from);
  expect(problem?.port).toBe(taken);
  const port = problem?.freePort ?? 0;
  expect((await from.askWindow('PATCH', '/api/settings', { port })).status).toBe(200);
  expect((await apiOf(from)).problem).toBeUndefined();
  expect((await from.ask('GET', '/v2/templates')).status).toBe(200);
});

test('a port that was named at the start ends it, and leaves nothing behind', async () => {
  const start = startTestServer({ port: taken, fixedSettings: ['port'] });
  await expect(start).rejects.toThrow(PortError);
  await expect(start).rejects.toThrow(`Port ${taken} is used by another program.`);
});
