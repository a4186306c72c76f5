/**
 * Words with times, the common form of all transcripts, for captions. Phase 1; pure.
 *
 * Subtitles time whole lines and recognisers parts of words, so both are converted to words here; the segmenter's
 * dictionary splits scripts without spaces into words.
 */
import { isJsonObject, type Json } from '../renderscript/source.ts';
import { documentLimits } from '../renderscript/limits.ts';
import { segmentsIn } from '../segments.ts';
import { parseSeconds } from '../renderscript/units.ts';
import { RenderError } from './errors.ts';

/** A spoken word. */
export interface TimedWord {
  /** Without spaces around it; never empty. */
  readonly text: string;
  /** Seconds; the end is never before the start. */
  readonly start: number;
  readonly end: number;
  /** Words with the same number belong on one page; null = pages follow from punctuation and pauses. */
  readonly sentence: number | null;
  /** True if no space separates it from the previous word, e.g. `'s` after `it`, or a Japanese word. */
  readonly glued: boolean;
  /** True if it begins a line within its subtitle. Default false. */
  readonly startsLine?: boolean;
  /** What was said, where `text` covers it (shared/hidden-words.ts); no picture knows it. Default: `text`. */
  readonly spoken?: string;
}

/** Words of one recording, on the clock of its file. */
export interface Speech {
  /** The video or audio element that plays the file, e.g. `elements[0]`. */
  readonly elementPath: string;
  readonly words: readonly TimedWord[];
}

/** What a text says and when: on its own clock, or on those of the recordings that it follows. */
export type Transcript =
  | { readonly clock: 'text'; readonly words: readonly TimedWord[] }
  | { readonly clock: 'media'; readonly speeches: readonly Speech[] };

/** Seconds that a word without a duration lasts, unless the next one begins earlier. */
const defaultDuration = 1;

// The locale is fixed, so that a document looks the same on every computer.
const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Scripts written without spaces between words, their punctuation included. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3001-\u303f\uff01-\uffef]/u;
const endsSpaceless = new RegExp(`(?:${spaceless.source})\\p{M}*$`, 'u');
const startsSpaceless = new RegExp(`^(?:${spaceless.source})`, 'u');
const marksOnly = /^[^\p{L}\p{N}\p{Extended_Pictographic}]+$/u;
/** Marks that open something stand before a space; all others follow their word without one. */
const closingMark = /^[\p{Pe}\p{Pf}.,!?;:…%。、！？，؟،؛।]+$/u;

/** True when two neighbours are written without a space between them. */
export function areGlued(before: string, after: string): boolean {
  if (closingMark.test(after)) return true;
  // A letter has fewer marks than that; looking further back would be quadratic for an endless word.
  return endsSpaceless.test(before.slice(-64)) && startsSpaceless.test(after);
}

/** True when a word must not begin a line or a page of its own: `'s`, a comma; Japanese and Thai words may. */
export function staysWithWordBefore({ text, glued }: Pick<TimedWord, 'text' | 'glued'>): boolean {
  return glued && (closingMark.test(text) || !startsSpaceless.test(text));
}

/**
 * A word as it is set: lines end between words, never inside of one, even in scripts without spaces. U+2060 forbids a
 * line end, U+200B allows one; neither is drawn.
 */
export function unbreakable(word: string): string {
  if (!spaceless.test(word)) return word;
  const joined = (text: string): string =>
    Array.from(segmentsIn(graphemeSegmenter, text), ({ segment }) => segment).join('\u2060');
  // Odd parts are tags, as in `[color red]`.
  return word
    .split(/(\[[^[\]]*\])/)
    .map((part, index) => (index % 2 === 1 ? part : joined(part)))
    .join('');
}

/** True of a text whose spaces at its end have a line end among them. */
export function endsLine(text: string): boolean {
  // Without a pattern, which would be quadratic for many line ends before a letter.
  return text.slice(text.trimEnd().length).includes('\n');
}

/** True of Japanese endings, as `が` after `天気`: they stay on the line of their word. */
export function isParticle(word: string, before: string): boolean {
  return (
    /^\p{Script=Hiragana}+\P{L}*$/u.test(word) &&
    /[\p{Script=Han}\p{Script=Katakana}ー]$/u.test(before)
  );
}

/** Letters that are read from right to left. */
export const strongRightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Mandaic}]/u;

/** True when most letters of some words are read from right to left. */
export function mostlyRightToLeft(words: readonly Pick<TimedWord, 'text'>[]): boolean {
  let balance = 0;
  for (const { text } of words) {
    for (const letter of text)
      if (/\p{L}/u.test(letter)) balance += strongRightToLeft.test(letter) ? 1 : -1;
  }
  return balance > 0;
}

/** How many letters a reader counts. */
export function lengthOf(text: string): number {
  // Most words: each of these is a letter of its own, and segmenting costs much.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const { segment } of segmentsIn(graphemeSegmenter, text)) if (segment !== '') count++;
  return count;
}

/**
 * Counts the characters of a transcript's words, each with the space after it.
 *
 * @param what - the transcript's name at the beginning of a sentence.
 * @returns A function to call with every text; it throws RenderError `limit_exceeded` when there are too many.
 */
export function characterLimit(
  what: string,
  place: string,
  path: string,
): (characters: number) => void {
  const most = documentLimits.textLength;
  let counted = 0;
  return (characters) => {
    counted += characters + 1;
    if (counted <= most + 1) return;
    throw new RenderError(
      'limit_exceeded',
      `Source error: ${place}: ${what} more than ${most} characters, which is the limit`,
      { path },
    );
  };
}

/**
 * Shares the time of a line among its words by their length: a word takes its letters and the space after it.
 *
 * @param text - words parted by spaces or line ends.
 * @param sentence - number given to all of them.
 */
export function splitTime(
  text: string,
  start: number,
  end: number,
  sentence: number | null,
): TimedWord[] {
  const words = wordsIn(text);
  const weights = words.map(({ text: word }) => lengthOf(word) + 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  return words.map((word, index): TimedWord => {
    const from = start + ((end - start) * passed) / total;
    passed += weights[index] ?? 0;
    return { ...word, start: from, end: start + ((end - start) * passed) / total, sentence };
  });
}

/** The words of a text, each with its punctuation. */
function wordsIn(text: string): Pick<TimedWord, 'text' | 'glued' | 'startsLine'>[] {
  // Stretches of letters, each after the spaces before it.
  const stretches = text.split(/(\s+)/u);
  return stretches.flatMap((part, place) => {
    if (place % 2 === 1 || part === '') return [];
    const startsLine = stretches[place - 1]?.includes('\n') === true;
    return cutSpaceless(part).map((word, index) => ({
      text: word,
      glued: index > 0,
      ...(index === 0 && startsLine && { startsLine }),
    }));
  });
}

/** Splits a stretch without spaces into words; one word in languages that use spaces. */
function cutSpaceless(part: string): string[] {
  if (!spaceless.test(part)) return [part];
  const words: string[] = [];
  for (const { segment } of segmentsIn(wordSegmenter, part)) {
    const last = words.at(-1);
    // Marks never stand alone: leading ones wait for a word, the others follow theirs.
    const joins = last !== undefined && (marksOnly.test(segment) || marksOnly.test(last));
    if (joins) words[words.length - 1] = last + segment;
    else words.push(segment);
  }
  return words;
}

/**
 * Reads a list of words in the language's form: `{ "time": 0.64, "duration": 0.08, "value": "It" }`. If words include
 * their spaces (`" it"`), those without one belong to the previous word; a line end in them begins a line. One with an
 * empty value says nothing: the editor keeps in such what is not shown now.
 *
 * @param place - the property for messages, e.g. `Subtitles.transcript_source`.
 * @throws RenderError `invalid_source` naming the word.
 */
export function readWords(list: readonly Json[], place: string, path: string): TimedWord[] {
  const refuse = (index: number, name: string, expected: string, found: unknown): RenderError =>
    new RenderError(
      'invalid_source',
      `Source error: ${place}[${index}]${name}: Expected ${expected}, found ${shortened(found)}`,
      { path: `${path}[${index}]${name}` },
    );

  const spaced = list.some(
    (word, index) =>
      index > 0 &&
      isJsonObject(word) &&
      typeof word.value === 'string' &&
      /^[^\S\n]/u.test(word.value),
  );
  const count = characterLimit('The words have', place, path);
  const words: TimedWord[] = [];
  let endedLine = false;
  list.forEach((word, index) => {
    if (!isJsonObject(word)) throw refuse(index, '', 'a word with time and value', word);
    const { time, duration, value, sentence, spoken } = word;
    if (typeof value !== 'string') throw refuse(index, '.value', 'a text', value);
    const start = parseSeconds(time);
    if (start === null) throw refuse(index, '.time', 'seconds', time);
    const length =
      duration === undefined || duration === null ? defaultDuration : parseSeconds(duration);
    if (length === null) throw refuse(index, '.duration', 'seconds', duration);
    const text = value.trim();
    if (text === '') return;
    count(text.length);
    const before = words.at(-1)?.text;
    const glued =
      before !== undefined && (areGlued(before, text) || (spaced && !/^\s/u.test(value)));
    const startsLine = before !== undefined && (endedLine || /^\s*\n/u.test(value));
    endedLine = endsLine(value);
    words.push({
      text,
      start,
      end: start + Math.max(0, length),
      sentence: typeof sentence === 'number' ? sentence : null,
      glued,
      ...(startsLine && { startsLine }),
      ...(typeof spoken === 'string' && { spoken }),
    });
  });
  return inOrder(words);
}

/** Sorted by time; words with the same start keep their order. */
export function inOrder(words: readonly TimedWord[]): TimedWord[] {
  return words.toSorted((a, b) => a.start - b.start);
}

/** A value for messages, no longer than a line. */
export function shortened(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
