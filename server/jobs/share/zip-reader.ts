/**
 * Reads a zip archive from an open file, piece by piece: its list of files first, then one file at a time as a stream.
 * Made for archives of unknown origin: believes no size, keeps only the list in memory, and refuses whatever a plain
 * archive has no need of.
 *
 * Not yauzl (3.4): it compares no checksums of contents, and lets two files share bytes or a name.
 */
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { ApiError } from '../../../shared/errors.ts';
import { shareLimits } from '../../../shared/limits.ts';
import { errorCode } from '../../system/files.ts';

/** An open archive: a file, or bytes that answer as one. */
export interface ZipFile {
  stat(): Promise<{ readonly size: number }>;
  read(
    bytes: Buffer,
    offset: number,
    length: number,
    place: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** A file of an archive, as the archive's list describes it. */
export interface ZipEntry {
  readonly name: string;
  /** Bytes of its content. */
  readonly bytes: number;
  /** Bytes that it has in the archive. */
  readonly packed: number;
  readonly isDeflated: boolean;
  readonly crc: number;
  /** Where its own head starts. */
  readonly place: number;
}

/** Why an archive, or a template of a kit, can't be had. */
export class RefusedShare extends ApiError {
  readonly reason: string;

  /** @param reason ends a sentence, without its point. */
  constructor(reason: string) {
    super('share_refused', { reason });
    this.reason = reason;
  }
}

/** @param reason ends a sentence, without its point. @throws ApiError `share_refused`, always. */
export function refuseShare(reason: string): never {
  throw new RefusedShare(reason);
}

/** Fixed parts of a zip archive (PKWARE APPNOTE 4.3): signatures, and lengths without names and remarks. */
const endRecord = { signature: 0x06054b50, length: 22, longestRemark: 0xffff };
const listRecord = { signature: 0x02014b50, length: 46 };
const headRecord = { signature: 0x04034b50, length: 30 };
/** Ways of packing. */
const [stored, deflated] = [0, 8];
/** Bits of an entry's flags: encrypted in some way; its name is UTF-8. */
const [encrypted, utf8] = [0x1 | 0x40 | 0x2000, 0x800];
/** The kind of file in the upper half of an entry's attributes, when made under Unix. */
const [kindMask, plainFile] = [0xf000, 0x8000];
/** Characters of a name. */
const longestName = 300;

/**
 * The files of an archive, in their order in the file.
 *
 * @param most Files that it may have.
 * @param wants Whether a name matters; files of other names are passed over, whatever is wrong with them. Default: all
 * do.
 * @throws ApiError `share_refused`.
 */
export async function readZipList(
  file: ZipFile,
  most: number,
  wants: (name: string) => boolean = () => true,
): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat();
  const { start, length, count } = await readEnd(file, size);
  if (count > most) refuseShare(`it contains ${count} files, and may contain ${most}`);
  const list = await readExactly(file, start, length);
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let place = 0;
  for (let index = 0; index < count; index += 1) {
    if (place + listRecord.length > length || list.readUInt32LE(place) !== listRecord.signature) {
      refuseShare('its list of files is damaged');
    }
    const lengths = [28, 30, 32].map((offset) => list.readUInt16LE(place + offset));
    const next = place + listRecord.length + lengths.reduce((sum, one) => sum + one, 0);
    if (next > length) refuseShare('its list of files is damaged');
    const record = list.subarray(place, next);
    place = next;
    if (!wants(latinName(record))) continue;
    const entry = readEntry(record);
    // Most drives know no difference between cases.
    const key = entry.name.toLowerCase();
    if (names.has(key)) refuseShare(`it contains ${shown(entry.name)} twice`);
    names.add(key);
    entries.push(entry);
  }
  if (place !== length) refuseShare('its list of files is damaged');
  return checkPlaces(entries, start);
}

/** Where the list is, from the last record of the archive. */
async function readEnd(
  file: ZipFile,
  size: number,
): Promise<{ start: number; length: number; count: number }> {
  const wanted = Math.min(size, endRecord.length + endRecord.longestRemark);
  const tail = await readExactly(file, size - wanted, wanted);
  for (let place = tail.length - endRecord.length; place >= 0; place -= 1) {
    if (tail.readUInt32LE(place) !== endRecord.signature) continue;
    if (place + endRecord.length + tail.readUInt16LE(place + 20) !== tail.length) continue;
    const [disk, listDisk, here, count] = [4, 6, 8, 10].map((at) => tail.readUInt16LE(place + at));
    const [length, start] = [12, 16].map((at) => tail.readUInt32LE(place + at));
    if (disk !== 0 || listDisk !== 0 || here !== count) {
      refuseShare('it is part of an archive in several files');
    }
    const end = size - wanted + place;
    if (count === undefined || length === undefined || start === undefined) break;
    if (count === 0xffff || start === 0xffff_ffff) refuseShare('it is a zip of more than 4 GiB');
    if (length > shareLimits.listBytes) refuseShare('its list of files is too long');
    if (start + length !== end) refuseShare('its list of files is damaged');
    return { start, length, count };
  }
  return refuseShare('it is no zip archive, or was cut off');
}

function latinName(record: Buffer): string {
  return record.toString('latin1', listRecord.length, listRecord.length + record.readUInt16LE(28));
}

function readEntry(record: Buffer): ZipEntry {
  const flags = record.readUInt16LE(8);
  const method = record.readUInt16LE(10);
  const nameLength = record.readUInt16LE(28);
  const bytesOfName = record.subarray(listRecord.length, listRecord.length + nameLength);
  const name = nameOf(bytesOfName, (flags & utf8) !== 0);
  const kind = (record.readUInt32LE(38) >>> 16) & kindMask;
  if ((flags & encrypted) !== 0) refuseShare(`${shown(name)} is encrypted`);
  if (kind !== 0 && kind !== plainFile) refuseShare(`${shown(name)} is not a plain file`);
  if (method !== stored && method !== deflated) {
    refuseShare(`${shown(name)} is packed in an unknown way (${method})`);
  }
  const [crc, packed, bytes] = [16, 20, 24].map((at) => record.readUInt32LE(at));
  if (crc === undefined || packed === undefined || bytes === undefined)
    throw new Error('unreachable');
  if (packed === 0xffff_ffff || bytes === 0xffff_ffff)
    refuseShare('it is a zip of more than 4 GiB');
  const isDeflated = method === deflated;
  if (!isDeflated && packed !== bytes) refuseShare(`the sizes of ${shown(name)} differ`);
  return { name, bytes, packed, isDeflated, crc, place: record.readUInt32LE(42) };
}

/** A name with folders, `files/1-Logo.png`: nothing that could lead elsewhere, on any system. */
function nameOf(bytes: Buffer, isUtf8: boolean): string {
  const name = bytes.toString(isUtf8 ? 'utf8' : 'latin1');
  const parts = name.split('/');
  const isPlain =
    name.length > 0 &&
    name.length <= longestName &&
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    !/[\u0000-\u001f\u007f\\:\ufffd]/.test(name) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isPlain) refuseShare(`it contains a file with the name ${shown(name)}`);
  return name;
}

/** Refuses entries that share bytes: a small archive would contain the same megabytes a thousand times. */
function checkPlaces(entries: readonly ZipEntry[], end: number): readonly ZipEntry[] {
  const sorted = [...entries].sort((a, b) => a.place - b.place);
  for (const [index, { name, place, packed }] of sorted.entries()) {
    const next = sorted[index + 1]?.place ?? end;
    if (place + headRecord.length + packed > next) {
      refuseShare(`${shown(name)} overlaps with what follows it`);
    }
  }
  return sorted;
}

/**
 * The content of a file of the archive, in pieces.
 *
 * @throws ApiError `share_refused` as soon as there is more of it than stated, and at its end if there is less or its
 * checksum is wrong.
 */
export async function* readZipEntry(file: ZipFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { name, packed, bytes, isDeflated, crc } = entry;
  const content = pieces(file, await startOf(file, entry), packed);
  let [seen, sum] = [0, 0];
  for await (const piece of isDeflated ? inflated(content, name) : content) {
    seen += piece.length;
    if (seen > bytes) refuseShare(`${shown(name)} is larger than stated`);
    sum = crc32(piece, sum);
    yield piece;
  }
  if (seen !== bytes) refuseShare(`${shown(name)} is smaller than stated`);
  if (sum !== crc) refuseShare(`${shown(name)} is damaged: its checksum is wrong`);
}

/** Where the content of an entry starts. */
async function startOf(file: ZipFile, { name, place, packed }: ZipEntry): Promise<number> {
  const head = await readExactly(file, place, headRecord.length);
  if (head.readUInt32LE(0) !== headRecord.signature) {
    refuseShare(`${shown(name)} is not where it should be`);
  }
  const nameLength = head.readUInt16LE(26);
  const start = place + headRecord.length + nameLength + head.readUInt16LE(28);
  const isUtf8 = (head.readUInt16LE(6) & utf8) !== 0;
  const ownName = await readExactly(file, place + headRecord.length, nameLength);
  if (nameOf(ownName, isUtf8) !== name) refuseShare(`${shown(name)} has two names`);
  const { size } = await file.stat();
  if (start + packed > size) refuseShare('it was cut off');
  return start;
}

/** Bytes that are read at a time. */
const pieceBytes = 64 * 1024;

async function* pieces(file: ZipFile, start: number, length: number): AsyncGenerator<Buffer> {
  for (let place = start; place < start + length;) {
    const piece = await readExactly(file, place, Math.min(pieceBytes, start + length - place));
    place += piece.length;
    yield piece;
  }
}

async function* inflated(content: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const unpacker = createInflateRaw();
  const source = Readable.from(content, { objectMode: false });
  // Its failures arrive in the loop.
  pipeline(source, unpacker, () => undefined);
  try {
    // A stream without an encoding gives buffers.
    for await (const piece of unpacker) yield piece as Buffer;
  } catch (error) {
    if (/^Z_/.test(errorCode(error) ?? '')) refuseShare(`${shown(name)} is damaged`);
    throw error;
  } finally {
    source.destroy();
    unpacker.destroy();
  }
}

async function readExactly(file: ZipFile, place: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, place + read);
    if (bytesRead === 0) refuseShare('it is no zip archive, or was cut off');
    read += bytesRead;
  }
  return bytes;
}

/** A name from the archive for a sentence. */
export function shown(name: string): string {
  // eslint-disable-next-line no-control-regex -- they must not reach a terminal
  return `'${name.slice(0, 80).replace(/[\u0000-\u001f\u007f-\u009f]/g, '�')}'`;
}
