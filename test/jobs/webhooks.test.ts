/** Webhooks: a real receiver, a real server, the fake worker. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { document, startTestServer, type Body, type TestServer } from '../helpers/server.ts';

interface Call {
  url: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: Body;
  time: number;
}

let server: TestServer;
let receiver: Server;
let calls: Call[] = [];
/** Statuses to answer with, in order; then 200. 0 breaks the connection. */
let answers: number[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', method = '', headers } = request;
      // The Render object, or the expectations fail.
      calls.push({ url, method, headers, body: JSON.parse(body) as Body, time: performance.now() });
      const status = answers.shift() ?? 200;
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, { location: '/elsewhere' }).end('thanks');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  server = await startTestServer({ webhookPauses: [100, 200, 400] });
});
afterAll(async () => {
  receiver.close();
  await server.stop();
});
afterEach(() => {
  calls = [];
  answers = [];
});

const create = async (fake: object = {}): Promise<string> => {
  const { port } = receiver.address() as AddressInfo; // listens on TCP
  const webhook_url = `http://127.0.0.1:${port}/hook?secret=a%20b`;
  const sent = { ...document(fake), webhook_url, metadata: 'order 7' };
  return (await server.ask('POST', '/v2/renders', sent)).body.id;
};

const arrived = (count: number): Promise<void> =>
  expect.poll(() => calls.length, { timeout: 5000 }).toBe(count);

const rest = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

test.each([
  ['succeeded', {}],
  ['failed', { end: 'fail' }],
] as const)('a render that %s is told once, with what the API answers', async (status, fake) => {
  const id = await create(fake);
  const record = await server.ended(id);
  expect(record.status).toBe(status);
  await arrived(1);
  await rest(300);
  expect(calls).toHaveLength(1);
  const [call] = calls;
  expect(call).toMatchObject({ method: 'POST', url: '/hook?secret=a%20b', body: record });
  expect(call!.body.metadata).toBe('order 7');
  expect(call!.headers).toMatchObject({ 'content-type': 'application/json' });
});

test('failures are tried again with growing pauses and the same ID', async () => {
  answers = [500, 0, 301, 204];
  await create();
  await arrived(4);
  await rest(300);
  expect(calls).toHaveLength(4);
  expect(calls.map(({ url }) => url)).toEqual(Array(4).fill('/hook?secret=a%20b'));
  expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const pauses = calls.slice(1).map(({ time }, index) => time - calls[index]!.time);
  expect(pauses[0]).toBeGreaterThanOrEqual(75);
  expect(pauses[1]).toBeGreaterThanOrEqual(150);
  expect(pauses[2]).toBeGreaterThanOrEqual(310);
});

test('after the last try, and after 410 at once, it is given up', async () => {
  answers = [500, 500, 500, 500, 500];
  await create();
  await arrived(4);
  await rest(600);
  expect(calls).toHaveLength(4);
  answers = [410];
  await create();
  await arrived(5);
  await rest(300);
  expect(calls).toHaveLength(5);
  expect(server.logged.filter((line) => line.includes('given up'))).toHaveLength(2);
});

test('a receiver that hangs does not hold up the renders', async () => {
  const hanging = createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const { port } = hanging.address() as AddressInfo; // listens on TCP
  const slow = { ...document(), webhook_url: `http://127.0.0.1:${port}/` };
  await server.ask('POST', '/v2/renders', slow);
  await create();
  await arrived(1);
  hanging.closeAllConnections();
  hanging.close();
});
