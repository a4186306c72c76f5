// AssemblyScript, not TypeScript: compiled with pixels.wasm.ts, run by canvas-surface.ts. A picture -> what is seen of
// it through a projective map: each pixel is a mixture of the four around its place in the picture, or of several such.
// Mixtures have 6 bits more than colours. The numbers are the same on every machine.

const spareBits: i32 = 6;
const spareHalf: i16 = 1 << 5;

/**
 * Projects a picture of `width` x `height` straight RGBA, which becomes multiplied by its alpha. Reads up to 12 bytes
 * after it.
 *
 * @param map Nine numbers of 32 bits: pixels of the result -> those of the picture, row by row, w last.
 * @param furthest The largest w; beyond it and up to 0 nothing is seen.
 * @param samples How many places of each pixel to look at in each direction: 1, 2 or 4.
 * @param result Straight RGBA of `wide` x `high`.
 */
export function project(
  rgba: usize,
  width: i32,
  height: i32,
  map: usize,
  furthest: f32,
  samples: i32,
  result: usize,
  wide: i32,
  high: i32,
): void {
  multiply(rgba, width * height);
  memory.fill(result, 0, wide * high * 4);
  const a = f32x4.splat(load<f32>(map));
  const d = f32x4.splat(load<f32>(map, 12));
  const g = f32x4.splat(load<f32>(map, 24));
  const step: f32 = 1 / <f32>samples;
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column += 4) {
      let first = i16x8.splat(0);
      let second = i16x8.splat(0);
      let isSeen = false;
      for (let down: f32 = step / 2; down < 1; down += step) {
        const y = <f32>row + down;
        const atStart = f32x4.splat(line(map, y));
        const atTop = f32x4.splat(line(map + 12, y));
        const depth = f32x4.splat(line(map + 24, y));
        for (let aside: f32 = step / 2; aside < 1; aside += step) {
          const x = f32x4.add(f32x4.splat(<f32>column + aside), f32x4(0, 1, 2, 3));
          const w = f32x4.add(f32x4.mul(g, x), depth);
          const near = f32x4.div(f32x4.splat(1), w);
          // Between the middles of the picture's pixels.
          const u = f32x4.sub(
            f32x4.mul(f32x4.add(f32x4.mul(a, x), atStart), near),
            f32x4.splat(0.5),
          );
          const v = f32x4.sub(f32x4.mul(f32x4.add(f32x4.mul(d, x), atTop), near), f32x4.splat(0.5));
          const inFront = v128.and(f32x4.gt(w, f32x4.splat(0)), f32x4.le(w, f32x4.splat(furthest)));
          const seen = v128.and(inFront, v128.and(isWithin(u, width - 1), isWithin(v, height - 1)));
          if (!v128.any_true(seen)) continue;
          isSeen = true;
          const left = f32x4.floor(u);
          const top = f32x4.floor(v);
          const across = shares(u, left);
          const below = shares(v, top);
          const places = v128.and(
            seen,
            i32x4.add(i32x4.mul(whole(top), i32x4.splat(width * 4)), i32x4.shl(whole(left), 2)),
          );
          const one = twoMixed(
            rgba + <usize>i32x4.extract_lane(places, 0),
            rgba + <usize>i32x4.extract_lane(places, 1),
            width * 4,
            v128.shuffle<i16>(below, below, 0, 0, 0, 0, 0, 0, 0, 0),
            v128.shuffle<i16>(below, below, 2, 2, 2, 2, 2, 2, 2, 2),
            v128.shuffle<i16>(across, across, 0, 0, 0, 0, 2, 2, 2, 2),
          );
          const two = twoMixed(
            rgba + <usize>i32x4.extract_lane(places, 2),
            rgba + <usize>i32x4.extract_lane(places, 3),
            width * 4,
            v128.shuffle<i16>(below, below, 4, 4, 4, 4, 4, 4, 4, 4),
            v128.shuffle<i16>(below, below, 6, 6, 6, 6, 6, 6, 6, 6),
            v128.shuffle<i16>(across, across, 4, 4, 4, 4, 6, 6, 6, 6),
          );
          first = i16x8.add(first, v128.and(one, v128.shuffle<i32>(seen, seen, 0, 0, 1, 1)));
          second = i16x8.add(second, v128.and(two, v128.shuffle<i32>(seen, seen, 2, 2, 3, 3)));
        }
      }
      if (!isSeen) continue;
      const to = result + ((row * wide + column) << 2);
      storeFour(to, min(4, wide - column), means(first, samples), means(second, samples));
    }
  }
}

function line(map: usize, y: f32): f32 {
  return load<f32>(map, 4) * y + load<f32>(map, 8);
}

function isWithin(places: v128, end: i32): v128 {
  const isAfter = f32x4.ge(places, f32x4.splat(0));
  return v128.and(isAfter, f32x4.lt(places, f32x4.splat(<f32>end)));
}

/** What is beyond whole numbers, in 1/32768. */
function shares(places: v128, wholes: v128): v128 {
  return whole(f32x4.mul(f32x4.sub(places, wholes), f32x4.splat(32767)));
}

/**
 * Numbers from 0 to 2^22 as integers, rounded: beyond 2^23 a float's last bit is 1. Quicker than the conversion that
 * minds all.
 */
function whole(numbers: v128): v128 {
  const shifted = f32x4.add(numbers, f32x4.splat(8388608));
  return v128.and(shifted, i32x4.splat(0x7fffff));
}

/** The colours of two places, each in four words. */
function twoMixed(
  one: usize,
  two: usize,
  stride: usize,
  downOne: v128,
  downTwo: v128,
  across: v128,
): v128 {
  const first = towards(pair(one), pair(one + stride), downOne);
  const second = towards(pair(two), pair(two + stride), downTwo);
  const left = v128.shuffle<i64>(first, second, 0, 2);
  const right = v128.shuffle<i64>(first, second, 1, 3);
  const sum = i16x8.add(towards(left, right, across), i16x8.splat(spareHalf));
  return i16x8.shr_u(sum, spareBits);
}

/** Two neighbouring pixels. */
function pair(at: usize): v128 {
  return i16x8.shl(i16x8.extend_low_i8x16_u(v128.load_zero<u64>(at)), spareBits);
}

function towards(from: v128, to: v128, share: v128): v128 {
  return i16x8.add(from, i16x8.q15mulr_sat_s(i16x8.sub(to, from), share));
}

/** Sums of samples -> their means. */
function means(sums: v128, samples: i32): v128 {
  if (samples == 1) return sums;
  return samples == 2
    ? i16x8.shr_u(i16x8.add(sums, i16x8.splat(2)), 2)
    : i16x8.shr_u(i16x8.add(sums, i16x8.splat(8)), 4);
}

/** Stores up to four pixels, straight. */
function storeFour(to: usize, count: i32, first: v128, second: v128): void {
  const four = i8x16.narrow_i16x8_u(first, second);
  const alphas = i32x4.shr_u(four, 24);
  const isPlain = v128.or(i32x4.eq(alphas, i32x4.splat(255)), i32x4.eq(alphas, i32x4.splat(0)));
  if (count == 4 && i32x4.all_true(isPlain)) {
    v128.store(to, four);
    return;
  }
  storeOne(to, i32x4.extract_lane(four, 0));
  if (count > 1) storeOne(to + 4, i32x4.extract_lane(four, 1));
  if (count > 2) storeOne(to + 8, i32x4.extract_lane(four, 2));
  if (count > 3) storeOne(to + 12, i32x4.extract_lane(four, 3));
}

function storeOne(to: usize, pixel: u32): void {
  const alpha = pixel >> 24;
  if (alpha == 255 || alpha == 0) {
    store<u32>(to, pixel);
    return;
  }
  const half = alpha >> 1;
  store<u8>(to, <u8>min(255, ((pixel & 255) * 255 + half) / alpha));
  store<u8>(to, <u8>min(255, (((pixel >> 8) & 255) * 255 + half) / alpha), 1);
  store<u8>(to, <u8>min(255, (((pixel >> 16) & 255) * 255 + half) / alpha), 2);
  store<u8>(to, <u8>alpha, 3);
}

/** Multiplies straight pixels by their alpha, in place. */
function multiply(rgba: usize, count: i32): void {
  const many = count & ~3;
  for (let pixel = 0; pixel < many; pixel += 4) {
    const at = rgba + (pixel << 2);
    const alphas = i32x4.shr_u(v128.load(at), 24);
    const isPlain = v128.or(i32x4.eq(alphas, i32x4.splat(255)), i32x4.eq(alphas, i32x4.splat(0)));
    if (i32x4.all_true(isPlain)) continue;
    for (let one: usize = 0; one < 4; one++) multiplyOne(at + one * 4);
  }
  for (let pixel = many; pixel < count; pixel++) multiplyOne(rgba + (pixel << 2));
}

function multiplyOne(at: usize): void {
  const alpha = <u32>load<u8>(at, 3);
  if (alpha == 255) return;
  store<u8>(at, <u8>((<u32>load<u8>(at) * alpha + 127) / 255));
  store<u8>(at, <u8>((<u32>load<u8>(at, 1) * alpha + 127) / 255), 1);
  store<u8>(at, <u8>((<u32>load<u8>(at, 2) * alpha + 127) / 255), 2);
}
