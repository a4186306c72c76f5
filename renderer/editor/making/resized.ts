/**
 * A document in another format: what its elements need so that they stand as well there. Pure. Sides that fill the
 * frame go on filling it, what lies near an edge keeps its distance from that edge, sizes go with the smaller side, and
 * texts are set anew within the safe part of the frame. Every length keeps the unit that it is written in.
 */
import { parseAmount } from '../../../shared/renderscript/units.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { pixelsIn, pixelsOf, respelled, type LengthContext, type Size } from '../canvas/length.ts';
import type { StandingMoment } from '../../../shared/engine/layout/standing.ts';
import { PatchedText, type Patch } from '../source/patch.ts';
import { examine, type Correction, type Corrections } from './apart.ts';

/** Share of a side from which an element fills it, and from which it reaches over both edges. */
const full = 0.96;
/** Share of each side that texts keep free. */
const margin = 0.05;
/** The middle of an element within these shares of a side belongs to no edge. */
const centre = { from: 0.4, to: 0.6 };
/** About how wide a letter is, and how high a line, in sizes of the font. */
const letter = { wide: 0.56, high: 1.2 };

/** Lengths that go with the smaller side, wherever they stand. */
const byScale = [
  'border_radius',
  'stroke_width',
  'shadow_blur',
  'shadow_x',
  'shadow_y',
  'blur_radius',
  'font_size_minimum',
  'font_size_maximum',
  'x_padding',
  'y_padding',
] as const;

/** How often the engine is asked where everything stands, after the first time. */
const mostRounds = 6;

const uncorrected: Correction = { x: 0, y: 0, factor: 1 };

/** A room before and after, and how many times larger things get in it. */
interface Rooms {
  readonly before: Size;
  readonly after: Size;
  readonly scale: number;
  /** The documents', for views. */
  readonly documents: { readonly before: Size; readonly after: Size };
}

type Axis = 'x' | 'y';
const sides = { x: 'width', y: 'height' } as const;

const smaller = ({ width, height }: Size): number => Math.min(width, height);

/**
 * The values that change, by their paths; width and height of the document among them.
 *
 * @param corrections Of what would lie over something else (apart.ts); none by default.
 */
export function resized(
  source: Source,
  after: Size,
  corrections: Corrections = new Map<string, Correction>(),
): Patch {
  const before = sizeOf(source);
  const patch: Record<string, Json> = { width: after.width, height: after.height };
  if (!before || (before.width === after.width && before.height === after.height)) return {};
  const scale = smaller(after) / smaller(before);
  const documents = { before, after };
  visit(source, '', { before, after, scale, documents }, corrections, patch);
  return patch;
}

/** A change of format that the engine's layout has looked at. */
export interface Resized {
  readonly patch: Patch;
  /** How many elements lie over another one, or beyond the frame, that did not before; null: not known of all. */
  readonly left: number | null;
}

/**
 * The values that change, as `resized` has them, corrected until the engine finds nothing that lies over something new.
 *
 * @param measure Asks the engine where the elements of a document stand; null if it can't say: nothing is corrected.
 */
export async function resizedApart(
  source: Source,
  after: Size,
  measure: (source: Source) => Promise<readonly StandingMoment[] | null>,
): Promise<Resized> {
  const text = new PatchedText(JSON.stringify(source));
  let corrections: Corrections = new Map();
  let best = resized(source, after);
  const before = await measure(source);
  if (!before) return { patch: best, left: null };
  let fewest = Infinity;
  let isWhole = true;
  let patch = best;
  for (let round = 0; round < mostRounds; round++) {
    const now = await measure(JSON.parse(text.with(patch)) as Source);
    if (!now) break;
    const examined = examine(before, now);
    const left = examined.collisions;
    ({ isWhole } = examined);
    if (left < fewest) [fewest, best] = [left, patch];
    const next = left === 0 ? null : examined.corrected(corrections);
    if (!next) break;
    corrections = next;
    patch = resized(source, after, corrections);
  }
  return { patch: best, left: isWhole && fewest < Infinity ? fewest : null };
}

/** The pixels of a document; null where its content decides. */
export function sizeOf({ width, height }: Source): Size | null {
  const [across, down] = [parseAmount(width), parseAmount(height)];
  return across && down && across.value > 0 && down.value > 0
    ? { width: across.value, height: down.value }
    : null;
}

function visit(
  parent: JsonObject,
  path: string,
  rooms: Rooms,
  corrections: Corrections,
  patch: Record<string, Json>,
): void {
  if (!Array.isArray(parent.elements)) return;
  (parent.elements as readonly Json[]).forEach((element, index) => {
    if (!isJsonObject(element)) return;
    const at = `${path === '' ? '' : `${path}.`}elements[${index}]`;
    const changes = changesOf(element, rooms, corrections.get(at) ?? uncorrected);
    for (const [name, value] of Object.entries(changes.values)) patch[`${at}.${name}`] = value;
    if (Array.isArray(element.elements)) visit(element, at, changes.inside, corrections, patch);
  });
}

/** The last value of keyframes, or the value itself: where something comes to rest. */
function settled(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value;
  const keys: readonly Json[] = value;
  const last = keys.at(-1);
  return isJsonObject(last) ? last.value : undefined;
}

/** Another length for each keyframe, or for the one value. */
function each(value: Json, change: (one: Json) => Json): Json {
  if (!Array.isArray(value)) return change(value);
  return (value as readonly Json[]).map((key) =>
    isJsonObject(key) && key.value !== undefined ? { ...key, value: change(key.value) } : key,
  );
}

interface Contexts {
  readonly before: LengthContext;
  readonly after: LengthContext;
}

function contexts(rooms: Rooms, whole: (room: Size) => number): Contexts {
  return {
    before: { whole: whole(rooms.before), document: rooms.documents.before },
    after: { whole: whole(rooms.after), document: rooms.documents.after },
  };
}

/** A length as so many pixels of the new document, in the unit that it has. */
function rewritten(value: Json, pixels: number, { after }: Contexts): Json {
  const amount = parseAmount(value);
  const one = amount && pixelsOf(amount.unit, after);
  if (!amount || one === null || one === 0) return value;
  const spelled = respelled(value, pixels / one, amount.unit);
  // What comes to the same keeps its spelling.
  return parseAmount(spelled)?.value === amount.value ? value : spelled;
}

function changesOf(
  element: JsonObject,
  rooms: Rooms,
  correction: Correction,
): { readonly values: Record<string, Json>; readonly inside: Rooms } {
  const values: Record<string, Json> = {};
  const keep = (name: string, value: Json): void => {
    if (JSON.stringify(value) !== JSON.stringify(element[name])) values[name] = value;
  };
  const isText = element.type === 'text';
  const box = { x: boxOf(element, 'x', rooms), y: boxOf(element, 'y', rooms) };
  const size = newSize(element, box, rooms, isText, correction.factor);
  for (const axis of ['x', 'y'] as const) {
    const side = sides[axis];
    const { before, after } = rooms;
    const lengths = contexts(rooms, (room) => room[side]);
    const factor = box[axis].size > 0 ? size[axis] / box[axis].size : rooms.scale;
    const written = element[side];
    if (written !== undefined && written !== null) {
      const next = each(written, (one) => {
        const pixels = pixelsIn(one, lengths.before);
        return pixels === null ? one : rewritten(one, pixels * factor, lengths);
      });
      keep(side, next);
    }
    const place = element[axis] ?? (correction[axis] === 0 ? null : '50%');
    if (place !== null) {
      const moved = newPlace(box[axis], size[axis], before[side], after[side], rooms.scale, isText);
      const by = moved + correction[axis] - box[axis].place;
      const next = each(place, (one) => {
        const pixels = pixelsIn(one, lengths.before);
        if (pixels === null) return one;
        // Beside the place where it stands, it moves as far as things have grown.
        const way =
          (pixels - box[axis].place) * (Array.isArray(place) ? after[side] / before[side] : 1);
        return rewritten(one, box[axis].place + by + way, lengths);
      });
      keep(axis, next);
    }
  }
  const corrected = { ...rooms, scale: rooms.scale * correction.factor };
  for (const name of byScale) scaled(element, name, corrected, keep);
  if (isText) fontOf(element, size, corrected, keep);
  const inner = (room: 'x' | 'y'): number =>
    size[room] > 0 ? size[room] : rooms.after[sides[room]];
  const outer = (room: 'x' | 'y'): number =>
    box[room].size > 0 ? box[room].size : rooms.before[sides[room]];
  const inside = { width: inner('x'), height: inner('y') };
  const whole = { width: outer('x'), height: outer('y') };
  return {
    values,
    inside: {
      before: whole,
      after: inside,
      scale: smaller(inside) / smaller(whole),
      documents: rooms.documents,
    },
  };
}

/**
 * Where an element lies along one axis, in pixels: its place, its size (0: its content decides) and its anchor's share.
 */
interface Extent {
  readonly place: number;
  readonly size: number;
  readonly anchor: number;
}

function boxOf(element: JsonObject, axis: Axis, rooms: Rooms): Extent {
  const side = sides[axis];
  const { before } = contexts(rooms, (room) => room[side]);
  const written = settled(element[side]);
  const hasOwn = element.type === 'text' || element.type === 'shape';
  const size = pixelsIn(written ?? (hasOwn ? undefined : '100%'), before) ?? 0;
  const anchor = pixelsIn(settled(element[`${axis}_anchor`]) ?? '50%', {
    ...before,
    whole: size,
  });
  const place = pixelsIn(settled(element[axis]) ?? '50%', before) ?? before.whole / 2;
  return { place, size, anchor: size > 0 && anchor !== null ? anchor / size : 0.5 };
}

/** The new sides in pixels; 0 where the content decides. */
function newSize(
  element: JsonObject,
  box: Readonly<Record<Axis, Extent>>,
  { before, after, scale }: Rooms,
  isText: boolean,
  factor: number,
): Record<Axis, number> {
  const isFull = (axis: Axis): boolean => box[axis].size >= before[sides[axis]] * full;
  const grown = (axis: Axis): number =>
    isFull(axis)
      ? (box[axis].size / before[sides[axis]]) * after[sides[axis]]
      : box[axis].size * scale;
  let [x, y] = [grown('x'), grown('y')];
  if (isText) {
    const room = 1 - 2 * margin;
    const most = after.width * room;
    if (!isFull('x') && x > most) {
      // Narrower lines need more of them.
      if (y > 0) y = Math.min(y * (x / most), after.height * room);
      x = most;
    }
    if (!isFull('y')) y = Math.min(y, after.height * room);
  } else {
    // Pictures and groups get smaller as a whole.
    const shrink = Math.min(
      isFull('x') || x === 0 ? 1 : after.width / x,
      isFull('y') || y === 0 ? 1 : after.height / y,
      1,
    );
    [x, y] = [isFull('x') ? x : x * shrink, isFull('y') ? y : y * shrink];
  }
  return { x: isFull('x') ? x : x * factor, y: isFull('y') ? y : y * factor };
}

/** The new place of the anchor, in pixels: by the nearer edge, or the middle. */
function newPlace(
  { place, size, anchor }: Extent,
  grown: number,
  before: number,
  after: number,
  scale: number,
  isText: boolean,
): number {
  const start = place - size * anchor;
  const end = start + size;
  const middle = (start + end) / 2 / before;
  const isFull = size >= before * full;
  const [first, last] = [start * scale, after - (before - end) * scale];
  const from =
    isFull || (middle >= centre.from && middle <= centre.to)
      ? middle * after - grown / 2
      : middle < 0.5
        ? first
        : last - grown;
  const wasInside = start >= 0 && end <= before;
  const free = isText && !isFull && grown > 0 ? Math.min(margin * after, (after - grown) / 2) : 0;
  const inside = wasInside ? Math.min(Math.max(from, free), after - grown - free) : from;
  return inside + grown * anchor;
}

/** Plain and view lengths go with the smaller side; those of the smaller side do so themselves. */
function scaled(
  element: JsonObject,
  name: string,
  rooms: Rooms,
  keep: (name: string, value: Json) => void,
): void {
  const value = element[name];
  if (value === undefined || value === null) return;
  const lengths = contexts(rooms, smaller);
  const next = each(value, (one) => {
    const amount = parseAmount(one);
    const pixels = amount && amount.unit !== '%' ? pixelsIn(one, lengths.before) : null;
    return pixels === null ? one : rewritten(one, pixels * rooms.scale, lengths);
  });
  keep(name, next);
}

/** Letters as large as before, unless the longest word or all lines would no longer fit. */
function fontOf(
  element: JsonObject,
  size: Readonly<Record<Axis, number>>,
  rooms: Rooms,
  keep: (name: string, value: Json) => void,
): void {
  const value = element.font_size;
  if (value === undefined || value === null) return;
  const lengths = contexts(rooms, smaller);
  const text = typeof element.text === 'string' ? element.text : '';
  const width = size.x > 0 ? size.x : rooms.after.width * (1 - 2 * margin);
  const height = rooms.after.height * (1 - 2 * margin);
  const next = each(value, (one) => {
    const pixels = pixelsIn(one, lengths.before);
    if (pixels === null) return one;
    return rewritten(one, Math.min(pixels * rooms.scale, largest(text, width, height)), lengths);
  });
  keep('font_size', next);
}

/** The largest letters with which a text fits a box, by about how wide letters are. */
function largest(text: string, width: number, height: number): number {
  const longest = Math.max(1, ...text.split(/\s+/).map((word) => word.length));
  const byWord = width / (longest * letter.wide);
  const byArea = Math.sqrt(
    (width * height) / (Math.max(1, text.length) * letter.wide * letter.high),
  );
  return Math.min(byWord, byArea);
}
