/**
 * Crops as text: by alignment where that is enough, else by a composition around the picture, and within one that is
 * there.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import {
  cropped,
  cropText,
  panned,
  scaled,
  startCrop,
  wholePicture,
  type Crop,
  type CropStart,
} from '../../renderer/editor/canvas/crop.ts';
import type { Area } from '../../renderer/editor/canvas/plane.ts';

const document = { width: 800, height: 600 };
const area = (left: number, top: number, width: number, height: number): Area => ({
  origin: { x: left, y: top },
  across: { x: width, y: 0 },
  down: { x: 0, y: height },
  width,
  height,
});
const room = area(0, 0, 800, 600);
/** A picture twice as wide as its frame of 200 × 200 in the middle. */
const crop: Crop = startCrop(
  { x: 0, y: 0, width: 200, height: 200 },
  { x: -100, y: 0, width: 400, height: 200 },
);
const photo: JsonObject = {
  ...{ name: 'Photo', type: 'image', source: 'a.png', x: 400, y: '50%', width: '25%' },
  ...{ height: 200, border_radius: 8, smart_crop: true, opacity: '80%' },
};
const text = `{
  "elements": [
    ${JSON.stringify(photo)}
  ]
}`;
const start: CropStart = {
  ...{ text, path: 'elements[0]', element: photo, names: ['Photo'] },
  held: { path: 'elements[0]', element: photo, area: area(300, 200, 200, 200), room, document },
};
const elementsOf = (made: string): readonly JsonObject[] =>
  (JSON.parse(made) as { elements: readonly JsonObject[] }).elements;
const after = (from: CropStart, to: Crop): JsonObject => elementsOf(cropText(from, to).text)[0]!;

describe('a crop', () => {
  test.each<[what: string, made: Crop, gives: Crop]>([
    [
      'goes no further than the picture',
      panned(crop, { x: 999, y: 5 }),
      {
        ...crop,
        picture: { ...crop.picture, x: 0 },
      },
    ],
    [
      'takes a side along',
      cropped(crop, { x: 1, y: 0 }, { x: -50, y: 9 }, false),
      {
        ...crop,
        frame: { ...crop.frame, width: 150 },
      },
    ],
    [
      'ends at the picture’s edge',
      cropped(crop, { x: -1, y: -1 }, { x: -500, y: -500 }, false),
      {
        ...crop,
        frame: { x: -100, y: 0, width: 300, height: 200 },
      },
    ],
    [
      'keeps the frame’s shape',
      cropped(crop, { x: 1, y: 1 }, { x: -100, y: -20 }, true),
      {
        ...crop,
        frame: { x: 0, y: 0, width: 100, height: 100 },
      },
    ],
    [
      'scales about a point',
      scaled(crop, 2, { x: 100, y: 100 }),
      {
        ...crop,
        picture: { x: -300, y: -100, width: 800, height: 400 },
      },
    ],
    ['gets no smaller than the frame', scaled(crop, 0.1, { x: 100, y: 100 }), crop],
  ])('%s', (_, made, gives) => expect(made).toEqual(gives));

  test('of a picture that left room begins with that', () => {
    const wide = { x: 0, y: 50, width: 200, height: 100 };
    expect(startCrop({ x: 0, y: 0, width: 200, height: 200 }, wide)).toEqual({
      frame: wide,
      picture: wide,
    });
  });
});

describe('is written', () => {
  test('as alignment, if the picture fills the frame', () => {
    const { smart_crop: smart, ...rest } = photo;
    expect(smart).toBe(true);
    expect(after(start, panned(crop, { x: -60, y: 0 }))).toEqual({ ...rest, x_alignment: '80%' });
  });
  test('as size and alignment, if a side is cut that was cut before', () => {
    const made = after(start, cropped(crop, { x: 1, y: 0 }, { x: -50, y: 0 }, false));
    expect(made).toMatchObject({ x: 375, width: '18.75%', height: 200, x_alignment: '40%' });
    expect(made['type']).toBe('image');
  });
  test('as a composition around it, if it is larger; that gets its place and looks', () => {
    const made = cropText(start, scaled(crop, 2, { x: 100, y: 100 }));
    expect(made.path).toBe('elements[0].elements[0]');
    expect(elementsOf(made.text)).toEqual([
      {
        ...{ name: 'Photo frame', type: 'composition', clip: true, x: 400, y: '50%' },
        ...{ width: '25%', height: 200, border_radius: 8, opacity: '80%' },
        elements: [
          {
            ...{ name: 'Photo', type: 'image', source: 'a.png' },
            ...{ x: '50%', y: '50%', width: '400%', height: '200%' },
          },
        ],
      },
    ]);
  });
  test('as a place in the composition that is there, in its units', () => {
    const inner: JsonObject = {
      ...{ name: 'Photo', type: 'image', source: 'a.png' },
      ...{ x: '50%', y: '50%', width: '200%', height: '200 px' },
    };
    const frame: JsonObject = {
      ...{ type: 'composition', clip: true, x: 400, y: 300, width: 200, height: 200 },
      elements: [inner],
    };
    const framed: CropStart = {
      ...{ path: 'elements[0].elements[0]', element: inner, names: [] },
      text: `{"elements": [${JSON.stringify(frame)}]}`,
      held: { ...start.held, element: frame },
    };
    expect(after(framed, panned(crop, { x: -50, y: 0 }))).toEqual({
      ...frame,
      elements: [{ ...inner, x: '25%' }],
    });
    // The frame's size counts for the percentages in it.
    expect(after(framed, cropped(crop, { x: 1, y: 0 }, { x: -100, y: 0 }, false))).toEqual({
      ...{ ...frame, x: 350, width: 100 },
      elements: [{ ...inner, x: '100%', width: '400%' }],
    });
    expect(cropText(framed, crop).text).toBe(framed.text);
  });
});

test('the whole picture lies about the same point as its frame', () => {
  expect(wholePicture(start, crop)).toMatchObject({
    ...{ type: 'image', source: 'a.png', fit: 'fill', x: 400, y: '50%' },
    ...{ width: 400, height: 200, x_anchor: 200, y_anchor: 100 },
  });
});
