/** Moving the records of a folder to PostgreSQL: all of them or none, again and again, and never over newer ones. */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../server/system/clock.ts';
import { moveToDatabase, type Moved } from '../../server/cluster/move.ts';
import { firstProject } from '../../server/store/projects.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';
import { databasePlaces } from '../helpers/database-places.ts';

const log = (): void => undefined;
const cli = path.join(import.meta.dirname, '..', '..', 'dist', 'server', 'cli.mjs');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A bit of everything that is stored. */
async function fill(store: Store): Promise<void> {
  const long = { elements: [], note: 'x'.repeat(30_000) };
  await store.keys.ensure();
  await store.projects.insert('Second');
  await store.templates.insert(firstProject, 't', { name: 'N\u0000', tags: ['a'], source: long });
  await store.templates.change('t', { source: { ...long, more: 1 } });
  await store.templates.insert(firstProject, 'gone', { name: 'G', tags: [], source: {} });
  await store.templates.remove('gone');
  const render = {
    project: firstProject,
    outputFormat: 'mp4' as const,
    createdAt: Date.now(),
    attempts: 0,
    request: { modifications: { text: 'y'.repeat(5_000) } },
  };
  await store.renders.insert({ ...render, id: 'r1', status: 'planned' }, long);
  await store.renders.insert({ ...render, id: 'r2', status: 'failed', errorMessage: '\ud800' }, {});
  const rows = { bytes: Buffer.from('[]'), count: 0 };
  const feed = await store.feeds.insert(firstProject, 'F', [{ id: 'c', name: 'C' }], rows);
  await store.feeds.insertBatch(feed, 't', rows);
  const font = { family: 'F', style: 'normal', minWeight: 100, maxWeight: 900 } as const;
  const content = path.join(store.fonts.uploadFolder, 'f');
  await writeFile(content, 'letters');
  await store.fonts.keep({ id: 'f', name: 'f.ttf', bytes: 7, ...font }, content);
  await store.settings.change({ creditAllowance: 7 });
  await store.settings.setPreferences('{"theme":"dark"}');
  await store.transcripts.insert({
    ...{ id: 't', project: firstProject, createdAt: 1, source: 'talk.wav', attempts: 1 },
    state: { kind: 'transcribing' },
  });
  await store.deliveries.insert({
    id: 'd',
    project: firstProject,
    render: 'r2',
    url: 'http://127.0.0.1/',
    createdAt: 1,
    state: 'waiting',
    tries: 2,
    dueAt: 5,
    pause: 1,
  });
}

/** Everything that a store holds, with documents. */
async function contents(store: Store): Promise<unknown> {
  const documents: string[] = [];
  for (const template of store.templates.list()) {
    documents.push((await store.templates.readDocument(template)).text);
    for (const version of store.templates.versions.list(template.id)) {
      documents.push(String(await store.templates.versions.read(version)));
    }
  }
  const renders = [];
  for (const render of store.renders.list()) {
    const { request } = await store.renders.withRequest(render);
    const source = await store.renders.readSource(render.id);
    renders.push({ ...render, request: JSON.stringify(request), source: source?.text });
  }
  return {
    documents,
    renders,
    templates: store.templates.list(),
    deleted: store.templates.listDeleted().map(({ id }) => id),
    projects: store.projects.list(),
    secrets: store.projects.secretsOf(firstProject),
    keys: store.keys.list(),
    deliveries: store.deliveries.list(),
    feeds: store.feeds.list(),
    batches: store.feeds.listBatches(),
    fonts: store.fonts.list(),
    transcripts: store.transcripts.listUnfinished(),
    settings: store.settings.values,
    preferences: store.settings.preferences,
  };
}

describe.runIf(hasPostgres)('moving records to PostgreSQL', () => {
  const postgres = usePostgres();
  const move = (url: string): Promise<Moved> =>
    moveToDatabase({ dataFolder: folder, url, log, clock: systemClock });
  const open = (url?: string): Promise<Store> =>
    openStore(folder, log, systemClock, url === undefined ? null : databasePlaces(url, log));
  async function filled(): Promise<unknown> {
    const store = await open();
    await fill(store);
    const found = await contents(store);
    await store.close();
    return found;
  }

  test('everything is there afterwards, also when it is moved twice', async () => {
    const before = await filled();
    const url = await postgres.create();
    const { counts } = await move(url);
    expect(Object.fromEntries(counts)).toEqual({
      renders: 2,
      templates: 2,
      'template-versions': 1,
      projects: 2,
      keys: 1,
      deliveries: 1,
      feeds: 1,
      batches: 1,
      settings: 2,
      media: 0,
      fonts: 1,
      transcripts: 1,
    });
    expect((await move(url)).counts).toEqual(counts);
    const store = await open(url);
    expect(await contents(store)).toEqual(before);
    expect(store.notices).toEqual([]);
    await store.close();
    // Its files are as they were, and are left alone.
    await expect(open()).rejects.toThrow('are in the database');
  });

  test('the files come along to a folder that several servers share, where two of them read all', async () => {
    const before = await filled();
    const url = await postgres.create();
    const shared = path.join(folder, 'shared');
    await mkdir(path.join(folder, 'output'));
    await writeFile(path.join(folder, 'output', 'r.mp4'), 'film');
    const moveThere = (): Promise<Moved> =>
      moveToDatabase({ dataFolder: folder, url, shared, log, clock: systemClock });
    expect((await moveThere()).counts).toEqual((await moveThere()).counts);
    for (const name of ['one', 'other']) {
      const places = databasePlaces(url, log, shared);
      const store = await openStore(path.join(folder, name), log, systemClock, places);
      const found = JSON.stringify(await contents(store));
      expect(JSON.parse(found.replaceAll(shared, folder))).toEqual(
        JSON.parse(JSON.stringify(before)),
      );
      await store.close();
    }
    expect(await readFile(path.join(shared, 'output', 'r.mp4'), 'utf8')).toBe('film');
    expect(await readFile(path.join(shared, 'fonts', 'content', 'f'), 'utf8')).toBe('letters');
    await expect(
      moveToDatabase({ dataFolder: folder, url, shared: folder, log, clock: systemClock }),
    ).rejects.toThrow('has the files of other records');
  });

  test('a move that fails in the middle leaves nothing, and can be made again', async () => {
    const before = await filled();
    const url = await postgres.create();
    await (
      await import('../../server/cluster/postgres/keeper.ts')
    ).PostgresKeeper.open({
      url,
      log,
    }).then((keeper) => keeper.close());
    await postgres.run(
      'ALTER TABLE framewright.settings ADD CONSTRAINT full_disk CHECK (id = $$no$$)',
      url,
    );
    await expect(move(url)).rejects.toThrow('full_disk');
    expect(await postgres.run('SELECT * FROM framewright.renders', url)).toEqual([]);
    // Nothing happened to the folder either.
    await (await open()).close();
    await postgres.run('ALTER TABLE framewright.settings DROP CONSTRAINT full_disk', url);
    await move(url);
    const store = await open(url);
    expect(await contents(store)).toEqual(before);
    await store.close();
  });

  test('records that came later are never overwritten', async () => {
    await filled();
    const url = await postgres.create();
    await move(url);
    const store = await open(url);
    await store.templates.change('t', { name: 'Later' });
    await store.close();
    await expect(move(url)).rejects.toThrow('has been used since the records were moved');
    const again = await open(url);
    expect(again.templates.find('t')?.name).toBe('Later');
    await again.close();
    await expect(move(await postgres.create())).rejects.toThrow(
      /^The records of .* are in .* already\.$/,
    );
  });

  test('a running server’s folder is not moved, nor a folder without records', async () => {
    const url = await postgres.create();
    await expect(move(url)).rejects.toThrow('has no records of Framewright');
    const store = await open();
    await expect(move(url)).rejects.toThrow('in use');
    await store.close();
  });

  test('the command moves many thousands, says how many, and refuses with a sentence', async () => {
    await filled();
    const lines = Array.from({ length: 12_000 }, (_, index) =>
      JSON.stringify({
        ...{ _id: `many${index}`, project: firstProject, order: 100 + index, status: 'failed' },
        ...{ outputFormat: 'mp4', createdAt: Date.now(), attempts: 1, request: '{}' },
      }),
    );
    await appendFile(path.join(folder, 'store', 'renders.db'), `${lines.join('\n')}\n`);
    const url = await postgres.create();
    const run = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
      promisify(execFile)(process.execPath, [cli, 'migrate', ...args]);
    const { stdout } = await run('--from', folder, '--database', url);
    expect(stdout).toMatch(/^renders +12002\ntemplates +2\n/);
    const store = await open(url);
    expect(store.renders.list()).toHaveLength(12_002);
    await store.close();
    await expect(run('--from', folder)).rejects.toMatchObject({
      code: 1,
      stderr: 'Name the database to move to with --database.\n',
    });
    await expect(run('--from', folder, '--database', 'mysql://x/y')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^--database: Expected an address such as postgres:/) as string,
    });
  });
});
