/**
 * What passes between the page and its drawing worker at each step of a gesture: texts, of which only the element with
 * the change is read, and outlines, of which only those that differ are sent. Both must come to what reading and
 * sending everything gives.
 */
import { describe, expect, test } from 'vitest';
import { OutlineReceiver, OutlineSender } from '../../renderer/engine/outline-changes.ts';
import { SourceReader } from '../../renderer/engine/source-reader.ts';
import type { Outline } from '../../shared/preview.ts';
import { samples } from '../helpers/sample-documents.ts';

const base = `{
  "width": 100, "note": "\\"elements\\": [{",
  "elements": [
    { "type": "text", "text": "a \\"quoted\\" ] } {", "x": 1 },
    { "type": "composition", "elements": [{ "type": "shape", "x": 2 }, { "type": "shape" }] },
    { "type": "shape", "x": 3 }
  ],
  "height": 50
}`;

const elementsOf = (value: unknown): readonly unknown[] =>
  (value as { elements: readonly unknown[] }).elements;

describe('texts', () => {
  test('an element that changes is read, the others stay the same objects', () => {
    const reader = new SourceReader();
    let last = reader.read(base);
    let text = base;
    for (const [from, to, changed] of [
      ['"x": 3', '"x": 345', 2],
      ['"x": 2', '"x": -20.5', 1],
      ['"x": 1', '"x": 1, "y": "new"', 0],
      ['"x": 345', '"x": 4', 2],
      ['{ "type": "shape" }', '{ "type": "shape", "name": "}]" }', 1],
    ] as const) {
      text = text.replace(from, to);
      const now = reader.read(text);
      expect(now).toEqual(JSON.parse(text));
      for (const [index, element] of elementsOf(now).entries())
        expect(element === elementsOf(last)[index]).toBe(index !== changed);
      last = now;
    }
    expect(reader.read(text)).toBe(last);
  });

  test.each([
    ['an element more', '"x": 3 }', '"x": 3 }, { "type": "shape" }'],
    ['an element less', ',\n    { "type": "shape", "x": 3 }', ''],
    ['one that becomes two', '"x": 1 }', '"x": 1 }, { "x": 5 }'],
    ['a value beside them', '"width": 100', '"width": 200'],
    ['a value after them', '"height": 50', '"height": 5'],
    ['no elements', '"elements": [\n', '"others": [\n'],
    ['two lists', '"height": 50', '"elements": [{ "type": "text" }]'],
    ['another spelling', '"height": 50', '"\\u0065lements": [{ "a": 1 }, { "b": 2 }, { "c": 3 }]'],
    ['elements that are none', '"type": "shape", "x": 3', '"x": 3'],
    ['a name of the language', '"x": 3', '"__proto__": 3'],
  ])('%s, and a change after that', (_, from, to) => {
    const reader = new SourceReader();
    reader.read(base);
    const text = base.replace(from, to);
    expect(text).not.toBe(base);
    expect(reader.read(text)).toEqual(JSON.parse(text));
    const next = text.replace('"x": 2', '"x": 22');
    expect(reader.read(next)).toEqual(JSON.parse(next));
    expect(reader.read(base)).toEqual(JSON.parse(base));
  });

  test('what is half typed is refused, and what comes after it is read', () => {
    const reader = new SourceReader();
    reader.read(base);
    for (const half of ['"x": ', '"x": 3, ', '"x": 3 } }', '"x": "3']) {
      expect(() => reader.read(base.replace('"x": 3', half))).toThrow(SyntaxError);
      expect(reader.read(base)).toEqual(JSON.parse(base));
    }
    for (const other of ['[]', '"elements"', '{}', '{"elements":5}', '{"elements":[1,{"a":[]}]}'])
      expect(reader.read(other)).toEqual(JSON.parse(other));
  });

  test('any letter of a small sample taken away gives what reading the whole text gives', () => {
    const read = (text: string): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        return null;
      }
    };
    let valid = 0;
    for (const [, text] of samples()) {
      if (text.length > 500) continue;
      const reader = new SourceReader();
      for (let at = 0; at < text.length; at += 1) {
        const less = text.slice(0, at) + text.slice(at + 1);
        const whole = read(less);
        if (whole === null) expect(() => reader.read(less)).toThrow(SyntaxError);
        else expect(reader.read(less)).toEqual(whole);
        if (whole !== null) valid += 1;
      }
    }
    expect(valid).toBeGreaterThan(1000);
  });
});

describe('outlines', () => {
  const at = (x: number, more: Partial<Outline> = {}): Outline => ({
    corners: [x, 0, 1, 0, 1, 1, x, 1],
    width: 10,
    height: 10,
    ...more,
  });

  test.each<[string, Record<string, Outline>, Record<string, Outline>, string[] | null]>([
    ['the same', { a: at(0), b: at(1) }, { a: at(0), b: at(1) }, []],
    ['one that moved', { a: at(0), b: at(1) }, { a: at(0), b: at(2) }, ['b']],
    ['one that grew', { a: at(0) }, { a: at(0, { width: 11 }) }, ['a']],
    ['an inside', { a: at(0) }, { a: at(0, { inside: at(0) }) }, ['a']],
    ['a picture', { a: at(0, { picture: at(0) }) }, { a: at(0, { picture: at(1) }) }, ['a']],
    ['one more', { a: at(0) }, { a: at(0), b: at(1) }, null],
    ['one less', { a: at(0), b: at(1) }, { a: at(0) }, null],
    ['another order', { a: at(0), b: at(1) }, { b: at(1), a: at(0) }, null],
    ['none', { a: at(0) }, {}, null],
  ])('%s', (_, before, after, sent) => {
    const [sender, receiver] = [new OutlineSender(), new OutlineReceiver()];
    const first = receiver.take(sender.send(before));
    expect(first).toEqual(before);
    const changes = sender.send(after);
    expect(changes.isPart ? Object.keys(changes.outlines) : null).toEqual(sent);
    const now = receiver.take(changes);
    expect(now).toEqual(after);
    expect(Object.keys(now)).toEqual(Object.keys(after));
    expect(now === first).toBe(sent?.length === 0);
  });
});
