/** Contents of storage on a worker's disk: checked on arrival, bounded, and safe for whoever uses one while it goes. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ContentCopies } from '../../server/cluster/jobs/content-copies.ts';
import { ContentCache, DamagedError } from '../../server/cluster/storage/content-cache.ts';
import { contentKey, type Storage } from '../../server/store/storage.ts';
import { openStorage } from '../../server/cluster/storage/open-storage.ts';

let folder: string;
let storage: Storage;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  storage = await openStorage(path.join(folder, 'storage'));
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const idOf = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);
const contentOf = (letter: string): Buffer => Buffer.alloc(1_000, letter);
const put = async (content: Buffer): Promise<string> => {
  const id = idOf(content);
  await storage.put(contentKey('media', id), content);
  return id;
};
const place = (name: string): string => path.join(folder, name);
const cacheOf = (limit = 10_000): ContentCache =>
  new ContentCache({ storage, folder: place('cache'), limit: () => limit });
const kept = (): Promise<string[]> => readdir(path.join(folder, 'cache', 'media'));

describe('a cache of contents', () => {
  test('fetches each once, also for several at the same time, and needs no storage for what it has', async () => {
    const id = await put(contentOf('a'));
    const cache = cacheOf();
    const places = ['one', 'two', 'three'].map(place);
    expect(await Promise.all(places.map((at) => cache.bring('media', id, at)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await kept()).toEqual([id]);
    await storage.remove(contentKey('media', id));
    expect(await cacheOf().bring('media', id, place('four'))).toBe(true);
    // Where it is already, it stays.
    expect(await cacheOf().bring('media', id, place('four'))).toBe(true);
    expect((await readFile(place('four'))).equals(contentOf('a'))).toBe(true);
  });

  test('has no place for what storage does not have', async () => {
    expect(await cacheOf().bring('media', 'a'.repeat(32), place('none'))).toBe(false);
    expect(await readdir(folder)).not.toContain('none');
  });

  test('refuses what is not what its name says, says so, and removes it from storage', async () => {
    const id = idOf(contentOf('a'));
    await storage.put(contentKey('media', id), contentOf('b'));
    const bringing = cacheOf().bring('media', id, place('damaged'));
    await expect(bringing).rejects.toThrow(DamagedError);
    await expect(bringing).rejects.toThrow(
      `the file media/${id} in the storage ${storage.name} is damaged: expected a SHA-256 that begins with ${id}, found ${idOf(contentOf('b'))}`,
    );
    expect(await storage.head(contentKey('media', id))).toBeNull();
    expect(await kept()).toEqual([]);
    expect(await readdir(folder)).not.toContain('damaged');
  });

  test('keeps to its limit: what was used longest ago goes, and who uses it still has it', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map((letter) => put(contentOf(letter))));
    const [first = '', second = '', third = ''] = ids;
    const cache = cacheOf(2_500);
    await cache.bring('media', first, place('first'));
    await cache.bring('media', second, place('second'));
    const [old, older] = [new Date(2_000_000), new Date(1_000_000)];
    await utimes(path.join(folder, 'cache', 'media', first), old, old);
    await utimes(path.join(folder, 'cache', 'media', second), older, older);
    // A part that a killed process left long ago.
    await writeFile(path.join(folder, 'cache', 'media', 'left.part'), 'x');
    await utimes(path.join(folder, 'cache', 'media', 'left.part'), older, older);
    await cache.bring('media', third, place('third'));
    expect((await kept()).sort()).toEqual([first, third].sort());
    expect((await readFile(place('second'))).equals(contentOf('b'))).toBe(true);
  });
});

test('copies of the servers’ folder: what is missing or cut is added, what the folder lost goes after an hour', async () => {
  const folders = { media: place('media'), fonts: place('fonts') };
  for (const one of Object.values(folders)) await mkdir(one);
  const [own, cut] = [contentOf('a'), contentOf('b')];
  for (const content of [own, cut])
    await writeFile(path.join(folders.media, idOf(content)), content);
  await writeFile(path.join(folders.media, 'notes.txt'), 'of someone');
  await storage.put(contentKey('media', idOf(cut)), cut.subarray(10));
  const gone = await put(contentOf('c'));
  const copies = new ContentCopies(storage, folders);
  const keysNow = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage.list('media/')) keys.push(key);
    return keys.sort();
  };
  expect(await copies.keep(Date.now())).toBe(2);
  expect((await storage.head(contentKey('media', idOf(cut))))?.bytes).toBe(cut.length);
  expect(await keysNow()).toContain(contentKey('media', gone));
  expect(await copies.keep(Date.now() + 2 * 3_600_000)).toBe(1);
  expect(await keysNow()).toEqual([own, cut].map((one) => contentKey('media', idOf(one))).sort());
  // A folder that is away is not one that is empty.
  await rm(folders.media, { recursive: true });
  await expect(copies.keep(Date.now() + 2 * 3_600_000)).rejects.toThrow('ENOENT');
  expect(await keysNow()).toHaveLength(2);
});
