/**
 * Groups: when an element must be finished separately before it is blended, and how. Phase 4.
 */
import type { Matrix, Rect } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import type { Composite } from '../surface.ts';
import { finishedBounds, intersection, wholePixels } from './bounds.ts';
import { copyOnto, placeOf, type Layer, type Layers } from './layers.ts';
import { hidesOutside } from './mask.ts';

/** True if opacity and blending may apply to the drawing directly, because no two parts of it overlap. */
export function isOneDrawing({
  fill,
  stroke,
  shadow,
  effects,
  repeat,
  bend,
  content,
}: Box): boolean {
  if (shadow) return false;
  // All of these end as a single picture.
  if (effects || repeat || bend) return true;
  switch (content.kind) {
    case 'text':
      return !stroke && content.backgrounds.length === 0;
    case 'shape':
      return !fill || !stroke;
    case 'media':
      return !fill && !stroke;
    case 'composition': {
      const [first, ...others] = content.children;
      if (stroke) return false;
      if (!first) return true;
      return !fill && !first.mask && first.blendMode === 'none' && others.every(({ mask }) => mask);
    }
  }
}

/**
 * True for a composition with blending inside: it is finished before it is blended, so its children only blend among
 * themselves, whether or not the composition is fading.
 */
export function isIsolated({ content, effects, bend }: Box): boolean {
  if (content.kind !== 'composition' || effects || bend) return false;
  return content.children.some(({ blendMode, mask }) => blendMode !== 'none' && !mask);
}

/** Finishes something on a separate layer and blends it once, only within `bounds` (pixels). */
export function asGroup(
  layers: Layers,
  target: Layer,
  bounds: Rect | null,
  alpha: number,
  composite: Composite,
  draw: (layer: Layer) => void,
): void {
  const pixels = bounds && wholePixels(bounds, placeOf(target));
  if (!pixels) return;
  layers.with(pixels, (layer) => {
    draw(layer);
    copyOnto(target, layer, alpha, composite);
  });
}

/** The pixels that a box can change, without what its masks cut off. */
export function groupPlace(
  { layer, parent }: { readonly layer: Layer; readonly parent: Matrix },
  box: Box,
  masks: readonly Box[],
): Rect | null {
  let bounds = box.repeat ? placeOf(layer) : finishedBounds(box, parent);
  for (const mask of masks) {
    if (!bounds) return null;
    if (!mask.mask || !hidesOutside(mask.mask) || mask.repeat) continue;
    const reach = finishedBounds(mask, parent);
    bounds = reach && intersection(bounds, reach);
  }
  return bounds;
}
