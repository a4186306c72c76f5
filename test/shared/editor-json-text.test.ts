/** Edits of the source as text: what is written, what is left as it was, and how long one line may be. */
import { describe, expect, test } from 'vitest';
import {
  followEdit,
  insertItem,
  insertProperty,
  parsePath,
  putValue,
  setValue,
  treeOf,
  withoutProperties,
  type Node,
} from '../../renderer/editor/source/json-text.ts';
import { PatchedText } from '../../renderer/editor/source/patch.ts';
import type { TextChange } from '../../renderer/engine/text-change.ts';

const apply = (text: string, changes: readonly TextChange[]): string =>
  changes.reduceRight(
    (kept, { from, to, insert }) => kept.slice(0, from) + insert + kept.slice(to),
    text,
  );

/** Places only: of a tree that was read, and of one that followed edits. */
function placesOf(node: Node): unknown {
  const { offset, length, colonOffset, children } = node;
  return [offset, length, colonOffset, children?.map(placesOf)];
}

const source = `{
  "width": 640, "note" : "a",
  "elements": [
    { "name": "One", "text": "Hello", "x": [{ "time": 0, "value": 1 }] },
    {"name":"Two","visible":true}
  ]
}`;

describe('a tree that follows edits is the tree of the new text', () => {
  test.each([
    ['width', 1],
    ['width', 123456],
    ['note', ''],
    ['elements[0].text', 'Something much longer “than” before'],
    ['elements[0].x[0].value', 22.5],
    ['elements[1].name', 'T'],
    ['elements[1].visible', false],
  ])('%s', (path, value) => {
    const tree = treeOf(source)!;
    const [edit] = putValue(tree, parsePath(path), value)!;
    followEdit(tree, edit!);
    expect(placesOf(tree)).toEqual(placesOf(treeOf(apply(source, [edit!]))!));
  });
});

test('a plain value is put in place of a plain one; all else is laid out', () => {
  const tree = treeOf(source);
  expect(putValue(tree, parsePath('elements[0].x'), 3)).toBeNull();
  expect(putValue(tree, parsePath('elements[0].width'), 3)).toBeNull();
  const changed = apply(source, setValue(source, parsePath('elements[1].width'), '5%'));
  expect(JSON.parse(changed)).toMatchObject({ elements: [{}, { name: 'Two', width: '5%' }] });
  expect(
    JSON.parse(apply(source, setValue(source, parsePath('elements[0].x'), undefined))),
  ).toEqual({
    width: 640,
    note: 'a',
    elements: [
      { name: 'One', text: 'Hello' },
      { name: 'Two', visible: true },
    ],
  });
});

test('a document on one long line is changed without laying it out', () => {
  const elements = Array.from({ length: 3000 }, (_, index) => ({ type: 'text', text: `${index}` }));
  const line = JSON.stringify({ elements });
  const removed = apply(line, setValue(line, parsePath('elements[5].text'), undefined));
  expect(removed.includes('\n')).toBe(false);
  const written = JSON.parse(
    apply(removed, insertItem(removed, ['elements'], { type: 'shape' })),
  ) as { elements: object[] };
  expect(written.elements).toHaveLength(3001);
  expect(written.elements[5]).toEqual({ type: 'text' });
  expect(written.elements.at(-1)).toEqual({ type: 'shape' });
});

test('a new property is written as its neighbours are, and taken away leaves the rest as it was', () => {
  const rows: readonly (readonly [before: string, after: string])[] = [
    ['{"a":1}', '{"a":1,"x":0}'],
    ['{ "a": 1 }', '{ "a": 1, "x": 0 }'],
    ['{"a" : 1, "b" : [1]}', '{"a" : 1, "b" : [1], "x" : 0}'],
    ['{\n\t"a": 1,\n\t"b": 2\n}', '{\n\t"a": 1,\n\t"b": 2,\n\t"x": 0\n}'],
    ['{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "x": 0\r\n}'],
  ];
  for (const [before, after] of rows) {
    const tree = treeOf(before);
    const change = tree && insertProperty(before, tree, ['x'], 0);
    expect(change && apply(before, [change])).toBe(after);
    expect(withoutProperties(after, [['x']])).toBe(before);
  }
  expect(insertProperty('{}', treeOf('{}')!, ['x'], 0)).toBeNull();
  expect(withoutProperties('{ "x": 0, "a": 1 }', [['x'], ['y']])).toBe('{ "a": 1 }');
});

test('thousands of elements get and lose a property in one go', () => {
  const elements = Array.from({ length: 4000 }, (_, index) => ({ type: 'text', text: `${index}` }));
  const before = JSON.stringify({ elements }, null, 2);
  const paths = elements.map((_, index) => `elements[${index}].x`);
  const after = new PatchedText(before).with(Object.fromEntries(paths.map((path) => [path, 3])));
  const read = JSON.parse(after) as { elements: { x: number }[] };
  expect(read.elements.every(({ x }) => x === 3)).toBe(true);
  expect(withoutProperties(after, paths.map(parsePath))).toBe(before);
});
