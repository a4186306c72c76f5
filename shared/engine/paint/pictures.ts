/**
 * Plans pictures of an element's pixels: their size, place, and cache key. Phase 4, arithmetic only.
 */
import {
  inverted,
  mappedBounds,
  multiply,
  scaling,
  translation,
  type Matrix,
  type Rect,
} from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { grown, intersection, wholePixels } from './bounds.ts';
import { placeOf, type Layer } from './layers.ts';

/**
 * Everything but content and place that a box's own pixels depend on, as a key. Content is compared by identity.
 */
export function describe(box: Box): string {
  const { width, height, fill, stroke, borderRadius, clip, contentTransform, effects } = box;
  return JSON.stringify([
    width,
    height,
    fill,
    stroke,
    borderRadius,
    clip,
    contentTransform,
    effects,
  ]);
}

/**
 * Up to this many pixels a picture is drawn whole, even if only a part is visible; larger ones are cut to that part.
 */
const largestWhole = 2 ** 24;
/** … and the longest side of one, pixels: beyond it the drawing library draws everything once per tile of this size. */
const longestWhole = 8191;

/**
 * True if a picture of so many pixels is cut to its visible part. @param most Largest number of pixels that is not cut.
 */
export function isLarge(
  { width, height }: Pick<Rect, 'width' | 'height'>,
  most = largestWhole,
): boolean {
  return width * height > most || Math.max(width, height) > longestWhole;
}

/**
 * The visible part of `bounds`, mapped by `matrix` to the target, with `reach` (units of `bounds`) around it for a
 * blur. The whole if it is small enough at `scale` pixels per unit.
 */
export function seenPart(
  target: Layer,
  matrix: Matrix,
  bounds: Rect,
  scale: number,
  reach: number,
): Rect | null {
  if (!isLarge({ width: bounds.width * scale, height: bounds.height * scale })) return bounds;
  const back = inverted(matrix);
  if (!back) return bounds;
  // Two more pixels of the picture, for enlarging it.
  const view = grown(mappedBounds(back, placeOf(target)), reach + 2 / scale);
  return intersection(bounds, view);
}

/** A picture at full size: drawn with `matrix` into `pixels`, then copied to whole pixels (x, y). */
export interface ExactPicture {
  readonly matrix: Matrix;
  readonly pixels: Rect;
  readonly x: number;
  readonly y: number;
  /** Equal for places that differ by whole pixels. */
  readonly key: string;
}

/**
 * Plans a picture of `bounds` that looks as if drawn directly into the target. Its place is rounded to 1/256 pixel, so
 * that moving by whole pixels gives the identical picture. Large pictures, or those much larger than the target, are
 * cut to it.
 */
export function exactPicture(
  target: Layer,
  matrix: Matrix,
  bounds: Rect,
  margin: number,
): ExactPicture | null {
  const [a, b, c, d, e, f] = matrix;
  const x = Math.floor(Math.round(e * 256) / 256);
  const y = Math.floor(Math.round(f * 256) / 256);
  const map: Matrix = [a, b, c, d, Math.round(e * 256) / 256 - x, Math.round(f * 256) / 256 - y];
  const mapped = grown(mappedBounds(map, bounds), margin);
  const view = grown(
    { x: target.left - x, y: target.top - y, width: target.width, height: target.height },
    margin,
  );
  const most = Math.min(largestWhole, 2 * target.width * target.height);
  const pixels = wholePixels(mapped, isLarge(mapped, most) ? view : undefined);
  return (
    pixels && {
      matrix: map,
      pixels,
      x,
      y,
      key: [...map, pixels.x, pixels.y, pixels.width, pixels.height].join(' '),
    }
  );
}

/** A picture that is used at another size than it is drawn at. */
export interface ScaledPicture {
  readonly pixels: Rect;
  /** The space of the rectangle that it shows → the pixels. */
  readonly matrix: Matrix;
  /** What the pixels cover in that space. */
  readonly area: Rect;
}

/** Plans a picture of `bounds` at `scale` pixels a unit with `margin` pixels around. */
export function smallPicture(
  { x, y, width, height }: Rect,
  scale: number,
  margin: number,
): ScaledPicture {
  const wide = Math.ceil(width * scale) + 2 * margin;
  const high = Math.ceil(height * scale) + 2 * margin;
  return {
    pixels: { x: -margin, y: -margin, width: wide, height: high },
    matrix: multiply(scaling(scale, scale), translation(-x, -y)),
    area: {
      x: x - margin / scale,
      y: y - margin / scale,
      width: wide / scale,
      height: high / scale,
    },
  };
}

/** The same with the edges of `bounds` on whole pixels, adjusting the scale slightly. */
export function fittedPicture(bounds: Rect, scale: number, margin: number): ScaledPicture {
  const wide = Math.max(1, Math.ceil(bounds.width * scale));
  const high = Math.max(1, Math.ceil(bounds.height * scale));
  return filledPicture(bounds, wide, high, margin);
}

/** Plans a picture in which `bounds` takes `wide` × `high` pixels, with `margin` pixels around. */
export function filledPicture(
  { x, y, width, height }: Rect,
  wide: number,
  high: number,
  margin: number,
): ScaledPicture {
  const unitX = width / wide;
  const unitY = height / high;
  return {
    pixels: { x: -margin, y: -margin, width: wide + 2 * margin, height: high + 2 * margin },
    matrix: multiply(scaling(1 / unitX, 1 / unitY), translation(-x, -y)),
    area: {
      x: x - margin * unitX,
      y: y - margin * unitY,
      width: width + 2 * margin * unitX,
      height: height + 2 * margin * unitY,
    },
  };
}
