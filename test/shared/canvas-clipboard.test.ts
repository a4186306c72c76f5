/**
 * Elements on the clipboard: what a text means, where and when it is pasted, whose look is taken; and how fast many
 * copies are.
 */
import { describe, expect, test } from 'vitest';
import { takeName } from '../../shared/free-name.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import {
  clipboardText,
  readClipboard,
  withFonts,
  withPasted,
  type PasteSpot,
} from '../../renderer/editor/canvas/clipboard.ts';
import { startsIn, withCopies, without } from '../../renderer/editor/canvas/copies.ts';
import { withFile } from '../../renderer/editor/media/media-element.ts';
import { withStyle } from '../../renderer/editor/canvas/style.ts';
import { outlineOf } from '../../renderer/editor/outline/elements.ts';

const text = `{
  "width": 400, "height": 200,
  "elements": [
    {"type": "shape", "name": "Card", "x": 100, "y": "25%", "width": "10%", "height": 40, "fill_color": "#d9480f"},
    { "type": "text", "name": "Words", "track": 1, "text": "Hi", "fill_color": "#fff", "font_size": "8 vmin" }
  ]
}`;
const sourceOf = (of: string): Source => JSON.parse(of) as Source;
const elementsOf = (of: string): readonly JsonObject[] =>
  (JSON.parse(of) as { elements: readonly JsonObject[] }).elements;
const spot: PasteSpot = {
  list: 'elements',
  names: ['Card', 'Words'],
  room: { width: 400, height: 200 },
  document: { width: 400, height: 200 },
  at: null,
  now: 0,
};
const paste = (elements: readonly JsonObject[], more: Partial<PasteSpot> = {}): JsonObject => {
  const made = withPasted(text, sourceOf(text), elements, { ...spot, ...more });
  expect(made.text.startsWith(text.slice(0, text.indexOf('"8 vmin" }') + 10))).toBe(true);
  return elementsOf(made.text)[2]!;
};

describe('a text on the clipboard', () => {
  test.each<[what: string, text: string, gives: unknown]>([
    ['nothing', '  ', null],
    ['one element', '{"type":"shape"}', { kind: 'elements', elements: [{ type: 'shape' }] }],
    [
      'a document',
      '{"width":4,"elements":[{"type":"text"},7]}',
      { kind: 'elements', elements: [{ type: 'text' }] },
    ],
    [
      'a group, whole',
      '{"type":"composition","elements":[{"type":"text"}]}',
      { kind: 'elements', elements: [{ type: 'composition', elements: [{ type: 'text' }] }] },
    ],
    ['a list', '[{"type":"image"}]', { kind: 'elements', elements: [{ type: 'image' }] }],
    [
      'the address of a picture',
      'https://example.org/a/Photo.JPG?w=9',
      { kind: 'file', type: 'image', source: 'https://example.org/a/Photo.JPG?w=9' },
    ],
    [
      'of a film',
      'http://example.org/film.mp4',
      { kind: 'file', type: 'video', source: 'http://example.org/film.mp4' },
    ],
    ['of a page', 'https://example.org/page', { kind: 'words', text: 'https://example.org/page' }],
    ['another scheme', 'javascript:a.png', { kind: 'words', text: 'javascript:a.png' }],
    [
      'keyframes, in order; what is none is passed over',
      '{"keyframes":{"x":[{"time":1,"value":2},{"time":0,"value":1}],"y":7}}',
      {
        kind: 'keyframes',
        keys: new Map([
          [
            'x',
            [
              { time: 0, value: 1 },
              { time: 1, value: 2 },
            ],
          ],
        ]),
      },
    ],
    ['other JSON', '{"a":1}', { kind: 'words', text: '{"a":1}' }],
    ['words', 'Big sale\n', { kind: 'words', text: 'Big sale' }],
  ])('%s', (_, given, gives) => expect(readClipboard(given)).toEqual(gives));

  test('has the start of what a lane places', () => {
    const compiled = [{ path: 'elements[1]', name: 'Words', start: 2.5, duration: 1 }];
    const outline = outlineOf(sourceOf(text), compiled as never);
    const written = clipboardText(sourceOf(text), ['elements[1]'], startsIn(outline));
    expect(elementsOf(written)).toEqual([{ ...elementsOf(text)[1], time: 2.5 }]);
  });
});

describe('pasted', () => {
  const card = elementsOf(text)[0]!;
  test('beside what lies exactly there, under a free name', () => {
    expect(paste([card])).toEqual({ ...card, name: 'Card 2', x: 104, y: '27%' });
  });
  test('where it was, if that is free', () => {
    const away = { ...card, x: 120, name: 'Other' };
    expect(paste([away])).toEqual(away);
  });
  test('with its middle at a place, in its own units', () => {
    expect(paste([card], { at: { x: 300, y: 150 } })).toEqual({
      ...card,
      name: 'Card 2',
      x: 300,
      y: '75%',
    });
  });
  test('several keep their places to each other', () => {
    const two = [card, { ...card, x: 140 }];
    const made = withPasted(text, sourceOf(text), two, { ...spot, at: { x: 220, y: 50 } });
    expect(
      elementsOf(made.text)
        .slice(2)
        .map(({ x }) => x),
    ).toEqual([200, 240]);
    expect(made.paths).toEqual(['elements[2]', 'elements[3]']);
  });
  test.each<[what: string, given: JsonObject, now: number, time: unknown]>([
    ['visible at the moment, keeps its time', { time: '1 s', duration: 4 }, 2, '1 s'],
    ['over before, begins now', { time: '1 s', duration: 1 }, 6, '6 s'],
    ['still to come, begins now', { time: 9 }, 3, 3],
    ['from the beginning to the end, has none', {}, 3, undefined],
    ['with a time that is worked out later, keeps it', { time: '50%' }, 3, '50%'],
  ])('an element that is %s', (_, given, now, time) => {
    expect(paste([{ type: 'text', ...given }], { now })['time']).toEqual(time);
  });
  test('on a lane of its own, without the ID', () => {
    const made = paste([{ type: 'text', id: 'a', track: 1, time: 0, x: 7 }]);
    expect(made).toEqual({ type: 'text', time: 0, x: 7 });
  });
  test('into an empty document', () => {
    const made = withPasted('{}', {}, [card], { ...spot, names: [] });
    expect(elementsOf(made.text)).toEqual([card]);
  });
});

describe('a look', () => {
  const targets = [{ path: 'elements[1]', element: elementsOf(text)[1]! }];
  test('of letters: font, colours and alignment; words and place stay', () => {
    const from = {
      ...{ type: 'text', text: 'Other', font_family: 'Lora', x: 1, y: 2, width: '5%' },
      ...{ x_alignment: '50%', shadow_color: '#000', time: 4 },
    };
    expect(elementsOf(withStyle(text, targets, from))[1]).toEqual({
      ...{ type: 'text', name: 'Words', track: 1, text: 'Hi' },
      ...{ font_family: 'Lora', x_alignment: '50%', shadow_color: '#000' },
    });
  });
  test('of a shape, for letters: what both have', () => {
    const from = { type: 'shape', fill_color: 'red', path: 'M 0 0', border_radius: 4 };
    expect(elementsOf(withStyle(text, targets, from))[1]).toEqual({
      ...{ type: 'text', name: 'Words', track: 1, text: 'Hi' },
      ...{ fill_color: 'red', border_radius: 4, font_size: '8 vmin' },
    });
  });
});

describe('another file', () => {
  const film: JsonObject = {
    ...{ type: 'video', name: 'Film', source: 'a.mp4', fit: 'contain', x_alignment: '10%' },
    ...{ trim_start: 2, trim_duration: 3, volume: '50%' },
  };
  const after = (media: Parameters<typeof withFile>[3]): JsonObject =>
    elementsOf(withFile(JSON.stringify({ elements: [film] }), 'elements[0]', film, media))[0]!;
  test('keeps all but the source', () => {
    expect(after({ kind: 'video', source: 'b.mp4', duration: 9 })).toEqual({
      ...film,
      source: 'b.mp4',
    });
  });
  test('that is too short for the part that showed', () => {
    expect(after({ kind: 'video', source: 'b.mp4', duration: 4 })).toEqual({
      ...{ type: 'video', name: 'Film', source: 'b.mp4', fit: 'contain', x_alignment: '10%' },
      volume: '50%',
    });
  });
  test('of the other kind has no sound', () => {
    expect(after({ kind: 'image', source: 'b.png', duration: 0 })).toEqual({
      ...{ type: 'image', name: 'Film', source: 'b.png', fit: 'contain', x_alignment: '10%' },
    });
  });
});

describe('many elements', () => {
  const items = Array.from(
    { length: 3000 },
    (_, index) => `    {"type": "shape", "name": "S ${index}", "x": "${index % 100}%"}`,
  );
  const large = `{\n  "elements": [\n${items.join(',\n')}\n  ]\n}`;
  const odd = items.flatMap((_, index) => (index % 2 === 1 ? [`elements[${index}]`] : []));

  test('are taken out in one reading of the text, and the others keep their bytes', () => {
    const begun = performance.now();
    const rest = without(large, odd);
    // One reading for each element takes minutes.
    expect(performance.now() - begun).toBeLessThan(3000);
    const even = items.filter((_, index) => index % 2 === 0);
    expect(rest).toBe(`{\n  "elements": [\n${even.join(',\n')}\n  ]\n}`);
    expect(
      elementsOf(
        without(
          large,
          items.map((_, index) => `elements[${index}]`),
        ),
      ),
    ).toEqual([]);
  });
  test('are copied in one reading, too', () => {
    const begun = performance.now();
    const source = sourceOf(large);
    const made = withCopies(large, source, odd, outlineOf(source));
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(elementsOf(made.text)).toHaveLength(4500);
    expect(made.paths.at(-1)).toBe('elements[4499]');
  });
  test('inside of one that goes, go with it', () => {
    const nested = '{"elements":[{"elements":[{"a":1},{"b":1}]},{"c":1}]}';
    expect(without(nested, ['elements[0].elements[1]', 'elements[0]'])).toBe(
      '{"elements":[{"c":1}]}',
    );
  });
});

describe('the fonts that a document brings along', () => {
  const own = { family: 'Brand Sans', source: 'media:1', weight: '700' };
  const other = { family: 'Unused', source: 'media:2' };
  const titled = (style: object): Source => ({
    fonts: [own, other],
    elements: [{ type: 'text', name: 'Title', ...style }],
  });
  const copy = (source: Source): unknown =>
    readClipboard(clipboardText(source, ['elements[0]'], () => 0));

  test.each([
    ['its family', { font_family: 'brand sans' }],
    ['a keyframe', { font_family: [{ time: 0, value: 'Brand Sans' }] }],
    ['a tag in its text', { text: 'a [family Brand Sans]b[/family]' }],
  ])('go with an element that uses them: %s', (_, style) =>
    expect(copy(titled(style))).toMatchObject({ fonts: [own] }),
  );

  test('stay where no element uses them', () =>
    expect(copy(titled({ font_family: 'Inter' }))).not.toHaveProperty('fonts'));

  test.each<[what: string, before: string, after: unknown]>([
    ['are added to a document without any', '{"elements": []}', [own]],
    ['to one with an empty list', '{"fonts": [], "elements": []}', [own]],
    ['beside others', `{"fonts": [${JSON.stringify(other)}]}`, [other, own]],
    [
      'beside another weight of the family',
      '{"fonts": [{"family": "Brand Sans", "source": "media:3"}]}',
      [{ family: 'Brand Sans', source: 'media:3' }, own],
    ],
    [
      'not where the document has its own',
      '{"fonts": [{"family": "BRAND SANS", "source": "media:4", "weight": 700}]}',
      [{ family: 'BRAND SANS', source: 'media:4', weight: 700 }],
    ],
  ])('%s', (_, before, after) =>
    expect((JSON.parse(withFonts(before, sourceOf(before), [own])) as Source).fonts).toEqual(after),
  );
});

test.each([
  ['Title', [], 'Title'],
  ['Title', ['Title'], 'Title 2'],
  ['Title', ['Title', 'Title 2'], 'Title 3'],
  ['Title 2', ['Title', 'Title 2'], 'Title 3'],
  ['Take 7', ['Take 7'], 'Take 8'],
  ['7', ['7'], '7 2'],
])('one more %s beside %j is %s', (name, taken, gives) => {
  const names = new Set<string>(taken);
  expect(takeName(name, names)).toBe(gives);
  expect([...names]).toEqual([...taken, gives]);
});

test('a free name is found without trying all names with its stem again', () => {
  let tries = 0;
  class Names extends Set<string> {
    override has(name: string): boolean {
      tries += 1;
      return super.has(name);
    }
  }
  const count = 5_000;
  const names = new Names([
    'Title',
    ...Array.from({ length: count }, (_, at) => `Title ${at + 2}`),
  ]);
  const found = Array.from({ length: count }, () => takeName('Title', names));
  expect(found[0]).toBe(`Title ${count + 2}`);
  expect(new Set(found).size).toBe(count);
  expect(tries).toBeLessThan(4 * count);
});
