/**
 * What the help pages show of each shipped font: its name in its regular weight, the lightest and the boldest, its
 * italic, and some words of each further script. Made from resources/fonts/fonts.json, so that no family can be left
 * out.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Pixels of a cell, and how many of the picture each is: all families together stay below 600 kB. */
export const fontCell = { width: 320, height: 96, scale: 0.75 };

/**
 * Words of a script, by the subsets of a family that have them. Chinese, Japanese and Korean come in numbered parts.
 */
const scripts = [
  { caption: 'Cyrillic', subset: /-cyrillic$/, words: 'Съешь ещё' },
  { caption: 'Greek', subset: /-greek$/, words: 'Ξεσκεπάζω' },
  { caption: 'Vietnamese', subset: /-vietnamese$/, words: 'Tiếng Việt' },
  { caption: 'Hebrew', subset: /-hebrew$/, words: 'שלום עולם' },
  { caption: 'Arabic', subset: /-arabic$/, words: 'مرحبا بالعالم' },
  { caption: 'Devanagari', subset: /-devanagari$/, words: 'नमस्ते' },
  { caption: 'Thai', subset: /-thai$/, words: 'สวัสดีชาวโลก' },
];

/** Families that are shown with words of their own instead of their name. */
const ownWords = {
  'Noto Color Emoji': { caption: 'Emoji', words: '😀 🎬 🎉 🚀' },
  'Noto Sans Symbols 2': { caption: 'Symbols', words: '★ ☂ ⚑ ✈ ♞' },
  'Noto Sans JP': { caption: 'Japanese', words: 'こんにちは世界' },
  'Noto Sans KR': { caption: 'Korean', words: '안녕하세요 세계' },
  'Gothic A1': { caption: 'Korean', words: '안녕하세요 세계' },
  'Noto Sans SC': { caption: 'Simplified Chinese', words: '你好，世界' },
  'Noto Sans TC': { caption: 'Traditional Chinese', words: '你好，世界' },
};

/** The address of a family's sheet below `/docs/gallery/fonts/`: `Noto Sans JP` → `noto-sans-jp`. */
const slugOf = (family) => family.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** A sheet for each family. @param folder resources/fonts */
export function fontFigures(folder) {
  const { families } = JSON.parse(readFileSync(path.join(folder, 'fonts.json'), 'utf8'));
  return families.map(({ family, faces, subsets }) => ({
    name: `fonts/${slugOf(family)}`,
    cells: cellsOf(family, faces, Object.keys(subsets)),
  }));
}

function cellsOf(family, faces, subsets) {
  const cell = (caption, words, weight = 400, style = 'normal') => ({
    caption,
    elements: [
      {
        type: 'text',
        text: words,
        width: '94%',
        height: '80%',
        x_alignment: '50%',
        y_alignment: '50%',
        font_family: family,
        font_weight: String(weight),
        font_style: style,
        font_size_maximum: '40 px',
        text_wrap: false,
        fill_color: '#1c2430',
      },
    ],
  });
  const own = ownWords[family];
  const isOnlyPictures = own?.caption === 'Emoji';
  if (isOnlyPictures) return [cell(own.caption, own.words)];
  const ends = faces.flatMap(({ weight }) => weight);
  // The language ends at 900.
  const [lightest, boldest] = [Math.min(...ends), Math.min(900, Math.max(...ends))];
  return [
    cell('400', family),
    ...(lightest < 400 ? [cell(String(lightest), family, lightest)] : []),
    ...(boldest > 400 ? [cell(String(boldest), family, boldest)] : []),
    ...(faces.some(({ style }) => style === 'italic')
      ? [cell('400 italic', family, 400, 'italic')]
      : []),
    ...(own ? [cell(own.caption, own.words)] : []),
    ...scripts
      .filter(({ subset }) => subsets.some((name) => subset.test(name)))
      .map(({ caption, words }) => cell(caption, words)),
  ];
}
