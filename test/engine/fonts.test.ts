/** Fonts: what documents need, which files are registered, and that texts are drawn with them and nothing else. */
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nearestWeight, shippedFamilies } from '../../server/engine/assets/fonts/font-list.ts';
import { loadAssets } from '../../server/engine/assets/load.ts';
import { engineLimits } from '../../shared/limits.ts';
import {
  fontFamiliesOf,
  fontsOf,
  scriptsOf,
  type CustomFont,
} from '../../server/engine/assets/fonts/font-needs.ts';
import { standInFor } from '../../server/engine/assets/fonts/font-kinds.ts';
import { canvasText } from '../../shared/engine/text/emoji.ts';
import { readMarkup, type TextStyle } from '../../shared/engine/text/markup.ts';
import { segmentText, type Part } from '../../shared/engine/text/prepare.ts';
import { withWholeWords, type WordFonts } from '../../shared/engine/text/whole-words.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { signs } from '../../shared/engine/figure-signs.ts';
import { FontBook } from '../../server/engine/assets/fonts/fonts.ts';
import { sniffFormat } from '../../server/engine/assets/examine/sniff.ts';
import { openDocument } from '../helpers/frames.ts';
import { someInQuick } from '../helpers/long.ts';
import { unpackedFont } from '../fuzz/sfnt.ts';

const fontFolder = path.resolve('resources/fonts');
const folder = mkdtempSync(path.join(tmpdir(), 'fonts-test-'));
beforeAll(() => {
  execFileSync(process.execPath, [path.resolve('resources/copy-fonts.mjs'), fontFolder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context = createCanvas(600, 100).getContext('2d');

function widthOf(
  book: FontBook,
  text: string,
  family: string,
  weight = 400,
  style: 'normal' | 'italic' = 'normal',
): number {
  context.font = book.css({ family, weight, style, size: 40 });
  return context.measureText(text).width;
}

/** The pixels of a text, opaque on white. */
function draw(book: FontBook, text: string, family: string): Uint8Array {
  context.fillStyle = 'white';
  context.fillRect(0, 0, 600, 100);
  context.fillStyle = 'black';
  context.font = book.css({ family, weight: 400, style: 'normal', size: 40 });
  context.fillText(text, 10, 60);
  return Uint8Array.from(context.canvas.data());
}

function isColored(pixels: Uint8Array): boolean {
  for (let index = 0; index < pixels.length; index += 4) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(index, index + 3);
    if (Math.max(r, g, b) - Math.min(r, g, b) > 60) return true;
  }
  return false;
}

/** A woff file as ttf, by the build's own tool. */
function unpack(woff: string, target: string): void {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { woffToOpenType } from './resources/font-files.mjs';
    const [woff, target] = process.argv.slice(1);
    writeFileSync(target, woffToOpenType(readFileSync(woff), new Set()).font);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program, woff, target]);
}

const fontsFor = (book: FontBook, family: string): WordFonts => ({
  family,
  lacks: book.lacks.bind(book),
  fallbacks: book.fallbacks.bind(book),
});

/** A text as it is set: its parts and their styles. */
function set(
  text: string,
  family: string,
  book: FontBook,
): { parts: readonly Part[]; styles: readonly TextStyle[] } {
  const { paragraphs, styles } = segmentText(text, 'none', {}, fontsFor(book, family));
  return {
    parts: paragraphs.flatMap(({ chunks }) => chunks.flatMap(({ parts }) => parts)),
    styles,
  };
}

const open = (texts: readonly string[], families: readonly string[]): Promise<FontBook> =>
  FontBook.open({ fontFolder, families, texts, custom: [] });

describe('needs of a document', () => {
  const source = {
    elements: [
      { type: 'text', text: 'Hello [family Roboto Slab]you[/family]', font_family: 'montserrat' },
      { type: 'text', text: 'Plain' },
      { type: 'shape', font_family: 'Not asked for' },
      {
        type: 'composition',
        elements: [
          {
            type: 'text',
            text: [{ time: 0, value: 'Один' }],
            font_family: [
              { time: 0, value: 'Oswald' },
              { time: 1, value: 'Caveat', easing: 'linear' },
            ],
          },
        ],
      },
    ],
  };

  test('families of elements, tags and keyframes, each once', () => {
    expect(fontFamiliesOf(source)).toEqual([
      'montserrat',
      'Roboto Slab',
      'Aileron',
      'Oswald',
      'Caveat',
    ]);
  });

  test('texts and custom fonts', () => {
    const needs = fontsOf(
      {
        ...source,
        fonts: [
          { family: 'Mine', weight: 700, style: 'italic', source: 'https://a/b.ttf' },
          { family: 'Lost', source: 'x' },
        ],
      },
      { fonts: new Map([['https://a/b.ttf', '/work/b.ttf']]) },
    );
    expect(needs.texts).toContain('Один');
    expect(needs.custom).toEqual([
      { family: 'Mine', weight: '700', style: 'italic', path: '/work/b.ttf' },
    ]);
  });

  test.each([
    ['Hello, Привет, Ελλάδα', []],
    ['مرحبا', ['arabic']],
    ['日本語のテキスト', ['kana', 'han']],
    ['한국어', ['hangul']],
    ['你好', ['han']],
    ['สวัสดี नमस्ते שלום', ['hebrew', 'thai', 'devanagari']],
    ['😀', ['emoji']],
    ['1️⃣', ['emoji']],
    ['🇩🇪', ['emoji']],
    ['© ® ™ 12 #', []],
  ])('scripts of %s', (text, scripts) => {
    expect([...scriptsOf(text)].sort()).toEqual([...scripts].sort());
  });
});

test.each([
  [[400, 700], 500, 400],
  [[400, 700], 600, 700],
  [[300, 700], 400, 300],
  [[500, 300], 400, 500],
  [[100, 300, 400, 600, 700, 800], 500, 400],
  [[100, 300, 400, 600, 700, 800], 200, 100],
  [[100, 300, 400, 600, 700, 800], 900, 800],
  [[600, 800], 100, 600],
  // 400 tries 500 before lighter ones, 500 tries 400 before bolder ones.
  [[500, 600], 400, 500],
  [[300, 600], 400, 300],
  [[300, 400, 600], 500, 400],
  [[300, 600], 500, 300],
  [[450, 300], 400, 450],
  // Below 400 lighter ones come first, from the nearest on; above 500 bolder ones.
  [[100, 200, 400], 300, 200],
  [[400, 500], 300, 400],
  [[500, 700, 900], 600, 700],
  [[300, 400], 900, 400],
])('of the weights %j, %d gives %d', (weights, wanted, expected) => {
  expect(
    nearestWeight(
      weights.map((weight) => ({ minWeight: weight, maxWeight: weight })),
      wanted,
    ),
  ).toBe(expected);
});

test.each([
  [950, 700],
  [100, 400],
  [450, 450],
])('a range of 400 to 700 gives %d as %d', (wanted, expected) => {
  expect(nearestWeight([{ minWeight: 400, maxWeight: 700 }], wanted)).toBe(expected);
});

describe('drawing', () => {
  test('weights of variable and of static families differ', async () => {
    const book = await open(['Hamburgefonts'], ['Montserrat', 'Poppins', 'Aileron']);
    for (const family of ['Montserrat', 'Poppins', 'Aileron', 'Noto Sans', 'Oswald']) {
      const [thin, regular, bold] = [100, 400, 700].map((weight) =>
        widthOf(book, 'Hamburgefonts', family, weight),
      );
      expect(bold, family).toBeGreaterThan(regular! * 1.02);
      expect(thin, family).not.toBe(bold);
    }
    // Measured in Chromium with the same files.
    expect(widthOf(book, 'Hamburgefonts', 'Montserrat', 400)).toBeCloseTo(320.75, 1);
    expect(widthOf(book, 'Hamburgefonts', 'Montserrat', 700)).toBeCloseTo(331.875, 1);
  });

  test('every shipped family is found, whatever its case, and has its own look', async () => {
    const names = [
      'Montserrat',
      'Poppins',
      'Inter',
      'Roboto Condensed',
      'Playfair Display',
      'Noto Sans TC',
      'Noto Sans SC',
      'Noto Sans JP',
      'Noto Sans KR',
      'Gothic A1',
      'Caveat',
      'Cabin',
      'Oswald',
      'Open Sans',
      'Roboto Slab',
      'Aileron',
      'Roboto',
      'IBM Plex Sans Arabic',
      'IBM Plex Sans Thai',
      'Noto Sans',
      'Noto Sans Arabic',
      'Noto Sans Hebrew',
      'Noto Sans Thai',
      'Noto Sans Devanagari',
      'Noto Color Emoji',
      'Noto Sans Symbols 2',
      'Anton',
      'Archivo',
      'Barlow',
      'Bebas Neue',
      'Dancing Script',
      'DM Sans',
      'Fira Sans',
      'Josefin Sans',
      'Lato',
      'Lobster',
      'Merriweather',
      'Nunito',
      'Pacifico',
      'Permanent Marker',
      'Playfair Display SC',
      'Quicksand',
      'Raleway',
      'Roboto Mono',
      'Rubik',
      'Source Sans 3',
      'Space Grotesk',
      'Work Sans',
    ];
    const book = await open(['Hamburgefonts 123'], names);
    expect(book.warnings).toEqual([]);
    expect(names.filter((name) => !book.has(name.toUpperCase()))).toEqual([]);
    // The Noto families of scripts share one Latin alphabet.
    const own = names.filter(
      (name) => !/^Noto/.test(name) && !name.startsWith('IBM Plex Sans Thai'),
    );
    const widths = own.map((name) => widthOf(book, 'Hamburgefonts 123', name).toFixed(3));
    expect(new Set(widths).size).toBe(own.length);
  });

  test('italic and upright differ', async () => {
    const book = await open(['Hamburgefonts'], []);
    expect(widthOf(book, 'Hamburgefonts', 'Montserrat', 400, 'italic')).not.toBe(
      widthOf(book, 'Hamburgefonts', 'Montserrat'),
    );
  });

  test('families without an italic are slanted once, those with one not at all', async () => {
    const book = await open(['HIl'], []);
    const upright = { weight: 400, style: 'normal', size: 80 } as const;
    /** Pixels by which the top of a letter of one stroke is right of its foot. */
    const lean = (css: string): number => {
      context.fillStyle = 'white';
      context.fillRect(0, 0, 600, 100);
      context.fillStyle = 'black';
      context.font = css;
      context.fillText('I', 100, 90);
      const pixels = context.canvas.data();
      const left = (y: number): number => {
        for (let x = 0; x < 600; x++) if ((pixels[(y * 600 + x) * 4] ?? 255) < 128) return x;
        return Number.NaN;
      };
      return left(50) - left(80);
    };
    for (const family of ['Anton', 'Bebas Neue', 'Oswald', 'Quicksand']) {
      expect(lean(book.css({ ...upright, family })), family).toBe(0);
      // 30 pixels high: 14° are 7.5 across.
      const slanted = lean(book.css({ ...upright, family, style: 'italic' }));
      expect(Math.abs(slanted - 7), family).toBeLessThanOrEqual(1);
    }
    for (const family of ['Montserrat', 'Inter', 'Lato', 'Raleway', 'Barlow', 'Rubik']) {
      const css = book.css({ ...upright, family, style: 'italic' });
      // Asked for without a slant, the italic file gives what it holds.
      expect(lean(css), family).toBe(lean(css.replace('italic', 'normal')));
      expect(lean(css), family).toBeGreaterThan(2);
    }
  });

  test.each([
    ['Georgia', 'Merriweather'],
    ['Some Unheard-of Serif', 'Merriweather'],
    ['PT Sans', 'Aileron'],
    ['Microsoft Sans Serif', 'Aileron'],
    ['Courier New', 'Roboto Mono'],
    ['Fira Code', 'Roboto Mono'],
    ['Sans Mono', 'Roboto Mono'],
    ['Great Vibes', 'Dancing Script'],
    ['Monsieur Brush', 'Dancing Script'],
    ['Bangers', 'Anton'],
    ['Josefin Slab', 'Roboto Slab'],
    ['Pragati Narrow', 'Roboto Condensed'],
    ['Nobody', 'Aileron'],
    ['constructor', 'Aileron'],
  ])('%s is stood in for by %s, and a warning says so', async (family, standIn) => {
    expect(standInFor(family)).toBe(standIn);
    const book = await open(['Hamburgefonts'], [family]);
    if (book.has(family)) return;
    expect(book.warnings.map(({ message }) => message)).toEqual([
      `Font family '${family}' is not installed; ${standIn} is used instead`,
    ]);
    expect(widthOf(book, 'Hamburgefonts', family)).toBe(widthOf(book, 'Hamburgefonts', standIn));
  });

  test('what is a picture only when asked is a letter of a shipped font', async () => {
    const book = await open(['✔☎✂▶❤ ✔\ufe0f'], ['Montserrat']);
    expect(book.warnings).toEqual([]);
    for (const symbol of ['✔', '☎', '✂', '▶', '❤', '✔\ufe0e']) {
      expect(isColored(draw(book, canvasText(symbol), 'Montserrat')), symbol).toBe(false);
      expect(
        Buffer.compare(
          draw(book, canvasText(symbol), 'Montserrat'),
          draw(book, symbol, 'Noto Sans Symbols 2'),
        ),
      ).toBe(0);
    }
    expect(isColored(draw(book, '☎\ufe0f', 'Montserrat'))).toBe(true);
  });

  test('subsets of a family serve one text, at the right weight', async () => {
    const text = 'Hello Привет Việt Łódź';
    const book = await open([text], ['Oswald', 'Roboto Slab']);
    const [oswald, bold, slab] = [
      widthOf(book, text, 'Oswald'),
      widthOf(book, text, 'Oswald', 700),
      widthOf(book, text, 'Roboto Slab'),
    ];
    // Measured with each subset registered under a name of its own and all names in a chain.
    expect(oswald).toBeCloseTo((265.0565 * 40) / 32, 0);
    expect(bold).toBeCloseTo((298.1446 * 40) / 32, 0);
    expect(slab).toBeCloseTo((357.1719 * 40) / 32, 0);
  });

  test('what an earlier document needed changes nothing', async () => {
    const plain = (): Promise<FontBook> => open(['Ange'], ['Cabin']);
    const before = draw(await plain(), 'Ange', 'Cabin');
    draw(await open(['Ange ắ ę ǔ'], ['Cabin']), 'ắ ę ǔ', 'Cabin');
    expect(Buffer.compare(draw(await plain(), 'Ange', 'Cabin'), before)).toBe(0);
  });

  test('letters with accents are whole, not put together', async () => {
    GlobalFonts.registerFromPath(
      path.join(fontFolder, 'caveat-latin-ext-wght-normal.woff2'),
      'letters with accents',
    );
    const alone = await FontBook.open({ fontFolder, families: [], custom: [] });
    const css = alone.css.bind(alone);
    alone.css = (font) => css(font).replace(/"fw .*/, '"letters with accents"');
    expect(
      Buffer.compare(
        draw(await open(['ź'], ['Caveat']), 'ź', 'Caveat'),
        draw(alone, 'ź', 'Caveat'),
      ),
    ).toBe(0);
  });

  test('fallbacks draw other scripts the same way under any family', async () => {
    for (const [text, family] of [
      ['مرحبا', 'Noto Sans Arabic'],
      ['日本語テキスト', 'Noto Sans JP'],
      ['한국어', 'Noto Sans KR'],
      ['你好世界', 'Noto Sans SC'],
      ['สวัสดี', 'Noto Sans Thai'],
      ['नमस्ते', 'Noto Sans Devanagari'],
      ['שלום', 'Noto Sans Hebrew'],
    ] as const) {
      const book = await open([text], ['Montserrat', family]);
      expect(book.warnings, family).toEqual([]);
      expect(Buffer.compare(draw(book, text, 'Montserrat'), draw(book, text, family)), family).toBe(
        0,
      );
    }
  });

  test.each([
    ['Latin', 'Příliš žluťoučký kůň'],
    ['Vietnamese', 'Chào buổi sáng thế giới'],
    ['Greek', 'Καλημέρα κόσμε'],
    ['Cyrillic', 'Доброе утро мир'],
    ['Arabic', 'صباح الخير'],
    ['Hebrew', 'בוקר טוב'],
    ['Devanagari', 'नमस्ते दुनिया'],
    ['Thai', 'สวัสดีชาวโลก'],
    ['simplified Chinese', '早上好世界汉语'],
    ['traditional Chinese', '早安世界臺灣體驗'],
    ['Japanese', 'おはよう世界カタカナ々'],
    ['Korean', '좋은아침세계'],
  ])('%s in a family of Latin letters alone: no character is missing', async (_, text) => {
    const book = await open([text], ['Aileron']);
    expect(book.warnings).toEqual([]);
    // What nothing has: as many shapes as the chain has fonts, all alike for every such character.
    const missing = draw(book, '\u{10fffd}', 'Aileron');
    const empty = draw(book, ' ', 'Aileron');
    expect(Buffer.compare(missing, empty)).not.toBe(0);
    for (const character of text.replace(/[\s\p{M}]/gu, '')) {
      const drawn = draw(book, character, 'Aileron');
      expect(Buffer.compare(drawn, missing), character).not.toBe(0);
      expect(Buffer.compare(drawn, empty), character).not.toBe(0);
    }
  });

  test('Arabic letters join', async () => {
    const book = await open(['بببب'], ['Noto Sans Arabic']);
    const apart = widthOf(book, 'ب', 'Noto Sans Arabic') * 4;
    expect(widthOf(book, 'بببب', 'Noto Sans Arabic')).toBeLessThan(apart * 0.8);
  });

  test('emoji are coloured, sequences are one picture, and digits stay letters', async () => {
    const text = '😀 👩‍🚀 🇩🇪 👍🏽 1️⃣ 12 ❤️';
    const book = await open([text], ['Montserrat']);
    expect(book.warnings).toEqual([]);
    expect(isColored(draw(book, '😀', 'Montserrat'))).toBe(true);
    expect(isColored(draw(book, '❤️', 'Montserrat'))).toBe(true);
    expect(isColored(draw(book, '12', 'Montserrat'))).toBe(false);
    const one = widthOf(book, '😀', 'Montserrat');
    for (const sequence of ['👩‍🚀', '🇩🇪', '👍🏽', '1️⃣'])
      expect(widthOf(book, sequence, 'Montserrat'), sequence).toBeCloseTo(one, 0);
    expect(widthOf(book, '12', 'Montserrat')).toBe(
      widthOf(await open(['12'], []), '12', 'Montserrat'),
    );
  });
});

describe('what is missing', () => {
  const damaged = (): CustomFont => {
    const file = path.join(folder, 'own-damaged.ttf');
    writeFileSync(file, Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.alloc(200, 7)]));
    return { family: 'Own', weight: '400', style: 'normal', path: file };
  };

  test('F65 an unknown family becomes Aileron and is named', async () => {
    const book = await open(['Hello'], ['No Such Sans']);
    expect(book.warnings.map(({ message }) => message)).toEqual([
      "Font family 'No Such Sans' is not installed; Aileron is used instead",
    ]);
    expect(widthOf(book, 'Hello', 'No Such Sans')).toBe(widthOf(book, 'Hello', 'Aileron'));
    expect(draw(book, 'Hello', 'No Such Sans')).toEqual(draw(book, 'Hello', 'Aileron'));
  });

  test('a family of this computer is used, and said to be', async () => {
    const own = GlobalFonts.families.find(({ family }) =>
      /^DejaVu Sans$|^Arial$|^Helvetica$/.test(family),
    );
    // Nothing to look at on a computer without fonts of its own.
    if (!own) return;
    const book = await open(['Hello'], [own.family.toLowerCase()]);
    expect(book.warnings.map(({ code }) => code)).toEqual(['installed_font']);
    context.font = `400 40px "${own.family}"`;
    expect(widthOf(book, 'Hello', own.family)).toBe(context.measureText('Hello').width);
  });

  test('characters that no font has are named', async () => {
    const book = await open(['Georgia: საქართველო 🙂'], ['Montserrat']);
    expect(book.warnings).toHaveLength(1);
    expect(book.warnings[0]).toMatchObject({ code: 'missing_characters', severity: 'warning' });
    expect(book.warnings[0]!.message).toContain('ს');
    expect(book.warnings[0]!.message).toContain("a font in 'fonts' that has them");
    expect((await open(['→ ✓ ★ ∑ € ₹ … “quoted” – ①'], ['Montserrat'])).warnings).toEqual([]);
  });

  // Whatever brings them into the picture: what nothing shipped has comes from the computer, and is different on each.
  test.each<[string, object, boolean?]>([
    ['a text', { text: 'ა' }],
    [
      'keyframes',
      {
        text: [
          { time: 0, value: 'A' },
          { time: 1, value: 'ა' },
        ],
      },
    ],
    ['a tag of another family', { text: 'A [family Inter]ა[/family]', font_family: 'Own' }],
    [
      'a text in another family than the one that has it',
      { text: 'ა', font_family: 'Inter' },
      true,
    ],
    ['a change of case', { text: 'ა', text_transform: 'uppercase' }],
    ['from right to left', { text: 'שלום ܐ' }],
    ['a counter', { text: '5 ა', animations: [{ type: 'text-counter', duration: 1 }] }],
    ['words of captions', { transcript_source: { words: [{ text: 'ა', start: 0, end: 1 }] } }],
    ['a sign of the computer', { text: '\uf8ff' }],
  ])('characters that no font has are named in %s', async (_, text, isHeld) => {
    const source = { elements: [{ type: 'text', ...text }] } as unknown as Source;
    const { families, written, texts } = fontsOf(source, { fonts: new Map() });
    const book = await FontBook.open({
      ...{ fontFolder, families, custom: [], written, texts },
      // Its file is damaged, so it may hold anything; but other texts can't use it.
      ...(isHeld === true && { families: [...families, 'Own'], custom: [damaged()] }),
    });
    const told = book.warnings.filter(({ message }) => message.startsWith('No shipped font'));
    expect(told).toHaveLength(1);
  });

  const latin = [...shippedFamilies(fontFolder).values()]
    .filter(({ coverage }) =>
      ['0', '9', 'A'].every((character) => coverage.has(character.charCodeAt(0))),
    )
    .map(({ name }) => name);

  test.each(latin)('B7: %s writes fractions and small figures itself', async (family) => {
    const text = `${signs.join('')} 3⁄16 [family ${family}]⅔[/family]`;
    const book = await open([text], [family]);
    const lacks = book.lacks.bind(book);
    const { parts, styles } = set(text, family, book);
    // The default family has neither a minus nor a bar; the bar is the only sign that all others get from elsewhere.
    const borrowed = parts
      .flatMap(({ text }) => Array.from(text))
      .filter((sign) => lacks(sign, family));
    expect(borrowed.filter((sign) => !'⁄−'.includes(sign))).toEqual([]);
    expect(parts.filter(({ text }) => text === '⅓' || text === '⁴')).toEqual([]);
    const small = parts.filter(({ style }) => styles[style]?.rise !== undefined);
    expect(small.length).toBeGreaterThan(0);
    expect(book.warnings).toEqual([]);
  });

  test.each([
    ['Montserrat', 'Ωmega point', ['Inter Ωmega']],
    ['Montserrat', '(Ωmega), “πr²” μm/Ω!', ['Inter Ωmega', 'Inter πr', 'Inter μm/Ω']],
    // One font draws the whole of it anyway, or no letter is missing.
    ['Anton', 'Καλημέρα, κόσμε! → №5 ★★★ 25 °C', []],
    ['Anton', '2ος п’ять', ['Inter 2ος', 'Inter п’ять']],
    ['Aileron', 'Příliš ku\u030an\u030c', ['Inter Příliš', 'Inter ku\u030an\u030c']],
    ['Aileron', 'cafe\u0301 naïve', []],
    ['Permanent Marker', 'Příliš good', ['Caveat Příliš']],
    ['Caveat', 'Tiếng [color #f80]Vi[/color]ệt', ['Dancing Script Tiếng', 'Dancing Script Vi+ệt']],
    ['Caveat', 'Vi[family Inter]ệ[/family]t', []],
    ['Playfair Display SC', 'Chào buổi', ['Merriweather buổi']],
    ['Barlow', '日本語Việt 2024年 コーヒー 한국', ['Inter Việt']],
    ['Poppins', 'สวัสดีBTS ที่12', ['Noto Sans Thai ที่12']],
    ['Lato', '🎉Řím😀 1️⃣ Ř1️⃣', ['Inter Řím']],
    ['Lato', 'Řსa Ř', []],
  ] as const)('in %s, words of %s with a letter that it lacks: %j', async (family, text, words) => {
    const fonts = fontsFor(await open([text], [family]), family);
    const drawn: string[] = [];
    let last: string | undefined;
    for (const { text: part, style } of withWholeWords(readMarkup(text), fonts)) {
      const { standIn } = style;
      if (standIn !== undefined)
        drawn.push(standIn === last ? `${drawn.pop()}+${part}` : `${standIn} ${part}`);
      last = standIn;
    }
    expect(drawn).toEqual(words);
  });

  test('a word of another family stands in its line, which is as high as without it', async () => {
    const textOf = (text: string): Source => ({
      ...{ output_format: 'png', width: 300, height: 360, fill_color: '#000000' },
      elements: [
        { ...{ type: 'text', font_family: 'Montserrat', font_size: 80, fill_color: '#fff' }, text },
      ],
    });
    const draw = async (text: string): Promise<Buffer> => {
      await using document = await openDocument(textOf(text), folder);
      return await document.pixelsAt(0);
    };
    const word = await draw('one\na Ωm\ntwo');
    expect(word.equals(await draw('one\na m\ntwo'))).toBe(false);
    const named = await draw('one\na [family Noto Sans JP]Ωm[/family]\ntwo');
    const reach = (pixels: Buffer): readonly number[] => {
      const rows = Array.from({ length: 360 }, (_, y) =>
        pixels.subarray(y * 1200, y * 1200 + 1200),
      );
      const lit = rows.map((row) => row.some((value, at) => at % 4 === 0 && value > 96));
      return [lit.indexOf(true), lit.lastIndexOf(true)];
    };
    expect(reach(word)).toEqual(reach(await draw('one\na m\ntwo')));
    expect(reach(named)).not.toEqual(reach(word));
  });

  test.each([
    { text: 'x² ½', family: 'Inter', small: [] },
    { text: 'x² ⅔', family: 'Inter', small: ['2', '3'] },
    { text: 'x² y⁴ ½', family: 'Inter', small: ['2', '4'] },
    { text: '10⁻⁶', family: 'Roboto', small: [] },
    { text: 'H₂O', family: 'Poppins', small: ['2'] },
    { text: '1½', family: 'Aileron', small: ['1', '2'] },
    { text: '3⁄16', family: 'Montserrat', small: ['3', '16'] },
    { text: '⅟3 ⁄ 5⁄', family: 'Inter', small: ['1', '3'] },
  ])('$text in $family: small figures $small', async ({ text, family, small: figures }) => {
    const book = await open([text], [family]);
    const { parts, styles } = set(text, family, book);
    const small = parts.filter(({ style }) => styles[style]?.rise !== undefined);
    expect(small.map((part) => part.text)).toEqual(figures);
  });

  test('a list of another version says so', async () => {
    writeFileSync(path.join(folder, 'fonts.json'), '{"version": 99}');
    await expect(async () =>
      FontBook.open({ fontFolder: folder, families: [], custom: [] }),
    ).rejects.toThrow(/version 1/);
  });
});

describe('fonts of the document', () => {
  test('are used under their name, before shipped ones of the same name', async () => {
    const file = path.join(folder, 'mine.woff2');
    copyFileSync(path.join(fontFolder, 'oswald-latin-wght-normal.woff2'), file);
    const custom = [
      { family: 'Mine', weight: null, style: 'normal', path: file },
      { family: 'Poppins', weight: '400', style: 'normal', path: file },
    ] as const;
    const book = await FontBook.open({
      fontFolder,
      families: ['Mine', 'Poppins'],
      texts: ['Hello'],
      custom,
    });
    expect(book.warnings).toEqual([]);
    for (const weight of [400, 700])
      expect(widthOf(book, 'Hello', 'Mine', weight)).toBe(widthOf(book, 'Hello', 'Oswald', weight));
    expect(widthOf(book, 'Hello', 'Poppins')).toBe(widthOf(book, 'Hello', 'Oswald'));
    // Only for this document.
    const other = await open(['Hello'], ['Poppins', 'Mine']);
    expect(other.warnings.map(({ code }) => code)).toEqual(['unknown_font']);
    expect(widthOf(other, 'Hello', 'Poppins')).not.toBe(widthOf(other, 'Hello', 'Oswald'));
  });

  test.each(['ttf', 'woff', 'woff2'])('as %s', async (ending) => {
    const woff = path.resolve(
      'node_modules/@fontsource/poppins/files/poppins-latin-500-italic.woff',
    );
    const file = path.join(folder, `own.${ending}`);
    if (ending === 'ttf') unpack(woff, file);
    else copyFileSync(ending === 'woff' ? woff : `${woff}2`, file);
    const book = await FontBook.open({
      fontFolder,
      families: ['Own'],
      texts: ['Hello'],
      custom: [{ family: 'Own', weight: '500', style: 'italic', path: file }],
    });
    expect(widthOf(book, 'Hello', 'Own')).toBe(widthOf(book, 'Hello', 'Poppins', 500, 'italic'));
    expect(book.warnings).toEqual([]);
  });

  test.each([
    { text: 'Łódź ⅓ x⁴ 😀 café', lacking: 'Ł ź' },
    { text: 'Cafe\u0301, ½ “so”', lacking: '' },
    { text: 'ŁÓDŹ [family Inter]Łódź[/family]', lacking: 'Ł Ź' },
  ])('B7: a font of the document that lacks letters of $text', async ({ text, lacking }) => {
    const source = { elements: [{ type: 'text', text, font_family: 'Own' }] };
    // Letters of Western Europe alone.
    const file = path.join(fontFolder, 'oswald-latin-wght-normal.woff2');
    const custom = [{ family: 'Own', weight: null, style: 'normal', path: file } as const];
    const { written, texts } = fontsOf(source, { fonts: new Map() });
    const book = await FontBook.open({ fontFolder, families: ['Own'], custom, written, texts });
    const told = `The font 'Own' lacks the characters ${lacking}; words with them are drawn in other fonts`;
    expect(book.warnings.map(({ message }) => message)).toEqual(lacking === '' ? [] : [told]);
    const both = await FontBook.open({ fontFolder, families: ['Own'], custom, texts: ['ს'] });
    expect(both.warnings.map(({ code }) => code)).toEqual(['missing_characters']);
  });

  test('by a name with accents in either form, in any case', async () => {
    const file = path.join(fontFolder, 'oswald-latin-wght-normal.woff2');
    const custom = [
      { family: 'Größe'.normalize('NFD'), weight: null, style: 'normal', path: file } as const,
    ];
    const families = [' größe '.normalize('NFC')];
    const book = await FontBook.open({ fontFolder, families, custom });
    expect(book.warnings).toEqual([]);
    expect(book.has('GRÖßE'.normalize('NFC'))).toBe(true);
  });

  test('from a data URI', async () => {
    const bytes = readFileSync(path.join(fontFolder, 'oswald-latin-wght-normal.woff2'));
    const source = {
      fonts: [{ family: 'Own', source: `data:font/woff2;base64,${bytes.toString('base64')}` }],
      elements: [{ type: 'text', text: 'Hello', font_family: 'Own' }],
    };
    const loading = {
      ...engineLimits,
      workFolder: path.join(folder, 'work'),
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [],
      allowPrivateAddresses: false,
      ownPorts: [],
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    const assets = await loadAssets(source, loading, null);
    const book = await FontBook.open({ fontFolder, ...fontsOf(source, assets) });
    expect(widthOf(book, 'Hello', 'Own')).toBe(widthOf(book, 'Hello', 'Oswald'));
    expect([...assets.warnings, ...book.warnings]).toEqual([]);
  });

  test('a style of the family is looked for before a weight', async () => {
    const file = (name: string): string => path.join(fontFolder, `aileron-latin-${name}.woff2`);
    const custom = [
      { family: 'Own', weight: '300', style: 'italic', path: file('300-italic') },
      { family: 'Own', weight: '700', style: 'normal', path: file('700-normal') },
      { family: 'Own', weight: '400', style: 'normal', path: file('400-normal') },
    ] as const;
    const book = await FontBook.open({ fontFolder, families: ['Own'], texts: ['Hello'], custom });
    const same = (weight: number, style: 'normal' | 'italic', of: number): void =>
      expect(widthOf(book, 'Hello', 'Own', weight, style), `${weight} ${style}`).toBe(
        widthOf(book, 'Hello', 'Aileron', of, style),
      );
    same(700, 'italic', 300);
    same(300, 'normal', 400);
    same(500, 'normal', 400);
    same(600, 'normal', 700);
    same(900, 'normal', 700);
  });

  test('F66 a damaged file is skipped, and said so', async () => {
    const file = path.join(folder, 'broken.ttf');
    writeFileSync(file, Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.alloc(200, 7)]));
    const custom = [{ family: 'Broken', weight: '400', style: 'normal', path: file }] as const;
    const book = await FontBook.open({
      fontFolder,
      families: ['Broken'],
      texts: ['Hello'],
      custom,
    });
    expect(widthOf(book, 'Hello', 'Broken')).toBe(widthOf(book, 'Hello', 'Aileron'));
    expect(book.warnings.map(({ code }) => code)).toEqual(['font_unreadable']);
  });
});

test('of a font collection the first font is used', async () => {
  const woff = readFileSync('node_modules/@fontsource/barlow/files/barlow-latin-400-italic.woff');
  const font = unpackedFont(woff);
  const head = Buffer.from('ttcf\0\x01\0\0\0\0\0\x01\0\0\0\x10', 'latin1');
  const collection = Buffer.concat([head, font]);
  for (let at = 0; at < font.readUInt16BE(4); at++) {
    const place = head.length + 12 + at * 16 + 8;
    collection.writeUInt32BE(collection.readUInt32BE(place) + head.length, place);
  }
  expect(sniffFormat(collection)).toMatchObject({ name: 'ttc', kind: 'font' });
  const [one, many] = ['one.ttf', 'many.ttc'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  writeFileSync(one, font);
  writeFileSync(many, collection);
  const custom = [
    { family: 'One', weight: '400', style: 'normal', path: one },
    { family: 'Many', weight: '400', style: 'normal', path: many },
  ] as const;
  const book = await FontBook.open({
    fontFolder,
    families: ['One', 'Many'],
    texts: ['Hello'],
    custom,
  });
  expect(widthOf(book, 'Hello', 'Many')).toBe(widthOf(book, 'Hello', 'One'));
  expect(widthOf(book, 'Hello', 'Many')).not.toBe(widthOf(book, 'Hello', 'Aileron'));
  expect(book.warnings).toEqual([]);
});

test('registers only what a text needs', async () => {
  const before = GlobalFonts.families.length;
  const book = await open(['Ein Titel für alle'], ['Cabin']);
  book.css({ family: 'Cabin', weight: 700, style: 'normal', size: 10 });
  // One file of Cabin and one of the general fallback for ü, each under its own name and ours.
  expect(GlobalFonts.families.length - before).toBeLessThanOrEqual(4);
});

describe('a background without padding is behind all ink', () => {
  const shipped = [...shippedFamilies(fontFolder).values()].map(({ name }) => name);
  const scripts = ['Dancing Script', 'Lobster', 'Pacifico', 'Caveat', 'Playfair Display'];
  const rows = [...new Set([...scripts, ...someInQuick(shipped, 5)])];
  test.each(rows)('%s', async (family) => {
    const picture = async (look: object): Promise<Buffer> => {
      const lines = (text: string, y: string, height: string): object => ({
        ...{
          type: 'text',
          text,
          y,
          line_height: height,
          font_family: family,
          font_style: 'italic',
        },
        ...{ font_size: 40, background_x_padding: '0%', background_y_padding: '0%', ...look },
      });
      const source = {
        ...{ output_format: 'png', width: 240, height: 240, fill_color: '#000000' },
        elements: [lines('jazzy\nÅfyf', '35%', '120%'), lines('Ågfj', '80%', '75%')],
      } as Source;
      await using document = await openDocument(source, folder);
      return await document.pixelsAt(0);
    };
    const ink = await picture({ fill_color: '#fff' });
    const ground = await picture({ fill_color: null, background_color: '#fff' });
    // Baselines stand on whole pixels, backgrounds anywhere.
    const near = [0, -4, 4, -960, 960];
    let outside = 0;
    for (let at = 0; at < ink.length; at += 4)
      if ((ink[at] ?? 0) > 128 && near.every((step) => (ground[at + step] ?? 0) < 64)) outside++;
    expect(outside).toBe(0);
  });
});

/** How far light ink on black reaches beyond a box, pixels; 0 = nowhere. */
function beyond(
  pixels: Buffer,
  width: number,
  [left, top, right, bottom]: readonly number[],
): number {
  let most = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at] ?? 0) < 96) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    most = Math.max(most, left! - x, top! - y, x + 1 - right!, y + 1 - bottom!);
  }
  return most;
}

describe('B7: the ink of fitted text stays in its box', () => {
  const texts = [
    { text: 'jumps over\nlazy fjord', font_style: 'italic' },
    { text: 'ÅÉ jy', x_alignment: '0%', y_alignment: '0%' },
    { text: 'Jaf\nQuirky', x_alignment: '100%', y_alignment: '100%', font_weight: '700' },
    { text: 'مرحبا بالعالم' },
  ];
  const shipped = [...shippedFamilies(fontFolder).values()].map(({ name }) => name);
  test.each(someInQuick(shipped, 12))('%s', async (family) => {
    for (const text of texts) {
      const element = { x_alignment: '50%', y_alignment: '50%', ...text };
      const source = {
        output_format: 'png',
        width: 240,
        height: 120,
        fill_color: '#000000',
        elements: [
          {
            type: 'text',
            width: 160,
            height: 60,
            fill_color: '#fff',
            font_family: family,
            ...element,
          },
        ],
      };
      await using document = await openDocument(source, folder);
      const reach = beyond(await document.pixelsAt(0), 240, [40, 30, 200, 90]);
      expect(reach, `${family}: ${element.text}`).toBeLessThanOrEqual(1);
    }
  });
});
