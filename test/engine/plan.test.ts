/**
 * Frames that stand on a video against the same frames painted whole: what the encoder is given, plane by plane, for
 * clips and graphics of all kinds. Both ways are one picture up to the rounding of colours.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plansOf } from '../../server/engine/motion.ts';
import { planFrames } from '../../server/engine/plan.ts';
import { builds, rowsFor } from '../helpers/ffmpeg-builds.ts';
import { someInQuick, someOf } from '../helpers/long.ts';
import { likeness } from '../helpers/frame-recorder.ts';
import {
  files,
  framesOf,
  makeClips,
  newest,
  openFilm,
  others,
  works,
  type GroundFilm,
} from './ground-films.ts';

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

/** Conversions of another range or matrix, which ffmpeg's versions do in other ways. */
const ofVersions = ['the full range', 'a colour for every pixel', 'large and of another matrix'];

describe.each(builds)('with %s', (build, { path: ffmpegPath }) => {
  const rows = rowsFor(build, Object.entries(files), ofVersions);
  test.each(someInQuick(rows, 12))('%s', async (_, film) => {
    await compare(film, ffmpegPath);
  });
});

test.each(someInQuick(Object.entries(works), 6))('%s', async (_, film) => {
  await compare(film, newest.path);
});

const painted = Object.entries(others);
/** Films that are made both ways in the short form too. */
const made = new Map(someOf(painted, 3));

test.each(painted)('painted because %s', async (name, film) => {
  const stage = await openFilm(folder, film, newest.path);
  try {
    const plans = [...planFrames(plansOf(stage))];
    expect(plans.filter(({ ground }) => ground !== null)).toHaveLength(film.grounds);
  } finally {
    await stage.close();
  }
  if (made.has(name)) await compare(film, newest.path);
});
