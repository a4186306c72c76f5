/**
 * Reads a sheet of a spreadsheet (XLSX) as rows of text: what its cells show (cell-text.ts), formulas with their last
 * result; nothing is computed or run. Knows nothing of feeds.
 *
 * Such a file is a ZIP archive of XML. A small one can claim, or hide, gigabytes, and the reader's own unzipper starts
 * a thread for each large entry. So only the XML of cells is unpacked, here, within the limits and up to the sizes that
 * the archive states; the reader is given an archive of just that, which is not packed. The cells' positions are
 * checked too, because the reader makes a table as large as they say. What a server is sent is read by a process that
 * may die (sheet-reader.ts).
 */
import { readFile, writeFile } from 'node:fs/promises';
import { zipSync } from 'fflate';
import { ApiError } from '../../../shared/errors.ts';
import { feedLimits, spreadsheetLimits } from '../../../shared/limits.ts';
import { readZipEntry, readZipList, type ZipFile } from '../share/zip-reader.ts';
import type { CellText } from './cell-text.ts';
import { refuseTable } from './feed-refusal.ts';
import { attribute, mostStyles, plainText } from './sheet-xml.ts';

/** Whether a file begins as every ZIP archive does. */
export function isSpreadsheet(bytes: Uint8Array): boolean {
  return ['P', 'K', '\u0003', '\u0004'].every((sign, at) => bytes[at] === sign.charCodeAt(0));
}

/** The rows of a sheet, without empty ones, and the sheets there are. */
export interface ReadSheet extends SheetFacts {
  readonly rows: string[][];
}

/** Which sheet was read. */
export interface SheetFacts {
  /** Names of all sheets, in their order. */
  readonly sheets: readonly string[];
  /** Place of the one that was read, from 1. */
  readonly sheet: number;
}

/** @param sheet Place of the one that is read, from 1. @throws ApiError `feed_refused`. */
export async function readSpreadsheet(bytes: Buffer, sheet: number): Promise<ReadSheet> {
  const { sheets, entries, styles, textOf } = await unpackEntries(bytes, sheet);
  const file = zipSync(Object.fromEntries(entries), { level: 0 }).buffer;
  let rows: readonly (readonly unknown[])[];
  // Loaded with the first spreadsheet, so that no start waits for it.
  const { readSheet } = await import('read-excel-file/universal');
  try {
    rows = await readSheet(file, sheet);
  } catch {
    refuseTable('it is not a spreadsheet that can be read; save it as CSV (UTF-8)');
  }
  const texts = rows.map((row, y) => row.map((value, x) => textOf(value, styles[y + 1]?.[x + 1])));
  return { rows: texts.filter((row) => row.some((value) => value !== '')), sheets, sheet };
}

/**
 * Reads a sheet of a file, and writes its rows as JSON; what the process of sheet-reader.ts does.
 *
 * @throws ApiError `feed_refused`.
 */
export async function writeSheet({
  filePath,
  rowsPath,
  sheet: wanted,
}: {
  filePath: string;
  rowsPath: string;
  sheet: number;
}): Promise<SheetFacts> {
  const { rows, sheets, sheet } = await readSpreadsheet(await readFile(filePath), wanted);
  // Many cells can show one long text.
  let left: number = spreadsheetLimits.bytes;
  for (const value of rows.flat()) {
    left -= value.length;
    if (left < 0) {
      refuseTable(`its cells show more than ${spreadsheetLimits.bytes / 1_000_000} MB of text`);
    }
  }
  await writeFile(rowsPath, JSON.stringify(rows));
  return { sheets, sheet };
}

type CellStyles = readonly (readonly number[] | undefined)[];

/** What of a file the reader needs. */
interface Unpacked {
  /** Names of the sheets. */
  readonly sheets: readonly string[];
  /** Contents of the XML entries by their names. Its styles are plain, so that the reader gives numbers as they are. */
  readonly entries: ReadonlyMap<string, Buffer>;
  /** Of the cells that have one, by row and column from 1. */
  readonly styles: CellStyles;
  readonly textOf: CellText;
}

/** Unpacks and checks the XML of the archive; passes over everything else. */
async function unpackEntries(bytes: Buffer, wanted: number): Promise<Unpacked> {
  const entries = withRelations(await unpackXml(bytes).catch(asDamaged));
  const textOfEntry = (name: string, encoding: BufferEncoding): string =>
    entries.get(name)?.toString(encoding) ?? '';
  const workbook = textOfEntry('xl/workbook.xml', 'utf8');
  const relations = textOfEntry('xl/_rels/workbook.xml.rels', 'latin1');
  const sheets = new Map(
    [...entries].filter(([name]) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)),
  );
  const tags = [...workbook.matchAll(/<(?:\w+:)?sheet\s[^<>]*>/g)].map(([tag]) => tag);
  if (wanted > Math.max(1, tags.length)) refuseTable(`it has no sheet ${wanted}`);
  const id = attribute(tags[wanted - 1] ?? '', '(?:\\w+:)id') ?? '';
  const name = entryOf(relations, 'Id', (value) => value === id);
  const own = withPlaces(sheets.get(name));
  // Where it can't be told, any may be the one that is read.
  const [styles = []] = Array.from(own ? [own] : sheets.values(), (sheet) =>
    checkPlaces(sheet.toString('latin1')),
  );
  if (own) entries.set(name, withErrors(own));
  const names = tags
    .slice(0, mostSheets)
    .map((tag) => plainText((attribute(tag, 'name') ?? '').slice(0, feedLimits.nameLength)));
  const listed = entryOf(relations, 'Type', (value) => value.endsWith('/styles'));
  const styleEntry = listed === '' ? 'xl/styles.xml' : listed;
  // Every command and worker would load the forms of all languages at its start.
  const { cellTexts } = await import('./cell-text.ts');
  const textOf = cellTexts(entries.get(styleEntry)?.toString('utf8') ?? '', workbook);
  const last = styles.reduce(
    (most, row) => row?.reduce((one, two) => Math.max(one, two), most) ?? most,
    0,
  );
  const plainStyles = '<xf numFmtId="0"/>'.repeat(Math.min(last + 1, mostStyles));
  entries.set(
    styleEntry,
    Buffer.from(`<styleSheet><cellXfs>${plainStyles}</cellXfs></styleSheet>`),
  );
  return { sheets: names, entries, styles, textOf };
}

/** Sheets that can be chosen from. */
const mostSheets = 1_000;

/** The entry that the first relation with such an attribute leads to; empty when there is none. */
function entryOf(relations: string, name: string, fits: (value: string) => boolean): string {
  for (const [relation] of relations.matchAll(/<(?:\w+:)?Relationship\s[^<]*/g)) {
    if (!fits(attribute(relation, name) ?? '')) continue;
    const target = attribute(relation, 'Target') ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  }
  return '';
}

/** Refuses rows and cells beyond what we read, naming the first. @returns the styles of the others. */
function checkPlaces(sheet: string): CellStyles {
  const styles: number[][] = [];
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
    const style = Number(attribute(tag.slice(0, longestTag), 's') ?? 0);
    if (style > 0 && !tag.endsWith('/>')) (styles[Number(digits)] ??= [])[column] = style;
    rows = checkRow(Math.max(rows, Number(digits)));
    columns = Math.max(columns, column);
    if (rows * columns > spreadsheetLimits.cells) {
      refuseTable(
        `its cells reach to column ${columns} and row ${rows}, which are more than ${spreadsheetLimits.cells.toLocaleString('en-US')} cells`,
      );
    }
  }
  return styles;
}

/** Where no relations tell which sheet lies where: in the order of their names. */
function withRelations(entries: Map<string, Buffer>): Map<string, Buffer> {
  const place = 'xl/_rels/workbook.xml.rels';
  const workbook = entries.get('xl/workbook.xml')?.toString('utf8') ?? '';
  if (entries.has(place) || workbook === '') return entries;
  const files = [...entries.keys()]
    .filter((name) => name.startsWith('xl/worksheets/'))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  const tags = [...workbook.matchAll(/<(?:\w+:)?sheet\s[^<>]*>/g)].slice(0, mostSheets);
  const relations = tags.map(([tag], at) => {
    const id = attribute(tag, '(?:\\w+:)id') ?? '';
    return `<Relationship Id="${id}" Type="${sheetRelation}" Target="/${files[at] ?? ''}"/>`;
  });
  entries.set(place, Buffer.from(`<Relationships>${relations.join('')}</Relationships>`));
  return entries;
}

const sheetRelation =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';

/** A row or cell, no longer than any that a program writes. */
const placed = /<((?:\w+:)?)(row|c)(?=[\s/>])([^<>]{0,1000})>/g;
const unplaced = /<(?:\w+:)?c(?=[\s/>])(?![^<>]*\sr\s*=)[^<>]{0,1000}>/;

/** A sheet whose cells say where they are: small programs leave it out, and mean the next column. */
function withPlaces(sheet: Buffer | undefined): Buffer | undefined {
  const text = sheet?.toString('latin1') ?? '';
  if (!unplaced.test(text)) return sheet;
  let [row, column] = [0, 0];
  const written = text.replace(placed, (tag, prefix: string, name: string, rest: string) => {
    const place = attribute(tag, 'r');
    if (name === 'row') {
      row = place === undefined ? row + 1 : Number(place);
      column = 0;
      return place === undefined ? `<${prefix}row r="${row}"${rest}>` : tag;
    }
    column = place === undefined ? column + 1 : columnOf(place.replace(/\d+$/, ''));
    return place === undefined ? `<${prefix}c r="${lettersOf(column)}${row}"${rest}>` : tag;
  });
  return Buffer.from(written, 'latin1');
}

/** A sheet whose errors, which the reader leaves out, are texts as they show. */
function withErrors(sheet: Buffer): Buffer {
  if (!sheet.includes('t="e"')) return sheet;
  const text = sheet.toString('latin1').replace(/(<(?:\w+:)?c\s[^<>]*t=)"e"/g, '$1"str"');
  return Buffer.from(text, 'latin1');
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

/** 1 → `A`, 26 → `Z`, 27 → `AA`. */
function lettersOf(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  const last = String.fromCharCode(65 + ((column - 1) % 26));
  return rest === 0 ? last : lettersOf(rest) + last;
}

/** Entries that can have to do with the cells: not those of charts, pivot tables, comments and pictures. */
const tableParts = /^xl\/(?:worksheets\/|_rels\/)?[^/]+\.xml(?:\.rels)?$/;

/** Entries in the archive, pictures included. */
const mostEntries = 65_534;

/** The contents of the XML entries by their names, streamed out of the archive and counted. */
async function unpackXml(bytes: Buffer): Promise<Map<string, Buffer>> {
  const file = fileOf(bytes);
  const list = await readZipList(file, mostEntries, (name) => tableParts.test(name));
  if (list.reduce((sum, entry) => sum + entry.bytes, 0) > spreadsheetLimits.bytes) {
    refuseTable(`it has more than ${spreadsheetLimits.bytes / 1_000_000} MB when unpacked`);
  }
  const entries = new Map<string, Buffer>();
  for (const entry of list) {
    const pieces: Buffer[] = [];
    for await (const piece of readZipEntry(file, entry)) pieces.push(piece);
    const xml = Buffer.concat(pieces);
    checkTexts(xml);
    entries.set(entry.name, xml);
  }
  return entries;
}

/** Refuses texts, tags and comments over the limit: the reader takes minutes for one of 16 MB. */
function checkTexts(xml: Buffer): void {
  for (let at = 0; at < xml.length;) {
    const isMarked = xml[at + 1] === 0x21; // !
    const end = (isMarked && sections.get(xml.toString('latin1', at, at + 4))) || '<';
    const last = xml.indexOf(end, at + 1);
    const next = last < 0 ? xml.length : last;
    if (next - at > spreadsheetLimits.text) {
      const begin = xml.toString('utf8', at, at + 500).replace(/^<[^>]*>?/, '');
      refuseTable(
        `a text of it has more than ${spreadsheetLimits.text / 1_000_000} MB: '${begin.slice(0, 20)}…'`,
      );
    }
    at = next;
  }
}

/** What ends parts in which a `<` begins nothing, by their first characters. */
const sections: ReadonlyMap<string, string> = new Map([
  ['<!--', '-->'],
  ['<![C', ']]>'],
]);

function fileOf(bytes: Buffer): ZipFile {
  return {
    stat: () => Promise.resolve({ size: bytes.length }),
    read: (into, offset, length, place) =>
      Promise.resolve({ bytesRead: bytes.copy(into, offset, place, place + length) }),
  };
}

/** What the reader of archives refuses is said in words for tables. */
function asDamaged(error: unknown): never {
  if (error instanceof ApiError && error.code === 'share_refused') damaged();
  throw error;
}

function damaged(): never {
  refuseTable('the spreadsheet file is damaged');
}
