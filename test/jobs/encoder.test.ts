/**
 * The encoder is missing, comes and goes: films wait for it, pictures don't, nothing fails. With real workers; needs
 * dist/.
 */
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { startTestServer, type Body, type TestServer } from '../helpers/server.ts';

/** The one that the program finds here: a name on the PATH, or the file of its package. */
const { path: realFfmpeg } = await findFfmpeg(undefined);

let folder: string;
/** Where the encoder is looked for. */
let program: string;
let server: TestServer;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-encoder-'));
  program = path.join(folder, 'ffmpeg');
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const start = async (): Promise<void> => {
  server = await startTestServer({ forkWorker: () => forkWorker(), ffmpegPath: program });
};
/** Writes what stands in for an encoder, as a script of the shell. */
const script = (text: string): Promise<void> =>
  writeFile(program, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
const put = (): Promise<void> => script(`exec '${realFfmpeg}' "$@"`);
const shape = { type: 'shape', width: '50%', height: '50%', fill_color: '#f00' };
const page = { width: 32, height: 18, elements: [shape] };
const documents = {
  mp4: { ...page, output_format: 'mp4', frame_rate: 10, duration: 0.3 },
  gif: { ...page, output_format: 'gif', frame_rate: 10, duration: 0.3 },
  png: { ...page, output_format: 'png' },
};
const create = async (format: keyof typeof documents): Promise<string> =>
  (await server.ask('POST', '/v2/renders', documents[format])).body.id;
const shown = async (id: string): Promise<Body['renders'][number]> => {
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders.find((render) => render.id === id)!;
};
const state = async (): Promise<Body> => (await server.askWindow('GET', '/api/state')).body;
const tryAgain = async (): Promise<Body> =>
  (await server.askWindow('POST', '/api/encoder/find')).body;
/** Waits until a worker has found out. */
const isMissed = (): Promise<void> =>
  expect.poll(async () => (await state()).encoder, { timeout: 20_000 }).toBe('missing');
/** IDs in the order in which they were begun. */
const begun = async (ids: readonly string[]): Promise<string[]> => {
  const all = await Promise.all(ids.map(shown));
  return all.sort((a, b) => a.startedAt! - b.startedAt!).map(({ id }) => id);
};

describe('F10: without an encoder films wait, and pictures are made', { timeout: 60_000 }, () => {
  test('at the start, until it is put back', async () => {
    await start();
    // Before anything was asked for.
    await isMissed();
    const first = await state();
    expect(first.encoderReason).toBe(
      `The video encoder ${program} (from the settings) does not work: there is no such file.`,
    );
    expect(first.queue).toMatchObject({ paused: false, heldBy: ['encoder'] });

    const ids = [await create('mp4'), await create('gif'), await create('mp4')];
    const picture = await create('png');
    expect((await server.ended(picture)).status).toBe('succeeded');
    for (const id of ids) {
      expect(await shown(id)).toMatchObject({ record: { status: 'planned' }, attempts: 0 });
    }
    expect((await state()).queue.waiting).toBe(3);

    // Looked for in vain: nothing has changed.
    expect((await tryAgain()).encoder).toBe('missing');
    expect((await shown(ids[0]!)).record.status).toBe('planned');

    await put();
    const found = await tryAgain();
    expect(found).toMatchObject({ encoder: 'found', ffmpeg: { path: program } });
    expect([found.encoderReason, found.queue.heldBy]).toEqual([undefined, undefined]);
    for (const id of ids) expect((await server.ended(id)).status).toBe('succeeded');
    expect(await begun(ids)).toEqual(ids);
    expect((await shown(ids[0]!)).attempts).toBe(1);
  });

  test('F11: a file that can not be run, one that is no encoder, and one that lacks a codec are told apart', async () => {
    await script('exit 1');
    await start();
    const rows: [prepare: () => Promise<void>, reason: RegExp][] = [
      [() => chmod(program, 0o600), /does not work: it is not executable\.$/],
      [() => chmod(program, 0o700), /does not work: it ended with 1\.$/],
      [() => script('echo hello'), /does not say its version like ffmpeg does\.$/],
      [
        () => script('echo "libavcodec 58.134.100"; echo " A..... aac  AAC"'),
        /lacks the encoder libx264\.$/,
      ],
    ];
    const film = await create('mp4');
    for (const [prepare, reason] of rows) {
      await prepare();
      const { encoder, encoderReason } = await tryAgain();
      expect([encoder, encoderReason]).toEqual(['missing', expect.stringMatching(reason)]);
    }
    expect((await shown(film)).record.status).toBe('planned');
  });

  test('the setting names another one: films go on by themselves', async () => {
    await start();
    await isMissed();
    const ids = [await create('mp4'), await create('gif')];
    const change = await server.askWindow('PATCH', '/api/settings', { ffmpegPath: realFfmpeg });
    expect(change.status).toBe(200);
    for (const id of ids) expect((await server.ended(id)).status).toBe('succeeded');
    expect(await begun(ids)).toEqual(ids);
  });

  test('films wait over a restart, and the start looks again', async () => {
    await start();
    const ids = [await create('mp4'), await create('gif')];
    await isMissed();
    await server.restart();
    await isMissed();
    expect((await shown(ids[0]!)).record.status).toBe('planned');
    await put();
    await server.restart();
    for (const id of ids) expect((await server.ended(id)).status).toBe('succeeded');
    expect(await begun(ids)).toEqual(ids);
  });

  test('F128: removed while the program runs; a new render finds out that it is back', async () => {
    await put();
    await start();
    expect(await server.ended(await create('mp4'))).toMatchObject({ status: 'succeeded' });
    expect((await state()).encoder).toBe('found');
    const aside = path.join(folder, 'quarantine');
    await rename(program, aside);
    const film = await create('mp4');
    await isMissed();
    expect(await shown(film)).toMatchObject({ record: { status: 'planned' }, attempts: 0 });
    expect((await server.ended(await create('png'))).status).toBe('succeeded');
    await rename(aside, program);
    const later = await create('gif');
    for (const id of [film, later]) expect((await server.ended(id)).status).toBe('succeeded');
    expect(await begun([film, later])).toEqual([film, later]);
  });

  test('a picture of a moment of a video waits too, once it has met with it', async () => {
    await start();
    const elements = [{ type: 'video', source: 'https://example.invalid/clip.mp4' }];
    const { id } = (await server.ask('POST', '/v2/renders', { ...documents.png, elements })).body;
    const plain = await create('png');
    expect((await server.ended(plain)).status).toBe('succeeded');
    expect(await shown(id)).toMatchObject({ record: { status: 'planned' }, attempts: 0 });
    expect((await server.askWindow('POST', `/api/renders/${id}/cancel`)).body.cancelled).toBe(true);
    expect((await state()).queue.waiting).toBe(0);
  });
});
