/**
 * Changes speed but not pitch, at a speed that varies over time. Runs in the worker, for sounds whose `speed` has
 * keyframes; ffmpeg handles a constant speed (`tempo` in arguments.ts), but can't follow a curve.
 *
 * Waveform-similarity overlap-add (Verhelst and Roelands, 1993): short windows of the file, each taken where the speed
 * puts it, but moved by up to 5 ms to continue the last window's wave, so that nothing beats or buzzes. At the recorded
 * speed every window continues exactly and the sound is unchanged.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { readSamples, wavHeader, writeSamples, type Decoded, soundRate } from './wav.ts';

/** Samples from one window to the next; a window is twice as long (20 ms). */
const hop = Math.round(0.01 * soundRate);
/** Samples by which a window may be moved: half of the 10 ms by which sound and picture may differ. */
const reach = Math.round(0.005 * soundRate);
/** The step between positions, and between samples, of the first search; then the neighbours of the best are tried. */
const coarse = 6;

/** A raised cosine; two that overlap by half add up to 1. */
const window = Float32Array.from(
  { length: 2 * hop },
  (_, index) => 0.5 - 0.5 * Math.cos((Math.PI * (index + 0.5)) / hop),
);

/** What is stretched. */
interface StretchOptions {
  /** Samples of the output. */
  readonly length: number;
  /** The file position, in samples, heard at a sample of the output; positions outside the file are silent. */
  readonly placeAt: (sample: number) => number;
  /** If set, positions wrap around at this many samples (may be fractional), for loops. */
  readonly pass: number | null;
  readonly signal: AbortSignal;
}

/** Writes a stretched copy of a decoded sound as a wav. */
export async function stretch(
  decoded: Decoded,
  filePath: string,
  { length, placeAt, pass, signal }: StretchOptions,
): Promise<Decoded> {
  const { channels } = decoded;
  await using source = await open(decoded.path, 'r');
  await using target = await open(filePath, 'w');
  await target.write(wavHeader(length));
  const reader = new Reader(source, decoded, pass);
  /** The second half of the last window, added to the first half of the next. */
  let tail = new Float32Array(hop * channels);
  /** Where the last window would have continued. */
  let next = Math.round(placeAt(0)) - hop;
  const batch = new Float32Array(64 * hop * 2);
  let filled = 0;
  let written = 0;
  for (let done = -hop; done < length; done += hop) {
    // The window's middle is heard at `done + hop`; the first one begins before the output.
    const ideal = Math.round(placeAt(done + hop)) - hop;
    const moved = done < 0 ? 0 : await bestMove(reader, channels, ideal, next);
    const part = await reader.read(ideal + moved, 2 * hop);
    next = ideal + moved + hop;
    const joined = new Float32Array(hop * channels);
    const following = new Float32Array(hop * channels);
    for (let index = 0; index < hop; index++) {
      for (let channel = 0; channel < channels; channel++) {
        const at = index * channels + channel;
        joined[at] = (tail[at] ?? 0) + (part[at] ?? 0) * (window[index] ?? 0);
        following[at] = (part[hop * channels + at] ?? 0) * (window[hop + index] ?? 0);
      }
    }
    tail = following;
    if (done < 0) continue;
    for (let index = 0; index < Math.min(hop, length - done); index++, filled += 2) {
      batch[filled] = joined[index * channels] ?? 0;
      batch[filled + 1] = joined[index * channels + channels - 1] ?? 0;
    }
    if (filled + 2 * hop > batch.length || done + hop >= length) {
      signal.throwIfAborted();
      await writeSamples(target, batch.subarray(0, filled));
      written += filled / 2;
      filled = 0;
    }
  }
  return { path: filePath, offset: 58, channels: 2, length: written };
}

/** By how many samples to move a window so that its first half best matches the continuation of the last one. */
async function bestMove(
  reader: Reader,
  channels: number,
  ideal: number,
  next: number,
): Promise<number> {
  if (next === ideal) return 0;
  const wanted = mono(await reader.read(next, hop), channels);
  const around = mono(await reader.read(ideal - reach, hop + 2 * reach), channels);
  const likeness = (move: number, step: number): number => {
    let [product, energy] = [0, 1e-9];
    for (let index = 0; index < hop; index += step) {
      const value = around[index + move + reach] ?? 0;
      product += value * (wanted[index] ?? 0);
      energy += value * value;
    }
    return product / Math.sqrt(energy);
  };
  let best = 0;
  let most = likeness(0, coarse);
  for (let move = -reach; move <= reach; move += coarse) {
    const like = likeness(move, coarse);
    if (like > most) [best, most] = [move, like];
  }
  const middle = best;
  most = likeness(middle, 1);
  const from = Math.max(-reach, middle - coarse + 1);
  for (let move = from; move < Math.min(reach, middle + coarse); move++) {
    const like = likeness(move, 1);
    if (like > most) [best, most] = [move, like];
  }
  return best;
}

function mono(samples: Float32Array, channels: number): Float32Array {
  if (channels === 1) return samples;
  return Float32Array.from(
    { length: samples.length / 2 },
    (_, index) => (samples[index * 2] ?? 0) + (samples[index * 2 + 1] ?? 0),
  );
}

/** Reads nearby stretches of a file without accessing the disk each time. */
class Reader {
  readonly #file: FileHandle;
  readonly #decoded: Decoded;
  readonly #pass: number | null;
  #from = 0;
  #kept = new Float32Array(0);

  constructor(file: FileHandle, decoded: Decoded, pass: number | null) {
    this.#file = file;
    this.#decoded = decoded;
    this.#pass = pass;
  }

  /** Interleaved samples; silence outside the file. */
  async read(first: number, count: number): Promise<Float32Array> {
    const { channels } = this.#decoded;
    const result = new Float32Array(count * channels);
    for (let done = 0; done < count;) {
      const { place, left } = this.#placeOf(first + done);
      const length = Math.min(count - done, left);
      await this.#copy(place, length, result.subarray(done * channels, (done + length) * channels));
      done += length;
    }
    return result;
  }

  /** The position in the file, and how many samples follow before a loop restarts. */
  #placeOf(at: number): { place: number; left: number } {
    if (this.#pass === null || at < 0) return { place: at, left: at < 0 ? -at : Infinity };
    const number = Math.floor((at + 0.5) / this.#pass);
    const begin = Math.round(number * this.#pass);
    const end = Math.round((number + 1) * this.#pass);
    return { place: at - begin, left: Math.max(1, end - at) };
  }

  async #copy(place: number, count: number, into: Float32Array): Promise<void> {
    const { channels, length } = this.#decoded;
    const from = Math.max(0, place);
    const to = Math.min(length, place + count);
    if (from >= to) return;
    const kept = this.#kept.length / channels;
    if (from < this.#from || to > this.#from + kept) {
      const start = Math.max(0, from - 8 * hop);
      const end = Math.min(length, Math.max(to, start + 65_536));
      this.#kept = new Float32Array((end - start) * channels);
      this.#from = start;
      await readSamples(this.#file, this.#decoded, start, this.#kept);
    }
    const begin = (from - this.#from) * channels;
    into.set(this.#kept.subarray(begin, begin + (to - from) * channels), (from - place) * channels);
  }
}
