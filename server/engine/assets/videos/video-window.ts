/** What the output shows of a video's planes: a part of them, or all enlarged. Runs in the worker. */
import type { Rect } from '../../../../shared/engine/geometry.ts';
import type { PlanarFrame } from './video-clip.ts';
import type { Veil } from './video-decoder.ts';
import { createEnlarger } from './video-enlarger.ts';

/** Brings frames to one size. */
export interface VideoWindow {
  /**
   * Planes of the window's size; the frame's own if it has that size.
   *
   * @param place The whole frame's position and size in the window, which it covers. A frame of that size on even
   * pixels is cut, any other enlarged.
   * @param veil A colour over an enlarged frame; one that is cut has it already.
   * @returns Valid until the next call.
   */
  show(frame: PlanarFrame, place: Rect, veil: Veil | null): Uint8Array;
}

/** A window of `width` × `height`, both even. */
export function createWindow(width: number, height: number): VideoWindow {
  let kept: Uint8Array | undefined;
  const enlarger = createEnlarger(width, height);
  return {
    show(frame, place, veil) {
      const { planes, width: across, height: down } = frame;
      const { x, y } = place;
      const isCut = across === place.width && down === place.height && x % 2 === 0 && y % 2 === 0;
      if (!isCut) return enlarger.enlarge(frame, place, veil);
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
