/**
 * Where a line may end, and what a character is: the part of Unicode's line breaking (UAX #14) that videos meet.
 * Pure tests on strings; prepare.ts applies them between neighbouring words.
 */

/** Locale is fixed so that a document comes out alike on every computer. */
const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Spaces at which a line may end. No-break spaces (U+00A0, U+202F, U+2007) are missing on purpose. */
const breakingSpaces = /^[ \u1680\u2000-\u2006\u2008-\u200b\u205f\u3000]+$/;
/** Never at the beginning of a line: closing marks, and in Japanese the small kana and the long-vowel mark. */
const notFirst =
  /^[\p{Pe}\p{Pf}"'!?%‰°,.:;…‼⁇⁈⁉、。，．：；！？％・ー～々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]/u;
/** Never at the end of a line. */
const notLast = /[\p{Ps}\p{Pi}"'¿¡]$/u;
/** Written without spaces: a line may end on either side of any character. Emoji behave the same. */
const ideographic =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uffef]|\p{Emoji_Presentation}|\ufe0f/u;
const endsIdeographic = new RegExp(`(?:${ideographic.source})$`, 'u');
const startsIdeographic = new RegExp(`^(?:${ideographic.source})`, 'u');
/** Written without spaces, but in words: Thai, Lao, Khmer, Burmese. The segmenter's dictionary knows them. */
const endsInWords = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const startsInWords = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A word's hyphen, slash or dash; a minus or a slash before a number is none, nor is the `//` of an address. */
const endsWithJoint = /[\p{L}\p{N}][-\u2010\u2013\u2014/]$/u;
const startsWithLetter = /^\p{L}/u;
/** Scripts whose letters change shape beside each other: cutting between two of them would show. */
const joinedScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]/u;
const strongRightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Mandaic}]/u;
// Every code unit of plain Latin text is one grapheme; most texts take this short way.
const simple = /^[\x20-\x7e\xa0-\xac\xae-\u02ff]*$/;

/** What stands between two neighbours: nothing, a place to break inside a word, or the border of two words. */
export type Joint = 'none' | 'inside-word' | 'between-words';

/** May a line end between these two, which stand side by side without a space? */
export function jointBetween(before: string, after: string): Joint {
  if (notFirst.test(after) || notLast.test(before)) return 'none';
  if (before.endsWith('\u00ad')) return 'inside-word';
  if (endsIdeographic.test(before) || startsIdeographic.test(after)) return 'between-words';
  if (endsInWords.test(before) && startsInWords.test(after)) return 'between-words';
  if (endsWithJoint.test(before) && startsWithLetter.test(after)) return 'inside-word';
  return 'none';
}

/** True for a stretch of spaces that may hang at the end of a line. */
export function isBreakingSpace(text: string): boolean {
  return breakingSpaces.test(text);
}

/** A paragraph's words, spaces and marks in order; ideographs one by one. Joined they are the paragraph. */
export function atomsOf(paragraph: string): string[] {
  const atoms: string[] = [];
  for (const { segment } of wordSegmenter.segment(paragraph)) {
    if (ideographic.test(segment)) atoms.push(...graphemesOf(segment));
    // A soft hyphen lies inside a word for the segmenter.
    else atoms.push(...segment.split(/(?<=\u00ad)/));
  }
  return atoms;
}

/** What a reader calls letters, e.g. `['n', 'o', 'ë', '👩‍🚀']`. */
export function graphemesOf(text: string): string[] {
  if (simple.test(text)) return text.split('');
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment);
}

/** How many graphemes a text has. */
export function countGraphemes(text: string): number {
  return simple.test(text) ? text.length : graphemesOf(text).length;
}

/** True when letters of the text change with their neighbours and must be drawn together. */
export function isJoined(text: string): boolean {
  return joinedScript.test(text);
}

/** Direction of a paragraph: that of its first letter; true = right to left. */
export function readsRightToLeft(paragraph: string): boolean {
  const first = /\p{L}/u.exec(paragraph)?.[0];
  return first !== undefined && strongRightToLeft.test(first);
}
