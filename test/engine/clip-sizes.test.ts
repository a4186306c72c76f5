/**
 * How large clips are decoded: never smaller than a frame of the film draws them, and not much larger. Held against the
 * sizes in every frame. Documents are 320 × 180 pixels at 10 frames a second.
 */
import { describe, expect, test } from 'vitest';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { easingTurns } from '../../shared/engine/compile/easing-turns.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import { createLayout } from '../../shared/engine/layout/layout.ts';
import { clipSizes, largestSizes, type DrawnSize } from '../../shared/engine/layout/video-use.ts';
import { parseEasing } from '../../shared/renderscript/easing.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { measurer } from './layout-documents.ts';

const clip = { kind: 'video', format: 'mp4', width: 640, height: 360, duration: 600 } as const;
const media = new Map([['clip.mp4', { ...clip, frameRate: 25, hasAudio: false, hasAlpha: false }]]);
const context = { measurer, media };
const scale = { x: 1, y: 1 };
const frameRate = 10;

function timelineOf(elements: JsonObject[], duration: number): ReturnType<typeof compileTimeline> {
  const size = { output_format: 'mp4', width: 320, height: 180, frame_rate: frameRate, duration };
  return compileTimeline({ ...size, elements }, { media, scaling: {} });
}

/** The largest side of the only clip, as it is decoded and over every frame of the film; null = it never shows. */
function widths(elements: JsonObject[], duration: number): (number | undefined)[] {
  const timeline = timelineOf(elements, duration);
  const found = clipSizes({ timeline, context, moment: undefined, scale });
  const layout = createLayout(timeline, context);
  const frames = function* (): Generator<Frame> {
    for (let frame = 0; frame < timeline.output.frameCount; frame++)
      yield layout.frameAt(frame / frameRate);
  };
  const width = (sizes: Map<string, DrawnSize>): number | undefined =>
    [...sizes.values()].map((size) => Math.max(size.width, size.height)).at(0);
  return [width(found), width(largestSizes(frames(), scale))];
}

const video = (more: JsonObject = {}): JsonObject => ({
  type: 'video',
  source: 'clip.mp4',
  ...more,
});
const keys = (...list: [time: number, value: number | string, easing?: string][]): JsonObject[] =>
  list.map(([time, value, easing = 'linear']) => ({ time, value, easing }));
const minutes = 600;
const swing = { ramp_duration: '10%', frequency: '1.3 Hz' };

const films: [what: string, elements: JsonObject[]][] = [
  [
    'a zoom of a tenth of a second',
    [video({ x_scale: keys([301.2, '100%'], [301.3, '300%'], [301.4, '100%']) })],
  ],
  [
    'a zoom inside of a composition that is zoomed meanwhile',
    [
      {
        type: 'composition',
        x_scale: keys([100, '100%'], [103, '250%', 'cubic-in-out'], [106, '100%']),
        elements: [video({ width: keys([101, '100%'], [105, '180%'], [107, '20%']) })],
      },
    ],
  ],
  [
    'one grows while the other shrinks',
    [
      {
        type: 'composition',
        width: keys([200, '50%'], [230, '200%']),
        elements: [video({ x_scale: keys([200, '300%'], [230, '50%']) })],
      },
    ],
  ],
  [
    'an easing that overshoots',
    [
      video({
        x_scale: keys([400, '100%'], [401, '180%', 'elastic-out'], [402, '100%', 'back-in']),
      }),
    ],
  ],
  ['a jump', [video({ x_scale: keys([77, '100%'], [77, '260%'], [77.3, '260%'], [77.3, '50%']) })]],
  [
    'an element of a fifth of a second',
    [video({ time: 500.1, duration: 0.2, width: 2000 }), video({ time: 0, duration: 3, track: 9 })],
  ],
  [
    'a bounce',
    [video({ animations: [{ type: 'bounce', scale: '40%', time: 321, duration: 1.1, ...swing }] })],
  ],
  [
    'a long bounce',
    [video({ animations: [{ type: 'bounce', scale: '40%', randomness: '70%', ...swing }] })],
  ],
  [
    'a wiggle in space',
    [
      video({
        animations: [{ type: 'wiggle', y_rotation: '60°', time: 123, duration: 2, ...swing }],
      }),
    ],
  ],
  [
    'an animation that plays backwards',
    [
      video({
        animations: [
          { type: 'scale', start_scale: '400%', time: 'end', duration: 0.3, reversed: true },
        ],
      }),
    ],
  ],
  [
    'a loop',
    [
      {
        type: 'composition',
        loop: true,
        duration: null,
        elements: [
          video({ duration: 7, x_scale: keys([3.1, '100%'], [3.2, '210%'], [3.3, '100%']) }),
        ],
        x_scale: keys([311, '100%'], [330, '130%'], [340, '100%']),
      },
    ],
  ],
  ['nothing that moves', [video({ width: '70%' })]],
];

describe('clips are decoded as large as some frame draws them', () => {
  test.each(films)('%s, in a film of ten minutes', (_, elements) => {
    const [decoded = 0, drawn = 0] = widths(elements, minutes);
    // Half a percent is half a pixel here.
    expect(decoded).toBeGreaterThanOrEqual(drawn * 0.995);
    expect(decoded).toBeLessThanOrEqual(drawn * 1.005);
  });

  test('a moment that is drawn by itself counts, on whatever frame', () => {
    const timeline = timelineOf([video({ x_scale: keys([3, '100%'], [3.02, '200%'], [3.05, '100%']) })], 60); // prettier-ignore
    const sizeAt = (moment: number | undefined): number | undefined =>
      [...clipSizes({ timeline, context, moment, scale }).values()][0]?.width;
    expect([sizeAt(undefined), sizeAt(3.02)]).toEqual([320, 640]);
  });
});

describe('a strongly blurred clip is decoded as large as its blur needs', () => {
  // A blur of radius 24 has the variance 24 · 26 / 6 = 104, and 3.465 pixels are enough for it.
  const small = 320 * (3.465 / Math.sqrt(104));
  test.each<[what: string, element: JsonObject, width: number]>([
    ['always', video({ blur_radius: 24 }), small],
    [
      'in a blurred composition',
      { type: 'composition', blur_radius: 24, elements: [video()] },
      small,
    ],
    ['less, while it grows', video({ blur_radius: keys([1, 24], [3, 48]) }), small],
    ['not where it gets sharp', video({ blur_radius: keys([301, 24], [301.2, 0]) }), 320],
    ['too weakly', video({ blur_radius: 4 }), 320],
    ['with colours only', video({ color_filter: 'grayscale', color_filter_value: '100%' }), 320],
  ])('%s', (_, element, width) => {
    const [decoded, drawn] = widths([element], minutes);
    expect(decoded).toBeCloseTo(width, 1);
    expect(drawn).toBeCloseTo(width, 1);
  });
});

/** Changes of one kind, made up from a number: a zoom, a size or an animation. */
function madeUp(chance: () => number): JsonObject {
  const at = (): number => Math.round(chance() * 300) / 10;
  const some = (): string => `${Math.round(30 + chance() * 250)}%`;
  const easings = ['linear', 'cubic-in-out', 'back-out', 'elastic-out', 'bounce-in', 'steps(4)'];
  const easing = (): string => easings[Math.floor(chance() * easings.length)] ?? 'linear';
  const list = (): JsonObject[] =>
    keys(...[at(), at(), at()].sort((a, b) => a - b).map((time) => [time, some(), easing()] as [number, string, string])); // prettier-ignore
  const change = Math.floor(chance() * 6);
  return {
    ...(change === 0 && { width: list(), height: '60%' }),
    ...(change === 1 && { x_scale: list(), y_scale: list() }),
    ...(change === 2 && { y_scale: list(), z_rotation: '30°' }),
    ...(change === 3 && { animations: [{ type: 'scale', start_scale: some(), easing: easing(), time: at(), duration: 1 }] }), // prettier-ignore
    ...(change === 4 && { animations: [{ type: 'bounce', scale: '30%', time: at(), duration: 4, frequency: '2 Hz', randomness: '50%' }] }), // prettier-ignore
    ...(change === 5 && { animations: [{ type: 'pan', start_scale: some(), end_scale: some(), easing: easing() }] }), // prettier-ignore
  };
}

test('made-up changes inside of each other: at most a hundredth less than the largest frame, nothing more', () => {
  let state = 7;
  const chance = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 60; round++) {
    const inner = video({ ...madeUp(chance), time: 0, duration: 40 });
    const looped = {
      type: 'composition',
      loop: chance() < 0.3,
      ...madeUp(chance),
      elements: [inner],
    };
    const elements = [{ type: 'composition', ...madeUp(chance), elements: [looped] }];
    const [decoded = 0, drawn = 0] = widths(elements, 60);
    const said = JSON.stringify(elements);
    expect(decoded, said).toBeGreaterThanOrEqual(drawn * 0.99);
    expect(decoded, said).toBeLessThanOrEqual(drawn * 1.0001);
  }
});

describe('where there is too much to look at, clips keep their own size', () => {
  test.each<[string, JsonObject[]]>([
    [
      'a loop of a hundred-thousandth of a second',
      [
        {
          type: 'composition',
          loop: true,
          duration: null,
          elements: [video({ time: 0, duration: 1e-5, x_scale: keys([0, '50%'], [1e-5, '20%']) })],
        },
      ],
    ],
    [
      'thousands of swings at once',
      Array.from({ length: 3000 }, (_, index) =>
        video({ track: index + 1, animations: [{ type: 'bounce', scale: '10%', ...swing }] }),
      ),
    ],
  ])('%s', (_, elements) => {
    const sizes = clipSizes({ timeline: timelineOf(elements, minutes), context, moment: undefined, scale }); // prettier-ignore
    expect(sizes.values().next().value).toEqual({ width: 640, height: 360 });
  });
});

test.each([
  ['linear', 0],
  ['cubic-in-out', 0],
  ['steps(5)', 4],
  ['steps(500)', 0],
  ['back-out', 1],
  ['back-in-out', 2],
  ['bounce-out', 6],
  ['cubic-bezier(0.3, -0.4, 0.6, 1.5)', 2],
  ['cubic-bezier(0.3, 0.4, 0.6, 1)', 0],
])('turns of %s: %i', (name, count) => {
  const easing = parseEasing(name);
  if (!easing) throw new Error(`${name} should be an easing`);
  expect(easingTurns(easing)).toHaveLength(count);
});
