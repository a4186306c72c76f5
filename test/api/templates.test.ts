/** Templates over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDate } from '../../server/api/serialize.ts';
import { document, startTestServer, type Body, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const dateForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [+-]\d{4}$/;

const create = (name: string, tags?: string[]): ReturnType<TestServer['ask']> =>
  server.ask('POST', '/v2/templates', { name, source: document(), ...(tags && { tags }) });

test('a template is created, read, changed and deleted', async () => {
  const source = { ...document(), $$date: 1, 'a.b': { $set: [1.5, null, 'x'] } };
  const created = await server.ask('POST', '/v2/templates', { name: 'First', source });
  expect(created.status).toBe(201);
  const { id } = created.body;
  const { created_at } = created.body;
  expect(created.body).toEqual({
    id,
    name: 'First',
    tags: [],
    created_at,
    updated_at: created_at,
    source,
  });
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(created_at).toMatch(dateForm);
  expect((await server.ask('GET', `/v2/templates/${id}`)).body).toEqual(created.body);

  const changed = await server.ask('PATCH', `/v2/templates/${id}`, { tags: ['a', 'b'] });
  expect(changed.status).toBe(200);
  const { updated_at } = changed.body;
  expect(changed.body).toEqual({ ...created.body, tags: ['a', 'b'], updated_at });
  expect(updated_at).toMatch(dateForm);
  expect(updated_at > created_at).toBe(true);

  const render = await server.ask('POST', '/v2/renders', { template_id: id });
  const deleted = await server.ask('DELETE', `/v2/templates/${id}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'x' }]] as const) {
    const answer = await server.ask(method, `/v2/templates/${id}`, body);
    expect(answer.status).toBe(404);
    expect(answer.body.hint).toBe(`There is no template with the ID ${id} in this project.`);
  }
  expect((await server.ask('POST', '/v2/renders', { template_id: id })).status).toBe(404);
  expect(await server.ended(render.body.id)).toMatchObject({
    status: 'succeeded',
    template_name: 'First',
  });
});

test('a document that no render would take is not stored, whichever way it comes', async () => {
  const { id } = (await create('Small')).body;
  const hint = 'The source has 10001 elements; the limit is 10000.';
  const shape = { type: 'shape' };
  // Short enough for the API's thread, and so long that another reads it; counted on all levels.
  for (const member of [0, { type: 'text', text: 'so long that it is another thread' }]) {
    const group = { type: 'composition', elements: Array(9_999).fill(member) };
    const source = { ...document(), elements: [shape, group] };
    const sent = { name: 'Large', tags: [], source };
    const { project } = (await server.askWindow('GET', '/api/templates')).body.templates[0]!;
    for (const answer of [
      await server.ask('POST', '/v2/renders', source),
      await server.ask('POST', '/v2/templates', sent),
      await server.ask('PATCH', `/v2/templates/${id}`, { source }),
      await server.askWindow('POST', '/api/templates', { ...sent, project }),
      await server.askWindow('PUT', `/api/editor/${id}`, { ...sent, base: null }),
    ]) {
      expect([answer.status, answer.body.hint]).toEqual([400, hint]);
    }
    const group2 = { ...group, elements: group.elements.slice(1) };
    const fits = { ...source, elements: [shape, group2] };
    expect((await server.ask('PATCH', `/v2/templates/${id}`, { source: fits })).status).toBe(200);
  }
  expect((await server.ask('GET', '/v2/templates')).list).toHaveLength(1);
  await server.ask('DELETE', `/v2/templates/${id}`);
});

test('the list shows the newest change first, without documents, by tags', async () => {
  const ids: string[] = [];
  for (const [name, tags] of [['A', ['x']], ['B', ['y', 'x']], ['C', ['z']], ['D']] as const) {
    ids.push((await create(name, tags && [...tags])).body.id);
  }
  await server.ask('PATCH', `/v2/templates/${ids[0]}`, { name: 'A2' });
  const list = async (query = ''): Promise<string> => {
    const answer = await server.ask('GET', `/v2/templates${query}`);
    return answer.list.map(({ name }) => name).join();
  };
  const [first] = (await server.ask('GET', '/v2/templates')).list;
  expect(Object.keys(first!).sort()).toEqual(['created_at', 'id', 'name', 'tags', 'updated_at']);
  expect(await list()).toBe('A2,D,C,B');
  const rows = [
    ['?tags=x', 'A2,B'],
    ['?tags=y%2Cz', 'C,B'],
    ['?tags=y,,%20z', 'C,B'],
    ['?tags=none', ''],
    ['?tags=', 'A2,D,C,B'],
    ['?limit=500', 'A2,D,C,B'],
  ] as const;
  for (const [query, names] of rows) expect(await list(query), query).toBe(names);
  expect((await server.ask('GET', `/v2/templates?tags=${'a'.repeat(10_000)}`)).status).toBe(400);
  // Older clients read them below /v1.
  expect((await server.ask('GET', '/v1/templates')).list).toHaveLength(4);
  expect((await server.ask('GET', `/v1/templates/${ids[1]}`)).body.name).toBe('B');
  expect((await server.ask('POST', '/v1/templates', { name: 'x', source: {} })).status).toBe(404);
});

test('templates survive a restart, and samples come once', async () => {
  const { id } = (await create('Kept')).body;
  await server.restart({ sampleFolder: 'resources/samples' });
  expect((await server.ask('GET', `/v2/templates/${id}`)).body.name).toBe('Kept');
  const all = async (): Promise<readonly Body[]> => (await server.ask('GET', '/v2/templates')).list;
  const samples = (await all()).filter(({ tags }) => tags.length > 0);
  expect(samples.length).toBeGreaterThan(3);
  for (const sample of samples) await server.ask('DELETE', `/v2/templates/${sample.id}`);
  const left = (await all()).length;
  await server.restart({ sampleFolder: 'resources/samples' });
  expect(await all()).toHaveLength(left);
});

test('dates carry the local offset', () => {
  const text = formatDate(new Date(2026, 0, 2, 3, 4, 5, 6));
  expect(text).toMatch(/^2026-01-02 03:04:05\.006 [+-]\d{4}$/);
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)$/.exec(text)!;
  const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  expect(ahead + new Date(2026, 0, 2).getTimezoneOffset()).toBe(0);
});

describe('deleted templates', () => {
  interface Deleted extends Body {
    readonly deleted_at: string;
    readonly expires_at: string;
  }
  const deleted = async (headers?: Record<string, string>): Promise<readonly Deleted[]> => {
    const { status, list } = await server.ask('GET', '/v2/templates/deleted', undefined, headers);
    expect(status).toBe(200);
    return list as readonly Deleted[];
  };
  const restore = (id: string, headers?: Record<string, string>): ReturnType<TestServer['ask']> =>
    server.ask('POST', `/v2/templates/${id}/restore`, undefined, headers);

  test.each([
    ['a short document', { note: '\u00e9 " \\u0000', 'a.b': { $$date: [1.5, null] } }],
    ['one that is a file', { note: 'long '.repeat(20_000) }],
  ])('%s comes back equal in bytes, with ID, tags and versions', async (_what, more) => {
    const source = { ...document(), ...more };
    const { id } = (
      await server.ask('POST', '/v2/templates', { name: 'Gone', tags: ['a', 'b'], source })
    ).body;
    await server.ask('PATCH', `/v2/templates/${id}`, { source: { ...source, width: 200 } });
    const { text } = await server.ask('GET', `/v2/templates/${id}`);
    const versions = async (): Promise<string> =>
      (await server.askWindow('GET', `/api/templates/${id}/versions`)).text;
    const kept = await versions();
    expect(JSON.parse(kept)).not.toEqual([]);
    await server.ask('DELETE', `/v2/templates/${id}`);
    const [first] = await deleted();
    expect(first).toMatchObject({ id, name: 'Gone', tags: ['a', 'b'] });
    const days = (Date.parse(first!.expires_at) - Date.parse(first!.deleted_at)) / 86_400_000;
    expect(days).toBe(30);
    await server.restart();

    const restored = await restore(id);
    expect([restored.status, restored.text]).toEqual([200, text]);
    expect((await server.ask('GET', `/v2/templates/${id}`)).text).toBe(text);
    expect(await versions()).toBe(kept);
    expect((await deleted()).map((one) => one.id)).not.toContain(id);
    // Asked again after a lost answer, it is the same.
    expect((await restore(id.toUpperCase())).text).toBe(text);
  });

  test('that never were, were deleted for good, or are of another project are not found', async () => {
    const { id } = (await create('Mine')).body;
    await server.ask('DELETE', `/v2/templates/${id}`);
    const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
    const { keys } = made.body as unknown as { keys: { key: string }[] };
    const other = { authorization: `Bearer ${keys[0]!.key}` };
    expect(await deleted(other)).toEqual([]);
    const says = (one: string): object => [
      404,
      `There is no deleted template with the ID ${one} in this project.`,
    ];
    const theirs = await restore(id, other);
    expect([theirs.status, theirs.body.hint]).toEqual(says(id));
    expect((await deleted()).map((one) => one.id)).toContain(id);
    const purge = (headers?: Record<string, string>): ReturnType<TestServer['ask']> =>
      server.ask('DELETE', `/v2/templates/deleted/${id}`, undefined, headers);
    const refused = await purge(other);
    expect([refused.status, refused.body.hint]).toEqual(says(id));
    expect([(await purge()).status, (await purge()).status]).toEqual([204, 404]);
    // One that is not in the Trash is not touched.
    const kept = (await create('Kept')).body.id;
    expect((await server.ask('DELETE', `/v2/templates/deleted/${kept}`)).status).toBe(404);
    expect((await server.ask('GET', `/v2/templates/${kept}`)).status).toBe(200);
    for (const one of [id, 'none', '00000000-0000-4000-8000-000000000000']) {
      const answer = await restore(one);
      expect([answer.status, answer.body.hint]).toEqual(says(one));
    }
  });
});
