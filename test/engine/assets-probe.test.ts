/** What files are, by their content, and which ones are refused. */
import { createCanvas } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { parseReport } from '../../server/engine/assets/report.ts';
import { failure, ffmpeg, folder, load, mediaFolder, photo, png } from './assets-loading.ts';

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => writeFileSync(path.join(mediaFolder, 'a b.png'), png));

/** A png header that says any size; its pixels don't exist. */
function hugePng(width: number, height: number): Buffer {
  const head = Buffer.from(png);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

/** A JPEG header: progressive, with so many components; its pixels don't exist. */
function hugeJpg(side: number, components: number): Buffer {
  const frame = Buffer.from([0xff, 0xd8, 0xff, 0xc2, 0, 8 + 3 * components, 8, 0, 0, 0, 0]);
  frame.writeUInt16BE(side, 7);
  frame.writeUInt16BE(side, 9);
  return Buffer.concat([frame, Buffer.from([components]), Buffer.alloc(3 * components + 64)]);
}

/** An AVIF with transparency whose header says another size and depth. */
function hugeAvif(side: number, depth: number): Buffer {
  const bytes = createCanvas(44, 32).toBuffer('image/avif');
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 1)) {
    bytes.writeUInt32BE(side, at + 8);
    bytes.writeUInt32BE(side, at + 12);
  }
  bytes.writeUInt8(depth, bytes.indexOf('pixi') + 9);
  return bytes;
}

/** A tenth of a second of silence that claims any rate and number of channels. */
function wavOf(rate: number, channels: number): Buffer {
  const bytes = Buffer.alloc(44 + 2_000);
  bytes.write('RIFF');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE((rate * channels * 2) % 2 ** 32, 28);
  bytes.writeUInt16LE(channels * 2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2_000, 40);
  return bytes;
}

describe('probing', () => {
  const make = (name: string, ...args: string[]): string => {
    execFileSync(ffmpeg.path, ['-v', 'error', '-y', ...args, path.join(mediaFolder, name)]);
    return name;
  };
  const picture = 'testsrc2=size=320x180:rate=25:duration=2';
  const tone = 'sine=frequency=440:duration=2';
  const video = ['-f', 'lavfi', '-i', picture];
  const sound = ['-f', 'lavfi', '-i', tone];

  test.each([
    [
      'mp4',
      () => make('v.mp4', ...video, ...sound, '-pix_fmt', 'yuv420p'),
      {
        kind: 'video',
        format: 'mp4',
        width: 320,
        height: 180,
        frameRate: 25,
        hasAudio: true,
        hasAlpha: false,
      },
      2,
    ],
    [
      'mov 29.97',
      () =>
        make(
          'v.mov',
          '-f',
          'lavfi',
          '-i',
          'testsrc2=size=320x180:rate=30000/1001:duration=2',
          '-pix_fmt',
          'yuv420p',
        ),
      { kind: 'video', format: 'mp4', frameRate: 30000 / 1001, hasAudio: false },
      2,
    ],
    [
      'webm',
      () => make('v.webm', ...video, ...sound, '-c:v', 'libvpx', '-c:a', 'libopus'),
      { kind: 'video', format: 'webm', width: 320, height: 180, frameRate: 25, hasAudio: true },
      2,
    ],
    [
      'webm with alpha',
      () => make('alpha.webm', ...video, '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuva420p'),
      { kind: 'video', hasAlpha: true },
      2,
    ],
    [
      'mkv',
      () => make('v.mkv', ...video, '-pix_fmt', 'yuv420p'),
      { kind: 'video', format: 'webm', frameRate: 25 },
      2,
    ],
    [
      'transport stream',
      () => make('v.ts', ...video, ...sound, '-c:v', 'mpeg2video'),
      { kind: 'video', format: 'ts', width: 320, height: 180, frameRate: 25, hasAudio: true },
      2,
    ],
    [
      'avi',
      () => make('v.avi', ...video, '-c:v', 'mpeg4'),
      { kind: 'video', format: 'avi', width: 320, height: 180, frameRate: 25 },
      2,
    ],
    [
      'wide pixels',
      () => make('sar.mp4', ...video, '-vf', 'setsar=2', '-pix_fmt', 'yuv420p'),
      { width: 640, height: 180 },
      2,
    ],
    [
      'wide pixels in a transport stream',
      () => make('sar.ts', ...video, '-vf', 'setsar=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'),
      { width: 640, height: 180 },
      2,
    ],
    [
      'mp3',
      () => make('s.mp3', ...sound),
      { kind: 'audio', format: 'mp3', width: 0, hasAudio: true },
      2,
    ],
    [
      'm4a',
      () => make('s.m4a', ...sound),
      { kind: 'audio', format: 'mp4', width: 0, hasAudio: true },
      2,
    ],
    ['aac', () => make('s.aac', ...sound), { kind: 'audio', format: 'aac' }, 2],
    ['wav', () => make('s.wav', ...sound), { kind: 'audio', format: 'wav' }, 2],
    ['ogg', () => make('s.ogg', ...sound, '-c:a', 'libopus'), { kind: 'audio', format: 'ogg' }, 2],
    ['flac', () => make('s.flac', ...sound), { kind: 'audio', format: 'flac' }, 2],
    [
      'gif',
      () => make('a.gif', ...video),
      { kind: 'image', format: 'gif', width: 320, height: 180, frameRate: 25 },
      2,
    ],
  ] satisfies [string, () => string, Partial<MediaInfo>, number][])(
    '%s',
    async (_, name, expected, duration) => {
      const facts: Partial<MediaInfo> = expected;
      const file = name();
      const type = facts.kind === 'audio' ? 'audio' : facts.kind === 'image' ? 'image' : 'video';
      const { info } = (await load(photo(file, type))).media.get(file)!;
      expect(info).toMatchObject(facts);
      expect(Math.abs(info.duration - duration)).toBeLessThan(0.08);
    },
  );

  test('F61 a rotation mark turns width and height', async () => {
    make('plain.mp4', ...video, '-pix_fmt', 'yuv420p');
    const turned = readFileSync(path.join(mediaFolder, 'plain.mp4'));
    // The matrix of the track header: a quarter turn. Values are 16.16 numbers, nine of them, the last one 2.30.
    const box = turned.indexOf('tkhd');
    [0, 0x10000, 0, -0x10000, 0, 0].forEach((value, index) =>
      turned.writeInt32BE(value, box + 4 + 40 + index * 4),
    );
    writeFileSync(path.join(mediaFolder, 'turned.mp4'), turned);
    const { info } = (await load(photo('turned.mp4', 'video'))).media.get('turned.mp4')!;
    expect([info.width, info.height]).toEqual([180, 320]);
  });

  test.each([
    ['hd', 'bt709', '1280x720', []],
    ['sd', 'bt601', '640x360', []],
    ['marked sd', 'bt709', '640x360', ['-colorspace', 'bt709']],
    ['marked hd', 'bt601', '1280x720', ['-colorspace', 'smpte170m']],
  ] as const)('colours of %s count as %s', async (name, matrix, size, marks) => {
    const file = make(
      `${name}.mp4`,
      '-f',
      'lavfi',
      '-i',
      `testsrc2=size=${size}:rate=5:duration=0.4`,
      '-pix_fmt',
      'yuv420p',
      ...marks,
    );
    expect((await load(photo(file, 'video'))).media.get(file)!.info.picture).toMatchObject({
      matrix,
      fullRange: false,
      inBlocks: true,
      codec: 'h264',
    });
  });

  test.each([
    ['webp', createCanvas(41, 31).toBuffer('image/webp'), 41, 31],
    ['avif', createCanvas(44, 32).toBuffer('image/avif'), 44, 32],
    ['jpg', createCanvas(41, 31).toBuffer('image/jpeg'), 41, 31],
    [
      'svg',
      Buffer.from(
        '\ufeff<?xml version="1.0"?>\n<!-- x --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="1in"/>',
      ),
      96,
      48,
    ],
    [
      'svg',
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0,0,200,100'/>"),
      200,
      100,
    ],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="50%"></svg>'), 300, 150],
    [
      'bmp',
      Buffer.concat([
        Buffer.from(
          '424d46000000000000003600000028000000020000000200000001001800000000001000000013',
          'hex',
        ),
        Buffer.alloc(31),
      ]),
      2,
      2,
    ],
  ])('%s by content', async (format, bytes, width, height) => {
    writeFileSync(path.join(mediaFolder, 'wrong-name.png'), bytes);
    expect((await load(photo('wrong-name.png'))).media.get('wrong-name.png')!.info).toMatchObject({
      kind: 'image',
      format,
      width,
      height,
    });
  });

  test.each([
    [
      'F58 30,000 × 30,000',
      hugePng(30_000, 30_000),
      'The image has 900 megapixels; the limit is 100',
    ],
    [
      'F58 60,000 × 60,000',
      hugePng(60_000, 60_000),
      'The image has 3600 megapixels; the limit is 100',
    ],
    [
      'F58 a long strip',
      hugePng(30_000, 10),
      'The image has a side of 30000 pixels; the limit is 20000',
    ],
    ['half a header', png.subarray(0, 18), 'The file ends too early'],
    [
      'F60 a vector picture with entities',
      Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'The file is not a video, image or audio file we can read',
    ],
    [
      'F54 text',
      Buffer.from('Just words'),
      'The file is not a video, image or audio file we can read',
    ],
    ['nothing', Buffer.alloc(0), 'The file is not a video, image or audio file we can read'],
  ])('%s is refused', async (_, bytes, sentence) => {
    writeFileSync(path.join(mediaFolder, 'bad.png'), bytes);
    expect((await failure(photo('bad.png'))).message).toBe(
      `Source error: Photo.source: ${sentence} (bad.png)`,
    );
  });

  const heavy = 'save it with 8 bits per channel, not interlaced or progressive, or smaller';
  const deepPng = hugePng(9_990, 9_990);
  deepPng.set([16, 6, 0, 0, 1], 24);
  test.each<[string, Buffer, string]>([
    ['an interlaced picture of 16 bits', deepPng, `1198 MB of memory; the limit is 1000: ${heavy}`],
    [
      'a progressive one of four colours',
      hugeJpg(9_500, 4),
      `1083 MB of memory; the limit is 1000`,
    ],
    ['an AVIF of 12 bits', hugeAvif(9_200, 12), `1016 MB of memory; the limit is 1000`],
  ])('F139 %s is weighed by its header', async (_name, bytes, sentence) => {
    writeFileSync(path.join(mediaFolder, 'heavy.png'), bytes);
    const { message, code } = await failure(photo('heavy.png'));
    expect(message).toContain(`Photo.source: Decoding the image takes ${sentence}`);
    expect(code).toBe('limit_exceeded');
    // A usual one of the kind is read.
    for (const fine of [hugePng(9_990, 9_990), hugeJpg(9_990, 3), hugeAvif(5_000, 10)]) {
      writeFileSync(path.join(mediaFolder, 'fine.png'), fine);
      await load(photo('fine.png'));
    }
  });

  const slow = 'The sound has 100 samples per second; expected 1000 to 1536000';
  const low = ['-f', 's16le', '-ar', '100', '-ac', '1', '-i', path.join(mediaFolder, 'low.pcm')];
  test.each<[string, () => Buffer | null, string]>([
    ['1.wav', () => wavOf(1, 1), 'The sound has 1 samples per second; expected 1000 to 1536000'],
    ['999.wav', () => wavOf(999, 2), 'The sound has 999 samples per second'],
    ['fast.wav', () => wavOf(0x7fff_ffff, 1), 'The sound has 2147483647 samples per second'],
    ['wide.wav', () => wavOf(48_000, 500), 'The sound has 500 channels; the limit is 64'],
    ['low.flac', () => null, slow],
    ['low.mkv', () => null, slow],
    ['low.avi', () => null, slow],
  ])('F139 a sound is weighed by its header: %s', async (name, bytes, sentence) => {
    const content = bytes();
    if (content) writeFileSync(path.join(mediaFolder, name), content);
    else {
      writeFileSync(path.join(mediaFolder, 'low.pcm'), Buffer.alloc(400));
      make(name, ...low, ...(name === 'low.flac' ? [] : ['-c:a', 'pcm_s16le']));
    }
    const { message, code } = await failure(photo(name, 'audio'));
    expect(message).toContain(`Photo.source: ${sentence}`);
    expect(code).toBe('limit_exceeded');
  });

  test('F139 a video whose frames are larger than any is refused', async () => {
    const huge = readFileSync(path.join(mediaFolder, 'v.mp4'));
    const head = huge.indexOf('avc1', huge.indexOf('stsd'));
    huge.writeUInt16BE(16_000, head + 28);
    huge.writeUInt16BE(8_000, head + 30);
    writeFileSync(path.join(mediaFolder, 'huge.mp4'), huge);
    const { message } = await failure(photo('huge.mp4', 'video'));
    expect(message).toContain('frames of 128 megapixels; the limit is 70: make it smaller');
  });

  test.each([
    ['image', 'v.mp4', 'Expected an image, but the file is a video'],
    ['video', 'a b.png', 'Expected a video, but the file is an image'],
    ['audio', 'a b.png', 'Expected a sound, but the file is an image'],
    ['video', 's.wav', 'Expected a video, but the file is a sound'],
    ['audio', 'v.avi', 'The video has no sound'],
  ])('an element of type %s with %s', async (type, file, sentence) => {
    expect((await failure(photo(file, type))).message).toContain(sentence);
  });

  test('fonts are checked and named apart', async () => {
    const font = readdirSync(path.resolve('node_modules/@fontsource/aileron/files')).find((name) =>
      name.endsWith('400-normal.woff2'),
    )!;
    copyFileSync(
      path.resolve('node_modules/@fontsource/aileron/files', font),
      path.join(mediaFolder, 'font.woff2'),
    );
    const { fonts, media } = await load({ fonts: [{ family: 'Mine', source: 'font.woff2' }] });
    expect([fonts!.get('font.woff2')!.endsWith('.woff2'), media.size]).toEqual([true, 0]);
    const error = await failure({ fonts: [{ family: 'Mine', source: 'a b.png' }] });
    expect(error.message).toBe(
      'Source error: fonts[0].source: The file is not a font file we can read (a b.png)',
    );
  });
});

test.each([
  ['bytes of no format', () => Buffer.alloc(500, 7)],
  ['an empty file', () => Buffer.alloc(0)],
  ['a page that a server answered with', () => Buffer.from('<!doctype html><title>Not here')],
  [
    'a packed font that claims to unpack to 4 GB',
    () => {
      const font = readFileSync(
        path.resolve('node_modules/@fontsource/aileron/files/aileron-latin-400-normal.woff'),
      );
      return Buffer.from(font.fill(0xff, 16, 20));
    },
  ],
  ['the first bytes of a packed font', () => Buffer.from('wOF2\0\x01')],
])('F66 %s in place of a font is skipped with its name', async (_, make) => {
  writeFileSync(path.join(mediaFolder, 'bad font.woff'), make());
  copyFileSync(
    path.resolve('node_modules/@fontsource/aileron/files/aileron-latin-400-normal.woff2'),
    path.join(mediaFolder, 'good.woff2'),
  );
  const { fonts, warnings } = await load({
    fonts: [
      { family: 'Bad', source: 'bad font.woff' },
      { family: 'Good', source: 'good.woff2' },
    ],
  });
  expect([...fonts!.keys()]).toEqual(['good.woff2']);
  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    [
      'font_unreadable',
      'The font file of fonts[0] (bad font.woff) is damaged or no font; another font is used',
    ],
  ]);
});

test("ffmpeg's report is read whatever its version", () => {
  const old = `Input #0, mov,mp4, from 'x':
  Duration: 00:01:02.50, start: -0.007000, bitrate: 300 kb/s
    Stream #0:0(und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, stereo, fltp, 128 kb/s (default)
    Stream #0:1(und): Video: h264 (High) (avc1 / 0x31637661), yuvj420p(pc, smpte170m/unknown/unknown), 720x576 [SAR 16:15 DAR 4:3], 287 kb/s, 23.98 fps, 25 tbr, 12800 tbn, 50 tbc (default)
    Metadata:
      rotate          : 90
    Side data:
      displaymatrix: rotation of -90.00 degrees
Output #0, null, to 'pipe:':
    Stream #0:0: Video: wrapped_avframe, yuv420p, 1x1, 1 fps`;
  expect(parseReport(old)).toEqual({
    duration: 62.5,
    start: -0.007,
    hasAudio: true,
    sounds: [{ sampleRate: 48_000, channels: null }],
    video: {
      codec: 'h264',
      width: 576,
      height: 768,
      frameRate: 24000 / 1001,
      hasAlpha: false,
      matrix: 'bt601',
      fullRange: true,
      inBlocks: true,
    },
  });
  const cover = `Input #0, mp3, from 'x':
  Duration: N/A, bitrate: 128 kb/s
  Stream #0:0: Audio: mp3, 44100 Hz, stereo, fltp, 128 kb/s
  Stream #0:1: Video: png, rgb24(pc), 500x500 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn (attached pic)`;
  expect(parseReport(cover)).toMatchObject({
    duration: null,
    start: 0,
    hasAudio: true,
    video: null,
  });
});
