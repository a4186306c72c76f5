/**
 * Every ffmpeg that is started: what it may open, and what becomes of a render whose decoder is killed. Needs dist/.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  flacArguments,
  joinArguments,
  denoiseArguments,
  replaceSoundArguments,
  planesArguments,
  sampleArguments,
} from '../../server/engine/encode/arguments.ts';
import { filmFormats, soundFormats } from '../../server/engine/encode/film-formats.ts';
import { unrollArguments } from '../../server/engine/assets/pictures/moving-picture.ts';
import { trialArguments } from '../../server/engine/overlay-plan.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { someInQuick } from '../helpers/long.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { recordFfmpeg, type RecordedFfmpeg } from '../helpers/recorded-ffmpeg.ts';
import { startTestServer, type Body, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-test-'));
const media = path.join(folder, 'media');
let ffmpeg: RecordedFfmpeg;
let server: TestServer;
beforeAll(async () => {
  mkdirSync(media);
  // With a frame size at which little fits into a pipe, so that decoders live as long as their film.
  runFfmpegSync(
    ...['-f', 'lavfi', '-i', 'testsrc=s=320x180:r=25:d=12'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=300:duration=12'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    path.join(media, 'clip.mp4'),
  );
  // The same clip with other bytes: what was found out about a file is known by its content.
  const end = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('free')]);
  const bytes = readFileSync(path.join(media, 'clip.mp4'));
  writeFileSync(path.join(media, 'unknown.mp4'), Buffer.concat([bytes, end]));
  runFfmpegSync('-f', 'lavfi', '-i', 'sine=duration=1', path.join(media, 'song.mp3'));
  runFfmpegSync('-f', 'lavfi', '-i', 'testsrc=s=64x64:r=5:d=1', path.join(media, 'moving.gif'));
  ffmpeg = await recordFfmpeg(folder);
  server = await startTestServer({
    forkWorker: () => forkWorker(),
    mediaFolders: [media],
    ffmpegPath: ffmpeg.path,
  });
});
afterEach(() => {
  ffmpeg.killWith(null);
  ffmpeg.forget();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const film = (duration: number, ...elements: object[]): Record<string, unknown> => ({
  output_format: 'mp4',
  width: 320,
  height: 180,
  frame_rate: 25,
  duration,
  elements,
});
const clip = { type: 'video', name: 'Clip', source: 'clip.mp4' };
// What one ffmpeg makes from beginning to end has no decoder of its own.
const drawn = { ...clip, opacity: '90%' };
const song = { type: 'audio', name: 'Song', source: 'song.mp3' };
const create = async (body: object): Promise<string> =>
  (await server.ask('POST', '/v2/renders', body)).body.id;
const shown = async (id: string): Promise<Body['renders'][number]> => {
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders.find((render) => render.id === id)!;
};
const isDecoder = (args: readonly string[]): boolean =>
  args.includes('rawvideo') && args.includes('pipe:1');

describe.skipIf(process.platform === 'win32')('what ffmpeg may open', () => {
  /** What of a call's arguments is not as it must be for one of its inputs. */
  function faults(args: readonly string[]): string[] {
    const found: string[] = [];
    let from = 0;
    for (const [index, word] of args.entries()) {
      if (word !== '-i') continue;
      const own = args.slice(from, index);
      from = index + 2;
      const protocols = own[own.indexOf('-protocol_whitelist') + 1]?.split(',') ?? [];
      const isBounded =
        own.includes('-protocol_whitelist') &&
        protocols.every((protocol) => ['file', 'pipe'].includes(protocol));
      if (!isBounded || !own.includes('-f')) found.push(`${args[index + 1]} of ${args.join(' ')}`);
    }
    return found;
  }

  test('every call names the protocols and the format of each of its inputs', async () => {
    const whisper = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
    const model = path.join(folder, 'model.bin');
    writeFileSync(model, 'model');
    await server.askWindow('PATCH', '/api/settings', {
      transcriber: whisper,
      transcriberModel: model,
    });
    const words = { type: 'text', name: 'Words', transcript_source: 'Clip' };
    const jobs = [
      { ...film(1, clip, { ...song, volume: '1000%' }), snapshot_time: 0.5 },
      film(1, { ...clip, name: 'Clip' }, words),
      film(1, { type: 'video', name: 'Moving', source: 'moving.gif' }),
      { ...film(0.5, clip), output_format: 'gif', frame_rate: 10 },
      { ...film(1, clip), output_format: 'png' },
    ];
    for (const job of jobs) {
      const end = await server.ended(await create(job));
      expect([end.status, end.error_message]).toEqual(['succeeded', undefined]);
    }
    // The window's small copies of videos.
    const asked = { client: 'copies', time: 0, source: film(1, clip), kit: true };
    const { kit } = (await server.askWindow('POST', '/api/preview', asked)).body as unknown as {
      kit: { files: readonly string[] };
    };
    for (const file of kit.files)
      await server.askWindow('POST', `/api/preview/files/${file}/proxy`);
    const calls = ffmpeg.calls().map(({ args }) => args);
    const has = (...some: string[]) =>
      calls.filter((args) => some.every((word) => args.includes(word))).length;
    const seen = {
      decoder: calls.filter(isDecoder).length,
      film: has('libx264', 'pipe:0'),
      sound: has('pcm_f32le', 'wav'),
      soundCheck: has('f32le', 'pipe:1'),
      palette: has('-filter_complex', 'pipe:0'),
      gif: has('nut', 'gif'),
      report: has('null'),
      speech: has('16000'),
      copy: has('-g', '+faststart'),
    };
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
    expect(calls.flatMap(faults)).toEqual([]);
    // Of files whose coding made them too loud.
    expect(faults(replaceSoundArguments('a', 'b', 'c', filmFormats.mp4))).toEqual([]);
    // Of films in pieces; the list names only files that we made.
    expect(faults(replaceSoundArguments(null, 'b', 'c', filmFormats.mp4))).toEqual([]);
    // Of sound alone.
    for (const coding of Object.values(soundFormats))
      expect(faults(replaceSoundArguments(null, 'b', 'c', coding))).toEqual([]);
    expect(faults(joinArguments('a', 'b', 'c', filmFormats.mp4, null))).toEqual([]);
    // Of slow clips that end with their film.
    expect(faults(trialArguments({ major: 4, minor: 1 }))).toEqual([]);
    // Of pictures that are films.
    expect(faults(unrollArguments('a', 'b', { major: 4, minor: 1 }))).toEqual([]);
    // Of clips whose noise is lowered.
    expect(faults(denoiseArguments('a', 'b', { floor: -50, reduction: 12 }))).toEqual([]);
    // Of sounds that shapes show.
    const heard = { path: 'a', demuxer: 'mp3', fileStart: 0, seconds: 1 } as const;
    expect(faults(sampleArguments(heard, 16_000, 'b'))).toEqual([]);
    // Of films that hardware coded as a trial.
    expect(faults(planesArguments('a', 24))).toEqual([]);
    // Of the window's sound.
    expect(faults(flacArguments('a', 'b'))).toEqual([]);
  }, 60_000);

  test('it is started in these places, each of which is above; another one needs a look', () => {
    const server = path.join(import.meta.dirname, '../../server');
    const places = readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const text = readFileSync(path.join(server, name), 'utf8');
        const count = text.match(/(?<!function )\b(?:start|run)Ffmpeg\(/g)?.length ?? 0;
        return count === 0 ? [] : [`${path.basename(name)} ${count}`];
      });
    expect(places.sort()).toEqual([
      'build.ts 2',
      'decode-sounds.ts 1',
      'denoise.ts 1',
      'encoder.ts 2',
      'hardware-trial.ts 1',
      'join.ts 1',
      'moving-picture.ts 1',
      'overlay-plan.ts 1',
      'probe.ts 1',
      'proxy.ts 1',
      'sound-check.ts 1',
      'sound-file.ts 1',
      'sound-samples.ts 1',
      'sound.ts 1',
      'transcribe.ts 1',
      'video-decoder.ts 1',
    ]);
  });
});

describe.skipIf(process.platform !== 'linux')('F9: a decoder that is killed', () => {
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  /** Kills the decoder of a film in the middle of an attempt. */
  async function killDecoder(id: string, attempt: number): Promise<void> {
    for (let tries = 0; tries < 3000; tries++) {
      const { attempts, progress } = await shown(id);
      const [decoder] = ffmpeg
        .calls()
        .filter(({ args, pid }) => isDecoder(args) && isAlive(pid))
        .slice(-1);
      if (attempts === attempt && (progress?.frame ?? 0) > 5 && decoder) {
        process.kill(decoder.pid, 'SIGKILL');
        return;
      }
      await pause(10);
    }
    throw new Error(`render ${id} did not come to attempt ${attempt}`);
  }

  test('costs an attempt, once; the film is whole then', async () => {
    const id = await create(film(12, drawn));
    await killDecoder(id, 1);
    const end = await server.ended(id);
    expect([end.status, end.error_message, end.duration]).toEqual(['succeeded', undefined, 12]);
    expect((await shown(id)).attempts).toBe(2);
  }, 90_000);

  test('a second time, fails it with the name of the element', async () => {
    const id = await create(film(12, drawn));
    await killDecoder(id, 1);
    await killDecoder(id, 2);
    const { status, error_message: message } = await server.ended(id);
    expect([status, message]).toEqual([
      'failed',
      'Render error: The decoder stopped: killed (at Clip)',
    ]);
    expect(readdirSync(path.join(server.dataFolder, 'work'))).toEqual([]);
    expect(readdirSync(server.outputFolder).filter((name) => name.startsWith(id))).toEqual([]);
  }, 90_000);

  // A word that only the arguments of these calls have, and where they belong to.
  const reads: readonly (readonly [what: string, word: string, body: object, element: string])[] = [
    ['the frames of a video', 'pipe:1', film(1, drawn), 'Clip'],
    [
      'the last frame of a video',
      'pipe:1',
      film(1, { ...clip, trim_start: 11.99, duration: 1 }),
      'Clip',
    ],
    ['a sound', 'pcm_f32le', film(1, song), 'Song'],
    ['the report about a file', 'null', film(1, { ...clip, source: 'unknown.mp4' }), 'Clip'],
  ];
  test.each(someInQuick(reads, 2))('whenever it reads %s', async (_, word, body, element) => {
    ffmpeg.killWith(word);
    const { status, error_message: message } = await server.ended(await create(body));
    expect([status, message]).toEqual([
      'failed',
      `Render error: The decoder stopped: killed (at ${element})`,
    ]);
    ffmpeg.killWith(null);
    expect((await server.ended(await create(film(0.2, clip, song)))).status).toBe('succeeded');
  });
});
