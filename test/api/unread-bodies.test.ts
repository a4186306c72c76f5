/**
 * Bodies that are refused before they were read: answered at once, over raw sockets and by the clients that people use.
 */
import { execFile } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonBody } from '../../server/api/body.ts';
import { answerErrors } from '../../server/api/errors.ts';
import { plainApp } from '../../server/app.ts';
import { listen } from '../../server/api/listener/listen.ts';
import { errorCode } from '../../server/system/files.ts';
import { listenerLimits } from '../../shared/limits.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** The headers of a request to either listener, complete but for its body. */
function head(method: string, target: string, more: string): { port: number; text: string } {
  const { apiUrl, apiKey, windowUrl } = server.running;
  const { port, hash } = new URL(target.startsWith('/api/') ? windowUrl : apiUrl);
  const own = `Authorization: Bearer ${apiKey}\r\nX-Framewright-Token: ${hash.replace('#token=', '')}`;
  const type = /Content-Type/i.test(more) ? '' : 'Content-Type: application/json\r\n';
  const text = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${own}\r\n${type}${more}\r\n\r\n`;
  return { port: Number(port), text };
}

/** Sends a text and waits until the other side has said something that ends like an answer. */
function said(port: number, text: string): Promise<{ said: string; socket: Socket }> {
  return new Promise((resolve, reject) => {
    // It goes on sending after the other side has said all.
    const at = { port, host: '127.0.0.1', allowHalfOpen: true };
    const socket = connect(at, () => socket.write(text));
    let all = '';
    socket.on('data', (piece: Buffer) => {
      all += piece.toString();
      if (/\r\n\r\n[^]*\}$/.test(all)) resolve({ said: all, socket });
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after '${all}'`)));
  });
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.removeAllListeners('close').on('close', () => resolve()));

const unknownId = '00000000-0000-4000-8000-000000000000';
const form = 'Content-Type: multipart/form-data; boundary=x\r\n';

describe('F84 an announced length over the limit is refused before a byte of the body', () => {
  test.each([
    ['POST', '/v2/renders', 'Content-Length: 60000000', 413],
    ['POST', '/v1/renders', 'Content-Length: 60000000', 413],
    ['POST', '/v2/renders/batch', 'Content-Length: 60000000', 413],
    ['POST', '/v2/previews', 'Content-Length: 60000000', 413],
    ['POST', '/v2/templates', 'Content-Length: 60000000', 413],
    ['PATCH', `/v2/templates/${unknownId}`, 'Content-Length: 60000000', 413],
    ['POST', '/mcp', 'Accept: application/json\r\nContent-Length: 60000000', 413],
    ['POST', '/v2/media?name=a.png', 'Content-Length: 5000000000', 413],
    ['POST', '/v2/media', `${form}Content-Length: 5000000000`, 413],
    ['POST', '/v1/assets?name=a.png', 'Content-Length: 5000000000', 413],
    ['POST', '/v2/templates/import', 'Content-Length: 5000000000', 413],
    ['POST', '/api/templates', 'Content-Length: 60000000', 413],
    ['PATCH', '/api/settings', 'Content-Length: 60000000', 413],
    ['PUT', `/api/editor/${unknownId}/draft`, 'Content-Length: 60000000', 413],
  ])('%s %s %j', async (method, target, more, status) => {
    for (const expectation of ['', 'Expect: 100-continue\r\n']) {
      const { port, text } = head(method, target, `${expectation}${more}`);
      const begun = performance.now();
      const { said: answer, socket } = await said(port, text);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      expect(answer).toContain('"hint"');
      expect(performance.now() - begun).toBeLessThan(1_000);
      socket.destroy();
    }
  });

  test('one in pieces is refused once it is over, while it goes on', async () => {
    const { port, text } = head('POST', '/v2/renders', 'Transfer-Encoding: chunked');
    const piece = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    const { said: answer, socket } = await said(port, text + piece.repeat(10));
    expect(answer).toMatch(
      /^HTTP\/1\.1 413 [^]*The body has more than 10 MB; the limit is 10 MB\./,
    );
    // Not reset: it may send the rest.
    const end = closed(socket);
    socket.write(piece.repeat(20));
    socket.end('0\r\n\r\n');
    await end;
    expect(socket.errored).toBeNull();
  });

  test('a body that is waited for is asked for when it is read, once', async () => {
    const body = '{"name":"n"}';
    const { port, text } = head(
      'POST',
      '/v2/templates',
      `Expect: 100-continue\r\nContent-Length: ${body.length}`,
    );
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (piece: Buffer) => (answer += piece.toString()));
    await expect.poll(() => answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
    socket.destroy();
  });
});

describe('F84 who sends 60 MB before it listens gets the answer', () => {
  const large = Buffer.alloc(60_000_000, ' ');
  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${server.running.apiKey}`,
    'content-type': 'application/json',
  });
  const target = (): string => `${server.running.apiUrl}/v2/renders`;

  test("Node's http", async () => {
    const status = await new Promise((resolve, reject) => {
      const sending = httpRequest(target(), { method: 'POST', headers: headers() }, (response) =>
        resolve(response.resume().statusCode),
      );
      sending.on('error', reject).end(large);
    });
    expect(status).toBe(413);
  });

  test('fetch', async () => {
    const answer = await fetch(target(), { method: 'POST', headers: headers(), body: large });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      expect.objectContaining({ hint: 'The body has 60.0 MB; the limit is 10 MB.' }),
    ]);
  });

  test('a plain socket that reads only at the end, with a wrong key too', async () => {
    for (const [key, status] of [
      [server.running.apiKey, 413],
      ['wrong', 401],
    ] as const) {
      const { port, text } = head('POST', '/v2/renders', `Content-Length: ${large.length}`);
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      socket.write(text.replace(server.running.apiKey, key));
      await new Promise((resolve) => socket.write(large, resolve));
      let answer = '';
      socket.on('data', (piece: Buffer) => (answer += piece.toString())).resume();
      await closed(socket);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });

  test('curl, if it is there, which waits for leave', async () => {
    const { apiKey } = server.running;
    const options = ['-s', '-o', '/dev/null', '-w', '%{http_code} %{size_upload}', '-X', 'POST'];
    const sent = ['-H', `Authorization: Bearer ${apiKey}`, '-H', 'Content-Type: application/json'];
    const curl = promisify(execFile)('curl', [
      ...options,
      ...sent,
      '--data-binary',
      '@-',
      target(),
    ]);
    curl.child.stdin?.on('error', () => undefined).end(large);
    const { stdout } = await curl.catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
      return { stdout: '413 0' };
    });
    expect(stdout).toBe('413 0');
  });
});

test.each([
  ['never stops', { restBytes: 2_000_000 }, 0],
  ['is slow', { restTime: 300 }, 20],
  ['pauses', { restPause: 100 }, 400],
])('F84 F86 what comes after an answer and %s is cut', async (_what, limit, every) => {
  const app = plainApp();
  app.post('/', jsonBody);
  const url = (): string => 'http://127.0.0.1';
  app.use(answerErrors(url, () => undefined));
  const listener = await listen(app, { port: 0, limits: { ...listenerLimits, ...limit } });
  try {
    const more = 'Content-Type: application/json\r\nContent-Length: 60000000000';
    const text = `POST / HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`;
    const begun = performance.now();
    const { said: answer, socket } = await said(listener.port, text);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    let isOpen = true;
    socket.removeAllListeners('error').on('error', () => undefined);
    const end = closed(socket).then(() => (isOpen = false));
    const send = async (): Promise<void> => {
      while (isOpen) {
        const isTaken = socket.write(Buffer.alloc(every === 0 ? 1_000_000 : 10));
        if (!isTaken) await Promise.race([end, new Promise((go) => socket.once('drain', go))]);
        else await Promise.race([end, pause(every)]);
      }
    };
    await Promise.all([end, send()]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  } finally {
    await listener.close();
  }
});
