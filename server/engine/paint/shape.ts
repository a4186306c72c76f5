/**
 * Shapes: paths for the canvas, rounded corners, outlines that show in part. Phase 4. Other painters take their paths
 * from here; nothing here knows layers or effects.
 */
import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { Path } from '../compile/timeline.ts';
import type { Rect } from '../geometry.ts';
import type { Box, ShapeContent, Stroke } from '../layout/box.ts';
import { paintStyle } from './fill.ts';

/** A path in its unrounded form, by the compiled path; paths are read-only, so they are converted once. */
const converted = new WeakMap<Path, Map<number, Path2D>>();

/** Draws the shape's fill, then its outline over it. */
export function paintShape(ctx: SKRSContext2D, box: Box, { path }: ShapeContent): void {
  const outline = pathOf(path, box.borderRadius);
  if (box.fill) {
    ctx.fillStyle = paintStyle(ctx, box.fill);
    ctx.fill(outline);
  }
  if (box.stroke) paintStroke(ctx, outline, box.stroke);
}

/** Follows a path with a stroke, or with the part of it that shows. */
export function paintStroke(ctx: SKRSContext2D, path: Path2D, stroke: Stroke): void {
  if (stroke.width <= 0) return;
  const visible = trimmed(path, stroke);
  if (!visible) return;
  ctx.strokeStyle = paintStyle(ctx, stroke.paint);
  ctx.lineWidth = stroke.width;
  ctx.lineCap = stroke.cap;
  ctx.lineJoin = stroke.join;
  ctx.stroke(visible);
}

/**
 * The canvas path of a compiled path, its corners rounded. Do not change the result: it is shared.
 * Corners are rounded where two straight lines meet; curves meet as they are drawn.
 */
export function pathOf(path: Path, radius = 0): Path2D {
  let byRadius = converted.get(path);
  if (!byRadius) converted.set(path, (byRadius = new Map<number, Path2D>()));
  const held = byRadius.get(radius);
  if (held) return held;
  // A keyframed radius over a standing path would collect one entry per frame.
  if (byRadius.size > 8) byRadius.clear();
  const made = radius > 0 ? roundedPath(path, radius) : plainPath(path);
  byRadius.set(radius, made);
  return made;
}

/** The outline of a box with its rounded corners, box space. */
export function boxPath({ width, height, borderRadius }: Box): Path2D {
  return roundedRect({ x: 0, y: 0, width, height }, borderRadius);
}

/** A rectangle with round corners; the radius is held to half the shorter side. */
export function roundedRect({ x, y, width, height }: Rect, radius: number): Path2D {
  const path = new Path2D();
  const held = Math.min(radius, width / 2, height / 2);
  if (held > 0) path.roundRect(x, y, width, height, held);
  else path.rect(x, y, width, height);
  return path;
}

/** Extent of a path including the handles of its curves, or null when it is empty. */
export function pathBounds(path: Path): Rect | null {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const command of path) {
    for (let index = 1; index + 1 < command.length; index += 2) {
      const x = Number(command[index]);
      const y = Number(command[index + 1]);
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return left > right ? null : { x: left, y: top, width: right - left, height: bottom - top };
}

/** How far a stroke reaches beyond the edge that it follows. */
export function strokeReach({ width, join, cap }: Stroke): number {
  // Canvas cuts miters at ten half widths; square caps reach √2 half widths along a diagonal.
  if (join === 'miter') return width * 5;
  return cap === 'square' ? width * 0.75 : width / 2;
}

/**
 * The part of a path between `start` and `end`, moved on by `offset`; null when nothing shows. Past the end of the path
 * it goes on at the beginning, and on a closed path without a seam.
 */
function trimmed(path: Path2D, { start, end, offset }: Stroke): Path2D | null {
  const length = end - start;
  if (length <= 0) return null;
  if (length >= 1) return path;
  const from = start + offset - Math.floor(start + offset);
  const to = from + length;
  // `trim` changes the path it is called on.
  const part = new Path2D(path);
  // Over the end: everything but what does not show, which keeps the two ends of a closed path joined.
  return to > 1 ? part.trim(to - 1, from, true) : part.trim(from, to);
}

function plainPath(path: Path): Path2D {
  const result = new Path2D();
  for (const command of path) append(result, command);
  return result;
}

function append(target: Path2D, command: Path[number]): void {
  switch (command[0]) {
    case 'M':
      target.moveTo(command[1], command[2]);
      break;
    case 'L':
      target.lineTo(command[1], command[2]);
      break;
    case 'Q':
      target.quadraticCurveTo(command[1], command[2], command[3], command[4]);
      break;
    case 'C':
      target.bezierCurveTo(command[1], command[2], command[3], command[4], command[5], command[6]);
      break;
    case 'Z':
      target.closePath();
      break;
  }
}

/** A piece of a contour: the command that draws it and the point where it ends. */
interface Segment {
  readonly command: Exclude<Path[number], readonly ['M', number, number] | readonly ['Z']>;
  readonly x: number;
  readonly y: number;
}

interface Contour {
  readonly x: number;
  readonly y: number;
  readonly segments: readonly Segment[];
  readonly closed: boolean;
}

/**
 * Corners become arcs that touch both lines. An arc takes at most half of either line, so neighbours share a short side.
 * (The canvas has `Path2D.round`; see README.md for why it is not used.)
 */
function roundedPath(path: Path, radius: number): Path2D {
  const result = new Path2D();
  for (const contour of contoursOf(path)) appendRounded(result, contour, radius);
  return result;
}

function appendRounded(result: Path2D, { x, y, segments, closed }: Contour, radius: number): void {
  const first = segments[0];
  const last = segments.at(-1);
  if (!first || !last) return;
  const wraps = closed && first.command[0] === 'L' && last.command[0] === 'L';
  // A rounded first corner belongs to the end of the contour, so begin in the middle of its first line.
  if (wraps) result.moveTo((x + first.x) / 2, (y + first.y) / 2);
  else result.moveTo(x, y);

  let fromX = x;
  let fromY = y;
  segments.forEach((segment, index) => {
    const next = segments[index + 1] ?? (wraps ? first : undefined);
    if (segment.command[0] === 'L' && next?.command[0] === 'L') {
      const corner = cornerRadius(fromX, fromY, segment.x, segment.y, next.x, next.y, radius);
      result.arcTo(segment.x, segment.y, next.x, next.y, corner);
    } else append(result, segment.command);
    fromX = segment.x;
    fromY = segment.y;
  });
  if (closed) result.closePath();
}

/** The radius at a corner b between a and c: no more than leaves both tangents within half of their lines. */
function cornerRadius(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  radius: number,
): number {
  const one = Math.hypot(ax - bx, ay - by);
  const two = Math.hypot(cx - bx, cy - by);
  const cosine = ((ax - bx) * (cx - bx) + (ay - by) * (cy - by)) / (one * two);
  const half = Math.acos(Math.min(1, Math.max(-1, cosine))) / 2;
  return Math.min(radius, (Math.min(one, two) / 2) * Math.tan(half));
}

/** Cuts a path into contours, dropping segments without length: they would hide the corner that they lie on. */
function contoursOf(path: Path): Contour[] {
  const contours: Contour[] = [];
  let start = { x: 0, y: 0 };
  let segments: Segment[] = [];
  let at = start;
  const finish = (closed: boolean): void => {
    if (closed && distinct(at, start))
      segments.push({ command: ['L', start.x, start.y], ...start });
    if (segments.length > 0) contours.push({ ...start, segments, closed });
    segments = [];
    at = start;
  };
  for (const command of path) {
    if (command[0] === 'M') {
      finish(false);
      start = at = { x: command[1], y: command[2] };
    } else if (command[0] === 'Z') {
      finish(true);
    } else {
      const [x, y] = command.slice(-2).map(Number);
      if (x === undefined || y === undefined) continue;
      if (command[0] !== 'L' || distinct(at, { x, y })) segments.push({ command, x, y });
      at = { x, y };
    }
  }
  finish(false);
  return contours;
}

function distinct(a: { x: number; y: number }, b: { x: number; y: number }): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) > 1e-6;
}
