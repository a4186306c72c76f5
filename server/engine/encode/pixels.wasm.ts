// AssemblyScript, not TypeScript: compiled to dist/server/pixels.wasm by build-pixels.mjs, run by pixels.ts.
// One routine: opaque RGBA rows -> Y, U and V rows (BT.709, limited range), 16 pixels at a time with SIMD.
// Integers only, so every machine gets the same bytes. It owns no memory; the caller says where everything lies.

// Share of a channel in 1/32768, range and matrix in one: 219/255 for Y, 224/255 for U and V. Rows sum to 28142, 0, 0.
const yr: i16 = 5983;
const yg: i16 = 20127;
const yb: i16 = 2032;
const ur: i16 = -3298;
const ug: i16 = -11094;
const ub: i16 = 14392;
const vr: i16 = 14392;
const vg: i16 = -13072;
const vb: i16 = -1320;

// Offset and one half for rounding. Chroma works on sums of four pixels, hence two bits more.
const lumaShift: i32 = 15;
const lumaBias: i32 = (16 << 15) + (1 << 14);
const chromaShift: i32 = 17;
const chromaBias: i32 = (128 << 17) + (1 << 16);

/**
 * Converts `rows` rows (even) of `width` pixels (even). Strides are bytes from row to row.
 * U and V are the mean of each 2 x 2 block.
 */
export function convert(
  rgba: usize,
  rgbaStride: usize,
  width: i32,
  rows: i32,
  y: usize,
  yStride: usize,
  u: usize,
  v: usize,
  chromaStride: usize,
): void {
  const wide = width & ~15;
  for (let row = 0; row < rows; row += 2) {
    const top = rgba;
    const bottom = rgba + rgbaStride;
    convertBlocks(top, bottom, wide, y, y + yStride, u, v);
    for (let x = wide; x < width; x += 2) {
      convertPair(top + x * 4, bottom + x * 4, y + x, y + yStride + x, u + (x >> 1), v + (x >> 1));
    }
    rgba += rgbaStride * 2;
    y += yStride * 2;
    u += chromaStride;
    v += chromaStride;
  }
}

/** Two rows, `wide` pixels of each (a multiple of 16). */
function convertBlocks(
  top: usize,
  bottom: usize,
  wide: i32,
  yTop: usize,
  yBottom: usize,
  u: usize,
  v: usize,
): void {
  for (let x = 0; x < wide; x += 16) {
    const at: usize = x * 4;
    const a0 = v128.load(top + at);
    const a1 = v128.load(top + at, 16);
    const a2 = v128.load(top + at, 32);
    const a3 = v128.load(top + at, 48);
    v128.store(yTop + x, luma16(a0, a1, a2, a3));

    const b0 = v128.load(bottom + at);
    const b1 = v128.load(bottom + at, 16);
    const b2 = v128.load(bottom + at, 32);
    const b3 = v128.load(bottom + at, 48);
    v128.store(yBottom + x, luma16(b0, b1, b2, b3));

    // Splitting the channels again costs nothing: the engine that runs this notices the same values.
    const rb0 = i16x8.add(redBlue(a0), redBlue(b0));
    const rb1 = i16x8.add(redBlue(a1), redBlue(b1));
    const rb2 = i16x8.add(redBlue(a2), redBlue(b2));
    const rb3 = i16x8.add(redBlue(a3), redBlue(b3));
    const ga0 = i16x8.add(greenAlpha(a0), greenAlpha(b0));
    const ga1 = i16x8.add(greenAlpha(a1), greenAlpha(b1));
    const ga2 = i16x8.add(greenAlpha(a2), greenAlpha(b2));
    const ga3 = i16x8.add(greenAlpha(a3), greenAlpha(b3));
    const rbLeft = neighbours(rb0, rb1);
    const rbRight = neighbours(rb2, rb3);
    const gaLeft = neighbours(ga0, ga1);
    const gaRight = neighbours(ga2, ga3);
    const uWide = i16x8.narrow_i32x4_s(
      chroma4(rbLeft, gaLeft, ur, ub, ug),
      chroma4(rbRight, gaRight, ur, ub, ug),
    );
    const vWide = i16x8.narrow_i32x4_s(
      chroma4(rbLeft, gaLeft, vr, vb, vg),
      chroma4(rbRight, gaRight, vr, vb, vg),
    );
    const both = i8x16.narrow_i16x8_u(uWide, vWide);
    const half: usize = x >> 1;
    v128.store64_lane(u + half, both, 0);
    v128.store64_lane(v + half, both, 1);
  }
}

/** Red and blue of four pixels, side by side as 16-bit numbers. */
function redBlue(pixels: v128): v128 {
  return v128.and(pixels, i16x8.splat(0xff));
}

/** Green and alpha of four pixels. */
function greenAlpha(pixels: v128): v128 {
  return i16x8.shr_u(pixels, 8);
}

function luma4(pixels: v128): v128 {
  const redAndBlue = i32x4.dot_i16x8_s(redBlue(pixels), i16x8(yr, yb, yr, yb, yr, yb, yr, yb));
  const green = i32x4.dot_i16x8_s(greenAlpha(pixels), i16x8(yg, 0, yg, 0, yg, 0, yg, 0));
  return i32x4.shr_s(i32x4.add(i32x4.add(redAndBlue, green), i32x4.splat(lumaBias)), lumaShift);
}

function luma16(a: v128, b: v128, c: v128, d: v128): v128 {
  return i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(luma4(a), luma4(b)),
    i16x8.narrow_i32x4_s(luma4(c), luma4(d)),
  );
}

/** Sums of horizontal neighbours: eight pixels (two vectors) become four. */
function neighbours(a: v128, b: v128): v128 {
  const even = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
  const odd = v128.shuffle<i32>(a, b, 1, 3, 5, 7);
  return i16x8.add(even, odd);
}

function chroma4(redAndBlue: v128, greenAndAlpha: v128, r: i16, b: i16, g: i16): v128 {
  const first = i32x4.dot_i16x8_s(redAndBlue, i16x8(r, b, r, b, r, b, r, b));
  const second = i32x4.dot_i16x8_s(greenAndAlpha, i16x8(g, 0, g, 0, g, 0, g, 0));
  return i32x4.shr_s(i32x4.add(i32x4.add(first, second), i32x4.splat(chromaBias)), chromaShift);
}

/** One 2 x 2 block with the same numbers, for the pixels that don't fill a block of 16. */
function convertPair(
  top: usize,
  bottom: usize,
  yTop: usize,
  yBottom: usize,
  u: usize,
  v: usize,
): void {
  store<u8>(yTop, luma1(top));
  store<u8>(yTop, luma1(top + 4), 1);
  store<u8>(yBottom, luma1(bottom));
  store<u8>(yBottom, luma1(bottom + 4), 1);
  const r = sum4(top, bottom);
  const g = sum4(top + 1, bottom + 1);
  const b = sum4(top + 2, bottom + 2);
  store<u8>(u, <u8>((r * ur + g * ug + b * ub + chromaBias) >> chromaShift));
  store<u8>(v, <u8>((r * vr + g * vg + b * vb + chromaBias) >> chromaShift));
}

function luma1(pixel: usize): u8 {
  const r = <i32>load<u8>(pixel);
  const g = <i32>load<u8>(pixel, 1);
  const b = <i32>load<u8>(pixel, 2);
  return <u8>((r * yr + g * yg + b * yb + lumaBias) >> lumaShift);
}

function sum4(top: usize, bottom: usize): i32 {
  return (
    <i32>load<u8>(top) + <i32>load<u8>(top, 4) + <i32>load<u8>(bottom) + <i32>load<u8>(bottom, 4)
  );
}

// Graphics over a ground that is YUV already. Colours of the canvas are multiplied by their alpha, and so the graphics' own
// share of a pixel is `alpha × offset + factors × colour`: the offset's part for one unit of alpha, rounded, and what opaque
// pixels lack by that, so that they become what `convert` makes of them.
const lumaUnit: i16 = 2056;
const lumaVeilBias: i32 = (1 << 14) + 8;
const chromaUnit: i16 = 16448;
const chromaVeilBias: i32 = (1 << 16) + 256;

/**
 * Premultiplied RGBA rows -> their own share of Y, U and V, and how much they cover: `cover` by pixel, `chromaCover` by
 * block. `rows` and `width` are even; strides are bytes from row to row, `cover` has that of Y, `chromaCover` that of U.
 */
export function veil(
  rgba: usize,
  rgbaStride: usize,
  width: i32,
  rows: i32,
  y: usize,
  cover: usize,
  yStride: usize,
  u: usize,
  v: usize,
  chromaCover: usize,
  chromaStride: usize,
): void {
  for (let row = 0; row < rows; row += 2) {
    for (let x = 0; x < width; x += 2) {
      const top = rgba + x * 4;
      const bottom = top + rgbaStride;
      const own = y + x;
      const covered = cover + x;
      const alphas = sum4(top + 3, bottom + 3);
      const block: usize = x >> 1;
      if (alphas == 0) {
        store<u16>(own, 0);
        store<u16>(own + yStride, 0);
        store<u16>(covered, 0);
        store<u16>(covered + yStride, 0);
        store<u8>(u + block, 0);
        store<u8>(v + block, 0);
        store<u8>(chromaCover + block, 0);
        continue;
      }
      veilPixel(top, own, covered);
      veilPixel(top + 4, own + 1, covered + 1);
      veilPixel(bottom, own + yStride, covered + yStride);
      veilPixel(bottom + 4, own + yStride + 1, covered + yStride + 1);
      const r = sum4(top, bottom);
      const g = sum4(top + 1, bottom + 1);
      const b = sum4(top + 2, bottom + 2);
      const offset = alphas * chromaUnit + chromaVeilBias;
      store<u8>(u + block, <u8>((r * ur + g * ug + b * ub + offset) >> chromaShift));
      store<u8>(v + block, <u8>((r * vr + g * vg + b * vb + offset) >> chromaShift));
      store<u8>(chromaCover + block, <u8>((alphas + 2) >> 2));
    }
    rgba += rgbaStride * 2;
    y += yStride * 2;
    cover += yStride * 2;
    u += chromaStride;
    v += chromaStride;
    chromaCover += chromaStride;
  }
}

function veilPixel(pixel: usize, own: usize, covered: usize): void {
  const r = <i32>load<u8>(pixel);
  const g = <i32>load<u8>(pixel, 1);
  const b = <i32>load<u8>(pixel, 2);
  const alpha = <i32>load<u8>(pixel, 3);
  const offset = alpha * lumaUnit + lumaVeilBias;
  store<u8>(own, <u8>((r * yr + g * yg + b * yb + offset) >> lumaShift));
  store<u8>(covered, <u8>alpha);
}

/** Puts graphics over one plane, in place: `plane = own + plane × (255 − cover) / 255`, rounded. One stride for all three. */
export function lay(
  plane: usize,
  own: usize,
  cover: usize,
  width: i32,
  rows: i32,
  stride: usize,
): void {
  const wide = width & ~15;
  const full = i8x16.splat(-1);
  const half = i16x8.splat(128);
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < wide; x += 16) {
      const covered = v128.load(cover + x);
      if (!v128.any_true(covered)) continue;
      const left = v128.sub<u8>(full, covered);
      const below = v128.load(plane + x);
      let low = i16x8.add(i16x8.extmul_low_i8x16_u(left, below), half);
      let high = i16x8.add(i16x8.extmul_high_i8x16_u(left, below), half);
      low = i16x8.shr_u(i16x8.add(low, i16x8.shr_u(low, 8)), 8);
      high = i16x8.shr_u(i16x8.add(high, i16x8.shr_u(high, 8)), 8);
      const rest = i8x16.narrow_i16x8_u(low, high);
      v128.store(plane + x, i8x16.add_sat_u(rest, v128.load(own + x)));
    }
    for (let x = wide; x < width; x++) {
      const covered = <i32>load<u8>(cover + x);
      if (covered == 0) continue;
      const part = (255 - covered) * <i32>load<u8>(plane + x) + 128;
      const sum = ((part + (part >> 8)) >> 8) + <i32>load<u8>(own + x);
      store<u8>(plane + x, <u8>min(sum, 255));
    }
    plane += stride;
    own += stride;
    cover += stride;
  }
}

// The way back: BT.709, limited range -> RGB, in 1/8192. Luma 255/219, red 1.5748 and blue 1.8556 times 255/224, and what green
// lacks by both. A block's four pixels share its colours.
const luma: i16 = 9539;
const redByV: i16 = 14686;
const greenByU: i16 = -1747;
const greenByV: i16 = -4366;
const blueByU: i16 = 17305;
const backShift: i32 = 13;
const backHalf: i32 = 1 << 12;

/** Planes -> opaque RGBA, `rows` rows (even) of `width` pixels (even). Rows lie close together. */
export function toRgba(y: usize, u: usize, v: usize, width: i32, rows: i32, rgba: usize): void {
  const wide = width & ~7;
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < wide; x += 8) {
      const light = v128.load_zero<u64>(y + x);
      const bright = i16x8.sub(i16x8.extend_low_i8x16_u(light), i16x8.splat(16));
      const block: usize = x >> 1;
      const blue = i16x8.sub(
        i16x8.extend_low_i8x16_u(v128.load_zero<u32>(u + block)),
        i16x8.splat(128),
      );
      const red = i16x8.sub(
        i16x8.extend_low_i8x16_u(v128.load_zero<u32>(v + block)),
        i16x8.splat(128),
      );
      // Each block's colours twice, beside each other.
      const us = v128.shuffle<i16>(blue, blue, 0, 0, 1, 1, 2, 2, 3, 3);
      const vs = v128.shuffle<i16>(red, red, 0, 0, 1, 1, 2, 2, 3, 3);
      const r = mix(bright, vs, luma, redByV);
      const b = mix(bright, us, luma, blueByU);
      const g = mixThree(bright, us, vs);
      const rg = interleave(r, g);
      const ba = interleave(b, i8x16.splat(-1));
      v128.store(rgba + x * 4, v128.shuffle<i16>(rg, ba, 0, 8, 1, 9, 2, 10, 3, 11));
      v128.store(rgba + x * 4, v128.shuffle<i16>(rg, ba, 4, 12, 5, 13, 6, 14, 7, 15), 16);
    }
    for (let x = wide; x < width; x++) {
      const bright = (<i32>load<u8>(y + x) - 16) * luma + backHalf;
      const block: usize = x >> 1;
      const blue = <i32>load<u8>(u + block) - 128;
      const red = <i32>load<u8>(v + block) - 128;
      const at = rgba + x * 4;
      store<u8>(at, clamp((bright + red * redByV) >> backShift));
      store<u8>(at, clamp((bright + blue * greenByU + red * greenByV) >> backShift), 1);
      store<u8>(at, clamp((bright + blue * blueByU) >> backShift), 2);
      store<u8>(at, 255, 3);
    }
    y += width;
    rgba += width * 4;
    if ((row & 1) == 1) {
      u += width >> 1;
      v += width >> 1;
    }
  }
}

/** Eight sums of two products, rounded, as bytes in the low half. */
function mix(one: v128, two: v128, first: i16, second: i16): v128 {
  const factors = i16x8(first, second, first, second, first, second, first, second);
  const half = i32x4.splat(backHalf);
  const low = i32x4.dot_i16x8_s(v128.shuffle<i16>(one, two, 0, 8, 1, 9, 2, 10, 3, 11), factors);
  const high = i32x4.dot_i16x8_s(v128.shuffle<i16>(one, two, 4, 12, 5, 13, 6, 14, 7, 15), factors);
  return asBytes(i32x4.add(low, half), i32x4.add(high, half));
}

/** Green: the same of three. */
function mixThree(bright: v128, us: v128, vs: v128): v128 {
  const factors = i16x8(luma, greenByU, luma, greenByU, luma, greenByU, luma, greenByU);
  const others = i16x8(greenByV, 1, greenByV, 1, greenByV, 1, greenByV, 1);
  const half = i16x8.splat(<i16>backHalf);
  const low = i32x4.add(
    i32x4.dot_i16x8_s(v128.shuffle<i16>(bright, us, 0, 8, 1, 9, 2, 10, 3, 11), factors),
    i32x4.dot_i16x8_s(v128.shuffle<i16>(vs, half, 0, 8, 1, 9, 2, 10, 3, 11), others),
  );
  const high = i32x4.add(
    i32x4.dot_i16x8_s(v128.shuffle<i16>(bright, us, 4, 12, 5, 13, 6, 14, 7, 15), factors),
    i32x4.dot_i16x8_s(v128.shuffle<i16>(vs, half, 4, 12, 5, 13, 6, 14, 7, 15), others),
  );
  return asBytes(low, high);
}

function asBytes(low: v128, high: v128): v128 {
  const words = i16x8.narrow_i32x4_s(i32x4.shr_s(low, backShift), i32x4.shr_s(high, backShift));
  return i8x16.narrow_i16x8_u(words, words);
}

/** The low eight bytes of both in turn. */
function interleave(one: v128, two: v128): v128 {
  return v128.shuffle<i8>(one, two, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

function clamp(value: i32): u8 {
  return <u8>max(0, min(255, value));
}
