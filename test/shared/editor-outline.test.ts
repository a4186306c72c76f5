/** The order of the editor's outline, which its fields share, and what moving an element in it does to the source. */
import { describe, expect, test } from 'vitest';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import {
  fieldsOf,
  frontFirstOutline,
  isMarkable,
  outlineOf,
} from '../../renderer/editor/outline/elements.ts';
import { followed } from '../../renderer/editor/preview/followed.ts';
import { moveItem, swapItems } from '../../renderer/editor/source/json-text.ts';
import { moveOf } from '../../renderer/editor/outline/sibling-order.ts';
import type { CompiledElement } from '../../shared/preview.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';

/** `A1` is A on track 1, `B1@3` begins at 3 s, `C` has no track. All last 2 s. */
function element(words: string): JsonObject {
  const [, name = '', track, time] = /^([A-Z])(\d+)?(?:@(.+))?$/.exec(words) ?? [];
  return {
    type: 'shape',
    name,
    duration: 2,
    fill_color: '#fff',
    dynamic: true,
    ...(track !== undefined && { track: Number(track) }),
    ...(time !== undefined && { time }),
  };
}

const sourceOf = (words: string): Source => ({
  output_format: 'mp4',
  width: 64,
  height: 64,
  elements: words.split(' ').map(element),
});

/** As the engine compiles it. */
function compiled(source: Source): CompiledElement[] {
  const { root } = compileTimeline(source, { media: new Map(), scaling: {} });
  return root.children.map(({ path, name, type, track, start, duration }) => ({
    path,
    name,
    type,
    track,
    start,
    duration,
  }));
}

const namesOf = (source: Source, drawn: readonly CompiledElement[]): string =>
  outlineOf(source, drawn)
    .map(({ label }) => label)
    .join('');

// prettier-ignore
const orders: [what: string, source: string, before: string, shown: string][] = [
  ['without tracks: as in the source, whatever the time', 'A@4 B@0 C', 'ABC', 'ABC'],
  ['lower tracks first', 'A2 B1 C3', 'BAC', 'BAC'],
  ['on a track one after the other', 'A1 B2 C1', 'ACB', 'ACB'],
  ['on a track by their starts, once they are known', 'A1@4 B1@0 C2', 'ABC', 'BAC'],
  ['who follows comes after whom it follows', 'A1@6 B1 C1@2', 'ABC', 'CAB'],
  ['without a track above what was defined before', 'A1 B C2 D', 'ABCD', 'ABCD'],
  ['and below tracks that appear later', 'A B3 C1', 'ACB', 'ACB'],
  ['a track wins over the order of definition', 'A5 B C2', 'CAB', 'CAB'],
];

describe('the order of the outline', () => {
  test.each(orders)('%s: %s', (_what, words, before, shown) => {
    const source = sourceOf(words);
    expect(namesOf(source, [])).toBe(before);
    expect(namesOf(source, compiled(source))).toBe(shown);
    // The engine draws in the same order, but for who begins first on a track.
    const drawn = compiled(source).map(({ name }) => name);
    expect(drawn.join('')).toBe(before);
  });

  test.each([
    ['without tracks: what lies in front', 'A B C', 'CBA'],
    ['higher tracks first, and each in the order of time', 'A1 B2 C1@4', 'BAC'],
    ['without a track above what was defined before', 'A1 B C2 D', 'DCBA'],
  ])('its pane has the front first; %s: %s', (_what, words, shown) => {
    const source = sourceOf(words);
    const items = frontFirstOutline(outlineOf(source, compiled(source)));
    expect(items.map(({ label }) => label).join('')).toBe(shown);
    expect(items.map(({ place }) => place)).toEqual(items.map((_, place) => place));
  });

  test('holds at every level, and fields are in it too', () => {
    const inside: JsonObject = { type: 'composition', name: 'Z', track: 2 };
    const { elements } = sourceOf('A2 B1');
    const source: Source = {
      elements: [{ ...inside, elements: elements ?? [] }, element('C1')],
    };
    const items = outlineOf(source);
    expect(items.map(({ path, place, level }) => [path, place, level])).toEqual([
      ['elements[1]', 1, 1],
      ['elements[0]', 0, 1],
      ['elements[0].elements[1]', 1, 2],
      ['elements[0].elements[0]', 0, 2],
    ]);
    expect(frontFirstOutline(items).map(({ path }) => path)).toEqual([
      'elements[0]',
      'elements[0].elements[0]',
      'elements[0].elements[1]',
      'elements[1]',
    ]);
    expect(fieldsOf(source, items).list.map(({ label }) => label)).toEqual(
      ['C', 'B', 'A'].map((name) => `${name} · Fill`),
    );
  });

  test('the text that a voice speaks is a field of lines, a sound is a file', () => {
    const source: Source = {
      elements: [
        { type: 'audio', name: 'Voice', provider: 'system', source: '' },
        { type: 'audio', name: 'Music', source: 'a.mp3' },
      ],
    };
    const { list } = fieldsOf(source, outlineOf(source));
    expect(list.map(({ label, kind }) => [label, kind])).toEqual([
      ['Voice', 'text'],
      ['Music', 'source'],
    ]);
  });

  test('what was drawn goes along with elements that moved since, and nothing jumps meanwhile', () => {
    const drawn = compiled(sourceOf('A1@8 B1@4 C1@0'));
    expect(namesOf(sourceOf('A1@8 B1@4 C1@0'), drawn)).toBe('CBA');
    // One is gone, one is new, one has another name.
    expect(namesOf(sourceOf('B1@4 C1@0'), drawn)).toBe('CB');
    expect(namesOf(sourceOf('A1@8 X1 B1@4 C1@0'), drawn)).toBe('CBAX');
    expect(namesOf(sourceOf('A1@8 X1@4 C1@0'), drawn)).toBe('CXA');
    const inner = (words: string): Source => ({
      elements: [{ type: 'composition', name: 'Z', elements: sourceOf(words).elements ?? [] }],
    });
    const paths = compiled(sourceOf('A1@8 B1@0')).map((one) => ({
      ...one,
      path: `elements[3].${one.path}`,
    }));
    const outer = { ...paths[0]!, path: 'elements[3]', name: 'Z', start: 0 };
    expect(namesOf(inner('A1@8 B1@0'), [outer, ...paths])).toBe('ZBA');
  });
});

// prettier-ignore
const moves: [source: string, name: string, by: 1 | -1, after: string | object][] = [
  // Without tracks, up (-1) is to the front, which comes last; on one, the neighbours change places in time.
  ['A B C', 'B', -1, 'ACB'],
  ['A B C', 'B', 1, 'BAC'],
  ['A1 B1 C1', 'A', 1, 'BAC'],
  ['A1 X B1 Y', 'A', 1, 'BAXY'],
  ['A1 B2 C1', 'C', -1, 'CAB'],
  ['A1@1 B1@1', 'A', 1, 'BA'],
  // Past a track, all of it at once.
  ['A1 B1 C', 'C', 1, 'CAB'],
  ['C A1 B1 D2', 'C', -1, 'ABCD'],
  ['A5 B2 C', 'C', 1, 'CBA'],
  ['X A3 B1 C2', 'X', -1, 'BCAX'],
  // Not at all.
  ['A B', 'A', 1, { kind: 'edge' }],
  ['A B', 'B', -1, { kind: 'edge' }],
  ['A1 B2', 'A', -1, { kind: 'track', track: 1 }],
  ['A1 B', 'A', -1, { kind: 'track', track: 1 }],
  ['A1@4 B1@0', 'A', -1, { kind: 'time', index: 0 }],
  ['A1 B1@3', 'A', 1, { kind: 'time', index: 1 }],
];

test.each(moves)('in %s, %s moves by %i: %j', (words, name, by, after) => {
  const source = sourceOf(words);
  const drawn = compiled(source);
  const item = outlineOf(source, drawn).find(({ label }) => label === name)!;
  const found = moveOf(item.group, item.place, by);
  if (found.kind !== 'swap' && found.kind !== 'move') {
    expect(found).toEqual(after);
    return;
  }
  const edits = found.kind === 'swap' ? swapItems : moveItem;
  const text = JSON.stringify(source, null, 2);
  const changed = edits(text, ['elements'], found.from, found.to).reduceRight(
    (kept, { from, to, insert }) => kept.slice(0, from) + insert + kept.slice(to),
    text,
  );
  const next = JSON.parse(changed) as Source;
  // At once, from what was drawn before, and as it is drawn then.
  expect(namesOf(next, drawn)).toBe(after);
  expect(namesOf(next, compiled(next))).toBe(after);
  expect(outlineOf(next)[0]!.group.siblings).toHaveLength(words.split(' ').length);
});

test.each([
  ['nothing else moved', 'A B C', 'A B C', 'elements[1]'],
  ['one before it is gone', 'A B C', 'B C', 'elements[0]'],
  ['it was moved', 'A B C', 'A C B', 'elements[2]'],
  ['another came before it', 'A B', 'X A B', 'elements[2]'],
  ['it was renamed', 'A B C', 'A X C', 'elements[1]'],
  ['it is gone', 'A B C', 'A C', ''],
  ['one of two of the same name is gone', 'B B C', 'B C', 'elements[0]'],
  ['it was doubled', 'A B', 'A B B', 'elements[1]'],
])('a hidden element is followed: %s', (_case, before, after, place) => {
  const outline = (words: string): ReturnType<typeof outlineOf> => outlineOf(sourceOf(words));
  const found = followed(['elements[1]'], outline(before), outline(after));
  expect(found.join()).toBe(place);
});

test('only elements with something to fill in are offered as fields', () => {
  const source = {
    elements: [
      { type: 'text', name: 'Empty text' },
      { type: 'shape', name: 'Bare' },
      { type: 'shape', name: 'Filled', fill_color: '#fff' },
      { type: 'shape', name: 'Moving', fill_color: [{ time: 0, value: '#fff' }] },
      { type: 'text', name: 'Marked', dynamic: true },
      { type: 'composition', name: 'Group', elements: [{ type: 'image', name: 'Inside' }] },
    ],
  };
  const offered = outlineOf(source).filter((item) => isMarkable(source, item));
  expect(offered.map(({ label }) => label)).toEqual(['Empty text', 'Filled', 'Inside']);
});
