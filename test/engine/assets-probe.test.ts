/** What files are, by their content, and which ones are refused. */
import { createCanvas } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { soundArguments } from '../../server/engine/encode/arguments.ts';
import { parseReport } from '../../server/engine/assets/report.ts';
import { failure, ffmpeg, load, mediaFolder, photo, png, useFolder } from './assets-loading.ts';

useFolder();
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
      'F60 a vector picture with entities that grow',
      Buffer.from(
        '<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"/>',
      ),
      'The picture has entities (<!ENTITY …>) that are not plain text; save it as plain SVG',
    ],
    [
      'F54 text',
      Buffer.from('Just words'),
      "The file is text, which can't be used: an address that gives it leads to a page or an error; use the address of the file itself",
    ],
    ['nothing', Buffer.alloc(0), 'The file is empty; check where it comes from'],
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
  test.each<[string, string]>([
    ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'a HEIC photo, which can’t be used: export it as JPEG'],
    ['\0\0\0\x18ftypcrx \0\0\0\x01crx isom', 'a raw photo (Canon CR3)'],
    ['II*\0\x08\0\0\0', 'a TIFF picture or a raw photo'],
    ['II*\0\x10\0\0\0CR\x02\0', 'a raw photo (Canon CR2)'],
    ['\xff\x0a\x7f', 'a JPEG XL picture'],
    ['\0\0\0\x0cjP  \r\n', 'a JPEG 2000 picture'],
    ['8BPS\0\x01', 'a Photoshop document (PSD)'],
    ['%PDF-1.7', 'a PDF document'],
    ['%!PS-Adobe-3.0 EPSF-3.0', 'a PostScript document (EPS)'],
    ['\0\0\x01\0\x01\0', 'an icon (ICO)'],
    ['v/1\x01\x02', 'an OpenEXR picture'],
    ['P6 2 2 255 ', 'a PNM picture'],
    ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'a Windows Media file (WMV or WMA)'],
    ['FLV\x01\x05', 'a Flash video (FLV)'],
    ['\0\0\x01\xba\x44', 'an MPEG video (MPG or VOB)'],
    ['\0\0\0\x01\x67\x64', 'a bare H.264 or H.265 stream'],
    ['\x1f\x07\0\x3f', 'a DV video'],
    ['\x06\x0e\x2b\x34\x02', 'an MXF video'],
    ['#EXTM3U\n', 'a playlist (M3U8)'],
    ['FORM\0\0\0\0AIFF', 'an AIFF sound, which can’t be used: save it as MP3, M4A or WAV'],
    ['caff\0\x01', 'a Core Audio sound (CAF)'],
    ['.snd\0\0', 'a Sun sound (AU)'],
    ['\x0b\x77\x12', 'a Dolby Digital sound (AC-3)'],
    ['wvpk\0', 'a WavPack sound'],
    ['TTA1\x01', 'a True Audio sound (TTA)'],
    ['MThd\0', 'a MIDI file'],
    ['PK\x03\x04\x14', 'a ZIP archive or an Office document'],
    ['{"v":"5.5","fr":30,"layers":[]}', 'a Lottie animation: give the element the type "lottie"'],
    ['\xef\xbb\xbf<!DOCTYPE html><html>', 'a web page (HTML)'],
    ['{"error": "no"}', 'JSON text'],
    ['version https://git-lfs.github.com/spec/v1\n', 'a pointer of Git LFS'],
    ['\0\0\0\x18ftypavci\0\0\0\0mif1', 'a HEIC photo'],
    ['\0\0\0\x18ftypbraw\0\0\0\0', 'a raw film (Blackmagic BRAW)'],
    ['IIRO\x08\0\0\0', 'a raw photo'],
    ['II\xbc\x01', 'a JPEG XR picture'],
    ['\0\0\x02\0\0\0\0\0\0\0\0\0\x40\0\x40\0\x18\0', 'a Targa picture (TGA)'],
    ['\x0a\x05\x01\x08', 'a PCX picture'],
    ['/* XPM */\nstatic', 'an X pixmap'],
    ['RIFF\0\0\0\0CDR9', 'a CorelDRAW document'],
    ['\0\0\x04\0RED2', 'a raw film (RED R3D)'],
    ['.ra\xfd\0', 'a RealMedia file'],
    ['RIFF\0\0\0\0RMIDdata', 'a MIDI file'],
    ['Extended Module: song', 'a tracker module, which has notes and no sound'],
    ['\0\0\0\x20\xf8\x72\x6f\xba', 'a Dolby TrueHD sound'],
    ['\xef\xbb\xbf#EXTM3U\n', 'a playlist (M3U8)'],
    ['http://a/b.mp3\n', 'a list of files'],
    ['<?xml version="1.0"?>\n<!DOCTYPE fcpxml>', 'a project of a video editor'],
    ['\x80\x01\0\0%!PS-AdobeFont-1.0', 'a font of an older kind'],
    ['BZh91AY&SY', 'an archive'],
    ['MZ\x90\0\x03', 'a program'],
    ['\x89PNG\n\x1a\n', 'binary data that was changed as if it were text'],
    ['\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd', 'binary data that was changed as if it were text'],
    ['data:image/png;base64,iVBORw0KGgo', 'base64 text'],
    ['AAAAIGZ0eXBpc29t', 'base64 text'],
    ['\xff\xfe<\0h\0t\0m\0l\0>\0', 'a web page (HTML)'],
    ['<Error><Code>AccessDenied</Code></Error>', 'XML text'],
    ['WEBVTT\n', 'subtitles'],
    ['[Script Info]\n', 'subtitles of another kind'],
    ['404: Not Found', 'text, which can’t be used: an address that gives it leads to'],
    ['\0\0\0\0\0\0\0\0', 'empty but for zeros'],
  ])('C11: a file that begins with %j is named', async (start, words) => {
    writeFileSync(path.join(mediaFolder, 'other'), Buffer.from(start, 'latin1'));
    const { message } = await failure(photo('other'));
    expect(message.replace('’', "'")).toContain(`The file is ${words.replace('’', "'")}`);
  });

  const tag = Buffer.concat([
    Buffer.from('ID3\x03\0\0\0\0\x27\x08', 'latin1'),
    Buffer.alloc(5_000),
  ]);
  test.each([
    ['flac', 'flac', [tag]],
    ['aac', 'aac', [tag, tag]],
    ['wav', 'wav', [tag]],
    ['ogg', 'ogg', [tag]],
    ['mp3', 'mp3', [tag]],
    ['mp3', 'mp3', [Buffer.alloc(600)]],
    ['mp3', 'mp3', [Buffer.from('the end of a frame')]],
  ] as const)(
    'C11: a sound in %s behind a tag, zeros or half a frame',
    async (ending, format, before) => {
      make(
        `bare.${ending}`,
        ...sound,
        ...(ending === 'mp3' ? ['-id3v2_version', '0', '-write_xing', '0'] : []),
      );
      const bytes = readFileSync(path.join(mediaFolder, `bare.${ending}`));
      writeFileSync(path.join(mediaFolder, 'tagged'), Buffer.concat([...before, bytes]));
      const { media } = await load(photo('tagged', 'audio'));
      const info = media.get('tagged')!.info;
      expect(info).toMatchObject({ kind: 'audio', format });
      expect(Math.abs(info.duration - 2)).toBeLessThan(0.2);
    },
  );

  test('C11: a first sound that nobody can decode gives way to the next, or to silence', async () => {
    const tones = ['-f', 'lavfi', '-i', 'sine=300:d=1', '-f', 'lavfi', '-i', 'sine=900:d=1'];
    make(
      'two.mov',
      ...video,
      ...tones,
      ...['-map', '0', '-map', '1', '-map', '2'],
      ...['-c:a', 'aac', '-t', '1'],
    );
    const unread = (name: string, tracks: number): void => {
      const bytes = readFileSync(path.join(mediaFolder, 'two.mov'));
      for (
        let at = bytes.indexOf('stsd'), left = tracks;
        at >= 0;
        at = bytes.indexOf('stsd', at + 4)
      ) {
        if (bytes.toString('latin1', at + 16, at + 20) !== 'mp4a' || left-- <= 0) continue;
        bytes.write('apac', at + 16, 'latin1');
        // What would still tell the codec.
        bytes.write('none', bytes.indexOf('esds', at), 'latin1');
      }
      writeFileSync(path.join(mediaFolder, name), bytes);
    };
    unread('first.mov', 1);
    unread('none.mov', 2);
    const first = await load(photo('first.mov', 'video'));
    expect(first.media.get('first.mov')!.info).toMatchObject({ hasAudio: true, soundTrack: 1 });
    expect(first.warnings.map(({ message }) => message)).toEqual([
      'The first sound of the file is in a format we cannot read (apac); the next one is heard',
    ]);
    const none = await load(photo('none.mov', 'video'));
    expect(none.media.get('none.mov')!.info.hasAudio).toBe(false);
    expect(none.warnings[0]?.message).toContain('(apac); the video is silent');
    const cut = { path: 'x', demuxer: 'mov', fileStart: 0, start: 0, duration: 1, speed: 1 };
    expect(soundArguments({ ...cut, track: 1 }, 'y')).toContain('0:a:1');
  });

  const vector = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"/>';
  const named = '<!DOCTYPE svg PUBLIC "a" "b" [ <!ENTITY ns_svg "http://www.w3.org/2000/svg"> ]>';
  test.each<[string, Buffer]>([
    ['a mark', Buffer.from(`\ufeff${vector}`)],
    ['blank lines and a document type', Buffer.from(`\n\n<!DOCTYPE svg>\n${vector}`)],
    [
      'entities',
      Buffer.from(`${named}${vector.replace('http://www.w3.org/2000/svg', '&ns_svg;')}`),
    ],
    ['a long comment', Buffer.from(`<?xml version="1.0"?><!--${'x'.repeat(5_000)}-->${vector}`)],
    ['UTF-16', Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${vector}`, 'utf16le')],
    ['a prefix', Buffer.from(vector.replace('<svg xmlns', '<svg:svg xmlns:svg'))],
    ['packing', gzipSync(vector)],
  ])('C11: a vector picture with %s', async (_what, bytes) => {
    writeFileSync(path.join(mediaFolder, 'start.svg'), bytes);
    const { media } = await load(photo('start.svg'));
    const { info, path: file } = media.get('start.svg')!;
    expect(info).toMatchObject({ format: 'svg', width: 300, height: 200 });
    expect(readFileSync(file, 'utf8')).toContain(vector);
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
