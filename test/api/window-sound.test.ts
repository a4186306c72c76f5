/** The sound of an open document: the mix that its film gets, as a file for the window. Needs dist/ and ffmpeg. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { SoundAnswer } from '../../shared/api/preview.ts';
import { soundLimits } from '../../shared/limits.ts';
import { runFfmpegSync, soundSamples } from '../helpers/media.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-sound-'));
let server: TestServer;
beforeAll(async () => {
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=1'];
  runFfmpegSync(...tone, '-ac', '2', path.join(folder, 'tone.wav'));
  server = await startTestServer({ forkWorker: () => forkWorker(), mediaFolders: [folder] });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const tone = { type: 'audio', name: 'Tone', source: 'tone.wav', time: 1, duration: 1 };
const film = (...elements: object[]): object => ({
  output_format: 'mp4',
  width: 64,
  height: 64,
  frame_rate: 10,
  duration: 3,
  elements,
});

async function ask(source: object, client = 'test'): Promise<SoundAnswer & { hint?: string }> {
  const { body } = await server.askWindow('POST', '/api/preview/sound', { client, source });
  return body as unknown as SoundAnswer;
}

/** Fetches a sound into a file. */
async function fetched(id: string, name: string): Promise<string> {
  const { windowUrl } = server.running;
  const { origin, hash } = new URL(windowUrl);
  const response = await fetch(`${origin}/api/preview/sound/${id}`, {
    headers: { 'x-framewright-token': hash.replace('#token=', '') },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('audio/flac');
  const file = path.join(folder, name);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return file;
}

const loudness = (samples: Float32Array, from: number, to: number): number =>
  Math.sqrt(
    samples.slice(from * 48_000, to * 48_000).reduce((sum, value) => sum + value * value, 0) /
      ((to - from) * 48_000),
  );

test('is as long as the frames, to the sample, and as loud where as in the film', async () => {
  const source = film(tone);
  const answer = await ask(source);
  expect(answer).toMatchObject({ state: 'ready', duration: 3 });
  if (answer.state !== 'ready') throw new Error('unreachable');
  const heard = soundSamples(await fetched(answer.file, 'preview.flac'));
  expect(heard).toHaveLength(3 * 48_000);
  expect(loudness(heard, 0, 0.99)).toBe(0);
  expect(loudness(heard, 2.01, 3)).toBe(0);
  const { body } = await server.ask('POST', '/v2/renders', source);
  const render = await server.ended(body.id);
  const file = path.join(folder, 'film.mp4');
  writeFileSync(file, Buffer.from(await (await fetch(render.url)).arrayBuffer()));
  const inFilm = loudness(soundSamples(file), 1.1, 1.9);
  expect(inFilm).toBeGreaterThan(0.05);
  expect(loudness(heard, 1.1, 1.9) / inFilm).toBeCloseTo(1, 1);
});

test('is made once for a document, and anew for another', async () => {
  const first = await ask(film(tone));
  expect(await ask(film(tone), 'somebody else')).toEqual(first);
  const other = await ask(film({ ...tone, volume: '50%' }));
  expect(other).toMatchObject({ state: 'ready' });
  expect(other).not.toEqual(first);
});

test.each([
  ['without sounds', film({ type: 'shape' })],
  ['that is a picture', { ...film(tone), output_format: 'png' }],
  ['that is a gif', { ...film(tone), output_format: 'gif' }],
  ['whose sound can not be had', film({ ...tone, source: 'missing.wav' })],
])('a document %s is silent', async (_which, source) => {
  expect(await ask(source)).toEqual({ state: 'silent' });
});

test('a document with errors says which, a damaged sound is silent, a bad question is refused', async () => {
  expect(await ask(film({ ...tone, volume: {} }))).toMatchObject({
    state: 'invalid',
    problems: [expect.objectContaining({ path: 'elements[0].volume' }) as object],
  });
  writeFileSync(path.join(folder, 'bad.wav'), 'RIFF nothing');
  expect(await ask(film({ ...tone, source: 'bad.wav' }))).toEqual({ state: 'silent' });
  const { status } = await server.askWindow('POST', '/api/preview/sound', { client: '' });
  expect(status).toBe(400);
  const missing = await server.askWindow('GET', '/api/preview/sound/..%2f..%2fsettings.json');
  expect(missing.status).toBe(404);
});

test('of one asker only the newest document is mixed; the disk keeps the newest files', async () => {
  const documents = Array.from({ length: 4 }, (_, index) => film({ ...tone, time: index / 10 }));
  const states = (await Promise.all(documents.map((one) => ask(one)))).map(({ state }) => state);
  // They may arrive in another order than they were sent in; the first may be done before the next one comes.
  expect(new Set(states)).toEqual(new Set(['ready', 'superseded']));
  expect(states.filter((state) => state === 'superseded').length).toBeGreaterThan(1);
  const place = path.join(server.dataFolder, 'sounds');
  const files = readdirSync(place);
  expect(files.length).toBeLessThanOrEqual(soundLimits.kept);
  expect(files.every((name) => name.endsWith('.flac'))).toBe(true);
  expect(existsSync(path.join(place, 'document.json'))).toBe(false);
});
