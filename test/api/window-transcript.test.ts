/**
 * Transcribing from the editor: progress, the words in the next picture's kit, no recogniser, failures, and an end.
 * Needs dist/.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { LiveKit } from '../../shared/engine/live-kit.ts';
import type { PreviewAnswer, TranscriptStep } from '../../shared/api/preview.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-transcript-'));
const model = path.join(folder, 'model.bin');
const whisper = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
let server: TestServer;

beforeAll(async () => {
  writeFileSync(model, 'model');
  for (const [at, name] of ['heard.wav', 'broken.wav', 'long.wav'].entries())
    runFfmpegSync(
      ...['-f', 'lavfi', '-i', `sine=frequency=${200 + 50 * at}:duration=1`],
      path.join(folder, name),
    );
  server = await startTestServer({ forkWorker: () => forkWorker(), mediaFolders: [folder] });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function kitOf(source: string): Promise<{ id: string; kit: LiveKit }> {
  const question = {
    client: 'test',
    source: {
      ...{ output_format: 'mp4', width: 64, height: 36, duration: 2 },
      elements: [
        { type: 'audio', name: 'Speech', source },
        { type: 'text', transcript_source: 'Speech' },
      ],
    },
    ...{ time: 0, side: 64, kit: true },
  };
  const { body } = await server.askWindow('POST', '/api/preview', question);
  const answer = body as unknown as PreviewAnswer;
  if (answer.state !== 'drawn' || !answer.kit) throw new Error(JSON.stringify(answer));
  const kit = JSON.parse(answer.kit.text) as LiveKit;
  return { kit, id: answer.kit.files[kit.media[0]?.file ?? -1] ?? '' };
}

async function transcribe(source: string): Promise<readonly TranscriptStep[]> {
  const { id } = await kitOf(source);
  const { text } = await server.askWindow('POST', `/api/preview/files/${id}/transcript`);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TranscriptStep);
}

const useRecogniser = (path: string | null) =>
  server.askWindow('PATCH', '/api/settings', {
    transcriber: path,
    transcriberModel: path === null ? null : model,
  });

test('says that no recogniser is set up, and which model would do', async () => {
  expect(await transcribe('heard.wav')).toEqual([
    { state: 'none', model: 'small-q5_1', bytes: 190_085_487 },
  ]);
});

test('says how far it is; the next picture’s kit has the words, and none is heard twice', async () => {
  await useRecogniser(whisper);
  const steps = await transcribe('heard.wav');
  expect(steps.at(-1)).toMatchObject({ state: 'ready' });
  expect(steps).toContainEqual({ state: 'working', share: 0.4 });
  const { kit } = await kitOf('heard.wav');
  expect(kit.transcripts).toMatchObject([
    ['elements[1]', { clock: 'media', speeches: [{ elementPath: 'elements[0]' }] }],
  ]);
  const calls = readFileSync(`${model}.calls`, 'utf8');
  expect((await transcribe('heard.wav')).at(-1)).toMatchObject({ state: 'ready' });
  expect(readFileSync(`${model}.calls`, 'utf8')).toBe(calls);
});

test('a recogniser that fails is quoted', async () => {
  writeFileSync(`${model}.mode`, 'fail');
  expect((await transcribe('broken.wav')).at(-1)).toMatchObject({
    state: 'failed',
    why: 'recogniser',
    message: expect.stringContaining('failed to load model') as string,
  });
});

test('ends when nobody waits any more, and the next one is not held up', async () => {
  writeFileSync(`${model}.mode`, 'hang');
  rmSync(`${model}.calls`, { force: true });
  const { id } = await kitOf('long.wav');
  const { origin, hash } = new URL(server.running.windowUrl);
  const gone = new AbortController();
  const asked = fetch(`${origin}/api/preview/files/${id}/transcript`, {
    method: 'POST',
    headers: { 'x-framewright-token': hash.replace('#token=', '') },
    signal: gone.signal,
  }).then((response) => response.text());
  await expect.poll(() => existsSync(`${model}.calls`), { timeout: 30_000 }).toBe(true);
  gone.abort();
  await expect(asked).rejects.toThrow();
  await expect
    .poll(() => existsSync(path.join(server.dataFolder, 'transcribing')), { timeout: 30_000 })
    .toBe(false);
  writeFileSync(`${model}.mode`, 'words');
  expect((await transcribe('broken.wav')).at(-1)).toMatchObject({ state: 'ready' });
});
