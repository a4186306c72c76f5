/**
 * Keyframes from the inspector: its fields show what holds at the playhead, and what is written there changes the
 * keyframe that is there, or adds one. Each is one step, taken back to the byte.
 */
import { beforeEach, expect, test } from 'vitest';
import { InspectorState } from '../../renderer/editor/inspector/inspector-state.svelte.ts';
import { elementsOf, openEditor } from './editor.ts';

const text = `{ "output_format": "mp4", "width": 400, "height": 200, "duration": 4, "frame_rate": 20, "elements": [
  { "name": "Card", "type": "shape", "width": "10%", "height": "40%",  "fill_color": "#e03131", "opacity": 50,
    "z_rotation": [ { "time": 0, "value": "0°" }, { "time": 2, "value": "90°" , "easing": "linear"} ],
    "x": [ { "time": 0, "value": "40 px" }, { "time": 2, "value": "50%", "easing": "linear" } ] },
  { "name": "Other", "type": "shape",  "z_rotation": [ { "time": 1, "value": 30 }, { "time": 3, "value": 60 } ] }
]}`;
const { app, editor } = await openEditor(text);
const inspector = new InspectorState(editor, app.preferences);
const { document, canvas, preview } = editor;

function showAt(seconds: number, paths: readonly string[] = ['elements[0]']): void {
  preview.seek(seconds);
  canvas.selectAll(paths);
}

/** Takes everything back, step by step. @returns how many steps there were */
function takenBack(): number {
  let steps = 0;
  for (; document.undoable; steps++) document.undo();
  // As the page does a moment later.
  document.settle();
  expect(document.text).toBe(text);
  return steps;
}

beforeEach(() => {
  canvas.autoKeys = false;
  inspector.end();
});

test('a field shows the value at the playhead, on a keyframe, between two and after the last', () => {
  for (const [at, value] of [
    [0, '0°'],
    [1, '45°'],
    [2, '90°'],
    [3.5, '90°'],
  ] as const) {
    showAt(at);
    expect(inspector.shown('z_rotation')).toEqual({ kind: 'same', value });
  }
  showAt(1);
  expect(inspector.shown('x')).toEqual({ kind: 'same', value: '120 px' });
  showAt(1, ['elements[0]', 'elements[1]']);
  expect(inspector.shown('z_rotation')).toEqual({ kind: 'mixed' });
});

test('on a keyframe, what is written changes that one alone', () => {
  showAt(2);
  expect(inspector.keys.state(['z_rotation'])).toBe('here');
  inspector.write('z_rotation', '91°');
  inspector.write('z_rotation', '120°');
  expect(inspector.shown('z_rotation')).toEqual({ kind: 'same', value: '120°' });
  inspector.end();
  expect(document.text).toBe(text.replace('90°', '120°'));
  expect(takenBack()).toBe(1);
});

test('between two, it adds one, and what is written next changes that one', () => {
  showAt(1);
  expect(inspector.keys.state(['z_rotation'])).toBe('some');
  inspector.write('z_rotation', '10°');
  inspector.end();
  inspector.write('z_rotation', '20°');
  inspector.end();
  expect(elementsOf(editor)[0]?.['z_rotation']).toEqual([
    { time: 0, value: '0°' },
    { time: 1, value: '20°', easing: 'linear' },
    { time: 2, value: '90°', easing: 'linear' },
  ]);
  expect(inspector.keys.state(['z_rotation'])).toBe('here');
  expect(takenBack()).toBe(2);
});

test('what has no keyframes is simply set, unless it is recorded', () => {
  showAt(1);
  inspector.write('opacity', 20);
  inspector.end();
  expect(document.text).toBe(text.replace('"opacity": 50', '"opacity": 20'));
  expect(takenBack()).toBe(1);
  canvas.autoKeys = true;
  inspector.write('opacity', 20);
  inspector.end();
  expect(elementsOf(editor)[0]?.['opacity']).toEqual([
    { time: 0, value: 50 },
    { time: 1, value: 20 },
  ]);
  expect(takenBack()).toBe(1);
});

test('several elements get one each, at their own moments', () => {
  showAt(2, ['elements[0]', 'elements[1]']);
  expect(inspector.keys.state(['z_rotation'])).toBe('here');
  inspector.write('z_rotation', '5°');
  inspector.end();
  const [card, other] = elementsOf(editor);
  expect(card?.['z_rotation']).toMatchObject([{}, { time: 2, value: '5°' }]);
  expect(other?.['z_rotation']).toMatchObject([{}, { time: 2, value: '5°' }, {}]);
  expect(takenBack()).toBe(1);
});

test('all of them go, and the value at the playhead stays', () => {
  showAt(1);
  inspector.keys.removeAll(['z_rotation']);
  expect(elementsOf(editor)[0]?.['z_rotation']).toBe('45°');
  expect(inspector.keys.state(['z_rotation'])).toBe('none');
  expect(takenBack()).toBe(1);
});

test('the easing is that of the way the playhead is on', () => {
  showAt(1);
  inspector.keys.easingSlot(['z_rotation'])?.write('quadratic-in');
  expect(document.text).toBe(text.replace('linear', 'quadratic-in'));
  expect(takenBack()).toBe(1);
  showAt(0);
  expect(inspector.keys.easingSlot(['z_rotation'])).toBeNull();
});
