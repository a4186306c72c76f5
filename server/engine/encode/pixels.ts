/**
 * Converts the canvas's RGBA to yuv420p for the encoder, alone or over a video in yuv420p, with WebAssembly routines
 * (pixels.wasm.ts). Runs in the worker, once per changed frame. Knows neither ffmpeg nor timeline.
 */
import { openRoutines, type LayRows } from '../routines.ts';

/** A rectangle of the canvas in pixels. */
export interface PixelArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Converts frames of one size. */
export interface Converter {
  /**
   * BT.709, limited range, planes Y, U, V one after the other; U and V are the mean of each 2 x 2 block (sited in its
   * centre). Alpha is ignored: the canvas is opaque.
   *
   * @param rgba The pixels of `changed`, top row first, 4 bytes each.
   * @param changed The difference from the last call, on even borders (see evenArea); absent = everything. Must be
   * absent in the first call.
   * @returns A view of `width * height * 3 / 2` bytes, valid until `slots` more calls.
   */
  convert(rgba: Uint8Array, changed?: PixelArea): Uint8Array;
  /**
   * Sets the graphics that `compose` puts over grounds.
   *
   * @param rgba The whole canvas, multiplied by its alpha, top row first.
   * @param changed The difference from the last call, on even borders; absent = everything. */
  setGraphics(rgba: Uint8Array, changed?: PixelArea): void;
  /**
   * A ground with the graphics over it.
   *
   * @param ground Planes Y, U, V in BT.709, limited range, of the converter's size, without padding between rows.
   * @param bands Where graphics are, on even borders and one below the other; elsewhere the ground shows unchanged.
   * @returns As `convert`, which may go on from it.
   */
  compose(ground: Uint8Array, bands: readonly PixelArea[]): Uint8Array;
  /**
   * A part of the graphics with its own colours, not multiplied by alpha, for a program that puts them over a ground.
   *
   * @param area On even borders.
   * @returns Planes Y, U, V and alpha (yuva420p) of `area`, valid until `slots` more calls.
   */
  graphics(area: PixelArea): Uint8Array;
}

/** Rows copied into the routine's memory at a time: small enough to still be in the cache when read. */
const stripeRows = 64;

type ConvertRows = (
  rgba: number,
  rgbaStride: number,
  width: number,
  rows: number,
  y: number,
  yStride: number,
  u: number,
  v: number,
  chromaStride: number,
  pattern: number,
  left: number,
  top: number,
) => void;

type VeilRows = (
  rgba: number,
  rgbaStride: number,
  width: number,
  rows: number,
  y: number,
  cover: number,
  yStride: number,
  u: number,
  v: number,
  chromaCover: number,
  chromaStride: number,
) => void;

type StraightenRows = (
  own: number,
  cover: number,
  stride: number,
  width: number,
  rows: number,
  result: number,
) => void;

/**
 * The thresholds by which `isDithered` rounds: every 64th of a level once in 8 x 8 pixels, spread by Bayer's rule.
 * Mirrored, as the drawing library dithers gradients by the same rule, and two equal patterns would add up to bands.
 */
const thresholds = Int32Array.from({ length: 8 * 16 }, (_, index) => {
  const [row, column] = [index >> 4, 7 - (index & 7)];
  let place = 0;
  for (let bit = 0; bit < 3; bit++) {
    const [down, across] = [(row >> bit) & 1, (column >> bit) & 1];
    place = place * 4 + ((down ^ across) << 1) + down;
  }
  return (16 << 15) + ((2 * place + 1) << 8);
});

/** The routine writes whole blocks of 16 values, beyond the end of a row. */
const spare = 16;

/**
 * A converter for frames of `width` x `height`, both even.
 *
 * @param slots How many results stay valid at the same time (frames on their way to the encoder).
 * @param isDithered Spreads what rounding takes over the pixels around, where colours change: for gradients.
 * @throws Error if a side is odd or the routine was not built.
 */
export function createConverter(
  width: number,
  height: number,
  slots = 1,
  isDithered = false,
): Converter {
  if (width < 2 || height < 2 || width % 2 !== 0 || height % 2 !== 0) {
    throw new Error(
      `createConverter: width and height must be even and at least 2, found ${width} x ${height}`,
    );
  }
  const lumaSize = width * height;
  const chromaSize = lumaSize / 4;
  const frameSize = lumaSize + 2 * chromaSize;
  const stripeSize = width * 4 * stripeRows;
  /** Behind the first bytes, as 0 means none. */
  const pattern = isDithered ? stripeSize : 0;
  const firstSlot = stripeSize + (isDithered ? thresholds.byteLength : 0);

  // Untouched memory costs nothing: without a ground, the graphics' planes are free.
  const own = firstSlot + slots * frameSize;
  const cover = own + frameSize;
  const pictures = cover + lumaSize + chromaSize + spare;
  const pictureSize = frameSize + lumaSize + spare;
  const { bytes, routines } = openRoutines(pictures + slots * pictureSize);
  // The module is ours and has these exports.
  const convertRows = routines['convert'] as ConvertRows;
  const veilRows = routines['veil'] as VeilRows;
  const layRows = routines['lay'] as LayRows;
  const straightenRows = routines['straighten'] as StraightenRows;
  const stripe = bytes.subarray(0, stripeSize);
  if (isDithered) bytes.set(new Uint8Array(thresholds.buffer), pattern);
  const frames = Array.from({ length: slots }, (_, slot): Slot => {
    const start = firstSlot + slot * frameSize;
    return { start, view: bytes.subarray(start, start + frameSize), behind: null };
  });
  /**
   * The next frame's slot, brought up to the last one except for `changed`; absent = everything is about to be written.
   */
  const nextSlot = (changed?: PixelArea): Slot => {
    const last = frames[current];
    current = (current + 1) % slots;
    const frame = frames[current];
    if (!frame) throw new Error('convert: no slot');
    if (changed && !last) throw new Error('convert: the first frame has nothing to build on');
    if (changed && last && last !== frame) {
      const missing = frame.behind?.flatMap((area) => without(area, changed));
      if (!missing) frame.view.set(last.view);
      else for (const area of missing) copyArea(last, frame, area);
    }
    for (const other of frames) {
      if (changed) other.behind?.push(changed);
      else other.behind = null;
    }
    frame.behind = [];
    return frame;
  };
  const copyArea = (
    from: Slot,
    to: Slot,
    { left, top, width: across, height: down }: PixelArea,
  ) => {
    const copy = (plane: number, line: number, length: number, rows: number): void => {
      for (let row = 0; row < rows; row++) {
        const at = plane + row * line;
        bytes.copyWithin(to.start + at, from.start + at, from.start + at + length);
      }
    };
    const chroma = lumaSize + (top * width) / 4 + left / 2;
    copy(top * width + left, width, across, down);
    copy(chroma, width / 2, across / 2, down / 2);
    copy(chroma + chromaSize, width / 2, across / 2, down / 2);
  };
  let current = -1;
  let picture = -1;

  return {
    convert(rgba, changed) {
      const area = changed ?? { left: 0, top: 0, width, height };
      checkArea(area, rgba.length);
      const frame = nextSlot(changed);
      const rowBytes = area.width * 4;
      for (let row = 0; row < area.height; row += stripeRows) {
        const rows = Math.min(stripeRows, area.height - row);
        stripe.set(rgba.subarray(row * rowBytes, (row + rows) * rowBytes));
        const y = area.top + row;
        const luma = frame.start + y * width + area.left;
        const chroma = frame.start + lumaSize + (y * width) / 4 + area.left / 2;
        convertRows(
          0,
          rowBytes,
          area.width,
          rows,
          luma,
          width,
          chroma,
          chroma + chromaSize,
          width / 2,
          pattern,
          area.left,
          y,
        );
      }
      return frame.view;
    },

    setGraphics(rgba, changed) {
      const area = changed ?? { left: 0, top: 0, width, height };
      checkArea(area, area.width * area.height * 4);
      const rowBytes = area.width * 4;
      for (let row = 0; row < area.height; row += stripeRows) {
        const rows = Math.min(stripeRows, area.height - row);
        for (let line = 0; line < rows; line++) {
          const from = ((area.top + row + line) * width + area.left) * 4;
          stripe.set(rgba.subarray(from, from + rowBytes), line * rowBytes);
        }
        const luma = (area.top + row) * width + area.left;
        const chroma = lumaSize + ((area.top + row) * width) / 4 + area.left / 2;
        veilRows(
          0,
          rowBytes,
          area.width,
          rows,
          own + luma,
          cover + luma,
          width,
          own + chroma,
          own + chroma + chromaSize,
          cover + chroma,
          width / 2,
        );
      }
    },

    compose(ground, bands) {
      if (ground.length !== frameSize)
        throw new Error(`compose: expected ${frameSize} bytes, found ${ground.length}`);
      const frame = nextSlot();
      frame.view.set(ground);
      for (const band of bands) {
        checkArea(band, band.width * band.height * 4);
        const luma = band.top * width + band.left;
        layRows(frame.start + luma, own + luma, cover + luma, band.width, band.height, width);
        const chroma = lumaSize + (band.top * width) / 4 + band.left / 2;
        const half = [band.width / 2, band.height / 2, width / 2] as const;
        layRows(frame.start + chroma, own + chroma, cover + chroma, ...half);
        const red = chroma + chromaSize;
        layRows(frame.start + red, own + red, cover + chroma, ...half);
      }
      return frame.view;
    },

    graphics(area) {
      checkArea(area, area.width * area.height * 4);
      const size = area.width * area.height;
      picture = (picture + 1) % slots;
      const start = pictures + picture * pictureSize;
      const luma = area.top * width + area.left;
      const chroma = lumaSize + (area.top * width) / 4 + area.left / 2;
      const half = [width / 2, area.width / 2, area.height / 2] as const;
      const red = chroma + chromaSize;
      const alpha = start + size * 1.5;
      straightenRows(own + luma, cover + luma, width, area.width, area.height, start);
      straightenRows(own + chroma, cover + chroma, ...half, start + size);
      straightenRows(own + red, cover + chroma, ...half, start + size * 1.25);
      for (let row = 0; row < area.height; row++) {
        const from = cover + luma + row * width;
        bytes.copyWithin(alpha + row * area.width, from, from + area.width);
      }
      return bytes.subarray(start, start + size * 2.5);
    },
  };
}

/** A finished frame in a routine's memory. */
interface Slot {
  readonly start: number;
  readonly view: Uint8Array;
  /** Where frames after it changed; null = everywhere. */
  behind: PixelArea[] | null;
}

/** The parts of an area that are not in another one, at most four. */
function without(area: PixelArea, other: PixelArea): PixelArea[] {
  const [right, bottom] = [area.left + area.width, area.top + area.height];
  const from = Math.max(area.left, other.left);
  const to = Math.min(right, other.left + other.width);
  const above = Math.max(area.top, other.top);
  const below = Math.min(bottom, other.top + other.height);
  if (from >= to || above >= below) return [area];
  const height = below - above;
  return [
    { ...area, height: above - area.top },
    { ...area, top: below, height: bottom - below },
    { left: area.left, top: above, width: from - area.left, height },
    { left: to, top: above, width: right - to, height },
  ].filter((part) => part.width > 0 && part.height > 0);
}

/** An area widened to whole 2 x 2 blocks and clipped to a frame with even sides. */
export function evenArea(area: PixelArea, width: number, height: number): PixelArea {
  const down = (value: number): number => Math.max(0, Math.floor(value / 2) * 2);
  const up = (value: number, limit: number): number => Math.min(limit, Math.ceil(value / 2) * 2);
  const left = down(area.left);
  const top = down(area.top);
  return {
    left,
    top,
    width: Math.max(0, up(area.left + area.width, width) - left),
    height: Math.max(0, up(area.top + area.height, height) - top),
  };
}

/** Wrong sizes would overwrite other planes. */
function checkArea({ left, top, width, height }: PixelArea, bytes: number): void {
  if ([left, top, width, height].some((value) => value % 2 !== 0)) {
    throw new Error(
      `convert: expected an area on even borders, found ${left},${top} ${width} x ${height}`,
    );
  }
  if (bytes !== width * height * 4) {
    throw new Error(
      `convert: expected ${width * height * 4} bytes for ${width} x ${height}, found ${bytes}`,
    );
  }
}
