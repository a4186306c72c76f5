/** F31, F33, low space: renders wait, not fail, while their files have no place to go, and go on by themselves. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let free: number;
let freeNow: () => number;

beforeEach(async () => {
  free = 50e9;
  freeNow = () => free;
  server = await startTestServer({ freeBytes: () => Promise.resolve(freeNow()) });
});
afterEach(() => server.stop());

const create = async (): Promise<string> =>
  (await server.ask('POST', '/v2/renders', document())).body.id;
const statusOf = async (id: string): Promise<string> =>
  (await server.ask('GET', `/v2/renders/${id}`)).body.status;
const queue = async () => (await server.askWindow('GET', '/api/state')).body.queue;
const held = (by: string): Promise<void> =>
  vi.waitFor(async () => expect(await queue()).toMatchObject({ waiting: 1, heldBy: [by] }));
const look = () => server.askWindow('POST', '/api/output/look');

test('too little space: the queue waits until there is more, or the limit is lower', async () => {
  free = 1.4e9;
  const first = await create();
  await held('space');
  expect(await statusOf(first)).toBe('planned');
  free = 50e9;
  expect((await look()).body.queue.heldBy).toBeUndefined();
  expect((await server.ended(first)).status).toBe('succeeded');

  free = 1.4e9;
  const second = await create();
  await held('space');
  await server.askWindow('PATCH', '/api/settings', { freeSpaceLimit: 0 });
  expect((await server.ended(second)).status).toBe('succeeded');
});

test('too little space: kept pieces of films are given up before anything waits', async () => {
  const pieces = path.join(server.dataFolder, 'cache/pieces');
  mkdirSync(pieces, { recursive: true });
  writeFileSync(path.join(pieces, 'one'), 'a piece');
  freeNow = () => (existsSync(path.join(pieces, 'one')) ? 1.4e9 : 50e9);
  expect((await server.ended(await create())).status).toBe('succeeded');
  expect(readdirSync(pieces)).toEqual([]);
});

test('F31: a folder that is gone is made anew where its parent is; a drive that is gone is waited for', async () => {
  rmSync(server.outputFolder, { recursive: true });
  const first = await create();
  expect((await server.ended(first)).status).toBe('succeeded');

  const drive = path.join(server.dataFolder, 'drive');
  const outputFolder = path.join(drive, 'out');
  await server.askWindow('PATCH', '/api/settings', { outputFolder });
  rmSync(drive, { recursive: true });
  const second = await create();
  await held('folder');
  expect([await statusOf(second), existsSync(drive)]).toEqual(['planned', false]);
  mkdirSync(drive);
  await look();
  expect((await server.ended(second)).status).toBe('succeeded');
});

test('another folder ends the waiting', async () => {
  const drive = path.join(server.dataFolder, 'drive');
  const set = (outputFolder: string) =>
    server.askWindow('PATCH', '/api/settings', { outputFolder });
  await set(path.join(drive, 'out'));
  rmSync(drive, { recursive: true });
  const id = await create();
  await held('folder');
  await set(path.join(server.dataFolder, 'elsewhere'));
  expect((await server.ended(id)).status).toBe('succeeded');
});

// Root may write anywhere.
test.skipIf(process.getuid?.() === 0)(
  'F33: a folder that can’t be written is found before',
  async () => {
    chmodSync(server.outputFolder, 0o500);
    const id = await create();
    await held('folder');
    chmodSync(server.outputFolder, 0o700);
    await look();
    expect((await server.ended(id)).status).toBe('succeeded');
  },
);
