/**
 * Edges that an element shares with an inverted mask, if one of them is more than a plain outline: letters,
 * compositions, outlined shapes. The drawn pixels tell where their edges are. Phase 4. See: [Note: Shared edges]
 */
import { mappedBounds, multiply, translation, type Matrix, type Rect } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { grown, inkBounds, intersection } from './bounds.ts';
import { isBare, type Outline } from './mask-edges.ts';
import type { Layer, Layers } from './layers.ts';

/** How many parts of a composition to check for edges. */
const mostParts = 64;

/** True if a part of one ends within a pixel of a part of the other. Not for two plain outlines. */
export function mayTouch(element: Outline, mask: Outline): boolean {
  if (isOutline(element.box) && isOutline(mask.box)) return false;
  const [ones, others] = [partsOf(element), partsOf(mask)];
  return ones.some((one) => others.some((other) => endTogether(one, other)));
}

function isOutline(box: Box): boolean {
  const { kind } = box.content;
  return (kind === 'shape' || kind === 'media') && isBare(box);
}

function endTogether(one: Rect, other: Rect): boolean {
  if (!intersection(grown(one, 1), grown(other, 1))) return false;
  const near = (first: number, second: number): boolean => Math.abs(first - second) < 1.5;
  return (
    near(one.x, other.x) ||
    near(one.y, other.y) ||
    near(one.x + one.width, other.x + other.width) ||
    near(one.y + one.height, other.y + other.height)
  );
}

/** The bounds of an element and of the elements in it, in pixels. */
function partsOf({ box, matrix }: Outline): readonly Rect[] {
  const parts: Rect[] = [];
  collect(parts, box, matrix);
  return parts;
}

function collect(parts: Rect[], box: Box, matrix: Matrix): void {
  const ink = inkBounds(box);
  if (!ink || box.bend || box.repeat || parts.length >= mostParts) return;
  parts.push(mappedBounds(matrix, ink));
  const { content, contentTransform, fill } = box;
  if (content.kind !== 'composition') return;
  if (fill) parts.push(mappedBounds(matrix, { x: 0, y: 0, width: box.width, height: box.height }));
  const inside = contentTransform ? multiply(matrix, contentTransform) : matrix;
  const space = multiply(inside, translation(content.originX, content.originY));
  for (const child of content.children) collect(parts, child, multiply(space, child.transform));
}

/**
 * Differences of opacity between neighbours: below the first an edge is soft and stays unchanged; from the second on it
 * is hard.
 */
const softEdge = 0.3 * 255;
const hardEdge = 0.5 * 255;

/**
 * Changes a mask where its edge coincides with one of the element drawn on `element`, so that in each pixel it covers
 * its share of the element. Both have the same pixels.
 */
export function fitPixels(layers: Layers, mask: Layer, element: Layer): void {
  const { width, height } = mask;
  const image = mask.ctx.getImageData(0, 0, width, height);
  const { data } = image;
  const theirs = opacities(element.ctx.getImageData(0, 0, width, height).data);
  const ours = opacities(data);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const [one, other] = [theirs[at] ?? 0, ours[at] ?? 0];
      if (one === 0 || one === 255 || other === 0 || other === 255) continue;
      const alike = likeness(theirs, ours, x, y, width, height);
      if (alike === 0) continue;
      const product = (one * other) / 255;
      const extreme = alike > 0 ? one - leftOf(one - other) : Math.max(0, one + other - 255);
      const shared = product + Math.abs(alike) * (extreme - product);
      data[at * 4 + 3] = Math.min(255, Math.round((shared * 255) / one));
    }
  }
  mask.ctx.putImageData(image, 0, 0);
  layers.noteReading(mask);
  layers.noteReading(element);
}

/**
 * Levels by which edges at the same place may differ: letters are drawn a little bolder in dark colours than in bright
 * ones. This much is no strip left by the mask; twice as much is.
 */
const slack = 24;

function leftOf(strip: number): number {
  return Math.max(0, Math.min(strip, 2 * (strip - slack)));
}

function opacities(data: Uint8ClampedArray): Uint8Array {
  const opacity = new Uint8Array(data.length / 4);
  for (let at = 0; at < opacity.length; at++) opacity[at] = data[at * 4 + 3] ?? 0;
  return opacity;
}

/**
 * How well the opacities around a pixel agree if both have a hard edge there: 1 = agree, −1 = opposite, 0 = unrelated,
 * or soft.
 */
function likeness(
  one: Uint8Array,
  other: Uint8Array,
  x: number,
  y: number,
  width: number,
  height: number,
): number {
  let [count, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0];
  let [leastA, mostA, leastB, mostB] = [255, 0, 255, 0];
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const [a, b] = [one[row * width + column] ?? 0, other[row * width + column] ?? 0];
      count += 1;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
      if (a < leastA) leastA = a;
      if (a > mostA) mostA = a;
      if (b < leastB) leastB = b;
      if (b > mostB) mostB = b;
    }
  }
  const steep = Math.min(mostA - leastA, mostB - leastB);
  const hard = Math.max(0, Math.min(1, (steep - softEdge) / (hardEdge - softEdge)));
  if (hard === 0) return 0;
  const variances = (count * sumAA - sumA * sumA) * (count * sumBB - sumB * sumB);
  return variances <= 0 ? 0 : (hard * (count * sumAB - sumA * sumB)) / Math.sqrt(variances);
}
