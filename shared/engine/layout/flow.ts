/**
 * Where the children of a composition go: those with a position at that position, the others one after another in the
 * flow's direction. Also the size of a composition without one. Pure.
 */
import type { CompositionValues, VisualValues } from '../compile/property-values.ts';
import { lengthIn } from './length.ts';

/** A child whose size is known. */
export interface Sized {
  readonly values: VisualValues;
  /** Document pixels, before scale and rotation. */
  readonly width: number;
  readonly height: number;
  /** Anchor in pixels from its top left corner. */
  readonly anchorX: number;
  readonly anchorY: number;
}

/** Place of a child's anchor in the composition's content space. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The two axes, so that everything below is written once. */
const axes = {
  x: { position: 'x', anchor: 'anchorX', size: 'width' },
  y: { position: 'y', anchor: 'anchorY', size: 'height' },
} as const;
type Axis = keyof typeof axes;

/**
 * The size that holds all children, for the sides on which a composition has none. Flowing children add up; a child
 * placed in pixels counts to its far edge; one placed in percent counts only with its size, since the reference of its
 * percentage is what we compute.
 */
export function naturalSize(
  children: readonly Sized[],
  direction: CompositionValues['flowDirection'],
): Size {
  return { width: extent(children, 'x', direction), height: extent(children, 'y', direction) };
}

/**
 * Places all children in a content box. The flow as a whole, and each child across it, is aligned by the composition's
 * alignment.
 */
export function placeChildren(
  children: readonly Sized[],
  { flowDirection, xAlignment, yAlignment }: CompositionValues,
  content: Size,
): Place[] {
  const xs = placesOn('x', children, flowDirection, content.width, xAlignment);
  const ys = placesOn('y', children, flowDirection, content.height, yAlignment);
  return children.map((_, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0 }));
}

function placesOn(
  axis: Axis,
  children: readonly Sized[],
  direction: CompositionValues['flowDirection'],
  whole: number,
  alignment: number,
): number[] {
  const { position, anchor, size } = axes[axis];
  const along = isAlong(axis, direction);
  let next = along ? (whole - flowLength(children, axis)) * alignment : 0;
  return children.map((child) => {
    const own = child.values[position];
    if (own) return lengthIn(own, whole);
    if (!along) return (whole - child[size]) * alignment + child[anchor];
    const start = next;
    next += child[size];
    return start + child[anchor];
  });
}

function extent(
  children: readonly Sized[],
  axis: Axis,
  direction: CompositionValues['flowDirection'],
): number {
  const { position, anchor, size } = axes[axis];
  let far = isAlong(axis, direction) ? flowLength(children, axis) : 0;
  for (const child of children) {
    const own = child.values[position];
    if (own && own.percent === 0) far = Math.max(far, own.px - child[anchor] + child[size]);
    else far = Math.max(far, child[size]);
  }
  return far;
}

function flowLength(children: readonly Sized[], axis: Axis): number {
  const { position, size } = axes[axis];
  return children.reduce((sum, child) => sum + (child.values[position] ? 0 : child[size]), 0);
}

function isAlong(axis: Axis, direction: CompositionValues['flowDirection']): boolean {
  return axis === (direction === 'vertical' ? 'y' : 'x');
}
