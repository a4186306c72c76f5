/** Names and cursors of the handles around an element. Pure. */
import type { Handle } from '../../editor/canvas/changes.ts';
import { directionOf, pointAt, type Area } from '../../editor/canvas/plane.ts';

const cursors = ['ew-resize', 'nwse-resize', 'ns-resize', 'nesw-resize'] as const;

/** The cursor for a handle's direction, turned with the element. */
export function cursorOf(area: Area, { x, y }: Handle): string {
  const middle = pointAt(area, 0.5, 0.5);
  const at = pointAt(area, (x + 1) / 2, (y + 1) / 2);
  const isCorner = x !== 0 && y !== 0;
  // Uses the same angles for all shapes: the corners of a flat element would all point sideways.
  const turn = directionOf(area.across);
  const way = isCorner
    ? turn + (x === y ? 45 : -45)
    : directionOf({ x: at.x - middle.x, y: at.y - middle.y });
  return cursors[((Math.round(way / 45) % 4) + 4) % 4] ?? 'default';
}

/** A handle's direction on an element that is not turned, e.g. `se`. */
export const nameOfHandle = ({ x, y }: Handle): string =>
  `${['n', '', 's'][y + 1]}${['w', '', 'e'][x + 1]}`;
