/**
 * Rows of feeds on their way into the queue: what they change, checks, changed rows, names, pauses, and files that are
 * followed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FeedCheck, WindowFeed, WindowFeedBatch, WindowFeedRow } from '../../shared/api.ts';
import { requestLimits } from '../../shared/limits.ts';
import {
  document,
  send,
  startTestServer,
  type Answer,
  type TestServer,
} from '../helpers/server.ts';

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startTestServer({ feedPause: 200 });
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-feeds-'));
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a table, as the window does. */
async function sendTable(method: string, address: string, content: string): Promise<WindowFeed> {
  const { origin, hash } = new URL(server.running.windowUrl);
  const { body } = await send(`${origin}/api/feeds${address}`, {
    method,
    headers: { 'x-framewright-token': hash.replace('#token=', ''), 'content-type': 'text/csv' },
    body: content,
  });
  return body as unknown as WindowFeed;
}

/** A feed that is mapped to a template. */
async function mapped(content: string): Promise<WindowFeed> {
  const { body: template } = await server.ask('POST', '/v2/templates', {
    name: 'Card',
    source: document({ pause: 1 }),
  });
  const { id } = await sendTable('POST', '?name=Shoes', content);
  return change(id, { template: template.id });
}

async function change(id: string, body: object): Promise<WindowFeed> {
  const answer = await server.askWindow('PATCH', `/api/feeds/${id}`, body);
  expect(answer.status).toBe(200);
  return answer.body as unknown as WindowFeed;
}

async function render(id: string, choice: object = {}): Promise<{ id: string; rowCount: number }> {
  const { body } = await server.askWindow('POST', `/api/feeds/${id}/render`, choice);
  return body as unknown as { id: string; rowCount: number };
}

const rowsOf = async (id: string): Promise<WindowFeedRow[]> =>
  (await server.askWindow('GET', `/api/feeds/${id}/rows`)).list as unknown as WindowFeedRow[];

const renders = async () => (await server.askWindow('GET', '/api/renders')).body.renders;

/** The quality that rows get from a template that names none. */
const quality = { crf: '20' };

/** The modifications of all renders, the oldest first, once there are so many and all have ended. */
async function made(count: number): Promise<unknown[]> {
  await expect.poll(async () => (await renders()).length, { timeout: 30_000 }).toBe(count);
  const list = (await renders()).toSorted((a, b) => a.order - b.order);
  const found: unknown[] = [];
  for (const { id } of list) {
    await server.ended(id);
    const { body } = await server.askWindow('GET', `/api/renders/${id}/record`);
    found.push((body as { modifications?: unknown }).modifications);
  }
  return found;
}

async function check(id: string): Promise<FeedCheck> {
  const answer = await server.askWindow('POST', `/api/feeds/${id}/check`);
  expect(answer.status).toBe(200);
  return answer.body as unknown as FeedCheck;
}

test('cells come before fixed values; empty ones keep the template’s value, or empty it where that is wanted', async () => {
  const feed = await mapped('Title,Price\nBoot,1\n,2\n');
  const fixed = [
    { target: 'Title', value: 'Shoe' },
    { target: 'Title.fill_color', value: '#ff0000' },
  ];
  await change(feed.id, { fixed });
  await render(feed.id);
  expect(await made(2)).toEqual([
    { Title: 'Boot', 'Title.fill_color': '#ff0000', ...quality },
    { Title: 'Shoe', 'Title.fill_color': '#ff0000', ...quality },
  ]);
  const changed = await change(feed.id, { clearsEmpty: true, fixed: fixed.slice(1) });
  expect([changed.clearsEmpty, changed.fixed]).toEqual([true, fixed.slice(1)]);
  await render(feed.id, { rows: [(await rowsOf(feed.id))[1]!.id] });
  expect((await made(3))[2]).toEqual({ Title: '', 'Title.fill_color': '#ff0000', ...quality });
  const refused = await server.askWindow('PATCH', `/api/feeds/${feed.id}`, { fixed: [{}] });
  expect([refused.status, refused.body.hint]).toEqual([
    400,
    expect.stringContaining("'fixed' should be an array"),
  ]);
});

test('changed rows are those of which no render was made as they are, with the template as it is', async () => {
  const feed = await mapped('Title\nBoot\nShoe\nSandal\n');
  expect((await check(feed.id)).changed).toHaveLength(3);
  expect((await render(feed.id, { changed: true })).rowCount).toBe(3);
  await made(3);
  expect((await check(feed.id)).changed).toEqual([]);
  expect(await render(feed.id, { changed: true })).toEqual({ id: null, rowCount: 0 });
  const rows = await rowsOf(feed.id);
  const column = feed.columns[0]!.id;
  rows[1] = { ...rows[1]!, values: { [column]: 'Slipper' } };
  await server.askWindow('PUT', `/api/feeds/${feed.id}/rows`, { rows });
  expect((await check(feed.id)).changed).toEqual([rows[1].id]);
  expect((await render(feed.id, { changed: true })).rowCount).toBe(1);
  expect((await made(4)).at(-1)).toEqual({ Title: 'Slipper', ...quality });
  // Another template, or another form of it, makes other films.
  await server.ask('PATCH', `/v2/templates/${feed.template!}`, {
    source: document({ pause: 2 }),
  });
  expect((await check(feed.id)).changed).toHaveLength(3);
});

test('a check names the rows that would fail, with their columns, before anything is in the queue', async () => {
  const feed = await mapped('Title,Title.fill_color\nBoot,#ff0000\nShoe,reddish-ish\nSandal,\n');
  const rows = await rowsOf(feed.id);
  const found = await check(feed.id);
  expect(found).toMatchObject({ rowCount: 3, checked: 3, wrong: [rows[1]!.id] });
  expect(found.problems).toEqual([
    {
      row: rows[1]!.id,
      column: feed.columns[1]!.id,
      sentence: expect.stringContaining('Title.fill_color: ') as string,
    },
  ]);
  expect(await renders()).toEqual([]);
  const bare = await sendTable('POST', '?name=Bare', 'A\n1\n');
  expect((await server.askWindow('POST', `/api/feeds/${bare.id}/check`)).status).toBe(400);
  // As many rows as a feed may have, in pieces.
  const many = await mapped(`Title\n${'x\n'.repeat(9_999)}y\n`);
  expect(await check(many.id)).toMatchObject({ rowCount: 10_000, checked: 10_000 });
  // Of a large template only as many as there is time for.
  const text = 'x'.repeat(8_000_000);
  const large = document({ pause: 1 });
  await server.ask('PATCH', `/v2/templates/${many.template!}`, {
    source: { ...large, note: text },
  });
  expect((await check(many.id)).checked).toBe(24);
});

test('files are named by a pattern, no two of a batch the same', async () => {
  const feed = await mapped('Title,Price\nBoot,1/2\nboot,1/2\nShoe,\n');
  await change(feed.id, { names: '{feed} {Title} {Price} {nothing}' });
  await render(feed.id);
  await made(3);
  const files = (await renders()).map(({ batch }) => batch?.file);
  expect(files.toSorted()).toEqual([
    'Shoes Boot 1 2 {nothing}',
    'Shoes Shoe {nothing}',
    'Shoes boot 1 2 {nothing} 2',
  ]);
});

test('the renders of a batch wait while it is paused, also after a restart; others go on', async () => {
  await server.askWindow('POST', '/api/queue/pause');
  const feed = await mapped('Title\nBoot\nShoe\n');
  const { id } = await render(feed.id);
  await expect.poll(async () => (await renders()).length).toBe(2);
  const pause = (paused: boolean) => server.askWindow('PATCH', `/api/batches/${id}`, { paused });
  expect((await pause(true)).body).toMatchObject({ id, paused: true });
  await server.restart();
  await server.askWindow('POST', '/api/queue/resume');
  const { body: other } = await server.ask('POST', '/v2/renders', { source: document() });
  expect((await server.ended(other.id)).status).toBe('succeeded');
  const states = async () => (await renders()).map(({ record }) => record.status).toSorted();
  expect(await states()).toEqual(['planned', 'planned', 'succeeded']);
  await pause(false);
  await expect.poll(states).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect((await server.askWindow('PATCH', '/api/batches/x', { paused: true })).status).toBe(404);
});

test('rows of a new table are those that were there, by their values, else by their places', async () => {
  const feed = await mapped('Title,Price\nBoot,1\nShoe,2\nShoe,2\nSandal,3\n');
  const before = await rowsOf(feed.id);
  await sendTable(
    'PUT',
    `/${feed.id}/table`,
    'Price,Title\n2,Shoe\n9,New\n2,Shoe\n4,Sandal\n5,Last\n',
  );
  const after = await rowsOf(feed.id);
  const ids = before.map(({ id }) => id);
  expect(after.map(({ id }) => ids.indexOf(id))).toEqual([1, -1, 2, 3, -1]);
  expect(new Set(after.map(({ id }) => id)).size).toBe(5);
});

test('a feed follows a file: what changed in it is read and rendered, and what is wrong with it is told', async () => {
  const file = path.join(folder, 'shoes.csv');
  const feed = await mapped('Title\nBoot\nShoe\n');
  const now = async () =>
    ((await server.askWindow('GET', '/api/feeds')).list as unknown as WindowFeed[]).find(
      ({ id }) => id === feed.id,
    )!;
  await change(feed.id, { watch: { path: file, renders: true } });
  await expect
    .poll(async () => (await now()).watch?.problem)
    .toBe('There is no such file or folder');
  await writeFile(file, 'Title\nBoot\nShoe\nSandal\n');
  expect(await made(3)).toHaveLength(3);
  await expect.poll(async () => (await now()).watch).toMatchObject({ path: file, renders: true });
  await expect.poll(async () => (await now()).watch?.problem).toBe(undefined);
  await writeFile(file, 'Title\nBoot\nSlipper\nSandal\n');
  expect((await made(4)).at(-1)).toEqual({ Title: 'Slipper', ...quality });
  await writeFile(file, 'Title\n"Boot\n');
  await expect
    .poll(async () => (await now()).watch?.problem, { timeout: 20_000 })
    .toContain('is never closed');
  expect((await now()).rowCount).toBe(3);
  // It is known after a restart what was read, and a folder's newest table counts.
  await server.restart();
  await change(feed.id, { watch: { path: folder, renders: true } });
  await writeFile(path.join(folder, '~$later.csv'), 'lock');
  await writeFile(path.join(folder, 'later.csv'), 'Title\nSandal\nClog\n');
  expect((await made(5)).at(-1)).toEqual({ Title: 'Clog', ...quality });
  expect((await now()).rowCount).toBe(2);
  await change(feed.id, { watch: null });
  expect((await now()).watch).toBe(undefined);
  const refused = await server.askWindow('PATCH', `/api/feeds/${feed.id}`, {
    watch: { path: 'shoes.csv', renders: true },
  });
  expect(refused.status).toBe(400);
  const batches = (await server.askWindow('GET', '/api/batches'))
    .list as unknown as WindowFeedBatch[];
  expect(batches.map(({ rowCount }) => rowCount)).toEqual([1, 1, 3]);
});

test('rows that stay as they are can be sent as their IDs; a table of any size can be stored', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `C${index}`).join(',');
  const line = `${'some value,'.repeat(99)}last\n`;
  const feed = await sendTable('POST', '?name=Large', `${names}\n${line.repeat(5_000)}`);
  const rows = await rowsOf(feed.id);
  const store = (sent: readonly unknown[]) =>
    server.askWindow('PUT', `/api/feeds/${feed.id}/rows`, { rows: sent });
  const changed = { id: rows[1]!.id, values: { [feed.columns[0]!.id]: 'new' } };
  const sent = [rows[2]!.id, changed, ...rows.slice(3).map(({ id }) => id)];
  expect((await store(sent)).status).toBe(200);
  const [first, second, ...rest] = await rowsOf(feed.id);
  expect([first, second, rest.length]).toEqual([rows[2], changed, 4_997]);
  expect((await store(['nobody'])).body.hint).toContain('the ID of one that is there');
  // More than any other request may have.
  expect(JSON.stringify(rows).length).toBeGreaterThan(requestLimits.bodyBytes);
  expect((await store(rows)).status).toBe(200);
  expect(await rowsOf(feed.id)).toEqual(rows);
});

test('a batch that is stopped makes no more renders, also after a restart', async () => {
  await server.askWindow('POST', '/api/queue/pause');
  const feed = await mapped(`Title\n${Array.from({ length: 5_000 }, (_, n) => `${n}\n`).join('')}`);
  const { id } = await render(feed.id);
  expect((await server.askWindow('DELETE', `/api/batches/${id}`)).status).toBe(204);
  const count = (await renders()).length;
  expect(count).toBeLessThan(5_000);
  await server.restart();
  const [batch] = (await server.askWindow('GET', '/api/batches'))
    .list as unknown as WindowFeedBatch[];
  expect([batch?.id, batch?.done]).toEqual([id, true]);
  expect(await renders()).toHaveLength(count);
  expect((await server.askWindow('DELETE', '/api/batches/nothing')).status).toBe(404);
});

describe('without a window', () => {
  /** A feed as the API shows it. */
  interface Table {
    readonly id: string;
    readonly row_count: number;
    readonly columns: readonly { readonly id: string; readonly name: string }[];
  }
  const tableOf = ({ text }: Answer): Table => JSON.parse(text) as Table; // checked against openapi.json
  const sent = (address: string, body: NonNullable<RequestInit['body']>): Promise<Answer> =>
    send(`${server.running.apiUrl}/v2/feeds${address}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.running.apiKey}` },
      body,
    });
  const keptRows = async (id: string): Promise<WindowFeedRow[]> =>
    (await server.ask('GET', `/v2/feeds/${id}/rows`)).list as unknown as WindowFeedRow[];

  test('a table is imported, mapped, rendered, replaced and deleted', async () => {
    const source = document();
    const { body: card } = await server.ask('POST', '/v2/templates', { name: 'Card', source });
    const imported = await sent('?name=Shoes', 'Title;Price\nBoot;1\nShoe;2\n');
    const feed = tableOf(imported);
    expect([imported.status, feed]).toEqual([
      201,
      expect.objectContaining({
        name: 'Shoes',
        row_count: 2,
        columns: [
          { id: expect.any(String) as string, name: 'Title' },
          { id: expect.any(String) as string, name: 'Price' },
        ],
        fixed_values: [],
        clears_empty: false,
        file_names: '',
      }),
    ]);
    const at = `/v2/feeds/${feed.id}`;
    const early = await server.ask('POST', `${at}/render`, {});
    expect([early.status, early.body.hint]).toEqual([
      400,
      `The feed ${feed.id} is not mapped to a template.`,
    ]);
    const fixed = [{ target: 'Title.fill_color', value: '#ff0000' }];
    const change = { template_id: card.id, fixed_values: fixed, name: 'All shoes' };
    const changed = (await server.ask('PATCH', at, change)).body;
    expect(changed).toMatchObject({
      name: 'All shoes',
      template_id: card.id,
      columns: [{ name: 'Title', target: 'Title' }, { name: 'Price' }],
      fixed_values: fixed,
    });
    expect((await server.ask('GET', at)).body).toEqual(changed);
    expect((await server.ask('GET', '/v2/feeds')).list).toEqual([changed]);

    const started = await server.ask('POST', `${at}/render`, {});
    const batch = started.body as unknown as { id: string; row_count: number };
    expect([started.status, batch.row_count]).toEqual([202, 2]);
    expect(await made(2)).toEqual([
      { Title: 'Boot', 'Title.fill_color': '#ff0000', ...quality },
      { Title: 'Shoe', 'Title.fill_color': '#ff0000', ...quality },
    ]);
    await expect
      .poll(async () => (await server.ask('GET', `${at}/batches`)).list)
      .toMatchObject([{ id: batch.id, row_count: 2, done: true, paused: false }]);
    await server.ask('POST', '/v2/renders', document());
    const { body } = await server.ask('GET', `/v2/renders?batch_id=${batch.id}`);
    expect(body.renders).toHaveLength(2);
    const none = await server.ask('POST', `${at}/render`, { changed: true });
    expect([none.status, none.body]).toEqual([200, { row_count: 0 }]);

    // A newer table as a form: what stays keeps its ID and its target.
    const before = await keptRows(feed.id);
    const form = new FormData();
    form.append('file', new Blob(['Title,Price\nBoot,1\nSandal,3\n']), 'new.csv');
    const newer = await sent(`/${feed.id}/table`, form);
    expect(newer.status).toBe(200);
    expect(newer.body).toMatchObject({ columns: [{ target: 'Title' }, { name: 'Price' }] });
    const rows = await keptRows(feed.id);
    expect(rows[0]).toEqual(before[0]);
    expect(Object.values(rows[1]!.values)).toEqual(['Sandal', '3']);
    expect((await server.ask('POST', `${at}/render`, { changed: true })).body).toMatchObject({
      row_count: 1,
    });
    const title = feed.columns[0]!.id;
    const sentRows = [rows[1]!.id, { id: 'new', values: { [title]: 'Clog' } }];
    const stored = await server.ask('POST', `${at}/rows`, { rows: sentRows });
    expect([stored.status, tableOf(stored).row_count]).toEqual([200, 2]);
    expect((await keptRows(feed.id)).map(({ values }) => values[title])).toEqual([
      'Sandal',
      'Clog',
    ]);
    expect((await server.ask('DELETE', at)).status).toBe(204);
    expect((await server.ask('GET', at)).status).toBe(404);
  });

  test('wrong ones are refused in words, and other projects have no such feed', async () => {
    const form = new FormData();
    form.append('file', new Blob(['A\n1\n']), 'prices.csv');
    const imported = await sent('', form);
    expect(imported.body.name).toBe('prices');
    const { id } = tableOf(imported);
    const files: readonly (readonly [
      address: string,
      body: NonNullable<RequestInit['body']>,
      hint: string,
    ])[] = [
      ['?name=x', Buffer.alloc(20_000_001, 'a'), 'it has more than 20 MB'],
      ['?name=x', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'The table can not be imported: '],
      ['?name=x&separator=x', 'a', "'separator' should be one of "],
      ['?name=x&sheet=0', 'a', "'sheet' should be a whole number from 1"],
      ['?name=x&head=maybe', 'a', "'head' should be true or false"],
      ['', 'a', 'the name of the file'],
      [`?name=${'n'.repeat(257)}`, 'a', "'name' should be a string of 1 to 256 characters"],
    ];
    for (const [address, body, hint] of files) {
      const { status, body: said } = await sent(address, body);
      expect([address.slice(0, 40), status, said.hint]).toEqual([
        address.slice(0, 40),
        400,
        expect.stringContaining(hint),
      ]);
    }
    const unknown = '00000000-0000-4000-8000-000000000000';
    const bodies: readonly (readonly [
      method: string,
      target: string,
      body: unknown,
      status: number,
      hint: string,
    ])[] = [
      ['PATCH', '', {}, 400, "Send at least one of 'name', 'template_id', 'columns'"],
      ['PATCH', '', { template_id: unknown }, 404, 'There is no template'],
      ['PATCH', '', { columns: [{}] }, 400, "'columns' should be an array of at most 100 columns"],
      ['PATCH', '', { clears_empty: 1 }, 400, "'clears_empty' should be true or false"],
      ['POST', '/rows', { rows: [{}] }, 400, "'rows' should be"],
      [
        'POST',
        '/render',
        { rows: 'all' },
        400,
        "'rows' should be an array of at most 10000 row IDs",
      ],
      ['POST', '/render', { changed: 1 }, 400, "'changed' should be true or false"],
    ];
    for (const [method, target, body, status, hint] of bodies) {
      const answer = await server.ask(method, `/v2/feeds/${id}${target}`, body);
      expect([body, answer.status, answer.body.hint]).toEqual([
        body,
        status,
        expect.stringContaining(hint),
      ]);
    }
    const created = await server.askWindow('POST', '/api/projects', { name: 'Other' });
    const { keys } = created.body as unknown as { keys: { key: string }[] };
    const other = { authorization: `Bearer ${keys[0]!.key}` };
    expect((await server.ask('GET', '/v2/feeds', undefined, other)).list).toEqual([]);
    for (const [method, target] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', ''],
      ['GET', '/rows'],
      ['GET', '/batches'],
      ['POST', '/rows'],
      ['POST', '/render'],
    ] as const) {
      const body = ['PATCH', 'POST'].includes(method) ? { rows: [], name: 'Taken' } : undefined;
      const answer = await server.ask(method, `/v2/feeds/${id}${target}`, body, other);
      expect([method, target, answer.status]).toEqual([method, target, 404]);
    }
    expect((await server.ask('GET', `/v2/feeds/${id}`)).body).toMatchObject({ name: 'prices' });
  });
});
