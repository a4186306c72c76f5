/** Speech models in the window: what is fetched when somebody asks, from where, and how far it is. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelStep } from '../../shared/api/preview.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { sharedMedia } from '../helpers/shared-media.ts';

let server: TestServer;
let asked = 0;
const real = sharedMedia('whisper-vad-silero.bin');
const mirror = createServer((_request, response) => {
  asked += 1;
  response.end(real === null ? 'nothing' : readFileSync(real));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  server = await startTestServer();
  const modelMirror = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  await server.askWindow('PATCH', '/api/settings', { modelMirror });
});
afterAll(async () => {
  await server.stop();
  mirror.close();
});

async function fetchModel(name: string): Promise<readonly ModelStep[]> {
  const { text } = await server.askWindow('POST', `/api/preview/models/${name}`);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ModelStep);
}

test.skipIf(real === null)(
  'the window has one fetched from the mirror of the settings',
  async () => {
    const steps = await fetchModel('silero-vad');
    expect(steps.at(-1)).toEqual({ state: 'ready' });
    expect(steps).toContainEqual({ state: 'fetching', share: 1 });
    const file = path.join(server.dataFolder, 'models', 'ggml-silero-v6.2.0.bin');
    expect(existsSync(file)).toBe(true);
    expect(asked).toBe(1);
    expect((await fetchModel('silero-vad')).at(-1)).toEqual({ state: 'ready' });
    expect(asked).toBe(1);
  },
);

test('what can’t be fetched is told with the way out', async () => {
  expect(await fetchModel('none')).toEqual([
    { state: 'failed', message: "There is no model 'none'." },
  ]);
  const [end] = (await fetchModel('tiny-q5_1')).slice(-1);
  expect(end).toMatchObject({ state: 'failed' });
});
