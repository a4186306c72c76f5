/**
 * What a person adds: where it comes to lie in the film, in one step each, and taken back to the same bytes. What is
 * seen of it is in test/ui/timeline.spec.ts.
 */
import { describe, expect, test } from 'vitest';
import { newCaptions } from '../../renderer/editor/captions/looks.ts';
import type { AddedMedia, Spot } from '../../renderer/editor/making/adding.svelte.ts';
import { pieceOf, type PieceId } from '../../renderer/editor/making/pieces.ts';
import { contextFor } from '../../renderer/editor/making/pieces.ts';
import { shelfElement, shelfPieces } from '../../renderer/editor/shelf/shelf.ts';
import { carry } from '../../renderer/editor/media/dragged.ts';
import type { TemplateEditor } from '../../renderer/editor/template-editor.svelte.ts';
import { TimelineDrop } from '../../renderer/editor/timeline/timeline-drop.svelte.ts';
import { elementsOf, openEditor } from './editor.ts';

const photo = (name: string): AddedMedia => ({
  kind: 'image',
  name: `${name}.jpg`,
  source: `media:${name}.jpg`,
  width: 900,
  height: 1600,
  duration: 0,
});
const clip = (name: string, duration: number): AddedMedia => ({
  ...photo(name),
  kind: 'video',
  source: `media:${name}.mp4`,
  duration,
});
const song = (name: string): AddedMedia => ({ ...clip(name, 90), kind: 'audio' });

const empty = `{
  "output_format": "mp4", "width": 1080, "height": 1920, "frame_rate": 25, "duration": 10,
  "elements": []
}`;
/** Made otherwise: nothing has a track. */
const foreign = `{
  "output_format": "mp4", "width": 1080, "height": 1920, "frame_rate": 25, "duration": 10,
  "elements": [{ "type": "shape", "name": "Ground", "width": "100%", "height": "100%", "fill_color": "#123" }]
}`;
const still = `{ "output_format": "png", "width": 1080, "height": 1080, "elements": [] }`;

const add = (editor: TemplateEditor, id: PieceId, spot: Spot = {}): string => {
  const piece = pieceOf(id);
  if (!piece) throw new Error(`There is no piece ${id}.`);
  return editor.adding.add(piece, spot);
};
/** Where everything is, as `name track start–end`. */
function places({ timeline, document }: TemplateEditor): readonly string[] {
  document.settle();
  return (timeline.clips?.top ?? []).map(
    ({ name, track, start, duration }) =>
      `${name} ${track ?? '-'} ${+start.toFixed(2)}–${+(start + duration).toFixed(2)}`,
  );
}

interface Row {
  readonly what: string;
  readonly act: (editor: TemplateEditor) => void;
  readonly gives: readonly string[];
}

const rows: readonly Row[] = [
  {
    what: 'the first photo is 4 s long, and the film as long as it',
    act: ({ adding }) => adding.addMedia([photo('A')]),
    gives: ['A 1 0–4'],
  },
  {
    what: 'several at once are a slideshow',
    act: ({ adding }) => adding.addMedia([photo('A'), photo('B'), photo('C'), photo('D')]),
    gives: ['A 1 0–4', 'B 1 4–8', 'C 1 8–12', 'D 1 12–16'],
  },
  {
    what: 'a title lies above, also above what comes later',
    act: (editor) => {
      add(editor, 'title');
      editor.adding.addMedia([photo('A')]);
    },
    gives: ['Title 2 0–4', 'A 1 0–4'],
  },
  {
    what: 'music has a track of its own, and photos go on beside it',
    act: ({ adding }) => {
      adding.addMedia([song('Song')]);
      adding.addMedia([photo('A')]);
      adding.addMedia([photo('B')]);
    },
    gives: ['Song 2 0–8', 'A 1 0–4', 'B 1 4–8'],
  },
  {
    what: 'a colour is a clip as a photo is',
    act: (editor) => {
      editor.adding.addMedia([photo('A')]);
      add(editor, 'color');
    },
    gives: ['A 1 0–4', 'Color 1 4–8'],
  },
  {
    what: 'a drop on an empty timeline lands where it was let go',
    act: ({ adding }) => adding.addMedia([photo('A')], { time: 3 }),
    gives: ['A 1 3–7'],
  },
  {
    what: 'between two clips it pushes those that follow',
    act: ({ adding }) => {
      adding.addMedia([photo('A'), photo('B'), photo('C')]);
      adding.addMedia([photo('N'), photo('M')], { time: 4.4, track: 1 });
    },
    gives: ['A 1 0–4', 'N 1 4–8', 'M 1 8–12', 'B 1 12–16', 'C 1 16–20'],
  },
  {
    what: 'before the first one, too',
    act: ({ adding }) => {
      adding.addMedia([photo('A'), photo('B')]);
      adding.addMedia([photo('N')], { time: 0.5, track: 1 });
    },
    gives: ['N 1 0–4', 'A 1 4–8', 'B 1 8–12'],
  },
  {
    what: 'what has a time of its own is pushed as far as needed',
    act: ({ adding }) => {
      adding.addMedia([photo('A')], { time: 3 });
      adding.addMedia([photo('N')], { time: 1, track: 1 });
    },
    gives: ['N 1 1–5', 'A 1 5–9'],
  },
  {
    what: 'above all rows it is a layer',
    act: ({ adding }) => {
      adding.addMedia([photo('A')]);
      adding.addMedia([photo('N')], { time: 1, track: null });
    },
    gives: ['A 1 0–4', 'N 2 1–4'],
  },
  {
    what: 'what is dropped on an empty picture is the ground of the whole film',
    act: (editor) => {
      editor.adding.addMedia([photo('A')], { place: { x: 0.2, y: 0.4 } });
      add(editor, 'title');
    },
    gives: ['A 1 0–10', 'Title 2 0–10'],
  },
  {
    what: 'what is dropped at a place of the picture is a layer there',
    act: ({ adding }) => {
      adding.addMedia([photo('A')]);
      adding.addMedia([photo('Logo')], { place: { x: 0.1, y: 0.1 } });
    },
    gives: ['A 1 0–4', 'Logo 2 0–4'],
  },
];

describe('in an empty film', async () => {
  const { editor, app } = await openEditor(empty);

  test.each(rows)('$what', ({ act, gives }) => {
    editor.canvas.clear();
    act(editor);
    expect(places(editor)).toEqual(gives);
    while (editor.document.undoable) editor.document.undo();
    expect(editor.document.text).toBe(empty);
  });

  test('a slideshow is one step, and clips without a time follow each other', () => {
    editor.adding.addMedia([photo('A'), photo('B'), photo('A')]);
    const { elements, duration } = JSON.parse(editor.document.text) as {
      elements: readonly Record<string, unknown>[];
      duration?: unknown;
    };
    expect(elements.map(({ name, time, track }) => [name, time, track])).toEqual([
      ['A', undefined, 1],
      ['B', undefined, 1],
      ['A 2', undefined, 1],
    ]);
    expect(duration).toBeUndefined();
    editor.document.undo();
    expect(editor.document.text).toBe(empty);
  });

  test('a video is as long as its file, also before the preview knows it', () => {
    editor.adding.addMedia([clip('Talk', 7)]);
    editor.adding.addMedia([photo('A')]);
    const { elements } = JSON.parse(editor.document.text) as {
      elements: readonly Record<string, unknown>[];
    };
    expect(elements).toMatchObject([
      { name: 'Talk', track: 1 },
      { name: 'A', track: 1, duration: 4 },
    ]);
    expect(elements[0]).not.toHaveProperty('duration');
    while (editor.document.undoable) editor.document.undo();
  });

  test('a film that has a length becomes longer where its clips need it', () => {
    editor.adding.addMedia([photo('A')]);
    editor.document.setValue('duration', '4 s');
    editor.adding.addMedia([photo('B'), photo('C')]);
    expect(JSON.parse(editor.document.text)).toMatchObject({ duration: '12 s' });
    while (editor.document.undoable) editor.document.undo();
  });

  test('what is dragged over the timeline shows where it lands, and lands there', () => {
    editor.adding.addMedia([photo('A'), photo('B')]);
    editor.document.settle();
    const drop = new TimelineDrop(editor, app);
    const box = document.createElement('div');
    const placesOf = { box, left: 100, top: 50, pitch: 34, head: 0, ruler: 0 };
    const transfer = new DataTransfer();
    carry(transfer, { media: [photo('N')] });
    const { scale } = editor.timeline;
    const event = new DragEvent('dragover', {
      clientX: 100 + 4.5 * scale,
      clientY: 60,
      dataTransfer: transfer,
    });
    expect(drop.hover(event, placesOf)).toBe(true);
    expect(drop.mark).toEqual({ start: 4, seconds: 4, row: 0, isNew: false });
    expect(drop.drop(event, placesOf)).toBe(true);
    expect(drop.mark).toBeNull();
    expect(places(editor)).toEqual(['A 1 0–4', 'N 1 4–8', 'B 1 8–12']);
    while (editor.document.undoable) editor.document.undo();
  });
});

describe('beside what is seen at the same time', async () => {
  const { editor } = await openEditor(empty);
  const words = [{ time: 0, duration: 2, value: 'Hello' }];
  const tops = (): readonly unknown[] =>
    (JSON.parse(editor.document.text) as { elements: readonly { y?: unknown }[] }).elements.map(
      ({ y }) => y,
    );
  const back = (): void => {
    while (editor.document.undoable) editor.document.undo();
  };

  test('captions keep clear of a lower third, and a drop stays where it was let go', () => {
    add(editor, 'lowerThird');
    editor.adding.addElement('Captions', newCaptions(words, true), { time: 0 });
    const [third, above] = tops();
    expect(third).toBe('77%');
    expect(Number.parseFloat(String(above))).toBeLessThan(60);
    add(editor, 'title', { place: { x: 0.5, y: 0.85 } });
    expect(tops()[2]).toBe('85%');
    back();
  });

  test('what has gone by then is in nobody’s way', () => {
    editor.document.setValue('elements', [
      { type: 'text', text: 'Early', width: '86%', height: '10%', track: 1, duration: 3 },
    ]);
    editor.document.settle();
    add(editor, 'title', { time: 4 });
    add(editor, 'title', { time: 1 });
    expect(tops().slice(1)).toEqual(['30%', expect.not.stringMatching(/^30%$/)]);
    back();
  });
});

test('in a document that was made otherwise, what is added lies above all there is, on a track', async () => {
  const { editor } = await openEditor(foreign);
  editor.preview.time = 2;
  editor.adding.addMedia([photo('A')]);
  add(editor, 'title');
  expect(places(editor)).toEqual(['Ground - 0–10', 'A 2 2–10', 'Title 3 2–10']);
  expect(editor.timeline.rows[0]?.clips[0]?.clip.name).toBe('Title');
});

test('in a still picture nothing has a track or a time', async () => {
  const { editor } = await openEditor(still);
  editor.adding.addMedia([photo('A')]);
  add(editor, 'title');
  expect(editor.document.text).not.toMatch(/"(track|time|duration)"/);
});

test('a picture without a file hides no design, and goes again when none is chosen', async () => {
  const { editor } = await openEditor(still);
  add(editor, 'title');
  const { text } = editor.document;
  add(editor, 'picture');
  const added = elementsOf(editor).at(-1);
  expect(added).toMatchObject({ type: 'image', width: '60%', height: '60%' });
  editor.leaveChoosing();
  expect(editor.choosing).toBe(null);
  expect(editor.document.text).toBe(text);
  // Where it was replaced, leaving changes nothing.
  editor.choosing = { path: 'elements[0]', kind: 'image' };
  editor.leaveChoosing();
  expect(editor.document.text).toBe(text);
});

test('a photo and a colour last as long as is usual for them', async () => {
  const { editor } = await openEditor(empty);
  editor.adding.photoSeconds = 7;
  editor.adding.addMedia([photo('A')]);
  add(editor, 'color');
  expect(elementsOf(editor).map(({ duration }) => duration)).toEqual([7, 7]);
});

test('a piece of several parts names each of them, and none twice', async () => {
  const { editor } = await openEditor(empty);
  add(editor, 'lowerThird');
  add(editor, 'lowerThird');
  const names = editor.outline.map(({ label }) => label);
  expect(names).toContain('Role');
  expect(new Set(names).size).toBe(8);
  expect(names).toHaveLength(8);
});

test('a ready-made piece is one step, is selected, and what is in it has free names', async () => {
  const { editor } = await openEditor(empty);
  const before = editor.document.text;
  const third = shelfPieces.find(({ piece }) => piece.id === 'lowerPanel');
  if (!third) throw new Error('There is no lower third.');
  const made = shelfElement(third.piece, contextFor(editor.document.source));
  const path = editor.adding.addElement('Name on a panel', made);
  expect(editor.selected).toBe(path);
  editor.adding.addElement('Name on a panel', made);
  const [first, second] = elementsOf(editor);
  expect([first?.name, second?.name]).toEqual(['Name on a panel', 'Name on a panel 2']);
  expect(JSON.stringify(second?.elements)).toContain('"name":"Name 2"');
  editor.document.undo();
  editor.document.undo();
  expect(editor.document.text).toBe(before);
  // What lies behind all else is a clip, as a photo is.
  editor.adding.addElement('Waves', { type: 'composition', elements: [] }, {}, true);
  expect(places(editor)).toEqual(['Waves 1 0–4']);
});
