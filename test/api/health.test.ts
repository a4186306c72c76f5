/** What programs that watch the server ask: /healthz, /readyz and /metrics, over the real one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(`${server.running.apiUrl}${path}`, { headers });
const withKey = (): Record<string, string> => ({
  authorization: `Bearer ${server.running.apiKey}`,
});

/** The value of a line of /metrics. */
const valueOf = ({ text }: Answer, name: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );

test('a server that runs says so without a key, as often as it is asked', async () => {
  const limited = await startTestServer({ rateLimit: true });
  try {
    const { apiUrl, apiKey } = limited.running;
    for (let count = 0; count < 40; count++) {
      expect((await send(`${apiUrl}/healthz`)).body).toEqual({ status: 'ok' });
      expect((await send(`${apiUrl}/readyz`)).body).toEqual({ status: 'ok', problems: [] });
    }
    const headers = { authorization: `Bearer ${apiKey}` };
    for (let count = 0; count < 40; count++)
      expect((await send(`${apiUrl}/metrics`, { headers })).status).toBe(200);
    expect((await limited.ask('GET', '/v2/renders')).status).toBe(200);
    const { text } = await limited.askWindow('GET', '/api/requests');
    expect(text).toContain('/v2/renders');
    expect(text).not.toMatch(/healthz|readyz|metrics/);
  } finally {
    await limited.stop();
  }
});

test.each(['/healthz', '/readyz', '/metrics'])(
  '%s is not for the pages of others',
  async (path) => {
    const answer = await ask(path, { ...withKey(), origin: 'https://example.com' });
    expect(answer.status).toBe(403);
  },
);

test('the numbers need a key', async () => {
  expect((await ask('/metrics')).status).toBe(401);
  expect((await ask('/metrics', { authorization: 'Bearer wrong' })).status).toBe(401);
});

test('the numbers are what happened since the first question', async () => {
  const first = await ask('/metrics', withKey());
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(valueOf(first, 'framewright_queue_waiting')).toBe(0);
  expect(valueOf(first, 'framewright_ready')).toBe(1);
  expect(first.text).toMatch(/^framewright_info\{version="[\d.]+"\} 1$/m);
  expect(valueOf(first, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  for (const source of [
    { output_format: 'mp4', duration: 0.1 },
    { output_format: 'png' },
    { output_format: 'gif', duration: 0.1, _fake: { end: 'fail' } },
  ]) {
    const { body } = await server.ask('POST', '/v2/renders', { source });
    await server.ended(body.id);
  }
  const then = await ask('/metrics', withKey());
  expect(valueOf(then, 'framewright_renders_ended_total{status="succeeded",format="mp4"}')).toBe(1);
  expect(valueOf(then, 'framewright_renders_ended_total{status="succeeded",format="png"}')).toBe(1);
  expect(valueOf(then, 'framewright_render_seconds_count{format="mp4"}')).toBe(1);
  expect(valueOf(then, 'framewright_http_request_seconds_count{method="POST",status="202"}')).toBe(
    3,
  );
});

test('the numbers say that the queue is paused', async () => {
  await server.askWindow('POST', '/api/queue/pause');
  await server.ask('POST', '/v2/renders', { source: { output_format: 'png' } });
  const paused = await ask('/metrics', withKey());
  expect(valueOf(paused, 'framewright_queue_paused')).toBe(1);
  expect(valueOf(paused, 'framewright_queue_waiting')).toBe(1);
});

const postgres = hasPostgres ? usePostgres() : null;
test.runIf(postgres?.isOurs === true)(
  'without its database a server runs and is not ready',
  async () => {
    const far = await startTestServer({ database: await postgres!.create() });
    try {
      const ready = (): Promise<Answer> => send(`${far.running.apiUrl}/readyz`);
      expect((await ready()).status).toBe(200);
      await postgres!.kill();
      await expect
        .poll(async () => (await ready()).body, { timeout: 20_000 })
        .toEqual({
          status: 'not ready',
          problems: ['records'],
        });
      expect((await send(`${far.running.apiUrl}/healthz`)).status).toBe(200);
      await postgres!.start();
      await expect.poll(async () => (await ready()).status, { timeout: 30_000 }).toBe(200);
    } finally {
      await far.stop();
    }
  },
  90_000,
);
