/** What a request carries may be large; the records stay small, and every answer still returns it as it was sent. */
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../server/system/clock.ts';
import { contentOf } from '../../server/system/json-text.ts';
import { writeInParts } from '../../server/store/files.ts';
import { firstProject } from '../../server/store/projects.ts';
import { openStore } from '../../server/store/store.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

const place = (...parts: string[]): string => path.join(server.dataFolder, 'store', ...parts);
const modifications = (number: number): Record<string, unknown> => ({
  'Nobody.text': `${number} ${'é😀"\\ '.repeat(60_000)}`,
  '__proto__.x': { $$date: 1, 'a.b': [null, -0] },
  ...Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`None${n}.text`, 'x'.repeat(900)])),
});
const metadata = 'm'.repeat(9_000);

test('large modifications go beside the record, and come back exactly from everywhere', async () => {
  const told: string[] = [];
  const receiver = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      told.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const webhook_url = `http://127.0.0.1:${port}/`;
  const sent = { ...document(), modifications: modifications(0), metadata, webhook_url };
  const text = JSON.stringify(sent.modifications);

  const created = await server.ask('POST', '/v2/renders', sent);
  expect(created.status).toBe(202);
  const { id } = created.body;
  expect(JSON.stringify(created.body.modifications) === text).toBe(true);
  const ended = await server.ended(id);
  expect([ended.status, JSON.stringify(ended.modifications) === text]).toEqual(['succeeded', true]);
  expect(ended.metadata).toBe(metadata);
  await expect.poll(() => told.length).toBe(1);
  expect(told[0] === JSON.stringify(ended)).toBe(true);
  receiver.close();

  for (let n = 1; n < 4; n++) {
    const next = await server.ask('POST', '/v2/renders', {
      ...document(),
      modifications: modifications(n),
    });
    await server.ended(next.body.id);
  }
  // Four states of four renders of a megabyte each; metadata, which are bounded, stay in the record.
  expect((await stat(place('renders.db'))).size).toBeLessThan(80_000);
  const list = await server.askWindow('GET', '/api/renders');
  expect(list.text.length).toBeLessThan(30_000);

  await server.restart();
  const again = await server.ask('GET', `/v2/renders/${id}`);
  expect(JSON.stringify(again.body.modifications) === text).toBe(true);
  const { body } = await server.askWindow('GET', `/api/renders/${id}/request`);
  const { request } = body as unknown as { request: Record<string, unknown> };
  expect([JSON.stringify(request.modifications) === text, request.metadata]).toEqual([
    true,
    metadata,
  ]);
  const repeated = await server.askWindow('POST', `/api/renders/${id}/again`);
  expect((await server.ended(repeated.body.id)).metadata).toBe(metadata);

  // What belongs to a render goes with it.
  expect(await readdir(place('modifications'))).toHaveLength(5);
  await server.askWindow('POST', '/api/renders/remove', { ids: [id, repeated.body.id] });
  expect([
    (await readdir(place('modifications'))).length,
    (await readdir(place('sources'))).length,
  ]).toEqual([3, 3]);
});

test('modifications whose file is lost or cut leave the render readable, and the log says so', async () => {
  const { body } = await server.ask('POST', '/v2/renders', {
    ...document(),
    modifications: modifications(0),
  });
  await server.ended(body.id);
  const file = place('modifications', `${body.id}.json`);
  const whole = await readFile(file, 'utf8');
  for (const damage of [() => writeFile(file, whole.slice(0, -1)), () => rm(file)]) {
    await damage();
    const found = await server.ask('GET', `/v2/renders/${body.id}`);
    expect([found.status, found.body.status, found.body.modifications]).toEqual([
      200,
      'succeeded',
      undefined,
    ]);
  }
  expect(server.logged.join('\n')).toContain(`The modifications of render ${body.id}`);
});

test('what lies aside is passed on without being taken apart, from the request to every answer', async () => {
  const sent = { ...document(), modifications: modifications(0) };
  const text = JSON.stringify(sent.modifications);
  const created = await server.ask('POST', '/v2/renders', sent);
  const { id } = created.body;
  await server.ended(id);
  const parsed: number[] = [];
  const { parse, stringify } = JSON;
  const note = (length: number): void => {
    if (length > 500_000) parsed.push(length);
  };
  Object.assign(JSON, {
    parse: (given: string) => {
      note(given.length);
      return parse(given) as unknown;
    },
    stringify: (value: unknown) => {
      const made = stringify(value) as string | undefined;
      note(made?.length ?? 0);
      return made;
    },
  });
  try {
    const { store } = server.running.services;
    const render = store.renders.find(id);
    const read = render && (await store.renders.withRequest(render));
    expect(read && String(contentOf(read.request.modifications ?? {})) === text).toBe(true);
    const { apiUrl, apiKey } = server.running;
    const headers = { authorization: `Bearer ${apiKey}` };
    const answer = await fetch(`${apiUrl}/v2/renders/${id}`, { headers });
    expect((await answer.text()).includes(`"modifications":${text}`)).toBe(true);
    const { body } = await server.askWindow('POST', `/api/renders/${id}/again`);
    expect(parsed).toEqual([]);
    await server.ended((body as unknown as { id: string }).id);
  } finally {
    Object.assign(JSON, { parse, stringify });
  }
});

test('names and messages of any length leave the record small', async () => {
  const name = '😀'.repeat(200_000);
  const elements = [{ type: 'text', name, text: 'a', x: 'wrong', [`y${name}`]: {} }];
  const { body } = await server.ask('POST', '/v2/renders', { ...document(), elements });
  const { error_message: message } = await server.ended(body.id);
  expect(message.length).toBeLessThan(2_500);
  expect(message).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  expect((await stat(place('renders.db'))).size).toBeLessThan(60_000);
});

test('an older store has its large requests put beside the records, after a copy', async () => {
  const small = { 'Title.text': 'Hello' };
  const ids: string[] = [];
  for (const one of [small, modifications(1)]) {
    const { body } = await server.ask('POST', '/v2/renders', { ...document(), modifications: one });
    await server.ended(body.id);
    ids.push(body.id);
  }
  await server.running.close();
  // As the last version wrote them: all of it in the record, in each of its states.
  const lines = (await readFile(place('renders.db'), 'utf8')).split('\n').map((line) => {
    const record = (line === '' ? {} : JSON.parse(line)) as Record<string, unknown>;
    if (record.modificationsBytes === undefined) return line;
    return JSON.stringify({
      ...record,
      modificationsBytes: undefined,
      request: JSON.stringify({ modifications: modifications(1) }),
    });
  });
  expect(lines.join('\n').length).toBeGreaterThan(2_000_000);
  await writeFile(place('renders.db'), lines.join('\n'));
  await rm(place('modifications'), { recursive: true });
  await rm(place('backups'), { recursive: true });
  await writeFile(place('format.json'), '{"format":2}');

  await server.restart();
  expect((await stat(place('renders.db'))).size).toBeLessThan(30_000);
  for (const [index, one] of [small, modifications(1)].entries()) {
    const { body } = await server.ask('GET', `/v2/renders/${ids[index]!}`);
    expect(JSON.stringify(body.modifications) === JSON.stringify(one)).toBe(true);
  }
  expect(server.running.services.store.notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^The data was brought from format 2 to 4; a copy from before is in /),
  ]);
  const [copy] = (await readdir(place('backups'))).filter((name) => name.startsWith('upgrade-'));
  expect((await stat(place('backups', copy!, 'renders.db'))).size).toBeGreaterThan(2_000_000);
});

test('files without a record are removed once no backup can want them, and halves at once', async () => {
  await server.running.close();
  const old = new Date(Date.now() - 31 * 86_400_000);
  const files: [string, Date | null][] = [
    ['stray-old.json', old],
    ['stray-new.json', null],
    ['half.json.0b9bd6d4-93a1-4c8e-9a39-9a1e5d1b0f10.new', new Date(Date.now() - 1000)],
  ];
  await mkdir(place('sources'), { recursive: true });
  for (const [name, written] of files) {
    await writeFile(place('sources', name), '{}');
    if (written) await utimes(place('sources', name), written, written);
  }
  const store = await openStore(server.dataFolder, () => undefined, systemClock);
  await store.renders.removeStrays(Date.now());
  await store.close();
  expect(await readdir(place('sources'))).toEqual(['stray-new.json']);
  await server.restart();
});

test('F137, A: a sweep leaves what is being written, however long it takes', async () => {
  const { renders, templates } = server.running.services.store;
  for (const file of [place('sources', 'slow.json'), place('templates', 'slow.json')]) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeInParts(file, async (add) => {
      await add('{');
      await renders.removeStrays(Date.now() + 60_000);
      await templates.removeStrays(Date.now() + 60_000);
      await add('}');
    });
    expect(await readFile(file, 'utf8')).toBe('{}');
  }
});

test('a large template is opened, saved and copied in the editor as it is', async () => {
  const source = document({}, { note: 'é😀'.repeat(100_000) });
  const made = await server.askWindow('POST', '/api/templates', {
    project: firstProject,
    name: 'Big',
    source,
  });
  expect(made.status).toBe(201);
  const { id } = made.body;
  const { updatedAt: base } = made.body as unknown as { updatedAt: number };
  const changed = { ...source, note: 'more '.repeat(100_000) };
  const save = { name: 'Big', tags: [], source: changed, base };
  const saved = await server.askWindow('PUT', `/api/editor/${id}`, save);
  expect([saved.status, saved.body.source]).toEqual([200, changed]);
  const late = await server.askWindow('PUT', `/api/editor/${id}`, save);
  expect(late.body).toMatchObject({ conflict: true, source: changed });
  expect((await server.askWindow('GET', `/api/editor/${id}`)).body.source).toEqual(changed);
  const copy = await server.askWindow('POST', `/api/templates/${id}/duplicate`, { name: 'Copy' });
  expect((await server.ask('GET', `/v2/templates/${copy.body.id}`)).body.source).toEqual(changed);
});
