/** Transcripts over HTTP and for agents: asked for, waited for, and told why not. Needs dist/. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { checkAnswer } from '../helpers/answers.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { startTestServer, type Body, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'transcripts-'));
const media = path.join(folder, 'media');
const model = path.join(folder, 'model.bin');
const whisper = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
let server: TestServer;

beforeAll(async () => {
  mkdirSync(media);
  writeFileSync(model, 'model');
  runFfmpegSync('-f', 'lavfi', '-i', 'sine=frequency=300:duration=2', path.join(media, 'talk.wav'));
  runFfmpegSync('-f', 'lavfi', '-i', 'color=s=16x16:d=1', path.join(media, 'silent.mp4'));
  server = await startTestServer({ forkWorker: () => forkWorker(), mediaFolders: [media] });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function transcribe(body: object): Promise<Body> {
  const created = await server.ask('POST', '/v2/transcripts', body);
  checkAnswer('POST', '/v2/transcripts', created);
  expect([created.status, created.body]).toEqual([
    202,
    expect.objectContaining({ status: 'transcribing' }),
  ]);
  for (;;) {
    const target = `/v2/transcripts/${created.body.id}`;
    const now = await server.ask('GET', target);
    checkAnswer('GET', target, now);
    if (now.body['status'] !== 'transcribing') return now.body;
    await pause(50);
  }
}

test('without a model it fails with the command that fetches one', async () => {
  expect(await transcribe({ source: 'talk.wav' })).toMatchObject({
    ...{ status: 'failed', source: 'talk.wav' },
    error_message: expect.stringMatching(/framewright models get small-q5_1/) as string,
  });
});

test('the words come with their times, as documents take them', async () => {
  await server.askWindow('PATCH', '/api/settings', {
    ...{ transcriber: whisper, transcriberModel: model },
  });
  const done = await transcribe({ source: 'talk.wav', language: 'en', words: 'café' });
  expect(done).toMatchObject({ status: 'succeeded', source: 'talk.wav' });
  const { words } = done as Body & { words: unknown };
  expect(words).toEqual([
    { time: 0, duration: 0.26, value: 'It"s' },
    { time: 0.3, duration: 0.3, value: ' café' },
    { time: 0.62, duration: 0.58, value: ' time.' },
    { time: 1.3, duration: 0.2, value: ' 汉' },
    { time: 1.5, duration: 0.5, value: '语。' },
  ]);
  const text = { type: 'text', name: 'Captions', transcript_source: words };
  const check = await server.ask('POST', '/v2/renders', {
    ...{ dry_run: true, source: { output_format: 'mp4', duration: 2, elements: [text] } },
  });
  expect(check.body).toMatchObject({ valid: true, errors: [] });
});

test.each([
  ['a file without sound', 'silent.mp4', /The file has no sound/],
  ['a file that is not there', 'none.wav', /none\.wav|no such file|not found|does not exist/i],
  ['a file outside the media folders', '../model.bin', /outside the media folders/i],
])('%s fails and says why', async (_what, source, says) => {
  const failed = await transcribe({ source });
  expect(failed).toMatchObject({ status: 'failed' });
  expect(failed['error_message']).toMatch(says);
});

test('what is to be hidden is true or false', async () => {
  const order = { source: 'talk.wav', hide_fillers: true, hide_profanity: 'yes' };
  const wrong = await server.ask('POST', '/v2/transcripts', order);
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('hide_profanity')]);
});

test('after a restart the words are there, and what was not finished is gone on with', async () => {
  const words = await transcribe({ source: 'talk.wav' });
  writeFileSync(`${model}.mode`, 'wait');
  runFfmpegSync('-f', 'lavfi', '-i', 'sine=frequency=500:duration=2', path.join(media, 'new.wav'));
  const waiting = await server.ask('POST', '/v2/transcripts', { source: 'new.wav' });
  await server.restart();
  const target = `/v2/transcripts/${waiting.body.id}`;
  expect((await server.ask('GET', target)).body).toMatchObject({ status: 'transcribing' });
  expect((await server.ask('GET', `/v2/transcripts/${words.id}`)).body).toEqual(words);
  writeFileSync(`${model}.mode`, 'words');
  const status = async (): Promise<unknown> => (await server.ask('GET', target)).body['status'];
  await expect.poll(status, { timeout: 60_000 }).toBe('succeeded');
}, 90_000);

test('wrong questions are refused, and another project sees nothing', async () => {
  const wrong = await server.ask('POST', '/v2/transcripts', { source: 'a', language: 'English' });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('language')]);
  const none = await server.ask('GET', '/v2/transcripts/none');
  expect([none.status, none.text]).toEqual([404, expect.stringContaining('no transcript')]);
});

test('an agent is given text and words in one call', async () => {
  copyFileSync(path.join(media, 'talk.wav'), path.join(media, 'again.wav'));
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'transcribe', arguments: { source: 'again.wav' } },
  };
  const answer = await server.ask('POST', '/mcp', call, {
    accept: 'application/json, text/event-stream',
  });
  expect(answer.text).toContain('succeeded');
  expect(answer.text).toContain('café time. 汉语。');
});
