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

/** Copies a part of a picture `across` pixels wide into another of the same size. */
export function takePart(
  to: Buffer,
  from: Buffer,
  part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  across: number,
): void {
  for (let row = part.y; row < part.y + part.height; row++) {
    const start = (row * across + part.x) * 4;
    from.copy(to, start, start, start + part.width * 4);
  }
}
