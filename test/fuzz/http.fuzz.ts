/**
 * Raw HTTP over sockets: methods, targets, headers, bodies, lengths and chunks that are odd, cut, doubled, pipelined or
 * nonsense. Whatever comes, the server answers in JSON below 500 or closes the connection, soon, and a good client is
 * served.
 */
import { connect } from 'node:net';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';

export const name = 'http';

/** Milliseconds within which a whole request is answered; the machine of a test may be busy. */
const longest = 5_000;
/** Milliseconds after which a request that was cut is left alone. */
const patience = 60;
/** Bytes of memory that the server may keep over all cases. */
const mostMemory = 400_000_000;

const id = '7d0cbf0a-98a5-4a0c-9d8b-8bd9f4f7e0a1';
const methods = [
  ...[
    'GET',
    'GET',
    'POST',
    'POST',
    'PATCH',
    'DELETE',
    'HEAD',
    'OPTIONS',
    'PUT',
    'TRACE',
    'CONNECT',
  ],
  ...['PRI', 'get', 'G€T', '', 'PROPFIND', 'M-SEARCH', 'QUERY', 'X'.repeat(40)],
];
const targets = [
  ...['/v2/renders', '/v2/templates', '/v1/renders', '/v1/templates', '/v1/feeds', '/docs', '/'],
  ...[`/v2/renders/${id}`, `/v2/templates/${id}`, `/renders/${id}.mp4`, `/snapshots/${id}.jpg`],
  ...[`/v1/internal/n8n/fields?template-id=${id}`, '/v1/projects/data', `/v1/feeds/${id}/sample`],
  ...['/openapi.json', '/renderscript.schema.json', '/docs/renderscript', '/docs/gallery/fade.jpg'],
  '/client.tgz',
  ...[
    '*',
    '//',
    '/%',
    '/%00',
    '/%ff%fe',
    '/..%2f..%2fetc%2fpasswd',
    '/v2/templates?tags[]=a&tags[b]=c',
  ],
  ...[
    '/v2/templates?tags=%',
    '/v2/templates?__proto__[x]=1&tags[__proto__]=y',
    '/docs/../v2/templates',
  ],
  ...[
    'http://127.0.0.1/docs',
    'http://evil.example/',
    'example.com:443',
    '/\u00e9',
    '/a b',
    '/v2;x=1',
  ],
];
const headerNames = [
  ...['Host', 'Authorization', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Connection'],
  ...['Expect', 'Upgrade', 'Range', 'If-Range', 'If-None-Match', 'If-Match', 'If-Modified-Since'],
  ...[
    'If-Unmodified-Since',
    'Origin',
    'Referer',
    'Sec-Fetch-Site',
    'Sec-Fetch-Mode',
    'Sec-Fetch-Dest',
  ],
  ...[
    'Accept',
    'Accept-Encoding',
    'Content-Encoding',
    'Cookie',
    'TE',
    'Trailer',
    'X-Forwarded-For',
  ],
  ...['__proto__', 'constructor', 'X', '', ' X', 'X ', 'X\u0000', 'é'],
];
const headerValues = [
  ...[
    '',
    '0',
    '5',
    '-1',
    '99999999999999999999',
    '1e3',
    '0x10',
    'chunked',
    'gzip, chunked',
    'identity',
  ],
  ...['gzip', 'br', 'deflate', 'zip', 'close', 'keep-alive', 'upgrade', '100-continue', 'x', 'h2c'],
  ...[
    'application/json',
    'application/json; charset=latin1',
    'text/plain',
    '*/*',
    'application/json;',
  ],
  ...[
    'bytes=0-9',
    'bytes=9-0',
    'bytes=-0',
    'bytes=0-0,5-6,7-',
    'bytes=99999999999-',
    'lines=1',
    'bytes=',
  ],
  ...[
    '"x"',
    'W/"x"',
    '*',
    '"',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'never',
    'http://evil.example',
    'null',
  ],
  ...[
    'http://[',
    'cross-site',
    'navigate',
    'document',
    'image',
    'Bearer',
    'Bearer  ',
    'Basic x',
    '\u0000',
  ],
  ...['a'.repeat(3_000), '\u00ff', 'a\tb', ';,=', '{}', '[]', '%00', '../..'],
];
const bodies = [
  ...[
    '',
    '{}',
    '[]',
    'null',
    '5',
    '"x"',
    '{',
    '{"a":',
    '\ufeff{}',
    '{"elements":[]}',
    '{"source":{}}',
  ],
  ...[`{"template_id":"${id}"}`, '{"name":"x","source":{}}', '{"tags":["a"]}', '{"elements":{}}'],
  ...[
    '{"webhook_url":{"length":{"toString":{}}}}',
    '{"webhook_url":"http://[::"}',
    '{"__proto__":{}}',
  ],
  ...[
    '{"elements":[],"modifications":{"constructor.prototype.x":1,"__proto__":null}}',
    '\u0000\u0001',
  ],
  ...[
    '{"elements":[{"type":"text","text":"a"}],"dry_run":true}',
    '{"elements":[],"render_scale":1e999}',
  ],
  ...[
    '{"elements":[null,5,[[]],{"type":"composition","elements":[{}]}],"dry_run":true}',
    '[['.repeat(99),
  ],
];

function makeRequest(random: Random, port: number, key: string): Buffer {
  const line = `${random.pick(methods)} ${random.pick(targets)} HTTP/${random.pick(['1.1', '1.1', '1.1', '1.0', '2.0', '0.9', '9'])}`;
  const body = random.pick(bodies);
  const headers: string[] = [];
  if (!random.oneIn(8)) headers.push(`Host: 127.0.0.1:${port}`);
  if (!random.oneIn(4)) headers.push(`Authorization: Bearer ${key}`);
  if (!random.oneIn(4)) headers.push('Content-Type: application/json');
  const length = random.oneIn(6) ? random.below(200) : Buffer.byteLength(body);
  const isChunked = random.oneIn(6);
  if (isChunked) headers.push('Transfer-Encoding: chunked');
  else headers.push(`Content-Length: ${length}`);
  for (let count = random.below(5); count > 0; count--) {
    headers.push(
      `${random.pick(headerNames)}:${random.pick([' ', '', '\t'])}${random.pick(headerValues)}`,
    );
  }
  if (random.oneIn(2)) headers.push('Connection: close');
  const end = random.oneIn(15) ? '\n' : '\r\n';
  const chunks = isChunked ? chunkedBody(random, body) : body;
  const text = [line, ...headers, '', chunks].join(end);
  // Header bytes are Latin 1 on the wire.
  return Buffer.concat([
    Buffer.from(text.slice(0, text.length - chunks.length), 'latin1'),
    Buffer.from(chunks, 'utf8'),
  ]);
}

function chunkedBody(random: Random, body: string): string {
  const size = random.pick([
    body.length.toString(16),
    'zz',
    '-1',
    'ffffffffffffffff',
    `0${body.length.toString(16)};x=y`,
  ]);
  return `${size}\r\n${body}\r\n${random.pick(['0\r\n\r\n', '0\r\nX: y\r\n\r\n', '', '0\r\n'])}`;
}

/** What is wrong with what the server said; null when nothing is. Answers to HEAD have no body. */
function faultOf(text: string): string | null {
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3})[^\r]*\r\n([^]*?)\r\n\r\n/g)];
  for (const { 1: status = '', 2: head = '', index, 0: whole } of heads) {
    if (status.startsWith('1')) continue;
    // 503 is what a disk says, and none is full here.
    if (Number(status) >= 500) return `answered ${status}`;
    if (!/^x-ratelimit-remaining: \d+\r?$/im.test(head))
      return `${status} without X-RateLimit-Remaining`;
    if (Number(status) < 400) continue;
    const after = text.slice(index + whole.length);
    if (!/^content-type: application\/json/im.test(head)) return `${status} is not JSON`;
    const isBare = after === '' || after.startsWith('HTTP/1.1 ');
    if (!isBare && !/^\{"hint":".+","documentation":"http:\/\/[^"]+"\}/.test(after)) {
      return `${status} with the body ${after.slice(0, 200)}`;
    }
  }
  if (text !== '' && heads.length === 0) return `not an answer: ${text.slice(0, 200)}`;
  return null;
}

/** Sends bytes, perhaps in pieces, and takes what comes until it is silent or closed. */
function converse(port: number, bytes: Buffer, random: Random): Promise<string> {
  const cut = random.oneIn(6) ? random.below(bytes.length + 1) : bytes.length;
  return new Promise((resolve) => {
    let text = '';
    let quiet: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(quiet);
      socket.destroy();
      resolve(text);
    };
    const listen = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(done, patience);
    };
    const socket = connect(port, '127.0.0.1', () => {
      listen();
      if (random.oneIn(4)) {
        const middle = random.below(cut + 1);
        socket.write(bytes.subarray(0, middle), () => socket.write(bytes.subarray(middle, cut)));
      } else {
        socket.write(bytes.subarray(0, cut));
      }
      if (random.oneIn(10)) socket.end();
    });
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      // Of a long help page the beginning is enough.
      if (text.length < 200_000) text += part;
      listen();
    });
    socket.on('close', done);
    socket.on('error', () => undefined);
  });
}

/** A client that does nothing wrong. What is wrong with how it is served; null when nothing is. */
async function goodClient(server: TestServer): Promise<string | null> {
  // A machine at its limit is slow once, a held-up server each time.
  for (let tries = 1; ; tries++) {
    const begun = performance.now();
    const { status } = await server.ask('GET', '/v2/templates');
    if (status !== 200) return `a good client got ${status}`;
    const time = performance.now() - begun;
    if (time <= longest) return null;
    if (tries === 3) return `a good client waited ${Math.round(time)} ms`;
  }
}

/** Attacks one server until the time is over. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const server = await startTestServer();
  try {
    const port = Number(new URL(server.running.apiUrl).port);
    const { apiKey } = server.running;
    await server.ask('POST', '/v2/templates', { id, name: 'Target', source: { elements: [] } });
    const before = process.memoryUsage().rss;
    let cases = 0;
    return await runCases(options, async (random) => {
      const count = random.oneIn(5) ? 2 + random.below(3) : 1;
      const parts = Array.from({ length: count }, () => makeRequest(random, port, apiKey));
      const bytes = Buffer.concat(parts);
      const text = await converse(port, bytes, random);
      const told = `\n${JSON.stringify(bytes.toString('latin1'))}`;
      const fault = faultOf(text);
      if (fault !== null) return `${fault}${told}`;
      const bugs = server.logged.filter((line) => line.startsWith('error'));
      if (bugs.length > 0) return `${server.logged.splice(0).join('\n')}${told}`;
      server.logged.length = 0;
      if (++cases % 20 !== 0) return null;
      const grown = process.memoryUsage().rss - before;
      if (grown > mostMemory) return `the server has grown by ${Math.round(grown / 1e6)} MB${told}`;
      const served = await goodClient(server);
      return served === null ? null : `${served}${told}`;
    });
  } finally {
    await server.stop();
  }
}
