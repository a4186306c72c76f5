/**
 * One document, one picture: however many workers draw at the same time, and whichever ffmpeg reads its videos. The
 * workers are the built ones, in processes of their own.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { renderInto } from '../helpers/engine.ts';
import { readPicture } from '../helpers/pictures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'repeatable-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cli = path.join(import.meta.dirname, '..', '..', 'dist', 'server', 'cli.mjs');
const fixtures = path.join(import.meta.dirname, '..', 'fixtures');

/** Something of everything that is kept, measured or decoded: video, text, blur, shadow, mask, turns, patterns. */
const everything = {
  width: 240,
  height: 136,
  frame_rate: 6,
  duration: 1,
  fill_color: [
    { offset: '0%', color: '#1c7ed6' },
    { offset: '100%', color: '#f8f0fc' },
  ],
  fill_mode: 'linear',
  elements: [
    {
      type: 'video',
      source: 'numbers.mp4',
      x: '25%',
      width: '46%',
      height: '80%',
      border_radius: 9,
    },
    {
      type: 'shape',
      x: '25%',
      width: '40%',
      height: '60%',
      fill_color: '#fff',
      mask_mode: 'alpha',
    },
    {
      type: 'image',
      source: 'photo.jpg',
      x: '75%',
      width: '40%',
      height: '50%',
      y_rotation: [
        { time: 0, value: '-40°' },
        { time: 1, value: '40°', easing: 'linear' },
      ],
      shadow_color: '#000',
    },
    {
      type: 'composition',
      width: 14,
      height: 14,
      repeat: true,
      opacity: '30%',
      elements: [{ type: 'shape', width: '60%', height: '60%', fill_color: '#fab005' }],
    },
    {
      type: 'text',
      text: 'The same every time',
      width: '80%',
      height: '30%',
      y: '82%',
      x_alignment: '50%',
      blur_radius: [
        { time: 0, value: 6 },
        { time: 1, value: 0, easing: 'linear' },
      ],
      animations: [{ type: 'text-slide', duration: 0.8, split: 'letter' }],
    },
  ],
};

describe('workers', () => {
  const run = async (name: string): Promise<string> => {
    const source = path.join(folder, 'source.json');
    const output = path.join(folder, name);
    await promisify(execFile)(process.execPath, [
      cli,
      'render',
      source,
      output,
      '--media',
      fixtures,
    ]);
    return createHash('sha256').update(readFileSync(output)).digest('hex');
  };

  test('two at the same time give the bytes of one alone', async () => {
    writeFileSync(path.join(folder, 'source.json'), JSON.stringify(everything));
    const [one, two] = await Promise.all([run('one.mp4'), run('two.mp4')]);
    const alone = await run('alone.mp4');
    expect(one).toBe(alone);
    expect(two).toBe(alone);
  });
});

describe('versions of ffmpeg', () => {
  // The package brings an old one; machines that test have a newer one on the PATH.
  const both = process.platform === 'linux' && spawnSync('ffmpeg', ['-version']).status === 0;
  test.skipIf(!both)('frames differ by one level at most', async () => {
    const packaged: unknown = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg');
    const { path: old } = packaged as { path: string };
    const versions = await Promise.all([findFfmpeg(old), findFfmpeg('ffmpeg')]);
    expect(versions[0].path).not.toBe(versions[1].path);
    for (const moment of [0.04, 0.5, 0.96]) {
      const pictures: Uint8ClampedArray[] = [];
      for (const { path: ffmpegPath, major } of versions) {
        const name = `${moment}-${major}.png`;
        await renderInto(
          folder,
          name,
          { ...everything, output_format: 'mp4' },
          { moment, ffmpegPath },
        );
        pictures.push(readPicture(path.join(folder, name)).data);
      }
      const [one, two] = pictures;
      const farthest = one!.reduce(
        (most, level, index) => Math.max(most, Math.abs(level - two![index]!)),
        0,
      );
      expect(farthest, `at ${moment} s`).toBeLessThanOrEqual(1);
    }
  });
});
