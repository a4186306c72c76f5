/**
 * Documents that end, hang and fill their worker, one after the other and between plain ones: each fails alone, the
 * plain ones succeed, the API answers, nothing is off and nothing left over. The real worker, with a drawing library
 * that breaks on demand (helpers/breaking-worker.mjs). `LONG=1` repeats the mixture. Needs dist/.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { outOfMemory, type WorkerPort } from '../../server/jobs/worker/protocol.ts';
import { isLong } from '../helpers/long.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { startedBy } from '../helpers/process-table.ts';
import { startTestServer, type Body, type TestServer } from '../helpers/server.ts';

const breaking = pathToFileURL(path.join(import.meta.dirname, '../helpers/breaking-worker.mjs'));
const fork = (): WorkerPort => forkWorker(undefined, ['--import', breaking.href]);
const rounds = isLong ? 10 : 1;
const megabyte = 1e6;

let server: TestServer;
afterEach(() => server.stop());

/** A picture; `row` is what helpers/breaking-worker.mjs does for it. */
const picture = (row?: number): object => ({
  output_format: 'png',
  width: 32,
  height: 32,
  elements: [
    { type: 'shape', name: 'Ground', width: '100%', height: '100%', fill_color: '#336699' },
    ...(row === undefined
      ? []
      : [{ type: 'shape', name: 'Bad one', width: 9, height: 9, fill_color: `#fa0b0${row}` }]),
  ],
});
const create = async (source: object): Promise<string> =>
  (await server.ask('POST', '/v2/renders', source)).body.id;
const shown = async (id: string): Promise<Body['renders'][number]> => {
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders.find((render) => render.id === id)!;
};
const renderer = async (): Promise<Body['renderer']> =>
  (await server.askWindow('GET', '/api/state')).body.renderer;

const stopped = (times: string): string =>
  `Render error: The renderer stopped unexpectedly ${times} while working on this render (at Bad one)`;
const rows: [what: string, row: number, message: string, attempts: number][] = [
  ['F5: a bad memory access', 1, stopped('2 times'), 2],
  ['F5: an abort of the library', 6, stopped('2 times'), 2],
  ['F5: a kill from outside at the same place', 7, stopped('2 times'), 2],
  ['F6: memory without end', 3, `${outOfMemory} (at Bad one)`, 1],
  ['F7: a step without end', 2, 'Render error: The renderer stopped responding (at Bad one)', 1],
  [
    'an error of ours',
    4,
    'Render error: Something went wrong while rendering (at Bad one). The log has the details.',
    1,
  ],
];

test.skipIf(process.platform !== 'linux')(
  'F5 F6 F7: bad documents between plain ones harm nobody, however many there are',
  async () => {
    server = await startTestServer({
      forkWorker: fork,
      workers: { memoryLimit: 700 * megabyte, step: 8_000 },
    });
    const answerTimes: number[] = [];
    const over = new AbortController();
    const polling = (async () => {
      while (!over.signal.aborted) {
        const before = performance.now();
        const { status } = await server.ask('GET', '/v2/templates');
        expect(status).toBe(200);
        expect((await renderer()).state).not.toBe('off');
        answerTimes.push(performance.now() - before);
        await pause(20);
      }
    })();
    const plain: string[] = [];
    const bad: [id: string, row: (typeof rows)[number]][] = [];
    for (let round = 0; round < rounds; round++) {
      for (const row of rows) {
        bad.push([await create(picture(row[1])), row]);
        plain.push(await create(picture()));
      }
    }
    for (const id of plain) {
      expect((await server.ended(id)).status).toBe('succeeded');
      expect((await shown(id)).attempts).toBe(1);
    }
    const outcomes: unknown[] = [];
    for (const [id, [what]] of bad) {
      const { status, error_message: message } = await server.ended(id);
      outcomes.push([what, status, message]);
    }
    over.abort();
    await polling;
    expect(outcomes).toEqual(bad.map(([, [what, , message]]) => [what, 'failed', message]));
    // Memory may have been met with in a process that had drawn before, and is then looked at once more.
    for (const [id, [what, , , attempts]] of bad) {
      const found = (await shown(id)).attempts;
      expect([what, found <= Math.max(2, attempts)]).toEqual([what, true]);
    }
    expect(answerTimes.length).toBeGreaterThan(10);

    // Nothing is off, the next picture is as quick as ever, and nothing is left.
    expect((await server.ended(await create(picture()))).status).toBe('succeeded');
    await expect.poll(renderer).toEqual({ state: 'idle' });
    // The folder of a process that was ended goes once it has ended.
    await expect.poll(() => readdirSync(path.join(server.dataFolder, 'work'))).toEqual([]);
    const files = readdirSync(server.outputFolder).filter((name) => !name.startsWith('.'));
    expect(files.length).toBe(plain.length + 2);
    expect(files.filter((name) => /part|try/.test(name))).toEqual([]);
    const workers = server.running.workerPids();
    expect(startedBy(process.pid).filter((pid) => workers.includes(pid)).length).toBe(
      workers.length,
    );
    await server.running.close();
    await expect
      .poll(() => startedBy(process.pid).filter((pid) => workers.includes(pid)))
      .toEqual([]);
  },
  60_000 + rounds * 60_000,
);

test('a work folder that the worker can’t remove costs no worker, and the server removes it', async () => {
  server = await startTestServer({ forkWorker: fork });
  expect((await server.ended(await create(picture()))).status).toBe('succeeded');
  const [pid] = server.running.workerPids();
  expect((await server.ended(await create(picture(9)))).status).toBe('succeeded');
  expect((await server.ended(await create(picture()))).status).toBe('succeeded');
  expect(server.running.workerPids()).toEqual([pid]);
  await expect.poll(() => readdirSync(path.join(server.dataFolder, 'work'))).toEqual([]);
});

test('a long step that ends is no hang', async () => {
  // The steady clock runs seven times as fast: three seconds are twenty, and would be silence if nobody else spoke.
  const clock = { now: () => Date.now(), steady: () => performance.now() * 7 };
  server = await startTestServer({ forkWorker: fork, clock });
  const id = await create(picture(5));
  expect((await server.ended(id)).status).toBe('succeeded');
  expect((await shown(id)).attempts).toBe(1);
});

test('the details of an error are in the log before the failure is told, also of one that nobody catches', async () => {
  server = await startTestServer({ forkWorker: fork });
  const told: string[] = [];
  const { events } = server.running.services;
  events.subscribe((happening) => {
    if (happening.type !== 'render.updated' || happening.render.status !== 'failed') return;
    const { id } = happening.render;
    told.push(...server.logged.filter((line) => line.startsWith(`error render ${id}`)));
  });
  const id = await create(picture(4));
  expect((await server.ended(id)).error_message).toContain('The log has the details.');
  expect(told.join('\n')).toMatch(/TypeError: a fault of the drawing library\n\s+at /);
  const lines = (await server.askWindow('GET', `/api/renders/${id}/log`)).text;
  expect(lines).toContain('a fault of the drawing library');

  await server.ended(await create(picture(8)));
  await expect
    .poll(() => server.logged.filter((line) => line.includes('a rejection that nobody waits for')))
    .not.toEqual([]);
  expect((await server.ended(await create(picture()))).status).toBe('succeeded');
});

test('files and loops that cost without end fail with the name of their element, and the next picture knows nothing of it', async () => {
  server = await startTestServer({ forkWorker: fork });
  const folder = path.join(server.dataFolder, 'attack-media');
  mkdirSync(folder);
  const at = (name: string): string => path.join(folder, name);
  const film = ['-f', 'lavfi', '-i', 'testsrc2=s=96x64:r=10:d=1'];
  const tone = ['-f', 'lavfi', '-i', 'sine=d=1'];
  const plainPixels = ['-pix_fmt', 'yuv420p'];
  runFfmpegSync(...film, ...tone, ...plainPixels, '-c:v', 'libx264', at('a.mp4'));
  runFfmpegSync(...film, ...plainPixels, '-c:v', 'libvpx', at('good.webm'));
  // Of one entry in the table of times: four thousand million samples of one length.
  const enormous = readFileSync(at('a.mp4'));
  enormous.writeUInt32BE(0xffffffff, enormous.indexOf('stts', 0, 'latin1') + 12);
  writeFileSync(at('enormous.mp4'), enormous);
  // Cut inside its head, before the first picture.
  writeFileSync(at('damaged.webm'), readFileSync(at('good.webm')).subarray(0, 120));
  await server.restart({ mediaFolders: [folder] });

  const made = (element: object): object => ({
    output_format: 'mp4',
    width: 32,
    height: 32,
    duration: 60,
    elements: [{ name: 'Bad one', ...element }],
  });
  const loop = { type: 'audio', source: 'a.mp4', loop: true, trim_duration: 1e-7, duration: null };
  const bad: string[] = [];
  for (const element of [
    loop,
    loop,
    { type: 'video', source: 'damaged.webm' },
    { type: 'video', source: 'enormous.mp4' },
  ]) {
    bad.push(await create(made(element)));
  }
  const plain = await create(picture());
  for (const id of bad) {
    const { status, error_message: message } = await server.ended(id);
    expect(status).toBe('failed');
    expect(message).toMatch(/^Source error: Bad one[.:][^\n]+$/);
    expect((await shown(id)).attempts).toBe(1);
  }
  expect((await server.ended(plain)).status).toBe('succeeded');
  expect((await shown(plain)).attempts).toBe(1);
  await expect.poll(renderer).toEqual({ state: 'idle' });
}, 60_000);
