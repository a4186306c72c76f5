/**
 * Frames that stand on a video against the same frames painted whole: what the encoder is given, plane by plane, for clips and
 * graphics of all kinds. Both ways are one picture up to the rounding of colours.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { likeness } from '../helpers/frame-recorder.ts';
import { files, framesOf, makeClips, others, works, type GroundFilm } from './ground-films.ts';
import { binaries, maker } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'plan-test-'));
beforeAll(() => makeClips(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function compare(film: GroundFilm, ffmpegPath: string): Promise<void> {
  const { grounds } = film;
  const plain = await framesOf(folder, film, ffmpegPath, 'plain');
  const fast = await framesOf(folder, film, ffmpegPath, 'fast');
  expect(plain.onGround.filter(Boolean)).toHaveLength(0);
  expect(fast.onGround.filter(Boolean)).toHaveLength(grounds);
  expect(fast.frames).toHaveLength(plain.frames.length);
  const apart = fast.frames.map((frame, index) => likeness(frame, plain.frames[index] ?? frame));
  if (grounds === 0) expect(apart.every((value) => value === Infinity)).toBe(true);
  else expect(Math.min(...apart)).toBeGreaterThan(45);
}

describe.each(binaries)('with %s', (binary) => {
  test.each(Object.entries(files))('%s', async (_, film) => {
    await compare(film, (await findFfmpeg(binary)).path);
  });
});

test.each(Object.entries(works))('%s', async (_, film) => {
  await compare(film, maker.path);
});

test.each(Object.entries(others))('painted because %s', async (_, film) => {
  await compare(film, maker.path);
});
