/**
 * What differs between two frames, as rectangles of the output, so that only a part is painted, and less of it read
 * back and converted. Phase 4, arithmetic only. The result may be too large, never too small.
 */
import type { TimelineElement } from '../compile/timeline.ts';
import {
  mappedBounds,
  multiply,
  scaleOf,
  translation,
  type Matrix,
  type Rect,
} from '../geometry.ts';
import type { Box, CompositionContent, Content, Frame, TextContent } from '../layout/box.ts';
import { surface } from '../surface.ts';
import { blurKinds, shadowSigma, smallSigma } from '../layout/blur.ts';
import { finishedBounds, grown, intersection, union, wholePixels } from './bounds.ts';
import { isIsolated, isOneDrawing } from './group.ts';
import { motionIn, type Motion } from './motion.ts';
import { pathBounds, pathIsUpright, pathOf } from './shape.ts';
import { isSeenThrough } from './text.ts';

/** A part of the output, in whole pixels. */
export interface ChangedPart {
  /** Outside of it both frames are the same. */
  readonly changed: Rect;
  /** What to paint for that; contains it. The rest of it becomes what it was. */
  readonly painted: Rect;
}

/** The part in which two frames differ; null = they are the same everywhere. */
export function changedPart(
  before: Frame,
  after: Frame,
  scale: Matrix,
  whole: Rect,
): ChangedPart | null {
  if (before === after) return null;
  const all = { changed: whole, painted: whole };
  if (before.fill !== after.fill) return all;
  const place: Place = { parent: scale, view: whole, mixes: false };
  const changes = siblingChanges(before.boxes, after.boxes, place);
  if (changes === 'everything') return all;
  const changed = changes && wholePixels(changes, whole);
  return changed && { changed, painted: overCurves(changed, after.boxes, scale, whole) };
}

/**
 * The drawing library splits curved edges where they leave the clip, and some pixels come out a level lighter or
 * darker. So everything with curved or slanted edges that touches the part is painted whole.
 */
function overCurves(part: Rect, boxes: readonly Box[], scale: Matrix, whole: Rect): Rect {
  // Patterns cover their parent, and their copies are positioned from the left edge of the clip.
  if (boxes.some(({ repeat }) => repeat)) return whole;
  const curved = curvedBounds(boxes, scale, standing);
  let grown = part;
  for (let last: Rect | null = null; last !== grown;) {
    last = grown;
    for (const bounds of curved) {
      const pixels = wholePixels(bounds, whole);
      if (!pixels || !intersection(pixels, grown) || contains(grown, pixels)) continue;
      grown = union(grown, pixels) ?? grown;
    }
  }
  return grown;
}

/** The frame itself. */
const standing: Motion = { rest: null, still: true, stands: true };

/** Bounds of everything without upright straight edges, and of everything that is enlarged. */
function curvedBounds(boxes: readonly Box[], parent: Matrix, around: Motion): Rect[] {
  return boxes.flatMap((box) => {
    const { content } = box;
    const motion = motionIn(around, box);
    const isPlain = isUpright(box) && !box.bend && !box.effects && !box.shadow;
    const tiles = content.kind === 'composition' && content.children.some(({ repeat }) => repeat);
    if (isPlain && content.kind === 'composition' && !tiles) {
      return curvedBounds(content.children, contentSpace(box, content, parent), motion);
    }
    if (isPlain && content.kind === 'media' && !motion.still) return resizedBounds(box, parent);
    if (isPlain && hasStraightContent(content)) return [];
    if (content.kind === 'text' && areMasks(box, content, parent)) {
      return content.backgrounds.flatMap(({ path }) =>
        cutBounds({ ...box, clipPaths: [path] }, parent),
      );
    }
    const bounds = finishedBounds(withHandles(box), parent);
    if (!bounds) return [];
    const drawn = grown(bounds, smallPixels(box, parent));
    return [drawn, ...cutBounds(box, parent), ...cornerBounds(box, parent)];
  });
}

/**
 * Moving pictures are drawn scaled, and the drawing library computes their pixels from the left edge of the clip: with
 * another edge it sometimes picks a neighbouring pixel.
 */
function resizedBounds(box: Box, parent: Matrix): Rect[] {
  const bounds = finishedBounds(box, parent);
  return bounds ? [{ ...bounds, x: 0, width: bounds.x + bounds.width }] : [];
}

/**
 * The drawing library counts the handles of curves as part of an outline: those of round ends are √2 half widths away,
 * those of bent lines a little further. Twice the width covers them.
 */
function withHandles(box: Box): Box {
  const { stroke, content } = box;
  if (!stroke && content.kind !== 'composition') return box;
  return {
    ...box,
    stroke: stroke && { ...stroke, width: stroke.width * 2 },
    content:
      content.kind === 'composition'
        ? { ...content, children: content.children.map(withHandles) }
        : content,
  };
}

/**
 * Enlarged small pictures end up to three of their own pixels beyond the visible part, and clipping them there shifts
 * where the drawing library starts.
 */
function smallPixels({ shadow, effects, transform, content }: Box, parent: Matrix): number {
  const map = multiply(parent, transform);
  const soft = effects && effects.blur > 0 ? effects : null;
  const own = Math.max(
    shadow ? (shadowSigma(shadow) * scaleOf(parent)) / smallSigma : 0,
    soft ? scaleOf(map) / blurKinds[soft.blurMode].smallScale(soft.blur) : 0,
  );
  const children = content.kind === 'composition' ? content.children : [];
  return Math.max(own * 3, ...children.map((child) => smallPixels(child, map)));
}

/** Handles of rounded corners may be outside of their path. */
function cornerBounds({ content, borderRadius, stroke, transform }: Box, parent: Matrix): Rect[] {
  if (content.kind !== 'shape' || borderRadius <= 0) return [];
  const [left, top, right, bottom] = surface().boundsOf(pathOf(content.path, borderRadius));
  const corners = { x: left, y: top, width: right - left, height: bottom - top };
  return [mappedBounds(multiply(parent, transform), grown(corners, (stroke?.width ?? 0) * 2))];
}

/** Largest letters, in pixels, that the drawing library caches as pictures; larger ones are outlines. */
const largestMask = 160;

/** Letters of usual size are drawn as small pictures, which are never split. */
function areMasks(box: Box, { pieces, backgroundsMove }: TextContent, parent: Matrix): boolean {
  if (box.bend || box.effects || box.shadow || box.clipPaths.length > 0 || box.mask) return false;
  if (backgroundsMove === true) return false;
  const [a, b, c, d] = multiply(parent, box.transform);
  if (b !== 0 || c !== 0 || box.contentTransform) return false;
  const scale = Math.max(Math.abs(a), Math.abs(d));
  const spread = box.stroke?.width ?? 0;
  return pieces.every(
    ({ runs, opacity, transform }) =>
      opacity === 1 &&
      runs.every(
        (run) =>
          (run.font.size + spread) * scale * reachOf(transform) < largestMask &&
          // Fully visible outlines are paths.
          !(box.stroke && isSeenThrough(box, run)),
      ),
  );
}

function reachOf(transform: Matrix | null): number {
  if (!transform) return 1;
  const [a, b, c, d] = transform;
  return b === 0 && c === 0 ? Math.max(Math.abs(a), Math.abs(d)) : Infinity;
}

/** A clip reaches further than what it leaves, and is split as well. */
function cutBounds({ clipPaths, transform }: Box, parent: Matrix): Rect[] {
  return clipPaths.flatMap((path) => {
    const bounds = pathBounds(path);
    return bounds ? [mappedBounds(multiply(parent, transform), bounds)] : [];
  });
}

function isUpright({
  transform: [, b, c],
  contentTransform,
  borderRadius,
  clipPaths,
  stroke,
  mask,
}: Box): boolean {
  const turns =
    contentTransform !== null && (contentTransform[1] !== 0 || contentTransform[2] !== 0);
  return (
    b === 0 && c === 0 && !turns && borderRadius === 0 && clipPaths.length === 0 && !stroke && !mask
  );
}

function hasStraightContent(content: Content): boolean {
  if (content.kind === 'media') return true;
  return content.kind === 'shape' && pathIsUpright(content.path);
}

function contains(outer: Rect, inner: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

type Changes = Rect | null | 'everything';

/** The place in which to compare siblings. */
interface Place {
  /** Their space → pixels. */
  readonly parent: Matrix;
  /** The pixels of the canvas. */
  readonly view: Rect;
  /** True if opacity or a blend mode comes from a surrounding composition that contains nothing else. */
  readonly mixes: boolean;
}

/**
 * Layout keeps the identical box for unchanged elements, so siblings are compared by identity. A changed element counts
 * where it was and where it is.
 */
function siblingChanges(before: readonly Box[], after: readonly Box[], place: Place): Changes {
  if (before === after) return null;
  if (!sameOrder(before, after)) return 'everything';
  const old = byPath(before);
  const now = byPath(after);
  let part: Rect | null = null;
  let masked = false;
  // From last to first: masks follow their target.
  for (const box of after.toReversed()) {
    const { path } = box.element;
    if (box.mask) masked = true;
    const last = old.get(path);
    if (last !== box) {
      const around = { ...place, mixes: place.mixes || masked };
      const changes = last ? boxChanges(last, box, around) : reach(box, place.parent);
      if (changes === 'everything') return changes;
      part = union(part, changes);
    }
    if (!box.mask) masked = false;
  }
  for (const [path, box] of old) {
    if (now.has(path)) continue;
    const changes = reach(box, place.parent);
    if (changes === 'everything') return changes;
    part = union(part, changes);
  }
  return part;
}

/** Inside an unchanged composition, only changed children count. */
function boxChanges(before: Box, after: Box, place: Place): Changes {
  const { parent } = place;
  const [inner, outer] = [before.content, after.content];
  const was = reach(before, parent);
  const is = reach(after, parent);
  if (was === 'everything' || is === 'everything') return 'everything';
  const mixes = place.mixes || after.opacity < 1 || after.blendMode !== 'none' || isIsolated(after);
  const stays = onlyContentDiffers(before, after) && !(mixes && isElsewhere(was, is, place.view));
  if (stays && inner.kind === 'composition' && outer.kind === 'composition') {
    const space = contentSpace(after, outer, parent);
    const inside = { ...place, parent: space, mixes: mixes && isOneDrawing(after) };
    return siblingChanges(inner.children, outer.children, inside);
  }
  if (stays && inner.kind === 'text' && outer.kind === 'text') {
    const changes = textChanges(before, inner, after, outer, parent);
    if (changes !== 'everything') return changes;
  }
  return union(was, is);
}

/**
 * True if something finished on a separate layer gets a different layer area: gradients and curves may differ by a
 * level if their layer begins elsewhere.
 */
function isElsewhere(was: Rect | null, is: Rect | null, view: Rect): boolean {
  const one = was && wholePixels(was, view);
  const other = is && wholePixels(is, view);
  if (!one || !other) return one !== other;
  return (['x', 'y', 'width', 'height'] as const).some((side) => one[side] !== other[side]);
}

/** Unchanged words keep their pieces, so only those that came or went have changed. */
function textChanges(
  before: Box,
  inner: TextContent,
  after: Box,
  outer: TextContent,
  parent: Matrix,
): Changes {
  if (inner.cursor || outer.cursor || inner.backgroundsMove || outer.backgroundsMove)
    return 'everything';
  const only = (content: TextContent, other: TextContent): TextContent => ({
    kind: 'text',
    pieces: content.pieces.filter((piece) => !other.pieces.includes(piece)),
    backgrounds: content.backgrounds.filter((area) => !other.backgrounds.includes(area)),
  });
  return union(
    finishedBounds({ ...before, content: only(inner, outer) }, parent),
    finishedBounds({ ...after, content: only(outer, inner) }, parent),
  );
}

/** The area that a box affects. Masks and patterns reach beyond their own pixels. */
function reach(box: Box, parent: Matrix): Changes {
  if (box.mask || box.repeat) return 'everything';
  return finishedBounds(box, parent);
}

/** Effects spread or blend pixels of children, so a composition with effects counts as one. */
function onlyContentDiffers(before: Box, after: Box): boolean {
  if (
    after.mask ||
    after.repeat ||
    after.bend ||
    after.effects ||
    after.shadow ||
    after.clipPaths.length > 0
  )
    return false;
  const keys = Object.keys(after) as (keyof Box)[];
  if (keys.length !== Object.keys(before).length) return false;
  return keys.every(
    (key) =>
      key === 'content' ||
      (key === 'element' && sameValues(before.element, after.element)) ||
      Object.is(before[key], after[key]) ||
      sameNumbers(before[key], after[key]),
  );
}

/** Compiled again because of something inside of it (compile/recompile.ts). */
function sameValues(one: TimelineElement, two: TimelineElement): boolean {
  return one.values === two.values && one.animations === two.animations;
}

/** Matrices and empty lists are recreated unchanged. */
function sameNumbers(one: unknown, two: unknown): boolean {
  return (
    Array.isArray(one) &&
    Array.isArray(two) &&
    one.length === two.length &&
    one.every((value, index) => typeof value === 'number' && value === two[index])
  );
}

function contentSpace(box: Box, content: CompositionContent, parent: Matrix): Matrix {
  const place = multiply(parent, box.transform);
  const moved = box.contentTransform ? multiply(place, box.contentTransform) : place;
  return multiply(moved, translation(content.originX, content.originY));
}

/** True if the siblings in both frames have the same order: a swap changes pixels of unchanged boxes. */
function sameOrder(before: readonly Box[], after: readonly Box[]): boolean {
  const shown = new Map(after.map((box, index) => [box.element.path, index]));
  let last = -1;
  for (const { element } of before) {
    const index = shown.get(element.path);
    if (index === undefined) continue;
    if (index < last) return false;
    last = index;
  }
  return true;
}

function byPath(boxes: readonly Box[]): ReadonlyMap<string, Box> {
  return new Map(boxes.map((box) => [box.element.path, box]));
}
