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

/** A project as the API shows it. */
interface Shown {
  readonly id: string;
  readonly name: string;
  readonly webhook_url?: string;
  readonly keys: readonly { readonly id: string; readonly name: string; readonly key: string }[];
}
const shown = ({ text }: Answer): Shown => JSON.parse(text) as Shown; // checked against openapi.json

test('a key of the first project makes, renames and deletes projects, and their keys and secrets', async () => {
  const made = await server.ask('POST', '/v2/projects', { name: 'Shop' });
  const { id, keys } = shown(made);
  expect([made.status, keys.map(({ name }) => name)]).toEqual([201, ['Default']]);
  const theirs = keys[0]!.key;
  expect((await as(theirs, 'GET', '/v1/projects/data')).body).toEqual({ id, name: 'Shop' });
  const url = 'https://shop.example.com/hook';
  const changed = await server.ask('PATCH', `/v2/projects/${id}`, { name: 'S', webhook_url: url });
  expect(shown(changed)).toMatchObject({ id, name: 'S', webhook_url: url });
  const none = await server.ask('PATCH', `/v2/projects/${id}`, { webhook_url: null });
  expect([shown(none).name, shown(none).webhook_url]).toEqual(['S', undefined]);

  const key = await server.ask('POST', `/v2/projects/${id}/keys`, { name: 'CI' });
  const ci = key.body as unknown as Shown['keys'][number];
  expect([key.status, ci.name]).toEqual([201, 'CI']);
  expect((await as(ci.key, 'GET', '/v2/templates')).status).toBe(200);
  const all = (await server.ask('GET', '/v2/projects')).list as unknown as Shown[];
  expect(all.map((one) => [one.name, one.keys.map(({ name }) => name)])).toEqual([
    ['My project', ['Default']],
    ['S', ['Default', 'CI']],
  ]);
  expect((await server.ask('DELETE', `/v2/keys/${ci.id}`)).status).toBe(204);
  expect((await as(ci.key, 'GET', '/v2/templates')).status).toBe(401);

  const secret = `/v2/projects/${id}/webhook-secret`;
  const before = (await server.ask('GET', secret)).body;
  expect((await as(theirs, 'GET', '/v2/webhook-secret')).body).toEqual(before);
  const after = (await server.ask('POST', `${secret}/rotate`)).body as unknown as object;
  expect(after).toMatchObject({ previous_until: expect.any(String) as string });
  expect((await as(theirs, 'GET', '/v2/webhook-secret')).body).toEqual(after);
  expect((await server.ask('DELETE', `${secret}/previous`)).status).toBe(204);
  expect((await server.ask('GET', secret)).body).not.toHaveProperty('previous_until');

  await as(theirs, 'POST', '/v2/templates', { name: 'T', source: document() });
  expect((await server.ask('DELETE', `/v2/projects/${id}`)).body.hint).toContain('still has');
  const [template] = (await as(theirs, 'GET', '/v2/templates')).list;
  await as(theirs, 'DELETE', `/v2/templates/${template!.id}`);
  await as(theirs, 'DELETE', `/v2/templates/deleted/${template!.id}`);
  expect((await server.ask('DELETE', `/v2/projects/${id}`)).status).toBe(204);
  expect((await as(theirs, 'GET', '/v2/templates')).status).toBe(401);
});

test('what is about all projects is refused to other keys, and wrong values say what was expected', async () => {
  const { id, key } = await otherProject();
  const none = '/v2/projects/none';
  const rows: readonly (readonly [
    method: string,
    target: string,
    body: unknown,
    status: number,
    hint: string,
  ])[] = [
    ['GET', '/v2/projects', undefined, 200, ''],
    ['POST', '/v2/projects', { name: '' }, 400, "'name' should be a string of 1 to 256 characters"],
    ['POST', '/v2/projects', {}, 400, "'name' should be a string of 1 to 256 characters"],
    ['PATCH', `/v2/projects/${id}`, {}, 400, "Send at least one of 'name' and 'webhook_url'."],
    ['PATCH', `/v2/projects/${id}`, { webhook_url: 'ftp://a' }, 400, "'webhook_url' should be"],
    ['PATCH', none, { name: 'A' }, 404, 'There is no project with the ID none.'],
    ['DELETE', none, undefined, 404, 'There is no project with the ID none.'],
    ['DELETE', '/v2/projects/default', undefined, 400, 'The first project stays.'],
    ['POST', `${none}/keys`, { name: 'A' }, 404, 'There is no project with the ID none.'],
    ['DELETE', '/v2/keys/none', undefined, 404, 'There is no key with the ID none.'],
    ['GET', `${none}/webhook-secret`, undefined, 404, 'There is no project with the ID none.'],
    ['POST', `${none}/webhook-secret/rotate`, undefined, 404, 'There is no project'],
    ['DELETE', `${none}/webhook-secret/previous`, undefined, 404, 'There is no project'],
    ['DELETE', '/v2/fonts/Nothing', undefined, 404, 'There is no added font family Nothing.'],
  ];
  for (const [method, target, body, status, hint] of rows) {
    const answer = await server.ask(method, target, body);
    expect([method, target, answer.status]).toEqual([method, target, status]);
    if (status !== 200) expect(answer.body.hint).toContain(hint);
    const refused = await as(key, method, target, body);
    expect([method, target, refused.status]).toEqual([method, target, 403]);
    expect(refused.body.hint).toMatch(/^Only keys of the first project \(My project\) may do this/);
  }
  const [mine] = (await server.ask('GET', '/v2/projects')).list as unknown as Shown[];
  const last = await server.ask('DELETE', `/v2/keys/${mine!.keys[0]!.id}`);
  expect([last.status, last.body.hint]).toEqual([400, expect.stringContaining('the last key')]);
});
