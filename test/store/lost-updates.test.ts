/** Changes that happen at the same time: none of them takes another back. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { feedTable } from '../../server/jobs/feeds/feed-rows.ts';
import { firstProject } from '../../server/store/projects.ts';
import { createDraftFiles } from '../../server/window/drafts.ts';
import type { Draft } from '../../shared/api/editor.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

test('settings that are changed together are all kept, and no folder of before is forgotten', async () => {
  const { settings } = server.running.services.store;
  const folders = ['a', 'b', 'c', 'd'].map((name) => path.join(server.outputFolder, name));
  for (const folder of folders) await mkdir(folder);
  const patch = (body: object): Promise<{ status: number }> =>
    server.askWindow('PATCH', '/api/settings', body);
  const answers = await Promise.all([
    patch({ creditAllowance: 5 }),
    patch({ keepAwake: false }),
    ...folders.map((outputFolder) => patch({ outputFolder })),
    patch({ requestLogSize: 7 }),
    server.askWindow('POST', '/api/queue/pause'),
    settings.change({ freeSpaceLimit: 12 }),
  ]);
  expect(answers.slice(0, -1)).toSatisfy((all: { status: number }[]) =>
    all.every(({ status }) => status === 200),
  );
  expect(settings.values).toMatchObject({
    creditAllowance: 5,
    keepAwake: false,
    requestLogSize: 7,
    queuePaused: true,
    freeSpaceLimit: 12,
  });
  expect(settings.values.earlierOutputFolders).toContain(server.outputFolder);
});

test('of two who save the same template at once, one is told of the conflict', async () => {
  const { body } = await server.ask('POST', '/v2/templates', { name: 'A', source: document() });
  const { store } = server.running.services;
  const base = store.templates.find(body.id)!.updatedAt;
  const save = (name: string): Promise<{ text: string }> =>
    server.askWindow('PUT', `/api/editor/${body.id}`, { name, tags: [], source: document(), base });
  const answers = await Promise.all(['B', 'C', 'D'].map(save));
  const conflicts = answers.map(({ text }) => (JSON.parse(text) as { conflict: boolean }).conflict);
  expect(conflicts.filter((conflict) => !conflict)).toHaveLength(1);
  expect(store.templates.find(body.id)?.name).toBe(['B', 'C', 'D'][conflicts.indexOf(false)]);
});

test('of drafts that are written together the last one is kept, and removing comes in its turn', async () => {
  const drafts = createDraftFiles(path.join(server.dataFolder, 'drafts'), () => undefined);
  const draft = (text: string): Buffer => {
    const whole: Draft = { text, name: 'A', tags: [], base: 1, savedAt: 1 };
    return Buffer.from(JSON.stringify(whole));
  };
  for (let round = 0; round < 5; round++) {
    // The long one takes longer to write.
    const texts = ['a'.repeat(6_000_000), 'b'.repeat(1_000_000), 'c'];
    await Promise.all(texts.map((text) => drafts.write('t', draft(text))));
    expect((await drafts.read('t'))?.value['text']).toBe('c');
    await Promise.all([drafts.write('t', draft(texts[0]!)), drafts.remove('t')]);
    expect(await drafts.read('t')).toBeNull();
  }
});

test('rows and columns of a feed that change together both stay', async () => {
  const { feeds } = server.running.services.store;
  const { columns: given, rows } = feedTable(
    { columns: ['x', 'y'], rows: [['1', '2']] },
    { columns: [] },
  );
  const feed = await feeds.insert(firstProject, 'F', given, rows);
  const columns = feed.columns.map((column) => ({ ...column, target: `${column.name}.text` }));
  const row = { id: 'r', values: {} };
  const twice = { bytes: Buffer.from(JSON.stringify([row, row])), count: 2 };
  await Promise.all([
    feeds.replaceRows(feed.id, rows),
    feeds.change(feed.id, { columns }),
    feeds.replaceRows(feed.id, twice),
  ]);
  const found = feeds.find(feed.id)!;
  expect(found.columns).toEqual(columns);
  // Of rows that are written at once either may be the later ones.
  const kept = JSON.parse(String(await feeds.rowBytesOf(found))) as unknown[];
  expect([1, 2]).toContain(kept.length);
  expect(found.rowCount).toBe(kept.length);
  expect(await readdir(path.join(server.dataFolder, 'store', 'feed-rows'))).toHaveLength(1);
});
