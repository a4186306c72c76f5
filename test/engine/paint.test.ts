/** Painting: small frames built by hand, and the colour of chosen pixels. */
import { describe, expect, test } from 'vitest';
import type { Color, Path } from '../../shared/engine/compile/property-values.ts';
import { scaling, translation } from '../../shared/engine/geometry.ts';
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
  rectPath,
  box,
  at,
  rectangle,
  group,
  turned,
  frame,
  painter,
  side,
  mixed,
  paint,
  expectPixel,
} from '../helpers/boxes.ts';

const star: Path = [['M', 50, 0], ['L', 100, 100], ['L', 0, 100], ['Z']];

const greenKey = { color: [0, 200, 60, 1], tolerance: 0.4, softness: 0.3, spill: 1 } as const;
const noGrade = { exposure: 0, contrast: 0, saturation: 0, temperature: 0, tint: 0 };

/** Boxes, and the colours to be found at points: what is drawn where. */
const scenes: Record<
  string,
  { boxes: () => Box[]; fill?: Color | null; points: [number, number, readonly number[]][] }
> = {
  'nothing but the background': {
    boxes: () => [],
    fill: [10, 20, 30, 1],
    points: [
      [0, 0, [10, 20, 30]],
      [99, 99, [10, 20, 30]],
    ],
  },
  'a transparent frame': {
    boxes: () => [rectangle(at(0, 0, 50, 50), red)],
    fill: null,
    points: [
      [25, 25, [255, 0, 0]],
      [75, 75, [0, 0, 0, 0]],
    ],
  },
  'boxes in order': {
    boxes: () => [rectangle(at(0, 0, 60, 60), red), rectangle(at(40, 40, 60, 60), blue)],
    points: [
      [20, 20, [255, 0, 0]],
      [50, 50, [0, 0, 255]],
      [80, 20, [255, 255, 255]],
    ],
  },
  'a path': {
    boxes: () => [box({ kind: 'shape', path: star }, at(0, 0, 100, 100), { fill: solid(red) })],
    points: [
      [50, 50, [255, 0, 0]],
      [10, 20, [255, 255, 255]],
      [90, 20, [255, 255, 255]],
    ],
  },
  'a turned and scaled box': {
    boxes: () => [rectangle(at(0, 0, 40, 10), red, { transform: turned(90, 2, 60, 10) })],
    points: [
      [50, 50, [255, 0, 0]],
      [50, 95, [255, 255, 255]],
      [70, 50, [255, 255, 255]],
    ],
  },
  'round corners': {
    boxes: () => [rectangle(at(0, 0, 100, 100), red, { borderRadius: 30 })],
    points: [
      [3, 3, [255, 255, 255]],
      [96, 96, [255, 255, 255]],
      [30, 1, [255, 0, 0]],
      [10, 10, [255, 0, 0]],
      [6, 6, [255, 255, 255]],
    ],
  },
  'round corners of any polygon, but not of curves': {
    boxes: () => [
      box({ kind: 'shape', path: star }, at(0, 0, 100, 100), {
        fill: solid(red),
        borderRadius: 20,
      }),
    ],
    points: [
      [50, 5, [255, 255, 255]],
      [50, 40, [255, 0, 0]],
      [3, 98, [255, 255, 255]],
    ],
  },
  'a linear gradient from end to end': {
    boxes: () => [rectangle(at(0, 0, 100, 100), null, { fill: across(0, 100, red, blue) })],
    points: [
      [0, 50, [254, 0, 1]],
      [99, 50, [1, 0, 254]],
      [50, 50, [126, 0, 129]],
    ],
  },
  'stops in any order, and colour going on outside': {
    boxes: () => [
      rectangle(at(0, 0, 100, 100), null, {
        fill: {
          kind: 'linear',
          x0: 25,
          y0: 0,
          x1: 75,
          y1: 0,
          stops: [
            { offset: 1, color: blue },
            { offset: 0, color: red },
          ],
        },
      }),
    ],
    points: [
      [10, 50, [255, 0, 0]],
      [90, 50, [0, 0, 255]],
    ],
  },
  'a radial gradient': {
    boxes: () => [
      rectangle(at(0, 0, 100, 100), null, {
        fill: {
          kind: 'radial',
          x: 50,
          y: 50,
          radius: 40,
          stops: [
            { offset: 0, color: white },
            { offset: 1, color: black },
          ],
        },
      }),
    ],
    points: [
      [50, 50, [252, 252, 252]],
      [2, 50, [0, 0, 0]],
      [70, 50, [125, 125, 125]],
    ],
  },
  'a gradient without extent: its last colour': {
    boxes: () => [rectangle(at(0, 0, 100, 100), null, { fill: across(30, 30, red, blue) })],
    points: [
      [10, 10, [0, 0, 255]],
      [90, 90, [0, 0, 255]],
    ],
  },
  'an outline on both sides of the edge': {
    boxes: () => [rectangle(at(20, 20, 60, 60), red, { stroke: stroke(10, blue) })],
    points: [
      [50, 50, [255, 0, 0]],
      [50, 17, [0, 0, 255]],
      [50, 23, [0, 0, 255]],
      [50, 13, [255, 255, 255]],
      [50, 27, [255, 0, 0]],
    ],
  },
  'a part of an outline': {
    // Starts at the top left corner, clockwise: a quarter of the way is the top side.
    boxes: () => [
      rectangle(at(20, 20, 60, 60), null, {
        stroke: stroke(6, red, { start: 0, end: 0.25, cap: 'butt' }),
      }),
    ],
    points: [
      [50, 20, [255, 0, 0]],
      [80, 50, [255, 255, 255]],
      [20, 50, [255, 255, 255]],
    ],
  },
  'an outline that goes on past the start': {
    boxes: () => [
      rectangle(at(20, 20, 60, 60), null, {
        stroke: stroke(6, red, { start: 0, end: 0.5, offset: 0.75, cap: 'butt', join: 'miter' }),
      }),
    ],
    points: [
      [20, 50, [255, 0, 0]],
      [50, 20, [255, 0, 0]],
      [18, 18, [255, 0, 0]],
      [80, 50, [255, 255, 255]],
      [50, 80, [255, 255, 255]],
    ],
  },
  'no outline when its end comes before its start': {
    boxes: () => [
      rectangle(at(20, 20, 60, 60), null, { stroke: stroke(6, red, { start: 0.6, end: 0.4 }) }),
    ],
    points: [
      [50, 20, [255, 255, 255]],
      [20, 50, [255, 255, 255]],
    ],
  },
  'opacity of a drawing': {
    boxes: () => [rectangle(at(0, 0, 50, 50), red, { opacity: 0.5 })],
    points: [[25, 25, [255, mixed, mixed]]],
  },
  'opacity of a group: its parts do not shine through each other': {
    boxes: () => [
      group(
        at(0, 0, 100, 100),
        [rectangle(at(0, 0, 60, 60), red), rectangle(at(40, 40, 60, 60), blue)],
        { opacity: 0.5 },
      ),
    ],
    points: [
      [20, 20, [255, mixed, mixed]],
      [50, 50, [mixed, mixed, 255]],
    ],
  },
  'opacity of fill and outline together': {
    boxes: () => [rectangle(at(20, 20, 60, 60), red, { stroke: stroke(10, blue), opacity: 0.5 })],
    points: [
      [50, 50, [255, mixed, mixed]],
      [50, 23, [mixed, mixed, 255]],
    ],
  },
  'a composition: fill, children, outline': {
    boxes: () => [
      group(at(10, 10, 80, 80), [rectangle(at(10, 10, 30, 30), red)], {
        fill: solid(green),
        stroke: stroke(4, blue),
      }),
    ],
    points: [
      [15, 15, [0, 255, 0]],
      [30, 30, [255, 0, 0]],
      [10, 50, [0, 0, 255]],
    ],
  },
  'children start at the padding': {
    boxes: () => [
      box(
        {
          kind: 'composition',
          originX: 20,
          originY: 30,
          children: [rectangle(at(0, 0, 10, 10), red)],
        },
        at(10, 10, 80, 80),
      ),
    ],
    points: [
      [35, 45, [255, 0, 0]],
      [15, 15, [255, 255, 255]],
    ],
  },
  'children reach out of a composition, unless it cuts them': {
    boxes: () => [
      group(at(10, 10, 30, 30), [rectangle(at(20, 0, 20, 10), red)]),
      group(at(10, 50, 30, 30), [rectangle(at(20, 0, 20, 10), red)], { clip: true }),
    ],
    points: [
      [45, 15, [255, 0, 0]],
      [35, 55, [255, 0, 0]],
      [45, 55, [255, 255, 255]],
    ],
  },
  'round corners cut children': {
    boxes: () => [
      group(at(0, 0, 100, 100), [rectangle(at(0, 0, 100, 100), red)], {
        clip: true,
        borderRadius: 40,
      }),
    ],
    points: [
      [4, 4, [255, 255, 255]],
      [50, 4, [255, 0, 0]],
    ],
  },
  'cuts by animations all apply': {
    boxes: () => [
      rectangle(at(0, 0, 100, 100), red, {
        clipPaths: [rectPath(0, 0, 60, 100), rectPath(40, 0, 60, 100)],
      }),
    ],
    points: [
      [50, 50, [255, 0, 0]],
      [20, 50, [255, 255, 255]],
      [80, 50, [255, 255, 255]],
    ],
  },
  'content moves inside a box that cuts it': {
    boxes: () => [
      group(at(20, 20, 40, 40), [rectangle(at(0, 0, 40, 40), red)], {
        clip: true,
        fill: solid(green),
        contentTransform: translation(20, 0),
      }),
    ],
    points: [
      [25, 40, [0, 255, 0]],
      [50, 40, [255, 0, 0]],
      [65, 40, [255, 255, 255]],
    ],
  },
  'a shadow without blur': {
    boxes: () => [
      rectangle(at(10, 10, 30, 30), red, { shadow: shadow(0, 40, 20, [0, 0, 0, 0.5]) }),
    ],
    points: [
      [25, 25, [255, 0, 0]],
      [65, 45, [mixed, mixed, mixed]],
      [65, 20, [255, 255, 255]],
      [45, 45, [255, 255, 255]],
    ],
  },
  'a shadow falls in the parent’s direction, whatever the element’s turn': {
    boxes: () => [
      rectangle(at(0, 0, 20, 20), red, {
        transform: turned(180, 1, 40, 40),
        shadow: shadow(0, 40, 0),
      }),
    ],
    points: [
      [30, 30, [255, 0, 0]],
      [70, 30, [0, 0, 0]],
    ],
  },
  'a shadow turns with the composition around it': {
    boxes: () => [
      group(at(0, 0, 0, 0), [rectangle(at(0, 0, 20, 20), red, { shadow: shadow(0, 40, 0) })], {
        transform: turned(90, 1, 40, 10),
      }),
    ],
    points: [
      [30, 20, [255, 0, 0]],
      [30, 60, [0, 0, 0]],
      [70, 20, [255, 255, 255]],
    ],
  },
  'the shadow of a fading element does not shine through it': {
    boxes: () => [rectangle(at(10, 10, 40, 40), red, { opacity: 0.5, shadow: shadow(0, 20, 20) })],
    points: [
      [40, 40, [255, mixed, mixed]],
      [60, 60, [mixed, mixed, mixed]],
    ],
  },
  'the shadow of what is left after a cut': {
    boxes: () => [
      rectangle(at(10, 10, 40, 20), red, {
        clipPaths: [rectPath(0, 0, 20, 20)],
        shadow: shadow(0, 0, 40),
      }),
    ],
    points: [
      [20, 20, [255, 0, 0]],
      [20, 60, [0, 0, 0]],
      [40, 60, [255, 255, 255]],
    ],
  },
  multiply: {
    boxes: () => [
      rectangle(at(0, 0, 100, 100), [200, 100, 50, 1]),
      rectangle(at(0, 0, 50, 100), [128, 128, 128, 1], { blendMode: 'multiply' }),
    ],
    points: [
      [25, 50, [100, 50, 25]],
      [75, 50, [200, 100, 50]],
    ],
  },
  lighter: {
    boxes: () => [
      rectangle(at(0, 0, 100, 100), [200, 100, 50, 1]),
      rectangle(at(0, 0, 50, 100), [100, 100, 100, 1], { blendMode: 'lighter' }),
    ],
    points: [[25, 50, [255, 200, 150]]],
  },
  'a group mixes as a whole': {
    boxes: () => [
      rectangle(at(0, 0, 100, 100), [200, 200, 0, 1]),
      group(
        at(0, 0, 100, 100),
        [rectangle(at(0, 0, 60, 60), red), rectangle(at(40, 40, 60, 60), green)],
        { blendMode: 'multiply' },
      ),
    ],
    points: [
      [20, 20, [200, 0, 0]],
      [50, 50, [0, 200, 0]],
      [80, 20, [200, 200, 0]],
    ],
  },
  'children mix among themselves only': {
    boxes: () => [
      rectangle(at(0, 0, 100, 100), [200, 200, 0, 1]),
      group(at(0, 0, 100, 100), [
        rectangle(at(0, 0, 50, 50), red),
        rectangle(at(0, 0, 100, 100), blue, { blendMode: 'multiply' }),
      ]),
    ],
    points: [
      [25, 25, [0, 0, 0]],
      [75, 75, [0, 0, 255]],
    ],
  },
  'an element without size or opacity': {
    boxes: () => [
      rectangle(at(0, 0, 50, 50), red, { opacity: 0 }),
      rectangle(at(0, 0, 50, 50), red, { transform: scaling(0, 1) }),
    ],
    points: [[25, 25, [255, 255, 255]]],
  },
  'a pattern over the parent': {
    boxes: () => [
      group(at(10, 10, 80, 80), [
        group(at(0, 0, 20, 20), [rectangle(at(0, 0, 10, 20), red)], { repeat: true }),
      ]),
    ],
    points: [
      [15, 15, [255, 0, 0]],
      [25, 15, [255, 255, 255]],
      [75, 85, [255, 0, 0]],
      [95, 50, [255, 255, 255]],
    ],
  },
  'invert and overlay': {
    boxes: () => [
      rectangle(at(0, 0, 50, 50), [255, 100, 0, 1], {
        effects: effects({ filter: 'invert', filterValue: 1 }),
      }),
      rectangle(at(50, 50, 30, 30), white, { effects: effects({ overlay: [0, 0, 255, 0.5] }) }),
    ],
    points: [
      [25, 25, [0, 155, 255]],
      [65, 65, [mixed, mixed, 255]],
      [90, 90, [255, 255, 255]],
    ],
  },
  'a colour keyed out': {
    boxes: () => [
      rectangle(at(0, 0, 30, 30), [0, 200, 60, 1], { effects: effects({ key: greenKey }) }),
      rectangle(at(30, 0, 30, 30), [0, 90, 27, 1], { effects: effects({ key: greenKey }) }),
      rectangle(at(60, 0, 30, 30), red, { effects: effects({ key: greenKey }) }),
      rectangle(at(0, 30, 30, 30), [120, 170, 135, 1], { effects: effects({ key: greenKey }) }),
      rectangle(at(30, 30, 30, 30), [120, 170, 135, 1], {
        effects: effects({ key: { ...greenKey, spill: 0 } }),
      }),
      rectangle(at(60, 30, 30, 30), [200, 60, 60, 1], {
        effects: effects({ key: greenKey, grade: { ...noGrade, saturation: -1 } }),
      }),
      rectangle(at(0, 60, 30, 30), [250, 250, 250, 1], {
        effects: effects({ key: { ...greenKey, color: white } }),
      }),
      rectangle(at(30, 60, 30, 30), black, {
        effects: effects({ key: { ...greenKey, color: white } }),
      }),
    ],
    fill: null,
    points: [
      [15, 15, [0, 0, 0, 0]],
      [45, 15, [0, 0, 0, 0]],
      [75, 15, [255, 0, 0]],
      [15, 45, [157, 157, 157]],
      [45, 45, [120, 170, 135]],
      [75, 45, [90, 90, 90]],
      [15, 75, [0, 0, 0, 0]],
      [45, 75, [0, 0, 0]],
    ],
  },
  'light and colours changed': {
    boxes: () => [
      // 100 is 0.1274 of the light, 138 is 0.2542: twice as much.
      rectangle(at(0, 0, 30, 30), [100, 100, 100, 1], {
        effects: effects({ grade: { ...noGrade, exposure: 1 } }),
      }),
      rectangle(at(30, 0, 30, 30), [255, 128, 0, 1], {
        effects: effects({ grade: { ...noGrade, saturation: -1 } }),
      }),
      rectangle(at(60, 0, 30, 30), [192, 64, 128, 1], {
        effects: effects({ grade: { ...noGrade, contrast: 0.5 } }),
      }),
      rectangle(at(0, 30, 30, 30), [100, 100, 100, 1], {
        effects: effects({ grade: { ...noGrade, temperature: 1 } }),
      }),
      rectangle(at(30, 30, 30, 30), [100, 100, 100, 1], {
        effects: effects({ grade: { ...noGrade, tint: -1 } }),
      }),
      rectangle(at(60, 30, 30, 30), [100, 100, 100, 0.5], {
        effects: effects({ grade: { ...noGrade, exposure: 1 } }),
      }),
    ],
    fill: null,
    points: [
      [15, 15, [138, 138, 138]],
      [45, 15, [146, 146, 146]],
      [75, 15, [224, 32, 128]],
      [15, 45, [118, 100, 84]],
      [45, 45, [92, 118, 92]],
      [75, 45, [138, 138, 138, 128]],
    ],
  },
  'brighten, contrast, grayscale': {
    boxes: () => [
      rectangle(at(0, 0, 30, 30), [100, 100, 100, 1], {
        effects: effects({ filter: 'brighten', filterValue: 0.5 }),
      }),
      rectangle(at(30, 0, 30, 30), [192, 192, 192, 1], {
        effects: effects({ filter: 'contrast', filterValue: 0.5 }),
      }),
      rectangle(at(60, 0, 30, 30), [0, 255, 0, 1], {
        effects: effects({ filter: 'grayscale', filterValue: 1 }),
      }),
    ],
    points: [
      [15, 15, [150, 150, 150]],
      [45, 15, [224, 224, 224]],
      [75, 15, [182, 182, 182]],
    ],
  },
};

describe('what is drawn where', () => {
  test.each(Object.entries(scenes))('%s', (_, { boxes, fill, points }) => {
    const canvas = paint(boxes(), fill === undefined ? {} : { fill });
    for (const [x, y, color] of points) expectPixel(canvas, x, y, color);
  });

  test('outputs without opacity are black where nothing is drawn', () => {
    const opened = painter(side, side);
    void opened.paint(
      frame(side, side, [rectangle(at(0, 0, 50, 50), red, { opacity: 0.5 })], null),
    );
    expectPixel(opened.canvas, 75, 75, [0, 0, 0]);
    expectPixel(opened.canvas, 25, 25, [127, 0, 0]);
    void opened.paint(frame(side, side, [], null));
    expectPixel(opened.canvas, 25, 25, [0, 0, 0]);
  });

  test('the output is the document at another size', () => {
    const canvas = paint([rectangle(at(10, 10, 40, 40), red, { shadow: shadow(0, 40, 0) })], {
      scale: 2,
    });
    expect([canvas.width, canvas.height]).toEqual([200, 200]);
    expectPixel(canvas, 60, 60, [255, 0, 0]);
    expectPixel(canvas, 102, 60, [0, 0, 0]);
    expectPixel(canvas, 182, 60, [255, 255, 255]);
  });
});

describe('masks', () => {
  const target = (): Box => rectangle(at(0, 0, 100, 100), red);
  const mask = (mode: NonNullable<Box['mask']>, color: Color, more: Partial<Box> = {}): Box =>
    rectangle(at(0, 0, 50, 100), color, { mask: mode, ...more });
  const grey: Color = [128, 128, 128, 1];
  test.each([
    ['alpha', [mask('alpha', black)], [255, 0, 0], [255, 255, 255]],
    ['alpha-inverted', [mask('alpha-inverted', black)], [255, 255, 255], [255, 0, 0]],
    ['half opaque', [mask('alpha', black, { opacity: 0.5 })], [255, mixed, mixed], [255, 255, 255]],
    ['luma, white', [mask('luma', white)], [255, 0, 0], [255, 255, 255]],
    ['luma, black', [mask('luma', black)], [255, 255, 255], [255, 255, 255]],
    ['luma, grey', [mask('luma', grey)], [255, mixed, mixed], [255, 255, 255]],
    ['luma, green', [mask('luma', green)], [255, 73, 73], [255, 255, 255]],
    ['luma-inverted, white', [mask('luma-inverted', white)], [255, 255, 255], [255, 0, 0]],
    [
      'luma-inverted, half opaque',
      [mask('luma-inverted', white, { opacity: 0.5 })],
      [255, mixed, mixed],
      [255, 0, 0],
    ],
    [
      'two masks',
      [mask('alpha', black), mask('alpha-inverted', black, { opacity: 0.5 })],
      [255, mixed, mixed],
      [255, 255, 255],
    ],
  ] as const)('%s', (_, masks, left, right) => {
    const canvas = paint([target(), ...masks]);
    expectPixel(canvas, 25, 50, left);
    expectPixel(canvas, 75, 50, right);
  });

  test('masks the box before it only, and draws nothing where there is none', () => {
    const canvas = paint([
      rectangle(at(0, 0, 100, 20), blue),
      target(),
      mask('alpha', black),
      rectangle(at(60, 60, 20, 20), green),
    ]);
    expectPixel(canvas, 75, 10, [0, 0, 255]);
    expectPixel(canvas, 70, 70, [0, 255, 0]);
    expectPixel(paint([mask('alpha', black)]), 25, 50, [255, 255, 255]);
  });

  /** How much darker than the white ground all pixels are, in whole pixels of black. */
  function ink(boxes: readonly Box[]): number {
    const { data } = paint(boxes).getContext('2d').getImageData(0, 0, side, side);
    return data.reduce((sum, level, at) => sum + (at % 4 === 0 ? 255 - level : 0), 0) / 255;
  }
  const circle: Path = [
    ['M', 25, 0],
    ['C', 38.8, 0, 50, 11.2, 50, 25],
    ['C', 50, 38.8, 38.8, 50, 25, 50],
    ['C', 11.2, 50, 0, 38.8, 0, 25],
    ['C', 0, 11.2, 11.2, 0, 25, 0],
    ['Z'],
  ];
  /** A black element of 50 × 50 pixels between pixels, and an inverted mask of its form that is moved along. */
  function cut(form: string, mode: 'luma-inverted' | 'alpha-inverted', x: number): readonly Box[] {
    const path = form === 'circle' ? circle : rectPath(0, 0, 50, 50);
    const drawn = (left: number, color: Color, more: Partial<Box> = {}): Box =>
      box({ kind: 'shape', path }, at(20.4, 20.3, 50, 50), {
        fill: solid(color),
        borderRadius: form === 'rounded' ? 12 : 0,
        transform: turned(form === 'turned' ? 20 : 0, 1, 20.4 + left, 20.3),
        ...more,
      });
    return [drawn(0, black), drawn(x, white, { mask: mode })];
  }

  const forms = ['rectangle', 'rounded', 'turned', 'circle'];
  const modes = ['luma-inverted', 'alpha-inverted'] as const;
  const cuts = forms.flatMap((form) => modes.map((mode) => [form, mode] as const));
  test.each(cuts)('%s, %s: nothing is left along an edge that the mask shares', (form, mode) => {
    // Without a fit, a third of a pixel is left along each of some two hundred.
    expect(ink(cut(form, mode, 0))).toBeLessThan(1);
  });

  test.each(modes)(
    '%s: of a mask that lies beside, all is left; of one that is off, a strip',
    (mode) => {
      expect(ink(cut('rectangle', mode, 50))).toBeCloseTo(2500, -1);
      expect(Math.abs(ink(cut('rectangle', mode, 0.5)) - 25)).toBeLessThan(3);
      expect(Math.abs(ink(cut('rectangle', mode, 7)) - 350)).toBeLessThan(5);
    },
  );
});
