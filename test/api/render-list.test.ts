/**
 * The list of renders with filters and cursors, cancelling, and event streams, over HTTP with a real server and store.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListedRender } from '../../server/api/answer-schemas.ts';
import type { RenderPage } from '../../server/api/render-list.ts';
import { openLimits } from '../../shared/limits.ts';
import { eventsOf } from '../helpers/answers.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const page = async (query = ''): Promise<RenderPage> => {
  const { body } = await server.ask('GET', `/v2/renders${query}`);
  return body as unknown as RenderPage; // held against the document by `ask`
};
const idsOf = ({ renders }: RenderPage): string[] => renders.map(({ id }) => id);
const add = async (more: object = {}, fake: object = {}): Promise<string> =>
  (await server.ask('POST', '/v2/renders', { ...document(fake), ...more })).body.id;
const long = { frames: 2_000, pause: 50 };

describe('the list', () => {
  test('has the newest first, in pages that neither lose nor repeat one while others come and go', async () => {
    const made: string[] = [];
    for (let index = 0; index < 7; index++) made.unshift(await add());
    for (const id of made) await server.ended(id);
    const first = await page('?limit=3');
    expect(idsOf(first)).toEqual(made.slice(0, 3));
    // The render that the cursor stands for goes, and new ones come.
    await server.askWindow('POST', '/api/renders/remove', { ids: [made[2]] });
    await server.ended(await add());
    const second = await page(`?limit=3&cursor=${first.next_cursor}`);
    expect(idsOf(second)).toEqual(made.slice(3, 6));
    const third = await page(`?limit=3&cursor=${second.next_cursor}`);
    expect(idsOf(third)).toEqual(made.slice(6));
    expect(third.next_cursor).toBeUndefined();
    // As programs write parameters that nobody has filled in.
    expect(await page('?limit=&cursor=&status=&tag=&template_id=&created_after=')).toEqual(
      await page(''),
    );
  });

  test('is filtered, and filters go together with pages', async () => {
    const source = document();
    const { body: template } = await server.ask('POST', '/v2/templates', {
      name: 'Card',
      source,
      tags: ['a', 'b'],
    });
    const mine = await server.ask('POST', '/v2/renders', { template_id: template.id });
    const noted = await add({ metadata: 'order "7" \\ ü' });
    const failed = await add({}, { end: 'fail' });
    for (const id of [mine.body.id, noted, failed]) await server.ended(id);
    expect(idsOf(await page(`?template_id=${template.id}`))).toEqual([mine.body.id]);
    expect(idsOf(await page(`?template_id=${template.id.toUpperCase()}`))).toEqual([mine.body.id]);
    expect(idsOf(await page('?tag=b'))).toEqual([mine.body.id]);
    expect(idsOf(await page(`?metadata=${encodeURIComponent('order "7" \\ ü')}`))).toEqual([noted]);
    expect(idsOf(await page('?status=failed'))).toEqual([failed]);
    expect(idsOf(await page('?status=planned,rendering'))).toEqual([]);
    const all = await page('?limit=100');
    const pivot = all.renders[2]?.created_at ?? '';
    const after = await page(`?created_after=${encodeURIComponent(pivot)}&limit=100`);
    const before = await page(`?created_before=${encodeURIComponent(pivot)}&limit=100`);
    expect([...idsOf(after), all.renders[2]?.id, ...idsOf(before)]).toEqual(idsOf(all));
    const two = await page('?status=succeeded&limit=2');
    const next = await page(`?status=succeeded&limit=2&cursor=${two.next_cursor}`);
    expect(idsOf(two)).not.toContain(failed);
    expect(idsOf(two).filter((id) => idsOf(next).includes(id))).toEqual([]);
    expect(all.renders.every(({ finished_at: end }) => end !== undefined)).toBe(true);
  });

  test('shows nothing of other projects, and no long modifications', async () => {
    const { body: project } = await server.askWindow('POST', '/api/projects', { name: 'Other' });
    const made = await server.askWindow('POST', `/api/projects/${project.id}/keys`, { name: 'k' });
    const { key } = made.body as unknown as { key: string };
    const authorization = `Bearer ${key}`;
    const empty = await server.ask('GET', '/v2/renders', undefined, { authorization });
    expect(empty.body.renders).toEqual([]);
    const modifications = { Title: 'x'.repeat(5_000) };
    const { body } = await server.ask('POST', '/v2/renders', { source: document(), modifications });
    const [listed] = (await page('?limit=1')).renders;
    expect([listed?.id, listed?.modifications]).toEqual([body.id, undefined]);
    const foreign = await server.ask('POST', `/v2/renders/${body.id}/cancel`, undefined, {
      authorization,
    });
    expect(foreign.status).toBe(404);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['status=done', 'status'],
    ['cursor=..%2F', 'cursor'],
    ['created_after=yesterday', 'created_after'],
    ['template_id=5', 'template_id'],
    ['tag=a&tag=b', 'tag'],
  ])('refuses ?%s by name', async (query, name) => {
    const { status, body } = await server.ask('GET', `/v2/renders?${query}`);
    expect(status).toBe(400);
    expect(body.hint).toContain(`'${name}'`);
  });
});

describe('cancelling', () => {
  test('ends what runs and what waits, and leaves what has ended', async () => {
    const running = await add({}, long);
    const waiting = await add({}, long);
    for (const id of [waiting, running]) {
      const { status, body } = await server.ask('POST', `/v2/renders/${id}/cancel`);
      expect([status, body.status, body.error_message]).toEqual([
        200,
        'failed',
        'Render error: Cancelled',
      ]);
    }
    const done = await add();
    await server.ended(done);
    const { status, body } = await server.ask('POST', `/v2/renders/${done}/cancel`);
    expect([status, body.status]).toEqual([200, 'succeeded']);
    expect((await server.ask('POST', '/v2/renders/none/cancel')).status).toBe(404);
  });
});

/** Reads a stream of the API as it comes. */
async function follow(path: string): Promise<{
  readonly status: number;
  readonly text: () => string;
  readonly until: (found: (events: ReturnType<typeof eventsOf>) => boolean) => Promise<void>;
  readonly close: () => void;
}> {
  const { apiUrl, apiKey } = server.running;
  const ends = new AbortController();
  const response = await fetch(`${apiUrl}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: ends.signal,
  });
  let text = '';
  void (async () => {
    const decoder = new TextDecoder();
    // The chunks of a fetch are bytes.
    const chunks = (response.body ?? []) as AsyncIterable<Uint8Array>;
    for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  return {
    status: response.status,
    text: () => text,
    async until(found) {
      while (!found(eventsOf(text.slice(0, text.lastIndexOf('\n\n') + 2)))) await pause(10);
    },
    close: () => ends.abort(),
  };
}

describe('events', () => {
  test('of one render: as it is, its states and progress, and the end of the stream', async () => {
    const id = await add({}, { frames: 20, pause: 20 });
    const { text, headers } = await server.ask('GET', `/v2/renders/${id}/events`);
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = eventsOf(text);
    const states = events.flatMap(({ event, data }) =>
      event === 'render' ? [(data as ListedRender).status] : [],
    );
    expect(states.at(-1)).toBe('succeeded');
    expect(states).toContain('rendering');
    expect(events.some(({ event }) => event === 'progress')).toBe(true);
    // Who comes too late hears the end alone.
    const late = eventsOf((await server.ask('GET', `/v2/renders/${id}/events`)).text);
    expect(late.map(({ event }) => event)).toEqual(['render']);
    expect(late[0]?.data).toMatchObject({ id, status: 'succeeded', file_size: 1000 });
  });

  test('of all renders of the project', async () => {
    const stream = await follow('/v2/renders/events');
    await stream.until(([first]) => first?.event === 'ready');
    const id = await add({}, { end: 'fail' });
    await stream.until((events) =>
      events.some(({ data }) => (data as ListedRender).status === 'failed'),
    );
    await server.askWindow('POST', '/api/renders/remove', { ids: [id] });
    await stream.until((events) => events.some(({ event }) => event === 'removed'));
    const { body: project } = await server.askWindow('POST', '/api/projects', { name: 'Third' });
    const made = await server.askWindow('POST', `/api/projects/${project.id}/keys`, { name: 'k' });
    const { key } = made.body as unknown as { key: string };
    const { body: foreign } = await server.ask('POST', '/v2/renders', document(), {
      authorization: `Bearer ${key}`,
      prefer: 'wait=60',
    });
    const mine = await add();
    await stream.until((events) => events.some(({ data }) => (data as ListedRender).id === mine));
    expect(stream.text()).not.toContain(foreign.id);
    stream.close();
  });

  test('of a render that is removed, or not there', async () => {
    expect((await server.ask('GET', '/v2/renders/none/events')).status).toBe(404);
  });

  test('as many as there may be; a closed one makes place, and the end of the server ends all', async () => {
    const id = await add({}, long);
    const open = await Promise.all(
      Array.from({ length: openLimits.streams }, () => follow(`/v2/renders/${id}/events`)),
    );
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    const refused = await server.ask('GET', '/v2/renders/events');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    open[0]?.close();
    for (;;) {
      const next = await follow('/v2/renders/events');
      next.close();
      if (next.status === 200) break;
      await pause(10);
    }
    await server.restart();
    await server.ask('POST', `/v2/renders/${id}/cancel`);
  });

  test('are not kept in the list of requests', async () => {
    const { body } = await server.askWindow('GET', '/api/requests');
    expect(JSON.stringify(body)).not.toContain('event: render');
  });
});
