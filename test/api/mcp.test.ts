/**
 * Agents: the official client writes, looks at and renders a document, over HTTP and over `framewright mcp`, in both
 * revisions of the protocol; and what hostile clients get. A real server with a real worker. Needs dist/.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Client } from '@modelcontextprotocol/client';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';
import { call, overHttp, overStdio, repaired, revisions } from './mcp-clients.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcp-test-'));
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A film as someone writes it who knows other programs; red, with a white title from its second second on. */
const faulty = {
  output_format: 'MP4',
  width: 320,
  height: 180,
  duration: 8,
  fps: 25,
  fill_color: '#ff0000',
  elements: [
    {
      type: 'text',
      name: 'Title',
      text: 'Hello',
      time: 1,
      width: '100%',
      height: '100%',
      text_align: 'center',
      verticalAlign: 'middle',
      color: '#ffffff',
      line_height: '1.2em',
      animations: [{ type: 'fade', durration: 0.5 }],
    },
  ],
};

/** Its size, and the colour of its upper left corner. */
async function look(picture: { bytes: Buffer; type: string } | null): Promise<{
  size: string;
  type: string;
  corner: readonly number[];
}> {
  const image = await loadImage(picture?.bytes ?? Buffer.alloc(0));
  const drawing = createCanvas(image.width, image.height).getContext('2d');
  drawing.drawImage(image, 0, 0);
  const { data } = drawing.getImageData(0, 0, 1, 1);
  return {
    size: `${image.width}×${image.height}`,
    type: picture?.type ?? '',
    corner: [...data.subarray(0, 3)].map((value) => Math.round(value / 64)),
  };
}

async function makeFilm(client: Client): Promise<void> {
  const guide = await call(client, 'read_docs', {});
  expect(guide.text).toContain('properties/text');
  expect((await call(client, 'read_docs', { section: 'animations/fade' })).text).toContain(
    '`fade`',
  );

  const found = await call(client, 'validate', { source: faulty });
  expect(found.facts).toMatchObject({ valid: false, more: 0 });
  const source = repaired(faulty, found);
  const { elements, ...rest } = source as { elements: [object] };
  expect(rest).toMatchObject({ output_format: 'mp4', frame_rate: 25 });
  expect(elements[0]).toMatchObject({
    x_alignment: '50%',
    y_alignment: '50%',
    fill_color: '#ffffff',
    line_height: '120%',
    animations: [{ type: 'fade', duration: 0.5 }],
  });
  const again = await call(client, 'validate', { source, strict: true });
  expect(again.facts).toEqual({ valid: true, errors: [], warnings: [], more: 0 });

  const frame = await call(client, 'preview_frame', { source, time: 3 });
  expect(await look(frame.picture)).toEqual({
    size: '320×180',
    type: 'image/jpeg',
    corner: [4, 0, 0],
  });
  expect(JSON.parse(frame.text)).toMatchObject({ time: 3, duration: 8 });
  const sheet = await call(client, 'contact_sheet', { source });
  expect(await look(sheet.picture)).toMatchObject({ type: 'image/jpeg', corner: [2, 2, 2] });
  expect(JSON.parse(sheet.text)).toMatchObject({ duration: 8, times: { length: 6 } });

  const saved = await call(client, 'save_template', { name: 'From an agent', source });
  const { id } = (saved.facts as { template: { id: string } }).template;
  const list = await call(client, 'list_templates', { search: 'agent' });
  expect(list.facts).toMatchObject({ pages: 1 });
  expect(list.text).toContain(id);
  const fields = await call(client, 'template_fields', { template_id: id });
  expect(fields.text).toContain('"key":"Title.text"');

  const asked = await call(client, 'render', {
    template_id: id,
    modifications: { Title: 'Made by an agent', fill_color: '#0000ff' },
  });
  const render = (asked.facts as { render: { id: string; status: string; url: string } }).render;
  expect(render.status).toBe('planned');
  let state: unknown = null;
  while (state !== 'succeeded') {
    const now = await call(client, 'get_render', { id: render.id });
    state = (now.facts as { render: { status: string } }).render.status;
    expect(state, now.text).not.toBe('failed');
  }
  const file = await fetch(render.url);
  expect(file.headers.get('content-type')).toBe('video/mp4');
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  const late = await call(client, 'cancel', { id: render.id });
  expect(late.facts).toMatchObject({ render: { status: 'succeeded', duration: 8 } });

  const changed = await call(client, 'save_template', { template_id: id, tags: ['done'] });
  expect(changed.facts).toMatchObject({ is_new: false, template: { tags: ['done'] } });

  const uris = (await client.listResources()).resources.map(({ uri }) => uri);
  expect(uris).toContain('framewright://schema');
  const { contents } = await client.readResource({ uri: 'framewright://samples/promo-square' });
  expect(contents[0]).toMatchObject({ mimeType: 'application/json' });
  const prompt = await client.getPrompt({ name: 'make_video', arguments: { idea: 'a film' } });
  expect(JSON.stringify(prompt.messages)).toContain('a film');
}

/** A render that takes a minute tells how far it is, and ends when it is cancelled. */
async function cancelFilm(client: Client): Promise<void> {
  const source = {
    output_format: 'mp4',
    width: 640,
    height: 640,
    frame_rate: 60,
    duration: 60,
    elements: [
      { type: 'shape', width: '50%', height: '50%', animations: [{ type: 'spin', duration: 60 }] },
    ],
  };
  const asked = await call(client, 'render', { source });
  const { id } = (asked.facts as { render: { id: string } }).render;
  const told: number[] = [];
  const ended = call(client, 'get_render', { id }, ({ progress }) => told.push(progress));
  await expect.poll(() => told.length, { timeout: 30_000 }).toBeGreaterThan(1);
  // It does not wait unless it is asked to.
  const now = await call(client, 'get_render', { id, wait: 0 });
  expect(now.facts).toMatchObject({ render: { status: 'rendering' } });
  await call(client, 'cancel', { id });
  const { facts } = await ended;
  expect(facts).toMatchObject({
    render: { status: 'failed', error_message: 'Render error: Cancelled' },
  });
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
}

describe.each(revisions)('makes a film, %s', (revision) => {
  test('over HTTP', async () => {
    const { apiUrl, apiKey } = server.running;
    const client = await overHttp(apiUrl, apiKey, revision);
    await makeFilm(client);
    await cancelFilm(client);
    await client.close();
  });

  test('over stdio', async () => {
    const { apiUrl, apiKey } = server.running;
    const { client } = await overStdio(folder, ['--url', apiUrl, '--key', apiKey], revision);
    await makeFilm(client);
    await cancelFilm(client);
    await client.close();
  });
});

test('pictures are jpgs: what is transparent shows grey, what is large shrinks', async () => {
  const { apiUrl, apiKey } = server.running;
  const client = await overHttp(apiUrl, apiKey, 'auto');
  const source = { output_format: 'png', width: 2000, height: 1000, elements: [] };
  const { picture, text } = await call(client, 'preview_frame', { source });
  expect(await look(picture)).toEqual({ size: '768×384', type: 'image/jpeg', corner: [2, 2, 2] });
  expect(text).toContain('transparent');
  const times = Array.from({ length: 12 }, (_, index) => index);
  const sheet = await call(client, 'contact_sheet', {
    source: { ...source, output_format: 'mp4', width: 1000, height: 2000, duration: 12 },
    times,
  });
  const { size } = await look(sheet.picture);
  expect(Math.max(...size.split('×').map(Number))).toBeLessThanOrEqual(768);
  expect(JSON.parse(sheet.text)).toMatchObject({ times });
  await client.close();
});

test('E21: texts that overflow or leave the picture are told of in pixels, before and after drawing', async () => {
  const { apiUrl, apiKey } = server.running;
  const client = await overHttp(apiUrl, apiKey, 'auto');
  const text = { type: 'text', font_size: 40, fill_color: '#fff', text_wrap: false };
  const elements = [
    { ...text, name: 'Wide', text: 'WWWWWWWWWW', width: 100, height: 80, track: 1 },
    { ...text, name: 'Low', text: 'low', y: 220, width: 300, height: 80, track: 2, time: 2 },
    { type: 'text', name: 'Fits', text: 'Fits', width: 200, height: 40, y: 40, track: 3 },
  ];
  const source = { output_format: 'mp4', width: 400, height: 200, duration: 4, elements };
  const checked = await call(client, 'validate', { source });
  expect(checked.facts).toMatchObject({ valid: true, more: 0, errors: [] });
  const told = (checked.facts['warnings'] as { path: string; message: string }[]).map(
    ({ path: at, message }) => `${at} ${message.replaceAll(/\d+ pixels/g, 'N pixels')}`,
  );
  expect(told).toContain('elements[0] The text is N pixels wider than its box');
  expect(told).toContain('elements[1] The text leaves the picture: N pixels at the bottom');
  expect(told.join()).not.toContain('elements[2]');
  const { text: facts } = await call(client, 'preview_frame', { source, time: 3 });
  expect(facts).toMatch(/Low: The text leaves the picture: \d+ pixels at the bottom/);
  await client.close();
});

test('E21: everything that can go wrong is found before a render, with repairs that end it', async () => {
  const { apiUrl, apiKey } = server.running;
  const client = await overHttp(apiUrl, apiKey, 'auto');
  const size = { output_format: 'mp4', width: 640, height: 360, duration: 2 };
  const text = { type: 'text', name: 'Title', text: 'Hello', font_size: 40, fill_color: '#fff' };
  const elements = [
    { ...text, x: '98%' },
    { type: 'image', name: 'Photo', source: 'gone.jpg' },
  ];
  const checked = await call(client, 'check', { source: { ...size, elements } });
  expect(checked.facts).toMatchObject({
    valid: false,
    more: 0,
    findings: [
      { level: 'error', code: 'media_missing', path: 'elements[1].source' },
      {
        level: 'warning',
        code: 'text_leaves_picture',
        fix: [{ op: 'add', path: '/elements/0/x' }],
      },
    ],
    estimate: { width: 640, height: 360, duration: 2 },
  });
  const [, { fix }] = checked.facts['findings'] as [object, { fix: [{ value: string }] }];
  const mended = { ...size, elements: [{ ...text, x: fix[0].value }] };
  const again = await call(client, 'check', { source: mended });
  expect(JSON.stringify(again.facts['findings'])).not.toContain('text_leaves_picture');
  expect(again.facts).toMatchObject({ valid: true });
  await client.close();
});

test('E21: files of the computer are added, named and saved over stdio, and templates and fonts are read', async () => {
  const { apiUrl, apiKey } = server.running;
  const { client } = await overStdio(folder, ['--url', apiUrl, '--key', apiKey], 'auto');
  copyFileSync(
    path.join(import.meta.dirname, '../fixtures/pattern.png'),
    path.join(folder, 'pattern.png'),
  );
  const added = await call(client, 'add_media', { file: 'pattern.png' });
  const { media } = added.facts as { media: { source: string } };
  expect(added.facts).toMatchObject({ media: { name: 'pattern.png', kind: 'image' } });
  expect((await call(client, 'list_media', { search: 'PATT' })).text).toContain(media.source);
  expect((await call(client, 'add_media', { file: 'gone.png' })).text).toBe(
    "file: gone.png can't be read",
  );
  const source = {
    output_format: 'png',
    width: 8,
    height: 8,
    hight: 1,
    elements: [{ type: 'image', name: 'Logo', source: media.source }],
  };
  const saved = await call(client, 'save_template', { name: 'With a file', source });
  expect(saved.facts).toMatchObject({ problems: [expect.stringContaining('hight')] });
  const { id } = (saved.facts as { template: { id: string } }).template;
  expect((await call(client, 'get_template', { template_id: id })).facts).toMatchObject({ source });
  // Files beside the agent go to the library; what is not there is named.
  const beside = {
    ...source,
    elements: [
      { type: 'image', name: 'Logo', source: './pattern.png' },
      { type: 'image', name: 'Other', source: 'gone.png' },
    ],
  };
  const changed = await call(client, 'save_template', { template_id: id, source: beside });
  expect(changed.facts).toMatchObject({
    problems: [
      expect.stringContaining('hight'),
      expect.stringContaining('the file does not exist (gone.png)'),
      expect.stringMatching(/^gone\.png is not beside/),
    ],
  });
  const now = await call(client, 'get_template', { template_id: id });
  expect(now.facts).toMatchObject({
    source: { elements: [{ source: media.source }, { source: 'gone.png' }] },
  });
  await call(client, 'save_template', { template_id: id, source });
  expect((await call(client, 'template_fields', { template_id: id })).text).toContain(
    `{"key":"Logo.source","name":"Logo","kind":"text","value":"${media.source}"}`,
  );
  expect((await call(client, 'list_fonts', { search: 'mont' })).text).toContain('"Montserrat"');
  const asked = await call(client, 'render', { source });
  const render = (asked.facts as { render: { id: string } }).render;
  const place = path.join('made', 'logo.png');
  const ended = await call(client, 'get_render', { id: render.id, save_to: place });
  expect(ended.facts).toMatchObject({ file: path.join(folder, place) });
  expect(statSync(path.join(folder, place)).size).toBeGreaterThan(50);
  await client.close();
});

test('E21: the list of tools is short', async () => {
  const { apiUrl, apiKey } = server.running;
  const client = await overHttp(apiUrl, apiKey, 'auto');
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(16);
  // 3,500 tokens.
  expect(JSON.stringify(tools).length).toBeLessThan(12_000);
  for (const { inputSchema, outputSchema = null } of tools) {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('9007199254740991');
  }
  await client.close();
});

test('a document of 5 MB is checked, drawn, stored and rendered, while others are answered', async () => {
  const { apiUrl, apiKey } = server.running;
  const { client } = await overStdio(folder, ['--url', apiUrl, '--key', apiKey], 'auto');
  const source = {
    output_format: 'png',
    width: 64,
    height: 36,
    fill_color: '#ff0000',
    elements: [{ type: 'text', name: 'Title', text: 'Hello', fontSize: 5, opacity: 0 }],
    _notes: 'x'.repeat(5_000_000),
  };
  const modifications = { fill_color: '#0000ff' };
  let others = 0;
  const state = { isDone: false };
  const asking = (async () => {
    const checked = await call(client, 'validate', { source });
    expect(checked.facts).toMatchObject({ valid: true, warnings: [{ code: 'unknown_property' }] });
    const { picture } = await call(client, 'preview_frame', { source, modifications });
    expect((await look(picture)).corner).toEqual([0, 0, 4]);
    const saved = await call(client, 'save_template', { name: 'Long', source });
    const { id } = (saved.facts as { template: { id: string } }).template;
    const asked = await call(client, 'render', { template_id: id, modifications });
    const render = (asked.facts as { render: { id: string } }).render;
    const ended = await call(client, 'get_render', { id: render.id });
    expect(ended.facts).toMatchObject({ render: { status: 'succeeded', width: 64 } });
    const direct = await call(client, 'render', { source });
    expect(direct.isError, direct.text).toBe(false);
  })().finally(() => (state.isDone = true));
  while (!state.isDone) {
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
    others += 1;
  }
  await asking;
  expect(others).toBeGreaterThan(20);
  await client.close();
});

describe('what a client may not do', () => {
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    send(`${server.running.apiUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.running.apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const ask = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const callOf = (name: string, args: unknown): object => ({
    ...ask,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  /** What it said of a call, over HTTP without any library. */
  const said = async (name: string, args: unknown): Promise<string> =>
    (await post(callOf(name, args))).text;

  test('come without the key, from a foreign page, or for another host', async () => {
    expect((await post(ask, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post(ask, { authorization: '' })).status).toBe(401);
    expect((await post(ask, { origin: 'https://example.com' })).status).toBe(403);
    expect((await post(ask, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post(ask)).status).toBe(200);
    // As curl asks.
    expect((await post(ask, { accept: '*/*' })).status).toBe(200);
    expect((await post(ask, { accept: 'text/html' })).status).toBe(406);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s: there are no sessions', async (method) => {
    const answer = await server.ask(method, '/mcp');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(answer.body.hint).toBe('/mcp takes POST only.');
  });

  const big = 'x'.repeat(200_000);
  test.each<[what: string, body: unknown, status: number, hint: RegExp]>([
    ['10 MB', callOf('validate', { source: { a: 'x'.repeat(10_100_000) } }), 413, /limit is 10 MB/],
    ['a long name', callOf('x'.repeat(200_000), {}), 400, /beside source.*at most 128 kB/],
    ['a long list', callOf('validate', { source: [big] }), 400, /beside source.*at most 128 kB/],
    ['no JSON', '{"jsonrpc":', 400, /not valid JSON/],
    ['a list', [ask, ask], 400, /Expected an object/],
    ['depth', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 400, /more than 64/],
    ['no message', { hello: 1 }, 400, /^$/],
  ])('send %s', async (_what, body, status, hint) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    // What the library refuses is a message of the protocol.
    if (hint.source === '^$') expect(answer.text).toContain('-32600');
    else expect(answer.body.hint).toMatch(hint);
  });

  test('listen for changes, of which none are told', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const { text } = await post(
      { ...ask, method, params: { _meta: meta, notifications: {} } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    );
    expect(text).toContain('limit reached');
  });

  test.each<[name: string, args: unknown, says: RegExp]>([
    ['nothing_such', {}, /Tool nothing_such not found/],
    ['validate', 5, /arguments/],
    ['validate', {}, /template_id.*goes into source/],
    ['validate', { source: [] }, /source: an object with RenderScript/],
    ['validate', { source: {}, template_id: 'x' }, /template_id: a valid template ID/],
    ['validate', { sauce: {} }, /sauce/],
    ['preview_frame', { source: { elements: 5 } }, /1 error.*elements.*validate lists/],
    ['preview_frame', { source: {}, time: -1 }, /time: a number of seconds from 0 on/],
    ['preview_frame', { source: {}, max_side: 4000 }, /max_side: a whole number from 16 to 768/],
    ['contact_sheet', { source: {}, times: Array(13).fill(0) }, /times: at most 12/],
    ['contact_sheet', { source: {}, times: [null] }, /times/],
    ['get_render', { id: '../../etc' }, /id: the ID of a render/],
    ['get_render', { id: '00000000-0000-4000-8000-000000000000' }, /no render/],
    ['get_render', { id: '00000000-0000-4000-8000-000000000000', wait: 46 }, /wait: .* 0 to 45/],
    ['template_fields', { template_id: '00000000-0000-4000-8000-000000000000' }, /list_templates/],
    ['read_docs', { section: 'fade' }, /did you mean 'animations\/fade'/],
    ['read_docs', { section: '__proto__' }, /a section that read_docs lists/],
    ['read_docs', { section: 'easings', page: 99 }, /page.*there is one page/],
    ['save_template', { name: 'No document' }, /'source' should be/],
    ['save_template', { template_id: '00000000-0000-4000-8000-000000000000' }, /at least one of/],
    ['render', { source: {}, output_format: 'exe' }, /output_format: one of these values/],
    ['render', { source: {}, modifications: 'x' }, /modifications: an object/],
    ['cancel', {}, /id/],
    ['add_media', { file: '/etc/passwd' }, /over stdio.*POST \/v2\/media/],
    [
      'get_render',
      { id: '00000000-0000-4000-8000-000000000000', save_to: '/tmp/x' },
      /over stdio.*its url/,
    ],
    ['get_template', { template_id: '00000000-0000-4000-8000-000000000000' }, /list_templates/],
  ])('call %s with %j', async (name, args, says) => {
    const text = await said(name, args);
    expect(text).toMatch(says);
    expect(text).toMatch(/"isError":true|"error":/);
  });

  test('get answers without end', async () => {
    const many = {
      output_format: 'png',
      width: 10,
      height: 10,
      elements: Array.from({ length: 1_000 }, (_, index) => ({
        type: 'text',
        name: `${'N'.repeat(index % 7 === 0 ? 60 : 3)}${index}`,
        fontSize: 1,
        line_height: '1em',
      })),
    };
    const long = {
      ...many,
      elements: [
        { type: 'text', name: 'N'.repeat(50_000), fill_color: 'x', ['k'.repeat(50_000)]: 1 },
      ],
    };
    for (const source of [many, long]) {
      expect((await said('validate', { source })).length).toBeLessThan(120_000);
      expect((await said('render', { source })).length).toBeLessThan(60_000);
      expect((await said('preview_frame', { source })).length).toBeLessThan(2_000);
      const saved = (await said('save_template', { name: 'Many', source })).match(
        /"id":"([0-9a-f-]{36})"/,
      );
      const fields = await said('template_fields', { template_id: saved?.[1] });
      expect(fields).toContain('"pages"');
      expect(fields.length).toBeLessThan(60_000);
    }
    const list = JSON.parse(
      /^data: (.*)$/m.exec(await said('validate', { source: many }))?.[1] ?? '',
    ) as {
      result: { structuredContent: { errors: unknown[]; warnings: unknown[]; more: number } };
    };
    const { errors, warnings, more } = list.result.structuredContent;
    expect([errors.length, warnings.length]).toEqual([50, 50]);
    expect(more).toBeGreaterThan(500);
    expect((await said('read_docs', { section: 'properties/text' })).length).toBeLessThan(30_000);
  });

  test('see or change what belongs to another project', async () => {
    const { body } = await server.askWindow('POST', '/api/projects', { name: 'Other' });
    const saved = await said('save_template', { name: 'Mine', source: {} });
    const [, id = ''] = /"id":"([0-9a-f-]{36})"/.exec(saved) ?? [];
    const made = await server.askWindow('POST', `/api/projects/${body.id}/keys`, { name: 'K' });
    const [, key = ''] = /"key":"([^"]+)"/.exec(made.text) ?? [];
    expect(key).not.toBe('');
    const other = { authorization: `Bearer ${key}` };
    expect((await post(callOf('list_templates', {}), other)).text).not.toContain(id);
    expect((await post(callOf('template_fields', { template_id: id }), other)).text).toMatch(
      /list_templates has the IDs/,
    );
  });
});
