/**
 * Keeps the true peaks of a stereo mix under a ceiling, inaudibly. Pure arithmetic on blocks of samples, used by
 * audio.ts.
 *
 * It looks ahead: the gain that the loudest moment of the coming window needs is spread over that window, so it arrives
 * smoothly and in time. A mix that never exceeds the ceiling passes bit for bit.
 */

/** A limiter with state: pass blocks in order. */
export interface Limiter {
  /** Delay of its output, in samples. */
  readonly delay: number;
  /** Replaces a block of interleaved stereo samples, of any length, by the limited samples `delay` earlier. */
  process(block: Float32Array): void;
}

const lookAheadSeconds = 0.005;
/** Time after which about two thirds of a reduction are released. */
const releaseSeconds = 0.15;
/**
 * True peak that is let through: −1.5 dB of full scale. The finished file may reach −1 dB; the difference is for AAC,
 * whose rounding moves peaks (docs/decisions/008-encoder-settings.md).
 */
export const ceiling = 10 ** (-1.5 / 20);

/** A limiter for `rate` samples per second; `highest` is the true peak that it lets through. */
export function createLimiter(rate: number, highest = ceiling): Limiter {
  const window = Math.round(lookAheadSeconds * rate);
  const recover = 1 - Math.exp(-1 / (releaseSeconds * rate));
  const peaks = createPeaks(highest);
  const delayed = new Float32Array(window * 2);
  /** Rings over the last `window` samples: the needed gain of each, and the gains after release. */
  const needed = new Float64Array(window).fill(1);
  const released = new Float64Array(window).fill(1);
  let at = 0;
  let least = 1;
  let held = 1;
  let sum = window;
  /** Samples since the gain was last below 1. */
  let calm = window;

  return {
    // A sample leaves after a whole window of gains, and its peak needs some later samples.
    delay: window - 1 + samplesAfter,
    process(block) {
      const { left, right, peak } = peaks.process(block);
      for (let index = 0; index < block.length / 2; index++) {
        const loudest = peak[index] ?? 0;
        const need = loudest > highest ? highest / loudest : 1;

        const leaving = needed[at] ?? 1;
        needed[at] = need;
        if (need <= least) least = need;
        else if (leaving === least && least < 1) least = minimum(needed);

        // Down at once, back up slowly; the mean of a window turns the way down into a slope that ends in time.
        held = Math.min(least, held + (1 - held) * recover);
        if (held > 0.99999) held = Math.min(least, 1);
        calm = held < 1 ? 0 : calm + 1;
        sum += held - (released[at] ?? 1);
        released[at] = held;
        // Floating-point sums drift; without a reduction the gain must be exactly 1.
        if (calm >= window) sum = window;
        else if (at === 0) sum = total(released);

        delayed[at * 2] = left[samplesBefore + index] ?? 0;
        delayed[at * 2 + 1] = right[samplesBefore + index] ?? 0;
        at = at + 1 === window ? 0 : at + 1;
        const gain = sum / window;
        block[index * 2] = (delayed[at * 2] ?? 0) * gain;
        block[index * 2 + 1] = (delayed[at * 2 + 1] ?? 0) * gain;
      }
    },
  };
}

function minimum(values: Float64Array): number {
  let least = 1;
  for (const value of values) if (value < least) least = value;
  return least;
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

// True peaks: the height of a wave between its samples, which a player's converter or an encoder will reach. Pure
// arithmetic. Four times oversampling as in ITU-R BS.1770-4, annex 2, with our own filters: a sinc with a Kaiser
// window.

/** How many samples a value between two samples is computed from. */
const peakTaps = 16;
/** Of these, the number before and after a sample for its peak. */
const samplesBefore = peakTaps / 2 - 1;
const samplesAfter = peakTaps / 2;
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
