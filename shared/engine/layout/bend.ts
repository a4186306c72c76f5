/**
 * Elements that leave their plane: x and y rotation, warps, rotating animations. Pure; layout makes the bends, and
 * paint uses them to map points. Boxes without any of these never get here.
 */
import type { Turn } from '../compile/effect.ts';
import type { VisualValues } from '../compile/property-values.ts';
import { multiply, scaling, skewing, translation, type Matrix, type Rect } from '../geometry.ts';
import {
  cornersTo,
  homographyOf,
  joinHomographies,
  project,
  projectAbout,
  projectedBounds,
  turnInSpace,
  type Homography,
  type Point,
} from '../homography.ts';
import type { Bend, Box } from './box.ts';
import type { Place } from './flow.ts';
import { lengthIn } from './length.ts';
import type { Extent } from './place.ts';

/**
 * Default distance of the eye, as a share of the element's larger side. The language only says "derived from the
 * element's size"; twice the side is usual for CSS's `perspective`: clearly three-dimensional, and a full turn never
 * brings an edge closer than a quarter of the way.
 */
const derivedDistance = 2;

/** Minimum given distance, as a share of the larger side; closer, the eye would be inside the rotating element. */
const leastDistance = 0.05;

/** True if an element's own values take it out of its plane. Patterns stay flat: their tiles only touch in a plane. */
export function isBent({ xRotation, yRotation, warpMatrix, repeat }: VisualValues): boolean {
  return !repeat && (xRotation !== 0 || yRotation !== 0 || isGrid(warpMatrix));
}

/** The bend of an element's values. Scale and skew come first, then the turns about the anchor: z, y, x. */
export function bendOf(
  values: VisualValues,
  { anchorX, anchorY, box, width, height }: Extent,
  { x, y }: Place,
): Bend {
  const { xScale, yScale, xSkew, ySkew, xRotation, yRotation, zRotation, perspective } = values;
  const side = Math.max(width * Math.abs(xScale), height * Math.abs(yScale), 1);
  const distance =
    perspective === null
      ? derivedDistance * side
      : Math.max(leastDistance * side, lengthIn(perspective, side));
  const flat = multiply(
    multiply(skewing(xSkew, ySkew), scaling(xScale, yScale)),
    translation(box.x - anchorX, box.y - anchorY),
  );
  const turned = joinHomographies(
    turnInSpace(xRotation, yRotation, zRotation, distance),
    homographyOf(flat),
  );
  return {
    warp: warpOf(values, box.width, box.height),
    projection: joinHomographies(homographyOf(translation(x, y)), turned),
  };
}

/** +1 when an element's own turns show its face, −1 for its back. */
export function facingOf({ xRotation, yRotation }: VisualValues): number {
  return Math.sign(cosine(xRotation) * cosine(yRotation));
}

/** The same of an animation's turn. */
export function turnFacing({ xDegrees, yDegrees }: Turn): number {
  return Math.sign(cosine(xDegrees) * cosine(yDegrees));
}

/** The map of an animation's turn, box space. */
export function turnMap(
  { xDegrees, yDegrees, x, y }: Turn,
  width: number,
  height: number,
): Homography {
  const distance = derivedDistance * Math.max(width, height, 1);
  return projectAbout(turnInSpace(xDegrees, yDegrees, 0, distance), x, y);
}

/** A resting box's bend with an animation's shift outside of it and its map inside, but after the warp. */
export function movedBend(
  { bend, transform }: Box,
  shiftX: number,
  shiftY: number,
  inner: Homography | Matrix | null,
): Bend {
  const shifted = joinHomographies(
    homographyOf(translation(shiftX, shiftY)),
    bend ? bend.projection : homographyOf(transform),
  );
  const inside = inner && (inner.length === 6 ? homographyOf(inner) : inner);
  return {
    warp: bend?.warp ?? null,
    projection: inside ? joinHomographies(shifted, inside) : shifted,
  };
}

/** Maps a point of a bent box to the parent's content space; null = behind the eye. */
export function bentMap(box: BentBox): (x: number, y: number) => Point | null {
  const { bend, width, height } = box;
  const { warp, projection } = bend;
  if (warp?.kind === 'surface') {
    return (x, y) => project(projection, ...surfacePoint(warp.rows, x / width, y / height));
  }
  const map = bentPlane(box) ?? projection;
  return (x, y) => project(map, x, y);
}

/** The same as one projective map; null if the box is not a plane. */
export function bentPlane({ bend: { warp, projection } }: BentBox): Homography | null {
  if (warp?.kind === 'surface') return null;
  return warp ? joinHomographies(projection, warp.map) : projection;
}

/** A box that has a bend. */
export type BentBox = Pick<Box, 'width' | 'height'> & { readonly bend: Bend };

/** The area that a part of box space can cover in the parent's content space; null if none of it is visible. */
export function bentBounds(box: BentBox, part: Rect): Rect | null {
  const { warp, projection } = box.bend;
  if (!warp) return projectedBounds(projection, part);
  if (warp.kind === 'quad') return projectedBounds(joinHomographies(projection, warp.map), part);
  const points = gridPoints(part, 16).map(([x, y]) =>
    surfacePoint(warp.rows, x / box.width, y / box.height),
  );
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  // Between two points the surface bulges a little further.
  const margin = 0.04 * Math.max(right - left, bottom - top);
  return projectedBounds(projection, {
    x: left - margin,
    y: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  });
}

/** How many times longer the sides of a part become at most, parent's units per unit of box space. */
export function bentScale(box: BentBox, part: Rect): { readonly x: number; readonly y: number } {
  const count = 12;
  const pointAt = bentMap(box);
  const stepX = part.width / count;
  const stepY = part.height / count;
  let x = 0;
  let y = 0;
  for (const [px, py] of gridPoints(part, count)) {
    const here = pointAt(px, py);
    if (!here) continue;
    const right = px + stepX <= part.x + part.width * 1.001 && pointAt(px + stepX, py);
    const below = py + stepY <= part.y + part.height * 1.001 && pointAt(px, py + stepY);
    if (right) x = Math.max(x, Math.hypot(right[0] - here[0], right[1] - here[1]) / stepX);
    if (below) y = Math.max(y, Math.hypot(below[0] - here[0], below[1] - here[1]) / stepY);
  }
  return { x, y };
}

function gridPoints({ x, y, width, height }: Rect, count: number): Point[] {
  const points: Point[] = [];
  for (let row = 0; row <= count; row++) {
    for (let column = 0; column <= count; column++) {
      points.push([x + (width * column) / count, y + (height * row) / count]);
    }
  }
  return points;
}

function isGrid(rows: VisualValues['warpMatrix']): rows is NonNullable<VisualValues['warpMatrix']> {
  const columns = rows?.[0]?.length ?? 0;
  return (
    rows !== null && rows.length >= 2 && columns >= 2 && rows.every((row) => row.length === columns)
  );
}

/**
 * The warp of an element, its points in pixels of the box.
 *
 * In the default mode the points are control points of one Bézier surface, which touches its corners: in the published
 * 4×4 example (a print on folded cloth) this gives nearly even thirds; as points on the surface they would stretch the
 * middle to twice its size. A non-convex perspective has no plane; its four corners are then used as a surface.
 */
function warpOf(
  { warpMatrix, warpMode }: VisualValues,
  width: number,
  height: number,
): Bend['warp'] {
  if (!isGrid(warpMatrix) || width <= 0 || height <= 0) return null;
  const rows = warpMatrix.map((row) =>
    row.map(({ x, y }): Point => [lengthIn(x, width), lengthIn(y, height)]),
  );
  if (warpMode === 'default') return { kind: 'surface', rows };
  const corners = [rows[0]?.[0], rows[0]?.at(-1), rows.at(-1)?.[0], rows.at(-1)?.at(-1)] as const;
  const [topLeft, topRight, bottomLeft, bottomRight] = corners;
  if (!topLeft || !topRight || !bottomLeft || !bottomRight) return null;
  const map = cornersTo(width, height, topLeft, topRight, bottomLeft, bottomRight);
  if (map) return { kind: 'quad', map };
  return {
    kind: 'surface',
    rows: [
      [topLeft, topRight],
      [bottomLeft, bottomRight],
    ],
  };
}

/**
 * A point of the Bézier surface. u and v are shares of the box; outside of it the surface continues straight, like a
 * sheet, so that what extends over the edge (an outline, a child) stays close to it.
 */
function surfacePoint(rows: readonly (readonly Point[])[], u: number, v: number): Point {
  const [insideU, insideV] = [clamp(u), clamp(v)];
  const across = bernstein((rows[0]?.length ?? 1) - 1, insideU);
  const down = bernstein(rows.length - 1, insideV);
  let point = weighted(rows, across.values, down.values);
  if (u !== insideU) {
    const slope = weighted(rows, across.slopes, down.values);
    point = [point[0] + slope[0] * (u - insideU), point[1] + slope[1] * (u - insideU)];
  }
  if (v !== insideV) {
    const slope = weighted(rows, across.values, down.slopes);
    point = [point[0] + slope[0] * (v - insideV), point[1] + slope[1] * (v - insideV)];
  }
  return point;
}

function weighted(
  rows: readonly (readonly Point[])[],
  across: readonly number[],
  down: readonly number[],
): Point {
  let x = 0;
  let y = 0;
  rows.forEach((row, r) => {
    row.forEach((point, c) => {
      const weight = (across[c] ?? 0) * (down[r] ?? 0);
      x += point[0] * weight;
      y += point[1] * weight;
    });
  });
  return [x, y];
}

/** Bernstein polynomials of a degree at t and their derivatives. */
function bernstein(degree: number, t: number): { values: number[]; slopes: number[] } {
  const lower = bernsteinValues(degree - 1, t);
  const values: number[] = [];
  const slopes: number[] = [];
  for (let index = 0; index <= degree; index++) {
    const [before, here] = [lower[index - 1] ?? 0, lower[index] ?? 0];
    values.push(before * t + here * (1 - t));
    slopes.push(degree * (before - here));
  }
  return { values, slopes };
}

function bernsteinValues(degree: number, t: number): number[] {
  let values = [1];
  for (let step = 1; step <= degree; step++) {
    const lower = values;
    values = Array.from(
      { length: step + 1 },
      (_, index) => (lower[index - 1] ?? 0) * t + (lower[index] ?? 0) * (1 - t),
    );
  }
  return values;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function cosine(degrees: number): number {
  const value = Math.cos((degrees * Math.PI) / 180);
  return Math.abs(value) < 1e-12 ? 0 : value;
}
