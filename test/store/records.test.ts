/** What every store of records must hold, in files and in PostgreSQL alike. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../server/system/clock.ts';
import type { Clock } from '../../server/system/clock.ts';
import { keepInFiles } from '../../server/store/database.ts';
import { PostgresKeeper } from '../../server/cluster/postgres/keeper.ts';
import { firstProject } from '../../server/store/projects.ts';
import type { RecordKeeper, Records } from '../../server/store/records.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';
import { databasePlaces } from '../helpers/database-places.ts';

const schema = z.object({ _id: z.string(), value: z.string() });
type Doc = z.infer<typeof schema>;
const log = (): void => undefined;

/** A place for records that can be opened again and again. */
interface Place {
  readonly keeper: () => Promise<RecordKeeper>;
  readonly store: (clock?: Clock) => Promise<Store>;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('in files', () => {
  suite(() =>
    Promise.resolve({
      keeper: () => Promise.resolve(keepInFiles(folder, log)),
      store: (clock = systemClock) => openStore(folder, log, clock),
    }),
  );
});

describe.runIf(hasPostgres)('in PostgreSQL', () => {
  const postgres = usePostgres();
  suite(async () => {
    const url = await postgres.create();
    return {
      keeper: () => PostgresKeeper.open({ url, log }),
      store: (clock = systemClock) => openStore(folder, log, clock, databasePlaces(url, log)),
    };
  });
});

function suite(makePlace: () => Promise<Place>): void {
  let place: Place;
  /** To be closed, in reverse. */
  const open: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    place = await makePlace();
  });
  afterEach(() => closeAll());

  async function closeAll(): Promise<void> {
    for (const part of open.splice(0).reverse()) await part.close();
  }

  /** The records of the place, after closing whatever has them. */
  async function reopened<Form extends Doc>(form: z.ZodType<Form>): Promise<Records<Form>> {
    await closeAll();
    const keeper = await place.keeper();
    const records = await keeper.open('keys', form);
    open.push(keeper, records);
    return records;
  }
  const records = (): Promise<Records<Doc>> => reopened(schema);
  const valuesOf = (all: Records<Doc>): Record<string, string> =>
    Object.fromEntries(all.all().map(({ _id, value }) => [_id, value]));

  test('records are inserted, changed, removed, and still there after opening again', async () => {
    const first = await records();
    await first.write({ _id: 'a', value: '1' });
    await first.write({ _id: 'b', value: '2' });
    expect(await first.change('a', (doc) => ({ ...doc, value: '3' }))).toEqual({
      _id: 'a',
      value: '3',
    });
    expect(await first.change('b', () => null)).toBeNull();
    expect(await first.change('x', (doc) => doc)).toBeNull();
    expect(await first.put('p', (doc) => doc ?? { _id: 'p', value: 'put' })).toMatchObject({
      value: 'put',
    });
    expect(await first.remove('b')).toBe(true);
    expect(await first.remove('b')).toBe(false);
    expect(first.find('b')).toBeNull();
    const again = await records();
    expect(valuesOf(again)).toEqual({ a: '3', p: 'put' });
    expect(again.find('b')).toBeNull();
    expect(again.notices).toEqual([]);
  });

  test('changes to one record never get lost between each other', async () => {
    const all = await records();
    await all.write({ _id: 'n', value: '0' });
    const add = (): Promise<Doc | null> =>
      all.change('n', (doc) => ({ ...doc, value: String(Number(doc.value) + 1) }));
    await Promise.all(Array.from({ length: 500 }, add));
    expect(all.find('n')?.value).toBe('500');
    expect(valuesOf(await records())).toEqual({ n: '500' });
  });

  test('a record that is removed and written again in one go is there', async () => {
    const all = await records();
    await all.write({ _id: 'a', value: '1' });
    await Promise.all([
      all.remove('a'),
      all.write({ _id: 'a', value: '2' }),
      all.write({ _id: 'b', value: '1' }),
      all.remove('b'),
    ]);
    expect(valuesOf(all)).toEqual({ a: '2' });
    expect(valuesOf(await records())).toEqual({ a: '2' });
  });

  test('readers see a change when it is answered, not before', async () => {
    const all = await records();
    await all.write({ _id: 'a', value: '1' });
    const changing = all.write({ _id: 'a', value: '2' });
    expect(all.find('a')?.value).toBe('1');
    await changing;
    expect(all.find('a')?.value).toBe('2');
  });

  test('every character of a text comes back', async () => {
    const texts = [
      '\u0000',
      'a\u0000b\u001ac',
      '\u001a0000',
      '\\u0000',
      '\ud800',
      '\udc00x',
      '😀\ud83d',
      '\u0085\u2028\u2029\ufffe\uffff',
      '{"$$date":5}',
      '"\\\n\r\t\b',
    ];
    const all = await records();
    await Promise.all(texts.map((value, index) => all.write({ _id: `t${index}`, value })));
    const again = await records();
    expect(texts.map((_, index) => again.find(`t${index}`)?.value)).toEqual(texts);
    expect(again.notices).toEqual([]);
  });

  test('a change that throws fails alone, with what it threw; those beside it are stored', async () => {
    const all = await records();
    await all.write({ _id: 'a', value: '1' });
    const bug = new TypeError('a bug');
    const results = await Promise.allSettled([
      all.write({ _id: 'b', value: '2' }),
      all.change('a', () => {
        throw bug;
      }),
      all.change('b', (doc) => ({ ...doc, value: `${doc.value}!` })),
    ]);
    expect(results[1]).toEqual({ status: 'rejected', reason: bug });
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(valuesOf(await records())).toEqual({ a: '1', b: '2!' });
  });

  test('a record that the next start could not read is refused, alone and not as a fault of the disk', async () => {
    const short = z.object({ _id: z.string(), value: z.string().max(3) });
    const all = await reopened(short);
    const results = await Promise.allSettled([
      all.write({ _id: 'a', value: '1' }),
      all.write({ _id: 'b', value: 'too long' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(results[1]).not.toMatchObject({ reason: { code: 'cannot_save' } });
    const again = await reopened(short);
    expect([valuesOf(again), again.notices]).toEqual([{ a: '1' }, []]);
  });

  test('records of an unknown form are left out with a notice', async () => {
    const all = await records();
    await all.write({ _id: 'a', value: '1' });
    await all.write({ _id: 'b', value: 'too long' });
    const again = await reopened(z.object({ _id: z.string(), value: z.string().max(3) }));
    expect(valuesOf(again)).toEqual({ a: '1' });
    expect(again.notices).toHaveLength(1);
    expect(again.notices[0]?.text).toContain('keys');
  });

  describe('renders and templates', () => {
    let store: Store;
    beforeEach(async () => {
      store = await place.store();
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
    const reopen = async (clock?: Clock): Promise<void> => {
      await store.close();
      store = await place.store(clock);
    };

    test('keep their order by a counter, also over a restart', async () => {
      for (const id of ['c', 'a', 'b']) await store.renders.insert({ ...render, id }, {});
      await reopen();
      await store.renders.insert({ ...render, id: 'd', createdAt: 1 }, {});
      const unfinished = store.renders.listUnfinished();
      expect(unfinished.map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd']);
    });

    test('come back exactly, whatever keys and values were sent', async () => {
      const source = {
        elements: [],
        $$date: 5,
        $set: { 'a.b': [null, 0.1, 1e21, -0] },
        '': '\u0000 \ud800 😀',
      };
      const modifications = { 'x.$y': { $$date: 1 }, ['__proto__x']: [] };
      await store.renders.insert({ ...render, id: 'r', request: { modifications } }, source);
      await store.templates.insert(firstProject, 't', {
        name: 'N\u0000',
        tags: ['$x', 'a.b', '\ud800'],
        source,
      });
      await reopen();
      const sent = JSON.stringify(source);
      expect(JSON.stringify(await store.renders.readSource('r'))).toBe(sent);
      expect(store.renders.find('r')?.request.modifications).toEqual(modifications);
      const template = store.templates.find('t');
      expect((await store.templates.readDocument(template!)).text).toBe(sent);
      expect(template?.name).toBe('N\u0000');
      expect(template?.tags).toEqual(['$x', 'a.b', '\ud800']);
    });

    test('the time of a change never goes back', async () => {
      let now = 1_000;
      await reopen({ now: () => now, steady: () => 0 });
      const first = await store.templates.insert(firstProject, 't', {
        name: 'N',
        tags: [],
        source: {},
      });
      now = 10;
      const changed = await store.templates.change('t', { name: 'M' });
      expect(changed?.updatedAt).toBe(first.updatedAt + 1);
    });

    test('the first key, the first project and its secret stay the same over a restart', async () => {
      const key = await store.keys.ensure();
      const secrets = store.projects.secretsOf(firstProject);
      await reopen();
      expect(await store.keys.ensure()).toEqual(key);
      expect(store.projects.secretsOf(firstProject)).toEqual(secrets);
    });
  });
}
