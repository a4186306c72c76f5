/**
 * Parts of a run, each exactly where the whole run has it: what animations move and captions mark. A letter's pair
 * kerning is in the advance of the letter before it, so a letter begins at (width up to its end) − (its own width).
 * Pure.
 */
import type { TextRun } from '../layout/box.ts';
import { firstGrapheme, longestGrapheme } from './breaks.ts';
import type { MeasuredText } from './prepare.ts';

/** Part of a run, from `start` to `end` in its text. Parts that meet in the text meet in the picture. */
export function cutRun(run: TextRun, start: number, end: number, measured: MeasuredText): TextRun {
  if (start === 0 && end === run.text.length) return run;
  const before = edgeAt(run, start, measured);
  const after = edgeAt(run, end, measured);
  const offset = run.direction === 'rtl' ? run.width - after : before;
  return { ...run, text: run.text.slice(start, end), x: run.x + offset, width: after - before };
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
  return { ...before, text, x: left.x, width: before.width + after.width };
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
  const style = measured.styles.findIndex(({ font }) => font === run.font);
  let words = knownWords.get(run);
  if (!words) knownWords.set(run, (words = wordsOf(run.text, style, measured)));
  const number = lastNotAbove(words.starts, place);
  const start = words.starts[number] ?? 0;
  const edge = words.edges[number] ?? 0;
  if (start === place) return edge;
  const letter = firstGrapheme(run.text.slice(place, place + longestGrapheme));
  const through = measured.widthOf(run.text.slice(start, place + letter.length), style);
  return edge + through - measured.widthOf(letter, style);
}

/** Words and spaces are shaped apart from each other, so that their widths add up. */
function wordsOf(text: string, style: number, measured: MeasuredText): Words {
  const starts: number[] = [];
  const edges: number[] = [];
  let edge = 0;
  for (const { 0: word, index } of text.matchAll(wordOrSpace)) {
    starts.push(index);
    edges.push(edge);
    edge += measured.widthOf(word, style);
  }
  return { starts, edges };
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
