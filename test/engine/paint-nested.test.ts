/** Compositions with shadows inside each other: each is drawn once, however deep it lies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canvasSurface } from '../../server/engine/canvas-surface.ts';
import type { Box } from '../../shared/engine/layout/box.ts';
import { contextOf, drawWith, type Context } from '../../shared/engine/surface.ts';
import type { Rect } from '../../shared/engine/geometry.ts';
import {
  at,
  blue,
  distance,
  drawn,
  effects,
  frame,
  green,
  group,
  paint,
  painter,
  picture,
  rectangle,
  red,
  shadow,
  side,
  sources,
  turned,
} from '../helpers/boxes.ts';

/** Calls that draw something, on any canvas. */
let drawings = 0;

beforeAll(() => {
  drawWith({
    ...canvasSurface,
    createCanvas(width, height) {
      const canvas = canvasSurface.createCanvas(width, height);
      count(contextOf(canvas));
      return canvas;
    },
  });
});
afterAll(() => drawWith(canvasSurface));

function count(ctx: Context): void {
  const counted = Object.fromEntries(
    (['fill', 'fillRect', 'drawImage'] as const).map((name) => {
      const draw = ctx[name].bind(ctx) as (...values: unknown[]) => void;
      const drawCounted = (...values: unknown[]): void => {
        drawings++;
        draw(...values);
      };
      return [name, drawCounted];
    }),
  );
  Object.assign(ctx, counted);
}

/** What each composition is given. */
const kinds: Record<string, (level: number) => Partial<Box>> = {
  'soft shadow': () => ({ shadow: shadow(12, 2, 3) }),
  'hard shadow': () => ({ shadow: shadow(2, 1.3, 0.7) }),
  'shadow, blur and fade': () => ({
    shadow: shadow(9, 1, 2),
    effects: effects({ blur: 1.5 }),
    opacity: 0.95,
  }),
  'shadow, turned': (level) => ({
    shadow: shadow(8 + (level % 4), 2, 1),
    transform: turned(3, 0.98, 4, 1),
  }),
  'shadow, cut and mixed': () => ({
    shadow: shadow(14, 0, 2),
    clip: true,
    blendMode: 'multiply' as const,
  }),
};

function nested(depth: number, look: (level: number) => Partial<Box>): Box {
  if (depth === 0) return rectangle(at(20, 20, 30, 30), red);
  const inside = [rectangle(at(4, 40, 90, 8), depth % 2 ? green : blue), nested(depth - 1, look)];
  return group(at(1, 1, 96, 96), inside, look(depth));
}

/** Drawings of the second frame, when what can be kept is kept, of contents that are new. */
function drawingsOf(box: () => Box): number {
  const opened = painter(side, side);
  void opened.paint(frame(side, side, [box()]));
  drawings = 0;
  void opened.paint(frame(side, side, [box()]));
  opened.close();
  return drawings;
}

describe('compositions with shadows inside each other', () => {
  test.each(Object.entries(kinds))('%s: as many drawings as levels', (_, look) => {
    const counts = [8, 12, 16, 40].map((depth) => drawingsOf(() => nested(depth, look)));
    const [eight = 0, twelve = 0, sixteen = 0, forty = 0] = counts;
    // Something is drawn, and no level costs more than what it holds, a layer, its shadow, effects and mixing.
    expect(eight).toBeGreaterThan(8 * 2);
    expect(twelve - eight).toBeLessThanOrEqual(4 * 12);
    expect(sixteen - twelve).toBeLessThanOrEqual(4 * 12);
    expect(forty - sixteen).toBeLessThanOrEqual(24 * 12);
  });

  test('four of them are drawn each by itself', () => {
    const drawings = [1, 2, 3, 4].map((depth) =>
      drawingsOf(() => nested(depth, kinds['hard shadow']!)),
    );
    for (const [index, count] of drawings.slice(1).entries())
      expect(count).toBeGreaterThan(1.7 * drawings[index]!);
  });

  const plain = (): Partial<Box> => ({ shadow: shadow(4, 1, 1) });
  const whole = at(0, 0, 100, 100);
  /** What holds four shadows inside of each other, on nothing, as a picture that is no composition. */
  const flat = painter(side, side, { transparent: true });
  void flat.paint(frame(side, side, [nested(4, plain)], null));
  const flatSources = sources({ flat: flat.canvas });
  /** A cut leaves out what is empty in either: the picture's bounds are its box. */
  const both = (place: Rect, more: Partial<Box>): [Box, Box] => [
    group(place, [nested(4, plain)], { clip: true, ...more }),
    picture('flat', { ...place, width: 100, height: 100 }, more),
  ];

  test.each([
    ['hard', shadow(0, 7, 5)],
    ['between pixels', shadow(0, 7.5, 5.25)],
    ['a little soft', shadow(5, 4, 4)],
    ['made half as large', shadow(15, 9, 3)],
    ['made an eighth as large', shadow(60, -6, 8)],
    ['far softer than the picture', shadow(400, 0, 0)],
    ['softer than anything', shadow(1e6, 0, 0)],
    ['far away', shadow(20, 60, -70)],
  ])('the shadow is the one of a picture of the same pixels: %s', (_, cast) => {
    for (const [x, y] of [
      [0, 0],
      [-31, 17],
      [8, -40],
    ] as const) {
      const [one, other] = both({ ...whole, x, y }, { shadow: cast });
      const [shown, expected] = [[one], [other]].map((boxes) =>
        paint(boxes, { sources: flatSources }),
      );
      expect(distance(shown!, expected!)).toBeLessThanOrEqual(4);
    }
  });

  test('a frame that shows a part of it shows the same pixels', () => {
    for (const blur of [0, 5, 15, 60, 400]) {
      const cast = { shadow: shadow(blur, 13, -9) };
      const [inside] = both({ ...whole, x: -37, y: 41 }, cast);
      const [outside] = both({ ...whole, x: 63, y: 141 }, cast);
      const large = painter(3 * side, 3 * side);
      void large.paint(frame(3 * side, 3 * side, [outside]));
      const cut = drawn(side, side, (ctx) => {
        ctx.drawImage(large.canvas, -side, -side);
      });
      expect(distance(paint([inside]), cut)).toBeLessThanOrEqual(2);
      large.close();
    }
  });

  test('a frame shows the same pixels alone and after others', () => {
    const step = (x: number): Box[] => [
      nested(7, kinds['shadow, turned']!),
      both(at(x, 3.3, 100, 100), plain())[0],
    ];
    const opened = painter(side, side);
    for (const x of [1.7, 2.9, 2.9, 30]) {
      void opened.paint(frame(side, side, step(x)));
      expect(distance(opened.canvas, paint(step(x)))).toBe(0);
    }
    opened.close();
  });
});
