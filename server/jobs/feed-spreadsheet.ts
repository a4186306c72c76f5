/**
 * Reads the first sheet of a spreadsheet (XLSX) as rows of text: what its cells show, formulas with their last result;
 * nothing is computed or run. Knows nothing of feeds.
 *
 * Such a file is a ZIP archive of XML. Its entries are unpacked here once, with the size that the archive names as their
 * limit, before the reader sees it: a small file can name, or hide, gigabytes.
 */
import { inflateRawSync } from 'node:zlib';
import { spreadsheetLimits } from '../../shared/limits.ts';
import { refuseTable } from './feed-refusal.ts';

/** The start of every ZIP archive. */
export const archiveStart = 'PK\u0003\u0004';

/** @throws ApiError `feed_refused`. */
export async function readSpreadsheet(bytes: Buffer): Promise<string[][]> {
  checkEntries(bytes);
  // A copy: what is read may share its memory with other buffers.
  const file = new Uint8Array(bytes).buffer;
  let rows: readonly (readonly unknown[])[];
  // Loaded when the first spreadsheet comes: no start waits for it.
  const { readSheet } = await import('read-excel-file/universal');
  try {
    rows = await readSheet(file, 1);
  } catch {
    refuseTable('it is not a spreadsheet that can be read; save it as CSV (UTF-8)');
  }
  return rows.map((row) => row.map(textOf)).filter((row) => row.some((value) => value !== ''));
}

/** A cell as text; dates in the order that sorts, with the time only where there is one. */
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

/** Unpacks what the reader will unpack, within the limits. */
function checkEntries(bytes: Buffer): void {
  const end = endOf(bytes);
  let place = bytes.readUInt32LE(end + 16);
  let left: number = spreadsheetLimits.bytes;
  let sheetRows = 0;
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
      if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) sheetRows += rowsIn(content);
      // Of all sheets: far more than any table that is accepted, and before anything is made of them.
      if (sheetRows > spreadsheetLimits.rows) {
        refuseTable(`its sheets have more than ${spreadsheetLimits.rows} rows`);
      }
    }
    const others = bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
    place += listRecord.length + nameLength + others;
  }
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

/** The content of an entry, which must have the size that the list names. */
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
    // At least 1: the function allows no other limit.
    const unpacked = inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
    if (unpacked.length === size) return unpacked;
  } catch {
    // Damaged, or longer than it says.
  }
  damaged();
}

function rowsIn(sheet: Buffer): number {
  let rows = 0;
  for (let at = sheet.indexOf('<row'); at >= 0; at = sheet.indexOf('<row', at + 4)) rows++;
  return rows;
}

function damaged(): never {
  refuseTable('the spreadsheet file is damaged');
}
