/** The secret of webhooks over HTTP: shown, replaced and revoked, and what receivers of real calls see of it. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '../../client/index.ts';
import type { WebhookSecretRecord } from '../../server/api/webhooks.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: TestServer;
let url = '';
let receive: (call: Call) => void = () => undefined;
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(204).end();
    receive({ headers: request.headers, body: Buffer.concat(parts).toString() });
  });
});
beforeAll(async () => {
  server = await startTestServer();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  receiver.close();
  await server.stop();
});

/** A call that a render of now makes. */
async function call(headers: Record<string, string> = {}): Promise<Call> {
  const received = new Promise<Call>((resolve) => (receive = resolve));
  const made = await server.ask(
    'POST',
    '/v2/renders',
    { source: document(), webhook_url: url },
    headers,
  );
  expect(made.status).toBe(202);
  return received;
}
const secret = async (headers?: Record<string, string>): Promise<WebhookSecretRecord> =>
  (await server.ask('GET', '/v2/webhook-secret', undefined, headers))
    .body as unknown as WebhookSecretRecord;
const rotate = async (): Promise<WebhookSecretRecord> =>
  (await server.ask('POST', '/v2/webhook-secret/rotate')).body as unknown as WebhookSecretRecord;
const isVerified = (given: string, received: Call): Promise<boolean> =>
  verifyWebhook({ secret: given, ...received }).then(
    ({ status }) => status === 'succeeded',
    (error: unknown) => {
      if (error instanceof WebhookError) return false;
      throw error;
    },
  );

test('rotated, both sign for a day; revoked, or the day over, only the new one does', async () => {
  const before = await secret();
  expect(before).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/) as string });
  expect(await isVerified(before.secret, await call())).toBe(true);

  const after = await rotate();
  expect(after.secret).not.toBe(before.secret);
  expect(await secret()).toEqual(after);
  const day = new Date(after.previous_until ?? '').getTime() - Date.now();
  expect(Math.abs(day - 24 * 60 * 60_000)).toBeLessThan(60_000);
  const both = await call();
  expect([await isVerified(after.secret, both), await isVerified(before.secret, both)]).toEqual([
    true,
    true,
  ]);

  await server.restart();
  expect(await secret()).toEqual(after);
  expect((await server.ask('DELETE', '/v2/webhook-secret/previous')).status).toBe(204);
  expect(await secret()).toEqual({ secret: after.secret });
  const one = await call();
  expect([await isVerified(after.secret, one), await isVerified(before.secret, one)]).toEqual([
    true,
    false,
  ]);
  // As often as one likes.
  expect((await server.ask('DELETE', '/v2/webhook-secret/previous')).status).toBe(204);
  // What the window shows is the same.
  const [project] = (await server.askWindow('GET', '/api/projects')).list as unknown as {
    webhookSecrets: string[];
  }[];
  expect(project?.webhookSecrets).toEqual([after.secret]);
});

test('is that of the project of the key', async () => {
  const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  const { keys } = made.body as unknown as { keys: { key: string }[] };
  const other = { authorization: `Bearer ${keys[0]!.key}` };
  const [mine, theirs] = [await secret(), await secret(other)];
  expect(mine.secret).not.toBe(theirs.secret);
  expect(await isVerified(theirs.secret, await call(other))).toBe(true);
  expect(await isVerified(mine.secret, await call(other))).toBe(false);
  await rotate();
  expect(await secret(other)).toEqual(theirs);
});

test('the start may name it: a new folder has that one alone, another one is replaced for a day', async () => {
  const [first, second] = ['a', 'b'].map(
    (word) => `whsec_${Buffer.from(word.repeat(24)).toString('base64')}`,
  );
  const named = await startTestServer({ webhookSecret: first! });
  const told = async (): Promise<unknown> => (await named.ask('GET', '/v2/webhook-secret')).body;
  try {
    expect(await told()).toEqual({ secret: first });
    await named.restart();
    expect(await told()).toEqual({ secret: first });
    await named.restart({ webhookSecret: second! });
    expect(await told()).toEqual({ secret: second, previous_until: expect.any(String) as string });
  } finally {
    await named.stop();
  }
});
