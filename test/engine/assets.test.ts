/** Files of a document: finding them, those of this computer, those written into the document. */
import { createCanvas } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { collectMedia } from '../../shared/renderscript/media-requests.ts';
import { pictureBytes } from '../../shared/limits.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { MediaShelf } from '../../server/engine/assets/shelf.ts';
import {
  failure,
  folder,
  load,
  mediaFolder,
  options,
  photo,
  png,
  useFolder,
} from './assets-loading.ts';

useFolder();

describe('finding files', () => {
  const source: Source = {
    fonts: [{ family: 'Mine', source: 'https://a/mine.ttf' }, { family: 'Without' }],
    elements: [
      { type: 'image', name: 'Photo', source: 'https://a/photo.jpg' },
      { type: 'image', source: '' },
      { type: 'video', source: 'https://a/clip.mp4' },
      { type: 'text', text: 'x', source: 'https://a/not-media' },
      {
        type: 'composition',
        elements: [
          { type: 'audio', source: 'https://a/clip.mp4' },
          { type: 'composition', elements: [{ type: 'audio', source: 'https://a/music.mp3' }] },
        ],
      },
      { type: 'image', source: 'a cat', provider: 'painter' },
      { type: 'image', source: null },
    ],
  };

  test('in document order, at any depth, each address once', () => {
    expect(
      collectMedia(source).map(({ kind, path: place, element, source: address, uses }) => [
        kind,
        place,
        element,
        address,
        [...uses].join(),
      ]),
    ).toEqual([
      ['font', 'fonts[0].source', 'fonts[0]', 'https://a/mine.ttf', 'font'],
      ['image', 'elements[0].source', 'Photo', 'https://a/photo.jpg', 'image'],
      ['video', 'elements[2].source', 'Video 1', 'https://a/clip.mp4', 'video,audio'],
      [
        'audio',
        'elements[4].elements[1].elements[0].source',
        'Audio 1',
        'https://a/music.mp3',
        'audio',
      ],
    ]);
  });

  test('in a document nested deeper than the stack', () => {
    let elements: JsonObject[] = [{ type: 'image', source: 'deep' }];
    for (let depth = 0; depth < 50_000; depth++) elements = [{ type: 'composition', elements }];
    expect(collectMedia({ elements })).toHaveLength(1);
  });
});

describe('files of this computer', () => {
  beforeAll(() => {
    writeFileSync(path.join(mediaFolder, 'a b.png'), png);
    writeFileSync(path.join(folder, 'secret.txt'), 'secret');
    writeFileSync(path.join(folder, 'outside.png'), png);
    mkdirSync(path.join(mediaFolder, 'inner'));
    symlinkSync(path.join(folder, 'outside.png'), path.join(mediaFolder, 'link.png'));
    execFileSync('mkfifo', [path.join(mediaFolder, 'pipe.png')]);
  });

  test('by name, as media:, as file: and by path', async () => {
    for (const address of [
      'a b.png',
      './inner/../a b.png',
      'media:a%20b.png',
      `file://${mediaFolder}/a%20b.png`,
      path.join(mediaFolder, 'a b.png'),
    ]) {
      const { media } = await load(photo(address));
      expect(media.get(address)!.info.width, address).toBe(40);
    }
  });

  test('F64 are read once: what happens to them later changes nothing', async () => {
    const original = path.join(mediaFolder, 'changing.png');
    writeFileSync(original, png);
    const { media } = await load(photo('changing.png'));
    rmSync(original);
    expect(readFileSync(media.get('changing.png')!.path)).toEqual(png);
  });

  test.each([
    ['nothing.png', 'The file does not exist'],
    ['../outside.png', 'Files outside the media folders cannot be read'],
    ['../nothing.png', 'Files outside the media folders cannot be read'],
    ['link.png', 'Files outside the media folders cannot be read'],
    ['/etc/passwd', 'Files outside the media folders cannot be read'],
    ['file:///etc/passwd', 'Files outside the media folders cannot be read'],
    ['file://server/share/x.png', 'Files outside the media folders cannot be read'],
    ['media:../outside.png', 'Files outside the media folders cannot be read'],
    ['inner', 'inner is not a file'],
    ['pipe.png', 'pipe.png is not a file'],
    ['/dev/zero', 'Files outside the media folders cannot be read'],
  ])('F63 F64 %s is refused', async (address, sentence) => {
    expect((await failure(photo(address))).message).toContain(`Photo.source: ${sentence}`);
  });
});

test('a picture is given up at the size of pictures, before the whole file is here', async () => {
  writeFileSync(path.join(mediaFolder, 'endless.png'), '');
  truncateSync(path.join(mediaFolder, 'endless.png'), pictureBytes + 1);
  const limits = { mediaBytes: 1e9 };
  expect((await failure(photo('endless.png'), limits)).message).toContain('the limit of 100 MB');
  expect((await failure(photo('endless.png', 'video'), limits)).message).not.toContain('limit');
});

describe('data addresses', () => {
  test.each([
    ['base64', `data:image/png;base64,${png.toString('base64')}`],
    [
      'percent-encoded',
      `data:image/png,${[...png].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`,
    ],
    [
      'text',
      'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>',
    ],
  ])('%s', async (_, address) => {
    expect((await load(photo(address))).media.get(address)!.info).toMatchObject({
      width: 40,
      height: 30,
    });
  });

  test('more than 10 MB', async () => {
    const error = await failure(photo(`data:image/png;base64,${'A'.repeat(14_500_000)}`), {
      mediaBytes: 1e9,
    });
    expect(error.message).toContain('Larger than the limit of 10 MB (data:image/png;base64,…)');
  });
});

test('two processes that use one folder after each other never call different files by the same path', async () => {
  const given = options();
  const names = ['one.png', 'two.png', 'three.png'];
  for (const [index, name] of names.entries())
    writeFileSync(path.join(mediaFolder, name), createCanvas(40 + index, 30).toBuffer('image/png'));
  const film = (...shown: readonly string[]): Source => ({
    elements: shown.map((source) => ({ type: 'image', source })),
  });
  const noFfmpeg = (): Promise<never> => Promise.reject(new Error('No file needs it.'));
  const contents = new Map<string, string>();
  for (const order of [names, [...names].reverse(), names.slice(1)]) {
    const { assets } = await new MediaShelf().load(film(...order), given, noFfmpeg);
    for (const { source, path: file } of assets.media.values()) {
      expect(contents.get(file) ?? source).toBe(source);
      contents.set(file, source);
    }
  }
  expect(contents.size).toBeGreaterThanOrEqual(names.length);
});
