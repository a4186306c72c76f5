/** Names, cursors and places of the handles around an element. Pure. */
import type { Handle } from './changes.ts';
import {
  cornersOf,
  directionOf,
  lengthOf,
  plus,
  pointAt,
  times,
  type Area,
  type Bounds,
  type Point,
} from './plane.ts';

const cursors = ['ew-resize', 'nwse-resize', 'ns-resize', 'nesw-resize'] as const;

/** The cursor for a handle's direction, turned with the element. */
export function cursorOf(area: Area, handle: Handle): string {
  const { x, y } = handle;
  const middle = pointAt(area, 0.5, 0.5);
  const at = placeOfHandle(area, handle);
  const isCorner = x !== 0 && y !== 0;
  // Uses the same angles for all shapes: the corners of a flat element would all point sideways.
  const turn = directionOf(area.across);
  const way = isCorner
    ? turn + (x === y ? 45 : -45)
    : directionOf({ x: at.x - middle.x, y: at.y - middle.y });
  return cursors[((Math.round(way / 45) % 4) + 4) % 4] ?? 'default';
}

export const placeOfHandle = (area: Area, { x, y }: Handle): Point =>
  pointAt(area, (x + 1) / 2, (y + 1) / 2);

/** The corners of an area for a polygon. */
export const polygonOf = (area: Area): string =>
  cornersOf(area)
    .map(({ x, y }) => `${x},${y}`)
    .join(' ');

/** A handle's direction on an element that is not turned, e.g. `se`. */
export const nameOfHandle = ({ x, y }: Handle): string =>
  `${['n', '', 's'][y + 1]}${['w', '', 'e'][x + 1]}`;

/** Screen pixels between the edge and the handle that turns. */
const turnGap = 24;

/**
 * Where the handle that turns is, and the place at the edge that it hangs on: above the element, or below it where the
 * view ends, or inside of what fills the view.
 *
 * @param scale Screen pixels per document pixel.
 * @param view What can be seen of the document, in its pixels.
 */
export function turnPlace(
  area: Area,
  scale: number,
  view: Bounds,
): { readonly at: Point; readonly edge: Point } {
  const long = lengthOf(area.down);
  const gap = long > 0 ? times(area.down, turnGap / scale / long) : { x: 0, y: turnGap / scale };
  const [top, bottom] = [pointAt(area, 0.5, 0), pointAt(area, 0.5, 1)];
  const above = { at: plus(top, times(gap, -1)), edge: top };
  const places = [
    above,
    { at: plus(bottom, gap), edge: bottom },
    { at: plus(bottom, times(gap, -1)), edge: bottom },
    { at: plus(top, gap), edge: top },
  ];
  const isSeen = ({ at: { x, y } }: { readonly at: Point }): boolean =>
    x >= view.left && x <= view.right && y >= view.top && y <= view.bottom;
  return places.find(isSeen) ?? above;
}
