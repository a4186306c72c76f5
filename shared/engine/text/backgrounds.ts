/**
 * The background behind lines of text: one closed outline per group of touching lines, corners rounded outward and
 * inward, so that neither seams nor doubled transparency show between lines.
 */
import type { PathCommand } from '../../renderscript/path.ts';
import type { Path } from '../compile/property-values.ts';
import type { Rect } from '../geometry.ts';

/** How backgrounds are shaped, document pixels. */
export interface BackgroundShape {
  readonly paddingX: number;
  readonly paddingY: number;
  readonly radius: number;
  /** Neighbouring line ends closer to each other than this become one edge. */
  readonly alignWithin: number;
}

/**
 * Where the background of every line lies before neighbours are joined: ends aligned, padding included on all sides;
 * null for lines without text.
 */
export function backgroundRows(
  lines: readonly (Rect | null)[],
  shape: BackgroundShape,
): (Rect | null)[] {
  const padding = Math.max(0, shape.paddingY);
  const rows = groupsOf(lines, shape).flatMap((group) => {
    alignEnds(group, shape.alignWithin, padding);
    return group;
  });
  return lines.map((line) => {
    const row = line && rows.shift();
    if (!row) return null;
    const { left, right, top, bottom } = row;
    return { x: left, y: top - padding, width: right - left, height: bottom - top + 2 * padding };
  });
}

interface Row {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Point = readonly [x: number, y: number];

/** How far the handles of a cubic stand from its ends to draw a quarter circle. */
const quarterCircle = 0.5522847498;

/**
 * Outlines behind lines, given the lines' boxes from top to bottom (advance × line box; null for a line without text,
 * which separates two groups). Negative padding counts as none.
 */
export function backgroundPaths(lines: readonly (Rect | null)[], shape: BackgroundShape): Path[] {
  return groupsOf(lines, shape).map((rows) => {
    const padding = Math.max(0, shape.paddingY);
    alignEnds(rows, shape.alignWithin, padding);
    return roundedPolygon(outline(rows, padding), shape.radius);
  });
}

function groupsOf(lines: readonly (Rect | null)[], { paddingX }: BackgroundShape): Row[][] {
  const groups: Row[][] = [];
  let group: Row[] = [];
  for (const line of [...lines, null]) {
    if (line) {
      const padding = Math.max(0, paddingX);
      group.push({
        left: line.x - padding,
        right: line.x + line.width + padding,
        top: line.y,
        bottom: line.y + line.height,
      });
    } else if (group.length > 0) {
      groups.push(group);
      group = [];
    }
  }
  return groups;
}

/**
 * Gives neighbouring lines whose ends differ by less than `within` the same end, the outer one, and fills notches
 * closed by the padding of the lines above and below; left and right are handled separately. Repeats until nothing
 * moves, because a moved end may come close to the next one. It terminates because ends only move outward, to another
 * end.
 */
function alignEnds(rows: Row[], within: number, padding: number): void {
  let moved = true;
  while (moved) {
    moved = false;
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      const before = rows[index - 1];
      if (!next) continue;
      if (row.left !== next.left && Math.abs(row.left - next.left) < within) {
        row.left = next.left = Math.min(row.left, next.left);
        moved = true;
      }
      if (row.right !== next.right && Math.abs(row.right - next.right) < within) {
        row.right = next.right = Math.max(row.right, next.right);
        moved = true;
      }
      if (!before || 2 * padding < row.bottom - row.top) continue;
      const notchLeft = Math.max(before.left, next.left);
      const notchRight = Math.min(before.right, next.right);
      if (notchLeft < row.left || notchRight > row.right) {
        row.left = Math.min(row.left, notchLeft);
        row.right = Math.max(row.right, notchRight);
        moved = true;
      }
    }
  }
}

/**
 * Outline of the rows, clockwise from the top left. Every row reaches `padding` above and below itself; between two
 * rows, the wider one keeps its reach, at most to the middle of the other.
 */
function outline(rows: readonly Row[], padding: number): Point[] {
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return [];
  const right: Point[] = [[first.right, first.top - padding]];
  const left: Point[] = [[first.left, first.top - padding]];
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (!next) continue;
    const border = row.bottom;
    const down = border + Math.min(padding, (next.bottom - next.top) / 2);
    const up = border - Math.min(padding, (row.bottom - row.top) / 2);
    if (row.right !== next.right) {
      const y = row.right > next.right ? down : up;
      right.push([row.right, y], [next.right, y]);
    }
    if (row.left !== next.left) {
      const y = row.left < next.left ? down : up;
      left.push([row.left, y], [next.left, y]);
    }
  }
  right.push([last.right, last.bottom + padding]);
  left.push([last.left, last.bottom + padding]);
  return [...right, ...left.reverse()];
}

/** A closed polygon with every corner rounded, as far as half of its shorter edge allows. */
function roundedPolygon(points: readonly Point[], radius: number): Path {
  const path: PathCommand[] = [];
  points.forEach((corner, index) => {
    const before = points.at(index - 1) ?? corner;
    const after = points[(index + 1) % points.length] ?? corner;
    const r = Math.max(
      0,
      Math.min(radius, distance(before, corner) / 2, distance(corner, after) / 2),
    );
    const move = index === 0 ? 'M' : 'L';
    if (r === 0) {
      path.push([move, ...corner]);
      return;
    }
    const handle = r * (1 - quarterCircle);
    path.push(
      [move, ...toward(corner, before, r)],
      [
        'C',
        ...toward(corner, before, handle),
        ...toward(corner, after, handle),
        ...toward(corner, after, r),
      ],
    );
  });
  return [...path, ['Z']];
}

function distance([x0, y0]: Point, [x1, y1]: Point): number {
  return Math.hypot(x1 - x0, y1 - y0);
}

/** The point `length` away from `from` on the way to `to`. */
function toward(from: Point, to: Point, length: number): Point {
  const share = length / distance(from, to);
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}
