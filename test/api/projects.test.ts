/** Projects over HTTP: what one key made, another project's key doesn't see; all keys share one rate limit. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { feedTable } from '../../server/jobs/feeds/feed-rows.ts';
import { rateLimit } from '../../shared/limits.ts';
import { document, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

/** A second project with a key of its own. */
async function otherProject(): Promise<{ id: string; key: string }> {
  const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  expect(made.status).toBe(201);
  const { id, keys } = made.body as unknown as { id: string; keys: { key: string }[] };
  return { id, key: keys[0]!.key };
}

const as = (key: string, method: string, target: string, body?: unknown): Promise<Answer> =>
  server.ask(method, target, body, { authorization: `Bearer ${key}` });

test('templates and renders of another project do not exist', async () => {
  const { key } = await otherProject();
  const mine = await server.ask('POST', '/v2/templates', { name: 'Mine', source: document() });
  const theirs = await as(key, 'POST', '/v2/templates', { name: 'Theirs', source: document() });
  const render = await server.ask('POST', '/v2/renders', { template_id: mine.body.id });
  const refused: [string, string, unknown?][] = [
    ['GET', `/v2/templates/${mine.body.id}`],
    ['GET', `/v1/templates/${mine.body.id}`],
    ['PATCH', `/v2/templates/${mine.body.id}`, { name: 'Taken' }],
    ['DELETE', `/v2/templates/${mine.body.id}`],
    ['POST', '/v2/renders', { template_id: mine.body.id }],
    ['POST', '/v2/renders', { template_id: mine.body.id, dry_run: true }],
    ['GET', `/v2/renders/${render.body.id}`],
    ['GET', `/v1/renders/${render.body.id}`],
  ];
  for (const [method, target, body] of refused) {
    const answer = await as(key, method, target, body);
    expect([method, target, answer.status]).toEqual([method, target, 404]);
  }
  const lists = [await server.ask('GET', '/v2/templates'), await as(key, 'GET', '/v2/templates')];
  expect(lists.map(({ list }) => list.map(({ name }) => name))).toEqual([['Mine'], ['Theirs']]);
  // By tags, too, only the project's own templates are rendered.
  const tagged = { name: 'T', tags: ['x'], source: document() };
  await server.ask('POST', '/v2/templates', tagged);
  await as(key, 'POST', '/v2/templates', tagged);
  expect((await as(key, 'POST', '/v1/renders', { tags: ['x'] })).list).toHaveLength(1);
  expect((await server.ask('GET', `/v2/templates/${theirs.body.id}`)).status).toBe(404);
  expect((await server.ended(render.body.id)).status).toBe('succeeded');
});

test('projects and keys outlive a restart; a removed key opens nothing', async () => {
  const { id, key } = await otherProject();
  const second = await server.askWindow('POST', `/api/projects/${id}/keys`, { name: 'CI' });
  const added = second.body as unknown as { id: string; key: string };
  await as(key, 'POST', '/v2/templates', { name: 'Theirs', source: document() });
  await server.restart();
  expect((await as(added.key, 'GET', '/v2/templates')).list).toHaveLength(1);
  expect((await server.ask('GET', '/v2/templates')).list).toHaveLength(0);
  expect((await server.askWindow('DELETE', `/api/keys/${added.id}`)).status).toBe(204);
  expect((await as(added.key, 'GET', '/v2/templates')).status).toBe(401);
  expect((await as(key, 'GET', '/v2/templates')).status).toBe(200);
});

test('an empty project can be deleted with its keys, any other one stays', async () => {
  const { id, key } = await otherProject();
  const remove = async (project: string): Promise<number> =>
    (await server.askWindow('DELETE', `/api/projects/${project}`)).status;
  const names = async (): Promise<string[]> =>
    (await server.askWindow('GET', '/api/projects')).list.map((project) => project.name);
  expect([await remove('nothing'), await remove('default')]).toEqual([404, 400]);

  const made = await as(key, 'POST', '/v2/templates', { name: 'Theirs', source: document() });
  const { id: render } = (await as(key, 'POST', '/v2/renders', { source: document() })).body;
  const { feeds } = server.running.services.store;
  const { columns, rows } = feedTable({ columns: ['Title'], rows: [['One']] }, { columns: [] });
  const table = await feeds.insert(id, 'Table', columns, rows);
  expect(await remove(id)).toBe(400);
  await as(key, 'DELETE', `/v2/templates/${made.body.id}`);
  expect(await remove(id)).toBe(400);
  await server.askWindow('DELETE', `/api/deleted-templates/${made.body.id}`);
  await expect
    .poll(async () => (await as(key, 'GET', `/v2/renders/${render}`)).body.status)
    .toBe('succeeded');
  expect(await remove(id)).toBe(400);
  await server.askWindow('POST', '/api/renders/remove', { ids: [render] });
  expect(await remove(id)).toBe(400);
  await feeds.remove(table.id);
  expect(await names()).toContain('Other');
  expect(await remove(id)).toBe(204);
  expect(await names()).not.toContain('Other');
  expect((await as(key, 'GET', '/v2/templates')).status).toBe(401);
  await server.restart();
  expect(await names()).not.toContain('Other');
});

test('a brand is kept with its project, and nothing else is taken for one', async () => {
  const brand = {
    colors: ['#2447d8', '#F2B134'],
    titleFont: 'Lobster',
    textFont: '',
    logo: 'media:0f8fad5b-d9cb-469f-a165-70867728950e',
  };
  const change = (given: object) =>
    server.askWindow('PATCH', '/api/projects/default', { brand: { ...brand, ...given } });
  expect((await change({})).body).toMatchObject({ brand });
  for (const wrong of [
    { colors: ['red'] },
    { colors: Array(13).fill('#000000') },
    { titleFont: 'f'.repeat(201) },
    { logo: 'l'.repeat(2001) },
    { logo: null },
  ]) {
    expect((await change(wrong)).status).toBe(400);
  }
  await server.restart();
  const [first] = (await server.askWindow('GET', '/api/projects')).list;
  expect(first).toMatchObject({ brand });
  // The public API knows nothing of it.
  const data = await server.ask('GET', '/v1/projects/data');
  expect(JSON.stringify(data.body)).not.toContain('Lobster');
});

test('every change of projects and keys is told to the windows', async () => {
  const told: string[] = [];
  server.running.services.events.subscribe(({ type }) => void told.push(type));
  const { id } = await otherProject();
  await server.askWindow('PATCH', `/api/projects/${id}`, { name: 'New name' });
  const made = await server.askWindow('POST', `/api/projects/${id}/keys`, { name: 'CI' });
  await server.askWindow('DELETE', `/api/keys/${made.body.id}`);
  await server.askWindow('POST', `/api/projects/${id}/secret`);
  await server.askWindow('DELETE', `/api/projects/${id}`);
  expect(told.filter((type) => type === 'projects.changed')).toHaveLength(6);
});

test('the last key of a project stays', async () => {
  const { id } = await otherProject();
  const { list } = await server.askWindow('GET', '/api/projects');
  const project = list.find((one) => one.id === id) as unknown as { keys: { id: string }[] };
  const { status } = await server.askWindow('DELETE', `/api/keys/${project.keys[0]!.id}`);
  expect(status).toBe(400);
});

test('the rate limit counts over all keys', async () => {
  const { key } = await otherProject();
  await server.restart({ rateLimit: true });
  for (let count = 0; count < rateLimit.requests; count++) {
    const asked = count % 2 ? as(key, 'GET', '/v2/templates') : server.ask('GET', '/v2/templates');
    const { headers, status } = await asked;
    const left = String(rateLimit.requests - 1 - count);
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, left]);
  }
  expect((await as(key, 'GET', '/v2/templates')).status).toBe(429);
  expect((await server.ask('GET', '/v2/templates')).status).toBe(429);
});

test('data from before there were projects belongs to the first, and a copy is kept', async () => {
  await server.running.close();
  const folder = path.join(server.dataFolder, 'store');
  const old = {
    templates: `{"_id":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","name":"Old","tags":[],"createdAt":1,"updatedAt":2,"source":"{\\"elements\\":[]}"}\n`,
    keys: `{"_id":"k1","name":"Default","key":"old-key","createdAt":1}\n`,
    renders: `{"_id":"gone","order":1}\n{"_id":"gone","$$deleted":true}\n{"_id":"bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb","order":1,"status":"failed","outputFormat":"jpg","createdAt":${Date.now()},"attempts":1,"request":"{}","errorMessage":"x"}\n`,
  };
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'format.json'), '{"format":1}');
  for (const [name, text] of Object.entries(old)) {
    await writeFile(path.join(folder, `${name}.db`), text);
  }
  await server.restart({ port: 0 });
  expect(server.running.apiKey).toBe('old-key');
  expect(
    (await server.ask('GET', '/v2/templates/aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa')).body.name,
  ).toBe('Old');
  expect(
    (await server.ask('GET', '/v2/renders/bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb')).body.status,
  ).toBe('failed');
  expect((await server.ask('GET', '/v2/renders/gone')).status).toBe(404);
  expect(await readFile(path.join(folder, 'format.json'), 'utf8')).toContain('4');
  const [copy] = (await readdir(path.join(folder, 'backups'))).filter((name) =>
    name.startsWith('upgrade-'),
  );
  const kept = path.join(folder, 'backups', copy!);
  expect(await readFile(path.join(kept, 'templates.db'), 'utf8')).toBe(old.templates);
  expect(await readFile(path.join(kept, 'format.json'), 'utf8')).toBe('{"format":1}');
});
