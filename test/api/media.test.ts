/**
 * The media library over the API: uploads as a body and as a form, hostile ones, projects, and use in a render. Real
 * worker.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WindowMedia } from '../../shared/api.ts';
import type { MediaPage, MediaRecord } from '../../server/api/answer-schemas.ts';
import type { RenderBatch } from '../../server/api/render-batch.ts';
import { mediaLibraryLimits } from '../../shared/limits.ts';
import { operations } from '../../server/api/operations.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { checkAnswer } from '../helpers/answers.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures');
const photo = readFileSync(path.join(fixtures, 'photo.jpg'));
const pattern = readFileSync(path.join(fixtures, 'pattern.png'));
const idOf = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

let server: TestServer;
/** Key of a second project. */
let otherKey: string;

beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
  const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  otherKey = (JSON.parse(made.text) as { keys: { key: string }[] }).keys[0]!.key;
});
afterAll(() => server.stop());

/** What `fetch` takes as a body. */
type Sent = NonNullable<RequestInit['body']>;

/** Sends an upload and holds the answer to the OpenAPI document. */
async function upload(
  body: Sent | null,
  { name, type, key }: { name?: string; type?: string; key?: string | undefined } = {},
): Promise<Answer & { readonly media: MediaRecord }> {
  const { apiUrl, apiKey } = server.running;
  const target = `/v2/media${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`;
  const answer = await send(`${apiUrl}${target}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key ?? apiKey}`,
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(body !== null && { body }),
  });
  checkAnswer('POST', '/v2/media', answer);
  return { ...answer, media: answer.body as unknown as MediaRecord }; // checked above
}

const bytes = (content: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(content);

function form(parts: readonly (readonly [name: string, value: Buffer | string, file?: string])[]) {
  const data = new FormData();
  for (const [name, value, file] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([bytes(value)]), file ?? 'blob');
  }
  return data;
}

const asked = async (method: string, target: string, key?: string): Promise<Answer> =>
  server.ask(
    method,
    target,
    undefined,
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  );

async function page(query = '', key?: string): Promise<MediaPage> {
  // Checked against the OpenAPI document.
  return JSON.parse((await asked('GET', `/v2/media${query}`, key)).text) as MediaPage;
}

const uploadsLeft = (): string[] => readdirSync(path.join(server.dataFolder, 'media', 'uploads'));

describe('a file', () => {
  test('as the body: is stored once, is listed, loaded, used by a render, and deleted', async () => {
    const first = await upload(bytes(photo), { name: 'Größe 1.jpg', type: 'image/jpeg' });
    expect(first.status).toBe(201);
    const id = idOf(photo);
    expect(first.media).toMatchObject({
      id,
      source: `media:${id}`,
      name: 'Größe 1.jpg',
      kind: 'image',
      format: 'jpg',
      has_alpha: false,
      file_size: photo.length,
    });
    expect(first.media).not.toHaveProperty('duration');

    const again = await upload(bytes(photo), { name: 'another.jpg' });
    expect([again.status, again.media]).toEqual([200, first.media]);
    expect((await page()).media).toEqual([first.media]);
    for (const form of ['NFC', 'NFD']) {
      const query = `?name=${encodeURIComponent(' GRÖSSE'.replace('SS', 'ß').normalize(form))}`;
      expect((await page(query)).media).toEqual([first.media]);
    }
    const read = await asked('GET', `/v2/media/${id.toUpperCase()}`);
    expect(JSON.parse(read.text)).toEqual(first.media);

    const { apiUrl, apiKey } = server.running;
    const loaded = await fetch(`${apiUrl}/v2/media/${id}/content`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(loaded.headers.get('content-type')).toBe('application/octet-stream');
    expect(loaded.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe");
    expect(Buffer.from(await loaded.arrayBuffer()).equals(photo)).toBe(true);

    const source = {
      output_format: 'png',
      width: 32,
      height: 32,
      elements: [{ type: 'image', source: first.media.source }],
    };
    const { body } = await server.ask('POST', '/v2/renders', source);
    const ended = await server.ended(body.id);
    expect(ended.status, ended.error_message).toBe('succeeded');
    const drawn = await loadImage(Buffer.from(await (await fetch(ended.url)).arrayBuffer()));
    expect([drawn.width, drawn.height]).toEqual([32, 32]);

    expect((await asked('DELETE', `/v2/media/${id}`)).status).toBe(204);
    expect((await asked('GET', `/v2/media/${id}`)).status).toBe(404);
    expect((await asked('GET', `/v2/media/${id}/content`)).status).toBe(404);
    expect((await asked('DELETE', `/v2/media/${id}`)).status).toBe(404);
    expect(readdirSync(path.join(server.dataFolder, 'media', 'content'))).toEqual([]);
  });

  test('as a form, with its own name or another one, and the same as the body', async () => {
    const { status, media } = await upload(form([['file', pattern, 'C:\\fakepath\\a b.png']]));
    expect([status, media.name, media.id]).toEqual([201, 'a b.png', idOf(pattern)]);
    expect((await upload(bytes(pattern), { name: 'x' })).status).toBe(200);
    await asked('DELETE', `/v2/media/${media.id}`);
    const named = form([
      ['name', 'Logo ☀.png'],
      ['note', 'which nobody reads'],
      ['file', pattern, 'a.png'],
    ]);
    expect((await upload(named)).media.name).toBe('Logo ☀.png');
    await asked('DELETE', `/v2/media/${media.id}`);
    expect((await upload(form([['file', pattern, 'a.png']]), { name: 'b' })).media.name).toBe('b');
    await asked('DELETE', `/v2/media/${media.id}`);
  });

  test('as a stream of unknown length', async () => {
    const pieces = [photo.subarray(0, 1_000), photo.subarray(1_000)];
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(bytes(piece));
        else controller.close();
      },
    });
    const { apiUrl, apiKey } = server.running;
    const answer = await send(`${apiUrl}/v2/media?name=stream.jpg`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body,
      duplex: 'half',
    });
    expect([answer.status, answer.body.id]).toEqual([201, idOf(photo)]);
    await asked('DELETE', `/v2/media/${idOf(photo)}`);
  });

  test('is one entry, however often it arrives at the same time', async () => {
    const all = await Promise.all(
      [1, 2, 3, 4].map((number) => upload(bytes(photo), { name: `${number}.jpg` })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(all.map(({ media }) => media.name)).size).toBe(1);
    expect((await page()).media).toHaveLength(1);
    await asked('DELETE', `/v2/media/${idOf(photo)}`);
  });
});

test('as an asset, for older clients: as a body without a name or as a form; `url` is its source', async () => {
  const { apiUrl, apiKey } = server.running;
  const headers = { authorization: `Bearer ${apiKey}` };
  for (const [body, name, status] of [
    [bytes(pattern), 'asset', 201],
    [form([['file', pattern, 'a.png']]), 'asset', 200],
  ] as const) {
    const answer = await send(`${apiUrl}/v1/assets`, { method: 'POST', headers, body });
    checkAnswer('POST', '/v1/assets', answer);
    const source = `media:${idOf(pattern)}`;
    expect(answer).toMatchObject({ status, body: { name, source, url: source } });
  }
  await asked('DELETE', `/v2/media/${idOf(pattern)}`);
});

describe('names are labels', () => {
  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/a/b/c.png', 'c.png'],
    ['a\u0000b\u001b[31m.png', 'ab[31m.png'],
    ['CON', 'CON'],
    ['<script>.png', '<script>.png'],
    ['n'.repeat(mediaLibraryLimits.nameLength), 'n'.repeat(mediaLibraryLimits.nameLength)],
  ])('%j', async (given, kept) => {
    const { media } = await upload(bytes(photo), { name: given });
    expect(media.name).toBe(kept);
    const files = readdirSync(path.join(server.dataFolder, 'media', 'content'));
    expect(files).toEqual([idOf(photo)]);
    await asked('DELETE', `/v2/media/${media.id}`);
  });

  test.each([undefined, '', '   ', 'a/', '..', '.', '\u0000', 'n'.repeat(257)])(
    '%j is refused',
    async (given) => {
      const { status, body } = await upload(bytes(photo), {
        ...(given !== undefined && { name: given }),
      });
      expect([status, body.hint]).toEqual([
        400,
        expect.stringContaining("The parameter 'name' should be the name of the file"),
      ]);
      // A name without letters is none.
      expect(body.hint).toContain(given ? "found '" : 'found nothing');
      expect((await page()).media).toEqual([]);
    },
  );
});

describe('F134, A: what is no upload is refused with what was expected and found, and nothing of it stays', () => {
  const boundary = 'b'.repeat(20);
  const type = `multipart/form-data; boundary=${boundary}`;
  const part = (headers: string, content: Buffer | string): Buffer =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  const filePart = part('Content-Disposition: form-data; name="file"; filename="a.jpg"', photo);
  const end = Buffer.from(`--${boundary}--\r\n`);

  const cases: Readonly<Record<string, readonly [Sent | null, string, string?]>> = {
    'no body': [null, 'the body is empty'],
    'a text': ['{"hello": 1}', "The file can't be used: ", 'application/json'],
    'a form without a file': [
      form([['note', 'x']]),
      "expected a file as the part 'file', found only 'note'",
    ],
    'a form with another part': [
      form([['upload', photo, 'a.jpg']]),
      "expected the file as the part 'file', found it as 'upload'",
    ],
    'two files': [
      form([
        ['file', photo, 'a.jpg'],
        ['file', pattern, 'b.png'],
      ]),
      "expected one part 'file', found two",
    ],
    'a name behind the file': [
      form([
        ['file', photo, 'a.jpg'],
        ['name', 'x'],
      ]),
      "expected the part 'name' before the part 'file'",
    ],
    'an empty form': [bytes(end), 'found no part', type],
    'no boundary': [
      bytes(photo),
      'is no multipart/form-data with a boundary',
      'multipart/form-data',
    ],
    'another multipart': [bytes(photo), 'is no multipart/form-data', 'multipart/mixed; boundary=x'],
    'another boundary': [
      bytes(Buffer.concat([filePart, end])),
      'the form is broken or ends too early',
      'multipart/form-data; boundary=other',
    ],
    'a form cut off in the file': [
      bytes(filePart.subarray(0, -500)),
      'the form is broken or ends too early',
      type,
    ],
    'a form cut off behind the file': [
      bytes(filePart),
      'the form is broken or ends too early',
      type,
    ],
    'a file without a name': [
      bytes(
        Buffer.concat([
          part(
            'Content-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream',
            photo,
          ),
          end,
        ]),
      ),
      "The parameter 'name' should be",
      type,
    ],
    'a thousand parts': [
      form(Array.from({ length: 1_000 }, (_, index): [string, string] => [`p${index}`, 'x'])),
      'found too many parts',
    ],
    'a part with endless headers': [
      bytes(Buffer.concat([part(`X: ${'y'.repeat(200_000)}`, photo), end])),
      'can not be read',
      type,
    ],
    'a part without a name': [
      bytes(Buffer.concat([part('Content-Disposition: form-data', 'hello'), end])),
      'found only a part without a name',
      type,
    ],
    'a file in a part without a name': [
      bytes(Buffer.concat([part('Content-Disposition: form-data; filename="a.jpg"', photo), end])),
      "expected the file as the part 'file', found it as a part without a name",
      type,
    ],
    // Longer than what a parser keeps of a part that nobody reads.
    'a long part without a disposition': [
      bytes(Buffer.concat([part('X: y', Buffer.alloc(17_000, 'A')), end])),
      'found no part',
      type,
    ],
    'a very long one, behind the file': [
      bytes(Buffer.concat([filePart, part('X: y', Buffer.alloc(3_000_000, 'A')), filePart, end])),
      "expected one part 'file', found two",
      type,
    ],
    'a damaged picture': [bytes(photo.subarray(0, 20)), "The file can't be used: "],
    'an empty file': [form([['file', Buffer.alloc(0), 'a.png']]), "The file can't be used: "],
  };
  test.each(Object.entries(cases))('%s', async (_what, [body, reason, contentType]) => {
    const { status, body: refusal } = await upload(body, {
      ...(body === null || !(body instanceof FormData || contentType?.startsWith('multipart'))
        ? { name: 'x.jpg' }
        : {}),
      ...(contentType !== undefined && { type: contentType }),
    });
    expect(refusal.hint).toContain(reason);
    expect(status).toBe(400);
    expect((await page()).media).toEqual([]);
    expect(uploadsLeft()).toEqual([]);
  });

  test('a compressed body', async () => {
    const { apiUrl, apiKey } = server.running;
    const answer = await send(`${apiUrl}/v2/media?name=a.jpg`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-encoding': 'gzip' },
      body: bytes(photo),
    });
    expect(answer.body.hint).toContain("found the Content-Encoding 'gzip'");
  });

  test('more than the limit, before any of it is read', async () => {
    const refusal = await refusedBeforeBody({ 'content-length': '5000000000' });
    expect(refusal).toMatchObject({ status: 413, hint: expect.stringContaining('4 GB') as string });
  });
});

/** Sends only the headers of an upload. */
function refusedBeforeBody(
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number | undefined; hint: string }> {
  return new Promise((resolve, reject) => {
    const { apiUrl, apiKey } = server.running;
    const request = httpRequest(
      `${apiUrl}/v2/media?name=a.jpg`,
      { method: 'POST', headers: { authorization: `Bearer ${apiKey}`, ...headers } },
      (response: IncomingMessage) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { hint } = JSON.parse(text) as { hint: string };
          resolve({ status: response.statusCode, hint });
          request.destroy();
        });
      },
    );
    request.on('error', reject);
    request.flushHeaders();
  });
}

/** Begins an upload, and lets the connection go in its middle. */
async function breakOff(type: string, begin: string): Promise<void> {
  const { apiUrl, apiKey } = server.running;
  const { port } = new URL(apiUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `POST /v2/media?name=a.jpg HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n${begin}`,
  );
  for (let tries = 0; uploadsLeft().length === 0; tries++) {
    if (tries > 500) throw new Error('the upload does not begin');
    await pause(10);
  }
  socket.destroy();
  for (let tries = 0; uploadsLeft().length > 0; tries++) {
    if (tries > 500) throw new Error('the upload stays');
    await pause(10);
  }
}

describe('a sender that goes away in the middle leaves nothing', () => {
  test('of a body', () => breakOff('image/jpeg', 'abc'));
  test('of a form', () =>
    breakOff(
      'multipart/form-data; boundary=bb',
      '--bb\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ));

  test('even if the program ends with it', async () => {
    const { apiUrl, apiKey } = server.running;
    const { port } = new URL(apiUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST /v2/media?name=a.jpg HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Length: 1000\r\n\r\nabc`,
    );
    while (uploadsLeft().length === 0) await pause(10);
    await server.restart();
    expect(uploadsLeft()).toEqual([]);
    expect((await page()).media).toEqual([]);
    expect((await upload(bytes(photo), { name: 'a.jpg' })).status).toBe(201);
    await server.restart();
    expect((await page()).media).toHaveLength(1);
    await asked('DELETE', `/v2/media/${idOf(photo)}`);
  });
});

test('too many at once are refused, and only those', async () => {
  const { apiUrl, apiKey } = server.running;
  const most = mediaLibraryLimits.uploads;
  const sends = Array.from({ length: most }, () => {
    const request = httpRequest(`${apiUrl}/v2/media?name=a.jpg`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-length': photo.length },
    });
    request.write(photo.subarray(0, 10));
    return request;
  });
  while (uploadsLeft().length < most) await pause(10);
  const { status, body } = await upload(bytes(pattern), { name: 'b.png' });
  expect([status, body.hint]).toEqual([503, expect.stringContaining('busy') as string]);
  await Promise.all(
    sends.map(
      (request) =>
        new Promise((resolve, reject) => {
          request.on('response', (response) => response.resume().on('end', resolve));
          request.on('error', reject);
          request.end(photo.subarray(10));
        }),
    ),
  );
  expect((await page()).media).toHaveLength(1);
  expect((await upload(bytes(pattern), { name: 'b.png' })).status).toBe(201);
  for (const content of [photo, pattern]) await asked('DELETE', `/v2/media/${idOf(content)}`);
});

test('a table of colors has neither size nor length, and is used by `look_lut`', async () => {
  const table = readFileSync(path.join(fixtures, 'faded.cube'));
  const { media } = await upload(bytes(table), { name: 'Faded.cube' });
  expect(media).toMatchObject({ kind: 'lut', format: 'cube', file_size: table.length });
  for (const name of ['width', 'duration', 'has_alpha']) expect(media).not.toHaveProperty(name);
  expect((await page('?kind=lut')).media).toEqual([media]);
  const plate = { type: 'shape', path: 'M 0 0 H 100% V 100% H 0 Z', fill_color: '#000' };
  const source = {
    ...{ output_format: 'png', width: 8, height: 8 },
    elements: [{ ...plate, look_lut: media.source }],
  };
  const ended = await server.ended((await server.ask('POST', '/v2/renders', source)).body.id);
  expect(ended.status, ended.error_message).toBe('succeeded');
  const drawn = await loadImage(Buffer.from(await (await fetch(ended.url)).arrayBuffer()));
  const pen = createCanvas(8, 8).getContext('2d');
  pen.drawImage(drawn, 0, 0);
  // Its first line: 0.16 0.12 0.2.
  expect([...pen.getImageData(4, 4, 1, 1).data]).toEqual([41, 31, 51, 255]);
  await asked('DELETE', `/v2/media/${media.id}`);
});

describe('the list', () => {
  test('has filters, and pages that nothing moves', async () => {
    const files = ['pattern.png', 'photo.jpg', 'numbers.mp4', 'mark.svg'];
    for (const name of files)
      await upload(bytes(readFileSync(path.join(fixtures, name))), { name: `x ${name}` });
    const all = (await page()).media;
    expect(all.map(({ name }) => name)).toEqual(files.map((name) => `x ${name}`).reverse());
    expect(all[1]).toMatchObject({ kind: 'video', has_audio: expect.any(Boolean) as boolean });
    expect(all[1]?.duration).toBeGreaterThan(0);
    const found: string[] = [];
    let next: string | undefined;
    do {
      const part = await page(`?limit=1${next === undefined ? '' : `&cursor=${next}`}`);
      found.push(...part.media.map(({ name }) => name));
      next = part.next_cursor;
      // What was seen may go meanwhile.
      await asked('DELETE', `/v2/media/${part.media[0]!.id}`);
    } while (next !== undefined);
    expect(found).toEqual(all.map(({ name }) => name));
  });

  test('knows kinds and names', async () => {
    await upload(bytes(photo), { name: 'Harbour.jpg' });
    await upload(bytes(pattern), { name: 'logo.png' });
    expect((await page('?name=HARB')).media.map(({ name }) => name)).toEqual(['Harbour.jpg']);
    expect((await page('?kind=image')).media).toHaveLength(2);
    expect((await page('?kind=audio')).media).toEqual([]);
    for (const wrong of ['?kind=film', '?limit=0', '?limit=101', '?cursor=1', '?name=a&name=b'])
      expect((await asked('GET', `/v2/media${wrong}`)).status, wrong).toBe(400);
    for (const content of [photo, pattern]) await asked('DELETE', `/v2/media/${idOf(content)}`);
  });
});

describe('projects', () => {
  test('see their own files, and share the content of equal ones', async () => {
    const mine = await upload(bytes(photo), { name: 'mine.jpg' });
    expect((await page('', otherKey)).media).toEqual([]);
    for (const target of [`/v2/media/${mine.media.id}`, `/v2/media/${mine.media.id}/content`])
      expect((await asked('GET', target, otherKey)).status).toBe(404);
    expect((await asked('DELETE', `/v2/media/${mine.media.id}`, otherKey)).status).toBe(404);

    const theirs = await upload(bytes(photo), { name: 'theirs.jpg', key: otherKey });
    expect(theirs.status).toBe(201);
    expect((await page('', otherKey)).media).toHaveLength(1);
    expect((await asked('DELETE', `/v2/media/${mine.media.id}`)).status).toBe(204);
    expect((await page()).media).toEqual([]);
    expect((await page('', otherKey)).media).toHaveLength(1);
    expect((await asked('DELETE', `/v2/media/${mine.media.id}`, otherKey)).status).toBe(204);
    expect(readdirSync(path.join(server.dataFolder, 'media', 'content'))).toEqual([]);
  });

  /** A document that names a file in every place that takes one, and under every address that leads to it. */
  const documentOf = (id: string, format = 'png'): object => {
    const content = path.join(server.dataFolder, 'media', 'content', id);
    const dotted = `media:${id.replace(/./, (first) => `%${first.charCodeAt(0).toString(16)}`)}`;
    const addresses = [
      ...[`media:${id}`, `media:/${id}`, ` MEDIA:./${id}`, dotted, id, `./x/../${id}`, content],
      pathToFileURL(content).href,
    ];
    return {
      output_format: format,
      width: 32,
      height: 32,
      duration: 0.1,
      fonts: [{ family: 'Theirs', source: `media:${id}` }],
      elements: [
        ...addresses.map((source) => ({ type: 'image', source })),
        { type: 'video', source: `media:${id}` },
        { type: 'audio', source: `media:${id}` },
        { type: 'text', transcript_source: `media:${id}` },
        { type: 'image', mask: { type: 'image', source: `media:${id}` }, source: `media:${id}` },
      ],
    };
  };

  /**
   * By route: how it could read a file that a document names. Answers what the server says, without what differs
   * anyway.
   */
  const reads: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    createRender: async (id) => {
      const said = [];
      for (const format of ['png', 'mp4']) {
        const { body } = await askOther('POST', '/v2/renders', documentOf(id, format));
        said.push(body.warnings, (await endedOther(body.id)).error_message);
      }
      const trial = await askOther('POST', '/v2/renders', { ...documentOf(id), dry_run: true });
      return [...said, trial.text];
    },
    createRenders: async (id) => {
      const { list } = await askOther('POST', '/v1/renders', { source: documentOf(id) });
      return (await endedOther(list[0]!.id)).error_message;
    },
    createRenderBatch: async (id) => {
      const { body } = await askOther('POST', '/v2/renders/batch', { renders: [documentOf(id)] });
      const { results } = body as unknown as RenderBatch; // as the route says
      return (await endedOther((results[0] as { render: { id: string } }).render.id)).error_message;
    },
    createPreview: async (id) => {
      const { apiUrl } = server.running;
      const drawn = await fetch(`${apiUrl}/v2/previews`, {
        method: 'POST',
        headers: { authorization: `Bearer ${otherKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ source: documentOf(id) }),
      });
      const warnings = decodeURIComponent(drawn.headers.get('preview-warnings') ?? '');
      return [drawn.status, warnings, idOf(Buffer.from(await drawn.arrayBuffer()))];
    },
    shareTemplate: async (id) => {
      const named = { name: 'a', source: documentOf(id) };
      const { body } = await askOther('POST', '/v2/templates', named);
      const { apiUrl } = server.running;
      const packed = await fetch(`${apiUrl}/v2/templates/${body.id}/share`, {
        headers: { authorization: `Bearer ${otherKey}` },
      });
      const missing = decodeURIComponent(packed.headers.get('share-missing') ?? '');
      return [missing, (await packed.arrayBuffer()).byteLength];
    },
    createTranscript: async (id) => {
      const { body } = await askOther('POST', '/v2/transcripts', { source: `media:${id}` });
      for (;;) {
        const { body: now } = await asked('GET', `/v2/transcripts/${body.id}`, otherKey);
        if ((now.status as string) !== 'transcribing') return now.error_message;
        await pause(5);
      }
    },
    readMedia: async (id) => (await asked('GET', `/v2/media/${id}`, otherKey)).text,
    loadMedia: async (id) => (await asked('GET', `/v2/media/${id}/content`, otherKey)).text,
    deleteMedia: async (id) => (await asked('DELETE', `/v2/media/${id}`, otherKey)).text,
    listMedia: async () => (await page('', otherKey)).media,
  };
  const askOther = (method: string, target: string, body: object): Promise<Answer> =>
    server.ask(method, target, body, { authorization: `Bearer ${otherKey}` });
  const endedOther = async (id: string): Promise<Answer['body']> => {
    for (;;) {
      const { body } = await asked('GET', `/v2/renders/${id}`, otherKey);
      if (body.status === 'succeeded' || body.status === 'failed') return body;
      await pause(5);
    }
  };
  /** Routes that read no file that a document names, and those whose files are the project's by their record. */
  const otherRoutes =
    /Backup|Settings|Feed|WebhookSecret|DeletedTemplates|(list|read|create|change|delete|restore|receive|purge)Template|Project|Key|Font|WebhookDeliver|uploadMedia|followRender|listRenders|cancelRender|readRe(nder|ceipt)|getTranscript/;

  test('D14: have no way to a file of another one: it is as if it did not exist', async () => {
    await upload(bytes(photo), { name: 'mine.jpg' });
    const own = idOf(photo);
    for (const { id } of operations) expect(id in reads !== otherRoutes.test(id), id).toBe(true);
    const none = 'a'.repeat(32);
    // Without a recogniser no recording is looked for.
    const transcriber = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
    await server.askWindow('PATCH', '/api/settings', {
      transcriber,
      transcriberModel: transcriber,
    });
    for (const [route, read] of Object.entries(reads)) {
      const [theirs, nobodys] = [await read(own), await read(none)];
      const ids = new RegExp(`${own}|${none}|%..${own.slice(1)}|%..${none.slice(1)}`, 'g');
      // Files are fetched side by side: any may be the first that is missing.
      const told = (said: unknown): string =>
        JSON.stringify(said)
          .replaceAll(ids, 'ID')
          .replaceAll(
            /Source error: \S+( \d+)?\.source: The file does not exist \([^)]*\)/g,
            'missing',
          );
      expect(told(theirs), route).toBe(told(nobodys));
    }
    await asked('DELETE', `/v2/media/${own}`);
  });

  test('see what was added in the window, which no key deletes', async () => {
    const { origin, hash } = new URL(server.running.windowUrl);
    const token = hash.replace('#token=', '');
    await upload(bytes(photo), { name: 'sent.jpg' });
    const added = await fetch(`${origin}/api/media?name=window.jpg`, {
      method: 'POST',
      headers: { 'x-framewright-token': token },
      body: bytes(photo),
    });
    const media = (await added.json()) as WindowMedia;
    expect([added.status, media.name]).toEqual([200, 'sent.jpg']);
    expect(media).not.toHaveProperty('projects');
    for (const key of [undefined, otherKey]) {
      expect((await page('', key)).media).toHaveLength(1);
      const refused = await asked('DELETE', `/v2/media/${media.id}`, key);
      expect([refused.status, refused.body.hint]).toEqual([
        409,
        `The file ${media.id} was added in the window, for all projects.`,
      ]);
      expect((await upload(bytes(photo), { name: 'x', key })).status).toBe(200);
    }
    expect((await server.askWindow('DELETE', `/api/media/${media.id}`)).status).toBe(204);
    expect((await page()).media).toEqual([]);
  });

  test('need their key', async () => {
    const { status } = await upload(bytes(photo), { name: 'a.jpg', key: 'wrong' });
    expect(status).toBe(401);
    expect(uploadsLeft()).toEqual([]);
  });
});
