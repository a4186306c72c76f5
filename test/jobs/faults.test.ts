/**
 * Rows of the fault table about encoders and output folders while a film is made, with the real worker. Needs dist/.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { listProcesses } from '../helpers/process-table.ts';
import { startTestServer, type Body, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterEach(() => server.stop());

const film = {
  output_format: 'mp4',
  width: 640,
  height: 360,
  frame_rate: 25,
  duration: 20,
  elements: [
    {
      type: 'shape',
      width: '40%',
      height: '40%',
      fill_color: '#ff0000',
      x: [
        { time: 0, value: '0%' },
        { time: 20, value: '100%', easing: 'linear' },
      ],
    },
  ],
};
const create = async (): Promise<string> => (await server.ask('POST', '/v2/renders', film)).body.id;
const shown = async (id: string): Promise<Body['renders'][number]> => {
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders.find((render) => render.id === id)!;
};
const queue = async (): Promise<Body['queue']> =>
  (await server.askWindow('GET', '/api/state')).body.queue;
/** Waits until frames are drawn in an attempt. */
const drawing = async (id: string, attempt = 1): Promise<void> => {
  for (let tries = 0; tries < 2000; tries++) {
    const { attempts, progress } = await shown(id);
    if (attempts === attempt && (progress?.frame ?? 0) > 5) return;
    await pause(10);
  }
  throw new Error(`render ${id} did not come to attempt ${attempt}`);
};
/** Encoders that the workers of this server have started. */
const encoders = (): number[] => {
  const workers = server.running.workerPids();
  return listProcesses()
    .filter(({ parent, command }) => workers.includes(parent) && command.includes('ffmpeg'))
    .map(({ pid }) => pid);
};
const killEncoder = (signal: NodeJS.Signals): void => {
  const found = encoders();
  expect(found.length).toBeGreaterThan(0);
  for (const pid of found) process.kill(pid, signal);
};
const expectNothingLeft = (): void => {
  expect(readdirSync(path.join(server.dataFolder, 'work'))).toEqual([]);
  if (!existsSync(server.outputFolder)) return;
  expect(readdirSync(server.outputFolder).filter((name) => /part|try/.test(name))).toEqual([]);
};

test('F9: an encoder that is killed from outside is tried again once', async () => {
  const id = await create();
  await drawing(id);
  const [worker] = server.running.workerPids();
  killEncoder('SIGKILL');
  await drawing(id, 2);
  expect((await server.ended(id)).status).toBe('succeeded');
  expect((await shown(id)).attempts).toBe(2);
  expect((await server.ask('GET', `/v2/renders/${id}`)).body.duration).toBe(20);
  // The worker of the first attempt was all right.
  expect(server.logged.some((line) => line.includes(`the worker ended`))).toBe(false);
  expect(worker).toBeDefined();
  expectNothingLeft();
}, 90_000);

test('F9: killed twice, or ended by itself, it fails the render, and the worker lives', async () => {
  const twice = await create();
  await drawing(twice);
  killEncoder('SIGTERM');
  await drawing(twice, 2);
  killEncoder('SIGKILL');
  expect(await server.ended(twice)).toMatchObject({
    status: 'failed',
    error_message: 'Render error: The encoder stopped: killed',
  });
  const crashed = await create();
  await drawing(crashed);
  const [worker] = server.running.workerPids();
  killEncoder('SIGSEGV');
  expect(await server.ended(crashed)).toMatchObject({
    status: 'failed',
    error_message: 'Render error: The encoder stopped: it crashed (SIGSEGV)',
  });
  expect((await shown(crashed)).attempts).toBe(1);
  expect(server.running.workerPids()).toEqual([worker]);
  expectNothingLeft();
}, 90_000);

test('F32, F34: an output folder that goes while a film is written ends it with that reason, and the queue waits', async () => {
  const drive = path.join(server.dataFolder, 'drive');
  const outputFolder = path.join(drive, 'films');
  mkdirSync(outputFolder, { recursive: true });
  await server.askWindow('PATCH', '/api/settings', { outputFolder });
  const message = 'Render error: The output folder is missing or cannot be written';
  // Removed, and the drive pulled.
  const ways = [
    () => rmSync(drive, { recursive: true }),
    () => renameSync(drive, `${drive}-unplugged`),
  ];
  for (const go of ways) {
    mkdirSync(outputFolder, { recursive: true });
    await server.askWindow('POST', '/api/output/look');
    const id = await create();
    await drawing(id);
    const next = await create();
    go();
    expect(await server.ended(id)).toMatchObject({ status: 'failed', error_message: message });
    await expect.poll(queue).toMatchObject({ waiting: 1, running: 0, heldBy: ['folder'] });
    expect((await server.ask('GET', `/v2/renders/${next}`)).body.status).toBe('planned');
    await server.askWindow('POST', `/api/renders/${next}/cancel`);
    expect(existsSync(drive)).toBe(false);
  }
}, 90_000);

test('F8: a worker that is deep inside a picture and hears no cancel is ended, with all that it started', async () => {
  const id = await create();
  await drawing(id);
  const [worker] = server.running.workerPids();
  const found = encoders();
  process.kill(worker!, 'SIGSTOP');
  await server.askWindow('POST', `/api/renders/${id}/cancel`);
  expect(await server.ended(id)).toMatchObject({ error_message: 'Render error: Cancelled' });
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(() => [worker!, ...found].filter(isAlive)).toEqual([]);
  expectNothingLeft();
});
