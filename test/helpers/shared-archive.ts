/** Makes `.framewright` files for tests, well-formed or with any field of the archive wrong. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive; what is left out is as it should be. */
export interface Part {
  readonly name: string;
  readonly content: Buffer | string;
  readonly deflate?: boolean;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  /** Size to claim. */
  readonly bytes?: number;
  readonly packed?: number;
  /** Unix mode. */
  readonly mode?: number;
  /** In the entry's own head. */
  readonly otherName?: string;
  /** Where the list says that it is. */
  readonly place?: number;
}

/** A zip archive. @param end Replaces fields of its last record: count, length and start of the list. */
export function zipOf(
  parts: readonly Part[],
  end: { count?: number; length?: number; start?: number } = {},
): Buffer {
  const bodies: Buffer[] = [];
  const list: Buffer[] = [];
  let place = 0;
  for (const part of parts) {
    const { content, deflate = false, flags = 0x800, mode = 0o100644 } = part;
    const bytes = Buffer.from(content as string);
    const packed = deflate ? deflateRawSync(bytes) : bytes;
    const name = Buffer.from(part.name);
    const ownName = Buffer.from(part.otherName ?? part.name);
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(part.method ?? (deflate ? 8 : 0), 4);
    facts.writeUInt32LE(part.crc ?? crc32(bytes), 10);
    facts.writeUInt32LE(part.packed ?? packed.length, 14);
    facts.writeUInt32LE(part.bytes ?? bytes.length, 18);
    const lengths = (of: Buffer): Buffer => Buffer.from([of.length & 255, of.length >> 8, 0, 0]);
    const body = Buffer.concat([
      ...[Buffer.from('PK\u0003\u0004'), facts, lengths(ownName), ownName, packed],
    ]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(part.place ?? place, 10);
    list.push(
      Buffer.from('PK\u0001\u0002'),
      Buffer.from([20, 3]),
      facts,
      lengths(name),
      rest,
      name,
    );
    bodies.push(body);
    place += body.length;
  }
  const listBytes = Buffer.concat(list);
  const last = Buffer.alloc(22);
  last.write('PK\u0005\u0006', 0, 'latin1');
  last.writeUInt16LE(end.count ?? parts.length, 8);
  last.writeUInt16LE(end.count ?? parts.length, 10);
  last.writeUInt32LE(end.length ?? listBytes.length, 12);
  last.writeUInt32LE(end.start ?? place, 16);
  return Buffer.concat([...bodies, listBytes, last]);
}

/** A row of a manifest for a file. */
export function listed(
  path: string,
  content: Buffer,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path, name: path.slice(6), use: 'media', bytes: content.length, sha256, ...changes };
}

/** The manifest of an archive as its part. */
export function manifestOf(
  files: readonly object[],
  changes: Readonly<Record<string, unknown>> = {},
): Part {
  const content = { format: 'framewright-template', version: 1, files, ...changes };
  return { name: 'manifest.json', content: JSON.stringify(content) };
}

/** A template as its part. */
export function templateOf(source: object, name = 'Shared'): Part {
  return { name: 'template.json', content: JSON.stringify({ name, tags: ['a'], source }) };
}
