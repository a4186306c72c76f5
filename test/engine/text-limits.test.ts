/**
 * Text made to be slow: what a hundred thousand characters of any kind cost grows with their number, not with its
 * square, and none of them is an internal error. Measured as counted work, or as the ratio of two lengths in one run.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { readSubtitles } from '../../shared/engine/subtitles.ts';
import { pagesOf } from '../../shared/engine/compile/captions.ts';
import type { Captions, TextElement } from '../../shared/engine/compile/timeline.ts';
import { createCaptionSetter } from '../../shared/engine/layout/captions.ts';
import { bidiLevels, visualOrder } from '../../shared/engine/text/bidi.ts';
import { createTextSetter } from '../../shared/engine/text/block.ts';
import { unbreakables } from '../../shared/engine/text/breaks.ts';
import { readMarkup } from '../../shared/engine/text/markup.ts';
import type { Measurer } from '../../shared/engine/text/measurer.ts';
import { splitBlock } from '../../shared/engine/text/pieces.ts';
import { segmentText } from '../../shared/engine/text/prepare.ts';
import type { WordFonts } from '../../shared/engine/text/whole-words.ts';
import { readWords } from '../../shared/engine/transcript.ts';
import { segmentsIn } from '../../shared/segments.ts';
import { someInQuick } from '../helpers/long.ts';
import { textValues } from './layout-documents.ts';

/** A text of about `length` characters. */
type Maker = (length: number) => string;

const repeated =
  (part: string, before = '', after = ''): Maker =>
  (length) =>
    before + part.repeat(Math.ceil(length / part.length)) + after;

const hostile: Readonly<Record<string, Maker>> = {
  'brackets around one letter': (length) =>
    '('.repeat(length / 2) + '\u05d0' + ')'.repeat(length / 2),
  'brackets of two kinds that never close': (length) =>
    '\u05d0' + '['.repeat(length / 2) + ')'.repeat(length / 2),
  'pairs of brackets': repeated('(\u05d0)'),
  'isolates that are never closed': repeated('\u2067'),
  'isolates inside each other': (length) =>
    '\u2067'.repeat(length / 2) + 'a' + '\u2069'.repeat(length / 2),
  'isolates with direction of their content': repeated('\u2068', '\u05d0'),
  'isolates one after the other': repeated('\u2067a\u2069'),
  'letters of both directions': repeated('a\u05d0'),
  'signs of money beside Hebrew': repeated('$', '\u05d0'),
  'one quotation mark after the other': repeated('\u2039'),
  spaces: repeated(' ', '(', ')'),
  'a word without an end': repeated('x'),
  'line ends': repeated('\n'),
  'a tag that is never closed': repeated(' ', '[color '),
  'the beginnings of tags': repeated('[size '),
  'tags inside each other': repeated('[size 50%][weight 700]'),
  'tags of different sizes': (length) =>
    Array.from({ length: length / 16 }, (_, index) => `[size ${index + 1}%]a[/size]`).join(''),
  'letters with marks': repeated('a\u0301'),
  emoji: repeated('\u{1f600} '),
  'soft hyphens': repeated('ab\u00ad'),
  'Arabic letters': repeated('\u0628'),
  'a word of letters that a font has and lacks': repeated('ab'),
  'words with a letter that a font lacks': repeated('ab\u0171 '),
  'figures and points': repeated('1.'),
  'Thai letters': repeated('\u0e01\u0e31'),
};

/** One that lacks half of all letters, in all places, and one that has them. */
const fonts: WordFonts = {
  family: 'half',
  lacks: (character, family) => family === 'half' && (character.codePointAt(0) ?? 0) % 2 === 0,
  fallbacks: () => ['half', 'half', 'whole'],
};

/** Milliseconds of this thread for so many pieces of work, whose results are kept, the less of two. */
function spent(times: number, work: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 2; round++) {
    const kept: unknown[] = [];
    const { user, system } = process.cpuUsage();
    while (kept.length < times) kept.push(work());
    const after = process.cpuUsage({ user, system });
    least = Math.min(least, (after.user + after.system) / 1_000);
  }
  return least;
}

/**
 * One long text against four short ones, which take the same memory: the square of the length would be 4. What is too
 * short to be measured is fast enough. Other work on the computer disturbs.
 */
function expectLinear(work: (length: number) => unknown, length = 10_000): void {
  work(1_000);
  let least = Infinity;
  for (let round = 0; round < 12 && least >= 2.5; round++) {
    const [short, long] = [spent(4, () => work(length)), spent(1, () => work(4 * length))];
    least = Math.min(least, long > 40 ? long / Math.max(short, 20) : 0);
  }
  expect(least).toBeLessThan(2.5);
}

describe.each(someInQuick(Object.entries(hostile), 5))('%s', (_, make) => {
  test('are put in order in time that grows with their number', () => {
    expectLinear((length) => {
      const line = make(length);
      const levels = bidiLevels(line, true) ?? new Uint8Array(line.length);
      return visualOrder(Array.from(levels, (level) => ({ level })));
      // A shorter line fits into the memory for what is new, so it is faster for each character.
    }, 40_000);
  });

  test('are cut and marked up in time that grows with their number', () => {
    expectLinear((length) => segmentText(make(length), 'none', {}, fonts));
    expectLinear((length) => unbreakables(make(length)));
    expectLinear((length) => readMarkup(make(length)));
  });
});

test('a text may have more words, each in another font than its neighbours, than a call takes arguments', () => {
  const text = 'ab\u0171 x '.repeat(70_000);
  const { styles } = segmentText(text, 'none', {}, fonts);
  expect(styles.map(({ standIn }) => standIn).sort()).toEqual(['whole', undefined]);
});

test('long texts are cut into the same letters and words as short ones', () => {
  for (const granularity of ['grapheme', 'word'] as const) {
    const segmenter = new Intl.Segmenter('en', { granularity });
    for (const part of ['a.b c,1.5 ', '👩‍🚀é', 'ab\u0301\u0301', 'x', '\u0e01\u0e31\u0e19 ']) {
      const text = part.repeat(Math.ceil(9_000 / part.length));
      expect(
        [...segmentsIn(segmenter, text)].map(({ segment, index }) => [segment, index]),
      ).toEqual(Array.from(segmenter.segment(text), ({ segment, index }) => [segment, index]));
    }
  }
});

test('isolates nested deeper than levels go count for nothing but themselves', () => {
  const deep = bidiLevels('\u2067'.repeat(6_000) + 'a', false);
  expect(Math.max(...(deep ?? []))).toBeLessThanOrEqual(126);
  // As deep as Unicode allows, every one counts.
  const shallow = bidiLevels('\u2067\u2066\u2067\u05d0', false);
  expect([...(shallow ?? [])]).toEqual([0, 1, 2, 3]);
});

describe('a whole layout', () => {
  let measured = 0;
  const measurer: Measurer = {
    width(text, { size }) {
      measured += text.length;
      return text.length * size * 0.5;
    },
    metrics: ({ size }) => ({ ascent: size * 0.8, descent: size * 0.2 }),
  };
  beforeAll(() => {
    measured = 0;
  });
  const room = { x: 0, y: 0, width: 400, height: null, availableWidth: 400, availableHeight: 400 };
  const lay = (text: string, changes: object = {}) => {
    measured = 0;
    return createTextSetter(measurer)({ ...textValues, text, ...changes }, room);
  };

  test.each(Object.entries(hostile))('%s: measures little, and ends', (_, make) => {
    lay(make(8_000), { fontSize: 20 });
    expect(measured).toBeLessThan(60 * 8_000);
  });

  test.each(['word', 'letter'] as const)('one line of thirty thousand, cut by %s', (split) => {
    const changes = { fontSize: 20, textWrap: false };
    const pieces = (text: string) => splitBlock(lay(text, changes), split).length;
    expect(pieces('ab '.repeat(10_000))).toBeGreaterThanOrEqual(10_000);
    expect(measured).toBeLessThan(250 * 30_000);
  });
});

describe('captions that are all on one page', () => {
  const measurer: Measurer = {
    width: (text, { size }) => text.length * size * 0.5,
    metrics: ({ size }) => ({ ascent: size * 0.8, descent: size * 0.2 }),
  };
  const room = { x: 0, y: 0, width: 400, height: null, availableWidth: 400, availableHeight: 400 };
  const drawn = (split: Captions['split'], effect: Captions['effect'], text: string) => {
    const words = text.split(' ').map((value) => ({ time: 0, duration: 10, value: `${value} ` }));
    const pages = pagesOf(readWords(words, '', ''), null);
    const placement = effect === 'color' ? 'static' : 'animate';
    const captions = { effect, split, placement, color: [1, 0, 0, 1], rightToLeft: false, pages };
    const setter = createCaptionSetter({ captions } as unknown as TextElement, measurer);
    return setter?.({ ...textValues, text: '', fontSize: 20 }, room, 1).content?.pieces.length ?? 0;
  };

  // prettier-ignore
  const spoken = [
    ['word', 'enlarge', 'ab', 1_000], ['line', 'highlight', 'ab', 300],
    ['letter', 'color', '\u2067a\u2069', 300], ['letter', 'enlarge', '(\u05d0)', 300], ['letter', 'color', 'a\u0301', 300],
    ['letter', 'color', '[size 50%]a[/size]', 300], ['letter', 'karaoke', '\u{1f469}\u200d\u{1f680}', 300],
  ] as const;
  // prettier-ignore
  test.each(someInQuick(spoken, 3))('by %s with the effect %s: %j that are spoken at once cost as much as their number', (split, effect, word, length) => {
    expectLinear((count) => drawn(split, effect, `${word} `.repeat(Math.min(count, 4 * length)).trim()), length);
  });
});

describe('subtitles', () => {
  const cue = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;

  test.each([
    ['one word', 'x'.repeat(100_002)],
    ['many words', 'x '.repeat(50_002)],
    ['Chinese', '\u6f22'.repeat(50_002)],
  ])('%s beyond the limit of a text: refused with a sentence', (_, text) => {
    expect(() => readSubtitles(cue(text), 'Text.transcript_source', 'x')).toThrow(
      /^Source error: Text\.transcript_source: The subtitles have more than 100000 characters, which is the limit$/,
    );
  });

  test('within the limit, every kind is read and paged', () => {
    for (const make of Object.values(hostile)) {
      const words = readSubtitles(cue(make(5_000).replaceAll('\n', ' ')), 'Text', 'x');
      for (const longest of [10, 4_000]) {
        const paged = pagesOf(words, longest).flatMap((page) => page.words);
        expect(paged.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
      }
    }
  });

  test('are paged in time that grows with their number', () => {
    const words = (count: number) => readSubtitles(cue('a '.repeat(count)), 'Text', 'x');
    expectLinear((count) => pagesOf(words(count), 1_000), 2_000);
  });

  test('a word after many line ends, and a letter with many marks, are read in time that grows with their number', () => {
    expectLinear(
      (count) => readWords([{ time: 0, value: `${'\n'.repeat(count)}x` }], '', ''),
      40_000,
    );
    expectLinear(
      (count) => segmentText(`a${'\u0301'.repeat(count)}`, 'none', { apart: true }),
      40_000,
    );
  });
});
