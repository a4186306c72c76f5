/**
 * Words with a letter that their family lacks: set in one family that has all of it, because a strange letter in the
 * middle of a word looks cut out of a newspaper. Words that one family draws anyway, and Chinese, Japanese and Korean
 * characters, which stand by themselves, stay as they are. Pure.
 */
import type { Span } from './markup.ts';
import type { Measurer } from './measurer.ts';

/** Which families have what. */
export interface WordFonts {
  /** The element's family, for text without a family of its own. */
  readonly family: string;
  readonly lacks: NonNullable<Measurer['lacks']>;
  readonly fallbacks: NonNullable<Measurer['fallbacks']>;
}

/** Scripts that families of Latin letters often have; words mix them. */
const western = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]';
const alone = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Hangul}';
const other = `(?!${western})(?![${alone}])[\\p{L}]`;
/** What letters take with them: marks, digits, marks of punctuation, joiners. No part of an emoji. */
const between =
  '(?![\\ufe0e\\ufe0f\\u20e3]|[0-9#*][\\ufe0f\\u20e3])[\\p{M}\\p{Nd}\\p{P}\\u00ad\\u200c\\u2060\\u02b9-\\u02bf\\u02c6-\\u02cf]';
/** Letters of one kind with what stands between them; or what stands alone, which is skipped. */
const stretch = new RegExp(
  `(?:${between})*(?:(?:${western}(?:${between})*)+|(?:${other}(?:${between})*)+)|(?:${between})+`,
  'gu',
);
const ofWords = new RegExp(`(?![${alone}\\p{Variation_Selector}])[\\p{L}\\p{M}\\p{Nd}\\p{P}]`, 'u');

/** True for letters and what stands between them, for which words look at their fonts. */
export function isOfWords(character: string): boolean {
  return ofWords.test(character);
}

/** Spans in which such words have a family that stands in. */
export function withWholeWords(spans: readonly Span[], fonts: WordFonts): Span[] {
  const whole: Span[] = [];
  let group: Span[] = [];
  for (const [index, span] of spans.entries()) {
    group.push(span);
    // A word may change its colour inside, but one that changes its family was meant to.
    if (spans[index + 1]?.style.family === span.style.family) continue;
    // One by one: a call takes fewer arguments than a text may have words.
    for (const part of inGroup(group, span.style.family ?? fonts.family, fonts)) whole.push(part);
    group = [];
  }
  return whole;
}

/** Where a word lies in a text, and what draws it. */
interface Word {
  readonly from: number;
  readonly to: number;
  readonly standIn: string;
}

function inGroup(spans: readonly Span[], family: string, fonts: WordFonts): readonly Span[] {
  const words = wordsOf(spans.map(({ text }) => text).join(''), family, fonts);
  if (words.length === 0) return spans;
  const cut: Span[] = [];
  let start = 0;
  let next = 0;
  for (const { text, style } of spans) {
    let at = 0;
    while (at < text.length) {
      while ((words[next]?.to ?? Infinity) <= start + at) next++;
      const word = words[next];
      const inside = word !== undefined && word.from <= start + at;
      const end = Math.min(text.length, ((inside ? word.to : word?.from) ?? Infinity) - start);
      const part = text.slice(at, end);
      cut.push({ text: part, style: inside ? { ...style, standIn: word.standIn } : style });
      at = end;
    }
    start += text.length;
  }
  return cut;
}

function wordsOf(text: string, family: string, fonts: WordFonts): Word[] {
  const isLacking = remembered((character) => fonts.lacks(character, family));
  const signs = Array.from(new Set(text.normalize('NFC')));
  if (!signs.some((sign) => isLetter(sign) && isLacking(sign))) return [];
  const words: Word[] = [];
  for (const { 0: found, index } of text.matchAll(stretch)) {
    const characters = Array.from(found);
    const first = characters.findIndex(isLetter);
    if (first < 0) continue;
    // Marks around a word come in pairs, so they stay as they are.
    const from = index + characters.slice(0, first).join('').length;
    const inner = characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
    const standIn = standInFor(inner, isLacking, fonts.fallbacks(family), fonts.lacks);
    if (standIn !== null) words.push({ from, to: from + inner.length, standIn });
  }
  return words;
}

/** The first family that has a whole word; null if one font draws it anyway, or none can. */
function standInFor(
  word: string,
  isLacking: (character: string) => boolean,
  [kin, ...chain]: readonly string[],
  lacks: WordFonts['lacks'],
): string | null {
  const signs = [...new Set(word.normalize('NFC'))].filter(isOfWords);
  const lacking = signs.filter(isLacking);
  if (!lacking.some(isLetter)) return null;
  const holds = (family: string, some = signs): boolean =>
    some.every((sign) => !lacks(sign, family));
  const drawer = chain.find((family) => holds(family, lacking.slice(0, 1)));
  const isOneFont = lacking.length === signs.length && drawer !== undefined && holds(drawer);
  if (isOneFont) return null;
  return [kin, ...chain].find((family) => family !== undefined && holds(family)) ?? null;
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{M}\p{Nd}]/u.test(character);
}

function remembered(ask: (character: string) => boolean): (character: string) => boolean {
  const known = new Map<string, boolean>();
  return (character) => {
    let answer = known.get(character);
    if (answer === undefined) known.set(character, (answer = ask(character)));
    return answer;
  };
}
