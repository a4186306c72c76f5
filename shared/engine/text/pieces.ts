/**
 * The parts of a laid-out text that text animations move separately: lines, words, letters. Each has its run stretches
 * and its extent. Pure; compile/text-animations.ts decides what happens to a piece.
 */
import type { TextRun } from '../layout/box.ts';
import { enclosing, type Rect } from '../geometry.ts';
import type { PlacedLine, TextBlock } from './block.ts';
import { graphemesOf, isJoined } from './breaks.ts';
import { cutRun } from './cuts.ts';
import type { PlacedRun } from './runs.ts';

/** How a text is split; null = not at all. */
export type Split = 'line' | 'word' | 'letter' | null;

/** One piece. */
export interface Piece {
  readonly runs: readonly TextRun[];
  /** Advance × line box. */
  readonly bounds: Rect;
  /** Font size of its first run, document pixels. */
  readonly fontSize: number;
  /** Numbers of its line, word and letter; pieces are numbered in reading order. */
  readonly place: { readonly line: number; readonly word: number; readonly letter: number };
}

/** From coarse to fine: every piece of a finer cut lies within one of a coarser cut. */
const fineness: readonly Split[] = [null, 'line', 'word', 'letter'];

/** The finer of two cuts. */
export function finerSplit(a: Split, b: Split): Split {
  return fineness.indexOf(a) > fineness.indexOf(b) ? a : b;
}

/** The number of the coarser piece in which a piece lies. */
export function numberIn({ place }: Piece, split: Split): number {
  return split === null ? 0 : place[split];
}

/** Cuts a text. Lines without text have no piece; spaces between words belong to none if words or letters move. */
export function splitBlock(block: TextBlock, split: Split): Piece[] {
  const written = block.lines.filter(({ runs }) => runs.length > 0);
  if (split === null) {
    const runs = written.flatMap((line) => line.runs.map(({ run }) => run));
    return runs.length > 0 ? [pieceOf(runs, block.bounds, 0, 0, 0)] : [];
  }
  if (split === 'line') {
    return written.map(({ runs, bounds }, line) =>
      pieceOf(
        runs.map(({ run }) => run),
        bounds,
        line,
        line,
        line,
      ),
    );
  }
  const pieces: Piece[] = [];
  let word = -1;
  for (const [lineNumber, line] of written.entries()) {
    for (const stretches of wordsOf(line)) {
      word++;
      const cut = stretches.map(({ run, start, end }) => cutRun(run, start, end, block.measured));
      if (split === 'word') {
        pieces.push(pieceOf(cut, runBounds(cut, line), lineNumber, word, word));
        continue;
      }
      for (const run of cut) {
        for (const letter of lettersOf(run, block)) {
          pieces.push(
            pieceOf([letter], runBounds([letter], line), lineNumber, word, pieces.length),
          );
        }
      }
    }
  }
  return pieces;
}

function pieceOf(
  runs: readonly TextRun[],
  bounds: Rect,
  line: number,
  word: number,
  letter: number,
): Piece {
  return { runs, bounds, fontSize: runs[0]?.font.size ?? 0, place: { line, word, letter } };
}

/** The words of a line in reading order, each with the stretches of runs that it is made of. */
function wordsOf({ runs }: PlacedLine): { run: TextRun; start: number; end: number }[][] {
  const words: { run: TextRun; start: number; end: number }[][] = [];
  let last = -1;
  for (const { run, words: ranges } of inReadingOrder(runs)) {
    for (const { word, start, end } of ranges) {
      if (word === last) words.at(-1)?.push({ run, start, end });
      else words.push([{ run, start, end }]);
      last = word;
    }
  }
  return words;
}

/** Runs are listed from the left, but stretches of right-to-left scripts are read from the right. */
function inReadingOrder(runs: readonly PlacedRun[]): readonly PlacedRun[] {
  return runs.toSorted((a, b) => a.order - b.order);
}

/** Letters of joined scripts stay together: apart they would change shape. */
function lettersOf(run: TextRun, block: TextBlock): TextRun[] {
  if (isJoined(run.text)) return [run];
  let start = 0;
  return graphemesOf(run.text).map((letter) => {
    const end = start + letter.length;
    const cut = cutRun(run, start, end, block.measured);
    start = end;
    return cut;
  });
}

function runBounds(runs: readonly TextRun[], { bounds }: PlacedLine): Rect {
  const { y, height } = bounds;
  const { x, width } = enclosing(runs.map((run) => ({ x: run.x, y, width: run.width, height })));
  return { x, y, width, height };
}
