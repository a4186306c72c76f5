/** Earlier versions of templates: what is kept, for how long, and that nothing of it is lost or left over. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../server/system/clock.ts';
import { JsonText } from '../../server/system/json-text.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import type { WindowVersion } from '../../shared/api.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

/** A document that is kept in the record, or, with a length, in a file. */
const doc = (word: string, length = 1): Record<string, unknown> =>
  document({}, { note: word.repeat(length) });
const long = 30_000;
const files = (): Promise<string[]> =>
  readdir(path.join(server.dataFolder, 'store', 'template-documents'));

async function create(source: object): Promise<string> {
  return (await server.ask('POST', '/v2/templates', { name: 'A', source })).body.id;
}
const save = (id: string, source: object): Promise<unknown> =>
  server.ask('PATCH', `/v2/templates/${id}`, { source });
const versionsOf = async (id: string): Promise<readonly WindowVersion[]> =>
  (
    (await server.askWindow('GET', `/api/templates/${id}/versions`)).body as unknown as {
      versions: readonly WindowVersion[];
    }
  ).versions;
async function notesOf(id: string): Promise<string[]> {
  const notes: string[] = [];
  for (const version of await versionsOf(id)) {
    const { body } = await server.askWindow('GET', `/api/templates/${id}/versions/${version.id}`);
    notes.push((body as unknown as { note: string }).note.slice(0, 3));
  }
  return notes;
}

test.each([
  ['short', 1],
  ['long', long],
])('each change of a %s document keeps what it replaces, newest first', async (_name, length) => {
  const id = await create(doc('a', length));
  expect(await versionsOf(id)).toEqual([]);
  for (const word of 'bcd') await save(id, doc(word, length));
  expect((await notesOf(id)).map((note) => note[0])).toEqual(['c', 'b', 'a']);
  // A name, tags, or the same document again are no new document.
  await server.ask('PATCH', `/v2/templates/${id}`, { name: 'B', tags: ['x'] });
  await save(id, doc('d', length));
  expect((await notesOf(id)).map((note) => note[0])).toEqual(['c', 'b', 'a']);
  await server.restart();
  expect((await notesOf(id)).map((note) => note[0])).toEqual(['c', 'b', 'a']);
});

test('of documents that are saved at the same time, none is lost', async () => {
  const id = await create(doc('start'));
  const words = Array.from({ length: 12 }, (_, index) => `${index}:`);
  await Promise.all(words.map((word) => save(id, doc(word, word.length > 2 ? long : 1))));
  const { note } = (await server.ask('GET', `/v2/templates/${id}`)).body.source as { note: string };
  const all = [...(await notesOf(id)), note.slice(0, 3)].map((text) => text.split(':')[0]);
  expect(all.sort()).toEqual(['sta', ...words.map((word) => word.slice(0, -1))].sort());
});

test('as many are kept as the setting says, those with names the longest', async () => {
  const id = await create(doc('0'));
  await server.askWindow('PATCH', '/api/settings', { templateVersions: 3 });
  await save(id, doc('1'));
  const [first] = await versionsOf(id);
  const at = `/api/templates/${id}/versions/${first!.id}`;
  expect((await server.askWindow('PATCH', at, { name: 'Approved' })).body).toMatchObject({
    id: first!.id,
    name: 'Approved',
  });
  for (const word of '234567') await save(id, doc(word));
  expect(await notesOf(id)).toEqual(['6', '5', '0']);
  expect((await versionsOf(id)).map(({ name }) => name)).toEqual([null, null, 'Approved']);
  // What is no longer kept leaves no file: two versions and the named one.
  expect(await files()).toHaveLength(3);
  await server.askWindow('PATCH', at, { name: null });
  await save(id, doc('8'));
  expect(await notesOf(id)).toEqual(['7', '6', '5']);
  await server.askWindow('PATCH', '/api/settings', { templateVersions: 0 });
  await save(id, doc('9'));
  expect(await versionsOf(id)).toEqual([]);
  expect(await files()).toEqual([]);
});

/** Works with the store itself while the server rests. */
async function inStore(work: (templates: Store['templates']) => unknown): Promise<void> {
  await server.running.close();
  const store = await openStore(server.dataFolder, () => undefined, systemClock);
  try {
    await work(store.templates);
  } finally {
    await store.close();
  }
  await server.restart();
}

test.each([
  ['short', 1],
  ['long', long],
])(
  'after a kill between the two records of a change, a %s document is whole',
  async (_, length) => {
    const id = await create(doc('a', length));
    await save(id, doc('b', length));
    /** The version is there, the change is not. */
    const killed = (): Promise<void> =>
      inStore(async (templates) => {
        const present = templates.find(id)!;
        const { document: there } = present;
        const kept =
          there instanceof JsonText ? (await templates.readDocument(present)).text : there;
        await templates.versions.keep({ template: id, savedAt: present.updatedAt, document: kept });
      });
    await killed();
    expect((await notesOf(id)).map((note) => note[0])).toEqual(['b', 'a']);
    const [newest] = await versionsOf(id);
    await server.askWindow('DELETE', `/api/templates/${id}/versions/${newest!.id}`);
    expect((await server.ask('GET', `/v2/templates/${id}`)).body.source).toEqual(doc('b', length));
    await killed();
    await save(id, doc('c', length));
    expect((await notesOf(id)).map((note) => note[0])).toEqual(['b', 'a']);
  },
);

test('a save that came too late leaves no version', async () => {
  const id = await create(doc('a'));
  const late = { name: 'A', tags: [], base: 1, source: doc('b') };
  const { body } = await server.askWindow('PUT', `/api/editor/${id}`, late);
  expect(body).toMatchObject({ conflict: true });
  expect(await versionsOf(id)).toEqual([]);
  expect(await files()).toEqual([]);
});

test('versions rest in the Trash with their template, and go with it', async () => {
  const id = await create(doc('a', long));
  await save(id, doc('b', long));
  await save(id, doc('c'));
  await server.ask('DELETE', `/v2/templates/${id}`);
  expect((await server.askWindow('GET', `/api/templates/${id}/versions`)).status).toBe(404);
  await server.restart();
  await server.askWindow('POST', `/api/deleted-templates/${id}/restore`);
  expect(await notesOf(id)).toEqual(['bbb', 'aaa']);
  await server.ask('DELETE', `/v2/templates/${id}`);
  await server.askWindow('DELETE', `/api/deleted-templates/${id}`);
  expect(await files()).toEqual([]);
  await inStore(({ versions }) => expect(versions.list(id)).toEqual([]));
});

test('a version whose file is gone says so, and the others stay', async () => {
  const id = await create(doc('a', long));
  await save(id, doc('b', long));
  await save(id, doc('c', long));
  const [newer, older] = await versionsOf(id);
  let name = '';
  await inStore(({ versions }) => void (name = versions.list(id)[0]!.file.name));
  await rm(path.join(server.dataFolder, 'store', 'template-documents', name));
  const at = (one: { id: string } | undefined): string =>
    `/api/templates/${id}/versions/${one!.id}`;
  expect((await server.askWindow('GET', at(newer))).status).toBe(500);
  expect((await server.askWindow('GET', at(older))).status).toBe(200);
  expect((await server.askWindow('GET', at({ id: 'none' }))).status).toBe(404);
  expect((await server.askWindow('PATCH', at(older), { name: '' })).status).toBe(400);
  expect((await server.askWindow('DELETE', at({ id: 'none' }))).status).toBe(404);
  await save(id, doc('d', long));
  expect(await versionsOf(id)).toHaveLength(3);
});
