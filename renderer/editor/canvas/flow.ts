/**
 * Elements that their composition puts one after another: which they are, and where in their order a dragged one comes
 * to lie. Pure.
 */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { isJsonObject, type Json, type Source } from '../../../shared/renderscript/source.ts';
import { moveItem, applied, parsePath } from '../source/json-text.ts';
import { elementAt } from '../outline/elements.ts';
import { parentOf } from './hits.ts';
import { minus, pointAt, wayIn, type Area, type Point } from './plane.ts';

/** An element in the flow of its composition. */
export interface Flow {
  /** Its list, e.g. `elements[0].elements`. */
  readonly list: string;
  /** The direction in which the elements follow each other. */
  readonly axis: 'x' | 'y';
  /** Indexes in the list of those that flow, in order. */
  readonly members: readonly number[];
  /** Its own place among them, from 0. */
  readonly place: number;
}

/**
 * The flow that an element is in; null where it has a place of its own in that direction, or where its order decides
 * more than its place: on a track, time follows from it, too.
 */
export function flowOf(source: Source, path: string): Flow | null {
  const parent = parentOf(path);
  const composition = parent === '' ? null : elementAt(source, parent);
  if (composition?.type !== 'composition' || !Array.isArray(composition.elements)) return null;
  const { flow_direction: direction = 'vertical' } = composition;
  if (keyframesOf(direction)) return null;
  const axis = direction === 'horizontal' ? 'x' : 'y';
  const children: readonly unknown[] = composition.elements;
  const members = children.flatMap((child, index) =>
    isJsonObject(child) && child.type !== 'audio' && flows(child[axis]) ? [index] : [],
  );
  const own = Number(/\[(\d+)\]$/.exec(path)?.[1]);
  const isTracked = members.some((index) => {
    const child = children[index];
    return isJsonObject(child) && child.track !== undefined && child.track !== null;
  });
  const place = members.indexOf(own);
  return place < 0 || members.length < 2 || isTracked
    ? null
    : { list: `${parent}.elements`, axis, members, place };
}

const flows = (position: Json | undefined): boolean => position === null || position === 'auto';

/**
 * The place that a dragged element comes to: where its middle has passed that of others.
 *
 * @param areas Of all members, in their order, as they lay before the drag; null for what is not visible.
 * @param way Of the drag, in pixels of the document.
 */
export function placeOf(
  { axis, place }: Flow,
  areas: readonly (Area | null)[],
  room: Area,
  way: Point,
): number {
  const along = (area: Area): number =>
    wayIn(room, minus(pointAt(area, 0.5, 0.5), room.origin))?.[axis] ?? 0;
  const own = areas[place];
  const by = wayIn(room, way)?.[axis] ?? 0;
  if (!own || by === 0) return place;
  const middle = along(own) + by;
  // As soon as its edge in the way's direction has passed another one's middle: sizes differ.
  const half = lengthAlong(own, room, axis) / 2;
  const passed = (other: Area): boolean =>
    by > 0 ? middle + half > along(other) : middle - half < along(other);
  const others = areas.map((area, index) => ({ area, index }));
  const reached = others.filter(
    ({ area, index }) => area !== null && (by > 0 ? index > place : index < place) && passed(area),
  );
  return by > 0
    ? Math.max(place, ...reached.map(({ index }) => index))
    : Math.min(place, ...reached.map(({ index }) => index));
}

function lengthAlong(area: Area, room: Area, axis: 'x' | 'y'): number {
  const side = wayIn(room, axis === 'x' ? area.across : area.down);
  return Math.abs(side?.[axis] ?? 0);
}

/** The document with an element at another place of its flow, and its path there. */
export function withPlace(
  text: string,
  { list, members, place }: Flow,
  to: number,
): { readonly text: string; readonly path: string } {
  const [from = 0, goal = 0] = [members[place], members[to]];
  const moved = from === goal ? text : applied(text, moveItem(text, parsePath(list), from, goal));
  return { text: moved, path: `${list}[${goal}]` };
}
