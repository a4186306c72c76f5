/**
 * Line breaking: arithmetic over the widths that prepare.ts stored. Greedy, as browsers and the service do it. Spaces
 * at the end of a line hang: they take no width. A word longer than a line breaks between graphemes.
 */
import {
  graphemeWidths,
  type MeasuredChunk,
  type MeasuredPart,
  type MeasuredText,
} from './prepare.ts';

/** A part of a chunk on a line. */
export interface Slice extends MeasuredPart {
  /** Number of the word in the whole text; -1 for spaces. */
  readonly word: number;
}

/** A line before it is placed. */
export interface Line {
  readonly slices: readonly Slice[];
  /** Spaces after which the line was broken, or that end the paragraph; not drawn. */
  readonly hanging: string;
  /** Advance without the letter spacing after the last grapheme. */
  readonly width: number;
  /** True if the next line begins a paragraph, or there is none. */
  readonly endsParagraph: boolean;
  readonly rightToLeft: boolean;
}

/** Sums of measured widths differ from the measured sum by less than this; pixels. */
const tolerance = 0.01;

/**
 * Breaks a measured text into lines of at most `maxWidth` pixels (Infinity: at forced breaks only). Every paragraph has
 * at least one line. Joined, slices and hanging spaces are the text, except soft hyphens.
 */
export function breakLines(measured: MeasuredText, maxWidth: number): Line[] {
  const lines: Line[] = [];
  let word = -1;
  for (const { chunks, rightToLeft } of measured.paragraphs) {
    const row = new Row(rightToLeft, lines);
    chunks.forEach((chunk, index) => {
      if (chunk.chunk.kind === 'space') {
        row.space(chunk);
        return;
      }
      if (chunk.chunk.startsWord) word++;
      const hyphen = hyphenOf(chunk, chunks[index + 1], measured);
      const needed = chunk.width - chunk.trailing + (hyphen?.width ?? 0);
      if (row.hasWords && row.end + needed > maxWidth + tolerance) row.close(false);
      if (chunk.width - chunk.trailing > maxWidth + tolerance) {
        for (const part of chunk.parts.flatMap((part) => graphemeWidths(part, measured))) {
          const trailing = measured.styles[part.style]?.spacing ?? 0;
          if (row.hasWords && row.end + part.width - trailing > maxWidth + tolerance)
            row.close(false);
          row.add([part], trailing, word, null);
        }
      } else {
        row.add(chunk.parts, chunk.trailing, word, hyphen);
      }
    });
    row.close(true);
  }
  return lines;
}

/** Steps in which the width of balanced lines is searched: to a thousandth of the room. */
const balanceSteps = 10;

/** Lines that would get hardly narrower stay as they are. */
const leastGain = 0.05;

/** The same number of lines, as narrow as they can be: none is much shorter than the others. */
export function breakBalanced(measured: MeasuredText, maxWidth: number): Line[] {
  const greedy = breakLines(measured, maxWidth);
  if (greedy.length < 2 || maxWidth === Infinity) return greedy;
  const widest = greedy.reduce((most, { width }) => Math.max(most, width), 0);
  const mean = greedy.reduce((sum, { width }) => sum + width, 0) / greedy.length;
  let best = greedy;
  let wide = widest * (1 - leastGain);
  // A word that is broken already must not be broken more.
  let narrow = Math.max(mean, Math.min(widest, longestChunk(measured)));
  for (let step = 0; step < balanceSteps && narrow <= wide; step++) {
    const width = step === 0 ? wide : (narrow + wide) / 2;
    const lines = breakLines(measured, width);
    if (lines.length <= greedy.length) {
      best = lines;
      wide = width;
    } else if (step === 0) break;
    else narrow = width;
  }
  return best;
}

function longestChunk({ paragraphs }: MeasuredText): number {
  let longest = 0;
  for (const { chunks } of paragraphs)
    for (const { width, trailing } of chunks) longest = Math.max(longest, width - trailing);
  return longest;
}

/** Height of a line's box around its baseline: the largest of its styles. */
export function lineExtent(line: Line, { styles }: MeasuredText): { above: number; below: number } {
  let above = -Infinity;
  let below = -Infinity;
  for (const { style } of line.slices.length > 0 ? line.slices : [{ style: 0 }]) {
    const measured = styles[style];
    if (!measured) continue;
    above = Math.max(above, measured.above);
    below = Math.max(below, measured.below);
  }
  return { above, below };
}

/**
 * Widest line and height of all lines, as in `breakLines`, without making the lines: the search for a font size needs
 * this a dozen times per frame. Words longer than a line are not broken.
 */
export function extentOfLines(
  measured: MeasuredText,
  maxWidth: number,
): { width: number; height: number } {
  const { styles } = measured;
  const total = { width: 0, height: 0 };
  for (const { chunks } of measured.paragraphs) {
    const line = new LineExtent(styles, total);
    chunks.forEach((chunk, index) => {
      if (chunk.chunk.kind === 'space') {
        line.space(chunk);
        return;
      }
      const hyphen = hyphenOf(chunk, chunks[index + 1], measured)?.width ?? 0;
      const needed = chunk.width - chunk.trailing + hyphen;
      if (line.hasWords && line.end + needed > maxWidth + tolerance) line.close();
      line.word(chunk);
    });
    line.close();
  }
  return total;
}

/** The extent of the line being filled; closing it adds to the total and begins the next. */
class LineExtent {
  hasWords = false;
  /** Where the next chunk begins. */
  end = 0;
  #width = 0;
  #above = -Infinity;
  #below = -Infinity;
  /** Spaces that count once a word follows them. */
  #pending: MeasuredChunk[] = [];
  readonly #styles: MeasuredText['styles'];
  readonly #total: { width: number; height: number };

  constructor(styles: MeasuredText['styles'], total: { width: number; height: number }) {
    this.#styles = styles;
    this.#total = total;
  }

  space(chunk: MeasuredChunk): void {
    this.#pending.push(chunk);
    this.end += chunk.width;
  }

  word(chunk: MeasuredChunk): void {
    for (const space of this.#pending) this.#reach(space);
    this.#pending = [];
    this.#reach(chunk);
    this.end += chunk.width;
    this.#width = this.end - chunk.trailing;
    this.hasWords = true;
  }

  close(): void {
    const plain = this.#styles[0];
    const height = this.hasWords
      ? this.#above + this.#below
      : (plain?.above ?? 0) + (plain?.below ?? 0);
    this.#total.height += height;
    this.#total.width = Math.max(this.#total.width, this.#width);
    this.hasWords = false;
    this.end = this.#width = 0;
    this.#above = this.#below = -Infinity;
    this.#pending = [];
  }

  #reach({ parts }: MeasuredChunk): void {
    for (const { style } of parts) {
      const measured = this.#styles[style];
      if (!measured) continue;
      this.#above = Math.max(this.#above, measured.above);
      this.#below = Math.max(this.#below, measured.below);
    }
  }
}

/** The hyphen that shows if the line ends after a chunk with a soft hyphen. */
function hyphenOf(
  { chunk, parts }: MeasuredChunk,
  next: MeasuredChunk | undefined,
  measured: MeasuredText,
): MeasuredPart | null {
  const last = parts.at(-1);
  if (!chunk.softHyphen || !last || next?.chunk.kind !== 'word') return null;
  return { text: '-', style: last.style, width: measured.widthOf('-', last.style) };
}

/** The line being filled; closing it appends to `lines` and begins the next. */
class Row {
  hasWords = false;
  /** Where the next chunk begins, pending spaces included. */
  end = 0;
  private slices: Slice[] = [];
  private pending: Slice[] = [];
  private width = 0;
  private hyphen: Slice | null = null;
  private readonly rightToLeft: boolean;
  private readonly lines: Line[];

  constructor(rightToLeft: boolean, lines: Line[]) {
    this.rightToLeft = rightToLeft;
    this.lines = lines;
  }

  space({ parts, width }: MeasuredChunk): void {
    for (const part of parts) this.pending.push({ ...part, word: -1 });
    this.end += width;
    this.hyphen = null;
  }

  add(
    parts: readonly MeasuredPart[],
    trailing: number,
    word: number,
    hyphen: MeasuredPart | null,
  ): void {
    for (const slice of this.pending) this.slices.push(slice);
    this.pending = [];
    for (const part of parts) {
      this.slices.push({ ...part, word });
      this.end += part.width;
    }
    this.width = this.end - trailing;
    this.hyphen = hyphen && { ...hyphen, word };
    this.hasWords = true;
  }

  close(endsParagraph: boolean): void {
    const hyphen = endsParagraph ? null : this.hyphen;
    this.lines.push({
      slices: hyphen ? [...this.slices, hyphen] : this.slices,
      hanging: this.pending.map(({ text }) => text).join(''),
      width: this.width + (hyphen?.width ?? 0),
      endsParagraph,
      rightToLeft: this.rightToLeft,
    });
    this.slices = [];
    this.pending = [];
    this.hyphen = null;
    this.width = 0;
    this.end = 0;
    this.hasWords = false;
  }
}
