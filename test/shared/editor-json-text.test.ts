/** Edits of the source as text: what is written, what is left as it was, and how long one line may be. */
import { describe, expect, test } from 'vitest';
import {
  followEdit,
  insertItem,
  parsePath,
  putValue,
  setValue,
  treeOf,
  type Node,
  type TextChange,
} from '../../renderer/editor/code/json-text.ts';

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
