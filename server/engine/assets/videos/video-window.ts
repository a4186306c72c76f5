/** The part of a video's planes that the output shows. Runs in the worker. */
import type { Rect } from '../../../../shared/engine/geometry.ts';
import type { PlanarFrame } from './video-clip.ts';

/** Cuts frames to one size. */
export interface VideoWindow {
  /**
   * Planes of the window's size; the frame's own if it has that size.
   *
   * @param place The frame's position in even pixels of the window, which it covers.
   * @returns Valid until the next call.
   */
  cut(frame: PlanarFrame, place: Pick<Rect, 'x' | 'y'>): Uint8Array;
}

/** A window of `width` × `height`, both even. */
export function createWindow(width: number, height: number): VideoWindow {
  let kept: Uint8Array | undefined;
  return {
    cut({ planes, width: across, height: down }, { x, y }) {
      if (across === width && down === height) return planes;
      kept ??= new Uint8Array((width * height * 3) / 2);
      let from = 0;
      let to = 0;
      for (const share of [1, 2, 2]) {
        const row = across / share;
        const wanted = width / share;
        const first = from - (y / share) * row - x / share;
        for (let line = 0; line < height / share; line++) {
          const start = first + line * row;
          kept.set(planes.subarray(start, start + wanted), to);
          to += wanted;
        }
        from += row * (down / share);
      }
      return kept;
    },
  };
}
