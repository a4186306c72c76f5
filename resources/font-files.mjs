/**
 * Reading and rewriting font files while building: which characters a woff2 file really has, and a colour emoji font
 * without the parts that nothing here draws. Pure functions on bytes; formats as in the W3C's WOFF and WOFF2 papers and
 * in the OpenType specification. server/engine/assets/fonts/font-file.ts reads fonts of unknown origin; the build runs
 * before there is TypeScript that it could import.
 */
import { brotliDecompressSync, inflateSync } from 'node:zlib';

/** Tags that WOFF2 abbreviates to their place in this list. */
const knownTags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '));

/**
 * The characters that a woff2 file has glyphs for.
 *
 * @param {Buffer} file
 * @returns {number[]} code points, ascending
 */
export function charactersOfWoff2(file) {
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error('not a woff2 file');
  let offset = 48;
  const readNumber = () => {
    let value = 0;
    for (;;) {
      const byte = file[offset++];
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let start = 0;
  let found = null;
  for (let count = file.readUInt16BE(12); count > 0; count--) {
    const flags = file[offset++];
    let tag = knownTags[flags & 63];
    if ((flags & 63) === 63) {
      tag = file.toString('latin1', offset, offset + 4);
      offset += 4;
    }
    let length = readNumber();
    const isGlyphs = tag === 'glyf' || tag === 'loca';
    const transformed = isGlyphs ? flags >> 6 !== 3 : flags >> 6 !== 0;
    if (transformed) length = readNumber();
    if (tag === 'cmap') found = { start, length };
    start += length;
  }
  if (!found) throw new Error('the font has no cmap');
  const data = brotliDecompressSync(file.subarray(offset, offset + file.readUInt32BE(20)));
  return charactersOfMap(data.subarray(found.start, found.start + found.length));
}

/** The characters of a `cmap` table: formats 4 and 12, the only ones in use for Unicode. */
function charactersOfMap(map) {
  const found = new Set();
  for (let index = 0; index < map.readUInt16BE(2); index++) {
    const platform = map.readUInt16BE(4 + index * 8);
    const table = map.subarray(map.readUInt32BE(8 + index * 8));
    const format = table.readUInt16BE(0);
    if (platform !== 0 && platform !== 3) continue;
    if (format === 4) {
      const segments = table.readUInt16BE(6) / 2;
      for (let segment = 0; segment < segments; segment++) {
        const end = table.readUInt16BE(14 + segment * 2);
        const start = table.readUInt16BE(16 + (segments + segment) * 2);
        const delta = table.readUInt16BE(16 + (segments * 2 + segment) * 2);
        const rangePlace = 16 + (segments * 3 + segment) * 2;
        const range = table.readUInt16BE(rangePlace);
        for (let code = start; code <= end && code < 0xffff; code++) {
          const listed =
            range === 0 ? code : table.readUInt16BE(rangePlace + range + (code - start) * 2);
          if (range === 0 ? ((code + delta) & 0xffff) !== 0 : listed !== 0) found.add(code);
        }
      }
    } else if (format === 12) {
      for (let group = 0; group < table.readUInt32BE(12); group++) {
        const start = table.readUInt32BE(16 + group * 12);
        const end = table.readUInt32BE(20 + group * 12);
        for (let code = start; code <= end; code++) found.add(code);
      }
    }
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * A woff file as an OpenType file without some of its tables, and the characters that it has.
 *
 * @param {Buffer} file
 * @param {ReadonlySet<string>} leftOut tags
 * @returns {{ font: Buffer, characters: number[] }}
 */
export function woffToOpenType(file, leftOut) {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a woff file');
  const tables = [];
  for (let index = 0; index < file.readUInt16BE(12); index++) {
    const entry = 44 + index * 20;
    const tag = file.toString('latin1', entry, entry + 4);
    if (leftOut.has(tag)) continue;
    const [offset, packed, size, checksum] = [4, 8, 12, 16].map((place) =>
      file.readUInt32BE(entry + place),
    );
    const bytes = file.subarray(offset, offset + packed);
    tables.push({ tag, checksum, data: packed < size ? inflateSync(bytes) : bytes });
  }
  const map = tables.find(({ tag }) => tag === 'cmap');
  return { font: fontOf(file.subarray(4), tables), characters: charactersOfMap(map.data) };
}

/**
 * Gives ligatures code points of their own, so that they can be asked for without their sequence.
 *
 * @param {Buffer} font OpenType
 * @param {ReadonlyMap<number, readonly number[]>} aliases new code point → the sequence; ascending, above all others
 * @returns {Buffer}
 * @throws when the font has no ligature for a sequence
 */
export function nameLigatures(font, aliases) {
  const tables = tablesOf(font);
  const map = tables.find(({ tag }) => tag === 'cmap');
  const substitutions = tables.find(({ tag }) => tag === 'GSUB');
  const records = wideRecords(map.data);
  const wide = map.data.subarray(map.data.readUInt32BE(records[0]));
  const glyphs = new Map();
  for (let group = 0; group < wide.readUInt32BE(12); group++) {
    const [start, end, glyph] = [0, 4, 8].map((at) => wide.readUInt32BE(16 + group * 12 + at));
    for (let code = start; code <= end; code++) glyphs.set(code, glyph + code - start);
  }
  const groups = [...aliases].map(([code, sequence]) => {
    const glyph = ligatureOf(
      substitutions.data,
      sequence.map((character) => glyphs.get(character)),
    );
    if (glyph === null) throw new Error(`the font has no ligature of ${sequence.join(' ')}`);
    const entry = Buffer.alloc(12);
    [code, code, glyph].forEach((value, index) => entry.writeUInt32BE(value, index * 4));
    return entry;
  });
  const longer = Buffer.concat([wide.subarray(0, wide.readUInt32BE(4)), ...groups]);
  longer.writeUInt32BE(longer.length, 4);
  longer.writeUInt32BE(wide.readUInt32BE(12) + groups.length, 12);
  const data = Buffer.concat([map.data, Buffer.alloc(-map.data.length & 3), longer]);
  for (const record of records) data.writeUInt32BE(data.length - longer.length, record);
  return fontOf(
    font,
    tables.map((table) => (table === map ? { ...map, data } : table)),
  );
}

/** Where a `cmap` says the offset of its tables of all Unicode characters (format 12); often one table twice. */
function wideRecords(map) {
  const places = [];
  for (let index = 0; index < map.readUInt16BE(2); index++) {
    const place = 8 + index * 8;
    if (map.readUInt16BE(map.readUInt32BE(place)) === 12) places.push(place);
  }
  if (places.length === 0) throw new Error('the font has no characters beyond U+FFFF');
  return places;
}

/** The glyph that a `GSUB` table puts for a sequence of glyphs, or null. */
function ligatureOf(table, [first, ...others]) {
  const lookups = table.subarray(table.readUInt16BE(8));
  for (let index = 0; index < lookups.readUInt16BE(0); index++) {
    const lookup = lookups.subarray(lookups.readUInt16BE(2 + index * 2));
    for (let part = 0; part < lookup.readUInt16BE(4); part++) {
      let type = lookup.readUInt16BE(0);
      let subtable = lookup.subarray(lookup.readUInt16BE(6 + part * 2));
      if (type === 7) {
        type = subtable.readUInt16BE(2);
        subtable = subtable.subarray(subtable.readUInt32BE(4));
      }
      if (type !== 4) continue;
      const covered = coverageIndex(subtable.subarray(subtable.readUInt16BE(2)), first);
      if (covered < 0) continue;
      const set = subtable.subarray(subtable.readUInt16BE(6 + covered * 2));
      for (let entry = 0; entry < set.readUInt16BE(0); entry++) {
        const ligature = set.subarray(set.readUInt16BE(2 + entry * 2));
        if (ligature.readUInt16BE(2) !== others.length + 1) continue;
        if (others.every((glyph, at) => ligature.readUInt16BE(4 + at * 2) === glyph))
          return ligature.readUInt16BE(0);
      }
    }
  }
  return null;
}

function coverageIndex(coverage, glyph) {
  const ranges = coverage.readUInt16BE(0) === 2;
  for (let index = 0; index < coverage.readUInt16BE(2); index++) {
    if (!ranges) {
      if (coverage.readUInt16BE(4 + index * 2) === glyph) return index;
      continue;
    }
    const [start, end, from] = [0, 2, 4].map((at) => coverage.readUInt16BE(4 + index * 6 + at));
    if (start <= glyph && glyph <= end) return from + glyph - start;
  }
  return -1;
}

/** Tables as a font file; its first four bytes, which tell the kind of outlines, come from another. */
function fontOf(kind, tables) {
  const power = 2 ** Math.floor(Math.log2(tables.length));
  const head = Buffer.alloc(12 + tables.length * 16);
  kind.copy(head, 0, 0, 4);
  head.writeUInt16BE(tables.length, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((tables.length - power) * 16, 10);
  const parts = [head];
  let place = head.length;
  tables.forEach(({ tag, checksum, data }, index) => {
    const entry = 12 + index * 16;
    head.write(tag, entry, 'latin1');
    head.writeUInt32BE(checksum, entry + 4);
    head.writeUInt32BE(place, entry + 8);
    head.writeUInt32BE(data.length, entry + 12);
    const padding = -data.length & 3;
    parts.push(data, Buffer.alloc(padding));
    place += data.length + padding;
  });
  return Buffer.concat(parts);
}

function tablesOf(font) {
  return Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const entry = 12 + index * 16;
    const offset = font.readUInt32BE(entry + 8);
    return {
      tag: font.toString('latin1', entry, entry + 4),
      checksum: font.readUInt32BE(entry + 4),
      data: font.subarray(offset, offset + font.readUInt32BE(entry + 12)),
    };
  });
}

/**
 * Code points as text, `41-5a,61-7a` in hexadecimal.
 *
 * @param {readonly number[]} characters ascending
 */
export function rangesOf(characters) {
  const ranges = [];
  for (const code of characters) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges
    .map(([from, to]) =>
      from === to ? from.toString(16) : `${from.toString(16)}-${to.toString(16)}`,
    )
    .join(',');
}
