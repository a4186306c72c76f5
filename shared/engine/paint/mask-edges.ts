/**
 * Edges that an element shares with an inverted mask. Phase 4.
 *
 * [Note: Shared edges] If an element and an inverted mask cover the same half of a pixel, nothing should remain.
 * Opacities say how much of a pixel is covered but not where: they leave half of a half, a thin line along the edge.
 * Where the edges of two outlines cross a pixel, the directions in which coverage grows tell how much they share: the
 * smaller one if they agree, what exceeds the pixel if they oppose, the product if they cross.
 */
import { mappedBounds, type Matrix, type Rect } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { visiblePart } from './bounds.ts';
import { place, placeOf, type Layer, type Layers } from './layers.ts';
import { pathBounds, pathIsUpright, pathOf, roundedRect } from './shape.ts';

/** An outline with hard edges. */
export interface Outline {
  readonly box: Box;
  /** Box space → the pixel space of the layers. */
  readonly matrix: Matrix;
}

/**
 * True if a side of one is within a pixel of a side of the other, so that their edges may coincide; upright ones on
 * whole pixels are hard, and need nothing.
 */
export function mayShareEdges(element: Outline, mask: Outline): boolean {
  const [one, other] = [boundsOf(element), boundsOf(mask)];
  if (!one || !other) return false;
  const hard = isUpright(element) && isUpright(mask);
  const near = (first: number, second: number): boolean =>
    Math.abs(first - second) < 1 && !(hard && isWhole(first) && isWhole(second));
  return (
    near(one.x, other.x) ||
    near(one.y, other.y) ||
    near(one.x + one.width, other.x + other.width) ||
    near(one.y + one.height, other.y + other.height)
  );
}

function isUpright({ box: { content, borderRadius }, matrix: [, b, c] }: Outline): boolean {
  if (b !== 0 || c !== 0 || borderRadius > 0) return false;
  return content.kind !== 'shape' || pathIsUpright(content.path);
}

/** Up to a thousandth of a pixel. */
function isWhole(place: number): boolean {
  return Math.abs(place - Math.round(place)) < 1e-3;
}

/** Everything that an outline's edges depend on, as a key. */
export function outlineKey({ box, matrix }: Outline): string {
  const { content, borderRadius } = box;
  const form = content.kind === 'media' ? visiblePart(box, content) : null;
  return JSON.stringify([content.kind === 'shape' ? content.path : form, borderRadius, matrix]);
}

/**
 * Changes a mask where its edge coincides with the element's, so that in each pixel it covers its share of the element.
 * See: [Note: Shared edges]
 */
export function fitEdges(layers: Layers, mask: Layer, element: Outline, own: Outline): void {
  const { width, height } = mask;
  const area = placeOf(mask);
  const theirs = coverage(layers, area, element);
  const ours = coverage(layers, area, own);
  const image = mask.ctx.getImageData(0, 0, width, height);
  const { data } = image;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4 + 3;
      const [one, other] = [theirs[at] ?? 0, ours[at] ?? 0];
      if (one === 0 || one === 255 || other === 0 || other === 255) continue;
      const shared = sharedOf(one, other, cosine(theirs, ours, x, y, width, height));
      data[at] = Math.min(255, Math.round(((data[at] ?? 0) * shared * 255) / (one * other)));
    }
  }
  mask.ctx.putImageData(image, 0, 0);
  layers.noteReading(mask);
}

/**
 * Levels by which edges of different lengths on one slanted line may differ: the drawing library rounds their ends.
 * This much is no strip left by the mask; twice as much is.
 */
const slack = 24;

/** How much of a pixel two edges cover together, 0–255; `cosine` = of the angle between their directions of growth. */
function sharedOf(one: number, other: number, cosine: number): number {
  const product = (one * other) / 255;
  const strip = one - other;
  const left = Math.max(0, Math.min(strip, 2 * (strip - slack)));
  const extreme = cosine > 0 ? one - left : Math.max(0, one + other - 255);
  return product + Math.abs(cosine) * (extreme - product);
}

/** The cosine of the angle between the directions in which two coverages grow at a pixel; 0 if one doesn't. */
function cosine(
  one: Uint8ClampedArray,
  other: Uint8ClampedArray,
  x: number,
  y: number,
  width: number,
  height: number,
): number {
  const slopes = (data: Uint8ClampedArray): [number, number] => {
    const at = (column: number, row: number): number => data[(row * width + column) * 4 + 3] ?? 0;
    const [left, right] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
    const [above, below] = [Math.max(0, y - 1), Math.min(height - 1, y + 1)];
    return [at(right, y) - at(left, y), at(x, below) - at(x, above)];
  };
  const [ax, ay] = slopes(one);
  const [bx, by] = slopes(other);
  const lengths = Math.hypot(ax, ay) * Math.hypot(bx, by);
  return lengths === 0 ? 0 : (ax * bx + ay * by) / lengths;
}

/** The pixels of an outline, filled. */
function coverage(layers: Layers, area: Rect, { box, matrix }: Outline): Uint8ClampedArray {
  return layers.with(area, (layer) => {
    const { ctx, width, height } = layer;
    const path = outlineOf(box);
    place(layer, matrix);
    if (path) ctx.fill(path);
    ctx.resetTransform();
    layers.noteReading(layer);
    return ctx.getImageData(0, 0, width, height).data;
  });
}

/** What a plain shape or picture fills, box space; null = something else determines its edge. */
function outlineOf(box: Box): ReturnType<typeof pathOf> | null {
  const { content, borderRadius } = box;
  if (!isBare(box)) return null;
  if (content.kind === 'shape') return pathOf(content.path, borderRadius);
  const part = content.kind === 'media' ? visiblePart(box, content) : null;
  return part && roundedRect(part, borderRadius);
}

function boundsOf({ box, matrix }: Outline): Rect | null {
  const { content } = box;
  if (!isBare(box)) return null;
  const bounds =
    content.kind === 'shape'
      ? pathBounds(content.path)
      : content.kind === 'media'
        ? visiblePart(box, content)
        : null;
  return bounds && mappedBounds(matrix, bounds);
}

/** True if the element is only its own drawing. */
export function isBare({
  content,
  fill,
  stroke,
  effects,
  shadow,
  bend,
  repeat,
  clip,
  clipPaths,
  contentTransform,
}: Box): boolean {
  if (stroke || effects || shadow || bend || repeat || contentTransform) return false;
  if (clipPaths.length > 0) return false;
  return content.kind === 'shape' ? fill !== null && !clip : !fill;
}
