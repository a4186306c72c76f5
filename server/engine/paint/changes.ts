/**
 * What differs between two frames, as a rectangle of the output, so that only that part is painted, read back and
 * converted. Phase 4, arithmetic only. The answer may be too large, never too small.
 */
import { multiply, translation, type Matrix, type Rect } from '../geometry.ts';
import type { Box, CompositionContent, Frame } from '../layout/box.ts';
import { finishedBounds, union, wholePixels } from './bounds.ts';

/** The rectangle outside of which both frames are the same; null = they are the same everywhere. */
export function changedPart(
  before: Frame,
  after: Frame,
  scale: Matrix,
  whole: Rect,
): Rect | null {
  if (before === after) return null;
  if (before.fill !== after.fill) return whole;
  const changes = siblingChanges(before.boxes, after.boxes, scale);
  if (changes === 'everything') return whole;
  return changes && wholePixels(changes, whole);
}

type Changes = Rect | null | 'everything';

/**
 * Layout gives unchanged elements the identical box, so siblings are compared by identity. An element that changed
 * counts where it was and where it is.
 */
function siblingChanges(before: readonly Box[], after: readonly Box[], parent: Matrix): Changes {
  if (before === after) return null;
  if (!sameOrder(before, after)) return 'everything';
  const old = byPath(before);
  const now = byPath(after);
  let part: Rect | null = null;
  for (const [path, box] of now) {
    const last = old.get(path);
    if (last === box) continue;
    const changes = last ? boxChanges(last, box, parent) : reach(box, parent);
    if (changes === 'everything') return changes;
    part = union(part, changes);
  }
  for (const [path, box] of old) {
    if (now.has(path)) continue;
    const changes = reach(box, parent);
    if (changes === 'everything') return changes;
    part = union(part, changes);
  }
  return part;
}

/** Inside a composition that itself stayed as it was, only the children that changed count. */
function boxChanges(before: Box, after: Box, parent: Matrix): Changes {
  const [inner, outer] = [before.content, after.content];
  if (inner.kind === 'composition' && outer.kind === 'composition' && onlyContentDiffers(before, after)) {
    return siblingChanges(inner.children, outer.children, contentSpace(after, outer, parent));
  }
  const was = reach(before, parent);
  const is = reach(after, parent);
  return was === 'everything' || is === 'everything' ? 'everything' : union(was, is);
}

/** What a box touches. Masks and patterns reach beyond their own pixels. */
function reach(box: Box, parent: Matrix): Changes {
  if (box.mask || box.repeat) return 'everything';
  return finishedBounds(box, parent);
}

/** Effects spread or mix pixels of children, so a composition that has any counts as one. */
function onlyContentDiffers(before: Box, after: Box): boolean {
  if (after.mask || after.repeat || after.effects || after.shadow || after.clipPaths.length > 0) return false;
  const keys = Object.keys(after) as (keyof Box)[];
  if (keys.length !== Object.keys(before).length) return false;
  return keys.every((key) => key === 'content' || Object.is(before[key], after[key]) || sameNumbers(before[key], after[key]));
}

/** Matrices and empty lists are made anew without having changed. */
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

/** True when the siblings that both frames show stand in the same order: a swap changes pixels of boxes that did not. */
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
