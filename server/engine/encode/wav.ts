/** Wav files of 32-bit samples, as ffmpeg writes them for us and as we pass the mix to it. Runs in the worker. */
import { open, type FileHandle } from 'node:fs/promises';
import { wavHead } from '../../../shared/wav.ts';

/** Sample rate of all sounds that we make. */
export const soundRate = 48_000;

/** Samples of one decoded stretch in a file. */
export interface Decoded {
  readonly path: string;
  /** Where the samples start in the file. */
  readonly offset: number;
  readonly channels: 1 | 2;
  /** Samples of each channel. */
  readonly length: number;
}

const bytesPerSample = 4;

/** Header of a wav with 32-bit floating-point stereo samples at soundRate. */
export const wavHeader = (samples: number): Uint8Array =>
  wavHead(samples, { rate: soundRate, channels: 2, sample: 'float32' });

/** Where the samples are in a wav that ffmpeg wrote. */
export async function readWavFacts(filePath: string): Promise<Decoded> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const head = Buffer.alloc(Math.min(size, 4096));
  await file.read(head, 0, head.length, 0);
  let channels = 0;
  for (let at = 12; at + 8 <= head.length;) {
    const id = head.toString('latin1', at, at + 4);
    const length = head.readUInt32LE(at + 4);
    if (id === 'fmt ') channels = head.readUInt16LE(at + 10);
    if (id === 'data' && (channels === 1 || channels === 2)) {
      // Beyond 4 GiB the field overflows and only the file's size is right.
      const bytes = length >= 0xffff_fff0 ? size - at - 8 : Math.min(length, size - at - 8);
      return {
        path: filePath,
        offset: at + 8,
        channels,
        length: Math.floor(bytes / channels / bytesPerSample),
      };
    }
    at += 8 + length + (length % 2);
  }
  throw new Error(
    `${filePath}: expected samples of one or two channels, found ${channels} channels`,
  );
}

/** Fills an array with interleaved samples from sample `first` on; all must exist. */
export async function readSamples(
  file: FileHandle,
  { offset, channels }: Decoded,
  first: number,
  samples: Float32Array,
): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const position = offset + first * channels * bytesPerSample;
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error('decoded samples ended early');
    done += bytesRead;
  }
}

/** Appends samples to a file. */
export async function writeSamples(file: FileHandle, samples: Float32Array): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten;
}
