/**
 * Shapes: paths for the canvas, partial outlines. Phase 4. Other painters use these paths; nothing here depends on
 * layers or effects.
 */
import type { Path } from '../compile/property-values.ts';
import { intersection, type Rect } from '../geometry.ts';
import type { Box, MediaContent, ShapeContent } from '../layout/box.ts';
import type { Stroke } from '../layout/paint-values.ts';
import { rectanglePath } from '../layout/path.ts';
import { surface, type Context, type CanvasPath } from '../surface.ts';
import { roundedPath } from './corners.ts';
import { paintStyle } from './fill.ts';

/** A path in its unrounded form, by the compiled path; paths are read-only, so they are converted once. */
const converted = new WeakMap<Path, Map<number, CanvasPath>>();

/** Draws the shape's fill, then its outline over it. */
export function paintShape(ctx: Context, box: Box, { path }: ShapeContent): void {
  const outline = pathOf(path, box.borderRadius);
  if (box.fill) {
    ctx.fillStyle = paintStyle(ctx, box.fill);
    ctx.fill(outline);
  }
  if (box.stroke) paintStroke(ctx, outline, box.stroke);
}

/** Strokes a path, or its visible part. */
export function paintStroke(ctx: Context, path: CanvasPath, stroke: Stroke): void {
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
 * The canvas path of a compiled path, its corners rounded (corners.ts). Do not change the result: it is shared.
 */
export function pathOf(path: Path, radius = 0): CanvasPath {
  let byRadius = converted.get(path);
  if (!byRadius) converted.set(path, (byRadius = new Map<number, CanvasPath>()));
  const held = byRadius.get(radius);
  if (held) return held;
  // A keyframed radius on a static path would add one entry per frame.
  if (byRadius.size > 8) byRadius.clear();
  const made = radius > 0 ? roundedPath(path, radius) : plainPath(path);
  byRadius.set(radius, made);
  return made;
}

/** The outline of a box with its rounded corners, box space. */
export function boxPath({ width, height, borderRadius }: Box): CanvasPath {
  return roundedRect({ x: 0, y: 0, width, height }, borderRadius);
}

/** The clip path of a box's content: pictures stay out of its padding. */
export function windowPath(box: Box): CanvasPath {
  const { content, borderRadius } = box;
  return content.kind === 'media' ? roundedRect(content.window, borderRadius) : boxPath(box);
}

/**
 * The line that a box's stroke follows. A partial one begins at the upper left and runs clockwise, like a shape's
 * rectangle; the canvas's own round rectangles begin elsewhere, but are faster for filling and clipping.
 */
export function boxOutline(box: Box, stroke: Stroke): CanvasPath {
  const { content, borderRadius } = box;
  // A picture that fits inside is outlined itself.
  if (content.kind === 'media' && !box.contentTransform && !covers(content))
    return roundedRect(intersection(content.rect, content.window), borderRadius);
  if (stroke.end - stroke.start >= 1 || borderRadius <= 0) return boxPath(box);
  return roundedPath(rectanglePath(box.width, box.height), borderRadius);
}

/** Whether a picture fills its window, but for less than what can be seen. */
function covers({ rect, window }: MediaContent): boolean {
  return rect.width > window.width - 0.01 && rect.height > window.height - 0.01;
}

/** A rectangle with round corners; the radius is limited to half the shorter side. */
export function roundedRect({ x, y, width, height }: Rect, radius: number): CanvasPath {
  const path = surface().createPath();
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

/** True for paths of horizontal and vertical lines. */
export function pathIsUpright(path: Path): boolean {
  let [x, y] = [0, 0];
  for (const command of path) {
    if (command[0] === 'Z') continue;
    if (command[0] !== 'M' && command[0] !== 'L') return false;
    if (command[0] === 'L' && command[1] !== x && command[2] !== y) return false;
    [, x, y] = command;
  }
  return true;
}

/** How far a stroke reaches beyond the edge that it follows. */
export function strokeReach({ width, join, cap }: Stroke): number {
  // The canvas limits miters to ten half widths; square caps reach √2 half widths along a diagonal.
  if (join === 'miter') return width * 5;
  return cap === 'square' ? width * 0.75 : width / 2;
}

/**
 * The part of a path between `start` and `end`, moved on by `offset`; null if nothing is visible. Past the end of the
 * path it continues at the beginning, without a seam on a closed path.
 */
function trimmed(path: CanvasPath, { start, end, offset }: Stroke): CanvasPath | null {
  const length = end - start;
  if (length <= 0) return null;
  if (length >= 1) return path;
  const from = start + offset - Math.floor(start + offset);
  const to = from + length;
  // Past the end: everything except the invisible part, which keeps the two ends of a closed path joined.
  return to > 1
    ? surface().trimmed(path, to - 1, from, true)
    : surface().trimmed(path, from, to, false);
}

function plainPath(path: Path): CanvasPath {
  const result = surface().createPath();
  for (const command of path) append(result, command);
  return result;
}

function append(target: CanvasPath, command: Path[number]): void {
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

/** The fill of an element that is not a shape. */
export function fillBox(ctx: Context, box: Box): void {
  if (!box.fill) return;
  ctx.fillStyle = paintStyle(ctx, box.fill);
  ctx.fill(boxPath(box));
}

/** The outline of an element that is not a shape. */
export function outlineBox(ctx: Context, box: Box): void {
  if (box.stroke) paintStroke(ctx, boxOutline(box, box.stroke), box.stroke);
}
