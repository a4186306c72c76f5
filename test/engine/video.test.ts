/** Decoding of clips: every output frame shows the right picture of the file, with the old and the new ffmpeg. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { MediaFile } from '../../server/engine/assets/assets.ts';
import { probeFile } from '../../server/engine/assets/examine/probe.ts';
import type { DecodedFrame } from '../../server/engine/assets/videos/video-clip.ts';
import { VideoBook, type VideoRequest } from '../../server/engine/assets/videos/video.ts';
import type { Ffmpeg } from '../../server/engine/ffmpeg.ts';
import { builds, rowsFor } from '../helpers/ffmpeg-builds.ts';
import {
  clips,
  encodeNumbers,
  height,
  makeClip,
  maker,
  numberIn,
  shownAt,
  timesOf,
  width,
} from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'video-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function openClip(
  file: string,
  ffmpeg: Ffmpeg,
): Promise<{ media: MediaFile; book: VideoBook }> {
  const media: MediaFile = {
    source: 'clip',
    path: file,
    info: await probeFile(file, ffmpeg),
    element: 'Clip',
    place: 'elements[0].source',
  };
  const book = new VideoBook({
    assets: { media: new Map([['clip', media]]) },
    ffmpeg,
    signal: new AbortController().signal,
  });
  return { media, book };
}

const request = (time: number, step: number): VideoRequest => ({
  elementPath: 'elements[0]',
  source: 'clip',
  time,
  step,
  width,
  height,
});

/** What is read otherwise: frames out of order, uneven times, sound before the picture. */
const ofVersions = [
  'mp4 30 with B-frames',
  'webm 30, times in milliseconds, sound before 0',
  'uneven times',
];

describe.each(builds)('with %s', (build, ffmpeg) => {
  const own = rowsFor(build, Object.entries(clips), ofVersions);
  describe.each(own)('%s', (name) => {
    test('jumps back and forth, stands still, and holds the last frame', async () => {
      const times = timesOf(name);
      const { book } = await openClip(makeClip(name, folder), ffmpeg);
      const end = times.at(-1)!;
      const moments = [
        2,
        2,
        2.04,
        0,
        0.04,
        0.04,
        2.9,
        1.11,
        end - 0.01,
        end + 0.5,
        end + 0.54,
        end + 100,
        0.2,
        end + 7,
      ];
      const shown: number[] = [];
      for (const time of moments) {
        await book.prepare([request(time, 0.04)]);
        shown.push(numberIn(book.frame('elements[0]')!));
      }
      await book.close();
      expect(shown).toEqual(moments.map((time) => shownAt(times, time)));
    });

    test('runs over the end', async () => {
      const times = timesOf(name);
      const { book } = await openClip(makeClip(name, folder), ffmpeg);
      const start = times.at(-1)! - 0.41;
      for (const rate of [30, 7]) {
        const [shown, expected]: [number[], number[]] = [[], []];
        for (let index = 0; index < 24; index++) {
          const time = start + index / rate;
          await book.prepare([request(time, 1 / rate)]);
          shown.push(numberIn(book.frame('elements[0]')!));
          expected.push(shownAt(times, time));
        }
        expect(shown).toEqual(expected);
      }
      await book.close();
    });
  });

  /** First frame of a clip made by ffmpeg's own arguments. */
  async function firstFrame(
    name: string,
    args: string,
    size?: [number, number],
  ): Promise<DecodedFrame> {
    const file = path.join(folder, name);
    execFileSync(maker.path, ['-v', 'error', '-y', ...args.split(' '), file]);
    const { media, book } = await openClip(file, ffmpeg);
    const [across, down] = size ?? [media.info.width, media.info.height];
    await book.prepare([{ ...request(0.1, 0.04), width: across, height: down }]);
    const frame = book.frame('elements[0]')!;
    const kept = { ...frame, rgba: Uint8Array.from(frame.rgba) };
    await book.close();
    return kept;
  }

  const pixel = ({ rgba, width: across }: DecodedFrame, x: number, y: number): number[] => [
    ...rgba.subarray((y * across + x) * 4, (y * across + x) * 4 + 4),
  ];
  const red = 0xc8;
  const green = 0x64;
  const blue = 0x32;

  /** Arguments for ten plain frames of the colour, as these planes hold it: no ffmpeg converts anything. */
  function plain([across, down, matrix, range]: readonly [
    number,
    number,
    'bt601' | 'bt709',
    'tv' | 'pc',
  ]): string {
    const [kr, kb] = matrix === 'bt709' ? [0.2126, 0.0722] : [0.299, 0.114];
    const luma = kr * red + (1 - kr - kb) * green + kb * blue;
    const chroma = [(blue - luma) / (2 - 2 * kb), (red - luma) / (2 - 2 * kr)];
    const [scale, base] = range === 'tv' ? [219 / 255, 16] : [1, 0];
    const chromaScale = range === 'tv' ? 224 / 255 : 1;
    const frame = Buffer.concat([
      Buffer.alloc(across * down, Math.round(base + luma * scale)),
      ...chroma.map((value) =>
        Buffer.alloc((across * down) / 4, Math.round(128 + value * chromaScale)),
      ),
    ]);
    const file = path.join(folder, `plain-${across}-${matrix}-${range}.yuv`);
    writeFileSync(file, Buffer.concat(Array.from({ length: 10 }, () => frame)));
    return `-f rawvideo -pix_fmt yuv420p -s ${across}x${down} -r 25 -i ${file}`;
  }

  // The color is stored by one matrix and marked or not; it comes back only when the same one is used.
  const colours = [
    ['unmarked HD', [1280, 720, 'bt709', 'tv'], '', undefined],
    ['unmarked SD', [640, 360, 'bt601', 'tv'], '', undefined],
    ['SD marked BT.709', [640, 360, 'bt709', 'tv'], '-colorspace bt709 ', undefined],
    ['HD marked BT.601', [1280, 720, 'bt601', 'tv'], '-colorspace smpte170m ', undefined],
    ['full range', [1280, 720, 'bt709', 'pc'], '-color_range pc ', undefined],
    ['made smaller', [1280, 720, 'bt709', 'tv'], '', [333, 187]],
  ] as const;
  const coloursOfVersions = ['unmarked HD', 'full range', 'made smaller'];
  test.each(rowsFor(build, colours, coloursOfVersions))(
    'colours: %s',
    async (name, stored, marks, size) => {
      const frame = await firstFrame(
        `${name}.mp4`,
        `${plain(stored)} ${marks}-c:v libx264 -crf 4 -pix_fmt yuv420p`,
        size && [...size],
      );
      const [r = 0, g = 0, b = 0, a] = pixel(frame, 40, 40);
      // Rounding of the file itself, and the error of ffmpeg's fast routine (docs/decisions/013-colours-of-videos.md).
      for (const [got, wanted] of [
        [r, red],
        [g, green],
        [b, blue],
      ] as const)
        expect(Math.abs(got - wanted)).toBeLessThanOrEqual(4);
      expect(a).toBe(255);
      expect(frame.opaque).toBe(true);
      expect([frame.width, frame.height]).toEqual(
        size ?? (name.includes('SD') ? [640, 360] : [1280, 720]),
      );
    },
  );

  test('opacity of VP9', async () => {
    const frame = await firstFrame(
      'alpha.webm',
      '-f lavfi -i color=c=0xC86432:s=64x64:r=25:d=0.4 -vf format=yuva420p,geq=lum=lum(X\\,Y):cb=cb(X\\,Y):cr=cr(X\\,Y):a=if(lt(X\\,32)\\,255\\,64) -c:v libvpx-vp9 -crf 10',
    );
    expect(frame.opaque).toBe(false);
    expect(pixel(frame, 8, 32)[3]).toBeGreaterThan(250);
    expect(Math.abs(pixel(frame, 56, 32)[3]! - 64)).toBeLessThan(6);
  });

  test('an animated picture plays', async () => {
    const file = path.join(folder, 'play.gif');
    encodeNumbers(20, '10', [file]);
    const { book } = await openClip(file, ffmpeg);
    const shown: number[] = [];
    for (const time of [0, 0.1, 0.25, 1, 1.95, 3, 0.3]) {
      await book.prepare([request(time, 0.1)]);
      shown.push(numberIn(book.frame('elements[0]')!));
    }
    await book.close();
    expect(shown).toEqual([0, 1, 2, 10, 19, 19, 3]);
  });

  test('F62 a file that is no video inside fails with its element, and nothing hangs', async () => {
    const file = makeClip('mp4 60', folder);
    const { media } = await openClip(file, ffmpeg);
    const broken = path.join(folder, 'broken.mp4');
    const bytes = readFileSync(file);
    // The samples are destroyed; the index stays.
    const samples = bytes.indexOf('mdat');
    bytes.fill(
      0,
      samples + 4,
      bytes.indexOf('moov') > samples ? bytes.indexOf('moov') - 4 : bytes.length,
    );
    writeFileSync(broken, bytes);
    const book = new VideoBook({
      assets: { media: new Map([['clip', { ...media, path: broken }]]) },
      ffmpeg,
      signal: new AbortController().signal,
    });
    await expect(book.prepare([request(0, 0.04)])).rejects.toThrow(
      'Source error: Clip.source: The file uses a format we cannot read (h264)',
    );
    await book.close();
  });

  test('cancelling ends the decoders', async () => {
    const { media } = await openClip(makeClip('mp4 60', folder), ffmpeg);
    const ending = new AbortController();
    const book = new VideoBook({
      assets: { media: new Map([['clip', media]]) },
      ffmpeg,
      signal: ending.signal,
    });
    await book.prepare([request(0, 1 / 60)]);
    ending.abort();
    const rest = async (): Promise<void> => {
      for (let index = 1; index < 100; index++) await book.prepare([request(index / 60, 1 / 60)]);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'cancelled' });
    await book.close();
  });

  test('clips that are not asked for are closed; two elements of one file go their own ways', async () => {
    const times = timesOf('mkv 25');
    const { book } = await openClip(makeClip('mkv 25', folder), ffmpeg);
    const both = (first: number, second: number): VideoRequest[] => [
      request(first, 0.04),
      { ...request(second, 0.04), elementPath: 'elements[1]' },
    ];
    for (let index = 0; index < 10; index++) await book.prepare(both(index / 25, 2 + index / 25));
    expect(['elements[0]', 'elements[1]'].map((name) => numberIn(book.frame(name)!))).toEqual([
      shownAt(times, 9 / 25),
      shownAt(times, 2 + 9 / 25),
    ]);
    await book.prepare([request(0.4, 0.04)]);
    expect(book.frame('elements[1]')).toBeNull();
    expect(book.frame('elements[0]')).not.toBeNull();
    await book.prepare([]);
    expect(book.frame('elements[0]')).toBeNull();
    await book.close();
  });
});
