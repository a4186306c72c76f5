/** The window's private path: token, lists, actions, event stream, page. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WindowRender } from '../../shared/api.ts';
import type { ServerEvent } from '../../shared/events.ts';
import { document, send, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let page: string;
beforeAll(async () => {
  page = await mkdtemp(path.join(tmpdir(), 'framewright-page-'));
  await mkdir(path.join(page, 'assets'));
  await writeFile(path.join(page, 'index.html'), '<!doctype html><title>Window</title>');
  await writeFile(path.join(page, 'assets', 'main.js'), 'export {};');
  await writeFile(path.join(path.dirname(page), 'framewright-secret.txt'), 'secret');
  server = await startTestServer({ windowFolder: page });
});
afterAll(async () => {
  await server.stop();
  await rm(page, { recursive: true, force: true });
  await rm(path.join(path.dirname(page), 'framewright-secret.txt'));
});

const origin = (): string => new URL(server.running.windowUrl).origin;
const token = (): string => new URL(server.running.windowUrl).hash.replace('#token=', '');

test('data needs the token of the window, and no key', async () => {
  const wrong: Record<string, string>[] = [
    {},
    { 'x-framewright-token': 'nope' },
    { authorization: `Bearer ${server.running.apiKey}` },
  ];
  for (const headers of wrong) {
    expect((await send(`${origin()}/api/state`, { headers })).status).toBe(403);
  }
  expect((await server.askWindow('GET', '/api/state')).status).toBe(200);
  // Its own page may ask; others may not even with the token.
  const asPage = (from: string): Promise<{ status: number }> =>
    send(`${origin()}/api/state`, { headers: { 'x-framewright-token': token(), origin: from } });
  expect((await asPage(origin())).status).toBe(200);
  expect((await asPage('http://evil.example')).status).toBe(403);
  expect((await asPage(server.running.apiUrl)).status).toBe(403);
});

test('the state tells what the window needs to show', async () => {
  const { body } = await server.askWindow('GET', '/api/state');
  expect(body).toMatchObject({
    api: { url: server.running.apiUrl, key: server.running.apiKey },
    renderer: { state: 'idle' },
    queue: { waiting: 0, running: 0 },
    outputFolder: server.outputFolder,
    recovered: 0,
    notices: [],
  });
  expect(body.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(body.freeBytes).toBeGreaterThan(0);
});

test('a render in the list: record, times, progress, files', async () => {
  const source = document({ frames: 40, pause: 40, snapshot: true });
  const template = await server.ask('POST', '/v2/templates', { name: 'Card', source });
  const { body } = await server.ask('POST', '/v2/renders', { template_id: template.body.id });
  const shown = async (): Promise<WindowRender> => {
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    return renders.find(({ id }) => id === body.id)!;
  };
  // Progress may be ahead of what is stored, by one write.
  await expect.poll(shown).toMatchObject({
    name: 'Card',
    record: { status: 'rendering' },
    progress: { phase: 'rendering', frames: 40 },
    attempts: 1,
  });
  const record = await server.ended(body.id);
  const done = await shown();
  expect(done).toMatchObject({
    id: body.id,
    record,
    cancelled: false,
    filePath: `/renders/${body.id}.mp4`,
    picturePath: `/snapshots/${body.id}.jpg`,
  });
  expect(done.progress).toBeUndefined();
  // The window begins with the queue for those whose scripts ask; the API's own answers don't tell.
  expect([done.fromApi, Object.keys(record)]).toEqual([
    true,
    expect.not.arrayContaining(['fromApi']),
  ]);
  const own = await server.askWindow('POST', `/api/templates/${template.body.id}/render`);
  expect(own.body.fromApi).toBeUndefined();
  await server.ended(own.body.id);
  expect(done.startedAt).toBeGreaterThanOrEqual(done.createdAt);
  expect(done.finishedAt).toBeGreaterThanOrEqual(done.startedAt!);
  const file = await fetch(`${origin()}/renders/${body.id}.mp4`, {
    headers: { range: 'bytes=0-9' },
  });
  expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([206, 10]);
  expect((await fetch(`${origin()}/snapshots/${body.id}.jpg`)).status).toBe(200);
});

test('39: a person keeps a render, and lets it go; the API’s answers stay as they are', async () => {
  const { body } = await server.ask('POST', '/v2/renders', document());
  const record = await server.ended(body.id);
  const keep = (kept: boolean) =>
    server.askWindow('POST', `/api/renders/${body.id}/keep`, { kept });
  expect((await keep(true)).body).toMatchObject({ id: body.id, kept: true });
  expect((await server.ask('GET', `/v2/renders/${body.id}`)).body).toEqual(record);
  expect((await keep(false)).body.kept).toBeUndefined();
  const none = await server.askWindow('POST', '/api/renders/none/keep', { kept: true });
  expect(none.status).toBe(404);
});

test('rendering again makes a new render from the stored request', async () => {
  const sent = { ...document(), metadata: 'm', render_scale: 0.5 };
  const { body } = await server.ask('POST', '/v2/renders', sent);
  const first = await server.ended(body.id);
  const again = await server.askWindow('POST', `/api/renders/${body.id}/again`);
  expect(again.status).toBe(202);
  expect(again.body.id).not.toBe(body.id);
  const { id } = again.body;
  const url = first.url.replace(first.id, id);
  expect(await server.ended(id)).toEqual({ ...first, id, url });
  expect((await server.askWindow('POST', '/api/renders/none/again')).status).toBe(404);
});

test('a template is rendered as it is', async () => {
  const template = await server.ask('POST', '/v2/templates', {
    name: 'Plain',
    tags: ['x'],
    source: document(),
  });
  const { templates } = (await server.askWindow('GET', '/api/templates')).body;
  expect(templates[0]).toMatchObject({
    id: template.body.id,
    name: 'Plain',
    tags: ['x'],
    outputFormat: 'mp4',
    width: 100,
    height: 50,
  });
  const { status, body } = await server.askWindow(
    'POST',
    `/api/templates/${template.body.id}/render`,
  );
  expect(status).toBe(202);
  expect(await server.ended(body.id)).toMatchObject({
    status: 'succeeded',
    template_name: 'Plain',
  });
});

test('the event stream tells everything once, in order, numbered', async () => {
  let renderId = '';
  let fetchingId = '';
  const events = await readEvents(async () => {
    const source = document({ frames: 60, pause: 15 });
    const template = await server.ask('POST', '/v2/templates', { name: 'E', source });
    const { id } = template.body;
    const { body } = await server.ask('POST', '/v2/renders', { template_id: id });
    renderId = body.id;
    await server.ended(renderId);
    const image = { type: 'image', source: 'https://media.example/a.png' };
    const elsewhere = { ...document({ frames: 2 }), elements: [image] };
    fetchingId = (await server.ask('POST', '/v2/renders', { source: elsewhere })).body.id;
    await server.ended(fetchingId);
    await server.ask('DELETE', `/v2/templates/${id}`);
  }, 'template.removed');

  expect(events[0]!.type).toBe('hello');
  const numbers = events.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));

  const statusesOf = (id: string): string[] =>
    events.flatMap((event) =>
      'render' in event && event.render.id === id ? [event.render.record.status] : [],
    );
  expect(statusesOf(renderId)).toEqual(['planned', 'rendering', 'succeeded']);
  // For other computers alone.
  expect(statusesOf(fetchingId)).toEqual(['planned', 'waiting', 'rendering', 'succeeded']);
  const progress = events.flatMap((event) =>
    event.type === 'render.progress' && event.id === renderId ? [event.progress.percent] : [],
  );
  // About one second of drawing, four a second and one for each phase.
  expect(progress.length).toBeGreaterThan(2);
  expect(progress.length).toBeLessThan(9);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  const states = events.flatMap((event) =>
    event.type === 'server.state' ? [event.state.renderer.state] : [],
  );
  expect(states).toContain('rendering');
  expect(events.map(({ type }) => type)).toContain('template.created');
});

test('the page is served by name, with a strict policy', async () => {
  const index = await fetch(`${origin()}/`);
  expect(await index.text()).toContain('<title>Window</title>');
  expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = index.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const script = await fetch(`${origin()}/assets/main.js`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const outside = [
    '/..%2fframewright-secret.txt',
    '/assets/..%2f..%2fframewright-secret.txt',
    '/nothing',
  ];
  for (const target of outside) {
    const answer = await send(`${origin()}${target}`);
    expect(answer.status, target).toBe(404);
    expect(answer.text).not.toContain('secret\n');
  }
});

/** Follows the stream while `work` runs, until an event of a type arrives. */
async function readEvents(
  work: () => Promise<void>,
  last: ServerEvent['type'],
): Promise<ServerEvent[]> {
  const stop = new AbortController();
  const response = await fetch(`${origin()}/api/events`, {
    headers: { 'x-framewright-token': token() },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events: ServerEvent[] = [];
  const decoder = new TextDecoder();
  let text = '';
  let working: Promise<void> | undefined;
  for await (const part of response.body!) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      // The server's own form; a wrong one fails the expectations.
      if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)) as ServerEvent);
    }
    if (events.length > 0) working ??= work();
    if (events.some(({ type }) => type === last)) break;
  }
  await working;
  stop.abort();
  return events;
}
