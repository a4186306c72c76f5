/** A server whose data can't be written: it says so, answers reads, and goes on by itself once writing works. */
import { failWrite, repairDisk } from './faulty-disk.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Happening } from '../../server/jobs/events.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  repairDisk();
  await server.stop();
});

const problem = async (): Promise<string | undefined> =>
  (await server.askWindow('GET', '/api/state')).body.storeProblem;

test('F23: the state names the reason until a test write succeeds', async () => {
  const kept = await server.ask('POST', '/v2/templates', { name: 'Kept', source: document() });
  expect(await problem()).toBeUndefined();
  const told: Happening['type'][] = [];
  server.running.services.events.subscribe(({ type }) => void told.push(type));

  failWrite(1, { forGood: true });
  const refused = [
    server.ask('POST', '/v2/templates', { name: 'Lost', source: document() }),
    server.ask('POST', '/v2/renders', { source: document() }),
    server.askWindow('PUT', '/api/preferences', { theme: 'dark' }),
  ];
  expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([503, 503, 503]);
  await expect.poll(problem).toBe('the disk is full');
  expect(told).toContain('server.state');
  expect((await server.ask('GET', `/v2/templates/${kept.body.id}`)).status).toBe(200);
  expect((await server.askWindow('POST', '/api/store/test')).body.storeProblem).toBe(
    'the disk is full',
  );

  repairDisk();
  expect((await server.askWindow('POST', '/api/store/test')).body.storeProblem).toBeUndefined();
  expect((await server.ask('GET', '/v2/templates')).list.map(({ name }) => name)).toEqual(['Kept']);
  const later = await server.ask('POST', '/v2/templates', { name: 'Later', source: document() });
  expect(later.status).toBe(201);
});

test('a change that works again ends it without being asked', async () => {
  failWrite(1, { forGood: true });
  await server.ask('POST', '/v2/templates', { name: 'Lost', source: document() });
  await expect.poll(problem).toBe('the disk is full');
  repairDisk();
  await server.ask('POST', '/v2/templates', { name: 'Later', source: document() });
  await expect.poll(problem).toBeUndefined();
});
