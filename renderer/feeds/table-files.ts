/**
 * Tables as files for spreadsheet programs. What is in a feed came from anywhere: no cell of them becomes a formula.
 * Pure.
 */
import { strToU8, zipSync } from 'fflate';

/** Lines of values; the first one holds the names. */
type Lines = readonly (readonly string[])[];

/** Lines of CSV (RFC 4180). Cells that a spreadsheet program would take for a formula begin with an apostrophe. */
export function csvOf(lines: Lines): string {
  const cell = (value: string): string => {
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  // The mark tells Excel that it is UTF-8.
  return `\ufeff${lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')}`;
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const kinds = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** The files of a spreadsheet that are always the same. */
const frame: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `<Types xmlns="${packages}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${kinds}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kinds}.worksheet+xml"/></Types>`,
  '_rels/.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/workbook.xml':
    `<workbook xmlns="${sheets}" xmlns:r="${relations}"><sheets>` +
    '<sheet name="Results" sheetId="1" r:id="r1"/></sheets></workbook>',
};

/** Characters of a cell at most. */
const mostCharacters = 32_767;

/** A spreadsheet (XLSX) with one sheet. All cells are texts, which no program takes for formulas. */
export function xlsxOf(lines: Lines): Uint8Array<ArrayBuffer> {
  const rows = lines.map(
    (line, row) =>
      `<row r="${row + 1}">${line
        .map((value, column) => {
          if (value === '') return '';
          const place = `${letters(column)}${row + 1}`;
          return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${xml(value)}</t></is></c>`;
        })
        .join('')}</row>`,
  );
  const sheet = `<worksheet xmlns="${sheets}"><sheetData>${rows.join('')}</sheetData></worksheet>`;
  const files = Object.entries({ ...frame, 'xl/worksheets/sheet1.xml': sheet });
  return zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(head + text)])));
}

/** The name of a column, from 0: A to Z, then AA. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

/** A value as text of XML: without the characters that it can't have, and not longer than a cell may be. */
function xml(value: string): string {
  return value
    .slice(0, mostCharacters)
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
