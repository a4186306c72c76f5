/** Font files under names of the tests' own, made of a shipped one. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';

/** What the file says about itself. */
export interface NamedFont {
  readonly family: string;
  readonly weight?: number;
  readonly isItalic?: boolean;
}

const woffFile = path.join(
  import.meta.dirname,
  '../../node_modules/@fontsource/bebas-neue/files/bebas-neue-latin-400-normal.woff',
);

/** A TrueType or OpenType file with the letters of Bebas Neue: tall capitals, also for small letters. */
export function namedFont({ family, weight = 400, isItalic = false }: NamedFont): Buffer {
  const woff = readFileSync(woffFile);
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < woff.readUInt16BE(12); index++) {
    const at = 44 + index * 20;
    const [start, packed, whole] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field));
    const part = woff.subarray(start, start! + packed!);
    const content = Buffer.from(packed === whole ? part : inflateSync(part));
    tables.set(woff.toString('latin1', at, at + 4), content);
  }
  tables.set('name', nameTable(family));
  const os2 = tables.get('OS/2')!;
  os2.writeUInt16BE(weight, 4);
  os2.writeUInt16BE(isItalic ? 1 : 64, 62);
  return fileOf(woff.subarray(4, 8), tables);
}

function nameTable(family: string): Buffer {
  const text = Buffer.from(family, 'utf16le').swap16();
  const head = Buffer.alloc(6 + 12);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(head.length, 4);
  // Windows, Unicode, English, family.
  [3, 1, 0x409, 1, text.length, 0].forEach((value, index) =>
    head.writeUInt16BE(value, 6 + index * 2),
  );
  return Buffer.concat([head, text]);
}

function fileOf(flavor: Buffer, tables: ReadonlyMap<string, Buffer>): Buffer {
  const head = Buffer.alloc(12 + tables.size * 16);
  flavor.copy(head);
  head.writeUInt16BE(tables.size, 4);
  const parts: Buffer[] = [head];
  let offset = head.length;
  [...tables]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .forEach(([tag, content], index) => {
      const at = 12 + index * 16;
      head.write(tag, at, 'latin1');
      head.writeUInt32BE(offset, at + 8);
      head.writeUInt32BE(content.length, at + 12);
      const padded = Buffer.alloc(Math.ceil(content.length / 4) * 4);
      content.copy(padded);
      parts.push(padded);
      offset += padded.length;
    });
  return Buffer.concat(parts);
}
