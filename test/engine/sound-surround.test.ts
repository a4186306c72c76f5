/** Sources with more than two channels: mixed down as ITU-R BS.775 says, so that no speech is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { builds, rowsFor } from '../helpers/ffmpeg-builds.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { mixIn } from './sound-mixes.ts';
import { decibels, level, rate } from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sound-surround-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file whose channel `index` alone has a tone of 0.2. */
function oneSpeaks(name: string, layout: string, index: number, coding: readonly string[]): void {
  const count = { '5.1': 6, '5.1(side)': 6, '7.1': 8, quad: 4, '3.0': 3 }[layout] ?? 0;
  const channels = Array.from({ length: count }, (_, at) =>
    at === index ? '0.2*sin(2*PI*440*t)' : '0',
  );
  runFfmpegSync(
    ...['-f', 'lavfi', '-i', `aevalsrc=${channels.join('|')}:c=${layout}:s=48000:d=1.5`],
    ...[...coding, path.join(folder, name)],
  );
}

const codings = [
  ['wav', ['-c:a', 'pcm_s16le']],
  ['flac', ['-c:a', 'flac', '-sample_fmt', 's16']],
  ['m4a', ['-c:a', 'aac', '-b:a', '384k']],
  ['mov', ['-c:a', 'ac3', '-b:a', '448k']],
  ['mkv', ['-c:a', 'libopus', '-b:a', '384k']],
] as const;

/** Of each layout: a channel, and its level on the left and on the right; −100 = nothing. */
const speakers: readonly (readonly [string, string, number, number, number])[] = [
  ['the centre of 5.1', '5.1', 2, -3, -3],
  ['the left of 5.1', '5.1', 0, 0, -100],
  ['the right of 5.1', '5.1', 1, -100, 0],
  ['the back left of 5.1', '5.1', 4, -3, -100],
  ['the side right of 5.1(side)', '5.1(side)', 5, -100, -3],
  ['the centre of 7.1', '7.1', 2, -3, -3],
  ['the centre of 3.0', '3.0', 2, -3, -3],
  ['the back left of quad', 'quad', 2, -3, -100],
];

async function levels(name: string, ffmpeg?: (typeof builds)[number][1]): Promise<number[]> {
  const elements = [{ type: 'audio', source: name }];
  const { left, right } = await mixIn(folder, 1.5, elements, ffmpeg);
  return [left, right].map((side) =>
    Math.max(-100, decibels((level(side, 0.2 * rate, 1.2 * rate) * Math.SQRT2) / 0.2)),
  );
}

describe.each(builds)('with %s', (build, ffmpeg) => {
  test.each(rowsFor(build, speakers, ['the centre of 5.1']))(
    '%s',
    async (_, layout, index, ...wanted) => {
      oneSpeaks('one.wav', layout, index, ['-c:a', 'pcm_s16le']);
      const found = await levels('one.wav', ffmpeg);
      found.forEach((value, side) => {
        if (wanted[side] === -100) expect(value).toBeLessThan(-70);
        else expect(value).toBeCloseTo(wanted[side] ?? NaN, 1);
      });
    },
  );

  test.each(rowsFor(build, codings, ['m4a', 'mov']))(
    'a centre that speaks in %s',
    async (ending, coding) => {
      oneSpeaks(`centre.${ending}`, '5.1', 2, coding);
      for (const value of await levels(`centre.${ending}`, ffmpeg)) {
        expect(value).toBeGreaterThan(-4.5);
        expect(value).toBeLessThan(-2);
      }
    },
  );
});
