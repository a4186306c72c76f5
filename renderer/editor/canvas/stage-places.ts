/**
 * Between the picture on the screen and the document: where events are in it, where on the screen its elements are,
 * what of it is seen. Window only.
 */
import { formatColor, parseColor } from '../../../shared/renderscript/color.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import type { Place } from '../../ui/menu.ts';
import { inkOn } from '../making/pieces.ts';
import { boundsOf, type Area, type Bounds, type Point } from './plane.ts';

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

/**
 * Where the menu of the selection opens: below its left edge, within the picture.
 * @param box of the picture on the screen
 */
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

/** Screen pixels that a handle needs around its middle. */
const handleRoom = 6;

/**
 * What can be seen of the document and beside it, in its pixels.
 *
 * @param stage What shows the picture, on the screen.
 * @param covered Screen pixels at its upper edge that a bar covers.
 * @param scale Screen pixels per document pixel.
 */
export function viewOf(stage: DOMRect, picture: DOMRect, covered: number, scale: number): Bounds {
  return {
    left: (stage.left + handleRoom - picture.left) / scale,
    right: (stage.right - handleRoom - picture.left) / scale,
    top: (stage.top + covered + handleRoom - picture.top) / scale,
    bottom: (stage.bottom - handleRoom - picture.top) / scale,
  };
}

/** Screen pixels above a picture for a bar of one line, and beside it for two buttons of one, handles included. */
const barRooms = { above: 48, beside: 76 };
/** Screen pixels that the bar's edge and what can be pressed of a handle take from the room beside the picture. */
const edges = 6 + 9;

/**
 * Screen pixels beside a picture where a bar of buttons covers no handle; null if there is room above it, or none
 * beside it.
 *
 * @param stage What shows the picture, on the screen.
 */
export function roomBeside(stage: DOMRect, picture: DOMRect): number | null {
  const beside = Math.floor(picture.left - stage.left - edges);
  const above = picture.top - stage.top;
  return above < barRooms.above && beside >= barRooms.beside ? beside : null;
}

/**
 * Whether a bar of buttons needs a row of its own above a picture that fits the stage: there is no room above nor
 * beside it.
 *
 * @param ratio Width by height of the picture.
 */
export function barNeedsRow(
  stage: { readonly width: number; readonly height: number },
  ratio: number,
): boolean {
  const width = Math.min(stage.width, stage.height * ratio);
  const above = (stage.height - width / ratio) / 2;
  const beside = (stage.width - width) / 2 - edges;
  return above < barRooms.above && beside < barRooms.beside;
}

/** The visible picture as a file: the page's while that is in front, otherwise the server's. */
export function captured(
  box: HTMLElement,
  facts: { readonly width: number; readonly height: number } | null,
): Promise<Blob> {
  const seen = box.querySelector('canvas.front') ?? box.querySelector('img');
  const width = seen instanceof HTMLImageElement ? seen.naturalWidth : (facts?.width ?? 0);
  const height = seen instanceof HTMLImageElement ? seen.naturalHeight : (facts?.height ?? 0);
  const copy = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
  const drawing = copy.getContext('2d');
  if (seen instanceof HTMLImageElement || seen instanceof HTMLCanvasElement)
    drawing?.drawImage(seen, 0, 0, copy.width, copy.height);
  return copy.convertToBlob();
}

/** The picture as far as the document says it, while there is none: its shape, its colour, and what is read on that. */
export function paperOf(source: Source | null): {
  readonly ratio: number;
  readonly color: string | undefined;
  readonly ink: string;
} {
  const { width, height, fill_color: fill } = source ?? {};
  const isSized = typeof width === 'number' && typeof height === 'number';
  const color = parseColor(fill);
  return {
    ratio: isSized && width > 0 && height > 0 ? width / height : 16 / 9,
    color: color ? formatColor(color) : undefined,
    ink: inkOn(fill),
  };
}
