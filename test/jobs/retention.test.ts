/** What expires goes, with its files, and a clock that jumps deletes nothing. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LoneFolder } from '../../server/jobs/lone-renders.ts';
import type { Log } from '../../server/system/log.ts';
import { EventBus } from '../../server/jobs/events.ts';
import { openStorage } from '../../server/cluster/storage/open-storage.ts';
import { createOutputFiles } from '../../server/jobs/files/output-files.ts';
import { Retention } from '../../server/jobs/files/retention.ts';
import { PieceFiles } from '../../server/cluster/jobs/pieces.ts';
import { writeWhole } from '../../server/store/files.ts';
import { firstProject } from '../../server/store/projects.ts';
import type { NewRender } from '../../server/store/render-record.ts';
import type { StoredTranscript } from '../../server/store/transcripts.ts';
import { transcriptLimits } from '../../shared/limits.ts';
import { openStore, type Store } from '../../server/store/store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let folder: string;
let store: Store;
let retention: Retention;
let now = 0;
let steady = 0;
const clock = { now: () => now, steady: () => steady };
let logged: string[] = [];
const log: Log = (_level, _place, text) => void logged.push(text);
const facts = { width: 1, height: 1, fileSize: 1, snapshot: false };
const finished: NewRender = {
  id: '',
  project: firstProject,
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
  logged = [];
  store = await openStore(path.join(folder, 'data'), log, clock);
  const files = createOutputFiles(folder);
  retention = new Retention({ store, files, events: new EventBus(() => undefined), clock, log });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const pass = (milliseconds: number): void => {
  now += milliseconds;
  steady += milliseconds;
};

test('pieces of films that have ended or are unknown go once nothing was added for an hour', async () => {
  const idOf = (digit: number): string => `${digit}`.repeat(8) + '-0000-4000-8000-000000000000';
  const [done, running, unknown, young] = [idOf(1), idOf(2), idOf(3), idOf(4)] as const;
  await store.renders.insert({ ...finished, id: done, createdAt: now }, {});
  await store.renders.insert({ ...finished, id: young, createdAt: now }, {});
  const rendering = { ...finished, id: running, status: 'rendering' as const, createdAt: now };
  await store.renders.insert(rendering, {});
  const pieces = path.join(folder, 'pieces');
  for (const name of [done, running, unknown, young, 'of-someone']) {
    await mkdir(path.join(pieces, name), { recursive: true });
    await writeWhole(path.join(pieces, name, 'print-0-250.mp4'), 'a piece');
    const minutes = name === young ? 59 : 61;
    const changed = (now - minutes * minute) / 1000;
    await utimes(path.join(pieces, name, 'print-0-250.mp4'), changed, changed);
  }
  const files = new PieceFiles(await openStorage(folder));
  const events = new EventBus(() => undefined);
  const sweeping = new Retention({
    ...{ store, files: createOutputFiles(folder), events, clock, log },
    sweepShared: (at) => files.sweep(store.renders, at),
  });
  sweeping.begin();
  await expect
    .poll(async () => (await readdir(pieces)).sort())
    .toEqual([running, young, 'of-someone']);
  expect(logged).toEqual([]);
});

test('kept pieces that were not used for longest go beyond the limit, those of the last hour never', async () => {
  const storage = await openStorage(folder);
  const files = new PieceFiles(storage);
  const made = path.join(folder, 'made.mp4');
  const add = async (name: string, minutes: number): Promise<void> => {
    await writeWhole(made, name.repeat(10));
    await files.add({ render: 'any', name }, made, true);
    const [whole = ''] = (await readdir(path.join(folder, 'kept'))).filter((one) =>
      one.startsWith(name),
    );
    const changed = (now - minutes * minute) / 1000;
    await utimes(path.join(folder, 'kept', whole), changed, changed);
  };
  await add('a', 200);
  await add('b', 300);
  await add('c', 59);
  const names = async (): Promise<string[]> =>
    (await readdir(path.join(folder, 'kept'))).map((name) => name.slice(0, 1)).sort();
  expect(await files.shrink(30, now)).toBe(0);
  expect(await files.shrink(20, now)).toBe(1);
  expect(await names()).toEqual(['a', 'c']);
  // Taking a piece that is a day old counts as its use.
  await rm(made);
  const there = (await files.made('any', ['a', 'd'])).get('a');
  expect(there?.isKept).toBe(true);
  expect(there && (await files.fetch({ ...there, changedAt: 0 }, made))).toBe(true);
  await add('b', 90);
  expect(await files.shrink(20, now)).toBe(1);
  expect(await names()).toEqual(['a', 'c']);
  expect(await files.shrink(0, now)).toBe(0);
});

test('F141 half files of attempts that were given up go once nobody writes them', async () => {
  const idOf = (digit: number): string => `${digit}`.repeat(8) + '-0000-4000-8000-000000000000';
  const [done, running] = [idOf(1), idOf(2)] as const;
  const attempt = (count: number): string => `${count}-0123abcd`;
  await store.renders.insert({ ...finished, id: done, attempt: attempt(2), createdAt: now }, {});
  await store.renders.insert(
    {
      ...{ ...finished, id: running, attempt: attempt(2), createdAt: now },
      status: 'rendering',
    },
    {},
  );
  const fileOf = async (name: string, minutes: number): Promise<string> => {
    await writeWhole(path.join(folder, name), 'half');
    const changed = (now - minutes * minute) / 1000;
    await utimes(path.join(folder, name), changed, changed);
    return name;
  };
  const kept = [
    await fileOf(`${done}.${attempt(2)}.jpg`, 20 * 60),
    await fileOf(`${done}.${attempt(3)}.jpg.part`, 9),
    await fileOf(`${running}.${attempt(2)}.jpg.part`, 20 * 60),
    await fileOf(`${running}.${attempt(1)}.jpg`, 20 * 60),
    await fileOf(`${idOf(3)}.${attempt(1)}.jpg.part`, 20 * 60),
  ];
  await fileOf(`${done}.${attempt(1)}.jpg.part`, 11);
  await fileOf(`${running}.${attempt(1)}.jpg.part`, 11);
  expect(await createOutputFiles(folder).sweep(store.renders, now)).toBe(2);
  const left = (await readdir(folder)).filter((name) => name.includes('.jpg'));
  expect(left.sort()).toEqual(kept.sort());
});

test('F141 files that a killed program was writing go with the next start', async () => {
  const data = path.join(folder, 'data');
  await store.close();
  const left = ['', 'drafts', 'thumbnails', 'store'].map((name) =>
    path.join(data, name, `a.json.${randomUUID()}.new`),
  );
  for (const file of left) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'half');
  }
  store = await openStore(data, log, clock);
  expect(left.filter((file) => existsSync(file))).toEqual([]);
});

test('F141 what a killed render of the command line has left goes with the next one, and nothing else', async () => {
  const place = path.join(folder, 'tmp');
  await mkdir(place);
  const left = async (name: string, note: object): Promise<string> => {
    const own = path.join(place, `framewright-render-${name}`);
    await mkdir(own);
    const making = path.join(folder, `${name}.mp4`);
    await writeFile(`${making}.part`, 'half');
    const facts = { host: hostname(), pid: process.pid, making: [making], ...note };
    await writeFile(path.join(own, 'owner.json'), JSON.stringify(facts));
    return `${making}.part`;
  };
  const pid = spawnSync(process.execPath, ['--version']).pid;
  const dead = await left('dead', { pid });
  const others = [
    await left('alive', {}),
    await left('elsewhere', { pid, host: 'another' }),
    await left('broken', { pid: 'none' }),
  ];
  await mkdir(path.join(place, 'framewright-render-new'));
  // Killed before it said whose it was; what has something in it may be in use, on a disk that is full.
  const aMinuteAgo = new Date(Date.now() - 61_000);
  for (const name of ['empty', 'silent/work-1'])
    await mkdir(path.join(place, `framewright-render-${name}`), { recursive: true });
  for (const name of ['empty', 'silent'])
    await utimes(path.join(place, `framewright-render-${name}`), aMinuteAgo, aMinuteAgo);
  const own = new LoneFolder(place);
  own.making('/a/film.mp4');
  const note = JSON.parse(await readFile(path.join(own.path, 'owner.json'), 'utf8')) as object;
  expect(note).toEqual({ host: hostname(), pid: process.pid, making: ['/a/film.mp4'] });
  expect([existsSync(dead), ...others.map((file) => existsSync(file))]).toEqual([
    false,
    ...others.map(() => true),
  ]);
  // As on a full disk, which the note can't tell of either.
  await rm(own.path, { recursive: true });
  own.made('/a/film.mp4');
  own.remove();
  expect((await readdir(place)).sort()).toEqual(
    ['alive', 'broken', 'elsewhere', 'new', 'silent'].map((name) => `framewright-render-${name}`),
  );
});

test('39: what a person keeps stays, after a restart too, and has its time anew when it is let go', async () => {
  const createdAt = now - 29 * day;
  for (const id of ['kept', 'other']) {
    await store.renders.insert({ ...finished, id, createdAt }, {});
    await writeWhole(path.join(folder, `${id}.jpg`), 'a picture');
  }
  await store.renders.change('kept', (one) => ({ ...one, kept: true }));
  await store.close();
  const data = path.join(folder, 'data');
  store = await openStore(data, log, clock);
  const files = createOutputFiles(folder);
  const events = new EventBus(() => undefined);
  retention = new Retention({ store, files, events, clock, log });
  const passes = async (days: number): Promise<readonly string[]> => {
    pass(days * day);
    await retention.check();
    pass(60 * minute);
    await retention.check();
    return (await readdir(folder)).filter((name) => name.endsWith('.jpg'));
  };
  expect(await passes(2)).toEqual(['kept.jpg']);
  expect(store.renders.find('kept')).not.toBeNull();
  expect(await passes(300)).toEqual(['kept.jpg']);
  await store.renders.change('kept', (one) => ({ ...one, kept: false, freedAt: now }));
  expect(await passes(29)).toEqual(['kept.jpg']);
  expect(await passes(2)).toEqual([]);
});

test('F37: renders go 30 days after creation, templates 30 days after deletion', async () => {
  await store.renders.insert({ ...finished, id: 'old', createdAt: now - 31 * day }, {});
  await store.renders.insert({ ...finished, id: 'new', createdAt: now - 29 * day }, {});
  const waiting = { ...finished, id: 'waiting', status: 'planned' as const, createdAt: 0 };
  await store.renders.insert(waiting, {});
  await writeWhole(path.join(folder, 'old.jpg'), 'a picture');
  await writeWhole(path.join(folder, 'new.jpg'), 'a picture');
  await store.templates.insert(firstProject, 'gone', { name: 'Gone', tags: [], source: {} });
  await store.templates.insert(firstProject, 'kept', { name: 'Kept', tags: [], source: {} });
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

test('F38: a clock that jumps ahead and back deletes nothing', async () => {
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
  expect(store.renders.has('a')).toBe(true);
});

test('F37: a file that is missing is no error; one that can not be deleted is tried again', async () => {
  await store.renders.insert({ ...finished, id: 'bad', createdAt: now - 31 * day }, {});
  await store.renders.insert({ ...finished, id: 'bare', createdAt: now - 31 * day }, {});
  // A folder where the file should be: removing a file fails.
  await mkdir(path.join(folder, 'bad.jpg'));
  await retention.check();
  pass(60 * minute);
  expect(await retention.check()).toBe(1);
  expect(store.renders.has('bad')).toBe(true);
  expect(logged.join()).toContain("render bad has expired and can't be removed");
  await rm(path.join(folder, 'bad.jpg'), { recursive: true });
  pass(60 * minute);
  expect(await retention.check()).toBe(1);
  expect(store.renders.has('bad')).toBe(false);
});

test('F38: a jump is told before anything goes, and deletion can be paused', async () => {
  await store.renders.insert({ ...finished, id: 'a', createdAt: now }, {});
  await retention.check();
  expect(retention.notice).toBeNull();
  now += 3650 * day;
  steady += 60 * minute;
  expect(await retention.check()).toBe(0);
  expect(retention.notice).toContain('clock has jumped ahead. 1 render or template has expired');
  await store.settings.change({ deletionPaused: true });
  expect(retention.notice).toBeNull();
  pass(60 * minute);
  expect(await retention.check()).toBe(0);
  // The clock is right again: nothing was lost.
  now -= 3650 * day;
  await store.settings.change({ deletionPaused: false });
  pass(60 * minute);
  expect(await retention.check()).toBe(0);
  expect([retention.notice, store.renders.list().length]).toEqual([null, 1]);
});

test('F38: a jump while the program was closed is noticed too', async () => {
  await retention.check();
  await store.renders.insert({ ...finished, id: 'a', createdAt: now }, {});
  now += 3650 * day;
  const files = createOutputFiles(folder);
  const next = new Retention({ store, files, events: new EventBus(() => undefined), clock, log });
  expect(await next.check()).toBe(0);
  expect(next.notice).toContain('clock has jumped ahead');
});

test('fault 40: a file is called by its template, found under every name that it had, and removed', async () => {
  const files = createOutputFiles(path.join(folder, 'now'));
  files.use(path.join(folder, 'now'), [path.join(folder, 'before')]);
  const named = (name: string, more: object = {}): Parameters<typeof files.outputPath>[0] => ({
    ...{ id: '1527d44e-0b2c-4000-8000-000000000000', outputFormat: 'mp4' },
    ...{ request: { template: { id: 't', name, tags: [] } }, ...more },
  });
  const called = (...of: Parameters<typeof named>): string =>
    path.relative(folder, files.outputPath(named(...of)));
  const byId = '1527d44e-0b2c-4000-8000-000000000000.mp4';
  expect(called('Ridge reel')).toBe(path.join('now', 'Ridge reel 1527d44e-0b2c.mp4'));
  expect(called('../../etc/"a"\\b:*?')).toBe(path.join('now', 'etc a b 1527d44e-0b2c.mp4'));
  expect(called('con')).toBe(path.join('now', byId));
  expect(Buffer.byteLength(path.basename(called('漢'.repeat(500))))).toBeLessThan(255 - 5);
  expect(called('x', { request: {} })).toBe(path.join('now', byId));
  // With several workers, names tell attempts.
  expect(called('x', { attempt: '1-a' })).toBe(path.join('now', byId.replace('.', '.1-a.')));

  await files.prepare();
  for (const file of [
    path.join('before', byId),
    path.join('before', 'Ridge reel 1527d44e-0b2c.mp4'),
  ]) {
    await mkdir(path.join(folder, 'before'), { recursive: true });
    await writeFile(path.join(folder, file), 'a film');
    await writeFile(path.join(folder, `${file}.part`), 'half a film');
    expect(called('Ridge reel')).toBe(file);
    await files.removeLocal(named('Ridge reel'));
    expect(await readdir(path.join(folder, 'before'))).toEqual([]);
  }
});

/** The same program, started again after a while. */
async function restart(pause: number): Promise<void> {
  await store.close();
  now += pause;
  // Steady time begins anywhere.
  steady = 7 * minute;
  store = await openStore(path.join(folder, 'data'), log, clock);
  const files = createOutputFiles(folder);
  retention = new Retention({ store, files, events: new EventBus(() => undefined), clock, log });
}

test('F37: a render whose time is over is not there for anyone, whenever it is removed', async () => {
  const event = { id: 'msg_1', url: 'http://127.0.0.1:9/' };
  await store.renders.insert({ ...finished, id: 'old', createdAt: now - 30 * day, event }, {});
  await store.renders.insert({ ...finished, id: 'waiting', status: 'planned', createdAt: 0 }, {});
  const project = store.renders.inProject(firstProject);
  expect(project.find('old')).not.toBeNull();
  pass(1);
  expect([store.renders.find('old'), project.find('old')]).toEqual([null, null]);
  expect(await project.readSource('old')).toBeNull();
  expect(store.renders.list().map(({ id }) => id)).toEqual(['waiting']);
  // The record is still there: its webhook must not be taken for one of a render that is gone.
  expect(store.renders.has('old')).toBe(true);
  expect(store.renders.listWithEvents().map(({ id }) => id)).toEqual(['old']);
  // Whoever pauses deletion has it back.
  await store.settings.change({ deletionPaused: true });
  expect(store.renders.find('old')).not.toBeNull();
});

test('transcripts go when renders do, and the oldest ones when there are too many', async () => {
  const transcript = (id: string, createdAt: number): StoredTranscript => ({
    ...{ id, createdAt, project: firstProject, source: 'talk.wav', attempts: 0 },
    state: { kind: 'failed', message: 'Silence.' },
  });
  await store.transcripts.insert(transcript('old', now));
  pass(30 * day);
  await store.transcripts.insert(transcript('young', now));
  pass(1);
  await retention.check();
  pass(11 * minute);
  await retention.check();
  expect([store.transcripts.find('old'), store.transcripts.find('young')?.id]).toEqual([
    null,
    'young',
  ]);
  const waiting = { ...transcript('waiting', 0), state: { kind: 'transcribing' as const } };
  await store.transcripts.insert(waiting);
  for (let count = 0; count < transcriptLimits.kept; count++)
    await store.transcripts.insert(transcript(`${count}`, now + count));
  const kept = ['waiting', 'young', '0', '1', '999'].map((id) => store.transcripts.find(id)?.id);
  expect(kept).toEqual(['waiting', undefined, undefined, '1', '999']);
});

test('F37: sessions too short for two looks remove what has expired all the same', async () => {
  await store.renders.insert({ ...finished, id: 'old', createdAt: now - 31 * day }, {});
  await writeWhole(path.join(folder, 'old.jpg'), 'a picture');
  expect(await retention.check()).toBe(0);
  for (const seconds of [60, 120, 180]) {
    await restart(seconds * 1000);
    expect(await retention.check()).toBe(0);
  }
  await restart(5 * minute);
  expect(await retention.check()).toBe(1);
  expect([store.renders.has('old'), existsSync(path.join(folder, 'old.jpg'))]).toEqual([
    false,
    false,
  ]);
});

test('F38: a clock that was ahead in one run only removes nothing in the next', async () => {
  await store.renders.insert({ ...finished, id: 'a', createdAt: now }, {});
  await retention.check();
  // Ahead for one session, right in the next, ahead again in the third.
  await restart(60 * day);
  expect(await retention.check()).toBe(0);
  await restart(-59 * day);
  expect(await retention.check()).toBe(0);
  await restart(59 * day);
  expect(await retention.check()).toBe(0);
  // Back for good: the look that was ahead is not one that agrees.
  await restart(-58 * day);
  expect(await retention.check()).toBe(0);
  expect(store.renders.has('a')).toBe(true);
});

test('F39: a clock that jumps back expires nothing early and changes no order', async () => {
  await store.renders.insert({ ...finished, id: 'a', createdAt: now }, {});
  await store.templates.insert(firstProject, 't', { name: 'T', tags: [], source: {} });
  await store.templates.insert(firstProject, 'bin', { name: 'B', tags: [], source: {} });
  await store.templates.remove('bin');
  await retention.check();
  const { updatedAt } = store.templates.find('t')!;
  now -= day;
  steady += 60 * minute;
  await store.renders.insert({ ...finished, id: 'b', createdAt: now }, {});
  const changed = await store.templates.change('t', { name: 'U' });
  expect(changed!.updatedAt).toBe(updatedAt + 1);
  expect(await retention.check()).toBe(0);
  expect(store.renders.list().map(({ id }) => id)).toEqual(['b', 'a']);
  expect(await store.templates.restore('bin')).toMatchObject({ name: 'B' });
  expect(await store.templates.restore('bin')).toBeNull();
});
