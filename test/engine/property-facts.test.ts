/**
 * What the property table says of each property's effect, held against what layout does: a row with the wrong fact
 * would show as text that trembles, pictures drawn once too often, or lines that stay as they were.
 */
import { describe, expect, test } from 'vitest';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { TextValues } from '../../shared/engine/compile/property-values.ts';
import { camelCase } from '../../shared/engine/compile/values.ts';
import type { Box } from '../../shared/engine/layout/box.ts';
import { createLayout } from '../../shared/engine/layout/layout.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { createTextSetter } from '../../shared/engine/text/block.ts';
import { propertiesOf, type Property } from '../../shared/renderscript/properties.ts';
import { expectation } from '../../shared/renderscript/rules.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import { black, measurer, percent, textValues } from './layout-documents.ts';

const photo = { kind: 'image', format: 'jpg', width: 400, height: 100, duration: 0 } as const;
const media = new Map<string, MediaInfo>([
  ['photo.jpg', { ...photo, frameRate: 0, hasAudio: false, hasAlpha: false }],
]);

const elements: Readonly<Record<string, JsonObject>> = {
  shape: { type: 'shape', path: 'M 0 0 L 100 0 L 100 100 Z', fill_color: '#123' },
  image: { type: 'image', source: 'photo.jpg' },
  text: { type: 'text', text: 'One two', font_size: '5 vmin' },
  fitted: { type: 'text', text: 'One two' },
  group: { type: 'composition', elements: [{ type: 'shape', fill_color: '#123' }] },
};

/** Values of every kind; those that keep a property's rule are tried. */
// prettier-ignore
const values: readonly Json[] = [
  '20%', '80%', '2 vmin', '8 vmin', '10°', '40°', 1, 2, 300, 900, true, false, 'One', 'Three words here', '#f00', '#00ff0080',
  'M 0 0 L 50 50 L 0 50 Z', 'M 0 0 L 100 100 L 0 100 Z',
];

function boxOf(element: JsonObject, name: string, value: Json): Box | undefined {
  const own = { x: '30%', y: '40%', width: '40%', height: '30%', ...element, [name]: value };
  const source = { output_format: 'mp4', width: 400, height: 300, duration: 1, elements: [own] };
  const timeline = compileTimeline(source, { media, scaling: {} });
  return createLayout(timeline, { measurer, media }).frameAt(0).boxes[0];
}

/** What stays while something only glides. */
function sizeOf({ width, height, transform, content }: Box): string {
  const text = content.kind === 'text' ? content.pieces[0]?.runs[0] : undefined;
  const rect = content.kind === 'media' ? content.rect : undefined;
  const sides = [width, height, ...transform.slice(0, 4), rect?.width, rect?.height];
  return JSON.stringify([sides, text?.font.size, text?.letterSpacing]);
}

function placeOf({ transform, content }: Box): string {
  const text = content.kind === 'text' ? content.pieces[0]?.runs[0] : undefined;
  const rect = content.kind === 'media' ? content.rect : undefined;
  return JSON.stringify([transform.slice(4), text?.x, text?.y, rect?.x, rect?.y]);
}

/** What changing a property does to an element: the most that any two values show. */
function effectOn(element: JsonObject, { name, rule }: Property): 'size' | 'place' | 'look' {
  const own = rule.kind === 'enum' ? rule.values : values;
  const boxes = own
    .filter((value) => expectation(rule, value) === null)
    .flatMap((value) => boxOf(element, name, value) ?? []);
  if (new Set(boxes.map(sizeOf)).size > 1) return 'size';
  return new Set(boxes.map(placeOf)).size > 1 ? 'place' : 'look';
}

/** Other words, or the same in another font, are other lines; nothing slides from one to the other. */
const otherLines = new Set(
  'text font_family font_weight font_style text_transform text_wrap'.split(' '),
);
/** Sizes that a text is fitted between: keyframes of them are taken as changing the look alone. */
const fitting = new Set(['font_size_minimum', 'font_size_maximum']);

describe.each(Object.entries(elements))('what keyframes move, %s', (_, element) => {
  const { type } = element as { type: 'shape' };
  const rows = propertiesOf(type).filter(([, { keyframable }]) => keyframable);
  test.each(rows)('%s', (name, row) => {
    const effect = effectOn(element, row);
    const isLook = otherLines.has(name) || fitting.has(name);
    if (isLook) expect(row.use).toBe('look');
    else if (effect === 'size') expect(row.use).toBe('size');
    else if (effect === 'place') expect(['place', 'size']).toContain(row.use);
  });
});

test('the table names every value that the lines of a text follow from', () => {
  const known = new Set(
    propertiesOf('text').flatMap(([name, { lines }]) => (lines ? [camelCase(name)] : [])),
  );
  const read = new Set<string>();
  const room = { x: 0, y: 0, width: 200, height: 100, availableWidth: 200, availableHeight: 100 };
  const cases: readonly Partial<TextValues>[] = [
    ...[{}, { textWrap: false }, { textClip: true }, { fontSize: null }],
    { backgroundColor: black, backgroundBorderRadius: percent(10) },
  ];
  for (const change of cases) {
    for (const width of [room.width, null]) {
      const values = { ...textValues, text: 'One two three', ...change };
      const watched = new Proxy(values, {
        get(target, name: keyof TextValues) {
          read.add(name);
          return target[name];
        },
      });
      createTextSetter(measurer)(watched, { ...room, width });
    }
  }
  // Only whether there is a background counts, which the setter asks by itself.
  expect(Array.from(read).filter((name) => !known.has(name))).toEqual(['backgroundColor']);
});
