/**
 * Reads a sheet of a spreadsheet (XLSX) as rows of text: what its cells show, formulas with their last result;
 * nothing is computed or run. Knows nothing of feeds.
 *
 * Such a file is a ZIP archive of XML. A small one can claim, or hide, gigabytes, and the reader's own unzipper starts a thread for
 * each large entry. So only the XML is unpacked, here, within the limits and up to the sizes that the archive states; the reader is given
 * an archive of just that, which is not packed. The cells' positions are checked too, because the reader makes a table as large as
 * they say.
 */
import { zipSync } from 'fflate';
import { inflateRawSync } from 'node:zlib';
import { feedLimits, spreadsheetLimits } from '../../../shared/limits.ts';
import { refuseTable } from './feed-refusal.ts';

/** The start of every ZIP archive. */
export const archiveStart = 'PK\u0003\u0004';

/** The rows of a sheet, without empty ones, and the sheets there are. */
export interface ReadSheet {
  readonly rows: string[][];
  /** Names of all sheets, in their order. */
  readonly sheets: readonly string[];
  /** Place of the one that was read, from 1. */
  readonly sheet: number;
}

/** @param sheet Place of the one that is read, from 1. @throws ApiError `feed_refused`. */
export async function readSpreadsheet(bytes: Buffer, sheet: number): Promise<ReadSheet> {
  const { sheets, entries } = unpackEntries(bytes, sheet);
  const file = zipSync(Object.fromEntries(entries), { level: 0 }).buffer;
  let rows: readonly (readonly unknown[])[];
  // Loaded with the first spreadsheet, so that no start waits for it.
  const { readSheet } = await import('read-excel-file/universal');
  try {
    rows = await readSheet(file, sheet);
  } catch {
    refuseTable('it is not a spreadsheet that can be read; save it as CSV (UTF-8)');
  }
  const texts = rows.map((row) => row.map(textOf));
  return { rows: texts.filter((row) => row.some((value) => value !== '')), sheets, sheet };
}

/** A cell as text; dates in sortable order, with a time only if there is one. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return '';
    return value
      .toISOString()
      .replace(/\.000Z$|Z$/, '')
      .replace(/T00:00:00$/, '')
      .replace('T', ' ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fixed parts of a ZIP archive (PKWARE APPNOTE 4.3): signatures, and lengths without names and remarks. */
const endRecord = { signature: 0x06054b50, length: 22, longestRemark: 0xffff };
const listRecord = { signature: 0x02014b50, length: 46 };
const entryRecord = { signature: 0x04034b50, length: 30 };
/** How an entry is packed. */
const stored = 0;
const deflated = 8;

/** What of a file the reader needs. */
interface Unpacked {
  /** Names of the sheets. */
  readonly sheets: readonly string[];
  /** Contents of the XML entries by their names. */
  readonly entries: ReadonlyMap<string, Buffer>;
}

/** Unpacks and checks the XML of the archive; leaves everything else packed. */
function unpackEntries(bytes: Buffer, wanted: number): Unpacked {
  const end = endOf(bytes);
  let place = bytes.readUInt32LE(end + 16);
  let left: number = spreadsheetLimits.bytes;
  const sheets = new Map<string, Buffer>();
  const entries = new Map<string, Buffer>();
  let [workbook, relations] = ['', ''];
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    if (place + listRecord.length > end || bytes.readUInt32LE(place) !== listRecord.signature) {
      damaged();
    }
    const [packed, size] = [bytes.readUInt32LE(place + 20), bytes.readUInt32LE(place + 24)];
    const nameLength = bytes.readUInt16LE(place + 28);
    const name = bytes.toString('utf8', place + 46, place + 46 + nameLength);
    if (/\.xml(?:\.rels)?$/.test(name)) {
      left -= size;
      if (left < 0) {
        refuseTable(`it has more than ${spreadsheetLimits.bytes / 1_000_000} MB when unpacked`);
      }
      const content = unpack(bytes, place, packed, size);
      entries.set(name, content);
      if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) sheets.set(name, content);
      else if (name === 'xl/workbook.xml') workbook = content.toString('utf8');
      else if (name === 'xl/_rels/workbook.xml.rels') relations = content.toString('latin1');
    }
    const others = bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
    place += listRecord.length + nameLength + others;
  }
  const tags = [...workbook.matchAll(/<(?:\w+:)?sheet\s[^<>]*>/g)].map(([tag]) => tag);
  if (wanted > Math.max(1, tags.length)) refuseTable(`it has no sheet ${wanted}`);
  const own = sheets.get(sheetEntry(tags[wanted - 1] ?? '', relations));
  // Where it can't be told, any may be the one that is read.
  for (const sheet of own ? [own] : sheets.values()) checkPlaces(sheet.toString('latin1'));
  const names = tags.slice(0, mostSheets).map((tag) => plainText(attribute(tag, 'name') ?? ''));
  return { sheets: names, entries };
}

/** Sheets that can be chosen from. */
const mostSheets = 1_000;

/** An attribute's text, with the five names and the numbers that XML has for characters. */
function plainText(text: string): string {
  const named: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
  };
  return text
    .slice(0, feedLimits.nameLength)
    .replace(/&(#x?[\da-f]{1,6}|[a-z]+);/gi, (whole, name: string) => {
      if (!name.startsWith('#')) return named[name] ?? whole;
      const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}

/** The entry of a sheet, as its workbook and the relations of that name it; empty when they don't. */
function sheetEntry(tag: string, relations: string): string {
  const id = attribute(tag, '(?:\\w+:)id') ?? '';
  for (const [relation] of relations.matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)) {
    if (attribute(relation, 'Id') !== id) continue;
    const target = attribute(relation, 'Target') ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  }
  return '';
}

/** The value of an attribute in a tag. */
function attribute(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return match?.[1] ?? match?.[2];
}

/** Refuses rows and cells beyond what we read, naming the first. */
function checkPlaces(sheet: string): void {
  let [rows, columns, count] = [0, 0, 0];
  for (const [tag, name = ''] of sheet.matchAll(/<(?:\w+:)?(row|c)(?=[\s/>])[^>]*>/g)) {
    const place = attribute(tag.slice(0, longestTag), 'r');
    if (name === 'row') {
      count += 1;
      const row = place === undefined ? count : Number(place);
      if (!Number.isInteger(row) || row < 1) refuseTable(`its row '${shown(place)}' has no number`);
      rows = checkRow(Math.max(rows, row, count));
      continue;
    }
    const [, letters, digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(place ?? '') ?? [];
    if (letters === undefined || digits === undefined) {
      refuseTable(`its cell '${shown(place)}' is at no place of a spreadsheet`);
    }
    const column = columnOf(letters);
    // An empty cell only carries a style.
    if (column > feedLimits.columns && !tag.endsWith('/>')) {
      refuseTable(
        `its cell ${letters}${digits} lies beyond column ${feedLimits.columns}, the last that is read`,
      );
    }
    rows = checkRow(Math.max(rows, Number(digits)));
    columns = Math.max(columns, column);
    if (rows * columns > spreadsheetLimits.cells) {
      refuseTable(
        `its cells reach to column ${columns} and row ${rows}, which are more than ${spreadsheetLimits.cells.toLocaleString('en-US')} cells`,
      );
    }
  }
}

/** Characters of a tag that are searched for its position. */
const longestTag = 1_000;

function checkRow(row: number): number {
  if (row > spreadsheetLimits.rows) {
    const last = spreadsheetLimits.rows.toLocaleString('en-US');
    refuseTable(
      `its row ${row.toLocaleString('en-US')} lies beyond row ${last}, the last that is read`,
    );
  }
  return row;
}

function shown(place: string | undefined): string {
  return (place ?? '').slice(0, 20);
}

/** `A` → 1, `Z` → 26, `AA` → 27. */
function columnOf(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Where the last record of the archive starts. */
function endOf(bytes: Buffer): number {
  const { signature, length, longestRemark } = endRecord;
  const first = Math.max(0, bytes.length - length - longestRemark);
  for (let place = bytes.length - length; place >= first; place--) {
    if (bytes.readUInt32LE(place) === signature) return place;
  }
  damaged();
}

/** The content of an entry, which must have the stated size. */
function unpack(bytes: Buffer, place: number, packed: number, size: number): Buffer {
  const entry = bytes.readUInt32LE(place + 42);
  if (entry + entryRecord.length > bytes.length) damaged();
  if (bytes.readUInt32LE(entry) !== entryRecord.signature) damaged();
  const names = bytes.readUInt16LE(entry + 26) + bytes.readUInt16LE(entry + 28);
  const start = entry + entryRecord.length + names;
  const content = bytes.subarray(start, start + packed);
  const method = bytes.readUInt16LE(place + 10);
  if (method === stored && content.length === size) return content;
  if (method !== deflated) damaged();
  try {
    // At least 1, the smallest limit that the function allows.
    const unpacked = inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
    if (unpacked.length === size) return unpacked;
  } catch {
    // Damaged, or longer than stated.
  }
  damaged();
}

function damaged(): never {
  refuseTable('the spreadsheet file is damaged');
}
