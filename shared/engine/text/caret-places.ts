/**
 * Where a caret can stand in a laid-out text: each sign of the text as it is written, where its lines show it. For
 * typing in the picture; rendering asks for nothing of it. Pure.
 */
import type { Rect } from '../geometry.ts';
import type { TextRun } from '../layout/box.ts';
import type { PlacedLine, TextBlock, TextRoom } from './block.ts';
import { graphemesOf } from './breaks.ts';
import { caretEdgeAt } from './cuts.ts';
import type { PlacedRun } from './runs.ts';
import { WrittenSigns, type ShownSign } from './written-signs.ts';

/** A sign, from one place for a caret to the next; pixels of the element's box. */
export interface CaretSign {
  /** In the written text, UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** The same where nothing of it is seen. */
  readonly left: number;
  readonly right: number;
  /** Of a caret beside it. */
  readonly top: number;
  readonly bottom: number;
  /** Its right side is where it begins. */
  readonly rightToLeft: boolean;
}

/** A line of the picture. */
export interface CaretLine {
  /** Its first and last place in the written text; the last is the first of the next line where it was broken. */
  readonly from: number;
  readonly to: number;
  /** The place behind its last letter: before the spaces at which it was broken. */
  readonly end: number;
  readonly top: number;
  readonly bottom: number;
  /** Of a caret where there is no letter. */
  readonly empty: { readonly x: number; readonly top: number; readonly bottom: number };
  readonly rightToLeft: boolean;
  /** From left to right. */
  readonly signs: readonly CaretSign[];
}

/** All places of one text. */
export interface CaretPlaces {
  /** The text as it is written, without tags; its lines end with `\n`. */
  readonly text: string;
  readonly lines: readonly CaretLine[];
}

/** Height of a caret in font sizes. */
const caretHeight = 1.2;

/**
 * The places of a text in its block.
 *
 * @param written What is typed: the text without its tags, its lines ending with `\n`.
 */
export function caretPlaces(written: string, block: TextBlock, room: TextRoom): CaretPlaces {
  const signs = new WrittenSigns(written);
  const ends = graphemeEnds(written);
  const lines = block.lines.map((placed, index): CaretLine => {
    const from = signs.at;
    const { line, bounds } = placed;
    const reader = new LineReader(placed, block);
    const shown = signs.take(reader.letters);
    const wasAt = signs.at;
    const hanging = [...signs.take(line.hanging), ...signs.takeUnseen()];
    const isLast = index === block.lines.length - 1;
    const to =
      line.endsParagraph || isLast
        ? Math.min(written.length, signs.endParagraph())
        : Math.max(from, signs.at);
    const seen = reader.placed(together(shown, ends));
    const rest = reader.hung(together(hanging, ends), room);
    return {
      from,
      to,
      end: line.endsParagraph || isLast ? to : Math.min(to, wasAt),
      top: bounds.y,
      bottom: bounds.y + bounds.height,
      empty: {
        x: shown.length === 0 ? emptyPlace(bounds, room) : reader.edge,
        ...reader.caretOf(reader.runs[0]?.run),
      },
      rightToLeft: line.rightToLeft,
      signs: [...seen, ...rest].sort((a, b) => a.left - b.left || a.right - b.right),
    };
  });
  return { text: written, lines };
}

/**
 * Where the first letter of a line would come in. A blank line may be drawn with a space that nobody wrote, so that it
 * is somewhere: as the line is aligned in the room, so is the place in it.
 */
function emptyPlace({ x, width }: Rect, room: TextRoom): number {
  const free = room.width === null ? 0 : room.width - width;
  const share = free > 0 ? (x - room.x) / free : 0.5;
  return x + width * share;
}

/** Where each grapheme ends, by where it begins. */
function graphemeEnds(text: string): (from: number) => number {
  const ends = new Uint32Array(text.length + 1);
  let from = 0;
  for (const { length } of graphemesOf(text)) {
    ends.fill(from + length, from, from + length);
    from += length;
  }
  return (at) => ends[at] ?? at;
}

/** The signs of each grapheme as one. */
function together(signs: readonly ShownSign[], endOf: (from: number) => number): ShownSign[] {
  const joined: ShownSign[] = [];
  for (const sign of signs) {
    const last = joined.at(-1);
    if (!last || endOf(last.from) <= sign.from) joined.push(sign);
    else joined[joined.length - 1] = { ...last, to: sign.to, end: Math.max(last.end, sign.end) };
  }
  return joined;
}

/** A run in reading order, and which letters of the line it has. */
interface ReadRun {
  readonly run: TextRun;
  readonly start: number;
  readonly end: number;
  /** Joiners before its first letter. */
  readonly shift: number;
}

/** Finds the letters of one line in its runs. */
class LineReader {
  /** In reading order, without what is added for drawing. */
  readonly letters: string;
  readonly runs: readonly ReadRun[];
  readonly #placed: PlacedLine;
  readonly #block: TextBlock;

  constructor(placed: PlacedLine, block: TextBlock) {
    this.#placed = placed;
    this.#block = block;
    this.letters = placed.line.slices.map(({ text }) => text).join('');
    this.runs = readRuns(placed.runs, this.letters);
  }

  /** Where the line ends in reading direction. */
  get edge(): number {
    const { line, bounds } = this.#placed;
    return line.rightToLeft ? bounds.x : bounds.x + bounds.width;
  }

  /** Upper and lower end of a caret beside letters of a run. */
  caretOf(run: TextRun | undefined): { readonly top: number; readonly bottom: number } {
    const { styles } = this.#block.measured;
    const { bounds } = this.#placed;
    const style = run ? styles.find(({ font }) => font === run.font) : styles[0];
    if (!style) return { top: bounds.y, bottom: bounds.y + bounds.height };
    const middle = run
      ? run.y + style.rise + (style.below - style.above) / 2
      : bounds.y + bounds.height / 2;
    const half = (caretHeight * style.font.size) / 2;
    return { top: middle - half, bottom: middle + half };
  }

  /** Signs with their letters. What is not seen stands behind the sign before it. */
  placed(signs: readonly ShownSign[]): CaretSign[] {
    const { bounds, line } = this.#placed;
    const [least, most] = [bounds.x, bounds.x + bounds.width];
    const within = (x: number): number => Math.max(least, Math.min(most, x));
    const found: CaretSign[] = [];
    let last = line.rightToLeft ? most : least;
    let from = 0;
    for (const sign of signs) {
      while (from < this.runs.length - 1 && (this.runs[from]?.end ?? 0) <= sign.start) from++;
      const read = this.runs[from];
      if (!read || sign.start === sign.end) {
        const caret = this.caretOf(read?.run);
        const { rightToLeft } = line;
        found.push({
          from: sign.from,
          to: sign.to,
          left: last,
          right: last,
          ...caret,
          rightToLeft,
        });
        continue;
      }
      let [left, right] = [Infinity, -Infinity];
      // A fraction is set of several runs.
      for (let at = from; (this.runs[at]?.start ?? Infinity) < sign.end; at++) {
        const run = this.runs[at];
        if (!run) break;
        const edges = [sign.start, sign.end].map((place) => this.#edgeOf(run, place));
        left = Math.min(left, ...edges);
        right = Math.max(right, ...edges);
      }
      const rightToLeft = read.run.direction === 'rtl';
      [left, right] = [within(left), within(right)];
      const before = sign.start > read.start ? found.at(-1) : undefined;
      if (before?.to === sign.from && right - left < 0.02 * read.run.font.size) {
        // Both are one shape.
        const middle = (before.left + before.right) / 2;
        found[found.length - 1] = { ...before, [rightToLeft ? 'left' : 'right']: middle };
        [left, right] = rightToLeft ? [before.left, middle] : [middle, before.right];
      }
      last = rightToLeft ? left : right;
      const { from: first, to } = sign;
      found.push({ from: first, to, left, right, ...this.caretOf(read.run), rightToLeft });
    }
    return found;
  }

  readonly #edges = new WeakMap<ReadRun, Map<number, number>>();
  readonly #furthest = new WeakMap<ReadRun, number>();

  /** Where a letter of a run begins; letters never begin before those before them. */
  #edgeOf(read: ReadRun, place: number): number {
    const { run, start, end, shift } = read;
    const known = this.#edges.get(read) ?? new Map<number, number>();
    this.#edges.set(read, known);
    const at = Math.max(start, Math.min(end, place));
    let edge = known.get(at);
    if (edge === undefined) {
      const inRun = at === start ? 0 : at === end ? run.text.length : at - start + shift;
      const furthest = this.#furthest.get(read) ?? 0;
      edge = Math.max(furthest, Math.min(run.width, caretEdgeAt(run, inRun, this.#block.measured)));
      this.#furthest.set(read, edge);
      known.set(at, edge);
    }
    return run.direction === 'rtl' ? run.x + run.width - edge : run.x + edge;
  }

  /** Signs behind the line's last letter: in the room, if it has a width. */
  hung(signs: readonly ShownSign[], room: TextRoom): CaretSign[] {
    const { line, bounds } = this.#placed;
    const { measured } = this.#block;
    const { hanging, rightToLeft } = line;
    const style = line.slices.at(-1)?.style ?? 0;
    const caret = this.caretOf(this.runs.at(-1)?.run);
    const [least, most] =
      room.width === null
        ? [-Infinity, Infinity]
        : [Math.min(bounds.x, room.x), Math.max(bounds.x + bounds.width, room.x + room.width)];
    const edgeOf = (place: number): number => {
      const way = measured.widthOf(hanging.slice(0, place), style);
      return rightToLeft ? Math.max(least, this.edge - way) : Math.min(most, this.edge + way);
    };
    return signs.map(({ from, to, start, end }) => {
      const [one, other] = [edgeOf(start), edgeOf(end)];
      const [left, right] = [Math.min(one, other), Math.max(one, other)];
      return { from, to, left, right, ...caret, rightToLeft };
    });
  }
}

/** Runs in reading order with the letters they have; joiners that only shape them are none. */
function readRuns(placed: readonly PlacedRun[], letters: string): ReadRun[] {
  let start = 0;
  return placed
    .toSorted((a, b) => a.order - b.order)
    .map(({ run }) => {
      const { text } = run;
      const shift = text.startsWith(joiner) && !letters.startsWith(joiner, start) ? 1 : 0;
      const whole = text.slice(shift);
      const extra = whole.endsWith(joiner) && !letters.startsWith(whole, start) ? 1 : 0;
      const end = start + whole.length - extra;
      const read = { run, start, end, shift };
      start = end;
      return read;
    });
}

const joiner = '\u200d';
