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

/** Rows copied into the routine's memory at a time: small enough to still be in the cache when read. */
const stripeRows = 64;

/** What pixels.wasm.ts exports. */
interface PixelRoutines {
  readonly convert: (
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
  readonly veil: (
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
  readonly lay: LayRows;
  readonly straighten: (
    own: number,
    cover: number,
    stride: number,
    width: number,
    rows: number,
    result: number,
  ) => void;
}

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

/** Converts frames of one size. */
export class Converter {
  readonly #width: number;
  readonly #height: number;
  readonly #slots: number;
  /** Bytes of Y, of U or V, and of a frame. */
  readonly #lumaSize: number;
  readonly #chromaSize: number;
  readonly #frameSize: number;
  /** Where the thresholds are: behind the first bytes, as 0 means none. */
  readonly #pattern: number;
  /** Where the graphics' planes and their cover are. */
  readonly #own: number;
  readonly #cover: number;
  /** Where the results of `graphics` are, and the bytes of one. */
  readonly #pictures: number;
  readonly #pictureSize: number;
  readonly #bytes: Uint8Array;
  readonly #stripe: Uint8Array;
  readonly #routines: PixelRoutines;
  readonly #frames: readonly Slot[];
  #current = -1;
  #picture = -1;

  /**
   * @param width Even, as `height`.
   * @param slots How many results stay valid at the same time (frames on their way to the encoder).
   * @param isDithered Spreads what rounding takes over the pixels around, where colours change: for gradients.
   * @throws Error if a side is odd or the routine was not built.
   */
  constructor(width: number, height: number, slots = 1, isDithered = false) {
    if (width < 2 || height < 2 || width % 2 !== 0 || height % 2 !== 0) {
      throw new Error(
        `Converter: width and height must be even and at least 2, found ${width} x ${height}`,
      );
    }
    this.#width = width;
    this.#height = height;
    this.#slots = slots;
    this.#lumaSize = width * height;
    this.#chromaSize = this.#lumaSize / 4;
    const frameSize = this.#lumaSize + 2 * this.#chromaSize;
    this.#frameSize = frameSize;
    const stripeSize = width * 4 * stripeRows;
    this.#pattern = isDithered ? stripeSize : 0;
    const firstSlot = stripeSize + (isDithered ? thresholds.byteLength : 0);
    // Untouched memory costs nothing: without a ground, the graphics' planes are free.
    this.#own = firstSlot + slots * frameSize;
    this.#cover = this.#own + frameSize;
    this.#pictures = this.#cover + this.#lumaSize + this.#chromaSize + spare;
    this.#pictureSize = frameSize + this.#lumaSize + spare;
    const { bytes, routines } = openRoutines(this.#pictures + slots * this.#pictureSize);
    this.#bytes = bytes;
    // The module is ours and has these exports.
    this.#routines = routines as unknown as PixelRoutines;
    this.#stripe = bytes.subarray(0, stripeSize);
    if (isDithered) bytes.set(new Uint8Array(thresholds.buffer), this.#pattern);
    this.#frames = Array.from({ length: slots }, (_, slot): Slot => {
      const start = firstSlot + slot * frameSize;
      return { start, view: bytes.subarray(start, start + frameSize), behind: null };
    });
  }

  /**
   * BT.709, limited range, planes Y, U, V one after the other; U and V are the mean of each 2 x 2 block (sited in its
   * centre). Alpha is ignored: the canvas is opaque.
   *
   * @param rgba The pixels of `changed`, top row first, 4 bytes each.
   * @param changed The difference from the last call, on even borders (see evenArea); absent = everything. Must be
   * absent in the first call.
   * @returns A view of `width * height * 3 / 2` bytes, valid until `slots` more calls.
   */
  convert(rgba: Uint8Array, changed?: PixelArea): Uint8Array {
    const area = changed ?? this.#whole;
    checkArea(area, rgba.length);
    const { start, view } = this.#nextSlot(changed);
    const rowBytes = area.width * 4;
    for (let row = 0; row < area.height; row += stripeRows) {
      const rows = Math.min(stripeRows, area.height - row);
      this.#stripe.set(rgba.subarray(row * rowBytes, (row + rows) * rowBytes));
      const y = area.top + row;
      const chroma = start + this.#chromaAt(area.left, y);
      this.#routines.convert(
        0,
        rowBytes,
        area.width,
        rows,
        start + this.#lumaAt(area.left, y),
        this.#width,
        chroma,
        chroma + this.#chromaSize,
        this.#width / 2,
        this.#pattern,
        area.left,
        y,
      );
    }
    return view;
  }

  /**
   * Sets the graphics that `compose` puts over grounds.
   *
   * @param rgba The whole canvas, multiplied by its alpha, top row first.
   * @param changed The difference from the last call, on even borders; absent = everything.
   */
  setGraphics(rgba: Uint8Array, changed?: PixelArea): void {
    const area = changed ?? this.#whole;
    checkArea(area, area.width * area.height * 4);
    const rowBytes = area.width * 4;
    for (let row = 0; row < area.height; row += stripeRows) {
      const rows = Math.min(stripeRows, area.height - row);
      const y = area.top + row;
      for (let line = 0; line < rows; line++) {
        const from = this.#lumaAt(area.left, y + line) * 4;
        this.#stripe.set(rgba.subarray(from, from + rowBytes), line * rowBytes);
      }
      const luma = this.#lumaAt(area.left, y);
      const chroma = this.#chromaAt(area.left, y);
      this.#routines.veil(
        0,
        rowBytes,
        area.width,
        rows,
        this.#own + luma,
        this.#cover + luma,
        this.#width,
        this.#own + chroma,
        this.#own + chroma + this.#chromaSize,
        this.#cover + chroma,
        this.#width / 2,
      );
    }
  }

  /**
   * A ground with the graphics over it.
   *
   * @param ground Planes Y, U, V in BT.709, limited range, of the converter's size, without padding between rows.
   * @param bands Where graphics are, on even borders and one below the other; elsewhere the ground shows unchanged.
   * @returns As `convert`, which may go on from it.
   */
  compose(ground: Uint8Array, bands: readonly PixelArea[]): Uint8Array {
    if (ground.length !== this.#frameSize)
      throw new Error(`compose: expected ${this.#frameSize} bytes, found ${ground.length}`);
    const { lay } = this.#routines;
    const own = this.#own;
    const cover = this.#cover;
    const { start, view } = this.#nextSlot();
    view.set(ground);
    for (const { left, top, width, height } of bands) {
      checkArea({ left, top, width, height }, width * height * 4);
      const luma = this.#lumaAt(left, top);
      lay(start + luma, own + luma, cover + luma, width, height, this.#width);
      const chroma = this.#chromaAt(left, top);
      const half = [width / 2, height / 2, this.#width / 2] as const;
      lay(start + chroma, own + chroma, cover + chroma, ...half);
      const red = chroma + this.#chromaSize;
      lay(start + red, own + red, cover + chroma, ...half);
    }
    return view;
  }

  /**
   * A part of the graphics with its own colours, not multiplied by alpha, for a program that puts them over a ground.
   *
   * @param area On even borders.
   * @returns Planes Y, U, V and alpha (yuva420p) of `area`, valid until `slots` more calls.
   */
  graphics(area: PixelArea): Uint8Array {
    checkArea(area, area.width * area.height * 4);
    const { straighten } = this.#routines;
    const own = this.#own;
    const cover = this.#cover;
    const size = area.width * area.height;
    this.#picture = (this.#picture + 1) % this.#slots;
    const start = this.#pictures + this.#picture * this.#pictureSize;
    const luma = this.#lumaAt(area.left, area.top);
    const chroma = this.#chromaAt(area.left, area.top);
    const half = [this.#width / 2, area.width / 2, area.height / 2] as const;
    const red = chroma + this.#chromaSize;
    const alpha = start + size * 1.5;
    straighten(own + luma, cover + luma, this.#width, area.width, area.height, start);
    straighten(own + chroma, cover + chroma, ...half, start + size);
    straighten(own + red, cover + chroma, ...half, start + size * 1.25);
    this.#copyRows(cover + luma, this.#width, alpha, area.width, area.width, area.height);
    return this.#bytes.subarray(start, start + size * 2.5);
  }

  get #whole(): PixelArea {
    return { left: 0, top: 0, width: this.#width, height: this.#height };
  }

  /** Bytes from a frame's beginning to a pixel in Y, and to that in U. */
  #lumaAt(left: number, top: number): number {
    return top * this.#width + left;
  }

  #chromaAt(left: number, top: number): number {
    return this.#lumaSize + (top * this.#width) / 4 + left / 2;
  }

  /**
   * The next frame's slot, brought up to the last one except for `changed`; absent = everything is about to be written.
   */
  #nextSlot(changed?: PixelArea): Slot {
    const last = this.#frames[this.#current];
    this.#current = (this.#current + 1) % this.#slots;
    const frame = this.#frames[this.#current];
    if (!frame) throw new Error('convert: no slot');
    if (changed && !last) throw new Error('convert: the first frame has nothing to build on');
    if (changed && last && last !== frame) {
      const missing = frame.behind?.flatMap((area) => without(area, changed));
      if (!missing) frame.view.set(last.view);
      else for (const area of missing) this.#copyArea(last, frame, area);
    }
    for (const other of this.#frames) {
      if (changed) other.behind?.push(changed);
      else other.behind = null;
    }
    frame.behind = [];
    return frame;
  }

  #copyArea(from: Slot, to: Slot, { left, top, width, height }: PixelArea): void {
    const copy = (plane: number, line: number, length: number, rows: number): void =>
      this.#copyRows(from.start + plane, line, to.start + plane, line, length, rows);
    const chroma = this.#chromaAt(left, top);
    copy(this.#lumaAt(left, top), this.#width, width, height);
    copy(chroma, this.#width / 2, width / 2, height / 2);
    copy(chroma + this.#chromaSize, this.#width / 2, width / 2, height / 2);
  }

  /** @param fromLine Bytes from one row to the next. */
  #copyRows(
    from: number,
    fromLine: number,
    to: number,
    toLine: number,
    length: number,
    rows: number,
  ): void {
    for (let row = 0; row < rows; row++) {
      const start = from + row * fromLine;
      this.#bytes.copyWithin(to + row * toLine, start, start + length);
    }
  }
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
