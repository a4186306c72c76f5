/**
 * Data files stay near the size of their records while the program runs, and nothing is lost whenever that is
 * interrupted.
 */
import { copyFlushed, failFlush, failWrite, repairDisk } from './faulty-disk.ts';
import { mkdir, mkdtemp, open as openFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Collection } from '../../server/store/database.ts';
import { removeUnfinished } from '../../server/store/files.ts';
import { isLong } from '../helpers/long.ts';

const schema = z.object({ _id: z.string(), value: z.string() });
type Doc = z.infer<typeof schema>;

let folder: string;
let place: string;
let logged: string[] = [];
const log = (_level: string, _place: string, text: string): void => void logged.push(text);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  place = path.join(folder, 'data');
  await mkdir(place);
  logged = [];
});
afterEach(async () => {
  repairDisk();
  await rm(folder, { recursive: true });
});

const open = (where = place): Promise<Collection<Doc>> =>
  Collection.open({ file: path.join(where, 'things.db'), schema, log });
/** What the next start finds. */
async function reopened(where = place): Promise<Record<string, string>> {
  const collection = await open(where);
  await collection.close();
  return contents(collection);
}
const size = async (): Promise<number> => (await stat(path.join(place, 'things.db'))).size;
const contents = (collection: Collection<Doc>): Record<string, string> =>
  Object.fromEntries(
    collection.all().map(({ _id, value }) => [_id, `${value.slice(0, 8)} ${value.length}`]),
  );
const shown = (known: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...known].map(([id, value]) => [id, `${value.slice(0, 8)} ${value.length}`]));

/** A value of 20 kB that tells its number. */
const valueOf = (number: number): string => `${number}`.padEnd(20_000, '·é');

/** Changes records over and over; `known` has what was acknowledged. */
async function work(
  collection: Collection<Doc>,
  known: Map<string, string>,
  rounds: number,
  each?: () => Promise<void> | void,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const id = `r${round % 7}`;
    try {
      if (round % 11 === 10) {
        await collection.remove(id);
        known.delete(id);
      } else {
        await collection.write({ _id: id, value: valueOf(round) });
        known.set(id, valueOf(round));
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'cannot_save' });
    }
    await each?.();
  }
}

test('a file is rewritten while changes go on, and once more after a start if it needs it', async () => {
  const collection = await open();
  const known = new Map<string, string>();
  let largest = 0;
  await work(collection, known, 200, async () => {
    largest = Math.max(largest, await size());
  });
  // 6 MB were written, 7 records of 40 kB are there.
  expect(largest).toBeLessThan(3_000_000);
  await collection.close();
  expect(contents(collection)).toEqual(shown(known));
  expect(await readdir(place)).toEqual(['things.db']);

  const lines = Array.from({ length: 200 }, (_, n) =>
    JSON.stringify({ _id: 'same', value: valueOf(n) }),
  );
  await writeFile(path.join(place, 'things.db'), `${lines.join('\n')}\n`);
  const again = await open();
  await expect.poll(size).toBeLessThan(100_000);
  expect(again.find('same')?.value).toBe(valueOf(199));
  await again.write({ _id: 'later', value: 'v' });
  await again.close();
  expect(Object.keys(await reopened())).toEqual(['same', 'later']);
  expect(logged).toEqual([]);
});

test('F4: what a power cut leaves at any moment of it holds all that was answered', async () => {
  const collection = await open();
  const known = new Map<string, string>();
  let cuts = 0;
  let seen = 0;
  await work(collection, known, 120, async () => {
    // Around the moments of a rewrite, which are those with a second file in the folder; a few of the others.
    const isRewriting = (await readdir(place)).length > 1;
    if (isRewriting) seen++;
    if (!isRewriting && cuts++ % 20 !== 0) return;
    const left = path.join(folder, `cut-${cuts}`);
    copyFlushed(place, left);
    expect(await reopened(left)).toEqual(shown(known));
    await rm(left, { recursive: true });
  });
  expect(seen).toBeGreaterThan(0);
  await collection.close();
});

test('F23: whichever write fails in it, nothing is lost, and it is done later', async () => {
  // Large records, so that few changes lead to it; its own writes fall on some of these numbers.
  const change = async (collection: Collection<Doc>, known: Map<string, string>, count: number) => {
    for (let n = 0; n < count; n++) {
      const doc = { _id: `r${n % 3}`, value: `${n}`.padEnd(200_000, '.') };
      await collection.write(doc).then(
        () => known.set(doc._id, doc.value),
        (error: unknown) => expect(error).toMatchObject({ code: 'cannot_save' }),
      );
    }
  };
  for (let at = 10; at <= 18; at++) {
    const collection = await open();
    const known = new Map<string, string>();
    failWrite(at, { forGood: false });
    await change(collection, known, 20);
    expect(repairDisk()).toBe(true);
    expect(contents(collection)).toEqual(shown(known));
    await change(collection, known, 15);
    await collection.close();
    expect(await size()).toBeLessThan(4_000_000);
    expect(await reopened()).toEqual(shown(known));
    expect(await readdir(place)).toEqual(['things.db']);
    await rm(path.join(place, 'things.db'));
  }
  const met = logged.filter((text) => text.includes('could not be rewritten'));
  expect(met.length).toBeGreaterThan(1);
});

test('what a killed rewriting left is removed', async () => {
  const collection = await open();
  await collection.write({ _id: 'a', value: '1' });
  const rest = 'things.db.0b9bd6d4-93a1-4c8e-9a39-9a1e5d1b0f10.new';
  await writeFile(path.join(place, rest), '{"_id":"a","val');
  await writeFile(path.join(place, 'mine.new'), 'of a person');
  await removeUnfinished(place);
  expect((await readdir(place)).sort()).toEqual(['mine.new', 'things.db']);
});

test.each([
  ['EIO', 'the drive reports an error'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the drive is read-only'],
])('a flush that fails with %s is refused with its own reason', async (code, reason) => {
  const collection = await open();
  await collection.write({ _id: 'a', value: '1' });
  failFlush(code);
  const refusal = { code: 'cannot_save', message: expect.stringContaining(reason) as string };
  await expect(collection.write({ _id: 'b', value: '2' })).rejects.toMatchObject(refusal);
  await expect(collection.write({ _id: 'c', value: '2' })).rejects.toMatchObject(refusal);
  repairDisk();
  await collection.write({ _id: 'd', value: '2' });
  await collection.close();
  expect(Object.keys(await reopened())).toEqual(['a', 'd']);
});

test('long records and lines over the pieces in which a file is read are kept', async () => {
  const collection = await open();
  const known = new Map<string, string>();
  for (const length of [1, 1_048_540, 1_048_560, 1_048_576, 3_333_333]) {
    known.set(`n${length}`, 'é'.repeat(length));
    await collection.write({ _id: `n${length}`, value: 'é'.repeat(length) });
  }
  expect(await reopened()).toEqual(shown(known));
});

// 600 MB are written.
test.runIf(isLong)(
  'a file that is longer than any text can be is opened, repaired and rewritten',
  async () => {
    const value = 'x'.repeat(9_000_000);
    const handle = await openFile(path.join(place, 'things.db'), 'a');
    for (let n = 0; n < 66; n++) {
      await handle.write(`${JSON.stringify({ _id: `r${n % 3}`, value: `${n}${value}` })}\n`);
    }
    await handle.write('{"_id":"torn');
    await handle.close();
    expect(await size()).toBeGreaterThan(2 ** 29);
    const collection = await open();
    expect(collection.notices).toHaveLength(1);
    expect(collection.all().map((doc) => doc.value.slice(0, 2))).toEqual(['63', '64', '65']);
    await expect.poll(size).toBeLessThan(30_000_000);
    await collection.close();
  },
  120_000,
);
