/** Whether two pictures of the same moment differ visibly. In the drawing worker. */

/**
 * Parts across whose mean colours are compared: edges of letters may be off by a pixel, but no letter may be missing.
 */
const parts = 32;
/** How much the mean of a part may differ, of 255. */
const most = 36;

/** True when some part of one picture has another colour than in the other. */
export function differs(one: OffscreenCanvas, other: ImageBitmap): boolean {
  const { width, height } = one;
  const [a, b] = [one, other].map((picture) => pixelsOf(picture, width, height));
  const side = Math.ceil(Math.max(width, height) / parts);
  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side) {
      const [right, bottom] = [Math.min(width, left + side), Math.min(height, top + side)];
      const sums = [0, 0, 0];
      for (let y = top; y < bottom; y += 1) {
        for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
          for (let channel = 0; channel < 3; channel += 1) {
            const difference = (a?.[at + channel] ?? 0) - (b?.[at + channel] ?? 0);
            sums[channel] = (sums[channel] ?? 0) + difference;
          }
        }
      }
      const count = (right - left) * (bottom - top);
      if (sums.some((sum) => Math.abs(sum) / count > most)) return true;
    }
  }
  return false;
}

/** On black, at a size. */
function pixelsOf(
  picture: OffscreenCanvas | ImageBitmap,
  width: number,
  height: number,
): Uint8ClampedArray | undefined {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!context) return undefined;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}
