/** Voices over the window's private path: who can speak, and hearing a text, which previews then have. Needs dist/. */
import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { PreviewAnswer } from '../../shared/api/preview.ts';
import type { KnownVoices } from '../../shared/api/voices.ts';
import { sine, writeWav } from '../engine/sound-signals.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-voices-'));
const hasEspeak =
  process.platform === 'linux' && spawnSync('espeak-ng', ['--version']).status === 0;
let server: TestServer;
/** A program with OpenAI's addresses, and what it was asked to say. */
let program: Server;
let base = '';
const said: string[] = [];

beforeAll(async () => {
  const sound = readFileSync(writeWav(path.join(folder, 'said.wav'), 1.5, [sine(440, 0.5)]));
  program = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      said.push((JSON.parse(text) as { input: string }).input);
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
    });
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(program.address() as AddressInfo).port}/v1`;
  server = await startTestServer({ forkWorker: () => forkWorker() });
  await server.askWindow('PATCH', '/api/settings', {
    voices: [`openai: ${base} voice=af_sky`, 'elevenlabs voice_id=abc: service', '*: service'],
  });
});
afterAll(async () => {
  await server.stop();
  program.closeAllConnections();
  program.close();
  rmSync(folder, { recursive: true, force: true });
});

const hear = (provider: string, text: string) =>
  server.askWindow('POST', '/api/voices/hear', { provider, text });

test('names those of the setting first, in its order', async () => {
  const { body } = await server.askWindow('GET', '/api/voices');
  const { voices, install } = body as unknown as KnownVoices;
  const host = base.slice('http://'.length, -'/v1'.length);
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
  expect(said).toEqual([]);
  const [first, again] = [
    await hear('openai', 'Good morning'),
    await hear('openai', 'Good morning'),
  ];
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(again.text).toBe(first.text);
  expect(said).toEqual(['Good morning']);
  expect(await draw()).toMatchObject({ warnings: [], duration: 1.5 });
});

test.each([
  ['elevenlabs voice_id=abc', /needs your key: enter it in Settings, Speech and voices/],
  ['azure', /'azure' is no service that can be asked/],
])('%s: why a text can not be spoken', async (provider, words) => {
  const { status, text } = await hear(provider, 'Hello');
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
    const { status, text } = await hear('system voice=de', 'Guten Tag');
    expect(status).toBe(200);
    expect(text.slice(0, 4)).toBe('RIFF');
  },
);
