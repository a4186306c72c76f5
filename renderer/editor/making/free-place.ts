/**
 * Where something that is added comes to lie in the picture: at its usual place, or where that is taken at the time, at
 * the nearest free one within what every screen shows. Sizes of texts are estimated, so that nothing waits for the
 * engine. Pure.
 */
import { enclosing, intersection, type Rect } from '../../../shared/engine/geometry.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { safeAreas } from '../../../shared/safe-areas.ts';
import { scaledBy, shifted, type Size } from '../canvas/length.ts';
import { areaOf, type Measure } from './area.ts';

/** Shares of the frame: kept free at its edges, and of its smaller side between two things. */
const kept = { edge: 0.05, gap: 0.02 };
/**
 * How much smaller something gets, in this order, before it lies on something else: first near its usual place, up to a
 * share of the frame's height, then anywhere.
 */
const steps = [
  { far: 0.3, factors: [1, 0.8, 0.65] },
  { far: Infinity, factors: [1, 0.8, 0.65, 0.5, 0.4] },
] as const;
/** Things among which places beside them are sought, too: each is held against each. */
const mostBeside = 40;
/** Things among which a free place is sought at all: the work grows with their square. */
const mostSeen = 400;

/**
 * An element at a free place.
 *
 * @param element At its usual place; without a length that can't be read.
 * @param others Elements that are seen while it is; backgrounds among them don't count.
 * @param frame Pixels.
 * @returns the same one where its place is free, where it is a background itself, and where nothing is free or too much
 *   is seen to seek
 */
export function atFreePlace(
  element: JsonObject,
  others: readonly JsonObject[],
  frame: Size,
): JsonObject {
  if (frame.width <= 0 || frame.height <= 0) return element;
  const usual = areaOf(element, frame);
  if (!usual || isGround(element, usual, frame)) return element;
  const seen = others.filter((other) => {
    const area = areaOf(other, frame);
    return area !== null && !isGround(other, area, frame);
  });
  if (seen.length > mostSeen) return element;
  const areasBy = (how: Measure): readonly Rect[] =>
    seen.flatMap((other) => areaOf(other, frame, how) ?? []);
  if (isFree(usual, areasBy('box'), frame)) return element;
  const taken = { box: areasBy('box'), lines: areasBy('lines') };
  for (const safe of safeRooms(frame)) {
    // What stands at the very edge on purpose may do so elsewhere.
    const room = enclosing([safe, usual]);
    for (const how of ['box', 'lines'] as const) {
      for (const { far, factors } of steps) {
        for (const factor of factors) {
          const made = factor === 1 ? element : smaller(element, factor);
          const area = areaOf(made, frame, how);
          const by = area && wayToFree(area, taken[how], room, frame, far * frame.height);
          if (by) return movedBy(made, by, frame);
        }
      }
    }
  }
  return element;
}

/** What is seen everywhere, the best first: of a tall picture, what apps lay nothing of their own over. */
function safeRooms(frame: Size): readonly Rect[] {
  const { width, height } = frame;
  const within = (top: number, bottom: number): Rect => ({
    x: width * kept.edge,
    y: height * top,
    width: width * (1 - 2 * kept.edge),
    height: height * (1 - top - bottom),
  });
  const all = within(kept.edge, kept.edge);
  if (height <= width) return [all];
  const margins = [...safeAreas.tiktok.margins, ...safeAreas.stories.margins];
  const side = (name: 'top' | 'bottom'): number => Math.max(...margins.map((one) => one[name]));
  return [within(side('top'), side('bottom')), all];
}

interface Way {
  readonly x: number;
  readonly y: number;
}

/** The shortest way to a free place; null if there is none that near. */
function wayToFree(
  area: Rect,
  taken: readonly Rect[],
  room: Rect,
  frame: Size,
  far: number,
): Way | null {
  const gap = kept.gap * Math.min(frame.width, frame.height);
  const along = (axis: 'x' | 'y', side: 'width' | 'height'): readonly number[] => [
    0,
    ...taken.flatMap((other) => [
      other[axis] + other[side] + gap - area[axis],
      other[axis] - gap - area[side] - area[axis],
    ]),
  ];
  // Words go beneath each other. Beside each other is for what finds no room so.
  const rows = along('y', 'height');
  const columns = taken.length <= mostBeside ? along('x', 'width') : [0];
  let best: Way | null = null;
  let least = far;
  for (const x of columns) {
    for (const y of rows) {
      // A title is read from above: downwards comes first where both ways are as long.
      const length = 3 * Math.abs(x) + Math.abs(y) + (y < 0 ? 1 : 0);
      if (length >= least) continue;
      const there = { ...area, x: area.x + x, y: area.y + y };
      if (!isWithin(there, room) || !isFree(there, taken, frame)) continue;
      [best, least] = [{ x, y }, length];
    }
  }
  return best;
}

/** Pixels that are not worth a move. */
const tolerance = 0.5;

function isFree(area: Rect, taken: readonly Rect[], frame: Size): boolean {
  const gap = kept.gap * Math.min(frame.width, frame.height) - tolerance;
  const { x, y, width, height } = area;
  const around = { x: x - gap, y: y - gap, width: width + 2 * gap, height: height + 2 * gap };
  return taken.every((other) => {
    const both = intersection(around, other);
    return both.width === 0 || both.height === 0;
  });
}

const isWithin = ({ x, y, width, height }: Rect, room: Rect): boolean =>
  x >= room.x - tolerance &&
  y >= room.y - tolerance &&
  x + width <= room.x + room.width + tolerance &&
  y + height <= room.y + room.height + tolerance;

/** Something that other things lie on: a photo, a colour, a shade under words. */
function isGround({ type }: JsonObject, { width, height }: Rect, frame: Size): boolean {
  if (type === 'text') return false;
  const isPhoto = type === 'image' || type === 'video';
  return (
    width * height >= 0.25 * frame.width * frame.height || (isPhoto && width >= 0.5 * frame.width)
  );
}

function movedBy(element: JsonObject, { x, y }: Way, frame: Size): JsonObject {
  const length = (name: 'x' | 'y', by: number, whole: number): JsonObject => {
    if (Math.abs(by) < tolerance) return {};
    const value = shifted(element[name], by, { whole, document: frame }, '50%');
    return value === undefined ? {} : { [name]: value };
  };
  return { ...element, ...length('x', x, frame.width), ...length('y', y, frame.height) };
}

/** What makes an element smaller; words of a given width still wrap in it. */
function smaller(element: JsonObject, factor: number, isInside = false): JsonObject {
  const names =
    element.type !== 'text'
      ? ['width', 'height', 'border_radius']
      : (element.height ?? null) === null
        ? ['font_size', 'stroke_width']
        : ['height'];
  const values = names.flatMap((name) => {
    // Shares of what gets smaller do so by themselves.
    const isShare = isInside && parseAmount(element[name])?.unit === '%';
    const value = isShare ? undefined : scaledBy(element[name], factor);
    return value === undefined ? [] : [[name, value] as const];
  });
  const inner = Array.isArray(element.elements) ? (element.elements as readonly Json[]) : null;
  const elements = inner?.map((one) => (isJsonObject(one) ? smaller(one, factor, true) : one));
  return { ...element, ...Object.fromEntries(values), ...(elements && { elements }) };
}
