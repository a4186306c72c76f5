/**
 * Rows of feeds on their way into the queue: what they change, checks, changed rows, names, pauses, and files that are
 * followed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FeedCheck, WindowFeed, WindowFeedBatch, WindowFeedRow } from '../../shared/api.ts';
import { document, send, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startTestServer();
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
    { Title: 'Boot', 'Title.fill_color': '#ff0000' },
    { Title: 'Shoe', 'Title.fill_color': '#ff0000' },
  ]);
  const changed = await change(feed.id, { clearsEmpty: true, fixed: fixed.slice(1) });
  expect([changed.clearsEmpty, changed.fixed]).toEqual([true, fixed.slice(1)]);
  await render(feed.id, { rows: [(await rowsOf(feed.id))[1]!.id] });
  expect((await made(3))[2]).toEqual({ Title: '', 'Title.fill_color': '#ff0000' });
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
  expect((await made(4)).at(-1)).toEqual({ Title: 'Slipper' });
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
  expect((await made(4)).at(-1)).toEqual({ Title: 'Slipper' });
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
  expect((await made(5)).at(-1)).toEqual({ Title: 'Clog' });
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
  const feed = await sendTable('POST', '?name=Large', `${names}\n${line.repeat(10_000)}`);
  const rows = await rowsOf(feed.id);
  const store = (sent: readonly unknown[]) =>
    server.askWindow('PUT', `/api/feeds/${feed.id}/rows`, { rows: sent });
  const changed = { id: rows[1]!.id, values: { [feed.columns[0]!.id]: 'new' } };
  const sent = [rows[2]!.id, changed, ...rows.slice(3).map(({ id }) => id)];
  expect((await store(sent)).status).toBe(200);
  const [first, second, ...rest] = await rowsOf(feed.id);
  expect([first, second, rest.length]).toEqual([rows[2], changed, 9_997]);
  expect((await store(['nobody'])).body.hint).toContain('the ID of one that is there');
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
