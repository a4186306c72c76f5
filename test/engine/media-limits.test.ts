/**
 * What a file may cost before anything is drawn: readers that never end, tables that fill the memory, loops that repeat
 * for ever. Each ends its own render with one sentence, soon, and the next render knows nothing of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { examine } from '../../server/engine/assets/examine/examiner.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { findFfmpeg, runFfmpeg } from '../../server/engine/ffmpeg.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { examineLimits } from '../../shared/limits.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { failure, folder, load, mediaFolder, photo, useFolder } from './assets-loading.ts';

useFolder();

const at = (name: string): string => path.join(mediaFolder, name);

beforeAll(() => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=96x64:r=10:d=1', '-pix_fmt', 'yuv420p'];
  const tone = ['-f', 'lavfi', '-i', 'sine=d=2'];
  runFfmpegSync(...picture, '-c:v', 'libx264', at('good.mp4'));
  runFfmpegSync(...tone, at('good.flac'));
  runFfmpegSync(...tone, at('good.wav'));

  // A reader of FLAC that is cut inside its head goes round for ever.
  writeFileSync(at('endless.flac'), readFileSync(at('good.flac')).subarray(0, 1_400));
  // Of one entry in the table of times: four thousand million samples of one length.
  const bytes = readFileSync(at('good.mp4'));
  bytes.writeUInt32BE(0xffffffff, bytes.indexOf('stts', 0, 'latin1') + 12);
  writeFileSync(at('enormous.mp4'), bytes);
});

describe('a file that can not be read to its end', () => {
  test('is given up at the deadline, with a sentence', async () => {
    const { message, code } = await failure(photo('endless.flac', 'audio'));
    expect({ message, code }).toEqual({
      message:
        'Source error: Photo.source: The file is damaged or too long: it could not be read within 5 seconds (endless.flac)',
      code: 'media_unreadable',
    });
  });

  test('is given up when it fills the memory, which is free again', async () => {
    await load(photo('good.mp4', 'video'));
    const before = process.memoryUsage().rss;
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const { message } = await failure(photo('enormous.mp4', 'video'));
    clearInterval(look);
    // On a busy machine its time may be over before its memory is full.
    expect(message).toMatch(
      /^Source error: Photo\.source: The file is damaged(?:: reading it takes more than 512 MB of memory, which is the limit| or too long: it could not be read within 5 seconds) \(enormous\.mp4\)$/,
    );
    // What was taken between two looks comes on top.
    expect(most - before).toBeLessThan(2 * examineLimits.memory);
    expect(process.memoryUsage().rss - before).toBeLessThan(0.5 * examineLimits.memory);
  });

  test('spoils no other file', async () => {
    const bad = failure(photo('endless.flac', 'audio'));
    const good = await load(photo('good.mp4', 'video'));
    expect(good.media.get('good.mp4')?.info).toMatchObject({ kind: 'video', duration: 1 });
    expect((await bad).code).toBe('media_unreadable');
    expect((await load(photo('good.flac', 'audio'))).media.size).toBe(1);
  });

  test('is let go at once when the render is cancelled', async () => {
    const abort = new AbortController();
    const asked = examine(at('endless.flac'), abort.signal);
    setTimeout(() => abort.abort(), 300);
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    await expect(examine(at('good.flac'))).resolves.toMatchObject({ format: 'flac' });
  });

  test('by ffmpeg either', async () => {
    const ffmpeg = await findFfmpeg(undefined);
    const endless = ['-re', '-f', 'lavfi', '-i', 'sine', '-f', 'null', '-'];
    await expect(runFfmpeg(ffmpeg, endless, { deadline: 1_000 })).rejects.toMatchObject({
      code: 'media_unreadable',
      message: 'The file is damaged or too long: it could not be read within 1 seconds',
    });
  });
});

describe('loops', () => {
  const sound: MediaInfo = {
    kind: 'audio',
    format: 'wav',
    width: 0,
    height: 0,
    duration: 2,
    frameRate: 0,
    hasAudio: true,
    hasAlpha: false,
  };
  const compile = (elements: JsonObject[], duration = 60) =>
    compileTimeline(
      { output_format: 'mp4', width: 64, height: 64, duration, elements },
      { media: new Map([['good.wav', sound]]), scaling: {} },
    );
  const tiny = { type: 'audio', name: 'Hum', source: 'good.wav', loop: true, duration: null };

  test.each([
    ['a part of a ten millionth of a second', { ...tiny, trim_duration: 1e-7 }],
    ['a speed that leaves nothing of it', { ...tiny, trim_duration: 1e-4, speed: '1000000%' }],
    [
      'loops in loops in loops',
      [1, 2, 3].reduce<JsonObject>(
        (inner, depth) => ({
          type: 'composition',
          name: `Loop ${depth}`,
          loop: true,
          duration: 0.01 * 60 ** (depth - 1),
          elements: [inner],
        }),
        { ...tiny, trim_duration: 0.0001 },
      ),
    ],
  ])('%s: refused with the name of the element', (_, element) => {
    expect(() => compile([element], 3_600)).toThrow(
      /^Source error: (Hum|Loop \d): .*(more than 100000 times|repeats its sounds \d+ times)/,
    );
  });

  test('of a usual kind are not refused, however many there are', () => {
    const elements = Array.from({ length: 500 }, () => ({ ...tiny, trim_duration: 1 }));
    expect(compile(elements).sounds).toHaveLength(500);
  });

  test('a short part that is heard for a moment plays, and a pass below a sample ends', async () => {
    const element = { ...tiny, trim_duration: 1e-6, duration: 0.05 };
    const { facts } = await renderInto(
      folder,
      'tiny.mp4',
      { output_format: 'mp4', width: 64, height: 64, duration: 0.2, elements: [element] },
      { mediaFolders: [mediaFolder] },
    );
    expect(facts).toMatchObject({ duration: 0.2 });
  });

  test('a staircase of a thousand million steps is a line', () => {
    const volume = [
      { time: 0, value: '0%' },
      { time: 2, value: '100%', easing: 'steps(1000000000)' },
    ];
    const [only] = compile([{ ...tiny, loop: false, volume }]).sounds;
    expect(only?.volume.length).toBeLessThan(10);
  });
});
