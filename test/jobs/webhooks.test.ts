/** Webhooks: a real receiver, a real server, the fake worker. */
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../server/system/clock.ts';
import type { DeliveryRecord, ProjectRecord } from '../../shared/api.ts';
import { document, startTestServer, type Body, type TestServer } from '../helpers/server.ts';

interface Call {
  url: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: Body;
  /** The body as it was sent. */
  text: string;
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
      const parsed = JSON.parse(body) as Body;
      calls.push({ url, method, headers, body: parsed, text: body, time: performance.now() });
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

/** What a receiver does with a call; it gets the request after its body. */
type Behaviour = (response: ServerResponse, call: Call) => void;

/** A receiver of its own, that counts its calls. */
async function receive(behaviour: Behaviour): Promise<{ url: string; calls: Call[] }> {
  const got: Call[] = [];
  const own = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', method = '', headers } = request;
      // The Render object, or the expectations fail.
      const call = { url, method, headers, body: JSON.parse(body) as Body, text: body, time: 0 };
      got.push(call);
      behaviour(response, call);
    });
  });
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  receivers.push(own);
  const { port } = own.address() as AddressInfo; // listens on TCP
  return { url: `http://127.0.0.1:${port}/`, calls: got };
}
const receivers: Server[] = [];
afterEach(() => {
  for (const own of receivers.splice(0)) {
    own.closeAllConnections();
    own.close();
  }
});

const createFor = async (webhook_url: string): Promise<string> =>
  (await server.ask('POST', '/v2/renders', { ...document(), webhook_url })).body.id;

const deliveryOf = async (id: string): Promise<DeliveryRecord | undefined> => {
  const { list } = await server.askWindow('GET', '/api/deliveries');
  return (list as unknown as DeliveryRecord[]).find(({ render }) => render === id);
};

test('F104: a receiver that hangs costs a try, not the render', async () => {
  await server.restart({ webhookPauses: [60_000], webhookTimeout: 300 });
  const { url, calls: got } = await receive(() => undefined);
  const id = await createFor(url);
  expect((await server.ended(id)).status).toBe('succeeded');
  await expect
    .poll(async () => (await deliveryOf(id))?.result, { timeout: 5000 })
    .toBe('No answer in 0.3 s');
  const delivery = await deliveryOf(id);
  expect(delivery).toMatchObject({ state: 'waiting', tries: 1 });
  const wait = delivery!.dueAt - Date.now();
  expect(wait).toBeGreaterThan(40_000);
  expect(wait).toBeLessThan(75_000);
  expect(got).toHaveLength(1);
});

test.each<[string, Behaviour, string]>([
  ['500', (response) => response.writeHead(500).end('broken'), 'Answered 500: broken'],
  ['404', (response) => response.writeHead(404).end(), 'Answered 404'],
  [
    'a redirect to itself',
    (response) => response.writeHead(301, { location: '/' }).end(),
    'Answered 301',
  ],
  ['an empty answer', (response) => response.socket?.end(), 'Not reached'],
  ['garbage', (response) => response.socket?.end('nonsense\r\n\r\n'), 'Not reached'],
])('F105: %s is a failure', async (_name, behaviour, result) => {
  await server.restart({ webhookPauses: [60_000] });
  const { url, calls: got } = await receive(behaviour);
  const id = await createFor(url);
  await expect
    .poll(async () => (await deliveryOf(id))?.result, { timeout: 5000 })
    .toContain(result);
  expect(await deliveryOf(id)).toMatchObject({ state: 'waiting', tries: 1 });
  expect(got).toHaveLength(1);
});

test('F105: of an endless answer only the beginning is read', async () => {
  await server.restart({ webhookPauses: [60_000] });
  let sent = 0;
  const { url } = await receive((response) => {
    response.writeHead(500);
    const part = Buffer.alloc(65_536, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(part)) sent += part.length;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const id = await createFor(url);
  await expect
    .poll(async () => (await deliveryOf(id))?.result?.length, { timeout: 5000 })
    .toBe(214);
  // What the system takes for a connection before anyone reads.
  expect(sent).toBeLessThan(20_000_000);
});

test('each call is written down: when, how it ended, how long it took; the newest 20', async () => {
  await server.restart({ webhookPauses: Array(21).fill(1) as number[], webhookTimeout: 100 });
  const behaviours: Behaviour[] = [
    () => undefined,
    (response) => response.writeHead(500).end('broken'),
    (response) => response.writeHead(204).end(),
  ];
  const { url, calls: got } = await receive((response, call) =>
    behaviours.shift()?.(response, call),
  );
  const id = await createFor(url);
  await expect.poll(async () => (await deliveryOf(id))?.state, { timeout: 5000 }).toBe('delivered');
  const { list } = await server.askWindow('GET', `/api/renders/${id}/deliveries`);
  const [delivery] = list as unknown as DeliveryRecord[];
  expect(delivery).toMatchObject({ tries: 3, result: 'Answered 204' });
  const told = delivery!.calls!;
  expect(told.map(({ result }) => result)).toEqual(['No answer in 0.1 s', 500, 204]);
  expect(told[0]!.duration).toBeGreaterThanOrEqual(95);
  expect(told.map(({ time }) => new Date(time).toISOString())).toEqual(
    told.map(({ time }) => time).sort(),
  );

  // What came before it was sent again stays, as far as there is room.
  behaviours.push(...Array<Behaviour>(22).fill((response) => response.writeHead(404).end()));
  const other = await createFor(url);
  await expect
    .poll(async () => (await deliveryOf(other))?.state, { timeout: 5000 })
    .toBe('given-up');
  const before = (await deliveryOf(other))!;
  expect([before.tries, before.calls!.length]).toEqual([22, 20]);
  behaviours.push((response) => response.end());
  await server.askWindow('POST', `/api/deliveries/${before.id}/retry`);
  await expect
    .poll(async () => (await deliveryOf(other))?.state, { timeout: 5000 })
    .toBe('delivered');
  const after = (await deliveryOf(other))!;
  expect(after.tries).toBe(1);
  expect(after.calls!.slice(0, -1)).toEqual(before.calls!.slice(1));
  expect(after.calls!.at(-1)!.result).toBe(200);
  expect(got).toHaveLength(3 + 22 + 1);
});

test('F106: 410 ends it at once', async () => {
  const { url, calls: got } = await receive((response) => response.writeHead(410).end());
  const id = await createFor(url);
  await expect.poll(async () => (await deliveryOf(id))?.state, { timeout: 5000 }).toBe('given-up');
  expect(await deliveryOf(id)).toMatchObject({ tries: 1, result: 'Answered 410' });
  expect(got).toHaveLength(1);
});

const hour = 3_600_000;
test.each<[string, () => string, number, number]>([
  ['seconds', () => '3600', hour, hour],
  ['a date', () => new Date(Date.now() + 2 * hour).toUTCString(), 2 * hour, 2 * hour],
  ['nonsense', () => 'soon', 8_000, 12_000],
  ['a minus', () => '-5', 8_000, 12_000],
  ['ten years', () => '315360000', 24 * hour, 24 * hour],
])('F107: Retry-After with %s', async (_name, header, least, most) => {
  await server.restart({ webhookPauses: [10_000] });
  const { url } = await receive((response) =>
    response.writeHead(429, { 'retry-after': header() }).end(),
  );
  const id = await createFor(url);
  await expect.poll(async () => (await deliveryOf(id))?.tries, { timeout: 5000 }).toBe(1);
  const { dueAt } = (await deliveryOf(id))!;
  expect(dueAt - Date.now()).toBeGreaterThan(least - 5000);
  expect(dueAt - Date.now()).toBeLessThanOrEqual(most);
});

test('F108: tries that were due while the program was closed happen once at start, spread out', async () => {
  let offset = 0;
  const clock: Clock = { now: () => Date.now() + offset, steady: () => performance.now() };
  await server.restart({ webhookPauses: [hour], clock });
  let status = 500;
  const receivers = await Promise.all(
    [0, 1, 2].map(() => receive((response) => response.writeHead(status).end())),
  );
  const ids = await Promise.all(receivers.map(({ url }) => createFor(url)));
  for (const id of ids) {
    await expect.poll(async () => (await deliveryOf(id))?.tries, { timeout: 5000 }).toBe(1);
  }
  status = 200;
  // The deliveries of the tests above are due by then as well, and take their turn.
  offset = 3 * hour;
  const start = performance.now();
  await server.restart({ webhookPauses: [hour], clock });
  for (const id of ids) {
    await expect
      .poll(async () => (await deliveryOf(id))?.state, { timeout: 20_000 })
      .toBe('delivered');
  }
  expect(performance.now() - start).toBeGreaterThan(900);
  expect(receivers.map(({ calls: got }) => got.length)).toEqual([2, 2, 2]);
}, 30_000);

test('F109: a success that was not stored any more is sent again with the same ID', async () => {
  const file = path.join(server.dataFolder, 'store', 'deliveries.db');
  let before = Buffer.alloc(0);
  const { url, calls: got } = await receive((response) => {
    before = readFileSync(file);
    response.end();
  });
  const id = await createFor(url);
  await expect.poll(async () => (await deliveryOf(id))?.state, { timeout: 5000 }).toBe('delivered');
  await server.running.close();
  writeFileSync(file, before);
  await server.restart();
  await expect.poll(() => got.length, { timeout: 5000 }).toBe(2);
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  // And one that ended with its render alone: the delivery itself was not stored yet.
  await server.running.close();
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.filter((line) => !line.includes(id)).join('\n'));
  await server.restart();
  await expect.poll(() => got.length, { timeout: 5000 }).toBe(3);
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('F110: many calls for one receiver go one after the other, and delay no other receiver', async () => {
  let busy = 0;
  let most = 0;
  const slow = await receive((response) => {
    most = Math.max(most, ++busy);
    setTimeout(() => {
      busy--;
      response.end();
    }, 30);
  });
  const quick = await receive((response) => response.end());
  const source = document();
  await server.askWindow('POST', '/api/queue/pause');
  for (let count = 0; count < 20; count++) {
    // They end at once: their document has a wrong value.
    await server.ask('POST', '/v2/renders', {
      ...source,
      elements: [{ type: 'shape', x: 'wrong' }],
      webhook_url: slow.url,
    });
  }
  await server.ask('POST', '/v2/renders', {
    ...source,
    elements: [{ type: 'shape', x: 'wrong' }],
    webhook_url: quick.url,
  });
  await expect.poll(() => quick.calls.length, { timeout: 5000, interval: 5 }).toBe(1);
  expect(slow.calls.length).toBeLessThan(20);
  await expect.poll(() => slow.calls.length, { timeout: 10_000 }).toBe(20);
  expect(most).toBe(1);
  await server.askWindow('POST', '/api/queue/resume');
});

test('F111: addresses that are never called are refused', async () => {
  const { port } = new URL(server.running.apiUrl);
  for (const url of [
    `${server.running.apiUrl}/v2/renders`,
    `http://localhost:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::1]:${port}/`,
    'file:///etc/passwd',
    'http://user:pw@example.com/',
    `http://example.com/${'x'.repeat(5000)}`,
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'nonsense',
  ]) {
    const { status } = await server.ask('POST', '/v2/renders', { ...document(), webhook_url: url });
    expect([url, status]).toEqual([url, 400]);
    const project = await server.askWindow('PATCH', '/api/projects/default', { webhookUrl: url });
    expect([url, project.status]).toEqual([url, 400]);
  }
});

test('F112: the signature is valid, and two are sent after the secret was replaced', async () => {
  const secrets = async (): Promise<readonly string[]> => {
    const { list } = await server.askWindow('GET', '/api/projects');
    return (list as unknown as ProjectRecord[])[0]!.webhookSecrets;
  };
  const [first] = await secrets();
  const { url, calls: got } = await receive((response) => response.end());
  await createFor(url);
  await expect.poll(() => got.length, { timeout: 5000 }).toBe(1);
  await server.askWindow('POST', '/api/projects/default/secret');
  const [second, before] = await secrets();
  expect(before).toBe(first);
  expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  await createFor(url);
  await expect.poll(() => got.length, { timeout: 5000 }).toBe(2);
  const signed = ({ headers, text: body }: Call, secret: string): string => {
    const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  };
  expect(got[0]!.headers['webhook-signature']).toBe(signed(got[0]!, first!));
  expect(got[1]!.headers['webhook-signature']).toBe(
    `${signed(got[1]!, second!)} ${signed(got[1]!, first!)}`,
  );
  const age = Date.now() / 1000 - Number(got[1]!.headers['webhook-timestamp']);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(10);
});

test('F113: without a network it waits as planned', async () => {
  await server.restart({ webhookPauses: [60_000] });
  const id = await createFor('http://no-such-host.invalid/hook');
  await expect
    .poll(async () => (await deliveryOf(id))?.result, { timeout: 8000 })
    .toContain('Not reached');
  expect(await deliveryOf(id)).toMatchObject({ state: 'waiting', tries: 1 });
  const retried = await server.askWindow(
    'POST',
    `/api/deliveries/${(await deliveryOf(id))!.id}/retry`,
  );
  expect(retried.status).toBe(200);
});

test("a project's own address is told of renders that name none", async () => {
  const { url, calls: got } = await receive((response) => response.end());
  const other = await receive((response) => response.end());
  await server.askWindow('PATCH', '/api/projects/default', { webhookUrl: url });
  const { body } = await server.ask('POST', '/v2/renders', document());
  await createFor(other.url);
  await expect.poll(() => other.calls.length, { timeout: 5000 }).toBe(1);
  await expect.poll(() => got.length, { timeout: 5000 }).toBe(1);
  expect(got[0]!.body).toMatchObject({ id: body.id, status: 'succeeded' });
  expect(got[0]!.body).not.toHaveProperty('webhook_url');
  await server.askWindow('PATCH', '/api/projects/default', { webhookUrl: null });
});

test('a receiver that hangs does not hold up the renders', async () => {
  let asked = 0;
  const hanging = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const { port } = hanging.address() as AddressInfo; // listens on TCP
  const slow = { ...document(), webhook_url: `http://127.0.0.1:${port}/` };
  await server.ask('POST', '/v2/renders', slow);
  await create();
  await arrived(1);
  await expect.poll(() => asked).toBe(1);
  hanging.closeAllConnections();
  hanging.close();
});
