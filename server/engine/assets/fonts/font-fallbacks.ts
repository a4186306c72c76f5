/**
 * Phase 1, fonts: which shipped families supply characters that a document's families lack. Pure.
 */
import { looseName } from '../../../../shared/renderscript/same-name.ts';
import type { FontFamily } from './font-list.ts';
import type { Script } from './font-needs.ts';

/** Families to use where the chosen one lacks characters. Han comes last: its style depends on the others. */
const scriptFamilies: readonly (readonly [Script, string])[] = [
  ['arabic', 'Noto Sans Arabic'],
  ['hebrew', 'Noto Sans Hebrew'],
  ['thai', 'Noto Sans Thai'],
  ['devanagari', 'Noto Sans Devanagari'],
  ['kana', 'Noto Sans JP'],
  ['hangul', 'Noto Sans KR'],
  ['han', 'Noto Sans SC'],
  ['han', 'Noto Sans TC'],
  ['han', 'Noto Sans JP'],
];
const emojiFamily = 'Noto Color Emoji';
/** Glyphs for characters that can also be pictures: ✔ ☎ ✂ ▶ ❤. text/emoji.ts requests them as text. */
const symbolFamily = 'Noto Sans Symbols 2';
/** Latin, Greek, Cyrillic; then arrows, stars, ticks and mathematics, which hide in the large families. */
const generalFamilies = ['Noto Sans', 'Open Sans', 'Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR'];

/** A fallback family, with the characters that it supplies. */
export interface Fallback {
  readonly family: FontFamily;
  readonly characters: ReadonlySet<number>;
}

/** Families with characters that a text needs, in the order to try. */
export function chooseFallbacks(
  shipped: ReadonlyMap<string, FontFamily>,
  characters: ReadonlySet<number>,
  scripts: ReadonlySet<Script>,
): readonly Fallback[] {
  const wanted = [...characters].filter((code) => code > 0x7e);
  const chosen: Fallback[] = [];
  let missing = wanted;
  const take = (name: string, codes: readonly number[]): void => {
    const family = shipped.get(looseName(name));
    if (!family || chosen.some((fallback) => fallback.family === family)) return;
    const held = codes.filter((code) => family.coverage.has(code));
    if (held.length === 0) return;
    chosen.push({ family, characters: new Set(held) });
    missing = missing.filter((code) => !family.coverage.has(code));
  };
  for (const [script, name] of scriptFamilies) {
    if (!scripts.has(script)) continue;
    // A script's family supplies the whole script, except what an earlier one has.
    take(name, missing);
  }
  take(generalFamilies[0] ?? '', wanted);
  if (scripts.has('emoji')) take(emojiFamily, [...characters]);
  take(symbolFamily, wanted.filter(isTextUnlessAsked));
  for (const name of generalFamilies.slice(1)) take(name, missing);
  return chosen;
}

/** The names of those that set whole words: the one for Western letters first, and none of symbols. */
export function wordFallbacks(fallbacks: readonly Fallback[]): string[] {
  const [western = ''] = generalFamilies;
  const ofSymbols = [emojiFamily, symbolFamily];
  const names = fallbacks
    .map(({ family }) => family.name)
    .filter((name) => !ofSymbols.includes(name));
  return [western, ...names.filter((name) => name !== western)];
}

/** As in text/emoji.ts, which tells the canvas. */
function isTextUnlessAsked(code: number): boolean {
  return /(?=\p{Emoji})(?!\p{Emoji_Presentation})[\u2190-\u3299]/u.test(String.fromCodePoint(code));
}
