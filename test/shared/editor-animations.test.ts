/**
 * Animations and easings in the inspector: when an entry runs, what another type keeps, curves to pull, and the
 * picker's film.
 */
import { expect, test } from 'vitest';
import { filmOfTiles } from '../../renderer/editor/inspector/animation-tiles.ts';
import {
  changeOfType,
  changeTo,
  entriesOf,
  momentOf,
  moments,
  newEntry,
  optionsOf,
  typesFor,
} from '../../renderer/editor/inspector/animations.ts';
import {
  bezierOf,
  bezierText,
  curveOf,
  heightOf,
  namedEasings,
  progressAt,
} from '../../renderer/editor/inspector/curves.ts';
import { animationOption, animationTypes } from '../../shared/renderscript/animation-types.ts';
import { parseEasing } from '../../shared/renderscript/easing.ts';
import { hintsOf } from '../../shared/renderscript/hints.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';

test('an entry is told by when it runs, and changed to run at another time', () => {
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ type: 'fade' }, 'whole'],
    [{ type: 'fade', duration: 1 }, 'start'],
    [{ type: 'fade', time: 'start' }, 'start'],
    [{ type: 'fade', time: 'end', duration: 1 }, 'end'],
    [{ type: 'fade', time: '1.5 s' }, 'at'],
    [{ type: 'fade', time: 0 }, 'at'],
    [{ type: 'fade', time: 'start', transition: true }, 'transition'],
    [{ type: 'fade', time: null }, 'whole'],
  ];
  for (const [entry, moment] of rows) {
    expect(momentOf(entry)).toBe(moment);
    for (const next of moments) expect(momentOf({ ...entry, ...changeTo(next, entry) })).toBe(next);
  }
});

test('another type keeps what it knows, and only that', () => {
  const entry = { type: 'slide', time: 'start', duration: 2, direction: '90°', fixed: 'none' };
  expect(changeOfType(entry, 'wipe')).toEqual({
    type: 'wipe',
    direction: undefined,
    fixed: undefined,
  });
  expect(changeOfType(entry, 'film-roll')).toEqual({ type: 'film-roll', fixed: undefined });
});

test('a wipe in a transition is not half transparent, unless its author says so', () => {
  const wipe = { type: 'circular-wipe', duration: 1 };
  expect(changeTo('transition', wipe)).toMatchObject({ transition: true, fade: false });
  expect(changeTo('transition', { ...wipe, fade: true })).not.toHaveProperty('fade');
  expect(changeTo('start', wipe)).not.toHaveProperty('fade');
  const slide = { type: 'slide', transition: true };
  expect(changeOfType(slide, 'wipe')).toMatchObject({ type: 'wipe', fade: false });
  expect(changeOfType({ type: 'slide' }, 'wipe')).not.toHaveProperty('fade');
});

test('every option of every type has its line, once', () => {
  for (const { name, options } of animationTypes.values()) {
    const shown = optionsOf(name, 'start').map((option) => option.name);
    expect(new Set(shown).size).toBe(shown.length);
    for (const option of options) expect(shown).toContain(option.name);
    for (const option of shown) expect(animationOption(name, option)).toBeDefined();
  }
  expect(optionsOf('fade', 'whole').map(({ name }) => name)).not.toContain('duration');
});

test('lists that hold something else are left to the source', () => {
  expect(entriesOf(undefined)).toEqual([]);
  expect(entriesOf(null)).toEqual([]);
  expect(entriesOf([{ type: 'fade' }])).toHaveLength(1);
  expect(entriesOf([{ type: 'fade' }, 3])).toBeNull();
  expect(entriesOf('fade')).toBeNull();
});

test('the film of the picker is a document without problems or hints, with every type in it', () => {
  const types = typesFor(new Set(['text'] as const));
  expect(types.toSorted()).toEqual([...animationTypes.keys()].toSorted());
  expect(typesFor(new Set(['text', 'shape'] as const)).some((type) => /^text/.test(type))).toBe(
    false,
  );
  const film = filmOfTiles(types, { ground: '#fff', thing: '#00f', mark: '#fff', bar: '#000' });
  expect(validate(film)).toEqual([]);
  expect(hintsOf(film)).toEqual([]);
  for (const type of types) expect(newEntry(type)['type']).toBe(type);
});

test('easings are curves, and those with two points can be pulled', () => {
  for (const name of namedEasings) expect(curveOf(name)).toMatch(/^M 0 [\d.]+ L/);
  expect(curveOf('no such easing')).toBe('');
  expect(bezierOf('ease-in')).toEqual([0.42, 0, 1, 1]);
  expect(bezierOf('linear')).toBeNull();
  const text = bezierText([0.123456, -0.2, 1, 1.35]);
  expect(text).toBe('cubic-bezier(0.12, -0.2, 1, 1.35)');
  expect(parseEasing(text)).not.toBeNull();
  for (const progress of [-0.35, 0, 0.5, 1, 1.35])
    expect(progressAt(heightOf(progress))).toBeCloseTo(progress);
});
