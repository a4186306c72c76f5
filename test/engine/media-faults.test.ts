/** Damaged and unusual media through loading and whole renders: fault rows F56, F58, F62, each named by its number. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isCutOff } from '../../server/engine/assets/fetch/cut-off.ts';
import { renderInto } from '../helpers/engine.ts';
import { frameBrightness, runFfmpegSync } from '../helpers/media.ts';
import { failure, folder, load, mediaFolder, photo, png, useFolder } from './assets-loading.ts';

useFolder();

const whole = (ending: string): string => path.join(mediaFolder, `whole.${ending}`);

beforeAll(() => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=96x64:r=10:d=3', '-pix_fmt', 'yuv420p'];
  const h264 = ['-c:v', 'libx264', '-g', '5'];
  runFfmpegSync(...source, ...h264, '-movflags', 'faststart', whole('mp4'));
  runFfmpegSync(...source, ...h264, whole('mkv'));
  runFfmpegSync(...source, '-c:v', 'mpeg2video', whole('ts'));
  runFfmpegSync(...source, '-c:v', 'mpeg4', whole('avi'));
});

describe.each(['mp4', 'mkv', 'ts', 'avi'])('F56 %s', (ending) => {
  const format = ending === 'mkv' ? 'webm' : ending;

  test('whole: nothing is said', async () => {
    const { warnings } = await load(photo(`whole.${ending}`, 'video'));
    expect(warnings).toEqual([]);
    expect(await isCutOff(whole(ending), format)).toBe(false);
  });

  test('cut in the middle: it is played as far as it goes, with a warning', async () => {
    const bytes = readFileSync(whole(ending));
    // Not a multiple of the packets of transport streams.
    const length = Math.round(bytes.length * 0.6) | 1;
    writeFileSync(path.join(mediaFolder, `cut.${ending}`), bytes.subarray(0, length));
    const output = `cut-${ending}.mp4`;
    const { warnings, facts } = await renderInto(
      folder,
      output,
      {
        output_format: 'mp4',
        width: 96,
        height: 64,
        frame_rate: 10,
        duration: 3,
        elements: [{ type: 'video', source: `cut.${ending}`, name: 'Clip', duration: 3 }],
      },
      { mediaFolders: [mediaFolder], workFolder: path.join(folder, `work-${ending}`) },
    );
    expect(warnings.map(({ code }) => code)).toContain('file_cut_off');
    expect(facts).toMatchObject({ duration: 3 });
    // No frame is missing, and none is black.
    const brightness = frameBrightness(path.join(folder, output));
    expect([brightness.length, Math.min(...brightness) > 40]).toEqual([30, true]);
  });
});

test('F56 an mp4 without its index fails', async () => {
  const target = path.join(mediaFolder, 'no-index.mp4');
  runFfmpegSync('-i', whole('mp4'), '-c', 'copy', target);
  writeFileSync(target, readFileSync(target).subarray(0, 2000));
  expect((await failure(photo('no-index.mp4', 'video'))).message).toContain(
    'The file ends too early',
  );
});

test('F58 a huge picture is refused by its header: memory does not grow', async () => {
  const head = Buffer.from(png);
  head.writeUInt32BE(30_000, 16);
  head.writeUInt32BE(30_000, 20);
  writeFileSync(path.join(mediaFolder, 'huge.png'), head);
  const before = process.memoryUsage().rss;
  const { message } = await failure(photo('huge.png'));
  expect(message).toContain('The image has 900 megapixels; the limit is 100');
  expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(100);
});

test('F62 a codec that nobody knows is named as such', async () => {
  const bytes = readFileSync(whole('mp4'));
  bytes.write('zz9q', bytes.indexOf('avc1', bytes.indexOf('stsd')), 'latin1');
  writeFileSync(path.join(mediaFolder, 'unknown.mp4'), bytes);
  expect((await failure(photo('unknown.mp4', 'video'))).message).toBe(
    'Source error: Photo.source: The file uses a format we cannot read (zz9q) (unknown.mp4)',
  );
});
