/**
 * The media library: kept once by content, named by an ID, with facts and a small picture. Needs dist/ for its worker.
 */
import { createCanvas } from '@napi-rs/canvas';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { windowTokenHeader, type WindowMedia } from '../../shared/api.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { readPictureHeader } from '../../server/engine/assets/pictures/picture-header.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(() => server.stop());

const clip = readFileSync(path.join(import.meta.dirname, '..', 'fixtures', 'numbers.mp4'));
const photo = createCanvas(400, 200).toBuffer('image/jpeg');

function request(method: string, target: string, body?: Buffer): Promise<Answer> {
  const { origin, hash } = new URL(server.running.windowUrl);
  return send(`${origin}/api${target}`, {
    method,
    headers: { [windowTokenHeader]: hash.replace('#token=', '') },
    ...(body && { body: new Uint8Array(body) }),
  });
}

/** Adds a file under a name. */
async function add(name: string, bytes: Buffer): Promise<{ status: number; media: WindowMedia }> {
  const { status, text } = await request('POST', `/media?name=${encodeURIComponent(name)}`, bytes);
  // The answer of a route that gives nothing else; refusals are looked at by their status.
  return { status, media: JSON.parse(text) as WindowMedia };
}

async function list(): Promise<WindowMedia[]> {
  const { text } = await request('GET', '/media');
  // As above.
  return JSON.parse(text) as WindowMedia[];
}

const folderOf = (name: string): string => path.join(server.dataFolder, 'media', name);

/** What a sound or video of the library is played from; without the token, as a page's own player asks. */
async function playing(id: string, headers: Record<string, string> = {}): Promise<Response> {
  const { text } = await request('GET', `/media/${id}/playing`);
  const { path: found } = JSON.parse(text) as { readonly path: string };
  return fetch(new URL(found, server.running.windowUrl), { headers });
}

describe('adding', () => {
  test('a video: facts, an ID from its content, a small picture', async () => {
    const { status, media } = await add('Holiday ☀.mp4', clip);
    expect(status).toBe(201);
    const id = createHash('sha256').update(clip).digest('hex').slice(0, 32);
    expect(media).toMatchObject({
      id,
      source: `media:${id}`,
      name: 'Holiday ☀.mp4',
      kind: 'video',
      format: 'mp4',
      bytes: clip.length,
      hasThumbnail: true,
    });
    expect(media.duration).toBeGreaterThan(0.5);
    expect(media.frameRate).toBeGreaterThan(1);
    expect(readFileSync(path.join(folderOf('content'), id))).toEqual(clip);

    const { origin, hash } = new URL(server.running.windowUrl);
    const headers = { [windowTokenHeader]: hash.replace('#token=', '') };
    const picture = await fetch(`${origin}/api/media/${id}/thumbnail`, { headers });
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    const bytes = Buffer.from(await picture.arrayBuffer());
    const { width, height } = readPictureHeader('jpg', bytes)!;
    expect([width / height, Math.max(width, height) <= 320]).toEqual([
      expect.closeTo(media.width / media.height, 1),
      true,
    ]);
  });

  test('the same content again, also at the same time: one file', async () => {
    const answers = await Promise.all(['a.jpg', 'b.jpg', 'c.jpg'].map((name) => add(name, photo)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ media }) => media.id)).size).toBe(1);
    expect((await list()).filter(({ kind }) => kind === 'image')).toHaveLength(1);
    expect(readdirSync(folderOf('content'))).toHaveLength(2);
  });

  test('newest first; nothing is left of uploads', async () => {
    expect((await list()).map(({ kind }) => kind)).toEqual(['image', 'video']);
    expect(readdirSync(folderOf('uploads'))).toEqual([]);
  });

  test.each([
    [
      'words',
      Buffer.from('Just words'),
      "The file is text, which can't be used: an address that gives it leads to a page or an error; use the address of the file itself",
    ],
    ['nothing', Buffer.alloc(0), 'The file is empty; check where it comes from'],
    ['half an mp4', clip.subarray(0, 1500), 'The file ends too early'],
  ])('%s is refused, and not kept', async (name, bytes, reason) => {
    const before = await list();
    const { status, body } = await request('POST', `/media?name=${name}`, bytes);
    expect([status, body.hint]).toEqual([400, `The file can't be used: ${reason}.`]);
    expect(await list()).toEqual(before);
    expect(readdirSync(folderOf('uploads'))).toEqual([]);
  });

  test.each([
    ['without a name', '/media'],
    ['with an empty name', '/media?name='],
    ['with an endless name', `/media?name=${'x'.repeat(300)}`],
  ])('%s: refused', async (_, target) => {
    const { status, body } = await request('POST', target, photo);
    expect([status, body.hint]).toEqual([
      400,
      "The parameter 'name' should be a string of 1 to 256 characters.",
    ]);
  });
});

describe('using', () => {
  test('elements name a file by media:ID', async () => {
    const [image] = await list();
    const created = await server.ask('POST', '/v2/renders', {
      output_format: 'png',
      elements: [{ type: 'image', source: image!.source }],
    });
    expect(await server.ended(created.body.id)).toMatchObject({
      status: 'succeeded',
      width: 400,
      height: 200,
    });
  });

  test('the library is there after a restart, and uploads that a crash left are not', async () => {
    const before = await list();
    mkdirSync(path.join(folderOf('uploads'), 'left'));
    await server.restart();
    expect(await list()).toEqual(before);
    expect(readdirSync(folderOf('uploads'))).toEqual([]);
  });

  test('content that someone has tidied away comes back when it is added again', async () => {
    const [image] = await list();
    rmSync(path.join(folderOf('content'), image!.id));
    const { status, media } = await add('again.jpg', photo);
    expect([status, media.id]).toEqual([201, image!.id]);
    expect(readFileSync(path.join(folderOf('content'), media.id))).toEqual(photo);
  });
});

describe('removing', () => {
  test('the templates that read a file are known by name', async () => {
    const [image, video] = await list();
    const source = { elements: [{ type: 'image', source: image!.source }] };
    await server.ask('POST', '/v2/templates', { name: 'With a photo', source });
    await server.ask('POST', '/v2/templates', { name: 'Without', source: { elements: [] } });
    const usesOf = async (id: string): Promise<unknown> =>
      JSON.parse((await request('GET', `/media/${id}/uses`)).text);
    expect(await usesOf(image!.id)).toEqual(['With a photo']);
    expect(await usesOf(video!.id)).toEqual([]);
    expect((await request('GET', '/media/0123/uses')).status).toBe(404);
  });

  test('content, picture and record go; renders that name it say so', async () => {
    const [image] = await list();
    expect((await request('DELETE', `/media/${image!.id}`)).status).toBe(204);
    expect((await list()).map(({ kind }) => kind)).toEqual(['video']);
    expect(readdirSync(folderOf('content'))).toHaveLength(1);
    expect(readdirSync(folderOf('thumbnails'))).toHaveLength(1);
    const created = await server.ask('POST', '/v2/renders', {
      output_format: 'png',
      elements: [{ type: 'image', name: 'Photo', source: image!.source }],
    });
    const { status, error_message } = await server.ended(created.body.id);
    expect([status, error_message]).toEqual([
      'failed',
      `Source error: Photo.source: The file does not exist (${image!.source})`,
    ]);
  });

  test.each(['GET', 'DELETE'])('%s of what is not there', async (method) => {
    const { status, body } = await request(method, '/media/0123');
    expect([status, body.hint]).toEqual([
      404,
      'There is no file with the ID 0123 in the media library.',
    ]);
  });

  test('without the token nothing is answered', async () => {
    const { origin } = new URL(server.running.windowUrl);
    expect((await send(`${origin}/api/media`)).status).toBe(403);
  });

  test('a lost media.db is told; the content stays', async () => {
    await server.running.close();
    rmSync(path.join(server.dataFolder, 'store', 'media.db'));
    writeFileSync(path.join(folderOf('content'), 'extra'), photo);
    server.logged.length = 0;
    await server.restart().catch(() => undefined);
    expect(server.logged.join('\n')).toContain('media.db was missing: the 2 files of the library');
    expect(readdirSync(folderOf('content'))).toHaveLength(2);
  });
});

describe('playing', () => {
  test('a player gets a file whole or in parts, from an address that nobody can guess', async () => {
    const { media } = await add('numbers.mp4', clip);
    const whole = await playing(media.id);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(clip);
    const part = await playing(media.id, { range: 'bytes=100-199' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${clip.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(clip.subarray(100, 200));
    const none = await playing(media.id, { range: `bytes=${clip.length}-` });
    expect(none.status).toBe(416);
    expect(part.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test('nothing without its mark, of another file, by another host, or once it is gone', async () => {
    const { media } = await add('numbers.mp4', clip);
    const other = createCanvas(30, 20).toBuffer('image/png');
    const { media: picture } = await add('other.png', other);
    const { path: found } = JSON.parse(
      (await request('GET', `/media/${media.id}/playing`)).text,
    ) as { readonly path: string };
    const { origin } = new URL(server.running.windowUrl);
    const [, , mark = ''] = found.split('/');
    const statusOf = async (target: string): Promise<number> =>
      (await fetch(`${origin}${target}`)).status;
    expect(await statusOf(`/media/${'0'.repeat(64)}/${media.id}`)).toBe(404);
    expect(await statusOf(`/media/${mark}/${picture.id}`)).toBe(404);
    expect(await statusOf(`/media/${mark}/..%2F..%2Fstore%2Fmedia.db`)).toBe(404);
    // A drawing can hold a program.
    expect((await request('GET', `/media/${picture.id}/playing`)).status).toBe(404);
    const bare = await fetch(`${origin}/api/media/${media.id}/playing`);
    expect(bare.status).toBe(403);
    await request('DELETE', `/media/${picture.id}`);
    await request('DELETE', `/media/${media.id}`);
    expect(await statusOf(found)).toBe(404);
  });
});
