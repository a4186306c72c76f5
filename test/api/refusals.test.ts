/** What the API refuses, and how: statuses, sentences, headers, help pages; broken HTTP over raw sockets. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { topics } from '../../server/api/docs/pages.ts';
import { isOwnHost } from '../../server/api/guard.ts';
import { markdownHtml } from '../../server/api/docs/markdown.ts';
import { RateLimiter } from '../../server/api/rate-limit.ts';
import { documentationPath, errorCatalogue, type ErrorCode } from '../../shared/errors.ts';
import {
  document,
  send,
  startTestServer,
  type Answer,
  type TestServer,
} from '../helpers/server.ts';

let server: TestServer;
let templateId: string;
beforeAll(async () => {
  server = await startTestServer();
  const { body } = await server.ask('POST', '/v2/templates', { name: 'T', source: document() });
  templateId = body.id;
});
afterAll(() => server.stop());

const base = (): string => server.running.apiUrl;
const port = (): number => Number(new URL(base()).port);

/** Every refusal has this form, whatever it is about. */
function expectRefusal(answer: Answer, status: number, hint: string | RegExp): void {
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.body)).toEqual(['hint', 'documentation']);
  if (typeof hint === 'string') expect(answer.body.hint).toBe(hint);
  else expect(answer.body.hint).toMatch(hint);
  expect(answer.body.documentation).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors\/[a-z-]+$/);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(answer.headers.get('x-powered-by')).toBeNull();
}

const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const render = (more: object): object => ({ ...document(), ...more });
const unknownId = '00000000-0000-4000-8000-000000000000';

describe('F81 F82 bodies', () => {
  const noObject = /^Expected an object as the body, found /;
  const rows: [name: string, body: string, hint: string | RegExp][] = [
    ['cut', '{"a": [1, 2', /^The body is not valid JSON: .* at line 1, column \d+\.$/],
    ['place', '{\n  "a": 1,\n  "b": nope\n}', /at line 3, column 8\.$/],
    ['trailing comma', '{"a": 1,\n}', /at line 2, column 1\.$/],
    ['NaN', '{"a": NaN}', /at line 1, column 7\.$/],
    ['number', '5', noObject],
    ['null', 'null', noObject],
    ['string', '"x"', noObject],
    [
      'array',
      '[]',
      /^Expected an object as the body, found an array\. .* \/v2\/renders\/batch takes/,
    ],
    ['empty object', '{}', "Send a 'template_id', or RenderScript with 'elements'."],
    [
      'another word for source',
      '{"render_script":{}}',
      /'render_script' is called 'source' here\.$/,
    ],
    ['for template_id', '{"template":"5f"}', /'template' is called 'template_id' here\.$/],
    ['a document as data', '{"data":{"elements":[]}}', /'data' is called 'source' here\.$/],
    ['a body as data', '{"data":{"source":{}}}', /Send what is in 'data' as the body itself\.$/],
    ['constructor', '{"constructor":{}}', /RenderScript with 'elements'\.$/],
    ['empty', '', noObject],
    ['nested', deep(65), 'The body has more than 64 arrays and objects inside each other.'],
    ['very nested', deep(200_000), /64 arrays and objects/],
    ['very nested and cut', '['.repeat(200_000), /64 arrays and objects/],
    ['infinite', '{"elements":[{"x":1e999}]}', /too large to be kept at elements\[0\]\.x\.$/],
    ['infinite modification', '{"modifications":{"a.x":1e400}}', /kept at modifications\.a\.x\.$/],
    [
      'D18: a long whole number in modifications',
      '{"elements":[],"modifications":{"a":1e2,"b":[{"c":-123456789012345678901234567890}]}}',
      /too large to be kept at modifications\.b\[0\]\.c\.$/,
    ],
    [
      'a whole part before a fraction',
      '{"modifications":[1,{"a":12345678901234567.5}]}',
      /modifications\[1\]\.a\.$/,
    ],
    [
      'one that reads like another',
      '{"b":9007199254740993,"modifications":{"a":9007199254740992,"c":9007199254740993}}',
      /modifications\.c\.$/,
    ],
    ['one more than is kept', '{"modifications":{"ID":9007199254740993}}', /modifications\.ID\.$/],
  ];
  test.each(rows)('%s', async (_name, body, hint) => {
    expectRefusal(await server.ask('POST', '/v2/renders', body), 400, hint);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
    'application/json; charset=latin1',
  ])('F83 type %j', async (type) => {
    const answer = await server.ask('POST', '/v2/renders', '{}', { 'content-type': type });
    expectRefusal(
      answer,
      400,
      'Send the body as JSON with the header Content-Type: application/json.',
    );
  });

  test('D18: numbers that are kept come back as they were sent', async () => {
    const numbers =
      '9007199254740992,9007199254740996,100000000000000000000,-9007199254740994,0.12345678901234568,1.5e300,0.1000000000000000055511151231257827';
    // The two round to the one in front and behind them.
    const body = `{"elements":[],"note":[9007199254740995,9007199254740993],"modifications":{"a":[${numbers}]}}`;
    const answer = await post(body);
    expect(answer.status).toBe(202);
    expect((answer.body as unknown as { modifications: object }).modifications).toEqual({
      a: JSON.parse(`[${numbers}]`) as unknown,
    });
  });

  test('what is accepted: 64 levels, a byte order mark, a charset, gzip', async () => {
    const text = JSON.stringify(document());
    const rows: [body: string | Buffer, headers: Record<string, string>][] = [
      [`\uFEFF${text}`, {}],
      [text, { 'content-type': 'Application/JSON; Charset="UTF-8"' }],
      [gzipSync(text), { 'content-encoding': 'gzip' }],
      [`{"elements":[],"x":${deep(63)}}`, {}],
    ];
    for (const [body, headers] of rows) {
      const answer = await post(body, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(202);
    }
  });

  test('F81 bytes that are not UTF-8, or not what the headers say', async () => {
    expectRefusal(await post(Buffer.from('{"a":"\xe9"}', 'latin1')), 400, /not UTF-8/);
    expectRefusal(await post(Buffer.from('{"elements":[]}', 'utf16le')), 400, /not valid JSON/);
    const headers = { 'content-encoding': 'gzip' };
    expectRefusal(await post('{"elements":[]}', headers), 400, /announce/);
    expectRefusal(await post('{}', { 'content-encoding': 'zip' }), 400, /^Send the body as JSON/);
  });

  test('F84 larger than 10 MB, also after decompression', async () => {
    const large = JSON.stringify({ elements: [], x: 'a'.repeat(10_999_970) });
    expectRefusal(await post(large), 413, 'The body has 11.0 MB; the limit is 10 MB.');
    const packed = gzipSync('a'.repeat(50_000_000));
    const answer = await post(packed, { 'content-encoding': 'gzip' });
    expectRefusal(answer, 413, 'The body has more than 10 MB; the limit is 10 MB.');
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  });

  function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    return send(`${base()}/v2/renders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.running.apiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: new Uint8Array(Buffer.from(body)),
    });
  }
});

describe('values', () => {
  const should = (name: string, what: string): string =>
    `The parameter '${name}' should be ${what}.`;
  const scale = should('render_scale', 'a number from 0.1 to 10');
  const tags = should('tags', 'an array of at most 50 strings of 1 to 64 characters');
  const name = should('name', 'a string of 1 to 256 characters');
  const rows: [
    method: string,
    target: string,
    body: () => object,
    status: number,
    hint: string | RegExp,
  ][] = [
    [
      'POST',
      '/v2/renders',
      () => ({}),
      400,
      "Send a 'template_id', or RenderScript with 'elements'.",
    ],
    ['POST', '/v2/renders', () => ({ width: 100 }), 400, /^Send a 'template_id'/],
    [
      'POST',
      '/v2/renders',
      () => ({ template_id: 'abc' }),
      400,
      should('template_id', 'a valid template ID'),
    ],
    [
      'POST',
      '/v2/renders',
      () => ({ template_id: 7 }),
      400,
      should('template_id', 'a valid template ID'),
    ],
    [
      'POST',
      '/v2/renders',
      () => ({ template_id: unknownId }),
      404,
      `There is no template with the ID ${unknownId} in this project.`,
    ],
    [
      'POST',
      '/v2/renders',
      () => ({ template_id: unknownId, dry_run: true }),
      404,
      /^There is no template/,
    ],
    [
      'POST',
      '/v2/renders',
      () => ({ source: [] }),
      400,
      should('source', 'an object with RenderScript'),
    ],
    ['POST', '/v2/renders', () => render({ render_scale: 0 }), 400, scale],
    ['POST', '/v2/renders', () => render({ render_scale: 10.5 }), 400, scale],
    ['POST', '/v2/renders', () => render({ render_scale: '1' }), 400, scale],
    [
      'POST',
      '/v2/renders',
      () => render({ max_width: 0 }),
      400,
      /'max_width' should be a number of pixels/,
    ],
    ['POST', '/v2/renders', () => render({ max_height: '100' }), 400, /'max_height' should be/],
    [
      'POST',
      '/v2/renders',
      () => render({ modifications: [] }),
      400,
      /'modifications' should be an object/,
    ],
    ['POST', '/v2/renders', () => render({ metadata: 5 }), 400, /'metadata' should be a string/],
    [
      'POST',
      '/v2/renders',
      () => render({ metadata: 'a'.repeat(10_001) }),
      400,
      /at most 10000 characters/,
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ dry_run: 'yes' }),
      400,
      should('dry_run', 'true or false'),
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ webhook_url: 'nowhere' }),
      400,
      /'webhook_url' should be an http or https/,
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ webhook_url: 'file:///etc/passwd' }),
      400,
      /'webhook_url'/,
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ webhook_url: 'http://a:b@example.com' }),
      400,
      /'webhook_url'/,
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ webhook_url: `${base()}/v2/renders` }),
      400,
      /'webhook_url'/,
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ webhook_url: `http://localhost:${port()}` }),
      400,
      /'webhook_url'/,
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ webhook_url: `http://example.com/${'a'.repeat(2048)}` }),
      400,
      /'webhook_url'/,
    ],
    [
      'POST',
      '/v2/renders',
      () => render({ elements: Array(10_001).fill({ type: 'text' }) }),
      400,
      'The source has 10001 elements; the limit is 10000.',
    ],
    [
      'POST',
      '/v1/renders',
      () => ({ template_id: templateId, output_format: 'avi' }),
      400,
      should(
        'output_format',
        'one of these values: jpg, png, gif, mp4, webm, mov, webp, avif, mp3, wav, m4a, webp-animated, png-sequence',
      ),
    ],
    [
      'POST',
      '/v1/renders',
      () => ({ source: {}, frame_rate: 1000 }),
      400,
      should('frame_rate', 'a number from 1 to 60'),
    ],
    [
      'POST',
      '/v1/renders',
      () => ({ tags: 'a' }),
      400,
      should('tags', 'an array of at most 50 strings'),
    ],
    [
      'GET',
      `/v2/renders/${unknownId}`,
      () => ({}),
      404,
      `There is no render with the ID ${unknownId}.`,
    ],
    ['POST', '/v1/uploads', () => ({}), 404, 'There is no POST /v1/uploads. Files are sent to POST /v2/media.'], // prettier-ignore
    ['GET', '/v2/nothing', () => ({}), 404, 'There is no GET /v2/nothing.'],
    ['GET', '/v2/renders/abc', () => ({}), 404, 'There is no render with the ID abc.'],
    ['POST', '/v2/templates', () => ({ source: {} }), 400, name],
    ['POST', '/v2/templates', () => ({ name: '', source: {} }), 400, name],
    ['POST', '/v2/templates', () => ({ name: 'a'.repeat(257), source: {} }), 400, name],
    [
      'POST',
      '/v2/templates',
      () => ({ name: 'a' }),
      400,
      should('source', 'an object with RenderScript'),
    ],
    ['POST', '/v2/templates', () => ({ name: 'a', source: 'b' }), 400, /'source'/],
    ['POST', '/v2/templates', () => ({ name: 'a', source: {}, tags: 'b' }), 400, tags],
    ['POST', '/v2/templates', () => ({ name: 'a', source: {}, tags: [1] }), 400, tags],
    [
      'POST',
      '/v2/templates',
      () => ({ name: 'a', source: {}, tags: Array(51).fill('a') }),
      400,
      tags,
    ],
    ['PATCH', `/v2/templates/${unknownId}`, () => ({ name: 'a' }), 404, /^There is no template/],
    [
      'PATCH',
      `/v2/templates/${unknownId}`,
      () => ({}),
      400,
      "Send at least one of 'name', 'tags' and 'source'.",
    ],
    ['PATCH', `/v2/templates/${unknownId}`, () => ({ other: 1 }), 400, /^Send at least one of/],
    ['PATCH', `/v2/templates/${unknownId}`, () => ({ name: null }), 400, /^Send at least one of/],
    ['DELETE', `/v2/templates/${unknownId}`, () => ({}), 404, /^There is no template/],
    [
      'PUT',
      '/v2/renders',
      () => ({}),
      404,
      'There is no PUT /v2/renders. This path takes POST, GET, HEAD.',
    ],
    [
      'OPTIONS',
      '/v2/renders',
      () => ({}),
      404,
      'There is no OPTIONS /v2/renders. This path takes POST, GET, HEAD.',
    ],
    [
      'POST',
      `/v2/renders/${unknownId}`,
      () => ({}),
      404,
      `There is no POST /v2/renders/${unknownId}. This path takes GET, HEAD.`,
    ],
    ['GET', '/v2/render', () => ({}), 404, 'There is no GET /v2/render. Renders are created with POST /v2/renders.'], // prettier-ignore
    ['GET', '/V2/templates', () => ({}), 404, /^There is no GET \/V2\/templates/],
    ['GET', '/v2//templates', () => ({}), 404, /^There is no GET/],
    ['GET', '/v2/templates/%E0%A4%A', () => ({}), 404, /^There is no GET/],
    ['POST', '/', () => ({}), 404, 'There is no POST /.'],
  ];
  test.each(rows)('%s %s (%#)', async (method, target, body, status, hint) => {
    const sent = ['POST', 'PATCH', 'PUT'].includes(method) ? body() : undefined;
    expectRefusal(await server.ask(method, target, sent), status, hint);
  });

  test('a path that is asked in a wrong way names the right ones', async () => {
    for (const [method, target, allowed] of [
      ['PUT', `/v2/templates/${unknownId}`, 'GET, HEAD, PATCH, DELETE'],
      ['OPTIONS', '/v2/renders/batch/', 'POST'],
      ['GET', '/v2/nothing', null],
    ] as const) {
      const answer = await server.ask(method, target);
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 404, allowed]);
    }
  });

  test('F92 a trailing slash and HEAD are fine', async () => {
    expect((await server.ask('GET', '/v2/templates/')).status).toBe(200);
    const head = await server.ask('HEAD', '/v2/templates');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

test('F89 keys: only the right one, only in the header, only once', async () => {
  const { apiKey } = server.running;
  const wrong: Record<string, string>[] = [
    {},
    { authorization: 'Bearer nope' },
    { authorization: `Bearer ${apiKey}x` },
    { authorization: `Basic ${apiKey}` },
    { authorization: apiKey },
    { authorization: `Bearer ${apiKey}, Bearer ${apiKey}` },
  ];
  for (const headers of wrong) {
    const answer = await send(`${base()}/v2/templates?key=${apiKey}`, { headers });
    const isSent = /^Bearer \S+$/.test(headers.authorization ?? '');
    const ending = isSent ? 'app' : 'Send it as the header Authorization: Bearer KEY';
    expectRefusal(
      answer,
      401,
      new RegExp(`^The API key is missing or not valid\\. .*${ending}\\.$`),
    );
  }
  const twice = await raw(
    `GET /v2/templates HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${apiKey}\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`,
  );
  expect(twice).toMatch(/^HTTP\/1\.1 401 /);
  expect((await send(`${base()}/v3/x`)).status).toBe(404);
});

test('after many wrong keys the refusals take a second, and the right key does not', async () => {
  const other = await startTestServer();
  try {
    const wrong = (): Promise<Answer> => send(`${other.running.apiUrl}/v2/templates`);
    await Promise.all(Array.from({ length: 20 }, wrong));
    const before = performance.now();
    expect((await other.ask('GET', '/v2/templates')).status).toBe(200);
    const between = performance.now();
    expect((await wrong()).status).toBe(401);
    expect(performance.now() - between).toBeGreaterThan(900);
    expect(between - before).toBeLessThan(700);
  } finally {
    await other.stop();
  }
});

describe('F87 addresses', () => {
  test.each([
    ['127.0.0.1:4820', true],
    ['LOCALHOST:4820', true],
    ['localhost.:4820', true],
    ['127.0.0.1.:4820', true],
    ['[0:0:0:0:0:0:0:1]:4820', true],
    ['localhost..:4820', false],
    ['.localhost:4820', false],
    ['localhost.', false],
    ['localhost%00.evil:4820', false],
    ['%6cocalhost:4820', false],
    ['[::1%25eth0]:4820', false],
    ['[::1]:4820', true],
    ['127.0.0.1', false],
    ['127.0.0.1:4821', false],
    ['evil.example:4820', false],
    ['127.0.0.1.evil.example:4820', false],
    ['localhost.evil:4820', false],
    ['127.0.0.1:4820@evil', false],
    [undefined, false],
  ])('host %s', (host, allowed) => {
    expect(isOwnHost(host, { port: 4820 })).toBe(allowed);
  });

  test('port 80 may be left out', () => {
    expect(isOwnHost('localhost', { port: 80 })).toBe(true);
  });

  test('other hosts are refused, also for files and help', async () => {
    for (const target of ['/v2/templates', '/renders/x.mp4', '/docs']) {
      const text = await raw(
        `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 403 /);
      expect(text).toContain(`"hint":"This address is not allowed. Use ${base()}."`);
    }
  });

  test('requests of web pages are refused, and no preflight is answered', async () => {
    const headers = { origin: 'http://evil.example' };
    const hint = /^Web pages may not call this API\./;
    expectRefusal(await server.ask('GET', '/v2/templates', undefined, headers), 403, hint);
    expectRefusal(await server.ask('OPTIONS', '/v2/renders', undefined, headers), 403, hint);
    // The API has no page of its own: not even its own address is an origin that may call it.
    expectRefusal(
      await server.ask('GET', '/v2/templates', undefined, { origin: base() }),
      403,
      hint,
    );
    const text = await raw(
      `GET /renders/x.mp4 HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
    expect(text).not.toMatch(/access-control/i);
  });
});

describe('F85 broken HTTP gets JSON too', () => {
  const host = (): string => `Host: 127.0.0.1:${port()}\r\n`;
  const rows: [name: string, request: () => string, status: number][] = [
    ['no HTTP at all', () => 'hello\r\n\r\n', 400],
    ['header of 20 kB', () => `GET / HTTP/1.1\r\n${host()}X: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['two hosts', () => `GET /docs HTTP/1.1\r\n${host()}${host()}Connection: close\r\n\r\n`, 403],
    [
      'whole address of another',
      () => `GET http://evil.example/docs HTTP/1.1\r\n${host()}Connection: close\r\n\r\n`,
      403,
    ],
    ['no path', () => `OPTIONS * HTTP/1.1\r\n${host()}Connection: close\r\n\r\n`, 403],
    ['no host', () => 'GET /docs HTTP/1.1\r\nConnection: close\r\n\r\n', 403],
    ['a tunnel', () => `CONNECT example.com:443 HTTP/1.1\r\n${host()}\r\n`, 403],
    ['a tunnel to itself', () => `CONNECT 127.0.0.1:${port()} HTTP/1.1\r\n${host()}\r\n`, 403],
    [
      'an expectation',
      () => `GET /docs HTTP/1.1\r\n${host()}Expect: x\r\nConnection: close\r\n\r\n`,
      417,
    ],
    [
      'an expectation of a stranger',
      () => 'POST / HTTP/1.1\r\nHost: evil.example\r\nExpect: x\r\nConnection: close\r\n\r\n',
      403,
    ],
    [
      'an upgrade',
      () =>
        `GET /none HTTP/1.1\r\n${host()}Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      404,
    ],
    ['no host in HTTP/1.0', () => 'GET /docs HTTP/1.0\r\n\r\n', 403],
    [
      'length and chunks',
      () =>
        `POST /v2/renders HTTP/1.1\r\n${host()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
  ];
  test.each(rows)('%s', async (_name, request, status) => {
    const text = await raw(request());
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/content-type: application\/json; charset=utf-8/i);
    expect(text).toMatch(/x-ratelimit-remaining: 30\r\n/i);
    expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toMatch(
      /^\{"hint":"[^"]+\.","documentation":"http:[^"]+"\}$/,
    );
  });
});

test('F91 IDs of other forms lead nowhere', async () => {
  const ids = [
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    '....//etc/passwd',
    '%00',
    'a'.repeat(8_000),
    'A0000000-0000-4000-8000-000000000000.mp4',
    '__proto__',
    'constructor',
  ];
  for (const id of ids) {
    for (const folder of [
      '/renders/',
      '/snapshots/',
      '/v2/renders/',
      '/v1/renders/',
      '/v2/templates/',
    ]) {
      const text = await raw(
        `GET ${folder}${id} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${server.running.apiKey}\r\nConnection: close\r\n\r\n`,
      );
      expect(text, `${folder}${id}`).toMatch(/^HTTP\/1\.1 404 /);
      expect(text).not.toContain('root:');
    }
  }
});

test('F92 other methods, slashes and cases are unknown', async () => {
  const { id } = (await server.ask('POST', '/v2/renders', document())).body;
  const rows = [
    ['PUT', `/v2/renders/${id}`],
    ['DELETE', `/v2/renders/${id}`],
    ['OPTIONS', '/v2/templates'],
    ['GET', `//v2/renders/${id}`],
    ['GET', `/v2/Renders/${id}`],
    ['GET', `/V2/renders/${id}`],
  ] as const;
  for (const [method, target] of rows) {
    expect((await server.ask(method, target)).status, `${method} ${target}`).toBe(404);
  }
  expect((await server.ask('GET', `/v2/renders/${id}/`)).status).toBe(200);
  const head = await server.ask('HEAD', `/v2/renders/${id}`);
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await server.ask('HEAD', '/v2/renders/none')).status).toBe(404);
});

describe('rate limit', () => {
  test('F90 31 requests in 10 seconds', async () => {
    const limited = await startTestServer({ rateLimit: true });
    try {
      const remaining: (string | null)[] = [];
      for (let request = 0; request < 30; request++) {
        const answer = await limited.ask('GET', '/v2/templates');
        expect(answer.status).toBe(200);
        remaining.push(answer.headers.get('x-ratelimit-remaining'));
      }
      expect(remaining).toEqual(Array.from({ length: 30 }, (_, index) => String(29 - index)));
      const refused = await limited.ask('POST', '/v2/renders', document());
      const seconds = Number(refused.headers.get('retry-after'));
      expectRefusal(
        refused,
        429,
        `More than 30 requests in 10 seconds. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}. Whoever runs the server can lift the limit: --no-rate-limit, or Settings ▸ API in the window.`,
      );
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(10);
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      // The window and the files are not counted.
      expect((await limited.askWindow('GET', '/api/renders')).body.renders).toEqual([]);
      expect((await send(`${limited.running.apiUrl}/docs`)).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  test('F90 any stretch of the window counts, refused requests do not', () => {
    let now = 0;
    const limiter = new RateLimiter(3, 10_000, { now: () => 0, steady: () => now });
    const take = (time: number): [boolean, number, number] => {
      now = time;
      return [limiter.take(), limiter.remaining, limiter.secondsToWait];
    };
    expect(take(0)).toEqual([true, 2, 10]);
    expect(take(4000)).toEqual([true, 1, 6]);
    expect(take(8000)).toEqual([true, 0, 2]);
    expect(take(9999)).toEqual([false, 0, 1]);
    expect(take(10_000)).toEqual([true, 0, 4]);
    expect(take(13_999)).toEqual([false, 0, 1]);
    expect(take(14_000)).toEqual([true, 0, 4]);
  });

  test('none at all', () => {
    const limiter = new RateLimiter(Infinity, 10_000, { now: () => 0, steady: () => 0 });
    for (let request = 0; request < 1000; request++) expect(limiter.take()).toBe(true);
  });
});

describe('help pages', () => {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];

  test.each(codes)('%s', async (code) => {
    const page = await send(`${base()}${documentationPath(code)}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(String(errorCatalogue[code].status));
    expect(errorCatalogue[code].sentence).toMatch(/\.$/);
    expect(errorCatalogue[code].help).toMatch(/\.$/);
  });

  test('the list names all of them, and there are no others', async () => {
    const { text } = await send(`${base()}/docs/errors`);
    for (const code of codes) expect(text).toContain(`"${documentationPath(code)}"`);
    expect((await send(`${base()}/docs/errors/nonsense`)).status).toBe(404);
    expect((await send(`${base()}/docs/nonsense`)).status).toBe(404);
  });

  test('every topic has its page, and every link on them leads somewhere', async () => {
    const links = new Set<string>();
    for (const { slug, title } of topics) {
      const page = await send(`${base()}/docs/${slug}`);
      expect(page.status, slug).toBe(200);
      expect(page.text).toContain(`<h1>${title}</h1>`);
      // Whatever was left of a mark or of a missing value.
      expect(
        page.text.replace(/<pre[^]*?<\/pre>|<style>[^]*?<\/style>|<code>[^]*?<\/code>/g, ''),
        slug,
      ).not.toMatch(/undefined|NaN|\*\*|`|\[object|\]\(/);
      for (const [, link = ''] of page.text.matchAll(/href="([^"]+)"/g)) links.add(link);
    }
    expect(links.size).toBeGreaterThan(codes.length);
    for (const link of links) {
      // The program itself opens these.
      if (/^framewright:\/\/sample\/[\w-]+$/.test(link)) continue;
      expect((await send(`${base()}${link}`)).status, link).toBe(200);
    }
  });

  test('text becomes HTML, and never a tag', () => {
    const rows: [text: string, html: string][] = [
      ['## A `b`', '<h2 id="a-b">A <code>b</code></h2>'],
      ['a **b** *c* [d](/docs/e)', '<p>a <b>b</b> <em>c</em> <a href="/docs/e">d</a></p>'],
      ['- one\n- two\n  more', '<ul><li>one</li><li>two\n  more</li></ul>'],
      ['```\na <b>\n\n`c`\n```', '<pre tabindex="0"><code>a &#60;b&#62;\n\n`c`</code></pre>'],
      ['<script>`</p>`', '<p>&#60;script&#62;<code>&#60;/p&#62;</code></p>'],
      ['[x](javascript:alert)', '<p>[x](javascript:alert)</p>'],
    ];
    for (const [text, html] of rows) expect(markdownHtml(text)).toBe(html);
    expect(markdownHtml('| A | B |\n|---|---|\n| a \\| b | c |')).toContain(
      '<tr><td>a | b</td><td>c</td></tr>',
    );
  });
});

describe('D19: what programs for other servers send', () => {
  const key = (): string => `Authorization: Bearer ${server.running.apiKey}\r\n`;

  test('optional parameters that are null are absent', async () => {
    const names = ['template_id', 'modifications', 'render_scale', 'max_width', 'max_height'];
    const nothing = Object.fromEntries(
      [...names, 'webhook_url', 'metadata', 'strict'].map((name) => [name, null]),
    );
    const direct = await server.ask('POST', '/v2/renders', { ...nothing, ...document() });
    expect([direct.status, direct.body.warnings]).toEqual([202, undefined]);
    const others = { elements: null, tags: null, output_format: null };
    const wrapped = { ...nothing, ...others, source: document() };
    for (const version of ['v1', 'v2']) {
      const { status, text } = await server.ask('POST', `/${version}/renders`, wrapped);
      expect([status, text]).toEqual([202, expect.not.stringContaining('warnings')]);
    }
    const batch = { renders: [{ ...nothing, template_id: templateId }] };
    const { text } = await server.ask('POST', '/v2/renders/batch', batch);
    expect(text).toContain('"status":202');
    expectRefusal(await server.ask('POST', '/v2/renders', nothing), 400, /elements/);
  });

  test('tags are stored without blanks around them, and found', async () => {
    const named = { name: 'Tagged', source: document(), tags: [' blank ', 'b'] };
    const { body } = await server.ask('POST', '/v2/templates', named);
    const { text } = await server.ask('GET', `/v2/templates/${body.id}`);
    expect(text).toContain('"tags":["blank","b"]');
    const { list } = await server.ask('POST', '/v1/renders', { tags: ['blank '] });
    expect(list).toHaveLength(1);
    const blank = await server.ask('POST', '/v2/templates', { ...named, tags: [' '] });
    expectRefusal(blank, 400, /'tags'/);
  });

  test('the whole address as to a proxy, if it names what Host does', async () => {
    const ask = (url: string, host: string): Promise<string> =>
      raw(`GET ${url} HTTP/1.1\r\nHost: ${host}\r\n${key()}Connection: close\r\n\r\n`);
    const own = `127.0.0.1:${port()}`;
    for (const url of [`http://${own}/v2/templates?tags=none`, `HTTP://${own}/v1/renders?limit=1`])
      expect(await ask(url, own)).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n\[/);
    expect(await ask(`http://${own}`, own)).toMatch(/^HTTP\/1\.1 302 /);
    for (const [url, host] of [
      ['http://other.example/v2/templates', own],
      ['http://other.example/v2/templates', 'other.example'],
      [`http://${own}@other.example/v2/templates`, own],
      [`ftp://${own}/v2/templates`, own],
    ] as const)
      expect(await ask(url, host), url).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('a 401 says how to come in', async () => {
    const { status, headers } = await send(`${base()}/v2/templates`, {});
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test('the list of renders as an array', async () => {
    const { status, list, text } = await server.ask('GET', '/v1/renders?limit=2');
    expect([status, list.length]).toEqual([200, 2]);
    const page = await server.ask('GET', '/v2/renders?limit=2');
    expect(JSON.parse(text)).toEqual((JSON.parse(page.text) as { renders: object[] }).renders);
  });
});

/** Sends bytes as they are, and reads until the server closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port(), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (answer += part));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
