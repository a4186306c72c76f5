/** A sound as a file that everything reads: wav, one side, 16 bits. Pure. */

/** @param samples −1 to 1; what is louder is cut off. @param rate Samples a second. */
export function wavOf(samples: Float32Array, rate: number): ArrayBuffer {
  const head = 44;
  const bytes = new DataView(new ArrayBuffer(head + samples.length * 2));
  const word = (at: number, text: string): void => {
    for (const [index, letter] of Array.from(text).entries())
      bytes.setUint8(at + index, letter.charCodeAt(0));
  };
  word(0, 'RIFF');
  bytes.setUint32(4, head - 8 + samples.length * 2, true);
  word(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, rate * 2, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  word(36, 'data');
  bytes.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => {
    const cut = Math.max(-1, Math.min(1, sample));
    bytes.setInt16(head + index * 2, Math.round(cut * 32_767), true);
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
