/** Tables: damaged and hostile CSV, JSON and spreadsheets, brought in over the window's path. */
import { strToU8, zipSync } from 'fflate';
import { workerScript } from '../../server/system/paths.ts';
import { startAttackedServer } from './api-server.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';

export const name = 'tables';

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const server = await startAttackedServer(workerScript());
  try {
    return await runCases(options, (random) => {
      const bytes = random.pick([csv, json, spreadsheet])(random);
      if (random.oneIn(2)) damage(random, bytes);
      return server.attack('POST', '/api/feeds?name=fuzz', bytes);
    });
  } finally {
    await server.stop();
  }
}

function csv(random: Random): Uint8Array {
  const pieces = [',', ';', '\t', '"', '""', '\n', '\r\n', 'a', '=1+1', '\u0000', '\ufeff', 'ä'];
  const line = Array.from({ length: 1 + random.below(40) }, () => random.pick(pieces)).join('');
  return strToU8(line.repeat(random.pick([1, 3, 10_000, 100_000])));
}

function json(random: Random): Uint8Array {
  const item = random.pick(['{"A":1}', '{"A":{"B":[]}}', '[]', '{"__proto__":1}', '{}', '5']);
  return strToU8(`[${Array.from({ length: random.pick([1, 50, 20_000]) }, () => item).join(',')}]`);
}

function spreadsheet(random: Random): Uint8Array {
  const places = ['A1', 'B2', 'CV9', 'XFD1', 'A1048576', 'ZZZZZZ1', '1A', 'A0', '', 'A99999999'];
  const numbers = ['1', '2', '100000', '999999999', '-1', '1e9', ''];
  const cell = (): string =>
    random.pick([
      `<c r="${random.pick(places)}"><v>${random.pick(['1', '1e999', 'x', ''])}</v></c>`,
      `<c r="${random.pick(places)}" s="${random.below(9)}"/>`,
      `<c r="A1" t="${random.pick(['s', 'b', 'e', 'inlineStr'])}"><is><t>${'x'.repeat(random.pick([1, 100_000]))}</t></is></c>`,
      '<c ',
    ]);
  const row = (): string =>
    `<row r="${random.pick(numbers)}">${Array.from({ length: random.below(4) }, cell).join('')}</row>`;
  const rows = Array.from({ length: random.pick([1, 5, 3_000]) }, row).join('');
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return zipSync({
    'xl/workbook.xml': strToU8(
      `<workbook xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
  });
}

function damage(random: Random, bytes: Uint8Array): void {
  for (let count = 1 + random.below(8); count > 0; count--) {
    bytes[random.below(bytes.length)] = random.below(256);
  }
}
