/**
 * Voices over the window's private path: who can speak, a sentence of the settings to hear, keys, which reach their
 * service and nothing else, and a text of a document, which previews then have. Needs dist/.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { PreviewAnswer } from '../../shared/api/preview.ts';
import type { KnownVoices } from '../../shared/api/voices.ts';
import { hiddenSecret } from '../../shared/settings.ts';
import { sine, writeWav } from '../engine/sound-signals.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let folder: string;
let address: string;
let refuses = false;
/** What the stand-in was asked. */
const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
const standIn = createServer((request, response) => {
  asked.push({ path: request.url ?? '', headers: request.headers });
  request.resume().on('end', () => {
    if (refuses) response.writeHead(401).end();
    else response.end(readFileSync(path.join(folder, 'answer.wav')));
  });
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-voices-'));
  writeWav(path.join(folder, 'answer.wav'), 1, [sine(440)]);
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
  // In the worker's process the stand-in is both services.
  const detour = `const { fetch: ask } = globalThis; globalThis.fetch = (url, options) =>
    ask(String(url).replace(/^https:..api.(openai.com|elevenlabs.io)/, '${address}/$1'), options);`;
  const execArgv = [`--import=data:text/javascript,${encodeURIComponent(detour)}`];
  server = await startTestServer({ forkWorker: () => forkWorker(undefined, execArgv) });
});
afterEach(() => {
  asked.length = 0;
  refuses = false;
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await server.stop();
  standIn.close();
  await rm(folder, { recursive: true });
});

const set = async (change: object): Promise<void> => {
  const { status, text } = await server.askWindow('PATCH', '/api/settings', change);
  expect(status, text).toBe(200);
};
const hear = (line: string, text: string) =>
  server.askWindow('POST', '/api/voices/try', { line, text });
const hasEspeak =
  process.platform === 'linux' && spawnSync('espeak-ng', ['--version']).status === 0;

test('elevenlabsKey, openaiKey: the service gets the key, which no answer and no log has', async () => {
  const keys = { elevenlabsKey: 'own-eleven-key', openaiKey: 'own-open-key' };
  await set(keys);
  const heard = await hear('elevenlabs voice_id=abc: service', 'Good morning');
  expect([heard.status, heard.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  await hear('openai: service', 'Good morning');
  expect(asked).toMatchObject([
    {
      path: '/elevenlabs.io/v1/text-to-speech/abc',
      headers: { 'xi-api-key': keys.elevenlabsKey },
    },
    {
      path: '/openai.com/v1/audio/speech',
      headers: { authorization: `Bearer ${keys.openaiKey}` },
    },
  ]);
  // A render's message has it, too.
  await set({ voices: ['elevenlabs: service'] });
  const element = { type: 'audio', source: 'Good evening', provider: 'elevenlabs' };
  const source = { output_format: 'mp4', width: 16, height: 16, elements: [element] };
  refuses = true;
  const { id } = (await server.ask('POST', '/v2/renders', { source })).body;
  const failed = await server.ended(id);
  expect(asked.at(-1)?.headers['xi-api-key']).toBe(keys.elevenlabsKey);
  expect(failed.error_message).toMatch(/answered 401/);

  const answers = await Promise.all([
    server.askWindow('GET', '/api/settings'),
    server.askWindow('GET', '/api/settings/all'),
    server.askWindow('PATCH', '/api/settings', { elevenlabsKey: hiddenSecret }),
    server.askWindow('GET', '/api/voices'),
    server.ask('GET', '/v2/settings'),
    server.ask('GET', `/v2/renders/${id}`),
    hear('elevenlabs: service', 'Refused'),
  ]);
  expect(answers[1].body).toMatchObject({ elevenlabsKey: hiddenSecret, openaiKey: hiddenSecret });
  expect(answers[6].text).toContain(
    'The text could not be spoken: The voice at api.elevenlabs.io answered 401',
  );
  const told = [...answers.map(({ text }) => text), ...server.logged, heard.text].join('\n');
  for (const key of Object.values(keys)) expect(told).not.toContain(key);
  // What was shown as hidden has changed nothing; null takes it away.
  await hear('elevenlabs: service', 'Again');
  expect(asked.at(-1)?.headers['xi-api-key']).toBe(keys.elevenlabsKey);
  await set({ elevenlabsKey: null, openaiKey: null, voices: [] });
  const without = await hear('elevenlabs: service', 'Without');
  expect([without.status, without.text]).toEqual([
    422,
    expect.stringMatching(/'elevenlabs' needs your key: enter it in Settings.*ELEVENLABS_API_KEY/),
  ]);
}, 60_000);

test('voiceKey: the address of a voice gets it', async () => {
  await set({ voiceKey: 'own-voice-key' });
  const line = `openai: ${address}/v1 voice=af_sky`;
  expect((await hear(line, 'Hello')).status).toBe(200);
  expect(asked).toMatchObject([
    { path: '/v1/audio/speech', headers: { authorization: 'Bearer own-voice-key' } },
  ]);
  await set({ voiceKey: null });
  await hear(line, 'Hello again');
  expect(asked[1]?.headers.authorization).toBeUndefined();
  // Nothing is left of what was heard.
  expect(await readdir(path.join(server.dataFolder, 'speaking')).catch(() => [])).toEqual([]);
});

test('a line that says nothing, and a text that is none, are refused', async () => {
  expect(await hear('openai', 'Hello')).toMatchObject({
    status: 422,
    text: expect.stringContaining('expected a line such as elevenlabs: system') as string,
  });
  for (const text of ['', 'x'.repeat(5_001)])
    expect((await hear('*: system', text)).text).toContain('a string of 1 to 5000 characters');
});

test('the lines of the environment are told', async () => {
  vi.stubEnv('FRAMEWRIGHT_VOICES', '*: system; openai: service');
  const { text } = await server.askWindow('GET', '/api/voices');
  expect(JSON.parse(text)).toMatchObject({
    started: ['*: system', 'openai: service'],
  });
});

test.skipIf(!hasEspeak)(
  'the voices of the computer are listed, and heard (skipped without espeak-ng)',
  async () => {
    const { text } = await server.askWindow('GET', '/api/voices');
    const { voices } = JSON.parse(text) as KnownVoices;
    expect(voices).toContainEqual(
      expect.objectContaining({ name: 'en-gb', label: 'English (Great Britain)' }),
    );
    const heard = await hear('elevenlabs: system de', 'Guten Tag');
    expect([heard.status, heard.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(asked).toEqual([]);
  },
);

describe('a text of a document', () => {
  beforeAll(() =>
    set({
      voices: [
        `openai: ${address}/v1 voice=af_sky`,
        'elevenlabs voice_id=abc: service',
        '*: service',
      ],
    }),
  );

  const speak = (provider: string, text: string) =>
    server.askWindow('POST', '/api/voices/hear', { provider, text });

  test('names those of the setting first, in its order', async () => {
    const { body } = await server.askWindow('GET', '/api/voices');
    const { voices, install } = body as unknown as KnownVoices;
    const host = address.slice('http://'.length);
    const rest = { isSet: true, name: null, language: null };
    expect(voices.slice(0, 2)).toEqual([
      { provider: 'openai', kind: 'address', label: `af_sky, ${host}`, ...rest },
      { provider: 'elevenlabs voice_id=abc', kind: 'service', label: '', ...rest },
    ]);
    expect(voices.slice(2).every(({ isSet, kind }) => !isSet && kind === 'system')).toBe(true);
    if (process.platform === 'linux') expect(install).toBe(hasEspeak ? null : 'espeak-ng');
  });

  test('a text is heard once; from then on previews have it, too', async () => {
    const element = { type: 'audio', name: 'Voice', provider: 'openai', source: 'Good morning' };
    const draw = async (): Promise<PreviewAnswer> => {
      const source = { output_format: 'mp4', width: 64, height: 36, elements: [element] };
      const question = { client: 'test', source, time: 0, side: 64 };
      const { body } = await server.askWindow('POST', '/api/preview', question);
      return body as unknown as PreviewAnswer;
    };
    // Before, it is silent, and nobody is asked.
    expect(await draw()).toMatchObject({ warnings: [{ code: 'voice_missing' }] });
    expect(asked).toEqual([]);
    const [first, again] = [
      await speak('openai', 'Good morning'),
      await speak('openai', 'Good morning'),
    ];
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(again.text).toBe(first.text);
    expect(asked).toHaveLength(1);
    expect(await draw()).toMatchObject({ warnings: [], duration: 1 });
  });

  test.each([
    ['elevenlabs voice_id=abc', /needs your key: enter it in Settings, Speech and voices/],
    ['azure', /'azure' is no service that can be asked/],
  ])('%s: why a text can not be spoken', async (provider, words) => {
    const { status, text } = await speak(provider, 'Hello');
    expect(status).toBe(422);
    expect(text).toMatch(words);
  });

  test.skipIf(!hasEspeak)(
    'a voice of this computer needs no setting (skipped without espeak-ng)',
    async () => {
      const { body } = await server.askWindow('GET', '/api/voices');
      const { voices } = body as unknown as KnownVoices;
      expect(voices).toContainEqual({
        ...{ provider: 'system voice=de', kind: 'system', isSet: false },
        ...{ name: 'de', label: 'German', language: 'de' },
      });
      expect(new Set(voices.map(({ provider }) => provider)).size).toBe(voices.length);
      const { status, text } = await speak('system voice=de', 'Guten Tag');
      expect(status).toBe(200);
      expect(text.slice(0, 4)).toBe('RIFF');
    },
  );
});
