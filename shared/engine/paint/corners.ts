/**
 * Rounded corners of any path. Phase 4, geometry only; shape.ts keeps the results.
 *
 * Between two lines, the corner becomes the arc of the radius that touches both. With a curve, both sides are cut back
 * as far as that arc would reach along the tangents, and joined by a curve in their directions. A corner takes at most
 * half of either side, so neighbours share a short one. Smooth joins stay. (Why not `Path2D.round`:
 * docs/decisions/011-drawing-with-the-canvas.md.)
 */
import type { Path } from '../compile/property-values.ts';
import { surface, type CanvasPath } from '../surface.ts';

/** x, y. */
type Point = readonly [number, number];

/** A side of a contour: a Bézier curve of degree 1 to 3, its two ends included. */
interface Side {
  readonly points: readonly Point[];
  readonly length: number;
}

interface Contour {
  readonly sides: readonly Side[];
  readonly closed: boolean;
}

/** The length cut off both sides at a corner; 0 = a smooth join. */
type Cut = number;

/** Sides that meet at less than this angle have no corner, radians. */
const smoothTurn = Math.PI / 180;

/** Pieces for measuring the length of a curve. */
const pieces = 32;

/** The path with its corners rounded. `radius` is above 0, in the path's own units. */
export function roundedPath(path: Path, radius: number): CanvasPath {
  const result = surface().createPath();
  for (const contour of contoursOf(path)) appendRounded(result, contour, radius);
  return result;
}

function appendRounded(result: CanvasPath, { sides, closed }: Contour, radius: number): void {
  const [first] = sides;
  const last = sides.at(-1);
  if (!first || !last) return;
  // cuts[i] is the corner at the start of side i; an open contour has none at its two ends.
  const cuts = sides.map((side, index): Cut => {
    const before = sides[index - 1] ?? (closed ? last : null);
    return before ? cutOf(before, side, radius) : 0;
  });
  const firstCut = cuts[0] ?? 0;

  // The first corner belongs to the end of the contour; a partial outline begins right after it.
  result.moveTo(...(part(first, firstCut, 0)[0] ?? startOf(first)));
  sides.forEach((side, index) => {
    const next = sides[index + 1] ?? (closed ? first : null);
    const nextCut = sides[index + 1] ? (cuts[index + 1] ?? 0) : firstCut;
    const corner = endOf(side);
    if (next && nextCut > 0 && isLine(side) && isLine(next)) {
      const onward = endOf(next);
      result.arcTo(
        ...corner,
        ...onward,
        Math.min(radius, nextCut * Math.tan(halfAngle(side, next))),
      );
      return;
    }
    append(result, part(side, cuts[index] ?? 0, nextCut));
    if (next && nextCut > 0) join(result, part(side, 0, nextCut), part(next, nextCut, 0));
  });
  if (closed) result.closePath();
}

/** How much of both sides a corner takes away. */
function cutOf(before: Side, after: Side, radius: number): Cut {
  const half = halfAngle(before, after);
  if (Math.PI - 2 * half < smoothTurn) return 0;
  return Math.min(radius / Math.tan(half), before.length / 2, after.length / 2);
}

/** Half of the angle that two sides enclose where they meet: 0 = the second runs back along the first. */
function halfAngle(before: Side, after: Side): number {
  const [ax, ay] = arriving(before.points);
  const [bx, by] = leaving(after.points);
  return Math.acos(Math.min(1, Math.max(-1, -(ax * bx + ay * by)))) / 2;
}

/** The round piece between two cut sides: a cubic; an arc if the sides are symmetric. */
function join(result: CanvasPath, before: readonly Point[], after: readonly Point[]): void {
  const from = before.at(-1);
  const [to] = after;
  if (!from || !to) return;
  const [ax, ay] = arriving(before);
  const [bx, by] = leaving(after);
  const turn = Math.acos(Math.min(1, Math.max(-1, ax * bx + ay * by)));
  const chord = Math.hypot(to[0] - from[0], to[1] - from[1]);
  // Control distance of an arc, 4/3·tan(turn/4)·r, with r from its chord, 2r·sin(turn/2).
  const reach =
    turn < 1e-6 ? chord / 3 : ((2 / 3) * Math.tan(turn / 4) * chord) / Math.sin(turn / 2);
  result.bezierCurveTo(
    from[0] + ax * reach,
    from[1] + ay * reach,
    to[0] - bx * reach,
    to[1] - by * reach,
    ...to,
  );
}

/** Appends a side from the pen's position at its start. */
function append(result: CanvasPath, points: readonly Point[]): void {
  const [, first, second, third] = points;
  if (first && second && third) result.bezierCurveTo(...first, ...second, ...third);
  else if (first && second) result.quadraticCurveTo(...first, ...second);
  else if (first) result.lineTo(...first);
}

/** A side shortened at both ends. */
function part(side: Side, fromStart: number, fromEnd: number): readonly Point[] {
  let { points } = side;
  const end = fromEnd > 0 ? shareAt(side, side.length - fromEnd) : 1;
  if (end < 1) points = split(points, end)[0];
  const start = fromStart > 0 ? shareAt(side, fromStart) : 0;
  if (start > 0) points = split(points, end > 0 ? start / end : 0)[1];
  return points;
}

/** The curve's parameter at a length from its start. */
function shareAt({ points, length }: Side, wanted: number): number {
  if (length <= 0) return 0;
  if (points.length === 2) return wanted / length;
  let walked = 0;
  let at = points[0] ?? origin;
  for (let piece = 1; piece <= pieces; piece++) {
    const next = split(points, piece / pieces)[1][0] ?? at;
    const step = distance(at, next);
    if (walked + step >= wanted) return (piece - 1 + (wanted - walked) / step) / pieces;
    walked += step;
    at = next;
  }
  return 1;
}

const origin: Point = [0, 0];

/** A curve cut in two at a share of its parameter (de Casteljau). */
function split(points: readonly Point[], share: number): readonly [Point[], Point[]] {
  const front: Point[] = [];
  const back: Point[] = [];
  let level = [...points];
  while (level.length > 0) {
    front.push(level[0] ?? origin);
    back.unshift(level.at(-1) ?? origin);
    level = level.slice(1).map((point, index): Point => {
      const before = level[index] ?? point;
      return [
        before[0] + (point[0] - before[0]) * share,
        before[1] + (point[1] - before[1]) * share,
      ];
    });
  }
  return [front, back];
}

function isLine({ points }: Side): boolean {
  return points.length === 2;
}

function startOf({ points }: Side): Point {
  return points[0] ?? origin;
}

function endOf({ points }: Side): Point {
  return points.at(-1) ?? origin;
}

/** Direction in which a curve leaves its start, length 1; ignores handles without a length. */
function leaving(points: readonly Point[]): Point {
  const [from = origin] = points;
  const to = points.find((point) => distance(from, point) > tiny) ?? from;
  const length = distance(from, to) || 1;
  return [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
}

/** Direction in which a curve arrives at its end, length 1. */
function arriving(points: readonly Point[]): Point {
  const [x, y] = leaving(points.toReversed());
  return [-x, -y];
}

/** Splits a path into contours, dropping sides without length, which would hide their corner. */
function contoursOf(path: Path): Contour[] {
  const contours: Contour[] = [];
  let start: Point = origin;
  let at: Point = origin;
  let sides: Side[] = [];
  const add = (...points: readonly Point[]): void => {
    if (points.some((point) => distance(at, point) > tiny)) sides.push(sideOf([at, ...points]));
    at = points.at(-1) ?? at;
  };
  const finish = (closed: boolean): void => {
    if (closed) add(start);
    if (sides.length > 0) contours.push({ sides, closed });
    sides = [];
    at = start;
  };
  for (const command of path) {
    switch (command[0]) {
      case 'M':
        finish(false);
        start = at = [command[1], command[2]];
        break;
      case 'L':
        add([command[1], command[2]]);
        break;
      case 'Q':
        add([command[1], command[2]], [command[3], command[4]]);
        break;
      case 'C':
        add([command[1], command[2]], [command[3], command[4]], [command[5], command[6]]);
        break;
      case 'Z':
        finish(true);
        break;
    }
  }
  finish(false);
  return contours;
}

function sideOf(points: readonly Point[]): Side {
  let length = 0;
  let at = points[0] ?? origin;
  const steps = points.length === 2 ? 1 : pieces;
  for (let piece = 1; piece <= steps; piece++) {
    const next = split(points, piece / steps)[1][0] ?? at;
    length += distance(at, next);
    at = next;
  }
  return { points, length };
}

/** Points closer to each other count as one. */
const tiny = 1e-6;

function distance(one: Point, two: Point): number {
  return Math.hypot(one[0] - two[0], one[1] - two[1]);
}
