/** What settings do, each through the window's own route on a running server; test/helpers/setting-effects.ts lists all. */
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { RequestList } from '../../shared/api.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-settings-'));
  server = await startTestServer();
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function set(change: object): Promise<void> {
  const { status, text } = await server.askWindow('PATCH', '/api/settings', change);
  expect(status, text).toBe(200);
}

const render = async (fake: object = {}): Promise<string> =>
  (await server.ask('POST', '/v2/renders', document(fake))).body.id;
const statusOf = async (id: string): Promise<string> =>
  (await server.ask('GET', `/v2/renders/${id}`)).body.status;
/** Long enough for another one to start beside it. */
const long = { frames: 200, pause: 10 };

test('creditAllowance: what costs more than is left is refused', async () => {
  const ask = async (): Promise<number> =>
    (await server.ask('POST', '/v2/renders', document({}, { duration: 60 }))).status;
  await set({ creditAllowance: 0 });
  expect(await ask()).toBe(402);
  await set({ creditAllowance: null });
  expect(await ask()).toBe(202);
});

test('concurrency: as many renders run at once', async () => {
  const running = async (): Promise<number> =>
    (await server.askWindow('GET', '/api/state')).body.queue.running;
  await Promise.all([render(long), render(long), render(long)]);
  await vi.waitFor(async () => expect(await running()).toBe(1), 10_000);
  await set({ concurrency: 2 });
  await vi.waitFor(async () => expect(await running()).toBe(2), 10_000);
});

test('queuePaused: nothing starts, also after a restart, until it is taken back', async () => {
  await set({ queuePaused: true });
  const id = await render();
  await server.restart();
  const { queue } = (await server.askWindow('GET', '/api/state')).body;
  expect(queue).toMatchObject({ paused: true, waiting: 1, running: 0 });
  expect(await statusOf(id)).toBe('planned');
  await set({ queuePaused: false });
  expect((await server.ended(id)).status).toBe('succeeded');
});

test('outputFolder, earlierOutputFolders: new files go there, old ones are found', async () => {
  const before = await server.ended(await render());
  await set({ outputFolder: folder });
  const after = await server.ended(await render());
  expect(await readdir(folder)).toContain(`${after.id}.mp4`);
  await server.restart();
  for (const { id } of [before, after]) {
    expect((await server.ask('GET', `/renders/${id}.mp4`)).status).toBe(200);
  }
});

test('mediaFolders: a file in one is read, and no more once it is taken away', async () => {
  await server.restart({ forkWorker: () => forkWorker() });
  const media = path.join(folder, 'media');
  await mkdir(media);
  const picture = path.join(media, 'mine.png');
  await copyFile(path.join(import.meta.dirname, '../fixtures/pattern.png'), picture);
  const element = { type: 'image', source: `file:${picture}` };
  const ask = async () => {
    const source = { output_format: 'png', width: 16, height: 16, elements: [element] };
    return server.ended((await server.ask('POST', '/v2/renders', { source })).body.id);
  };
  expect((await ask()).error_message).toContain('outside the media folders');
  await set({ mediaFolders: [media] });
  expect((await ask()).status).toBe('succeeded');
  await set({ mediaFolders: [] });
  expect((await ask()).error_message).toContain('outside the media folders');
}, 60_000);

test('rateLimit: the 31st request in ten seconds is refused, or answered', async () => {
  const last = async (): Promise<number> => {
    let status = 0;
    for (let n = 0; n < 31; n++) ({ status } = await server.ask('GET', '/v2/templates'));
    return status;
  };
  await set({ rateLimit: false });
  expect(await last()).toBe(200);
  await set({ rateLimit: true });
  expect(await last()).toBe(429);
});

test('requestLogSize: the log keeps so many requests', async () => {
  const count = async (): Promise<number> => {
    const { body } = await server.askWindow('GET', '/api/requests');
    // The form that the route promises.
    return (body as unknown as RequestList).requests.length;
  };
  for (let n = 0; n < 5; n++) await server.ask('GET', '/v2/templates');
  expect(await count()).toBe(5);
  await set({ requestLogSize: 2 });
  expect(await count()).toBe(2);
  await server.ask('GET', '/v2/templates');
  expect(await count()).toBe(2);
});
