// AssemblyScript, not TypeScript: compiled with pixels.wasm.ts, run by assets/videos/video-enlarger.ts.
// One routine: an opaque RGBA picture -> Y, U and V of a larger one, as the canvas enlarges it: each pixel is a mixture of its
// four neighbours in the picture, by their distances. Mixtures have 6 bits more than colours, so that only the end is rounded.
import { convert } from './pixels.wasm';

const spareBits: i32 = 6;
const spareHalf: i16 = 1 << 5;

/**
 * Enlarges a picture of `width` columns, `stride` bytes from row to row.
 *
 * @param columns For each column of the result: where its left neighbour is in a row of mixtures, in bytes (8 for a pixel).
 * @param columnShares The share of the right neighbour in 1/32768, four times for each column.
 * @param lines For each row of the result: the bytes before its upper neighbour, those before its lower one, and the share of
 * that.
 * @param row Room for a row of mixtures: `width + 1` pixels of 8 bytes.
 * @param pair Room for two rows of the result in RGBA.
 */
export function enlarge(
  rgba: usize,
  width: i32,
  columns: usize,
  columnShares: usize,
  lines: usize,
  row: usize,
  pair: usize,
  wide: i32,
  high: i32,
  y: usize,
  u: usize,
  v: usize,
): void {
  const half: usize = wide >> 1;
  for (let line = 0; line < high; line += 2) {
    for (let one: usize = 0; one < 2; one++) {
      const above = rgba + load<u32>(lines);
      const below = rgba + load<u32>(lines, 4);
      mixRows(above, below, <i16>load<u32>(lines, 8), width, row);
      mixColumns(row, columns, columnShares, wide, pair + one * wide * 4);
      lines += 12;
    }
    convert(pair, wide * 4, wide, 2, y, wide, u, v, half);
    y += wide * 2;
    u += half;
    v += half;
  }
}

/** Two rows of the picture -> one row of mixtures, its last pixel twice. */
function mixRows(above: usize, below: usize, share: i16, width: i32, row: usize): void {
  const shares = i16x8.splat(share);
  const many = width & ~3;
  for (let x = 0; x < many; x += 4) {
    const top = v128.load(above + x * 4);
    const bottom = v128.load(below + x * 4);
    v128.store(
      row + x * 8,
      mixed(i16x8.extend_low_i8x16_u(top), i16x8.extend_low_i8x16_u(bottom), shares),
    );
    v128.store(
      row + x * 8,
      mixed(i16x8.extend_high_i8x16_u(top), i16x8.extend_high_i8x16_u(bottom), shares),
      16,
    );
  }
  for (let x = many; x < width; x++) {
    const top = i16x8.extend_low_i8x16_u(v128.load_zero<u32>(above + x * 4));
    const bottom = i16x8.extend_low_i8x16_u(v128.load_zero<u32>(below + x * 4));
    v128.store64_lane(row + x * 8, mixed(top, bottom, shares), 0);
  }
  store<u64>(row + width * 8, load<u64>(row + (width - 1) * 8));
}

function mixed(one: v128, other: v128, shares: v128): v128 {
  const from = i16x8.shl(one, spareBits);
  return towards(from, i16x8.shl(other, spareBits), shares);
}

function towards(from: v128, to: v128, shares: v128): v128 {
  return i16x8.add(from, i16x8.q15mulr_sat_s(i16x8.sub(to, from), shares));
}

/** A row of mixtures -> RGBA; `wide` is even. */
function mixColumns(row: usize, columns: usize, shares: usize, wide: i32, rgba: usize): void {
  const many = wide & ~3;
  for (let x = 0; x < many; x += 4) {
    const left = twoColumns(row, columns, shares);
    const right = twoColumns(row, columns + 8, shares + 16);
    v128.store(rgba, i8x16.narrow_i16x8_u(left, right));
    columns += 16;
    shares += 32;
    rgba += 16;
  }
  if (many < wide) {
    const left = twoColumns(row, columns, shares);
    v128.store64_lane(rgba, i8x16.narrow_i16x8_u(left, left), 0);
  }
}

function twoColumns(row: usize, columns: usize, shares: usize): v128 {
  // Both neighbours of a column lie beside each other.
  const one = v128.load(row + load<u32>(columns));
  const two = v128.load(row + load<u32>(columns, 4));
  const from = v128.shuffle<i64>(one, two, 0, 2);
  const to = v128.shuffle<i64>(one, two, 1, 3);
  const sum = i16x8.add(towards(from, to, v128.load(shares)), i16x8.splat(spareHalf));
  return i16x8.shr_u(sum, spareBits);
}
