/**
 * Keyframes from the inspector: its fields show what holds at the playhead, and what is written there changes the
 * keyframe that is there, or adds one. And copied on the timeline. Each is one step, taken back to the byte.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { canvasCommands } from '../../renderer/editor/canvas/canvas-commands.svelte.ts';
import { timelineKey } from '../../renderer/editor/timeline/timeline-commands.svelte.ts';
import type { CommandId } from '../../shared/commands.ts';
import { InspectorState } from '../../renderer/editor/inspector/inspector-state.svelte.ts';
import { elementsOf, keysPressed, openEditor } from './editor.ts';

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

describe('on the clipboard', async () => {
  const written = `{ "output_format": "mp4", "width": 400, "height": 200, "duration": 8, "frame_rate": 20, "elements": [
  { "name": "Card", "type": "shape", "width": "10%", "height": "40%", "duration": 8, "fill_color": "#e03131",
    "x": [ { "time": 0, "value": "10%" }, { "time": "1 s", "value": "20%", "easing": "linear" }, { "time": 2, "value": "30%" } ],
    "opacity": [ { "time": "12.5%", "value": 0 },  { "time": "25%", "value": 100, "easing": "back-out" } ] },
  { "name": "Half", "type": "shape", "time": 2, "duration": 4, "width": "10%", "height": "40%", "fill_color": "#2f9e44",
    "opacity": [ {"time": "25%", "value": 50}, {"time": "100%", "value": 70} ] },
  { "name": "Song", "type": "audio", "source": "file:///none.mp3", "duration": 8, "volume": [ { "time": 0, "value": 10 }, { "time": 1, "value": 90 } ] },
  { "name": "Fixed", "type": "shape", "locked": true, "width": "10%", "height": "40%", "fill_color": "#000" }
]}`;
  const open = await openEditor(written);
  const { timeline } = open.editor;
  const [card, half, song, fixed] = [0, 1, 2, 3].map((index) => `elements[${index}]`);
  let clipboard = '';
  Object.assign(navigator, {
    clipboard: {
      writeText: (text: string) => Promise.resolve(void (clipboard = text)),
      readText: () => Promise.resolve(clipboard),
    },
  });

  /** Keyframes are pressed, and copied or cut. */
  async function take(id: CommandId, path = card, at: readonly number[] = [1, 2]): Promise<void> {
    open.editor.canvas.selectAll([path ?? '']);
    for (const one of at) timeline.keys.toggle(path ?? '', one);
    clipboard = '';
    await run(id);
    await vi.waitUntil(() => clipboard !== '');
  }

  async function run(id: CommandId): Promise<void> {
    canvasCommands(open.editor, open.app)
      .find((one) => one.id === id)
      ?.run();
    // Reading the clipboard takes a turn or two.
    await new Promise((resolve) => void setTimeout(resolve));
    open.editor.document.settle();
  }

  async function paste(seconds: number, ...paths: readonly (string | undefined)[]): Promise<void> {
    open.editor.preview.seek(seconds);
    open.editor.canvas.selectAll(paths.map((path) => path ?? ''));
    await run('paste-elements');
  }

  /** The last message that was shown. */
  const told = (): string | undefined => open.app.messages.toasts.at(-1)?.text;

  function undone(): void {
    expect(open.editor.document.undoable).toBe(true);
    open.editor.document.undo();
    open.editor.document.settle();
    expect(open.editor.document.text).toBe(written);
    expect(open.editor.document.undoable).toBe(false);
  }

  test('they come back at the playhead, each of its property, at the same distances', async () => {
    await take('copy-keyframes');
    expect(open.editor.document.undoable).toBe(false);
    await paste(4, card);
    expect(elementsOf(open.editor)[0]).toMatchObject({
      x: [
        { time: 0 },
        { time: '1 s' },
        { time: 2 },
        { time: 4, value: '20%', easing: 'linear' },
        { time: 5, value: '30%' },
      ],
      opacity: [
        {},
        {},
        { time: '50%', value: 0 },
        { time: '62.5%', value: 100, easing: 'back-out' },
      ],
    });
    // They are chosen, so that the next key means them.
    expect(timeline.keys.chosen).toEqual({ path: card, at: [4, 5] });
    expect(timelineKey(keysPressed('Delete'), open.editor, open.app)).toBe(true);
    expect(elementsOf(open.editor)[0]?.['x']).toHaveLength(3);
    open.editor.document.undo();
    undone();
  });

  test('on another element they take the place of what is in the same frame, on its own clock', async () => {
    await take('copy-keyframes');
    await paste(3, half);
    expect(elementsOf(open.editor)[1]).toMatchObject({
      x: [
        { time: 1, value: '20%', easing: 'linear' },
        { time: 2, value: '30%' },
      ],
      opacity: [
        { time: '25%', value: 0 },
        { time: '50%', value: 100, easing: 'back-out' },
        { time: '100%' },
      ],
    });
    undone();
  });

  test('several elements get them in one step', async () => {
    await take('copy-keyframes', card, [2]);
    await paste(6, card, half);
    const [first, second] = elementsOf(open.editor);
    expect(first?.['x']).toHaveLength(4);
    expect(second?.['x']).toEqual([{ time: 4, value: '30%' }]);
    undone();
  });

  test('cut ones are gone, and the value of the last one stays', async () => {
    await take('cut-keyframes', song, [0, 1]);
    expect(elementsOf(open.editor)[2]?.['volume']).toBe(10);
    undone();
  });

  test('what can’t have them says so, and the document stays', async () => {
    await take('copy-keyframes');
    await paste(1, song);
    expect(told()).toBe('“Song” can’t have keyframes of: X position, Opacity.');
    await paste(1, half);
    expect(told()).toBe('Move the playhead into “Half”: the keyframes are pasted there.');
    await paste(1, fixed);
    expect(told()).toContain('locked');
    await paste(1);
    expect(told()).toBe('Select a clip first: the keyframes are pasted on it.');
    expect(open.editor.document.text).toBe(written);
  });
});
