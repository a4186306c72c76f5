/**
 * The timeline worked on by hand: each gesture is one step that changes what it should, and taken back leaves the same
 * bytes. The pointer itself, and what is seen, are in test/ui/timeline.spec.ts.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { FootageOrder, FootageReport, Peaks } from '../../renderer/engine/footage.ts';
import type { KitFile, LivePreview } from '../../renderer/editor/preview/live-preview.svelte.ts';
import { TimelineFootage } from '../../renderer/editor/timeline/footage.svelte.ts';
import { seededRandom } from '../shared/random.ts';
import type { ClipGesture } from '../../renderer/editor/timeline/gestures.ts';
import { timelineKey } from '../../renderer/editor/timeline/timeline-commands.svelte.ts';
import { InspectorState } from '../../renderer/editor/inspector/inspector-state.svelte.ts';
import { TimelinePointer } from '../../renderer/editor/timeline/timeline-pointer.svelte.ts';
import type { TimelineTransitions } from '../../renderer/editor/timeline/timeline-transitions.svelte.ts';
import { timelineDocument } from '../helpers/gesture-documents.ts';
import { storeMedia } from '../helpers/store-media.ts';
import {
  elementsOf,
  expectElements,
  keysPressed,
  openEditor,
  pointerAt,
  type Held,
  type OpenEditor,
} from './editor.ts';

/** Pixels from one row to the next. */
const pitch = 34;

class Hand {
  readonly open: OpenEditor;
  readonly #pointer: TimelinePointer;

  constructor(open: OpenEditor) {
    this.open = open;
    const box = document.createElement('div');
    const places = { box, left: 0, top: 0, pitch, head: 0, ruler: 0 };
    this.#pointer = new TimelinePointer(
      open.editor,
      () => places,
      (why, path) => {
        throw new Error(`${path} is ${why}.`);
      },
    );
  }

  #placeOf(name: string): { path: string; start: number; end: number; y: number } {
    const { rows } = this.open.editor.timeline;
    for (const [index, row] of rows.entries()) {
      const found = row.clips.find(({ clip }) => clip.name === name);
      if (!found) continue;
      const { start, duration } = found.clip;
      return { path: found.key, start, end: start + duration, y: (index + 0.5) * pitch };
    }
    throw new Error(`There is no clip ${name}.`);
  }

  /** Presses a part of a clip and drags it by seconds and rows. */
  #drag(
    name: string,
    what: ClipGesture,
    seconds: number,
    rows = 0,
    held: readonly Held[] = [],
  ): void {
    const { path, start, end, y } = this.#placeOf(name);
    const { scale } = this.open.editor.timeline;
    const at = what.kind !== 'trim' ? (start + end) / 2 : what.edge === 'start' ? start : end;
    const by = seconds * scale;
    const from = at * scale;
    this.#pointer.down(pointerAt(from, y, held), { kind: 'clip', path, what });
    if (seconds !== 0 || rows !== 0) {
      this.#pointer.move(pointerAt(from + by / 2, y + (rows * pitch) / 2, held));
      this.#pointer.move(pointerAt(from + by, y + rows * pitch, held));
    }
    this.#pointer.up();
  }

  /** Drags a clip, or one of its edges. */
  drag(
    name: string,
    seconds: number,
    {
      rows = 0,
      edge,
      keys = [],
    }: { rows?: number; edge?: 'start' | 'end'; keys?: readonly Held[] } = {},
  ): void {
    this.#drag(name, edge ? { kind: 'trim', edge } : { kind: 'move' }, seconds, rows, keys);
  }

  /** Drags a part of a clip; by no seconds: presses it. */
  pull(name: string, part: ClipGesture, seconds: number): void {
    this.#drag(name, part, seconds, 0, free);
  }

  click(name: string, keys: readonly Held[] = []): void {
    this.#drag(name, { kind: 'move' }, 0, 0, keys);
  }

  press(keys: string): void {
    expect(timelineKey(keysPressed(keys), this.open.editor, this.open.app), keys).toBe(true);
  }

  /** The panel of the cut at which a clip begins. */
  cut(name: string): TimelineTransitions {
    const { transitions } = this.open.editor;
    transitions.show(this.#placeOf(name).path);
    return transitions;
  }

  /** The head to a moment. */
  head(seconds: number): void {
    const { scale } = this.open.editor.timeline;
    this.#pointer.down(pointerAt(seconds * scale, 0), { kind: 'ruler' });
    this.#pointer.up();
  }
}

/** With Ctrl nothing snaps. */
const free: readonly Held[] = ['Control'];

interface Row {
  readonly what: string;
  readonly act: (hand: Hand) => void;
  /** Values afterwards, by the index of the element. */
  readonly gives: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
}

const rows: readonly Row[] = [
  {
    what: 'a drag moves in time, in the unit that stood there',
    act: (hand) => hand.drag('Timed', 1.2, { keys: free }),
    gives: { 4: { time: '2.2 s', duration: '25%' } },
  },
  {
    what: 'a drag keeps to the end of another clip',
    act: (hand) => hand.drag('Timed', 0.96),
    gives: { 4: { time: '2 s' } },
  },
  {
    what: 'what follows another one gets a time of its own',
    act: (hand) => hand.drag('Three', 1.5, { keys: free }),
    gives: { 3: { name: 'Three', time: 4.52, duration: 1 } },
  },
  {
    what: 'dragged past a neighbour it takes its place, without a time',
    act: (hand) => hand.drag('Two', 0.8, { keys: free }),
    gives: { 2: { name: 'Three', time: undefined }, 3: { name: 'Two', time: undefined } },
  },
  {
    what: 'the end is trimmed in the unit that stood there',
    act: (hand) => hand.drag('One', -0.6, { edge: 'end', keys: free }),
    gives: { 1: { duration: '1.4 s', time: undefined } },
  },
  {
    what: 'the start is trimmed, and the end stays',
    act: (hand) => hand.drag('Timed', 0.4, { edge: 'start', keys: free }),
    gives: { 4: { time: '1.4 s', duration: '20%' } },
  },
  {
    what: 'Alt trims and moves what comes later along',
    act: (hand) => hand.drag('Timed', 1, { edge: 'end', keys: ['Alt', 'Control'] }),
    gives: { 4: { time: '1 s', duration: '37.5%' }, 5: { time: 6 } },
  },
  {
    what: 'Shift rolls the cut between two',
    act: (hand) => hand.drag('One', 0.4, { edge: 'end', keys: ['Shift', 'Control'] }),
    gives: {
      1: { duration: '2.4 s' },
      2: { duration: 0.6, time: undefined },
      3: { time: undefined },
    },
  },
  {
    what: 'a clip changes its track',
    act: (hand) => hand.drag('Later', 1, { rows: 1, keys: free }),
    gives: { 5: { name: 'Later', track: 2, time: 6 } },
  },
  {
    what: 'above all others is a new track',
    act: (hand) => hand.drag('Group', 0, { rows: -1, keys: free }),
    gives: { 7: { track: 6, time: 4 } },
  },
  {
    what: 'one that lasts to the end goes on doing so, later',
    act: (hand) => hand.drag('Free', 2, { keys: free }),
    gives: { 6: { time: 2, duration: undefined } },
  },
  {
    what: 'several are moved together',
    act: (hand) => {
      hand.click('Timed');
      hand.click('Later', ['Shift']);
      hand.drag('Later', 1, { keys: free });
    },
    gives: { 4: { time: '2 s' }, 5: { time: 6 } },
  },
  {
    what: 'S splits at the head',
    act: (hand) => {
      hand.click('Timed');
      hand.head(2);
      hand.press('s');
    },
    gives: {
      4: { name: 'Timed', duration: '12.5%' },
      5: { name: 'Timed 2', time: '2 s', duration: '12.5%', track: 3 },
    },
  },
  {
    what: 'brackets trim to the head',
    act: (hand) => {
      hand.click('Timed');
      hand.head(2);
      hand.press(']');
    },
    gives: { 4: { name: 'Timed', time: '1 s', duration: '12.5%' } },
  },
  {
    what: 'Alt and an arrow move by a frame',
    act: (hand) => {
      hand.click('Later');
      hand.press('Alt+ArrowRight');
    },
    gives: { 5: { time: 5.04 } },
  },
  {
    what: 'a run of them is one step',
    act: (hand) => {
      hand.click('Later');
      for (let presses = 0; presses < 4; presses++) hand.press('Alt+ArrowRight');
      hand.open.editor.document.undo();
      expect(hand.open.editor.document.text).toBe(timelineDocument);
      hand.press('Alt+ArrowRight');
    },
    gives: { 5: { time: 5.04 } },
  },
  {
    what: 'Alt and an arrow change the track',
    act: (hand) => {
      hand.click('Later');
      hand.press('Alt+ArrowDown');
    },
    gives: { 5: { track: 2, time: 5 } },
  },
  {
    what: 'Delete leaves a gap',
    act: (hand) => {
      hand.click('Timed');
      hand.press('Delete');
    },
    gives: { 4: { name: 'Later', time: 5 } },
  },
  {
    what: 'Shift Delete closes it',
    act: (hand) => {
      hand.click('Timed');
      hand.press('Shift+Delete');
    },
    gives: { 4: { name: 'Later', time: 3 } },
  },
  {
    what: 'a transition on a cut overlaps the two, and what follows stays',
    act: (hand) => hand.cut('Two').choose('slideLeft'),
    gives: {
      1: { duration: '2.5 s' },
      2: { duration: 1, time: undefined, animations: [{ transition: true, duration: 0.5 }] },
      3: { duration: 1, time: undefined, animations: undefined },
    },
  },
  {
    what: 'T opens the cut beside what is selected',
    act: (hand) => {
      hand.click('Three');
      hand.press('t');
      hand.open.editor.transitions.choose('circle');
    },
    gives: {
      2: { duration: 1.5 },
      3: { animations: [{ type: 'circular-wipe', fade: false, transition: true }] },
    },
  },
  {
    what: 'all cuts of a track get the same transition in one step',
    act: (hand) => {
      hand.click('One');
      hand.open.editor.transitions.show('elements[2]', true);
      hand.open.editor.transitions.choose('fade');
    },
    gives: {
      1: { duration: '2.5 s' },
      2: { duration: 1.46, animations: [{ type: 'fade' }] },
      3: { duration: 1, animations: [{ type: 'fade' }] },
    },
  },
  {
    what: 'the handle of an animation changes its length',
    act: (hand) => hand.pull('Moving', { kind: 'animation', index: 0 }, 0.6),
    gives: { 8: { animations: [{ type: 'fade', duration: '1.6 s' }] } },
  },
  {
    what: 'a keyframe is dragged in time',
    act: (hand) => hand.pull('Moving', { kind: 'keys', at: [2] }, 0.8),
    gives: { 8: { x: [{ time: 0 }, { time: '2.8 s', easing: 'back-out' }, { time: 'end' }] } },
  },
  {
    what: 'keyframes that are pressed with Ctrl are dragged together, and stay chosen',
    act: (hand) => {
      hand.pull('Moving', { kind: 'keys', at: [0] }, 0);
      hand.pull('Moving', { kind: 'keys', at: [2] }, 0.8);
      hand.open.editor.document.settle();
      expect(hand.open.editor.timeline.keys.chosen?.at).toEqual([0.8, 2.8]);
    },
    gives: { 8: { x: [{ time: 0.8 }, { time: '2.8 s' }, { time: 'end' }] } },
  },
  {
    what: 'a keyframe that was pressed is deleted, not its clip',
    act: (hand) => {
      hand.pull('Moving', { kind: 'keys', at: [2] }, 0);
      hand.press('Delete');
    },
    gives: { 8: { name: 'Moving', x: [{ time: 0 }, { time: 'end' }] } },
  },
  {
    what: 'Ctrl and an arrow lead to the next keyframe, Alt and an arrow move it',
    act: (hand) => {
      hand.head(0);
      hand.click('Moving');
      hand.press('Control+ArrowRight');
      hand.press('Alt+ArrowLeft');
    },
    gives: { 8: { x: [{ time: 0 }, { time: '1.96 s' }, { time: 'end' }] } },
  },
  {
    what: 'what lies in a composition is moved on its clock',
    act: (hand) => {
      hand.click('Group');
      hand.press('Enter');
      hand.drag('Inner', 1, { keys: free });
      hand.click('Group');
      hand.press('Enter');
    },
    gives: { 7: { elements: [{ name: 'Inner', time: 2, duration: 1 }] } },
  },
  {
    what: 'what lies in a composition is trimmed on its clock',
    act: (hand) => {
      hand.click('Group');
      hand.press('Enter');
      hand.drag('Inner', 1, { edge: 'end', keys: free });
      hand.click('Group');
      hand.press('Enter');
    },
    gives: { 7: { elements: [{ name: 'Inner', time: 1, duration: 2 }] } },
  },
  {
    what: 'a composition is split with what lies in it',
    act: (hand) => {
      hand.head(5.5);
      hand.click('Group');
      hand.press('s');
    },
    gives: {
      7: { name: 'Group', time: 4, duration: 1.5, elements: [{ name: 'Inner', duration: 0.5 }] },
      8: {
        name: 'Group 2',
        time: 5.5,
        duration: 2.5,
        elements: [{ name: 'Inner 2', duration: 0.5 }],
      },
    },
  },
];

const open = await openEditor(timelineDocument);
const inspector = new InspectorState(open.editor, open.app.preferences);

/** Where everything is in time. */
const placesOf = (): readonly string[] =>
  [...(open.editor.timeline.clips?.byPath.values() ?? [])].map(
    ({ name, start, duration }) => `${name} ${start}–${start + duration}`,
  );

test.each([
  ['of the first of a track, typed', 'One', (): void => inspector.write('track', 7)],
  ['of one in the middle', 'Two', (): void => inspector.write('track', 9)],
  [
    'typed in two letters',
    'One',
    (): void => ['1', '12'].forEach((text) => inspector.write('track', Number(text))),
  ],
  ['given to what had none', 'Free', (): void => inspector.write('track', 6)],
  ['taken away', 'Two', (): void => inspector.reset(['track'])],
])('a track %s moves nothing, in one step', (_what, name, act) => {
  const { editor } = open;
  new Hand(open).click(name);
  editor.document.settle();
  const before = placesOf();
  act();
  inspector.end();
  editor.document.settle();
  expect(editor.document.text).not.toBe(timelineDocument);
  expect(placesOf()).toEqual(before);
  editor.document.undo();
  expect(editor.document.text).toBe(timelineDocument);
  expect(editor.document.undoable).toBe(false);
});

test.each(rows)('$what', ({ act, gives }) => {
  const { editor } = open;
  editor.canvas.clear();
  editor.transitions.open = null;
  editor.preview.seek(0);
  act(new Hand(open));
  expectElements(elementsOf(editor), gives);
  editor.document.undo();
  editor.document.settle();
  expect(editor.document.text).toBe(timelineDocument);
  expect(editor.document.undoable).toBe(false);
});

describe('a speed from the inspector changes the length of a clip, and its track closes up', async () => {
  const source = await storeMedia(process.env['WINDOW_URL'] ?? '', 'numbers.mp4');
  const text = `{ "output_format": "mp4", "width": 320, "height": 180, "duration": 8, "frame_rate": 25, "elements": [
    { "type": "video", "name": "Whole", "track": 1,  "source": "${source}" },
    { "type": "video", "name": "Part", "track": 1, "source": "${source}", "duration": "1.60 s", "speed": "100%",
      "opacity": [{ "time": 0, "value": "0%" }, { "time": "0.4 s", "value": "100%" }, { "time": 0.8, "value": "50%" }, { "time": "75%", "value": "50%" }, { "time": "end", "value": "0%" }] },
    { "type": "shape", "name": "Next", "track": 1, "duration": 1, "width": "20%", "height": "20%" },
    { "type": "shape", "name": "Late", "track": 1, "time": 4.6, "duration": 1,  "width": "20%", "height": "20%" },
    { "type": "shape", "name": "Title", "track": 2, "time": 2, "duration": 2, "width": "20%", "height": "20%" }
  ]}`;
  const { editor, app } = await openEditor(text);
  const own = new InspectorState(editor, app.preferences);
  const { document, timeline, canvas } = editor;

  /** Where everything is in time, once a speed is typed. */
  function typed(
    name: string,
    ...speeds: readonly string[]
  ): readonly (readonly [string, number, number])[] {
    canvas.selectAll([timeline.clips?.top.find((clip) => clip.name === name)?.path ?? '']);
    for (const speed of speeds) own.write('speed', speed);
    own.end();
    document.settle();
    return (timeline.clips?.top ?? []).map(({ name: one, start, duration }) => [
      one,
      Number(start.toFixed(3)),
      Number(duration.toFixed(3)),
    ]);
  }

  afterEach(() => {
    document.undo();
    document.settle();
    expect(document.text).toBe(text);
    expect(document.undoable).toBe(false);
  });

  test('of a whole file', () => {
    expect(typed('Whole', '200%')).toEqual([
      ['Whole', 0, 1],
      ['Part', 1, 1.6],
      ['Next', 2.6, 1],
      ['Late', 3.6, 1],
      ['Title', 2, 2],
    ]);
    expect(elementsOf(editor)[0]).toMatchObject({ speed: '200%' });
    expect(elementsOf(editor)[0]).not.toHaveProperty('duration');
  });

  test('of one with a length, typed letter by letter', () => {
    expect(typed('Part', '5%', '50%', '500%', '50%')).toEqual([
      ['Whole', 0, 2],
      ['Part', 2, 3.2],
      ['Next', 5.2, 1],
      ['Late', 6.2, 1],
      ['Title', 2, 2],
    ]);
    const [, part] = elementsOf(editor);
    expect(part).toMatchObject({ speed: '50%', duration: '3.2 s' });
    // Its keyframes go along with what the file shows.
    const times = (part?.opacity as { time: unknown }[]).map(({ time }) => time);
    expect(times).toEqual([0, '0.8 s', 1.6, '75%', 'end']);
  });

  test('and what it was typed over leaves nothing behind', () => {
    typed('Part', '50%', '100%');
    expect(elementsOf(editor)).toEqual((JSON.parse(text) as { elements: unknown }).elements);
  });
});

test('each clip shows the pictures of its own file, whatever becomes of the document and of the process that reads it', () => {
  const seeded = seededRandom(5);
  const orders: FootageOrder[] = [];
  let answer: (report: FootageReport) => void = () => undefined;
  vi.stubGlobal('self', globalThis);
  // In place of the worker: it answers when it is told to, with what it was asked for.
  vi.stubGlobal(
    'Worker',
    class {
      set onmessage(heard: (event: { data: FootageReport }) => void) {
        answer = (data) => heard({ data });
      }
      postMessage(order: FootageOrder): void {
        orders.push(order);
      }
      terminate(): void {
        orders.length = 0;
      }
    },
  );
  const sources = ['a.jpg', 'b.jpg', 'c.jpg', 'd.mp4'];
  /** What is in the files, by ID; the same content has another ID each time it was fetched. */
  const contents = new Map<string, string>();
  const live = { files: new Map<string, KitFile>() };
  // `as`: nothing else of it is read.
  const footage = new TimelineFootage(live as unknown as LivePreview);
  const content = (source: string): string | undefined => {
    const found = footage.of(source);
    return found?.kind === 'peaks' ? String.fromCharCode(...found.values) : undefined;
  };
  for (let round = 0; round < 400; round++) {
    // An edit, or one that is undone: other files, some of them fetched again.
    const kept = sources.filter(() => seeded.next() < 0.7);
    const before = live.files;
    live.files = new Map(
      kept.map((source) => {
        const old = before.get(source);
        const id = old && seeded.next() < 0.6 ? old.id : `${contents.size}`;
        contents.set(id, source);
        return [source, { id, kind: 'image' }] as const;
      }),
    );
    for (const source of kept) footage.ask(source);
    while (orders.length > 0 && seeded.next() < 0.8) {
      const order = orders.shift();
      if (order?.type !== 'look') continue;
      const values = Uint8Array.from(contents.get(order.id) ?? '', (letter) =>
        letter.charCodeAt(0),
      );
      const found: Peaks = { kind: 'peaks', values, perSecond: 1, beats: [] };
      answer({ id: order.id, kind: order.kind, footage: found });
    }
    for (const source of kept) expect(content(source) ?? source).toBe(source);
  }
  // Once seen, it does not go away while the file is read again.
  live.files = new Map([['a.jpg', { id: 'new', kind: 'image' }]]);
  footage.ask('a.jpg');
  expect(content('a.jpg')).toBe('a.jpg');
  footage.close();
  vi.unstubAllGlobals();
});
