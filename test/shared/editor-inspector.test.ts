/** The inspector's pure parts: every property has its place, values are told apart, and numbers keep their spelling. */
import { describe, expect, test } from 'vitest';
import { colorLike, colorsIn, hsvaOf, rgbaOf } from '../../renderer/editor/inspector/colors.ts';
import {
  boundsOfStop,
  gradientFrom,
  offsetLike,
  roomFor,
  stopsOf,
  withStop,
} from '../../renderer/editor/inspector/gradients.ts';
import { controlOf } from '../../renderer/editor/inspector/controls.ts';
import { flatWarp, movedPoint, warpPlaces } from '../../renderer/editor/inspector/warps.ts';
import { groupsOf, inspectorGroups } from '../../renderer/editor/inspector/groups.ts';
import { inUnit, steppedValue, typedValue } from '../../renderer/editor/inspector/numbers.ts';
import { shownOf, type Subject } from '../../renderer/editor/inspector/shown-values.ts';
import { formatColor, parseColor, type Rgba } from '../../shared/renderscript/color.ts';
import { propertiesOf, property } from '../../shared/renderscript/properties.ts';
import type { NumberRule } from '../../shared/renderscript/rules.ts';
import { elementTypes, type Json, type JsonObject } from '../../shared/renderscript/source.ts';

describe('groups', () => {
  for (const owner of ['root', ...elementTypes] as const) {
    test(`every property of ${owner} stands in one line`, () => {
      const groups = groupsOf(new Set([owner]), (name) => property(owner, name) !== undefined);
      const shown = groups.flatMap(({ rows }) => rows.flatMap(({ names }) => names));
      const known = propertiesOf(owner).map(([name]) => name);
      expect(shown.toSorted()).toEqual(known.toSorted());
    });
  }

  test('no line names a property that the language lacks, and conditions ask for known ones', () => {
    for (const { on, rows } of inspectorGroups) {
      for (const { names, when } of rows) {
        for (const name of [...names, ...(when ? [when.name] : [])])
          expect(on.some((owner) => property(owner, name))).toBe(true);
      }
    }
  });

  test('several elements show what all of them have', () => {
    const owners = new Set(['text', 'audio'] as const);
    const has = (name: string): boolean => [...owners].every((owner) => property(owner, name));
    const groups = groupsOf(owners, has);
    expect(groups.map(({ id }) => id)).toEqual(['element', 'time', 'animation', 'scripts']);
  });
});

const of = (values: JsonObject, owner: Subject['owner'] = 'shape'): Subject => ({
  path: 'elements[0]',
  owner,
  values,
});

test('values are told apart: default, the same, mixed, keyframes, placeholders', () => {
  const keys = [
    { time: 0, value: 1 },
    { time: 1, value: 2 },
  ];
  const rows: readonly (readonly [readonly Subject[], string, object])[] = [
    [[of({})], 'x', { kind: 'default', value: '50%' }],
    [[of({}), of({}, 'text')], 'fill_color', { kind: 'default', value: undefined }],
    [[of({ x: 3 }), of({ x: 3 })], 'x', { kind: 'same', value: 3 }],
    [[of({ x: 3 }), of({ x: '3' })], 'x', { kind: 'mixed' }],
    [[of({ x: 3 }), of({})], 'x', { kind: 'mixed' }],
    [[of({ x: keys }), of({ x: 2 })], 'x', { kind: 'keyframes', count: 2, of: 1 }],
    // A keyframe that lacks its time is none of another kind.
    [[of({ x: [{ value: 2 }] })], 'x', { kind: 'keyframes', count: 1, of: 1 }],
    [[of({ x: '{{left}}' })], 'x', { kind: 'placeholder', text: '{{left}}' }],
    [[of({ text: 'Hi {{name}}' }, 'text')], 'text', { kind: 'same', value: 'Hi {{name}}' }],
    [[of({ x: null })], 'x', { kind: 'same', value: null }],
    [
      [of({ fill_color: [{ offset: '0%', color: '#fff' }] })],
      'fill_color',
      { kind: 'same', value: [{ offset: '0%', color: '#fff' }] },
    ],
  ];
  for (const [subjects, name, shown] of rows) expect(shownOf(subjects, name)).toEqual(shown);
});

// `as`: the rows that are asked for are of numbers.
const ruleOf = (owner: Subject['owner'], name: string): NumberRule =>
  property(owner, name)?.rule as NumberRule;

test('typed numbers keep unit and spelling', () => {
  const rows: readonly (readonly [
    string,
    string,
    Json | undefined,
    string,
    Subject['owner'],
    Json | undefined,
  ])[] = [
    ['12', 'px', 3, 'x', 'shape', 12],
    ['12', 'px', '3', 'x', 'shape', '12'],
    ['12', 'px', '3px', 'x', 'shape', '12px'],
    ['12', 'px', '3 px', 'x', 'shape', '12 px'],
    ['12,5', '%', undefined, 'x', 'shape', '12.5%'],
    ['12vmin', '%', '50%', 'x', 'shape', '12 vmin'],
    ['12', '%', 3, 'x', 'shape', '12%'],
    ['-', '%', '50%', 'x', 'shape', undefined],
    ['', '%', '50%', 'x', 'shape', undefined],
    ['120', '%', '50%', 'opacity', 'shape', undefined],
    ['4', 's', undefined, 'duration', 'shape', 4],
    ['4', 's', '2 s', 'duration', 'shape', '4 s'],
    ['media', 's', undefined, 'duration', 'video', 'media'],
    ['1080', 'px', undefined, 'width', 'root', 1080],
    ['700', '', '400', 'font_weight', 'text', '700'],
    ['3', '', undefined, 'track', 'shape', 3],
    ['3.5', '', 2, 'track', 'shape', undefined],
    ['45', '°', undefined, 'z_rotation', 'shape', '45°'],
    ['20', 'px', undefined, 'x', 'shape', '20 px'],
  ];
  for (const [typed, unit, before, name, owner, value] of rows)
    expect([typed, before, typedValue(typed, unit, before, ruleOf(owner, name))]).toEqual([
      typed,
      before,
      value,
    ]);
});

test('steps stay within bounds, and take the default as their beginning', () => {
  const plain = { shiftKey: false, altKey: false };
  const opacity = ruleOf('shape', 'opacity');
  expect(steppedValue(undefined, -5, plain, opacity, '100%')).toBe('95%');
  expect(steppedValue('98 %', 1, { ...plain, shiftKey: true }, opacity, '100%')).toBe('100 %');
  expect(steppedValue(10, 3, { ...plain, altKey: true }, ruleOf('shape', 'x'), '50%')).toBe(10.3);
  expect(steppedValue(1, 3, plain, ruleOf('shape', 'duration'), null)).toBe(1.3);
  expect(steppedValue(2, 1, { ...plain, altKey: true }, ruleOf('shape', 'track'), null)).toBe(3);
  expect(steppedValue(undefined, 3, plain, ruleOf('text', 'width'), null)).toBeUndefined();
  expect(steppedValue(1, -500, plain, ruleOf('shape', 'aspect_ratio'), null)).toBe(0.001);
  expect(steppedValue(undefined, 3, plain, ruleOf('video', 'look_exposure'), 0)).toBe(0.3);
});

test('another unit keeps the length where it can be told', () => {
  const context = { whole: 800, document: { width: 800, height: 600 } };
  const x = ruleOf('shape', 'x');
  expect(inUnit('50%', 'px', x, '50%', context)).toBe('400 px');
  expect(inUnit(undefined, 'vmin', x, '50%', context)).toBe('66.67 vmin');
  expect(inUnit(100, '%', x, '50%', context)).toBe('12.5%');
  expect(inUnit('50%', 'px', x, '50%', null)).toBe('50 px');
  expect(inUnit(null, '%', ruleOf('text', 'width'), '200 px', context)).toBe('25%');
});

test('a picked colour is spelled as the one before', () => {
  const rows: readonly (readonly [string, Rgba, string])[] = [
    ['#d9480f', [1, 2, 3, 1], '#010203'],
    ['#D9480F', [171, 2, 3, 1], '#AB0203'],
    ['#d9480fcc', [1, 2, 3, 0.5], '#01020380'],
    ['#d9480fcc', [1, 2, 3, 1], '#010203'],
    ['red', [1, 2, 3, 0.25], 'rgba(1, 2, 3, 0.25)'],
    ['', [1, 2, 3, 1], '#010203'],
  ];
  for (const [before, color, text] of rows) expect(colorLike(before, color)).toBe(text);
});

test('a colour survives the way through the picker', () => {
  for (const color of [
    '#000000',
    '#ffffff',
    '#d9480f',
    '#12355b',
    '#00ff80',
    '#ff00ff',
    '#7f7f7f',
  ]) {
    const read = parseColor(color)!;
    expect(formatColor(rgbaOf(hsvaOf(read)))).toBe(color);
  }
  // Black keeps the hue that it was made from.
  expect(hsvaOf([0, 0, 0, 1], hsvaOf([0, 255, 0, 1]))).toMatchObject({ hue: 120, saturation: 1 });
});

test('the colours of a document, the most used first and each once', () => {
  const document = {
    fill_color: '#FFF',
    elements: [
      { fill_color: 'white', name: 'red' },
      { fill_color: [{ offset: 0, color: 'red' }], stroke_color: [{ time: 0, value: 'blue' }] },
    ],
  };
  expect(colorsIn(document)).toEqual(['#ffffff', '#0000ff', '#ff0000']);
});

test('stops of a gradient: read, added where they belong, kept between their neighbours', () => {
  const list = [
    { offset: '0%', color: '#000000' },
    { offset: '50%', color: '#ffffff' },
    { offset: '100%', color: '#ff0000' },
  ];
  const stops = stopsOf(list)!;
  expect(stops.map(({ at }) => at)).toEqual([0, 50, 100]);
  expect(stopsOf([{ offset: 'x', color: '#000' }])).toBeNull();
  expect(stopsOf('#000')).toBeNull();
  expect(withStop(list, stops, 25)).toMatchObject({
    index: 1,
    stop: { offset: '25%', color: '#808080' },
  });
  expect(boundsOfStop(stops, 1)).toEqual([0, 100]);
  expect(boundsOfStop(stops, 0)).toEqual([0, 50]);
  expect(roomFor(stops, stops[2]!)).toBe(75);
  expect(offsetLike(0, 12.5)).toBe(12.5);
  expect(offsetLike('0 %', 12.5)).toBe('12.5 %');
  expect(gradientFrom('#102030')[1]).toEqual({ offset: '100%', color: 'rgba(16, 32, 48, 0)' });
});

describe('controls', () => {
  /** Made elsewhere: elements in picture, outline and timeline. */
  const bySource = new Set(['elements']);

  test.each(['root', ...elementTypes] as const)('every property of %s has one', (owner) => {
    for (const [name, { rule }] of propertiesOf(owner))
      expect([name, controlOf(name, rule) === 'source']).toEqual([name, bySource.has(name)]);
  });
});

describe('warp points', () => {
  test('a grid that bends nothing, and a point that keeps its spelling', () => {
    expect(flatWarp(3)).toEqual([
      [
        { x: '0%', y: '0%' },
        { x: '50%', y: '0%' },
        { x: '100%', y: '0%' },
      ],
      [
        { x: '0%', y: '50%' },
        { x: '50%', y: '50%' },
        { x: '100%', y: '50%' },
      ],
      [
        { x: '0%', y: '100%' },
        { x: '50%', y: '100%' },
        { x: '100%', y: '100%' },
      ],
    ]);
    const rows = [
      [
        { x: 0, y: '0 %' },
        { x: 100, y: 0 },
      ],
      [
        { x: '0%', y: '100%' },
        { x: '100%', y: '100%' },
      ],
    ];
    expect(warpPlaces(rows)?.[0]).toEqual([
      { x: 0, y: 0 },
      { x: 100, y: 0 },
    ]);
    expect(movedPoint(rows, 0, 0, { x: 5, y: -2.5 })).toEqual({
      '[0][0].x': 5,
      '[0][0].y': '-2.5 %',
    });
    expect(movedPoint(rows, 2, 0, { x: 5, y: 5 })).toEqual({});
    expect(flatWarp(2)).toSatisfy((value) => warpPlaces(value as Json) !== null);
  });

  test.each([
    [null],
    ['x'],
    [[]],
    [[[{ x: 0, y: 0 }]]],
    [
      [
        [
          { x: '1 px', y: 0 },
          { x: 0, y: 0 },
        ],
        [],
      ],
    ],
    [
      [
        [{}, {}],
        [{}, {}],
      ],
    ],
  ])('what is no grid has no points: %j', (value) => {
    expect(warpPlaces(value as Json)).toBeNull();
  });
});
