/**
 * The part of a picture that shows, and files that are dropped on elements: one step each, taken back to the byte. The
 * pointer itself, and what is seen, are in test/ui/canvas-crop.spec.ts.
 */
import { describe, expect } from 'vitest';
import type { Dragged } from '../../renderer/editor/media/dragged.ts';
import { storeMedia } from '../helpers/store-media.ts';
import { tryGestures, type GestureRow, type Place } from './canvas-hand.ts';
import { openEditor } from './editor.ts';

const photo: Place = [500, 350];
/** A picture of 480 × 320 in a frame of 200 × 200: 300 × 200 of it would show, 100 are cut off. */
const documentWith = (source: string): string => `{
  "output_format": "png", "width": 800, "height": 600,
  "elements": [
    {"type": "shape", "name": "Card", "x": 200, "y": 150, "width": 120, "height": 80, "fill_color": "#d9480f"},
    {
      "type": "image", "name": "Photo",   "source": "${source}",
      "x": 500, "y": "350px", "width": "25%", "height": 200, "border_radius": 12
    }
  ]
}`;

/** A file of the add panel. */
const fileOf = (source: string): Dragged => ({
  media: [{ kind: 'image', source, width: 80, height: 80, duration: 0, name: 'pattern.png' }],
});

/** The wheel's way that makes a picture twice as large. */
const twice = -500 * Math.log(2);

const cropRows: readonly GestureRow[] = [
  {
    what: 'a drag in the frame moves the picture',
    act: (hand) => {
      hand.double(photo);
      expect(hand.crops).toBe(true);
      hand.drag(photo, [470, 380]);
      hand.press('Enter');
    },
    gives: { 1: { x: 500, y: '350px', width: '25%', x_alignment: '80%' } },
  },
  {
    what: 'a side of the frame cuts, and the picture stays where it is',
    act: (hand) => {
      hand.double(photo);
      expect(hand.crops).toBe(true);
      hand.pullCrop('e', [-50, 0]);
      hand.press('Enter');
    },
    gives: { 1: { type: 'image', x: 475, width: '18.75%', x_alignment: '33.33%' } },
  },
  {
    what: 'the wheel scales, in a composition that cuts',
    act: (hand) => {
      hand.double(photo);
      expect(hand.crops).toBe(true);
      hand.wheel(photo, twice);
      hand.press('Enter');
    },
    gives: {
      1: {
        ...{ name: 'Photo frame', type: 'composition', clip: true, x: 500, y: '350px' },
        ...{ width: '25%', height: 200, border_radius: 12 },
        elements: [
          { name: 'Photo', type: 'image', x: '50%', y: '50.001%', width: '300%', height: '200%' },
        ],
      },
    },
  },
  {
    what: 'a corner of the frame cuts both sides, also by such a composition',
    act: (hand) => {
      hand.double(photo);
      expect(hand.crops).toBe(true);
      hand.pullCrop('se', [-100, -100]);
      hand.press('Enter');
    },
    gives: {
      1: {
        ...{ type: 'composition', x: 450, y: '300px', width: '12.5%', height: 100 },
        elements: [{ x: '100%', y: '100.001%', width: '300%', height: '200.002%' }],
      },
    },
  },
  {
    what: 'keys do the same: C, arrows, + and Enter',
    act: (hand) => {
      hand.click(photo);
      hand.press('c');
      expect(hand.crops).toBe(true);
      for (let press = 0; press < 3; press++) hand.press('Shift+ArrowRight');
      hand.press('Enter');
    },
    gives: { 1: { x: 500, x_alignment: '20%' } },
  },
  {
    what: 'what has a frame is cropped within it',
    act: async (hand) => {
      hand.double(photo);
      expect(hand.crops).toBe(true);
      hand.wheel(photo, twice);
      hand.press('Enter');
      await hand.drawn();
      hand.press('c');
      expect(hand.crops).toBe(true);
      hand.drag(photo, [550, 350]);
      // A press beside it is the end, too.
      hand.click([100, 500]);
      expect(hand.crops).toBe(false);
    },
    gives: { 1: { x: 500, elements: [{ x: '75%', y: '50.001%', width: '300%' }] } },
  },
];

const dropRows = (source: string): readonly GestureRow[] => [
  {
    what: 'with Alt, a file that is dropped on a picture replaces it, and keeps place and looks',
    act: (hand) => hand.drop(photo, fileOf(source), true),
    gives: { 1: { name: 'Photo', source, x: 500, width: '25%', border_radius: 12 } },
  },
  {
    what: 'fault 10: without, it lies on it',
    act: (hand) => hand.drop(photo, fileOf(source)),
    gives: { 2: { type: 'image', name: 'pattern', source, x: '62.5%', y: '58.33%' } },
  },
  {
    what: 'beside pictures, too',
    act: (hand) => hand.drop([200, 150], fileOf(source)),
    gives: { 2: { type: 'image', source, x: '25%', y: '25%' } },
  },
];

const windowUrl = process.env['WINDOW_URL'] ?? '';
const text = documentWith(await storeMedia(windowUrl, 'photo.jpg'));
const pattern = await storeMedia(windowUrl, 'pattern.png');
const open = await openEditor(text);
describe('cropped', () => tryGestures(open, text, cropRows));
describe('dropped', () => tryGestures(open, text, dropRows(pattern)));
