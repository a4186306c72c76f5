/**
 * Grouping and taking apart: the engine draws the same picture before and after, at every moment; what can't stay is
 * refused.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { outlinesOf } from '../../shared/engine/layout/outlines.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { grouped, type Regrouped, type Seen } from '../../renderer/editor/canvas/grouping.ts';
import { blurredPart } from '../../renderer/editor/canvas/partial-blur.ts';
import { ungrouped } from '../../renderer/editor/canvas/ungrouping.ts';
import { areaOf, type Area } from '../../renderer/editor/canvas/plane.ts';
import { elementAt } from '../../renderer/editor/outline/elements.ts';
import { openDrawing } from '../helpers/drawing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'grouping-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const size = { width: 240, height: 160 };
const moments = [0, 0.5, 1.3, 2.1, 2.9, 3.6];

interface Drawn {
  readonly pictures: readonly Uint8Array[];
  readonly seen: Seen;
}

async function drawn(text: string, at = 1.3): Promise<Drawn> {
  const source = JSON.parse(text) as Source;
  const drawing = await openDrawing(source, { scratch, mediaFolders: [], renderScale: 1 });
  const layout = drawing.layout();
  const painter = drawing.painter();
  const pictures = moments.map((moment) => {
    void painter.paint(layout.frameAt(moment));
    return painter.read({ x: 0, y: 0, ...size });
  });
  const outlines = outlinesOf(layout.frameAt(at));
  drawing.close();
  const areaIn = (path: string): Area | null =>
    outlines[path] ? areaOf(outlines[path], size) : null;
  const whole = { corners: [0, 0, 1, 0, 1, 1, 0, 1], ...size };
  return {
    pictures,
    seen: {
      text,
      source,
      lengths: {},
      document: size,
      areaOf: areaIn,
      roomOf: (path) => {
        const inside = path === '' ? whole : outlines[path]?.inside;
        return inside ? areaOf(inside, size) : null;
      },
      names: [],
    },
  };
}

/** The largest difference of two pictures' channels, and how many differ by more than a rounding. */
function difference(one: Uint8Array, other: Uint8Array): number {
  let most = 0;
  for (let at = 0; at < one.length; at++)
    most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)));
  return most;
}

async function expectSame(before: Drawn, made: Regrouped): Promise<Source> {
  if ('why' in made) throw new Error(`Refused: ${made.why} ${made.name}`);
  // Of a document that shows nothing but its ground, any other would be the same picture.
  expect(new Set(before.pictures.flatMap((one) => [...new Set(one)])).size).toBeGreaterThan(4);
  const after = await drawn(made.text);
  before.pictures.forEach((picture, index) =>
    expect(
      difference(picture, after.pictures[index]!),
      `at ${moments[index]} s`,
    ).toBeLessThanOrEqual(2),
  );
  return JSON.parse(made.text) as Source;
}

const document = (...elements: readonly string[]): string => `{
  "output_format": "mp4", "width": 240, "height": 160, "duration": 4, "frame_rate": 10, "fill_color": "#123",
  "elements": [
    ${elements.join(',\n    ')}
  ]
}`;
const shape = (name: string, more: JsonObject = {}): string =>
  JSON.stringify({ type: 'shape', name, width: '20%', height: '30%', fill_color: '#e64', ...more });

const red = shape('Red', { x: '25%', y: '30%' });
const blue = shape('Blue', {
  x: 100,
  y: '40 px',
  fill_color: '#46e',
  width: '30 vmin',
  z_rotation: 20,
});
const title = JSON.stringify({
  type: 'text',
  name: 'Title',
  text: 'Hello there',
  x: '60%',
  y: '70%',
  width: '50%',
  height: '30%',
  font_size: '12%',
  stroke_color: '#fff',
  stroke_width: '1%',
});

describe('grouping keeps the picture', () => {
  interface Row {
    readonly what: string;
    readonly text: string;
    readonly paths: readonly string[];
    readonly gives?: (group: JsonObject, source: Source) => void;
  }
  const rows: readonly Row[] = [
    {
      what: 'of elements in several units',
      text: document(red, blue, title),
      paths: ['elements[0]', 'elements[1]', 'elements[2]'],
      gives: (group) => expect(parseFloat(group.width as string)).toBeLessThan(100),
    },
    {
      what: 'of two of three, the one between lies elsewhere',
      text: document(red, shape('Far', { x: '90%', y: '90%', width: '5%', height: '5%' }), blue),
      paths: ['elements[0]', 'elements[2]'],
      gives: (_, source) =>
        expect((source.elements as readonly JsonObject[]).map(({ name }) => name)).toEqual([
          'Far',
          'Group',
        ]),
    },
    {
      what: 'with keyframes',
      text: document(
        shape('Keyed', {
          x: [
            { time: 0, value: '10%' },
            { time: 'end', value: 200, easing: 'linear' },
          ],
          width: [
            { time: 0, value: '10%' },
            { time: 2, value: '30%' },
          ],
        }),
        red,
      ),
      paths: ['elements[0]', 'elements[1]'],
    },
    {
      what: 'with an animation as wide as the picture',
      text: document(
        shape('Sliding', {
          animations: [{ type: 'slide', time: 0, duration: 2, direction: '0°' }],
        }),
        red,
      ),
      paths: ['elements[0]', 'elements[1]'],
      gives: (group) => expect(group.width).toBeUndefined(),
    },
    {
      what: 'with times of their own',
      text: document(
        shape('Late', { time: 1, duration: 1.5, x: '20%' }),
        shape('Later', { time: 2, x: '70%' }),
      ),
      paths: ['elements[0]', 'elements[1]'],
      gives: (group) => {
        expect(group).toMatchObject({ time: 1, duration: 3 });
        expect(group.elements).toMatchObject([{ duration: 1.5 }, { name: 'Later' }]);
      },
    },
    {
      what: 'with times in percent',
      text: document(
        shape('Late', { time: '25%', duration: '50%' }),
        shape('Later', { time: 2, duration: 1, x: '80%' }),
      ),
      paths: ['elements[0]', 'elements[1]'],
      gives: (group) =>
        expect((group.elements as readonly JsonObject[])[0]).toMatchObject({ duration: '100%' }),
    },
    {
      what: 'out of a sequence, whose others keep their times',
      text: document(
        shape('One', { track: 1, duration: 1 }),
        shape('Two', { track: 1, duration: 1, fill_color: '#4e6' }),
        shape('Three', { track: 1, duration: 1, fill_color: '#64e' }),
        shape('Above', { track: 2, x: '80%', time: 1, duration: 1 }),
      ),
      paths: ['elements[1]', 'elements[3]'],
    },
    {
      what: 'of a sequence with a transition',
      text: document(
        shape('One', { track: 1, duration: 2, width: '100%', height: '100%' }),
        shape('Two', {
          track: 1,
          duration: 2,
          width: '100%',
          height: '100%',
          fill_color: '#4e6',
          animations: [{ type: 'fade', time: 'start', duration: 1, transition: true }],
        }),
      ),
      paths: ['elements[0]', 'elements[1]'],
    },
    {
      what: 'with a mask and what it masks',
      text: document(
        red,
        shape('Full', { width: '100%', height: '100%', fill_color: '#4e6' }),
        shape('Mask', { width: '40%', height: '40%', mask_mode: 'alpha' }),
      ),
      paths: ['elements[1]', 'elements[2]'],
    },
    {
      what: 'of all with a place in the drawing order',
      text: document(
        shape('Top', { z_index: 5, x: '30%' }),
        shape('Under', { z_index: 2, x: '35%', fill_color: '#4e6' }),
        shape('Ground', { width: '100%', height: '100%', fill_color: '#222' }),
      ),
      paths: ['elements[0]', 'elements[1]'],
    },
    {
      what: 'inside a turned composition',
      text: document(
        JSON.stringify({
          type: 'composition',
          name: 'Box',
          width: '50%',
          height: '60%',
          x_padding: '5%',
          z_rotation: 30,
          elements: [JSON.parse(red), JSON.parse(title)],
        }),
      ),
      paths: ['elements[0].elements[0]', 'elements[0].elements[1]'],
    },
  ];
  test.each(rows)('$what', async ({ text, paths, gives }) => {
    const before = await drawn(text);
    const made = grouped(before.seen, paths);
    const source = await expectSame(before, made);
    if ('why' in made) throw new Error(made.why);
    const [path = ''] = made.paths;
    const group = elementAt(source, path);
    expect(group).toMatchObject({ type: 'composition', name: 'Group' });
    expect(group?.elements).toHaveLength(paths.length);
    gives?.(group!, source);

    // And back again.
    const again = await drawn(made.text);
    const apart = ungrouped(again.seen, path);
    await expectSame(again, apart);
    if ('why' in apart) throw new Error(apart.why);
    expect(apart.paths).toHaveLength(paths.length);
  });

  test('and the text as its author wrote it', async () => {
    const text = document(
      red,
      '{\n      "name": "Odd",   "type": "shape",\n      "x": 9\n    }',
      title,
    );
    const made = grouped((await drawn(text)).seen, ['elements[0]', 'elements[1]']);
    if ('why' in made) throw new Error(made.why);
    expect(made.text).toContain('          "name": "Odd",   "type": "shape",\n          "x": ');
    expect(made.text).toContain(title);
    expect(made.text.startsWith(text.slice(0, 100))).toBe(true);
  });
});

describe('what can’t be grouped says why', () => {
  const inside = JSON.stringify({ type: 'composition', name: 'Box', elements: [JSON.parse(red)] });
  const rows: readonly (readonly [
    why: string,
    name: string,
    text: string,
    paths: readonly string[],
  ])[] = [
    ['levels', 'Red', document(inside, red), ['elements[0].elements[0]', 'elements[1]']],
    [
      'locked',
      'Red',
      document(shape('Red', { locked: true }), blue),
      ['elements[0]', 'elements[1]'],
    ],
    ['flow', 'Red', document(shape('Red', { y: null }), blue), ['elements[0]', 'elements[1]']],
    [
      'blend',
      'Red',
      document(blue, shape('Red', { blend_mode: 'multiply' })),
      ['elements[0]', 'elements[1]'],
    ],
    ['mask', 'Mask', document(red, shape('Mask', { mask_mode: 'alpha' })), ['elements[0]']],
    [
      'order',
      'Between',
      document(red, shape('Between', { width: '100%', height: '100%' }), blue),
      ['elements[0]', 'elements[2]'],
    ],
    [
      'expression',
      'Red',
      document(shape('Red', { x: '{{x}}' }), blue),
      ['elements[0]', 'elements[1]'],
    ],
    [
      'transition',
      'Two',
      document(
        shape('One', { track: 1, duration: 2 }),
        shape('Two', {
          track: 1,
          animations: [{ type: 'fade', time: 'start', duration: 1, transition: true }],
        }),
      ),
      ['elements[0]'],
    ],
  ];
  test.each(rows)('%s', async (why, name, text, paths) => {
    // The engine does not read what stands for something that comes later.
    const { seen } = await drawn(text.replace('"{{x}}"', '"10%"'));
    expect(grouped({ ...seen, text, source: JSON.parse(text) as Source }, paths)).toEqual({
      why,
      name,
    });
  });
});

describe('what can’t be taken apart says why', () => {
  const box = (more: JsonObject): string =>
    document(
      JSON.stringify({ type: 'composition', name: 'Box', ...more, elements: [JSON.parse(red)] }),
    );
  test.each([
    ['own', 'opacity', box({ opacity: '50%' })],
    ['own', 'fill_color', box({ fill_color: '#fff' })],
    ['own', 'z_rotation', box({ z_rotation: 10 })],
    ['own', 'clip', box({ clip: true })],
    ['own', 'x', box({ x: [{ time: 0, value: 0 }] })],
    ['own', 'animations', box({ animations: [{ type: 'fade' }] })],
    ['flow', 'Box', box({ width: null })],
    ['locked', 'Box', box({ locked: true })],
  ])('%s %s', async (why, name, text) => {
    expect(ungrouped((await drawn(text)).seen, 'elements[0]')).toEqual({ why, name });
  });

  test('what means nothing is no reason', async () => {
    const before = await drawn(
      box({ opacity: '100%', z_rotation: 0, width: '60%', x_padding: '2 vw' }),
    );
    await expectSame(before, ungrouped(before.seen, 'elements[0]'));
  });
});

describe('a part is blurred', () => {
  test('its copy answers to the same names, and is silent', async () => {
    const clip = { type: 'video', name: 'Clip', source: '' };
    const scene = JSON.stringify({ type: 'composition', name: 'Scene', elements: [clip] });
    const made = blurredPart((await drawn(document(scene))).seen, 'around', 'elements[0]');
    if ('why' in made) throw new Error(made.why);
    const group = elementAt(JSON.parse(made.text) as Source, 'elements[0]');
    expect(group?.elements).toMatchObject([
      { name: 'Scene', elements: [clip] },
      { name: 'Scene', elements: [{ name: 'Clip', volume: '0%' }] },
      { mask_mode: 'alpha-inverted' },
    ]);
  });

  test.each([
    { part: 'around', sharp: [120, 80], soft: [120, 12] },
    { part: 'inside', sharp: [120, 12], soft: [120, 80] },
  ] as const)('$part the shape alone', async ({ part, sharp, soft }) => {
    // Two halves that meet in the middle of the picture.
    const half = (x: string, color: string): string =>
      shape(color, { x, width: '50%', height: '100%', x_anchor: '0%', fill_color: color });
    const both = JSON.stringify({
      type: 'composition',
      name: 'Both',
      elements: [JSON.parse(half('0%', '#ff0000')), JSON.parse(half('50%', '#0000ff'))],
    });
    const before = await drawn(document(both));
    const made = blurredPart(before.seen, part, 'elements[0]');
    if ('why' in made) throw new Error(made.why);
    expect(made.paths).toEqual(['elements[0].elements[2]']);
    const after = await drawn(made.text);
    const redAt = ({ pictures }: Drawn, [x, y]: readonly [number, number]): number =>
      pictures[0]![4 * (y * size.width + x - 1)]!;
    expect(redAt(before, sharp)).toBe(255);
    expect(redAt(after, sharp)).toBe(255);
    expect(redAt(after, soft)).toBeGreaterThan(100);
    expect(redAt(after, soft)).toBeLessThan(200);
  });
});
