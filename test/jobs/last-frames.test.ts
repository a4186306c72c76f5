/** What a failed render had drawn last: kept, told, handed out, and gone with the render. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { EventBus } from '../../server/jobs/events.ts';
import { LastFrames } from '../../server/jobs/files/last-frames.ts';
import { createOutputFiles } from '../../server/jobs/files/output-files.ts';
import { Retention } from '../../server/jobs/files/retention.ts';
import type { Log } from '../../server/system/log.ts';
import { besideOf } from '../../server/store/files.ts';
import { firstProject } from '../../server/store/projects.ts';
import { openStore } from '../../server/store/store.ts';
import { document, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

const log: Log = () => undefined;

describe('in the server', () => {
  let server: TestServer;
  afterEach(() => server.stop());

  const create = async (fake: object): Promise<string> =>
    (await server.ask('POST', '/v2/renders', document(fake))).body.id;
  const picture = (id: string): Promise<Answer> =>
    server.askWindow('GET', `/api/renders/${id}/picture`);
  const isTold = async (id: string): Promise<boolean> => {
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    return renders.find((render) => render.id === id)?.hasLastFrame === true;
  };
  const files = (): Promise<string[]> => readdir(path.join(server.dataFolder, 'last-frames'));

  test('of a failed and of a stopped render, also after a restart; not of others', async () => {
    server = await startTestServer();
    const failed = await create({ end: 'fail', lastFrame: 'a frame' });
    const bare = await create({ end: 'fail' });
    const done = await create({ lastFrame: 'another frame' });
    for (const id of [failed, bare, done]) await server.ended(id);
    const stopped = await create({ frames: 500, pause: 20, lastFrame: 'a third frame' });
    await expect
      .poll(async () => (await server.ask('GET', `/v2/renders/${stopped}`)).body.status)
      .toBe('rendering');
    await server.askWindow('POST', `/api/renders/${stopped}/cancel`);

    for (const restarted of [false, true]) {
      if (restarted) await server.restart();
      const rows: [id: string, text: string | null][] = [
        [failed, 'a frame'],
        [stopped, 'a third frame'],
        [bare, null],
        [done, null],
      ];
      for (const [id, text] of rows) {
        const { status, headers, text: found } = await picture(id);
        expect([status, found]).toEqual(text === null ? [204, ''] : [200, text]);
        if (text !== null) expect(headers.get('content-type')).toBe('image/jpeg');
        expect(await isTold(id)).toBe(text !== null);
      }
    }
    // The public API says nothing of it.
    expect((await server.ask('GET', `/v2/renders/${failed}`)).text).not.toContain('rame');
  });

  test('goes with the render; what a crash has left goes at the start', async () => {
    server = await startTestServer();
    const ids = [
      await create({ end: 'fail', lastFrame: 'one' }),
      await create({ end: 'fail', lastFrame: 'two' }),
    ];
    for (const id of ids) await server.ended(id);
    expect(await files()).toHaveLength(2);
    await server.askWindow('POST', '/api/renders/remove', { ids: ids.slice(0, 1) });
    await expect.poll(files).toEqual([`${ids[1]!}.jpg`]);
    const folder = path.join(server.dataFolder, 'last-frames');
    await writeFile(path.join(folder, 'gone.jpg'), 'left over');
    await writeFile(besideOf(path.join(folder, `${ids[1]!}.jpg`)), 'half writ');
    await server.restart();
    expect(await files()).toEqual([`${ids[1]!}.jpg`]);
  });

  test('a picture that can not be written is no matter', async () => {
    server = await startTestServer();
    // A file where the folder should be.
    await writeFile(path.join(server.dataFolder, 'last-frames'), '');
    const id = await create({ end: 'fail', lastFrame: 'a frame' });
    expect((await server.ended(id)).error_message).toMatch(/^Source error: Clip\.source/);
    expect(await isTold(id)).toBe(false);
    expect((await picture(id)).status).toBe(204);
    expect(server.logged.join('\n')).toContain(`warning render ${id}: its last frame is not kept`);
  });
});

test('F37: the last frame of an expired render goes too', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  let now = Date.now();
  let steady = 0;
  const clock = { now: () => now, steady: () => steady };
  const store = await openStore(path.join(folder, 'data'), log, clock);
  try {
    await mkdir(path.join(folder, 'frames'));
    await store.renders.insert(
      {
        id: 'old',
        project: firstProject,
        status: 'failed',
        outputFormat: 'mp4',
        createdAt: now,
        attempts: 1,
        request: {},
      },
      {},
    );
    const events = new EventBus(() => undefined);
    const frames = await LastFrames.open(path.join(folder, 'frames'), () => true, log);
    frames.follow(events);
    await frames.keep('old', Buffer.from('a frame'));
    const file = path.join(folder, 'frames', 'old.jpg');
    expect([frames.has('old'), existsSync(file)]).toEqual([true, true]);
    const files = createOutputFiles(path.join(folder, 'output'));
    const retention = new Retention({ store, files, events, clock, log });
    now += 31 * 24 * 60 * 60_000;
    for (let look = 0; look < 2; look++) {
      expect(existsSync(file)).toBe(true);
      await retention.check();
      steady += 60 * 60_000;
    }
    await expect.poll(() => existsSync(file)).toBe(false);
    expect([frames.has('old'), await frames.read('old')]).toEqual([false, null]);
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
});
