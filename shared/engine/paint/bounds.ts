/**
 * How far an element's pixels reach, so that layers can be as small as possible. Phase 4, arithmetic only. Bounds may
 * be too large, never too small.
 */
import {
  mappedBounds,
  multiply,
  scaleOf,
  translation,
  type Matrix,
  type Rect,
} from '../geometry.ts';
import { bentBounds } from '../layout/bend.ts';
import type { Box, Content, MediaContent } from '../layout/box.ts';
import { blurKinds, keepsItsEdges, shadowSigma, sigmasVisible } from '../layout/blur.ts';
import { pathBounds, strokeReach } from './shape.ts';
import { pieceInk } from './text.ts';

/** What fill, content and outline cover in box space; without effects, clips of animations, and shadow. */
export function plainBounds(box: Box): Rect | null {
  const whole: Rect = { x: 0, y: 0, width: box.width, height: box.height };
  let content = contentBounds(box, box.content);
  if (content && box.contentTransform) content = mappedBounds(box.contentTransform, content);
  if (content && box.clip) content = intersection(content, whole);
  const { kind } = box.content;
  if (kind === 'text' || kind === 'shape') return content;
  let result = content;
  if (box.fill) result = union(result, whole);
  if (box.stroke) result = union(result, grown(whole, strokeReach(box.stroke)));
  return result;
}

/** The same with blur and clips of animations, still in box space and without the shadow. */
export function inkBounds(box: Box): Rect | null {
  let result = plainBounds(box);
  if (result && box.effects && box.effects.blur > 0 && !keepsItsEdges(box)) {
    result = grown(result, blurKinds[box.effects.blurMode].reach(box.effects.blur));
  }
  for (const path of box.clipPaths) {
    const cut = pathBounds(path);
    result = result && cut ? intersection(result, cut) : null;
  }
  return result;
}

/** The last answer for each box: unchanged elements keep their boxes from frame to frame. */
const lastBounds = new WeakMap<Box, { readonly parent: Matrix; readonly bounds: Rect | null }>();

/** Everything visible of an element, in the space that `parent` maps its parent's content space to. */
export function finishedBounds(box: Box, parent: Matrix): Rect | null {
  const last = lastBounds.get(box);
  if (last?.parent.every((value, index) => value === parent[index])) return last.bounds;
  const bounds = boundsNow(box, parent);
  lastBounds.set(box, { parent, bounds });
  return bounds;
}

function boundsNow(box: Box, parent: Matrix): Rect | null {
  const ink = inkBounds(box);
  if (!ink) return null;
  const { bend } = box;
  const bent = bend && bentBounds({ ...box, bend }, ink);
  if (bent === null) return null;
  const bounds = bent
    ? mappedBounds(parent, bent)
    : mappedBounds(multiply(parent, box.transform), ink);
  if (!box.shadow) return bounds;
  const { x, y } = box.shadow;
  const [a, b, c, d] = parent;
  const cast = { ...bounds, x: bounds.x + a * x + c * y, y: bounds.y + b * x + d * y };
  return union(bounds, grown(cast, shadowSigma(box.shadow) * scaleOf(parent) * sigmasVisible));
}

/** Whole pixels around a rectangle, with one to spare for antialiasing; null if nothing is left inside `limit`. */
export function wholePixels(bounds: Rect, limit?: Rect): Rect | null {
  const spare = grown(bounds, 1);
  const cut = limit ? intersection(spare, limit) : spare;
  if (!cut) return null;
  const x = Math.floor(cut.x);
  const y = Math.floor(cut.y);
  return {
    x,
    y,
    width: Math.ceil(cut.x + cut.width) - x,
    height: Math.ceil(cut.y + cut.height) - y,
  };
}

/** The part that both have, or null. */
export function intersection(one: Rect, two: Rect): Rect | null {
  const x = Math.max(one.x, two.x);
  const y = Math.max(one.y, two.y);
  const width = Math.min(one.x + one.width, two.x + two.width) - x;
  const height = Math.min(one.y + one.height, two.y + two.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** A rectangle with a margin all around. */
export function grown({ x, y, width, height }: Rect, margin: number): Rect {
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

/** The visible part of a picture in its box before the content moves, or null if none. */
export function visiblePart(box: Box, content: MediaContent): Rect | null {
  // Content that moves inside its window shows parts of the picture that are hidden at rest, like a panning camera.
  if (box.contentTransform && box.clip) return content.rect;
  return intersection(content.rect, content.window);
}

function contentBounds(box: Box, content: Content): Rect | null {
  switch (content.kind) {
    case 'text': {
      let result: Rect | null = null;
      for (const { path } of content.backgrounds) result = union(result, pathBounds(path));
      for (const piece of content.pieces) {
        const ink = pieceInk(box, piece);
        result = union(result, piece.transform ? mappedBounds(piece.transform, ink) : ink);
      }
      if (content.cursor) result = union(result, content.cursor);
      return result;
    }
    case 'shape': {
      const bounds = pathBounds(content.path);
      return bounds && box.stroke ? grown(bounds, strokeReach(box.stroke)) : bounds;
    }
    case 'media':
      return visiblePart(box, content);
    case 'composition': {
      const origin = translation(content.originX, content.originY);
      let result: Rect | null = null;
      for (const child of content.children) {
        if (child.mask) continue;
        // A pattern covers its parent, and pixels outside of the composition's box are clipped.
        if (child.repeat)
          result = union(result, { x: 0, y: 0, width: box.width, height: box.height });
        else result = union(result, finishedBounds(child, origin));
      }
      return result;
    }
  }
}

/** The smallest rectangle around both; null counts as nothing. */
export function union(one: Rect | null, two: Rect | null): Rect | null {
  if (!one || !two) return one ?? two;
  const x = Math.min(one.x, two.x);
  const y = Math.min(one.y, two.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, two.x + two.width) - x,
    height: Math.max(one.y + one.height, two.y + two.height) - y,
  };
}
