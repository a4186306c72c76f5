/** Makes spreadsheets (XLSX) for tests, well-formed or not. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive. `sizes`: false sizes to claim for entries. */
export function archive(
  entries: Record<string, string>,
  sizes: Record<string, number> = {},
): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let place = 0;
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(sizes[name] ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const entry = Buffer.concat([
      ...[Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), packed],
    ]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(place, 10);
    list.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), facts, rest, Buffer.from(name));
    parts.push(entry);
    place += entry.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(list).length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...parts, ...list, end]);
}

type Cell =
  | string
  | number
  | boolean
  | { day: number }
  | { formula: string; result: number }
  /** `format`: a pattern, or the number of one that every spreadsheet has. */
  | { value: number | string; format: string | number };

/** The files of a spreadsheet with two sheets; the second has one cell. */
export function spreadsheet(rows: readonly (readonly Cell[])[]): Record<string, string> {
  const formats: (string | number)[] = [0, 14];
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const cell = (value: Cell, place: string): string => {
    if (typeof value === 'string') {
      const text = value.replaceAll('&', '&amp;');
      return `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
    }
    if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
    if (typeof value === 'object' && 'format' in value) {
      const style = `s="${formats.push(value.format) - 1}"`;
      return typeof value.value === 'string'
        ? `<c r="${place}" ${style} t="str"><v>${escaped(value.value)}</v></c>`
        : `<c r="${place}" ${style}><v>${value.value}</v></c>`;
    }
    if ('day' in value) return `<c r="${place}" s="1"><v>${value.day}</v></c>`;
    return `<c r="${place}"><f>${value.formula}</f><v>${value.result}</v></c>`;
  };
  const sheet = (lines: readonly (readonly Cell[])[]): string =>
    `<worksheet><sheetData>${lines
      .map((line, y) => {
        const cells = line.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`));
        return `<row r="${y + 1}">${cells.join('')}</row>`;
      })
      .join('')}</sheetData></worksheet>`;
  const first = sheet(rows);
  const own = formats.map((format, at) => ({ format, id: 164 + at }));
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  return {
    'xl/workbook.xml':
      `<workbook xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="r1"/>` +
      '<sheet name="Two" sheetId="2" r:id="r2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'worksheet', 'worksheets/sheet2.xml')}${relation('r3', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${own
      .map(({ format, id }) => `<numFmt numFmtId="${id}" formatCode="${escaped(String(format))}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${own
      .map(({ format, id }) => `<xf numFmtId="${typeof format === 'number' ? format : id}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': first,
    'xl/worksheets/sheet2.xml': sheet([['Other']]),
  };
}
