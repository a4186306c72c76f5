/** Lines that moved edges snap to, and the guides that show them. Pure; pixels of the document. */
import type { Bounds, Point } from './plane.ts';

/** A line to show where edges meet, from the first thing that meets there to the last. */
export interface Guide {
  /** `x`: an upright line at that place. */
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Edges and middles of one thing on one axis, with how far it reaches on the other. */
interface Line {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** What edges can snap to. */
export interface SnapLines {
  readonly x: readonly Line[];
  readonly y: readonly Line[];
}

/** The lines of the picture and of other elements. */
export function snapLinesOf(bounds: readonly Bounds[]): SnapLines {
  return {
    x: bounds.flatMap(({ left, right, top, bottom }) =>
      [left, (left + right) / 2, right].map((at) => ({ at, from: top, to: bottom })),
    ),
    y: bounds.flatMap(({ left, right, top, bottom }) =>
      [top, (top + bottom) / 2, bottom].map((at) => ({ at, from: left, to: right })),
    ),
  };
}

/** The distance from one of the places to the nearest line, if within reach. */
function nearest(lines: readonly Line[], places: readonly number[], reach: number): number | null {
  let best: number | null = null;
  for (const { at } of lines) {
    for (const place of places) {
      const by = at - place;
      if (Math.abs(by) <= reach && (best === null || Math.abs(by) < Math.abs(best))) best = by;
    }
  }
  return best;
}

/** Which edges of the moved bounds snap: all for a move; those that the handle moves for a resize. */
export interface SnappedEdges {
  readonly x: readonly ('left' | 'middle' | 'right')[];
  readonly y: readonly ('top' | 'middle' | 'bottom')[];
}

/** All edges and both middles. */
export const allEdges: SnappedEdges = {
  x: ['left', 'middle', 'right'],
  y: ['top', 'middle', 'bottom'],
};

/** The way from the bounds to the nearest lines, and the guides of all lines that they are on afterwards. */
export function snap(
  bounds: Bounds,
  lines: SnapLines,
  reach: number,
  edges: SnappedEdges = allEdges,
): { readonly by: Point; readonly guides: readonly Guide[] } {
  const { left, right, top, bottom } = bounds;
  const xs = edges.x.map((edge) => ({ left, middle: (left + right) / 2, right })[edge]);
  const ys = edges.y.map((edge) => ({ top, middle: (top + bottom) / 2, bottom })[edge]);
  const x = nearest(lines.x, xs, reach);
  const y = nearest(lines.y, ys, reach);
  const by = { x: x ?? 0, y: y ?? 0 };
  const guides = [
    ...(x === null
      ? []
      : guidesOf(
          'x',
          lines.x,
          xs.map((place) => place + x),
          { from: top + by.y, to: bottom + by.y },
        )),
    ...(y === null
      ? []
      : guidesOf(
          'y',
          lines.y,
          ys.map((place) => place + y),
          { from: left + by.x, to: right + by.x },
        )),
  ];
  return { by, guides };
}

/** One guide for each place that lines and edges share. */
function guidesOf(
  axis: 'x' | 'y',
  lines: readonly Line[],
  places: readonly number[],
  reach: { readonly from: number; readonly to: number },
): Guide[] {
  return places.flatMap((place) => {
    const met = lines.filter(({ at }) => Math.abs(at - place) < 0.01);
    if (met.length === 0) return [];
    const from = Math.min(reach.from, ...met.map((line) => line.from));
    const to = Math.max(reach.to, ...met.map((line) => line.to));
    return [{ axis, at: place, from, to }];
  });
}
