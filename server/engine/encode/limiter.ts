/**
 * Keeps the true peaks of a stereo mix under a ceiling, inaudibly. Pure arithmetic on blocks of samples, used by
 * audio.ts.
 *
 * It looks ahead: the gain that the loudest moment of the coming window needs is spread over that window, so it arrives
 * smoothly and in time. A mix that never exceeds the ceiling passes bit for bit.
 */
import { createPeaks, samplesAfter, samplesBefore } from './true-peak.ts';

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
