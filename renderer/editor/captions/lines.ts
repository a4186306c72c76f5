/**
 * Captions as lines of words with their times, and what a person does to them: correct, split, join, shift, add,
 * delete. A line is a sentence of the language: with one number for its words the render shows exactly these lines.
 * Pure.
 */
import { pagesOf } from '../../../shared/engine/compile/captions.ts';
import {
  type CaptionLine,
  type CaptionWord,
  endOf,
  startOf,
} from '../../../shared/engine/compile/caption-lines.ts';
import { areGlued, inOrder, splitTime, type TimedWord } from '../../../shared/engine/transcript.ts';

/** Seconds that a word has at least after its times were changed. */
const leastWord = 0.02;
/** Seconds of a new line, where there is room. */
const usualLine = 2;
/** Seconds that a new line has at least: what follows it moves on if need be. */
const leastLine = 0.5;

/** The text of a line, with a space between words that have one. */
export function textOf(line: CaptionLine): string {
  return line.map(({ text, glued }, at) => (glued || at === 0 ? text : ` ${text}`)).join('');
}

/** All words, those of each line with a number of their own. */
export function wordsOf(lines: readonly CaptionLine[]): TimedWord[] {
  const words = lines.flatMap((line, index) =>
    line.map((word, place) => ({ ...word, glued: word.glued && place > 0, sentence: index + 1 })),
  );
  return inOrder(words);
}

/** How many pages a line is shown as. */
export function partsOf(line: CaptionLine, maximum: number | null): number {
  return pagesOf(wordsOf([line]), maximum).length;
}

/** The line that is spoken at a moment, or was last; -1 before the first. */
export function lineAt(lines: readonly CaptionLine[], time: number): number {
  return lines.findLastIndex((line) => startOf(line) <= time);
}

/** The word of a line that is spoken at a moment; -1 for none. */
export function wordAt(line: CaptionLine, time: number): number {
  return line.findLastIndex(({ start, end }) => start <= time && time < end);
}

/** The word that a letter of the line's text belongs to. */
export function wordOfLetter(line: CaptionLine, letter: number): number {
  let at = 0;
  for (const [index, { text, glued }] of line.entries()) {
    at += (index > 0 && !glued ? 1 : 0) + text.length;
    if (letter <= at) return index;
  }
  return line.length - 1;
}

/** Words that are written without a space between them, e.g. the syllables of a song. */
interface Chunk {
  readonly text: string;
  readonly words: CaptionLine;
}

/**
 * A line with another text. What is still there keeps its times; new words share the time of those that they replace,
 * or that of a neighbour.
 *
 * @returns null for a text without words
 */
export function corrected(line: CaptionLine, text: string): CaptionLine | null {
  const before = chunksOf(line);
  const after = chunksOf(fitted(splitTime(text, 0, 1, null)));
  if (after.length === 0) return null;
  const isSame = (a: number, b: number): boolean => before[a]?.text === after[b]?.text;
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && isSame(first, first)) first++;
  let last = 0;
  while (last < shorter - first && isSame(before.length - 1 - last, after.length - 1 - last))
    last++;

  const gone = before.slice(first, before.length - last);
  const come = after.slice(first, after.length - last);
  const head = before.slice(0, first);
  const tail = before.slice(before.length - last);
  if (come.length === 0) return joined([...head, ...tail]);
  if (gone.length === come.length) {
    // Corrected one by one: each keeps its time.
    const exchanged = come.map(({ words }, at) => timed(words, gone[at]?.words ?? []));
    return joined([...head, ...exchanged.flatMap(chunksOf), ...tail]);
  }
  const words = come.flatMap((chunk) => chunk.words);
  const replaced = gone.flatMap((chunk) => chunk.words);
  if (gone.length > 0) return joined([...head, ...chunksOf(timed(words, replaced)), ...tail]);
  // Inserted only: a neighbour shares its time with them.
  const neighbour = head.at(-1) ?? tail[0];
  if (!neighbour) return words;
  if (head.length > 0) {
    const shared = timed([...neighbour.words, ...words], neighbour.words);
    return joined([...head.slice(0, -1), ...chunksOf(shared), ...tail]);
  }
  const shared = timed([...words, ...neighbour.words], neighbour.words);
  return joined([...chunksOf(shared), ...tail.slice(1)]);
}

function chunksOf(line: CaptionLine): Chunk[] {
  const chunks: CaptionWord[][] = [];
  line.forEach((word, at) => {
    if (at > 0 && word.glued) chunks.at(-1)?.push(word);
    else chunks.push([word]);
  });
  return chunks.map((words) => ({ text: words.map(({ text }) => text).join(''), words }));
}

/** Each chunk begins after a space, where the language leaves one. */
const joined = (chunks: readonly Chunk[]): CaptionLine =>
  fitted(
    chunks.flatMap(({ words }) =>
      words.map((word, at) => (at === 0 ? { ...word, glued: false } : word)),
    ),
  );

/**
 * Words as the language reads them: some are always written without a space, and the first one has no word before it.
 */
export function fitted(words: readonly CaptionWord[]): CaptionLine {
  return words.map(({ text, start, end, glued, startsLine = false, spoken }, at) => ({
    text,
    start,
    end,
    glued: at > 0 && (glued || areGlued(words[at - 1]?.text ?? '', text)),
    ...(startsLine && at > 0 && { startsLine }),
    ...(spoken !== undefined && { spoken }),
  }));
}

/** Words that share the time of others by their length. */
function timed(words: CaptionLine, like: CaptionLine): CaptionLine {
  return shareTime(words, startOf(like), endOf(like));
}

function shareTime(words: CaptionLine, start: number, end: number): CaptionLine {
  const weights = words.map(({ text }) => text.length + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  return words.map((word, index) => {
    const from = start + ((end - start) * passed) / whole;
    passed += weights[index] ?? 0;
    return { ...word, start: from, end: start + ((end - start) * passed) / whole };
  });
}

const withLines = (
  lines: readonly CaptionLine[],
  index: number,
  instead: readonly CaptionLine[],
  count = 1,
): CaptionLine[] => [...lines.slice(0, index), ...instead, ...lines.slice(index + count)];

/** Replaces the text of a line; one without words is deleted. */
export function withText(
  lines: readonly CaptionLine[],
  index: number,
  text: string,
): CaptionLine[] {
  const line = lines[index];
  if (!line) return [...lines];
  const other = corrected(line, text);
  return withLines(lines, index, other ? [other] : []);
}

/**
 * Splits a line at a letter of its text, within a word too: its time is shared.
 *
 * @returns null at the beginning and at the end of the line, where nothing is to be split
 */
export function splitLine(
  lines: readonly CaptionLine[],
  index: number,
  letter: number,
): CaptionLine[] | null {
  const line = lines[index];
  if (!line) return null;
  const text = textOf(line);
  if (text.slice(0, letter).trim() === '' || text.slice(letter).trim() === '') return null;
  let at = 0;
  for (const [place, word] of line.entries()) {
    const begins = at + (place > 0 && !word.glued ? 1 : 0);
    const inside = letter - begins;
    if (inside <= 0)
      return withLines(lines, index, [line.slice(0, place), fitted(line.slice(place))]);
    if (inside < word.text.length) {
      const { start, end, glued } = word;
      // Half a word that was covered is another word.
      const whole = { start, end, glued };
      const plain =
        word.startsLine === undefined ? whole : { ...whole, startsLine: word.startsLine };
      const halves = shareTime(
        [
          { ...plain, text: word.text.slice(0, inside) },
          { ...plain, text: word.text.slice(inside) },
        ],
        word.start,
        word.end,
      );
      const first = [...line.slice(0, place), ...halves.slice(0, 1)];
      return withLines(lines, index, [
        first,
        fitted([...halves.slice(1), ...line.slice(place + 1)]),
      ]);
    }
    at = begins + word.text.length;
  }
  return null;
}

/**
 * Joins a line to the one before it.
 *
 * @returns null for the first one
 */
export function joinLine(
  lines: readonly CaptionLine[],
  index: number,
): { readonly lines: CaptionLine[]; readonly letter: number } | null {
  const [before, line] = [lines[index - 1], lines[index]];
  if (!before || !line) return null;
  const whole = fitted([...before, ...line]);
  return { lines: withLines(lines, index - 1, [whole], 2), letter: textOf(before).length };
}

export const withoutLine = (lines: readonly CaptionLine[], index: number): CaptionLine[] =>
  withLines(lines, index, []);

/** A line with its times moved and stretched. */
function placed(line: CaptionLine, start: number, end: number): CaptionLine {
  const [from, to] = [startOf(line), endOf(line)];
  const by = to > from ? (end - start) / (to - from) : 0;
  if (by === 0) return shareTime(line, start, end);
  return line.map((word) => ({
    ...word,
    start: start + (word.start - from) * by,
    end: start + (word.end - from) * by,
  }));
}

/** The room of a line: from the end of the one before it to the beginning of the next. */
function roomOf(lines: readonly CaptionLine[], index: number): { from: number; to: number } {
  const [before, line, next] = [lines[index - 1], lines[index], lines[index + 1]];
  const own = line ? { from: startOf(line), to: endOf(line) } : { from: 0, to: 0 };
  return {
    // Lines that overlap already may stay so.
    from: Math.min(before ? endOf(before) : 0, own.from),
    to: Math.max(next ? startOf(next) : Infinity, own.to),
  };
}

/**
 * Moves one edge of a line; its words are stretched. It stays between its neighbours, and each word keeps some time.
 *
 * @param time Seconds where the edge is wanted.
 */
export function moveEdge(
  lines: readonly CaptionLine[],
  index: number,
  edge: 'start' | 'end',
  time: number,
): CaptionLine[] {
  const line = lines[index];
  if (!line) return [...lines];
  const { from, to } = roomOf(lines, index);
  const least = line.length * leastWord;
  const [start, end] = [startOf(line), endOf(line)];
  const moved =
    edge === 'start'
      ? placed(line, bounded(time, from, Math.max(from, end - least)), end)
      : placed(line, start, bounded(time, Math.min(to, start + least), to));
  return withLines(lines, index, [moved]);
}

/**
 * Shifts a line in time, as far as its neighbours leave room; or it and all after it.
 *
 * @param by Seconds; below 0 for earlier.
 */
export function shiftLine(
  lines: readonly CaptionLine[],
  index: number,
  by: number,
  which: 'one' | 'following' = 'one',
): CaptionLine[] {
  const line = lines[index];
  if (!line) return [...lines];
  const { from, to } = roomOf(lines, index);
  const [start, end] = [startOf(line), endOf(line)];
  const most = which === 'following' ? Infinity : to - end;
  const way = bounded(by, from - start, most);
  return lines.map((one, at) => {
    const isMoved = which === 'following' ? at >= index : at === index;
    return isMoved
      ? one.map((word) => ({ ...word, start: word.start + way, end: word.end + way }))
      : one;
  });
}

/**
 * Adds a line after another one, or before the first (-1), in the gap that is there; where there is none, what follows
 * moves on.
 *
 * @param text Its words, until others are typed.
 * @param wanted Seconds where it should begin, if that lies in the gap; null = at once.
 */
export function addLine(
  lines: readonly CaptionLine[],
  after: number,
  text: string,
  wanted: number | null = null,
): CaptionLine[] {
  const [before, next] = [lines[after], lines[after + 1]];
  const from = before ? endOf(before) : 0;
  const to = next ? startOf(next) : Infinity;
  const start = wanted === null ? from : bounded(wanted, from, Math.max(from, to - leastLine));
  const end = Math.max(start + leastLine, Math.min(to, start + usualLine));
  const line = fitted(splitTime(text, start, end, null));
  if (line.length === 0) return [...lines];
  const made = [...lines.slice(0, after + 1), line, ...lines.slice(after + 1)];
  return end > to ? shiftLine(made, after + 2, end - to, 'following') : made;
}

const bounded = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(Math.max(least, most), value));
