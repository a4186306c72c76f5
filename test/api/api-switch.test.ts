/** The API is stopped and started while the program runs: the window's own listener goes on all the time. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ServerState } from '../../shared/api.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let other: Server | null = null;

afterEach(async () => {
  await server.stop();
  await new Promise((resolve) => (other ? other.close(resolve) : resolve(null)));
  other = null;
});

/** Another program takes a port. @returns the port. */
async function take(port = 0): Promise<number> {
  const taking = createServer();
  other = taking;
  await new Promise<void>((resolve) => taking.listen(port, '127.0.0.1', resolve));
  const address = taking.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const apiOf = async (): Promise<ServerState['api']> =>
  (await server.askWindow('GET', '/api/state')).body.api;
const stop = async (): Promise<ServerState['api']> =>
  (await server.askWindow('DELETE', '/api/api-listener')).body.api;
const start = async (): Promise<ServerState['api']> =>
  (await server.askWindow('POST', '/api/api-listener', { port: null })).body.api;
const portOf = ({ url }: ServerState['api']): number => Number(new URL(url).port);
const runtime = (): unknown =>
  JSON.parse(readFileSync(path.join(server.dataFolder, 'runtime.json'), 'utf8'));

test('stopped, nothing answers at its address; started, it answers at the same one', async () => {
  server = await startTestServer();
  const { url } = await apiOf();
  const stopped = await stop();
  expect(stopped).toMatchObject({ state: 'off', url });
  expect(stopped.problem).toBeUndefined();
  await expect(fetch(`${url}/v2/templates`)).rejects.toThrow();
  expect(runtime()).toMatchObject({ apiUrl: null });
  expect((await server.askWindow('GET', '/api/renders')).status).toBe(200);
  // Stopped twice is stopped.
  expect((await stop()).state).toBe('off');

  expect(await start()).toMatchObject({ state: 'on', url });
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  expect(runtime()).toMatchObject({ apiUrl: url });
});

test('what is asked at once is done one after the other', async () => {
  server = await startTestServer();
  const { url } = await apiOf();
  await Promise.all([stop(), start(), stop(), start()]);
  expect(await apiOf()).toMatchObject({ state: 'on', url });
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
});

test('a port that was taken meanwhile is said, with a free one', async () => {
  server = await startTestServer();
  const port = portOf(await stop());
  await take(port);
  const { state, problem } = await start();
  expect(state).toBe('off');
  expect(problem).toMatchObject({ port, reason: 'taken' });
});

test('while it is stopped, another port is for the next start; a taken one is refused', async () => {
  server = await startTestServer();
  const free = portOf(await stop());
  const taken = await take();
  const refused = await server.askWindow('PATCH', '/api/settings', { port: taken });
  expect(refused.body.hint).toBe(`Port ${taken} is used by another program.`);
  expect(portOf(await apiOf())).toBe(free);
  await new Promise((resolve) => other?.close(resolve));
  other = null;
  expect((await server.askWindow('PATCH', '/api/settings', { port: taken })).status).toBe(200);
  expect((await apiOf()).state).toBe('off');
  expect(portOf(await start())).toBe(taken);
});

test('it is not started with the program when the settings say so', async () => {
  server = await startTestServer();
  await server.askWindow('PATCH', '/api/settings', { startApi: false });
  expect((await apiOf()).state).toBe('on');
  await server.restart();
  expect(await apiOf()).toMatchObject({ state: 'off' });
  expect(runtime()).toMatchObject({ apiUrl: null });
  expect((await start()).state).toBe('on');
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  // Who names a port at the start waits for the API.
  await server.restart({ fixedSettings: ['port'] });
  expect((await apiOf()).state).toBe('on');
});

test('a port is looked at without being taken', async () => {
  server = await startTestServer();
  const own = portOf(await apiOf());
  const taken = await take();
  const look = async (port: number): Promise<unknown> =>
    (await server.askWindow('POST', '/api/settings/port-test', { port })).body;
  expect(await look(own)).toEqual({ found: 'own' });
  expect(await look(taken)).toEqual({ found: 'taken' });
  expect((await server.askWindow('POST', '/api/settings/port-test', { port: 80 })).status).toBe(
    400,
  );
  await new Promise((resolve) => other?.close(resolve));
  other = null;
  expect(await look(taken)).toEqual({ found: 'free' });
});
