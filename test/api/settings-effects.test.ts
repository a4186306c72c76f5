/**
 * What settings do, each through the window's own route on a running server; test/helpers/setting-effects.ts lists all.
 */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { WorkerCommand } from '../../server/jobs/worker/protocol.ts';
import type { RenderList, RequestList, SettingsRecord } from '../../shared/api.ts';
import { sine, writeWav } from '../engine/sound-signals.ts';
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

test('voices: who is named there speaks; without a line the render says so', async () => {
  await server.restart({ forkWorker: () => forkWorker() });
  const sound = writeWav(path.join(folder, 'answer.wav'), 1, [sine(440)]);
  const speaker = createServer((_request, response) => {
    void readFile(sound).then((bytes) => response.end(bytes));
  });
  await new Promise<void>((resolve) => speaker.listen(0, '127.0.0.1', resolve));
  const { port } = speaker.address() as AddressInfo;
  const element = { type: 'audio', source: 'Good morning', provider: 'openai voice=nova' };
  const source = {
    output_format: 'mp4',
    width: 16,
    height: 16,
    frame_rate: 5,
    elements: [element],
  };
  const ask = async () =>
    server.ended((await server.ask('POST', '/v2/renders', { source })).body.id);
  expect((await ask()).error_message).toContain("add a line such as 'openai: system'");
  await set({ voices: [`openai: http://127.0.0.1:${port}/v1`] });
  expect(await ask()).toMatchObject({ status: 'succeeded', duration: 1 });
  const { status } = await server.askWindow('PATCH', '/api/settings', { voices: ['openai'] });
  expect(status).toBe(400);
  speaker.close();
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

test('paintingThreads: what is set is sent with the next render, and taken back', async () => {
  const sent: WorkerCommand[] = [];
  await server.restart({
    forkWorker: () => {
      const port = forkWorker(path.join(import.meta.dirname, '../helpers/fake-worker.mjs'));
      const send = port.send.bind(port);
      port.send = (command) => {
        sent.push(command);
        send(command);
      };
      return port;
    },
  });
  const told = async (): Promise<unknown> =>
    (JSON.parse((await server.askWindow('GET', '/api/settings/all')).text) as SettingsRecord)
      .paintingThreads;
  for (const wrong of [0, 7, 2.5, 'two']) {
    const { status } = await server.askWindow('PATCH', '/api/settings', { paintingThreads: wrong });
    expect(status, String(wrong)).toBe(400);
  }
  const next = async (): Promise<unknown> => {
    sent.length = 0;
    await server.ended(await render());
    const start = sent.find((command) => command.type === 'start' && command.name === 'render');
    return start?.type === 'start' ? start.input : undefined;
  };
  await set({ paintingThreads: 3 });
  expect(await told()).toBe(3);
  expect(await next()).toMatchObject({ paintingThreads: 3 });
  await set({ paintingThreads: null });
  expect(await told()).toBe(null);
  const input = await next();
  expect(input).toBeDefined();
  expect(input).not.toMatchObject({
    paintingThreads: expect.anything() as unknown,
  });
});

test('renderIdle: a template that is edited is rendered while nothing else is to do', async () => {
  await server.restart({ forkWorker: () => forkWorker() });
  const shape = { type: 'shape', width: '10%', height: '10%', fill_color: '#fff' };
  const title = { type: 'text', text: 'One', time: 20, duration: 5, fill_color: '#fff' };
  const film = { output_format: 'mp4', width: 64, height: 36, frame_rate: 30, duration: 120 };
  const source = { ...film, elements: [shape, title] };
  const { id } = (await server.ask('POST', '/v2/templates', { name: 'Film', source })).body;
  const edit = async (fill_color: string): Promise<object> => {
    const edited = { ...film, elements: [{ ...shape, fill_color }, title] };
    const draft = { text: JSON.stringify(edited), name: 'Film', tags: [], base: 0 };
    const { status, text } = await server.askWindow('PUT', `/api/editor/${id}/draft`, draft);
    expect(status, text).toBe(204);
    return edited;
  };
  const pieces = path.join(server.outputFolder, '../data/cache/pieces');
  const kept = (): Promise<string[]> => readdir(pieces).catch(() => []);
  await edit('#f00');
  await set({ renderIdle: true });
  const edited = await edit('#0f0');
  await expect.poll(async () => (await kept()).length, { timeout: 60_000 }).toBe(3);
  const made = (await server.ask('POST', '/v2/renders', { source: edited })).body;
  await server.ended(made.id);
  const { renders } = (await server.askWindow('GET', '/api/renders')).body as RenderList;
  expect(renders.find((render) => render.id === made.id)?.reused).toBe(120);
}, 120_000);

test('piecesLimit: a film that changes makes only what changed, up to it', async () => {
  await server.restart({ forkWorker: () => forkWorker() });
  const reused = async (text: string): Promise<number | undefined> => {
    const shape = { type: 'shape', width: '10%', height: '10%', fill_color: '#fff' };
    const title = { type: 'text', text, time: 20, duration: 5, fill_color: '#fff' };
    const film = { output_format: 'mp4', width: 64, height: 36, frame_rate: 30, duration: 120 };
    const source = { ...film, elements: [shape, title] };
    const { id } = (await server.ask('POST', '/v2/renders', { source })).body;
    expect((await server.ended(id)).status).toBe('succeeded');
    const { renders } = (await server.askWindow('GET', '/api/renders')).body as RenderList;
    return renders.find((render) => render.id === id)?.reused;
  };
  expect(await reused('One')).toBeUndefined();
  expect(await reused('Two')).toBe(115);
  expect(await reused('One')).toBe(120);
  await set({ piecesLimit: 0 });
  expect(await reused('One')).toBeUndefined();
  await set({ piecesLimit: 1e9 });
  expect(await reused('One')).toBeUndefined();
}, 120_000);

test('cacheLimit: downloads are kept up to it, and cleared at once', async () => {
  await server.restart({ forkWorker: () => forkWorker() });
  const picture = await readFile(path.join(import.meta.dirname, '../fixtures/pattern.png'));
  const asked: string[] = [];
  const site = createServer((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"one"';
    asked.push(`${request.url} ${isKnown ? 304 : 200}`);
    response.writeHead(isKnown ? 304 : 200, { etag: '"one"', 'content-type': 'image/png' });
    response.end(isKnown ? undefined : picture);
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  const { port } = site.address() as AddressInfo;
  const draw = async (name: string): Promise<void> => {
    const element = { type: 'image', source: `http://127.0.0.1:${port}/${name}` };
    const source = { output_format: 'png', width: 16, height: 16, elements: [element] };
    const { id } = (await server.ask('POST', '/v2/renders', { source })).body;
    expect((await server.ended(id)).status).toBe('succeeded');
  };
  const kept = async (method: 'GET' | 'DELETE' = 'GET'): Promise<unknown> =>
    (await server.askWindow(method, '/api/downloads')).body;
  try {
    expect(await kept()).toEqual({ bytes: 0, files: 0 });
    await draw('a');
    await draw('b');
    await draw('a');
    expect(asked.splice(0)).toEqual(['/a 200', '/b 200', '/a 304']);
    expect(await kept()).toEqual({ bytes: 2 * picture.length, files: 2 });
    // Room for one: the one that was used last stays.
    await set({ cacheLimit: 1.5 * picture.length });
    expect(await kept()).toEqual({ bytes: picture.length, files: 1 });
    await draw('b');
    await draw('a');
    expect(asked.splice(0)).toEqual(['/b 200', '/a 200']);
    expect(await kept('DELETE')).toEqual({ bytes: 0, files: 0 });
    await draw('a');
    await set({ cacheLimit: 0 });
    await draw('a');
    expect(asked).toEqual(['/a 200', '/a 200']);
    expect(await kept()).toEqual({ bytes: 0, files: 0 });
  } finally {
    site.close();
  }
}, 120_000);
