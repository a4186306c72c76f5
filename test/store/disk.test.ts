/** The store on a disk that is full, breaks off, or loses power: nothing acknowledged is lost, nothing else appears. */
import { copyFlushed, failWrite, repairDisk } from './faulty-disk.ts';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../server/system/clock.ts';
import type { Log } from '../../server/system/log.ts';
import { firstProject } from '../../server/store/projects.ts';
import { openStore, type Store } from '../../server/store/store.ts';

let folder: string;
let dataFolder: string;
/** What the store complained of that no test did to it: a fault of the disk made here, or of the store. */
const unexpected: string[] = [];
const log: Log = (level, _area, text) => {
  if (level === 'error' && !/ENOSPC|the disk is full/.test(text)) unexpected.push(text);
};
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  dataFolder = path.join(folder, 'data');
});
afterEach(async () => {
  repairDisk();
  await rm(folder, { recursive: true });
  expect(unexpected.splice(0)).toEqual([]);
});

/** What was acknowledged: names of templates and statuses of renders, by ID. */
type Known = Map<string, string>;

/** What a store holds, in the same form; a render without its document would be useless. */
async function contentsOf(store: Store): Promise<Known> {
  const known: Known = new Map();
  for (const { id, name } of store.templates.list()) known.set(id, name);
  for (const { id, status } of store.renders.list()) {
    known.set(id, (await store.renders.readSource(id)) ? status : 'without document');
  }
  return known;
}

async function reopened(place: string): Promise<Known> {
  const store = await openStore(place, log, systemClock);
  await store.close();
  return contentsOf(store);
}

const sorted = (known: Known): [string, string][] => [...known].sort();

/** A bit of everything that is stored; `acknowledged` is called after each, `refused` instead when it could not be. */
async function work(store: Store, known: Known, each?: () => Promise<void>): Promise<number> {
  const steps: [string, string | null, () => Promise<unknown>][] = [];
  for (let n = 0; n < 4; n++) {
    const [t, r] = [`t${n}`, `r${n}`];
    const template = { name: `Name ${n}`, tags: [], source: { elements: [] } };
    const render = {
      id: r,
      project: firstProject,
      status: 'planned' as const,
      attempts: 0,
      request: {},
      outputFormat: 'mp4' as const,
      createdAt: n,
    };
    steps.push(
      [t, `Name ${n}`, () => store.templates.insert(firstProject, t, template)],
      [r, 'planned', () => store.renders.insert(render, { elements: [], n })],
    );
    if (n % 2 === 1) {
      steps.push(
        [t, `Other ${n}`, () => store.templates.change(t, { name: `Other ${n}` })],
        [`t${n - 1}`, null, () => store.templates.remove(`t${n - 1}`)],
      );
    }
  }
  let refused = 0;
  for (const [id, value, step] of steps) {
    try {
      const done = await step();
      // A change of what could not be stored before.
      if (done === null || done === false) continue;
      if (value === null) known.delete(id);
      else known.set(id, value);
      await each?.();
    } catch (error) {
      expect(error).toMatchObject({ code: 'cannot_save', status: 503 });
      refused++;
    }
  }
  return refused;
}

test('F4: what a power cut leaves after any answer holds all that was answered', async () => {
  const store = await openStore(dataFolder, log, systemClock);
  const known: Known = new Map();
  let cuts = 0;
  await work(store, known, async () => {
    const left = path.join(folder, `cut-${cuts++}`);
    copyFlushed(dataFolder, left);
    expect(sorted(await reopened(left))).toEqual(sorted(known));
  });
  expect(cuts).toBe(12);
  // The same when many are answered together.
  const ids = Array.from({ length: 30 }, (_, index) => `many${index}`);
  await Promise.all(
    ids.map(async (id) => {
      const template = { name: id, tags: [], source: {} };
      await store.templates.insert(firstProject, id, template);
      known.set(id, id);
    }),
  );
  copyFlushed(dataFolder, path.join(folder, 'last'));
  expect(sorted(await reopened(path.join(folder, 'last')))).toEqual(sorted(known));
  await store.close();
});

test.each([
  ['once', false],
  ['for good', true],
])(
  'F23: whichever write fails %s, the acknowledged is kept, now and later',
  async (_, forGood) => {
    await (await openStore(dataFolder, log, systemClock)).close();
    let broken = true;
    let refusals = 0;
    for (let at = 1; broken; at++) {
      const place = path.join(folder, `at-${at}`);
      await cp(dataFolder, place, { recursive: true });
      const store = await openStore(place, log, systemClock);
      const known: Known = new Map();
      failWrite(at, { forGood });
      refusals += await work(store, known);
      expect(sorted(await contentsOf(store))).toEqual(sorted(known));
      broken = repairDisk();
      // There is room again: the same store goes on.
      await store.templates.insert(firstProject, 'later', { name: 'Later', tags: [], source: {} });
      known.set('later', 'Later');
      await store.close();
      expect(sorted(await contentsOf(store))).toEqual(sorted(known));
      expect(sorted(await reopened(place))).toEqual(sorted(known));
      await rm(place, { recursive: true });
    }
    expect(refusals).toBeGreaterThan(10);
    // A store is opened for each write that can fail: seconds, and many of them where other tests run beside.
  },
  120_000,
);

test('F24: a disk that is full at the start is opened for reading, no file gets shorter', async () => {
  const known: Known = new Map();
  const first = await openStore(dataFolder, log, systemClock);
  await work(first, known);
  await first.close();
  await rm(path.join(dataFolder, 'store', 'backups'), { recursive: true });
  const filesIn = async (): Promise<Map<string, string>> => {
    const place = path.join(dataFolder, 'store');
    const found = (await readdir(place)).filter((name) => /\.(db|json)$/.test(name)).sort();
    return new Map(
      await Promise.all(
        found.map(async (name) => [name, await readFile(path.join(place, name), 'utf8')] as const),
      ),
    );
  };
  const before = await filesIn();

  failWrite(1, { forGood: true });
  const store = await openStore(dataFolder, log, systemClock);
  expect(sorted(await contentsOf(store))).toEqual(sorted(known));
  expect(store.health.problem).toBe('the disk is full');
  await expect(store.templates.change('t1', { name: 'New' })).rejects.toMatchObject({
    code: 'cannot_save',
    message: expect.stringContaining('the disk is full') as string,
  });
  expect(await filesIn()).toEqual(before);
  // No half backup is left to pass for the day's.
  expect(await readdir(path.join(dataFolder, 'store', 'backups')).catch(() => [])).toEqual([]);

  repairDisk();
  await store.templates.change('t1', { name: 'New' });
  known.set('t1', 'New');
  await expect.poll(() => store.health.problem).toBe(null);
  await store.close();
  expect(sorted(await reopened(dataFolder))).toEqual(sorted(known));
});

test('F23: a full disk is said until a test write succeeds; one refused write alone is not', async () => {
  const store = await openStore(dataFolder, log, systemClock);
  const told: (string | null)[] = [];
  store.health.follow(() => told.push(store.health.problem));
  const insert = (id: string): Promise<unknown> =>
    store.templates.insert(firstProject, id, { name: id, tags: [], source: {} });

  failWrite(1, { forGood: false });
  await expect(insert('once')).rejects.toMatchObject({ code: 'cannot_save' });
  await store.health.test();
  expect([told, store.health.problem]).toEqual([[], null]);

  failWrite(1, { forGood: true });
  await expect(insert('full')).rejects.toMatchObject({ code: 'cannot_save' });
  await store.health.test();
  expect(store.health.problem).toBe('the disk is full');
  await store.health.test();
  expect(told).toEqual(['the disk is full']);

  repairDisk();
  await store.health.test();
  expect(told).toEqual(['the disk is full', null]);
  await insert('again');
  await store.close();
  // Nothing of the tests is left.
  expect(await readdir(path.join(dataFolder, 'store'))).not.toContain('test-write');
  expect([...(await reopened(dataFolder)).keys()]).toEqual(['again']);
});
