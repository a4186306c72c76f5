/** Where a picture lies in its box (`fit`). Pure; the painter cuts it to the box. */
import type { Fit } from '../compile/timeline.ts';
import type { Rect } from '../geometry.ts';

/** Pixels of a picture or a room for it. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The rectangle of the whole picture. cover: fills the room and stands out; contain: fits inside; fill: is stretched.
 *
 * @param room Box less padding, document pixels.
 * @param alignX 0–1: which part of the picture, or of the slack, lies where; 0.5 = centred.
 */
export function fitMedia(fit: Fit, media: Size, room: Rect, alignX: number, alignY: number): Rect {
  if (fit === 'fill' || media.width <= 0 || media.height <= 0) return room;
  const scales = [room.width / media.width, room.height / media.height] as const;
  const scale = fit === 'cover' ? Math.max(...scales) : Math.min(...scales);
  const width = media.width * scale;
  const height = media.height * scale;
  return {
    x: room.x + (room.width - width) * alignX,
    y: room.y + (room.height - height) * alignY,
    width,
    height,
  };
}
