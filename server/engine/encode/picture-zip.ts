/**
 * A film's frames as pngs in a zip, written while they are made: one picture in memory, none on disk twice. Stored as
 * they are, because a png is compressed. ZIP64 where files or bytes are more than the old format counts. Times in it
 * are fixed, so equal frames give equal bytes. Runs in the worker.
 */
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/** Bytes of a record before its name, and its signature. */
const local = { size: 30, signature: 0x0403_4b50 };
const central = { size: 46, signature: 0x0201_4b50 };
const end = { size: 22, signature: 0x0605_4b50 };
const longEnd = { size: 56, signature: 0x0606_4b50 };
const locator = { size: 20, signature: 0x0706_4b50 };
/** What stands where a number is in the ZIP64 record. */
const long = { count: 0xffff, bytes: 0xffff_ffff };
/** 1980-01-01, the first day that a zip knows. */
const firstDay = 0x0021;
/** Versions of the format that a reader needs. */
const version = { plain: 10, long: 45 };
/** Bytes of the list of files that are written at once. */
const listBlock = 1 << 20;

/** `frame-00001.png`, with as many digits as the last one needs, five at least. @param number From 1. */
export function frameName(number: number, count: number): string {
  const digits = Math.max(5, String(count).length);
  return `frame-${String(number).padStart(digits, '0')}.png`;
}

/**
 * Writes a zip of pictures as they come.
 *
 * @param comment Of the whole zip.
 * @throws what the disk says.
 */
export async function writePictureZip(
  filePath: string,
  pictures: AsyncIterable<Buffer>,
  count: number,
  comment: string,
): Promise<void> {
  await using file = await open(filePath, 'w');
  const files: { readonly crc: number; readonly size: number; readonly at: number }[] = [];
  let at = 0;
  const append = async (...parts: readonly Buffer[]): Promise<void> => {
    const bytes = Buffer.concat(parts);
    // Goes on where the last one ended, and until all is written.
    await file.writeFile(bytes);
    at += bytes.length;
  };
  for await (const picture of pictures) {
    const entry = { crc: crc32(picture), size: picture.length, at };
    const name = Buffer.from(frameName(files.length + 1, count), 'latin1');
    const head = Buffer.alloc(local.size);
    head.writeUInt32LE(local.signature, 0);
    head.writeUInt16LE(version.plain, 4);
    writeFacts(head, 10, entry, name);
    await append(head, name, picture);
    files.push(entry);
  }
  const list = at;
  let block: Buffer[] = [];
  let waiting = 0;
  for (const [index, entry] of files.entries()) {
    const record = listed(entry, Buffer.from(frameName(index + 1, count), 'latin1'));
    block.push(record);
    waiting += record.length;
    if (waiting < listBlock && index < files.length - 1) continue;
    await append(...block);
    [block, waiting] = [[], 0];
  }
  await append(endOf({ count: files.length, at: list, size: at - list }, comment));
}

/** Time, day, checksum, sizes and the length of the name: the same in both records of a file. */
function writeFacts(
  record: Buffer,
  at: number,
  { crc, size }: { readonly crc: number; readonly size: number },
  name: Buffer,
): void {
  record.writeUInt16LE(firstDay, at + 2);
  record.writeUInt32LE(crc, at + 4);
  record.writeUInt32LE(size, at + 8);
  record.writeUInt32LE(size, at + 12);
  record.writeUInt16LE(name.length, at + 16);
}

/** The record of a file in the list at the end. */
function listed(
  entry: { readonly crc: number; readonly size: number; readonly at: number },
  name: Buffer,
): Buffer {
  const isLong = entry.at >= long.bytes;
  const record = Buffer.alloc(central.size);
  record.writeUInt32LE(central.signature, 0);
  record.writeUInt16LE(isLong ? version.long : version.plain, 4);
  record.writeUInt16LE(isLong ? version.long : version.plain, 6);
  writeFacts(record, 12, entry, name);
  record.writeUInt32LE(Math.min(entry.at, long.bytes), 42);
  if (!isLong) return Buffer.concat([record, name]);
  const more = Buffer.alloc(12);
  more.writeUInt16LE(1, 0);
  more.writeUInt16LE(8, 2);
  more.writeBigUInt64LE(BigInt(entry.at), 4);
  record.writeUInt16LE(more.length, 30);
  return Buffer.concat([record, name, more]);
}

/** Where the list of files is. */
interface List {
  readonly count: number;
  readonly at: number;
  readonly size: number;
}

/** What ends a zip. */
function endOf({ count, at, size }: List, comment: string): Buffer {
  const text = Buffer.from(comment, 'utf8');
  const record = Buffer.alloc(end.size);
  record.writeUInt32LE(end.signature, 0);
  record.writeUInt16LE(Math.min(count, long.count), 8);
  record.writeUInt16LE(Math.min(count, long.count), 10);
  record.writeUInt32LE(Math.min(size, long.bytes), 12);
  record.writeUInt32LE(Math.min(at, long.bytes), 16);
  record.writeUInt16LE(text.length, 20);
  if (count < long.count && at < long.bytes && size < long.bytes)
    return Buffer.concat([record, text]);
  const more = Buffer.alloc(longEnd.size + locator.size);
  more.writeUInt32LE(longEnd.signature, 0);
  more.writeBigUInt64LE(BigInt(longEnd.size - 12), 4);
  more.writeUInt16LE(version.long, 12);
  more.writeUInt16LE(version.long, 14);
  for (const [place, value] of [count, count, size, at].entries())
    more.writeBigUInt64LE(BigInt(value), 24 + 8 * place);
  more.writeUInt32LE(locator.signature, longEnd.size);
  more.writeBigUInt64LE(BigInt(at + size), longEnd.size + 8);
  more.writeUInt32LE(1, longEnd.size + 16);
  return Buffer.concat([more, record, text]);
}

/** Bytes of a chunk beside its content: length and name before it, checksum after it. */
const [chunkHead, chunkTail] = [8, 4];
/** Bytes that every png begins with. */
const signature = 8;

/** The pngs that come one after the other, each whole; one that is cut off at the end is left out. */
export async function* separatePngs(stream: Readable): AsyncGenerator<Buffer> {
  const head = Buffer.alloc(chunkHead);
  let [parts, known, skip, isLast]: [Buffer[], number, number, boolean] = [[], 0, signature, false];
  for await (const data of stream as AsyncIterable<Buffer>) {
    let [at, from] = [0, 0];
    while (at < data.length) {
      if (skip > 0) {
        const step = Math.min(skip, data.length - at);
        at += step;
        skip -= step;
        if (skip > 0 || !isLast) continue;
        yield Buffer.concat([...parts, data.subarray(from, at)]);
        [parts, from, skip, isLast] = [[], at, signature, false];
      } else {
        const step = data.copy(head, known, at, at + chunkHead - known);
        at += step;
        known += step;
        if (known < chunkHead) continue;
        skip = head.readUInt32BE(0) + chunkTail;
        isLast = head.toString('latin1', 4) === 'IEND';
        known = 0;
      }
    }
    if (from < at) parts.push(data.subarray(from));
  }
}

/** What a zip of pictures has; null if it is not whole. The pictures have one size, that of the first. */
export async function readPictureZip(
  filePath: string,
): Promise<{ readonly count: number; readonly width: number; readonly height: number } | null> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const read = async (at: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, Math.max(0, at));
    return bytes.subarray(0, bytesRead);
  };
  const tail = await read(size - end.size - 0xffff, Math.min(size, end.size + 0xffff));
  let at = tail.length - end.size;
  const isEnd = (): boolean =>
    tail.readUInt32LE(at) === end.signature &&
    at + end.size + tail.readUInt16LE(at + 20) === tail.length;
  while (at >= 0 && !isEnd()) at--;
  if (at < 0) return null;
  let list: List = {
    count: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    at: tail.readUInt32LE(at + 16),
  };
  const before = size - tail.length + at - locator.size - longEnd.size;
  const more = before < 0 ? Buffer.alloc(0) : await read(before, longEnd.size);
  const isLong = more.length === longEnd.size && more.readUInt32LE(0) === longEnd.signature;
  if (isLong) {
    const [count = 0, bytes = 0, start = 0] = [32, 40, 48].map((place) =>
      Number(more.readBigUInt64LE(place)),
    );
    list = { count, size: bytes, at: start };
  }
  if (list.at + list.size !== (isLong ? before : size - tail.length + at)) return null;
  // The list begins where the last picture ends.
  const border = await read(list.at - 8, 12);
  const isWhole =
    border.length === 12 &&
    border.toString('latin1', 0, 4) === 'IEND' &&
    border.readUInt32LE(8) === central.signature;
  const [name, header] = [frameName(1, list.count).length, 24];
  const first = await read(local.size + name, header);
  if (!isWhole || first.length < header || first.toString('latin1', 1, 4) !== 'PNG') return null;
  return { count: list.count, width: first.readUInt32BE(16), height: first.readUInt32BE(20) };
}
