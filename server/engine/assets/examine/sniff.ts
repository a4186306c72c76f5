/**
 * Phase 1: what a file is, judged only by its first bytes, never by its name or its server's word. Playlists and file lists
 * are left out on purpose: opened from a local copy they make decoders read any file on the computer.
 */

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

const at = (offset: number, text: string) => (head: Buffer) =>
  head.toString('latin1', offset, offset + text.length) === text;
const any =
  (...tests: ((head: Buffer) => boolean)[]) =>
  (head: Buffer) =>
    tests.some((test) => test(head));
const all =
  (...tests: ((head: Buffer) => boolean)[]) =>
  (head: Buffer) =>
    tests.every((test) => test(head));
const brand =
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
  { name: 'svg', kind: 'picture', demuxer: null, matches: isSvg },
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

/** Newer files begin with `ftyp`; older QuickTime ones with any of these boxes. */
function isMp4(head: Buffer): boolean {
  const first = head.toString('latin1', 4, 8);
  if (first === 'ftyp') return !brand('heic', 'heix', 'mif1', 'msf1')(head);
  return ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(first) && head.length >= 8;
}

/** Text that is XML and whose first element is `svg`. */
function isSvg(head: Buffer): boolean {
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  return /^\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE\s+svg[^>[]*(?:\[[\s\S]*?\])?[^>]*>\s*)*<svg[\s>]/i.test(
    text,
  );
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
  const [a = 0, b = 0, c = 0] = head;
  const layer = (b >> 1) & 3;
  return (
    a === 0xff &&
    (b & 0xe0) === 0xe0 &&
    ((b >> 3) & 3) !== 1 &&
    (layer === 1 || layer === 2) &&
    c >> 4 !== 15 &&
    c >> 4 !== 0 &&
    ((c >> 2) & 3) !== 3
  );
}

/** Packets of 188 bytes, or of 192 with a time stamp before each. */
function isTransportStream(head: Buffer): boolean {
  const sync = (start: number, size: number): boolean =>
    head.length > start + 2 * size &&
    [0, 1, 2].every((index) => head[start + index * size] === 0x47);
  return sync(0, 188) || sync(4, 192);
}
