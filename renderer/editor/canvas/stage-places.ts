/** Between the picture on the screen and the document: where events are in it, and where on the screen its elements are. Window only. */
import type { Place } from '../../lib/menu.ts';
import { boundsOf, type Area, type Point } from './plane.ts';

/** Where an event is in the picture, as shares of its sides; undefined beside it. */
export function shareOf(
  picture: Element | undefined,
  { clientX, clientY }: MouseEvent,
): Point | undefined {
  const box = picture?.getBoundingClientRect();
  if (!box || box.width <= 0) return undefined;
  const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : undefined;
}

/** Where the menu of the selection opens: below its left edge, within the picture. @param box of the picture on the screen */
export function placeIn(
  box: DOMRect,
  {
    selectedAreas: [area],
    document: { width, height },
  }: {
    readonly selectedAreas: readonly Area[];
    readonly document: { readonly width: number; readonly height: number };
  },
): Place {
  if (!area || width <= 0) return { x: box.left + 16, y: box.top + 16 };
  const { left, bottom } = boundsOf([area]);
  const within = (share: number): number => Math.min(1, Math.max(0, share));
  return {
    x: box.left + within(left / width) * box.width,
    y: box.top + within(bottom / height) * box.height,
  };
}
