/**
 * The store on a real disk: nothing acknowledged is lost, nothing damaged stops the start, one program per folder. What
 * holds wherever records are kept is in records.test.ts.
 */
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../server/system/clock.ts';
import { Collection } from '../../server/store/database.ts';
import { DataFormatError } from '../../server/store/migrate.ts';
import { firstProject } from '../../server/store/projects.ts';
import { openStore, type Store } from '../../server/store/store.ts';

const schema = z.object({ _id: z.string(), value: z.string() });
type Doc = z.infer<typeof schema>;

let folder: string;
let file: string;
let logged: string[] = [];
const log = (_level: string, _place: string, text: string): void => void logged.push(text);
beforeEach(async () => {
  logged = [];
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  file = path.join(folder, 'things.db');
});
afterEach(() => rm(folder, { recursive: true }));

const open = (): Promise<Collection<Doc>> => Collection.open({ file, schema, log });
const ids = (collection: Collection<Doc>): string[] =>
  collection
    .all()
    .map(({ _id }) => _id)
    .sort();
const names = async (part: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.includes(part));

test('what is answered is in the file; changes that arrive together are all in it', async () => {
  const collection = await open();
  const many = Array.from({ length: 200 }, (_, index) => ({ _id: `r${index}`, value: 'v' }));
  await Promise.all(
    many.map(async (doc) => {
      await collection.write(doc);
      expect(await readFile(file, 'utf8')).toContain(`"_id":"${doc._id}"`);
    }),
  );
  expect(collection.all()).toHaveLength(200);
});

describe.each([1, 3, 9, 40])(
  'F25: a file of %i records that ends in the middle of the last',
  (count) => {
    test('opens with all the others, whatever is left of it', async () => {
      const lines = Array.from({ length: count }, (_, index) =>
        JSON.stringify({ _id: `r${String(index).padStart(2, '0')}`, value: 'é' }),
      );
      const whole = Buffer.from(`${lines.join('\n')}\n`);
      const lastStart = whole.length - Buffer.byteLength(lines.at(-1)!) - 1;
      const earlier = lines.slice(0, -1).map((line) => line.slice(8, 11));
      for (let length = lastStart; length <= whole.length; length++) {
        await rm(folder, { recursive: true });
        await mkdir(folder);
        await writeFile(file, whole.subarray(0, length));
        const collection = await open();
        const found = ids(collection);
        expect(found.slice(0, count - 1)).toEqual(earlier);
        // The last one is complete from its closing bracket on.
        expect(found).toHaveLength(length >= whole.length - 1 ? count : count - 1);
        const torn = length > lastStart && length < whole.length;
        expect(await names('before-repair')).toHaveLength(torn ? 1 : 0);
        expect(collection.notices).toHaveLength(torn ? 1 : 0);
        await collection.write({ _id: 'new', value: 'v' });
        expect(ids(await open())).toEqual([...found, 'new'].sort());
      }
    });
  },
);

test('F26: a damaged record in the middle is set aside, the rest stays', async () => {
  const collection = await open();
  for (const _id of ['a', 'b', 'c']) await collection.write({ _id, value: 'x'.repeat(80) });
  const bytes = await readFile(file);
  bytes.fill(0xff, bytes.indexOf('"_id":"b"'), bytes.indexOf('"_id":"b"') + 45);
  await writeFile(file, bytes);
  const again = await open();
  expect(ids(again)).toEqual(['a', 'c']);
  const [aside] = await names('damaged-');
  expect(again.notices).toEqual([
    {
      text: expect.stringMatching(
        /^things\.db: 1 damaged record was set aside; the original is kept as /,
      ) as string,
      setAside: { records: 1, file: path.join(path.dirname(file), aside ?? '') },
    },
  ]);
  expect(aside).toMatch(/^damaged-things-.*\.jsonl$/);
  expect(await names('before-repair')).toHaveLength(1);
});

test('characters that the database takes for ends of lines are kept, also in older files', async () => {
  const value = '\u0085\u2028\u2029';
  await writeFile(file, `{"_id":"old","value":"${value}"}\n`);
  const collection = await open();
  await collection.write({ _id: 'new', value });
  const again = await open();
  await again.write({ _id: 'newer', value });
  expect(ids(again)).toEqual(['new', 'newer', 'old']);
  expect(again.all().map((doc) => doc.value)).toEqual([value, value, value]);
  expect([...again.notices, ...(await names('repair')), ...(await names('damaged'))]).toEqual([]);
});

test('records of an unknown form are set aside', async () => {
  await writeFile(file, '{"_id":"a","value":"1"}\n{"_id":"b","value":2}\n');
  const collection = await open();
  expect(ids(collection)).toEqual(['a']);
  const [name] = await names('unreadable-');
  const aside = path.join(folder, name!);
  expect(await readFile(aside, 'utf8')).toContain('"_id":"b"');
  expect(collection.notices).toMatchObject([{ setAside: { records: 1, file: aside } }]);
});

test('F23: a write that fails is taken back, refused, and later writes work again', async () => {
  const collection = await open();
  await collection.write({ _id: 'a', value: '1' });
  // A folder in place of the file: every write fails, as on a disk that has gone.
  const away = `${file}.away`;
  await rename(file, away);
  await mkdir(file);
  const refusal = { code: 'cannot_save', status: 503 };
  await expect(collection.write({ _id: 'b', value: '2' })).rejects.toMatchObject(refusal);
  await expect(collection.change('a', (doc) => ({ ...doc, value: '9' }))).rejects.toMatchObject(
    refusal,
  );
  expect(collection.find('b')).toBeNull();
  expect(collection.find('a')?.value).toBe('1');

  await rm(file, { recursive: true });
  await rename(away, file);
  await collection.write({ _id: 'c', value: '3' });
  expect(ids(collection)).toEqual(['a', 'c']);
  const again = await open();
  expect(ids(again)).toEqual(['a', 'c']);
  expect(again.find('a')?.value).toBe('1');
});

test('a data file that someone takes away while it is open comes back whole', async () => {
  const collection = await open();
  for (const _id of ['a', 'b', 'c']) await collection.write({ _id, value: _id });
  await rm(file);
  // The disk took it, but into another file: refused, as after any failed write.
  await expect(collection.write({ _id: 'd', value: 'd' })).rejects.toMatchObject({
    code: 'cannot_save',
  });
  await collection.write({ _id: 'e', value: 'e' });
  expect(ids(collection)).toEqual(['a', 'b', 'c', 'e']);
  expect(ids(await open())).toEqual(['a', 'b', 'c', 'e']);
  expect(logged.join('\n')).toContain('was removed; it was written again');
});

test('F23: the file of a drive that is away is not said to be written again', async () => {
  const collection = await open();
  await collection.write({ _id: 'a', value: '1' });
  await rename(folder, `${folder}.away`);
  for (const _id of ['b', 'c'])
    await expect(collection.write({ _id, value: '2' })).rejects.toMatchObject({
      code: 'cannot_save',
    });
  await rename(`${folder}.away`, folder);
  await collection.write({ _id: 'd', value: '4' });
  expect(ids(await open())).toEqual(['a', 'd']);
  expect(logged.filter((line) => line.includes('read-only for now'))).not.toEqual([]);
  expect(logged.filter((line) => line.includes('was removed'))).toEqual([]);
});

describe('the folder', () => {
  test('F28: is not touched when a newer version made it', async () => {
    await mkdir(path.join(folder, 'store'));
    await writeFile(path.join(folder, 'store', 'format.json'), '{"format":99}');
    await writeFile(path.join(folder, 'store', 'renders.db'), 'other form');
    await expect(openStore(folder, log, systemClock)).rejects.toThrow(DataFormatError);
    await expect(openStore(folder, log, systemClock)).rejects.toThrow(
      'was made by a newer version of the app (format 99, this version knows 4)',
    );
    expect(await readdir(path.join(folder, 'store'))).toEqual(['format.json', 'renders.db']);
    expect(await names('lock')).toEqual([]);
  });
});

describe('data files that are gone', () => {
  const fill = async (): Promise<void> => {
    const store = await openStore(folder, log, systemClock);
    await store.templates.insert(firstProject, 't', { name: 'N', tags: [], source: {} });
    await store.close();
  };
  const place = (name: string): string => path.join(folder, 'store', name);
  const reopen = async (): Promise<{ notices: readonly string[]; templates: number }> => {
    const store = await openStore(folder, log, systemClock);
    await store.close();
    const notices = store.notices.map(({ text }) => text);
    return { notices, templates: store.templates.list().length };
  };

  test.each<[string, () => Promise<void>]>([
    ['missing', () => rm(place('templates.db'))],
    ['empty', () => writeFile(place('templates.db'), '')],
  ])('F27: a file that is %s: its backup is put aside and offered, once', async (what, lose) => {
    await fill();
    await rm(place('backups'), { recursive: true });
    await reopen();
    await lose();
    const { notices, templates } = await reopen();
    expect(templates).toBe(0);
    expect(notices).toEqual([
      expect.stringMatching(
        new RegExp(`^templates\\.db was ${what}\\. There is a backup \\(day-[\\d-]+\\), kept as `),
      ),
    ]);
    expect((await reopen()).notices).toEqual([]);
    const [lost] = (await readdir(place('backups'))).filter((name) => name.startsWith('lost-'));
    await copyFile(path.join(place('backups'), lost!, 'templates.db'), place('templates.db'));
    expect(await reopen()).toEqual({ notices: [], templates: 1 });
  });

  test('F27: one that is missing without a backup starts empty, with a notice', async () => {
    await fill();
    await rm(place('backups'), { recursive: true });
    await rm(place('templates.db'));
    expect(await reopen()).toEqual({
      notices: ['templates.db was missing and there is no backup of it. It starts empty.'],
      templates: 0,
    });
  });

  test('F27: one whose last record was removed is not taken for damaged', async () => {
    await fill();
    const store = await openStore(folder, log, systemClock);
    await store.templates.purge('t');
    await store.close();
    expect(await reopen()).toEqual({ notices: [], templates: 0 });
    expect(await reopen()).toEqual({ notices: [], templates: 0 });
  });

  test('F29: the rest of a rewrite is ignored beside a good file, and used without one', async () => {
    await fill();
    await writeFile(place('templates.db~'), '{"_id":"half');
    expect(await reopen()).toEqual({ notices: [], templates: 1 });
    await rename(place('templates.db'), place('templates.db~'));
    expect(await reopen()).toEqual({ notices: [], templates: 1 });
  });
});

describe('renders and templates', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore(folder, log, systemClock);
  });
  afterEach(() => store.close());

  const render = {
    project: firstProject,
    status: 'planned' as const,
    outputFormat: 'mp4' as const,
    createdAt: 5,
    attempts: 0,
    request: {},
  };

  test('a missing or damaged document reads as none', async () => {
    await store.renders.insert({ ...render, id: 'r' }, {});
    const place = path.join(folder, 'store', 'sources', 'r.json');
    await writeFile(place, '{"elements": [');
    expect(await store.renders.readSource('r')).toBeNull();
    await rm(place);
    expect(await store.renders.readSource('r')).toBeNull();
  });

  test('the key is made once and can be set', async () => {
    const { key } = await store.keys.ensure();
    expect(key).toMatch(/^fw_[\w-]{32}$/);
    expect((await store.keys.ensure()).key).toBe(key);
    expect((await store.keys.ensure('my-own-key')).key).toBe('my-own-key');
    expect((await store.keys.ensure()).key).toBe('my-own-key');
  });
});
