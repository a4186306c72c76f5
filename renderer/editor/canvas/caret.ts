/** A caret and a selection over the places that the layout knows: arithmetic for typing in the picture. Pure. */
import type {
  CaretLine,
  CaretPlaces,
  CaretSign,
} from '../../../shared/engine/text/caret-places.ts';
import { segmentsIn } from '../../../shared/segments.ts';
import type { Point } from './plane.ts';

/** A place in the text that is typed. */
export interface Caret {
  /** UTF-16 units before it. */
  readonly at: number;
  /** At a place where a line was broken: behind the letters of the upper line. */
  readonly upper: boolean;
}

/** A caret as it is drawn, pixels of the element's box. */
export interface CaretStroke {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Stretch {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Letters of a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const startOf = ({ rightToLeft, left, right }: CaretSign): number => (rightToLeft ? right : left);
const endOf = ({ rightToLeft, left, right }: CaretSign): number => (rightToLeft ? left : right);

function lineNumber({ lines }: CaretPlaces, { at, upper }: Caret): number {
  const holds = ({ from, to }: CaretLine): boolean => from <= at && at <= to;
  const found = upper ? lines.findIndex(holds) : lines.findLastIndex(holds);
  return found < 0 ? lines.length - 1 : found;
}

/** Where a caret is drawn; null without lines. Behind the last letter that is seen where it is cut off. */
export function strokeAt(places: CaretPlaces, caret: Caret): CaretStroke | null {
  const line = places.lines[lineNumber(places, caret)];
  if (!line) return null;
  const { at } = caret;
  // A place inside of a sign is before it.
  const read = line.signs.filter(({ to }) => to <= at);
  const before = read.reduce<CaretSign | null>(
    (last, sign) => (!last || sign.from > last.from ? sign : last),
    null,
  );
  if (before) return { ...before, x: endOf(before) };
  const next = line.signs.reduce<CaretSign | null>(
    (first, sign) => (!first || sign.from < first.from ? sign : first),
    null,
  );
  return next ? { ...next, x: startOf(next) } : line.empty;
}

/** The place that is nearest to a point of the element's box. */
export function nearestPlace(places: CaretPlaces, { x, y }: Point): Caret {
  const away = ({ top, bottom }: CaretLine): number => Math.max(top - y, y - bottom, 0);
  const line = places.lines.reduce<CaretLine | null>(
    (nearest, one) => (!nearest || away(one) < away(nearest) ? one : nearest),
    null,
  );
  return line ? placeInLine(line, x) : { at: 0, upper: false };
}

function placeInLine(line: CaretLine, x: number): Caret {
  const away = ({ left, right }: CaretSign): number => Math.max(left - x, x - right, 0);
  const seen = line.signs.filter(({ from, left, right }) => from < line.end && right > left);
  const sign = seen.reduce<CaretSign | null>(
    (nearest, one) => (!nearest || away(one) < away(nearest) ? one : nearest),
    null,
  );
  if (!sign) return { at: line.from, upper: false };
  const isLeft = x < (sign.left + sign.right) / 2;
  const at = isLeft === sign.rightToLeft ? sign.to : sign.from;
  return { at, upper: at === line.to && at > line.from };
}

/** The place a line further up or down, as near as possible to `x`; an end of the text where there is no line. */
export function placeInNextLine(places: CaretPlaces, caret: Caret, way: 1 | -1, x: number): Caret {
  const line = places.lines[lineNumber(places, caret) + way];
  return line ? placeInLine(line, x) : { at: way < 0 ? 0 : places.text.length, upper: false };
}

/** Beginning or end of a caret's line. */
export function endOfLine(places: CaretPlaces, caret: Caret, side: 'start' | 'end'): Caret {
  const line = places.lines[lineNumber(places, caret)];
  if (!line) return caret;
  if (side === 'start') return { at: line.from, upper: false };
  return { at: line.end, upper: line.end === line.to && line.end > line.from };
}

/** Share of a line's height that stands for a selected line end. */
const lineEndWidth = 0.18;

/** What is selected between two places: stretches of lines, from left to right in each. */
export function stretchesOf({ lines, text }: CaretPlaces, { from, to }: Range): Stretch[] {
  return lines.flatMap((line) => {
    const { top, bottom } = line;
    const found: Stretch[] = [];
    for (const sign of line.signs) {
      if (sign.from >= to || sign.to <= from || sign.left === sign.right) continue;
      const last = found.at(-1);
      if (last && sign.left - last.right < 0.5)
        found[found.length - 1] = { ...last, right: Math.max(last.right, sign.right) };
      else found.push({ left: sign.left, right: sign.right, top, bottom });
    }
    if (!(from <= line.to && line.to < to) || text[line.to] !== '\n') return found;
    const width = lineEndWidth * (bottom - top);
    const edge = line.signs.length === 0 ? line.empty.x : edgeOf(line);
    return [
      ...found,
      line.rightToLeft
        ? { left: edge - width, right: edge, top, bottom }
        : { left: edge, right: edge + width, top, bottom },
    ];
  });
}

/** Where a line's letters end in its direction. */
const edgeOf = ({ signs, rightToLeft }: CaretLine): number =>
  rightToLeft
    ? Math.min(...signs.map(({ left }) => left))
    : Math.max(...signs.map(({ right }) => right));

/** The text's box, and around it the letters that stand outside of it. */
export function extentOf({ lines }: CaretPlaces, width: number, height: number): Stretch {
  let [left, right, top, bottom] = [0, width, 0, height];
  for (const line of lines) {
    top = Math.min(top, line.top);
    bottom = Math.max(bottom, line.bottom);
    left = Math.min(left, line.empty.x, line.signs[0]?.left ?? 0);
    right = Math.max(right, line.empty.x, line.signs.at(-1)?.right ?? 0);
  }
  return { left, right, top, bottom };
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** What two and three clicks select: a word, or a paragraph; after one click, nothing. */
export function rangeAround(text: string, at: number, clicks: number): Range {
  if (clicks < 2) return { from: at, to: at };
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at);
  const to = next < 0 ? text.length : next;
  if (clicks > 2) return { from, to };
  let word: Range = { from: at, to: at };
  for (const { segment, index } of segmentsIn(words, text.slice(from, to))) {
    const start = from + index;
    if (start > at || (start === at && word.to > word.from && !/[\p{L}\p{N}]/u.test(segment)))
      break;
    word = { from: start, to: start + segment.length };
  }
  return word;
}

/** Where letters were typed, for a text that was changed elsewhere: behind what is new. */
export function placeOfChange(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let end = 0;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return after.length - end;
}
