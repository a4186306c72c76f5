/**
 * Telling what happened: one listener that fails keeps nobody else from hearing of it, nor what was stored from being
 * done.
 */
import { afterEach, expect, test } from 'vitest';
import { EventBus } from '../../server/jobs/events.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer | null = null;
afterEach(() => server?.stop());

test('all listeners are called, in their order, also one that ends itself; what one throws is in the log', () => {
  const logged: string[] = [];
  const events = new EventBus(
    (level, place, text) => void logged.push(`${level} ${place} ${text}`),
  );
  const heard: string[] = [];
  const end = events.subscribe(() => {
    heard.push('first');
    end();
  });
  events.subscribe(() => {
    throw new TypeError('broken');
  });
  events.subscribe((_, number) => void heard.push(`last ${number}`));
  events.emit({ type: 'server.state' });
  events.emit({ type: 'server.state' });
  expect(heard).toEqual(['first', 'last 1', 'last 2']);
  expect(logged).toEqual([
    expect.stringMatching(/^error events .*TypeError: broken/s),
    expect.stringMatching(/^error events .*TypeError: broken/s),
  ]);
});

test('a listener that fails at every event: renders go through, webhooks are planned, the window is told', async () => {
  server = await startTestServer();
  const { events, store } = server.running.services;
  const heard: string[] = [];
  events.subscribe(() => {
    throw new Error('broken');
  });
  events.subscribe(({ type }) => void heard.push(type));
  const { id } = (
    await server.ask('POST', '/v2/renders', {
      ...document(),
      webhook_url: 'http://127.0.0.1:9/hook',
    })
  ).body;
  expect((await server.ended(id)).status).toBe('succeeded');
  await expect
    .poll(() => store.deliveries.list().filter(({ render }) => render === id).length)
    .toBe(1);
  expect(heard).toContain('render.updated');
  expect(server.logged.some((line) => line.includes('Error: broken'))).toBe(true);
});
