/**
 * Elements out of their plane: where turns in space and warps take points, what is hidden, and that the drawing has no
 * seams. Documents are 200 × 100 pixels; an element's eye is twice its larger side away.
 */
import { describe, expect, test } from 'vitest';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import {
  cornersTo,
  project,
  projectedBounds,
  turnInSpace,
  type Point,
} from '../../shared/engine/homography.ts';
import { bentBounds, bentMap, bentScale, type BentBox } from '../../shared/engine/layout/bend.ts';
import type { Box, Frame } from '../../shared/engine/layout/box.ts';
import { createLayout } from '../../shared/engine/layout/layout.ts';
import { largestSizes } from '../../shared/engine/layout/video-use.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { sources } from '../helpers/boxes.ts';
import { createPainter } from '../helpers/painter.ts';
import { measurer } from './layout-documents.ts';

const square = 'M 0 0 L 100 0 L 100 100 L 0 100 Z';

function frameOf(elements: readonly JsonObject[], time = 0): Frame {
  const source = {
    output_format: 'mp4',
    width: 200,
    height: 100,
    duration: 2,
    elements: elements.map((element) => ({
      type: 'shape',
      path: square,
      width: 40,
      height: 40,
      fill_color: '#ff0000',
      ...element,
    })),
  };
  const clip = { kind: 'video', format: 'mp4', width: 40, height: 40, duration: 2 } as const;
  const info = { ...clip, frameRate: 25, hasAudio: false, hasAlpha: false };
  const media = new Map([['clip.mp4', info]]);
  const timeline = compileTimeline(source, { media, scaling: {} });
  return createLayout(timeline, { measurer, media }).frameAt(time);
}

function bentBox(element: JsonObject, time = 0): BentBox {
  const box = frameOf([element], time).boxes[0];
  if (!box?.bend) throw new Error('the element should be bent');
  return { ...box, bend: box.bend };
}

/** Where the corners of an element come to lie: top left, top right, bottom left, bottom right. */
function corners(element: JsonObject, time = 0): (Point | null)[] {
  const box = bentBox(element, time);
  const pointAt = bentMap(box);
  const { width, height } = box;
  return [pointAt(0, 0), pointAt(width, 0), pointAt(0, height), pointAt(width, height)].map(
    (point) => point && [rounded(point[0]), rounded(point[1])],
  );
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

const at = (x: number, y: number): JsonObject => ({ x: `${x}%`, y: `${y}%` });

describe('turns', () => {
  // 60° about y: the right edge 10 from the middle, 17.32 away from the eye at 80: 10 ÷ (1 + 17.32 ÷ 80) = 8.22.
  test.each<[string, JsonObject, Point[]]>([
    [
      'y: the right edge goes away',
      { y_rotation: '60°' },
      [
        [87.24, 24.47],
        [108.22, 33.56],
        [87.24, 75.53],
        [108.22, 66.44],
      ],
    ],
    [
      'x: the upper edge goes away',
      { x_rotation: '60°' },
      [
        [83.56, 41.78],
        [116.44, 41.78],
        [74.47, 62.76],
        [125.53, 62.76],
      ],
    ],
    [
      'half a turn mirrors and keeps the size',
      { y_rotation: '180°' },
      [
        [120, 30],
        [80, 30],
        [120, 70],
        [80, 70],
      ],
    ],
    [
      'about an anchor at the left edge, which stays',
      { y_rotation: '60°', x_anchor: '0%', x: 80 },
      [
        [80, 30],
        [93.96, 36.04],
        [80, 70],
        [93.96, 63.96],
      ],
    ],
    [
      'an eye that is far away: nearly flat',
      { y_rotation: '60°', perspective: 1e9 },
      [
        [90, 30],
        [110, 30],
        [90, 70],
        [110, 70],
      ],
    ],
    [
      'a perspective in percent is of the larger side',
      { y_rotation: '60°', perspective: '200%' },
      [
        [87.24, 24.47],
        [108.22, 33.56],
        [87.24, 75.53],
        [108.22, 66.44],
      ],
    ],
  ])('%s', (_, element, expected) => {
    expect(corners(element)).toEqual(expected);
  });

  test('z first, then y: the plane turns before it leaves the screen', () => {
    const map = turnInSpace(0, 90, 90, 1e12);
    expect(project(map, 10, 5)?.map(rounded)).toEqual([0, 10]);
  });

  test.each<[string, JsonObject, boolean]>([
    ['the face', { y_rotation: '80°', backface_visible: false }, true],
    ['the edge', { y_rotation: '90°' }, false],
    ['the back', { y_rotation: '100°' }, true],
    ['a hidden back', { y_rotation: '100°', backface_visible: false }, false],
    [
      'turned over twice',
      { x_rotation: '180°', y_rotation: '180°', backface_visible: false },
      true,
    ],
  ])('%s is seen or not', (_, element, seen) => {
    expect(frameOf([element]).boxes).toHaveLength(seen ? 1 : 0);
  });

  test('what is behind the eye is left out', () => {
    const map = turnInSpace(0, 89, 0, 10);
    expect(project(map, -100, 0)).toBeNull();
    const bounds = projectedBounds(map, { x: -100, y: -10, width: 200, height: 20 });
    expect(bounds?.height).toBeCloseTo(20 / 0.05, 3);
  });
});

describe('warps', () => {
  const grid = (...rows: number[][][]): JsonObject => ({
    warp_matrix: rows.map((row) => row.map(([x, y]) => ({ x: `${x}%`, y: `${y}%` }))),
  });

  test('a perspective takes the corners to its points and lines to lines', () => {
    const element = {
      warp_mode: 'perspective',
      ...grid([[0, 0], [100, 25]], [[0, 100], [100, 75]]), // prettier-ignore
    };
    expect(corners(element)).toEqual([
      [80, 30],
      [120, 40],
      [80, 70],
      [120, 60],
    ]);
    // The right edge is half as long, so it is twice as far away; the middle lies at a third of the depth.
    expect(bentMap(bentBox(element))(20, 20)?.map(rounded)).toEqual([106.67, 50]);
  });

  test('a surface touches its corners; the points between draw it near', () => {
    const element = grid([[0, 0], [50, 50], [100, 0]], [[0, 100], [50, 150], [100, 100]]); // prettier-ignore
    const pointAt = bentMap(bentBox(element));
    expect(corners(element)[1]).toEqual([120, 30]);
    expect(pointAt(20, 0)?.map(rounded)).toEqual([100, 40]);
    // Over the edge it goes on straight.
    expect(pointAt(44, 0)?.map(rounded)).toEqual([124, 26]);
  });

  test('points where they are anyway change nothing', () => {
    const pointAt = bentMap(bentBox(grid([[0, 0], [50, 0], [100, 0]], [[0, 100], [50, 100], [100, 100]]))); // prettier-ignore
    expect(pointAt(13, 31)?.map(rounded)).toEqual([93, 61]);
  });

  test('corners of which no plane can be made', () => {
    expect(cornersTo(10, 10, [0, 0], [10, 0], [0, 10], [3, 3])).toBeNull();
    expect(bentBox({ warp_mode: 'perspective', ...grid([[0, 0], [100, 0]], [[0, 100], [30, 30]]) }).bend.warp?.kind).toBe('surface'); // prettier-ignore
  });

  test.each<[string, JsonObject]>([
    ['turned', { x_rotation: '50°', y_rotation: '-30°' }],
    ['surface', grid([[0, 0], [50, 90], [100, 0]], [[0, 100], [-90, 50], [100, 100]])], // prettier-ignore
    [
      'turned surface',
      {
        y_rotation: '60°',
        ...grid(
          [
            [0, 0],
            [200, 0],
          ],
          [
            [0, 100],
            [100, 300],
          ],
        ),
      },
    ],
  ])('bounds hold every point: %s', (_, element) => {
    const box = bentBox(element);
    const part = { x: -5, y: -5, width: 50, height: 50 };
    const bounds = bentBounds(box, part)!;
    const pointAt = bentMap(box);
    for (let index = 0; index < 900; index++) {
      const [x, y] = pointAt(
        -5 + (50 * (index % 30)) / 29,
        -5 + (50 * Math.floor(index / 30)) / 29,
      )!;
      expect(x).toBeGreaterThanOrEqual(bounds.x - 1e-6);
      expect(x).toBeLessThanOrEqual(bounds.x + bounds.width + 1e-6);
      expect(y).toBeGreaterThanOrEqual(bounds.y - 1e-6);
      expect(y).toBeLessThanOrEqual(bounds.y + bounds.height + 1e-6);
    }
  });
});

describe('animations that turn', () => {
  const flip = (options: JsonObject): JsonObject => ({
    animations: [{ type: 'flip', time: 0, duration: 1, easing: 'linear', fade: false, ...options }],
  });

  test('a flip ends as the element is', () => {
    expect(corners(flip({ y_rotation: '120°' }), 0.5)).toEqual(corners({ y_rotation: '-60°' }));
    expect(frameOf([flip({})], 1).boxes[0]?.bend).toBeUndefined();
  });

  test('a flip joins the turns of the element', () => {
    const both = { y_rotation: '180°', ...flip({ y_rotation: '180°', backface_visible: false }) };
    expect(corners(both, 0)).toEqual(corners({ y_rotation: '360°' }));
    expect(frameOf([both], 0.7).boxes).toHaveLength(0);
  });

  test('a wiggle in the plane stays in the plane', () => {
    const wiggle = { type: 'wiggle', ramp_duration: '0%', frequency: '1 Hz' };
    const bends = [{}, { y_rotation: '30°' }].map(
      (angles) => frameOf([{ animations: [{ ...wiggle, ...angles }] }], 0.25).boxes[0]?.bend,
    );
    expect(bends.map((bend) => bend !== undefined)).toEqual([false, true]);
  });
});

test('videos are decoded at the largest size that a bend shows them at', () => {
  const element = { type: 'video', source: 'clip.mp4', warp_mode: 'perspective' };
  const point = (x: number, y: number): JsonObject => ({ x: `${x}%`, y: `${y}%` });
  const matrix = [[point(0, 0), point(200, 0)], [point(0, 100), point(200, 100)]]; // prettier-ignore
  const frame = frameOf([{ ...element, warp_matrix: matrix }]);
  const [size] = largestSizes([frame], { x: 3, y: 3 }).values();
  expect(size?.width).toBeCloseTo(240, 3);
  expect(size?.height).toBeCloseTo(120, 3);
  expect(bentScale(bentBox({ warp_matrix: matrix }), { x: 0, y: 0, width: 40, height: 40 }).x).toBeCloseTo(2, 6); // prettier-ignore
});

describe('drawing', () => {
  /** Paints at four times the size and gives a pixel's red, green, blue. */
  function painted(boxes: readonly Box[]): (x: number, y: number) => number[] {
    const painter = createPainter({
      width: 800,
      height: 400,
      documentWidth: 200,
      documentHeight: 100,
      transparent: false,
      sources: sources(),
    });
    const fill = { kind: 'solid', color: [255, 255, 255, 1] } as const;
    void painter.paint({ width: 200, height: 100, fill, boxes });
    const pixels = painter.read({ x: 0, y: 0, width: 800, height: 400 });
    painter.close();
    return (x, y) => [...pixels.subarray((y * 800 + x) * 4, (y * 800 + x) * 4 + 3)];
  }

  test('a translucent element has no seams inside and soft edges', () => {
    const element = { y_rotation: '55°', x_rotation: '20°', fill_color: 'rgba(0,0,0,0.5)' };
    const { boxes } = frameOf([{ ...element, width: 80, height: 80 }]);
    const pixelAt = painted(boxes);
    let off = 0;
    for (let y = 160; y < 240; y++) {
      for (let x = 370; x < 440; x++) {
        const error = Math.abs((pixelAt(x, y)[0] ?? 0) - 127);
        // Overlaps and gaps would be lines of 30 levels and more.
        expect(error).toBeLessThanOrEqual(8);
        if (error > 2) off++;
      }
    }
    expect(off / (80 * 70)).toBeLessThan(0.01);
    const row = Array.from({ length: 800 }, (_, x) => pixelAt(x, 200)[0] ?? 0);
    const between = row.filter((value) => value > 132 && value < 250).length;
    expect(between).toBeGreaterThanOrEqual(2);
    expect(between).toBeLessThanOrEqual(6);
  });

  test('a picture of halves keeps its middle where the geometry has it', () => {
    const stops = ['#000', '#000', '#fff', '#fff'];
    const offsets = ['0%', '49.9%', '50.1%', '100%'];
    const { boxes } = frameOf([
      {
        width: 100,
        height: 60,
        y_rotation: '50°',
        fill_mode: 'linear',
        fill_x0: '0%',
        fill_x1: '100%',
        fill_y0: '0%',
        fill_y1: '0%',
        fill_color: stops.map((color, index) => ({ offset: offsets[index] ?? '', color })),
      },
    ]);
    const pixelAt = painted(boxes);
    expect(pixelAt(394, 200)[0]).toBeLessThan(10);
    expect(pixelAt(406, 200)[0]).toBeGreaterThan(245);
  });

  test('a drawing of several patterns has no seams between them', () => {
    const element = {
      ...{ width: 190, height: 95, x_rotation: '12°', fill_mode: 'linear' },
      ...{ fill_x0: '0%', fill_x1: '0%', fill_y0: '0%', fill_y1: '100%' },
      fill_color: [
        { offset: '0%', color: '#204060' },
        { offset: '100%', color: '#e0c0a0' },
      ],
    };
    const { boxes } = frameOf([element]);
    const columnAt = (scale: number): number[] => {
      const [width, height] = [200 * scale, 100 * scale];
      const size = { width, height, documentWidth: 200, documentHeight: 100 };
      const painter = createPainter({ ...size, transparent: false, sources: sources() });
      void painter.paint({ width: 200, height: 100, fill: null, boxes });
      const column = painter.read({ x: width / 2, y: 0, width: 1, height });
      painter.close();
      return Array.from({ length: height }, (_, y) => column[y * 4] ?? 0);
    };
    // One pattern, and four.
    const [small, large] = [columnAt(12), columnAt(24)];
    const inside = large.slice(24 * 8, 24 * 92);
    const steps = inside.slice(1).map((value, index) => value - (inside[index] ?? 0));
    // Two levels, as where any triangles meet.
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...steps)).toBeLessThanOrEqual(2);
    for (let y = 12 * 8; y < 12 * 92; y++) {
      expect(Math.abs((small[y] ?? 0) - (large[2 * y] ?? 0))).toBeLessThanOrEqual(2);
    }
  });

  test('a bent copy in the same frame shows its own drawing', () => {
    const side = (x: number, color: string): JsonObject => ({
      ...at(x, 50),
      y_rotation: '20°',
      fill_color: color,
    });
    const pixelAt = painted(frameOf([side(25, '#ff0000'), side(75, '#0000ff')]).boxes);
    expect(pixelAt(200, 200)).toEqual([255, 0, 0]);
    expect(pixelAt(600, 200)).toEqual([0, 0, 255]);
  });

  test('opacity, blend modes and shadows apply to what is seen', () => {
    const element = { y_rotation: '40°', blend_mode: 'multiply', fill_color: '#ff8080' };
    const below = { width: 200, height: 100, fill_color: '#808080' };
    const pixelAt = painted(frameOf([below, { ...element, opacity: '50%' }]).boxes);
    const [r, g] = pixelAt(400, 200);
    expect(r).toBeCloseTo(128, -0.5);
    expect(Math.abs((g ?? 0) - 96)).toBeLessThanOrEqual(2);
    const shadow = { shadow_color: '#000000', shadow_x: 60, shadow_blur: 0, y_rotation: '40°' };
    expect(painted(frameOf([shadow]).boxes)(640, 200)).toEqual([0, 0, 0]);
  });
});

test('an upright element has no bend', () => {
  expect(frameOf([{}]).boxes[0]?.bend).toBeUndefined();
});
