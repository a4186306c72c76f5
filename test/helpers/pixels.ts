/** Parts of raw pictures in tests. */
import type { PixelArea } from '../../server/engine/encode/pixels.ts';

/** The pixels of an area of an RGBA picture that is `width` pixels wide. */
export function cropped(rgba: Uint8Array, width: number, area: PixelArea): Uint8Array {
  const rows = Array.from({ length: area.height }, (_, row) => {
    const start = ((area.top + row) * width + area.left) * 4;
    return rgba.subarray(start, start + area.width * 4);
  });
  return Buffer.concat(rows);
}
