/**
 * Converts a video's planes to RGBA for painting with WebAssembly routines: those in BT.709 exact to half a level,
 * where ffmpeg's exact routine takes 13 ms per 1080p frame; those of high dynamic range or other primaries exact to a
 * level, where a table of ffmpeg's would be 40 off. Runs in the worker.
 */
import { openRoutines, type Standardize, type ToRgba } from '../../routines.ts';
import { colorSteps, type WideColors } from './video-standard.ts';

/** Converts frames of any size, one after the other. */
export interface VideoColors {
  /**
   * Opaque RGBA of planes Y, U, V in BT.709, limited range.
   *
   * @returns Valid until the next call.
   */
  toRgba(planes: Uint8Array, width: number, height: number): Uint8Array;
  /**
   * RGBA in BT.709 of planes green, blue, red (and opacity) in 16 bits, full range, of a kind of colours.
   *
   * @returns Valid until the next call.
   */
  toStandard(planes: Uint8Array, pixels: number, kind: WideColors, hasAlpha: boolean): Uint8Array;
}

/** Opens the conversion; it keeps memory for the largest frame. */
export function createVideoColors(): VideoColors {
  let size = 0;
  let bytes: Uint8Array = new Uint8Array(0);
  let convert: ToRgba = () => undefined;
  const standards = new Map<string, Standard>();
  return {
    toStandard(planes, pixels, kind, hasAlpha) {
      const key = `${kind.hdr ?? ''} ${kind.primaries ?? ''}`;
      let standard = standards.get(key);
      if (!standard || standard.pixels < pixels)
        standards.set(key, (standard = openStandard(kind, pixels)));
      return standard.convert(planes, pixels, hasAlpha);
    },
    toRgba(planes, width, height) {
      const pixels = width * height;
      if (pixels > size) {
        const opened = openRoutines(pixels * 5.5);
        bytes = opened.bytes;
        // The module is ours and has this export.
        convert = opened.routines['toRgba'] as ToRgba;
        size = pixels;
      }
      bytes.set(planes);
      const rgba = pixels * 1.5;
      convert(0, pixels, pixels * 1.25, width, height, rgba);
      return bytes.subarray(rgba, rgba + pixels * 4);
    },
  };
}

/** A conversion of one kind of colours with room for so many pixels. */
interface Standard {
  readonly pixels: number;
  readonly convert: (planes: Uint8Array, pixels: number, hasAlpha: boolean) => Uint8Array;
}

/** Entries of a curve's table, as in standard.wasm.ts. */
const entries = 65536;

/**
 * The number in the middle of those that an entry of a table stands for: 32-bit floats with the same upper 16 bits
 * after the sign.
 */
const middles = (() => {
  const bits = Uint32Array.from({ length: entries }, (_, index) => index * 32768 + 16384);
  return new Float32Array(bits.buffer);
})();

function openStandard(kind: WideColors, pixels: number): Standard {
  const { light, luminance, gain, bend, matrix, store } = colorSteps(kind);
  const [curves, stored, numbers] = [entries * 12, entries, 12 * 4];
  const planesAt = curves + stored + numbers;
  const { bytes, routines } = openRoutines(planesAt + pixels * 12);
  const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
  const tables = new Float32Array(bytes.buffer, 0, entries * 3);
  for (let index = 0; index < entries; index++) {
    const middle = middles[index] ?? 0;
    tables[index] = light(index / (entries - 1));
    tables[entries + index] = finite(gain(middle));
    tables[2 * entries + index] = finite(bend(middle));
    bytes[curves + index] = middle > 1 ? 255 : Math.round(255 * store(finite(middle)));
  }
  new Float32Array(bytes.buffer, curves + stored, 12).set([...matrix, ...luminance]);
  // The module is ours and has this export.
  const standardize = routines['standardize'] as Standardize;
  return {
    pixels,
    convert(planes, count, hasAlpha) {
      bytes.set(planes, planesAt);
      const rgba = planesAt + pixels * 8;
      standardize(0, planesAt, count, hasAlpha ? 1 : 0, rgba);
      return bytes.subarray(rgba, rgba + count * 4);
    },
  };
}
