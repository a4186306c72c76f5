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
// What a threshold of Y, times four, lacks to be one of U and V.
const chromaByLuma: i32 = (128 << 17) - (16 << 17);

// Graphics over a ground that is YUV already. Colours of the canvas are multiplied by their alpha, and so the graphics'
// own share of a pixel is `alpha × offset + factors × colour`: the offset's part for one unit of alpha, rounded, and
// what opaque pixels lack by that, so that they become what `convert` makes of them.
const lumaUnit: i16 = 2056;
const lumaVeilBias: i32 = (1 << 14) + 8;
const chromaUnit: i16 = 16448;
const chromaVeilBias: i32 = (1 << 16) + 256;

/**
 * Converts `rows` rows (even) of `width` pixels (even). Strides are bytes from row to row.
 * U and V are the mean of each 2 x 2 block.
 *
 * `pattern`: 0, or 8 rows of 16 thresholds (the second eight repeat the first) that round in place of one half, as
 * lumaBias has it; `left` and `top` (even) are the first pixel's place in the picture. Blocks of one colour are rounded
 * as without.
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
  pattern: usize,
  left: i32,
  top: i32,
): void {
  const wide = width & ~15;
  for (let row = 0; row < rows; row += 2) {
    const above = rgba;
    const below = rgba + rgbaStride;
    // Its first thresholds for Y, in two rows, and for U and V, whose blocks are its pixels.
    const luma = pattern && pattern + ((top + row) & 7) * 64 + (left & 7) * 4;
    const chroma = pattern && pattern + (((top + row) >> 1) & 7) * 64 + ((left >> 1) & 7) * 4;
    if (pattern) convertBlocks<Dithered>(above, below, wide, y, y + yStride, u, v, luma, chroma);
    else convertBlocks<Opaque>(above, below, wide, y, y + yStride, u, v, 0, 0);
    for (let x = wide; x < width; x += 2) {
      const half = x >> 1;
      convertPair(
        above + x * 4,
        below + x * 4,
        y + x,
        y + yStride + x,
        u + half,
        v + half,
        luma && luma + (x & 7) * 4,
        chroma && chroma + (half & 7) * 4,
      );
    }
    rgba += rgbaStride * 2;
    y += yStride * 2;
    u += chromaStride;
    v += chromaStride;
  }
}

/** Two rows, `wide` pixels of each (a multiple of 16). */
function convertBlocks<T>(
  top: usize,
  bottom: usize,
  wide: i32,
  yTop: usize,
  yBottom: usize,
  u: usize,
  v: usize,
  luma: usize,
  chroma: usize,
): void {
  for (let x = 0; x < wide; x += 16) {
    const half: usize = x >> 1;
    const at: usize = x * 4;
    convertBlock<T>(top + at, bottom + at, yTop + x, yBottom + x, u + half, v + half, luma, chroma);
  }
}

/** What pixels are: types, so that the compiler makes the routine once for each, with its numbers as constants. */
type Opaque = u8;
type SeenThrough = u16;
type Dithered = u32;

/** 16 pixels of two rows. @returns The alpha sums of the eight blocks, as 16-bit numbers. */
function convertBlock<T>(
  top: usize,
  bottom: usize,
  yTop: usize,
  yBottom: usize,
  u: usize,
  v: usize,
  luma: usize,
  chroma: usize,
): v128 {
  const a0 = v128.load(top);
  const a1 = v128.load(top, 16);
  const a2 = v128.load(top, 32);
  const a3 = v128.load(top, 48);
  // Without flat pixels to look for, each row is done before the next is loaded, which takes fewer registers.
  if (sizeof<T>() != sizeof<Dithered>())
    v128.store(yTop, luma16<T>(a0, a1, a2, a3, a0, a1, a2, a3, luma));
  const b0 = v128.load(bottom);
  const b1 = v128.load(bottom, 16);
  const b2 = v128.load(bottom, 32);
  const b3 = v128.load(bottom, 48);

  const f0 = flat4<T>(a0, b0);
  const f1 = flat4<T>(a1, b1);
  const f2 = flat4<T>(a2, b2);
  const f3 = flat4<T>(a3, b3);
  if (sizeof<T>() == sizeof<Dithered>())
    v128.store(yTop, luma16<T>(a0, a1, a2, a3, f0, f1, f2, f3, luma));
  v128.store(yBottom, luma16<T>(b0, b1, b2, b3, f0, f1, f2, f3, luma + 64));
  const biasLeft = chromaBias4<T>(f0, f1, chroma);
  const biasRight = chromaBias4<T>(f2, f3, chroma + 16);

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
    chroma4<T>(rbLeft, gaLeft, ur, ub, ug, biasLeft),
    chroma4<T>(rbRight, gaRight, ur, ub, ug, biasRight),
  );
  const vWide = i16x8.narrow_i32x4_s(
    chroma4<T>(rbLeft, gaLeft, vr, vb, vg, biasLeft),
    chroma4<T>(rbRight, gaRight, vr, vb, vg, biasRight),
  );
  const both = i8x16.narrow_i16x8_u(uWide, vWide);
  v128.store64_lane(u, both, 0);
  v128.store64_lane(v, both, 1);
  return i16x8.narrow_i32x4_s(i32x4.shr_u(gaLeft, 16), i32x4.shr_u(gaRight, 16));
}

/** Red and blue of four pixels, side by side as 16-bit numbers. */
function redBlue(pixels: v128): v128 {
  return v128.and(pixels, i16x8.splat(0xff));
}

/** Green and alpha of four pixels. */
function greenAlpha(pixels: v128): v128 {
  return i16x8.shr_u(pixels, 8);
}

/** All bits of the pixels of four whose 2 x 2 block has one colour; not asked without dither. */
function flat4<T>(above: v128, below: v128): v128 {
  if (sizeof<T>() != sizeof<Dithered>()) return above;
  const down = i32x4.eq(above, below);
  const across = i32x4.eq(above, v128.shuffle<i32>(above, above, 1, 0, 3, 2));
  return v128.and(v128.and(down, across), v128.shuffle<i32>(down, down, 1, 0, 3, 2));
}

/** Thresholds of four pixels from a row of the pattern. */
function lumaBias4<T>(flat: v128, pattern: usize): v128 {
  if (sizeof<T>() == sizeof<SeenThrough>()) return i32x4.splat(lumaVeilBias);
  if (sizeof<T>() == sizeof<Opaque>()) return i32x4.splat(lumaBias);
  return v128.bitselect(i32x4.splat(lumaBias), v128.load(pattern), flat);
}

/** The same of four blocks. */
function chromaBias4<T>(one: v128, two: v128, pattern: usize): v128 {
  if (sizeof<T>() == sizeof<SeenThrough>()) return i32x4.splat(chromaVeilBias);
  if (sizeof<T>() == sizeof<Opaque>()) return i32x4.splat(chromaBias);
  const threshold = i32x4.add(i32x4.shl(v128.load(pattern), 2), i32x4.splat(chromaByLuma));
  return v128.bitselect(
    i32x4.splat(chromaBias),
    threshold,
    v128.shuffle<i32>(one, two, 0, 2, 4, 6),
  );
}

function luma4<T>(pixels: v128, bias: v128): v128 {
  const a: i16 = sizeof<T>() == sizeof<SeenThrough>() ? lumaUnit : 0;
  const redAndBlue = i32x4.dot_i16x8_s(redBlue(pixels), i16x8(yr, yb, yr, yb, yr, yb, yr, yb));
  const others = i32x4.dot_i16x8_s(greenAlpha(pixels), i16x8(yg, a, yg, a, yg, a, yg, a));
  return i32x4.shr_s(i32x4.add(i32x4.add(redAndBlue, others), bias), lumaShift);
}

function luma16<T>(
  one: v128,
  two: v128,
  three: v128,
  four: v128,
  flat1: v128,
  flat2: v128,
  flat3: v128,
  flat4: v128,
  pattern: usize,
): v128 {
  return i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(
      luma4<T>(one, lumaBias4<T>(flat1, pattern)),
      luma4<T>(two, lumaBias4<T>(flat2, pattern + 16)),
    ),
    i16x8.narrow_i32x4_s(
      luma4<T>(three, lumaBias4<T>(flat3, pattern)),
      luma4<T>(four, lumaBias4<T>(flat4, pattern + 16)),
    ),
  );
}

/** Sums of horizontal neighbours: eight pixels (two vectors) become four. */
function neighbours(a: v128, b: v128): v128 {
  const even = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
  const odd = v128.shuffle<i32>(a, b, 1, 3, 5, 7);
  return i16x8.add(even, odd);
}

function chroma4<T>(
  redAndBlue: v128,
  greenAndAlpha: v128,
  r: i16,
  b: i16,
  g: i16,
  bias: v128,
): v128 {
  const a: i16 = sizeof<T>() == sizeof<SeenThrough>() ? chromaUnit : 0;
  const first = i32x4.dot_i16x8_s(redAndBlue, i16x8(r, b, r, b, r, b, r, b));
  const second = i32x4.dot_i16x8_s(greenAndAlpha, i16x8(g, a, g, a, g, a, g, a));
  return i32x4.shr_s(i32x4.add(i32x4.add(first, second), bias), chromaShift);
}

/** One 2 x 2 block with the same numbers, for the pixels that don't fill a block of 16. */
function convertPair(
  top: usize,
  bottom: usize,
  yTop: usize,
  yBottom: usize,
  u: usize,
  v: usize,
  luma: usize,
  chroma: usize,
): void {
  const first = load<u32>(top);
  const isFlat =
    first == load<u32>(top, 4) && first == load<u32>(bottom) && first == load<u32>(bottom, 4);
  const isDithered = luma && !isFlat;
  store<u8>(yTop, luma1(top, isDithered ? load<i32>(luma) : lumaBias));
  store<u8>(yTop, luma1(top + 4, isDithered ? load<i32>(luma, 4) : lumaBias), 1);
  store<u8>(yBottom, luma1(bottom, isDithered ? load<i32>(luma, 64) : lumaBias));
  store<u8>(yBottom, luma1(bottom + 4, isDithered ? load<i32>(luma, 68) : lumaBias), 1);
  const bias = isDithered ? (load<i32>(chroma) << 2) + chromaByLuma : chromaBias;
  const r = sum4(top, bottom);
  const g = sum4(top + 1, bottom + 1);
  const b = sum4(top + 2, bottom + 2);
  store<u8>(u, <u8>((r * ur + g * ug + b * ub + bias) >> chromaShift));
  store<u8>(v, <u8>((r * vr + g * vg + b * vb + bias) >> chromaShift));
}

function luma1(pixel: usize, bias: i32): u8 {
  const r = <i32>load<u8>(pixel);
  const g = <i32>load<u8>(pixel, 1);
  const b = <i32>load<u8>(pixel, 2);
  return <u8>((r * yr + g * yg + b * yb + bias) >> lumaShift);
}

function sum4(top: usize, bottom: usize): i32 {
  return (
    <i32>load<u8>(top) + <i32>load<u8>(top, 4) + <i32>load<u8>(bottom) + <i32>load<u8>(bottom, 4)
  );
}

/**
 * Premultiplied RGBA rows -> their own share of Y, U and V, and how much they cover: `cover` by pixel, `chromaCover` by
 * block. `rows` and `width` are even; strides are bytes from row to row, `cover` has that of Y, `chromaCover` that of
 * U.
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
  const wide = width & ~15;
  for (let row = 0; row < rows; row += 2) {
    for (let x = 0; x < wide; x += 16) {
      const top = rgba + x * 4;
      const half: usize = x >> 1;
      veilBlock(
        top,
        top + rgbaStride,
        y + x,
        cover + x,
        yStride,
        u + half,
        v + half,
        chromaCover + half,
      );
    }
    for (let x = wide; x < width; x += 2) {
      const top = rgba + x * 4;
      const half: usize = x >> 1;
      veilPair(
        top,
        top + rgbaStride,
        y + x,
        cover + x,
        yStride,
        u + half,
        v + half,
        chromaCover + half,
      );
    }
    rgba += rgbaStride * 2;
    y += yStride * 2;
    cover += yStride * 2;
    u += chromaStride;
    v += chromaStride;
    chromaCover += chromaStride;
  }
}

/** 16 pixels of two rows. */
function veilBlock(
  top: usize,
  bottom: usize,
  y: usize,
  cover: usize,
  yStride: usize,
  u: usize,
  v: usize,
  chromaCover: usize,
): void {
  const above = alphas16(top);
  const below = alphas16(bottom);
  v128.store(cover, above);
  v128.store(cover + yStride, below);
  if (!v128.any_true(v128.or(above, below))) {
    const none = i8x16.splat(0);
    v128.store(y, none);
    v128.store(y + yStride, none);
    v128.store64_lane(u, none, 0);
    v128.store64_lane(v, none, 0);
    v128.store64_lane(chromaCover, none, 0);
    return;
  }
  const sums = convertBlock<SeenThrough>(top, bottom, y, y + yStride, u, v, 0, 0);
  const means = i16x8.shr_u(i16x8.add(sums, i16x8.splat(2)), 2);
  v128.store64_lane(chromaCover, i8x16.narrow_i16x8_u(means, means), 0);
}

/** The alphas of 16 pixels. */
function alphas16(rgba: usize): v128 {
  const one = i32x4.shr_u(v128.load(rgba), 24);
  const two = i32x4.shr_u(v128.load(rgba, 16), 24);
  const three = i32x4.shr_u(v128.load(rgba, 32), 24);
  const four = i32x4.shr_u(v128.load(rgba, 48), 24);
  return i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(one, two), i16x8.narrow_i32x4_s(three, four));
}

/** One 2 x 2 block with the same numbers, for the pixels that don't fill a block of 16. */
function veilPair(
  top: usize,
  bottom: usize,
  y: usize,
  cover: usize,
  yStride: usize,
  u: usize,
  v: usize,
  chromaCover: usize,
): void {
  veilPixel(top, y, cover);
  veilPixel(top + 4, y + 1, cover + 1);
  veilPixel(bottom, y + yStride, cover + yStride);
  veilPixel(bottom + 4, y + yStride + 1, cover + yStride + 1);
  const alphas = sum4(top + 3, bottom + 3);
  const r = sum4(top, bottom);
  const g = sum4(top + 1, bottom + 1);
  const b = sum4(top + 2, bottom + 2);
  const offset = alphas * chromaUnit + chromaVeilBias;
  store<u8>(u, <u8>((r * ur + g * ug + b * ub + offset) >> chromaShift));
  store<u8>(v, <u8>((r * vr + g * vg + b * vb + offset) >> chromaShift));
  store<u8>(chromaCover, <u8>((alphas + 2) >> 2));
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

/**
 * Puts graphics over one plane, in place: `plane = own + plane × (255 − cover) / 255`, rounded. One stride for all
 * three.
 */
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

/**
 * Undoes the multiplication of a plane by its cover: `result = own × 255 / cover`, rounded, and what it is where
 * nothing covers. `own` and `cover` have one stride; the rows of the result lie close together. Writes up to 15 bytes
 * after it.
 */
export function straighten(
  own: usize,
  cover: usize,
  stride: i32,
  width: i32,
  rows: i32,
  result: usize,
): void {
  const full = i8x16.splat(-1);
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x += 16) {
      const value = v128.load(own + x);
      const covered = v128.load(cover + x);
      // Where nothing covers, any value will do.
      const seenThrough = v128.not(
        v128.or(i8x16.eq(covered, full), i8x16.eq(covered, i8x16.splat(0))),
      );
      const straight = v128.any_true(seenThrough)
        ? v128.bitselect(straight16(value, covered), value, seenThrough)
        : value;
      v128.store(result + x, straight);
    }
    own += stride;
    cover += stride;
    result += width;
  }
}

function straight16(value: v128, covered: v128): v128 {
  const valueLow = i16x8.extend_low_i8x16_u(value);
  const valueHigh = i16x8.extend_high_i8x16_u(value);
  const coveredLow = i16x8.extend_low_i8x16_u(covered);
  const coveredHigh = i16x8.extend_high_i8x16_u(covered);
  return i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(
      straight4(i32x4.extend_low_i16x8_u(valueLow), i32x4.extend_low_i16x8_u(coveredLow)),
      straight4(i32x4.extend_high_i16x8_u(valueLow), i32x4.extend_high_i16x8_u(coveredLow)),
    ),
    i16x8.narrow_i32x4_s(
      straight4(i32x4.extend_low_i16x8_u(valueHigh), i32x4.extend_low_i16x8_u(coveredHigh)),
      straight4(i32x4.extend_high_i16x8_u(valueHigh), i32x4.extend_high_i16x8_u(coveredHigh)),
    ),
  );
}

/** Fractions have so few digits that 32 bits round them rightly. */
function straight4(value: v128, covered: v128): v128 {
  const whole = f32x4.mul(f32x4.convert_i32x4_u(value), f32x4.splat(255));
  const share = f32x4.div(whole, f32x4.convert_i32x4_u(covered));
  return i32x4.trunc_sat_f32x4_u(f32x4.add(share, f32x4.splat(0.5)));
}

// The way back: BT.709, limited range -> RGB, in 1/8192. Luma 255/219, red 1.5748 and blue 1.8556 times 255/224, and
// what green lacks by both. A block's four pixels share its colours.
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
      const bright = brightness8(y + x);
      const us = colors8(u + (x >> 1));
      const vs = colors8(v + (x >> 1));
      const r = asBytes(red8(bright, vs));
      const b = asBytes(blue8(bright, us));
      const g = asBytes(green8(bright, us, vs));
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

/**
 * Planes -> planes of the same size with colours for each pixel, none of them outside of RGB: cut off as `toRgba` does,
 * which happens where hard edges were coded. `width` and `rows` as there, but rows are `stride` (even) apart. Reads and
 * writes up to 7 values more than a row has.
 */
export function toWhole(
  y: usize,
  u: usize,
  v: usize,
  stride: i32,
  width: i32,
  rows: i32,
  wholeY: usize,
  wholeU: usize,
  wholeV: usize,
): void {
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x += 8) {
      const bright = brightness8(y + x);
      const us = colors8(u + (x >> 1));
      const vs = colors8(v + (x >> 1));
      const r = red8(bright, vs);
      const g = green8(bright, us, vs);
      const b = blue8(bright, us);
      const all = v128.or(v128.or(r, g), b);
      if (v128.any_true(v128.and(all, i16x8.splat(-256)))) {
        storeWhole(asWords(r), asWords(g), asWords(b), wholeY + x, wholeU + x, wholeV + x);
      } else {
        store8(wholeY + x, i16x8.add(bright, i16x8.splat(16)));
        store8(wholeU + x, i16x8.add(us, i16x8.splat(128)));
        store8(wholeV + x, i16x8.add(vs, i16x8.splat(128)));
      }
    }
    y += stride;
    wholeY += stride;
    wholeU += stride;
    wholeV += stride;
    if ((row & 1) == 1) {
      u += stride >> 1;
      v += stride >> 1;
    }
  }
}

/** Eight pixels in red, green and blue, each as a word. */
function storeWhole(r: v128, g: v128, b: v128, y: usize, u: usize, v: usize): void {
  const rbLow = v128.shuffle<i16>(r, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const rbHigh = v128.shuffle<i16>(r, b, 4, 12, 5, 13, 6, 14, 7, 15);
  const gLow = i32x4.extend_low_i16x8_s(g);
  const gHigh = i32x4.extend_high_i16x8_s(g);
  store8(y, weighed(rbLow, rbHigh, gLow, gHigh, yr, yb, yg, lumaBias));
  store8(u, weighed(rbLow, rbHigh, gLow, gHigh, ur, ub, ug, chromaBias >> 2));
  store8(v, weighed(rbLow, rbHigh, gLow, gHigh, vr, vb, vg, chromaBias >> 2));
}

function weighed(
  rbLow: v128,
  rbHigh: v128,
  gLow: v128,
  gHigh: v128,
  r: i16,
  b: i16,
  g: i16,
  bias: i32,
): v128 {
  const factors = i16x8(r, b, r, b, r, b, r, b);
  const green = i16x8(g, 0, g, 0, g, 0, g, 0);
  const half = i32x4.splat(bias);
  const low = i32x4.add(i32x4.dot_i16x8_s(rbLow, factors), i32x4.dot_i16x8_s(gLow, green));
  const high = i32x4.add(i32x4.dot_i16x8_s(rbHigh, factors), i32x4.dot_i16x8_s(gHigh, green));
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(low, half), lumaShift),
    i32x4.shr_s(i32x4.add(high, half), lumaShift),
  );
}

/** Stores eight words as bytes. */
function store8(to: usize, words: v128): void {
  v128.store64_lane(to, i8x16.narrow_i16x8_u(words, words), 0);
}

function brightness8(y: usize): v128 {
  return i16x8.sub(i16x8.extend_low_i8x16_u(v128.load_zero<u64>(y)), i16x8.splat(16));
}

/** Four blocks' values of a colour plane, each twice, beside each other. */
function colors8(plane: usize): v128 {
  const blocks = i16x8.extend_low_i8x16_u(v128.load_zero<u32>(plane));
  const centred = i16x8.sub(blocks, i16x8.splat(128));
  return v128.shuffle<i16>(centred, centred, 0, 0, 1, 1, 2, 2, 3, 3);
}

function red8(bright: v128, vs: v128): v128 {
  return mix(bright, vs, luma, redByV);
}

function blue8(bright: v128, us: v128): v128 {
  return mix(bright, us, luma, blueByU);
}

/** Eight sums of two products, rounded, not yet cut off. */
function mix(one: v128, two: v128, first: i16, second: i16): v128 {
  const factors = i16x8(first, second, first, second, first, second, first, second);
  const half = i32x4.splat(backHalf);
  const low = i32x4.dot_i16x8_s(v128.shuffle<i16>(one, two, 0, 8, 1, 9, 2, 10, 3, 11), factors);
  const high = i32x4.dot_i16x8_s(v128.shuffle<i16>(one, two, 4, 12, 5, 13, 6, 14, 7, 15), factors);
  return shifted(i32x4.add(low, half), i32x4.add(high, half));
}

/** The same of three. */
function green8(bright: v128, us: v128, vs: v128): v128 {
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
  return shifted(low, high);
}

function shifted(low: v128, high: v128): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, backShift), i32x4.shr_s(high, backShift));
}

/** Eight words cut off to bytes, twice. */
function asBytes(words: v128): v128 {
  return i8x16.narrow_i16x8_u(words, words);
}

/** Eight words cut off to what a byte can hold. */
function asWords(words: v128): v128 {
  return i16x8.extend_low_i8x16_u(asBytes(words));
}

/** The low eight bytes of both in turn. */
function interleave(one: v128, two: v128): v128 {
  return v128.shuffle<i8>(one, two, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

function clamp(value: i32): u8 {
  return <u8>max(0, min(255, value));
}
