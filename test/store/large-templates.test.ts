/** Long documents of templates lie beside their records, through changes, crashes, upgrades and removal. */
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../server/system/clock.ts';
import { firstProject } from '../../server/store/projects.ts';
import { openStore } from '../../server/store/store.ts';
import { document, startTestServer, type Body, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

const long = (letter: string, length = 300_000): Record<string, unknown> =>
  document({}, { note: letter.repeat(length) });
const place = (...parts: string[]): string => path.join(server.dataFolder, 'store', ...parts);
const files = async (): Promise<string[]> => (await readdir(place('template-documents'))).sort();
const create = async (name: string, source: object): Promise<string> => {
  const { status, body } = await server.ask('POST', '/v2/templates', { name, source });
  expect([status, isSame(body.source, source)]).toEqual([201, true]);
  return body.id;
};
/** Without the difference of two documents that nobody could read. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
const read = async (id: string): Promise<Body> =>
  (await server.ask('GET', `/v2/templates/${id}`)).body;

test('records stay small however long documents are, and every use has the whole document', async () => {
  const ids: string[] = [];
  for (const letter of 'abcdefghijklmnopqrst') ids.push(await create(letter, long(letter)));
  const short = await create('short', document());
  expect((await stat(place('templates.db'))).size).toBeLessThan(20_000);
  expect(await files()).toHaveLength(ids.length);
  await server.restart();
  expect(isSame((await read(ids[3]!)).source, long('d'))).toBe(true);
  expect((await read(short)).source).toEqual(document());
  const { body: render } = await server.ask('POST', '/v2/renders', { template_id: ids[3] });
  expect((await server.ended(render.id)).status).toBe('succeeded');
  const opened = await server.askWindow('GET', `/api/editor/${ids[3]!}`);
  expect(isSame(opened.body.source, long('d'))).toBe(true);
  const fields = await server.ask('GET', `/v1/internal/n8n/fields?template-id=${ids[3]!}`);
  expect(fields.text).toContain('"id":"Title.text"');
  // Lists show of it what they show of short ones.
  await expect
    .poll(async () => {
      const { templates } = (await server.askWindow('GET', '/api/templates')).body;
      return templates.filter(({ width, height }) => width === 100 && height === 50).length;
    })
    .toBe(ids.length + 1);
});

/** Versions keep their files themselves (template-versions.test.ts). */
const keepNoVersions = (): Promise<unknown> =>
  server.askWindow('PATCH', '/api/settings', { templateVersions: 0 });

test('a new version takes the place of the old one, and none is left over', async () => {
  await keepNoVersions();
  const id = await create('A', long('a'));
  const change = (body: object): Promise<unknown> =>
    server.ask('PATCH', `/v2/templates/${id}`, body);
  await change({ name: 'B' });
  expect(await files()).toHaveLength(1);
  await Promise.all(['b', 'c', 'd'].map((letter) => change({ source: long(letter) })));
  expect(await files()).toHaveLength(1);
  const { name, source } = await read(id);
  // Which of them came last is the disk's affair.
  const letter = ['b', 'c', 'd'].find((one) => isSame(source, long(one)));
  expect([name, letter]).toEqual(['B', expect.any(String)]);
  // Of one that was saved elsewhere meanwhile the new document is not kept.
  const save = { name: 'C', tags: [], base: 1, source: long('e') };
  const late = await server.askWindow('PUT', `/api/editor/${id}`, save);
  expect([late.body, isSame(late.body.source, source)]).toMatchObject([{ conflict: true }, true]);
  expect(await files()).toHaveLength(1);
  await change({ source: document() });
  expect(await files()).toEqual([]);
  await change({ source: long('f') });
  await server.ask('DELETE', `/v2/templates/${id}`);
  expect(await files()).toHaveLength(1);
  await server.askWindow('POST', `/api/deleted-templates/${id}/restore`);
  expect(isSame((await read(id)).source, long('f'))).toBe(true);
  await server.ask('DELETE', `/v2/templates/${id}`);
  await server.askWindow('DELETE', `/api/deleted-templates/${id}`);
  expect(await files()).toEqual([]);
});

test('a version that a backup may have stays for the time in which it may be gone back to', async () => {
  await keepNoVersions();
  const id = await create('A', long('a'));
  const [old = ''] = await files();
  await server.restart();
  const written = new Date(Date.now() - 40 * 86_400_000);
  await utimes(place('template-documents', old), written, written);
  await server.ask('PATCH', `/v2/templates/${id}`, { source: long('b') });
  expect(await files()).toContain(old);
  await server.running.close();
  const store = await openStore(server.dataFolder, () => undefined, systemClock);
  await store.templates.removeStrays(Date.now());
  expect(await files()).toContain(old);
  await store.templates.removeStrays(Date.now() + 31 * 86_400_000);
  expect(await files()).toHaveLength(1);
  expect((await store.templates.readDocument(store.templates.find(id)!)).text).toBe(
    JSON.stringify(long('b')),
  );
  await store.close();
  await server.restart();
});

test('one whose file is missing or cut says so, and the others are there', async () => {
  const [a, b] = [await create('A', long('a')), await create('B', long('b'))];
  await server.restart();
  for (const name of await files()) {
    const content = await readFile(place('template-documents', name), 'utf8');
    if (content.includes('aaaa')) await writeFile(place('template-documents', name), '{"cut":');
  }
  const refused = await server.ask('GET', `/v2/templates/${a}`);
  expect([refused.status, refused.body.hint]).toEqual([
    500,
    `The document of the template ${a} is missing or damaged on the disk.`,
  ]);
  expect((await server.ask('POST', '/v2/renders', { template_id: a })).status).toBe(500);
  expect(server.logged.join('\n')).toMatch(/The document of template .* has 7 bytes of/);
  expect(isSame((await read(b)).source, long('b'))).toBe(true);
  expect((await server.ask('GET', '/v2/templates')).list).toHaveLength(2);
  await server.ask('PATCH', `/v2/templates/${a}`, { source: long('n') });
  expect(isSame((await read(a)).source, long('n'))).toBe(true);
});

test('a store of the older form is brought into this one, with the last version of each document', async () => {
  await server.running.close();
  const now = Date.now();
  const record = (id: string, source: object, more: object = {}): string =>
    JSON.stringify({
      _id: id,
      project: firstProject,
      name: id,
      tags: [],
      createdAt: now,
      updatedAt: now,
      source: JSON.stringify(source),
      ...more,
    });
  const lines = [
    record('long', long('a')),
    record('long', long('b')),
    record('gone', long('c')),
    record('short', document()),
    '{"damaged',
    record('trash', long('d')),
    '{"$$deleted":true,"_id":"gone"}',
    record('trash', long('d'), { deletedAt: now }),
    record('long', long('e')),
  ];
  await writeFile(place('templates.db'), `${lines.join('\n')}\n${record('torn', {}).slice(0, 40)}`);
  await rm(place('template-documents'), { recursive: true });
  await rm(place('backups'), { recursive: true });
  await writeFile(place('format.json'), '{"format":3}');

  for (const again of [false, true]) {
    // As after a power cut before the new form was noted.
    if (again) await writeFile(place('format.json'), '{"format":3}');
    const store = await openStore(server.dataFolder, () => undefined, systemClock);
    const { templates } = store;
    const texts: Record<string, string> = {};
    for (const one of [...templates.list(), ...templates.listDeleted()])
      texts[one.id] = (await templates.readDocument(one)).text;
    expect(texts).toEqual({
      long: JSON.stringify(long('e')),
      short: JSON.stringify(document()),
      trash: JSON.stringify(long('d')),
    });
    expect(store.notices[0]?.text).toMatch(/^The data was brought from format 3 to 4; a copy/);
    await store.close();
    expect(await files()).toHaveLength(2);
    expect((await stat(place('templates.db'))).size).toBeLessThan(5_000);
  }
  const [copy = ''] = (await readdir(place('backups'))).filter((name) =>
    name.startsWith('upgrade'),
  );
  expect((await stat(place('backups', copy, 'templates.db'))).size).toBeGreaterThan(1_000_000);
  await server.restart();
});
