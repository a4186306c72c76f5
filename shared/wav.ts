/** The head of wav files: sound that everything reads, for recognisers, voices and our own mix. */

/** How samples are written: rate in Hz; whole numbers of 16 bits, or 32-bit floating point. */
export interface WavForm {
  readonly rate: number;
  readonly channels: number;
  readonly sample: 'int16' | 'float32';
}

/**
 * What stands before the samples.
 *
 * @param length Samples of each channel.
 * @throws RangeError from 4 GiB on: the form can't say more
 */
export function wavHead(
  length: number,
  { rate, channels, sample }: WavForm,
): Uint8Array<ArrayBuffer> {
  const isWhole = sample === 'int16';
  const frame = channels * (isWhole ? 2 : 4);
  // Formats other than whole-number samples have an (empty) extension and a count of samples.
  const head = new DataView(new ArrayBuffer(isWhole ? 44 : 58));
  let at = 0;
  const word = (text: string): void => {
    for (const letter of text) head.setUint8(at++, letter.charCodeAt(0));
  };
  const short = (value: number): void => head.setUint16((at += 2) - 2, value, true);
  const long = (value: number): void => {
    if (value > 0xffff_ffff) throw new RangeError(`A wav has up to 4 GiB; found ${value} bytes`);
    head.setUint32((at += 4) - 4, value, true);
  };
  word('RIFF');
  long(head.byteLength - 8 + length * frame);
  word('WAVEfmt ');
  long(isWhole ? 16 : 18);
  short(isWhole ? 1 : 3);
  short(channels);
  long(rate);
  long(rate * frame);
  short(frame);
  short((frame / channels) * 8);
  if (!isWhole) {
    short(0);
    word('fact');
    long(4);
    long(length);
  }
  word('data');
  long(length * frame);
  return new Uint8Array(head.buffer);
}
