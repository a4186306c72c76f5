/** The headers Idempotency-Key and Prefer of requests for renders, over HTTP with a real server and store. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { retention } from '../../shared/limits.ts';
import { document, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
/** Added to the server's clock, ms. */
let later = 0;
beforeAll(async () => {
  server = await startTestServer({
    clock: { now: () => Date.now() + later, steady: () => performance.now() },
  });
});
afterAll(() => server.stop());

const create = (body: unknown, key: string, path = '/v2/renders'): Promise<Answer> =>
  server.ask('POST', path, body, { 'idempotency-key': key });
const count = async (): Promise<number> =>
  (await server.askWindow('GET', '/api/renders')).body.renders.length;
/** Ends by itself after 0.1 s, and has an error and a warning to tell. */
const faulty = document({}, { elements: [{ type: 'text', text: 'x', x: 'wide', colour: 'red' }] });
const long = document({ frames: 2_000, pause: 50 });

describe('the same request with the same key is one render', () => {
  test.each([
    ['v2', '/v2/renders', document(), 'one key'],
    ['v1, an array', '/v1/renders', { source: document() }, 'another key'],
    ['a key in quotes, as the draft writes it', '/v2/renders', document(), '"8e03978e-40d5"'],
    ['errors and warnings are told again', '/v2/renders', faulty, 'faulty'],
    [
      'long modifications come back',
      '/v2/renders',
      { source: document(), modifications: { Title: 'x'.repeat(5_000) } },
      'long',
    ],
    ['a large body', '/v2/renders', document({}, { note: 'y'.repeat(300_000) }), 'large'],
  ])('%s', async (_name, path, body, key) => {
    const before = await count();
    const first = await create(body, key, path);
    expect(first.status).toBe(202);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const [{ id } = first.body] = first.list;
    await server.ended(id);
    const second = await create(body, key, path);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(await count()).toBe(before + 1);
  });

  test('also after the server was ended and started again', async () => {
    const first = await create(faulty, 'durable');
    await server.restart();
    const second = await create(faulty, 'durable');
    const without = (answer: Answer): unknown => ({ ...answer.body, url: '' });
    expect(without(second)).toEqual(without(first));
    expect(second.body.errors.length).toBeGreaterThan(0);
  });

  test('many renders of one request', async () => {
    for (const name of ['A', 'B']) {
      await server.ask('POST', '/v2/templates', { name, source: document(), tags: ['once'] });
    }
    const first = await create({ tags: ['once'] }, 'tags', '/v1/renders');
    expect(first.list).toHaveLength(2);
    expect((await create({ tags: ['once'] }, 'tags', '/v1/renders')).text).toBe(first.text);
    // As if the program had ended, or the disk had been full, before the second was stored.
    const { id } = first.list[1] ?? first.body;
    await server.ended(id);
    await server.askWindow('POST', '/api/renders/remove', { ids: [id] });
    const third = await create({ tags: ['once'] }, 'tags', '/v1/renders');
    expect(third.list.map((one) => one.template_name).sort()).toEqual(['A', 'B']);
    expect(third.list[0]?.id).toBe(first.list[0]?.id);
    expect(third.headers.get('idempotent-replayed')).toBeNull();
    expect((await create({ tags: ['once'] }, 'tags', '/v1/renders')).text).toBe(third.text);
  });
});

test('another body or address with a used key is refused, and nothing is made', async () => {
  await create(document(), 'used');
  const before = await count();
  for (const answer of [
    await create(document({}, { width: 60 }), 'used'),
    await create(document({}, { note: 'z'.repeat(300_000) }), 'used'),
    await create({ source: document() }, 'used', '/v1/renders'),
  ]) {
    expect(answer.status).toBe(422);
    expect(answer.body.documentation).toContain('/docs/errors/idempotency-key-reused');
  }
  expect(await count()).toBe(before);
});

test('while the first request is being carried out, others with its key are told to wait', async () => {
  const before = await count();
  const body = document({}, { note: 'w'.repeat(2_000_000) });
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(body, 'at once')));
  const refused = answers.filter(({ status }) => status === 409);
  expect(answers.filter(({ status }) => status === 202).length).toBe(5 - refused.length);
  for (const { headers } of refused) expect(headers.get('retry-after')).toBe('1');
  expect(
    new Set(answers.filter(({ status }) => status === 202).map(({ body: { id } }) => id)).size,
  ).toBe(1);
  expect(await count()).toBe(before + 1);
});

test('a refused request uses no key; a dry run neither', async () => {
  const key = randomUUID();
  expect((await create({ ...document(), render_scale: 99 }, key)).status).toBe(400);
  expect((await create({ ...document(), dry_run: true }, key)).status).toBe(200);
  expect((await create(document(), key)).status).toBe(202);
});

test('a key stands for its request in its project, for a day', async () => {
  const { body: project } = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  const made = await server.askWindow('POST', `/api/projects/${project.id}/keys`, { name: 'k' });
  const { key } = made.body as unknown as { key: string };
  const first = await create(document(), 'mine');
  const other = await server.ask('POST', '/v2/renders', document(), {
    'idempotency-key': 'mine',
    authorization: `Bearer ${key}`,
  });
  expect([other.status, other.body.id === first.body.id]).toEqual([202, false]);
  later = retention.idempotencyKeys + 1_000;
  const next = await create(document(), 'mine');
  expect([next.status, next.body.id === first.body.id]).toEqual([202, false]);
  later = 0;
});

test.each([
  ['too long', 'k'.repeat(256)],
  ['empty', '""'],
  ['not ASCII', 'schlüssel'],
])('a key that is %s is refused by name', async (_name, key) => {
  const { status, body } = await create(document(), key);
  expect([status, body.hint]).toEqual([
    400,
    "The parameter 'Idempotency-Key' should be a string of 1 to 255 ASCII characters, with or without quotes, sent once.",
  ]);
});

describe('Prefer: wait', () => {
  test.each([
    ['wait=30', 'wait=30'],
    ['respond-async, wait="20"; x=1', 'wait=20'],
    ['wait=999999', 'wait=60'],
  ])('%s answers with the render that has ended', async (prefer, applied) => {
    const { status, body, headers } = await server.ask('POST', '/v2/renders', document(), {
      prefer,
    });
    expect([status, body.status, headers.get('preference-applied')]).toEqual([
      201,
      'succeeded',
      applied,
    ]);
  });

  test.each(['wait', 'wait=0', 'wait=-1', 'wait=x', 'respond-async', 'await=9'])(
    '%s waits for nothing',
    async (prefer) => {
      const { status, body, headers } = await server.ask('POST', '/v2/renders', document(), {
        prefer,
      });
      expect([status, body.status]).toEqual([202, 'planned']);
      expect(headers.get('preference-applied')).toBeNull();
    },
  );

  test('a render that takes longer is answered as it is then, and is not held up', async () => {
    const made = await server.ask('POST', '/v2/renders', long, { prefer: 'wait=1' });
    expect([made.status, made.headers.get('preference-applied')]).toEqual([202, 'wait=1']);
    expect(['waiting', 'rendering']).toContain(made.body.status);
    // Reading waits, too; and ends with the render.
    const read = server.ask('GET', `/v2/renders/${made.body.id}`, undefined, { prefer: 'wait=60' });
    expect((await server.ask('POST', `/v2/renders/${made.body.id}/cancel`)).body.status).toBe(
      'failed',
    );
    expect((await read).body.error_message).toBe('Render error: Cancelled');
  });

  test('a failed render is an answer as well; arrays wait for all of theirs', async () => {
    const failed = await server.ask('POST', '/v2/renders', faulty, { prefer: 'wait=30' });
    expect([failed.status, failed.body.status]).toEqual([201, 'failed']);
    const { status, list } = await server.ask(
      'POST',
      '/v1/renders',
      { tags: ['once'] },
      { prefer: 'wait=30' },
    );
    expect([status, list.map((one) => one.status)]).toEqual([201, ['succeeded', 'succeeded']]);
  });

  test('more than may wait are answered at once, and so is everyone when the server ends', async () => {
    const { body } = await server.ask('POST', '/v2/renders', long);
    let answered = 0;
    const reads = Array.from({ length: 60 }, () =>
      server
        .ask('GET', `/v2/renders/${body.id}`, undefined, { prefer: 'wait=60' })
        .finally(() => answered++),
    );
    while (answered < 10) await pause(10);
    await server.restart();
    const answers = await Promise.all(reads);
    const held = answers.filter(({ headers }) => headers.has('preference-applied'));
    expect(held).toHaveLength(50);
    await server.ask('POST', `/v2/renders/${body.id}/cancel`);
  });
});
