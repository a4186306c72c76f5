/** The outline and the fields: an element into a group and out of one by keys, and the moment that shows it. */
import { expect, test, vi } from 'vitest';
import { OutlineTree } from '../../renderer/editor/outline/outline-tree.svelte.ts';
import { keysPressed, openEditor } from './editor.ts';

const shape = (name: string): string =>
  `{ "type": "shape", "name": "${name}", "x": "50%", "y": "50%", "width": "20%", "height": "20%", "fill_color": "#f00" }`;
const nest = `{
  "output_format": "mp4", "width": 400, "height": 300, "duration": 4, "frame_rate": 25,
  "elements": [
    ${shape('Low')},
    { "type": "composition", "name": "Group", "x": "25%", "y": "25%", "width": "50%", "height": "50%", "elements": [
      ${shape('Inner')}
    ] },
    ${shape('High')}
  ]
}`;

const { app, editor } = await openEditor(nest);
const tree = new OutlineTree(editor, app, { focus: () => undefined, open: () => undefined });

/** The outline from the front, with what lies in a group indented. */
const shown = (): readonly string[] =>
  tree.items.map(({ label, level }) => `${'  '.repeat(level - 1)}${label}`);

/** Presses keys on the row of an element, and waits for its place to be drawn. */
async function press(name: string, keys: string): Promise<boolean> {
  const item = tree.items.find(({ label }) => label === name);
  if (!item) throw new Error(`There is no ${name}.`);
  const facts = editor.preview.facts;
  const { text } = editor.document;
  const isUsed = tree.press(keysPressed(keys), item);
  if (editor.document.text !== text)
    await vi.waitUntil(() => editor.preview.facts !== facts && editor.preview.phase === 'ready');
  return isUsed;
}

test('an element goes into the group beside it and out again, and each is one step', async () => {
  expect(shown()).toEqual(['High', 'Group', '  Inner', 'Low']);
  const places = () => editor.preview.facts?.outlines;
  const before = places()?.['elements[2]'];
  expect(await press('High', 'Alt+ArrowRight')).toBe(true);
  expect(shown()).toEqual(['Group', '  High', '  Inner', 'Low']);
  // It stays where it was in the picture.
  expect(places()?.['elements[1].elements[1]']).toMatchObject({
    width: before?.width,
    height: before?.height,
  });
  await press('Low', 'Alt+ArrowRight');
  expect(shown()).toEqual(['Group', '  High', '  Inner', '  Low']);
  await press('Inner', 'Alt+ArrowLeft');
  expect(shown()).toEqual(['Inner', 'Group', '  High', '  Low']);
  for (let steps = 0; steps < 3; steps++) editor.document.undo();
  editor.document.settle();
  expect(editor.document.text).toBe(nest);
});

test('what is in no group can’t leave one', async () => {
  const high = tree.items.find(({ label }) => label === 'High');
  const enabled = tree
    .commandsOf(high ?? tree.items[0]!)
    .filter(({ id }) => id === 'element-in' || id === 'element-out')
    .map((one) => [one.id, one.enabled]);
  expect(enabled).toEqual([
    ['element-in', true],
    ['element-out', false],
  ]);
  await press('High', 'Alt+ArrowLeft');
  expect(editor.document.text).toBe(nest);
});

test('what is revealed can be seen, and what can be seen already moves nothing', async () => {
  const late = `{ "output_format": "mp4", "width": 400, "height": 300, "duration": 6, "frame_rate": 25, "elements": [
    { "type": "shape", "name": "Late", "time": 2, "duration": 2, "width": "20%", "height": "20%", "fill_color": "#f00" }
  ] }`;
  const { editor: film } = await openEditor(late);
  film.preview.seek(0);
  film.reveal('elements[0]');
  expect(film.preview.time).toBeGreaterThanOrEqual(2);
  expect(film.preview.time).toBeLessThan(4);
  film.preview.seek(3);
  film.reveal('elements[0]');
  expect(film.preview.time).toBe(3);
});
