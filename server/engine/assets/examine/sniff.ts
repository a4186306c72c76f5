/**
 * Phase 1: what a file is, judged only by its first bytes, never by its name or its server's word. Playlists and file
 * lists are left out on purpose: opened from a local copy they make decoders read any file on the computer.
 */
import { open } from 'node:fs/promises';
import { isLottieArchive } from '../lottie/lottie-archive.ts';
import { isVectorStart } from '../pictures/plain-vector.ts';

/** A file format that the product reads. */
export interface FileFormat {
  /** Its name, also the ending of local copies. */
  readonly name: string;
  readonly kind: 'picture' | 'media' | 'font';
  /** ffmpeg's demuxer for it, given explicitly so that ffmpeg never guesses; null if ffmpeg does not read it. */
  readonly demuxer: string | null;
}

/** Bytes that {@link sniffFormat} needs, fewer only if the file is shorter. */
export const sniffLength = 4096;

interface Row extends FileFormat {
  readonly matches: (head: Buffer) => boolean;
}

/** The bytes at a place are these. */
export const at = (offset: number, text: string) => (head: Buffer) =>
  head.toString('latin1', offset, offset + text.length) === text;
/** One of the tests holds. */
export const any =
  (...tests: ((head: Buffer) => boolean)[]) =>
  (head: Buffer) =>
    tests.some((test) => test(head));
/** All of them do. */
export const all =
  (...tests: ((head: Buffer) => boolean)[]) =>
  (head: Buffer) =>
    tests.every((test) => test(head));
/** A file of boxes (ISO 14496-12) says that it is one of these. */
export const brand =
  (...brands: string[]) =>
  (head: Buffer) =>
    at(4, 'ftyp')(head) && brandsOf(head).some((name) => brands.includes(name));

/** First match wins: avif before mp4, ADTS before MP3. */
const rows: readonly Row[] = [
  { name: 'jpg', kind: 'picture', demuxer: 'jpeg_pipe', matches: at(0, '\xff\xd8\xff') },
  { name: 'png', kind: 'picture', demuxer: 'png_pipe', matches: at(0, '\x89PNG\r\n\x1a\n') },
  { name: 'gif', kind: 'picture', demuxer: 'gif', matches: any(at(0, 'GIF87a'), at(0, 'GIF89a')) },
  {
    name: 'webp',
    kind: 'picture',
    demuxer: 'webp_pipe',
    matches: all(at(0, 'RIFF'), at(8, 'WEBP')),
  },
  {
    name: 'bmp',
    kind: 'picture',
    demuxer: 'bmp_pipe',
    matches: all(at(0, 'BM'), at(6, '\0\0\0\0')),
  },
  { name: 'avif', kind: 'picture', demuxer: null, matches: brand('avif', 'avis') },
  { name: 'svg', kind: 'picture', demuxer: null, matches: isVectorStart },
  { name: 'lottie', kind: 'picture', demuxer: null, matches: any(isLottieArchive, isLottie) },
  { name: 'mp4', kind: 'media', demuxer: 'mov', matches: isMp4 },
  { name: 'webm', kind: 'media', demuxer: 'matroska', matches: at(0, '\x1a\x45\xdf\xa3') },
  { name: 'ogg', kind: 'media', demuxer: 'ogg', matches: at(0, 'OggS') },
  {
    name: 'wav',
    kind: 'media',
    demuxer: 'wav',
    matches: all(any(at(0, 'RIFF'), at(0, 'RF64')), at(8, 'WAVE')),
  },
  { name: 'avi', kind: 'media', demuxer: 'avi', matches: all(at(0, 'RIFF'), at(8, 'AVI ')) },
  { name: 'flac', kind: 'media', demuxer: 'flac', matches: at(0, 'fLaC') },
  { name: 'aac', kind: 'media', demuxer: 'aac', matches: isAdts },
  { name: 'mp3', kind: 'media', demuxer: 'mp3', matches: any(at(0, 'ID3'), isMp3Frame) },
  { name: 'ts', kind: 'media', demuxer: 'mpegts', matches: isTransportStream },
  { name: 'woff2', kind: 'font', demuxer: null, matches: at(0, 'wOF2') },
  { name: 'woff', kind: 'font', demuxer: null, matches: at(0, 'wOFF') },
  // The first font of a collection.
  { name: 'ttc', kind: 'font', demuxer: null, matches: at(0, 'ttcf') },
  { name: 'otf', kind: 'font', demuxer: null, matches: at(0, 'OTTO') },
  { name: 'ttf', kind: 'font', demuxer: null, matches: any(at(0, '\0\x01\0\0'), at(0, 'true')) },
];

/** The format of a file by its first bytes; null if we don't read it. */
export function sniffFormat(head: Buffer): FileFormat | null {
  return rows.find(({ matches }) => matches(head)) ?? null;
}

/** Formats that may stand behind an ID3 tag. */
export const tagged: ReadonlySet<string> = new Set(['mp3', 'aac', 'flac', 'wav', 'ogg']);

/** The format of a name that {@link sniffFormat} gave. */
export function fileFormatNamed(name: string): FileFormat | null {
  return rows.find((row) => row.name === name) ?? null;
}

function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [head.toString('latin1', 8, 12)];
  for (let offset = 16; offset + 4 <= end; offset += 4)
    brands.push(head.toString('latin1', offset, offset + 4));
  return brands;
}

/** JSON that begins with the properties of a Lottie animation. */
function isLottie(head: Buffer): boolean {
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  if (!/^\s*\{/.test(text)) return false;
  return (
    ['v', 'fr', 'ip', 'op', 'w', 'h', 'layers', 'assets'].filter((name) =>
      new RegExp(`"${name}"\\s*:`).test(text),
    ).length >= 3
  );
}

/** Files of boxes that hold a photo. */
export const photoBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'avci', 'mif1', 'msf1'];
const notMp4 = brand(...photoBrands, 'crx ', 'braw', 'aax ', 'aaxc');

/** Newer files begin with `ftyp`; older QuickTime ones with any of these boxes. */
function isMp4(head: Buffer): boolean {
  const first = head.toString('latin1', 4, 8);
  if (first === 'ftyp') return !notMp4(head);
  return ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(first) && head.length >= 8;
}

/** AAC in ADTS: sync word, layer 0, a frame length that leads to the next sync word. */
function isAdts(head: Buffer): boolean {
  if (head.length < 7 || head[0] !== 0xff || ((head[1] ?? 0) & 0xf6) !== 0xf0) return false;
  const length = (((head[3] ?? 0) & 3) << 11) | ((head[4] ?? 0) << 3) | ((head[5] ?? 0) >> 5);
  return (
    length >= 7 &&
    (length + 1 >= head.length ||
      (head[length] === 0xff && ((head[length + 1] ?? 0) & 0xf6) === 0xf0))
  );
}

/** An MPEG audio frame header without impossible values, layer III or II. */
function isMp3Frame(head: Buffer): boolean {
  return mp3FrameLength(head, 0) !== null;
}

/** Kilobits a second of layers II and III of MPEG 1, and of both in later versions. */
const bitRates: readonly (readonly number[])[] = [
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/** Bytes of the MPEG audio frame that begins at a place; null where none does. */
function mp3FrameLength(bytes: Buffer, start: number): number | null {
  const [a = 0, b = 0, c = 0] = bytes.subarray(start, start + 3);
  if (a !== 0xff || (b & 0xe0) !== 0xe0) return null;
  const [version, layer] = [(b >> 3) & 3, (b >> 1) & 3];
  if (version === 1 || (layer !== 1 && layer !== 2)) return null;
  const isFirst = version === 3;
  const kilobits = bitRates[isFirst ? (layer === 2 ? 0 : 1) : 2]?.[(c >> 4) - 1];
  const rate = [44_100, 48_000, 32_000][(c >> 2) & 3];
  if (kilobits === undefined || rate === undefined) return null;
  const samples = isFirst || layer === 2 ? 144 : 72;
  const slower = isFirst ? 1 : version === 2 ? 2 : 4;
  return Math.floor((samples * kilobits * 1000 * slower) / rate) + ((c >> 1) & 1);
}

/** Frames that must follow each other where the first is not at the beginning. */
const framesInRow = 4;

/** MP3 that was cut out of a recording: it begins inside of a frame, or with silence that is no frame. */
export function isLateMp3(bytes: Buffer): boolean {
  for (let start = bytes.indexOf(0xff); start >= 0; start = bytes.indexOf(0xff, start + 1)) {
    let [place, count] = [start, 0];
    for (; count < framesInRow; count++) {
      const length = mp3FrameLength(bytes, place);
      if (length === null) break;
      place += length;
    }
    if (count === framesInRow) return true;
  }
  return false;
}

/** Where the ID3 tag that bytes begin with ends; null without one. */
export function endOfTag(head: Buffer): number | null {
  if (!at(0, 'ID3')(head) || head.length < 10) return null;
  const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((head[place] ?? 0) & 127), 0);
  return 10 + size + (((head[5] ?? 0) & 16) === 0 ? 0 : 10);
}

/** Packets of 188 bytes, or of 192 with a time stamp before each. */
function isTransportStream(head: Buffer): boolean {
  const sync = (start: number, size: number): boolean =>
    head.length > start + 2 * size &&
    [0, 1, 2].every((index) => head[start + index * size] === 0x47);
  return sync(0, 188) || sync(4, 192);
}

/** Tags that may follow each other. */
const mostTags = 8;
/**
 * Bytes that are searched for the first frame of an MP3, or the first element of a vector picture behind long comments.
 */
const lateLength = 65_536;

/** The format of a file by its first bytes; null if we don't read it. */
export async function sniffFile(filePath: string): Promise<FileFormat | null> {
  return (await lookAtStart(filePath)).format;
}

/** The format of a file, and the bytes that show it: behind tags where it begins with some. */
export async function lookAtStart(
  filePath: string,
): Promise<{ readonly format: FileFormat | null; readonly head: Buffer }> {
  await using file = await open(filePath, 'r');
  const read = async (from: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, from);
    return bytes.subarray(0, bytesRead);
  };
  const head = await read(0, sniffLength);
  let [start, behind] = [0, head];
  for (let tags = 0; tags < mostTags; tags++) {
    const end = endOfTag(behind);
    if (end === null) break;
    start += end;
    behind = await read(start, sniffLength);
  }
  if (start > 0) {
    const found = sniffFormat(behind);
    return { format: found && tagged.has(found.name) ? found : fileFormatNamed('mp3'), head };
  }
  const format = sniffFormat(head);
  if (format !== null) return { format, head };
  const more = await read(0, lateLength);
  const late = isLateMp3(more) ? 'mp3' : isVectorStart(more) ? 'svg' : '';
  return { format: fileFormatNamed(late), head };
}

/**
 * ffmpeg's input arguments for a file of a probed format: local files only, the demuxer named, nothing guessed.
 *
 * @param format `MediaInfo.format`.
 */
export function inputArguments(format: string): string[] {
  const demuxer = fileFormatNamed(format)?.demuxer;
  if (demuxer === undefined || demuxer === null)
    throw new Error(`ffmpeg is never asked to read ${format}`);
  return ['-protocol_whitelist', 'file,pipe', '-f', demuxer];
}
