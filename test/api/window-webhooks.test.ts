/** Webhooks in the window: test receiver, test call, deliveries, sending again; the last two over the API as well. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  DeliveryCall,
  DeliveryRecord,
  ProjectRecord,
  ReceiverRecord,
} from '../../shared/api.ts';
import { receiverLimits } from '../../shared/limits.ts';
import { TestReceiver } from '../../server/jobs/webhooks/test-receiver.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ webhookPauses: [60_000] });
});
afterAll(() => server.stop());

// The `as` below name the forms that the window's path promises.

const receiver = async (): Promise<ReceiverRecord> =>
  JSON.parse((await server.askWindow('GET', '/api/webhook-receiver')).text) as ReceiverRecord;

const change = async (given: object): Promise<ReceiverRecord> =>
  JSON.parse(
    (await server.askWindow('PATCH', '/api/webhook-receiver', given)).text,
  ) as ReceiverRecord;

const deliveries = async (project = 'default'): Promise<DeliveryRecord[]> =>
  JSON.parse(
    (await server.askWindow('GET', `/api/projects/${project}/deliveries`)).text,
  ) as DeliveryRecord[];

const started = async (): Promise<string> => {
  const { url } = await change({ on: true, answer: 200 });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  await server.askWindow('DELETE', '/api/webhook-receiver/calls');
  return url!;
};

const testCall = async (url: string): Promise<DeliveryCall> =>
  JSON.parse(
    (await server.askWindow('POST', '/api/projects/default/webhook-test', { url })).text,
  ) as DeliveryCall;

test('a test call arrives at the receiver as a signed Render object, and nothing of it is stored', async () => {
  const url = await started();
  const before = await deliveries();
  expect((await testCall(`${url}some/path?x=1`)).result).toBe(200);
  const { calls } = await receiver();
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    method: 'POST',
    path: '/some/path?x=1',
    signature: 'right',
    answer: 200,
  });
  expect(JSON.parse(calls[0]!.body)).toMatchObject({ status: 'succeeded', output_format: 'mp4' });
  expect(calls[0]!.headers['webhook-id']).toMatch(/^msg_/);
  expect(await deliveries()).toEqual(before);
});

test('a render calls the address of its project; an answer that fails is seen, and it can be sent again', async () => {
  const url = await started();
  await server.askWindow('PATCH', '/api/projects/default', { webhookUrl: url });
  await change({ answer: 500 });
  const { id } = (await server.ask('POST', '/v2/renders', document())).body;
  const delivery = async (): Promise<DeliveryRecord | undefined> =>
    (await deliveries()).find(({ render }) => render === id);
  await expect.poll(async () => (await delivery())?.tries, { timeout: 5000 }).toBe(1);
  expect(await delivery()).toMatchObject({ state: 'waiting', project: 'default' });
  await change({ answer: 200 });
  const again = async (): Promise<void> => {
    await server.askWindow('POST', `/api/deliveries/${(await delivery())!.id}/retry`);
  };
  await again();
  await expect.poll(async () => (await delivery())?.state, { timeout: 5000 }).toBe('delivered');
  // One that has arrived, too: receivers are tried with it. The ID stays, so that they know it.
  await again();
  await expect.poll(async () => (await receiver()).calls.length, { timeout: 5000 }).toBe(3);
  await expect.poll(async () => (await delivery())?.state, { timeout: 5000 }).toBe('delivered');
  const { calls } = await receiver();
  expect(calls.map(({ answer }) => answer)).toEqual([200, 200, 500]);
  expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(calls.every(({ body }) => (JSON.parse(body) as { id: string }).id === id)).toBe(true);
  await server.askWindow('PATCH', '/api/projects/default', { webhookUrl: null });
});

test('each project sees its own deliveries only', async () => {
  const url = await started();
  const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  const other = JSON.parse(made.text) as ProjectRecord;
  const { id } = (
    await server.ask(
      'POST',
      '/v2/renders',
      { ...document(), webhook_url: url },
      { authorization: `Bearer ${other.keys[0]!.key}` },
    )
  ).body;
  await expect
    .poll(async () => (await deliveries(other.id)).map(({ render }) => render), { timeout: 5000 })
    .toEqual([id]);
  expect((await deliveries()).map(({ render }) => render)).not.toContain(id);
});

test('keys list the deliveries of their project, and send them again', async () => {
  const url = await started();
  const made = await server.askWindow('POST', '/api/projects', { name: 'Third' });
  const { keys } = JSON.parse(made.text) as ProjectRecord;
  const theirs = { authorization: `Bearer ${keys[0]!.key}` };
  await change({ answer: 500 });
  const order = { ...document(), webhook_url: url };
  const { id } = (await server.ask('POST', '/v2/renders', order, theirs)).body;
  const list = async (
    headers?: Record<string, string>,
  ): Promise<readonly Record<string, unknown>[]> =>
    (await server.ask('GET', '/v2/webhook-deliveries', undefined, headers))
      .list as unknown as Record<string, unknown>[];
  await expect.poll(async () => (await list(theirs))[0]?.['tries'], { timeout: 5000 }).toBe(1);
  const [first, ...others] = await list(theirs);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    render_id: id,
    url,
    state: 'waiting',
    next_try_at: expect.any(String) as string,
    calls: [{ status: 500 }],
  });
  expect((await list()).map(({ render_id }) => render_id)).not.toContain(id);

  const retry = `/v2/webhook-deliveries/${String(first!['id'])}/retry`;
  const refused = await server.ask('POST', retry);
  expect([refused.status, refused.body.hint]).toEqual([
    404,
    `There is no webhook delivery with the ID ${String(first!['id'])} that could be sent again.`,
  ]);
  await change({ answer: 200 });
  expect((await server.ask('POST', retry, undefined, theirs)).body).toMatchObject({ tries: 0 });
  await expect
    .poll(async () => (await list(theirs))[0]?.['state'], { timeout: 5000 })
    .toBe('delivered');
  const [ended] = await list(theirs);
  expect(ended).toMatchObject({ calls: [{ status: 500 }, { status: 200 }] });
  expect(ended).not.toHaveProperty('next_try_at');
});

test('signatures that are wrong or missing are told apart; a body of any length costs no memory', async () => {
  const url = await started();
  await fetch(url, { method: 'POST', body: '{}' });
  await fetch(url, {
    method: 'PUT',
    body: 'x',
    headers: { 'webhook-signature': 'v1,bm9uc2Vuc2U=' },
  });
  await fetch(url, { method: 'POST', body: 'y'.repeat(5_000_000) });
  for (let count = 0; count < receiverLimits.calls + 5; count++) await fetch(url);
  const after = await receiver();
  expect(after.calls).toHaveLength(receiverLimits.calls);
  await started();
  await fetch(url, { method: 'POST', body: '{}' });
  await fetch(url, {
    method: 'PUT',
    body: 'x',
    headers: { 'webhook-signature': 'v1,bm9uc2Vuc2U=' },
  });
  await fetch(url, { method: 'POST', body: 'y'.repeat(5_000_000) });
  const { calls } = await receiver();
  expect(calls.map(({ signature }) => signature)).toEqual(['none', 'wrong', 'none']);
  expect(calls[0]).toMatchObject({ bodyIsCut: true });
  expect(calls[0]!.body).toHaveLength(receiverLimits.bodyBytes);
});

test.each([410, 429, 500] as const)('it answers %d when told to', async (answer) => {
  const url = await started();
  await change({ answer });
  const response = await fetch(url, { method: 'POST', body: '{}' });
  expect(response.status).toBe(answer);
  expect(response.headers.get('retry-after')).toBe(answer === 429 ? '10' : null);
});

test('off, it is not reached; what arrived stays until it is cleared', async () => {
  const url = await started();
  await fetch(url, { method: 'POST', body: '{}' });
  expect((await change({ on: false })).url).toBeNull();
  await expect(fetch(url)).rejects.toThrow();
  expect((await receiver()).calls).toHaveLength(1);
  expect((await testCall(url)).result).toMatch(/^Not reached/);
});

test('while webhooks may not reach local addresses, it says so, and a test call is refused', async () => {
  const url = await started();
  expect((await receiver()).isReachable).toBe(true);
  await server.askWindow('PATCH', '/api/settings', { allowPrivateAddresses: false });
  expect((await receiver()).isReachable).toBe(false);
  const refused = await server.askWindow('POST', '/api/projects/default/webhook-test', { url });
  expect(refused.status).toBe(400);
  await server.askWindow('PATCH', '/api/settings', { allowPrivateAddresses: null });
});

test.each([
  ['PATCH', '/api/webhook-receiver', { answer: 302 }, 400],
  ['PATCH', '/api/webhook-receiver', { on: 'yes' }, 400],
  ['POST', '/api/projects/default/webhook-test', { url: 'file:///etc/passwd' }, 400],
  ['POST', '/api/projects/default/webhook-test', { url: 'http://169.254.169.254/' }, 400],
  ['POST', '/api/projects/none/webhook-test', { url: 'http://example.com/' }, 404],
] as const)('%s %s with %j is refused', async (method, path, body, status) => {
  expect((await server.askWindow(method, path, body)).status).toBe(status);
});

test('with its port taken it opens another one; closing twice is harmless', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo; // listens on TCP
  const clock = { now: Date.now, steady: () => performance.now() };
  const own = new TestReceiver({ secrets: () => [], clock, onChange: () => undefined, port });
  await Promise.all([own.turn(true), own.turn(true)]);
  expect(own.url).not.toBeNull();
  expect(own.url).not.toContain(`:${port}/`);
  await own.close();
  await own.close();
  expect(own.url).toBeNull();
  taken.close();
});
