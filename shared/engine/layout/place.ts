/** Size and place of an element: sides, padding, aspect ratio, anchors and the map into its parent. Pure arithmetic. */
import type { Length, VisualValues } from '../compile/property-values.ts';
import {
  multiply,
  rotation,
  scaling,
  skewing,
  translation,
  type Matrix,
  type Rect,
} from '../geometry.ts';
import { lengthIn, type Space } from './length.ts';
import type { Place } from './flow.ts';

/** An element's given sides; null = they follow the content. */
export interface Sides {
  readonly width: number | null;
  readonly height: number | null;
  /** Padding on either side of an axis, document pixels. */
  readonly paddingX: number;
  readonly paddingY: number;
}

/**
 * An element without a position yet. Its frame is the source's width × height; the box is what is painted, smaller than
 * the frame if an aspect ratio leaves slack.
 */
export interface Extent {
  readonly width: number;
  readonly height: number;
  /** From the frame's top left corner. */
  readonly anchorX: number;
  readonly anchorY: number;
  /** In the frame. */
  readonly box: Rect;
}

/** Sides in pixels. With an aspect ratio one side is enough; the other follows from it. Never negative. */
export function sidesOf(values: VisualValues, space: Space): Sides {
  const { aspectRatio } = values;
  let width = sideOf(values.width, space.width);
  let height = sideOf(values.height, space.height);
  if (aspectRatio !== null && aspectRatio > 0) {
    if (width === null && height !== null) width = height * aspectRatio;
    else if (height === null && width !== null) height = width / aspectRatio;
  }
  return {
    width,
    height,
    paddingX: Math.max(0, lengthIn(values.xPadding, space.width)),
    paddingY: Math.max(0, lengthIn(values.yPadding, space.height)),
  };
}

/**
 * The extent of an element of known size. An aspect ratio fits the box inside the frame (contain), and the alignment
 * distributes the slack. Anchors are shares of the frame; the middle for a shape without one.
 */
export function extentOf(values: VisualValues, width: number, height: number): Extent {
  const { aspectRatio: ratio, xAlignment, yAlignment, xAnchor, yAnchor } = values;
  const held = ratio !== null && ratio > 0;
  const boxWidth = held ? Math.min(width, height * ratio) : width;
  const boxHeight = held ? Math.min(height, width / ratio) : height;
  return {
    width,
    height,
    anchorX: xAnchor ? lengthIn(xAnchor, width) : width / 2,
    anchorY: yAnchor ? lengthIn(yAnchor, height) : height / 2,
    box: {
      x: (width - boxWidth) * xAlignment,
      y: (height - boxHeight) * yAlignment,
      width: boxWidth,
      height: boxHeight,
    },
  };
}

/** The box without its padding, box space; a padding that leaves nothing gives a side of 0. */
export function paddedRoom(box: Space, { paddingX, paddingY }: Sides): Rect {
  return {
    x: paddingX,
    y: paddingY,
    width: Math.max(0, box.width - 2 * paddingX),
    height: Math.max(0, box.height - 2 * paddingY),
  };
}

/** The map from box space into the parent's content space: scale, then skew, then rotation, all about the anchor. */
export function elementMatrix(
  values: VisualValues,
  { anchorX, anchorY, box }: Extent,
  { x, y }: Place,
): Matrix {
  const fromAnchor = translation(box.x - anchorX, box.y - anchorY);
  const { xScale, yScale, xSkew, ySkew, zRotation } = values;
  let map = fromAnchor;
  // Most elements are upright; the shortcuts also keep their coordinates free of rounding.
  if (xScale !== 1 || yScale !== 1) map = multiply(scaling(xScale, yScale), map);
  if (xSkew !== 0 || ySkew !== 0) map = multiply(skewing(xSkew, ySkew), map);
  if (zRotation !== 0) map = multiply(rotation(zRotation), map);
  return multiply(translation(x, y), map);
}

/** True if a map flattens everything, so that nothing is visible. */
export function isFlat([a, b, c, d]: Matrix): boolean {
  return Math.abs(a * d - b * c) < 1e-9;
}

function sideOf(length: Length | null, whole: number): number | null {
  return length && Math.max(0, lengthIn(length, whole));
}
