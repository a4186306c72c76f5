/**
 * Gestures in a flow and with what the language sizes: one step each, seen in the picture, and taken back to the byte.
 * The pointer itself, and what is seen meanwhile, are in test/ui/gesture-pictures.spec.ts.
 */
import { describe } from 'vitest';
import { free, tryGestures, type GestureRow, type Place } from './canvas-hand.ts';
import { flowDocument, sizedDocument } from '../helpers/gesture-documents.ts';
import { openEditor } from './editor.ts';

/** The middle of the first of three that follow each other downwards, and the way past the next one's. */
const first: Place = [600, 204];
const past = 112;

const named = (...names: readonly string[]): GestureRow['gives'] => ({
  2: { elements: names.map((name) => ({ name })) },
});

const flowRows: readonly GestureRow[] = [
  {
    what: 'a drag along a flow gives an element another place in it',
    act: (hand) => {
      hand.double(first);
      hand.drag(first, [600, first[1] + past]);
    },
    gives: named('Two', 'One', 'Three'),
  },
  {
    what: 'a drag to the end of a flow passes all others',
    act: (hand) => {
      hand.double(first);
      hand.drag(first, [600, first[1] + 2 * past]);
    },
    gives: named('Two', 'Three', 'One'),
  },
  {
    what: 'an arrow along a flow leads to the next place, one across it moves',
    act: (hand) => {
      hand.double(first);
      hand.press('ArrowDown');
      hand.press('Shift+ArrowRight');
    },
    gives: {
      2: {
        elements: [
          { name: 'Two', x: '50%' },
          { name: 'One', x: '53.13%', y: null },
          { name: 'Three' },
        ],
      },
    },
  },
  {
    what: 'Ctrl drags an element out of its flow',
    act: (hand) => {
      hand.double(first);
      hand.drag(first, [600, first[1] + past], free);
    },
    gives: {
      2: {
        elements: [{ name: 'One', y: '53.33%' }, { name: 'Two', y: null }, { name: 'Three' }],
      },
    },
  },
  {
    what: 'S splits what is selected, and the picture stays',
    picture: 'another moment',
    act: async (hand) => {
      await hand.seek(1);
      hand.click([200, 150]);
      hand.press('s');
    },
    gives: { 1: { name: 'Card', duration: 1 }, 2: { name: 'Card 2', time: 1, duration: 3 } },
  },
];

const wide: Place = [200, 420];
/** The middle of the first of two in the flow, which lie in the middle of their composition. */
const flowing: Place = [600, 465];

const sizedRows: readonly GestureRow[] = [
  {
    what: 'the side of a text with a width leads to where its lines break',
    act: (hand) => {
      hand.click(wide);
      hand.pull('e', [-80, 0], free);
    },
    gives: { 2: { width: '30%', x: '20%', font_size: '6 vmin', height: undefined } },
  },
  {
    what: 'the corner of a text with a width scales the letters and the width',
    act: (hand) => {
      hand.click(wide);
      hand.pull('se', [80, 30], free);
    },
    gives: { 2: { width: '50.28%', x: '30.14%', font_size: '7.54 vmin', height: undefined } },
  },
  {
    what: 'letters with keyframes are scaled at the moment shown',
    act: (hand) => {
      hand.click([600, 90]);
      hand.pull('se', [60, 24], ['Alt', 'Control']);
    },
    gives: { 3: { width: undefined, font_size: [{ time: 0 }, { time: 2, value: '14 vmin' }] } },
  },
  {
    what: 'the corner of a text that fits its box gives it another box',
    act: (hand) => {
      hand.click([600, 210]);
      hand.pull('se', [40, 30], ['Alt', 'Control']);
    },
    gives: { 4: { width: '30%', height: '25%', font_size: undefined } },
  },
  {
    what: 'a size with keyframes is dragged at the moment shown',
    act: (hand) => {
      hand.click([500, 330]);
      hand.pull('e', [-100, 0], free);
    },
    gives: {
      5: {
        x: 440,
        width: [
          { time: 0, value: 100 },
          { time: 2, value: 60 },
        ],
      },
    },
  },
  {
    what: 'what a flow places gets another size, and no place of its own',
    act: (hand) => {
      hand.double(flowing);
      hand.pull('s', [0, 30], free);
    },
    gives: {
      6: { elements: [{ name: 'One', y: null, x: '50%', height: '46.67%' }, { name: 'Two' }] },
    },
  },
];

const [inFlow, inSized] = [await openEditor(flowDocument), await openEditor(sizedDocument)];
describe('in a flow, and a split', () => tryGestures(inFlow, flowDocument, flowRows));
describe('with what the language sizes', () => tryGestures(inSized, sizedDocument, sizedRows));
