/** The text that a person saves to find out why something does not work: it tells much, and no secret. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

test('versions, state, settings, counts and the log, without keys and secrets', async () => {
  await server.ask('POST', '/v2/templates', { name: 'Private words', source: document() });
  const { id } = (await server.ask('POST', '/v2/renders', { source: document() })).body;
  await server.ended(id);
  server.running.services.log('warning', 'test', 'A line of the log');
  const { status, headers, text } = await server.askWindow('GET', '/api/diagnostics');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const titles = text.split('\n').filter((line) => line.startsWith('# '));
  expect(titles).toEqual(['# Program', '# State', '# Settings', '# Counts', '# Log']);
  for (const line of [
    `version: ${server.running.services.version}`,
    `dataFolder: ${server.dataFolder}`,
    `outputFolder: ${server.outputFolder}`,
    'templates: 1',
    'renders succeeded: 1',
    'queuePaused: false',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z warning test: A line of the log$/m);

  const token = new URL(server.running.windowUrl).hash.replace('#token=', '');
  const { projects } = server.running.services.store;
  const secrets = [server.running.apiKey, token, ...projects.secretsOf('default'), 'Private words'];
  for (const secret of secrets) expect(text).not.toContain(secret);
  const page = new URL(server.running.windowUrl).origin;
  expect((await fetch(`${page}/api/diagnostics`)).status).toBe(403);
});
