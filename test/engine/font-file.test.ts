/** The facts in font files: of every shipped file, of other formats, and what is said of faulty ones. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFontFacts } from '../../server/engine/assets/fonts/font-file.ts';
import { shippedFamilies } from '../../server/engine/assets/fonts/font-list.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { namedFont } from '../helpers/named-font.ts';

const woff = readFileSync('node_modules/@fontsource/barlow/files/barlow-latin-700-italic.woff');
const woff2 = readFileSync(path.join(fontFolder(), 'aileron-latin-700-normal.woff2'));

/** Aileron calls two weights otherwise than its list, and the emoji font is one for all weights. */
const otherwise = /^(aileron-latin-[38]00-|noto-color-emoji)/;

test('every shipped file has the weight and style of its list', () => {
  const wrong: unknown[] = [];
  let seen = 0;
  for (const { name, faces } of shippedFamilies(fontFolder()).values()) {
    // Hundreds of files of the same font say the same.
    for (const { path: file, style, minWeight, maxWeight } of faces.slice(0, 12)) {
      const facts = readFontFacts(readFileSync(file));
      seen++;
      const range = facts.minWeight === minWeight && facts.maxWeight === maxWeight;
      const isNamed = facts.family === name || facts.family === `${name} Variable`;
      const isOdd = otherwise.test(path.basename(file));
      if (!isOdd && (!range || facts.style !== style || !isNamed)) wrong.push({ file, facts });
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(200);
  expect(readdirSync(fontFolder()).length).toBeGreaterThan(seen);
});

test('WOFF and TrueType', () => {
  const bold = { minWeight: 700, maxWeight: 700 };
  expect(readFontFacts(woff)).toMatchObject({ style: 'italic', ...bold });
  const own = namedFont({ family: 'Größe 日本', weight: 700, isItalic: true });
  expect(readFontFacts(own)).toEqual({ family: 'Größe 日本', style: 'italic', ...bold });
  // An old way to say 700.
  expect(readFontFacts(namedFont({ family: 'Old', weight: 7 }))).toMatchObject(bold);
});

describe('faulty files', () => {
  const collection = Buffer.concat([Buffer.from('ttcf'), Buffer.alloc(40)]);
  const bomb = Buffer.from(woff2);
  // A table that claims four gigabytes.
  bomb.writeUInt16BE(1, 12);
  Buffer.from([5, 0x8f, 0xff, 0xff, 0xff, 0x7f]).copy(bomb, 48);
  const nameless = Buffer.from(namedFont({ family: ' ' }));
  test.each([
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['a web page', Buffer.from('<!doctype html><p>Not found'), 'it is no font; expected a file in'],
    ['a picture', readFileSync('test/fixtures/pattern.png'), 'it is no font; expected a file in'],
    ['a collection', collection, 'it is a collection of several fonts'],
    ['half a woff2', woff2.subarray(0, woff2.length / 2), 'its end is missing'],
    ['half a woff', woff.subarray(0, woff.length / 2), 'its end is missing'],
    ['half a ttf', namedFont({ family: 'A' }).subarray(0, 9000), 'its end is missing'],
    ['only the beginning', woff2.subarray(0, 20), 'its list of tables is damaged or cut off'],
    ['a bomb', bomb, 'it unpacks to more than 80 MB'],
    ['one without a name', nameless, 'it names no family'],
  ])('%s', (_what, file, reason) => {
    expect(() => readFontFacts(file)).toThrow(reason);
  });

  test('any damage is answered with a reason', () => {
    let state = 7;
    const random = (most: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % most;
    };
    const files = [woff, woff2, namedFont({ family: 'A' })];
    let refused = 0;
    for (let round = 0; round < 600; round++) {
      const file = Buffer.from(files[round % files.length]!);
      for (let change = 0; change < 4; change++)
        file[random(Math.min(400, file.length))] = random(256);
      try {
        readFontFacts(file);
      } catch (error) {
        expect(error).toMatchObject({ name: 'RenderError', code: 'media_unreadable' });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});
