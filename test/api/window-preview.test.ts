/**
 * The editor's private path: previews, drafts, saving without overwriting, renders with the public API's request. Needs
 * dist/.
 */
import { GlobalFonts } from '@napi-rs/canvas';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { WindowFonts, WindowTemplate } from '../../shared/api.ts';
import type { OpenedTemplate, SaveAnswer } from '../../shared/api/editor.ts';
import type { PreviewAnswer } from '../../shared/api/preview.ts';
import type { HandedOver } from '../../shared/handover.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(() => server.stop());

const card = {
  output_format: 'png',
  width: 120,
  height: 80,
  elements: [{ type: 'text', name: 'Title', text: 'Hello', fill_color: '#ffffff' }],
};

/** A request to the window's listener, read as what the test expects of it. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
async function ask<T>(
  method: string,
  target: string,
  body?: object,
): Promise<{ status: number; body: T }> {
  const { status, body: answer } = await server.askWindow(method, target, body);
  return { status, body: answer as T };
}

const preview = (
  more: object = {},
): Promise<{ status: number; body: PreviewAnswer & { hint?: string } }> =>
  ask('POST', '/api/preview', { client: 'test', source: card, time: 0, ...more });

async function template(): Promise<string> {
  const { body } = await server.ask('POST', '/v2/templates', {
    name: 'Card',
    tags: ['a'],
    source: card,
  });
  return body.id;
}

test('a picture that shows through comes as a png, with facts', async () => {
  const { status, body } = await preview({ side: 60 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ state: 'drawn', width: 60, height: 40, scale: 0.5, problems: [] });
  if (body.state !== 'drawn') throw new Error('unreachable');
  const bytes = Buffer.from(body.picture.replace('data:image/png;base64,', ''), 'base64');
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  // Pictures never lie on the disk.
  const left = await readdir(path.join(server.dataFolder, 'preview'));
  expect(left).toEqual(['media']);
});

test('font families: those that ship, and those that this computer has', async () => {
  const { body } = await ask<WindowFonts>('GET', '/api/fonts');
  expect(body.bundled).toEqual(expect.arrayContaining(['Aileron', 'Inter', 'Noto Sans JP']));
  // Without those that tests before it in this process have registered, these are the computer's.
  const own = GlobalFonts.families.map(({ family }) => family);
  const isTheirs = (name: string): boolean =>
    /^(?:\.|fw )/.test(name) || body.bundled.includes(name);
  const shown = own.filter((name) => !isTheirs(name));
  expect([...body.installed].sort()).toEqual(shown.sort());
  const warnings = async (family: string): Promise<string[]> => {
    const element = { ...card.elements[0], font_family: family };
    const { body: drawn } = await preview({ source: { ...card, elements: [element] } });
    if (drawn.state !== 'drawn') throw new Error(`expected drawn, found ${drawn.state}`);
    return drawn.warnings.map(({ code }) => code);
  };
  // What is offered is what drawing knows.
  expect(await warnings(body.bundled.at(-1)!)).toEqual([]);
  const [installed] = body.installed;
  if (installed !== undefined) expect(await warnings(installed)).toEqual(['installed_font']);
});

test('modifications and hidden elements change the picture', async () => {
  const pictures = await Promise.all(
    [{}, { modifications: { Title: 'Bye' } }, { hidden: ['elements[0]'] }].map(
      async (more, index) => {
        const { body } = await preview({ ...more, client: `c${index}` });
        return body.state === 'drawn' ? body.picture : body.state;
      },
    ),
  );
  expect(new Set(pictures).size).toBe(3);
  expect(pictures.every((picture) => picture.startsWith('data:'))).toBe(true);
});

test('a document with errors is answered with the checker’s list, and nothing is drawn', async () => {
  const source = { ...card, width: -1, elements: [{ ...card.elements[0], fill_color: 'dirt' }] };
  const { body } = await preview({ source });
  const dry = await server.ask('POST', '/v2/renders', { source, dry_run: true });
  if (body.state !== 'invalid') throw new Error(`expected invalid, found ${body.state}`);
  expect(
    body.problems.map(
      ({ element, property, message }) =>
        [element, property].filter((part) => part !== '').join('.') + `: ${message}`,
    ),
  ).toEqual(dry.body.errors);
});

test('wrong questions are refused in words', async () => {
  const wrong: [object, string][] = [
    [{ client: '' }, 'client'],
    [{ source: 'text' }, 'source'],
    [{ time: -1 }, 'time'],
    [{ side: 2000 }, 'side'],
    [{ hidden: 'elements[0]' }, 'hidden'],
    [{ modifications: [] }, 'modifications'],
  ];
  for (const [more, name] of wrong) {
    const { status, body } = await preview(more);
    expect([status, body.hint?.includes(name)], name).toEqual([400, true]);
  }
});

test('what is typed is handed over to other programs, with the markers and what is lost', async () => {
  const id = await template();
  const [title] = card.elements;
  const words = [{ time: 0.2, duration: 0.5, value: 'Hello.' }];
  const spoken = { ...title, name: 'Spoken', transcript_source: words };
  const lost = { type: 'image', name: 'Photo', source: 'gone.jpg' };
  const source = { ...card, output_format: 'mp4', duration: 1, elements: [spoken, lost] };
  const markers = [{ time: 0.5, name: 'Here', color: 'red' }];
  const handed = (form: string, more: object = {}): ReturnType<typeof ask<HandedOver>> =>
    ask('POST', `/api/editor/${id}/hand-over`, { form, name: 'Film', source, markers, ...more });
  const otio = await handed('otio');
  expect(JSON.parse(otio.body.text)).toMatchObject({
    name: 'Film',
    tracks: { markers: [{ name: 'Here' }] },
  });
  expect(otio.body.lost).toContainEqual({
    ...{ path: 'elements[1]', element: 'Photo', what: 'its file (The file does not exist)' },
  });
  expect((await handed('srt')).body).toEqual({
    text: '1\n00:00:00,200 --> 00:00:01,000\nHello.\n',
    lost: [],
  });
  for (const [form, more, status, hint] of [
    ['vtt', { source: card }, 422, 'found none'],
    ['edl', { source: { ...source, width: 'wide' } }, 400, 'The document has 1 error'],
    ['doc', {}, 400, 'one of srt, vtt, otio, edl'],
  ] as const) {
    const refused = await server.askWindow('POST', `/api/editor/${id}/hand-over`, {
      ...{ form, name: 'Film', source, markers, ...more },
    });
    expect([refused.status, refused.body.hint]).toEqual([status, expect.stringContaining(hint)]);
  }
});

test('the editor gets the template and its draft; saving lets go of the draft', async () => {
  const id = await template();
  const first = await ask<OpenedTemplate>('GET', `/api/editor/${id}`);
  expect(first.body).toMatchObject({
    template: { id, name: 'Card', tags: ['a'] },
    source: card,
    draft: null,
  });
  const { updatedAt } = first.body.template;
  const draft = { text: '{ "half": ', name: 'Card 2', tags: [], base: updatedAt };
  expect((await ask('PUT', `/api/editor/${id}/draft`, draft)).status).toBe(204);
  await server.restart();
  const again = await ask<OpenedTemplate>('GET', `/api/editor/${id}`);
  expect(again.body.draft).toMatchObject(draft);
  const source = { ...card, width: 200 };
  const saved = await ask<SaveAnswer>('PUT', `/api/editor/${id}`, {
    name: 'Card 2',
    tags: ['b'],
    source,
    base: updatedAt,
  });
  expect(saved.body).toMatchObject({ conflict: false, template: { name: 'Card 2' }, source });
  expect((await ask<OpenedTemplate>('GET', `/api/editor/${id}`)).body.draft).toBeNull();
  expect((await server.ask('GET', `/v2/templates/${id}`)).body).toMatchObject({
    name: 'Card 2',
    tags: ['b'],
    source,
  });
  await ask('PUT', `/api/editor/${id}/draft`, draft);
  expect((await ask('DELETE', `/api/editor/${id}/draft`)).status).toBe(204);
  expect((await ask<OpenedTemplate>('GET', `/api/editor/${id}`)).body.draft).toBeNull();
});

test('markers stay with the template: saved, in drafts, in copies, through changes of others and versions', async () => {
  const id = await template();
  const opened = async (which = id): Promise<OpenedTemplate> =>
    (await ask<OpenedTemplate>('GET', `/api/editor/${which}`)).body;
  const { template: first, markers: none } = await opened();
  expect(none).toEqual([]);
  const markers = [
    { time: 0.5, name: 'Drop', color: 'red' },
    { time: 2, name: '', color: 'blue' },
  ];
  const change = { name: 'Card', tags: [], source: { ...card, width: 210 } };
  const body = { ...change, markers, base: first.updatedAt };
  expect((await ask<SaveAnswer>('PUT', `/api/editor/${id}`, body)).body).toMatchObject({ markers });
  await server.restart();
  expect((await opened()).markers).toEqual(markers);
  // Neither other programs nor older windows know them, and neither takes them away.
  await server.ask('PATCH', `/v2/templates/${id}`, { source: { ...card, width: 220 } });
  await ask('PUT', `/api/editor/${id}`, { ...change, base: null });
  expect((await opened()).markers).toEqual(markers);
  expect((await server.ask('GET', `/v2/templates/${id}`)).body).not.toHaveProperty('markers');
  const copy = await ask<WindowTemplate>('POST', `/api/templates/${id}/duplicate`, { name: 'C' });
  expect((await opened(copy.body.id)).markers).toEqual(markers);
  const draft = { text: '{}', name: 'Card', tags: [], markers: markers.slice(1), base: 1 };
  await ask('PUT', `/api/editor/${id}/draft`, draft);
  expect((await opened()).draft).toMatchObject(draft);
  const wrong: readonly unknown[] = [
    'now',
    [{ time: -1, name: '', color: 'red' }],
    [{ time: 0, name: '', color: '#ff0000' }],
    [{ time: 0, name: 'x'.repeat(201), color: 'red' }],
    Array.from({ length: 1001 }, () => markers[0]),
  ];
  for (const one of wrong) {
    const refused = await ask('PUT', `/api/editor/${id}`, { ...change, markers: one, base: null });
    expect(refused.status, JSON.stringify(one).slice(0, 60)).toBe(400);
  }
  expect((await opened()).markers).toEqual(markers);
});

test('saving over someone else’s change is told, and done only when asked for', async () => {
  const id = await template();
  const { template: opened } = (await ask<OpenedTemplate>('GET', `/api/editor/${id}`)).body;
  await server.ask('PATCH', `/v2/templates/${id}`, { name: 'Theirs' });
  const mine = { name: 'Mine', tags: [], source: card };
  const refused = await ask<SaveAnswer>('PUT', `/api/editor/${id}`, {
    ...mine,
    base: opened.updatedAt,
  });
  expect(refused.body).toMatchObject({ conflict: true, template: { name: 'Theirs' } });
  expect((await server.ask('GET', `/v2/templates/${id}`)).body.name).toBe('Theirs');
  const forced = await ask<SaveAnswer>('PUT', `/api/editor/${id}`, { ...mine, base: null });
  expect(forced.body).toMatchObject({ conflict: false, template: { name: 'Mine' } });
});

test('renders are asked for as over the API: a dry run, then the real one', async () => {
  const id = await template();
  const body = { template_id: id, modifications: { Title: 'Sale' } };
  const dry = await server.askWindow('POST', `/api/editor/${id}/renders`, {
    ...body,
    dry_run: true,
  });
  expect(dry.body).toMatchObject({ valid: true, errors: [] });
  const wrong = await server.askWindow('POST', `/api/editor/${id}/renders`, {
    ...body,
    modifications: { 'Title.fill_color': 'dirt' },
    dry_run: true,
  });
  expect(wrong.body.errors).toEqual([expect.stringContaining('Title.fill_color')]);
  const made = await server.askWindow('POST', `/api/editor/${id}/renders`, body);
  expect(made.status).toBe(202);
  expect(await server.ended(made.body.id)).toMatchObject({
    status: 'succeeded',
    modifications: { Title: 'Sale' },
  });
});

test('what does not exist is not found', async () => {
  const none = '/api/editor/3f2c7a44-0000-4000-8000-000000000000';
  for (const [method, target, body] of [
    ['GET', none, undefined],
    ['PUT', none, { name: 'A', tags: [], source: card, base: null }],
    ['PUT', `${none}/draft`, { text: '', name: 'A', tags: [], base: 0 }],
    ['DELETE', `${none}/draft`, undefined],
    ['POST', `${none}/renders`, { dry_run: true }],
  ] as const) {
    expect((await ask(method, target, body)).status, `${method} ${target}`).toBe(404);
  }
});
