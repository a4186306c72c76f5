/**
 * Elements that get another parent and stay where they are: their places and percentages count of another room
 * afterwards. Pure; pixels of the document.
 */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import type { Values } from './changes.ts';
import { pixelsOf, respelled, type Size } from './length.ts';
import { minus, sharesOf, type Area, type Bounds, cornersOf } from './plane.ts';

/** An upright room. */
export interface Room extends Size {
  readonly left: number;
  readonly top: number;
}

/** Finer than a pixel of any screen: the picture must stay the same. */
const places = 4;

const lengths = {
  x: { side: 'width', start: 'left', standard: '50%' },
  y: { side: 'height', start: 'top', standard: '50%' },
} as const;

/** What percentages of a length count of; those of missing ones where that is a percentage. */
const sizes: Readonly<Record<string, { readonly of: 'width' | 'height' | 'smaller' }>> = {
  width: { of: 'width' },
  height: { of: 'height' },
  x_padding: { of: 'width' },
  y_padding: { of: 'height' },
  font_size: { of: 'smaller' },
  stroke_width: { of: 'smaller' },
};

/** What a side is without a value. */
function standardOf({ type }: JsonObject, name: string): Json | undefined {
  const isSide = name === 'width' || name === 'height';
  return isSide && type !== 'text' && type !== 'shape' ? '100%' : undefined;
}

/** It has no place of its own on an axis: its composition places it. */
export function flows(element: JsonObject): boolean {
  return (['x', 'y'] as const).some((name) => element[name] === null || element[name] === 'auto');
}

/**
 * The values that keep an element where it is in another room.
 *
 * @returns null if a value can't be read as a length
 */
export function rebased(element: JsonObject, from: Room, to: Room, document: Size): Values | null {
  const values: Record<string, Json> = {};
  const take = (name: string, before: Json | undefined, change: Change): boolean => {
    const after = changed(before, change);
    if (after === undefined) return false;
    if (after !== before || Array.isArray(after)) values[name] = after;
    return true;
  };
  for (const [name, { side, start, standard }] of Object.entries(lengths)) {
    if (element[name] === undefined && from[side] === to[side] && from[start] === to[start])
      continue;
    const by = from[start] - to[start];
    const isRead = take(name, element[name] ?? standard, (value, unit, spelling) => {
      const whole = { whole: from[side], document };
      if (unit === '%') {
        if (to[side] <= 0) return undefined;
        const pixels = (value * from[side]) / 100 + by;
        return respelled(spelling, (pixels / to[side]) * 100, unit, places);
      }
      const one = pixelsOf(unit, whole);
      return one === null || one === 0
        ? undefined
        : spelledBeside(spelling, value + by / one, unit);
    });
    if (!isRead) return null;
  }
  const whole = (room: Room, of: 'width' | 'height' | 'smaller'): number =>
    of === 'smaller' ? Math.min(room.width, room.height) : room[of];
  for (const [name, { of }] of Object.entries(sizes)) {
    const before = element[name] ?? standardOf(element, name);
    if (before === undefined || before === 'auto' || whole(from, of) === whole(to, of)) continue;
    const factor = whole(from, of) / whole(to, of);
    const isRead = take(name, before, (value, unit, spelling) =>
      unit === '%' ? respelled(spelling, value * factor, unit, places) : spelling,
    );
    if (!isRead) return null;
  }
  return values;
}

type Change = (value: number, unit: string, spelling: Json) => Json | undefined;

/** Keeps whole pixels whole, and other numbers fine. */
function spelledBeside(spelling: Json, value: number, unit: string): Json {
  return respelled(spelling, value, unit, places);
}

/** One value or all keyframes; undefined where one of them is no length. */
function changed(value: Json | undefined, change: Change): Json | undefined {
  const keys = keyframesOf(value);
  if (!keys) {
    const amount = parseAmount(value);
    return amount && value !== undefined ? change(amount.value, amount.unit, value) : undefined;
  }
  const made = (value as readonly JsonObject[]).map((key) => {
    const inside = changed(key.value, change);
    return inside === undefined ? null : { ...key, value: inside };
  });
  return made.includes(null) ? undefined : made;
}

/** The bounds of areas in the pixels of the room that they lie in; null where that is pressed flat. */
export function boundsIn(room: Area, areas: readonly Area[]): Bounds | null {
  const points = areas.flatMap(cornersOf).map((point) => sharesOf(room, minus(point, room.origin)));
  if (points.length === 0 || points.some((point) => point === null)) return null;
  const xs = points.map((point) => (point?.x ?? 0) * room.width);
  const ys = points.map((point) => (point?.y ?? 0) * room.height);
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

/** A room around bounds whose place is written in short percentages of the one around it, with those. */
export function tidyRoom(
  { left, right, top, bottom }: Bounds,
  around: Size,
): { readonly room: Room; readonly values: Values } | null {
  const span = (from: number, to: number, whole: number): readonly [number, number] => [
    Math.floor((from / whole) * 1e4 + 1e-6) / 100,
    Math.ceil((to / whole) * 1e4 - 1e-6) / 100,
  ];
  const [x0, x1] = span(left, right, around.width);
  const [y0, y1] = span(top, bottom, around.height);
  if (!(x1 > x0) || !(y1 > y0)) return null;
  const percent = (number: number): string => `${Number(number.toFixed(3))}%`;
  return {
    room: {
      left: (x0 * around.width) / 100,
      top: (y0 * around.height) / 100,
      width: ((x1 - x0) * around.width) / 100,
      height: ((y1 - y0) * around.height) / 100,
    },
    values: {
      x: percent((x0 + x1) / 2),
      y: percent((y0 + y1) / 2),
      width: percent(x1 - x0),
      height: percent(y1 - y0),
    },
  };
}
