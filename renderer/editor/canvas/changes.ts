/**
 * Moving, resizing and turning an element by hand, as new values of its properties. Numbers keep their unit; what the
 * language places or sizes by itself gets a value only where the hand changes it. Pure.
 */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import type { Patch } from '../source/patch.ts';
import {
  lengthOfPixels,
  pixelsIn,
  scaledBy,
  shifted,
  turnedBy,
  type LengthContext,
  type Size,
} from './length.ts';
import { minus, plus, pointAt, times, wayIn, wayOut, type Area, type Point } from './plane.ts';

/** An element when a hand grabs it. */
export interface Held {
  /** Its place in the source, e.g. `elements[0]`. */
  readonly path: string;
  readonly element: JsonObject;
  /** Where it lies. */
  readonly area: Area;
  /** The inside of its parent, which its places and percentages refer to. */
  readonly room: Area;
  readonly document: Size;
}

export type Values = Readonly<Record<string, Json>>;

/** Values of an element by their places in the document; keyframes have one each. */
export function withPlaces(path: string, values: Values): Patch {
  const entries = Object.entries(values).flatMap(
    ([name, value]): [string, Json][] =>
      keyframesOf(value)?.map(({ value: inside }, index): [string, Json] => [
        `${path}.${name}[${index}].value`,
        inside,
      ]) ?? [[`${path}.${name}`, value]],
  );
  return Object.fromEntries(entries);
}

/** Which sides a handle moves: -1 the left or top one, 1 the right or bottom one, 0 none. */
export interface Handle {
  readonly x: -1 | 0 | 1;
  readonly y: -1 | 0 | 1;
}

/** The eight handles, clockwise from the top left. */
export const handles: readonly Handle[] = [
  { x: -1, y: -1 },
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
  { x: -1, y: 1 },
  { x: -1, y: 0 },
];

export interface ResizeOptions {
  /** Both sides change by the same factor. */
  readonly keepsRatio: boolean;
  /** The middle stays, instead of the opposite side. */
  readonly fromCentre: boolean;
}

const axes = {
  x: { position: 'x', anchor: 'x_anchor', side: 'width' },
  y: { position: 'y', anchor: 'y_anchor', side: 'height' },
} as const;
type Axis = keyof typeof axes;
const bothAxes = ['x', 'y'] as const;

/** Its size and its letters follow the content on these axes. */
function isAutomatic({ element }: Held, axis: Axis): boolean {
  const value = element[axes[axis].side];
  const fits = element.type === 'text' || element.type === 'shape';
  return value === 'auto' || (fits ? value === undefined || value === null : value === null);
}

/** Its composition places it in the flow on this axis. */
function isFlowing({ element }: Held, axis: Axis): boolean {
  return element[axes[axis].position] === null || element[axes[axis].position] === 'auto';
}

const contextOn = ({ room, document }: Held, axis: Axis): LengthContext => ({
  whole: room[axes[axis].side],
  document,
});

/** Its anchor as shares of its own size: the point that it is placed by and turns about. */
function anchorOf(held: Held): Point {
  const share = (axis: Axis): number => {
    const whole = held.area[axes[axis].side];
    const pixels = pixelsIn(held.element[axes[axis].anchor], { whole, document: held.document });
    return pixels === null || whole === 0 ? 0.5 : pixels / whole;
  };
  return { x: share('x'), y: share('y') };
}

/** The point of the document that an element turns about. */
export function pivotOf(held: Held): Point {
  const { x, y } = anchorOf(held);
  return pointAt(held.area, x, y);
}

/** The language decides a part of where it ends: its words do, its path, or the flow of its composition. */
export function followsContent(held: Held): boolean {
  return bothAxes.some((axis) => isAutomatic(held, axis) || isFlowing(held, axis));
}

/** It may be moved, resized and turned by hand: it is not locked. */
export function isFree(element: JsonObject): boolean {
  return element.locked !== true;
}

/** Moves the element, by the document's pixels. An axis on which it does not move gets no value. */
export function moved(held: Held, way: Point): Values {
  const inside = wayIn(held.room, way);
  if (!inside) return {};
  const values: Record<string, Json> = {};
  for (const axis of bothAxes) {
    // Less than what is written down: a vertical move must not rewrite the horizontal place.
    if (Math.abs(inside[axis]) < 1e-3) continue;
    const { position } = axes[axis];
    const context = contextOn(held, axis);
    const value = isFlowing(held, axis)
      ? lengthOfPixels(placeInRoom(held, axis) + inside[axis], '%', context)
      : shifted(held.element[position], inside[axis], context, '50%');
    if (value !== undefined) values[position] = value;
  }
  return values;
}

/** Where its anchor is in its room, in pixels. */
function placeInRoom(held: Held, axis: Axis): number {
  const inside = wayIn(held.room, minus(pivotOf(held), held.room.origin));
  return inside?.[axis] ?? 0;
}

/** What dragging a handle does: larger letters, another width for lines to break at, or another size. */
export type HandleUse = 'letters' | 'lines' | 'size';

/** What dragging one of an element's handles does. */
export function useOf(held: Held, handle: Handle): HandleUse {
  if (held.element.type !== 'text') return 'size';
  if (scalesLetters(held, handle)) return 'letters';
  return handle.y === 0 && isAutomatic(held, 'y') ? 'lines' : 'size';
}

/** The sides that still follow what is in them after a resize gave these values. */
export function automaticSides(
  held: Held,
  values: Values,
): { readonly x: boolean; readonly y: boolean } {
  const stays = (axis: Axis): boolean =>
    isAutomatic(held, axis) && values[axes[axis].side] === undefined;
  return { x: stays('x'), y: stays('y') };
}

/** A corner of a text scales its letters: they are all that makes a text larger that fits its words. */
function scalesLetters(held: Held, { x, y }: Handle): boolean {
  const { type, font_size: size } = held.element;
  const isWritten = parseAmount(size) !== null || keyframesOf(size) !== null;
  return type === 'text' && x !== 0 && y !== 0 && isWritten;
}

/** It is as large as its path, so that no handle could make it larger. */
export const isAsItsPath = (held: Held): boolean =>
  held.element.type === 'shape' &&
  held.element.path !== undefined &&
  isAutomatic(held, 'x') &&
  isAutomatic(held, 'y');

/** The handles that work: texts and shapes without a size of their own have only some. */
export function handlesOf(held: Held): readonly Handle[] {
  const { element } = held;
  const { type, aspect_ratio: ratio } = element;
  const automatic = { x: isAutomatic(held, 'x'), y: isAutomatic(held, 'y') };
  if (held.area.width === 0 || held.area.height === 0) return [];
  if (type === 'text') {
    // Letters that fit the box have one with a height.
    const fits = (element.font_size ?? null) === null;
    return handles.filter(({ x }) => x !== 0 || !automatic.y || fits);
  }
  if (isAsItsPath(held)) return [];
  if (parseAmount(ratio)) return handles.filter(({ x, y }) => x !== 0 && y !== 0);
  return handles.filter(({ x, y }) => (x === 0 || !automatic.x) && (y === 0 || !automatic.y));
}

/** Nothing gets smaller than this, in its own pixels. */
const smallest = 1;

/** Drags one of an element's handles. @returns its new area, and the values for it */
export function resized(
  held: Held,
  handle: Handle,
  way: Point,
  { keepsRatio, fromCentre }: ResizeOptions,
): { readonly area: Area; readonly values: Values } {
  const { area, element } = held;
  const own = wayIn(area, way) ?? { x: 0, y: 0 };
  const twice = fromCentre ? 2 : 1;
  let grown = { x: own.x * handle.x * twice, y: own.y * handle.y * twice };
  const isCorner = handle.x !== 0 && handle.y !== 0;
  const holdsRatio = keepsRatio || parseAmount(element.aspect_ratio) !== null;
  const scales = scalesLetters(held, handle);
  if (holdsRatio || (scales && (isAutomatic(held, 'x') || isAutomatic(held, 'y')))) {
    const { width, height } = area;
    // The way along the diagonal, so that the corner stays near the pointer.
    const along = isCorner
      ? (grown.x * width + grown.y * height) / (width * width + height * height)
      : handle.x !== 0
        ? grown.x / width
        : grown.y / height;
    const factor = Math.max(along, smallest / Math.min(width, height) - 1);
    grown = { x: width * factor, y: height * factor };
  }
  const size = {
    width: Math.max(smallest, area.width + grown.x),
    height: Math.max(smallest, area.height + grown.y),
  };
  grown = { x: size.width - area.width, y: size.height - area.height };

  const fixed = (step: -1 | 0 | 1): number => (fromCentre || step === 0 ? 0.5 : step > 0 ? 0 : 1);
  const start = { x: -fixed(handle.x) * grown.x, y: -fixed(handle.y) * grown.y };
  const newArea: Area = {
    origin: plus(area.origin, wayOut(area, start)),
    across: times(area.across, size.width / area.width),
    down: times(area.down, size.height / area.height),
    ...size,
  };
  const anchor = anchorOf(held);
  const pivot = wayOut(area, { x: start.x + anchor.x * grown.x, y: start.y + anchor.y * grown.y });
  const factor = size.width / area.width;
  const letters = scales && Math.abs(factor - size.height / area.height) < 1e-6;
  const scaled = letters ? scaledBy(element.font_size, factor) : undefined;
  return {
    area: newArea,
    values: {
      ...sidesOf(held, grown, scaled !== undefined),
      ...(scaled !== undefined && { font_size: scaled }),
      ...placed(held, pivot),
    },
  };
}

/**
 * The values that bring an element into an area with its own directions, e.g. of a crop.
 *
 * @param area Its `width` and `height` are in the element's own pixels.
 */
export function fitted(held: Held, area: Area): Values {
  const anchor = anchorOf(held);
  const pivot = minus(pointAt(area, anchor.x, anchor.y), pointAt(held.area, anchor.x, anchor.y));
  const grown = { x: area.width - held.area.width, y: area.height - held.area.height };
  return { ...sidesOf(held, grown, false), ...placed(held, pivot) };
}

/** The new place after a resize; what the language places keeps no place of its own. */
function placed(held: Held, way: Point): Values {
  const values = moved(held, way);
  const names = bothAxes
    .filter((axis) => !isFlowing(held, axis))
    .map((axis) => axes[axis].position);
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

/** The sides that have grown. */
function sidesOf(held: Held, grown: Point, lettersScale: boolean): Values {
  const values: Record<string, Json> = {};
  const { area, element } = held;
  for (const axis of bothAxes) {
    const { side } = axes[axis];
    if (Math.abs(grown[axis]) < 1e-3) continue;
    const context = contextOn(held, axis);
    const before = element[side];
    if (isAutomatic(held, axis)) {
      // Larger letters make a text larger without new sides.
      if (lettersScale || parseAmount(element.aspect_ratio)) continue;
      values[side] = lengthOfPixels(area[side] + grown[axis], '%', context);
      continue;
    }
    // An aspect ratio leaves slack beside the box: the written side grows by the same factor.
    const factor = (area[side] + grown[axis]) / area[side];
    const written = pixelsIn(before ?? '100%', context);
    const by = written === null ? grown[axis] : written * (factor - 1);
    const value = shifted(before, by, context, '100%', 0);
    if (value !== undefined) values[side] = value;
  }
  return values;
}

/** Degrees of one step of a turn. */
const turnStep = 15;

/** Turns an element about its pivot. With `inSteps` to a multiple of 15°. */
export function turnedValues(
  held: Held,
  degrees: number,
  inSteps: boolean,
): { readonly by: number; readonly values: Values } {
  const before = parseAmount(held.element.z_rotation)?.value ?? 0;
  const by = inSteps ? Math.round((before + degrees) / turnStep) * turnStep - before : degrees;
  const value = turnedBy(held.element.z_rotation, by);
  return { by, values: value === undefined || by === 0 ? {} : { z_rotation: value } };
}
