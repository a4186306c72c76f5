/** A frame's pixels depend on the frame alone, and short ways show nothing. */
import type { Canvas } from '@napi-rs/canvas';
import { beforeAll, describe, expect, test } from 'vitest';
import { multiply, scaling, translation } from '../../shared/engine/geometry.ts';
import type { Box } from '../../shared/engine/layout/box.ts';
import {
  red,
  green,
  blue,
  white,
  black,
  solid,
  across,
  stroke,
  shadow,
  effects,
  element,
  box,
  at,
  rectangle,
  group,
  picture,
  rectPath,
  line,
  turned,
  frame,
  painter,
  side,
  plainSources,
  paint,
  distance,
  registerTestFont,
} from '../helpers/boxes.ts';

beforeAll(registerTestFont);

describe('the frame alone decides', () => {
  const title = line('Title', 30);
  const stage = [rectangle(at(0, 0, 60, 40), green), rectangle(at(30, 20, 60, 40), blue)];
  const film = element();

  /** Everything that is kept between frames, moving by odd steps, with contents that stay. */
  const parts: Record<string, (step: number) => Box[]> = {
    'text with outline and shadow': (step) => [
      box(title, at(5 + step * 1.37, 20.5 + step * 0.29, 80, 40), {
        fill: solid(red),
        stroke: stroke(4, black),
        shadow: shadow(9, 2, 3),
        opacity: 1 - step / 20,
        element: film,
      }),
    ],
    'a hard shadow': (step) => [
      rectangle(at(10 + step * 0.41, 10, 40, 40), red, {
        content: stage[0]!.content,
        shadow: shadow(3, 5, 5),
      }),
    ],
    'a blurred group': (step) => [
      box({ kind: 'composition', originX: 0, originY: 0, children: stage }, at(0, 0, 100, 100), {
        transform: multiply(translation(step * 3.3, 1), scaling(1 + step / 30, 1)),
        effects: effects({ blur: 1 + step }),
        content: sharedGroup,
      }),
    ],
    pictures: (step) => [
      picture('halves', at(step * 2.6, 5, 150 - step * 9, 80)),
      picture('halves', at(10, 50, 50, 40), {
        effects: effects({ filter: 'sepia', filterValue: 1 }),
        borderRadius: step,
      }),
      picture('halves', at(60, 50, 40, 40), {
        transform: turned(step * 7, 0.8, 60, 50),
        effects: effects({ blur: 8 }),
      }),
    ],
    'masks and mixing': (step) => [
      rectangle(at(0, 0, 100, 100), [90, 160, 220, 1]),
      picture('halves', at(step * 1.7, 0, 90, 90)),
      rectangle(at(20, 20, 60, 60), null, {
        fill: across(0, 60, black, white),
        mask: 'luma',
        content: stage[1]!.content,
      }),
      box(sharedGroup, at(step, step, 100, 100), { blendMode: 'multiply', opacity: 0.7 }),
    ],
  };
  const sharedGroup = { kind: 'composition', originX: 0, originY: 0, children: stage } as const;

  test.each(Object.entries(parts))('%s: painted after others as painted alone', (_, boxes) => {
    const running = painter(side, side, { sources: plainSources });
    for (let step = 0; step < 12; step++) {
      void running.paint(frame(side, side, boxes(step)));
      const alone = paint(boxes(step));
      expect(distance(running.canvas, alone), `step ${step}`).toBe(0);
    }
  });

  test('a large gradient inside something that grows is painted as far as that has grown', () => {
    const wide = 640;
    const sky = rectangle(at(0, 0, wide, wide), null, { fill: across(0, wide, red, blue) });
    const window = (step: number, mask: Box['mask']): Box[] => [
      sky,
      rectangle(at(100, 0, 300 + step * 20, wide), white, { mask }),
    ];
    const growing: Record<string, (step: number) => Box[]> = {
      'a mask': (step) => window(step, 'alpha'),
      'a mask that hides': (step) => window(step, 'alpha-inverted'),
      'a wipe that fades': (step) => [
        group(at(0, 0, wide, wide), [sky], {
          clipPaths: [rectPath(0, 0, 300 + step * 20, wide)],
          opacity: 0.3 + step / 20,
          shadow: shadow(9, 2, 3),
        }),
      ],
    };
    for (const [name, boxes] of Object.entries(growing)) {
      const running = painter(wide, wide);
      for (let step = 0; step < 12; step += 3) {
        const next = frame(wide, wide, boxes(step));
        void running.paint(next);
        const alone = painter(wide, wide);
        void alone.paint(next);
        expect(distance(running.canvas, alone.canvas), `${name}, step ${step}`).toBe(0);
      }
    }
  });

  test('a brightness mask that begins to repeat, over a parent that grows, is made anew', () => {
    const photo = picture('halves', at(0, 0, 100, 100));
    const dot = rectangle(at(10, 10, 20, 20), [200, 200, 200, 1], { mask: 'luma' });
    const stages = [
      group(at(0, 0, 50, 100), [photo, dot]),
      group(at(0, 0, 50, 100), [photo, { ...dot, repeat: true }]),
      group(at(0, 0, 100, 100), [photo, { ...dot, repeat: true }]),
    ];
    const running = painter(side, side, { sources: plainSources });
    for (const [step, stage] of stages.entries()) {
      void running.paint(frame(side, side, [stage]));
      expect(distance(running.canvas, paint([stage])), `step ${step}`).toBe(0);
    }
  });

  test('moved by whole pixels, an element gives the same pixels', () => {
    const here = paint([
      box(title, at(10.3, 20.6, 80, 40), {
        fill: solid(red),
        shadow: shadow(4, 1, 1),
        element: film,
      }),
    ]);
    const there = paint([
      box(title, at(13.3, 27.6, 80, 40), {
        fill: solid(red),
        shadow: shadow(4, 1, 1),
        element: film,
      }),
    ]);
    const crop = (canvas: Canvas, x: number, y: number): Buffer =>
      Buffer.from(canvas.getContext('2d').getImageData(x, y, 80, 60).data);
    expect(crop(there, 8, 17).equals(crop(here, 5, 10))).toBe(true);
  });

  test('a composition around one child changes nothing', () => {
    const child = (): Box =>
      box(title, at(10, 20, 80, 40), { fill: solid(red), stroke: stroke(4, blue) });
    const direct = paint([{ ...child(), opacity: 0.6 }]);
    expect(distance(paint([group(at(0, 0, 100, 100), [child()], { opacity: 0.6 })]), direct)).toBe(
      0,
    );
    const nested = group(
      at(0, 0, 100, 100),
      [group(at(0, 0, 100, 100), [child()], { opacity: 0.75 })],
      { opacity: 0.8 },
    );
    expect(distance(paint([nested]), direct)).toBeLessThanOrEqual(1);
  });

  test('a layer and drawing straight away agree', () => {
    const scene = (opacity: number): Box[] => [
      group(
        at(3, 4, 90, 90),
        [
          rectangle(at(0, 0, 50, 50), red),
          box(title, at(5.5, 10.25, 80, 40), { fill: solid(black) }),
        ],
        { opacity },
      ),
    ];
    // Just below 1 the group needs a layer; a step of 8 bits is all that it may show.
    expect(distance(paint(scene(1)), paint(scene(0.9999)))).toBeLessThanOrEqual(1);
  });
});
