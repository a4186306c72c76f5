// AssemblyScript, not TypeScript: compiled with pixels.wasm.ts, run by assets/videos/video-enlarger.ts. A plane of a
// picture -> a plane of a larger one; each value is a mixture of its neighbours by their distances. Mixtures have 6
// bits more than values, so that only the end is rounded.

const spareBits: i32 = 6;
const spareHalf: i16 = 1 << 5;

/**
 * Enlarges a plane: each value has two neighbours in a row, and two in a column. Writes up to 15 bytes after the
 * result, and reads up to 15 after the plane.
 *
 * @param plane Where the first column that shows is, in the first row.
 * @param width How many columns show.
 * @param columns For every eight columns of the result (a multiple of sixteen): how far behind the beginning of a row
 * of mixtures, in bytes (2 for each), theirs begin, in 32 bits; 12 bytes of nothing; which bytes from there on are the
 * first neighbours; and the shares of the second ones in 1/32768, in 16 bits each.
 * @param lines For each row of the result: the bytes before its first neighbour and those before the second, and the
 * share of the second, in 32 bits each.
 * @param row Room for a row of mixtures: `width + 32` of 2 bytes.
 */
export function enlarge(
  plane: usize,
  width: i32,
  columns: usize,
  lines: usize,
  row: usize,
  wide: i32,
  high: i32,
  result: usize,
): void {
  for (let line = 0; line < high; line++) {
    const first = plane + load<u32>(lines);
    const second = plane + load<u32>(lines, 4);
    const share = i16x8.splat(<i16>load<u32>(lines, 8));
    for (let x = 0; x < width; x += 16) {
      const one = v128.load(first + x);
      const two = v128.load(second + x);
      v128.store(row + x * 2, towards(lowWords(one), lowWords(two), share));
      v128.store(row + x * 2, towards(highWords(one), highWords(two), share), 16);
    }
    let at = columns;
    for (let x = 0; x < wide; x += 16) {
      v128.store(
        result + x,
        i8x16.narrow_i16x8_u(eightColumns(row, at), eightColumns(row, at + 48)),
      );
      at += 96;
    }
    lines += 12;
    result += wide;
  }
}

/** Eight values of the result, each in 16 bits. */
function eightColumns(row: usize, columns: usize): v128 {
  // Neighbours lie beside each other, so one choice serves for both.
  const start = row + load<u32>(columns);
  const chosen = v128.load(columns, 16);
  const one = i8x16.swizzle(v128.load(start), chosen);
  const two = i8x16.swizzle(v128.load(start, 2), chosen);
  return rounded(towards(one, two, v128.load(columns, 32)));
}

/**
 * The same where each value is the mean of two by two pixels: it has three neighbours in a row, and three in a column.
 *
 * @param columns For every four columns of the result: as above; the shares of the second neighbours in the first 8
 * bytes, those of the third ones in the others.
 * @param lines For each row of the result: the bytes before its three neighbours, then the shares of the second and the
 * third.
 */
export function enlargeHalf(
  plane: usize,
  width: i32,
  columns: usize,
  lines: usize,
  row: usize,
  wide: i32,
  high: i32,
  result: usize,
): void {
  for (let line = 0; line < high; line++) {
    const first = plane + load<u32>(lines);
    const second = plane + load<u32>(lines, 4);
    const third = plane + load<u32>(lines, 8);
    const shareOfSecond = i16x8.splat(<i16>load<u32>(lines, 12));
    const shareOfThird = i16x8.splat(<i16>load<u32>(lines, 16));
    for (let x = 0; x < width; x += 16) {
      const one = v128.load(first + x);
      const two = v128.load(second + x);
      const three = v128.load(third + x);
      const low = lowWords(one);
      const high = highWords(one);
      v128.store(
        row + x * 2,
        i16x8.add(
          towards(low, lowWords(two), shareOfSecond),
          part(low, lowWords(three), shareOfThird),
        ),
      );
      v128.store(
        row + x * 2,
        i16x8.add(
          towards(high, highWords(two), shareOfSecond),
          part(high, highWords(three), shareOfThird),
        ),
        16,
      );
    }
    let at = columns;
    for (let x = 0; x < wide; x += 4) {
      const start = row + load<u32>(at);
      const chosen = v128.load(at, 16);
      const one = i8x16.swizzle(v128.load(start), chosen);
      const two = i8x16.swizzle(v128.load(start, 2), chosen);
      const three = i8x16.swizzle(v128.load(start, 4), chosen);
      const shares = v128.load(at, 32);
      const others = v128.shuffle<i64>(shares, shares, 1, 1);
      const sum = rounded(i16x8.add(towards(one, two, shares), part(one, three, others)));
      v128.store32_lane(result + x, i8x16.narrow_i16x8_u(sum, sum), 0);
      at += 48;
    }
    lines += 20;
    result += wide;
  }
}

function lowWords(bytes: v128): v128 {
  return i16x8.shl(i16x8.extend_low_i8x16_u(bytes), spareBits);
}

function highWords(bytes: v128): v128 {
  return i16x8.shl(i16x8.extend_high_i8x16_u(bytes), spareBits);
}

function towards(from: v128, to: v128, shares: v128): v128 {
  return i16x8.add(from, part(from, to, shares));
}

/** A share of the way from one to the other. */
function part(from: v128, to: v128, shares: v128): v128 {
  return i16x8.q15mulr_sat_s(i16x8.sub(to, from), shares);
}

function rounded(mixtures: v128): v128 {
  return i16x8.shr_u(i16x8.add(mixtures, i16x8.splat(spareHalf)), spareBits);
}
