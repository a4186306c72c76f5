/**
 * Files in the tables of feeds, with real workers: what names in cells stand for, and that a check says of each row
 * what its render comes to.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnswerOf } from '../../shared/api/row.ts';
import type { FeedCheck, feedRows, WindowFeed, WindowFeedRow } from '../../shared/api/feeds.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { send, startTestServer, type TestServer } from '../helpers/server.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures');
const samples = path.join(import.meta.dirname, '../../resources/samples/media');

let server: TestServer;
/** A folder that renders may read, with one that lies beside tables; and one that they may not. */
let folder: string;
let outside: string;
let web: Server;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-feed-files-'));
  outside = await mkdtemp(path.join(tmpdir(), 'framewright-outside-'));
  const beside = path.join(folder, 'autumn');
  await mkdir(path.join(beside, 'more'), { recursive: true });
  await copyFile(path.join(fixtures, 'pattern.png'), path.join(beside, 'beside.png'));
  await copyFile(path.join(fixtures, 'pattern.png'), path.join(beside, 'more/deep.png'));
  const photo = await readFile(path.join(fixtures, 'photo.jpg'));
  await writeFile(path.join(beside, 'broken.jpg'), photo.subarray(0, 200));
  await writeFile(path.join(beside, 'words.jpg'), 'no picture at all');
  await copyFile(path.join(fixtures, 'pattern.png'), path.join(outside, 'secret.png'));
  web = createServer((request, response) => {
    if (request.url === '/pattern.png') response.end(pattern);
    else response.writeHead(404).end();
  });
  const pattern = await readFile(path.join(fixtures, 'pattern.png'));
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  server = await startTestServer({
    forkWorker: () => forkWorker(),
    mediaFolders: [folder],
    allowPrivateAddresses: true,
  });
  await add('IMG_2041.jpg', path.join(fixtures, 'photo.jpg'));
  await add('clip.mp4', path.join(fixtures, 'numbers.mp4'));
  await add('Tune.m4a', path.join(samples, 'tune.m4a'));
});
afterAll(async () => {
  await server.stop();
  web.close();
  await rm(folder, { recursive: true, force: true });
  await rm(outside, { recursive: true, force: true });
});

async function sendBytes(method: string, target: string, body: Buffer | string): Promise<unknown> {
  const { origin, hash } = new URL(server.running.windowUrl);
  const headers = {
    'x-framewright-token': hash.replace('#token=', ''),
    'content-type': 'text/csv',
  };
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  const answer = await send(`${origin}/api${target}`, { method, headers, body: sent });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

async function add(name: string, file: string): Promise<void> {
  await sendBytes('POST', `/media?name=${name}`, await readFile(file));
}

/** A feed of cards with a picture, a film and a sound, in files of one moment. */
async function cards(table: string, change: object = {}, voice: object = {}): Promise<WindowFeed> {
  const media = (type: string, name: string): object => ({ type, name, duration: 0.2, source: '' });
  const source = {
    ...{ output_format: 'mp4', width: 32, height: 32, duration: 0.2, frame_rate: 10 },
    elements: [
      { type: 'shape', width: 8, height: 8, fill_color: '#ff0000' },
      ...[media('image', 'Photo'), media('video', 'Clip'), media('audio', 'Music')],
      ...('type' in voice ? [{ name: 'Voice', source: '', ...voice }] : []),
    ],
  };
  const template = await server.ask('POST', '/v2/templates', { name: 'Card', source });
  const feed = (await sendBytes('POST', '/feeds?name=Cards&separator=;', table)) as WindowFeed;
  const body = { template: template.body.id, ...change };
  const mapped = await server.askWindow('PATCH', `/api/feeds/${feed.id}`, body);
  expect(mapped.status).toBe(200);
  return mapped.body as unknown as WindowFeed;
}

async function check({ id }: WindowFeed): Promise<FeedCheck> {
  const answer = await server.askWindow('POST', `/api/feeds/${id}/check`);
  expect(answer.status).toBe(200);
  return answer.body as unknown as FeedCheck;
}

type FeedMedia = AnswerOf<typeof feedRows.media>;
async function media({ id }: WindowFeed): Promise<FeedMedia> {
  const answer = await server.askWindow('GET', `/api/feeds/${id}/media`);
  return answer.body as unknown as FeedMedia;
}

/** What the renders of all rows end with, in the order of the rows: '' for a file. */
async function rendered({ id }: WindowFeed): Promise<readonly string[]> {
  const rows = (await server.askWindow('GET', `/api/feeds/${id}/rows`)).list;
  const started = await server.askWindow('POST', `/api/feeds/${id}/render`, {});
  const batch = (started.body as unknown as { id: string }).id;
  const own = async () =>
    (await server.askWindow('GET', '/api/renders')).body.renders.filter(
      (render) => render.batch?.id === batch,
    );
  await expect.poll(async () => (await own()).length).toBe(rows.length);
  const ends = new Map<string, string>();
  for (const render of await own()) {
    const { status, error_message: why } = await server.ended(render.id);
    ends.set(render.batch?.row ?? '', status === 'succeeded' ? '' : why);
  }
  return (rows as unknown as WindowFeedRow[]).map((row) => ends.get(row.id) ?? 'no render');
}

test('a check says of each row what its render comes to: every file was found and examined', async () => {
  const here = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  // What stands in the cells, and why its render fails; null: it doesn't.
  const rows: readonly [photo: string, clip: string, music: string, why: string | null][] = [
    ['IMG_2041.jpg', 'clip.mp4', 'Tune.m4a', null],
    ['img_2041.JPG', '', '', null],
    ['C:\\Users\\Ada\\IMG_2041.jpg', '', '', null],
    ['beside.png', '', '', null],
    ['more/deep.png', '', '', null],
    [path.join(folder, 'autumn/beside.png'), '', '', null],
    [`${here}/pattern.png`, '', '', null],
    ['', '', '', null],
    ['IMG_2099.jpg', '', '', 'Photo.source: The file does not exist (IMG_2099.jpg)'],
    [
      `${here}/gone.png`,
      '',
      '',
      `Photo.source: The server answered 404 Not Found (${here}/gone.png)`,
    ],
    ['words.jpg', '', '', 'Photo.source: The file is text'],
    ['broken.jpg', '', '', 'Photo.source: The file is not a video, image or audio file'],
    ['clip.mp4', '', '', 'Photo.source: Expected an image, but the file is a video (clip.mp4)'],
    ['', 'IMG_2041.jpg', '', 'Clip.source: Expected a video, but the file is an image'],
    ['', '', 'IMG_2041.jpg', 'Music.source: Expected a sound, but the file is an image'],
    ['', '', 'clip.mp4', 'Music.source: The video has no sound (clip.mp4)'],
    [path.join(outside, 'secret.png'), '', '', 'Photo.source: Files outside the media folders'],
  ];
  const table = rows.map((row) => row.slice(0, 3).join(';'));
  const feed = await cards(`Photo;Clip;Music\n${table.join('\n')}\n`, {
    mediaFolder: path.join(folder, 'autumn'),
  });
  const stored = (await server.askWindow('GET', `/api/feeds/${feed.id}/rows`)).list;
  const found = await check(feed);
  expect(found.checked).toBe(rows.length);
  const said = stored.map(
    ({ id }) => found.problems.find(({ row }) => row === id)?.sentence ?? null,
  );
  expect(said).toEqual(
    rows.map(([, , , why]) => (why === null ? null : (expect.stringContaining(why) as string))),
  );
  expect(found.wrong).toEqual(stored.filter((_, at) => rows[at]![3] !== null).map(({ id }) => id));
  // The column is named, too.
  const places = found.problems.map(
    ({ column }) => feed.columns.find(({ id }) => id === column)?.name,
  );
  expect(places).toEqual([...Array<string>(5).fill('Photo'), 'Clip', 'Music', 'Music', 'Photo']);
  const ends = await rendered(feed);
  expect(ends.map((end) => end === '')).toEqual(rows.map(([, , , why]) => why === null));
  // Both in the same words, but for the address that a name stands for.
  for (const [at, end] of ends.entries()) {
    const words = (text: string | null): string =>
      (text ?? '').replace(/^Source error: /, '').replace(/ \(.*/, '');
    expect(words(end)).toBe(words(said[at] ?? null));
  }
});

test('a name is a file beside the table, else one of the media folders, else the newest of the library', async () => {
  await add('beside.png', path.join(fixtures, 'exif-3.jpg'));
  await add('again.jpg', path.join(fixtures, 'exif-1.jpg'));
  await add('again.jpg', path.join(fixtures, 'exif-2.jpg'));
  const table =
    'Photo;Price\nbeside.png;1\nagain.jpg;2\nnowhere.jpg;3\nhttps://example.org/a.jpg;4\n';
  const feed = await cards(table, { fixed: [{ target: 'Music.source', value: 'tune.m4a' }] });
  const states = async (one: WindowFeed) =>
    Object.fromEntries((await media(one)).files.map((file) => [file.name, file]));
  const before = await states(feed);
  expect(before['beside.png']).toMatchObject({ state: 'file', media: { kind: 'image' } });
  expect(before['nowhere.jpg']).toEqual({
    ...{ name: 'nowhere.jpg', address: 'nowhere.jpg', state: 'missing' },
  });
  expect(before['https://example.org/a.jpg']).toMatchObject({ state: 'elsewhere' });
  expect(before['tune.m4a']).toMatchObject({ state: 'file', media: { name: 'Tune.m4a' } });
  expect(Object.keys(before)).not.toContain('1');
  const newest = (await server.askWindow('GET', '/api/media')).list.find(
    ({ name }) => name === 'again.jpg',
  );
  expect(before['again.jpg']).toMatchObject({ address: `media:${newest!.id}` });
  expect((await media(feed)).targets).toMatchObject({ Photo: 'image', 'Clip.source': 'video' });
  // Its own folder comes first; where the table is followed, that is its folder.
  const autumn = path.join(folder, 'autumn');
  await server.askWindow('PATCH', `/api/feeds/${feed.id}`, { mediaFolder: autumn });
  expect((await states(feed))['beside.png']).toEqual({
    ...{ name: 'beside.png', address: path.join(autumn, 'beside.png'), state: 'file' },
  });
  await writeFile(path.join(outside, 'table.csv'), 'Photo\nsecret.png\n');
  const watch = { path: path.join(outside, 'table.csv'), renders: false };
  await server.askWindow('PATCH', `/api/feeds/${feed.id}`, { mediaFolder: null, watch });
  await expect.poll(async () => Object.keys(await states(feed))).toContain('secret.png');
  expect((await states(feed))['secret.png']).toMatchObject({ state: 'outside' });
  const refused = await server.askWindow('PATCH', `/api/feeds/${feed.id}`, { mediaFolder: 'here' });
  expect([refused.status, refused.body.hint]).toEqual([
    400,
    expect.stringContaining('the whole path of a folder'),
  ]);
});

test('texts that a voice speaks are no files: checking rows asks no voice', async () => {
  let asked = 0;
  const voice = createServer((_, response) => {
    asked++;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => voice.listen(0, '127.0.0.1', resolve));
  const { port } = voice.address() as AddressInfo;
  const lines = [`openai: http://127.0.0.1:${port}/v1`];
  await server.askWindow('PATCH', '/api/settings', { voices: lines });
  const provider = 'openai';
  const feed = await cards('Voice\nGood morning\nGood night\n', {}, { type: 'audio', provider });
  expect(await check(feed)).toMatchObject({ rowCount: 2, checked: 2, wrong: [], problems: [] });
  expect(asked).toBe(0);
  await server.askWindow('PATCH', '/api/settings', { voices: [] });
  voice.close();
});

test('a file that ends the program that looks at it is named; what nobody could look at is not called fine', async () => {
  const feed = await cards('Photo\nIMG_2041.jpg\nIMG_2041.jpg?deadly\nagain.jpg\n');
  // It says of no file that it is wrong, and one ends it.
  const script = path.join(folder, 'worker.mjs');
  const answers = `process.send({ type: 'ready' });
    process.on('disconnect', () => process.exit(0));
    process.on('message', ({ type, name, id, input }) => {
      if (type !== 'start' || name !== 'try-files') return;
      for (const [index, { source }] of input.files.entries()) {
        if (source.includes('deadly')) process.exit(9);
        process.send({ type: 'progress', id, progress: { index, fault: null } });
      }
      process.send({ type: 'result', id, output: {} });
    });`;
  await writeFile(script, answers);
  await server.restart({ forkWorker: () => forkWorker(script) });
  const found = await check(feed);
  expect(found).toMatchObject({ rowCount: 3, checked: 3 });
  expect(found.problems.map(({ sentence }) => sentence)).toEqual([
    'Photo.source: The file ends the program that looks at it (IMG_2041.jpg?deadly)',
  ]);
  const failed = `{ type: 'failed', id, code: 'encoder_missing', message: 'There is no ffmpeg' }`;
  await writeFile(
    script,
    `process.send({ type: 'ready' }); process.on('message', ({ id }) => process.send(${failed}));`,
  );
  const none = await cards('Photo\nclip.mp4\n');
  expect(await check(none)).toMatchObject({ rowCount: 1, wrong: [], checked: 0 });
  await server.restart();
});
