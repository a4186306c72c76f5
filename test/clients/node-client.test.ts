/**
 * The official Node client (npm `creatomate` 1.2.1, v1), unmodified, against a real server with the fake worker. Only
 * its base address is changed, which it keeps in a field.
 */
import {
  BadRequestError,
  Client,
  ConnectionError,
  CreatomateError,
  InsufficientCreditsError,
  InvalidApiKeyError,
  RateLimitExceededError,
  Source,
  Text,
} from 'creatomate';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let templateId: string;
beforeAll(async () => {
  server = await startTestServer();
  const sent = { name: 'Card', tags: ['promo'], source: document() };
  templateId = (await server.ask('POST', '/v2/templates', sent)).body.id;
  const other = { name: 'Other', tags: ['promo', 'square'], source: document() };
  await server.ask('POST', '/v2/templates', other);
});
afterAll(() => server.stop());

/** A client for a server at `url`. */
function clientFor(url: string, key = server.running.apiKey): Client {
  const client = new Client(key);
  // Private in TypeScript only.
  const { httpClient } = client as unknown as { httpClient: { defaults: { baseURL: string } } };
  httpClient.defaults.baseURL = `${url}/v1`;
  return client;
}
const client = (): Client => clientFor(server.running.apiUrl);

/** Its types know fewer formats than the API takes, and no document of plain JSON without them. */
type Options = Parameters<Client['render']>[0];
const plain = (source: object): Options => ({ source: source as Record<string, unknown> });

test('renders a plain document and waits for it', async () => {
  const [render, ...others] = await client().render({
    ...plain(document()),
    metadata: 'order 7',
    renderScale: 0.5,
  });
  expect(others).toEqual([]);
  expect(render).toMatchObject({
    status: 'succeeded',
    outputFormat: 'mp4',
    renderScale: 0.5,
    duration: 0.1,
    frameRate: 30,
    fileSize: 1000,
    metadata: 'order 7',
  });
  expect((await fetch(render!.url)).status).toBe(200);
});

test('renders a document built with its own classes', async () => {
  const source = new Source({
    outputFormat: 'png',
    width: 100,
    height: 50,
    elements: [new Text({ text: 'Hello', fontFamily: 'Inter', fillColor: '#fff' })],
  });
  const [render] = await client().render({ source });
  expect(render).toMatchObject({ status: 'succeeded', outputFormat: 'png', width: 100 });
});

test('renders a template with modifications, which come back as sent', async () => {
  const modifications = { Title: 'New', 'Title.fill_color': '#f00', count: 5, yes: true };
  // The types of the package know texts and numbers only; the API takes any JSON value.
  const sent = modifications as Record<string, unknown> as Record<string, string>;
  const [render] = await client().render({ templateId, modifications: sent });
  expect(render).toMatchObject({
    status: 'succeeded',
    templateId,
    templateName: 'Card',
    templateTags: ['promo'],
    modifications,
  });
});

test('renders every template with a tag', async () => {
  const renders = await client().render({ tags: ['promo'] });
  expect(renders.map(({ templateName, status }) => `${templateName} ${status}`).sort()).toEqual([
    'Card succeeded',
    'Other succeeded',
  ]);
  expect(await client().startRender({ tags: ['none'] })).toEqual([]);
});

test('a failed render comes back with its reason', async () => {
  const wrong = document({}, { elements: [{ type: 'text', name: 'Title', opacity: '20px' }] });
  const [render] = await client().render(plain(wrong));
  expect(render?.status).toBe('failed');
  expect(render?.errorMessage).toMatch(/^Source error: Title\.opacity: /);
  const [broken] = await client().render(plain(document({ end: 'fail' })));
  expect(broken).toMatchObject({
    status: 'failed',
    errorMessage: 'Source error: Clip.source: The server answered 404 Not Found',
  });
});

describe('each status is thrown as its error', () => {
  test('400 with the hint', async () => {
    const error: unknown = await client()
      .startRender({})
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BadRequestError);
    expect((error as Error).message).toMatch(/^Send a 'template_id'/);
    await expect(client().startRender({ templateId: 'abc' })).rejects.toThrow(
      "The parameter 'template_id' should be a valid template ID.",
    );
  });

  test('401', async () => {
    const other = clientFor(server.running.apiUrl, 'wrong');
    await expect(other.startRender({ templateId })).rejects.toBeInstanceOf(InvalidApiKeyError);
  });

  test('402', async () => {
    const poor = await startTestServer();
    try {
      const { apiUrl, apiKey } = poor.running;
      await poor.askWindow('PATCH', '/api/settings', { creditAllowance: 0 });
      const asked = clientFor(apiUrl, apiKey).startRender(plain(document()));
      await expect(asked).rejects.toBeInstanceOf(InsufficientCreditsError);
    } finally {
      await poor.stop();
    }
  });

  test('404 with the hint', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const error: unknown = await client()
      .fetchRender(id)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CreatomateError);
    expect(error).not.toBeInstanceOf(BadRequestError);
    expect((error as Error).message).toBe(`There is no render with the ID ${id}.`);
  });

  test('429', async () => {
    const limited = await startTestServer({ rateLimit: true });
    try {
      const { apiUrl, apiKey } = limited.running;
      const asked = Array.from({ length: 31 }, () =>
        clientFor(apiUrl, apiKey).startRender(plain(document())),
      );
      const results = await Promise.allSettled(asked);
      const reasons = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      );
      expect(reasons).toHaveLength(1);
      expect(reasons[0]).toBeInstanceOf(RateLimitExceededError);
    } finally {
      await limited.stop();
    }
  });

  test('no server', async () => {
    const closed = await new Promise<Server>((resolve) => {
      const listening = createServer().listen(0, '127.0.0.1', () => resolve(listening));
    });
    const { port } = closed.address() as AddressInfo; // listens on a port
    await new Promise((resolve) => closed.close(resolve));
    const other = clientFor(`http://127.0.0.1:${port}`);
    await expect(other.startRender({ templateId })).rejects.toBeInstanceOf(ConnectionError);
  });
});
