/**
 * A path of a browser that can be asked what it is made of: a `Path2D` that also keeps its steps. Curves and corners
 * become cubics, and each part of a path begins with a move.
 */
import type { CanvasPath, MatrixMembers } from '../../shared/engine/surface.ts';
import { parsePath, type PathCommand } from '../../shared/renderscript/path.ts';

type Point = readonly [x: number, y: number];
/** A line or a curve from its first point to its last. */
type Piece = readonly [Point, Point] | readonly [Point, Point, Point, Point];

/** How far the handles of a cubic reach that stands for a quarter of a circle, as a part of the radius. */
const quarter = (4 / 3) * (Math.SQRT2 - 1);
/** Lines by which the length of a curve is measured. */
const measured = 64;

/** For `Surface.createPath`. */
export class PagePath extends Path2D implements CanvasPath {
  readonly steps: PathCommand[] = [];
  #start: Point = [0, 0];
  #pen: Point = [0, 0];

  constructor(from?: CanvasPath | string) {
    super();
    const steps = typeof from === 'string' ? parsePath(from) : from && stepsOf(from);
    for (const step of steps ?? []) this.#append(step);
  }

  override moveTo(x: number, y: number): void {
    super.moveTo(x, y);
    this.#keep(['M', x, y], [x, y]);
    this.#start = [x, y];
  }

  override lineTo(x: number, y: number): void {
    super.lineTo(x, y);
    this.#keep(['L', x, y], [x, y]);
  }

  override quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    const [startX, startY] = this.#pen;
    const part = (from: number, to: number): number => from + ((to - from) * 2) / 3;
    this.bezierCurveTo(part(startX, cx), part(startY, cy), part(x, cx), part(y, cy), x, y);
  }

  override bezierCurveTo(
    ...[c1x, c1y, c2x, c2y, x, y]: [number, number, number, number, number, number]
  ): void {
    super.bezierCurveTo(c1x, c1y, c2x, c2y, x, y);
    this.#keep(['C', c1x, c1y, c2x, c2y, x, y], [x, y]);
  }

  override arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    const [x0, y0] = this.#pen;
    const [before, after] = [Math.hypot(x0 - x1, y0 - y1), Math.hypot(x2 - x1, y2 - y1)];
    const [ux, uy, vx, vy] = [
      (x0 - x1) / before,
      (y0 - y1) / before,
      (x2 - x1) / after,
      (y2 - y1) / after,
    ];
    const inside = Math.acos(Math.min(1, Math.max(-1, ux * vx + uy * vy)));
    if (!(radius > 0) || !(inside > 1e-6) || Math.PI - inside < 1e-6) {
      this.lineTo(x1, y1);
      return;
    }
    const cut = radius / Math.tan(inside / 2);
    const handle = cut - (4 / 3) * Math.tan((Math.PI - inside) / 4) * radius;
    this.lineTo(x1 + ux * cut, y1 + uy * cut);
    this.bezierCurveTo(
      x1 + ux * handle,
      y1 + uy * handle,
      x1 + vx * handle,
      y1 + vy * handle,
      x1 + vx * cut,
      y1 + vy * cut,
    );
  }

  override rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  override roundRect(x: number, y: number, width: number, height: number, radius: number): void {
    const [right, bottom, h] = [x + width, y + height, radius * (1 - quarter)];
    this.moveTo(x + radius, y);
    this.lineTo(right - radius, y);
    this.bezierCurveTo(right - h, y, right, y + h, right, y + radius);
    this.lineTo(right, bottom - radius);
    this.bezierCurveTo(right, bottom - h, right - h, bottom, right - radius, bottom);
    this.lineTo(x + radius, bottom);
    this.bezierCurveTo(x + h, bottom, x, bottom - h, x, bottom - radius);
    this.lineTo(x, y + radius);
    this.bezierCurveTo(x, y + h, x + h, y, x + radius, y);
    this.closePath();
  }

  override closePath(): void {
    super.closePath();
    this.steps.push(['Z']);
    this.#pen = this.#start;
  }

  override addPath(path: CanvasPath, transform?: MatrixMembers): void {
    const { a, b, c, d, e, f } = transform ?? { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
    for (const [letter, ...places] of stepsOf(path)) {
      const moved: number[] = [];
      for (let at = 0; at < places.length; at += 2) {
        const [x = 0, y = 0] = places.slice(at, at + 2);
        moved.push(a * x + c * y + e, b * x + d * y + f);
      }
      // As many places as the step had.
      this.#append([letter, ...moved] as unknown as PathCommand);
    }
  }

  #append(step: PathCommand): void {
    if (step[0] === 'M') this.moveTo(step[1], step[2]);
    else if (step[0] === 'L') this.lineTo(step[1], step[2]);
    else if (step[0] === 'Z') this.closePath();
    else if (step[0] === 'Q') this.quadraticCurveTo(step[1], step[2], step[3], step[4]);
    else this.bezierCurveTo(step[1], step[2], step[3], step[4], step[5], step[6]);
  }

  #keep(step: PathCommand, pen: Point): void {
    this.steps.push(step);
    this.#pen = pen;
  }
}

/** Steps of a path that this library made; the engine has no others. */
function stepsOf(path: CanvasPath): readonly PathCommand[] {
  if (!(path instanceof PagePath)) throw new Error('the path comes from another library');
  return path.steps;
}

/** For `Surface.pathData`. */
export function pathData(path: CanvasPath): string {
  return stepsOf(path)
    .map(([letter, ...places]) => letter + places.join(' '))
    .join('');
}

/** For `Surface.boundsOf`. */
export function boundsOf(path: CanvasPath): readonly [number, number, number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [, ...places] of stepsOf(path)) {
    for (const [at, place] of places.entries()) {
      if (at % 2 === 0) [left, right] = [Math.min(left, place), Math.max(right, place)];
      else [top, bottom] = [Math.min(top, place), Math.max(bottom, place)];
    }
  }
  return left > right ? [0, 0, 0, 0] : [left, top, right, bottom];
}

/** For `Surface.trimmed`. */
export function trimmed(path: CanvasPath, start: number, end: number, isInverted: boolean) {
  const result = new PagePath();
  const contours = contoursOf(stepsOf(path));
  const ranges: readonly Point[] = isInverted
    ? [
        [end, 1],
        [0, start],
      ]
    : [[start, end]];
  const isOneClosed = contours.length === 1 && contours[0]?.isClosed === true;
  const total = sum(contours.flatMap(({ pieces }) => pieces.map(lengthOf)));
  let isDrawing = false;
  for (const [from, to] of ranges) {
    let passed = 0;
    if (!isOneClosed) isDrawing = false;
    for (const { pieces } of contours) {
      for (const piece of pieces) {
        const length = lengthOf(piece);
        const first = shareAt(piece, from * total - passed);
        const last = shareAt(piece, to * total - passed);
        passed += length;
        if (first >= last) continue;
        const [p0, p1, p2, p3] = partOf(piece, first, last);
        if (!p0 || !p1) continue;
        if (!isDrawing) result.moveTo(...p0);
        isDrawing = true;
        if (p2 && p3) result.bezierCurveTo(...p1, ...p2, ...p3);
        else result.lineTo(...p1);
      }
      if (!isOneClosed) isDrawing = false;
    }
  }
  return result;
}

function contoursOf(steps: readonly PathCommand[]): { pieces: Piece[]; isClosed: boolean }[] {
  const contours: { pieces: Piece[]; isClosed: boolean }[] = [];
  let pen: Point = [0, 0];
  let start = pen;
  for (const step of steps) {
    const contour = contours.at(-1);
    if (step[0] === 'M') {
      pen = start = [step[1], step[2]];
      contours.push({ pieces: [], isClosed: false });
    } else if (step[0] === 'L') {
      contour?.pieces.push([pen, [step[1], step[2]]]);
      pen = [step[1], step[2]];
    } else if (step[0] === 'C') {
      const [, c1x, c1y, c2x, c2y, x, y] = step;
      contour?.pieces.push([pen, [c1x, c1y], [c2x, c2y], [x, y]]);
      pen = [x, y];
    } else if (step[0] === 'Z' && contour) {
      contour.pieces.push([pen, start]);
      contour.isClosed = true;
      pen = start;
    }
  }
  return contours;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Lengths of the lines that stand for a piece. */
function lengthsOf(piece: Piece): number[] {
  const count = piece.length === 2 ? 1 : measured;
  return Array.from({ length: count }, (_, at) => {
    const [x0, y0] = partOf(piece, 0, at / count).at(-1) ?? piece[0];
    const [x1, y1] = partOf(piece, 0, (at + 1) / count).at(-1) ?? piece[0];
    return Math.hypot(x1 - x0, y1 - y0);
  });
}

function lengthOf(piece: Piece): number {
  return sum(lengthsOf(piece));
}

/** The share 0–1 of a piece's parameter at which so much of its length is behind. */
function shareAt(piece: Piece, length: number): number {
  let left = length;
  const lengths = lengthsOf(piece);
  for (const [at, one] of lengths.entries()) {
    if (left < one) return Math.max(0, (at + left / one) / lengths.length);
    left -= one;
  }
  return 1;
}

/** A piece between two shares of its parameter. */
function partOf(piece: Piece, from: number, to: number): Point[] {
  return cut(cut([...piece], to)[0], to > 0 ? from / to : 0)[1];
}

/** De Casteljau: a piece in two. */
function cut(points: Point[], share: number): readonly [before: Point[], after: Point[]] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length === 1) return [points, points];
  const between = points.slice(1).map(([x, y], at): Point => {
    const [x0, y0] = points[at] ?? first;
    return [x0 + (x - x0) * share, y0 + (y - y0) * share];
  });
  const [before, after] = cut(between, share);
  return [
    [first, ...before],
    [...after, last],
  ];
}
