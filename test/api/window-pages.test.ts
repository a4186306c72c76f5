/** What the window's pages ask of the server: removing, moving, templates and the Trash, requests, settings. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogLine, RequestDetails, RequestList, SettingsRecord } from '../../shared/api.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** An answer of a form that Body does not name. */
async function get<T>(target: string): Promise<T> {
  const { text } = await server.askWindow('GET', target);
  return JSON.parse(text) as T;
}

test('finished renders go with their files, others stay', async () => {
  const done = await server.ask('POST', '/v2/renders', document());
  await server.ended(done.body.id);
  const running = await server.ask('POST', '/v2/renders', document({ frames: 400, pause: 20 }));
  const file = server.fileOf(done.body.id, 'mp4');
  expect(existsSync(file)).toBe(true);
  const ids = [done.body.id, running.body.id, 'unknown'];
  const { text } = await server.askWindow('POST', '/api/renders/remove', { ids });
  expect(JSON.parse(text)).toEqual({ removed: [done.body.id] });
  expect(existsSync(file)).toBe(false);
  expect((await server.ask('GET', `/v2/renders/${done.body.id}`)).status).toBe(404);
  await server.askWindow('POST', `/api/renders/${running.body.id}/cancel`);
  expect((await server.askWindow('POST', '/api/renders/remove', { ids: 'all' })).status).toBe(400);
  // "Remove finished" names them all.
  const many = Array.from({ length: 50_000 }, () => randomUUID());
  const answer = await server.askWindow('POST', '/api/renders/remove', { ids: many });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { removed: [] }]);
});

test('the request of a render makes the same render again; its log tells its states', async () => {
  const sent = { source: document(), metadata: 'order 7', max_width: 50 };
  const { body } = await server.ask('POST', '/v2/renders', sent);
  await server.ended(body.id);
  const stored = await get<{ request: object; source: object }>(`/api/renders/${body.id}/request`);
  expect(stored.request).toEqual(sent);
  expect(stored.source).toEqual(sent.source);
  const again = await server.ask('POST', '/v2/renders', stored.request);
  expect(again.status).toBe(202);
  const lines = await get<LogLine[]>(`/api/renders/${body.id}/log`);
  const texts = lines.map(({ text }) => text);
  expect(texts[0]).toBe('Queued');
  expect(texts.some((text) => text.startsWith('The file is finished'))).toBe(true);
  expect((await server.askWindow('GET', '/api/renders/none/log')).status).toBe(404);
});

test('templates: made, changed, copied; the Trash gives back what it got', async () => {
  const source = { ...document(), nothing: null, list: [1, { deep: 'ü' }] };
  const made = await server.askWindow('POST', '/api/templates', {
    project: 'default',
    name: 'One',
    tags: ['a'],
    source,
  });
  expect(made.status).toBe(201);
  const { id } = made.body;
  await server.askWindow('PATCH', `/api/templates/${id}`, { name: 'Two', tags: ['b'] });
  const copy = await server.askWindow('POST', `/api/templates/${id}/duplicate`, { name: 'Copy' });
  expect((await server.ask('GET', `/v2/templates/${copy.body.id}`)).body).toMatchObject({
    name: 'Copy',
    tags: ['b'],
    source,
  });
  expect((await server.askWindow('DELETE', `/api/templates/${id}`)).status).toBe(204);
  expect((await server.ask('GET', `/v2/templates/${id}`)).status).toBe(404);
  const [trashed] =
    await get<{ id: string; updatedAt: number; deletedAt: number; goneAt: number }[]>(
      '/api/deleted-templates',
    );
  expect(trashed!.id).toBe(id);
  expect(trashed!.goneAt - trashed!.deletedAt).toBe(30 * 24 * 60 * 60_000);
  const { updatedAt } = trashed!;
  await server.askWindow('POST', `/api/deleted-templates/${id}/restore`);
  // Coming back is no change of the template: what was not saved of it still fits.
  const { templates } = (await server.askWindow('GET', '/api/templates')).body;
  expect(templates.find((one) => one.id === id)!.updatedAt).toBe(updatedAt);
  expect((await server.ask('GET', `/v2/templates/${id}`)).body).toMatchObject({
    name: 'Two',
    tags: ['b'],
    source,
  });
  await server.askWindow('DELETE', `/api/templates/${id}`);
  expect((await server.askWindow('DELETE', `/api/deleted-templates/${id}`)).status).toBe(204);
  expect((await server.askWindow('DELETE', `/api/deleted-templates/${id}`)).status).toBe(404);
  // One that is not in the Trash is not deleted for good.
  const direct = `/api/deleted-templates/${copy.body.id}`;
  expect((await server.askWindow('DELETE', direct)).status).toBe(404);
  const nowhere = { project: 'none', name: 'One', source };
  expect((await server.askWindow('POST', '/api/templates', nowhere)).status).toBe(404);
});

test('tags and media folders stand once, however often they were given', async () => {
  const tags = ['a', 'b', 'a'];
  const given = { name: 'Doubles', tags, source: document() };
  const { body } = await server.ask('POST', '/v2/templates', given);
  expect(body.tags).toEqual(['a', 'b']);
  const changed = await server.ask('PATCH', `/v2/templates/${body.id}`, { tags: ['c', 'c'] });
  expect(changed.body.tags).toEqual(['c']);
  const made = await server.askWindow('POST', '/api/templates', { project: 'default', ...given });
  expect(made.body.tags).toEqual(['a', 'b']);
  const folder = server.outputFolder;
  await server.askWindow('PATCH', '/api/settings', { mediaFolders: [folder, folder] });
  const { mediaFolders } = await get<{ mediaFolders: string[] }>('/api/settings/all');
  expect(mediaFolders).toEqual([folder]);
  await server.askWindow('PATCH', '/api/settings', { mediaFolders: [] });
});

test('the folder of copies is tried before it is kept', async () => {
  const change = (copyFolder: unknown): ReturnType<typeof server.askWindow> =>
    server.askWindow('PATCH', '/api/settings', { copyFolder });
  const kept = async (): Promise<unknown> =>
    (await get<SettingsRecord>('/api/settings/all')).copyFolder;
  expect(await kept()).toBe(null);
  const folder = path.join(server.dataFolder, 'copies');
  expect((await change(folder)).status).toBe(200);
  expect([await kept(), existsSync(folder)]).toEqual([folder, true]);
  // Below a file there is no folder.
  await writeFile(path.join(folder, 'file'), '');
  const refused = await change(path.join(folder, 'file', 'below'));
  expect(refused.text).toContain('cannot be written');
  expect((await change('not/whole')).status).toBe(400);
  expect(await kept()).toBe(folder);
  await change(null);
  expect(await kept()).toBe(null);
});

test('a template is listed with its length, and with whether it can be rendered', async () => {
  const listed = async (source: object): Promise<object> => {
    const { body } = await server.ask('POST', '/v2/templates', { name: 'Facts', source });
    const { templates } = (await server.askWindow('GET', '/api/templates')).body;
    return templates.find(({ id }) => id === body.id)!;
  };
  const element = { type: 'text', text: 'A', duration: 2 };
  const film = { output_format: 'mp4', width: 100, height: 50, elements: [element] };
  expect(await listed({ ...film, duration: 12.5 })).toMatchObject({ duration: 12.5 });
  expect(await listed(film)).not.toHaveProperty('duration');
  expect(await listed({ ...film, output_format: 'png', duration: 5 })).not.toHaveProperty(
    'duration',
  );
  expect(await listed({ ...film, duration: 2 })).not.toHaveProperty('hasErrors');
  const broken = { ...film, elements: [{ ...element, fill_color: 'no colour' }] };
  expect(await listed(broken)).toMatchObject({ hasErrors: true });
});

test('what was not saved of a template stays while it is in the Trash, and goes with it', async () => {
  const { body } = await server.ask('POST', '/v2/templates', { name: 'Draft', source: document() });
  const folder = path.join(server.dataFolder, 'drafts');
  const drafts = async (): Promise<number> => (await readdir(folder).catch(() => [])).length;
  const before = await drafts();
  const draft = { text: '{}', name: 'Typed', tags: [], base: 1 };
  await server.askWindow('PUT', `/api/editor/${body.id}/draft`, draft);
  await server.askWindow('DELETE', `/api/templates/${body.id}`);
  expect(await drafts()).toBe(before + 1);
  await server.askWindow('DELETE', `/api/deleted-templates/${body.id}`);
  await expect.poll(drafts).toBe(before);
});

test('requests are listed with key, reason and render; keys are shortened', async () => {
  await server.askWindow('DELETE', '/api/requests');
  await server.askWindow('PATCH', '/api/settings', { rateLimit: true });
  const created = await server.ask('POST', '/v2/renders', { source: document() });
  await server.ask('GET', '/v2/nowhere');
  await fetch(`${server.running.apiUrl}/v2/templates`, {
    headers: { authorization: 'Bearer a-wrong-key' },
  });
  const { requests, keysUsed, limit } = await get<RequestList>('/api/requests');
  expect(requests.map(({ status }) => status)).toEqual([401, 404, 202]);
  expect(requests[0]!.reason).toMatch(/API key/);
  expect(requests[0]!.keyName).toBeUndefined();
  expect(requests[2]).toMatchObject({ keyName: 'Default', render: created.body.id });
  expect(Object.keys(keysUsed)).toHaveLength(1);
  expect(requests[2]!.key).toBe(Object.keys(keysUsed)[0]);
  expect(limit).toMatchObject({ most: 30, window: 10_000 });
  expect(limit.left).toBeLessThan(30);
  expect(await get('/api/request-limit')).toEqual(limit);
  const details = await get<RequestDetails>(`/api/requests/${requests[2]!.number}`);
  expect(details.requestHeaders['authorization']).toBe(
    `Bearer …${server.running.apiKey.slice(-4)}`,
  );
  expect(JSON.stringify(details)).not.toContain(server.running.apiKey);
  expect(JSON.parse(details.requestBody!)).toEqual({ source: document() });
  expect(JSON.parse(details.responseBody!)).toMatchObject({ id: created.body.id });
  await server.askWindow('PATCH', '/api/requests', { recording: false });
  await server.ask('GET', '/v2/templates');
  expect((await get<RequestList>('/api/requests')).requests).toHaveLength(3);
  await server.askWindow('PATCH', '/api/requests', { recording: true });
});

test('a long body is cut, and said to be', async () => {
  const source = { ...document(), note: 'x'.repeat(100_000) };
  await server.ask('POST', '/v2/renders', { source });
  const { requests } = await get<RequestList>('/api/requests');
  const details = await get<RequestDetails>(`/api/requests/${requests[0]!.number}`);
  expect([details.requestCut, details.responseCut]).toEqual(['kept', undefined]);
  expect(details.requestBody!.length).toBe(64_000);
  const whole = await server.askWindow('GET', `/api/requests/${details.number}/request`);
  expect(JSON.parse(whole.text)).toEqual({ source });
  expect((await server.askWindow('GET', `/api/requests/${details.number}/answer`)).status).toBe(
    404,
  );
  await server.askWindow('PATCH', '/api/settings', { requestLogSize: 0 });
  expect((await get<RequestList>('/api/requests')).requests).toEqual([]);
  await server.ask('GET', '/v2/templates');
  expect((await get<RequestList>('/api/requests')).requests).toEqual([]);
  await server.askWindow('PATCH', '/api/settings', { requestLogSize: 500 });
});

test('settings are refused in words for their field, and used at once', async () => {
  const set = (change: object) => server.askWindow('PATCH', '/api/settings', change);
  const notAFolder = path.join(server.dataFolder, 'file');
  await writeFile(notAFolder, '');
  const refused: readonly [object, RegExp][] = [
    [{ port: 'abc' }, /^Expected a whole number from 1024 to 65535\.$/],
    [{ creditAllowance: 'many' }, /^Expected a number of credits/],
    [{ port: 80 }, /^Expected a whole number from 1024 to 65535\.$/],
    [{ outputFolder: 'relative' }, /^Expected the whole path of a folder\.$/],
    // Where nothing can be made, and Node's own way to make folders above others never ends.
    [{ outputFolder: '/proc/framewright/films' }, /^This folder cannot be written: /],
    [
      { outputFolder: path.join(notAFolder, 'below') },
      /^This folder cannot be written: .*below\.$/,
    ],
    [
      { mediaFolders: ['/no/such/folder'] },
      /^Expected a folder, found none at \/no\/such\/folder\.$/,
    ],
    [{ ffmpegPath: '/no/such/ffmpeg' }, /^This ffmpeg cannot be used: There is no such file\.$/],
    [{ creditAllowance: -1 }, /^Expected a number of credits/],
    [{ concurrency: 99 }, /^Expected a whole number from 1 to/],
  ];
  const before = await get<SettingsRecord>('/api/settings/all');
  for (const [change, hint] of refused) {
    const { status, body } = await set(change);
    expect({ change, status }).toEqual({ change, status: 400 });
    expect(body.hint).toMatch(hint);
  }
  expect(await get('/api/settings/all')).toEqual(before);

  await set({ rateLimit: false, concurrency: 2, creditAllowance: 500 });
  expect(await get('/api/settings/all')).toMatchObject({
    rateLimit: false,
    concurrency: 2,
    creditAllowance: 500,
  });
});

test('files of before are found after the output folder changed', async () => {
  const old = await server.ask('POST', '/v2/renders', document());
  const { url } = await server.ended(old.body.id);
  const folder = path.join(server.dataFolder, 'another');
  expect((await server.askWindow('PATCH', '/api/settings', { outputFolder: folder })).status).toBe(
    200,
  );
  const next = await server.ask('POST', '/v2/renders', document());
  const { url: nextUrl } = await server.ended(next.body.id);
  expect(existsSync(path.join(folder, `${next.body.id}.mp4`))).toBe(true);
  for (const address of [url, nextUrl]) expect((await fetch(address)).status).toBe(200);
  await server.restart();
  const { port } = new URL(server.running.apiUrl);
  for (const address of [url, nextUrl]) {
    expect((await fetch(address.replace(/:\d+/, `:${port}`))).status).toBe(200);
  }
});

test('the API moves to another port; a taken one leaves it where it is', async () => {
  const before = server.running.apiUrl;
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const taken = typeof address === 'object' && address ? address.port : 0;
  const refused = await server.askWindow('PATCH', '/api/settings', { port: taken });
  expect(refused.status).toBe(400);
  expect(refused.body.hint).toContain('used by another program');
  expect(server.running.apiUrl).toBe(before);
  await new Promise((resolve) => other.close(resolve));
  expect((await server.askWindow('PATCH', '/api/settings', { port: taken })).status).toBe(200);
  expect(server.running.apiUrl).toBe(`http://127.0.0.1:${taken}`);
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
});

test('what was named at the start is not changed', async () => {
  await server.restart({ fixedSettings: ['rateLimit'], rateLimit: true });
  const { rateLimit, fixed } = await get<SettingsRecord>('/api/settings/all');
  // Stored as switched off, but named as switched on.
  expect({ rateLimit, fixed }).toEqual({ rateLimit: true, fixed: ['rateLimit'] });
  expect((await server.askWindow('PATCH', '/api/settings', { rateLimit: false })).status).toBe(400);
});

test('what the window remembers comes back as it was', async () => {
  expect(await get('/api/preferences')).toEqual({});
  const preferences = { theme: 'dark', columns: ['id'], width: 380.5 };
  expect((await server.askWindow('PUT', '/api/preferences', preferences)).status).toBe(204);
  await server.restart();
  expect(await get('/api/preferences')).toEqual(preferences);
  // Without a bound, whoever has the token could fill memory and disk with them.
  const large = await server.askWindow('PUT', '/api/preferences', { more: 'x'.repeat(64_000) });
  expect([large.status, large.body.hint]).toEqual([
    400,
    expect.stringContaining("'preferences' should be an object of at most 64,000 bytes of JSON"),
  ]);
  expect(await get('/api/preferences')).toEqual(preferences);
});

test('damaged records are told with the name of their file, which can be fetched, and no other', async () => {
  const copy = path.join(path.dirname(server.dataFolder), 'damaged-copy');
  await cp(server.dataFolder, copy, { recursive: true });
  await rm(path.join(copy, 'lock'));
  // Two files at the same moment, one of them with two.
  await appendFile(path.join(copy, 'store', 'keys.db'), 'broken key\n');
  await appendFile(path.join(copy, 'store', 'renders.db'), 'broken one\nbroken two\n');
  await server.restart({ dataFolder: copy });
  const { notices } = (await server.askWindow('GET', '/api/state')).body;
  const found = await Promise.all(
    notices.flatMap(({ setAside }) =>
      setAside
        ? [server.askWindow('GET', `/api/set-aside/${setAside.file}`).then(({ text }) => text)]
        : [],
    ),
  );
  expect(notices.map(({ setAside }) => setAside?.records).sort()).toEqual([1, 2]);
  expect(found.sort()).toEqual(['broken key\n', 'broken one\nbroken two\n']);
  expect(JSON.stringify(notices.map(({ setAside }) => setAside))).not.toContain(copy);
  for (const name of ['keys.db', '..%2Fformat.json', 'damaged-keys.jsonl']) {
    expect((await server.askWindow('GET', `/api/set-aside/${name}`)).status, name).toBe(404);
  }
});
