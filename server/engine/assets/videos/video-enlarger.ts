/**
 * What the output shows of a video's planes: a part of them, or all enlarged with a WebAssembly routine
 * (encode/enlarge.wasm.ts): what the canvas would draw, but for rounding ([Note: Enlarged planes]). Runs in the worker.
 *
 * [Note: Enlarged planes] The canvas mixes neighbours in red, green and blue, and each block of 2 × 2 pixels of the
 * output has the mean of its four colours. All of that is linear, so it may be done in luma and colours as well, each
 * plane by itself, if a block's colours are enlarged as the canvas sees them: the same in all four pixels, not smoothly
 * from middle to middle as ffmpeg does. A pixel of the output's colour planes lies between two of the frame's, as one
 * of luma does.
 */
import type { Rect } from '../../../../shared/engine/geometry.ts';
import { openRoutines, type LayRows, type Routines } from '../../routines.ts';
import type { PlanarFrame } from './video-clip.ts';
import { inPlanes, type Veil } from './video-decoder.ts';

/** Brings frames to one size. */
interface VideoWindow {
  /**
   * Planes of the window's size; the frame's own if it has that size.
   *
   * @param place The whole frame's position and size in the window, which it covers. A frame of that size on even
   * pixels is cut, any other enlarged.
   * @param veil A colour over an enlarged frame; one that is cut has it already.
   * @returns Valid until the next call.
   */
  show(frame: PlanarFrame, place: Rect, veil: Veil | null): Uint8Array;
}

/** A window of `width` × `height`, both even. */
export function createWindow(width: number, height: number): VideoWindow {
  let kept: Uint8Array | undefined;
  const enlarger = createEnlarger(width, height);
  return {
    show(frame, place, veil) {
      const { planes, width: across, height: down } = frame;
      const { x, y } = place;
      const isCut = across === place.width && down === place.height && x % 2 === 0 && y % 2 === 0;
      if (!isCut) return enlarger.enlarge(frame, place, veil);
      if (across === width && down === height) return planes;
      kept ??= new Uint8Array((width * height * 3) / 2);
      let from = 0;
      let to = 0;
      for (const share of [1, 2, 2]) {
        const row = across / share;
        const wanted = width / share;
        const first = from - (y / share) * row - x / share;
        for (let line = 0; line < height / share; line++) {
          const start = first + line * row;
          kept.set(planes.subarray(start, start + wanted), to);
          to += wanted;
        }
        from += row * (down / share);
      }
      return kept;
    },
  };
}

/** Enlarges frames to one size. */
export interface VideoEnlarger {
  /**
   * Planes of the output's size, in BT.709, limited range.
   *
   * @param place The whole frame's position and size on the output, pixels; it covers the output.
   * @param veil A colour over it, or null.
   * @returns Valid until the next call.
   */
  enlarge(frame: PlanarFrame, place: Rect, veil: Veil | null): Uint8Array;
}

type Enlarge = (
  plane: number,
  width: number,
  columns: number,
  lines: number,
  row: number,
  wide: number,
  high: number,
  result: number,
) => void;

type ToWhole = (
  y: number,
  u: number,
  v: number,
  stride: number,
  width: number,
  rows: number,
  wholeY: number,
  wholeU: number,
  wholeV: number,
) => void;

/**
 * Where one of the output's columns or rows lies among the frame's: the first of its neighbours, and the shares of the
 * others.
 */
interface Between {
  readonly first: number;
  /** Of the next ones, in 1/32768. */
  readonly shares: readonly number[];
}

/** A side of the output: its pixels, and its pairs of pixels, whose mean the colour planes have. */
interface Side {
  readonly pixels: readonly Between[];
  readonly pairs: readonly Between[];
  /** The part of the frame that shows, on even pixels. */
  readonly from: number;
  readonly to: number;
}

/** Opens an enlarger for outputs of `width` × `height`, both even; it keeps memory for a frame. */
export function createEnlarger(width: number, height: number): VideoEnlarger {
  let opened: (Routines & { readonly parts: Parts; readonly size: string }) | null = null;
  let placed: { readonly place: string; readonly columns: Side; readonly lines: Side } | null =
    null;
  const open = (across: number, down: number): Routines & { readonly parts: Parts } => {
    const size = `${across} × ${down}`;
    if (opened?.size !== size) {
      const parts = partsFor(across, down, width, height);
      opened = { ...openRoutines(parts.end), parts, size };
      placed = null;
    }
    return opened;
  };
  return {
    enlarge({ planes, width: across, height: down }, place, veil) {
      const { bytes, routines, parts } = open(across, down);
      const key = Object.values(place).join();
      if (placed?.place !== key) {
        const columns = sideOf(width, across, place.x, place.width);
        const lines = sideOf(height, down, place.y, place.height);
        writeTables(new DataView(bytes.buffer, bytes.byteOffset), parts, {
          columns,
          lines,
          across,
          down,
        });
        placed = { place: key, columns, lines };
      }
      // The module is ours and has these exports.
      const toWhole = routines['toWhole'] as ToWhole;
      const enlarge = routines['enlarge'] as Enlarge;
      const enlargeHalf = routines['enlargeHalf'] as Enlarge;
      const { from: left, to: right } = placed.columns;
      const { from: upper, to: lower } = placed.lines;
      const pixels = across * down;
      bytes.set(planes);
      const above = upper * across + left;
      const aboveHalf = (upper * across) / 4 + left / 2;
      const [u, v] = [pixels + aboveHalf, pixels * 1.25 + aboveHalf];
      const whole = [parts.y + above, parts.u + above, parts.v + above] as const;
      toWhole(above, u, v, across, right - left, lower - upper, ...whole);
      const size = width * height;
      const shown = right - left;
      if (veil) {
        // The module is ours and has this export.
        const lay = routines['lay'] as LayRows;
        inPlanes(veil).forEach((value, plane) => {
          bytes.fill(Math.round(value * veil[3]), parts.veil, parts.veil + shown);
          bytes.fill(Math.round(255 * veil[3]), parts.cover, parts.cover + shown);
          for (let line = 0; line < lower - upper; line++)
            lay((whole[plane] ?? 0) + line * across, parts.veil, parts.cover, shown, 1, 0);
        });
      }
      const { y, columns, lines, row, result, pairs, pairsOfLines } = parts;
      enlarge(y + left, shown, columns, lines, row, width, height, result);
      const half = [pairs, pairsOfLines, row, width / 2, height / 2] as const;
      enlargeHalf(parts.u + left, shown, ...half, result + size);
      enlargeHalf(parts.v + left, shown, ...half, result + size * 1.25);
      return bytes.subarray(result, result + size * 1.5);
    },
  };
}

/** All of a share. */
const unit = 32768;

/**
 * Where the pixels of a side of the output lie in a frame: between the two around its middle. Beyond the frame's edge
 * its last pixel goes on. Shares are whole sixteenths, cut off, as the canvas has them.
 *
 * @param count Pixels of the output's side, even.
 * @param own Those of the frame's, even and not more than it has on the output.
 * @param start The frame's edge on the output, and its length there, pixels.
 */
function sideOf(count: number, own: number, start: number, length: number): Side {
  const pixels = Array.from({ length: count }, (_, pixel) => {
    const middle = ((pixel + 0.5 - start) * own) / length - 0.5;
    const inside = Math.max(0, Math.min(own - 1, middle));
    const first = Math.floor(inside);
    return { first, shares: [Math.floor((inside - first) * 16) * (unit / 16)] };
  });
  const pairs = Array.from({ length: count / 2 }, (_, pair) => {
    const [one, other] = [pixels[pair * 2], pixels[pair * 2 + 1]];
    const first = one?.first ?? 0;
    const sums = [0, 0, 0];
    for (const {
      first: at,
      shares: [share = 0],
    } of [one, other].filter((pixel) => pixel !== undefined)) {
      // Together they span three pixels of the frame, but for rounding.
      const step = Math.min(at - first, 1);
      sums[step] = (sums[step] ?? 0) + (unit - share) / 2;
      sums[step + 1] = (sums[step + 1] ?? 0) + share / 2;
    }
    return { first, shares: sums.slice(1) };
  });
  const last = pixels.at(-1)?.first ?? 0;
  return {
    pixels,
    pairs,
    from: Math.floor((pixels[0]?.first ?? 0) / 2) * 2,
    to: Math.min(own, Math.ceil((last + 2) / 2) * 2),
  };
}

interface Placing {
  readonly columns: Side;
  readonly lines: Side;
  readonly across: number;
  readonly down: number;
}

/** Writes where each column and row of the output lies, as the routines read it. */
function writeTables(
  memory: DataView,
  parts: Parts,
  { columns, lines, across, down }: Placing,
): void {
  const { from } = columns;
  writeColumns(memory, parts.columns, columns.pixels, { from, together: 8 });
  writeColumns(memory, parts.pairs, columns.pairs, { from, together: 4 });
  writeLines(memory, parts.lines, lines.pixels, { across, down });
  writeLines(memory, parts.pairsOfLines, lines.pairs, { across, down });
}

/** Bytes of the table that tell of the columns that the routine does at once. */
const groupBytes = 48;

function writeColumns(
  memory: DataView,
  table: number,
  columns: readonly Between[],
  { from, together }: { readonly from: number; readonly together: number },
): void {
  columns.forEach(({ first, shares }, column) => {
    const one = column % together;
    const start = columns[column - one]?.first ?? 0;
    const group = table + Math.floor(column / together) * groupBytes;
    if (one === 0) memory.setUint32(group, (start - from) * 2, true);
    // They lie within eight of the frame, but for rounding.
    const chosen = Math.min(first - start, 7) * 2;
    memory.setUint16(group + 16 + one * 2, chosen | ((chosen + 1) << 8), true);
    shares.forEach((share, other) => {
      memory.setInt16(group + 32 + (other * together + one) * 2, share, true);
    });
  });
}

function writeLines(
  memory: DataView,
  table: number,
  lines: readonly Between[],
  { across, down }: { readonly across: number; readonly down: number },
): void {
  let at = table;
  const write = (value: number): void => {
    memory.setUint32(at, value, true);
    at += 4;
  };
  for (const { first, shares } of lines) {
    for (let next = 0; next <= shares.length; next++)
      write(Math.min(first + next, down - 1) * across);
    for (const share of shares) write(share);
  }
}

/** Where the parts of the routine's memory begin, and where it ends; the frame's planes are first. */
type Parts = ReturnType<typeof partsFor>;

/** The routines read and write whole blocks of 16 values, beyond the end of a row. */
const spare = 16;

function partsFor(across: number, down: number, width: number, height: number) {
  const pixels = across * down;
  let end = pixels * 1.5 + spare;
  const next = (bytes: number): number => {
    const start = Math.ceil(end / 16) * 16;
    end = start + bytes;
    return start;
  };
  const parts = {
    y: next(pixels + spare),
    u: next(pixels + spare),
    v: next(pixels + spare),
    veil: next(across),
    cover: next(across),
    columns: next(Math.ceil(width / 16) * 2 * groupBytes),
    pairs: next(Math.ceil(width / 8) * groupBytes),
    lines: next(height * 12),
    pairsOfLines: next(height * 10),
    row: next((across + 2 * spare) * 2),
    result: next(width * height * 1.5 + spare),
  };
  return { ...parts, end };
}
