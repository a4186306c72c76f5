/** What the media library learns of a file, and the small pictures that it shows. */
import { createCanvas } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPictureHeader } from '../../server/engine/assets/pictures/picture-header.ts';
import { inspectFile, type Inspection } from '../../server/engine/inspect.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { engineLimits } from '../../shared/limits.ts';
import { ffmpeg, folder, useFolder } from './assets-loading.ts';

useFolder();

const make = (name: string, ...args: string[]): string => {
  execFileSync(ffmpeg.path, ['-v', 'error', '-y', ...args, path.join(folder, name)]);
  return name;
};

function write(name: string, bytes: Buffer): string {
  writeFileSync(path.join(folder, name), bytes);
  return name;
}

function inspect(name: string): Promise<Inspection> {
  const workFolder = path.join(folder, `work-${name}`);
  mkdirSync(workFolder, { recursive: true });
  return inspectFile(
    {
      filePath: path.join(folder, name),
      thumbnailPath: path.join(folder, `small-${name}`),
      workFolder,
      fontFolder: fontFolder(),
      limits: engineLimits,
    },
    new AbortController().signal,
  );
}

const video = ['-f', 'lavfi', '-i', 'testsrc2=s=640x480:r=25:d=2'];
const tone = ['-f', 'lavfi', '-i', 'sine=d=2'];

// Name, how it is made, facts, small picture.
test.each([
  [
    'a video with sound',
    () => make('a.mp4', ...video, ...tone, '-pix_fmt', 'yuv420p'),
    { kind: 'video', width: 640, height: 480, frameRate: 25, hasAudio: true },
    ['jpg', 320, 240],
  ],
  [
    'a tall photo',
    () => write('tall', createCanvas(300, 900).toBuffer('image/jpeg')),
    { kind: 'image', format: 'jpg', width: 300, height: 900, duration: 0 },
    ['jpg', 107, 320],
  ],
  [
    'a small logo with opacity',
    () => write('logo', createCanvas(40, 30).toBuffer('image/png')),
    { kind: 'image', format: 'png', hasAlpha: true },
    ['png', 40, 30],
  ],
  [
    'a moving picture',
    () => make('b.gif', '-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=1'),
    { kind: 'image', format: 'gif', duration: 1, frameRate: 5 },
    ['png', 64, 48],
  ],
  ['a sound', () => make('c.mp3', ...tone), { kind: 'audio', width: 0, hasAudio: true }, null],
  [
    'a table of colors',
    () => write('d.cube', readFileSync('test/fixtures/teal-orange.cube')),
    { kind: 'lut', format: 'cube', width: 0, duration: 0, hasAlpha: false },
    ['png', 320, 180],
  ],
] as const)('%s', async (_, file, facts, small) => {
  const name = file();
  const { info, thumbnail, isCutOff } = await inspect(name);
  expect(info).toMatchObject(facts);
  expect([isCutOff, thumbnail]).toEqual([false, small?.[0] ?? null]);
  if (small === null) return;
  const [ending, width, height] = small;
  const bytes = readFileSync(path.join(folder, `small-${name}.${ending}`));
  expect(readPictureHeader(ending, bytes)).toMatchObject({ width, height });
});

test('what is no media, and what is too large, is refused with the reason alone', async () => {
  write('words', Buffer.from('Just words'));
  await expect(inspect('words')).rejects.toThrow(
    /^The file is text, which can't be used: an address that gives it leads to a page/,
  );
  const huge = createCanvas(4, 4).toBuffer('image/png');
  huge.writeUInt32BE(30_000, 16);
  huge.writeUInt32BE(30_000, 20);
  write('huge', huge);
  await expect(inspect('huge')).rejects.toThrow(/^The image has 900 megapixels; the limit is 100$/);
  expect(existsSync(path.join(folder, 'small-huge.png'))).toBe(false);
  write('half.cube', Buffer.from('TITLE "Half"\nLUT_3D_SIZE 2\n0 0 0\n1 1'));
  await expect(inspect('half.cube')).rejects.toThrow(
    /^Line 4 of the color table: expected three numbers; found 1 1$/,
  );
  write('endless.cube', Buffer.concat([Buffer.from('LUT_3D_SIZE 2\n'), Buffer.alloc(21e6, '#')]));
  await expect(inspect('endless.cube')).rejects.toThrow('The color table has more than 20 MB');
});
