/** Backups are whole, and putting one back is all or nothing: store and window's routes, on a real data folder. */
import { failLinks, failWrite, repairDisk } from './faulty-disk.ts';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../server/system/clock.ts';
import { firstProject } from '../../server/store/projects.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import type { BackupList, RestoredPart, SettingsRecord, WindowFeed } from '../../shared/api.ts';
import {
  document,
  send,
  startTestServer,
  type Answer,
  type TestServer,
} from '../helpers/server.ts';
import { stepInQuick } from '../helpers/long.ts';

let folder: string;
let dataFolder: string;
const log = (): void => undefined;
const open = (place = dataFolder): Promise<Store> => openStore(place, log, systemClock);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  dataFolder = path.join(folder, 'data');
});
afterEach(async () => {
  repairDisk();
  await rm(folder, { recursive: true });
});

/** A document that is a file of its own. */
const long = (word: string) => ({
  elements: [],
  note: word.repeat(30_000 / word.length),
});
const rows = (value: string): { bytes: Buffer; count: number } => ({
  bytes: Buffer.from(JSON.stringify([{ id: 'r1', values: { c: value } }])),
  count: 1,
});
const columns = [{ id: 'c', name: 'Title' }];
const renderOf = (id: string) => ({
  id,
  project: firstProject,
  status: 'planned' as const,
  attempts: 0,
  request: {},
  outputFormat: 'png' as const,
  createdAt: Date.now(),
});
const shared = { tags: [], project: firstProject };

/** Adds a file to the library: its name is also its ID and its content. */
async function addMedia({ media }: Store, id: string): Promise<void> {
  const [content, picture] = ['content', 'picture'].map((one) =>
    path.join(media.uploadFolder, one),
  );
  await writeFile(content!, id);
  await writeFile(picture!, `picture of ${id}`);
  const size = { width: 1, height: 1, duration: 0, frameRate: 0, hasAudio: false, hasAlpha: false };
  const told = { kind: 'image' as const, format: 'png', ...size, thumbnail: 'png' as const };
  await media.keep({ id, name: id, bytes: id.length, ...told }, content!, picture!, null);
}

async function addFont({ fonts }: Store, id: string): Promise<void> {
  const content = path.join(fonts.uploadFolder, 'content');
  await writeFile(content, id);
  const weights = { minWeight: 400, maxWeight: 400 };
  const told = { id, name: id, family: id, style: 'normal' as const, ...weights };
  await fonts.keep({ ...told, bytes: id.length }, content);
}

/** What is listed, each with its content. */
async function contentsOfLibraries({ media, fonts }: Store): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const one of media.list()) {
    const content = await readFile(path.join(media.contentFolder, one.id), 'utf8');
    found[one.id] = `${content}, ${await readFile(media.thumbnailPath(one)!, 'utf8')}`;
  }
  for (const { id, path: place } of fonts.list()) found[id] = await readFile(place, 'utf8');
  return found;
}

/** What a store holds, with all documents read: one that is missing fails. */
async function contentsOf(store: Store): Promise<Record<string, unknown>> {
  const documents: Record<string, string> = {};
  for (const template of store.templates.list()) {
    const { text } = await store.templates.readDocument(template);
    documents[`${template.id} ${template.name}`] = text.slice(0, 40);
    const earlier = store.templates.versions.list(template.id);
    for (const version of earlier) await store.templates.versions.read(version);
    documents[`versions of ${template.id}`] = String(earlier.length);
  }
  const tables: Record<string, string> = {};
  for (const feed of store.feeds.list()) {
    tables[feed.name] = String(await store.feeds.rowBytesOf(feed));
  }
  const renders = store.renders.list().map(({ id, status }) => `${id} ${status}`);
  const projects = store.projects.list().map(({ name }) => name);
  const libraries = await contentsOfLibraries(store);
  const { media, fonts } = store;
  const fontFolder = path.join(path.dirname(fonts.uploadFolder), 'content');
  const files = [...(await readdir(media.contentFolder)), ...(await readdir(fontFolder))];
  // No content that nobody names.
  expect(files.sort()).toEqual(Object.keys(libraries).sort());
  return { documents, tables, renders: renders.sort(), projects: projects.sort(), libraries };
}

/** A store, a backup of it, and what came afterwards; closed. */
async function prepare(what: RestoredPart): Promise<{
  readonly then: Record<string, unknown>;
  readonly later: Record<string, unknown>;
  /** Media and fonts of both. */
  readonly libraries: Record<string, unknown>;
}> {
  const store = await open();
  const { templates, feeds, renders, backups } = store;
  await templates.insert(firstProject, 't1', { ...shared, name: 'Long', source: long('a') });
  await templates.change('t1', { source: long('b') });
  await templates.insert(firstProject, 't2', {
    ...shared,
    name: 'Short',
    source: { elements: [] },
  });
  const feed = await feeds.insert(firstProject, 'Prices', columns, rows('old'));
  await feeds.insert(firstProject, 'Names', columns, rows('kept'));
  await renders.insert(renderOf('r1'), { elements: [] });
  await renders.insert(renderOf('r2'), { elements: [] });
  for (const id of ['m1', 'm2']) await addMedia(store, id);
  await addFont(store, 'f1');
  const then = await contentsOf(store);
  const made = await backups!.make();

  await templates.change('t1', { source: long('c'), name: 'Changed' });
  await templates.remove('t2');
  await templates.purge('t2');
  await templates.insert(firstProject, 't3', { ...shared, name: 'Later', source: long('d') });
  await feeds.replaceRows(feed.id, rows('new'));
  await feeds.remove(feeds.list().find(({ name }) => name === 'Names')!.id);
  await store.media.remove('m1');
  await addMedia(store, 'm3');
  await store.fonts.removeFamily('f1');
  await addFont(store, 'f2');
  await store.projects.insert('Later project');
  await renders.change('r1', (render) => ({
    ...render,
    status: 'failed',
    errorMessage: 'It did.',
  }));
  await renders.insert(renderOf('r3'), { elements: [] });
  const later = await contentsOf(store);
  await backups!.askFor('data', made.name, what);
  await store.close();
  const libraries = { ...(then.libraries as object), ...(later.libraries as object) };
  return { then, later, libraries };
}

test('a backup of work brings templates, versions and feeds back with their documents, and missing media and fonts; all else stays', async () => {
  const { then, later, libraries } = await prepare('work');
  const store = await open();
  expect(await contentsOf(store)).toEqual({
    ...later,
    ...{ documents: then.documents, tables: then.tables, libraries },
  });
  expect(store.notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^The backup own-\S+ of \S+ \S+ UTC was restored\. What it replaced is among the backups as replaced-/,
    ),
  ]);
  expect(store.settings.values.queuePaused).toBe(false);
  await store.close();
});

test('everything: what has ended since stays so, the queue is paused, and going back from there brings the rest', async () => {
  const { then, later, libraries } = await prepare('all');
  const store = await open();
  // r1 has ended since: it must not be drawn and told again.
  const renders = ['r1 failed', 'r2 planned'];
  expect(await contentsOf(store)).toEqual({ ...then, renders, libraries });
  expect(store.settings.values.queuePaused).toBe(true);
  const [replaced] = (await store.backups!.list()).filter(({ kind }) => kind === 'replaced');
  expect(replaced?.counts).toEqual({ templates: 2, feeds: 1, renders: 3, projects: 2, keys: 0 });
  await store.backups!.askFor('data', replaced!.name, 'all');
  await store.close();
  const back = await open();
  expect(await contentsOf(back)).toEqual({ ...later, libraries });
  await back.close();
});

test('a render whose document is gone is left out, and the notice says so', async () => {
  await prepare('all');
  await rm(path.join(dataFolder, 'store', 'sources', 'r2.json'));
  // As after a loss: nothing says what became of it.
  await rm(path.join(dataFolder, 'store', 'renders.db'));
  const store = await open();
  expect(store.renders.list().map(({ id }) => id)).toEqual(['r1']);
  expect(store.notices[0]?.text).toContain(
    'Unfinished renders left out, because their documents are gone: 1.',
  );
  await store.close();
});

test.each<[RestoredPart, string]>([
  ['work', 'with links'],
  ['all', 'with links'],
  ['all', 'copied'],
])(
  'whichever write fails while %s is put back, %s: it is the old or the new, never a mix, and in the end the new',
  async (what, how) => {
    const { then, later, libraries } = await prepare(what);
    const base = path.join(folder, 'base');
    await cp(dataFolder, base, { recursive: true });
    const wanted =
      what === 'all'
        ? { ...then, renders: ['r1 failed', 'r2 planned'], libraries }
        : { ...later, documents: then.documents, tables: then.tables, libraries };
    let count = 0;
    const step = stepInQuick(3);
    for (let n = 1; ; n += step) {
      const place = path.join(folder, `try-${n}`);
      await cp(base, place, { recursive: true });
      failWrite(n, { forGood: true });
      if (how === 'copied') failLinks();
      // A start that fails has opened nothing.
      const first = await open(place).catch(() => null);
      const failed = repairDisk();
      const given = first && (await contentsOf(first));
      await first?.close();
      // It gave up in order, or the next start goes on.
      if (given) expect([later, wanted]).toContainEqual(given);
      const second = await open(place);
      const found = await contentsOf(second);
      await second.close();
      expect(found, `write ${n}`).toEqual(given ?? wanted);
      const rest = await readdir(path.join(place, 'store'));
      expect(rest.filter((name) => /^restor/.test(name))).toEqual([]);
      await rm(place, { recursive: true });
      if (!failed) break;
      count += 1;
    }
    expect(count * step).toBeGreaterThan(8);
  },
  120_000,
);

test('a write that fails while a backup is made leaves none, and removals that waited are done', async () => {
  const store = await open();
  const feed = await store.feeds.insert(firstProject, 'Prices', columns, rows('old'));
  const before = (await store.backups!.list()).length;
  for (let n = 1; n < 200; n++) {
    failWrite(n, { forGood: false });
    const made = await store.backups!.make().catch(() => null);
    if (!repairDisk()) break;
    expect(made).toBe(null);
    const left = await readdir(path.join(dataFolder, 'store', 'backups'));
    expect(left.filter((name) => name.startsWith('own-'))).toEqual([]);
  }
  expect((await store.backups!.list()).length).toBe(before + 1);
  const making = store.backups!.make();
  await store.feeds.remove(feed.id);
  const { path: place } = await making;
  expect(await readdir(path.join(place, 'feed-rows'))).toEqual([feed.rowFile]);
  expect(await readdir(path.join(dataFolder, 'store', 'feed-rows'))).toEqual([]);
  await store.close();
});

test('the content of a removed file stays until the backup is made, and one that comes again stays for good', async () => {
  const store = await open();
  for (const id of ['m1', 'm2']) await addMedia(store, id);
  const making = store.backups!.make();
  await Promise.all(['m1', 'm2'].map((id) => store.media.remove(id)));
  await addMedia(store, 'm2');
  const { path: place } = await making;
  expect((await readdir(path.join(place, 'media/content'))).sort()).toEqual(['m1', 'm2']);
  await vi.waitFor(async () => expect(await readdir(store.media.contentFolder)).toEqual(['m2']));
  await store.close();
});

test('a backup costs no space for media and fonts on the same drive, and on another that of one', async () => {
  const store = await open();
  await addMedia(store, 'm1');
  await addFont(store, 'f1');
  const inode = async (...place: string[]): Promise<number> =>
    (await stat(path.join(...place, 'media/content/m1'))).ino;
  const first = await store.backups!.make();
  expect(await inode(first.path)).toBe(await inode(dataFolder));
  expect(first.contents).toEqual({ files: 2, bytes: 'm1picture of m1f1'.length });
  const chosen = path.join(folder, 'drive');
  await store.settings.change({ backupFolder: chosen });
  failLinks((from, to) => from.startsWith(dataFolder) && to.startsWith(chosen));
  const copied = await store.backups!.make();
  const shared = await store.backups!.make();
  expect(copied.contents).toEqual(first.contents);
  expect(await inode(copied.path)).not.toBe(await inode(dataFolder));
  expect(await inode(shared.path)).toBe(await inode(copied.path));
  // A file that was cut short there is not taken over.
  await writeFile(path.join(shared.path, 'media/content/m1'), '');
  const mended = await store.backups!.make();
  expect(await readFile(path.join(mended.path, 'media/content/m1'), 'utf8')).toBe('m1');
  await store.close();
});

test('the day’s backup has media and fonts if they need no space, else says that it has none', async () => {
  const store = await open();
  await addMedia(store, 'm1');
  await store.close();
  const dayOf = async (now: number): Promise<unknown> => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const opened = await open();
    const [made] = await opened.backups!.list();
    await opened.close();
    vi.useRealTimers();
    const files = await readdir(path.join(made!.path, 'media/content')).catch(() => null);
    return [made!.kind, made!.contents?.files ?? null, files];
  };
  expect(await dayOf(Date.UTC(2030, 0, 1))).toEqual(['day', 1, ['m1']]);
  failLinks();
  expect(await dayOf(Date.UTC(2030, 0, 2))).toEqual(['day', null, null]);
});

test('each kind is bounded, and a folder that the user chose is left to the user', async () => {
  const store = await open();
  for (let n = 0; n < 12; n++) {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1 + n), toFake: ['Date'] });
    await store.backups!.make();
  }
  vi.useRealTimers();
  const names = (await store.backups!.list()).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('own-'))).toHaveLength(10);
  expect(names[0]).toBe('own-2030-01-12T00-00-00-000Z');
  const chosen = path.join(folder, 'drive');
  await store.settings.change({ backupFolder: chosen });
  const made = await store.backups!.make();
  expect(made).toMatchObject({ place: 'chosen', kind: 'own' });
  expect(await readdir(path.join(chosen, 'Framewright backups'))).toEqual([made.name]);
  await store.close();
});

describe('over the window’s routes', () => {
  let server: TestServer;
  const restarts = vi.fn();
  beforeEach(async () => {
    restarts.mockReset();
    server = await startTestServer({ restart: restarts });
  });
  afterEach(() => server.stop());
  // The form that the route promises.
  const list = async (): Promise<BackupList> =>
    (await server.askWindow('GET', '/api/backups')).body as unknown as BackupList;

  test('list, make, put back: answers first, then starts again', async () => {
    const source = { output_format: 'png', elements: [], note: 'n'.repeat(30_000) };
    const { body } = await server.ask('POST', '/v2/templates', { name: 'Card', tags: [], source });
    const made = await server.askWindow('POST', '/api/backups');
    expect(made).toMatchObject({
      status: 201,
      body: { kind: 'own', place: 'data', counts: { templates: 1 } },
    });
    await server.ask('PATCH', `/v2/templates/${body.id}`, { name: 'Other' });
    const { backups, now } = await list();
    expect(now).toMatchObject({ templates: 1, renders: 0 });
    expect(backups[0]).toMatchObject({ kind: 'own', bytes: expect.any(Number) as number });
    const answer = await server.askWindow('POST', `/api/backups/data/${backups[0]!.name}/restore`, {
      what: 'work',
    });
    expect([answer.status, answer.text]).toEqual([202, '{"restarts":true}']);
    await vi.waitFor(() => expect(restarts).toHaveBeenCalledTimes(1));
    await server.restart();
    expect((await server.ask('GET', `/v2/templates/${body.id}`)).body.name).toBe('Card');
    expect((await list()).backups.map(({ kind }) => kind)).toContain('replaced');
  });

  test('any can be removed, also the newest of the day, and nothing else can', async () => {
    const { body: made } = await server.askWindow('POST', '/api/backups');
    const store = path.join(server.dataFolder, 'store');
    // As the first start of a day makes it.
    await cp(path.join(store, 'backups', made.name), path.join(store, 'backups/day-2030-01-01'), {
      recursive: true,
    });
    const remove = (at: string): Promise<Answer> =>
      server.askWindow('DELETE', `/api/backups/${at}`);
    for (const at of ['data/own-none', 'chosen/day-2030-01-01', 'data/..%2F..%2Fstore']) {
      const { status } = await remove(at);
      expect([at, status]).toEqual([at, 404]);
    }
    const names = async (): Promise<string[]> => (await list()).backups.map(({ name }) => name);
    expect(await names()).toEqual(expect.arrayContaining(['day-2030-01-01', made.name]));
    for (const name of ['day-2030-01-01', made.name]) {
      expect((await remove(`data/${name}`)).status).toBe(204);
      expect(await names()).not.toContain(name);
      expect(await readdir(path.join(store, 'backups'))).not.toContain(`${name}.part`);
      expect((await remove(`data/${name}`)).body.hint).toMatch(/^There is no backup with the name/);
    }
    // The data are as they were.
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  });

  test('what can’t be put back is refused, or left as it was with the reason', async () => {
    for (const at of ['data/own-none', 'nowhere/day-1', 'data/..%2F..%2Fstore']) {
      const { status, body } = await server.askWindow('POST', `/api/backups/${at}/restore`, {
        what: 'all',
      });
      expect([status, body.hint]).toEqual([
        404,
        expect.stringMatching(/^There is no backup with the name/),
      ]);
    }
    const bad = await server.askWindow('POST', '/api/backups/data/own-none/restore', {
      what: 'some',
    });
    expect(bad.status).toBe(400);
    const { body } = await server.askWindow('POST', '/api/backups');
    const name = (body as unknown as { name: string }).name;
    const format = path.join(server.dataFolder, 'store', 'backups', name, 'format.json');
    for (const [content, why] of [
      ['{"format":99}', 'a newer version of the app made it'],
      ['{"form', 'it is missing or incomplete'],
    ] as const) {
      await writeFile(format, content);
      await server.askWindow('POST', `/api/backups/data/${name}/restore`, { what: 'all' });
      await server.restart();
      const { notices } = (await server.askWindow('GET', '/api/state')).body;
      expect(notices.map(({ text }) => text)).toEqual([
        expect.stringMatching(
          new RegExp(`could not be restored: ${why}\\. The data are as they were\\.$`),
        ),
      ]);
    }
    expect((await list()).backups.filter(({ kind }) => kind === 'replaced')).toEqual([]);
  });

  test('a folder that can’t be written is refused when it is chosen, and later said', async () => {
    const chosen = path.join(folder, 'drive');
    await mkdir(chosen, { recursive: true });
    const change = (backupFolder: string | null) =>
      server.askWindow('PATCH', '/api/settings', { backupFolder });
    expect((await change('/proc/none')).status).toBe(400);
    expect((await change(chosen)).status).toBe(200);
    const { body } = await server.askWindow('GET', '/api/settings/all');
    expect((body as unknown as SettingsRecord).backupFolder).toBe(chosen);
    expect((await server.askWindow('POST', '/api/backups')).status).toBe(201);
    expect((await list()).folder).toBe(path.join(chosen, 'Framewright backups'));
    await rm(chosen, { recursive: true });
    await writeFile(chosen, 'no folder');
    const refused = await server.askWindow('POST', '/api/backups');
    expect([refused.status, refused.body.hint]).toEqual([503, expect.stringContaining(chosen)]);
  });

  test('a running render goes on after work is put back, and a feed’s rows are there', async () => {
    const { origin, hash } = new URL(server.running.windowUrl);
    const headers = { 'x-framewright-token': hash.replace('#token=', '') };
    const made = await send(`${origin}/api/feeds?name=Prices&project=default`, {
      method: 'POST',
      headers,
      body: 'Title\nold\n',
    });
    const feed = made.body as unknown as WindowFeed;
    await server.askWindow('POST', '/api/backups');
    await send(`${origin}/api/feeds/${feed.id}/table`, {
      method: 'PUT',
      headers,
      body: 'Title\nnew\n',
    });
    const { body: render } = await server.ask(
      'POST',
      '/v2/renders',
      document({ frames: 60, pause: 20 }),
    );
    await server.askWindow('POST', `/api/backups/data/${(await list()).backups[0]!.name}/restore`, {
      what: 'work',
    });
    await server.restart();
    expect((await server.ended(render.id)).status).toBe('succeeded');
    const rowsNow = await server.askWindow('GET', `/api/feeds/${feed.id}/rows`);
    expect(rowsNow.text).toContain('old');
    expect(await readFile(path.join(server.outputFolder, `${render.id}.mp4`))).toBeDefined();
  });
});
