/**
 * Values between two keyframes: one function per kind of value. Called per frame by keyframes.ts, in the layout phase.
 * Pure. A function returns its first argument itself if there is nothing to mix, so that "unchanged" is `===`.
 */
import type { Color, Curve, GradientStop, Length, Path, WarpPoint } from './property-values.ts';
import { mixPaths } from './path-mixing.ts';

/** A function between two values of one property; `share` is eased progress and may leave 0–1. */
export type Mixer = (from: unknown, to: unknown, share: number) => unknown;

/**
 * How each kind of property moves from one keyframe to the next. Values that can't be mixed (`null` and a number, lists
 * of different sizes) keep the earlier one until the later one's time.
 *
 * The casts are safe because values.ts takes a property's values and its `mix` from the same row.
 */
export const mixers: Readonly<Record<Curve<unknown>['mix'], Mixer>> = {
  step: (from) => from,
  number: unlessNull((from, to, share) => mixNumbers(from as number, to as number, share)),
  length: unlessNull((from, to, share) => mixLengths(from as Length, to as Length, share)),
  color: unlessNull((from, to, share) => mixColors(from as Color, to as Color, share)),
  fill: unlessNull((from, to, share) => mixFills(from as Fill, to as Fill, share)),
  path: unlessNull((from, to, share) => mixPaths(from as Path, to as Path, share)),
  warp: unlessNull((from, to, share) => mixWarps(from as Warp, to as Warp, share)),
};

type Fill = Color | readonly GradientStop[];
type Warp = readonly (readonly WarpPoint[])[];

function unlessNull(mix: Mixer): Mixer {
  return (from, to, share) => (from === null || to === null ? from : mix(from, to, share));
}

/** Interpolates numbers. */
function mixNumbers(from: number, to: number, share: number): number {
  return from === to ? from : from + (to - from) * share;
}

function mixLengths(from: Length, to: Length, share: number): Length {
  if (from.px === to.px && from.percent === to.percent) return from;
  return {
    px: mixNumbers(from.px, to.px, share),
    percent: mixNumbers(from.percent, to.percent, share),
  };
}

/**
 * Interpolates colours with premultiplied alpha, as CSS does, so that fading to a transparent colour doesn't darken or
 * tint. Overshooting easings are clamped to valid colours.
 */
function mixColors(from: Color, to: Color, share: number): Color {
  if (from.every((part, index) => part === to[index])) return from;
  const alpha = clamp(mixNumbers(from[3], to[3], share), 1);
  if (alpha === 0) return [from[0], from[1], from[2], 0];
  const part = (index: 0 | 1 | 2): number =>
    Math.round(clamp(mixNumbers(from[index] * from[3], to[index] * to[3], share) / alpha, 255));
  return [part(0), part(1), part(2), alpha];
}

function clamp(value: number, highest: number): number {
  return Math.min(highest, Math.max(0, value));
}

/** True for one colour, false for gradient stops. */
function isColor(fill: Fill): fill is Color {
  return typeof fill[0] === 'number';
}

/** Colours, gradients, or one of each: a plain colour is a gradient of one colour. */
function mixFills(from: Fill, to: Fill, share: number): Fill {
  if (isColor(from) && isColor(to)) return mixColors(from, to, share);
  const offsets = isColor(from) ? offsetsOf(to as readonly GradientStop[]) : offsetsOf(from);
  const start = isColor(from) ? offsets.map((offset) => ({ offset, color: from })) : from;
  const end = isColor(to) ? offsets.map((offset) => ({ offset, color: to })) : to;
  if (start.length === end.length) {
    return start.map((stop, index) => mixStops(stop, end[index] ?? stop, share));
  }
  // Gradients with different stops are mixed at all offsets of both.
  const all = [...new Set([...offsetsOf(start), ...offsetsOf(end)])].sort((a, b) => a - b);
  return all.map((offset) => ({
    offset,
    color: mixColors(colorAt(start, offset), colorAt(end, offset), share),
  }));
}

function offsetsOf(stops: readonly GradientStop[]): number[] {
  return stops.map(({ offset }) => offset);
}

function mixStops(from: GradientStop, to: GradientStop, share: number): GradientStop {
  return {
    offset: mixNumbers(from.offset, to.offset, share),
    color: mixColors(from.color, to.color, share),
  };
}

/** A gradient's colour at an offset. */
function colorAt(stops: readonly GradientStop[], offset: number): Color {
  const sorted = [...stops].sort((a, b) => a.offset - b.offset);
  const after = sorted.find((stop) => stop.offset >= offset);
  const before = sorted.findLast((stop) => stop.offset <= offset);
  if (!after || !before) return (after ?? before)?.color ?? [0, 0, 0, 0];
  const span = after.offset - before.offset;
  return span === 0
    ? before.color
    : mixColors(before.color, after.color, (offset - before.offset) / span);
}

/** Grids of the same size are mixed point by point; others can't be. */
function mixWarps(from: Warp, to: Warp, share: number): Warp {
  if (from.length !== to.length || from.some((row, index) => row.length !== to[index]?.length))
    return from;
  return from.map((row, rowIndex) =>
    row.map((point, index) => {
      const goal = to[rowIndex]?.[index] ?? point;
      return { x: mixLengths(point.x, goal.x, share), y: mixLengths(point.y, goal.y, share) };
    }),
  );
}
