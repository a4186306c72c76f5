/** Where a picture is in its box (`fit`). Pure; the painter clips it to the box. */
import type { Fit } from '../compile/property-values.ts';
import type { Focus } from '../media-info.ts';
import type { Rect } from '../geometry.ts';

/** Pixels of a picture or a room for it. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The rectangle of the whole picture. cover: fills the room and exceeds it; contain: fits inside; fill: is stretched.
 *
 * @param room Box without padding, document pixels.
 * @param alignX 0–1: how to distribute the excess or the slack; 0.5 = centred.
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

/**
 * `cover` with `smart_crop`: the subject of the picture as close to the middle of the room as its edges allow.
 * Alignment is ignored; when the room changes its shape, the picture glides instead of jumping.
 */
export function coverAround(focus: Focus, media: Size, room: Rect): Rect {
  const centred = fitMedia('cover', media, room, 0.5, 0.5);
  const { width, height } = centred;
  const start = (wanted: number, slack: number): number => Math.min(0, Math.max(-slack, wanted));
  return {
    ...centred,
    x: room.x + start(room.width / 2 - focus.x * width, Math.max(0, width - room.width)),
    y: room.y + start(room.height / 2 - focus.y * height, Math.max(0, height - room.height)),
  };
}
