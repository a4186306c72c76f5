/** A sound as a file that everything reads: wav, one side, 16 bits. Pure. */
import { wavHead } from '../../../shared/wav.ts';

/** @param samples −1 to 1; what is louder is cut off. @param rate Samples a second. */
export function wavOf(samples: Float32Array, rate: number): ArrayBuffer {
  const head = wavHead(samples.length, { rate, channels: 1, sample: 'int16' });
  const bytes = new Uint8Array(head.length + samples.length * 2);
  bytes.set(head);
  const view = new DataView(bytes.buffer, head.length);
  samples.forEach((sample, index) => {
    const cut = Math.max(-1, Math.min(1, sample));
    view.setInt16(index * 2, Math.round(cut * 32_767), true);
  });
  return bytes.buffer;
}

/** The mean of all sides. */
export function oneSide(sides: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = sides;
  if (sides.length < 2) return first;
  return first.map(
    (_, index) => sides.reduce((sum, side) => sum + (side[index] ?? 0), 0) / sides.length,
  );
}

/** How loud a moment is for the eye: 0 (−60 dB or less) to 1 (as loud as can be). */
export function loudnessOf(samples: Float32Array): number {
  const most = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  const decibels = 20 * Math.log10(Math.max(most, 1e-6));
  return Math.max(0, Math.min(1, 1 + decibels / 60));
}
