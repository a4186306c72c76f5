/**
 * Every option of every animation with every value, as pictures: one per type in `animation-pictures/`, in which each
 * value has a row of three moments. UPDATE_SAMPLES=1 accepts what is drawn now; look at the pictures before committing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { animationTypes, type AnimationType } from '../../shared/renderscript/animation-types.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { optionCases, type OptionCase } from '../helpers/animation-values.ts';
import { renderInto } from '../helpers/engine.ts';
import { comparePicture } from '../helpers/pictures.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'options-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Of an animation of one second; none is a moment at which the usual swings of 2 Hz are at rest. */
const moments = [0.15, 0.55, 0.85];
/** Seconds on the document's clock at which the picture is taken. */
const taken = 1;

const columns = 3;
const cell = { width: 68, height: 46, gap: 2, label: 11 };
const block = {
  width: moments.length * (cell.width + cell.gap) + 6,
  height: cell.height + cell.label + 5,
};

const gradient = [
  { offset: '0%', color: '#845ef7' },
  { offset: '100%', color: '#4dabf7' },
];

/** A card on which up and left can be told. */
const card: JsonObject = {
  type: 'composition',
  width: 40,
  height: 28,
  border_radius: 4,
  clip: true,
  fill_mode: 'linear',
  fill_color: gradient,
  fill_x0: '0%',
  fill_y0: '0%',
  fill_x1: '100%',
  fill_y1: '100%',
  elements: [
    { type: 'shape', x: 10, y: 9, width: 10, height: 10, border_radius: 5, fill_color: '#ffe066' },
    { type: 'shape', x: 24, y: 21, width: 24, height: 4, fill_color: '#ffffff' },
  ],
};

const text: JsonObject = {
  type: 'text',
  text: 'Sum 1,250\nof all',
  width: '100%',
  height: '100%',
  x_alignment: '50%',
  y_alignment: '50%',
  font_family: 'Montserrat',
  font_weight: '700',
  font_size: 10,
  line_height: '150%',
  fill_color: '#ffffff',
  background_color: '#c2255c',
  background_x_padding: '30%',
  background_y_padding: '5%',
};

/** What one cell shows: the element with the animation, or both elements of a transition. */
function contentOf({ type, option, value, companions, ofTransitions }: OptionCase): JsonObject[] {
  const element = type.target === 'text' ? text : card;
  const animation = {
    type: type.name,
    duration: 1,
    easing: 'linear',
    ...companions,
    [option.name]: value,
  };
  if (!ofTransitions) {
    return [{ ...element, animations: [{ ...animation, time: 'start' }] }];
  }
  const before = { type: 'shape', width: 48, height: 32, fill_color: '#ff922b' };
  return [
    { ...before, track: 1, duration: 1 },
    { ...element, track: 1, duration: 3, animations: [{ ...animation, transition: true }] },
  ];
}

function blockOf(one: OptionCase, index: number): JsonObject[] {
  const left = 6 + (index % columns) * block.width;
  const top = 6 + Math.floor(index / columns) * block.height;
  const place = { x_anchor: 0, y_anchor: 0 };
  const label = {
    ...place,
    type: 'text',
    text: `${one.option.name}: ${JSON.stringify(one.value).replaceAll('"', '')}`,
    x: left,
    y: top,
    font_family: 'Inter',
    font_size: 8,
    fill_color: '#adb5bd',
  };
  const shots = moments.map((moment, column) => ({
    ...place,
    type: 'composition',
    x: left + column * (cell.width + cell.gap),
    y: top + cell.label,
    width: cell.width,
    height: cell.height,
    clip: true,
    fill_color: '#22262e',
    time: taken - moment,
    duration: 3,
    elements: contentOf(one),
  }));
  return [label, ...shots];
}

function sheetOf(type: AnimationType): JsonObject {
  const cases = optionCases.filter((one) => one.type === type);
  return {
    output_format: 'mp4',
    width: columns * block.width + 6,
    height: Math.ceil(cases.length / columns) * block.height + 6,
    duration: 4,
    // One moment is drawn; a render looks over the others for the sizes of clips.
    frame_rate: 1,
    fill_color: '#14171c',
    elements: cases.flatMap(blockOf),
  };
}

test.each([...animationTypes.values()].map((type) => [type.name, type] as const))(
  '%s',
  async (name, type) => {
    const file = `${name}.png`;
    const { warnings } = await renderInto(scratch, file, sheetOf(type), { moment: taken });
    expect(warnings).toEqual([]);
    const accepted = path.join(import.meta.dirname, 'animation-pictures', file);
    const difference = comparePicture(path.join(scratch, file), accepted);
    expect(difference, difference ?? '').toBeNull();
  },
);
