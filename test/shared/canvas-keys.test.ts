/**
 * Keyframes by hand: what an element has at a moment, and the text with keyframes there; taken back it has the same
 * bytes.
 */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import {
  elementAtMoment,
  keyedNames,
  KeyedText,
  valueAt,
  withKeysAt,
  withoutKeyAt,
  type ElementMoment,
} from '../../renderer/editor/canvas/keyed.ts';
import { applied } from '../../renderer/editor/source/json-text.ts';
import { differenceOf } from '../../renderer/engine/text-change.ts';

const text = `{
  "elements": [
    { "type": "shape", "name": "Box", "x": "25%", "opacity": 0.5,   "fill_color": "#ff0000",
      "y": [
        { "time": 0, "value": "10%" },
        { "time": 2, "value": "30%", "easing": "linear" },
        { "time": "end", "value": 60, "easing": "steps(1)" }
      ] }
  ]
}`;
const moment = (at: number, from = text): ElementMoment => ({
  path: 'elements[0]',
  element: (JSON.parse(from) as { elements: readonly JsonObject[] }).elements[0]!,
  at,
  duration: 4,
  frame: 1 / 25,
});
const after = (made: string): JsonObject => moment(0, made).element;

describe('the value at a moment', () => {
  const keys: Json = [
    { time: 0, value: '10%' },
    { time: 2, value: '30%', easing: 'linear' },
    { time: 3, value: '50 px', easing: 'linear' },
  ];
  test.each<[what: string, value: Json, at: number, gives: Json]>([
    ['before the first', [{ time: 1, value: 5 }], 0, 5],
    ['on one', keys, 2, '30%'],
    ['between two of a unit', keys, 1, '20%'],
    ['after the last', keys, 4, '50 px'],
    ['between two units, in the first one', keys, 2.5, '27.5%'],
    ['of a plain value', '12 vmin', 1, '12 vmin'],
    [
      'of colours',
      [
        { time: 0, value: '#000000' },
        { time: 2, value: '#ffffff', easing: 'linear' },
      ],
      1,
      '#808080',
    ],
    [
      'that jumps',
      [
        { time: 0, value: 0 },
        { time: 2, value: 9, easing: 'steps(1)' },
      ],
      1.9,
      0,
    ],
  ])('%s', (_, value, at, gives) => {
    const one = { ...moment(at), element: { type: 'shape', y: value } };
    expect(valueAt(one, 'y', () => ({ whole: 200, document: { width: 200, height: 200 } }))).toBe(
      gives,
    );
  });

  test('stands in place of keyframes; other lists stay', () => {
    const stops = [{ offset: '0%', color: '#000' }];
    const element = { type: 'shape', y: [{ time: 0, value: 3 }], fill_color: stops };
    expect(elementAtMoment({ ...moment(1), element })).toEqual({
      type: 'shape',
      y: 3,
      fill_color: stops,
    });
  });
});

describe('a gesture writes keyframes at the playhead', () => {
  interface Row {
    readonly what: string;
    readonly at: number;
    readonly patch: Readonly<Record<string, Json>>;
    readonly gives: JsonObject;
  }
  const rows: readonly Row[] = [
    {
      what: 'a new one between two, with the easing of its way',
      at: 1,
      patch: { y: '80%' },
      gives: {
        y: [
          { time: 0, value: '10%' },
          { time: 1, value: '80%', easing: 'linear' },
          { time: 2, value: '30%', easing: 'linear' },
          { time: 'end', value: 60, easing: 'steps(1)' },
        ],
      },
    },
    {
      what: 'the one that is there',
      at: 2.01,
      patch: { y: '80%' },
      gives: {
        y: [
          { time: 0, value: '10%' },
          { time: 2, value: '80%', easing: 'linear' },
          { time: 'end', value: 60, easing: 'steps(1)' },
        ],
      },
    },
    {
      what: 'what stood still also has one at its beginning',
      at: 1.5,
      patch: { x: '40%' },
      gives: {
        x: [
          { time: 0, value: '25%' },
          { time: 1.5, value: '40%' },
        ],
      },
    },
    {
      what: 'at the beginning there is one',
      at: 0,
      patch: { x: '40%' },
      gives: { x: [{ time: 0, value: '40%' }] },
    },
    {
      what: 'what is missing begins with its default',
      at: 1,
      patch: { z_rotation: '30°' },
      gives: {
        z_rotation: [
          { time: 0, value: '0°' },
          { time: 1, value: '30°' },
        ],
      },
    },
    {
      what: 'several at once',
      at: 1,
      patch: { x: 10, opacity: '20%' },
      gives: {
        x: [
          { time: 0, value: '25%' },
          { time: 1, value: 10 },
        ],
        opacity: [
          { time: 0, value: 0.5 },
          { time: 1, value: '20%' },
        ],
      },
    },
    {
      what: 'what only switches is set',
      at: 1,
      patch: { name: 'Other', clip: true },
      gives: { name: 'Other', clip: true },
    },
  ];
  test.each(rows)('$what', ({ at, patch, gives }) => {
    const keyed = new KeyedText(text, [moment(at)], 'keys');
    const byPath = Object.fromEntries(
      Object.entries(patch).map(([name, value]) => [`elements[0].${name}`, value]),
    );
    // On the way there were other values.
    keyed.with(Object.fromEntries(Object.keys(byPath).map((path) => [path, 1])));
    const made = keyed.with(byPath);
    expect(after(made)).toMatchObject(gives);
    expect(made).toContain('"opacity": ');
    const undo = differenceOf(made, text);
    expect(applied(made, undo)).toBe(text);
  });

  test('of what has some; what has none is set where nothing records', () => {
    const made = new KeyedText(text, [moment(1)], 'set').with({
      'elements[0].x': '40%',
      'elements[0].y': '80%',
    });
    expect(after(made)).toMatchObject({ x: '40%', y: [{}, { time: 1, value: '80%' }, {}, {}] });
    const there = new KeyedText(text, [moment(2)], 'set').with({ 'elements[0].y': '80%' });
    expect(there).toBe(text.replace('"30%"', '"80%"'));
  });

  test('what is not touched keeps its bytes', () => {
    const made = new KeyedText(text, [moment(1)], 'keys').with({ 'elements[0].y': '80%' });
    expect(made).toContain('"x": "25%", "opacity": 0.5,   "fill_color": "#ff0000"');
    expect(made).toContain('{ "time": 2, "value": "30%", "easing": "linear" }');
  });
});

describe('keyframes set by hand', () => {
  test('change nothing at their moment, and go away again', () => {
    const made = withKeysAt(text, [moment(1)], keyedNames);
    const element = after(made);
    expect((element.y as readonly JsonObject[])[1]).toEqual({
      time: 1,
      value: '20%',
      easing: 'linear',
    });
    expect(element.x).toBe('25%');
    const gone = withoutKeyAt(made, moment(1, made), 'y');
    expect(JSON.parse(gone)).toEqual(JSON.parse(text));
  });

  test('begin with the place of what has none; the last one leaves its value', () => {
    const still = '{"elements": [{"type": "shape", "x": 10}]}';
    const made = withKeysAt(still, [moment(1, still)], keyedNames);
    expect(after(made)).toEqual({
      type: 'shape',
      x: [{ time: 1, value: 10 }],
      y: [{ time: 1, value: '50%' }],
    });
    expect(after(withoutKeyAt(made, moment(1, made), 'x'))).toMatchObject({ x: 10 });
  });
});
