/**
 * Points, rectangles and 2-D maps, shared by all phases of the engine. Pure arithmetic, independent of the canvas.
 */

/** A 2-D affine map as canvas takes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A rectangle; sides are not negative. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The map that changes nothing. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** The map that applies `inner` first and then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [a2, b2, c2, d2, e2, f2] = inner;
  return [
    a * a2 + c * b2,
    b * a2 + d * b2,
    a * c2 + c * d2,
    b * c2 + d * d2,
    a * e2 + c * f2 + e,
    b * e2 + d * f2 + f,
  ];
}

/** Moves by (x, y). */
export function translation(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

/** Scales about the origin. */
export function scaling(x: number, y: number): Matrix {
  return [x, 0, 0, y, 0, 0];
}

/** Turns about the origin; positive degrees turn clockwise on the screen, where y points down. */
export function rotation(degrees: number): Matrix {
  const radians = (degrees * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return [cos, sin, -sin, cos, 0, 0];
}

/** Slants: x by the tangent of `xDegrees` per y, y by the tangent of `yDegrees` per x. */
export function skewing(xDegrees: number, yDegrees: number): Matrix {
  return [1, Math.tan((yDegrees * Math.PI) / 180), Math.tan((xDegrees * Math.PI) / 180), 1, 0, 0];
}

/** `map` applied about (x, y) instead of the origin. */
export function about(map: Matrix, x: number, y: number): Matrix {
  return multiply(translation(x, y), multiply(map, translation(-x, -y)));
}

/** Where the map takes a point. */
export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The map that undoes `map`; null if it flattens everything. */
export function inverted([a, b, c, d, e, f]: Matrix): Matrix | null {
  const area = a * d - b * c;
  if (Math.abs(area) < 1e-9) return null;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** The part that two rectangles share; without width or height where they don't meet. */
export function intersection(one: Rect, two: Rect): Rect {
  const x = Math.max(one.x, two.x);
  const y = Math.max(one.y, two.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(one.x + one.width, two.x + two.width) - x),
    height: Math.max(0, Math.min(one.y + one.height, two.y + two.height) - y),
  };
}

/** How many times longer lengths become, on average over the directions. */
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}

/** The smallest upright rectangle around a mapped rectangle. */
export function mappedBounds(map: Matrix, { x, y, width, height }: Rect): Rect {
  const corners = [
    apply(map, x, y),
    apply(map, x + width, y),
    apply(map, x, y + height),
    apply(map, x + width, y + height),
  ];
  const xs = corners.map(([px]) => px);
  const ys = corners.map(([, py]) => py);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** The smallest rectangle around others; at least one. There may be more of them than a call can take arguments. */
export function enclosing(rects: readonly Rect[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rects) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
