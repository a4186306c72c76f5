// AssemblyScript, not TypeScript: compiled with pixels.wasm.ts, run by assets/videos/video-colors.ts. Colours of high
// dynamic range or other primaries -> those of the output. Curves are tables; those of light are read by the upper 16
// bits of a float after its sign: 8 of its fraction, so that a number is a five-hundredth off at most.

const entries: usize = 65536;
const gainAt: usize = entries * 4;
const bendAt: usize = entries * 8;
const storeAt: usize = entries * 12;
const numbersAt: usize = entries * 13;

/**
 * Converts `pixels` pixels of planes green, blue, red (and opacity) of 16 bits to straight RGBA.
 *
 * @param tables Of 65,536 entries: light by signal, gain by luminance, bend by the brightest light, each of floats, and
 * the stored byte by light. Then twelve floats: the matrix of primaries row by row, and the luminance's weights.
 */
export function standardize(
  tables: usize,
  planes: usize,
  pixels: i32,
  hasAlpha: i32,
  rgba: usize,
): void {
  const plane = <usize>pixels * 2;
  const numbers = tables + numbersAt;
  let known: u64 = u64.MAX_VALUE;
  let color: u32 = 0;
  for (let index = 0; index < pixels; index++) {
    const green = <u64>load<u16>(planes);
    const blue = <u64>load<u16>(planes + plane);
    const red = <u64>load<u16>(planes + plane * 2);
    const signal = (red << 32) | (green << 16) | blue;
    // Neighbours are often alike.
    if (signal != known) {
      known = signal;
      let r = load<f32>(tables + ((<usize>red) << 2));
      let g = load<f32>(tables + ((<usize>green) << 2));
      let b = load<f32>(tables + ((<usize>blue) << 2));
      const gain = curve(tables + gainAt, weighed(numbers + 36, r, g, b));
      const scale = gain * curve(tables + bendAt, max(max(r, g), b) * gain);
      r *= scale;
      g *= scale;
      b *= scale;
      color =
        stored(tables, weighed(numbers, r, g, b)) |
        (stored(tables, weighed(numbers + 12, r, g, b)) << 8) |
        (stored(tables, weighed(numbers + 24, r, g, b)) << 16);
    }
    const alpha = hasAlpha ? <u32>load<u8>(planes + plane * 3, 1) : 255;
    store<u32>(rgba, color | (alpha << 24));
    planes += 2;
    rgba += 4;
  }
}

function weighed(weights: usize, r: f32, g: f32, b: f32): f32 {
  return load<f32>(weights) * r + load<f32>(weights, 4) * g + load<f32>(weights, 8) * b;
}

function entry(value: f32): usize {
  return <usize>(reinterpret<u32>(max<f32>(value, 0)) >> 15);
}

function curve(table: usize, value: f32): f32 {
  return load<f32>(table + (entry(value) << 2));
}

function stored(tables: usize, light: f32): u32 {
  return <u32>load<u8>(tables + storeAt + entry(light));
}
