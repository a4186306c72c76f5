/** A chosen output folder on a drive that is not there: nothing is made in its place, and renders wait for it. */
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
afterEach(() => server.stop());

test('a start without the drive makes no folder beside it; with the drive the renders go on', async () => {
  server = await startTestServer();
  const drive = path.join(server.dataFolder, 'drive');
  const outputFolder = path.join(drive, 'films', 'finished');
  await mkdir(outputFolder, { recursive: true });
  expect((await server.askWindow('PATCH', '/api/settings', { outputFolder })).status).toBe(200);

  await rename(drive, `${drive}-unplugged`);
  await server.restart();
  const { id } = (await server.ask('POST', '/v2/renders', { source: document() })).body;
  const queue = async () => (await server.askWindow('GET', '/api/state')).body.queue;
  await expect.poll(queue).toMatchObject({ waiting: 1, running: 0, heldBy: ['folder'] });
  expect(existsSync(drive)).toBe(false);
  expect((await server.ask('GET', `/v2/renders/${id}`)).body.status).toBe('planned');

  await rename(`${drive}-unplugged`, drive);
  await server.running.services.work.output.check();
  expect((await server.ended(id)).status).toBe('succeeded');
  expect(existsSync(path.join(outputFolder, `${id}.mp4`))).toBe(true);
});
