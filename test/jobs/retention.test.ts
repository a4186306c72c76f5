/** What expires goes, with its files, and a clock that jumps deletes nothing. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventBus } from '../../server/jobs/events.ts';
import { createOutputFiles } from '../../server/jobs/output-files.ts';
import { Retention } from '../../server/jobs/retention.ts';
import { writeWhole } from '../../server/store/files.ts';
import type { NewRender } from '../../server/store/renders.ts';
import { openStore, type Store } from '../../server/store/store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let folder: string;
let store: Store;
let retention: Retention;
let now = 0;
let steady = 0;
const clock = { now: () => now, steady: () => steady };
const log = (): void => undefined;
const facts = { width: 1, height: 1, fileSize: 1, snapshot: false };
const finished: NewRender = {
  id: '',
  status: 'succeeded',
  outputFormat: 'jpg',
  createdAt: 0,
  attempts: 1,
  facts,
  request: {},
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  now = 1000 * day;
  store = await openStore(path.join(folder, 'data'), log, clock);
  const files = createOutputFiles(folder);
  retention = new Retention({ store, files, events: new EventBus(), clock, log });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const pass = (milliseconds: number): void => {
  now += milliseconds;
  steady += milliseconds;
};

test('renders 30 days after creation, templates 30 days after deletion', async () => {
  await store.renders.insert({ ...finished, id: 'old', createdAt: now - 31 * day }, {});
  await store.renders.insert({ ...finished, id: 'new', createdAt: now - 29 * day }, {});
  const waiting = { ...finished, id: 'waiting', status: 'planned' as const, createdAt: 0 };
  await store.renders.insert(waiting, {});
  await writeWhole(path.join(folder, 'old.jpg'), 'a picture');
  await writeWhole(path.join(folder, 'new.jpg'), 'a picture');
  await store.templates.insert('gone', { name: 'Gone', tags: [], source: {} });
  await store.templates.insert('kept', { name: 'Kept', tags: [], source: {} });
  await store.templates.remove('gone');

  expect(await retention.check()).toBe(0);
  pass(60 * minute);
  expect(await retention.check()).toBe(1);
  expect(store.renders.list().map(({ id }) => id)).toEqual(['waiting', 'new']);
  expect([
    existsSync(path.join(folder, 'old.jpg')),
    existsSync(path.join(folder, 'new.jpg')),
  ]).toEqual([false, true]);

  pass(30 * day);
  await retention.check();
  pass(60 * minute);
  expect(await retention.check()).toBe(2);
  expect(store.templates.listDeleted()).toEqual([]);
  expect(store.templates.list().map(({ id }) => id)).toEqual(['kept']);
  expect(store.renders.list().map(({ id }) => id)).toEqual(['waiting']);
});

test('a clock that jumps ahead and back deletes nothing', async () => {
  await store.renders.insert({ ...finished, id: 'a', createdAt: now }, {});
  now += 3650 * day;
  expect(await retention.check()).toBe(0);
  steady += 5 * minute;
  expect(await retention.check()).toBe(0);
  now -= 3650 * day;
  steady += 10 * minute;
  expect(await retention.check()).toBe(0);
  now += 3650 * day;
  expect(await retention.check()).toBe(0);
  expect(store.renders.find('a')).not.toBeNull();
});
