/** Many renders in one request: each item has its own answer; bounds, keys, credits, and what a crash leaves. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListedRender } from '../../server/api/answer-schemas.ts';
import type { RenderBatch } from '../../server/api/render-batch.ts';
import type { RenderPage } from '../../server/api/render-list.ts';
import { requestLimits } from '../../shared/limits.ts';
import { cli } from '../helpers/cli.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const picture = { output_format: 'png', width: 16, height: 16, elements: [] };
/** A picture that no other test makes. */
const own = (metadata: string): object => ({ source: picture, metadata });

async function batch(
  renders: unknown,
  headers: Record<string, string> = {},
): Promise<Answer & { readonly batch: RenderBatch }> {
  const answer = await server.ask('POST', '/v2/renders/batch', { renders }, headers);
  return { ...answer, batch: answer.body as unknown as RenderBatch }; // checked by `ask`
}

/** The ID of a created one. */
const renderOf = (
  { batch: { results } }: { readonly batch: RenderBatch },
  index: number,
): string => {
  const result = results[index];
  if (!result || !('render' in result)) throw new Error(`no render at ${index}`);
  return result.render.id;
};

async function countOf(metadata: string): Promise<number> {
  const { text } = await server.ask('GET', `/v2/renders?metadata=${metadata}`);
  return (JSON.parse(text) as { renders: object[] }).renders.length;
}

test('those that come together share their pieces; a single one is cut for itself', async () => {
  const made = await batch([own('together'), own('together')]);
  const alone = await batch([own('alone')]);
  const isShared = (id: string): unknown =>
    server.running.services.store.renders.find(id)?.request.isShared;
  expect([0, 1].map((place) => isShared(renderOf(made, place)))).toEqual([true, true]);
  expect(isShared(renderOf(alone, 0))).toBeUndefined();
});

test('good ones are created, wrong ones say why, each in its place', async () => {
  const made = await server.ask('POST', '/v2/templates', { name: 'Card', source: picture });
  const { status, batch: told } = await batch([
    own('one'),
    { template_id: '00000000-0000-4000-8000-000000000000' },
    { ...picture, metadata: 'the document itself' },
    {},
    { source: picture, render_scale: 99 },
    { template_id: made.body.id, modifications: { nothing: 1 } },
    { source: { ...picture, width: 'wide' }, dry_run: true },
    { source: picture, webhook_url: 'file:///etc/passwd' },
    { source: { ...picture, width: 'wide' } },
  ]);
  expect(status).toBe(202);
  expect(told).toMatchObject({ accepted: 4, refused: 4 });
  expect(told.results).toMatchObject([
    { status: 202, render: { status: 'planned', metadata: 'one' } },
    { status: 404, error: { hint: expect.stringContaining('There is no template') as string } },
    { status: 202, render: { metadata: 'the document itself' } },
    { status: 400, error: { hint: expect.stringContaining("Send a 'template_id'") as string } },
    { status: 400, error: { hint: expect.stringContaining("'render_scale'") as string } },
    { status: 202, render: { template_name: 'Card', warnings: [expect.any(String)] } },
    { status: 200, check: { valid: false } },
    { status: 400, error: { hint: expect.stringContaining("'webhook_url'") as string } },
    { status: 202, render: { errors: [expect.stringContaining('width')] } },
  ]);
  for (const place of [0, 2, 5])
    expect((await server.ended(renderOf({ batch: told }, place))).status).toBe('succeeded');
});

test('an item gets what its own request would get', async () => {
  const item = { ...own('same'), modifications: { width: 20 }, render_scale: 0.5 };
  const single = (await server.ask('POST', '/v2/renders', item)).body;
  const { batch: told } = await batch([item]);
  const [result] = told.results;
  if (!result || !('render' in result)) throw new Error('refused');
  const { id, url } = single;
  expect({ ...result.render, id, url }).toEqual(single);
});

test('may be large: documents of megabytes, and modifications that are sent back', async () => {
  const text = 'x'.repeat(20_000);
  const elements = Array.from({ length: 40 }, (_, index) => ({
    type: 'text',
    name: `T${index}`,
    text,
  }));
  const large = { ...picture, elements };
  const modifications = { T1: 'y'.repeat(200_000) };
  const { batch: told } = await batch([
    { source: large, modifications },
    { ...large, metadata: 'as the body' },
    { source: 5 },
    { source: picture, other: 'x'.repeat(300_000) },
  ]);
  expect(told.results).toMatchObject([
    { status: 202, render: { modifications } },
    { status: 202, render: { metadata: 'as the body' } },
    { status: 400 },
    { status: 202, render: { warnings: ["'other' has no effect beside 'source'"] } },
  ]);
});

test('waits for all of them', async () => {
  const answer = await batch([own('w1'), own('w2'), {}], { prefer: 'wait=30' });
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, 'wait=30']);
  expect(answer.batch.results).toMatchObject([
    { status: 202, render: { status: 'succeeded' } },
    { status: 202, render: { status: 'succeeded' } },
    { status: 400 },
  ]);
  const none = await batch([{}], { prefer: 'wait=30' });
  expect([none.status, none.batch.accepted]).toEqual([202, 0]);
});

describe('what is no batch is refused as a whole, with what was found', () => {
  const what = `The parameter 'renders' should be an array of 1 to ${requestLimits.batch} objects; found`;
  const many = Array.from({ length: requestLimits.batch + 1 }, () => own('many'));
  test.each([
    ['nothing', undefined, 'nothing'],
    ['an object', {}, 'an object'],
    ['a text', 'x', 'a string'],
    ['null', null, 'null'],
    ['an empty list', [], '0'],
    ['too many', many, `${requestLimits.batch + 1}`],
    ['a million', Array.from({ length: 1_000_000 }, () => 1), '1000000'],
    ['a list of lists', [own('many'), []], 'an array at renders[1]'],
    ['a number among them', [own('many'), own('many'), 5], 'a number at renders[2]'],
  ])('%s', async (_what, renders, found) => {
    const answer = await server.ask('POST', '/v2/renders/batch', { renders });
    expect([answer.status, answer.body.hint]).toEqual([400, `${what} ${found}.`]);
    expect(await countOf('many')).toBe(0);
  });

  test('and so is a body that is too large, or no JSON', async () => {
    const large = await server.ask('POST', '/v2/renders/batch', {
      renders: 'x'.repeat(10_000_001),
    });
    expect(large.status).toBe(413);
    expect((await server.ask('POST', '/v2/renders/batch', '{"renders": [')).status).toBe(400);
  });
});

describe('with an Idempotency-Key', () => {
  const key = (text: string): Record<string, string> => ({ 'idempotency-key': text });

  test('a repeated batch gets the same renders, also after a restart', async () => {
    const items = [own('k1'), {}, own('k1'), own('k1')];
    const first = await batch(items, key('k1'));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    await server.restart();
    const again = await batch(items, key('k1'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const text = JSON.stringify(first.batch).replaceAll(/127\.0\.0\.1:\d+/g, '');
    expect(JSON.stringify(again.batch).replaceAll(/127\.0\.0\.1:\d+/g, '')).toBe(text);
    expect(await countOf('k1')).toBe(3);
  });

  test('what is missing is created: a refused item whose reason is gone, renders that a crash kept from being made', async () => {
    const template = '0a000000-0000-4000-8000-00000000000a';
    const items = [own('k2'), { template_id: template, metadata: 'k2' }, own('k2')];
    const first = await batch(items, key('k2'));
    expect(first.batch).toMatchObject({ accepted: 2, refused: 1 });
    await server.ask('POST', '/v2/templates', { id: template, name: 'Late', source: picture });
    const again = await batch(items, key('k2'));
    expect(again.batch).toMatchObject({ accepted: 3, refused: 0 });
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    for (const place of [0, 2]) expect(renderOf(again, place)).toBe(renderOf(first, place));
    expect(await countOf('k2')).toBe(3);
  });

  test('another request with it is refused, and so is one at the same time', async () => {
    const items = Array.from({ length: 20 }, () => own('k3'));
    const both = await Promise.all([batch(items, key('k3')), batch(items, key('k3'))]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(await countOf('k3')).toBe(20);
    expect((await batch([own('k3')], key('k3'))).status).toBe(422);
    expect((await server.ask('POST', '/v2/renders', own('k3'), key('k3'))).status).toBe(422);
  });
});

test('credits are counted item by item', async () => {
  const set = (creditAllowance: number | null): Promise<Answer> =>
    server.askWindow('PATCH', '/api/settings', { creditAllowance });
  await set(0);
  try {
    const none = await batch([own('c'), { ...own('c'), dry_run: true }]);
    expect(none.batch.results.map(({ status }) => status)).toEqual([402, 200]);
  } finally {
    await set(null);
  }
  expect((await batch([own('c')])).batch.accepted).toBe(1);
});

describe('a server that is killed in the middle of a batch', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-batch-'));
  const apiKey = 'a-key-for-the-batch-that-is-killed';
  let child: ChildProcess | null = null;
  let url = '';

  async function start(): Promise<void> {
    const args = ['--port', '0', '--window-port', '0', '--data', folder, '--api-key', apiKey];
    const started = spawn(process.execPath, [
      cli,
      'serve',
      ...args,
      '--no-samples',
      '--no-rate-limit',
    ]);
    child = started;
    for (;;) {
      if (started.exitCode !== null) throw new Error('the server ended');
      try {
        const text = readFileSync(path.join(folder, 'runtime.json'), 'utf8');
        const runtime = JSON.parse(text) as { pid: number; apiUrl: string };
        url = runtime.apiUrl;
        if (runtime.pid === started.pid) return;
      } catch {
        // Not written yet.
      }
      await pause(20);
    }
  }
  async function kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    child = null;
  }
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const list = async (): Promise<readonly ListedRender[]> => {
    const answer = await send(`${url}/v2/renders?limit=100`, { headers });
    return (JSON.parse(answer.text) as RenderPage).renders;
  };

  afterAll(async () => {
    await kill('SIGKILL');
    // A worker that outlives it for a moment may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  test('has whole renders or none, and the batch sent again makes the rest, none twice', async () => {
    await start();
    const renders = Array.from({ length: requestLimits.batch }, (_, index) => own(`${index}`));
    const post = (): Promise<Answer> =>
      send(`${url}/v2/renders/batch`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'killed' },
        body: JSON.stringify({ renders }),
      });
    const first = post().catch(() => null);
    while ((await list()).length < 3) await pause(1);
    await kill('SIGKILL');
    const answered = await first;
    await start();
    const before = await list();
    // Otherwise it was not in the middle.
    if (answered === null) expect(before.length).toBeLessThan(requestLimits.batch);
    expect(before.length).toBeGreaterThanOrEqual(3);
    const again = await post();
    const told = JSON.parse(again.text) as RenderBatch;
    expect([again.status, told.accepted, told.refused]).toEqual([202, requestLimits.batch, 0]);
    const after = await list();
    expect(after.map(({ metadata }) => Number(metadata)).sort((a, b) => a - b)).toEqual(
      renders.map((_, index) => index),
    );
    const ids = new Set(told.results.map((_, index) => renderOf({ batch: told }, index)));
    expect(ids.size).toBe(requestLimits.batch);
    for (const { id } of before) expect(ids.has(id)).toBe(true);
  });
});
