/**
 * Enlarges a video's planes over the output with a WebAssembly routine (encode/enlarge.wasm.ts): what the canvas would draw,
 * but for rounding. ffmpeg enlarges plane by plane, which shows at hard coloured edges. Runs in the worker.
 */
import type { Rect } from '../../../../shared/engine/geometry.ts';
import { openRoutines, type LayRows, type Routines, type ToRgba } from '../../routines.ts';
import type { PlanarFrame } from './video-clip.ts';
import type { Veil } from './video-decoder.ts';

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
  rgba: number,
  width: number,
  columns: number,
  columnShares: number,
  lines: number,
  row: number,
  pair: number,
  wide: number,
  high: number,
  y: number,
  u: number,
  v: number,
) => void;

/** Where a column or row of the output lies between two of the frame. */
interface Between {
  /** The one before; the other is the next one. */
  readonly first: number;
  /** Share of the other, in 1/32768. */
  readonly share: number;
}

/** The part of a frame that shows, on even rows, and where each pixel of the output lies in it. */
interface Placing {
  readonly left: number;
  readonly right: number;
  readonly upper: number;
  readonly lower: number;
  readonly columns: readonly Between[];
  readonly lines: readonly Between[];
}

/** Opens an enlarger for outputs of `width` × `height`, both even; it keeps memory for a frame. */
export function createEnlarger(width: number, height: number): VideoEnlarger {
  let opened: (Routines & { readonly parts: Parts; readonly size: string }) | null = null;
  let placing: (Placing & { readonly place: string }) | null = null;
  /** The routines, with the tables for a place in their memory. */
  const ready = (
    across: number,
    down: number,
    place: Rect,
  ): Routines & Placing & { parts: Parts } => {
    const size = `${across} × ${down}`;
    if (opened?.size !== size) {
      const parts = partsFor(across, down, width, height);
      opened = { ...openRoutines(parts.end), parts, size };
      placing = null;
    }
    const at = Object.values(place).join();
    if (placing?.place !== at) {
      placing = { ...placingOf(across, down, width, height, place), place: at };
      writeTables(opened.bytes, opened.parts, placing, across);
    }
    return { ...opened, ...placing };
  };
  return {
    enlarge({ planes, width: across, height: down }, place, veil) {
      const { bytes, routines, parts, left, right, upper, lower } = ready(across, down, place);
      // The module is ours and has these exports.
      const toRgba = routines['toRgba'] as ToRgba;
      const lay = routines['lay'] as LayRows;
      const enlarge = routines['enlarge'] as Enlarge;
      bytes.set(planes);
      const pixels = across * down;
      const above = upper * across;
      const [u, v] = [pixels + above / 4, pixels * 1.25 + above / 4];
      toRgba(above, u, v, across, lower - upper, parts.rgba + above * 4);
      if (veil) {
        writeVeil(bytes, parts, veil, across);
        for (let line = upper; line < lower; line++)
          lay(parts.rgba + line * across * 4, parts.veil, parts.cover, across * 4, 1, 0);
      }
      const luma = width * height;
      enlarge(
        parts.rgba + left * 4,
        right - left,
        parts.columns,
        parts.columnShares,
        parts.lines,
        parts.row,
        parts.pair,
        width,
        height,
        parts.result,
        parts.result + luma,
        parts.result + luma * 1.25,
      );
      return bytes.subarray(parts.result, parts.result + luma * 1.5);
    },
  };
}

function placingOf(
  across: number,
  down: number,
  width: number,
  height: number,
  place: Rect,
): Placing {
  const columns = betweens(width, across, place.x, place.width);
  const lines = betweens(height, down, place.y, place.height);
  const after = (last: Between | undefined): number => (last?.first ?? 0) + 2;
  return {
    left: columns[0]?.first ?? 0,
    right: Math.min(across, after(columns.at(-1))),
    upper: Math.floor((lines[0]?.first ?? 0) / 2) * 2,
    lower: Math.min(down, Math.ceil(after(lines.at(-1)) / 2) * 2),
    columns,
    lines,
  };
}

/**
 * For each pixel of a side of the output, the two pixels of the frame around its middle. Beyond the frame's edge its last
 * pixel goes on. Shares are whole sixteenths, cut off, as the canvas has them.
 *
 * @param count Pixels of the output's side.
 * @param own Those of the frame's.
 * @param start The frame's edge on the output, and its length there, pixels.
 */
function betweens(count: number, own: number, start: number, length: number): Between[] {
  return Array.from({ length: count }, (_, pixel) => {
    const middle = ((pixel + 0.5 - start) * own) / length - 0.5;
    const inside = Math.max(0, Math.min(own - 1, middle));
    const first = Math.floor(inside);
    return { first, share: Math.floor((inside - first) * 16) * 2048 };
  });
}

/** Writes where each column and row of the output lies, as the routine reads it. */
function writeTables(
  bytes: Uint8Array,
  parts: Parts,
  { columns, lines, left, lower }: Placing,
  across: number,
): void {
  const table = new DataView(bytes.buffer, bytes.byteOffset);
  columns.forEach(({ first, share }, column) => {
    table.setUint32(parts.columns + column * 4, (first - left) * 8, true);
    for (let channel = 0; channel < 4; channel++)
      table.setInt16(parts.columnShares + column * 8 + channel * 2, share, true);
  });
  lines.forEach(({ first, share }, line) => {
    const next = Math.min(first + 1, lower - 1);
    table.setUint32(parts.lines + line * 12, first * across * 4, true);
    table.setUint32(parts.lines + line * 12 + 4, next * across * 4, true);
    table.setUint32(parts.lines + line * 12 + 8, share, true);
  });
}

/** Writes a row of a colour, multiplied by its opacity, and of what that covers. */
function writeVeil(bytes: Uint8Array, parts: Parts, veil: Veil, across: number): void {
  const [red, green, blue, opacity] = veil;
  const own = [red, green, blue, 0].map((value) => Math.round(value * opacity));
  const covered = Math.round(opacity * 255);
  const cover = [covered, covered, covered, 0];
  for (let at = 0; at < across * 4; at++) {
    bytes[parts.veil + at] = own[at % 4] ?? 0;
    bytes[parts.cover + at] = cover[at % 4] ?? 0;
  }
}

/** Where the parts of the routine's memory begin, and where it ends; the frame's planes are first. */
type Parts = ReturnType<typeof partsFor>;

function partsFor(across: number, down: number, width: number, height: number) {
  const pixels = across * down;
  let end = pixels * 1.5;
  const next = (bytes: number): number => {
    const start = Math.ceil(end / 16) * 16;
    end = start + bytes;
    return start;
  };
  const parts = {
    rgba: next(pixels * 4),
    veil: next(across * 4),
    cover: next(across * 4),
    columns: next(width * 4),
    columnShares: next(width * 8),
    lines: next(height * 12),
    // Only what shows of a row is mixed: at most two more columns than the output has, and the last one twice.
    row: next((width + 3) * 8),
    pair: next(width * 8),
    result: next(width * height * 1.5),
  };
  return { ...parts, end };
}
