/**
 * Reads mp3 and wav files that we wrote: whether they are whole, and how long. Stereo of soundRate is all that we
 * write; anything else is damage. Runs in the worker.
 */
import { open } from 'node:fs/promises';
import { soundRate } from './wav.ts';
import type { FilmStream } from './mp4-facts.ts';

function soundStream(samples: number, length: number): readonly FilmStream[] {
  const duration = length / soundRate;
  return [{ kind: 'sound', width: 0, height: 0, samples, duration, configuration: null }];
}

/** Bits per second of layer III of MPEG-1, in thousands, by their number in a frame's head. */
const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
/** Samples of each channel in a frame. */
const frameLength = 1152;
/** Where the first frame, which has no sound, says what encoder and padding added: behind a head of LAME's form. */
const addedAt = 4 + 32 + 4 + 4 + 4 + 4 + 100 + 4 + 9 + 12;

/** Bytes that are read at a time: two hours have 172 MB. */
const partBytes = 1 << 20;

/** The stream of an mp3: its frames must follow each other to the last byte. Null if it isn't complete. */
export async function readMp3(filePath: string): Promise<readonly FilmStream[] | null> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const read = async (at: number, into: Buffer): Promise<Buffer> =>
    into.subarray(0, (await file.read(into, 0, into.length, at)).bytesRead);
  const first = behindTag(await read(0, Buffer.alloc(10)));
  const facts = await read(first, Buffer.alloc(addedAt + 3));
  let part: Buffer = Buffer.alloc(0);
  let begin = 0;
  let frames = 0;
  let at = first;
  while (at + 4 <= size) {
    if (at + 4 > begin + part.length) [begin, part] = [at, await read(at, Buffer.alloc(partBytes))];
    const head = part.readUInt32BE(at - begin);
    // Eleven set bits, MPEG-1, layer III; 48 kHz; two channels.
    const isOurs = head >>> 17 === 0x7ffd && ((head >>> 10) & 3) === 1 && ((head >>> 6) & 3) !== 3;
    const bitrate = bitrates[(head >>> 12) & 15] ?? 0;
    if (!isOurs || bitrate === 0) return null;
    at += (frameLength / 8) * ((bitrate * 1000) / soundRate) + ((head >>> 9) & 1);
    frames++;
  }
  const word = facts.toString('latin1', 36, 40);
  if (at !== size || frames < 2 || !/^(?:Xing|Info)$/.test(word)) return null;
  const added = facts.readUIntBE(addedAt, 3);
  const length = (frames - 1) * frameLength - (added >>> 12) - (added & 0xfff);
  return soundStream(frames - 1, length);
}

/** Where the sound begins: behind the titles, whose length has seven bits in each byte. */
function behindTag(file: Buffer): number {
  if (file.toString('latin1', 0, 3) !== 'ID3' || file.length < 10) return 0;
  return 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + file.readUInt8(at), 0);
}

/** The stream of a wav of 16 bits: its chunks must fill the file. Null if it isn't complete. */
export async function readWav(filePath: string): Promise<readonly FilmStream[] | null> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const head = Buffer.alloc(Math.min(size, 4096));
  await file.read(head, 0, head.length, 0);
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return null;
  if (head.readUInt32LE(4) + 8 !== size) return null;
  let isOurs = false;
  for (let at = 12; at + 24 <= head.length;) {
    const id = head.toString('latin1', at, at + 4);
    const bytes = head.readUInt32LE(at + 4);
    if (id === 'fmt ')
      isOurs = head.readUInt16LE(at + 10) === 2 && head.readUInt32LE(at + 12) === soundRate;
    if (id === 'data')
      return isOurs && at + 8 + bytes <= size ? soundStream(bytes / 4, bytes / 4) : null;
    at += 8 + bytes + (bytes % 2);
  }
  return null;
}
