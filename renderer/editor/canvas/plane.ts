/** Flat pieces of the picture as pixels of the document: where points and ways lie in them. Pure arithmetic. */
import type { Plane } from '../../../shared/preview.ts';

/** A point, or a way from one point to another; pixels of the document, y points down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A parallelogram: `origin` is its top left corner, `across` and `down` lead to the two next to it. */
export interface Area {
  readonly origin: Point;
  readonly across: Point;
  readonly down: Point;
  /** Its own pixels, before it was scaled and turned. */
  readonly width: number;
  readonly height: number;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
export const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
export const times = ({ x, y }: Point, by: number): Point => ({ x: x * by, y: y * by });
export const lengthOf = ({ x, y }: Point): number => Math.hypot(x, y);
/** The direction of a way in degrees, clockwise from the right. */
export const directionOf = ({ x, y }: Point): number => (Math.atan2(y, x) * 180) / Math.PI;

/**
 * The area of a plane in a document of this size. A plane in perspective counts as the parallelogram of three of its
 * corners.
 */
export function areaOf(
  { corners, width, height }: Plane,
  document: { readonly width: number; readonly height: number },
): Area {
  const corner = (index: number): Point => ({
    x: (corners[2 * index] ?? 0) * document.width,
    y: (corners[2 * index + 1] ?? 0) * document.height,
  });
  const origin = corner(0);
  return {
    origin,
    across: minus(corner(1), origin),
    down: minus(corner(3), origin),
    width,
    height,
  };
}

/** The point at shares of an area's sides. */
export function pointAt({ origin, across, down }: Area, x: number, y: number): Point {
  return plus(origin, plus(times(across, x), times(down, y)));
}

/** A way as shares of an area's sides; null where the area is pressed flat. */
export function sharesOf({ across, down }: Area, way: Point): Point | null {
  const size = across.x * down.y - across.y * down.x;
  if (Math.abs(size) < 1e-6) return null;
  return {
    x: (way.x * down.y - way.y * down.x) / size,
    y: (across.x * way.y - across.y * way.x) / size,
  };
}

/** A way in an area's own pixels; null where the area is pressed flat. */
export function wayIn(area: Area, way: Point): Point | null {
  const shares = sharesOf(area, way);
  return shares && { x: shares.x * area.width, y: shares.y * area.height };
}

/** A way in an area's own pixels as one in the document; zero for an area without size. */
export function wayOut({ across, down, width, height }: Area, way: Point): Point {
  const x = width > 0 ? way.x / width : 0;
  const y = height > 0 ? way.y / height : 0;
  return plus(times(across, x), times(down, y));
}

/** The corners from the top left one clockwise. */
export function cornersOf(area: Area): readonly [Point, Point, Point, Point] {
  return [pointAt(area, 0, 0), pointAt(area, 1, 0), pointAt(area, 1, 1), pointAt(area, 0, 1)];
}

/** What surrounds areas. */
export function boundsOf(areas: readonly Area[]): Bounds {
  const points = areas.flatMap(cornersOf);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

export function holds(area: Area, point: Point): boolean {
  const shares = sharesOf(area, minus(point, area.origin));
  return shares !== null && shares.x >= 0 && shares.x <= 1 && shares.y >= 0 && shares.y <= 1;
}

export function turned(area: Area, about: Point, degrees: number): Area {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const turn = ({ x, y }: Point): Point => ({ x: x * cos - y * sin, y: x * sin + y * cos });
  return {
    ...area,
    origin: plus(about, turn(minus(area.origin, about))),
    across: turn(area.across),
    down: turn(area.down),
  };
}
