/**
 * Reads a file's content as a table: CSV with commas, semicolons or tabs, JSON (an array of objects, one in each
 * line, or one that holds the array), or the first sheet of a spreadsheet. Everything stays text: nothing in it is
 * computed or run. Pure.
 */
import { decodeText, type DecodedText } from '../../../shared/decode-text.ts';
import type { TextEncoding } from '../../../shared/text-encodings.ts';
import { parseJson } from '../../../shared/json.ts';
import { feedLimits, requestLimits, tableLimits } from '../../../shared/limits.ts';
import type { TableChoice, TableLook } from '../../../shared/api.ts';
import { tableSeparators, type TableSeparator } from '../../../shared/api/feeds.ts';
import { isJsonObject } from '../../../shared/renderscript/source.ts';
import type { Table } from '../../store/feeds.ts';
import { refuseTable as refuse } from './feed-refusal.ts';
import { isSpreadsheet, readSpreadsheet, type ReadSheet } from './feed-spreadsheet.ts';
import { depthOf } from '../desk/json-body.ts';

/** A table with how it was read. */
type FoundTable = Table & Pick<TableLook, 'kind' | 'choice' | 'sheets'> & { isGuess?: boolean };

/** Rows of a look. */
const lookRows = 20;

/**
 * @param content A file, or a sheet that was read.
 * @param choice What of it is left out is recognised; but the first row names the columns where nothing else is said.
 * @param onGuess Called with an encoding that was only guessed.
 * @throws ApiError `feed_refused` with the reason.
 */
export async function readTable(
  content: Buffer | ReadSheet,
  choice: TableChoice = {},
  onGuess?: (encoding: TextEncoding) => void,
): Promise<Table> {
  const { columns, rows, ...found } = await findTable(content, { head: true, ...choice });
  if (found.isGuess && found.choice.encoding) onGuess?.(found.choice.encoding);
  return { columns, rows };
}

/**
 * The beginning of a table, and how it was read; also whether its first row looks like names.
 * @throws ApiError `feed_refused`.
 */
export async function lookAtTable(
  content: Buffer | ReadSheet,
  choice: TableChoice,
): Promise<TableLook> {
  const { kind, choice: read, sheets, columns, rows } = await findTable(content, choice);
  const look = { kind, choice: read, columns, ...(sheets && { sheets }) };
  return { ...look, rows: rows.slice(0, lookRows), rowCount: rows.length };
}

async function findTable(content: Buffer | ReadSheet, choice: TableChoice): Promise<FoundTable> {
  if (!(content instanceof Uint8Array)) return fromSheet(content, choice);
  const bytes = content;
  checkSize(bytes);
  if (isSpreadsheet(bytes)) {
    return fromSheet(await readSpreadsheet(bytes, choice.sheet ?? 1), choice);
  }
  const start = bytes.subarray(0, 4).toString('latin1');
  // The container of older spreadsheets, and of those that a password protects.
  if (start === '\u00d0\u00cf\u0011\u00e0') {
    refuse(
      'it is an older or protected spreadsheet; save it as XLSX without a password, or as CSV',
    );
  }
  const { text: whole, encoding, isGuess } = decode(bytes, choice.encoding);
  // Excel's own line, which it hides as well.
  const [own = '', named = ''] = /^sep=([,;\t|])(?:\r\n|\r|\n)/.exec(whole) ?? [];
  const sign = isSeparator(named) ? named : undefined;
  const text = whole.slice(own.length);
  if (text.trim() === '') refuse('it is empty');
  if (/^\s{0,99}<(?:!doctype|html|\?xml)/i.test(text)) {
    refuse('it is a web page or XML; use the address of the file itself, or save it as CSV');
  }
  if (text.startsWith('%PDF-')) refuse('it is a PDF document; save the table as CSV or XLSX');
  const first = text.trimStart().charAt(0);
  if (first === '[' || first === '{') {
    return { ...checked(fromJson(text)), kind: 'json', choice: { encoding }, isGuess };
  }
  const separator = choice.separator ?? sign ?? delimiterOf(text);
  const rows = splitLines(text, separator);
  const head = choice.head ?? isHead(rows);
  return {
    ...checked(fromRows(rows, head)),
    kind: 'lines',
    choice: { encoding, separator, head },
    isGuess,
  };
}

function fromSheet({ rows, sheets, sheet }: ReadSheet, choice: TableChoice): FoundTable {
  const head = choice.head ?? isHead(rows);
  return { ...checked(fromRows(rows, head)), kind: 'spreadsheet', choice: { sheet, head }, sheets };
}

/** @throws ApiError `feed_refused` for a file that is too large. */
export function checkSize({ length }: { readonly length: number }): void {
  if (length > feedLimits.bytes) refuse(`it has more than ${feedLimits.bytes / 1_000_000} MB`);
}

function decode(bytes: Buffer, chosen?: TextEncoding): DecodedText {
  return decodeText(bytes, chosen) ?? refuse('it is not text');
}

/** True where the first row reads like names: each is there and none twice, and none is a number, date or address. */
function isHead([first = []]: readonly (readonly string[])[]): boolean {
  const names = first.map((name) => name.trim());
  while (names.length > 0 && names.at(-1) === '') names.pop();
  const isData = (name: string): boolean =>
    name === '' || /^[-+]?[\d.,:/\s€$%£¥-]+$/.test(name) || /^[a-z][a-z\d+.-]*:\/\//i.test(name);
  return names.length > 0 && !names.some(isData) && new Set(names).size === names.length;
}

function fromJson(text: string): Table {
  // Before anything walks the value, which would overflow the stack.
  if (depthOf(text) > requestLimits.jsonDepth) {
    refuse(`it has more than ${requestLimits.jsonDepth} arrays and objects inside each other`);
  }
  const list = text.trimStart().startsWith('[') ? listIn(text) : (oneIn(text) ?? linesIn(text));
  if (list.length > feedLimits.rows) {
    refuse(`it has ${list.length} rows; the limit is ${feedLimits.rows}`);
  }
  const columns = new Set<string>();
  const objects = list.map((item, index) => {
    if (!isJsonObject(item)) refuse(`item ${index + 1} is not an object`);
    for (const name in item) {
      columns.add(name);
      if (columns.size > feedLimits.columns) {
        refuse(`item ${index + 1} brings more than ${feedLimits.columns} columns`);
      }
    }
    return item;
  });
  const names = [...columns];
  const textOf = (item: unknown): string => {
    if (item === undefined || item === null) return '';
    return typeof item === 'string' ? item : JSON.stringify(item);
  };
  return {
    columns: names,
    rows: objects.map((object) =>
      names.map((name) => textOf(Object.hasOwn(object, name) ? object[name] : undefined)),
    ),
  };
}

function listIn(text: string): readonly unknown[] {
  const result = parseJson(text);
  if (!result.ok) {
    const { reason, line, column } = result.fault;
    refuse(`it is not valid JSON: ${reason} at line ${line}, column ${column}`);
  }
  // The text begins with a bracket.
  return result.value as readonly unknown[];
}

/** A single object: a row, or what holds the rows as the answers of many programs do; null if there are more. */
function oneIn(text: string): readonly unknown[] | null {
  const result = parseJson(text);
  if (!result.ok || !isJsonObject(result.value)) return null;
  const { value } = result;
  const [only, ...others] = Object.values(value);
  for (const list of [value.rows, value.data, value.records, others.length === 0 && only]) {
    if (Array.isArray(list) && isJsonObject(list[0])) return list as readonly unknown[];
  }
  return [value];
}

/** JSON Lines: an object in each. */
function linesIn(text: string): readonly unknown[] {
  const lines = text.split(/\r\n|\r|\n/);
  const found: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const result = parseJson(line);
    if (!result.ok) {
      const { reason, column } = result.fault;
      const lead =
        found.length === 0 ? 'expected an array of objects, or an object in each line: ' : '';
      refuse(`${lead}line ${index + 1} is not valid JSON: ${reason} at column ${column}`);
    }
    found.push(result.value);
    if (found.length > feedLimits.rows) refuse(`it has more than ${feedLimits.rows} rows`);
  }
  return found;
}

/** @param hasHead The first row names the columns; else they are numbered. */
function fromRows(lines: readonly (readonly string[])[], hasHead: boolean): Table {
  if (!hasHead) {
    const count = lines.reduce((most, { length }) => Math.max(most, length), 0);
    return { columns: Array.from({ length: count }, (_, at) => `Column ${at + 1}`), rows: lines };
  }
  const [head, ...rows] = lines;
  const columns = (head ?? []).map((name) => name.trim());
  // Only an accident of the writing program leaves out names at the end.
  while (columns.length > 0 && columns.at(-1) === '') columns.pop();
  for (const [index, row] of rows.entries()) {
    if (row.slice(columns.length).some((value) => value.trim() !== '')) {
      refuse(`row ${index + 1} has more values than there are columns`);
    }
  }
  const named = columns.map((name, index) => (name === '' ? `Column ${index + 1}` : name));
  return { columns: named, rows };
}

const isSeparator = (sign: string): sign is TableSeparator =>
  tableSeparators.some((one) => one === sign);

/** The one that stands most often in the first line, outside quotes. */
function delimiterOf(text: string): TableSeparator {
  const counts: Record<TableSeparator, number> = { ',': 0, ';': 0, '\t': 0, '|': 0 };
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '\n' || sign === '\r') break;
    else if (isSeparator(sign)) counts[sign] += 1;
  }
  return tableSeparators.reduce((best, sign) => (counts[sign] > counts[best] ? sign : best));
}

/** The values of all non-empty lines (RFC 4180: quotes, doubled quotes, line ends inside quotes). */
function splitLines(text: string, delimiter: string): string[][] {
  const lines: string[][] = [];
  let values: string[] = [];
  let position = 0;
  let total = 0;
  const endLine = (): void => {
    if (values.length > 1 || values[0] !== '') lines.push(values);
    values = [];
    if (lines.length > feedLimits.rows + 1) refuse(`it has more than ${feedLimits.rows} rows`);
  };
  while (position <= text.length) {
    const { value, end } = readValue(text, position, delimiter, lines.length + 1);
    values.push(value);
    total += 1;
    if (values.length > tableLimits.lineValues) {
      refuse(`line ${lines.length + 1} has more than ${tableLimits.lineValues} values`);
    }
    if (total > tableLimits.values) {
      refuse(`it has more than ${tableLimits.values.toLocaleString('en-US')} values`);
    }
    const sign = text.charAt(end);
    if (sign !== delimiter) endLine();
    position = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return lines;
}

/** One value, and where it ends: at a delimiter, a line end, or the end of the text. */
function readValue(
  text: string,
  start: number,
  delimiter: string,
  line: number,
): { value: string; end: number } {
  const isEnd = (index: number): boolean =>
    index >= text.length || [delimiter, '\n', '\r'].includes(text.charAt(index));
  let end = start;
  if (text.charAt(start) !== '"') {
    while (!isEnd(end)) end++;
    return { value: text.slice(start, end), end };
  }
  end++;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) refuse(`a quote that is opened in line ${line} is never closed`);
    if (text.charAt(end + 1) !== '"') break;
    end += 2;
  }
  if (!isEnd(end + 1)) refuse(`in line ${line} something follows a closing quote`);
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}

function checked(table: Table): Table {
  const { columns, rows } = table;
  const { columns: most, rows: mostRows, nameLength } = feedLimits;
  if (columns.length === 0) refuse('it has no columns');
  if (columns.length > most) refuse(`it has ${columns.length} columns; the limit is ${most}`);
  if (rows.length > mostRows) refuse(`it has ${rows.length} rows; the limit is ${mostRows}`);
  const long = columns.find((name) => name.length > nameLength);
  if (long !== undefined) refuse(`a column's name is longer than ${nameLength} characters`);
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) refuse(`there are two columns named '${twice}'`);
  return table;
}
