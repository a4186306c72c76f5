/**
 * Splits a laid-out page of captions into the parts that its effect marks: letters, words, lines or all of it. Pure. A
 * run may contain many words and a word several runs, so the letters of both are counted in parallel.
 */
import type { Color, TextValues } from '../compile/property-values.ts';
import type { CaptionPage, Captions } from '../compile/timeline.ts';
import { enclosing, type Rect } from '../geometry.ts';
import type { PlacedLine, TextBlock } from '../text/block.ts';
import { graphemesOf, isJoined } from '../text/breaks.ts';
import { nonJoiner, segmentText } from '../text/prepare.ts';
import { cutRun } from '../text/cuts.ts';
import { figuresOf } from '../figure-signs.ts';
import type { TextRun } from './box.ts';

/** The portion of a part on one line. */
export interface PartRow {
  readonly runs: readonly TextRun[];
  /** The same in the accent colour. */
  readonly accentRuns: readonly TextRun[];
  /** Advance × line box. */
  readonly bounds: Rect;
  /** Number of its line among those with text. */
  readonly line: number;
  readonly rightToLeft: boolean;
}

/** A part that is marked as one. */
export interface Part {
  /** In reading order. */
  readonly rows: readonly PartRow[];
  readonly bounds: Rect;
  readonly fontSize: number;
  /** Seconds of the element's clock in which it is spoken. */
  readonly start: number;
  readonly end: number;
}

/** A stretch of one word in one run. */
interface Stretch {
  readonly run: TextRun;
  readonly line: number;
  readonly word: number;
}

/** The parts of a page in reading order. */
export function partsOf(
  block: TextBlock,
  page: CaptionPage,
  split: Captions['split'],
  transform: TextValues['textTransform'],
  accent: Color,
): Part[] {
  const lines = block.lines.filter(({ runs }) => runs.length > 0);
  const stretches = stretchesOf(block, lines, page, transform);
  const make = (members: readonly Stretch[], start: number, end: number): Part =>
    partOf(members, lines, accent, start, end);
  const wordTime = (word: number): readonly [number, number] => {
    const { start, end } = page.words[word] ?? page;
    return [start, end];
  };

  switch (split) {
    case 'none':
      return stretches.length > 0
        ? [make(stretches, page.start, page.words.at(-1)?.end ?? page.end)]
        : [];
    case 'line':
      return groups(stretches, ({ line }) => line).map((members) => {
        const spoken = members.map(({ word }) => wordTime(word));
        const start = spoken.reduce((least, [first]) => Math.min(least, first), Infinity);
        const end = spoken.reduce((most, [, last]) => Math.max(most, last), -Infinity);
        return make(members, start, end);
      });
    case 'word':
      return groups(stretches, ({ word, line }) => `${word} ${line}`).map((members) =>
        make(members, ...wordTime(members[0]?.word ?? 0)),
      );
    case 'letter':
      return groups(stretches, ({ word }) => word).flatMap((members) => {
        const letters = members.flatMap((stretch) => lettersOf(stretch, block));
        const [start, end] = wordTime(members[0]?.word ?? 0);
        const step = (end - start) / letters.length;
        return letters.map((letter, index) =>
          make([letter], start + index * step, start + (index + 1) * step),
        );
      });
  }
}

/** Cuts the runs of all lines at the borders of words, in reading order. */
function stretchesOf(
  block: TextBlock,
  lines: readonly PlacedLine[],
  page: CaptionPage,
  transform: TextValues['textTransform'],
): Stretch[] {
  const counts = page.words.map(({ text }) => printedLength(text, transform));
  const stretches: Stretch[] = [];
  let word = 0;
  let left = counts[0] ?? 0;
  lines.forEach(({ runs }, line) => {
    for (const { run } of runs.toSorted((a, b) => a.order - b.order)) {
      let start = -1;
      let index = 0;
      const close = (end: number): void => {
        if (start >= 0) {
          const cut = cutRun(run, start, end, block.measured);
          stretches.push({ run: cut, line, word });
        }
        start = -1;
      };
      for (const character of run.text) {
        if (isBlank(character)) close(index);
        else if (character !== nonJoiner) {
          if (left === 0 && word < counts.length - 1) {
            close(index);
            while (left === 0 && word < counts.length - 1) left = counts[++word] ?? 0;
          }
          left = Math.max(0, left - figuresOf(character));
          if (start < 0) start = index;
        }
        index += character.length;
      }
      close(index);
    }
  });
  return stretches;
}

/** Drawn characters of a word: without markup, soft hyphens, joiners and spaces; capitals may be more. */
function printedLength(text: string, transform: TextValues['textTransform']): number {
  let count = 0;
  for (const { chunks } of segmentText(text, transform).paragraphs)
    for (const { parts } of chunks)
      for (const part of parts)
        for (const character of part.text)
          if (!isBlank(character) && character !== nonJoiner) count += figuresOf(character);
  return count;
}

function isBlank(character: string): boolean {
  return /\s/u.test(character);
}

/** Letters of joined scripts stay together: apart they would change shape. */
function lettersOf(stretch: Stretch, block: TextBlock): Stretch[] {
  const { run } = stretch;
  if (isJoined(run.text) || run.emoji) return [stretch];
  let start = 0;
  return graphemesOf(run.text).map((letter) => {
    const end = start + letter.length;
    const cut = cutRun(run, start, end, block.measured);
    start = end;
    return { ...stretch, run: cut };
  });
}

function partOf(
  members: readonly Stretch[],
  lines: readonly PlacedLine[],
  accent: Color,
  start: number,
  end: number,
): Part {
  const rows = groups(members, ({ line }) => line).map((row): PartRow => {
    const line = row[0]?.line ?? 0;
    const runs = row.map(({ run }) => run);
    const { y, height } = lines[line]?.bounds ?? { y: 0, height: 0 };
    const { x, width } = enclosing(
      runs.map((run) => ({ x: run.x, y, width: run.width - run.letterSpacing, height })),
    );
    return {
      runs,
      accentRuns: runs.map((run) => ({ ...run, color: accent })),
      bounds: { x, y, width: Math.max(0, width), height },
      line,
      rightToLeft: runs[0]?.direction === 'rtl',
    };
  });
  return {
    rows,
    bounds: enclosing(rows.map(({ bounds }) => bounds)),
    fontSize: members[0]?.run.font.size ?? 0,
    start,
    end,
  };
}

/** Groups neighbours with the same key. */
function groups<T>(items: readonly T[], keyOf: (item: T) => string | number): T[][] {
  const found: T[][] = [];
  let last: string | number | null = null;
  for (const item of items) {
    const key = keyOf(item);
    if (key === last) found.at(-1)?.push(item);
    else found.push([item]);
    last = key;
  }
  return found;
}
