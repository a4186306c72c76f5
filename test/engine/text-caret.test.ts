/** Where a caret stands in a laid-out text, against what can be worked out without knowing how lines are made. */
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { fontsOf } from '../../server/engine/assets/fonts/font-needs.ts';
import { FontBook } from '../../server/engine/assets/fonts/fonts.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { createLayout } from '../../shared/engine/layout/layout.ts';
import { typedPlaces, withResting, withTyped } from '../../shared/engine/layout/typed-text.ts';
import type { TextBlock, TextRoom } from '../../shared/engine/text/block.ts';
import { graphemesOf } from '../../shared/engine/text/breaks.ts';
import {
  caretPlaces,
  type CaretLine,
  type CaretPlaces,
} from '../../shared/engine/text/caret-places.ts';
import { plainText } from '../../shared/engine/text/styled-parts.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import type { Measurer } from '../../shared/engine/text/measurer.ts';
import { createMeasurer } from '../helpers/painter.ts';
import { measurer } from './layout-documents.ts';

const fontFolder = path.resolve('resources/fonts');
beforeAll(() => {
  execFileSync(process.execPath, [path.resolve('resources/copy-fonts.mjs'), fontFolder]);
});

interface Found {
  readonly places: CaretPlaces;
  readonly block: TextBlock;
  readonly room: TextRoom;
}

/** The places of a text element in a picture of 800 × 450. */
async function placesOf(element: JsonObject, measure?: Measurer): Promise<Found> {
  const given: Source = {
    ...{ output_format: 'png', width: 800, height: 450 },
    elements: [{ type: 'text', font_family: 'Open Sans', font_size: 40, ...element }],
  };
  const fonts = measure ? null : await FontBook.open({ fontFolder, ...fontsOf(given, {}) });
  const source = withTyped(given, given, 'elements[0]');
  const compiled = compileTimeline(source, { media: new Map(), scaling: {} });
  let told: { block: TextBlock; room: TextRoom } | undefined;
  const layout = createLayout(withResting(compiled, 'elements[0]'), {
    measurer: measure ?? createMeasurer(fonts!),
    media: new Map(),
    onText: (_, block, room) => (told = { block, room }),
  });
  const { boxes } = layout.frameAt(0);
  expect(boxes).toHaveLength(1);
  if (!told) throw new Error('The text was not laid out.');
  return { ...told, places: typedPlaces(given, 'elements[0]', told.block, told.room) };
}

const latin = [
  'fluffy',
  'office',
  'AVATAR',
  'Straße',
  'İstanbul',
  'naïve',
  'Tạ̈o',
  'ﬁn',
  'ΣΑΣ',
  'a²',
  '½',
  'co\u00adop',
];
const arabic = ['السلام', 'عليكم', 'لا', 'مُحَمَّد', '٤٢'];
const hebrew = ['שלום', 'עולם', 'שָׁלוֹם', '(42)'];
const others = [
  'क्षत्रिय',
  'हिन्दी',
  '日本語',
  '東京',
  '한국어',
  'ไทยแลนด์',
  '👩‍🚀',
  '👨‍👩‍👧‍👦',
  '❤️‍🔥',
  '🏳️‍🌈',
  '🇩🇪',
  'é',
  '\t',
  '  ',
];

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function textOf(random: (below: number) => number): string {
  const pools = [latin, latin, arabic, hebrew, others];
  const own = [pools[random(5)] ?? latin, pools[random(5)] ?? latin];
  const words = Array.from({ length: 1 + random(14) }, () => {
    const pool = own[random(2)] ?? latin;
    return pool[random(pool.length)] ?? '';
  });
  return words
    .map((word) => word + (random(9) === 0 ? '\n' : random(12) === 0 ? '' : ' '))
    .join('');
}

/** Looks of the element, beside the text. */
function looksOf(random: (below: number) => number): JsonObject {
  const one = <T>(list: readonly T[]): T | undefined => list[random(list.length)];
  return {
    width: one(['90%', 300, 140, null]) ?? null,
    height: one(['80%', null]) ?? null,
    font_size: one([40, 40, 25, null]) ?? null,
    font_size_maximum: 60,
    letter_spacing: one(['0%', '0%', '20%', '-5%']) ?? '0%',
    text_transform: one(['none', 'none', 'uppercase', 'capitalize', 'lowercase']) ?? 'none',
    line_height: one(['115%', '80%', '200%']) ?? '115%',
    x_alignment: one(['0%', '50%', '100%']) ?? '0%',
    y_alignment: one(['0%', '50%', '100%']) ?? '0%',
    x_padding: one([0, 12]) ?? 0,
    background_color: one([null, '#ff0']) ?? null,
  };
}

const boundaries = (text: string): Set<number> => {
  const places = new Set([0]);
  let at = 0;
  for (const { length } of graphemesOf(text)) places.add((at += length));
  return places;
};

const placesIn = ({ signs, from, to }: CaretLine): Set<number> =>
  new Set([from, to, ...signs.flatMap((sign) => [sign.from, sign.to])]);

describe('places for a caret', () => {
  it.each(Array.from({ length: 120 }, (_, seed) => seed + 1))('generated text %i', async (seed) => {
    const random = numbers(seed);
    const text = textOf(random);
    const looks = looksOf(random);
    const what = JSON.stringify({ text, ...looks });
    const { places, block, room } = await placesOf({ text, ...looks });
    expect(places.text).toBe(plainText(text));
    // Every boundary between signs is a place, and nothing else is.
    const all = new Set(places.lines.flatMap((line) => [...placesIn(line)]));
    expect(
      [...all].sort((a, b) => a - b),
      what,
    ).toEqual([...boundaries(text)].sort((a, b) => a - b));
    let next = 0;
    for (const [index, line] of places.lines.entries()) {
      const { bounds, runs } = block.lines[index]!;
      // Lines follow each other, with nothing but a line end between them.
      expect(line.from, what).toBe(next);
      next =
        text[line.to] === '\n' && !(line.to === places.lines[index + 1]?.from)
          ? line.to + 1
          : line.to;
      expect([line.top, line.bottom]).toEqual([bounds.y, bounds.y + bounds.height]);
      // In reading order, the signs of a line are those of its stretch of the text.
      const read = line.signs.toSorted((a, b) => a.from - b.from);
      expect(read.map(({ from, to }) => text.slice(from, to)).join(''), what).toBe(
        text.slice(line.from, line.to),
      );
      let edge = -Infinity;
      for (const sign of line.signs) {
        expect(sign.right, what).toBeGreaterThanOrEqual(sign.left);
        expect(sign.left, what).toBeGreaterThanOrEqual(edge - 0.01);
        edge = Math.max(edge, sign.right);
      }
      // All within the line, and, behind it, within the room.
      const least = room.width === null ? -Infinity : Math.min(bounds.x, room.x);
      const most =
        room.width === null ? Infinity : Math.max(bounds.x + bounds.width, room.x + room.width);
      for (const { left, right } of line.signs) {
        expect(left).toBeGreaterThanOrEqual(least - 0.5);
        expect(right).toBeLessThanOrEqual(most + 0.5);
      }
      // The letters that are seen begin and end where the runs do.
      const last = line.from + text.slice(line.from, line.to).replace(/[ \t]+$/, '').length;
      const seen = line.signs.filter(({ to }) => to <= last);
      if (runs.length === 0 || seen.length === 0) continue;
      expect(seen[0]!.left, what).toBeCloseTo(bounds.x, 1);
      expect(Math.max(...seen.map(({ right }) => right)), what).toBeLessThan(
        bounds.x + bounds.width + 0.5,
      );
    }
    expect(next, what).toBe(text.length);
  });
});

/** Each sign with where it begins and ends in reading direction; a letter is 10 px wide. */
async function edgesOf(text: string, looks: JsonObject = {}): Promise<string[][]> {
  const element = { text, width: 200, x_alignment: '0%', font_size: 20, ...looks };
  const { places } = await placesOf(element, measurer);
  return places.lines.map(({ signs }) =>
    signs.map(({ from, to, left, right, rightToLeft }) => {
      const sign = places.text.slice(from, to);
      return rightToLeft ? `${sign} ${right}<${left}` : `${sign} ${left}>${right}`;
    }),
  );
}

describe('where letters begin and end', () => {
  // prettier-ignore
  it.each<[string, string, JsonObject, string[][]]>([
    ['letters', 'abc', {}, [['a 0>10', 'b 10>20', 'c 20>30']]],
    ['a letter that becomes two', 'aßc', { text_transform: 'uppercase' }, [['a 0>10', 'ß 10>30', 'c 30>40']]],
    ['tags are no letters', 'a[size 200%]b[/size]c', {}, [['a 0>10', 'b 10>30', 'c 30>40']]],
    ['letters apart', 'ab', { letter_spacing: '500%' }, [['a 0>20', 'b 20>30']]],
    ['from the right', 'אב', {}, [['ב 10<0', 'א 20<10']]],
    ['both ways', 'a אב b', {}, [['a 0>10', '  10>20', 'ב 30<20', 'א 40<30', '  40>50', 'b 50>60']]],
    ['a space that hangs', 'ab cd', { width: 25 }, [['a 0>10', 'b 10>20', '  20>25'], ['c 0>10', 'd 10>20']]],
    ['spaces at the end', 'a  ', {}, [['a 0>10', '  10>20', '  20>30']]],
    ['a line without letters', 'a\n\nb', {}, [['a 0>10'], [], ['b 0>10']]],
    ['a soft hyphen', 'ab\u00adcd', { width: 30 }, [['a 0>10', 'b 10>20', '\u00ad 20>20'], ['c 0>10', 'd 10>20']]],
    ['what is cut off', 'abcdef', { width: 30, text_wrap: false, text_clip: true }, [['a 0>10', 'b 10>20']]],
    ['what is not filled', '{{name}}', { width: 400 }, [['{ 0>10', '{ 10>20', 'n 20>30', 'a 30>40', 'm 40>50', 'e 50>60', '} 60>70', '} 70>80']]],
    ['what comes in', 'ab', { animations: [{ time: 'start', duration: 1, type: 'text-typewriter' }] }, [['a 0>10', 'b 10>20']]],
    ['nothing', '', {}, [[]]],
    ['spaces alone', '  ', {}, [['  0>10', '  10>20']]],
  ])('%s', async (_, text, looks, edges) => {
    expect(await edgesOf(text, looks)).toEqual(edges);
  });

  it('stand in every joined letter, and where kerned letters are drawn', async () => {
    const joined = await placesOf({ text: 'سلام عليكم' });
    for (const { left, right, from } of joined.places.lines[0]!.signs)
      expect(right - left, `letter ${from}`).toBeGreaterThan(2);
    // Each in the shape that it has in its word, where this letter is much narrower than alone.
    const { places: word, block: shaped } = await placesOf({ text: 'بيت' });
    for (const { left, right, from } of word.lines[0]!.signs.filter(({ to }) => to < 3)) {
      expect(right - left, `letter ${from}`).toBeGreaterThan(5);
      expect(right - left, `letter ${from}`).toBeLessThan(shaped.measured.widthOf('ب', 0) / 2.2);
    }
    const text = 'AVATAR To';
    const { places, block } = await placesOf({ text });
    const [line] = block.lines;
    for (const { from, left } of places.lines[0]!.signs) {
      const drawn = block.measured.widthOf(text.slice(0, from), 0);
      expect(Math.abs(left - line!.bounds.x - drawn), text.slice(0, from)).toBeLessThan(4);
    }
  });

  it('are found for ten thousand letters in a moment', async () => {
    const words = 'Ten titles of several words, عنوان, 👩‍🚀 and others ';
    for (const text of [words.repeat(Math.ceil(10_000 / words.length)), 'x'.repeat(10_000)]) {
      const { block, room } = await placesOf({ text, font_size: 12 });
      const begin = performance.now();
      const { lines } = caretPlaces(text, block, room);
      const took = performance.now() - begin;
      console.info(`Places of 10,000 letters: ${took.toFixed(0)} ms`);
      expect(took).toBeLessThan(2_000);
      expect(lines.flatMap(({ signs }) => signs)).toHaveLength(graphemesOf(text).length);
    }
  });
});
