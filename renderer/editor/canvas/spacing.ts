/** Distances between moved things and those beside them, and places with equal gaps. Pure; pixels of the document. */
import type { Bounds, Point } from './plane.ts';
import type { Guide } from './snap.ts';

/** A distance to show: a line with its number. */
export interface Gap {
  /** `x`: across. */
  readonly axis: 'x' | 'y';
  readonly from: number;
  readonly to: number;
  /** Where it lies on the other axis. */
  readonly at: number;
  /** Another one beside it is as long. */
  readonly equal: boolean;
}

/** A thing along one axis: its edges there, and its edges on the other axis. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly low: number;
  readonly high: number;
}

const spanOn = ({ left, right, top, bottom }: Bounds, axis: 'x' | 'y'): Span =>
  axis === 'x'
    ? { start: left, end: right, low: top, high: bottom }
    : { start: top, end: bottom, low: left, high: right };

/** Two lie beside each other, not past each other. */
const meets = (a: Span, b: Span): boolean => a.low < b.high && b.low < a.high;

/** Of two edges that are the same. */
const tolerance = 0.5;

/** The nearest before and behind a thing. */
function beside(span: Span, others: readonly Span[]): { before?: Span; behind?: Span } {
  const met = others.filter((one) => meets(span, one));
  const before = met
    .filter(({ end }) => end <= span.start + tolerance)
    .reduce<Span | undefined>((best, one) => (best && best.end >= one.end ? best : one), undefined);
  const behind = met
    .filter(({ start }) => start >= span.end - tolerance)
    .reduce<Span | undefined>(
      (best, one) => (best && best.start <= one.start ? best : one),
      undefined,
    );
  return { ...(before && { before }), ...(behind && { behind }) };
}

/** The gaps that a thing has in a row of three: its own, and the other one that should be as long. */
function rowsOf(span: Span, others: readonly Span[]): readonly (readonly [Span, Span, Span])[] {
  const { before, behind } = beside(span, others);
  const rows: (readonly [Span, Span, Span])[] = [];
  if (before && behind) rows.push([before, span, behind]);
  const first = before && beside(before, others).before;
  if (before && first) rows.push([first, before, span]);
  const last = behind && beside(behind, others).behind;
  if (behind && last) rows.push([span, behind, last]);
  return rows;
}

/** How far the moved one of a row is from equal gaps. */
function offBy([a, b, c]: readonly [Span, Span, Span], moved: Span): number {
  const [first, second] = [b.start - a.end, c.start - b.end];
  if (moved === b) return (second - first) / 2;
  return moved === c ? first - second : second - first;
}

/** The way to equal gaps on one axis; 0 if there are none within reach. */
export function toEqualGaps(
  bounds: Bounds,
  others: readonly Bounds[],
  axis: 'x' | 'y',
  reach: number,
): number {
  const span = spanOn(bounds, axis);
  const ways = rowsOf(
    span,
    others.map((one) => spanOn(one, axis)),
  ).map((row) => {
    const off = offBy(row, span);
    // As the first of a row, it comes nearer by going on.
    return row[0] === span ? -off : off;
  });
  const near = ways.filter((way) => Math.abs(way) <= reach);
  return near.reduce((best, way) => (best === 0 || Math.abs(way) < Math.abs(best) ? way : best), 0);
}

const gap = (axis: 'x' | 'y', a: Span, b: Span, equal: boolean): Gap => ({
  axis,
  from: a.end,
  to: b.start,
  at: (Math.max(a.low, b.low) + Math.min(a.high, b.high)) / 2,
  equal,
});

/** The distances to show for moved bounds: equal gaps, and those along guides to the nearest thing on them. */
export function gapsOf(
  bounds: Bounds,
  others: readonly Bounds[],
  guides: readonly Guide[],
): readonly Gap[] {
  return (['x', 'y'] as const).flatMap((axis): readonly Gap[] => {
    const span = spanOn(bounds, axis);
    const spans = others.map((one) => spanOn(one, axis));
    const rows = rowsOf(span, spans).filter(
      (row) => Math.abs(offBy(row, span)) <= tolerance && row[1].start - row[0].end > tolerance,
    );
    if (rows.length > 0)
      return rows.flatMap(([a, b, c]) => [gap(axis, a, b, true), gap(axis, b, c, true)]);
    // An upright guide has things above each other on it.
    if (!guides.some((guide) => guide.axis !== axis)) return [];
    const { before, behind } = beside(span, spans);
    return [
      ...(before ? [gap(axis, before, span, false)] : []),
      ...(behind ? [gap(axis, span, behind, false)] : []),
    ].filter(({ from, to }) => to - from > tolerance);
  });
}

/** The distances from one thing to another: between them where they are apart, else to its edges around them. */
export function distances(from: Bounds, to: Bounds): readonly Gap[] {
  return (['x', 'y'] as const).flatMap((axis): readonly Gap[] => {
    const [a, b] = [spanOn(from, axis), spanOn(to, axis)];
    const at = (a.low + a.high) / 2;
    const line = (start: number, end: number): Gap[] =>
      end - start > tolerance ? [{ axis, from: start, to: end, at, equal: false }] : [];
    if (b.start >= a.end) return line(a.end, b.start);
    if (b.end <= a.start) return line(b.end, a.start);
    return [
      ...line(Math.min(a.start, b.start), Math.max(a.start, b.start)),
      ...line(Math.min(a.end, b.end), Math.max(a.end, b.end)),
    ];
  });
}

/** Where the number of a gap stands. */
export const middleOf = ({ axis, from, to, at }: Gap): Point =>
  axis === 'x' ? { x: (from + to) / 2, y: at } : { x: at, y: (from + to) / 2 };
