/** Receipts of a server's renders: made by the real worker, kept with the file, answered, removed. Needs dist/. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openStorage } from '../../server/cluster/storage/open-storage.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { contentDigest } from '../../server/system/files.ts';
import { receiptSchema } from '../../shared/api/receipt.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(() => server.stop());

const picture = {
  ...{ output_format: 'png', width: 16, height: 16 },
  elements: [{ type: 'shape', width: '100%', height: '100%', fill_color: '#ff0000' }],
};

test('a render has a receipt of its file and document, which goes with it', async () => {
  const { id } = (await server.ask('POST', '/v2/renders', picture)).body;
  expect((await server.ended(id)).status).toBe('succeeded');
  const { status, body } = await server.ask('GET', `/v2/renders/${id}/receipt`);
  const receipt = receiptSchema.parse(body);
  expect([status, receipt.document.source]).toEqual([200, expect.objectContaining({ width: 16 })]);
  expect(receipt.build.ffmpeg).toBe(null);
  const file = server.fileOf(id, 'png');
  expect(receipt.file.digest).toBe(await contentDigest(file));
  const place = path.join(path.dirname(file), 'snapshots', `${path.basename(file)}.json`);
  expect(existsSync(place)).toBe(true);
  await server.askWindow('POST', '/api/renders/remove', { ids: [id] });
  await vi.waitFor(() => expect([existsSync(file), existsSync(place)]).toEqual([false, false]));
  expect((await server.ask('GET', `/v2/renders/${id}/receipt`)).status).toBe(404);
}, 60_000);

test('a render without a file has none, and says so', async () => {
  const broken = { ...picture, elements: [{ type: 'image', source: 'gone.png' }] };
  const { id } = (await server.ask('POST', '/v2/renders', broken)).body;
  expect((await server.ended(id)).status).toBe('failed');
  const { status, body } = await server.ask('GET', `/v2/renders/${id}/receipt`);
  expect([status, body.hint]).toEqual([404, `The render ${id} has no receipt.`]);
}, 60_000);

test('with storage, the receipt is there as well', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  const storage = path.join(folder, 'films');
  const far = await startTestServer({ storage, forkWorker: () => forkWorker() });
  const look = await openStorage(storage);
  try {
    const { id } = (await far.ask('POST', '/v2/renders', picture)).body;
    expect((await far.ended(id)).status).toBe('succeeded');
    const keys: string[] = [];
    for await (const { key } of look.list(`renders/${id}/`)) keys.push(key);
    expect(keys).toEqual([
      expect.stringMatching(/-receipt\.json$/),
      expect.stringMatching(/\.png$/),
    ]);
    await vi.waitFor(() => expect(existsSync(far.fileOf(id, 'png'))).toBe(false));
    const { body } = await far.ask('GET', `/v2/renders/${id}/receipt`);
    expect(receiptSchema.parse(body).settings.format).toBe('png');
  } finally {
    await look.close();
    await far.stop();
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
