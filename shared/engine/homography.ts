/**
 * Projective maps, shared by layout and paint: planes rotated in 3D and boxes distorted at their corners. Pure
 * arithmetic, independent of the canvas. Affine maps are in geometry.ts.
 */
import type { Matrix, Rect } from './geometry.ts';

/**
 * A projective map of the plane, row by row: w = g·x + h·y + i, x' = (a·x + b·y + c) ÷ w, y' = (d·x + e·y + f) ÷ w.
 * Points with w ≤ 0 are behind the eye.
 */
export type Homography = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
  i: number,
];

/** A point of a plane. */
export type Point = readonly [x: number, y: number];

/**
 * Nothing is drawn closer to the eye than this: such parts are magnified more than twenty times, and what is behind the
 * eye must not show.
 */
export const nearest = 0.05;

/** An affine map as a homography. */
export function homographyOf([a, b, c, d, e, f]: Matrix): Homography {
  return [a, c, e, b, d, f, 0, 0, 1];
}

/** The map that applies `inner` first and then `outer`. */
export function joinHomographies(outer: Homography, inner: Homography): Homography {
  const [a, b, c, d, e, f, g, h, i] = outer;
  const [a2, b2, c2, d2, e2, f2, g2, h2, i2] = inner;
  return [
    a * a2 + b * d2 + c * g2,
    a * b2 + b * e2 + c * h2,
    a * c2 + b * f2 + c * i2,
    d * a2 + e * d2 + f * g2,
    d * b2 + e * e2 + f * h2,
    d * c2 + e * f2 + f * i2,
    g * a2 + h * d2 + i * g2,
    g * b2 + h * e2 + i * h2,
    g * c2 + h * f2 + i * i2,
  ];
}

/** The map back, with w = 1 ÷ the map's own; null if it squeezes the plane to a line. */
export function inverseHomography([a, b, c, d, e, f, g, h, i]: Homography): Homography | null {
  const [x, y, z] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const size = a * x + b * y + c * z;
  if (size === 0 || !Number.isFinite(1 / size)) return null;
  return [
    x / size,
    (c * h - b * i) / size,
    (b * f - c * e) / size,
    y / size,
    (a * i - c * g) / size,
    (c * d - a * f) / size,
    z / size,
    (b * g - a * h) / size,
    (a * e - b * d) / size,
  ];
}

/** Where the map takes a point, or null for points that are not in front of the eye. */
export function project(
  [a, b, c, d, e, f, g, h, i]: Homography,
  x: number,
  y: number,
): Point | null {
  const w = g * x + h * y + i;
  return w < nearest ? null : [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
}

/**
 * Rotates the plane in 3D about the origin, viewed from `distance` in front of the origin, which keeps its place and
 * size. About z first, then y, then x. Positive angles are those of CSS: x moves the upper edge away from the eye, y
 * the right edge, z turns clockwise on the screen.
 */
export function turnInSpace(
  xDegrees: number,
  yDegrees: number,
  zDegrees: number,
  distance: number,
): Homography {
  const [sinX, cosX] = sineAndCosine(xDegrees);
  const [sinY, cosY] = sineAndCosine(yDegrees);
  const [sinZ, cosZ] = sineAndCosine(zDegrees);
  // The first two columns of Rx·Ry·Rz; z points at the eye.
  const x = [cosY * cosZ, -cosY * sinZ] as const;
  const y = [cosX * sinZ + sinX * sinY * cosZ, cosX * cosZ - sinX * sinY * sinZ] as const;
  const z = [sinX * sinZ - cosX * sinY * cosZ, sinX * cosZ + cosX * sinY * sinZ] as const;
  return [x[0], x[1], 0, y[0], y[1], 0, -z[0] / distance, -z[1] / distance, 1];
}

/** `map` carried out about (x, y) instead of the origin. */
export function projectAbout(map: Homography, x: number, y: number): Homography {
  return joinHomographies(joinHomographies([1, 0, x, 0, 1, y, 0, 0, 1], map), [
    1,
    0,
    -x,
    0,
    1,
    -y,
    0,
    0,
    1,
  ]);
}

/**
 * The map that takes the corners of width × height to four points, or null if none shows the whole area: corners on one
 * line, or a non-convex quadrilateral. Heckbert, Fundamentals of Texture Mapping and Image Warping (1989), section
 * 2.2.3.
 */
export function cornersTo(
  width: number,
  height: number,
  topLeft: Point,
  topRight: Point,
  bottomLeft: Point,
  bottomRight: Point,
): Homography | null {
  const dx1 = topRight[0] - bottomRight[0];
  const dy1 = topRight[1] - bottomRight[1];
  const dx2 = bottomLeft[0] - bottomRight[0];
  const dy2 = bottomLeft[1] - bottomRight[1];
  const sumX = topLeft[0] - topRight[0] + bottomRight[0] - bottomLeft[0];
  const sumY = topLeft[1] - topRight[1] + bottomRight[1] - bottomLeft[1];
  const size = dx1 * dy2 - dx2 * dy1;
  if (Math.abs(size) < 1e-9 || width <= 0 || height <= 0) return null;
  const g = (sumX * dy2 - dx2 * sumY) / size;
  const h = (dx1 * sumY - sumX * dy1) / size;
  // w at the corner closest to the eye; it is 1 at the first. Scaled to 1, so that no part counts as too close.
  const least = Math.min(1, 1 + g, 1 + h, 1 + g + h);
  if (least < 1e-6) return null;
  return [
    (topRight[0] - topLeft[0] + g * topRight[0]) / width / least,
    (bottomLeft[0] - topLeft[0] + h * bottomLeft[0]) / height / least,
    topLeft[0] / least,
    (topRight[1] - topLeft[1] + g * topRight[1]) / width / least,
    (bottomLeft[1] - topLeft[1] + h * bottomLeft[1]) / height / least,
    topLeft[1] / least,
    g / width / least,
    h / height / least,
    1 / least,
  ];
}

/** The smallest upright rectangle around a projected rectangle; without what is behind the eye. */
export function projectedBounds(map: Homography, { x, y, width, height }: Rect): Rect | null {
  const [, , , , , , g, h, i] = map;
  const corners: readonly Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  const depth = ([px, py]: Point): number => g * px + h * py + i - nearest * (1 + 1e-9);
  const seen: Point[] = [];
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % 4] ?? corner;
    const [here, there] = [depth(corner), depth(next)];
    if (here >= 0) seen.push(corner);
    if (here >= 0 === there >= 0) return;
    const share = here / (here - there);
    seen.push([
      corner[0] + (next[0] - corner[0]) * share,
      corner[1] + (next[1] - corner[1]) * share,
    ]);
  });
  const points = seen.flatMap(([px, py]) => project(map, px, py) ?? []);
  if (points.length === 0) return null;
  const xs = points.filter((_, index) => index % 2 === 0);
  const ys = points.filter((_, index) => index % 2 === 1);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Exact at quarter turns, where rounding would leave a sliver. */
function sineAndCosine(degrees: number): readonly [sine: number, cosine: number] {
  const radians = (degrees * Math.PI) / 180;
  const exact = (value: number): number => (Math.abs(value) < 1e-12 ? 0 : value);
  return [exact(Math.sin(radians)), exact(Math.cos(radians))];
}
