/**
 * Parts of a run, each exactly where the whole run has it: what animations move and captions mark. A letter's pair
 * kerning is in the advance of the letter before it, so a letter begins at (width up to its end) − (its own width).
 * Pure.
 */
import type { TextRun, WordAround } from '../layout/box.ts';
import { countGraphemes, firstGrapheme, joinsAcross, longestGrapheme } from './breaks.ts';
import { nonJoiner, type MeasuredText } from './prepare.ts';

/** Part of a run, from `start` to `end` in its text. Parts that meet in the text meet in the picture. */
export function cutRun(run: TextRun, start: number, end: number, measured: MeasuredText): TextRun {
  if (start === 0 && end === run.text.length) return run;
  const before = edgeAt(run, start, measured);
  const after = edgeAt(run, end, measured);
  const offset = run.direction === 'rtl' ? run.width - after : before;
  const cut = {
    ...run,
    text: run.text.slice(start, end),
    x: run.x + offset,
    width: after - before,
  };
  const around = wordAround(run, start, end, measured);
  return around ? { ...cut, around } : cut;
}

/** Units of the longest word whose letters are drawn among the others; each is drawn with all of them. */
const longestAround = 64;

/** The word of a cut that is a part of one whose letters move; undefined for other cuts. */
function wordAround(
  run: TextRun,
  start: number,
  end: number,
  measured: MeasuredText,
): WordAround | undefined {
  // Letter-spaced text has no such forms.
  if (run.direction === 'rtl' || run.emoji || run.letterSpacing !== 0) return undefined;
  const { starts, edges } = wordsIn(run, measured);
  const number = lastNotAbove(starts, start);
  const [from = 0, to = run.text.length] = starts.slice(number, number + 2);
  if (end > to || end - start === to - from || to - from > longestAround) return undefined;
  const text = run.text.slice(from, to);
  if (!text.includes(nonJoiner)) return undefined;
  const x = run.x + (edges[number] ?? 0);
  const first = countLetters(run.text.slice(from, start));
  return {
    text,
    x,
    first,
    count: countLetters(run.text.slice(start, end)),
    letters: countLetters(text),
  };
}

function countLetters(text: string): number {
  return countGraphemes(text.replaceAll(nonJoiner, ''));
}

/** Two neighbouring parts of a run as one; null if they don't meet or are drawn differently. */
export function joinRuns(before: TextRun, after: TextRun): TextRun | null {
  const looksAlike =
    before.font === after.font &&
    before.y === after.y &&
    before.letterSpacing === after.letterSpacing &&
    before.color === after.color &&
    before.direction === after.direction &&
    !before.emoji &&
    !after.emoji;
  const [left, right] = before.direction === 'rtl' ? [after, before] : [before, after];
  if (!looksAlike || Math.abs(left.x + left.width - right.x) > 1e-6) return null;
  const text = before.text + after.text;
  const { around, ...plain } = before;
  const joined = { ...plain, text, x: left.x, width: before.width + after.width };
  const next = after.around;
  const isOneWord = around && next && around.x === next.x && around.text === next.text;
  if (!isOneWord) return joined;
  const count = around.count + next.count;
  return count === around.letters ? joined : { ...joined, around: { ...around, count } };
}

/** Where the words of a run begin in its text, and how far from its beginning they are drawn. */
interface Words {
  readonly starts: readonly number[];
  readonly edges: readonly number[];
}

const knownWords = new WeakMap<TextRun, Words>();

/** Units after which an endless word is measured from its middle, because measuring every beginning is quadratic. */
const longestWord = 200;

/** How far from the beginning of a run, in reading direction, the letter at a place begins. */
function edgeAt(run: TextRun, place: number, measured: MeasuredText): number {
  if (place === 0) return 0;
  if (place >= run.text.length) return run.width;
  const style = styleOf(run, measured);
  const { start, edge } = wordAt(run, place, measured);
  if (start === place) return edge;
  const letter = firstGrapheme(run.text.slice(place, place + longestGrapheme));
  const through = measured.widthOf(run.text.slice(start, place + letter.length), style);
  return edge + through - measured.widthOf(letter, style);
}

/**
 * The same for a place between two letters that may be joined, for a caret: each letter keeps the shape that it has in
 * its word.
 */
export function caretEdgeAt(run: TextRun, place: number, measured: MeasuredText): number {
  if (place <= 0 || place >= run.text.length) return edgeAt(run, place, measured);
  const { start, edge } = wordAt(run, place, measured);
  const before = run.text.slice(start, place);
  const after = run.text.slice(place, place + longestGrapheme);
  if (!joinsAcross(before, after)) return edgeAt(run, place, measured);
  // A stroke that is a letter of its script joins in whatever font draws it; a joiner may be taken from another one.
  const style = styleOf(run, measured);
  return edge + measured.widthOf(before + joinStroke, style) - measured.widthOf(joinStroke, style);
}

/** Lengthens the joint between two letters. */
const joinStroke = '\u0640';

/** Where the word begins that a place is in, in the run's text and from its beginning. */
function wordAt(
  run: TextRun,
  place: number,
  measured: MeasuredText,
): { readonly start: number; readonly edge: number } {
  const words = wordsIn(run, measured);
  const number = lastNotAbove(words.starts, place);
  return { start: words.starts[number] ?? 0, edge: words.edges[number] ?? 0 };
}

function styleOf(run: TextRun, measured: MeasuredText): number {
  return measured.styles.findIndex(({ font }) => font === run.font);
}

/** Words and spaces are shaped apart from each other, so that their widths add up. */
function wordsIn(run: TextRun, measured: MeasuredText): Words {
  const known = knownWords.get(run);
  if (known) return known;
  const style = styleOf(run, measured);
  const starts: number[] = [];
  const edges: number[] = [];
  let edge = 0;
  for (const { 0: word, index } of run.text.matchAll(wordOrSpace)) {
    starts.push(index);
    edges.push(edge);
    edge += measured.widthOf(word, style);
  }
  const words = { starts, edges };
  knownWords.set(run, words);
  return words;
}

/** A space, or a word up to `longestWord`, not cut between the two halves of a character. */
const wordOrSpace = new RegExp(` |[^ ]{1,${longestWord}}`, 'gu');

/** The last number of an ascending list that is at most `value`. */
function lastNotAbove(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= value) low = middle;
    else high = middle;
  }
  return low;
}
