/** Aligning and distributing elements. Pure; pixels of the document. */
import { boundsOf, type Area, type Bounds, type Point } from './plane.ts';

/** Edges and middles to align elements by. */
export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';

/**
 * The way that aligns an area with an edge or middle.
 *
 * @param within The bounds of several areas together, or of the picture for one alone.
 */
export function alignWay(area: Area, alignment: Alignment, within: Bounds): Point {
  const own = boundsOf([area]);
  const middle = (from: number, to: number): number => (from + to) / 2;
  switch (alignment) {
    case 'left':
      return { x: within.left - own.left, y: 0 };
    case 'centre':
      return { x: middle(within.left, within.right) - middle(own.left, own.right), y: 0 };
    case 'right':
      return { x: within.right - own.right, y: 0 };
    case 'top':
      return { x: 0, y: within.top - own.top };
    case 'middle':
      return { x: 0, y: middle(within.top, within.bottom) - middle(own.top, own.bottom) };
    case 'bottom':
      return { x: 0, y: within.bottom - own.bottom };
  }
}

/** The ways that make the gaps between areas equal; the first and the last one stay. By area, in the order given. */
export function spreadWays(areas: readonly Area[], axis: 'x' | 'y'): readonly Point[] {
  const [start, end] = axis === 'x' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const ordered = areas
    .map((area, index) => ({ index, bounds: boundsOf([area]) }))
    .sort((a, b) => a.bounds[start] + a.bounds[end] - b.bounds[start] - b.bounds[end]);
  const ways = areas.map(() => ({ x: 0, y: 0 }));
  const first = ordered[0];
  const last = ordered.at(-1);
  if (!first || !last || ordered.length < 3) return ways;
  const filled = ordered.reduce((sum, { bounds }) => sum + bounds[end] - bounds[start], 0);
  const gap = (last.bounds[end] - first.bounds[start] - filled) / (ordered.length - 1);
  let at = first.bounds[start];
  for (const { index, bounds } of ordered) {
    ways[index] = { x: 0, y: 0, [axis]: at - bounds[start] };
    at += bounds[end] - bounds[start] + gap;
  }
  return ways;
}
