/** Painting text: letters, outlines, pieces, and measuring it. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { beforeAll, describe, expect, test } from 'vitest';
import { translation } from '../../shared/engine/geometry.ts';
import type { TextContent } from '../../shared/engine/layout/box.ts';
import { createMeasurer } from '../helpers/painter.ts';
import {
  red,
  green,
  blue,
  black,
  solid,
  across,
  stroke,
  rectPath,
  element,
  box,
  at,
  line,
  sources,
  pixel,
  side,
  mixed,
  paint,
  distance,
  expectPixel,
  registerTestFont,
} from '../helpers/boxes.ts';

beforeAll(registerTestFont);

describe('text', () => {
  const place = at(10, 10, 80, 80);

  test('letters in the fill, runs in their own colour, nothing without a fill', () => {
    const content = line('█', 60);
    const [piece] = content.pieces;
    const colored: TextContent = {
      ...content,
      pieces: [{ ...piece!, runs: [{ ...piece!.runs[0]!, color: blue, text: 'I' }] }],
    };
    const letters = {
      ...content,
      pieces: [{ ...piece!, runs: [{ ...piece!.runs[0]!, text: 'I' }] }],
    };
    const middle = 10 + 60 * 0.16;
    expectPixel(paint([box(letters, place, { fill: solid(red) })]), middle, 50, [255, 0, 0]);
    expectPixel(paint([box(colored, place, { fill: solid(red) })]), middle, 50, [0, 0, 255]);
    expect(distance(paint([box(letters, place)]), paint([]))).toBe(0);
  });

  test('an outline lies below the letters, also below the neighbour’s', () => {
    const only = paint([box(line('III', 60), place, { fill: solid(red) })]);
    const outlined = paint([
      box(line('III', 60), place, { fill: solid(red), stroke: stroke(12, blue) }),
    ]);
    const width = side;
    let letters = 0;
    for (let x = 0; x < width; x++) {
      const [, greenLeft] = pixel(only, x, 50);
      if (greenLeft! > 0) continue;
      letters++;
      expectPixel(outlined, x, 50, [255, 0, 0]);
    }
    expect(letters).toBeGreaterThan(20);
    expectPixel(outlined, 12, 50, [0, 0, 255]);
  });

  test('a gradient spans the block, not the letter', () => {
    const canvas = paint([box(line('IIII', 60), place, { fill: across(0, 80, red, blue) })]);
    const inked = Array.from({ length: side }, (_, x) => pixel(canvas, x, 50)).filter(
      ([, greenLeft]) => greenLeft === 0,
    );
    expect(inked[0]![0]).toBeGreaterThan(220);
    expect(inked.at(-1)![2]).toBeGreaterThan(180);
  });

  test('backgrounds, pieces with transform, opacity and cut', () => {
    const [piece] = line('I', 60).pieces;
    const content: TextContent = {
      kind: 'text',
      backgrounds: [{ path: rectPath(0, 0, 80, 20), color: green, opacity: 0.5 }],
      pieces: [
        { ...piece!, transform: translation(40, 0), opacity: 0.5 },
        { ...piece!, clip: at(0, 0, 80, 40) },
      ],
    };
    const canvas = paint([box(content, place, { fill: solid(red) })]);
    expectPixel(canvas, 80, 15, [mixed, 255, mixed]);
    expectPixel(canvas, 60, 60, [255, mixed, mixed]);
    expectPixel(canvas, 20, 45, [255, 0, 0]);
    expectPixel(canvas, 20, 65, [255, 255, 255]);
  });

  test('a fading outlined piece is faded as a whole', () => {
    const faded = paint([
      box(line('I', 60, { opacity: 0.5 }), place, { fill: solid(red), stroke: stroke(8, blue) }),
    ]);
    expectPixel(faded, 20, 50, [255, mixed, mixed]);
  });

  test('letter spacing moves the letters on', () => {
    const wide = line('II', 40);
    const [piece] = wide.pieces;
    const spaced: TextContent = {
      ...wide,
      pieces: [{ ...piece!, runs: [{ ...piece!.runs[0]!, letterSpacing: 30 }] }],
    };
    const ink = (content: TextContent): number => {
      const canvas = paint([box(content, place, { fill: solid(black) })]);
      return Math.max(
        ...Array.from({ length: side }, (_, x) => (pixel(canvas, x, 40)[0]! < 100 ? x : 0)),
      );
    };
    expect(ink(spaced) - ink(wide)).toBeCloseTo(30, -0.5);
  });

  test('still text keeps to whole pixels, gliding text does not', () => {
    const drawAt = (y: number, moving: boolean): Canvas =>
      paint([
        box(line('HE', 40), at(10, 10 + y, 80, 50), {
          fill: solid(black),
          element: element(moving),
        }),
      ]);
    expect(distance(drawAt(0, false), drawAt(0.3, false))).toBe(0);
    expect(distance(drawAt(0, true), drawAt(0.3, true))).toBeGreaterThan(40);
  });

  test('an emoji of a set of pictures stands in the middle of its advance and fades with the text', () => {
    const asked: number[] = [];
    const picture = createCanvas(8, 8);
    picture.getContext('2d').fillStyle = 'rgb(0, 255, 0)';
    picture.getContext('2d').fillRect(0, 0, 8, 8);
    const own = sources();
    const withPictures = {
      ...own,
      fonts: {
        css: (font: Parameters<typeof own.fonts.css>[0]) => own.fonts.css(font),
        emoji: (_: string, side: number) => {
          asked.push(side);
          return picture;
        },
      },
    };
    const [piece] = line('I', 40, { opacity: 0.5 }).pieces;
    const run = { ...piece!.runs[0]!, text: '😀', width: 50, emoji: true as const };
    const content: TextContent = {
      kind: 'text',
      backgrounds: [],
      pieces: [{ ...piece!, runs: [run] }],
    };
    const outlined = box(content, place, { fill: solid(red), stroke: stroke(6, blue) });
    const canvas = paint([outlined], { sources: withPictures });
    // A square of 1.11 × 40 pixels around the middle of the advance, 0.345 × 40 above the baseline; no outline.
    const [x, y] = [10 + run.x + 25, 10 + run.y - 0.345 * 40];
    expectPixel(canvas, x, y, [mixed, 255, mixed]);
    expectPixel(canvas, x - 20, y - 20, [mixed, 255, mixed]);
    expectPixel(canvas, x - 25, y, [255, 255, 255]);
    expect(asked[0]).toBeCloseTo(1.11 * 40, 1);
    const unfilled = paint([box(content, place)], { sources: withPictures });
    expect(distance(unfilled, paint([]))).toBe(0);
  });

  test('measures as it draws, in proportion to the size', () => {
    const { fonts } = sources();
    const measurer = createMeasurer(fonts);
    const font = { family: 'Paint Test', weight: 600, style: 'normal', size: 40 } as const;
    const ctx = createCanvas(1, 1).getContext('2d');
    ctx.font = fonts.css(font);
    expect(measurer.width('Hamburg', font)).toBeCloseTo(ctx.measureText('Hamburg').width, 1);
    expect(measurer.width('Hamburg', { ...font, size: 80 })).toBeCloseTo(
      measurer.width('Hamburg', font) * 2,
      6,
    );
    expect(measurer.width('', font)).toBe(0);
    const { ascent, descent } = measurer.metrics(font);
    expect(ascent).toBeCloseTo(0.968 * 40, 1);
    expect(descent).toBeCloseTo(0.251 * 40, 1);
  });
});
