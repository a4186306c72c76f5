/** Paths of shapes in pixels: mapping and exact bounds. Pure arithmetic. */
import type { PathCommand } from '../../renderscript/path.ts';
import type { Path } from '../compile/property-values.ts';
import { apply, type Matrix, type Rect } from '../geometry.ts';

/** The outline of a box. */
export function rectanglePath(width: number, height: number): Path {
  return [['M', 0, 0], ['L', width, 0], ['L', width, height], ['L', 0, height], ['Z']];
}

/** The path with every point mapped; cubics stay cubics because the map is affine. */
export function mapPath(path: Path, map: Matrix): Path {
  return path.map((command): PathCommand => {
    switch (command[0]) {
      case 'M':
      case 'L':
        return [command[0], ...apply(map, command[1], command[2])];
      case 'Q':
        return ['Q', ...apply(map, command[1], command[2]), ...apply(map, command[3], command[4])];
      case 'C':
        return [
          'C',
          ...apply(map, command[1], command[2]),
          ...apply(map, command[3], command[4]),
          ...apply(map, command[5], command[6]),
        ];
      case 'Z':
        return command;
    }
  });
}

/** The smallest upright rectangle around the path, curves followed exactly; null for a path without points. */
export function pathBounds(path: Path): Rect | null {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  const take = (x: number, y: number): void => {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  };
  let x = 0;
  let y = 0;
  for (const command of path) {
    const [, ...numbers] = command;
    const ends = numbers.slice(-2);
    const [endX = x, endY = y] = ends;
    if (command[0] === 'Q' || command[0] === 'C') {
      const xs = [x, ...numbers.filter((_, index) => index % 2 === 0)];
      const ys = [y, ...numbers.filter((_, index) => index % 2 === 1)];
      // The extremes of one coordinate say nothing about the other, so combine each with its own end point.
      for (const t of extremes(xs)) take(bezier(xs, t), endY);
      for (const t of extremes(ys)) take(endX, bezier(ys, t));
    }
    if (command[0] === 'Z') continue;
    take(endX, endY);
    x = endX;
    y = endY;
  }
  return left <= right ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** A point of a Bézier curve of any degree (de Casteljau). */
function bezier(points: readonly number[], t: number): number {
  if (points.length === 1) return points[0] ?? 0;
  return bezier(
    points.slice(1).map((point, index) => mix(points[index] ?? 0, point, t)),
    t,
  );
}

function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

/** Where one coordinate of a quadratic or cubic reverses, strictly inside it: the roots of its derivative. */
function extremes(points: readonly number[]): number[] {
  const slopes = points.slice(1).map((point, index) => point - (points[index] ?? 0));
  const [a = 0, b = 0, c] = slopes;
  // Quadratic: a(1−t) + bt = 0. Cubic: a(1−t)² + 2b(1−t)t + ct² = 0.
  const roots = c === undefined ? [a / (a - b)] : quadraticRoots(a - 2 * b + c, 2 * (b - a), a);
  return roots.filter((t) => t > 0 && t < 1);
}

function quadraticRoots(a: number, b: number, c: number): number[] {
  if (Math.abs(a) < 1e-12) return [-c / b];
  const root = Math.sqrt(b * b - 4 * a * c);
  return [(-b + root) / (2 * a), (-b - root) / (2 * a)];
}
