/**
 * Small copies of videos for the window: made once for each content, ended when nobody waits, bounded. Needs dist/ and
 * ffmpeg.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { LiveKit } from '../../shared/engine/live-kit.ts';
import type { PreviewAnswer } from '../../shared/api/preview.ts';
import { proxyLimits } from '../../shared/limits.ts';
import { probeFile } from '../../server/engine/assets/examine/probe.ts';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-proxy-'));
const own = (name: string): string => path.join(folder, name);
let server: TestServer;
let copies: string;

beforeAll(async () => {
  const bars = ['-f', 'lavfi', '-i', 'smptebars=size=1280x720:rate=25:duration=2'];
  runFfmpegSync(...bars, '-c:v', 'mpeg4', '-q:v', '2', own('short.mp4'));
  copyFileSync(own('short.mp4'), own('twin.mp4'));
  runFfmpegSync(...['-stream_loop', '400', '-i', own('short.mp4')], '-c', 'copy', own('long.mp4'));
  runFfmpegSync(
    ...[...bars, '-vf', 'format=yuva444p10le', '-c:v', 'prores_ks', '-profile:v', '4'],
    own('clear.mov'),
  );
  server = await startTestServer({ forkWorker: () => forkWorker(), mediaFolders: [folder] });
  copies = path.join(server.dataFolder, 'proxies');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The ID by which a page asks for a file. */
async function idOf(source: string): Promise<string> {
  const film = { output_format: 'mp4', width: 64, height: 36, duration: 1 };
  const question = {
    client: 'test',
    source: { ...film, elements: [{ type: 'video', source }] },
    time: 0,
    side: 64,
    kit: true,
  };
  const { body } = await server.askWindow('POST', '/api/preview', question);
  const answer = body as unknown as PreviewAnswer;
  if (answer.state !== 'drawn' || !answer.kit) throw new Error(JSON.stringify(answer));
  const kit = JSON.parse(answer.kit.text) as LiveKit;
  return answer.kit.files[kit.media[0]?.file ?? -1] ?? '';
}

const copyOf = async (source: string): Promise<object> =>
  (await server.askWindow('POST', `/api/preview/files/${await idOf(source)}/proxy`)).body;

const made = (): string[] =>
  existsSync(copies) ? readdirSync(copies).filter((name) => name.endsWith('.mp4')) : [];

test('is made once for a content, small, and kept', async () => {
  const answers = await Promise.all([copyOf('short.mp4'), copyOf('short.mp4')]);
  expect(answers[0]).toMatchObject({ state: 'ready', file: expect.any(String) as string });
  expect(answers[1]).toEqual(answers[0]);
  expect(await copyOf('twin.mp4')).toEqual(answers[0]);
  expect(made()).toHaveLength(1);
  const file = path.join(copies, made()[0] ?? '');
  const info = await probeFile(file, await findFfmpeg(undefined));
  expect(info).toMatchObject({ width: 960, height: 540 });
  // But for the time of the last frame, which stays anyway.
  expect(info.duration).toBeCloseTo(2, 0);
  expect(info.picture).toMatchObject({ codec: 'h264', matrix: 'bt709', fullRange: false });
  expect(readdirSync(copies)).toEqual(made());
});

test('is ended when nobody waits for it any more, and the next one is not held up', async () => {
  const before = made();
  const id = await idOf('long.mp4');
  const { origin, hash } = new URL(server.running.windowUrl);
  const gone = new AbortController();
  const asked = fetch(`${origin}/api/preview/files/${id}/proxy`, {
    method: 'POST',
    headers: { 'x-framewright-token': hash.replace('#token=', '') },
    signal: gone.signal,
  });
  await expect
    .poll(() => readdirSync(copies, { recursive: true }).join(' '), { timeout: 30_000 })
    .toMatch(/work.*\.mp4/);
  gone.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => existsSync(path.join(copies, 'work')), { timeout: 30_000 }).toBe(false);
  expect(made()).toEqual(before);
});

test('where there can be none the answer says why', async () => {
  expect(await copyOf('clear.mov')).toEqual({
    state: 'failed',
    message: 'A small copy of a video would lose its opacity',
  });
  const { status } = await server.askWindow('POST', '/api/preview/files/nothing/proxy');
  expect(status).toBe(404);
});

test('the copies used longest ago go when all are too large', async () => {
  mkdirSync(copies, { recursive: true });
  const old = path.join(copies, `${'0'.repeat(64)}.mp4`);
  writeFileSync(old, '');
  truncateSync(old, proxyLimits.kept);
  utimesSync(old, 1, 1);
  runFfmpegSync(
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=1', '-c:v', 'mpeg4'],
    own('other.mp4'),
  );
  expect(await copyOf('other.mp4')).toMatchObject({ state: 'ready' });
  expect(existsSync(old)).toBe(false);
  expect(made()).toHaveLength(2);
});
