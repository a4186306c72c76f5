/**
 * Phase 1, fonts: the facts in a font file's own tables. Reads TrueType, OpenType, WOFF and WOFF2; needs no drawing
 * library. Pure, and safe with damaged files.
 */
import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { Coverage } from './font-list.ts';

/** How a font file describes itself. */
export interface FontFacts {
  /** The family that its weights share, e.g. `Noto Sans`. */
  readonly family: string;
  readonly style: 'normal' | 'italic';
  /** 1–1000; equal unless the weight is variable. */
  readonly minWeight: number;
  readonly maxWeight: number;
}

/** Bytes that one file may unpack to: the largest fonts with all Chinese characters have about 30 MB. */
const mostUnpacked = 80_000_000;
/** Characters of a family's name. */
const longestName = 100;
/** Tables of a font; the format knows about 60. */
const mostTables = 200;
/** Ranges of characters; a Chinese font lists each of its 30,000 twice at most. */
const mostRanges = 200_000;

/** The names that WOFF2 shortens to numbers. */
const woff2Tags =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .split(' ')
    .map((tag) => tag.replace('_', ' '));

/** Weights by the words of names. */
const weightWords: Readonly<Record<string, number>> = {
  thin: 100,
  hairline: 100,
  extralight: 200,
  ultralight: 200,
  light: 300,
  medium: 500,
  semibold: 600,
  demibold: 600,
  bold: 700,
  extrabold: 800,
  ultrabold: 800,
  black: 900,
  heavy: 900,
};

/** Family, style, full name; family and style of a larger family. */
const readNames: readonly number[] = [1, 2, 4, 16, 17];

type Names = ReadonlyMap<number, string>;
type Tables = ReadonlyMap<string, Buffer>;

/**
 * The facts of a font file.
 *
 * @throws RenderError `media_unreadable` with the reason in words, without a full stop.
 */
export function readFontFacts(file: Buffer): FontFacts {
  let tables: Tables;
  try {
    tables = tablesOf(file);
  } catch (error) {
    if (error instanceof RenderError) throw error;
    throw unreadable('its list of tables is damaged or cut off');
  }
  for (const tag of ['cmap', 'head', 'name'])
    if (!tables.has(tag)) throw unreadable(`it lacks the table '${tag}', which every font needs`);
  try {
    return factsIn(tables);
  } catch (error) {
    if (error instanceof RenderError) throw error;
    throw unreadable('one of its tables is damaged or cut off');
  }
}

/** The characters of a font file; null if its list of them can't be read. */
export function readFontCoverage(file: Buffer): Coverage | null {
  try {
    const map = tablesOf(file).get('cmap');
    return map ? new Coverage({ all: rangesIn(map).join(',') }) : null;
  } catch {
    return null;
  }
}

/** Ranges of the Unicode lists of a `cmap` table, in hexadecimal: formats 4 and 12, which fonts have. */
function rangesIn(map: Buffer): string[] {
  const ranges: string[] = [];
  const add = (from: number, to: number): void => {
    if (ranges.length >= mostRanges) throw unreadable('it lists too many characters');
    ranges.push(`${from.toString(16)}-${to.toString(16)}`);
  };
  for (let index = 0; index < map.readUInt16BE(2); index++) {
    const platform = map.readUInt16BE(4 + index * 8);
    const list = map.subarray(map.readUInt32BE(8 + index * 8));
    if (platform !== 0 && platform !== 3) continue;
    const format = list.readUInt16BE(0);
    if (format === 12) {
      for (let group = 0; group < list.readUInt32BE(12); group++)
        add(list.readUInt32BE(16 + group * 12), list.readUInt32BE(20 + group * 12));
    } else if (format === 4) {
      const ends = list.readUInt16BE(6);
      for (let at = 0; at < ends; at += 2) {
        const [to, from] = [list.readUInt16BE(14 + at), list.readUInt16BE(16 + ends + at)];
        const offsets = 16 + ends * 3 + at;
        const offset = list.readUInt16BE(offsets);
        if (from === 0xffff) continue;
        if (offset === 0) add(from, to);
        else {
          for (let code = from; code <= to; code++)
            if (list.readUInt16BE(offsets + offset + (code - from) * 2) !== 0) add(code, code);
        }
      }
    }
  }
  return ranges;
}

function unreadable(reason: string): RenderError {
  return new RenderError('media_unreadable', reason);
}

/** The few tables that we read. */
function tablesOf(file: Buffer): Tables {
  const start = file.toString('latin1', 0, 4);
  if (start === 'wOF2') return woff2Tables(file);
  if (start === 'wOFF') return woffTables(file);
  if (start === 'ttcf')
    throw unreadable(
      'it is a collection of several fonts; save the font that you need as a file of its own',
    );
  if (start === 'OTTO' || start === 'true' || start === '\0\x01\0\0') return plainTables(file);
  throw unreadable(
    file.length === 0
      ? 'it is empty'
      : 'it is no font; expected a file in the format TTF, OTF, WOFF or WOFF2',
  );
}

function countOf(file: Buffer, at: number): number {
  const count = file.readUInt16BE(at);
  if (count === 0 || count > mostTables) throw unreadable('its list of tables is damaged');
  return count;
}

/** @throws RenderError when the place lies outside: the file is cut off. */
function part(file: Buffer, offset: number, length: number): Buffer {
  if (offset + length > file.length) throw unreadable('its end is missing');
  return file.subarray(offset, offset + length);
}

function plainTables(file: Buffer): Tables {
  const tables = new Map<string, Buffer>();
  const count = countOf(file, 4);
  for (let index = 0; index < count; index++) {
    const at = 12 + index * 16;
    const tag = file.toString('latin1', at, at + 4);
    tables.set(tag, part(file, file.readUInt32BE(at + 8), file.readUInt32BE(at + 12)));
  }
  return tables;
}

function woffTables(file: Buffer): Tables {
  const tables = new Map<string, Buffer>();
  const count = countOf(file, 12);
  for (let index = 0; index < count; index++) {
    const at = 44 + index * 20;
    const tag = file.toString('latin1', at, at + 4);
    const packed = part(file, file.readUInt32BE(at + 4), file.readUInt32BE(at + 8));
    const length = file.readUInt32BE(at + 12);
    if (length > mostUnpacked) throw tooLarge();
    if (!isRead(tag)) tables.set(tag, Buffer.alloc(0));
    else if (packed.length === length) tables.set(tag, packed);
    else tables.set(tag, inflateSync(packed, { maxOutputLength: Math.max(1, length) }));
  }
  return tables;
}

function woff2Tables(file: Buffer): Tables {
  if (file.toString('latin1', 4, 8) === 'ttcf')
    throw unreadable(
      'it is a collection of several fonts; save the font that you need as a file of its own',
    );
  const count = countOf(file, 12);
  const packedLength = file.readUInt32BE(20);
  let at = 48;
  /** Up to five bytes with seven bits each. */
  const number = (): number => {
    let value = 0;
    for (let index = 0; index < 5; index++) {
      const byte = file.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if ((byte & 128) === 0) return value;
    }
    throw unreadable('its list of tables is damaged');
  };
  const entries: { tag: string; length: number }[] = [];
  for (let index = 0; index < count; index++) {
    const flags = file.readUInt8(at++);
    const known = flags & 63;
    const tag = known === 63 ? file.toString('latin1', at, at + 4) : (woff2Tags[known] ?? '');
    if (known === 63) at += 4;
    const whole = number();
    const version = flags >> 6;
    const isChanged = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
    entries.push({ tag, length: isChanged ? number() : whole });
  }
  const total = entries.reduce((sum, { length }) => sum + length, 0);
  if (total > mostUnpacked) throw tooLarge();
  const packed = part(file, at, packedLength);
  const content = brotliDecompressSync(packed, { maxOutputLength: Math.max(1, total) });
  const tables = new Map<string, Buffer>();
  let offset = 0;
  for (const { tag, length } of entries) {
    tables.set(tag, part(content, offset, length));
    offset += length;
  }
  return tables;
}

function tooLarge(): RenderError {
  return unreadable(`it unpacks to more than ${mostUnpacked / 1e6} MB`);
}

function isRead(tag: string): boolean {
  return ['head', 'name', 'OS/2', 'fvar', 'cmap'].includes(tag);
}

function factsIn(tables: Tables): FontFacts {
  const names = namesIn(tables.get('name') ?? Buffer.alloc(0));
  const os2 = tables.get('OS/2');
  const weight = weightOf(os2 ? os2.readUInt16BE(4) : 400, names);
  const [minWeight, maxWeight] = weightAxis(tables.get('fvar')) ?? [weight, weight];
  // 16 is the family of all weights, 1 the one for programs that know only bold and italic.
  const own = names.get(16);
  const isPlain = own !== undefined && minWeight === maxWeight;
  const family = isPlain
    ? own.trim()
    : familyOf((own ?? names.get(1) ?? '').trim(), minWeight, maxWeight);
  if (family === '') throw unreadable('it names no family');
  const isItalic =
    os2 && os2.length >= 64
      ? (os2.readUInt16BE(62) & 1) === 1
      : ((tables.get('head')?.readUInt16BE(44) ?? 0) & 2) === 2;
  const style = isItalic ? 'italic' : 'normal';
  return { family: family.slice(0, longestName), style, minWeight, maxWeight };
}

/**
 * The weight as CSS counts it. Old fonts say 4 for 400; others 250 for thin or light, because some programs made less
 * bold: then the words of the names decide.
 */
function weightOf(said: number, names: Names): number {
  const words = [17, 2, 4, 1].flatMap((id) => (names.get(id) ?? '').toLowerCase().split(/[ -]/));
  const named = words.map((word) => weightWords[word]).find((weight) => weight !== undefined);
  const odd = said % 100 !== 0 && said >= 10 ? named : undefined;
  return Math.min(1000, Math.max(1, odd ?? (said < 10 ? said * 100 : said)));
}

/**
 * Without what files without name 16, and some variable ones, add: the size for which they are drawn, and a weight they
 * have. `Poppins Light` of weight 300 is `Poppins`; `Archivo Black` of weight 400 stays.
 */
function familyOf(name: string, minWeight: number, maxWeight: number): string {
  const whole = minWeight < maxWeight ? name.replace(/ \d+pt$/, '') : name;
  const [, family, word = ''] = /^(.+) ([a-z]+)$/i.exec(whole) ?? [];
  const named = weightWords[word.toLowerCase()];
  if (family === undefined || named === undefined) return whole;
  return named > minWeight - 100 && named < maxWeight + 100 ? family : whole;
}

/** The font's names by their number; English ones first. */
function namesIn(table: Buffer): Names {
  const found = new Map<number, { text: string; rank: number }>();
  const count = table.readUInt16BE(2);
  const texts = table.readUInt16BE(4);
  for (let index = 0; index < count; index++) {
    const at = 6 + index * 12;
    const [platform, language, id] = [0, 4, 6].map((part) => table.readUInt16BE(at + part));
    if (id === undefined || !readNames.includes(id)) continue;
    const length = table.readUInt16BE(at + 8);
    const bytes = part(table, texts + table.readUInt16BE(at + 10), length);
    const isMac = platform === 1;
    const rank = isMac ? 2 : platform === 3 && language === 0x409 ? 0 : 1;
    const text = isMac ? bytes.toString('latin1') : wideText(bytes);
    const known = found.get(id);
    if (text.trim() !== '' && (!known || rank < known.rank)) found.set(id, { text, rank });
  }
  return new Map([...found].map(([id, { text }]) => [id, text]));
}

function wideText(bytes: Buffer): string {
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return even.swap16().toString('utf16le');
}

/** The range of a variable weight, or null. */
function weightAxis(table: Buffer | undefined): [number, number] | null {
  if (!table || table.length < 16) return null;
  const [first, count, size] = [4, 8, 10].map((at) => table.readUInt16BE(at));
  for (let index = 0; index < Math.min(count ?? 0, 64); index++) {
    const at = (first ?? 0) + index * (size ?? 20);
    if (table.toString('latin1', at, at + 4) !== 'wght') continue;
    const from = Math.round(table.readInt32BE(at + 4) / 65_536);
    const to = Math.round(table.readInt32BE(at + 12) / 65_536);
    if (from >= 1 && to <= 1000 && from <= to) return [from, to];
  }
  return null;
}
