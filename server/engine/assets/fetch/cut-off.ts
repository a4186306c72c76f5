/**
 * Phase 1: whether a file ends too early, after a broken download or a crashed recorder. Such files are used as far as
 * they go, with a warning; unusable ones fail elsewhere. Judged by the lengths that formats announce, without decoding.
 */
import { open, type FileHandle } from 'node:fs/promises';

type Check = (file: FileHandle, size: number) => Promise<boolean>;

const checks: Readonly<Record<string, Check>> = {
  // The end marker of these pictures; some programs write a little after it.
  jpg: endsWithout('\xff\xd9'),
  png: endsWithout('IEND'),
  mp4: boxesEndEarly,
  webm: segmentEndsEarly,
  avi: riffEndsEarly,
  ts: packetEndsEarly,
};

/** True when the content of a file of a probed format ends early; false for formats that don't announce a length. */
export async function isCutOff(filePath: string, format: string): Promise<boolean> {
  const check = checks[format];
  if (!check) return false;
  await using file = await open(filePath, 'r');
  return await check(file, (await file.stat()).size);
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

function endsWithout(mark: string): Check {
  return async (file, size) => {
    const length = Math.min(size, 64 * 1024);
    const tail = await bytesAt(file, size - length, length);
    return tail.lastIndexOf(mark, undefined, 'latin1') < 0;
  };
}

/** The boxes of mp4 and mov follow each other, each with its length; 0 means to the end. */
async function boxesEndEarly(file: FileHandle, size: number): Promise<boolean> {
  for (let offset = 0; offset + 8 <= size;) {
    const head = await bytesAt(file, offset, 16);
    const short = head.readUInt32BE(0);
    if (short === 0) return false;
    const length = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short;
    // Anything after the last box is padding.
    if (length < 8) return false;
    offset += length;
    if (offset > size) return true;
  }
  return false;
}

/** webm and mkv: the EBML header, then one segment with its length; all ones mean unknown, as in recordings. */
async function segmentEndsEarly(file: FileHandle, size: number): Promise<boolean> {
  const head = await bytesAt(file, 0, 4096);
  const header = numberAt(head, 4);
  if (!header) return false;
  const segment = 4 + header.width + header.value;
  if (segment + 12 > head.length || head.readUInt32BE(segment) !== 0x18538067) return false;
  const length = numberAt(head, segment + 4);
  return length !== null && !length.isUnknown && segment + 4 + length.width + length.value > size;
}

/** A length of EBML: as many bytes as its first one has leading zeros, and one. */
function numberAt(
  bytes: Buffer,
  offset: number,
): { value: number; width: number; isUnknown: boolean } | null {
  const first = bytes[offset] ?? 0;
  const width = Math.clz32(first) - 23;
  if (first === 0 || offset + width > bytes.length) return null;
  let value = first & ((1 << (8 - width)) - 1);
  let isUnknown = value === (1 << (8 - width)) - 1;
  for (let index = 1; index < width; index++) {
    const byte = bytes[offset + index] ?? 0;
    isUnknown &&= byte === 255;
    value = value * 256 + byte;
  }
  return { value, width, isUnknown };
}

/** avi files above 1 GB are several RIFF lists; the first says enough. */
async function riffEndsEarly(file: FileHandle, size: number): Promise<boolean> {
  const head = await bytesAt(file, 0, 8);
  return head.length === 8 && 8 + head.readUInt32LE(4) > size;
}

/** Transport streams are packets of 188 bytes, or 192 with times; a broken one at the end was cut. */
async function packetEndsEarly(file: FileHandle, size: number): Promise<boolean> {
  const [first] = await bytesAt(file, 0, 1);
  return size % (first === 0x47 ? 188 : 192) !== 0;
}
