/** The speech recogniser in the settings: its program and its model, looked at before they are kept. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hiddenSecret } from '../../shared/settings.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a recogniser that is no program is refused, one that can be run is kept and told', async () => {
  const model = path.join(server.dataFolder, 'model.bin');
  await writeFile(model, 'model', { mode: 0o600 });
  for (const change of [
    { transcriber: '/no/such/whisper' },
    { transcriber: server.dataFolder },
    { transcriberModel: `${model}.gone` },
  ]) {
    const refused = await server.askWindow('PATCH', '/api/settings', change);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/Expected a (program|file)/),
    ]);
  }
  const kept = { transcriber: process.execPath, transcriberModel: model };
  expect((await server.askWindow('PATCH', '/api/settings', kept)).status).toBe(200);
  expect((await server.askWindow('GET', '/api/settings/all')).body).toMatchObject(kept);
  await server.askWindow('PATCH', '/api/settings', { transcriber: null, transcriberModel: null });
  expect((await server.askWindow('GET', '/api/settings/all')).body).toMatchObject({
    transcriber: null,
    transcriberModel: null,
  });
});

test('a key is kept, and never shown', async () => {
  const change = { speechAddress: 'http://127.0.0.1:8000/v1', speechKey: 'own-key' };
  const { status, text } = await server.askWindow('PATCH', '/api/settings', change);
  expect([status, text]).toEqual([200, expect.not.stringContaining('own-key')]);
  const all = await server.askWindow('GET', '/api/settings/all');
  expect(all.body).toMatchObject({ speechKey: hiddenSecret });
  const overApi = await server.ask('GET', '/v2/settings');
  expect(overApi.body).toMatchObject({ speech_key: hiddenSecret });
  // What a page sends back as it was shown changes nothing.
  await server.askWindow('PATCH', '/api/settings', { speechKey: hiddenSecret });
  const stored = path.join(server.dataFolder, 'store', 'settings.db');
  expect(await readFile(stored, 'utf8')).not.toContain(hiddenSecret);
  expect(await readFile(stored, 'utf8')).toContain('own-key');
  const none = { speechAddress: null, speechKey: null };
  await server.askWindow('PATCH', '/api/settings', none);
  expect((await server.askWindow('GET', '/api/settings/all')).body).toMatchObject(none);
});
