/** A caret over places that are known: lines of letters that are 10 px wide, as the layout tells them. */
import { describe, expect, it } from 'vitest';
import type { CaretLine, CaretPlaces } from '../../shared/engine/text/caret-places.ts';
import {
  endOfLine,
  nearestPlace,
  placeInNextLine,
  placeOfChange,
  rangeAround,
  strokeAt,
  stretchesOf,
} from '../../renderer/editor/canvas/caret.ts';

/** Lines as they are broken, 20 px high; letters in brackets are read from the right. */
function placesOf(...lines: readonly string[]): CaretPlaces {
  let at = 0;
  const made = lines.map((line, index): CaretLine => {
    const from = at;
    const [, before = '', back = '', after = ''] =
      /^([^[\n]*)(?:\[(.*)\])?([^\n]*)/.exec(line) ?? [];
    const [top, bottom] = [20 * index, 20 * index + 20];
    const letters = before + back + after;
    const signs = Array.from(letters, (_, number) => {
      const isBack = number >= before.length && number < before.length + back.length;
      const place = isBack ? 2 * before.length + back.length - 1 - number : number;
      const [left, right] = [10 * place, 10 * place + 10];
      const start = from + number;
      return { from: start, to: start + 1, left, right, top, bottom, rightToLeft: isBack };
    }).sort((a, b) => a.left - b.left);
    at += letters.length + (line.endsWith('\n') ? 1 : 0);
    const to = from + letters.length;
    const end =
      line.endsWith('\n') || index === lines.length - 1 ? to : from + letters.trimEnd().length;
    const empty = { x: 10 * letters.length, top, bottom };
    return { from, to, end, top, bottom, empty, rightToLeft: false, signs };
  });
  return { text: lines.join('').replace(/[[\]]/g, ''), lines: made };
}

describe('a caret', () => {
  // Two words on two lines, a line that was ended, one that is empty, and one both ways.
  const places = placesOf('one ', 'two\n', '\n', 'a[bc]d');

  it.each([
    ['at the beginning', 0, false, { x: 0, top: 0 }],
    ['in a line', 2, false, { x: 20, top: 0 }],
    ['where a line was broken', 4, false, { x: 0, top: 20 }],
    ['there, above', 4, true, { x: 40, top: 0 }],
    ['in an empty line', 8, false, { x: 0, top: 40 }],
    ['behind what is read from the right', 12, false, { x: 10, top: 60 }],
    ['behind the end', 99, false, { x: 40, top: 60 }],
  ])('is drawn %s', (_, at, upper, stroke) => {
    expect(strokeAt(places, { at, upper })).toMatchObject(stroke);
  });

  it.each([
    ['in a line', 14, 5, { at: 1 }],
    ['behind a line that was broken', 90, 5, { at: 3 }],
    ['in an empty line', 90, 50, { at: 8 }],
    ['on the left half of a letter from the right', 12, 70, { at: 12 }],
    ['below everything', -5, 500, { at: 9 }],
  ])('goes where is pressed: %s', (_, x, y, caret) => {
    expect(nearestPlace(places, { x, y })).toMatchObject(caret);
  });

  it('goes up and down by the lines of the picture, and to their ends', () => {
    expect(placeInNextLine(places, { at: 2, upper: false }, 1, 20)).toMatchObject({ at: 6 });
    expect(placeInNextLine(places, { at: 6, upper: false }, 1, 20)).toMatchObject({ at: 8 });
    expect(placeInNextLine(places, { at: 2, upper: false }, -1, 20)).toMatchObject({ at: 0 });
    expect(placeInNextLine(places, { at: 10, upper: false }, 1, 10)).toMatchObject({ at: 13 });
    expect(endOfLine(places, { at: 1, upper: false }, 'end')).toMatchObject({ at: 3 });
    expect(endOfLine(places, { at: 6, upper: false }, 'end')).toMatchObject({ at: 7 });
    expect(endOfLine(places, { at: 6, upper: false }, 'start')).toMatchObject({ at: 4 });
  });

  it('selects stretches of lines, and shows the line ends among them', () => {
    const sides = (from: number, to: number): number[][] =>
      stretchesOf(places, { from, to }).map(({ left, right, top }) =>
        [left, right, top].map(Math.round),
      );
    expect(sides(1, 6)).toEqual([
      [10, 40, 0],
      [0, 20, 20],
    ]);
    expect(sides(6, 9)).toEqual([
      [20, 30, 20],
      [30, 34, 20],
      [0, 4, 40],
    ]);
    // One letter of the two that are read from the right.
    expect(sides(9, 11)).toEqual([
      [0, 10, 60],
      [20, 30, 60],
    ]);
  });

  it('selects a word with two clicks, a line with three', () => {
    const text = 'One two,\nthree';
    expect([1, 2, 3].map((clicks) => rangeAround(text, 5, clicks))).toEqual([
      { from: 5, to: 5 },
      { from: 4, to: 7 },
      { from: 0, to: 8 },
    ]);
    expect(rangeAround(text, 7, 2)).toEqual({ from: 4, to: 7 });
    expect(rangeAround(text, 14, 2)).toEqual({ from: 9, to: 14 });
  });

  it('stands behind what was changed elsewhere', () => {
    expect(placeOfChange('one two', 'one two')).toBe(0);
    expect(placeOfChange('one', 'one two')).toBe(7);
    expect(placeOfChange('one two', 'one new two')).toBe(7);
  });
});
