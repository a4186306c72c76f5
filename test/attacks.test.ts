/**
 * Requests made to end, fill or hold up the built server, alone and all together, while others render and list: theirs
 * succeed, the API answers, and the process stays the same. Bounds are generous, because other tests run beside it;
 * `TIMES=1` prints what was measured. The single attacks have their tests where their causes were: media, feeds,
 * text-limits.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { said, startCli, type RunningCli } from './helpers/cli.ts';
import { someInQuick } from './helpers/long.ts';
import { archive } from './helpers/spreadsheet.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'attacks-'));
let server: RunningCli;
let runtime: { apiUrl: string; apiKey: string; windowUrl: string };

beforeAll(async () => {
  const args = ['serve', '--port', '0', '--window-port', '0', '--no-samples', '--no-rate-limit'];
  server = startCli(folder, [...args, '--data', 'data']);
  await said(server, 'Press Ctrl+C');
  const text = readFileSync(path.join(folder, 'data', 'runtime.json'), 'utf8');
  runtime = JSON.parse(text) as typeof runtime;
}, 60_000);
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** What nobody waits for longer than this is held up; a busy computer needs seconds. */
const patience = 60_000;

const sendTo = async (
  url: string,
  headers: object,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Response> =>
  fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(patience),
  });
const send = (
  target: string,
  body?: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
): Promise<Response> =>
  sendTo(
    `${runtime.apiUrl}${target}`,
    { authorization: `Bearer ${runtime.apiKey}`, 'content-type': type },
    body,
  );
const sendForm = (parts: string): Promise<Response> =>
  send('/v2/media', `--XX\r\n${parts}\r\n--XX--\r\n`, 'multipart/form-data; boundary=XX');
const sendTable = (table: Buffer): Promise<Response> => {
  const { origin, hash } = new URL(runtime.windowUrl);
  const headers = {
    'x-framewright-token': hash.replace('#token=', ''),
    'content-type': 'application/octet-stream',
  };
  return sendTo(`${origin}/api/feeds/look`, headers, new Uint8Array(table));
};

/** Creates a render and waits until it has ended. @returns its status; that of the answer if it was refused. */
async function render(source: object): Promise<string> {
  const created = await send('/v2/renders', JSON.stringify(source));
  const { id } = (await created.json()) as { id: string };
  if (created.status !== 202) return String(created.status);
  const begun = performance.now();
  while (performance.now() - begun < patience) {
    await pause(25);
    const answer = (await (await send(`/v2/renders/${id}`)).json()) as { status: string };
    if (answer.status === 'succeeded' || answer.status === 'failed') return answer.status;
  }
  return 'open';
}

/** A sound of one sample a second. */
function slowSound(samples: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + 2 * samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  [1, 1].forEach((value, index) => head.writeUInt16LE(value, 20 + 2 * index));
  head.writeUInt32LE(1, 24);
  head.writeUInt32LE(2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(2 * samples, 40);
  return Buffer.concat([head, Buffer.alloc(2 * samples)]);
}

/** A black picture of 16 bits, interlaced: small as a file, large once it is decoded. */
function widePicture(side: number): Buffer {
  const chunk = (name: string, content: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), content]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(content.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([16, 2, 0, 0, 1], 8);
  // Adam7: where each pass begins, and its steps. A row has one byte more than its pixels.
  // prettier-ignore
  const passes = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;
  const bytes = passes.reduce(
    (sum, [x, y, across, down]) =>
      sum + Math.ceil((side - y) / down) * (1 + 6 * Math.ceil((side - x) / across)),
    0,
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const packed = deflateSync(Buffer.alloc(bytes), { level: 1 });
  return Buffer.concat([
    ...[signature, chunk('IHDR', head), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))],
  ]);
}

/** A spreadsheet with entries that no table has. */
function bloatedTable(count: number, bytes: number): Buffer {
  const content = '\0'.repeat(bytes);
  const more = Array.from({ length: count }, (_, index) => [`m/${index}.png`, content] as const);
  const sheet =
    '<worksheet><sheetData><row><c t="inlineStr"><is><t>A</t></is></c></row></sheetData></worksheet>';
  return archive({ 'xl/worksheets/sheet1.xml': sheet, ...Object.fromEntries(more) });
}

/** Renders what was uploaded. */
async function renderFile(type: string, file: Buffer, element: object): Promise<string> {
  const added = await send('/v2/media?name=attack', new Uint8Array(file), type);
  if (added.status !== 201 && added.status !== 200) return String(added.status);
  const { source } = (await added.json()) as { source: string };
  return render({ ...small, elements: [{ ...element, source }] });
}

const small = { output_format: 'jpg', width: 50, height: 50, duration: 1 };
const misspelt = JSON.stringify({
  ...small,
  dry_run: true,
  elements: [
    {
      type: 'text',
      ...Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`fil_colr${n}`, 1])),
    },
  ],
});
const text = (words: string, more: object = {}): object => ({
  ...small,
  elements: [{ type: 'text', text: words, fill_color: '#000', font_size: 9, ...more }],
});
const spoken = Array.from({ length: 3_000 }, () => ({ time: 0, duration: 1, value: 'ab ' }));

/** Made before anything is measured: this process measures, too. */
const largeEntries = bloatedTable(2, 2e7);
const manyEntries = bloatedTable(60, 5e5);
const wide = widePicture(3_000);

/** What each answers: a status of the API, or how its render ended. */
const attacks: Readonly<Record<string, () => Promise<string | number>>> = {
  'a part without a name': async () =>
    (await sendForm('Content-Disposition: form-data\r\n\r\nhello')).status,
  'a file in a part without a name': async () =>
    (await sendForm('Content-Disposition: form-data; filename="a.jpg"\r\n\r\nx')).status,
  'a long part without a disposition': async () =>
    (await sendForm(`X: y\r\n\r\n${'A'.repeat(17_000)}`)).status,
  'a spreadsheet with large entries': async () => (await sendTable(largeEntries)).status,
  'a spreadsheet with many entries': async () => (await sendTable(manyEntries)).status,
  'a sound of one sample a second': () =>
    renderFile('audio/wav', slowSound(1_000), { type: 'audio', duration: 1 }),
  'a picture that is large once decoded': () => renderFile('image/png', wide, { type: 'image' }),
  'misspelt names': async () => (await send('/v2/renders', misspelt)).status,
  'a template with too many elements': async () => {
    const source = { ...small, elements: Array(10_001).fill({}) };
    return (await send('/v2/templates', JSON.stringify({ name: 'Many', source }))).status;
  },
  'captions that are all spoken at once': () =>
    render(
      text('', {
        transcript_source: spoken,
        transcript_split: 'letter',
        transcript_effect: 'enlarge',
      }),
    ),
  'isolates inside each other': () =>
    render(text(`${'\u2067('.repeat(4_000)}a${'\u2069'.repeat(4_000)}`)),
  'a font family without an end': () => render(text('a', { font_family: 'x'.repeat(1e6) })),
};

/** Others' work while something goes on: renders one after the other, and the list of templates again and again. */
async function beside<T>(work: () => Promise<T>): Promise<{ made: T; times: number[] }> {
  const over = new AbortController();
  const times: number[] = [];
  const outcomes: string[] = [];
  const list = async (): Promise<void> => {
    do {
      const before = performance.now();
      expect((await send('/v2/templates')).status).toBe(200);
      times.push(performance.now() - before);
      await pause(20);
    } while (!over.signal.aborted);
  };
  const draw = async (): Promise<void> => {
    const shape = { type: 'shape', width: '50%', height: '50%', fill_color: '#f00' };
    do outcomes.push(await render({ ...small, elements: [shape] }));
    while (!over.signal.aborted);
  };
  const attacked = work().finally(() => over.abort());
  const [made] = await Promise.all([attacked, list(), draw()]);
  expect(new Set(outcomes)).toEqual(new Set(['succeeded']));
  return { made, times: times.sort((a, b) => a - b) };
}

const tell = (name: string, made: unknown, times: readonly number[]): void => {
  const share = (part: number): number => Math.round(times[Math.floor(part * times.length)] ?? 0);
  const worst = { name, made, half: share(0.5), p99: share(0.99), count: times.length };
  if (process.env['TIMES']) console.log(JSON.stringify(worst));
  expect(share(0.99)).toBeLessThan(10_000);
};

test.each(someInQuick(Object.entries(attacks), 4))(
  'A: %s: is answered, and others are served',
  async (name, attack) => {
    const { made, times } = await beside(attack);
    tell(name, made, times);
    // An answer that is the sender's: a refusal, or a render that ends.
    expect(String(made)).toMatch(/^(?:2\d\d|4\d\d|succeeded|failed)$/);
    expect(server.child.exitCode).toBe(null);
  },
  2 * patience,
);

test(
  'A: all of them together, the cheap ones twenty times: are answered, and others are served',
  async () => {
    const many = ['a long part without a disposition', 'a part without a name', 'misspelt names'];
    const { made, times } = await beside(() =>
      Promise.all(
        Object.entries(attacks).flatMap(([name, attack]) =>
          Array.from({ length: many.includes(name) ? 20 : 1 }, attack),
        ),
      ),
    );
    tell('all', [...new Set(made.map(String))].sort(), times);
    // Some may be told to come back later.
    for (const one of made) expect(String(one)).toMatch(/^(?:2\d\d|4\d\d|503|succeeded|failed)$/);
    expect(
      server.errors.filter((line) => /Nobody caught this|RangeError|out of memory/.test(line)),
    ).toEqual([]);
    // No line names a megabyte that came from outside.
    expect(Math.max(0, ...server.errors.map((line) => line.length))).toBeLessThan(20_000);
    expect(server.child.exitCode).toBe(null);
  },
  4 * patience,
);
