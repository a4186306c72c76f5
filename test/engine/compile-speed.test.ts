/** Speed of play: what has played after some time, and back; lengths of elements whose speed changes. */
import { describe, expect, test } from 'vitest';
import { scheduleDocument } from '../../shared/engine/compile/schedule.ts';
import { playedAt, speedAt, speedOf, timePlayed } from '../../shared/engine/compile/speed.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import type { Json } from '../../shared/renderscript/source.ts';

const linear = (...keys: [time: number, percent: number][]): Json =>
  keys.map(([time, percent]) => ({ time, value: `${percent}%`, easing: 'linear' }));

function speedsOf(value: Json): {
  speed: number;
  speeds: Exclude<ReturnType<typeof speedOf>, number>;
} {
  const speeds = speedOf(value, 4);
  if (typeof speeds === 'number') throw new Error('expected a speed that changes');
  return { speed: 1, speeds };
}

test.each<[string, Json | undefined, number]>([
  ['absent', undefined, 1],
  ['in percent', '250%', 2.5],
  ['one keyframe', linear([0, 50]), 0.5],
  ['keyframes that agree', linear([0, 50], [3, 50]), 0.5],
])('%s: one number', (_, value, expected) => {
  expect(speedOf(value, 4)).toBe(expected);
});

// Keyframes, seconds of the element, seconds played, speed there.
test.each<[string, Json, number, number, number]>([
  ['before anything', linear([0, 100], [2, 300]), 0, 0, 1],
  ['on the way', linear([0, 100], [2, 300]), 1, 1.5, 2],
  ['at the end', linear([0, 100], [2, 300]), 2, 4, 3],
  ['held after the end', linear([0, 100], [2, 300]), 3, 7, 3],
  ['held before the first', linear([1, 200], [2, 400]), 0.5, 1, 2],
  ['keys before 0', linear([-1, 100], [1, 300]), 1, 2.5, 3],
  [
    'percent times',
    [
      { time: '0%', value: '100%' },
      { time: '50%', value: '300%', easing: 'linear' },
    ],
    2,
    4,
    3,
  ],
  [
    'steps',
    [
      { time: 0, value: '100%' },
      { time: 2, value: '300%', easing: 'steps(2)' },
    ],
    2,
    3,
    3,
  ],
])('%s', (_, value, time, played, speed) => {
  const speeds = speedsOf(value);
  expect(playedAt(speeds, time)).toBeCloseTo(played, 9);
  expect(speedAt(speeds, time)).toBeCloseTo(speed, 9);
});

describe('the way back', () => {
  test.each<[string, Json]>([
    ['rising', linear([0, 25], [3, 400])],
    ['falling', linear([0, 400], [3, 25])],
    ['up and down', linear([0.5, 100], [1, 350], [1.5, 50], [2, 100])],
    [
      'eased',
      [
        { time: 0, value: '50%' },
        { time: 2, value: '300%', easing: 'elastic-out' },
      ],
    ],
  ])('%s', (_, value) => {
    const speeds = speedsOf(value);
    for (let time = 0; time < 5; time += 0.13) {
      expect(timePlayed(speeds, playedAt(speeds, time))).toBeCloseTo(time, 9);
    }
  });
});

test('an element is as long as its file takes at these speeds', () => {
  const info: MediaInfo = {
    kind: 'video',
    format: 'mp4',
    width: 10,
    height: 10,
    duration: 10,
    frameRate: 25,
    hasAudio: false,
    hasAlpha: false,
  };
  const media = new Map([['clip', info]]);
  const speed = linear([0, 100], [2, 300]);
  const { duration, elements } = scheduleDocument(
    { elements: [{ type: 'video', source: 'clip', speed }] },
    media,
  );
  // 4 s play in the first 2 s, the other 6 s at three times the speed.
  expect(duration).toBeCloseTo(4, 9);
  expect(elements[0]!.file!.clip.speed).toBeCloseTo(2.5, 9);
});
