/** Speech models in the window: what is fetched when somebody asks, added as a file, removed, and which one is used. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ModelStep } from '../../shared/api/preview.ts';
import type { SpeechModels } from '../../shared/api/speech.ts';
import { checkWindowAnswer } from '../helpers/answers.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';
import { sharedMedia } from '../helpers/shared-media.ts';

let server: TestServer;
let asked = 0;
const real = sharedMedia('whisper-vad-silero.bin');
const mirror = createServer((request, response) => {
  asked += 1;
  if (real === null || !request.url?.includes('silero')) response.writeHead(404).end();
  else response.end(readFileSync(real));
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
  expect(end).toEqual({
    state: 'failed',
    message: expect.stringMatching(/answers with status 404.*another address/) as string,
  });
});

const models = (): string => path.join(server.dataFolder, 'models');
const list = async (): Promise<SpeechModels> =>
  JSON.parse((await server.askWindow('GET', '/api/speech/models')).text) as SpeechModels;
async function add(name: string, content: Buffer): Promise<Answer> {
  const { origin, hash } = new URL(server.running.windowUrl);
  const target = `/api/speech/models?name=${name}`;
  const answer = await send(`${origin}${target}`, {
    method: 'POST',
    headers: { 'x-framewright-token': hash.replace('#token=', '') },
    body: new Uint8Array(content),
  });
  checkWindowAnswer('POST', target, answer);
  return answer;
}
/** How a file of whisper.cpp begins: its mark, and how many pieces of words it knows. */
const beginning = (mark = 'lmgg', pieces = 51_865): Buffer => {
  const head = Buffer.alloc(64, 1);
  head.write(mark, 'latin1');
  head.writeInt32LE(pieces, 4);
  return head;
};

test('a file of one’s own is added, used and removed', async () => {
  rmSync(models(), { recursive: true, force: true });
  expect(await list()).toEqual({ models: [], inUse: null, named: null });
  const added = await add('my-own.bin', beginning());
  expect([added.status, JSON.parse(added.text)]).toEqual([
    201,
    { name: 'my-own', bytes: 64, isWhole: true },
  ]);
  expect((await list()).inUse).toBe('my-own');
  // One of the table comes before it, unless it is chosen; what was fetched of another is told.
  writeFileSync(path.join(models(), 'ggml-tiny.bin'), 'tiny');
  writeFileSync(path.join(models(), 'ggml-small.bin.part'), 'smal');
  expect(await list()).toEqual({
    models: [
      { name: 'tiny', bytes: 4, isWhole: true },
      { name: 'my-own', bytes: 64, isWhole: true },
      { name: 'small', bytes: 4, isWhole: false },
    ],
    inUse: 'tiny',
    named: null,
  });
  await server.askWindow('PATCH', '/api/settings', { speechModel: 'my-own' });
  expect((await list()).inUse).toBe('my-own');
  expect((await server.askWindow('DELETE', '/api/speech/models/my-own')).status).toBe(204);
  expect((await list()).inUse).toBe('tiny');
  expect((await server.askWindow('GET', '/api/settings/all')).body).toMatchObject({
    speechModel: null,
  });
  for (const name of ['tiny', 'small'])
    expect((await server.askWindow('DELETE', `/api/speech/models/${name}`)).status).toBe(204);
  expect(readdirSync(models())).toEqual([]);
  const gone = await server.askWindow('DELETE', '/api/speech/models/..%2Fx');
  expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('no speech model ../x')]);
});

test('what is no model is refused, and nothing of it stays', async () => {
  rmSync(models(), { recursive: true, force: true });
  await add('my-own.bin', beginning());
  for (const [name, content, words] of [
    ['notes.bin', Buffer.from('Buy milk'), 'it is no model of whisper.cpp'],
    ['other.bin', beginning('lmgg', 32_000), 'it is no model of whisper.cpp'],
    ['ggml-tiny.bin', beginning(), 'it is called ggml-tiny.bin and is another file'],
    ['my-own.bin', beginning(), 'there is one called my-own.bin; remove it first'],
    ['..%2Fout.bin', beginning(), 'the name of a file ending in .bin'],
    ['model.gguf', beginning(), 'the name of a file ending in .bin'],
  ] as const) {
    const { status, text } = await add(name, content);
    expect([status, text], name).toEqual([400, expect.stringContaining(words)]);
  }
  expect(readdirSync(models())).toEqual(['my-own.bin']);
});

test.skipIf(real === null)('a file that the table knows gets its name', async () => {
  rmSync(models(), { recursive: true, force: true });
  const content = readFileSync(real ?? '');
  expect((await add('finds-voices.bin', content)).status).toBe(201);
  expect((await add('again.bin', content)).status).toBe(200);
  expect(readdirSync(models())).toEqual(['ggml-silero-v6.2.0.bin']);
  // It finds voices, and recognises nothing.
  expect(await list()).toMatchObject({ models: [{ name: 'silero-vad' }], inUse: null });
});

test('a program or a service recognises in place of a model; the environment’s is told', async () => {
  mkdirSync(models(), { recursive: true });
  writeFileSync(path.join(models(), 'ggml-tiny.bin'), 'tiny');
  const set = (change: object) => server.askWindow('PATCH', '/api/settings', change);
  await set({ speechAddress: 'http://127.0.0.1:8000/v1' });
  expect(await list()).toMatchObject({ inUse: null, named: null });
  await set({ speechAddress: null });
  vi.stubEnv('FRAMEWRIGHT_TRANSCRIBER', '/usr/bin/whisper-cli');
  expect(await list()).toMatchObject({ inUse: null, named: 'program' });
  vi.unstubAllEnvs();
  expect(await list()).toMatchObject({ inUse: 'tiny', named: null });
});
