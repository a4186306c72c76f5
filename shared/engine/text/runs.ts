/**
 * Runs: neighbouring slices of one style and direction, joined so that they are measured and drawn as one stretch, in
 * visual order. Also shortens lines with an ellipsis, which needs to measure joined stretches too.
 */
import type { TextRun } from '../layout/box.ts';
import { bidiLevels, visualOrder } from './bidi.ts';
import { countGraphemes, graphemesOf, isJoined } from './breaks.ts';
import { isEmoji, mayHoldEmoji } from './emoji.ts';
import { lineExtent, type Line, type Slice } from './lines.ts';
import { inContext, type MeasuredText } from './prepare.ts';

/** The position of a word in a run's text; a word that changes its style is in several runs. */
export interface WordRange {
  readonly word: number;
  readonly start: number;
  readonly end: number;
}

/** A run on its line, with the words in it. */
export interface PlacedRun {
  readonly run: TextRun;
  readonly words: readonly WordRange[];
  /** Its place among the line's runs in reading order; runs are listed from left to right. */
  readonly order: number;
}

/** A stretch in one style, not placed yet. */
interface Stretch {
  text: string;
  readonly style: number;
  readonly words: WordRange[];
}

/** A stretch that the canvas draws in one go: one style, one direction, letters or one emoji. */
interface Segment {
  readonly text: string;
  readonly style: number;
  readonly words: readonly WordRange[];
  /** Advance in the line, kerning to the next one included. */
  width: number;
  /** Bidirectional level: odd = right to left. */
  readonly level: number;
  readonly emoji: boolean;
  /** Pixels after every grapheme. */
  readonly spacing: number;
  readonly order: number;
}

/** What a line's runs depend on. */
type LineText = Pick<Line, 'slices' | 'rightToLeft'>;

/** Width of a line as drawn: run by run, without the letter spacing after the last grapheme. */
export function drawnWidth(line: LineText, measured: MeasuredText): number {
  const segments = segmentsOf(line, measured);
  const advance = segments.reduce((sum, { width }) => sum + width, 0);
  return advance - (segments.at(-1)?.spacing ?? 0);
}

/** Places a line's runs from left to right, the left edge at `left`, all on one baseline. */
export function placeRuns(
  line: Line,
  measured: MeasuredText,
  left: number,
  baseline: number,
): PlacedRun[] {
  let x = left;
  return visualOrder(segmentsOf(line, measured)).map((segment) => {
    const { text, style: number, words, width, level, emoji, spacing, order } = segment;
    const style = measured.styles[number];
    if (!style) throw new RangeError(`Text style ${number} does not exist`);
    const run: TextRun = {
      text,
      x,
      y: baseline - style.rise,
      width,
      font: style.font,
      letterSpacing: spacing,
      color: style.style.color,
      ...(level % 2 === 1 && { direction: 'rtl' as const }),
      ...(emoji && { emoji: true as const }),
    };
    x += width;
    return { run, words, order };
  });
}

/**
 * A line's text in reading order, split where the direction changes, around every emoji, and, in spaced text, around
 * joined scripts, which are not spaced.
 */
function segmentsOf({ slices, rightToLeft }: LineText, measured: MeasuredText): Segment[] {
  const stretches = joinSlices(slices);
  const levels = bidiLevels(stretches.map(({ text }) => text).join(''), rightToLeft);
  const segments: Segment[] = [];
  let start = 0; // of the stretch, in the line
  for (const [index, { text, style, words }] of stretches.entries()) {
    const spacing = measured.styles[style]?.spacing ?? 0;
    let firstWord = 0;
    for (const { from, to, emoji } of cutsOf(text, levels?.subarray(start), spacing !== 0)) {
      const before = from === 0 ? stretches[index - 1]?.text : undefined;
      const after = to === text.length ? stretches[index + 1]?.text : undefined;
      const part = text.slice(from, to);
      const shaped = inContext(before, part, after);
      const shift = (shaped.startsWith(part) ? 0 : 1) - from;
      // Words and cuts both go from left to right.
      while ((words[firstWord]?.end ?? Infinity) <= from) firstWord++;
      let beyond = firstWord;
      while ((words[beyond]?.start ?? Infinity) < to) beyond++;
      const within = words.slice(firstWord, beyond);
      const level = levels?.[start + from] ?? 0;
      const last = segments.at(-1);
      if (last && !last.emoji && !emoji && last.level === level)
        last.width += measured.kerning(last, { text: shaped, style });
      segments.push({
        text: shaped,
        style,
        width: measured.widthOf(shaped, style),
        words: within.map(({ word, start: first, end }) => ({
          word,
          start: first <= from ? 0 : first + shift,
          end: end >= to ? shaped.length : end + shift,
        })),
        level,
        emoji,
        spacing: isJoined(part) ? 0 : spacing,
        order: segments.length,
      });
    }
    start += text.length;
  }
  return segments;
}

function cutsOf(
  text: string,
  levels: Uint8Array | undefined,
  spaced: boolean,
): { from: number; to: number; emoji: boolean }[] {
  const whole = { from: 0, to: text.length, emoji: false };
  const joined = spaced && isJoined(text);
  if (!levels && !joined && !mayHoldEmoji(text)) return [whole];
  const cuts: { from: number; to: number; emoji: boolean }[] = [];
  let from = 0;
  let last = '';
  for (const grapheme of graphemesOf(text)) {
    const cut = cuts.at(-1);
    const emoji = isEmoji(grapheme);
    const differs =
      emoji ||
      cut?.emoji !== false ||
      levels?.[from] !== levels?.[cut.from] ||
      (joined && isJoined(grapheme) !== isJoined(last));
    const to = from + grapheme.length;
    if (differs) cuts.push({ from, to, emoji });
    else cut.to = to;
    from = to;
    last = grapheme;
  }
  return cuts;
}

/**
 * Reduces lines to those that fit a box (`text_clip`): removes lines below its end, and adds an ellipsis where lines
 * were removed or a line is too wide. The first line always stays. Infinity = that side does not limit.
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

/** The longest beginning of a line that fits with an ellipsis; only the ellipsis if nothing fits. */
function withEllipsis(line: Line, measured: MeasuredText, room: number): Line {
  const total = line.slices.reduce((sum, { text }) => sum + countGraphemes(text), 0);
  let low = 0;
  let high = total;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (drawnWidth({ ...line, slices: shortened(line.slices, middle) }, measured) <= room + 0.01)
      low = middle;
    else high = middle - 1;
  }
  const slices = shortened(line.slices, low);
  const width = drawnWidth({ ...line, slices }, measured);
  return { ...line, slices, width, hanging: '', endsParagraph: true };
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
