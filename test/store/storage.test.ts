/** What every storage must hold, over a folder and over S3 alike, and how each of them fails. */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  contentKey,
  isKey,
  outputKey,
  removeStrays,
  renderOf,
  renderPrefix,
  snapshotKey,
  type Storage,
  StorageError,
  type StoredFile,
} from '../../server/store/storage.ts';
import { openStorage } from '../../server/cluster/storage/open-storage.ts';
import { readS3Address } from '../../server/cluster/storage/s3-address.ts';
import { startS3, type S3Server } from '../helpers/s3-server.ts';

let folder: string;
let s3: S3Server | null = null;
let starting: Promise<S3Server> | null = null;
const opened: Storage[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
});
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  await s3?.stop().catch(() => undefined);
  s3 = starting = null;
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function keep(opening: Promise<Storage>): Promise<Storage> {
  const storage = await opening;
  opened.push(storage);
  return storage;
}

async function startedS3(): Promise<S3Server> {
  s3 = await (starting ??= startS3());
  vi.stubEnv('AWS_ACCESS_KEY_ID', s3.accessKey);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.secretKey);
  return s3;
}

/** What is slow on a busy computer has not failed. */
const patience = 10_000;
const openFolder = (): Promise<Storage> => keep(openStorage(path.join(folder, 'films'), patience));
async function openS3(more = '', most = patience): Promise<Storage> {
  const { endpoint } = await startedS3();
  return keep(openStorage(`s3://films/all?endpoint=${endpoint}${more}`, most));
}

const text = async (storage: Storage, key: string): Promise<string | null> => {
  const found = await storage.get(key);
  return found && String(await buffer(found.stream));
};
const keysOf = async (storage: Storage, prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
};
const key = 'renders/a/1.mp4';

describe.each([
  ['a folder', openFolder],
  ['S3', openS3],
])('in %s', (_, open) => {
  test('bytes, files and streams come back as they were put', async () => {
    const storage = await open();
    const file = path.join(folder, 'film.mp4');
    await writeFile(file, 'from a file');
    for (const [name, content, expected] of [
      ['bytes', Buffer.from('from bytes'), 'from bytes'],
      ['file', { file }, 'from a file'],
      ['stream', Readable.from([Buffer.from('from '), Buffer.from('a stream')]), 'from a stream'],
      ['empty', Buffer.alloc(0), ''],
    ] as const) {
      const put = await storage.put(`renders/a/${name}`, content);
      expect(put).toMatchObject({ key: `renders/a/${name}`, bytes: expected.length });
      expect(await storage.head(`renders/a/${name}`)).toEqual(put);
      expect(await text(storage, `renders/a/${name}`)).toBe(expected);
    }
  });

  test('a file of many parts comes back, and any range of it', async () => {
    const storage = await open();
    const content = randomBytes(40 * 1024 * 1024);
    await storage.put(key, Readable.from(cut(content)), { type: 'video/mp4' });
    const whole = await storage.get(key);
    expect((await buffer(whole!.stream)).equals(content)).toBe(true);
    for (const [start, end] of [
      [0, 0],
      [20_000_000, 20_000_999],
      [content.length - 1, content.length - 1],
    ] as const) {
      const part = await storage.get(key, { range: { start, end } });
      expect(part!.file.bytes).toBe(content.length);
      expect((await buffer(part!.stream)).equals(content.subarray(start, end + 1))).toBe(true);
    }
  });

  test('what is missing is null, and can be removed', async () => {
    const storage = await open();
    expect(await storage.head(key)).toBeNull();
    expect(await storage.get(key)).toBeNull();
    await storage.remove(key);
    await storage.put(key, Buffer.from('x'));
    await storage.remove(key);
    expect(await storage.head(key)).toBeNull();
    expect(await keysOf(storage, '')).toEqual([]);
  });

  test('files are listed by the beginning of their keys, in order', async () => {
    const storage = await open();
    const all = [
      'fonts/f',
      'media/a',
      'renders/a/1.mp4',
      'renders/a/2.mp4',
      'renders/ab/1.mp4',
      'renders/b/1.gif',
    ];
    for (const one of all.toReversed()) await storage.put(one, Buffer.from(one));
    expect(await keysOf(storage, '')).toEqual(all);
    expect(await keysOf(storage, 'renders/')).toEqual(all.slice(2));
    expect(await keysOf(storage, 'renders/a')).toEqual(all.slice(2, 5));
    expect(await keysOf(storage, renderPrefix('a'))).toEqual(all.slice(2, 4));
    expect(await keysOf(storage, 'media/')).toEqual(['media/a']);
    expect(await keysOf(storage, 'downloads/')).toEqual([]);
  });

  test('no half file is ever seen: not while it comes, not when it ends in the middle', async () => {
    const storage = await open();
    await storage.put(key, Buffer.from('the old one'));
    async function* broken(): AsyncGenerator<Buffer> {
      for (let piece = 0; piece < 20; piece++) {
        yield Buffer.alloc(1024 * 1024, 120);
        expect(await text(storage, key)).toBe('the old one');
        expect(await keysOf(storage, '')).toEqual([key]);
      }
      throw new Error('the disk of the source');
    }
    await expect(storage.put(key, Readable.from(broken()))).rejects.toThrow(
      'the disk of the source',
    );
    expect(await text(storage, key)).toBe('the old one');
    const stopping = new AbortController();
    function* endless(): Generator<Buffer> {
      for (let piece = 0; ; piece++) {
        if (piece === 20) setImmediate(() => stopping.abort());
        yield Buffer.alloc(1024 * 1024, 121);
      }
    }
    const { signal } = stopping;
    await expect(
      storage.put('renders/a/2.mp4', Readable.from(endless()), { signal }),
    ).rejects.toThrow(/abort/i);
    expect(await keysOf(storage, '')).toEqual([key]);
    await expect(storage.put('media/m', { file: path.join(folder, 'none') })).rejects.toThrow(
      'ENOENT',
    );
    const gone = new Readable();
    gone.destroy(new Error('gone before it was read'));
    await expect(storage.put('media/g', gone)).rejects.toThrow('gone before it was read');
    expect(await storage.removeUnfinished(Date.now() + 1_000)).toBe(0);
  });

  test('replacing is whole, and the mark says so', async () => {
    const storage = await open();
    const one = await storage.put(key, Buffer.from('one'));
    const two = await storage.put(key, Buffer.from('two, longer'));
    expect(two.mark).not.toBe(one.mark);
    expect(one.mark).toMatch(/^[\w-]+$/);
    const puts = Array.from({ length: 8 }, (_none, n) =>
      storage.put(key, Buffer.alloc(200_000, 65 + n)),
    );
    await Promise.all(puts);
    expect(new Set(await text(storage, key)).size).toBe(1);
  });

  test('all who open it have the same ID, also when they come at once for the first time', async () => {
    const storages = await Promise.all([open(), open(), open()]);
    expect(new Set(storages.map(({ id }) => id)).size).toBe(1);
    expect(storages[0].id).toMatch(/^[\w-]{36}$/);
    expect(await storages[0].answers()).toBe(true);
  });

  test('the sweep removes what nobody needs, if it is old enough', async () => {
    const storage = await open();
    const needed = outputKey({ id: 'a', attempt: '1' }, 'mp4');
    const stray = outputKey({ id: 'a', attempt: '2' }, 'mp4');
    for (const one of [needed, stray, contentKey('media', 'm')])
      await storage.put(one, Buffer.from('x'));
    const isNeeded = (one: StoredFile): boolean => one.key === needed;
    expect(await removeStrays(storage, 'renders/', Date.now() - 60_000, isNeeded)).toBe(0);
    expect(await removeStrays(storage, 'renders/', Date.now() + 60_000, isNeeded)).toBe(1);
    expect(await keysOf(storage, '')).toEqual([contentKey('media', 'm'), needed]);
  });

  test('a key can not lead out of it', async () => {
    const storage = await open();
    for (const bad of [
      '../x',
      'renders/../../x',
      '/etc/passwd',
      'a//b',
      '',
      '.incoming/x',
      'a/.b',
      'a\\b',
      'a b',
    ]) {
      expect(isKey(bad)).toBe(false);
      await expect(storage.put(bad, Buffer.from('x'))).rejects.toThrow('key');
      await expect(storage.get(bad)).rejects.toThrow('key');
    }
  });
});

function* cut(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += 300_000) yield content.subarray(at, at + 300_000);
}

const fault = (storage: Storage, word: StorageError['fault']): object =>
  expect.objectContaining({
    name: 'StorageError',
    fault: word,
    message: expect.stringContaining(storage.name) as string,
  }) as object;

/** Everything that asks the storage something. */
const questions = (storage: Storage): (() => Promise<unknown>)[] => [
  () => storage.put('renders/a/9.mp4', Buffer.from('x')),
  () => storage.head(key),
  () => storage.get(key).then((found) => found && buffer(found.stream)),
  () => storage.remove('renders/a/8.mp4'),
  () => keysOf(storage, 'renders/'),
  () => storage.removeUnfinished(0),
];

describe('a folder that fails', () => {
  test('a drive that is not mounted is no empty storage', async () => {
    const storage = await openFolder();
    await storage.put(key, Buffer.from('x'));
    await rename(storage.name, `${storage.name}-away`);
    for (const isEmptyThere of [false, true]) {
      if (isEmptyThere) await mkdir(storage.name);
      for (const ask of questions(storage))
        await expect(ask()).rejects.toEqual(fault(storage, 'away'));
      expect(await storage.answers()).toBe(false);
    }
    await rm(storage.name, { recursive: true });
    await rename(`${storage.name}-away`, storage.name);
    expect(await text(storage, key)).toBe('x');
    expect(await storage.answers()).toBe(true);
  });

  test('one that goes away while a file is written is not made again in its place', async () => {
    const storage = await openFolder();
    const content = Readable.from(
      (async function* () {
        yield Buffer.from('x');
        await rename(storage.name, `${storage.name}-away`);
        yield Buffer.from('y');
      })(),
    );
    await expect(storage.put(key, content)).rejects.toEqual(fault(storage, 'away'));
    await rename(`${storage.name}-away`, storage.name);
    expect(await storage.head(key)).toBeNull();
  });

  test('what a killed program left is removed when it is old', async () => {
    const storage = await openFolder();
    const left = path.join(storage.name, '.incoming', 'left');
    await writeFile(left, 'half');
    await utimes(left, new Date(0), new Date(0));
    expect(await storage.removeUnfinished(Date.now() - 60_000)).toBe(1);
    expect(await readdir(path.dirname(left))).toEqual([]);
  });

  test.each([
    [
      'a file in its place',
      async () => writeFile(path.join(folder, 'films'), ''),
      /^--storage: The storage .*films/,
    ],
    ['another kind of address', () => Promise.resolve(), /^--storage: Expected a folder or s3:/],
  ])('%s is refused with a sentence', async (what, prepare, sentence) => {
    await prepare();
    const where = what.startsWith('a file')
      ? path.join(folder, 'films')
      : 'https://example.com/films';
    await expect(openStorage(where)).rejects.toThrow(sentence);
  });
});

describe('S3 that fails', () => {
  test.each([
    ['denied', 'denied'],
    ['full', 'full'],
    ['busy', 'slow'],
    ['silent', 'slow'],
  ] as const)('%s: the fault has its name', { timeout: 60_000 }, async (what, word) => {
    const storage = await openS3('', 400);
    await storage.put(key, Buffer.from('x'));
    s3!.fault = () => what;
    for (const ask of questions(storage)) await expect(ask()).rejects.toEqual(fault(storage, word));
    expect(await storage.answers()).toBe(false);
    s3!.fault = () => null;
    expect(await text(storage, key)).toBe('x');
  });

  test('away and back', async () => {
    const storage = await openS3();
    await storage.put(key, Buffer.from('x'));
    await s3!.stop();
    for (const ask of questions(storage))
      await expect(ask()).rejects.toEqual(fault(storage, 'away'));
    await s3!.start();
    expect(await text(storage, key)).toBe('x');
  });

  test('a file that breaks off on its way is an error, not a short file', async () => {
    const storage = await openS3();
    await storage.put(key, randomBytes(3_000_000));
    s3!.fault = (method) => (method === 'GET' ? 'cut' : null);
    const found = await storage.get(key);
    await expect(buffer(found!.stream)).rejects.toBeInstanceOf(StorageError);
  });

  test.each([
    ['bytes', (content: Buffer) => content],
    ['a stream', (content: Buffer) => Readable.from(cut(content))],
  ])('an upload whose last answer is lost has arrived: %s', async (_, sourceOf) => {
    const storage = await openS3();
    const content = randomBytes(17 * 1024 * 1024);
    let lost = 0;
    s3!.fault = (method, _key, query) =>
      method === 'POST' && query.has('uploadId') && lost++ === 0 ? 'lost' : null;
    expect(await storage.put(key, sourceOf(content))).toMatchObject({ bytes: content.length });
    expect(lost).toBe(2);
  });

  test('an upload that was removed meanwhile has not', async () => {
    const storage = await openS3();
    s3!.fault = (method, _key, query) => {
      if (method === 'POST' && query.has('uploadId')) s3!.uploads.clear();
      return null;
    };
    const content = randomBytes(17 * 1024 * 1024);
    await expect(storage.put(key, Readable.from(cut(content)))).rejects.toBeInstanceOf(
      StorageError,
    );
    s3!.objects.set('all/renders/a/1.mp4', {
      body: Buffer.from('x'),
      type: '',
      changed: new Date(0),
    });
    await expect(storage.put(key, Readable.from(cut(content)))).rejects.toThrow(
      'did not arrive whole',
    );
  });

  test('an upload in parts that was left is removed when it is old', async () => {
    const storage = await openS3();
    s3!.uploads.set('left', {
      key: 'all/renders/a/1.mp4',
      type: '',
      started: new Date(0),
      parts: new Map(),
    });
    expect(await storage.removeUnfinished(Date.now() - 60_000)).toBe(1);
    expect(s3!.uploads.size).toBe(0);
  });

  test('the wrong secret, and a bucket that is not there, are told at the start', async () => {
    const { endpoint } = await startedS3();
    await expect(openStorage(`s3://other/x?endpoint=${endpoint}`)).rejects.toThrow(
      /^--storage: The storage s3:\/\/other\/x does not answer \(NoSuchBucket/,
    );
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    await expect(openStorage(`s3://films/all?endpoint=${endpoint}`)).rejects.toThrow(
      /^--storage: The storage s3:\/\/films\/all refuses access/,
    );
  });
});

describe('signed addresses', () => {
  test('anyone can read the file there, and no other, as the name and type that were signed', async () => {
    const { endpoint } = await startedS3();
    const storage = await openS3(`&public=${endpoint}`);
    const one = snapshotKey({ id: 'a', attempt: '1' });
    await storage.put(one, Buffer.from('picture'));
    const address = await storage.signedAddress(one, {
      seconds: 60,
      type: 'image/jpeg',
      disposition: "inline; filename*=UTF-8''Gr%C3%BC%C3%9Fe.jpg",
    });
    const answer = await fetch(address!, { headers: { range: 'bytes=0-3' } });
    expect([answer.status, await answer.text()]).toEqual([206, 'pict']);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('content-disposition')).toBe(
      "inline; filename*=UTF-8''Gr%C3%BC%C3%9Fe.jpg",
    );
    await storage.put('renders/a/2.mp4', Buffer.from('film'));
    const other = address!.replace('1-snapshot.jpg', '2.mp4');
    expect((await fetch(other)).status).toBe(403);
    expect((await fetch(address!.replace(/X-Amz-Expires=60/, 'X-Amz-Expires=600'))).status).toBe(
      403,
    );
    expect(renderOf(one)).toBe('a');
  });

  test('there are none where readers do not reach the storage', async () => {
    for (const storage of [await openFolder(), await openS3()]) {
      const options = { seconds: 60, type: 'image/jpeg', disposition: 'inline' };
      expect(await storage.signedAddress(key, options)).toBeNull();
    }
  });
});

test.each([
  ['s3://films', { bucket: 'films', prefix: '', name: 's3://films', isPathStyle: false }],
  ['s3://films/a/b/', { bucket: 'films', prefix: 'a/b/', name: 's3://films/a/b' }],
  ['s3://films?region=eu-central-1', { region: 'eu-central-1', endpoint: null }],
  [
    's3://films?endpoint=http://127.0.0.1:9000&public=https://files.example.com',
    {
      endpoint: 'http://127.0.0.1:9000',
      publicEndpoint: 'https://files.example.com',
      isPathStyle: true,
    },
  ],
])('%s is read', (address, expected) => {
  expect(readS3Address(address)).toMatchObject(expected);
});

test.each([
  ['s3://', 's3://bucket/folder'],
  ['s3://Films_1', 's3://bucket/folder'],
  ['s3://user:secret@films', 'AWS_ACCESS_KEY_ID'],
  ['s3://films?endpoint=ftp://x', 'http://'],
  ['s3://films?pathstyle=1', "found 'pathstyle'"],
  ['s3://films/a b', 'letters'],
])('%s is refused', (address, sentence) => {
  expect(() => readS3Address(address)).toThrow(sentence);
});
