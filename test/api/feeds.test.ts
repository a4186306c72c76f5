/** Feeds: tables in, the three endpoints, rows to renders, each once. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { ReaderEnded, SheetReader } from '../../server/jobs/feeds/sheet-reader.ts';
import { mapColumns } from '../../server/jobs/feeds/feed-rows.ts';
import { writeSheet } from '../../server/jobs/feeds/feed-spreadsheet.ts';
import { readTable } from '../../server/jobs/feeds/feed-table.ts';
import { batchRenderId } from '../../server/store/feeds.ts';
import type { RenderRecord, TableLook, WindowFeed } from '../../shared/api.ts';
import type { FeedRecord, FullFeedRecord } from '../../server/api/feeds.ts';
import { feedLimits } from '../../shared/limits.ts';
import {
  document,
  send,
  startTestServer,
  type Answer,
  type TestServer,
} from '../helpers/server.ts';
import { archive, spreadsheet } from '../helpers/spreadsheet.ts';

/** A spreadsheet whose first sheet has these rows, as XML. */
function sheetOf(rows: string): Record<string, string> {
  const sheet = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  return { ...spreadsheet([['A']]), 'xl/worksheets/sheet1.xml': sheet };
}

describe('tables', () => {
  const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Buffer =>
    Buffer.from(text, encoding);

  test.each<[string, Buffer, string[], string[][]]>([
    [
      'commas',
      bytes('A,B\n1,2\n3,4\n'),
      ['A', 'B'],
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['semicolons', bytes('A;B\r\n1,5;2'), ['A', 'B'], [['1,5', '2']]],
    ['tabs', bytes('A\tB\n1\t"x\ty"'), ['A', 'B'], [['1', 'x\ty']]],
    ['quotes', bytes('"A,1","B ""x"""\n"a\nb",""\n'), ['A,1', 'B "x"'], [['a\nb', '']]],
    ['a byte order mark', bytes('\ufeffA\nä\n'), ['A'], [['ä']]],
    ['UTF-16', bytes('\ufeffA\nä\n', 'utf16le'), ['A'], [['ä']]],
    ['an older encoding', bytes('A\nä€\n'.replace('€', '\u0080'), 'latin1'), ['A'], [['ä€']]],
    ['formulas as text', bytes('A\n=1+1\n'), ['A'], [['=1+1']]],
    ['empty lines and names', bytes('A,,B,\n\n1,2,3\n'), ['A', 'Column 2', 'B'], [['1', '2', '3']]],
    [
      'a spreadsheet: its first sheet, texts, numbers, dates, results of formulas',
      archive(
        spreadsheet([
          ['Name', 'Price', 'Day', 'Sum', 'Sold'],
          ['Boot & Co', 19.9, { day: 45_000 }, { formula: '1+1', result: 2 }, true],
          [],
          ['', 0, { day: 45_000.5 }],
        ]),
      ),
      ['Name', 'Price', 'Day', 'Sum', 'Sold'],
      [
        ['Boot & Co', '19.9', '2023-03-15', '2', 'TRUE'],
        ['', '0', '2023-03-15', '', ''],
      ],
    ],
    ['only a header', bytes('A,B\n'), ['A', 'B'], []],
    ["Excel's own line", bytes('\ufeffsep=;\r\nA;B\r\n1,5;2'), ['A', 'B'], [['1,5', '2']]],
    ['bars, which nobody named', bytes('A|B\n1,5|2'), ['A', 'B'], [['1,5', '2']]],
    ['JSON that holds its rows', bytes('{\n"ok": 1, "data": [{"A": 1}]\n}'), ['A'], [['1']]],
    ['one row with a list', bytes('{"A": 1, "B": [{}]}\n'), ['A', 'B'], [['1', '[{}]']]],
    ['one row over several lines', bytes('{\n"A": 1\n}'), ['A'], [['1']]],
    [
      'JSON',
      bytes('[{"A": "x", "B": 1}, {"B": null, "C": [true]}]'),
      ['A', 'B', 'C'],
      [
        ['x', '1', ''],
        ['', '', '[true]'],
      ],
    ],
  ])('F123: %s', async (_name, content, columns, rows) => {
    expect(await readTable(content)).toEqual({ columns, rows });
  });

  test.each<[string, Buffer, string]>([
    ['nothing', bytes('  \n'), 'it is empty'],
    ['an open quote', bytes('A\n1\n"2\n3\n'), 'a quote that is opened in line 3 is never closed'],
    ['text after a quote', bytes('A,B\n"1"x,2\n'), 'in line 2 something follows a closing quote'],
    ['more values than columns', bytes('A\n1\n1,2\n'), 'row 2 has more values'],
    [
      '1,000 columns',
      bytes(
        Array(1000)
          .fill('c')
          .map((c, i) => `${c}${i}`)
          .join(','),
      ),
      '1000 columns; the limit is 100',
    ],
    ['too many rows', bytes(`A\n${'1\n'.repeat(feedLimits.rows + 1)}`), 'more than 10000 rows'],
    ['two columns of one name', bytes('A,A\n1,2\n'), "two columns named 'A'"],
    ['too large', Buffer.alloc(feedLimits.bytes + 1, 'a'), 'more than 20 MB'],
    [
      'half a spreadsheet',
      bytes('PK\u0003\u0004rest', 'latin1'),
      'the spreadsheet file is damaged',
    ],
    [
      'an archive of other things',
      archive({ 'a.xml': '<a/>' }),
      'not a spreadsheet that can be read',
    ],
    [
      'a spreadsheet with a password',
      bytes('\u00d0\u00cf\u0011\u00e0', 'latin1'),
      'older or protected spreadsheet',
    ],
    [
      'a spreadsheet that names gigabytes',
      archive({ ...spreadsheet([['A']]), 'xl/big.xml': 'x' }, { 'xl/big.xml': 2 ** 31 }),
      'it has more than 60 MB when unpacked',
    ],
    [
      'a spreadsheet that hides gigabytes',
      archive(
        { ...spreadsheet([['A']]), 'xl/big.xml': '\n'.repeat(200_000_000) },
        { 'xl/big.xml': 10 },
      ),
      'the spreadsheet file is damaged',
    ],
    [
      'a spreadsheet of 10⁶ rows',
      archive({ 'xl/worksheets/sheet1.xml': '<row/>'.repeat(1_000_000) }),
      'its row 100,001 lies beyond row 100,000, the last that is read',
    ],
    [
      'a spreadsheet of too many rows',
      archive(spreadsheet([['A'], ...Array.from({ length: 10_001 }, () => [1])])),
      'it has 10001 rows; the limit is 10000',
    ],
    ...(
      [
        ['XFD1048576', 'its cell XFD1048576 lies beyond column 100, the last that is read'],
        ['ZZZZZZ1', "its cell 'ZZZZZZ1' is at no place of a spreadsheet"],
        ['A999999999', "its cell 'A999999999' is at no place of a spreadsheet"],
        ['A1048576', 'its row 1,048,576 lies beyond row 100,000, the last that is read'],
        ['a1', "its cell 'a1' is at no place of a spreadsheet"],
        ['', "its cell '' is at no place of a spreadsheet"],
      ] as const
    ).map(([place, reason]): [string, Buffer, string] => [
      `a spreadsheet with a cell at '${place}'`,
      archive(sheetOf(`<row r="1"><c r="${place}"><v>1</v></c></row>`)),
      reason,
    ]),
    [
      'a spreadsheet with a row 999999999',
      archive(sheetOf('<row r="999999999"></row>')),
      'its row 999,999,999 lies beyond row 100,000',
    ],
    [
      'a spreadsheet whose empty cells span billions',
      archive(sheetOf('<row r="90000"><c r="XFD90000" s="1"/></row>')),
      'its cells reach to column 16384 and row 90000, which are more than 10,000,000 cells',
    ],
    ['a line of commas', bytes(','.repeat(19_000_000)), 'line 1 has more than 16384 values'],
    [
      'lines of commas',
      bytes(`A\n${`${','.repeat(10_000)}\n`.repeat(1_000)}`),
      'it has more than 3,000,000 values',
    ],
    [
      'JSON of ever new columns',
      bytes(JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ [`c${i}`]: 1 })))),
      'item 101 brings more than 100 columns',
    ],
    ['JSON of many rows', bytes(`[${'{},'.repeat(10_001)}{}]`), 'it has 10002 rows'],
    ['deep JSON', bytes(`[{"A":${'['.repeat(100_000)}`), 'more than 64 arrays and objects'],
    ['no text', Buffer.from([65, 0, 0, 0, 66]), 'it is not text'],
    ['JSON that is none', bytes('[{"A": }]'), 'not valid JSON'],
    ['JSON without objects', bytes('[1]'), 'item 1 is not an object'],
    ['a page that asks to sign in', bytes('\n<!DOCTYPE html>\n<p>a, b'), 'it is a web page or XML'],
    ['a PDF document', bytes('%PDF-1.7\n1,2,3'), 'it is a PDF document'],
  ])('F123: %s is refused', async (_name, content, reason) => {
    await expect(readTable(content)).rejects.toThrow(reason);
  });

  // Dates keep the sortable form, whatever their format.
  const shown: readonly (readonly [number | string, string | number, string])[] = [
    [0.30000000000000004, 'General', '0.3'],
    [4006381333931, 0, '4006381333931'],
    [1e21, 0, '1E+21'],
    [491701234567, '@', '491701234567'],
    [1.1, '0.00', '1.10'],
    [3.7, '0', '4'],
    [7, '00000', '00007'],
    [123456, '000-000', '123-456'],
    [1234567, '#,##0', '1,234,567'],
    [1234.5, 4, '1,234.50'],
    [1234.5, '#,##0.00" €"', '1,234.50 €'],
    [1234.5, '"$"#,##0.00', '$1,234.50'],
    [1234.5, '[$€-407] #,##0.00', '€ 1.234,50'],
    [1234.5, '[$£-809]#,##0.00', '£1,234.50'],
    [1234.5, '#,##0.00\\ [$CHF]', '1,234.50 CHF'],
    [1234.5, 44, '$1,234.50'],
    [-5, '0.00_);(0.00)', '(5.00)'],
    [-5, '0.00;[Red]-0.00', '-5.00'],
    [0.125, 9, '13%'],
    [0.125, 10, '12.50%'],
    [1.25, '# ?/?', '1 1/4'],
    [3, 12, '3'],
    [12345, 11, '1.23E+04'],
    [12, '0" kg"', '12 kg'],
    [5, '+0;-0', '+5'],
    [1500, '0.0,"k"', '1.5k'],
    [12, '[<10]"few";[>=10]"many"', 'many'],
    [0, '0;-0;"none"', 'none'],
    [5, ';;;', ''],
    ['Ada', '@" x"', 'Ada x'],
    ['Ada', '0.00', 'Ada'],
    ['12', '0.00', '12'],
    [0.75, 20, '18:00'],
    [0.75, 'hh:mm:ss', '18:00:00'],
    [0.75, 18, '6:00 PM'],
    [1.5, '[h]:mm', '36:00'],
    [1.5, 46, '36:00:00'],
    [0.0013, 'mm:ss', '01:52'],
    [45992, 14, '2025-12-01'],
    [45992, '[$-407]dd.mm.yyyy', '2025-12-01'],
    [45992, 'dddd, d mmmm yyyy', '2025-12-01'],
    [45992, 'yyyy', '2025-12-01'],
    [45992.75, 22, '2025-12-01 18:00'],
    [3.14159265358979, 0, '3.141592654'],
    [45992.75, 'yyyy-mm-dd hh:mm:ss', '2025-12-01 18:00:00'],
    [45992, '[$-407]dddd', 'Montag'],
    [1e300, 'yyyy-mm-dd', '1E+300'],
    [5, '0"open', '5'],
  ];
  test('C9: cells read as they show', async () => {
    const lines = shown.map(([value, format]) => [{ value, format }, 'end']);
    const { rows } = await readTable(archive(spreadsheet([['Shown', 'End'], ...lines])));
    expect(rows.map(([text]) => text)).toEqual(shown.map(([, , text]) => text));
  });

  test('C9: other calendars, and cells without styles, with runs and with readings', async () => {
    const workbook = spreadsheet([['A']])['xl/workbook.xml'] ?? '';
    const since1904 = {
      ...spreadsheet([['A'], [{ value: 44_530, format: 14 }], [{ value: 1.5, format: 46 }]]),
      'xl/workbook.xml': workbook.replace('<sheets>', '<workbookPr date1904="1"/><sheets>'),
    };
    expect((await readTable(archive(since1904))).rows).toEqual([['2025-12-01'], ['36:00:00']]);
    const bare = sheetOf(
      '<row r="1"><c r="A1" t="inlineStr"><is><r><t>Na</t></r><r><t>me</t></r></is></c></row>' +
        '<row r="2"><c r="A2" s="3" t="s"><v>0</v></c></row><row r="3"><c r="A3" t="e"><v>#N/A</v></c></row>' +
        '<row r="4"><c r="A4" s="7"><v>2</v></c></row>',
    );
    delete bare['xl/styles.xml'];
    const relation =
      '<Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/>';
    const rich = {
      ...bare,
      'xl/_rels/workbook.xml.rels': (bare['xl/_rels/workbook.xml.rels'] ?? '').replace(
        '</Relationships>',
        `${relation}</Relationships>`,
      ),
      'xl/sharedStrings.xml':
        '<sst><si><r><t>東</t></r><r><rPr><b/></rPr><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>',
    };
    const { columns, rows } = await readTable(archive(rich));
    expect([columns, rows]).toEqual([['Name'], [['東京'], ['#N/A'], ['2']]]);
  });

  test('places in a sheet that is not read are of no concern', async () => {
    const files = { ...spreadsheet([['A'], [1]]) };
    files['xl/worksheets/sheet2.xml'] =
      '<worksheet><sheetData><row r="1048576"/></sheetData></worksheet>';
    expect(await readTable(archive(files))).toEqual({ columns: ['A'], rows: [['1']] });
  });

  test.each<[string, (files: Record<string, string>) => void]>([
    ['no styles', (files) => delete files['xl/styles.xml']],
    ['no list of what lies where', (files) => delete files['xl/_rels/workbook.xml.rels']],
    [
      'cells that do not say where they are',
      (files) => {
        const sheet = files['xl/worksheets/sheet1.xml'] ?? '';
        files['xl/worksheets/sheet1.xml'] = sheet.replace(/ r="[A-Z]*\d+"/g, '');
      },
    ],
  ])('37: a minimal spreadsheet with texts in its cells, %s, is read', async (_what, change) => {
    const files = spreadsheet([
      ['Title', 'Price'],
      ['Boot', '3'],
    ]);
    change(files);
    const { columns, rows } = await readTable(archive(files));
    expect([columns, rows]).toEqual([['Title', 'Price'], [['Boot', '3']]]);
  });

  test('as many rows and columns as allowed are read', async () => {
    const row = (name: string): string =>
      Array.from({ length: 100 }, (_, i) => `${name}${i}`).join(',');
    const table = await readTable(bytes(`${row('c')}\n${`${row('v')}\n`.repeat(feedLimits.rows)}`));
    expect([table.columns.length, table.rows.length]).toEqual([100, 10_000]);
  });

  test('columns find their elements by name', () => {
    const source = {
      elements: [{ name: 'Title' }, { elements: [{ name: 'Hero Image' }] }],
    };
    const columns = ['title', 'hero_image.source', 'Price', 'kept'].map((name, index) => ({
      id: String(index),
      name,
      ...(name === 'kept' && { target: 'Title.y' }),
    }));
    expect(mapColumns(columns, source).map(({ target }) => target)).toEqual([
      'Title',
      'Hero Image.source',
      undefined,
      'Title.y',
    ]);
  });
});

describe('over HTTP', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  test.each<[string, () => Buffer, RegExp]>([
    [
      'one that names a cell far away',
      () => archive(sheetOf('<row r="1"><c r="XFD1048576"><v>1</v></c></row>')),
      /can not be imported: its cell XFD1048576 lies beyond column 100/,
    ],
    ...[
      ['text', 'x', '', ''],
      ['marked text', '<', '<![CDATA[', ']]>'],
      ['comment', '<', '<!--', '-->'],
      ['tag', 'x', '</t></is></c><c r="', '"><is><t>'],
    ].map(([kind, letter = '', begin, end]): [string, () => Buffer, RegExp] => [
      `one with a ${kind} of 50 MB`,
      () => {
        const text = `${begin}${letter.repeat(50_000_000)}${end}`;
        const cell = `<c r="A1" t="inlineStr"><is><t>${text}</t></is></c>`;
        return archive(sheetOf(`<row r="1">${cell}</row>`));
      },
      /can not be imported: a text of it has more than 1 MB: '[x<]*…'/,
    ]),
    ['one of commas', () => Buffer.alloc(19_000_000, ','), /line 1 has more than 16384 values/],
    [
      'one whose cells never end',
      () => archive(sheetOf('<c '.repeat(4_000_000))),
      /can not be imported: its cell '' is at no place of a spreadsheet/,
    ],
  ])('F123: %s is refused, while others are answered', async (_name, table, reason) => {
    await server.restart({ forkWorker: () => forkWorker() });
    const answers: string[] = [];
    const { origin, hash } = new URL(server.running.windowUrl);
    const headers = { 'x-framewright-token': hash.replace('#token=', '') };
    const body = new Uint8Array(table());
    const importing = send(`${origin}/api/feeds?name=x`, { method: 'POST', headers, body }).then(
      (answer) => {
        answers.push('table');
        return answer;
      },
    );
    const other = server.ask('GET', '/v2/templates').then(() => answers.push('other'));
    const [refused] = await Promise.all([importing, other]);
    expect([refused.status, refused.body.hint]).toEqual([400, expect.stringMatching(reason)]);
    expect(answers).toEqual(['other', 'table']);
    expect((await server.ask('GET', '/v1/feeds')).list).toEqual([]);
  });

  /** Brings a file in, as the window does. */
  async function bringIn(
    content: string,
    query = 'name=Shoes',
  ): Promise<Answer & { feed: WindowFeed }> {
    const { origin, hash } = new URL(server.running.windowUrl);
    const answer = await send(`${origin}/api/feeds?${query}`, {
      method: 'POST',
      headers: { 'x-framewright-token': hash.replace('#token=', ''), 'content-type': 'text/csv' },
      body: content,
    });
    return { ...answer, feed: answer.body as unknown as WindowFeed };
  }

  const rowsCsv = (count: number): string =>
    `Title,Price\n${Array.from({ length: count }, (_, index) => `Shoe ${index},${index}\n`).join('')}`;

  const mapped = async (count: number): Promise<WindowFeed> => {
    const template = await server.ask('POST', '/v2/templates', {
      name: 'Card',
      source: document({ pause: 1 }),
    });
    const { feed } = await bringIn(rowsCsv(count));
    const change = { template: template.body.id };
    const { body } = await server.askWindow('PATCH', `/api/feeds/${feed.id}`, change);
    return body as unknown as WindowFeed;
  };

  const renders = async (): Promise<RenderRecord[]> =>
    (await server.askWindow('GET', '/api/renders')).body.renders.map(({ record }) => record);

  /** What each render was given as its title; rows of the list go without what was asked. */
  const titlesOf = async (list: readonly RenderRecord[]): Promise<unknown[]> => {
    const titles: unknown[] = [];
    for (const { id } of list) {
      const { body } = await server.askWindow('GET', `/api/renders/${id}/record`);
      titles.push((body as unknown as RenderRecord).modifications?.Title);
    }
    return titles;
  };

  /** Looks at a file before it is brought in, as the import dialog does. */
  async function look(content: string | Buffer, query = ''): Promise<TableLook> {
    const { origin, hash } = new URL(server.running.windowUrl);
    const { status, body } = await send(`${origin}/api/feeds/look?${query}`, {
      method: 'POST',
      headers: { 'x-framewright-token': hash.replace('#token=', ''), 'content-type': 'text/csv' },
      body: content,
    });
    expect(status).toBe(200);
    return body as unknown as TableLook;
  }

  test('a look at a file says how it is read, and can be told otherwise; nothing is stored', async () => {
    const lines = `Titel;Preis\n${'Schuh;3,50\n'.repeat(30)}`;
    const found = await look(lines);
    expect(found).toMatchObject({
      kind: 'lines',
      choice: { separator: ';', encoding: 'utf-8', head: true },
      columns: ['Titel', 'Preis'],
      rowCount: 30,
    });
    expect(found.rows).toHaveLength(20);
    // The head is one row when it is none of names.
    expect(await look('1,2\n3,4\n')).toMatchObject({
      choice: { head: false },
      columns: ['Column 1', 'Column 2'],
      rowCount: 2,
    });
    expect(await look(lines, 'separator=,&head=false')).toMatchObject({
      columns: ['Column 1', 'Column 2'],
      rowCount: 31,
    });
    // A process of the engine reads it.
    await server.restart({ forkWorker: () => forkWorker() });
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    const book = archive(spreadsheet([['Name'], ['Ada']]));
    const first = await look(book);
    expect(first).toMatchObject({ kind: 'spreadsheet', choice: { sheet: 1 }, columns: ['Name'] });
    expect(first.sheets).toHaveLength(2);
    expect(await look(book, 'sheet=2&head=false')).toMatchObject({ choice: { sheet: 2 } });
    expect((await look(book, 'sheet=2&head=false')).rows).not.toEqual(first.rows);
    expect((await look(cyrillic)).columns).toEqual(['Привет']);
    expect((await look(cyrillic, 'encoding=windows-1252')).columns).toEqual(['Ïðèâåò']);
    expect((await server.askWindow('GET', '/api/feeds')).list).toEqual([]);
    // What was chosen counts for the import, too.
    const { feed } = await bringIn(lines, 'name=Raw&separator=;&head=false');
    expect(feed.columns.map(({ name }) => name)).toEqual(['Column 1', 'Column 2']);
    expect(feed.rowCount).toBe(31);
    const wrong = await bringIn(lines, 'name=Raw&separator=x');
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.body)).toContain('separator');
  });

  test('rows over a newer version are refused, and the newer version stays', async () => {
    const { feed } = await bringIn(rowsCsv(2));
    const rows = (await server.askWindow('GET', `/api/feeds/${feed.id}/rows`)).list;
    const path = `/api/feeds/${feed.id}/rows?seen=${feed.updatedAt}`;
    const first = await server.askWindow('PUT', path, { rows: rows.slice(0, 1) });
    expect(first.status).toBe(200);
    const second = await server.askWindow('PUT', path, { rows: [] });
    expect(second.status).toBe(409);
    expect((await server.askWindow('GET', `/api/feeds/${feed.id}/rows`)).list).toHaveLength(1);
  });

  test('the three endpoints, of the own project only', async () => {
    const { status, feed } = await bringIn(rowsCsv(12));
    expect(status).toBe(201);
    const second = await bringIn('A\n', 'name=Empty');
    const list = (await server.ask('GET', '/v1/feeds')).list as unknown as FeedRecord[];
    expect(list.map(({ name }) => name)).toEqual(['Empty', 'Shoes']);
    expect(Object.keys(list[0]!)).toEqual(['id', 'name', 'created_at', 'updated_at']);
    expect(list[0]!.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [+-]\d{4}$/);
    const one = (await server.ask('GET', `/v1/feeds/${feed.id}`)).body as unknown as FullFeedRecord;
    expect(one).toEqual({
      ...list[1],
      columns: [
        { id: expect.any(String) as string, name: 'Title' },
        { id: expect.any(String) as string, name: 'Price' },
      ],
    });
    const sample = (await server.ask('GET', `/v1/feeds/${feed.id}/sample`)).list;
    expect(sample).toHaveLength(10);
    expect(sample.at(-1)).toEqual({ Title: 'Shoe 11', Price: '11' });
    expect((await server.ask('GET', `/v1/feeds/${second.feed.id}/sample`)).list).toEqual([]);
    expect((await server.ask('GET', `/v1/feeds/${randomUUID()}`)).status).toBe(404);
    expect((await server.ask('POST', '/v1/feeds', {})).status).toBe(404);

    const other = await server.askWindow('POST', '/api/projects', { name: 'Other' });
    const [key] = (other.body as unknown as { keys: { key: string }[] }).keys;
    const headers = { authorization: `Bearer ${key!.key}` };
    expect((await server.ask('GET', '/v1/feeds', undefined, headers)).list).toEqual([]);
    const foreign = await server.ask('GET', `/v1/feeds/${feed.id}/sample`, undefined, headers);
    expect(foreign.status).toBe(404);
    expect((await bringIn('A,A\n')).body.hint).toBe(
      "The table can not be imported: there are two columns named 'A'.",
    );
  });

  test('rows of a large table are shown as they are', async () => {
    const long = 'x'.repeat(30_000);
    const csv = `Title,Text\n${Array.from({ length: 40 }, (_, n) => `T${n},${long}`).join('\n')}`;
    const { feed } = await bringIn(csv);
    const { list } = await server.ask('GET', `/v1/feeds/${feed.id}/sample`);
    expect(list).toHaveLength(10);
    expect(list[0]).toEqual({ Title: 'T30', Text: long });
    const rows = await server.askWindow('GET', `/api/feeds/${feed.id}/rows`);
    expect(rows.list).toHaveLength(40);
    const many = Array.from({ length: 101 }, (_, n) => ({ id: `${n}`, name: `${n}` }));
    for (const columns of [many, [{ id: 'a', name: 'A', target: 'x'.repeat(1_001) }]]) {
      const refused = await server.askWindow('PATCH', `/api/feeds/${feed.id}`, { columns });
      expect([refused.status, refused.body.hint]).toEqual([
        400,
        expect.stringContaining("'columns' should be an array of at most 100 columns"),
      ]);
    }
  });

  test('a new table keeps IDs and targets of the columns that stay; rows can be changed', async () => {
    const feed = await mapped(2);
    expect(feed.columns.map(({ target }) => target)).toEqual(['Title', undefined]);
    const { origin, hash } = new URL(server.running.windowUrl);
    await send(`${origin}/api/feeds/${feed.id}/table`, {
      method: 'PUT',
      headers: { 'x-framewright-token': hash.replace('#token=', '') },
      body: 'Colour,Title\nred,Boot\n',
    });
    await server.restart();
    const feeds = (await server.askWindow('GET', '/api/feeds')).list as unknown as WindowFeed[];
    expect(feeds[0]!.columns[1]).toEqual(feed.columns[0]);
    const rows = (await server.askWindow('GET', `/api/feeds/${feed.id}/rows`)).list as unknown as {
      id: string;
      values: Record<string, string>;
    }[];
    expect(Object.values(rows[0]!.values)).toEqual(['red', 'Boot']);
    rows[0]!.values[feed.columns[0]!.id] = 'Sandal';
    await server.askWindow('PUT', `/api/feeds/${feed.id}/rows`, { rows });
    const { list } = await server.ask('GET', `/v1/feeds/${feed.id}/sample`);
    expect(list).toEqual([{ Colour: 'red', Title: 'Sandal' }]);
    expect((await server.askWindow('DELETE', `/api/feeds/${feed.id}`)).status).toBe(204);
    expect((await server.ask('GET', `/v1/feeds/${feed.id}`)).status).toBe(404);
  });

  test('rows are rendered with the template', async () => {
    const feed = await mapped(5);
    const { status, body } = await server.askWindow('POST', `/api/feeds/${feed.id}/render`, {});
    expect([status, (body as unknown as { rowCount: number }).rowCount]).toEqual([202, 5]);
    await expect.poll(async () => (await renders()).length).toBe(5);
    for (const { id } of await renders()) expect((await server.ended(id)).status).toBe('succeeded');
    const titles = (await titlesOf(await renders())).sort();
    expect(titles).toEqual([0, 1, 2, 3, 4].map((index) => `Shoe ${index}`));
    // Single rows, and feeds that can't be rendered.
    const rows = (await server.askWindow('GET', `/api/feeds/${feed.id}/rows`)).list;
    await server.askWindow('POST', `/api/feeds/${feed.id}/render`, { rows: [rows[2]!.id] });
    await expect.poll(async () => (await renders()).length).toBe(6);
    const { feed: bare } = await bringIn('A\n1\n');
    const refused = await server.askWindow('POST', `/api/feeds/${bare.id}/render`, {});
    expect(refused.status).toBe(400);
    await server.askWindow('PATCH', '/api/settings', { creditAllowance: 8 });
    const costly = await server.askWindow('POST', `/api/feeds/${feed.id}/render`, {});
    expect(costly.status).toBe(402);
    expect(await renders()).toHaveLength(6);
  });

  test('F124: a batch that was cut off goes on after the restart without doubles', async () => {
    const feed = await mapped(200);
    await server.askWindow('POST', '/api/queue/pause');
    const started = await server.askWindow('POST', `/api/feeds/${feed.id}/render`, {});
    await server.restart();
    await expect.poll(async () => (await renders()).length, { timeout: 60_000 }).toBe(200);
    // The end was not stored: all rows are there, and it is gone through once more.
    await server.running.close();
    const folder = path.join(server.dataFolder, 'store');
    const records = await readFile(path.join(folder, 'batches.db'), 'utf8');
    await writeFile(
      path.join(folder, 'batches.db'),
      records.replaceAll('"done":true', '"done":false'),
    );
    const rows = JSON.parse(
      await readFile(path.join(folder, 'feed-rows', await rowFile(folder, feed.id)), 'utf8'),
    ) as { id: string }[];
    await writeFile(
      path.join(folder, 'feed-rows', `batch-${started.body.id}.json`),
      JSON.stringify(rows),
    );
    await server.restart();
    await expect
      .poll(async () => {
        const { list } = await server.askWindow('GET', '/api/batches');
        return (list[0] as unknown as { done: boolean }).done;
      })
      .toBe(true);
    const found = await renders();
    expect(found).toHaveLength(200);
    const wanted = rows.map(({ id }) => batchRenderId(started.body.id, id));
    expect(found.map(({ id }) => id).sort()).toEqual(wanted.sort());
    const titles = new Set(await titlesOf(found));
    expect(titles.size).toBe(200);
  });

  async function rowFile(folder: string, id: string): Promise<string> {
    const lines = (await readFile(path.join(folder, 'feeds.db'), 'utf8')).split('\n');
    const record = lines.filter((line) => line.includes(id)).at(-1);
    return (JSON.parse(record!) as { rowFile: string }).rowFile;
  }
});

describe('F135, A: a spreadsheet is read by a process that may die', () => {
  const book = archive(spreadsheet([['Title'], ['Boot']]));
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'sheets-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A reader whose process does this with a file. */
  const readerThat = async (
    does: string,
    limits = { time: 20_000, memory: 1e9 },
  ): Promise<SheetReader> => {
    const script = path.join(folder, 'reader.mjs');
    await writeFile(
      script,
      `process.on('message', ({ id, input: { rowsPath } }) => { ${does} }); process.send({ type: 'ready' });
      process.on('disconnect', () => process.exit());`,
    );
    const fork = (): ReturnType<typeof forkWorker> => forkWorker(script);
    return new SheetReader({ fork, workFolder: folder, log: () => undefined, limits });
  };

  test.each([
    ['crashes', 'process.abort()', 'it ends the program that reads spreadsheets'],
    ['throws', 'throw 1', 'it ends the program that reads spreadsheets'],
    [
      'takes all memory',
      `process.send({ type: 'pulse', memory: 2e9, quiet: 0, computed: 0 })`,
      'reading it needs more than 1000 MB of memory',
    ],
    ['never ends', 'for (;;);', 'reading it takes longer than 0.4 seconds', 400],
  ])('one that %s', async (_name, does, reason, time = 20_000) => {
    const reader = await readerThat(does, { time, memory: 1e9 });
    const refused = await reader.read(book, 1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ReaderEnded);
    expect((refused as Error).message).toContain(reason);
    expect(await readdir(folder)).toEqual(['reader.mjs']);
  });

  test('the next file is read, and closing refuses what is under way', async () => {
    const reader = await readerThat(
      `import('node:fs').then((fs) => {
        fs.writeFileSync(rowsPath, '[["Title"]]');
        process.send({ type: 'result', id, output: { sheets: ['One'], sheet: 1 } });
      });`,
    );
    const [first, second] = await Promise.all([reader.read(book, 1), reader.read(book, 1)]);
    expect([first, second].map(({ rows }) => rows.toString())).toEqual(
      Array(2).fill('[["Title"]]'),
    );
    const deaf = await readerThat('');
    const waiting = deaf.read(book, 1).catch((error: unknown) => error);
    deaf.close();
    expect(await waiting).toMatchObject({ code: 'busy' });
  });

  test('one long text in many cells is refused before it is written out', async () => {
    const cells = Array.from({ length: 100 }, () => ['x'.repeat(700_000)]);
    const filePath = path.join(folder, 'book.xlsx');
    await writeFile(filePath, archive(spreadsheet(cells)));
    const order = { filePath, rowsPath: path.join(folder, 'rows.json'), sheet: 1 };
    await expect(writeSheet(order)).rejects.toThrow('more than 60 MB');
  });
});

test.runIf(process.platform === 'linux')(
  'F135 entries that are no part of the table stay packed, however large they are',
  async () => {
    const others = Array.from({ length: 40 }, (_, index): [string, string] => [
      `xl/media/image${index}${index % 2 ? '.bin' : '.XML'}`,
      '\0'.repeat(8_000_000),
    ]);
    const records = 'xl/pivotCache/pivotCacheRecords1.xml';
    const file = archive(
      { ...spreadsheet([['Title'], ['Boot']]), ...Object.fromEntries(others), [records]: '<r/>' },
      { [records]: 2 ** 31 },
    );
    const threads = (): number => readdirSync('/proc/self/task').length;
    const before = threads();
    let most = before;
    const looking = setInterval(() => (most = Math.max(most, threads())), 2);
    expect(await readTable(file)).toEqual({ columns: ['Title'], rows: [['Boot']] });
    clearInterval(looking);
    expect(most - before).toBeLessThan(4);
  },
);
