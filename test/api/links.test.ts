/** Addresses in answers: each leads somewhere, whatever it was made from, by whichever name the API was asked. */
import { request as httpRequest } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOwnHost } from '../../server/api/guard.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { document, send, startTestServer, type Body, type TestServer } from '../helpers/server.ts';
import { seededRandom, type Random } from '../shared/random.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const base = (): string => server.running.apiUrl;

/** Pieces that names are made of: what breaks headers, addresses, file systems and halves of characters. */
const pieces = [
  ...[
    'a',
    'Promo',
    ' ',
    '.',
    '..',
    '/',
    '\\',
    '%',
    '%00',
    '%zz',
    '"',
    "'",
    '*',
    '(',
    ')',
    ';',
    ',',
  ],
  ...['😀', '👩‍👩‍👧', '🇩🇪', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'é', 'e\u0301', 'ก็', 'नि', '한', '漢', 'Ω'],
  ...['\ud800', '\udc00', '\ud83d', '\u202e', '\u200f', '\u2067', '\u200d', '\ufeff', '\u0000'],
  ...['\n', '\r\n', '\t', '\u0085', '\u2028', '\u2029', 'con', 'NUL', 'lpt1.', 'com¹', 'aux .'],
  ...[`x${'\u0301'.repeat(200)}`, '\u{10ffff}', '\ue000', '<img>', '${x}', '{{x}}', 'filename='],
];
function oddName(random: Random): string {
  const count = 1 + random.below(random.pick([3, 20, 90]));
  const name = Array.from({ length: count }, () => random.pick(pieces)).join('');
  return name.slice(0, 256);
}

/** Every address in an answer. */
const addressesOf = (text: string): string[] =>
  Array.from(text.matchAll(/"(http:\/\/[^"]+)"/g), ([, address = '']) => address);

test('the files of renders open whatever their template is called', async () => {
  const random = seededRandom(11);
  // A cut after 120 would fall into each of these.
  const cut = [`${'a'.repeat(119)}😀`, `${'a'.repeat(118)}👩‍👩‍👧`, '😀'.repeat(128), 'a'.repeat(256)];
  const names = [...cut, ...Array.from({ length: 60 }, () => oddName(random))];
  const made: { name: string; id: string }[] = [];
  for (const name of names) {
    const source = document({ snapshot: true, frames: 0, pause: 0 });
    const { body } = await server.ask('POST', '/v2/templates', { name, source });
    expect(body.name).toBe(name);
    const render = await server.ask('POST', '/v2/renders', { template_id: body.id });
    made.push({ name, id: render.body.id });
  }
  for (const { name, id } of made) {
    const record: Body = await server.ended(id);
    expect(record.status).toBe('succeeded');
    const addresses = addressesOf(JSON.stringify([record.url, record.snapshot_url]));
    expect(addresses).toHaveLength(2);
    for (const address of addresses) {
      const file = await fetch(address);
      await file.arrayBuffer();
      expect(file.status, JSON.stringify(name)).toBe(200);
      const disposition = file.headers.get('content-disposition') ?? '';
      const [, encoded = ''] =
        /^inline; filename\*=UTF-8''([\w%!#$&+.^`|~-]+)$/.exec(disposition) ?? [];
      const [ending = ''] = /\.(mp4|jpg)$/.exec(address) ?? [];
      const stem = decodeURIComponent(encoded).slice(0, -ending.length);
      expect(stem === id || stem === cleanFileName(name), JSON.stringify(name)).toBe(true);
    }
  }
}, 60_000);

test('names of files are what every file system takes, and cut between characters', () => {
  const random = seededRandom(12);
  for (let round = 0; round < 3_000; round++) {
    const name = oddName(random);
    const clean = cleanFileName(name);
    const told = JSON.stringify([name, clean]);
    expect(clean.length, told).toBeLessThanOrEqual(120);
    expect(Buffer.byteLength(clean), told).toBeLessThanOrEqual(240);
    expect(Buffer.from(clean).toString(), told).toBe(clean);
    expect(clean, told).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]|^[. ]|[. ]$/u);
    expect(clean, told).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i);
    expect(cleanFileName(clean), told).toBe(clean);
  }
  expect(cleanFileName(`${'a'.repeat(119)}😀`)).toBe('a'.repeat(119));
  expect(cleanFileName('Promo: 9/16')).toBe('Promo 9 16');
  expect(['con', 'CON.txt', 'Lpt1', 'com¹.a.b', ' . ', '\ud800', ''].map(cleanFileName)).toEqual(
    Array(7).fill(''),
  );
  expect(['conference', 'com', 'nullable.x'].map(cleanFileName)).toEqual([
    ...['conference', 'com', 'nullable.x'],
  ]);
});

test('every refusal links to its page', async () => {
  for (const [method, target] of [
    ['GET', '/none'],
    ['GET', '/v2/templates/none'],
    ['POST', '/v2/renders'],
  ] as const) {
    const { text } = await server.ask(method, target, method === 'POST' ? {} : undefined);
    const [address = ''] = addressesOf(text);
    expect((await send(address)).status, text).toBe(200);
  }
});

test('/ leads to the help', async () => {
  const answer = await fetch(base(), { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
  expect((await fetch(base())).headers.get('content-type')).toContain('text/html');
});

describe('F96 finished files are kept by readers, who ask whether they still hold', () => {
  let url: string;
  let file: string;
  let mark: string;
  beforeAll(async () => {
    const { body } = await server.ask('POST', '/v2/renders', document());
    ({ url } = await server.ended(body.id));
    file = server.fileOf(body.id, 'mp4');
    mark = (await fetch(url)).headers.get('etag') ?? '';
  });
  /** Node's fetch asks for a fresh one on its own account. */
  const ask = (headers: Record<string, string>): Promise<[number, number]> =>
    new Promise((resolve, reject) => {
      httpRequest(url, { headers, agent: false }, (response) => {
        let size = 0;
        response.on('data', (part: Buffer) => (size += part.length));
        response.on('end', () => resolve([response.statusCode ?? 0, size]));
      })
        .on('error', reject)
        .end();
    });

  test('ETag, If-None-Match, If-Range, If-Match', async () => {
    expect(mark).toMatch(/^"[0-9a-z]+-[0-9a-z]+"$/);
    const whole = await fetch(url);
    expect(whole.headers.get('cache-control')).toBe('private, no-cache');
    expect(whole.headers.get('vary')).toContain('Origin');
    expect(await ask({ 'if-none-match': mark })).toEqual([304, 0]);
    expect(await ask({ 'if-none-match': `"other", ${mark}` })).toEqual([304, 0]);
    expect(await ask({ 'if-none-match': '"other"' })).toEqual([200, 1000]);
    expect(await ask({ range: 'bytes=0-9', 'if-range': mark })).toEqual([206, 10]);
    expect(await ask({ range: 'bytes=0-9', 'if-range': '"other"' })).toEqual([200, 1000]);
    expect(await ask({ 'if-match': mark })).toEqual([200, 1000]);
    const refused = await send(url, { headers: { 'if-match': '"other"' } });
    expect([refused.status, refused.body.hint]).toEqual([
      412,
      'The file is not the one that the request names.',
    ]);
    expect(refused.headers.get('etag')).toBeNull();
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const beyond = await send(url, { headers: { range: 'bytes=5000-' } });
    expect([beyond.status, beyond.headers.get('cache-control')]).toEqual([416, 'no-store']);
  });

  test('a file that a person has changed has another mark', async () => {
    await writeFile(file, 'another film');
    expect(await ask({ 'if-none-match': mark })).toEqual([200, 12]);
    expect(await ask({ range: 'bytes=0-3', 'if-range': mark })).toEqual([200, 12]);
  });
});

describe('F87 names by which others reach the API', () => {
  /** Asks with another Host than the address. */
  const askAs = (host: string, target: string, to = base()): Promise<[number, Body]> =>
    new Promise((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${server.running.apiKey}` };
      httpRequest(`${to}${target}`, { headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('end', () => resolve([response.statusCode ?? 0, JSON.parse(text) as Body]));
      })
        .on('error', reject)
        .end();
    });

  test.each([
    ['server.lan', ['server.lan'], true],
    ['SERVER.LAN:4820', ['server.lan'], true],
    ['server.lan:80', ['server.lan'], true],
    ['server.lan:8080', ['server.lan:8080'], true],
    ['server.lan:4820', ['server.lan:8080'], false],
    ['evil.server.lan', ['server.lan'], false],
    ['server.lan.evil', ['server.lan'], false],
    ['server.lan@evil', ['server.lan'], false],
    ['192.168.1.5:4820', [], true],
    ['192.168.1.5:4821', [], false],
    ['192.168.1.6:4820', [], false],
    ['', ['server.lan'], false],
  ])('%s with %j: %s', (host, names, isOwn) => {
    expect(isOwnHost(host, { port: 4820, address: '192.168.1.5', names })).toBe(isOwn);
  });

  test('links carry the name that was asked', async () => {
    const { port } = new URL(base());
    const { body } = await server.ask('POST', '/v2/renders', document());
    const { id } = await server.ended(body.id);
    const target = `/v2/renders/${id}`;
    expect((await askAs('server.lan', target))[0]).toBe(403);
    const set = { allowedHosts: ['Server.lan'] };
    expect((await server.askWindow('PATCH', '/api/settings', set)).status).toBe(200);
    const [, named] = await askAs(`server.lan:${port}`, target);
    expect(named.url).toBe(`http://server.lan:${port}/renders/${id}.mp4`);
    const [status, refusal] = await askAs('server.lan', '/v2/none');
    expect([status, refusal.documentation]).toEqual([
      404,
      'http://server.lan/docs/errors/route-not-found',
    ]);
    // All names of this computer alone mean the same.
    for (const host of [`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`]) {
      expect((await askAs(host, target))[1].url, host).toBe(`${base()}/renders/${id}.mp4`);
    }
    for (const wrong of ['http://server.lan', 'server.lan/path', '*', 'a b', '']) {
      const change = { allowedHosts: [wrong] };
      expect((await server.askWindow('PATCH', '/api/settings', change)).status, wrong).toBe(400);
    }
    await server.askWindow('PATCH', '/api/settings', { allowedHosts: [] });
  });

  test('IPv6 of this computer alone', async () => {
    const { port } = new URL(base());
    const answer = await fetch(`http://[::1]:${port}/docs`);
    expect(answer.status).toBe(200);
  });

  test('the setting for another address moves the listener, and an address of others is refused', async () => {
    const set = (host: string | null): Promise<{ status: number; body: Body }> =>
      server.askWindow('PATCH', '/api/settings', { host });
    const { port } = new URL(base());
    const refused = await set('203.0.113.7');
    expect([refused.status, refused.body.hint]).toEqual([
      400,
      `The API could not listen at 203.0.113.7, port ${port}.`,
    ]);
    expect((await set('somewhere')).status).toBe(400);
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
    expect((await set('0.0.0.0')).status).toBe(200);
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
    expect((await askAs(`127.0.0.1:${port}`, '/v2/templates'))[0]).toBe(200);
    expect((await askAs('evil.example', '/v2/templates'))[0]).toBe(403);
    expect((await set(null)).status).toBe(200);
    expect(new URL(base()).port).toBe(port);
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  });
});
