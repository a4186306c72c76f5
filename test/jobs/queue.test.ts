/** The queue over HTTP with a worker that can crash, hang and fail: every render ends, the server stays up. */
import { existsSync } from 'node:fs';
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../server/system/clock.ts';
import type { WorkerPort } from '../../server/jobs/worker/protocol.ts';
import { document, startTestServer, type Body, type TestServer } from '../helpers/server.ts';

let server: TestServer;
afterEach(() => server.stop());

const create = async (fake: object = {}, more: object = {}): Promise<string> =>
  (await server.ask('POST', '/v2/renders', { ...document(fake), ...more })).body.id;

const shown = async (id: string): Promise<Body['renders'][number]> => {
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders.find((render) => render.id === id)!;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('renders are worked on one after the other, in the order in which they came', async () => {
  server = await startTestServer();
  const ids: string[] = [];
  for (let index = 0; index < 6; index++) ids.push(await create({ pause: 20 }));
  const pids = new Set<number>();
  let running = 0;
  for (let left = ids.length; left > 0;) {
    for (const pid of server.running.workerPids()) pids.add(pid);
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    running = Math.max(running, renders.filter(({ progress }) => progress !== undefined).length);
    left = renders.filter(({ finishedAt }) => finishedAt === undefined).length;
  }
  expect(running).toBe(1);
  // One process for all of them.
  expect(pids.size).toBe(1);
  const finished = await Promise.all(ids.map(async (id) => (await shown(id)).finishedAt!));
  expect(finished).toEqual([...finished].sort((a, b) => a - b));
});

test('with room for two, two run at once', async () => {
  server = await startTestServer({ concurrency: 2 });
  const ids = [await create({ frames: 20, pause: 30 }), await create({ frames: 20, pause: 30 })];
  await expect
    .poll(async () => (await server.askWindow('GET', '/api/state')).body.queue)
    .toEqual({ waiting: 0, running: 2, paused: false });
  for (const id of ids) expect((await server.ended(id)).status).toBe('succeeded');
});

test('a killed worker costs an attempt; the render is done again by a fresh one', async () => {
  server = await startTestServer();
  const id = await create({ frames: 60, pause: 20 });
  await expect.poll(async () => (await shown(id)).progress?.frame ?? 0).toBeGreaterThan(3);
  const [pid] = server.running.workerPids();
  const second = await create();
  process.kill(pid!, 'SIGKILL');
  expect((await server.ended(id)).status).toBe('succeeded');
  expect((await shown(id)).attempts).toBe(2);
  expect(server.running.workerPids()).not.toContain(pid);
  expect((await server.ended(second)).status).toBe('succeeded');
  expect((await shown(second)).attempts).toBe(1);
});

test('a render that kills its worker at the same place fails at its second attempt, and the others go on', async () => {
  server = await startTestServer();
  const bad = await create({ end: 'crash' });
  const good = await create({ end: 'crash-once' });
  expect(await server.ended(bad)).toMatchObject({
    status: 'failed',
    error_message:
      'Render error: The renderer stopped unexpectedly 2 times while working on this render',
  });
  expect(await shown(bad)).toMatchObject({ attempts: 2, rendererStops: 2 });
  expect((await server.ended(good)).status).toBe('succeeded');
  const { attempts, rendererStops } = await shown(good);
  expect([attempts, rendererStops]).toEqual([2, undefined]);
  await expectNoLeftovers([good]);
  // The fact is stored.
  await server.restart();
  expect((await shown(bad)).rendererStops).toBe(2);
});

test('however many renders kill their workers, nothing is off, and those that wait go before their second attempts', async () => {
  server = await startTestServer({ concurrency: 2 });
  const state = async (): Promise<Body['renderer']> =>
    (await server.askWindow('GET', '/api/state')).body.renderer;
  await server.askWindow('POST', '/api/queue/pause');
  const bad: string[] = [];
  const good: string[] = [];
  for (let count = 0; count < 6; count++) {
    bad.push(await create({ end: 'crash' }));
    good.push(await create());
  }
  await server.askWindow('POST', '/api/queue/resume');
  for (const id of good) {
    expect((await server.ended(id)).status).toBe('succeeded');
    expect((await shown(id)).attempts).toBe(1);
    expect((await state()).state).not.toBe('off');
  }
  const lastGood = Math.max(
    ...(await Promise.all(good.map(async (id) => (await shown(id)).finishedAt!))),
  );
  for (const id of bad) {
    expect((await server.ended(id)).status).toBe('failed');
    const { attempts, startedAt } = await shown(id);
    expect(attempts).toBe(2);
    expect(startedAt).toBeGreaterThanOrEqual(lastGood);
  }
  await expect.poll(state).toEqual({ state: 'idle' });
});

test('processes that are killed without work are replaced, and nothing is off', async () => {
  server = await startTestServer();
  await server.ended(await create());
  for (let deaths = 0; deaths < 6; deaths++) {
    const [pid] = server.running.workerPids();
    process.kill(pid!, 'SIGKILL');
    await expect.poll(() => server.running.workerPids()).not.toContain(pid);
    expect((await server.ended(await create())).status).toBe('succeeded');
  }
  expect((await server.askWindow('GET', '/api/state')).body.renderer).toEqual({ state: 'idle' });
});

test('F7: a worker that gives no sign of life is killed', async () => {
  // The server's clock runs four times as fast, in steps that are too small to be taken for sleep.
  const clock: Clock = { now: () => Date.now(), steady: () => performance.now() * 4 };
  server = await startTestServer({ clock });
  const id = await create({ end: 'hang' });
  await expect.poll(async () => (await shown(id)).record.status).toBe('rendering');
  const [pid] = server.running.workerPids();
  expect(await server.ended(id)).toMatchObject({
    status: 'failed',
    error_message: 'Render error: The renderer stopped responding',
  });
  expect((await shown(id)).attempts).toBe(2);
  expect(isAlive(pid!)).toBe(false);
  expect((await server.ended(await create())).status).toBe('succeeded');
}, 60_000);

test('a failure that would happen again is final at once', async () => {
  server = await startTestServer();
  const id = await create({ end: 'fail' });
  expect((await server.ended(id)).status).toBe('failed');
  const { attempts, rendererStops } = await shown(id);
  expect([attempts, rendererStops]).toEqual([1, undefined]);
  await expectNoLeftovers([]);
});

test('cancelling: queued, running, running and deaf, ended, unknown', async () => {
  server = await startTestServer();
  const running = await create({ frames: 500, pause: 20 });
  const queued = await create();
  await expect.poll(async () => (await shown(running)).record.status).toBe('rendering');
  for (const id of [queued, running]) {
    const { status, body } = await server.askWindow('POST', `/api/renders/${id}/cancel`);
    expect(status).toBe(200);
    expect(body.cancelled).toBe(true);
    expect(await server.ended(id)).toMatchObject({
      status: 'failed',
      error_message: 'Render error: Cancelled',
    });
  }
  expect((await shown(queued)).attempts).toBe(0);

  const deaf = await create({ end: 'deaf', frames: 500, pause: 20 });
  await expect.poll(async () => (await shown(deaf)).record.status).toBe('rendering');
  const before = performance.now();
  await server.askWindow('POST', `/api/renders/${deaf}/cancel`);
  expect(performance.now() - before).toBeLessThan(3000);
  expect((await shown(deaf)).cancelled).toBe(true);

  const done = await create();
  await server.ended(done);
  const { body } = await server.askWindow('POST', `/api/renders/${done}/cancel`);
  expect(body.record.status).toBe('succeeded');
  expect((await server.askWindow('POST', '/api/renders/none/cancel')).status).toBe(404);
  await expectNoLeftovers([done]);
});

test('ending the server puts the running render back without counting the attempt', async () => {
  server = await startTestServer();
  const ids = [await create({ frames: 500, pause: 20 }), await create(), await create()];
  await expect.poll(async () => (await shown(ids[0]!)).record.status).toBe('rendering');
  const [pid] = server.running.workerPids();
  const before = performance.now();
  await server.restart();
  expect(performance.now() - before).toBeLessThan(3000);
  await expect.poll(() => isAlive(pid!)).toBe(false);
  await expect.poll(async () => (await shown(ids[0]!)).record.status).toBe('rendering');
  expect((await shown(ids[0]!)).attempts).toBe(1);
  await server.askWindow('POST', `/api/renders/${ids[0]!}/cancel`);
  for (const id of ids.slice(1)) expect((await server.ended(id)).status).toBe('succeeded');
});

test('what a power cut leaves is taken up again: nothing lost, the interrupted one counted', async () => {
  server = await startTestServer();
  const running = await create({ frames: 60, pause: 20 });
  const wrong = { elements: [{ type: 'shape', opacity: 'x' }] };
  const queued = [await create({}, { metadata: 'kept' }), await create()];
  await expect.poll(async () => (await shown(running)).record.status).toBe('rendering');
  const failing = await create({}, wrong);
  // The folder as it is at this moment, opened by a second server.
  const copy = path.join(path.dirname(server.dataFolder), 'copy');
  await cp(server.dataFolder, copy, { recursive: true });
  await rm(path.join(copy, 'lock'));
  const half = path.join(server.outputFolder, `${running}.mp4.part`);
  await writeFile(half, 'half a file');
  await server.restart({ dataFolder: copy });
  expect(existsSync(half)).toBe(false);
  expect((await server.ended(running)).status).toBe('succeeded');
  expect((await shown(running)).attempts).toBe(2);
  for (const id of queued) expect((await server.ended(id)).status).toBe('succeeded');
  expect((await server.ended(queued[0]!)).metadata).toBe('kept');
  expect((await server.ended(failing)).error_message).toMatch(/^Source error: Shape 1\.opacity: /);
});

test('a worker that can not be started fails no render, says so in answers, and is tried again by itself and by hand', async () => {
  const { forkWorker } = await import('../../server/jobs/worker/fork-worker.ts');
  let script = new URL('../helpers/broken-worker.mjs', import.meta.url).pathname;
  const fork = (): WorkerPort => forkWorker(script);
  server = await startTestServer({
    forkWorker: fork,
    workers: { restartPauses: [0, 60_000, 60_000] },
  });
  const id = await create();
  const state = async (): Promise<Body['renderer']> =>
    (await server.askWindow('GET', '/api/state')).body.renderer;
  await expect.poll(async () => (await state()).state, { timeout: 5000 }).toBe('restarting');
  expect((await state()).reason).toMatch(/^the worker ended while starting/);
  // The second try is at once.
  await expect.poll(async () => (await state()).restart).toEqual({ attempt: 3, most: 5 });
  expect(await shown(id)).toMatchObject({ record: { status: 'planned' }, attempts: 0 });
  script = new URL('../helpers/fake-worker.mjs', import.meta.url).pathname;
  await server.askWindow('POST', '/api/renderer/start');
  expect((await server.ended(id)).status).toBe('succeeded');
  expect(await state()).toEqual({ state: 'idle' });
  expect((await server.ask('GET', `/v2/renders/${id}`)).body.waiting_reason).toBeUndefined();

  // Off, and on again without anyone's doing.
  script = new URL('../helpers/broken-worker.mjs', import.meta.url).pathname;
  await server.restart({ workers: { restartPauses: [0, 0, 0, 0, 400] } });
  const waiting = await create();
  await expect.poll(async () => (await state()).state, { timeout: 10_000 }).toBe('off');
  expect((await state()).nextTryAt).toBeGreaterThan(Date.now() - 60_000);
  expect((await server.ask('GET', `/v2/renders/${waiting}`)).body).toMatchObject({
    status: 'planned',
    waiting_reason: expect.stringMatching(
      /^The renderer does not work \(the worker ended while starting \(code 1\)\); it will be tried again automatically$/,
    ) as string,
  });
  script = new URL('../helpers/fake-worker.mjs', import.meta.url).pathname;
  const record = await server.ended(waiting);
  expect([record.status, record.waiting_reason]).toEqual(['succeeded', undefined]);
});

test('an output folder that was removed is made again', async () => {
  server = await startTestServer();
  await rm(server.outputFolder, { recursive: true });
  expect((await server.ended(await create())).status).toBe('succeeded');
});

/** Only the files of these renders are in the output folder, and nothing is in the work folder. */
async function expectNoLeftovers(finished: readonly string[]): Promise<void> {
  // A watch over the folder writes and removes a hidden file of its own at any time.
  const files = (await readdir(server.outputFolder)).filter(
    (name) => name !== 'snapshots' && !name.startsWith('.framewright-'),
  );
  expect(files.sort()).toEqual(finished.map((id) => `${id}.mp4`).sort());
  const work = path.join(server.dataFolder, 'work');
  expect((await stat(work)).isDirectory()).toBe(true);
  expect(await readdir(work)).toEqual([]);
}

/** IDs in the order in which they were finished. */
async function finished(ids: readonly string[]): Promise<string[]> {
  for (const id of ids) await server.ended(id);
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
    .map(({ id }) => id);
}

test('a paused queue leaves renders planned, also over a restart', async () => {
  server = await startTestServer();
  const paused = await server.askWindow('POST', '/api/queue/pause');
  expect(paused.body.queue).toEqual({ waiting: 0, running: 0, paused: true });
  const ids = [await create(), await create()];
  await server.restart();
  expect((await server.askWindow('GET', '/api/state')).body.queue).toEqual({
    waiting: 2,
    running: 0,
    paused: true,
  });
  expect((await shown(ids[0]!)).attempts).toBe(0);
  await server.askWindow('POST', '/api/queue/resume');
  for (const id of ids) expect((await server.ended(id)).status).toBe('succeeded');
});

test('the queue pauses after the render that is worked on, also over a restart', async () => {
  server = await startTestServer();
  const first = await create({ frames: 500, pause: 20 });
  const second = await create();
  await expect.poll(async () => (await shown(first)).record.status).toBe('rendering');
  const told = await server.askWindow('POST', `/api/queue/pause-after/${first}`);
  expect(told.body.queue).toEqual({ waiting: 1, running: 1, paused: false, pausesAfter: first });
  // A lost attempt is no end.
  process.kill(server.running.workerPids()[0]!, 'SIGKILL');
  await expect.poll(async () => (await shown(first)).attempts).toBe(2);
  expect((await server.askWindow('GET', '/api/state')).body.queue.pausesAfter).toBe(first);
  await server.askWindow('POST', `/api/renders/${first}/cancel`);
  const paused = { waiting: 1, running: 0, paused: true };
  expect((await server.askWindow('GET', '/api/state')).body.queue).toEqual(paused);
  await server.restart();
  expect((await server.askWindow('GET', '/api/state')).body.queue).toEqual(paused);
  expect((await shown(second)).attempts).toBe(0);
  await server.askWindow('POST', '/api/queue/resume');
  expect((await server.ended(second)).status).toBe('succeeded');
});

test('pausing after a render is taken back by resuming, and is at once for one that has ended', async () => {
  server = await startTestServer();
  const first = await create({ frames: 40, pause: 20 });
  const second = await create();
  await server.askWindow('POST', `/api/queue/pause-after/${first}`);
  const resumed = await server.askWindow('POST', '/api/queue/resume');
  expect(resumed.body.queue.pausesAfter).toBeUndefined();
  for (const id of [first, second]) await server.ended(id);
  const late = await server.askWindow('POST', `/api/queue/pause-after/${first}`);
  expect(late.body.queue).toMatchObject({ paused: true });
});

test('waiting renders can be moved, and stay where they were put', async () => {
  server = await startTestServer();
  await server.askWindow('POST', '/api/queue/pause');
  const [a, b, c, d] = [await create(), await create(), await create(), await create()];
  const move = (id: string, before: string | null): Promise<{ status: number }> =>
    server.askWindow('POST', `/api/renders/${id}/move`, { before });
  expect((await move(d, a)).status).toBe(200);
  expect((await move(a, null)).status).toBe(200);
  expect((await move('none', a)).status).toBe(400);
  expect((await move(a, 'none')).status).toBe(400);
  await server.restart();
  // So often into the same gap that numbers between two others run out.
  for (let round = 0; round < 40; round++) {
    expect((await move(b, c)).status).toBe(200);
    expect((await move(d, b)).status).toBe(200);
    expect((await move(b, d)).status).toBe(200);
    expect((await move(d, c)).status).toBe(200);
  }
  const [first] = [await create()];
  expect((await move(first, b)).status).toBe(200);
  await server.askWindow('POST', '/api/queue/resume');
  expect(await finished([a, b, c, d, first])).toEqual([first, b, d, c, a]);
  expect((await move(a, null)).status).toBe(400);
});

test('the setting for renders at the same time counts at once and after a restart', async () => {
  server = await startTestServer();
  const set = (concurrency: unknown): Promise<{ status: number }> =>
    server.askWindow('PATCH', '/api/settings', { concurrency });
  expect([(await set(0)).status, (await set(1.5)).status, (await set(99)).status]).toEqual([
    400, 400, 400,
  ]);
  const slow = { frames: 60, pause: 20 };
  const running = async (): Promise<number> =>
    (await server.askWindow('GET', '/api/state')).body.queue.running;
  for (let count = 0; count < 5; count++) await create(slow);
  await expect.poll(running).toBe(1);
  await set(3);
  await expect.poll(running, { timeout: 5000 }).toBe(3);
  await set(1);
  await expect.poll(running, { timeout: 10_000 }).toBe(1);
  await expect.poll(() => server.running.workerPids().length).toBe(1);
  await set(2);
  await server.restart();
  for (let count = 0; count < 3; count++) await create(slow);
  await expect.poll(running, { timeout: 5000 }).toBe(2);
});
