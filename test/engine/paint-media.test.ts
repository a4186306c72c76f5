/** Painting pictures and videos: sizes, edges, cuts; and how soft blurs and shadows are. */
import type { Canvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../shared/engine/layout/box.ts';
import type { PixelEffects } from '../../shared/engine/layout/paint-values.ts';
import {
  red,
  green,
  black,
  element,
  stroke,
  shadow,
  effects,
  solid,
  rectPath,
  at,
  rectangle,
  picture,
  video,
  frame,
  sources,
  painter,
  drawn,
  pixel,
  side,
  mixed,
  halves,
  paint,
  distance,
  expectPixel,
} from '../helpers/boxes.ts';

describe('pictures and videos', () => {
  test('a picture fills its rectangle and is cut to its box', () => {
    const canvas = paint([picture('halves', at(20, 20, 60, 60), {}, at(-30, 0, 120, 60))]);
    expectPixel(canvas, 30, 50, [255, 0, 0]);
    expectPixel(canvas, 70, 50, [0, 0, 255]);
    expectPixel(canvas, 15, 50, [255, 255, 255]);
    expectPixel(canvas, 85, 50, [255, 255, 255]);
  });

  test('a picture that is not there draws nothing', () => {
    expect(distance(paint([picture('missing', at(0, 0, 50, 50))]), paint([]))).toBe(0);
  });

  test('at its own size on whole pixels it is copied', () => {
    const noise = drawn(60, 40, (ctx) => {
      for (let index = 0; index < 2400; index++) {
        ctx.fillStyle = `rgb(${(index * 97) % 256}, ${(index * 31) % 256}, ${(index * 57) % 256})`;
        ctx.fillRect(index % 60, Math.floor(index / 60), 1, 1);
      }
    });
    const canvas = paint([picture('noise', at(10, 20, 60, 40))], { sources: sources({ noise }) });
    for (let x = 0; x < 60; x += 7)
      for (let y = 0; y < 40; y += 5) expectPixel(canvas, 10 + x, 20 + y, pixel(noise, x, y), 0);
  });

  test('edges between pixels are soft on both sides', () => {
    const plain = drawn(40, 40, (ctx) => ctx.fillRect(0, 0, 40, 40));
    const canvas = paint([picture('plain', at(20.25, 20, 40, 40))], {
      sources: sources({ plain }),
    });
    expectPixel(canvas, 20, 40, [64, 64, 64], 3);
    expectPixel(canvas, 60, 40, [191, 191, 191], 3);
    expectPixel(canvas, 40, 40, [0, 0, 0]);
  });

  test.each([2, 3, 5, 7.3, 16])('shrunk to 1/%s, fine detail becomes its average', (times) => {
    const stripes = drawn(480, 480, (ctx) => {
      ctx.fillStyle = '#fff';
      ctx.fillRect(0, 0, 480, 480);
      ctx.fillStyle = '#000';
      for (let x = 0; x < 480; x += 2) ctx.fillRect(x, 0, 1, 480);
    });
    const length = Math.min(60, 480 / times);
    const canvas = paint(
      [picture('stripes', at(5.4, 5.7, length, length), {}, at(0, 0, 480 / times, 480 / times))],
      {
        sources: sources({ stripes }),
      },
    );
    for (let x = 10; x < length; x += 3) expectPixel(canvas, x, 20, [127, 127, 127], 14);
  });

  /** Squares of many sizes, the same every time; each is `size` pixels wide. */
  const speckled = (size: number): Canvas =>
    drawn(size, size, (ctx) => {
      ctx.fillStyle = '#808080';
      ctx.fillRect(0, 0, size, size);
      let seed = 1;
      const next = (below: number): number => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * below);
      };
      for (let index = 0; index < 6000; index++) {
        ctx.fillStyle = index % 2 ? '#202020' : '#e0e0e0';
        const width = 2 + next(9);
        ctx.fillRect(next(size), next(size), width, width);
      }
    });

  // Against the true average of the pixels behind each drawn one, all the way through a glide of a pixel.
  test.each([
    [1.4, 9],
    [1.9, 10],
    [2.6, 11],
    [4, 13.5],
    [6, 15],
  ])('shrunk to 1/%s and gliding, it stays near the true average', (times, tolerance) => {
    const size = 480;
    const speckles = speckled(size);
    const { data } = speckles.getContext('2d').getImageData(0, 0, size, size);
    const width = Math.round(size / times);
    const area = Math.min(60, width - 4);
    const samples = 8;
    let [sum, count] = [0, 0];
    for (const shift of [0, 0.25, 0.5, 0.75]) {
      const gliding = picture('speckles', at(shift, 0, width, width), { element: element(true) });
      const canvas = paint([gliding], { sources: sources({ speckles }) });
      for (let y = 2; y < area; y += 2) {
        for (let x = 2; x < area; x += 2) {
          let mean = 0;
          for (let v = 0; v < samples; v++) {
            for (let u = 0; u < samples; u++) {
              const from = Math.floor(((x - shift + (u + 0.5) / samples) * size) / width);
              const row = Math.floor(((y + (v + 0.5) / samples) * size) / width);
              mean += data[(row * size + from) * 4]! / samples ** 2;
            }
          }
          sum += (pixel(canvas, x, y)[0]! - mean) ** 2;
          count++;
        }
      }
    }
    expect(Math.sqrt(sum / count)).toBeLessThan(tolerance);
  });

  test('round corners and outline of a picture', () => {
    const canvas = paint([
      picture('halves', at(10, 10, 80, 80), { borderRadius: 30, stroke: stroke(6, green) }),
    ]);
    expectPixel(canvas, 12, 12, [255, 255, 255]);
    expectPixel(canvas, 11, 50, [0, 255, 0]);
    expectPixel(canvas, 30, 50, [255, 0, 0]);
  });

  test.each([
    ['on whole pixels', at(0, 0, 100, 50), {}],
    ['with edges between pixels, out of view', at(-10.3, -7.6, 130.7, 120.4), {}],
    [
      'that grows out of view',
      at(0, 0, 100, 100),
      { contentTransform: [1.3, 0, 0, 1.3, -15, -15] },
    ],
    ['that grows in view', at(20, 20, 50, 50), { contentTransform: [1.3, 0, 0, 1.3, -5, -5] }],
  ] as const)(
    'a darkened picture %s is the same by the short and the long way',
    (_, place, more) => {
      const darkened = (opaque: boolean): Canvas => {
        const clear = drawn(200, 100, (ctx) => {
          ctx.drawImage(halves, 0, 0, 200, 100);
          if (!opaque) ctx.clearRect(199, 99, 1, 1);
        });
        const veil = effects({ overlay: [0, 0, 0, 0.4] });
        return paint([picture('clear', place, { effects: veil, ...more })], {
          sources: sources({ clear }),
        });
      };
      const long = darkened(false);
      const short = darkened(true);
      for (let y = 1; y < side; y += 6)
        for (let x = 1; x < side; x += 6) expectPixel(short, x, y, pixel(long, x, y), 1);
      expectPixel(short, 30, 30, [153, 0, 0]);
    },
  );

  test('frames of a video: new ones are taken over, transparency is kept', () => {
    const rgba = new Uint8Array(40 * 40 * 4).fill(255);
    const film = video(at(10, 10, 40, 40));
    const frames = { [film.element.path]: { rgba, width: 40, height: 40, serial: 1 } };
    const opened = painter(side, side, { sources: sources({}, frames) });
    const show = (): Canvas => {
      void opened.paint(frame(side, side, [film], red));
      return opened.canvas;
    };
    expectPixel(show(), 30, 30, [255, 255, 255]);
    rgba.fill(0);
    expectPixel(show(), 30, 30, [255, 255, 255]);
    frames[film.element.path]!.serial = 2;
    expectPixel(show(), 30, 30, [255, 0, 0]);
    expectPixel(show(), 5, 5, [255, 0, 0]);
    for (let index = 0; index < rgba.length; index += 4) rgba.set([0, 0, 255, 128], index);
    frames[film.element.path]!.serial = 3;
    expectPixel(show(), 30, 30, [127, 0, 128]);
  });
});

test('a darkened video stays see-through in the frames that are, after one that is not', () => {
  const side = 40;
  const film = video(at(0, 0, side, side), { effects: effects({ overlay: [0, 0, 0, 0.5] }) });
  const rgba = new Uint8Array(side * side * 4).fill(255);
  const frames = {
    [film.element.path]: { rgba, width: side, height: side, serial: 1, opaque: false },
  };
  const opened = painter(side, side, { sources: sources({}, frames) });
  void opened.paint(frame(side, side, [film], red));
  expectPixel(opened.canvas, 20, 20, [128, 128, 128]);
  rgba.fill(0);
  frames[film.element.path]!.serial = 2;
  void opened.paint(frame(side, side, [film], red));
  expectPixel(opened.canvas, 20, 20, [255, 0, 0]);
});

test('a video gets its look with its frame, as any other drawing gets it', () => {
  const side = 40;
  const key = { color: [0, 200, 60, 1], tolerance: 0.4, softness: 0.3, spill: 1 } as const;
  const grade = { exposure: 0.5, contrast: 0.2, saturation: -0.3, temperature: 0.4, tint: 0 };
  const rgba = new Uint8Array(side * side * 4);
  for (let at = 0; at < side * side; at++)
    rgba.set(
      [(at * 7) % 256, 90 + ((at * 3) % 166), (at * 5) % 200, at % 3 === 0 ? 160 : 255],
      at * 4,
    );
  const given = rgba.slice();
  const shown = (more: Partial<Box>): Uint8Array => {
    const film = video(at(0, 0, side, side), more);
    const frames = { [film.element.path]: { rgba, width: side, height: side, serial: 1 } };
    const opened = painter(side, side, { sources: sources({}, frames) });
    void opened.paint(frame(side, side, [film], null));
    return opened.canvas.data();
  };
  const looks = [
    effects({ key }),
    effects({ grade }),
    effects({ key, grade, filter: 'sepia', filterValue: 0.5 }),
  ];
  for (const look of looks) {
    // What is behind a video is part of the drawing; this one shows nothing. Half transparent pixels are rounded there.
    const drawn = shown({ effects: look, fill: solid([0, 0, 0, 0]) });
    const own = shown({ effects: look });
    expect(Math.max(...own.map((value, index) => Math.abs(value - drawn[index]!)))).toBeLessThan(6);
    expect(own.some((value) => value > 40)).toBe(true);
  }
  expect(rgba).toEqual(given);
});

test('another look of the same frame, with and without an opaque colour', () => {
  const side = 40;
  const key = { color: [0, 200, 60, 1], tolerance: 0.4, softness: 0.3, spill: 1 } as const;
  const plain = video(at(0, 0, side, side));
  const film = (more: Partial<PixelEffects>): Box => ({ ...plain, effects: effects(more) });
  const rgba = new Uint8Array(side * side * 4);
  for (let at = 0; at < side * side; at++) rgba.set([0, 200, 60, 255], at * 4);
  const { path } = plain.element;
  const frames = { [path]: { rgba, width: side, height: side, serial: 1, opaque: true } };
  const opened = painter(side, side, { sources: sources({}, frames) });
  const show = (box: Box): Canvas => {
    void opened.paint(frame(side, side, [box], red));
    return opened.canvas;
  };
  expectPixel(show(film({ key })), 20, 20, [255, 0, 0]);
  expectPixel(show(film({})), 20, 20, [0, 200, 60]);
  expectPixel(show(film({ key: { ...key, color: red } })), 20, 20, [0, 200, 60]);
  expectPixel(show(film({ key })), 20, 20, [255, 0, 0]);
});

describe('softness', () => {
  /** How much of a line between two points a Gauss curve at `x` sees. */
  function seen(x: number, from: number, to: number, sigma: number): number {
    let sum = 0;
    let all = 0;
    for (let step = -400; step <= 400; step++) {
      const offset = (step / 100) * sigma;
      const weight = Math.exp(-((step / 100) ** 2) / 2);
      all += weight;
      if (x + offset >= from && x + offset < to) sum += weight;
    }
    return sum / all;
  }

  /** Largest difference of the red channel from a black square blurred by the book, 0–255. */
  function farthest(
    canvas: Canvas,
    sigma: number,
    opacity: number,
    hidden: (x: number, y: number) => boolean,
  ): number {
    const columns = Array.from({ length: side }, (_, x) => seen(x + 0.5, 30, 70, sigma));
    let largest = 0;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        if (hidden(x, y)) continue;
        const expected = 255 * (1 - opacity * columns[x]! * columns[y]!);
        largest = Math.max(largest, Math.abs(pixel(canvas, x, y)[0]! - expected));
      }
    }
    return largest;
  }

  // Weak ones are made at full size by the canvas, with boxes whose widths are whole pixels.
  test.each([
    [4, 9],
    [7, 7],
    [12, 7],
    [30, 7],
    [50, 7],
  ])('a shadow of blur %s is a Gauss curve of half that width', (blur, tolerance) => {
    const square = rectangle(at(20, 22, 40, 40), red, {
      shadow: shadow(blur, 10, 8, [0, 0, 0, 0.8]),
    });
    const inside = (x: number, y: number): boolean => x >= 19 && x <= 60 && y >= 21 && y <= 62;
    expect(farthest(paint([square]), blur / 2, 0.8, inside)).toBeLessThan(tolerance);
  });

  test.each([
    [3, 12],
    [8, 7],
    [10, 7],
    [20, 7],
    [40, 9],
  ])('a blur of radius %s is a Gauss curve of the stack blur’s width', (radius, tolerance) => {
    const square = rectangle(at(30, 30, 40, 40), black, { effects: effects({ blur: radius }) });
    const sigma = Math.sqrt((radius * (radius + 2)) / 6);
    expect(farthest(paint([square]), sigma, 1, () => false)).toBeLessThan(tolerance);
  });

  /** How much of a black square from 30 to 70 a box blur of this radius leaves at the middle of pixel x. */
  function boxShare(x: number, radius: number, passes: number): number {
    let line: number[] = Array.from({ length: 300 }, (_, at) => (at >= 130 && at < 170 ? 1 : 0));
    for (let pass = 0; pass < passes; pass++) {
      line = line.map((_, at) => {
        let sum = 0;
        for (let near = at - radius; near <= at + radius; near++) sum += line[near] ?? 0;
        return sum / (2 * radius + 1);
      });
    }
    return line[x + 100]!;
  }

  test.each([
    [2, 'box', 1],
    [6, 'box', 2],
    [12, 'box', 2],
    [20, 'box', 8],
    [2, 'box-2', 2],
    [6, 'box-2', 2],
    [12, 'box-2', 2],
    [20, 'box-2', 6],
  ] as const)('radius %s: a %s blur is an average of squares', (radius, mode, tolerance) => {
    const canvas = paint([
      rectangle(at(30, 30, 40, 40), black, { effects: effects({ blur: radius, blurMode: mode }) }),
    ]);
    const passes = mode === 'box' ? 1 : 2;
    let largest = 0;
    for (let y = 1; y < side; y += 3) {
      for (let x = 1; x < side; x += 3) {
        const expected = 255 * (1 - boxShare(x, radius, passes) * boxShare(y, radius, passes));
        largest = Math.max(largest, Math.abs(pixel(canvas, x, y)[0]! - expected));
      }
    }
    expect(largest).toBeLessThanOrEqual(tolerance);
  });

  test.each(['stack', 'box', 'box-2'] as const)(
    'a %s blur weighs colours by their opacity: what is see-through has no say',
    (blurMode) => {
      const clear = drawn(100, 100, (ctx) => {
        ctx.fillStyle = '#ff0000';
        ctx.fillRect(0, 0, 50, 100);
      });
      const opened = painter(side, side, { sources: sources({ clear }), transparent: true });
      const soft = picture('clear', at(0, 0, 100, 100), {
        effects: effects({ blur: 8, blurMode }),
      });
      void opened.paint({ ...frame(side, side, [soft]), fill: null });
      const [red, green, blue, opacity] = pixel(opened.canvas, 50, 50);
      expect(red).toBeGreaterThan(250);
      expect([green, blue]).toEqual([0, 0]);
      expect(opacity).toBeGreaterThan(100);
      expect(opacity).toBeLessThan(155);
    },
  );

  test('a blurred picture keeps its edges; its colours mix inside', () => {
    const canvas = paint([
      picture('halves', at(0, 0, 100, 100), { effects: effects({ blur: 20 }) }),
    ]);
    expectPixel(canvas, 0, 0, [255, 0, 0]);
    expectPixel(canvas, 99, 99, [0, 0, 255]);
    expectPixel(canvas, 50, 99, [mixed, 0, mixed], 8);
  });

  test('a blur comes before the cut of a wipe', () => {
    const canvas = paint([
      rectangle(at(0, 0, 100, 100), red, {
        effects: effects({ blur: 10 }),
        clipPaths: [rectPath(0, 0, 50, 100)],
      }),
    ]);
    expectPixel(canvas, 49, 50, [255, 0, 0]);
    expectPixel(canvas, 50, 50, [255, 255, 255]);
  });
});
