/** Layers that are moved in the outline: which place a pointer means, and what a move does to the document. */
import { describe, expect, test } from 'vitest';
import type { Area } from '../../renderer/editor/canvas/plane.ts';
import { frontFirstOutline, outlineOf } from '../../renderer/editor/outline/elements.ts';
import { nested } from '../../renderer/editor/outline/layer-nesting.ts';
import { dropAt, layersOf, reordered } from '../../renderer/editor/outline/layer-order.ts';
import { clipsOf } from '../../renderer/editor/timeline/clips.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';

/** `A1` is A on track 1, `C` has no track; `G(A B)` is a composition. All last 2 s. */
function documentOf(words: string): string {
  const elements: JsonObject[] = [];
  const open: JsonObject[][] = [elements];
  for (const [, name = '', track, way] of words.matchAll(/([A-Z])?(\d+)?([()])?/g)) {
    if (name !== '') {
      const children: JsonObject[] = [];
      const isGroup = way === '(';
      open.at(-1)?.push({
        name,
        type: isGroup ? 'composition' : 'shape',
        ...(track !== undefined && { track: Number(track) }),
        ...(isGroup
          ? { width: '50%', height: '50%', duration: 10, elements: children }
          : { width: '20%', height: '20%', fill_color: '#fff', duration: 2 }),
      });
      if (isGroup) open.push(children);
    }
    if (way === ')') open.pop();
  }
  const size = { output_format: 'mp4', width: 1000, height: 1000, duration: 10 };
  return JSON.stringify({ ...size, elements }, null, 2);
}

const read = (text: string): Source => JSON.parse(text) as Source;

/** Names as the outline shows them, the front first; children in brackets. */
function shown(text: string): string {
  const items = frontFirstOutline(outlineOf(read(text)));
  let before = 1;
  return items
    .map(({ label, level }) => {
      const way = level > before ? '(' : ')'.repeat(before - level);
      before = level;
      return way + label;
    })
    .join('')
    .concat(')'.repeat(before - 1));
}

/** When each element begins and ends, by name. */
function times(text: string): Readonly<Record<string, string>> {
  const clips = clipsOf(read(text), {});
  return Object.fromEntries(
    [...(clips?.byPath.values() ?? [])].map(({ name, start, duration }) => [
      name,
      `${+start.toFixed(2)}+${+duration.toFixed(2)}`,
    ]),
  );
}

function moved(text: string, name: string, at: number): string | null {
  const item = outlineOf(read(text)).find(({ label }) => label === name);
  if (!item) throw new Error(`There is no ${name}.`);
  return reordered(text, { source: read(text), lengths: {} }, item, at)?.text ?? null;
}

/** Values that differ, by place. */
function differences(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => read(text).elements as readonly JsonObject[]);
  return (a ?? []).reduce((sum, element, index) => {
    const now = b?.[index] ?? {};
    const names = new Set([...Object.keys(element), ...Object.keys(now)]);
    return sum + [...names].filter((key) => element[key] !== now[key]).length;
  }, 0);
}

// prettier-ignore
const moves: [what: string, document: string, name: string, at: number, after: string, changes: number][] = [
  ['without tracks, to the front', 'A B C', 'A', 0, 'ACB', 3],
  ['without tracks, to the back', 'A B C', 'C', 3, 'BAC', 3],
  ['it stays', 'A B C', 'B', 1, 'CBA', 0],
  ['two tracks change places', 'A1 B2', 'A', 0, 'AB', 2],
  ['over three: those between pass their tracks on', 'A1 B2 C3', 'A', 0, 'ACB', 1],
  ['into a gap: only its own track', 'A1 B2 C5', 'A', 1, 'CAB', 1],
  ['without a gap: each gets the next one', 'A1 B2 C3 D4', 'D', 3, 'CBDA', 3],
  ['a track of several is one layer', 'A1 B1 C2', 'C', 2, 'ABC', 3],
  ['one of several leaves its track, in front', 'A1 B1 C2', 'B', 0, 'BCA', 2],
  ['one of several leaves its track, in between', 'A1 B1 C2', 'B', 1, 'CBA', 3],
  ['what has no track goes past tracks', 'A1 B C2', 'B', 3, 'CAB', 4],
];

describe('the order of layers', () => {
  test.each(moves)('%s', (_, document, name, at, after, changes) => {
    const text = documentOf(document);
    const made = moved(text, name, at);
    expect(made && shown(made)).toBe(after);
    expect(made && times(made)).toEqual(times(text));
    expect(made && differences(text, made)).toBeLessThanOrEqual(changes);
  });

  test('any element goes to any place, in any document, or nowhere: never to another one', () => {
    let state = 7;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    let [done, refused] = [0, 0];
    for (let round = 0; round < 300; round++) {
      const count = 2 + next(5);
      const words = Array.from({ length: count }, (_, index) => {
        const track = next(5);
        return `${String.fromCharCode(65 + index)}${track === 0 ? '' : track}`;
      }).join(' ');
      const text = documentOf(words);
      const items = outlineOf(read(text));
      const item = items[next(items.length)]!;
      const layers = layersOf(item.group);
      const at = next(layers.length + 1);
      const made = moved(text, item.label, at);
      if (made === null) {
        refused++;
        continue;
      }
      done++;
      const own = layers.findIndex((layer) => layer.includes(item.index));
      const names = new Map(items.map(({ index, label }) => [index, label]));
      const wanted = layers.map((layer) => layer.filter((index) => index !== item.index));
      if (made === text) wanted[own]?.unshift(item.index);
      else wanted.splice(at, 0, [item.index]);
      const expected = wanted.flat().map((index) => names.get(index));
      if (made !== text) expect(shown(made), words).toBe(expected.join(''));
      expect(times(made), words).toEqual(times(text));
    }
    expect(refused).toBeLessThan(done / 5);
  });
});

describe('which place a pointer means', () => {
  const rows = (words: string) => frontFirstOutline(outlineOf(read(documentOf(words))));
  const means = (words: string, at: number, held = ''): unknown => dropAt(rows(words), at, held);

  test('the upper half of a row is above it, the lower one below it', () => {
    expect(means('A B', 0.2)).toMatchObject({ list: 'elements', at: 0, line: 0 });
    expect(means('A B', 0.8)).toMatchObject({ list: 'elements', at: 1, line: 1 });
    expect(means('A B', 9)).toMatchObject({ list: 'elements', at: 2, line: 2 });
  });

  test('a track of several has places only at its edges', () => {
    expect(means('A1 B1 C1 D2', 2.4)).toMatchObject({ at: 1, line: 1 });
    expect(means('A1 B1 C1 D2', 2.6)).toMatchObject({ at: 2, line: 4 });
  });

  test('the middle of a composition is inside it; below an open one is its front', () => {
    expect(means('A G(B C)', 0.5)).toMatchObject({ list: 'elements[1].elements', line: null });
    expect(means('A G(B C)', 0.9)).toMatchObject({ list: 'elements[1].elements', at: 0, line: 1 });
    expect(means('A G(B C)', 2.9)).toMatchObject({ list: 'elements[1].elements', at: 2, line: 3 });
  });

  test('nothing is put into itself', () => {
    expect(means('A G(B C)', 0.5, 'elements[1]')).toBeNull();
    expect(means('A G(B C)', 1.5, 'elements[1]')).toBeNull();
  });
});

describe('into a composition and out of it', () => {
  const area = (left: number, top: number, side: number): Area => ({
    origin: { x: left, y: top },
    across: { x: side, y: 0 },
    down: { x: 0, y: side },
    width: side,
    height: side,
  });
  /** The document is 1000 pixels wide; the composition's room is its middle. */
  const nest = (text: string, path: string, list: string, at: number) =>
    nested(
      {
        text,
        source: read(text),
        lengths: {},
        document: { width: 1000, height: 1000 },
        areaOf: () => area(400, 400, 200),
        roomOf: (of) => (of === '' ? area(0, 0, 1000) : area(250, 250, 500)),
        names: [],
      },
      path,
      { list, at },
    );

  test('it stays where it is in the picture and in time, and the author’s text stays', () => {
    const text = documentOf('A1 G2(B C) D3');
    const made = nest(text, 'elements[0]', 'elements[1].elements', 1);
    if ('why' in made) throw new Error(made.why);
    expect(shown(made.text)).toBe('DG(CAB)');
    expect(made.paths).toEqual(['elements[0].elements[1]']);
    expect(times(made.text)).toEqual(times(text));
    const [group] = read(made.text).elements as readonly { elements: readonly JsonObject[] }[];
    expect(group?.elements[1]).toEqual({
      ...{ name: 'A', type: 'shape', width: '40%', height: '40%', fill_color: '#fff', duration: 2 },
    });

    const back = nest(made.text, 'elements[0].elements[1]', 'elements', 2);
    if ('why' in back) throw new Error(back.why);
    expect(shown(back.text)).toBe('DG(CB)A');
    expect(times(back.text)).toEqual(times(text));
    const elements = read(back.text).elements as readonly JsonObject[];
    expect(elements.find(({ name }) => name === 'A')).toMatchObject({ width: '20%' });
  });

  test('what would not look as before says why', () => {
    const locked = documentOf('A G(B)').replace('"name": "A"', '"name": "A", "locked": true');
    expect(nest(locked, 'elements[0]', 'elements[1].elements', 0)).toEqual({
      why: 'locked',
      name: 'A',
    });
    const text = documentOf('A G(B)');
    expect(nest(text, 'elements[7]', 'elements[1].elements', 0)).toMatchObject({ why: 'levels' });
  });
});
