/** Making a template by hand: named sizes and the document that a new template begins with. */
import { describe, expect, test } from 'vitest';
import { formats, isStill } from '../../shared/renderscript/formats.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { PatchedText } from '../../renderer/editor/source/patch.ts';
import { elementOf } from '../../renderer/editor/media/media-element.ts';
import { contextFor, inkOn, pieceGroups } from '../../renderer/editor/making/pieces.ts';
import { resized } from '../../renderer/editor/making/resized.ts';
import { newDocument, usualOf, wrongIn } from '../../renderer/editor/making/new-document.ts';
import { ratioOf, sizeGroups } from '../../renderer/editor/making/sizes.ts';

const sizes = sizeGroups.flatMap((group) => group.sizes);
const film = { ...usualOf('mp4'), format: 'mp4', background: '#ffffff' } as const;

describe('a new template by its size', () => {
  test.each(sizes)('$id begins without a problem', ({ width, height, format }) => {
    const chosen = { ...film, ...usualOf(format), width, height, format };
    expect(wrongIn(chosen)).toBeNull();
    const source = newDocument(chosen);
    expect(validate(source)).toEqual([]);
    expect(width % formats[format].sideStep).toBe(0);
    expect('duration' in source).toBe(!isStill(format));
  });

  test.each([
    [{ width: 15, height: 100 }, 'side'],
    [{ width: 100.5, height: 100 }, 'side'],
    [{ width: NaN, height: 100 }, 'side'],
    [{ width: 8193, height: 100 }, 'side'],
    [{ width: 8000, height: 8000 }, 'area'],
    [{ width: 100, height: 100, duration: 0 }, 'duration'],
    [{ width: 100, height: 100, duration: NaN }, 'duration'],
    [{ width: 100, height: 100, frameRate: 61 }, 'frameRate'],
    [{ width: 100, height: 100, format: 'gif', frameRate: 30 }, 'frameRate'],
    [{ width: 100, height: 100, format: 'png', frameRate: NaN, duration: NaN }, null],
  ] as const)('%j: %s', (chosen, what) => {
    expect(wrongIn({ ...film, ...chosen })?.what ?? null).toBe(what);
  });

  test.each([
    [1080, 1920, '9:16'],
    [2560, 1080, '2.37:1'],
    [1000, 1500, '2:3'],
    [1080, 1350, '4:5'],
    [1000, 1907, '1:1.91'],
    [1, 1, '1:1'],
  ])('%d × %d is %s', (width, height, ratio) => {
    expect(ratioOf(width, height)).toBe(ratio);
  });
});

describe('a document in another format', () => {
  const wide = { width: 1920, height: 1080 };
  const tall = { width: 1080, height: 1920 };
  /** What becomes of one element between two formats; missing values are as they were. */
  const changed = (before: typeof wide, after: typeof wide, element: JsonObject): JsonObject => {
    const source = { ...before, elements: [element] };
    const text = new PatchedText(JSON.stringify(source)).with(resized(source, after));
    const { elements, ...root } = JSON.parse(text) as { elements: JsonObject[] };
    expect(root).toEqual(after);
    return elements[0] ?? {};
  };
  const image = { type: 'image', source: 'a.jpg' };
  const shape = { type: 'shape', x_anchor: '50%', y_anchor: '50%' };
  const text = { type: 'text', text: 'Some words' };

  // prettier-ignore
  test.each<[string, JsonObject, JsonObject]>([
    ['a picture without a size fills the frame', image, {}],
    ['a picture over the whole frame stays so', { ...image, width: '100%', height: '100%' }, {}],
    ['so does one in pixels', { ...image, x: 960, y: 540, width: 1920, height: 1080 }, { x: 540, y: 960, width: 1080, height: 1920 }],
    ['and one that reaches over the edges', { ...image, width: '110%', height: '110%' }, {}],
    ['a square stays a square, in percent', { ...shape, width: '20%', height: '35.56%' }, { width: '35.56%', height: '20%' }],
    ['and in hundredths of the smaller side', { ...shape, width: '40 vmin', height: '40 vmin' }, {}],
    ['what is wider than the frame gets smaller as a whole', { ...shape, width: 1600, height: 400 }, { width: 1080, height: 270 }],
    ['a logo keeps its distance from its corner', { ...image, x: '95%', y: '10%', x_anchor: '100%', y_anchor: '0%', width: 200, height: 100 }, { x: '91.11%', y: '5.63%' }],
    ['in pixels, too', { ...shape, x: 100, y: 980, width: 100, height: 100 }, { y: 1820 }],
    ['what stands in the middle goes on standing there', { ...shape, x: '50%', y: '50%', width: '10%', height: '10%' }, { width: '17.78%', height: '5.63%' }],
    ['a bar along the whole edge stays along it', { ...shape, y: '100%', y_anchor: '100%', width: '100%', height: 40 }, {}],
    ['a bar that grows ends where it ended', { ...shape, x: '0%', x_anchor: '0%', width: [{ time: 0, value: '0%' }, { time: 'end', value: '100%' }], height: 20 }, {}],
    ['a wide text gets narrower and higher, within the safe area', { ...text, width: '80%', height: '20%' }, { width: '90%', height: '17.78%' }],
    ['a text at the edge comes into the safe area', { ...text, x: '0%', x_anchor: '0%', width: 400, height: 100 }, { x: '5%' }],
    ['letters in pixels stay as large while they fit', { ...text, width: '80%', font_size: 60 }, { width: '90%' }],
    ['and get smaller for a long word', { ...text, text: 'Incomprehensibilities', width: '80%', font_size: 140 }, { width: '90%', font_size: 83 }],
    ['views are written as views', { ...shape, width: '20 vw', height: '20 vh' }, { width: '35.56 vw', height: '11.25 vh' }],
    ['keyframes of a place go along', { ...shape, width: 100, height: 100, x: [{ time: 0, value: '-10%' }, { time: 1, value: '50%' }] }, {}],
  ])('%s', (_, element, expected) => {
    expect(changed(wide, tall, element)).toEqual({ ...element, ...expected });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'lengths in pixels go with the smaller side',
      { ...shape, width: 200, height: 100, border_radius: '20 px' },
      { width: 400, height: 200, border_radius: '40 px' },
    ],
    ['letters too', { ...text, font_size: '30px' }, { font_size: '60px' }],
    ['percentages stay', { ...shape, width: '50%', height: '50%' }, {}],
  ])('twice as large: %s', (_, element, expected) => {
    const half = { width: 960, height: 540 };
    expect(changed(half, wide, element)).toEqual({ ...element, ...expected });
  });

  test('what stands in a group goes with the group', () => {
    const inner = { type: 'shape', x: '10%', y: '50%', width: 20, height: '100%' };
    const group = { type: 'composition', width: 400, height: 100, elements: [inner] };
    const half = { width: 960, height: 540 };
    const done = changed(half, wide, group);
    expect(done).toMatchObject({ width: 800, height: 200 });
    expect(done.elements).toEqual([{ ...inner, width: 40 }]);
  });

  test('what stands in a scene over the whole frame is set as in the frame itself', () => {
    const inner = { ...shape, x: '95%', x_anchor: '100%', width: '10%', height: '10%' };
    const scene = { type: 'composition', elements: [inner] };
    const alone = changed(wide, tall, inner);
    expect(changed(wide, tall, scene).elements).toEqual([alone]);
  });

  test('the same size changes nothing', () => {
    expect(resized({ ...wide, elements: [shape] }, wide)).toEqual({});
  });

  test.each(pieceGroups.flatMap(({ pieces }) => pieces))(
    'the piece $id stands within every format, without problems',
    ({ make }) => {
      const element = make(contextFor(null));
      const source = { output_format: 'mp4', ...wide, duration: 5, elements: [element] };
      const errors = (of: Source): readonly unknown[] =>
        validate(of).filter(({ severity, path }) => severity === 'error' || path.includes('font'));
      expect(errors(source)).toEqual([]);
      for (const { width, height } of sizes) {
        const made = new PatchedText(JSON.stringify(source)).with(
          resized(source, { width, height }),
        );
        expect(errors(JSON.parse(made) as Source)).toEqual([]);
      }
    },
  );
});

describe('the element of a file', () => {
  const frame = { width: 1080, height: 1920 };
  const photo = {
    kind: 'image',
    source: 'media:1',
    width: 3000,
    height: 2000,
    duration: 0,
  } as const;
  test.each([
    ['the first fills the frame', photo, true, { width: '100%', height: '100%' }],
    ['others keep their shape', photo, false, { width: '70%', height: '26.25%' }],
    [
      'one of the same shape fills it',
      { ...photo, width: 540, height: 960 },
      false,
      { width: '100%', height: '100%' },
    ],
    [
      'a short sound plays once',
      { ...photo, kind: 'audio', duration: 2 } as const,
      false,
      { type: 'audio' },
    ],
    [
      'a long one is music',
      { ...photo, kind: 'audio', duration: 120 } as const,
      false,
      { loop: true, duration: null },
    ],
  ])('%s', (_, media, isFirst, expected) => {
    expect(elementOf(media, frame, isFirst)).toMatchObject({ ...expected, source: 'media:1' });
  });
});

test.each([
  [null, '#ffffff'],
  ['#ffffff', '#14161c'],
  ['#102040', '#ffffff'],
  ['rgba(255,255,255,0.1)', '#ffffff'],
])('on %s letters are %s', (background, ink) => {
  expect(inkOn(background)).toBe(ink);
});
