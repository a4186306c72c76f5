/** Addresses in all that the server says, by what its user and a proxy before it name. */
import { readFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type Server,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publicAddress } from '../../server/system/api-address.ts';
import { topics } from '../../server/api/docs/pages.ts';
import { operations } from '../../server/api/operations.ts';
import type { ServerOptions } from '../../server/options.ts';
import { documentationPath, errorCatalogue, type ErrorCode } from '../../shared/errors.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer | undefined;
let receiver: Server;
/** Bodies of webhooks. */
let called: string[] = [];
let hook = '';

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      called.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`; // listens on TCP
});
afterAll(() => receiver.close());
afterEach(async () => {
  await server?.stop();
  server = undefined;
  called = [];
});

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const portOf = (): string => new URL(server!.running.apiUrl).port;

/** Sends a request to the server's port, whatever its headers name. */
function ask(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answered> {
  const { apiKey } = server!.running;
  const all = {
    authorization: `Bearer ${apiKey}`,
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const address = `http://127.0.0.1:${portOf()}${target}`;
    const sent = httpRequest(address, { method, headers: all, agent: false }, (response) => {
      void text(response).then((read) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read }),
      );
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

const mcpCall = (name: string, args: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
const mcpHeaders = { accept: 'application/json, text/event-stream' };

/** What an address is in each place that tells one, for a request with these headers. */
async function addressesBy(headers: Record<string, string>): Promise<Record<string, string>> {
  const source = { ...document({ snapshot: true }), webhook_url: hook };
  const created = await ask('/v2/renders', headers, source);
  expect(created.status, created.text).toBe(202);
  const { id, url } = JSON.parse(created.text) as { id: string; url: string };
  await server!.ended(id);
  const got = await ask(`/v2/renders/${id}`, headers);
  const { snapshot_url: snapshot = '' } = JSON.parse(got.text) as { snapshot_url?: string };
  const listed = await ask('/v2/renders', headers);
  const events = await ask(`/v2/renders/${id}/events`, headers);
  const refused = await ask('/v2/none', headers);
  const { documentation } = JSON.parse(refused.text) as { documentation: string };
  const openApi = JSON.parse((await ask('/openapi.json', headers)).text) as {
    servers: { url: string }[];
  };
  const page = (await ask('/docs/quick-start', headers)).text;
  const read = mcpCall('read_docs', { section: 'api/quick-start' });
  const told = (await ask('/mcp', { ...headers, ...mcpHeaders }, read)).text;
  const waited = mcpCall('get_render', { id });
  const shown = (await ask('/mcp', { ...headers, ...mcpHeaders }, waited)).text;
  await expect.poll(() => called.length).toBeGreaterThan(0);
  const before = (whole: string, end: RegExp): string =>
    new RegExp(String.raw`(https?://[^"'\s\\<>]*?)` + end.source).exec(whole)?.[1] ?? whole;
  const file = new RegExp(`/renders/${id}`);
  return {
    created: before(url, file),
    snapshot: before(snapshot, new RegExp(`/snapshots/${id}`)),
    list: before(listed.text, file),
    events: before(events.text, file),
    refusal: before(documentation, /\/docs\/errors/),
    openApi: openApi.servers[0]?.url ?? '',
    docs: before(page, /\/v2\/renders/),
    'MCP help': before(told, /\/v2\/renders/),
    'MCP render': before(shown, file),
    webhook: before(called.at(-1) ?? '', file),
  };
}

/** The same address in all places, but perhaps in the webhook, which no request stands behind. */
const everywhere = (address: string, webhook = address): Record<string, string> => ({
  ...Object.fromEntries(
    ['created', 'snapshot', 'list', 'events', 'refusal', 'openApi', 'docs'].map((one) => [
      one,
      address,
    ]),
  ),
  'MCP help': address,
  'MCP render': address,
  webhook,
});

const own = 'http://127.0.0.1:OWN';
const films = 'https://films.example.com';
const behind = { host: '127.0.0.1:OWN', 'x-forwarded-proto': 'https' };

/** Options, headers (OWN is the server's port), the address in answers, and that in webhooks where it is another. */
const table: readonly [string, Partial<ServerOptions>, Record<string, string>, string, string?][] =
  [
    ['nothing: what the request used', {}, {}, own],
    ['nothing: all own names are one', {}, { host: 'localhost:OWN' }, own],
    [
      'nothing: no header of a proxy',
      { allowedHosts: ['films.example.com'] },
      { ...behind, 'x-forwarded-host': 'films.example.com' },
      own,
    ],
    ['an allowed name', { allowedHosts: ['a.lan'] }, { host: 'A.lan:81' }, 'http://a.lan:81', own],
    [
      'a mapped port, as of docker run -p 8080:4820',
      { host: '0.0.0.0' },
      { host: 'localhost:8080' },
      'http://localhost:8080',
      own,
    ],
    [
      'a mapped port by the address of the computer around',
      { host: '0.0.0.0' },
      { host: '203.0.113.9:8080' },
      'http://203.0.113.9:8080',
      own,
    ],
    ['a public address', { publicUrl: films }, {}, films],
    [
      'a public address, asked by its name',
      { publicUrl: films },
      { host: 'films.example.com' },
      films,
    ],
    [
      'a public address with a path',
      { publicUrl: `${films}/framewright` },
      { host: 'films.example.com' },
      `${films}/framewright`,
    ],
    [
      'a public address is stronger than a proxy',
      { publicUrl: films, trustProxy: true, allowedHosts: ['other.example'] },
      { ...behind, 'x-forwarded-host': 'other.example' },
      films,
    ],
    [
      'a proxy that keeps Host',
      { trustProxy: true, allowedHosts: ['films.example.com'] },
      { host: 'films.example.com:443', 'x-forwarded-proto': 'https' },
      films,
      own,
    ],
    [
      'a proxy that forwards Host',
      { trustProxy: true, allowedHosts: ['films.example.com'] },
      {
        ...behind,
        'x-forwarded-host': 'Films.example.com, inner.lan',
        'x-forwarded-proto': 'https, http',
      },
      films,
      own,
    ],
    [
      'a proxy on this computer at another port',
      { trustProxy: true },
      { host: 'localhost:8443', 'x-forwarded-proto': 'https' },
      'https://localhost:8443',
      own,
    ],
    [
      'a proxy that says neither: nobody speaks TLS at the own port',
      { trustProxy: true },
      behind,
      own,
    ],
    [
      'Forwarded is not read, and no other scheme',
      { trustProxy: true },
      {
        host: '127.0.0.1:OWN',
        forwarded: 'host=evil.example;proto=https',
        'x-forwarded-proto': 'gopher',
      },
      own,
    ],
  ];

test.each(table)('%s', async (_name, options, headers, address, webhook) => {
  server = await startTestServer({ allowPrivateAddresses: true, ...options });
  const real = (words: string): string => words.replaceAll('OWN', portOf());
  const sent = Object.entries(headers).map(([name, value]) => [name, real(value)]);
  const found = await addressesBy(Object.fromEntries(sent) as Record<string, string>);
  expect(found).toEqual(everywhere(real(address), real(webhook ?? address)));
});

/** Options, headers, whether the guard lets them pass. */
test.each<[Partial<ServerOptions>, Record<string, string>, boolean]>([
  [{}, { host: 'localhost:8080' }, false],
  [{}, { host: '203.0.113.9:8080' }, false],
  [{ allowedHosts: ['localhost'] }, { host: 'localhost:8080' }, true],
  [{ host: '0.0.0.0' }, { host: '[::1]:8080' }, true],
  [{ host: '0.0.0.0' }, { host: 'evil.example' }, false],
  [{ host: '0.0.0.0' }, { host: 'localhost.evil.example:8080' }, false],
  [{ host: '0.0.0.0' }, { host: '127.0.0.1.evil.example' }, false],
  [{ host: '0.0.0.0' }, { host: '999.1.1.1:8080' }, false],
  [{ host: '0.0.0.0' }, { host: 'localhost:99999' }, false],
  [{ publicUrl: films }, { host: 'films.example.com:8443' }, true],
  [{ publicUrl: films }, { host: 'evil.example' }, false],
  // A page whose name leads here may send any header, but not another Host.
  [{ trustProxy: true }, { host: 'evil.example', 'x-forwarded-host': '127.0.0.1:OWN' }, false],
  [{ trustProxy: true }, { host: '127.0.0.1:OWN', 'x-forwarded-host': 'evil.example' }, false],
  [{}, { host: '127.0.0.1:OWN', 'x-forwarded-host': 'evil.example' }, true],
])('F87 %j with %j: %s', async (options, headers, passes) => {
  server = await startTestServer(options);
  const sent = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace('OWN', portOf()),
  ]);
  const { status, text: body } = await ask(
    '/v2/templates',
    Object.fromEntries(sent) as Record<string, string>,
  );
  expect([status, body.includes('This address is not allowed')]).toEqual(
    passes ? [200, false] : [403, true],
  );
});

test('health and numbers answer under every name, and to a probe without one', async () => {
  server = await startTestServer();
  for (const host of ['10.1.2.3:9999', 'evil.example', 'pod-7.internal']) {
    for (const target of ['/healthz', '/readyz', '/metrics']) {
      expect((await ask(target, { host })).status, `${host}${target}`).toBe(200);
    }
    // No key: the refusal does not repeat the name.
    const refused = await ask('/metrics', { host, authorization: 'Bearer wrong' });
    expect([refused.status, refused.text.includes(host)]).toEqual([401, false]);
    expect((await ask('/docs', { host })).status).toBe(403);
    // Pages of other sites stay out.
    expect((await ask('/healthz', { host, origin: `http://${host}` })).status).toBe(403);
  }
  const raw = (head: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(portOf()), '127.0.0.1', () => socket.write(`${head}\r\n\r\n`));
      void text(socket).then(resolve, reject);
    });
  expect(await raw('GET /healthz HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await raw('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close')).toMatch(
    /^HTTP\/1\.1 40[03] /,
  );
});

describe('with a public address that has a path', () => {
  const prefix = '/framewright';
  const url = `${films}${prefix}`;
  const start = async (): Promise<void> => {
    server = await startTestServer({ publicUrl: url });
  };

  /** What the server would be called by itself. What a proxy, Docker or another program is told stands on its own. */
  function ownAddresses(whole: string): string[] {
    const others = /127\.0\.0\.1:(5432|9000)\b/g; // PostgreSQL and storage, in examples
    const lines = whole.replace(others, '').split('\n');
    return lines
      .filter((line) => !/proxy_pass|reverse_proxy|- url:|docker run/.test(line))
      .flatMap((line) => line.match(/127\.0\.0\.1:\d+|\[::1\]:\d+/g) ?? [])
      .concat(whole.match(new RegExp(`.{20}(localhost|127\\.0\\.0\\.1):${portOf()}`, 'g')) ?? []);
  }

  test('no answer of any route that reads names another one', async () => {
    await start();
    const made = await ask('/v2/renders', {}, document({ snapshot: true }));
    const { id: render } = JSON.parse(made.text) as { id: string };
    await server!.ended(render);
    const source = document();
    const stored = await ask('/v2/templates', {}, { name: 'One', source });
    const { id: template } = JSON.parse(stored.text) as { id: string };
    const reading = operations
      .filter(
        ({ method, path: route }) => method === 'GET' && !/^\/v\d\/renders\/events$/.test(route),
      )
      .flatMap(({ path: route }) =>
        route.includes('{id}')
          ? [render, template, 'none'].map((id) => route.replace('{id}', id))
          : [route],
      );
    const codes = Object.keys(errorCatalogue) as ErrorCode[]; // the keys of a const object
    const targets = [
      ...reading,
      ...['/', '/openapi.json', '/renderscript.schema.json', '/healthz', '/readyz', '/metrics'],
      ...topics.map(({ slug }) => (slug === '' ? '/docs' : `/docs/${slug}`)),
      ...codes.map((code) => documentationPath(code)),
      ...['curl', 'render', 'address'].map((word) => `/docs/search?part=list&q=${word}`),
      ...['/docs/search?q=curl', '/docs/search.js', '/none', '/v2/none'],
    ];
    expect(targets.length).toBeGreaterThan(100);
    for (const target of targets) {
      const { headers, text: body } = await ask(target, { host: 'films.example.com' });
      const told = `${JSON.stringify(headers)}\n${body}`;
      expect(ownAddresses(told), target).toEqual([]);
    }
  });

  test('links of pages and the way from / lead below it', async () => {
    await start();
    const { status, headers } = await ask('/', { host: 'films.example.com' });
    expect([status, headers.location]).toEqual([302, `${url}/docs`]);
    for (const target of [
      '/docs',
      '/docs/recipes',
      '/docs/errors/wrong-host',
      '/docs/search?q=curl',
    ]) {
      const { text: page } = await ask(target, { host: 'films.example.com' });
      const links = [...page.matchAll(/ (?:href|src|action)="([^"#][^"]*)"/g)].map(
        ([, link = '']) => link,
      );
      expect(links.length, target).toBeGreaterThan(20);
      for (const link of links) {
        expect(link, target).toMatch(/^\/framewright\//);
        if (link.endsWith('/search')) continue;
        const [there = ''] = link.slice(prefix.length).split('#');
        expect((await ask(there, { host: 'films.example.com' })).status, link).toBe(200);
      }
    }
  }, 60_000);

  test('refusals that never reach a route name it, too', async () => {
    await start();
    const raw = (head: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(portOf()), '127.0.0.1', () => socket.write(head));
        void text(socket).then(resolve, reject);
      });
    for (const head of ['NONSENSE\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n']) {
      expect(await raw(head), head).toContain(`"documentation":"${url}/docs/errors/`);
    }
    const refused = await ask('/docs', { host: 'evil.example' });
    expect(JSON.parse(refused.text)).toEqual({
      hint: `This address is not allowed. Use ${url}.`,
      documentation: `${url}/docs/errors/wrong-host`,
    });
  });

  test('programs on this computer still find the server itself', async () => {
    await start();
    const file = path.join(server!.dataFolder, 'runtime.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      apiUrl: `http://127.0.0.1:${portOf()}`,
      publicUrl: url,
    });
    const { body } = await server!.askWindow('GET', '/api/state');
    expect(body.api.url).toBe(url);
  });
});

const set = async (change: object): Promise<{ status: number; hint: string }> => {
  const { status, body } = await server!.askWindow('PATCH', '/api/settings', change);
  return { status, hint: body.hint };
};

test('publicUrl: the setting holds at once, and is taken back', async () => {
  server = await startTestServer();
  const runtime = (): unknown =>
    JSON.parse(readFileSync(path.join(server!.dataFolder, 'runtime.json'), 'utf8'));
  const told = async (): Promise<string | undefined> =>
    /"url":"([^"]*)"/.exec((await ask('/openapi.json')).text)?.[1];
  expect((await ask('/docs', { host: 'films.example.com' })).status).toBe(403);
  expect((await set({ publicUrl: 'https://Films.example.com/' })).status).toBe(200);
  expect(await told()).toBe(films);
  expect((await ask('/docs', { host: 'films.example.com' })).status).toBe(200);
  await expect.poll(runtime).toMatchObject({ publicUrl: films });
  await server.restart();
  expect(await told()).toBe(films);
  const refused = await set({ publicUrl: 'films.example.com' });
  expect([refused.status, refused.hint]).toEqual([
    400,
    expect.stringContaining('Expected an address that others open, e.g. https://films.example.com'),
  ]);
  expect(await told()).toBe(films);
  expect((await set({ publicUrl: null })).status).toBe(200);
  expect(await told()).toBe(`http://127.0.0.1:${portOf()}`);
  expect((await ask('/docs', { host: 'films.example.com' })).status).toBe(403);
  await expect.poll(runtime).toMatchObject({ publicUrl: null });
});

test('trustProxy: the setting lets a proxy say what was asked, and is taken back', async () => {
  server = await startTestServer({ allowedHosts: ['films.example.com'] });
  const headers = { 'x-forwarded-host': 'films.example.com', 'x-forwarded-proto': 'https' };
  const told = async (): Promise<string | undefined> =>
    /"url":"([^"]*)"/.exec((await ask('/openapi.json', headers)).text)?.[1];
  const usual = `http://127.0.0.1:${portOf()}`;
  expect(await told()).toBe(usual);
  await set({ trustProxy: true });
  expect(await told()).toBe(films);
  await set({ trustProxy: null });
  expect(await told()).toBe(usual);
});

test('what was named at the start can not be changed in the window', async () => {
  server = await startTestServer({
    ...{ publicUrl: films, trustProxy: true, allowPrivateAddresses: false },
    fixedSettings: ['publicUrl', 'trustProxy', 'allowPrivateAddresses'],
  });
  const change = { publicUrl: null, trustProxy: false, allowPrivateAddresses: true };
  for (const [name, value] of Object.entries(change)) {
    expect((await set({ [name]: value })).status, name).toBe(400);
  }
  const { text: all } = await server.askWindow('GET', '/api/settings/all');
  expect(JSON.parse(all)).toMatchObject({
    ...{ publicUrl: films, trustProxy: true, allowPrivateAddresses: false, reachesPrivate: false },
  });
});

test.each([
  ['https://films.example.com', 'https://films.example.com'],
  [' HTTPS://Films.example.com:443/ ', 'https://films.example.com'],
  ['http://films.example.com:8080/a/b//', 'http://films.example.com:8080/a/b'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['films.example.com', null],
  ['ftp://films.example.com', null],
  ['https://', null],
  ['https://me@films.example.com', null],
  ['https://films.example.com/?a=1', null],
  ['https://films.example.com/#a', null],
  ["https://films.example.com/it's", null],
  ['https://films.example.com/a b', 'https://films.example.com/a%20b'],
  ['https://films.example.com/"><script>', 'https://films.example.com/%22%3E%3Cscript%3E'],
  [`https://films.example.com/${'a'.repeat(300)}`, null],
  ['', null],
])('the public address %s is %s', (given, kept) => {
  expect(publicAddress(given)).toBe(kept);
});

/** Options, and whether what only this computer may do is still allowed: a proxy looks like a program on it. */
test.each<[Partial<ServerOptions>, boolean]>([
  [{}, true],
  [{ publicUrl: 'http://localhost:8080' }, true],
  [{ publicUrl: films }, false],
  [{ trustProxy: true }, false],
])('%j: local addresses and settings of the computer by a key: %s', async (options, allowed) => {
  server = await startTestServer(options);
  const asked = { elements: [], dry_run: true, webhook_url: 'http://192.168.1.7/' };
  expect((await ask('/v2/renders', {}, asked)).status).toBe(allowed ? 200 : 400);
  const change = async (values: object): Promise<number> =>
    (await ask('/v2/settings', {}, values, 'PATCH')).status;
  for (const values of [
    { allow_private_addresses: true },
    { trust_proxy: null },
    { public_url: options.publicUrl ?? null },
  ]) {
    expect(await change(values), JSON.stringify(values)).toBe(allowed ? 200 : 403);
  }
  expect(JSON.parse((await ask('/v2/settings')).text)).toMatchObject({
    public_url: options.publicUrl ?? null,
    trust_proxy: options.trustProxy ?? false,
  });
});
