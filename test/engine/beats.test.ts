/** The beats of sounds, from their loudness. */
import { describe, expect, it } from 'vitest';
import { beatRate, beatsOf } from '../../renderer/engine/beats.ts';
import { beatsOfClip } from '../../renderer/editor/timeline/file-time.ts';
import { seededRandom } from '../shared/random.ts';

const random = seededRandom(7);

/** Loudness of a sound: strokes at moments over noise. */
function sound(seconds: number, strokes: readonly number[], noise = 0.02): Float32Array {
  const values = new Float32Array(seconds * beatRate);
  for (let at = 0; at < values.length; at++) values[at] = noise * (0.5 + random.next());
  for (const moment of strokes)
    for (let after = 0; after < 12; after++) {
      const place = Math.round(moment * beatRate) + after;
      if (place < values.length) values[place] = (values[place] ?? 0) + 2 * 0.6 ** after;
    }
  return values;
}

const every = (span: number, from: number, to: number): number[] =>
  Array.from({ length: Math.floor((to - from) / span) + 1 }, (_, index) => from + index * span);

describe('beatsOf', () => {
  it.each([
    ['120 in a minute', 0.5, 0.2],
    ['96 in a minute', 0.625, 0],
    ['75 in a minute', 0.8, 0.33],
    ['150 in a minute', 0.4, 0.1],
  ])('finds %s', (_, span, from) => {
    const strokes = every(span, from, 29);
    const found = beatsOf(sound(30, strokes));
    expect(Math.abs(found.length - strokes.length)).toBeLessThanOrEqual(2);
    for (const at of found) {
      const nearest = Math.min(...strokes.map((stroke) => Math.abs(stroke - at)));
      expect(nearest).toBeLessThan(0.03);
    }
  });

  it('follows a band that gets faster, and goes on over a missing stroke', () => {
    const strokes: number[] = [];
    for (let at = 0.5, span = 0.52; at < 58; at += span, span *= 0.9985) strokes.push(at);
    const missing = strokes.filter((_, index) => index % 9 !== 4);
    const found = beatsOf(sound(60, missing));
    const hits = strokes.filter((stroke) => found.some((at) => Math.abs(at - stroke) < 0.05));
    expect(hits.length / strokes.length).toBeGreaterThan(0.9);
  });

  it('finds none in silence, noise, a steady tone, and a sound of a second', () => {
    expect(beatsOf(new Float32Array(3000))).toEqual([]);
    expect(beatsOf(new Float32Array(3000).fill(0.7))).toEqual([]);
    expect(beatsOf(sound(60, []))).toEqual([]);
    expect(beatsOf(sound(1, [0.2, 0.7]))).toEqual([]);
    expect(beatsOf([])).toEqual([]);
  });

  it('takes an hour in a few seconds', () => {
    const began = performance.now();
    expect(beatsOf(sound(3600, every(0.5, 0, 3599))).length).toBeGreaterThan(7000);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('beatsOfClip', () => {
  const clip = { trimStart: 1, trimDuration: 2, loop: false, speed: 1 };
  const media = { source: 'a', length: 9, clip };
  const beats = [0.5, 1, 1.5, 2, 2.5, 3, 3.5];

  it.each([
    ['only what plays', { start: 10, duration: 5, media }, [10, 10.5, 11, 11.5]],
    ['not after its end', { start: 0, duration: 0.7, media }, [0, 0.5]],
    [
      'faster',
      { start: 0, duration: 1, media: { ...media, clip: { ...clip, speed: 2 } } },
      [0, 0.25, 0.5, 0.75],
    ],
    [
      'again in a loop',
      { start: 0, duration: 3, media: { ...media, clip: { ...clip, loop: true } } },
      [0, 0.5, 1, 1.5, 2, 2.5, 3],
    ],
    [
      'none of a changing speed',
      { start: 0, duration: 3, media: { ...media, clip: { ...clip, speeds: [] } } },
      [],
    ],
    ['none without a file', { start: 0, duration: 3, media: null }, []],
  ])('%s', (_, one, gives) => {
    expect(beatsOfClip(one, beats)).toEqual(gives);
  });
});
