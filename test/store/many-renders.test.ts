/**
 * The window's list of a store with many renders: slim rows, made and sent in pieces between which others are answered.
 */
import { appendFile, readFile, readdir } from 'node:fs/promises';
import { OutgoingMessage, request, ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

const many = 20_000;
const longError = `Source error: ${'é'.repeat(1_900)}`;
const modifications = { 'Title.text': 'x'.repeat(1_500) };

let server: TestServer;
/** Of the renders that are multiplied. */
let succeeded = '';
let failed = '';

beforeAll(async () => {
  server = await startTestServer();
  const sent = { ...document(), modifications, metadata: 'order 7' };
  succeeded = (await server.ask('POST', '/v2/renders', sent)).body.id;
  failed = (await server.ask('POST', '/v2/renders', { ...sent, ...document({ end: 'fail' }) })).body
    .id;
  await server.ended(succeeded);
  await server.ended(failed);
  await multiply();
  await server.restart();
}, 60_000);
afterAll(() => server.stop());

/** Adds copies of the two records to the store's file while it is open: the next start reads them. */
async function multiply(): Promise<void> {
  const names = await readdir(server.dataFolder, { recursive: true });
  const name = names.find((one) => path.basename(one) === 'renders.db');
  const file = path.join(server.dataFolder, name ?? '');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  // Written by the store: one JSON object a line, the newest state of a record last.
  const states = lines.map((line) => JSON.parse(line) as { _id?: string; errorMessage?: string });
  const newest = (id: string): object => states.findLast((state) => state._id === id) ?? {};
  const patterns = [newest(succeeded), { ...newest(failed), errorMessage: longError }];
  const copies = Array.from({ length: many - 2 }, (_, index) =>
    JSON.stringify({ ...patterns[index % 2], _id: idOf(index), order: 1_000 + index }),
  );
  await appendFile(file, `${copies.join('\n')}\n`);
}

const idOf = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

test('rows of the list are slim, and all are there, newest first', async () => {
  const { text, body } = await server.askWindow('GET', '/api/renders');
  expect(body.renders).toHaveLength(many);
  expect(body.eventNumber).toEqual(expect.any(Number));
  const orders = body.renders.map(({ order }) => order);
  expect(orders).toEqual([...orders].sort((a, b) => b - a));
  const lengths = body.renders.map((render) => JSON.stringify(render).length);
  // The request alone has 1,500 characters and the error 1,900.
  expect(Math.max(...lengths)).toBeLessThan(1_200);
  expect(text).not.toContain('"modifications"');
  const cut = body.renders.find(({ id }) => id === idOf(1));
  expect(cut?.record.error_message).toBe(`${longError.slice(0, 299)}…`);
});

test('F43: with 50,000 renders and 5,000 templates it starts in a few times what reading them takes, and lists them all', async () => {
  const full = await startTestServer();
  try {
    const { body } = await full.ask('POST', '/v2/renders', document());
    await full.ended(body.id);
    const sent = { name: 'Many', source: document(), tags: ['a'] };
    await full.ask('POST', '/v2/templates', sent);
    await full.running.close();
    const store = path.join(full.dataFolder, 'store');
    const texts: string[] = [];
    for (const [name, count] of [
      ['renders.db', 50_000],
      ['templates.db', 5_000],
    ] as const) {
      const file = path.join(store, name);
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
      const records = lines.map((line) => JSON.parse(line) as { _id?: string; order?: number });
      const pattern = records.findLast(({ _id: id }) => id !== undefined) ?? {};
      const copies = Array.from({ length: count - 1 }, (_, index) =>
        JSON.stringify({
          ...pattern,
          _id: idOf(index),
          ...(pattern.order !== undefined && { order: 1_000 + index }),
        }),
      );
      await appendFile(file, `${copies.join('\n')}\n`);
      texts.push(await readFile(file, 'utf8'));
    }
    // Computing of this process, which a busy computer does not lengthen as it does the time.
    const computed = (): number => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
    const measured = async <T>(work: () => Promise<T> | T): Promise<[T, number]> => {
      const begun = computed();
      return [await work(), computed() - begun];
    };
    const [, parsing] = await measured(() => {
      for (const text of texts)
        for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
    });
    const [, starting] = await measured(() => full.restart());
    const [list, listing] = await measured(() => full.askWindow('GET', '/api/renders'));
    const [templates, ofTemplates] = await measured(() => full.ask('GET', '/v2/templates'));
    if (process.env['TIMES']) console.log({ parsing, starting, listing, ofTemplates });
    expect(list.body.renders).toHaveLength(50_000);
    expect(templates.list).toHaveLength(5_000);
    expect(full.logged.filter((line) => line.startsWith('error'))).toEqual([]);
    // Anything that grows with more than the number of records is far beyond.
    expect([starting, listing].map((time) => time / parsing < 40)).toEqual([true, true]);
  } finally {
    await full.stop();
  }
}, 120_000);

test('a page of one state among many has only renders in it', async () => {
  const { body } = await server.ask('GET', '/v2/renders?status=failed&limit=3');
  const last = many - 3;
  expect(body.renders.map(({ id }) => id)).toEqual([last, last - 2, last - 4].map(idOf));
});

test('one render is had with all that the list leaves out', async () => {
  const whole = await server.askWindow('GET', `/api/renders/${idOf(1)}/record`);
  expect(whole.body).toMatchObject({ error_message: longError, modifications, id: idOf(1) });
  const { body } = await server.ask('GET', `/v2/renders/${succeeded}`);
  expect((await server.askWindow('GET', `/api/renders/${succeeded}/record`)).body).toEqual(body);
  const missing = await server.askWindow('GET', `/api/renders/${idOf(many)}/record`);
  expect(missing.status).toBe(404);
});

test('modifications that lie beside the record are there as well', async () => {
  const long = { 'Title.text': 'y'.repeat(50_000) };
  const { body } = await server.ask('POST', '/v2/renders', { ...document(), modifications: long });
  await server.ended(body.id);
  const whole = await server.askWindow('GET', `/api/renders/${body.id}/record`);
  expect(whole.body.modifications).toEqual(long);
});

test('the list is made and sent in pieces, each in a turn of its own', async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn += 1;
    if (isCounting) setImmediate(count);
  };
  const pieces: { readonly turn: number; readonly length: number }[] = [];
  const before = OutgoingMessage.prototype;
  const write = vi.spyOn(ServerResponse.prototype, 'write');
  write.mockImplementation(function (this: ServerResponse, piece: unknown) {
    pieces.push({ turn, length: String(piece).length });
    return before.write.call(this, piece, 'utf8');
  });
  count();
  const { body } = await server.askWindow('GET', '/api/renders');
  isCounting = false;
  write.mockRestore();
  expect(body.renders.length).toBeGreaterThanOrEqual(many);
  expect(pieces.length).toBeGreaterThanOrEqual(many / 250);
  expect(new Set(pieces.map((piece) => piece.turn)).size).toBe(pieces.length);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(250 * 1_200);
});

test('a window that goes while the list is made is no fault', async () => {
  const { origin, hash } = new URL(server.running.windowUrl);
  const headers = { 'x-framewright-token': hash.replace('#token=', '') };
  const before = server.logged.length;
  await new Promise<void>((resolve) => {
    const asking = request(`${origin}/api/renders`, { headers }, (response) => {
      response.once('data', () => {
        asking.destroy();
        resolve();
      });
    });
    asking.on('error', () => undefined);
    asking.end();
  });
  const rows = (await server.askWindow('GET', '/api/renders')).body.renders;
  expect(rows.length).toBeGreaterThanOrEqual(many);
  const told = server.logged.slice(before).filter((line) => /^(error|warning)/.test(line));
  expect(told).toEqual([]);
});
