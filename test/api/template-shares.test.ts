/**
 * Templates as one file with media and fonts: through the API and the window's routes of real servers, with the real
 * worker.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportedTemplates, SharedTemplateFile, WindowMedia } from '../../shared/api.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { shareLimits } from '../../shared/limits.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';
import { listed, manifestOf, templateOf, zipOf } from '../helpers/shared-archive.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures');
const fontFile = path.join(
  import.meta.dirname,
  '../../resources/fonts/aileron-latin-700-normal.woff2',
);
/** With the media of the shipped templates. */
const samples = path.join(import.meta.dirname, '../../resources/samples');
const secret = 'a line that must not leave this computer';

let folder: string;
/** Of the sender. */
let media: string;
let sender: TestServer;
/** Another computer: without the sender's folders and library. */
let receiver: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  media = path.join(folder, 'media');
  mkdirSync(path.join(media, 'own'), { recursive: true });
  copyFileSync(path.join(fixtures, 'pattern.png'), path.join(media, 'own', 'Größe 1.png'));
  writeFileSync(path.join(media, 'words.srt'), '1\n00:00:00,000 --> 00:00:03,000\nfrom a file\n');
  copyFileSync(fontFile, path.join(media, 'brand.woff2'));
  writeFileSync(path.join(folder, 'secret.txt'), secret);
  symlinkSync(path.join(folder, 'secret.txt'), path.join(media, 'link.png'));
  const real = { forkWorker: () => forkWorker() };
  sender = await startTestServer({ ...real, mediaFolders: [media, samples] });
  receiver = await startTestServer(real);
});
afterAll(async () => {
  await sender.stop();
  await receiver.stop();
  await rm(folder, { recursive: true });
});

const bytesOf = (answer: Response): Promise<Buffer> =>
  answer.arrayBuffer().then((content) => Buffer.from(content));

/** @param also IDs of a kit's other templates. */
async function share(
  server: TestServer,
  id: string,
  also = '',
): Promise<{ answer: Response; file: Buffer }> {
  const { apiUrl, apiKey } = server.running;
  const answer = await fetch(`${apiUrl}/v2/templates/${id}/share?also=${also}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return { answer, file: await bytesOf(answer) };
}

function bring(server: TestServer, file: Buffer): Promise<Answer> {
  const { apiUrl, apiKey } = server.running;
  return send(`${apiUrl}/v2/templates/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/zip' },
    body: new Uint8Array(file),
  });
}

function windowRequest(
  server: TestServer,
  target: string,
  options: RequestInit,
): Promise<Response> {
  const { origin, hash } = new URL(server.running.windowUrl);
  const token = hash.replace('#token=', '');
  return fetch(`${origin}${target}`, { ...options, headers: { 'x-framewright-token': token } });
}

/** Adds a file to a library. */
async function addMedia(server: TestServer, name: string): Promise<WindowMedia> {
  const body = new Uint8Array(readFileSync(path.join(fixtures, name)));
  const answer = await windowRequest(server, `/api/media?name=${name}`, { method: 'POST', body });
  return (await answer.json()) as WindowMedia; // as the route says
}

async function mediaOf(server: TestServer): Promise<readonly WindowMedia[]> {
  // As above.
  return JSON.parse((await server.askWindow('GET', '/api/media')).text) as WindowMedia[];
}

/** The picture that a template renders to. The file itself names its template. */
async function pixelsOf(server: TestServer, id: string): Promise<Buffer> {
  const { list } = await server.ask('POST', '/v1/renders', { template_id: id });
  const { status, url } = await server.ended(list[0]!.id);
  expect(status).toBe('succeeded');
  const image = await loadImage(await bytesOf(await fetch(url)));
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return Buffer.from(context.getImageData(0, 0, image.width, image.height).data.buffer);
}

async function createTemplate(
  server: TestServer,
  source: object,
  name = 'Ümlaut "1"',
): Promise<string> {
  const { status, body } = await server.ask('POST', '/v2/templates', { name, tags: ['b'], source });
  expect(status).toBe(201);
  return body.id;
}

describe('a template goes to another computer', () => {
  test('with its pictures, font and captions, and renders to the same picture there', async () => {
    const library = await addMedia(sender, 'photo.jpg');
    const source = {
      output_format: 'png',
      width: 320,
      height: 180,
      fonts: [{ family: 'Brand', weight: 700, style: 'normal', source: 'brand.woff2' }],
      elements: [
        { type: 'image', source: 'own/Größe 1.png', width: '50%', x: '25%' },
        {
          type: 'image',
          source: `file:///${path.join(media, 'own', 'Größe 1.png').slice(1)}`,
          x: '60%',
          width: '20%',
        },
        { type: 'image', source: library.source, width: '50%', x: '75%', y: '75%' },
        { type: 'text', text: 'Brand', font_family: 'Brand', fill_color: '#fff', y: '20%' },
        {
          type: 'text',
          transcript_source: 'words.srt',
          fill_color: '#ff0',
          y: '80%',
          height: '20%',
          width: '90%',
        },
      ],
    };
    /** Without its font and captions. */
    const bare = { ...source, fonts: [], elements: source.elements.slice(0, 4) };
    const id = await createTemplate(sender, source);
    const { answer, file } = await share(sender, id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="_mlaut 1.framewright"; filename*=UTF-8''%C3%9Cmlaut%201.framewright`,
    );
    expect(answer.headers.get('share-missing')).toBeNull();
    const parts = Object.keys(unzipSync(file)).sort();
    expect(parts).toEqual([
      'files/1-brand.woff2',
      'files/2-Größe 1.png',
      'files/3-photo.jpg',
      'files/4-words.srt',
      'manifest.json',
      'template.json',
    ]);

    const { status, body } = await bring(receiver, file);
    expect([status, body.name, body.tags]).toEqual([201, 'Ümlaut "1"', ['b']]);
    expect(body.id).not.toBe(id);
    expect(JSON.stringify(body.source)).not.toContain('own/');
    const kept = await mediaOf(receiver);
    expect(kept.map(({ name }) => name).sort()).toEqual(['Größe 1.png', 'photo.jpg']);
    const [first, second] = await Promise.all([pixelsOf(sender, id), pixelsOf(receiver, body.id)]);
    expect(first.equals(second)).toBe(true);
    expect(first.equals(await pixelsOf(sender, await createTemplate(sender, bare)))).toBe(false);

    // From there it goes on, again with everything; and a second import keeps nothing twice.
    const { file: next } = await share(receiver, body.id);
    expect(Object.keys(unzipSync(next))).toHaveLength(6);
    expect((await bring(receiver, next)).status).toBe(201);
    expect(await mediaOf(receiver)).toHaveLength(2);
  });

  test('without files that renders may not read: they stay addresses, and are named', async () => {
    const outside = path.join(folder, 'secret.txt');
    const addresses = [outside, '../secret.txt', 'link.png', 'gone.png', 'own', 'media:none'];
    const web = 'https://media.invalid/logo.png';
    const elements = [...addresses, web].map((source) => ({ type: 'image', source }));
    const id = await createTemplate(sender, { output_format: 'png', elements });
    const { answer, file } = await share(sender, id);
    expect(answer.status).toBe(200);
    const named = JSON.parse(
      decodeURIComponent(answer.headers.get('share-missing') ?? ''),
    ) as string[];
    expect(named).toHaveLength(addresses.length);
    for (const address of addresses) expect(named.join('\n')).toContain(`${address}: `);
    expect(file.includes(secret)).toBe(false);
    expect(Object.keys(unzipSync(file)).sort()).toEqual(['manifest.json', 'template.json']);
    const { body } = await bring(receiver, file);
    expect(body.source).toEqual({ output_format: 'png', elements });
  });

  test('only with the key of its project, and under a key that every reader has', async () => {
    const id = await createTemplate(sender, { elements: [] });
    const { apiUrl } = sender.running;
    expect((await fetch(`${apiUrl}/v2/templates/${id}/share`)).status).toBe(401);
    const made = await sender.askWindow('POST', '/api/projects', { name: 'Other' });
    const { keys } = JSON.parse(made.text) as { keys: { key: string }[] };
    const headers = { authorization: `Bearer ${keys[0]!.key}` };
    const other = await sender.ask('GET', `/v2/templates/${id}/share`, undefined, headers);
    expect(other.status).toBe(404);
    expect((await sender.ask('GET', '/v2/templates/none/share')).status).toBe(404);
  });
});

describe('a bad file', () => {
  const picture = readFileSync(path.join(fixtures, 'photo.jpg'));
  const row = listed('files/1-photo.jpg', picture);
  const good = [{ name: 'files/1-photo.jpg', content: picture }, manifestOf([row])];
  const notJson = { name: 'template.json', content: '{"name": "x", "source": {' };
  const cases: Readonly<Record<string, readonly [Buffer, string]>> = {
    'is no archive': [Buffer.from('{}'), 'it is no zip archive, or was cut off'],
    'was cut off': [
      zipOf([...good, templateOf({})]).subarray(0, -40),
      'it is no zip archive, or was cut off',
    ],
    'has no template': [zipOf(good), "it contains no 'template.json'"],
    'has a template without a name': [
      zipOf([...good, templateOf({ elements: [] }, '')]),
      'its template is not complete',
    ],
    'has a template that is not JSON': [zipOf([...good, notJson]), "its template can't be read"],
    'leads upwards': [
      zipOf([{ name: '../../evil', content: 'x' }, ...good, templateOf({})]),
      "it contains a file with the name '../../evil'",
    ],
    'has a file that is no picture, sound or video': [
      zipOf([
        { name: 'files/1-run.sh', content: '#!/bin/sh\nrm -rf ~' },
        templateOf({ elements: [] }),
        manifestOf([listed('files/1-run.sh', Buffer.from('#!/bin/sh\nrm -rf ~'))]),
      ]),
      "'files/1-run.sh':",
    ],
    'has a bomb': [
      zipOf([
        { name: 'files/1-a.png', content: Buffer.alloc(90_000_000), deflate: true },
        templateOf({ elements: [] }),
        manifestOf([listed('files/1-a.png', Buffer.alloc(90_000_000))]),
      ]),
      'it would be 91 MB when unpacked',
    ],
  };
  test.each(Object.entries(cases))('that %s changes nothing', async (_what, [file, reason]) => {
    const templates = (await receiver.ask('GET', '/v2/templates')).list.length;
    const before = (await mediaOf(receiver)).length;
    const { status, body } = await bring(receiver, file);
    expect([status, body.hint]).toEqual([400, expect.stringContaining(reason)]);
    expect((await receiver.ask('GET', '/v2/templates')).list).toHaveLength(templates);
    expect(await mediaOf(receiver)).toHaveLength(before);
    expect(readdirSync(path.join(receiver.dataFolder, 'media', 'uploads'))).toEqual([]);
  });

  test('that stops half-way leaves nothing; one that is announced as too large is refused at once', async () => {
    const { apiUrl, apiKey } = receiver.running;
    const begin = (length: number): ReturnType<typeof httpRequest> =>
      httpRequest(`${apiUrl}/v2/templates/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-length': length },
      });
    const half = begin(1_000_000);
    half.on('error', () => undefined);
    half.write(Buffer.alloc(300_000));
    const uploads = path.join(receiver.dataFolder, 'media', 'uploads');
    await expect.poll(() => readdirSync(uploads).length).toBe(1);
    half.destroy();
    await expect.poll(() => readdirSync(uploads)).toEqual([]);

    const refused = await new Promise<number | undefined>((resolve, reject) => {
      const large = begin(5_000_000_000);
      large.on('error', reject);
      large.on('response', ({ statusCode }) => {
        resolve(statusCode);
        large.destroy();
      });
      large.write('PK');
    });
    expect(refused).toBe(413);
  });

  test('that turns out too large on its way is refused with an answer, and leaves nothing', async () => {
    const { apiUrl, apiKey } = receiver.running;
    const { bytes } = shareLimits;
    try {
      Object.assign(shareLimits, { bytes: 100_000 });
      const refused = await new Promise<string>((resolve, reject) => {
        const sent = httpRequest(`${apiUrl}/v2/templates/import`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'transfer-encoding': 'chunked' },
        });
        sent.on('error', reject);
        sent.on('response', (answer) => {
          answer.setEncoding('utf8').on('data', (text) => resolve(`${answer.statusCode} ${text}`));
        });
        // More than the sockets hold: only who reads on lets it end.
        for (let piece = 0; piece < 20; piece++) sent.write(Buffer.alloc(1_000_000));
        sent.end();
      });
      expect(refused).toMatch(/^413 .*The body has more than 0\.1 MB; the limit is 0\.1 MB\./);
      expect(readdirSync(path.join(receiver.dataFolder, 'media', 'uploads'))).toEqual([]);
    } finally {
      Object.assign(shareLimits, { bytes });
    }
  });
});

test('the window loads a file once from its address, and imports into the project that it shows', async () => {
  const library = await addMedia(sender, 'numbers.mp4');
  const elements = [
    { type: 'video', source: library.source },
    { type: 'image', source: 'gone.png' },
  ];
  const id = await createTemplate(sender, { elements }, 'Film');
  const asked = await sender.askWindow('POST', `/api/templates/${id}/share`);
  const facts = JSON.parse(asked.text) as SharedTemplateFile;
  expect(facts).toMatchObject({
    files: 1,
    missing: [{ source: 'gone.png', reason: 'The file does not exist' }],
  });
  expect(facts.bytes).toBeGreaterThan(library.bytes);
  const { origin } = new URL(sender.running.windowUrl);
  const loaded = await fetch(`${origin}${facts.path}`);
  const file = await bytesOf(loaded);
  expect(Object.keys(unzipSync(file))).toContain('files/1-numbers.mp4');
  expect((await fetch(`${origin}${facts.path}`)).status).toBe(404);

  const body = new Uint8Array(file);
  const post = (target: string): Promise<Response> =>
    windowRequest(receiver, `/api/templates/import?project=${target}`, { method: 'POST', body });
  expect((await post('none')).status).toBe(404);
  const answer = await post('default');
  const imported = (await answer.json()) as ImportedTemplates;
  expect([answer.status, imported.templates[0]?.name, imported.files]).toEqual([201, 'Film', 1]);
  expect(imported.missing).toEqual(facts.missing);
  // 34: people tell templates apart by their names.
  const again = (await (await post('default')).json()) as ImportedTemplates;
  expect(again.templates[0]?.name).toBe('Film 2');
  const unauthorized = await fetch(
    `${new URL(receiver.running.windowUrl).origin}/api/templates/import?project=default`,
    { method: 'POST', body },
  );
  expect(unauthorized.status).toBe(403);
});

describe('a kit', () => {
  interface Kit {
    readonly templates: readonly { readonly id: string; readonly name: string }[];
    readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
    readonly brand: boolean;
  }

  test('has the same content once, whatever its names; what can not be named is refused', async () => {
    copyFileSync(path.join(media, 'own', 'Größe 1.png'), path.join(media, 'twin.png'));
    const ids = await Promise.all(
      ['own/Größe 1.png', 'twin.png'].map((source) =>
        createTemplate(sender, { elements: [{ type: 'image', source }] }),
      ),
    );
    const { file, answer } = await share(sender, ids[0]!, ids[1]);
    expect(answer.headers.get('content-disposition')).toContain('%20%2B%201.framewright');
    const parts = Object.keys(unzipSync(file)).filter((part) => !part.startsWith('pictures/'));
    expect(parts.sort()).toEqual([
      'files/1-Größe 1.png',
      'manifest.json',
      'templates/1.json',
      'templates/2.json',
    ]);
    expect((await share(sender, ids[0]!, 'none')).answer.status).toBe(404);
    const { status, body } = await bring(receiver, file);
    expect([status, (body as unknown as { kit: Kit }).kit.templates.length]).toEqual([201, 2]);
  });

  test('of all shipped templates comes back equal, with each file once and the brand', async () => {
    const brand = {
      colors: ['#ff8800'],
      titleFont: 'Lobster',
      textFont: '',
      logo: 'media/logo.svg',
    };
    await sender.askWindow('PATCH', '/api/projects/default', { brand });
    const sources = readdirSync(samples).flatMap((folder) => {
      try {
        const file = path.join(samples, folder, 'source.json');
        return [{ name: folder, source: JSON.parse(readFileSync(file, 'utf8')) as object }];
      } catch {
        return [];
      }
    });
    expect(sources).toHaveLength(36);
    const ids: string[] = [];
    for (const { name, source } of sources) ids.push(await createTemplate(sender, source, name));
    const [first, ...others] = ids;
    const { file } = await share(sender, first!, others.join(','));
    const parts = Object.keys(unzipSync(file));
    expect(parts.filter((part) => part.startsWith('templates/'))).toHaveLength(36);
    const { status, body } = await bring(receiver, file);
    const { kit } = body as unknown as { kit: Kit };
    expect([status, kit.unreadable, kit.brand]).toEqual([201, [], true]);
    expect(kit.templates.map(({ name }) => name)).toEqual(sources.map(({ name }) => name));
    const kept = await mediaOf(receiver);
    const digests = new Map(kept.map(({ name, source }) => [name, source]));
    const readdressed = (text: string): string =>
      text.replace(/"media\/([^"]+)"/g, (_, name: string) => `"${digests.get(name)}"`);
    for (const [index, { id }] of kit.templates.entries()) {
      const { source } = (await receiver.ask('GET', `/v2/templates/${id}`)).body;
      const sent = readdressed(JSON.stringify(sources[index]?.source));
      expect(source, sources[index]?.name).toEqual(JSON.parse(sent));
    }
    const { text } = await receiver.askWindow('GET', '/api/projects');
    const [project] = JSON.parse(text) as { brand: object }[];
    expect(project?.brand).toEqual({ ...brand, logo: digests.get('logo.svg') });
    // What has a brand keeps it, and names stay unique in the window.
    const again = await windowRequest(receiver, '/api/templates/import?project=default&only=2,1', {
      method: 'POST',
      body: new Uint8Array(file),
    });
    const { templates, brand: took } = (await again.json()) as ImportedTemplates;
    expect(templates.map(({ name }) => name)).toEqual(
      sources.slice(0, 2).map(({ name }) => `${name} 2`),
    );
    expect([took, (await mediaOf(receiver)).length]).toEqual([false, kept.length]);
  }, 240_000);
});

test('markers travel with the template, and files without them have none', async () => {
  const id = await createTemplate(sender, { elements: [] }, 'Marked');
  const markers = [{ time: 1.2, name: 'Ålesund', color: 'green' }];
  const body = { name: 'Marked', tags: [], source: { elements: [] }, markers, base: null };
  await sender.askWindow('PUT', `/api/editor/${id}`, body);
  const { file } = await share(sender, id);
  const post = async (content: Buffer): Promise<unknown> => {
    const target = '/api/templates/import?project=default';
    const sent = new Uint8Array(content);
    const answer = await windowRequest(receiver, target, { method: 'POST', body: sent });
    const { templates } = (await answer.json()) as ImportedTemplates;
    const opened = await receiver.askWindow('GET', `/api/editor/${templates[0]?.id}`);
    return (JSON.parse(opened.text) as { markers: unknown }).markers;
  };
  expect(await post(file)).toEqual(markers);
  const parts = Object.entries(unzipSync(file)).map(([name, content]) => {
    const value = JSON.parse(Buffer.from(content).toString()) as object;
    const kept = Object.entries(value).filter(([key]) => key !== 'markers');
    return { name, content: JSON.stringify(Object.fromEntries(kept)) };
  });
  expect(await post(zipOf(parts))).toEqual([]);
});

test('other programs read the file', async () => {
  const id = await createTemplate(sender, {
    elements: [{ type: 'image', source: 'own/Größe 1.png' }],
  });
  const { file } = await share(sender, id);
  const archive = path.join(folder, 'check.zip');
  writeFileSync(archive, file);
  const script =
    'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), sorted(z.namelist()))';
  const { stdout, error } = spawnSync('python3', ['-c', script, archive], { encoding: 'utf8' });
  if (error) return;
  expect(stdout.trim()).toBe("None ['files/1-Größe 1.png', 'manifest.json', 'template.json']");
});
