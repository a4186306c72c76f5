/**
 * Reads the index of an mp4 that we wrote: its streams with size, number of frames and length. Runs in the worker.
 *
 * A demuxer library could do this, but counts by walking every packet (88 µs each, minutes for a long film); the index
 * has the numbers in one place. Box names and fields: ISO/IEC 14496-12.
 */
import { open, type FileHandle } from 'node:fs/promises';

/** One stream of a finished film. */
export interface FilmStream {
  readonly kind: 'video' | 'sound' | 'other';
  /** Pixels; 0 for sound. */
  readonly width: number;
  readonly height: number;
  /** Frames of video, packets of sound. */
  readonly samples: number;
  /** Playing time in seconds, without the encoder's priming. */
  readonly duration: number;
  /** What a decoder must know before the first frame of video; equal in pieces that can be joined. */
  readonly configuration: Buffer | null;
}

/** No index is larger; more is damage. */
const indexLimit = 512 * 1024 * 1024;

/**
 * The streams of an mp4.
 *
 * @returns Null if the file isn't a complete mp4: boxes must fill it to its last byte.
 */
export async function readMp4(filePath: string): Promise<FilmStream[] | null> {
  await using file = await open(filePath, 'r');
  const index = await findIndex(file);
  if (!index) return null;
  try {
    const movie = child(index, 'mvhd');
    const movieScale = movie.readUInt32BE(movie[0] === 1 ? 20 : 12);
    return children(index, 'trak').map((track) => readStream(track, movieScale));
  } catch (error) {
    if (error instanceof RangeError) return null; // A field beyond the end: damaged.
    throw error;
  }
}

/** The content of `moov`, if the file's outer boxes end where the file does. */
async function findIndex(file: FileHandle): Promise<Buffer | null> {
  const { size: fileSize } = await file.stat();
  const head = Buffer.alloc(16);
  let index: Buffer | null = null;
  let media = false;
  let at = 0;
  while (at + 8 <= fileSize) {
    const { bytesRead } = await file.read(head, 0, 16, at);
    const short = head.readUInt32BE(0);
    if (short === 1 && bytesRead < 16) return null;
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    const name = head.toString('latin1', 4, 8);
    if (size < 8 || at + size > fileSize) return null;
    if (name === 'mdat') media = true;
    if (name === 'moov') {
      if (size > indexLimit) return null;
      index = Buffer.alloc(size - 8);
      await file.read(index, 0, index.length, at + 8);
    }
    at += size;
  }
  return at === fileSize && media ? index : null;
}

function readStream(track: Buffer, movieScale: number): FilmStream {
  const media = child(track, 'mdia');
  const kind = child(media, 'hdlr').toString('latin1', 8, 12);
  const header = child(media, 'mdhd');
  const scale = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  const table = child(child(media, 'minf'), 'stbl');
  const entry = child(table, 'stsd').subarray(8);
  const isVideo = kind === 'vide';
  // Its own boxes come after 86 bytes of fields.
  const configuration = isVideo ? child(entry.subarray(86), 'avcC') : null;
  const edited = editedTicks(child(child(track, 'edts'), 'elst'));
  return {
    kind: isVideo ? 'video' : kind === 'soun' ? 'sound' : 'other',
    width: isVideo ? entry.readUInt16BE(32) : 0,
    height: isVideo ? entry.readUInt16BE(34) : 0,
    samples: child(table, 'stsz').readUInt32BE(8),
    configuration,
    duration: isVideo || edited === 0 ? mediaTicks(table) / scale : edited / movieScale,
  };
}

/** Sum of all sample lengths. */
function mediaTicks(table: Buffer): number {
  const times = child(table, 'stts');
  let ticks = 0;
  for (let row = 0; row < times.readUInt32BE(4); row++) {
    ticks += times.readUInt32BE(8 + row * 8) * times.readUInt32BE(12 + row * 8);
  }
  return ticks;
}

/** Length by an edit list, in ticks of the movie; 0 when there is none. */
function editedTicks(list: Buffer): number {
  if (list.length === 0) return 0;
  const wide = list[0] === 1;
  let ticks = 0;
  for (let row = 0; row < list.readUInt32BE(4); row++) {
    ticks += wide ? Number(list.readBigUInt64BE(8 + row * 20)) : list.readUInt32BE(8 + row * 12);
  }
  return ticks;
}

/** Contents of the boxes of a name directly inside another box's content. */
function children(parent: Buffer, name: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 8 <= parent.length;) {
    const size = parent.readUInt32BE(at);
    if (size < 8 || at + size > parent.length) break;
    if (parent.toString('latin1', at + 4, at + 8) === name)
      found.push(parent.subarray(at + 8, at + size));
    at += size;
  }
  return found;
}

/** The first of them; empty if there is none, so that reading its fields fails. */
function child(parent: Buffer, name: string): Buffer {
  return children(parent, name)[0] ?? Buffer.alloc(0);
}
