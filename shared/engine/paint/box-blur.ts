/**
 * The box blur: every pixel becomes the plain average of a square around it, once or twice. Phase 4, arithmetic on
 * pixels. The canvas has no such filter; its blur is a Gauss curve.
 */
import type { Pixels } from '../surface.ts';
import type { Layer } from './layers.ts';

/** Pixels to process at a time: each takes 44 bytes. */
const stripPixels = 2 ** 22;

/**
 * Blurs a layer in place, strip by strip. Colours are weighted by their opacity; everything outside of the layer is
 * transparent.
 *
 * @param half Half the side of the square without the pixel in its middle; a fraction weights the outermost pixels.
 * @param passes Two passes are a tent instead of a square, twice as wide.
 */
export function boxBlur({ ctx, width, height }: Layer, half: number, passes: number): void {
  if (half <= 0) return;
  // Rows above and below that go into a row.
  const reach = (Math.floor(half) + 1) * passes;
  const high = Math.max(reach, Math.ceil(stripPixels / width));
  const read = (y: number): Strip => {
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + high + reach)];
    return { image: ctx.getImageData(0, top, width, bottom - top), top };
  };
  let strip = read(0);
  for (let y = 0; y < height; y += high) {
    // Before changing this one: its rows go into the next one.
    const next = y + high < height ? read(y + high) : null;
    averagePixels(strip.image, half, passes);
    ctx.putImageData(
      strip.image,
      0,
      strip.top,
      0,
      y - strip.top,
      width,
      Math.min(high, height - y),
    );
    if (next) strip = next;
  }
}

/** Rows of a layer, from `top` on. */
interface Strip {
  readonly image: Pixels;
  readonly top: number;
}

function averagePixels({ data, width, height }: Pixels, half: number, passes: number): void {
  const colours = new Float32Array(data.length);
  const spare = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3] ?? 0;
    if (opacity === 0) continue;
    const share = opacity / 255;
    colours[at] = (data[at] ?? 0) * share;
    colours[at + 1] = (data[at + 1] ?? 0) * share;
    colours[at + 2] = (data[at + 2] ?? 0) * share;
    colours[at + 3] = opacity;
  }
  for (let pass = 0; pass < passes; pass++) {
    averageRows(colours, spare, width, height, half);
    averageColumns(spare, colours, width, height, half);
  }
  for (let at = 0; at < data.length; at += 4) {
    const opacity = colours[at + 3] ?? 0;
    const share = opacity > 0 ? 255 / opacity : 0;
    // The clamped array rounds.
    data[at] = (colours[at] ?? 0) * share;
    data[at + 1] = (colours[at + 1] ?? 0) * share;
    data[at + 2] = (colours[at + 2] ?? 0) * share;
    data[at + 3] = opacity;
  }
}

/** Averages along rows. The sum moves with the window: adds what enters, subtracts what leaves. */
function averageRows(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  half: number,
): void {
  const whole = Math.floor(half);
  const part = half - whole;
  const weight = 1 / (2 * half + 1);
  // The row with room for the window on both sides, where all is transparent.
  const margin = (whole + 1) * 4;
  const row = new Float32Array(width * 4 + 2 * margin);
  for (let y = 0; y < height; y++) {
    const start = y * width * 4;
    row.set(from.subarray(start, start + width * 4), margin);
    for (let channel = 0; channel < 4; channel++) {
      let sum = 0;
      for (let at = 0; at < whole; at++) sum += row[margin + at * 4 + channel] ?? 0;
      // `enters` and `leaves`: the outermost pixels of the window that count whole.
      let [leaves, enters] = [margin - whole * 4 + channel, margin + whole * 4 + channel];
      for (let at = start + channel; at < start + width * 4; at += 4) {
        sum += row[enters] ?? 0;
        const edges = (row[leaves - 4] ?? 0) + (row[enters + 4] ?? 0);
        to[at] = (sum + part * edges) * weight;
        sum -= row[leaves] ?? 0;
        leaves += 4;
        enters += 4;
      }
    }
  }
}

/** Averages along columns, all columns of a row at once: memory is read in order. */
function averageColumns(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  half: number,
): void {
  const whole = Math.floor(half);
  const part = half - whole;
  const weight = 1 / (2 * half + 1);
  const length = width * 4;
  const sums = new Float64Array(length);
  const nothing = new Float32Array(length);
  const row = (y: number): Float32Array =>
    y >= 0 && y < height ? from.subarray(y * length, (y + 1) * length) : nothing;
  for (let y = 0; y < whole; y++)
    row(y).forEach((value, at) => (sums[at] = (sums[at] ?? 0) + value));
  for (let y = 0; y < height; y++) {
    const [enters, leaves] = [row(y + whole), row(y - whole)];
    const [above, below] = [row(y - whole - 1), row(y + whole + 1)];
    const target = y * length;
    for (let at = 0; at < length; at++) {
      const sum = (sums[at] ?? 0) + (enters[at] ?? 0);
      to[target + at] = (sum + part * ((above[at] ?? 0) + (below[at] ?? 0))) * weight;
      sums[at] = sum - (leaves[at] ?? 0);
    }
  }
}
