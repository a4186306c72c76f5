/**
 * The picture worked on by hand: each gesture is one step that changes what it should, and taken back leaves the same
 * bytes and the same picture. The pointer itself, and what is seen, are in test/ui/canvas.spec.ts.
 */
import { expect } from 'vitest';
import { pictureDocument } from '../helpers/gesture-documents.ts';
import { free, tryGestures, type GestureRow, type Place } from './canvas-hand.ts';
import { openEditor } from './editor.ts';

const card: Place = [200, 150];
const words: Place = [200, 450];
const group: Place = [520, 380];
const inner: Place = [600, 450];
const keyed: Place = [400, 72];
const turned: Place = [600, 150];

const rows: readonly GestureRow[] = [
  {
    what: 'drag moves, in the units that stood there',
    act: (hand) => hand.drag(card, [260, 210], free),
    gives: { 1: { x: 260, y: '210px', width: '20vmin' } },
  },
  {
    what: 'Shift keeps a drag on its axis',
    act: (hand) => hand.drag(card, [280, 170], ['Shift', 'Control']),
    gives: { 1: { x: 280, y: '150px' } },
  },
  {
    what: 'a drag keeps to the middle of the picture',
    act: (hand) => hand.drag(card, [397, 210]),
    gives: { 1: { x: 400 } },
  },
  {
    what: 'a drag keeps to the edge of another element',
    act: (hand) => hand.drag(card, [343, 300]),
    gives: { 1: { y: '300px' } },
  },
  {
    what: 'Alt drags a copy away',
    act: (hand) => hand.drag(card, [200, 300], ['Alt', 'Control']),
    gives: { 1: { y: '150px' }, 6: { name: 'Card 2', y: '300px', x: 200 } },
  },
  {
    what: 'the right handle leaves the left edge where it is',
    act: (hand) => {
      hand.click(card);
      hand.pull('e', [60, 0], free);
    },
    gives: { 1: { x: 230, width: '30vmin', height: '100 px' } },
  },
  {
    what: 'the upper handle leaves the lower edge where it is',
    act: (hand) => {
      hand.click(card);
      hand.pull('n', [0, -40], free);
    },
    gives: { 1: { y: '130px', height: '140 px', x: 200 } },
  },
  {
    what: 'Alt resizes about the middle',
    act: (hand) => {
      hand.click(card);
      hand.pull('e', [30, 0], ['Alt', 'Control']);
    },
    gives: { 1: { x: 200, width: '30vmin' } },
  },
  {
    what: 'Shift keeps the ratio at a corner',
    act: (hand) => {
      hand.click(card);
      hand.pull('se', [60, 50], ['Shift', 'Control']);
    },
    gives: { 1: { width: '30vmin', height: '150 px', x: 230, y: '175px' } },
  },
  {
    what: 'a turned element grows along its own sides',
    act: (hand) => {
      hand.click(turned);
      // Its right side points down.
      hand.pull('e', [0, 40], free);
    },
    gives: { 2: { width: '15%', height: '10%', x: '75%', y: '28.33%' } },
  },
  {
    what: 'the round handle turns',
    act: (hand) => {
      hand.click(card);
      hand.pull('turn', [100, 30], ['Shift']);
    },
    gives: { 1: { z_rotation: '60°' } },
  },
  {
    what: 'corners of a text that fits its words scale the letters',
    act: (hand) => {
      hand.click(words);
      hand.pull('se', [80, 24], free);
    },
    gives: { 3: { width: undefined, height: undefined } },
  },
  {
    what: 'the side of a text that fits its words gives it a width',
    picture: 'the same',
    act: (hand) => {
      hand.click(words);
      hand.pull('e', [80, 0], free);
    },
    gives: { 3: { font_size: '8 vmin', height: undefined } },
  },
  {
    what: 'on a keyframe, a drag changes that one alone',
    act: (hand) => hand.drag(keyed, [480, 72], ['Shift', 'Control']),
    gives: {
      5: {
        x: [
          { time: 0, value: '60%' },
          { time: 2, value: '60%' },
        ],
        y: '12%',
      },
    },
  },
  {
    what: 'between two keyframes, a drag adds one',
    picture: 'another moment',
    act: async (hand) => {
      await hand.seek(1);
      hand.click([440, 72]);
      hand.press('ArrowRight');
    },
    gives: { 5: { x: [{ time: 0, value: '50%' }, { time: 1 }, { time: 2, value: '60%' }] } },
  },
  {
    what: 'a group is moved as a whole',
    act: (hand) => {
      hand.click(inner);
      hand.drag(inner, [560, 420], free);
    },
    gives: { 4: { x: '70%', y: '70%' } },
  },
  {
    what: 'arrows move by a pixel, with Shift by ten',
    act: (hand) => {
      hand.click(card);
      hand.press('ArrowRight');
      hand.press('Shift+ArrowDown');
    },
    gives: { 1: { x: 201, y: '160px' } },
  },
  {
    what: 'a run of arrows is one step, and what is pressed after something else another',
    act: (hand) => {
      hand.click(card);
      for (let presses = 0; presses < 5; presses++) hand.press('ArrowRight');
      hand.undo();
      expect(hand.text).toBe(pictureDocument);
      for (let presses = 0; presses < 3; presses++) hand.press('Shift+ArrowDown');
      hand.press('Alt+a');
      hand.press('ArrowRight');
      hand.undo();
    },
    gives: { 1: { y: '180px' } },
  },
  {
    what: 'two are aligned with each other',
    act: (hand) => {
      hand.click(card);
      hand.click(group, ['Shift']);
      hand.press('Alt+a');
    },
    gives: { 1: { x: 200 }, 4: { x: '32.5%' } },
  },
  {
    what: 'three are distributed',
    act: (hand) => {
      hand.click(card);
      hand.click(words, ['Shift']);
      hand.click(group, ['Shift']);
      hand.press('Shift+Alt+v');
    },
    gives: { 1: { y: '150px' }, 3: { y: '44.17%' }, 4: { y: '75%' } },
  },
  {
    what: 'Delete takes all that is selected away',
    act: (hand) => {
      hand.click(card);
      hand.click(keyed, ['Shift']);
      hand.press('Delete');
    },
    gives: { 1: { name: 'Turned' }, 4: undefined },
  },
  {
    what: 'Ctrl D duplicates',
    picture: 'the same',
    act: (hand) => {
      hand.click(card);
      hand.press('Control+d');
    },
    gives: { 6: { name: 'Card 2', x: 200 } },
  },
  {
    what: 'Ctrl ] brings forward',
    picture: 'the same',
    act: (hand) => {
      hand.click(card);
      hand.press('Control+]');
    },
    gives: { 1: { name: 'Turned' }, 2: { name: 'Card' } },
  },
  {
    what: 'Ctrl G makes a composition of two',
    picture: 'the same',
    act: (hand) => {
      hand.click(card);
      hand.click(words, ['Shift']);
      hand.press('Control+g');
    },
    gives: {
      2: { name: 'Group 2', type: 'composition', elements: [{ name: 'Card' }, { name: 'Words' }] },
    },
  },
  {
    what: 'Ctrl Shift G takes it apart',
    picture: 'the same',
    act: (hand) => {
      hand.click(card);
      hand.click(words, ['Shift']);
      hand.press('Control+g');
      expect(hand.selected).toBe(1);
      hand.press('Control+Shift+g');
    },
    gives: { 2: { name: 'Card', x: 200, y: '150px' }, 3: { name: 'Words', x: '25%' } },
  },
  ...(
    [
      ['around', 'alpha-inverted'],
      ['inside', 'alpha'],
    ] as const
  ).map(([part, mode]): GestureRow => ({
    what: `blur ${part} a shape, which is selected to be moved`,
    act: async (hand) => {
      hand.click(group);
      hand.run(`blur-${part}`);
      await hand.drawn();
      hand.press('ArrowRight');
    },
    gives: {
      4: {
        type: 'composition',
        elements: [
          { name: 'Group' },
          { name: 'Group', blur_radius: '3 vmin' },
          { name: 'Blur area', x: '50.42%', mask_mode: mode },
        ],
      },
    },
  })),
  {
    what: 'with automatic keyframes, a drag counts from the moment shown',
    picture: 'another moment',
    act: async (hand) => {
      hand.run('toggle-auto-keys');
      await hand.seek(1);
      hand.drag(card, [260, 150], ['Shift', 'Control']);
      hand.run('toggle-auto-keys');
    },
    gives: {
      1: {
        x: [
          { time: 0, value: 200 },
          { time: 1, value: 260 },
        ],
        y: '150px',
      },
    },
  },
  {
    what: 'Alt K sets a keyframe that changes nothing',
    picture: 'another moment',
    act: async (hand) => {
      await hand.seek(1);
      // It is there at the first moment and at this one, whichever the picture shows already.
      hand.click([420, 72]);
      hand.press('Alt+k');
    },
    gives: { 5: { x: [{ time: 0 }, { time: 1 }, { time: 2 }] } },
  },
];

tryGestures(await openEditor(pictureDocument), pictureDocument, rows);
