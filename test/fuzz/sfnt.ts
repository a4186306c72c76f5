/**
 * A WOFF file (https://www.w3.org/TR/WOFF/) as the TrueType or OpenType file in it: broken bytes get past no unpacking
 * there.
 */
import { inflateSync } from 'node:zlib';

export function unpackedFont(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const tables: Buffer[] = [];
  let offset = head.length;
  for (let index = 0; index < count; index++) {
    const entry = 44 + 20 * index;
    const [at, packed, size] = [4, 8, 12].map((place) => woff.readUInt32BE(entry + place));
    if (at === undefined || packed === undefined || size === undefined) break;
    const stored = woff.subarray(at, at + packed);
    const table = packed < size ? inflateSync(stored) : stored;
    const place = 12 + 16 * index;
    woff.copy(head, place, entry, entry + 4);
    woff.copy(head, place + 4, entry + 16, entry + 20);
    head.writeUInt32BE(offset, place + 8);
    head.writeUInt32BE(size, place + 12);
    tables.push(table, Buffer.alloc((4 - (size % 4)) % 4));
    offset += size + ((4 - (size % 4)) % 4);
  }
  return Buffer.concat([head, ...tables]);
}
