/**
 * How loud a sound is, in LUFS: ITU-R BS.1770 as EBU R 128 uses it. Two filters that hear like a head, mean squares of
 * 0.4 s, and gates that leave pauses out. Pure arithmetic on blocks of samples.
 */
import { soundRate } from './wav.ts';

/** Coefficients at 48 kHz: b0, b1, b2, a1, a2. */
const shelf = [
  1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585,
] as const;
const highPass = [1, -2, 1, -1.99004745483398, 0.99007225036621] as const;

/** A block of 0.4 s starts every 0.1 s. */
const hop = soundRate / 10;
const hopsPerBlock = 4;
/** LUFS of silence, and LU under the mean of what is louder, that count as a pause. */
const absoluteGate = -70;
const relativeGate = -10;

/** Measures stereo at soundRate: pass blocks in order. */
export interface LoudnessMeter {
  process(block: Float32Array): void;
  /** Of all so far, in LUFS; −Infinity for silence. */
  loudness(): number;
}

/** A meter that has heard nothing yet. */
export function createLoudnessMeter(): LoudnessMeter {
  const [headLeft, lowLeft] = [biquad(shelf), biquad(highPass)];
  const [headRight, lowRight] = [biquad(shelf), biquad(highPass)];
  /** Mean squares of both sides together, for each hop. */
  const powers: number[] = [];
  let [sum, count] = [0, 0];
  return {
    process(block) {
      for (let at = 0; at < block.length; at += 2) {
        sum += lowLeft(headLeft(block[at] ?? 0)) ** 2;
        sum += lowRight(headRight(block[at + 1] ?? 0)) ** 2;
        if (++count < hop) continue;
        powers.push(sum / hop);
        [sum, count] = [0, 0];
      }
    },
    // A sound shorter than a hop is one.
    loudness: () => gated(powers.length === 0 && count > 0 ? [sum / count] : powers),
  };
}

/** A filter of the second order, with state. */
function biquad([b0, b1, b2, a1, a2]: typeof shelf | typeof highPass): (value: number) => number {
  let [first, second] = [0, 0];
  return (value) => {
    const result = b0 * value + first;
    first = b1 * value - a1 * result + second;
    second = b2 * value - a2 * result;
    return result;
  };
}

/** @param powers Of each hop. A sound shorter than a block is one. */
function gated(powers: readonly number[]): number {
  const blocks = Array.from({ length: Math.max(1, powers.length - hopsPerBlock + 1) }, (_, first) =>
    mean(powers.slice(first, first + hopsPerBlock)),
  ).filter((power) => lufs(power) > absoluteGate);
  const gate = lufs(mean(blocks)) + relativeGate;
  return lufs(mean(blocks.filter((power) => lufs(power) > gate)));
}

const lufs = (power: number): number => 10 * Math.log10(power) - 0.691;

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
