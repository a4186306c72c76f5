/**
 * True peaks: the height of a wave between its samples, which a player's converter or an encoder will reach. Pure
 * arithmetic.
 *
 * Four times oversampling as in ITU-R BS.1770-4, annex 2, with our own filters: a sinc with a Kaiser window.
 */

/** How many samples a value between two samples is computed from. */
const peakTaps = 16;
/** Of these, the number before and after a sample for its peak. */
export const samplesBefore = peakTaps / 2 - 1;
export const samplesAfter = peakTaps / 2;
const oversampling = 4;
/** Shape of the window: 0.1 dB of ripple up to 18 kHz. */
const beta = 5;

/** Filters for the three places between two samples, one after the other. */
const filters: readonly Float64Array[] = Array.from({ length: oversampling - 1 }, (_, index) =>
  filterAt((index + 1) / oversampling),
);

/** No value between samples exceeds the largest sample by more than this factor. */
const largestOvershoot = Math.max(
  ...filters.map((filter) => filter.reduce((sum, tap) => sum + Math.abs(tap), 0)),
);

/**
 * The largest absolute value between two neighbouring samples.
 *
 * @param first Index of the first of `peakTaps` samples; the two neighbours are in the middle.
 */
function peakBetween(samples: Float32Array, first: number): number {
  let largest = 0;
  for (const filter of filters) {
    let value = 0;
    for (let tap = 0; tap < peakTaps; tap++)
      value += (samples[first + tap] ?? 0) * (filter[tap] ?? 0);
    largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}

function filterAt(fraction: number): Float64Array {
  const half = peakTaps / 2;
  const taps = Float64Array.from({ length: peakTaps }, (_, tap) => {
    const distance = tap - (half - 1) - fraction;
    const window = bessel(beta * Math.sqrt(1 - (distance / half) ** 2)) / bessel(beta);
    return (Math.sin(Math.PI * distance) / (Math.PI * distance)) * window;
  });
  // A constant must stay unchanged.
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

/** Modified Bessel function of the first kind, order 0, by its series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let index = 1; term > sum * 1e-12; index++) {
    term *= (x / (2 * index)) ** 2;
    sum += term;
  }
  return sum;
}

/** Samples of both channels, `samplesAfter` late, with the true peak around each. */
interface Peaks {
  /**
   * The sample that `peak[index]` belongs to is `left[samplesBefore + index]`; arrays are valid until the next call.
   */
  process(block: Float32Array): { left: Float32Array; right: Float32Array; peak: Float32Array };
}

/** Finds true peaks above a height; lower ones may be reported as the sample's own height. */
export function createPeaks(height: number): Peaks {
  const history = peakTaps - 1;
  /** Below this no value between samples can reach the height. */
  const harmless = height / largestOvershoot;
  let left = new Float32Array(history);
  let right = new Float32Array(history);
  let peak = new Float32Array(0);
  let length = 0;
  /** Samples to compute exactly after one that is not harmless. */
  let close = 0;
  return {
    process(block) {
      const count = block.length / 2;
      if (peak.length < count) {
        left = grown(left, length, history + count);
        right = grown(right, length, history + count);
        peak = new Float32Array(count);
      }
      // The previous block's last samples come first.
      left.copyWithin(0, length, length + history);
      right.copyWithin(0, length, length + history);
      length = count;
      for (let index = 0; index < count; index++) {
        left[history + index] = block[index * 2] ?? 0;
        right[history + index] = block[index * 2 + 1] ?? 0;
      }
      for (let index = 0; index < count; index++) {
        const newest = history + index;
        if (Math.max(Math.abs(left[newest] ?? 0), Math.abs(right[newest] ?? 0)) > harmless)
          close = peakTaps;
        let loudest = Math.max(
          Math.abs(left[index + samplesBefore] ?? 0),
          Math.abs(right[index + samplesBefore] ?? 0),
        );
        if (close > 0) {
          close--;
          loudest = Math.max(loudest, peakBetween(left, index), peakBetween(right, index));
        }
        peak[index] = loudest;
      }
      return { left, right, peak };
    },
  };
}

/** A longer copy; what is at `from` and after keeps its position. */
function grown(samples: Float32Array, from: number, length: number): Float32Array<ArrayBuffer> {
  const longer = new Float32Array(Math.max(length, samples.length));
  longer.set(samples.subarray(from), from);
  return longer;
}
