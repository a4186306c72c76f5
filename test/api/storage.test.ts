/**
 * Finished files in storage: rendered, served, packed, removed and swept, over a folder and over S3; and what a storage
 * that fails does.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openStorage } from '../../server/cluster/storage/open-storage.ts';
import type { Storage } from '../../server/store/storage.ts';
import { startS3, type S3Server } from '../helpers/s3-server.ts';
import { send, startTestServer, type Body, type TestServer } from '../helpers/server.ts';

let s3: S3Server | null = null;
const parts: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of parts.splice(0).reverse()) await part.close();
  await s3?.stop().catch(() => undefined);
  s3 = null;
  vi.unstubAllEnvs();
});

async function inFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  parts.push({ close: () => rm(folder, { recursive: true, force: true }) });
  return path.join(folder, 'films');
}

async function inS3(more = ''): Promise<string> {
  s3 = await startS3();
  vi.stubEnv('AWS_ACCESS_KEY_ID', s3.accessKey);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.secretKey);
  return `s3://films?endpoint=${s3.endpoint}${more}`;
}

async function started(storage: string): Promise<{ server: TestServer; look: Storage }> {
  const server = await startTestServer({ storage, bringSamples: false });
  parts.push({ close: () => server.stop() });
  const look = await openStorage(storage);
  parts.push(look);
  return { server, look };
}

async function rendered(server: TestServer): Promise<Body> {
  const { body, status } = await server.ask('POST', '/v2/renders', {
    source: { output_format: 'mp4', duration: 0.1, _fake: { snapshot: true } },
  });
  expect(status).toBe(202);
  return server.ended(body.id);
}

const keysOf = async (look: Storage): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of look.list('')) keys.push(key);
  return keys;
};
const content = String.fromCharCode(...Array.from({ length: 1000 }, (_, index) => index % 251));
const bytesOf = async (answer: Response): Promise<string> =>
  Buffer.from(await answer.arrayBuffer()).toString('latin1');

describe.each([
  ['a folder', inFolder],
  ['S3', inS3],
])('in %s', (_, where) => {
  test('a file goes to storage under its attempt, and is served from there, whole and in part', async () => {
    const { server, look } = await started(await where());
    const { id, status, url, snapshot_url } = await rendered(server);
    expect(status).toBe('succeeded');
    const keys = await keysOf(look);
    expect(keys).toEqual([
      expect.stringMatching(new RegExp(`^renders/${id}/1-[0-9a-f]{8}-snapshot\\.jpg$`)),
      expect.stringMatching(new RegExp(`^renders/${id}/1-[0-9a-f]{8}\\.mp4$`)),
    ]);
    await vi.waitFor(() =>
      expect(existsSync(path.join(server.outputFolder, `${id}.mp4`))).toBe(false),
    );
    const whole = await fetch(url);
    expect([
      whole.status,
      whole.headers.get('content-type'),
      whole.headers.get('accept-ranges'),
    ]).toEqual([200, 'video/mp4', 'bytes']);
    expect(await bytesOf(whole)).toBe(content);
    const mark = whole.headers.get('etag')!;
    expect(whole.headers.get('content-disposition')).toBe(`inline; filename*=UTF-8''${id}.mp4`);
    for (const [headers, status, body, range] of [
      [{ range: 'bytes=10-19' }, 206, content.slice(10, 20), 'bytes 10-19/1000'],
      [{ range: 'bytes=-5' }, 206, content.slice(-5), 'bytes 995-999/1000'],
      [{ range: 'bytes=990-' }, 206, content.slice(990), 'bytes 990-999/1000'],
      [{ range: 'bytes=1-2,5-6' }, 206, content.slice(1, 3), 'bytes 1-2/1000'],
      [{ range: 'bytes=1-2', 'if-range': mark }, 206, content.slice(1, 3), 'bytes 1-2/1000'],
      [{ range: 'bytes=1-2', 'if-range': '"old"' }, 200, content, null],
      [{ range: 'apples=1-2' }, 200, content, null],
      [{ 'if-none-match': mark }, 304, '', null],
      [{ 'if-none-match': `"other", W/${mark}` }, 304, '', null],
      [{ 'if-match': mark }, 200, content, null],
    ] as const) {
      const answer = await fetch(url, { headers });
      expect([headers, answer.status, answer.headers.get('content-range')]).toEqual([
        headers,
        status,
        range,
      ]);
      expect(await bytesOf(answer)).toBe(body);
    }
    expect((await fetch(url, { headers: { 'if-match': '"old"' } })).status).toBe(412);
    const beyond = await fetch(url, { headers: { range: 'bytes=1000-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(await beyond.json()).toMatchObject({ hint: expect.stringContaining('1000') as string });
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      '1000',
      '',
    ]);
    expect(await (await fetch(snapshot_url)).text()).toBe('a picture');
    // After a restart, too.
    await server.restart();
    const again = await send(`${server.running.apiUrl}${new URL(url).pathname}`);
    expect([again.status, again.headers.get('etag')]).toEqual([200, mark]);
  });

  test('the window packs it, and removing the render removes it', async () => {
    const { server, look } = await started(await where());
    const { id } = await rendered(server);
    const { body } = await server.askWindow('POST', '/api/renders/zip', {
      files: [{ id, name: 'Promo' }],
    });
    const { path: place, missing } = body as unknown as { path: string; missing: number };
    expect(missing).toBe(0);
    const zip = await fetch(new URL(place, server.running.windowUrl));
    const packed = await bytesOf(zip);
    expect(packed).toContain('Promo.mp4');
    expect(packed).toContain(content);
    const removed = await server.askWindow('POST', '/api/renders/remove', { ids: [id] });
    expect(removed.status).toBe(200);
    expect(await keysOf(look)).toEqual([]);
  });

  test('the sweep leaves what a record names, and what may be in work', async () => {
    const { server, look } = await started(await where());
    const { id } = await rendered(server);
    const named = await keysOf(look);
    await look.put(`renders/${id}/7-0000000.mp4`, Buffer.from('of a lost attempt'));
    await look.put('renders/0000/1-0000000.mp4', Buffer.from('of nobody'));
    const { library, store } = server.running.services;
    const { files } = library;
    expect(await files.sweep(store.renders, Date.now())).toBe(0);
    const hours = 3_600_000;
    expect(await files.sweep(store.renders, Date.now() + 8 * hours)).toBe(1);
    expect(await keysOf(look)).toEqual(['renders/0000/1-0000000.mp4', ...named].sort());
    expect(await files.sweep(store.renders, Date.now() + 31 * 24 * hours)).toBe(1);
    expect(await keysOf(look)).toEqual(named);
  });

  test('a server without the storage says where the file is not', async () => {
    const { server } = await started(await where());
    const { url } = await rendered(server);
    await server.restart({ storage: '' });
    const answer = await send(`${server.running.apiUrl}${new URL(url).pathname}`);
    expect([answer.status, answer.body.hint]).toEqual([
      503,
      'The file cannot be reached right now: no storage is named.',
    ]);
  });
});

test('readers are sent to a signed address where they reach the storage', async () => {
  const where = await inS3();
  const { server } = await started(`${where}&public=${encodeURIComponent(s3!.endpoint)}`);
  const { url, id } = await rendered(server);
  const answer = await fetch(url, { redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('location')).toContain(`${s3!.endpoint}/films/renders/${id}/1-`);
  const file = await fetch(url);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  expect(await bytesOf(file)).toBe(content);
});

test('a storage that is away for a while costs no render: its file waits', async () => {
  const { server } = await started(await inS3());
  let refused = 0;
  s3!.fault = (method, key) => {
    if (method !== 'PUT' || !key.endsWith('.mp4') || refused >= 4) return null;
    refused++;
    return 'busy';
  };
  const { status } = await rendered(server);
  expect([status, refused]).toEqual(['succeeded', 4]);
});

test('a storage that is full fails the render with a sentence, and leaves nothing', async () => {
  const { server, look } = await started(await inS3());
  s3!.fault = (method, key) => (method === 'PUT' && key !== '' ? 'full' : null);
  const { id, status, error_message } = await rendered(server);
  expect([status, error_message]).toEqual([
    'failed',
    'Render error: The storage s3://films is full',
  ]);
  s3!.fault = () => null;
  expect(await keysOf(look)).toEqual([]);
  expect((await readdir(server.outputFolder)).filter((name) => name.startsWith(id))).toEqual([]);
}, 60_000);

test('while the storage is away nothing starts, nothing is lost, and readers hear why', async () => {
  const where = await inFolder();
  const { server } = await started(where);
  const { url } = await rendered(server);
  expect((await send(`${server.running.apiUrl}/readyz`)).status).toBe(200);
  await rename(where, `${where}-away`);
  const { body: waiting } = await server.ask('POST', '/v2/renders', {
    source: { output_format: 'gif', duration: 0.1 },
  });
  const answer = await send(url);
  expect([answer.status, answer.body.hint, answer.headers.get('retry-after')]).toEqual([
    503,
    'The file cannot be reached right now: the storage does not answer.',
    '30',
  ]);
  const ready = await send(`${server.running.apiUrl}/readyz`);
  expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', problems: ['storage'] }]);
  await vi.waitFor(() =>
    expect(server.running.services.work.queue.state.queue.heldBy).toEqual(['folder']),
  );
  await rename(`${where}-away`, where);
  await server.running.services.work.output.check();
  expect((await server.ended(waiting.id)).status).toBe('succeeded');
});
