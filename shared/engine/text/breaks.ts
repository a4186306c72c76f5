/**
 * Where a line may end, and what a character is. Line ends follow Unicode's line breaking (UAX #14, from a library) and
 * dictionaries for scripts without spaces; the few exceptions are named below. Pure.
 */
import { Rules } from '@cto.af/linebreak';
import { segmentsIn } from '../../segments.ts';
import { strongRightToLeft } from '../transcript.ts';

/** With numbers kept whole as in the annex's example 7. */
const lineBreaks = new Rules({ example7: true });

/** The locale is fixed so that a document looks the same on every computer. */
const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Spaces at which a line may end. No-break spaces (U+00A0, U+202F, U+2007) are left out on purpose. */
const endsBreakable = /[ \u1680\u2000-\u2006\u2008-\u200b\u205f\u3000]$/;
/** Written without spaces: a line may end on either side of any character. Emoji behave the same. */
const ideographic =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uffef]|\p{Emoji_Presentation}|\ufe0f/u;
const endsIdeographic = new RegExp(`(?:${ideographic.source})$`, 'u');
const startsIdeographic = new RegExp(`^(?:${ideographic.source})`, 'u');
/** Written without spaces, but with words: Thai, Lao, Khmer, Burmese. The segmenter's dictionary knows them. */
const inWords = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const endsInWords = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const startsInWords = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Korean breaks at spaces, an option of the annex: titles read better that way. */
const endsKorean = /\p{Script=Hangul}$/u;
const startsKorean = /^\p{Script=Hangul}/u;
const endsWithLetter = /[\p{L}\p{N})\]]$/u;
const startsWithLetter =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}([]/u;
/** A hyphen that begins a word (a minus, an option) stays with it; rule LB20a of newer editions. */
const startsWithHyphen = /(?:^|[\s(])[-\u2010]$/u;
/** Joiners hold sequences of emoji together. */
const endsWithJoiner = /\u200d$/;
/** A dash ends a line rather than begin one. */
const startsWithDash = /^\u2014/;
/** Doubled marks, as in `C++` and `a || b`. */
const doubledMark = /^([!-/:-@[-`{-~])\1$/;
/** After the scheme of an address. */
const endsScheme = /:\/\/$/;
/** Marks of repetition and abbreviation in Thai, Lao and Khmer, which follow their word. */
const followsWord = /^[ๆฯໆຯៗ៘]/u;
/** Scripts whose letters change shape beside each other: a cut between two of them would be visible. */
const joinedScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]/u;
const joinedEnd = new RegExp(`${joinedScript.source}\\p{M}*$`, 'u');
const joinedStart = new RegExp(`^${joinedScript.source}`, 'u');
// Every code unit of plain Latin text is one grapheme; most texts take this short way.
const simple = /^[\x20-\x7e\xa0-\xac\xae-\u02ff]*$/;

/** A stretch between two places at which a line may end, spaces apart. */
export interface Unbreakable {
  readonly text: string;
  readonly kind: 'word' | 'space';
  /** False when it continues the word before it, as `known` does in `well-known`. */
  readonly startsWord: boolean;
}

/**
 * Splits a paragraph wherever a line may end, and between words and the spaces after them. Joined, the parts are the
 * paragraph.
 */
export function unbreakables(paragraph: string): Unbreakable[] {
  const found: Unbreakable[] = [];
  let startsWord = true;
  let last = '';
  for (const stretch of stretchesOf(paragraph)) {
    let end = stretch.length;
    while (end > 0 && endsBreakable.test(stretch.charAt(end - 1))) end--;
    const word = stretch.slice(0, end);
    const space = stretch.slice(word.length);
    if (word !== '') {
      startsWord ||= wordsMeet(last, word);
      found.push({ text: word, kind: 'word', startsWord });
      startsWord = false;
      last = word;
    }
    if (space === '') continue;
    found.push({ text: space, kind: 'space', startsWord: false });
    startsWord = true;
  }
  return found;
}

/** The stretches between possible line ends. */
function stretchesOf(paragraph: string): string[] {
  if (!/[^\w.,]/.test(paragraph)) return paragraph === '' ? [] : [paragraph];
  const stretches: string[] = [];
  let from = 0;
  for (const at of breakPlaces(paragraph)) {
    stretches.push(paragraph.slice(from, at));
    from = at;
  }
  return [...stretches, paragraph.slice(from)].filter((stretch) => stretch !== '');
}

function breakPlaces(paragraph: string): number[] {
  const places: number[] = [];
  for (const { position } of lineBreaks.breaks(paragraph)) {
    const before = paragraph.slice(Math.max(0, position - 3), position);
    const after = paragraph.slice(position, position + 2);
    if (!keepsTogether(before, after)) places.push(position);
  }
  if (!inWords.test(paragraph)) return places;
  for (const { index, segment } of segmentsIn(wordSegmenter, paragraph)) {
    const before = paragraph.slice(Math.max(0, index - 2), index);
    if (endsInWords.test(before) && startsInWords.test(segment) && !followsWord.test(segment))
      places.push(index);
  }
  return [...new Set(places)].sort((a, b) => a - b);
}

/** Exceptions where the annex would allow a break. */
function keepsTogether(before: string, after: string): boolean {
  if (endsKorean.test(before) && startsWithLetter.test(after)) return true;
  if (endsWithLetter.test(before) && startsKorean.test(after)) return true;
  if (endsWithJoiner.test(before) || startsWithDash.test(after)) return true;
  if (doubledMark.test(before.slice(-1) + after.slice(0, 1))) return true;
  return endsScheme.test(before) || startsWithHyphen.test(before);
}

/**
 * Two words, not one with a place to break in it: between ideographs, and between the words of scripts without spaces.
 */
function wordsMeet(before: string, after: string): boolean {
  if (endsIdeographic.test(before) || startsIdeographic.test(after)) return true;
  return endsInWords.test(before) && startsInWords.test(after);
}

/** What a reader calls letters, e.g. `['n', 'o', 'ë', '👩‍🚀']`. */
export function graphemesOf(text: string): string[] {
  if (simple.test(text)) return text.split('');
  return Array.from(segmentsIn(graphemeSegmenter, text), ({ segment }) => segment);
}

/** The first of them, without looking at the others; empty for an empty text. */
export function firstGrapheme(text: string): string {
  if (simple.test(text)) return text.charAt(0);
  const [first] = graphemeSegmenter.segment(text.slice(0, longestGrapheme));
  return first?.segment ?? '';
}

/** Units in which a grapheme is looked for; families of emoji have up to 25. */
export const longestGrapheme = 64;

/** How many graphemes a text has. */
export function countGraphemes(text: string): number {
  return simple.test(text) ? text.length : graphemesOf(text).length;
}

/** True if letters of the text change with their neighbours and must be drawn together. */
export function isJoined(text: string): boolean {
  return joinedScript.test(text);
}

/** True when the last letter of one stretch joins the first one of the next. */
export function joinsAcross(before: string, after: string): boolean {
  return joinedEnd.test(before) && joinedStart.test(after);
}

/** True when the last letter of a stretch is of a joined script. */
export function endsJoined(text: string): boolean {
  return joinedEnd.test(text);
}

/** Graphemes that letter spacing follows: not those of joined scripts, whose letters it would separate. */
export function countSpaced(text: string): number {
  if (!joinedScript.test(text)) return countGraphemes(text);
  return graphemesOf(text).filter((grapheme) => !joinedScript.test(grapheme)).length;
}

/** Direction of a paragraph: that of its first letter; true = right to left. */
export function readsRightToLeft(paragraph: string): boolean {
  const first = /\p{L}/u.exec(paragraph)?.[0];
  return first !== undefined && strongRightToLeft.test(first);
}
