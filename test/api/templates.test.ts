/** Templates over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
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
