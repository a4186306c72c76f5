/**
 * Runs: neighbouring slices of one style, joined so that they are measured and drawn as one stretch. Also cutting a line
 * short with an ellipsis, which has to measure joined stretches too.
 */
import type { TextRun } from '../layout/box.ts';
import { countGraphemes, graphemesOf } from './breaks.ts';
import { lineExtent, type Line, type Slice } from './lines.ts';
import type { MeasuredText } from './prepare.ts';

/** Where a word lies inside a run's text; a word that changes its style lies in several runs. */
export interface WordRange {
  readonly word: number;
  readonly start: number;
  readonly end: number;
}

/** A run on its line, with the words in it. */
export interface PlacedRun {
  readonly run: TextRun;
  readonly words: readonly WordRange[];
}

/** A stretch in one style, not placed yet. */
interface Stretch {
  text: string;
  readonly style: number;
  readonly words: WordRange[];
}

/** Width of a line as drawn: run by run, without the letter spacing after the last grapheme. */
export function drawnWidth(slices: readonly Slice[], measured: MeasuredText): number {
  const stretches = joinSlices(slices);
  const last = stretches.at(-1);
  const advance = stretches.reduce(
    (sum, { text, style }) => sum + measured.widthOf(text, style),
    0,
  );
  return advance - (last ? (measured.styles[last.style]?.spacing ?? 0) : 0);
}

/** Places a line's runs, the left edge at `left`, all on one baseline. A right-to-left line begins on its right. */
export function placeRuns(
  { slices, rightToLeft }: Line,
  measured: MeasuredText,
  left: number,
  baseline: number,
): PlacedRun[] {
  let x = left;
  const stretches = joinSlices(slices);
  if (rightToLeft) stretches.reverse();
  return stretches.map(({ text, style: number, words }) => {
    const style = measured.styles[number];
    if (!style) throw new RangeError(`Text style ${number} does not exist`);
    const width = measured.widthOf(text, number);
    const run: TextRun = {
      text,
      x,
      y: baseline,
      width,
      font: style.font,
      letterSpacing: style.spacing,
      color: style.style.color,
      ...(rightToLeft && { direction: 'rtl' as const }),
    };
    x += width;
    return { run, words };
  });
}

/** Part of a run, placed where the whole run has it: by prefix widths, so that kerning and ligatures hold. */
export function cutRun(run: TextRun, start: number, end: number, measured: MeasuredText): TextRun {
  if (start === 0 && end === run.text.length) return run;
  const style = measured.styles.findIndex(({ font }) => font === run.font);
  const before = measured.widthOf(run.text.slice(0, start), style);
  const after = measured.widthOf(run.text.slice(0, end), style);
  const offset = run.direction === 'rtl' ? run.width - after : before;
  return { ...run, text: run.text.slice(start, end), x: run.x + offset, width: after - before };
}

/**
 * Cuts lines to what fits a box (`text_clip`): lines below its end go, and where lines went or a line is too wide, it
 * ends with an ellipsis. The first line always stays. Infinity = that side does not limit.
 */
export function clipLines(
  lines: readonly Line[],
  measured: MeasuredText,
  width: number,
  height: number,
): Line[] {
  let bottom = 0;
  const cut = lines.findIndex((line, index) => {
    const { above, below } = lineExtent(line, measured);
    bottom += above + below;
    return index > 0 && bottom > height + 0.01;
  });
  const kept = cut < 0 ? [...lines] : lines.slice(0, cut);
  return kept.map((line, index) => {
    const goesOn = cut >= 0 && index === kept.length - 1;
    return goesOn || line.width > width + 0.01 ? withEllipsis(line, measured, width) : line;
  });
}

/** The longest beginning of a line that fits together with an ellipsis; the ellipsis stays when nothing fits. */
function withEllipsis(line: Line, measured: MeasuredText, width: number): Line {
  const total = line.slices.reduce((sum, { text }) => sum + countGraphemes(text), 0);
  let low = 0;
  let high = total;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (drawnWidth(shortened(line.slices, middle), measured) <= width + 0.01) low = middle;
    else high = middle - 1;
  }
  const slices = shortened(line.slices, low);
  return { ...line, slices, width: drawnWidth(slices, measured), hanging: '', endsParagraph: true };
}

/** The first `count` graphemes and an ellipsis in the style of the last one kept; no space before it. */
function shortened(slices: readonly Slice[], count: number): Slice[] {
  const kept: Slice[] = [];
  let left = count;
  for (const slice of slices) {
    if (left <= 0) break;
    const graphemes = graphemesOf(slice.text);
    const text = graphemes.slice(0, left).join('');
    left -= graphemes.length;
    kept.push({ ...slice, text });
  }
  while (kept.length > 1 && kept.at(-1)?.word === -1) kept.pop();
  const last = kept.at(-1) ?? slices[0];
  kept.push({ text: '…', style: last?.style ?? 0, word: Math.max(0, last?.word ?? 0), width: 0 });
  return kept;
}

function joinSlices(slices: readonly Slice[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { text, style, word } of slices) {
    let stretch = stretches.at(-1);
    if (stretch?.style !== style) {
      stretch = { text: '', style, words: [] };
      stretches.push(stretch);
    }
    const start = stretch.text.length;
    stretch.text += text;
    const end = stretch.text.length;
    const known = stretch.words.at(-1);
    if (word < 0) continue;
    if (known?.word === word)
      stretch.words[stretch.words.length - 1] = { word, start: known.start, end };
    else stretch.words.push({ word, start, end });
  }
  return stretches;
}
