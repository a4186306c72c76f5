/**
 * Transcribing over HTTP: the real server and worker with a stand-in for whisper.cpp's program, set as the window sets
 * it. Needs dist/.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { PreviewAnswer } from '../../shared/api/preview.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { startTestServer, type Body, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'transcribing-'));
const media = path.join(folder, 'media');
const model = path.join(folder, 'model.bin');
const transcriber = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
let server: TestServer;

beforeAll(async () => {
  mkdirSync(media);
  writeFileSync(model, 'model');
  runFfmpegSync(
    ...['-f', 'lavfi', '-i', 'color=c=0x203040:s=160x90:r=10:d=2'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=300:duration=2', '-shortest'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path.join(folder, 'speech.mp4')],
  );
  server = await startTestServer({ forkWorker: () => forkWorker(), mediaFolders: [media] });
});
afterEach(() => {
  rmSync(`${model}.calls`, { force: true });
  rmSync(`${model}.mode`, { force: true });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;

/** A document whose captions follow videos that were never heard before: content decides what is kept. */
function spokenDocument(speakers = 1): Record<string, unknown> {
  const elements = Array.from({ length: speakers }, (_, index) => spokenElements(index)).flat();
  return { output_format: 'mp4', width: 160, height: 90, frame_rate: 10, duration: 2, elements };
}

function spokenElements(index: number): object[] {
  const name = `speech-${++count}.mp4`;
  const file = path.join(media, name);
  copyFileSync(path.join(folder, 'speech.mp4'), file);
  // A box of free space at the end, which players skip.
  writeFileSync(file, Buffer.from(`\0\0\0\x10free${String(count).padStart(8)}`), { flag: 'a' });
  const [id, clip] = index === 0 ? ['clip', 'Clip'] : [`clip-${index}`, `Clip ${index}`];
  return [
    { type: 'video', id, name: clip, source: name },
    {
      type: 'text',
      name: 'Subtitles',
      transcript_source: clip,
      transcript_effect: 'color',
      width: '100%',
      height: '100%',
      font_size: 20,
      fill_color: '#ffffff',
    },
  ];
}

async function useTranscriber(path: string | null): Promise<void> {
  const settings = { transcriber: path, transcriberModel: path === null ? null : model };
  const { status, text } = await server.askWindow('PATCH', '/api/settings', settings);
  expect([status, text]).toEqual([200, expect.anything()]);
}

async function start(source: Record<string, unknown>): Promise<string> {
  const { status, body } = await server.ask('POST', '/v2/renders', source);
  expect(status).toBe(202);
  return body.id;
}

async function record(id: string): Promise<Body> {
  return (await server.ask('GET', `/v2/renders/${id}`)).body;
}

/** Waits for a working state; fails when the render ends before. */
async function reached(id: string, wanted: string): Promise<void> {
  for (;;) {
    const { status, error_message: message } = await record(id);
    if (status === wanted) return;
    if (status === 'failed' || status === 'succeeded') throw new Error(`${status}: ${message}`);
    await pause(10);
  }
}

/** What the stand-in was started with, each time. */
function calls(): { pid: number }[] {
  if (!existsSync(`${model}.calls`)) return [];
  // The file is there a moment before its first line is.
  const lines = readFileSync(`${model}.calls`, 'utf8').split('\n');
  // the stand-in's own words
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as { pid: number });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a render passes through transcribing, and the next one uses what was heard', async () => {
  await useTranscriber(transcriber);
  writeFileSync(`${model}.mode`, 'wait');
  const source = spokenDocument();
  const id = await start(source);
  await reached(id, 'transcribing');
  writeFileSync(`${model}.mode`, 'words');
  expect(await server.ended(id)).toMatchObject({ status: 'succeeded', duration: 2 });
  expect(calls()).toHaveLength(1);

  const again = await server.ended(await start(source));
  expect(again.status).toBe('succeeded');
  expect(calls()).toHaveLength(1);
});

test('captions by name, by ID and by group of one recording have it transcribed once', async () => {
  await useTranscriber(transcriber);
  writeFileSync(`${model}.mode`, 'wait');
  const { elements, ...rest } = spokenDocument() as { elements: Record<string, unknown>[] };
  const [video, captions] = elements;
  const group = { type: 'composition', id: 'talk', name: 'Talk', elements: [video] };
  const follow = ['clip', 'CLIP', 'talk', ' Talk '].map((source) => ({
    ...captions,
    name: `Captions of ${source}`,
    transcript_source: source,
  }));
  const id = await start({ ...rest, elements: [group, ...follow] });
  await reached(id, 'transcribing');
  const told = async (): Promise<unknown> => {
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    const progress = renders.find((render) => render.id === id)?.progress;
    return progress?.phase === 'transcribing' ? [progress.frame, progress.frames] : null;
  };
  await expect.poll(told).toEqual([1, 1]);
  writeFileSync(`${model}.mode`, 'words');
  expect(await server.ended(id)).toMatchObject({ status: 'succeeded' });
  expect(calls()).toHaveLength(1);
});

test('the window is told which recording is being transcribed, of how many', async () => {
  await useTranscriber(transcriber);
  writeFileSync(`${model}.mode`, 'wait');
  const id = await start(spokenDocument(2));
  const percents: number[] = [];
  const told = async (): Promise<unknown> => {
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    const progress = renders.find((render) => render.id === id)?.progress;
    if (progress?.phase !== 'transcribing') return progress?.phase;
    percents.push(progress.percent);
    return [progress.frame, progress.frames];
  };
  await expect.poll(told).toEqual([1, 2]);
  writeFileSync(`${model}.mode`, 'first');
  await expect.poll(told).toEqual([2, 2]);
  const at2 = percents.at(-1)!;
  expect(at2).toBeGreaterThan(percents[0]!);
  expect(at2).toBeLessThanOrEqual(20);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  writeFileSync(`${model}.mode`, 'words');
  expect((await server.ended(id)).status).toBe('succeeded');
  expect(calls()).toHaveLength(2);
});

test('without a recogniser it fails and says what to set or supply', async () => {
  await useTranscriber(null);
  const failed = await server.ended(await start(spokenDocument()));
  expect(failed.status).toBe('failed');
  expect(failed.error_message).toMatch(
    /^Source error: Subtitles\.transcript_source: There is no speech model yet, .*framewright models get small-q5_1.*SRT or WebVTT$/,
  );
  expect(calls()).toEqual([]);
});

test('cancelling while it transcribes ends the recogniser', async () => {
  await useTranscriber(transcriber);
  writeFileSync(`${model}.mode`, 'hang');
  const id = await start(spokenDocument());
  await reached(id, 'transcribing');
  while (calls().length === 0) await pause(10);
  const { pid } = calls()[0]!;
  expect(isAlive(pid)).toBe(true);
  expect((await server.askWindow('POST', `/api/renders/${id}/cancel`)).status).toBe(200);
  const ended = await server.ended(id);
  expect([ended.status, ended.error_message]).toEqual(['failed', 'Render error: Cancelled']);
  while (isAlive(pid)) await pause(10);
});

test('the editor’s picture never transcribes, and has the captions once a render has', async () => {
  await useTranscriber(transcriber);
  const source = spokenDocument();
  const picture = async (): Promise<{ picture: string; codes: string[] }> => {
    const question = { client: 'test', source, time: 0.1 };
    const { text } = await server.askWindow('POST', '/api/preview', question);
    const answer = JSON.parse(text) as PreviewAnswer; // of the route that was asked
    if (answer.state !== 'drawn') throw new Error(text);
    return { picture: answer.picture, codes: answer.warnings.map(({ code }) => code) };
  };
  const before = await picture();
  expect(before.codes).toContain('not_transcribed');
  expect(calls()).toEqual([]);
  await server.ended(await start(source));
  const after = await picture();
  expect(after.codes).not.toContain('not_transcribed');
  expect(after.picture).not.toBe(before.picture);
  expect(calls()).toHaveLength(1);
});

test('transcripts of a v1 request stand in for the recogniser', async () => {
  await useTranscriber(null);
  const words = [{ time: 0, duration: 1, value: 'Hello' }];
  const sent = { source: spokenDocument(), transcripts: { clip: words } };
  const { list } = await server.ask('POST', '/v1/renders', sent);
  expect((await server.ended(list[0]!.id)).status).toBe('succeeded');
});
