/** Text layout with a measurer whose widths can be worked out by hand: half the font size a letter. */
import { describe, expect, it } from 'vitest';
import type { Path, TextValues } from '../../shared/engine/compile/property-values.ts';
import { backgroundPaths } from '../../shared/engine/text/backgrounds.ts';
import { createTextSetter, type TextBlock, type TextRoom } from '../../shared/engine/text/block.ts';
import { countGraphemes } from '../../shared/engine/text/breaks.ts';
import { breakLines, extentOfLines, lineExtent } from '../../shared/engine/text/lines.ts';
import { readMarkup } from '../../shared/engine/text/markup.ts';
import { measureText, segmentText } from '../../shared/engine/text/prepare.ts';
import { splitBlock } from '../../shared/engine/text/pieces.ts';
import { black, measurer, percent, px, textValues } from './layout-documents.ts';

const font = {
  family: 'Aileron',
  weight: 400,
  style: 'normal',
  letterSpacing: 0,
  lineHeight: 1,
} as const;

/** Lines of a text at 20 px, so 10 px a letter. */
function linesOf(text: string, width: number): string[] {
  const measured = measureText(segmentText(text, 'none'), { ...font, size: 20 }, measurer);
  return breakLines(measured, width).map(({ slices }) =>
    slices.map((slice) => slice.text).join(''),
  );
}

function blockOf(values: Partial<TextValues>, room: Partial<TextRoom> = {}): TextBlock {
  return createTextSetter(measurer)(
    { ...textValues, ...values },
    { x: 0, y: 0, width: null, height: null, availableWidth: 200, availableHeight: 100, ...room },
  );
}

function textOf(block: TextBlock): string[] {
  return block.lines.map(({ runs }) => runs.map(({ run }) => run.text).join(''));
}

describe('mark-up', () => {
  const red = { color: [255, 0, 0, 1] };
  // prettier-ignore
  it.each([
    ['plain', [['plain', {}]]],
    ['', []],
    ['a [color #f00]b[/color] c', [['a ', {}], ['b', red], [' c', {}]]],
    ['[color rgba(255, 0, 0, 0.5)]b[/color]', [['b', { color: [255, 0, 0, 0.5] }]]],
    ['[size 150%]a[weight 700]b[/weight][/size]', [['a', { size: 1.5 }], ['b', { size: 1.5, weight: 700 }]]],
    ['[size 50%]a[size 200%]b[/size]c[/size]', [['a', { size: 0.5 }], ['b', { size: 2 }], ['c', { size: 0.5 }]]],
    ['[style italic]a[/style]', [['a', { style: 'italic' }]]],
    ['[family Roboto Slab]a[/family]', [['a', { family: 'Roboto Slab' }]]],
    ['[weight bold]a[/weight]', [['a', { weight: 700 }]]],
    ['a [b] c[/b]', [['a [b] c[/b]', {}]]],
    ['[color nothing]a[/color]', [['[color nothing]a[/color]', {}]]],
    ['[size 0%]a[/size]', [['[size 0%]a[/size]', {}]]],
    ['[constructor x]a', [['[constructor x]a', {}]]],
    ['array[0] and [color]', [['array[0] and [color]', {}]]],
    ['[color red]to the end', [['to the end', red]]],
    ['[color red]a[size 50%]b[/color]c[/size]d', [['a', red], ['b', { ...red, size: 0.5 }], ['c', { size: 0.5 }], ['d', {}]]],
    ['[color red][/color]', []],
  ])('%s', (text, expected) => {
    const spans = readMarkup(text);
    expect(spans.map((span) => [span.text, withoutDefaults(span.style)])).toEqual(expected);
  });

  function withoutDefaults(style: object): object {
    const isDefault = ([name, value]: [string, unknown]) =>
      value === null || (name === 'size' && value === 1);
    return Object.fromEntries(Object.entries(style).filter((entry) => !isDefault(entry)));
  }
});

describe('line breaking, 10 px a letter', () => {
  // prettier-ignore
  it.each([
    ['breaks between words', 'aaa bbb ccc', 70, ['aaa bbb', 'ccc']],
    ['trailing spaces hang', 'aaa bbb', 30, ['aaa', 'bbb']],
    ['spaces inside a line stay', 'a   b', 50, ['a   b']],
    ['spaces before a forced break hang', 'aaa   \nb', 30, ['aaa', 'b']],
    ['leading spaces stay', '  a', 100, ['  a']],
    ['forced breaks, empty lines', 'a\n\nb\n', 100, ['a', '', 'b', '']],
    ['any line end', 'a\r\nb\rc\u2028d', 100, ['a', 'b', 'c', 'd']],
    ['long words break between letters', 'a bbbbbbb', 30, ['a', 'bbb', 'bbb', 'b']],
    ['one letter a line when nothing fits', 'ab', 5, ['a', 'b']],
    ['graphemes are not cut', '👩‍🚀👩‍🚀👩‍🚀', 20, ['👩‍🚀👩‍🚀', '👩‍🚀']],
    ['after a hyphen', 'well-known', 60, ['well-', 'known']],
    ['not before a number', 'a -5', 20, ['a', '-5']],
    ['not inside 2020-2021', '2020-2021 x', 90, ['2020-2021', 'x']],
    ['after a slash', 'and/or', 40, ['and/', 'or']],
    ['not after the // of an address', 'see http://ab', 90, ['see', 'http://ab']],
    ['not at no-break spaces', 'a b\u00a0c', 40, ['a', 'b\u00a0c']],
    ['closing marks stay', 'aa bb)', 50, ['aa', 'bb)']],
    ['inside Chinese', '這是一個測試', 40, ['這是一個', '測試']],
    ['not before 。', '這是一個。測試', 40, ['這是一', '個。測試']],
    ['not after 「', '這是一「個測', 40, ['這是一', '「個測']],
    ['not before small kana', 'キャッシュカード', 40, ['キャッ', 'シュカー', 'ド']],
    ['between Latin and Chinese', 'abc測試', 40, ['abc測', '試']],
    ['inside Thai, by words', 'สวัสดีครับ', 60, ['สวัสดี', 'ครับ']],
    ['Korean at spaces', '안녕 하세요', 30, ['안녕', '하세요']],
    ['beside emoji', 'abc🎉🎉', 40, ['abc🎉', '🎉']],
    ['soft hyphens show where they break', 'foot\u00adball', 60, ['foot-', 'ball']],
    ['and only there', 'foot\u00adball', 80, ['football']],
    ['zero-width spaces break', 'foo\u200bbar', 30, ['foo', 'bar']],
    ['not inside emoji sequences', '👨‍👩‍👦🇩🇪🇫🇷', 10, ['👨‍👩‍👦', '🇩🇪', '🇫🇷']],
    ['a skin tone stays', 'a👍🏽b', 20, ['a👍🏽', 'b']],
    ['an address after its slashes', 'http://ab.de/cd/ef', 150, ['http://ab.de/', 'cd/ef']],
    ['not before the query’s values', 'a.de/?b=1&c', 70, ['a.de/?', 'b=1&c']],
    ['Korean marks stay', '서울(수도) 입니다', 70, ['서울(수도)', '입니다']],
    ['not after a hyphen that begins a word', 'a -b', 20, ['a', '-b']],
    ['a dash ends a line', 'said—so', 50, ['said—', 'so']],
    ['dates and times stay', 'at 12:30 on', 50, ['at', '12:30', 'on']],
    ['signs of numbers stay', 'is −5°C, $9.99, 50%', 70, ['is', '−5°C,', '$9.99,', '50%']],
    ['a unit with a no-break space', 'of 10\u00a0km', 60, ['of', '10\u00a0km']],
    ['a unit with a space', 'of 10 km', 60, ['of 10', 'km']],
    ['doubled marks stay', 'use C++', 60, ['use', 'C++']],
    ['French marks stay', 'Ça va ?', 40, ['Ça', 'va ?']],
    ['opening quotes stay', 'so “he said”', 60, ['so “he', 'said”']],
    ['not after the apostrophe', 'l’homme', 70, ['l’homme']],
    ['beside wide brackets', '日本（東京）です', 30, ['日本', '（東', '京）で', 'す']],
    ['not between ——', '是——的呀', 30, ['是——', '的呀']],
    ['not before a long-vowel mark', 'あコーヒー', 20, ['あ', 'コー', 'ヒー']],
    ['inside Lao, by words', 'ພາສາລາວ', 50, ['ພາສາ', 'ລາວ']],
    ['the Thai repetition mark stays', 'เด็กๆไป', 40, ['เด็กๆ', 'ไป']],
  ])('%s', (_, text, width, expected) => {
    expect(linesOf(text, width)).toEqual(expected);
  });

  it('a style may change inside a word without breaking it', () => {
    expect(linesOf('aa b[color red]c[/color]d ee', 50)).toEqual(['aa', 'bcd', 'ee']);
  });

  it('joined lines give the text again, and none is too wide, for any text and width', () => {
    const random = seeded(7);
    // prettier-ignore
    const bits = ['a', 'bc', 'word', ' ', '  ', '\n', '-', '/', '測', '試', '。', '「', 'ไทย', 'สวัสดี', '🎉', '👩‍🚀', 'é', '.', '(', ')',
      '[color red]', '[/color]', '[size 150%]', '[/size]', '7', 'שלום', 'مرحبا', '\u00a0'];
    for (let round = 0; round < 1500; round++) {
      const source = Array.from({ length: 1 + random(30) }, () => bits[random(bits.length)]).join(
        '',
      );
      const width = 10 + random(200);
      const plain = readMarkup(source)
        .map(({ text }) => text)
        .join('');
      const measured = measureText(
        segmentText(source, 'none'),
        { ...font, size: 20, letterSpacing: 0.1 },
        measurer,
      );
      const lines = breakLines(measured, width);
      const joined = lines.map(({ slices, hanging, endsParagraph }) => {
        return slices.map(({ text }) => text).join('') + hanging + (endsParagraph ? '\n' : '');
      });
      expect(joined.join('').slice(0, -1), JSON.stringify({ source, width })).toBe(plain);
      const whole = measured.paragraphs.every(({ chunks }) =>
        chunks.every(({ chunk, width: wide }) => chunk.kind === 'space' || wide <= width),
      );
      if (whole) {
        const extents = lines.map((line) => lineExtent(line, measured));
        const { height, width: widest } = extentOfLines(measured, width);
        expect(height, source).toBeCloseTo(
          extents.reduce((sum, { above, below }) => sum + above + below, 0),
          6,
        );
        expect(widest, source).toBeLessThanOrEqual(
          Math.max(...lines.map((line) => line.width)) + 0.01,
        );
      }
      for (const line of lines) {
        const letters = line.slices
          .map(({ text }) => text)
          .join('')
          .trim();
        const fits =
          line.width <= width + 0.01 ||
          countGraphemes(letters) <= 1 ||
          /^\s/.test(line.slices[0]?.text ?? '');
        expect(fits, JSON.stringify({ source, width, line })).toBe(true);
      }
    }
  });
});

describe('case', () => {
  // prettier-ignore
  it.each([
    ['uppercase', 'straße [color red]b[/color]', 'STRASSE B'],
    ['lowercase', 'ABC Ä', 'abc ä'],
    ['capitalize', "it's a test-case", "It's A Test-Case"],
    ['capitalize', 'h[color red]ello[/color] you', 'Hello You'],
    ['capitalize', 'ßen ﬁn ǆep', 'Ssen Fin ǅep'],
    ['lowercase', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['lowercase', 'ΟΔΥΣΣΕΥ[color red]Σ[/color]', 'οδυσσευς'],
    ['lowercase', 'Σ[color red]ΑΣ[/color] Α', 'σας α'],
    ['lowercase', 'İSTANBUL [color red]X[/color]', 'i\u0307stanbul x'],
    ['uppercase', 'ŉ ﬄ é', 'ʼN FFL É'],
  ] as const)('%s: %s', (textTransform, text, expected) => {
    expect(textOf(blockOf({ text, textTransform })).join('')).toBe(expected);
  });
});

describe('sizing', () => {
  // prettier-ignore
  it.each([
    ['1 no side: as large as the text, lines only at forced breaks', { text: 'aaaa bb\ncc' }, {}, { size: 20, box: [70, 40], lines: ['aaaa bb', 'cc'] }],
    ['2 both sides and a size: wraps and overflows', { text: 'aaaa bb cc' }, { width: 40, height: 30 }, { size: 20, box: [40, 30], lines: ['aaaa', 'bb', 'cc'] }],
    ['2 without wrapping', { text: 'aaaa bb', textWrap: false }, { width: 40, height: 30 }, { size: 20, box: [40, 30], lines: ['aaaa bb'] }],
    ['3 both sides, no size: the largest that fits, wrapped', { text: 'aaaa bbbb', fontSize: null }, { width: 100, height: 80 }, { size: 40, box: [100, 80], lines: ['aaaa', 'bbbb'] }],
    ['3 limited by the longest word', { text: 'aaaaaaaa b', fontSize: null }, { width: 100, height: 400 }, { size: 25, box: [100, 400], lines: ['aaaaaaaa', 'b'] }],
    ['3 without wrapping', { text: 'aaaa bbbb', fontSize: null, textWrap: false }, { width: 90, height: 80 }, { size: 20, box: [90, 80], lines: ['aaaa bbbb'] }],
    ['3 not above the maximum', { text: 'a', fontSize: null, fontSizeMaximum: 30.1 }, { width: 100, height: 80 }, { size: 30.1, box: [100, 80], lines: ['a'] }],
    ['3 not below the minimum: overflows', { text: 'aaaa bbbb', fontSize: null, fontSizeMinimum: 40 }, { width: 50, height: 10 }, { size: 40, box: [50, 10], lines: ['aa', 'aa', 'bb', 'bb'] }],
    ['4 height and no size: fitted to it, width grows', { text: 'aaaa bb', fontSize: null }, { height: 30 }, { size: 30, box: [105, 30], lines: ['aaaa bb'] }],
    ['4 height and a size', { text: 'aaaa bb' }, { height: 30 }, { size: 20, box: [70, 30], lines: ['aaaa bb'] }],
    ['5 width and a size: wraps, height grows', { text: 'aaaa bb' }, { width: 40 }, { size: 20, box: [40, 40], lines: ['aaaa', 'bb'] }],
    ['5 width and no size: the lines fitted to it', { text: 'aaaa bb', fontSize: null }, { width: 140 }, { size: 40, box: [140, 40], lines: ['aaaa bb'] }],
    ['nothing given: fitted to the parent', { text: 'aaaa', fontSize: null }, {}, { size: 100, box: [200, 100], lines: ['aaaa'] }],
    ['quarter pixels', { text: 'aaa', fontSize: null }, { width: 100, height: 100 }, { size: 66.5, box: [100, 100], lines: ['aaa'] }],
    ['mark-up takes part', { text: '[size 200%]aa[/size]', fontSize: null }, { width: 100, height: 80 }, { size: 40, box: [100, 80], lines: ['aa'] }],
    ['letter spacing takes part, not after the last letter', { text: 'aaa', fontSize: null, letterSpacing: 0.5 }, { width: 100, height: 80 }, { size: 40, box: [100, 80], lines: ['aaa'] }],
    ['line height takes part', { text: 'aa\nbb', fontSize: null, lineHeight: 2 }, { width: 500, height: 80 }, { size: 20, box: [500, 80], lines: ['aa', 'bb'] }],
  ] as [string, Partial<TextValues>, Partial<TextRoom>, { size: number; box: number[]; lines: string[] }][])(
    '%s',
    (_, values, room, expected) => {
      const block = blockOf(values, room);
      expect({ size: block.fontSize, box: [block.width, block.height], lines: textOf(block) }).toEqual(expected);
    },
  );

  it('never chooses a larger size when a letter is added', () => {
    let last = Infinity;
    for (let letters = 1; letters <= 60; letters++) {
      const text = 'lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam'.slice(
        0,
        letters,
      );
      const { fontSize } = blockOf(
        { text, fontSize: null, lineHeight: 1.15 },
        { width: 220, height: 90 },
      );
      expect(fontSize, text).toBeLessThanOrEqual(last);
      expect(fontSize * 4, text).toBe(Math.round(fontSize * 4));
      last = fontSize;
    }
  });

  it('finds the largest size of the grid for random boxes', () => {
    const random = seeded(3);
    for (let round = 0; round < 150; round++) {
      const text = Array.from({ length: 1 + random(8) }, () => 'x'.repeat(1 + random(9))).join(' ');
      const room = { width: 20 + random(300), height: 20 + random(200) };
      const { fontSize } = blockOf({ text, fontSize: null, lineHeight: 1.15 }, room);
      const fits = (size: number): boolean => {
        const words = text
          .split(' ')
          .every((word) => word.length * size * 0.5 <= room.width + 0.01);
        const lines = blockOf({ text, fontSize: size, lineHeight: 1.15 }, room).lines.length;
        return words && lines * size * 1.15 <= room.height + 0.01;
      };
      expect(fits(fontSize) || fontSize === 1, text).toBe(true);
      expect(fontSize === 100 || !fits(fontSize + 0.25), text).toBe(true);
    }
  });
});

describe('both directions in a line', () => {
  /** Runs from left to right, right-to-left ones marked. */
  function runsOf(text: string): string[] {
    const [line] = blockOf({ text }).lines;
    return (line?.runs ?? []).map(({ run }) =>
      run.direction === 'rtl' ? `<${run.text}` : run.text,
    );
  }
  // Capitals stand for Hebrew letters, and come back as them.
  const hebrew = (text: string): string =>
    text.replace(/[A-Z]/g, (letter) => String.fromCharCode(0x5d0 + letter.charCodeAt(0) - 65));
  // prettier-ignore
  it.each([
    ['abc', ['abc']],
    ['ABC', ['<ABC']],
    ['he said ABC DEF, then', ['he said ', '<ABC DEF', ', then']],
    ['ABC car DEF', ['< DEF', 'car', '<ABC ']],
    ['ABC 123 DEF', ['< DEF', '123', '<ABC ']],
    ['abc ABC 123 xyz', ['abc ', '123', '<ABC ', ' xyz']],
    ['ABC 1.50', ['1.50', '<ABC ']],
    ['ABC (DEF)', ['<ABC (DEF)']],
    ['abc (ABC) d', ['abc (', '<ABC', ') d']],
    ['ABC [color red]DEF[/color] GHI', ['< GHI', '<DEF', '<ABC ']],
    ['a \u2067BC d\u2069 e', ['a \u2067', 'd', '<BC ', '\u2069 e']],
    ['ABC 😀 DEF', ['< DEF', '<😀', '<ABC ']],
    ['abc😀 d', ['abc', '😀', ' d']],
  ])('%s', (text, expected) => {
    const tags = text.split(/(\[[^\]]*\])/).map((part) => (part.startsWith('[') ? part : hebrew(part)));
    expect(runsOf(tags.join(''))).toEqual(expected.map(hebrew));
  });

  it('numbers after Arabic letters, and signs between them', () => {
    expect(runsOf('خصم 50 و 3/4')).toEqual(['3/4', '< و ', '50', '<خصم ']);
  });

  it('runs of any text cover the line without gaps, in reading order once each', () => {
    const random = seeded(11);
    const bits = [
      'abc',
      ' ',
      'שלום',
      'مرحبا',
      '12',
      '3.5',
      '(',
      ')',
      '😀',
      '[color red]',
      '[/color]',
      '\u2068',
      '\u2069',
      ', ',
    ];
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: 1 + random(12) }, () => bits[random(bits.length)]).join('');
      const block = blockOf({ text, letterSpacing: 0.1 });
      for (const { runs, bounds } of block.lines) {
        let x = bounds.x;
        for (const { run } of runs) {
          expect(run.x, text).toBeCloseTo(x, 6);
          x += run.width;
        }
        const read = runs
          .toSorted((a, b) => a.order - b.order)
          .map(({ run }) => run.text)
          .join('');
        expect(
          markless(
            readMarkup(text)
              .map((span) => span.text)
              .join(''),
          ).trimEnd(),
          text,
        ).toBe(markless(read));
      }
    }
  });

  const markless = (text: string): string => text.replace(/\u200d/g, '');

  it('letter spacing leaves joined scripts alone', () => {
    const spaced = blockOf({ text: 'مرحبا ab', letterSpacing: 0.5 });
    const runs = spaced.lines[0]?.runs.map(({ run }) => [run.text, run.letterSpacing]);
    expect(runs).toEqual([
      ['ab', 10],
      [' ', 10],
      ['مرحبا', 0],
    ]);
    expect(spaced.width).toBe(5 * 10 + 3 * 20 - 10);
  });

  it('a style inside an Arabic word leaves its letters joined', () => {
    const runs = blockOf({ text: 'مر[color red]حبا[/color]' }).lines[0]?.runs;
    // The letter before the tag, reh, joins no letter after it; the joiner is harmless then.
    expect(runs?.map(({ run }) => run.text)).toEqual(['\u200dحبا', 'مر\u200d']);
    const animated = splitBlock(blockOf({ text: 'مر[color red]حبا[/color]' }), 'word');
    expect(animated.map((piece) => piece.runs.map(({ text }) => text).join(''))).toEqual([
      'مر\u200d\u200dحبا',
    ]);
  });
});

describe('ellipsis', () => {
  // prettier-ignore
  it.each([
    ['lines that do not fit', { text: 'aaaa bbbb cccc' }, { width: 50, height: 45 }, ['aaaa', 'bbbb…']],
    ['makes room for itself', { text: 'aaaa bbbb cccc' }, { width: 40, height: 45 }, ['aaaa', 'bbb…']],
    ['no space before it', { text: 'aaa bb cc' }, { width: 60, height: 20 }, ['aaa bb'.slice(0, 5) + '…']],
    ['a line too wide without wrapping', { text: 'aaaa bbbb\ncc', textWrap: false }, { width: 60, height: 100 }, ['aaaa…', 'cc']],
    ['the first line always stays', { text: 'aaaa bbbb' }, { width: 50, height: 5 }, ['aaaa…']],
    ['not when all fits', { text: 'aaaa bbbb' }, { width: 50, height: 40 }, ['aaaa', 'bbbb']],
  ] as [string, Partial<TextValues>, Partial<TextRoom>, string[]][])('%s', (_, values, room, expected) => {
    expect(textOf(blockOf({ ...values, textClip: true }, room))).toEqual(expected);
  });
});

describe('placing', () => {
  const runsOf = (block: TextBlock) =>
    block.lines.map(({ runs }) =>
      runs.map(({ run: { text, x, y, width } }) => [text, x, y, width]),
    );

  // prettier-ignore
  it.each([
    ['top left; the baseline stands so that ascent and descent are centred in the line', {}, [[['aaaa', 0, 21, 40]], [['bb', 0, 51, 20]]]],
    ['centred', { xAlignment: 0.5, yAlignment: 0.5 }, [[['aaaa', 30, 41, 40]], [['bb', 40, 71, 20]]]],
    ['bottom right', { xAlignment: 1, yAlignment: 1 }, [[['aaaa', 60, 61, 40]], [['bb', 80, 91, 20]]]],
    ['letter spacing: none after the last letter when aligning', { xAlignment: 1, letterSpacing: 0.1 }, [[['aaaa', 54, 21, 48]], [['bb', 78, 21 + 30, 24]]]],
  ])('%s', (_, values, expected) => {
    const block = blockOf({ text: 'aaaa\nbb', lineHeight: 1.5, ...values }, { width: 100, height: 100 });
    expect(runsOf(block)).toEqual(expected);
  });

  it('overflows to both sides when centred', () => {
    const block = blockOf(
      { text: 'aaaa', textWrap: false, xAlignment: 0.5, yAlignment: 0.5 },
      { width: 20, height: 10 },
    );
    expect(runsOf(block)).toEqual([[['aaaa', -10, 11, 40]]]);
  });

  it('sets sizes of one line on one baseline, and the line is as high as its largest', () => {
    const block = blockOf({ text: 'aa[size 200%]bb[/size]\ncc' });
    expect(runsOf(block)).toEqual([
      [
        ['aa', 0, 32, 20],
        ['bb', 20, 32, 40],
      ],
      [['cc', 0, 56, 20]],
    ]);
    expect(block.height).toBe(60);
  });

  it('draws neighbouring words of one style as one run', () => {
    const block = blockOf({ text: 'one two [color red]three[/color]' });
    expect(textOf(block)).toEqual(['one two three']);
    expect(block.lines[0]!.runs.map(({ run }) => run.text)).toEqual(['one two ', 'three']);
  });

  it('orders the runs of a right-to-left line from the right and marks them', () => {
    const block = blockOf({ text: 'שלום [color red]עולם[/color]' });
    expect(
      block.lines[0]!.runs.map(({ run: { text, x, direction } }) => [text, x, direction]),
    ).toEqual([
      ['עולם', 0, 'rtl'],
      ['שלום ', 40, 'rtl'],
    ]);
  });

  it('gives the identical block while nothing changes, and segments only a new text', () => {
    const set = createTextSetter(measurer);
    const room = { x: 0, y: 0, width: 100, height: 50, availableWidth: 200, availableHeight: 100 };
    const first = set({ ...textValues, text: 'abc' }, room);
    expect(set({ ...textValues, text: 'abc', opacity: 0.5, zRotation: 20 }, { ...room })).toBe(
      first,
    );
    expect(set({ ...textValues, text: 'abd' }, room)).not.toBe(first);
  });
});

describe('pieces', () => {
  const describePieces = (block: TextBlock, split: 'line' | 'word' | 'letter' | null) =>
    splitBlock(block, split).map(({ runs, bounds, place }) => [
      runs.map(({ text }) => text).join('|'),
      bounds.x,
      bounds.width,
      place.line,
      place.word,
    ]);
  const block = blockOf({ text: 'ab c[color red]d[/color]\n\nef' });

  // prettier-ignore
  it.each([
    [null, [['ab c|d|ef', 0, 50, 0, 0]]],
    ['line', [['ab c|d', 0, 50, 0, 0], ['ef', 0, 20, 1, 1]]],
    ['word', [['ab', 0, 20, 0, 0], ['c|d', 30, 20, 0, 1], ['ef', 0, 20, 1, 2]]],
    ['letter', [['a', 0, 10, 0, 0], ['b', 10, 10, 0, 0], ['c', 30, 10, 0, 1], ['d', 40, 10, 0, 1], ['e', 0, 10, 1, 2], ['f', 10, 10, 1, 2]]],
  ] as const)('%s', (split, expected) => {
    expect(describePieces(block, split)).toEqual(expected);
  });

  it('hyphenated words are one piece, ideographs are pieces of their own', () => {
    expect(
      splitBlock(blockOf({ text: 'well-known 測試。' }), 'word').map(({ runs }) => runs[0]!.text),
    ).toEqual(['well-known', '測', '試。']);
  });

  it('letters of joined scripts stay together; Hebrew letters run from the right', () => {
    expect(
      splitBlock(blockOf({ text: 'مرحبا بك' }), 'letter').map(({ runs }) => runs[0]!.text),
    ).toEqual(['مرحبا', 'بك']);
    const hebrew = splitBlock(blockOf({ text: 'של' }), 'letter');
    expect(hebrew.map(({ runs }) => [runs[0]!.text, runs[0]!.x])).toEqual([
      ['ש', 10],
      ['ל', 0],
    ]);
  });

  it('places letters where the whole word has them, so that kerning is kept', () => {
    const kerned = {
      ...measurer,
      width: (text: string) => text.length * 10 - (text.includes('AV') ? 3 : 0),
    };
    const set = createTextSetter(kerned);
    const kernedBlock = set(
      { ...textValues, text: 'AVA' },
      { x: 0, y: 0, width: null, height: null, availableWidth: 1, availableHeight: 1 },
    );
    expect(splitBlock(kernedBlock, 'letter').map(({ bounds }) => bounds.x)).toEqual([0, 7, 17]);
  });
});

describe('backgrounds', () => {
  const row = (x: number, width: number, line: number) => ({ x, y: line * 20, width, height: 20 });
  const corners = (path: Path) =>
    path.flatMap((command) =>
      command[0] === 'M' || command[0] === 'L' ? [[command[1], command[2]]] : [],
    );
  const shape = { paddingX: 5, paddingY: 4, radius: 0, alignWithin: 0 };

  // prettier-ignore
  it.each([
    ['one line', [row(0, 50, 0)], shape, [[[55, -4], [55, 24], [-5, 24], [-5, -4]]]],
    ['equal lines are one rectangle', [row(0, 50, 0), row(0, 50, 1)], shape, [[[55, -4], [55, 44], [-5, 44], [-5, -4]]]],
    ['the wider line keeps its padding', [row(0, 50, 0), row(0, 30, 1)], shape, [[[55, -4], [55, 24], [35, 24], [35, 44], [-5, 44], [-5, -4]]]],
    ['also when it comes second', [row(0, 30, 0), row(0, 50, 1)], shape, [[[35, -4], [35, 16], [55, 16], [55, 44], [-5, 44], [-5, -4]]]],
    ['ends nearer than the threshold become one edge', [row(0, 50, 0), row(0, 45, 1)], { ...shape, alignWithin: 6 }, [[[55, -4], [55, 44], [-5, 44], [-5, -4]]]],
    ['also one after the other', [row(0, 40, 0), row(0, 45, 1), row(0, 50, 2)], { ...shape, alignWithin: 6 }, [[[55, -4], [55, 64], [-5, 64], [-5, -4]]]],
    ['a threshold of 0 joins nothing', [row(0, 50, 0), row(0, 49, 1)], shape, [[[55, -4], [55, 24], [54, 24], [54, 44], [-5, 44], [-5, -4]]]],
    ['an empty line parts two backgrounds', [row(0, 50, 0), null, row(0, 50, 2)], shape, [[[55, -4], [55, 24], [-5, 24], [-5, -4]], [[55, 36], [55, 64], [-5, 64], [-5, 36]]]],
    ['a large padding goes to the middle of the other line at most', [row(0, 50, 0), row(0, 30, 1)], { ...shape, paddingY: 50 }, [[[55, -50], [55, 30], [35, 30], [35, 90], [-5, 90], [-5, -50]]]],
    ['a notch that the padding closes is filled', [row(0, 50, 0), row(0, 20, 1), row(0, 40, 2)], { ...shape, paddingY: 10 }, [[[55, -10], [55, 30], [45, 30], [45, 70], [-5, 70], [-5, -10]]]],
    ['none', [null], shape, []],
  ] as [string, Parameters<typeof backgroundPaths>[0], typeof shape, number[][][]][])('%s', (_, rows, how, expected) => {
    expect(backgroundPaths(rows, how).map(corners)).toEqual(expected);
  });

  it('rounds outer and inner corners, the radius held to half the shorter edge', () => {
    const [path] = backgroundPaths([row(0, 50, 0), row(0, 46, 1)], { ...shape, radius: 6 });
    const radii = path!.flatMap((command, index) => {
      const before = path![index - 1];
      if (command[0] !== 'C' || (before?.[0] !== 'L' && before?.[0] !== 'M')) return [];
      return [Math.hypot(command[5] - before[1], command[6] - before[2]) / Math.SQRT2];
    });
    // Clockwise from the top right; the step between the lines is 4 pixels wide, so its two corners have a radius of 2.
    expect(radii.map((radius) => Math.round(radius * 100) / 100)).toEqual([6, 2, 2, 6, 6, 6]);
  });

  it('takes paddings, radius and threshold from the font size and the box', () => {
    const values = {
      text: 'aaaa\naaa',
      backgroundColor: black,
      backgroundXPadding: percent(50),
      backgroundYPadding: px(3),
      backgroundAlignThreshold: 0.1,
    };
    const [path] = blockOf(values).backgrounds;
    expect(corners(path!)).toEqual([
      [50, -3],
      [50, 23],
      [40, 23],
      [40, 43],
      [-10, 43],
      [-10, -3],
    ]);
    expect(
      corners(blockOf({ ...values, backgroundAlignThreshold: 1 }).backgrounds[0]!),
    ).toHaveLength(4);
    expect(blockOf({ ...values, backgroundColor: null }).backgrounds).toEqual([]);
  });
});

/** A small generator of repeatable random numbers: 0 … below − 1. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
