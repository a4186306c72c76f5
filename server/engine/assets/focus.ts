/**
 * Phase 1, `smart_crop`: where the subject of a picture is. Works on a thumbnail, without any model; the same pixels
 * always give the same place.
 *
 * Every pixel of the thumbnail gets a weight from three measures, each 0–1, of stored values 0–1:
 *
 *   edge      length of the Sobel gradient of the brightness Y (0.299 r + 0.587 g + 0.114 b), ÷ 4, at most 1
 *   contrast  distance of its colour from the picture's mean colour, ÷ √3
 *   skin      exp(−((Cb − 102)² ÷ 2·11² + (Cr − 153)² ÷ 2·9²)): the place of human skin of all tones in the colour
 *             plane of BT.601 (0–255), where 0.12 < Y < 0.96; × (1 − its mean), because sand and wood fill whole
 *             pictures
 *
 *   weight = opacity · (0.5 edge + contrast + 1.2 skin · (0.4 + edge))
 *
 * Softened by two box averages of a sixth of the shorter side, and lowered towards the corners to 0.7 (subjects are
 * near the middle more often than not), its highest place is where the subject is; the middle of the weights around it,
 * within a quarter of the longer side, is its centre. Where the highest place stands out from the mean by less than a
 * quarter, there is no subject, and the middle of the picture is taken.
 */
import { createCanvas, type Canvas, type Image } from '@napi-rs/canvas';
import type { Focus } from '../../../shared/engine/media-info.ts';

/** Longer side of the thumbnail, pixels. */
export const thumbnailSide = 96;
const middle: Focus = { x: 0.5, y: 0.5 };

/** The centre of the subject of a picture. */
export function findFocus(picture: Image | Canvas): Focus {
  const shrink = Math.min(1, thumbnailSide / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * shrink));
  const height = Math.max(1, Math.round(picture.height * shrink));
  const ctx = createCanvas(width, height).getContext('2d');
  ctx.imageSmoothingQuality = 'medium';
  ctx.drawImage(picture, 0, 0, width, height);
  return focusOf(ctx.getImageData(0, 0, width, height).data, width, height);
}

/** The same for straight RGBA rows of a thumbnail. */
export function focusOf(rgba: Uint8ClampedArray, width: number, height: number): Focus {
  const weights = weightsOf(rgba, width, height);
  const reach = Math.round(Math.min(width, height) / 12);
  const soft = averaged(averaged(weights, width, height, reach), width, height, reach);
  const mean = soft.reduce((sum, value) => sum + value, 0) / soft.length;
  let [best, bestX, bestY] = [0, 0, 0];
  soft.forEach((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const fromMiddle = ((2 * x + 1) / width - 1) ** 2 + ((2 * y + 1) / height - 1) ** 2;
    const prior = value * (1 - 0.15 * fromMiddle);
    if (prior > best) [best, bestX, bestY] = [prior, x, y];
  });
  if (best < 1.25 * mean || best <= 0) return middle;

  const around = Math.max(width, height) / 4;
  let [sum, sumX, sumY] = [0, 0, 0];
  soft.forEach((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (Math.hypot(x - bestX, y - bestY) > around || value <= mean) return;
    sum += value - mean;
    sumX += (value - mean) * (x + 0.5);
    sumY += (value - mean) * (y + 0.5);
  });
  return sum > 0 ? { x: sumX / sum / width, y: sumY / sum / height } : middle;
}

function weightsOf(rgba: Uint8ClampedArray, width: number, height: number): Float64Array {
  const count = width * height;
  const part = (at: number, channel: number): number => (rgba[at * 4 + channel] ?? 0) / 255;
  const luma = new Float64Array(count);
  const skin = new Float64Array(count);
  const means = [0, 0, 0];
  let [opacity, skinSum] = [0, 0];
  for (let at = 0; at < count; at++) {
    const [r, g, b, a] = [part(at, 0), part(at, 1), part(at, 2), part(at, 3)];
    const y = 0.299 * r + 0.587 * g + 0.114 * b;
    luma[at] = y * a;
    const cb = 128 + 0.564 * 255 * (b - y);
    const cr = 128 + 0.713 * 255 * (r - y);
    if (y > 0.12 && y < 0.96)
      skin[at] = a * Math.exp(-((cb - 102) ** 2 / (2 * 11 ** 2) + (cr - 153) ** 2 / (2 * 9 ** 2)));
    skinSum += skin[at] ?? 0;
    opacity += a;
    [r, g, b].forEach((value, channel) => (means[channel] = (means[channel] ?? 0) + value * a));
  }
  const [meanR = 0, meanG = 0, meanB = 0] = means.map((sum) => sum / Math.max(opacity, 1e-9));
  const rare = 1 - skinSum / Math.max(opacity, 1e-9);

  return luma.map((_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const edge = Math.min(1, gradient(luma, width, height, x, y) / 4);
    const contrast =
      Math.hypot(part(at, 0) - meanR, part(at, 1) - meanG, part(at, 2) - meanB) / Math.sqrt(3);
    const face = 1.2 * rare * (skin[at] ?? 0) * (0.4 + edge);
    return part(at, 3) * (0.5 * edge + contrast + face);
  });
}

/** Length of the Sobel gradient; the picture's edge pixels repeat beyond its edges. */
function gradient(
  values: Float64Array,
  width: number,
  height: number,
  x: number,
  y: number,
): number {
  const at = (dx: number, dy: number): number => {
    const column = Math.min(width - 1, Math.max(0, x + dx));
    const row = Math.min(height - 1, Math.max(0, y + dy));
    return values[row * width + column] ?? 0;
  };
  const across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
  const down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
  return Math.hypot(across, down);
}

/** Averages over squares of 2 · reach + 1 pixels, cut at the edges of the picture. */
function averaged(
  values: Float64Array,
  width: number,
  height: number,
  reach: number,
): Float64Array {
  // Sums over everything above and to the left, so that any square takes four numbers.
  const sums = new Float64Array((width + 1) * (height + 1));
  const sumAt = (x: number, y: number): number => sums[y * (width + 1) + x] ?? 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      sums[(y + 1) * (width + 1) + x + 1] =
        (values[y * width + x] ?? 0) + sumAt(x, y + 1) + sumAt(x + 1, y) - sumAt(x, y);
    }
  }
  return values.map((_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
    const sum = sumAt(right, bottom) - sumAt(left, bottom) - sumAt(right, top) + sumAt(left, top);
    return sum / ((right - left) * (bottom - top));
  });
}
