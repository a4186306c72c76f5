/** Emoji: what counts as one, and that both shipped sets have every one of them. */
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { EmojiPictures } from '../../server/engine/assets/fonts/font-emoji.ts';
import { fontsOf } from '../../server/engine/assets/fonts/font-needs.ts';
import { FontBook } from '../../server/engine/assets/fonts/fonts.ts';
import { canvasText, isEmoji, qualifiedEmoji } from '../../shared/engine/text/emoji.ts';
import { graphemesOf } from '../../shared/engine/text/breaks.ts';

const fontFolder = path.resolve('resources/fonts');
beforeAll(() => {
  execFileSync(process.execPath, [path.resolve('resources/copy-fonts.mjs'), fontFolder]);
});

const listed: unknown = JSON.parse(
  readFileSync('node_modules/@iconify-json/twemoji/chars.json', 'utf8'),
);
/** Every emoji of the list that Unicode recommends for interchange, as people type them. */
const recommended = new RegExp('^\\p{RGI_Emoji}$', 'v');
const all = Object.keys(listed as object)
  .map((codes) => String.fromCodePoint(...codes.split('-').map((code) => parseInt(code, 16))))
  .map((text) => qualified(text))
  .filter((text) => recommended.test(text));

/** The list leaves out the marks that ask for a picture; this puts them where Unicode has them. */
function qualified(text: string): string {
  const marked = text
    .replace(/^([0-9#*])\u{20e3}$/u, '$1\ufe0f\u{20e3}')
    .replace(
      /(?!\p{Emoji_Presentation})\p{Extended_Pictographic}(?!\p{Emoji_Modifier})/gu,
      '$&\ufe0f',
    );
  return marked;
}

const book = (emojiStyle: 'google' | 'twitter'): Promise<FontBook> =>
  FontBook.open({ fontFolder, families: ['Montserrat'], texts: all, custom: [], emojiStyle });

const square = 40;
function blank(): Canvas {
  const canvas = createCanvas(square, square);
  canvas.getContext('2d').clearRect(0, 0, square, square);
  return canvas;
}

/** Different colours of the opaque pixels, coarsely, black apart: the box of a missing character has none. */
function colors(canvas: Canvas): number {
  const found = new Set<string>();
  const pixels = canvas.data();
  for (let index = 0; index < pixels.length; index += 4) {
    if ((pixels[index + 3] ?? 0) < 250) continue;
    if (Math.max(...pixels.subarray(index, index + 3)) < 32) continue;
    found.add([0, 1, 2].map((channel) => (pixels[index + channel] ?? 0) >> 4).join());
  }
  return found.size;
}

describe('what an emoji is', () => {
  test.each([
    ['😀', true],
    ['👍🏽', true],
    ['👩‍🚀', true],
    ['🇩🇪', true],
    ['1️⃣', true],
    ['❤️', true],
    ['❤', false],
    ['✔', false],
    ['☎', false],
    ['✂', false],
    ['☀', false],
    ['🌶', true],
    ['🕷\ufe0e', false],
    ['❤\ufe0e', false],
    ['1', false],
    ['#', false],
    ['©', false],
    ['©\ufe0f', true],
    ['→', false],
    ['▶', false],
    ['▶\ufe0f', true],
    ['★', false],
    ['測', false],
    ['é', false],
  ])('%s: %s', (text, expected) => expect(isEmoji(text)).toBe(expected));

  test('every recommended one is, as one letter', () => {
    expect(all.length).toBeGreaterThan(3500);
    expect(all.filter((text) => !isEmoji(text))).toEqual([]);
    expect(all.filter((text) => graphemesOf(text).length !== 1)).toEqual([]);
  });

  test('marks that were left out are put back', () => {
    expect(qualifiedEmoji('a❤‍🔥b')).toBe('a❤️‍🔥b');
    expect(qualifiedEmoji('👩‍🚀')).toBe('👩‍🚀');
    expect(canvasText('a👩‍🚀')).toBe('a👩‍🚀');
    expect(canvasText('🏳️‍🌈!')).toBe('\u{10f003}!');
  });
});

describe('the whole list', () => {
  test('google: one picture each, of the same width', async () => {
    const fonts = await book('google');
    const context = createCanvas(1, 1).getContext('2d');
    context.font = fonts.css({ family: 'Montserrat', weight: 400, style: 'normal', size: 100 });
    const width = context.measureText('😀').width;
    const others = all.filter(
      (text) => Math.abs(context.measureText(canvasText(text)).width - width) > 1,
    );
    expect(others).toEqual([]);
    expect(fonts.emoji('😀', 40)).toBeNull();
  });

  test('twitter: a picture each', () => {
    const pictures = new EmojiPictures(fontFolder);
    expect(all.filter((text) => !pictures.has(text))).toEqual([]);
    expect(pictures.picture('a', 20)).toBeNull();
  });

  test('sixty of them, drawn in both sets: coloured, and no two alike', async () => {
    const step = Math.floor(all.length / 60);
    const sample = Array.from({ length: 60 }, (_, index) => all[index * step] ?? '');
    const [google, twitter] = [await book('google'), await book('twitter')];
    const drawn = { google: new Set<string>(), twitter: new Set<string>() };
    for (const text of sample) {
      const glyph = blank();
      const context = glyph.getContext('2d');
      context.font = google.css({ family: 'Montserrat', weight: 400, style: 'normal', size: 30 });
      context.fillText(canvasText(text), 1, 30);
      const picture = blank();
      picture
        .getContext('2d')
        .drawImage(twitter.emoji(text, square) ?? blank(), 0, 0, square, square);
      for (const canvas of [glyph, picture]) expect(colors(canvas), text).toBeGreaterThan(0);
      drawn.google.add(Buffer.from(glyph.data()).toString('base64'));
      drawn.twitter.add(Buffer.from(picture.data()).toString('base64'));
    }
    expect([drawn.google.size, drawn.twitter.size]).toEqual([60, 60]);
  });
});

describe('the set asked for', () => {
  test.each([
    [undefined, []],
    ['google', []],
    ['twitter', []],
    ['facebook', ["The emoji of 'facebook' are not shipped; those of 'google' are used instead"]],
    ['apple', ["The emoji of 'apple' are not shipped; those of 'google' are used instead"]],
  ])('%s: warnings %j', async (emoji_style, messages) => {
    const source = {
      ...(emoji_style === undefined ? {} : { emoji_style }),
      elements: [{ type: 'text', text: 'Hi 😀', font_family: 'Montserrat' }],
    };
    const { warnings } = await FontBook.open({ fontFolder, ...fontsOf(source, {}) });
    expect(warnings.map(({ message }) => message)).toEqual(messages);
  });

  test('a raster is kept, and never smaller than asked for', () => {
    const pictures = new EmojiPictures(fontFolder);
    for (const side of [5, 20, 60, 300]) {
      expect(pictures.picture('🥑', side)?.width).toBeGreaterThanOrEqual(side);
      expect(pictures.picture('🥑', side)).toBe(pictures.picture('🥑', side));
    }
  });
});
