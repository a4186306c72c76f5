/** The server with its real worker: renders come out, and a worker that is killed harms nobody. Needs dist/. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { hardMemoryLimit } from '../../server/jobs/worker/vitals.ts';
import { memoryLimits } from '../../shared/limits.ts';
import type { RenderList } from '../../shared/api.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(() => server.stop());

const moving = {
  type: 'shape',
  width: '40%',
  height: '40%',
  fill_color: '#ff0000',
  x: [
    { time: 0, value: '0%' },
    { time: 20, value: '100%', easing: 'linear' },
  ],
};
const short = {
  output_format: 'mp4',
  width: 160,
  height: 90,
  frame_rate: 25,
  duration: 1,
  elements: [moving],
};
const long = { ...short, width: 1280, height: 720, duration: 20 };

/** Waits until the render is being drawn. */
async function drawing(id: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const { body } = await server.ask('GET', `/v2/renders/${id}`);
    if (body.status === 'rendering') return;
    await pause(25);
  }
  throw new Error(`render ${id} did not start`);
}

test('a file comes out, with its facts in the record', async () => {
  const created = await server.ask('POST', '/v2/renders', short);
  expect(created.status).toBe(202);
  const record = await server.ended(created.body.id);
  expect(record).toMatchObject({
    status: 'succeeded',
    width: 160,
    height: 90,
    frame_rate: 25,
    duration: 1,
  });
  const file = await fetch(record.url);
  expect((await file.arrayBuffer()).byteLength).toBe(record.file_size);
});

test.runIf(process.platform === 'linux' && existsSync('/usr/bin/prlimit'))(
  'F6: the system ends a worker before the server where memory runs out, bounds each of its processes, and keeps no file of its memory',
  async () => {
    await expect.poll(() => server.running.workerPids()).not.toEqual([]);
    const [pid] = server.running.workerPids();
    const of = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
    await expect.poll(() => of('oom_score_adj').trim()).toBe('800');
    await expect.poll(() => of('limits')).toMatch(/Max core file size\s+0\s+0 /);
    const most = hardMemoryLimit();
    expect(of('limits')).toMatch(new RegExp(`Max data size\\s+${most}\\s+${most} `));
    // What it never uses leaves room for all that it may.
    expect(memoryOf(pid, 'VmData')).toBeLessThan(memoryLimits.unused);
  },
);

test('F5: a worker killed while it draws is replaced, the render done again, the server stays up', async () => {
  const { id } = (await server.ask('POST', '/v2/renders', long)).body;
  await drawing(id);
  const [pid] = server.running.workerPids();
  process.kill(pid!, 'SIGKILL');
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  const record = await server.ended(id);
  expect(record.status).toBe('succeeded');
  expect(record.duration).toBe(20);
  expect(readdirSync(server.outputFolder).filter((name) => name.includes('.part'))).toEqual([]);
}, 120_000);

test('a film whose worker is killed goes on from the pieces that were made, and is the same file', async () => {
  const pieces = path.join(server.outputFolder, '../data/cache/pieces');
  const kept = (): string[] => (existsSync(pieces) ? readdirSync(pieces) : []);
  rmSync(pieces, { recursive: true, force: true });
  const film = { ...short, duration: 150, frame_rate: 30 };
  const { id } = (await server.ask('POST', '/v2/renders', film)).body;
  await expect.poll(kept, { interval: 2, timeout: 60_000 }).not.toEqual([]);
  process.kill(server.running.workerPids()[0]!, 'SIGKILL');
  const record = await server.ended(id);
  expect(record.status).toBe('succeeded');
  const { renders } = (await server.askWindow('GET', '/api/renders')).body as RenderList;
  const render = renders.find((one) => one.id === id);
  expect(render).toMatchObject({ attempts: 2 });
  expect(render?.reused).toBeGreaterThan(0);
  rmSync(pieces, { recursive: true });
  const again = await server.ended((await server.ask('POST', '/v2/renders', film)).body.id);
  const bytesOf = async ({ url }: { url: string }): Promise<Buffer> =>
    Buffer.from(await (await fetch(url)).arrayBuffer());
  expect((await bytesOf(record)).equals(await bytesOf(again))).toBe(true);
}, 180_000);

test('F6: a worker that takes too much memory is ended, and the server stays up', async () => {
  // Time runs faster, in steps that are too small to be taken for sleep.
  const clock = { now: () => Date.now(), steady: () => performance.now() * 4 };
  const small = await startTestServer({
    forkWorker: () => forkWorker(),
    clock,
    workers: { memoryLimit: 20_000_000 },
  });
  try {
    // However fast the computer is, memory is looked at before the end.
    const endless = { ...long, duration: 600 };
    const { id } = (await small.ask('POST', '/v2/renders', endless)).body;
    expect(await small.ended(id)).toMatchObject({
      status: 'failed',
      // With the element, where its name came before the end.
      error_message: expect.stringMatching(
        /^Render error: The renderer ran out of memory/,
      ) as string,
    });
    const { renders } = (await small.askWindow('GET', '/api/renders')).body;
    // The process had worked on nothing else: it would happen again.
    expect(renders[0]).toMatchObject({ attempts: 1, rendererStops: 1 });
    expect(readdirSync(small.outputFolder)).toEqual(['snapshots']);
  } finally {
    await small.stop();
  }
});

test.skipIf(process.platform !== 'linux')(
  'a worker that keeps much memory is replaced, and the next render waits for nothing',
  async () => {
    const small = await startTestServer({
      forkWorker: () => forkWorker(),
      workers: { restingMemory: 20_000_000 },
    });
    try {
      const { id } = (await small.ask('POST', '/v2/renders', short)).body;
      expect((await small.ended(id)).status).toBe('succeeded');
      const [pid] = small.running.workerPids();
      await expect.poll(() => small.running.workerPids()[0], { timeout: 10_000 }).not.toBe(pid);
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
      const next = (await small.ask('POST', '/v2/renders', short)).body.id;
      expect((await small.ended(next)).status).toBe('succeeded');
      const { renderer } = (await small.askWindow('GET', '/api/state')).body;
      expect(renderer.state).not.toBe('off');
    } finally {
      await small.stop();
    }
  },
);

/** Bytes that a process takes now (`VmRSS`), or took at most (`VmHWM`); 0 when it is gone. Linux. */
const memoryOf = (pid: number | undefined, what: 'VmRSS' | 'VmHWM' | 'VmData'): number => {
  const file = `/proc/${pid}/status`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return 1024 * Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
};

test.skipIf(process.platform !== 'linux')(
  'after a render that took much memory the worker keeps no more than it may at rest',
  async () => {
    const small = await startTestServer({ forkWorker: () => forkWorker() });
    try {
      // Texts leave many small things behind, which a process does not give back by itself.
      const text = (_: unknown, index: number): object => ({
        type: 'text',
        text: `Some text ${index} that is different, `.repeat(12),
        font_size: 10 + index / 100,
        width: 200,
        height: 100,
        x: index % 1_000,
        y: (7 * index) % 1_000,
      });
      const elements = Array.from({ length: 7_000 }, text);
      const large = { output_format: 'jpg', width: 1_000, height: 1_000, elements };
      const [pid] = small.running.workerPids();
      const { id } = (await small.ask('POST', '/v2/renders', large)).body;
      let most = 0;
      const look = setInterval(() => (most = Math.max(most, memoryOf(pid, 'VmHWM'))), 20);
      expect((await small.ended(id)).status).toBe('succeeded');
      clearInterval(look);
      expect(most).toBeGreaterThan(memoryLimits.rest);
      const resting = (): number => memoryOf(small.running.workerPids()[0], 'VmRSS');
      await expect.poll(resting, { timeout: 60_000 }).toBeLessThan(memoryLimits.rest);
      expect(resting()).toBeGreaterThan(0);
      const next = (await small.ask('POST', '/v2/renders', short)).body.id;
      expect((await small.ended(next)).status).toBe('succeeded');
    } finally {
      await small.stop();
    }
  },
  120_000,
);

test('a missing file fails with element and address', async () => {
  const elements = [{ type: 'image', name: 'Photo', source: 'nowhere.jpg' }];
  const { id } = (await server.ask('POST', '/v2/renders', { ...short, elements })).body;
  const record = await server.ended(id);
  expect(record.status).toBe('failed');
  expect(record.error_message).toContain('Photo.source');
});

test('a film that fails keeps what it had drawn last, though nobody looked; one that drew nothing has none', async () => {
  const { id } = (await server.ask('POST', '/v2/renders', long)).body;
  await drawing(id);
  const progressOf = async (): Promise<number> => {
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    return renders.find((render) => render.id === id)?.progress?.frame ?? 0;
  };
  await expect.poll(progressOf, { timeout: 10_000 }).toBeGreaterThan(5);
  expect((await server.askWindow('POST', `/api/renders/${id}/cancel`)).body.hasLastFrame).toBe(
    true,
  );
  const elements = [{ type: 'image', name: 'Photo', source: 'nowhere.jpg' }];
  const missing = (await server.ask('POST', '/v2/renders', { ...short, elements })).body.id;
  await server.ended(missing);
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  expect(renders.find((render) => render.id === missing)?.hasLastFrame).toBeUndefined();
}, 60_000);

test('who looks sees the frame drawn last, small; nobody is sent one unasked', async () => {
  const { id } = (await server.ask('POST', '/v2/renders', long)).body;
  await drawing(id);
  const { origin, hash } = new URL(server.running.windowUrl);
  const look = (): Promise<Response> =>
    fetch(`${origin}/api/renders/${id}/picture`, {
      headers: { 'x-framewright-token': hash.replace('#token=', '') },
    });
  // The first look asks for it.
  expect((await look()).status).toBe(204);
  await expect.poll(async () => (await look()).status, { timeout: 10_000 }).toBe(200);
  const answer = await look();
  expect(answer.headers.get('content-type')).toBe('image/jpeg');
  const picture = await loadImage(Buffer.from(await answer.arrayBuffer()));
  expect([picture.width, picture.height]).toEqual([320, 180]);
  const canvas = createCanvas(320, 180);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, 320, 180);
  // Somewhere the red shape is there, and somewhere the black ground.
  const reds = data.filter((_value, index) => index % 4 === 0);
  expect([Math.min(...reds), Math.max(...reds)]).toEqual([
    expect.closeTo(0, -1),
    expect.closeTo(255, -1),
  ]);
  // Stopped, the last one stays.
  const stopped = await server.askWindow('POST', `/api/renders/${id}/cancel`);
  expect(stopped.body.hasLastFrame).toBe(true);
  const last = await loadImage(Buffer.from(await (await look()).arrayBuffer()));
  expect([last.width, last.height]).toEqual([320, 180]);
}, 60_000);
