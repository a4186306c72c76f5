/**
 * Elements out of their plane: the finished drawing goes to a layer, and the layer through a mesh to its place. Phase
 * 4. The layer's content is passed in as a function; layout decides where points go.
 *
 * [Note: Meshes add up]
 *
 * The canvas only draws affine maps, so a bent picture is made of triangles too small to see (but for planes where the
 * library can put them down: project.ts). Adjacent triangles let the background through along their common edge, where
 * both cover pixels in part; overlapping ones show a line where the picture is translucent. Here their colours are
 * *added* on an empty layer: the parts of a pixel that neighbours cover add up to the whole. Only rounding is left of
 * the edges: nothing on most pixels, one level of 255 on some, more only where corners meet, and little there once
 * corners are on whole pixels. Where a surface folds over itself, every part between two folds is a separate sheet,
 * backs first.
 */
import {
  apply,
  mappedBounds,
  multiply,
  scaleOf,
  translation,
  type Matrix,
  type Rect,
} from '../geometry.ts';
import type { Point } from '../homography.ts';
import { bentBounds, bentMap, bentScale, type BentBox } from '../layout/bend.ts';
import type { Composite } from '../surface.ts';
import { grown, intersection, wholePixels } from './bounds.ts';
import { copyOnto, placeOf, type Layer, type Layers } from './layers.ts';
import { filledPicture, type ScaledPicture } from './pictures.ts';
import { paintPlane, planeMap } from './project.ts';

/** What is bent, and how it meets the backdrop. */
export interface BendJob {
  readonly box: BentBox;
  /** What the flat drawing covers, box space. */
  readonly ink: Rect;
  /** The parent's content space → the target's pixel space. */
  readonly parent: Matrix;
  readonly alpha: number;
  readonly composite: Composite;
}

/** Transparent pixels around the flat drawing, for soft edges. */
const border = 2;

/** Largest side and area of a flat drawing, pixels; larger ones are drawn at this size and enlarged. */
const largestSide = 4096;
const largestArea = 12e6;

/**
 * Largest area of a pattern, pixels, and pixels that it has beyond its triangles. Skia caches a pattern's picture if it
 * and its smaller copies fit into 32 MiB; a larger one is made again for each triangle, which takes 20 ms and more.
 */
const patternArea = 4.5e6;
const patternMargin = 64;

/** How far a triangle may be from its exact place, pixels, and how many there may be along a side. */
const tolerance = 0.3;
const mostCells = 64;

/** Draws a bent box; `draw` makes the flat drawing, opaque, where the map puts box space. */
export function paintBent(
  layers: Layers,
  target: Layer,
  { box, ink, parent, alpha, composite }: BendJob,
  draw: (layer: Layer, matrix: Matrix) => void,
): void {
  const bounds = bentBounds(box, ink);
  const pixels = bounds && wholePixels(mappedBounds(parent, bounds), placeOf(target));
  if (!pixels) return;
  const flat = flatPlan(box, ink, parent, placeOf(target));
  layers.with(flat.pixels, (layer) => {
    draw(layer, flat.matrix);
    const map = planeMap(box, flat.matrix, parent);
    if (map) {
      layers.with(pixels, (sheet) => {
        paintPlane(sheet, layer, map);
        copyOnto(target, sheet, alpha, composite);
      });
      return;
    }
    const step = stripStep(layer);
    const leastRows = Math.ceil(layer.height / step);
    const [first, ...others] = sheetsOf(meshOf(box, flat, parent, leastRows));
    if (!first) return;
    // The same for all sheets: patterns contain copies of the drawing, and a heavily distorted surface has hundreds of
    // sheets.
    const strips = stripsOf(layers, layer, step);
    layers.with(pixels, (sheet) => {
      addTriangles(sheet, strips, first);
      for (const triangles of others) {
        layers.with(pixels, (above) => {
          addTriangles(above, strips, triangles);
          copyOnto(sheet, above);
        });
      }
      copyOnto(target, sheet, alpha, composite);
    });
  });
}

/** A part of the flat drawing for the triangles that begin in its rows. */
interface Strip {
  /** Its place in the flat drawing's pixel space. */
  readonly left: number;
  readonly top: number;
  /** Rows of the flat drawing in which its triangles begin; the last strip has the rest. */
  readonly until: number;
  readonly pattern: NonNullable<ReturnType<Layer['ctx']['createPattern']>>;
}

/** Rows from strip to strip; triangles must not be higher. Infinite if one pattern is enough. */
function stripStep({ width, height }: Layer): number {
  if (width * height <= patternArea) return Infinity;
  return Math.max(1, Math.floor(patternArea / width / 2));
}

function stripsOf(layers: Layers, flat: Layer, step: number): readonly Strip[] {
  const { left, top, width, height } = flat;
  const stripAt = (layer: Layer, until: number): Strip[] => {
    const pattern = layer.ctx.createPattern(layer.canvas, 'no-repeat');
    return pattern ? [{ left, top: layer.top, until, pattern }] : [];
  };
  if (step === Infinity) return stripAt(flat, Infinity);
  return Array.from({ length: Math.ceil(height / step) }, (_, index) => {
    const from = Math.max(0, index * step - patternMargin);
    // As high again, because a triangle that begins in its last row ends below.
    const to = Math.min(height, (index + 2) * step + patternMargin);
    return layers.with({ x: left, y: top + from, width, height: to - from }, (layer) => {
      copyOnto(layer, flat);
      return stripAt(layer, top + (index + 1) * step);
    });
  }).flat();
}

/**
 * Plans the flat drawing at its largest visible scale, separately for each axis: nearly edge-on drawings are drawn
 * narrow at once, which is smoother than squeezing pixels. Its edges are on whole pixels. Too large drawings are cut to
 * the visible part.
 */
function flatPlan(box: BentBox, ink: Rect, parent: Matrix, view: Rect): ScaledPicture {
  const outer = scaleOf(parent);
  const whole = bentScale(box, ink);
  const [across, down] = [ink.width * whole.x * outer, ink.height * whole.y * outer];
  const fits = across <= largestSide && down <= largestSide && across * down <= largestArea;
  const part = fits ? ink : seenPart(box, ink, parent, view);
  return flatPicture(box, part, outer);
}

/** The part shrinks until a cell along each side is visible; four rounds of 24 find one 331,776th. */
const seenCells = 24;
const seenRounds = 4;

/** The rectangle of box space that fills the view; rather too large than too small. */
function seenPart(box: BentBox, ink: Rect, parent: Matrix, view: Rect): Rect {
  const bentAt = bentMap(box);
  let part = ink;
  for (let round = 0; round < seenRounds; round++) {
    const [wide, high] = [part.width / seenCells, part.height / seenCells];
    const { x: left, y: top } = part;
    const pointAt = (column: number, row: number): Point | null => {
      const point = bentAt(left + column * wide, top + row * high);
      return point && apply(parent, ...point);
    };
    const isSeen = (column: number, row: number): boolean => {
      const middle = pointAt(column + 0.5, row + 0.5);
      const corners = [0, 1, 2, 3].map((at) => pointAt(column + (at & 1), row + (at >> 1)));
      const points = corners.filter((corner) => corner !== null);
      // It continues behind the eye.
      if (!middle || points.length < 4) return middle !== null || points.length > 0;
      const xs = points.map(([x]) => x);
      const ys = points.map(([, y]) => y);
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      const cell = { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
      // The surface bulges between its corners.
      const flatX = xs.reduce((sum, value) => sum + value / 4, 0);
      const flatY = ys.reduce((sum, value) => sum + value / 4, 0);
      const bulge = Math.hypot(middle[0] - flatX, middle[1] - flatY);
      return intersection(grown(cell, 3 * bulge + 2), view) !== null;
    };
    let [first, last, upper, lower] = [seenCells, -1, seenCells, -1];
    for (let row = 0; row < seenCells; row++) {
      for (let column = 0; column < seenCells; column++) {
        if (!isSeen(column, row)) continue;
        [first, last] = [Math.min(first, column), Math.max(last, column)];
        [upper, lower] = [Math.min(upper, row), Math.max(lower, row)];
      }
    }
    const [columns, rows] = [last - first + 1, lower - upper + 1];
    if (columns <= 0 || columns * rows === seenCells * seenCells) break;
    part = {
      x: left + first * wide,
      width: columns * wide,
      y: top + upper * high,
      height: rows * high,
    };
  }
  return part;
}

function flatPicture(box: BentBox, ink: Rect, outer: number): ScaledPicture {
  const scale = bentScale(box, ink);
  let wide = sidePixels(ink.width * scale.x * outer);
  let high = sidePixels(ink.height * scale.y * outer);
  const excess = Math.sqrt((wide * high) / largestArea);
  if (excess > 1) {
    wide = sidePixels(wide / excess);
    high = sidePixels(high / excess);
  }
  return filledPicture(ink, wide, high, border);
}

function sidePixels(side: number): number {
  return Math.min(largestSide, Math.max(1, Math.ceil(side)));
}

/** The triangles of the cells, two for each, row by row; null where nothing shows. */
interface Mesh {
  readonly columns: number;
  readonly triangles: readonly (Triangle | null)[];
}

/** Three corners in the target's pixel space, and the map that takes the flat drawing's pixels there. */
interface Triangle {
  readonly corners: readonly [Point, Point, Point];
  readonly matrix: Matrix;
  /** Negative if it shows its back. */
  readonly area: number;
  /** Row of the flat drawing in which it begins. */
  readonly row: number;
}

/** @param leastRows Rows of cells even if fewer were close enough. */
function meshOf(
  box: BentBox,
  { area, matrix }: ScaledPicture,
  parent: Matrix,
  leastRows: number,
): Mesh {
  const bentAt = bentMap(box);
  const pointAt = (u: number, v: number): Point | null => {
    const point = bentAt(area.x + area.width * u, area.y + area.height * v);
    return point && apply(parent, ...point);
  };
  const { columns, rows } = cellsNeeded(pointAt, leastRows);
  const points = Array.from({ length: (columns + 1) * (rows + 1) }, (_, index) =>
    pointAt((index % (columns + 1)) / columns, Math.floor(index / (columns + 1)) / rows),
  );
  const at = ([column, row]: Point): Point | null => points[row * (columns + 1) + column] ?? null;
  const flatAt = ([column, row]: Point): Point =>
    apply(matrix, area.x + (area.width * column) / columns, area.y + (area.height * row) / rows);
  const triangle = (...places: readonly [Point, Point, Point]): Triangle | null => {
    const [one, two, three] = places;
    const [a, b, c] = [at(one), at(two), at(three)];
    if (!a || !b || !c) return null;
    const size = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    // Edge-on it covers nothing.
    if (Math.abs(size) < 1e-6) return null;
    const flat = [flatAt(one), flatAt(two), flatAt(three)] as const;
    const row = Math.min(...flat.map(([, y]) => y));
    return { corners: [a, b, c], matrix: triangleMap(flat, [a, b, c]), area: size, row };
  };
  const triangles: (Triangle | null)[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      triangles.push(
        triangle([column, row], [column + 1, row], [column, row + 1]),
        triangle([column + 1, row], [column + 1, row + 1], [column, row + 1]),
      );
    }
  }
  return { columns, triangles };
}

/**
 * The parts of a mesh that may be added up: neighbours that show the same face. A surface without folds is one part; in
 * a folded one, parts that show their back come first.
 */
function sheetsOf({ columns, triangles }: Mesh): readonly Triangle[][] {
  const sheets: Triangle[][] = [];
  const seen = new Set<number>();
  triangles.forEach((first, start) => {
    if (!first || seen.has(start)) return;
    const sheet: Triangle[] = [];
    const waiting = [start];
    seen.add(start);
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const triangle = triangles[index];
      if (!triangle) continue;
      sheet.push(triangle);
      for (const next of neighboursOf(index, columns)) {
        const other = triangles[next];
        if (!other || seen.has(next) || other.area < 0 !== first.area < 0) continue;
        seen.add(next);
        waiting.push(next);
      }
    }
    sheets.push(sheet);
  });
  const isBack = ([triangle]: readonly Triangle[]): boolean => (triangle?.area ?? 0) < 0;
  return [...sheets.filter(isBack), ...sheets.filter((sheet) => !isBack(sheet))];
}

/** Places in the list of the triangles that share a side with one; even ones are the upper left half of a cell. */
function neighboursOf(index: number, columns: number): number[] {
  const column = (index >> 1) % columns;
  if (index % 2 === 0) {
    return [index + 1, index - 2 * columns + 1, ...(column > 0 ? [index - 1] : [])];
  }
  return [index - 1, index + 2 * columns - 1, ...(column < columns - 1 ? [index + 1] : [])];
}

/** Makes cells smaller until straight pieces are close enough to the exact surface. */
function cellsNeeded(
  pointAt: (u: number, v: number) => Point | null,
  leastRows: number,
): {
  columns: number;
  rows: number;
} {
  let columns = 2;
  let rows = Math.max(2, leastRows);
  for (let step = 0; step < 8; step++) {
    const slant = largestGap(pointAt, columns, rows, 1, -1);
    // Gaps shrink with the square of a side, or with both sides where the surface is twisted.
    const wider = Math.max(largestGap(pointAt, columns, rows, 1, 0), slant) / tolerance;
    const higher = Math.max(largestGap(pointAt, columns, rows, 0, 1), slant) / tolerance;
    if (wider <= 1 && higher <= 1) break;
    columns = Math.min(mostCells, Math.ceil(columns * Math.sqrt(Math.max(1, wider))));
    rows = Math.min(mostCells, Math.ceil(rows * Math.sqrt(Math.max(1, higher))));
  }
  return { columns, rows };
}

/** Largest distance between the middle of a cell's side (or diagonal) and the true point there. */
function largestGap(
  pointAt: (u: number, v: number) => Point | null,
  columns: number,
  rows: number,
  stepX: number,
  stepY: number,
): number {
  let largest = 0;
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const [endX, endY] = [column + stepX, row + stepY];
      if (endX > columns || endY > rows || endY < 0) continue;
      const from = pointAt(column / columns, row / rows);
      const to = pointAt(endX / columns, endY / rows);
      const middle = pointAt((column + endX) / 2 / columns, (row + endY) / 2 / rows);
      if (!from || !to || !middle) continue;
      const gap = Math.hypot((from[0] + to[0]) / 2 - middle[0], (from[1] + to[1]) / 2 - middle[1]);
      largest = Math.max(largest, gap);
    }
  }
  return largest;
}

/** The affine map that takes three points to three others. */
function triangleMap(
  [p0, p1, p2]: readonly [Point, Point, Point],
  [q0, q1, q2]: readonly [Point, Point, Point],
): Matrix {
  const [x1, y1, x2, y2] = [p1[0] - p0[0], p1[1] - p0[1], p2[0] - p0[0], p2[1] - p0[1]];
  const size = x1 * y2 - x2 * y1;
  const a = ((q1[0] - q0[0]) * y2 - (q2[0] - q0[0]) * y1) / size;
  const b = ((q1[1] - q0[1]) * y2 - (q2[1] - q0[1]) * y1) / size;
  const c = ((q2[0] - q0[0]) * x1 - (q1[0] - q0[0]) * x2) / size;
  const d = ((q2[1] - q0[1]) * x1 - (q1[1] - q0[1]) * x2) / size;
  return [a, b, c, d, q0[0] - a * p0[0] - c * p0[1], q0[1] - b * p0[0] - d * p0[1]];
}

/** See: [Note: Meshes add up] */
function addTriangles(
  sheet: Layer,
  strips: readonly Strip[],
  triangles: readonly Triangle[],
): void {
  const { ctx } = sheet;
  const view = grown({ x: 0, y: 0, width: sheet.width, height: sheet.height }, 1);
  ctx.save();
  ctx.resetTransform();
  ctx.globalCompositeOperation = 'lighter';
  // Corners on whole pixels halve the rounding. Only the cut moves, not the picture, which extends past its triangle.
  const snap = triangles.every(isThick) ? Math.round : (value: number): number => value;
  // Strip by strip, so that each pattern is made ready once.
  const sorted =
    strips.length > 1 ? triangles.toSorted((one, two) => one.row - two.row) : triangles;
  for (const { corners, matrix, row } of sorted) {
    const strip = strips.find(({ until }) => row < until) ?? strips.at(-1);
    if (!strip) return;
    const { pattern } = strip;
    const xs = corners.map(([x]) => snap(x) - sheet.left);
    const ys = corners.map(([, y]) => snap(y) - sheet.top);
    if (Math.max(...xs) < view.x || Math.min(...xs) > view.x + view.width) continue;
    if (Math.max(...ys) < view.y || Math.min(...ys) > view.y + view.height) continue;
    const [a, b, c, d, e, f] = multiply(matrix, translation(strip.left, strip.top));
    pattern.setTransform({ a, b, c, d, e: e - sheet.left, f: f - sheet.top });
    ctx.fillStyle = pattern;
    ctx.beginPath();
    xs.forEach((x, index) => {
      if (index === 0) ctx.moveTo(x, ys[index] ?? 0);
      else ctx.lineTo(x, ys[index] ?? 0);
    });
    ctx.closePath();
    ctx.fill();
  }
  ctx.restore();
}

/** True for triangles that keep their shape when their corners move by half a pixel. */
function isThick({ corners: [a, b, c], area }: Triangle): boolean {
  const longest = Math.max(
    Math.hypot(b[0] - a[0], b[1] - a[1]),
    Math.hypot(c[0] - b[0], c[1] - b[1]),
    Math.hypot(a[0] - c[0], a[1] - c[1]),
  );
  return Math.abs(area) / longest > 5;
}
