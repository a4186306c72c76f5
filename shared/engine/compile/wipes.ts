/**
 * The openings of wipes: paths in box space through which an element shows, and the bars and rings at their edges. Pure
 * geometry for animations.ts.
 *
 * Openings extend beyond the box where they don't end inside it, so that shadows and outlines show. The complements,
 * for the element that a transition replaces, overlap their opening by `seam`: two soft edges along the same line would
 * let the background show through.
 */
import { apply, identity, inverted, type Matrix } from '../geometry.ts';
import type { EffectFrame } from './effect.ts';
import type { PathCommand } from '../../renderscript/path.ts';
import type { Path } from './property-values.ts';

/** Pixels of overlap along a shared edge, so that the soft edges of both hide the background. */
export const seam = 1;

type Point = readonly [x: number, y: number];

/**
 * The strip that a wipe has opened.
 *
 * @param anchor - where it starts along its direction, 0–1: 0 = the near side, 1 = the far side.
 * @param angle - degrees, counter-clockwise; 0 = opens to the right.
 * @param progress - 0 = closed, 1 = all of the box.
 */
export function stripClip(
  frame: EffectFrame,
  anchor: number,
  angle: number,
  progress: number,
): Path {
  const strip = stripOf(frame, anchor, angle, progress);
  if (strip.from >= strip.to) return closedPath;
  return quad(
    strip,
    strip.from <= strip.low ? strip.low - strip.beyond : strip.from,
    strip.to >= strip.high ? strip.high + strip.beyond : strip.to,
  );
}

/** The area that the strip has not reached yet. */
export function stripComplement(
  frame: EffectFrame,
  anchor: number,
  angle: number,
  progress: number,
): Path {
  const strip = stripOf(frame, anchor, angle, progress);
  if (strip.from >= strip.to)
    return quad(strip, strip.low - strip.beyond, strip.high + strip.beyond);
  const before =
    strip.from > strip.low ? quad(strip, strip.low - strip.beyond, strip.from + seam) : [];
  const after =
    strip.to < strip.high ? quad(strip, strip.to - seam, strip.high + strip.beyond) : [];
  return before.length + after.length === 0 ? closedPath : [...before, ...after];
}

/** A path that encloses nothing. */
const closedPath: Path = [['M', 0, 0], ['L', 0, 0], ['Z']];

interface Strip {
  /** Middle of the box. */
  readonly centre: Point;
  /** Unit vector along which it opens. */
  readonly along: Point;
  /** Places along that vector, measured from the middle: the box's ends, and the opening's. */
  readonly low: number;
  readonly high: number;
  readonly from: number;
  readonly to: number;
  /** A distance outside of everything that the element may draw around its box. */
  readonly beyond: number;
}

function stripOf(
  { width, height, parentWidth, parentHeight }: EffectFrame,
  anchor: number,
  angle: number,
  progress: number,
): Strip {
  const radians = (angle * Math.PI) / 180;
  const along: Point = [Math.cos(radians), -Math.sin(radians)];
  const half = (Math.abs(along[0]) * width + Math.abs(along[1]) * height) / 2;
  const open = Math.max(0, progress) * 2 * half;
  const origin = -half + anchor * 2 * half;
  return {
    centre: [width / 2, height / 2],
    along,
    low: -half,
    high: half,
    from: origin - anchor * open,
    to: origin + (1 - anchor) * open,
    beyond: width + height + parentWidth + parentHeight,
  };
}

/** The part of a strip between two places, closed; it crosses the whole box and more. */
function quad({ centre, along, beyond }: Strip, from: number, to: number): PathCommand[] {
  const corner = (place: number, across: number): Point => [
    centre[0] + along[0] * place - along[1] * across,
    centre[1] + along[1] * place + along[0] * across,
  ];
  return [
    ['M', ...corner(from, -beyond)],
    ['L', ...corner(to, -beyond)],
    ['L', ...corner(to, beyond)],
    ['L', ...corner(from, beyond)],
    ['Z'],
  ];
}

/**
 * A bar that sweeps over the box: it covers the old element in the first half and uncovers the new one in the second.
 *
 * @param angle - degrees, counter-clockwise; 0 = sweeps to the right.
 */
export function sweep(
  frame: EffectFrame,
  angle: number,
  progress: number,
): { readonly bar: Path; readonly uncovered: Path; readonly untouched: Path } {
  const strip = stripOf(frame, 0, angle, 1);
  const at = (share: number): number => strip.low + share * (strip.high - strip.low);
  const [front, back] = [at(Math.min(1, 2 * progress)), at(Math.max(0, 2 * progress - 1))];
  const [before, after] = [strip.low - strip.beyond, strip.high + strip.beyond];
  return {
    bar: front > back ? quad(strip, back, front) : closedPath,
    // Both reach under the bar: see `seam`.
    uncovered:
      back > strip.low ? quad(strip, before, back < strip.high ? back + seam : after) : closedPath,
    untouched:
      front < strip.high
        ? quad(strip, front > strip.low ? front - seam : before, after)
        : closedPath,
  };
}

/** Enough to show at any size, few enough to see them move. */
const stripes = 8;

/** Stripes across the box that open alternately from left and right; `inside` false = the rest. */
export function stripesClip(frame: EffectFrame, progress: number, inside: boolean): Path {
  const { width, height, parentWidth, parentHeight } = frame;
  const beyond = width + height + parentWidth + parentHeight;
  const open = Math.min(1, Math.max(0, progress)) * width;
  const path = Array.from({ length: stripes }, (_, index): PathCommand[] => {
    const top = index === 0 ? -beyond : (index * height) / stripes;
    const bottom =
      index === stripes - 1 ? height + beyond : ((index + 1) * height) / stripes + seam;
    const reach = inside ? open : width - open + (open > 0 && open < width ? seam : 0);
    if (reach <= 0) return [];
    const fromLeft = (index % 2 === 0) === inside;
    const far = reach >= width ? width + beyond : reach;
    const [left, right] = fromLeft ? [-beyond, far] : [width - far, width + beyond];
    return [['M', left, top], ['L', right, top], ['L', right, bottom], ['L', left, bottom], ['Z']];
  }).flat();
  return path.length > 0 ? path : closedPath;
}

/** A circular wipe: its scope, centre and progress. */
export interface CircleWipe {
  /** `composition`: one circle over the whole parent, of which the element shows its part; else over its box. */
  readonly scope: 'composition' | 'element';
  /** Its centre, as shares of its scope. */
  readonly anchor: Point;
  /** 0 = closed; at 1 it reaches the corner that is farthest from the anchor. */
  readonly progress: number;
  /** Width of the leading ring, as a share of that distance. */
  readonly ring: number;
}

/** The circle that a circular wipe has opened. */
export function circleClip(frame: EffectFrame, wipe: CircleWipe): Path {
  const { centre, radius, toBox } = circleOf(frame, wipe);
  return radius > 0 ? circle(centre, radius, 1, toBox) : closedPath;
}

/** Everything outside of that circle: a large rectangle with a hole, whose path runs in the opposite direction. */
export function circleComplement(frame: EffectFrame, wipe: CircleWipe): Path {
  const { centre, radius, toBox } = circleOf(frame, wipe);
  const beyond = frame.width + frame.height + frame.parentWidth + frame.parentHeight;
  const outside: PathCommand[] = [
    ['M', -beyond, -beyond],
    ['L', frame.width + beyond, -beyond],
    ['L', frame.width + beyond, frame.height + beyond],
    ['L', -beyond, frame.height + beyond],
    ['Z'],
  ];
  // Mirroring reverses the direction.
  const way = toBox[0] * toBox[3] - toBox[1] * toBox[2] < 0 ? 1 : -1;
  return radius > seam ? [...outside, ...circle(centre, radius - seam, way, toBox)] : outside;
}

/** The ring around the circle; at progress 1 it has left the scope. */
export function circleRing(frame: EffectFrame, wipe: CircleWipe): Path {
  const { centre, radius, outerRadius, toBox } = circleOf(frame, wipe);
  if (outerRadius <= 0) return closedPath;
  const outline = circle(centre, outerRadius, 1, toBox);
  return radius > 0 ? [...outline, ...circle(centre, radius, -1, toBox)] : outline;
}

function circleOf(
  { width, height, parentWidth, parentHeight, toParent }: EffectFrame,
  { scope, anchor: [x, y], progress, ring }: CircleWipe,
): { centre: Point; radius: number; outerRadius: number; toBox: Matrix } {
  const toBox = scope === 'composition' && toParent ? inverted(toParent) : null;
  const [across, down] = toBox ? [parentWidth, parentHeight] : [width, height];
  const reachX = Math.max(Math.abs(x), Math.abs(1 - x)) * across;
  const reachY = Math.max(Math.abs(y), Math.abs(1 - y)) * down;
  const reach = Math.hypot(reachX, reachY);
  const outerRadius = Math.max(0, progress) * (1 + ring) * reach;
  return {
    centre: [x * across, y * down],
    radius: Math.max(0, outerRadius - ring * reach),
    outerRadius,
    toBox: toBox ?? identity,
  };
}

/** A circle of four cubics, mapped; `way` 1 runs clockwise on the screen before that, −1 counter-clockwise. */
function circle([x, y]: Point, radius: number, way: 1 | -1, map: Matrix): PathCommand[] {
  // The usual approximation of a quarter circle; off by 0.03 % of the radius.
  const handle = radius * 0.5522847498;
  const down = radius * way;
  const bend = handle * way;
  const at = (px: number, py: number): Point => apply(map, px, py);
  return [
    ['M', ...at(x + radius, y)],
    ['C', ...at(x + radius, y + bend), ...at(x + handle, y + down), ...at(x, y + down)],
    ['C', ...at(x - handle, y + down), ...at(x - radius, y + bend), ...at(x - radius, y)],
    ['C', ...at(x - radius, y - bend), ...at(x - handle, y - down), ...at(x, y - down)],
    ['C', ...at(x + handle, y - down), ...at(x + radius, y - bend), ...at(x + radius, y)],
    ['Z'],
  ];
}
