/** Backups over HTTP: made, listed, deleted and put back; who may, and where it can't be. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BackupFacts, BackupPage, StartedRestore } from '../../server/api/backups.ts';
import { usePostgres, hasPostgres } from '../helpers/postgres.ts';
import { document, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
const restart = vi.fn();
beforeEach(async () => {
  restart.mockReset();
  server = await startTestServer({ restart });
});
afterEach(() => server.stop());

const list = async (): Promise<BackupPage> => {
  const { status, body } = await server.ask('GET', '/v2/backups');
  expect(status).toBe(200);
  return body as unknown as BackupPage;
};
const make = async (): Promise<BackupFacts> => {
  const { status, body } = await server.ask('POST', '/v2/backups');
  expect(status).toBe(201);
  return body as unknown as BackupFacts;
};
const restore = (id: string, body: unknown = { what: 'work' }): Promise<Answer> =>
  server.ask('POST', `/v2/backups/${id}/restore`, body);
const names = async (): Promise<string[]> =>
  (await server.ask('GET', '/v2/templates')).list.map(({ name }) => name);
const create = (name: string): Promise<Answer> =>
  server.ask('POST', '/v2/templates', { name, source: document() });

test('one is made, listed, and deleted', async () => {
  await create('One');
  const made = await make();
  expect(made).toMatchObject({
    id: expect.stringMatching(/^own-/) as string,
    kind: 'own',
    place: 'data_folder',
    media: { files: 0, file_size: 0 },
    records: { templates: 1, feeds: 0, renders: 0, projects: 1, keys: 1 },
  });
  const { backups, folder } = await list();
  expect(backups[0]).toEqual(made);
  expect(readdirSync(folder)).toContain(made.id);
  expect((await server.ask('DELETE', `/v2/backups/${made.id}`)).status).toBe(204);
  expect((await list()).backups.map(({ id }) => id)).not.toContain(made.id);
  expect((await server.ask('DELETE', `/v2/backups/${made.id}`)).status).toBe(404);
});

test('what was changed since is as it was, once the server has started again; the answer comes first', async () => {
  const kept = (await create('Kept')).body;
  const { id } = await make();
  await server.ask('PATCH', `/v2/templates/${kept.id}`, { name: 'Changed' });
  await create('Later');
  const answer = await restore(id);
  const started = answer.body as unknown as StartedRestore;
  expect([answer.status, started.restarts]).toEqual([202, true]);
  await vi.waitFor(() => expect(restart).toHaveBeenCalledTimes(1));
  // Nothing has changed yet.
  expect(await names()).toEqual(['Later', 'Changed']);
  expect((await list()).last_restore).toBeUndefined();

  await server.restart();
  expect(await names()).toEqual(['Kept']);
  expect((await server.ask('GET', `/v2/templates/${kept.id}`)).body).toEqual(kept);
  const { backups, last_restore: last } = await list();
  expect(last).toEqual({
    backup: id,
    asked_at: started.asked_at,
    succeeded: true,
    message: expect.stringContaining(`The backup ${id} of `) as string,
  });
  const [replaced] = backups.filter(({ kind }) => kind === 'replaced');
  expect(replaced?.records).toMatchObject({ templates: 2 });

  // And back again.
  await restore(replaced!.id, { what: 'all' });
  await server.restart();
  expect((await names()).sort()).toEqual(['Changed', 'Later']);
  expect((await server.ask('GET', '/v2/settings')).body).toMatchObject({ queue_paused: true });
  // Told by the start that did it, and by no later one.
  await server.restart();
  expect((await list()).last_restore).toBeUndefined();
});

test('a server that can not start itself says so, and the next start does it', async () => {
  await create('Kept');
  const { id } = await make();
  await create('Later');
  const { dataFolder } = server;
  await server.restart({ restart: undefined as never });
  expect((await restore(id)).body).toMatchObject({ restarts: false });
  expect(dataFolder).toBe(server.dataFolder);
  await server.restart();
  expect(await names()).toEqual(['Kept']);
});

test('one that can not be put back is told, and the data are as they were', async () => {
  await create('Kept');
  const { id } = await make();
  await create('Later');
  await restore(id);
  rmSync(path.join((await list()).folder, id), { recursive: true });
  await server.restart();
  expect((await names()).sort()).toEqual(['Kept', 'Later']);
  expect((await list()).last_restore).toMatchObject({
    backup: id,
    succeeded: false,
    message: expect.stringMatching(
      /could not be restored: .*The data are as they were\.$/,
    ) as string,
  });
});

test('a backup that is in both folders has two IDs, and each is itself', async () => {
  const chosen = mkdtempSync(path.join(tmpdir(), 'framewright-backups-'));
  try {
    const { id } = await make();
    const { folder } = await list();
    await server.ask('PATCH', '/v2/settings', { backup_folder: chosen });
    const other = await make();
    expect(other.place).toBe('backup_folder');
    const { folder: now } = await list();
    await cp(path.join(folder, id), path.join(now, id), { recursive: true });
    const found = (await list()).backups.filter((one) => one.id.startsWith(id));
    expect(found.map((one) => [one.id, one.place]).sort()).toEqual([
      [id, 'data_folder'],
      [`${id}@backup_folder`, 'backup_folder'],
    ]);
    expect((await server.ask('DELETE', `/v2/backups/${id}@backup_folder`)).status).toBe(204);
    expect([readdirSync(folder).includes(id), readdirSync(now).includes(id)]).toEqual([
      true,
      false,
    ]);
  } finally {
    rmSync(chosen, { recursive: true });
  }
});

test.each([
  ['own-none', { what: 'work' }, 404, 'There is no backup with the name own-none.'],
  ['..%2F..%2Fstore', { what: 'work' }, 404, 'There is no backup with the name ../../store.'],
  ['own-none', {}, 400, "The parameter 'what' should be work or all."],
  ['own-none', { what: 'keys' }, 400, "The parameter 'what' should be work or all."],
])('restore %s %o: %i', async (id, body, status, hint) => {
  const answer = await restore(id, body);
  expect([answer.status, answer.body.hint]).toEqual([status, hint]);
  expect(restart).not.toHaveBeenCalled();
});

test('keys of another project may not, and are told which may', async () => {
  const { id } = await make();
  const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  const { keys } = made.body as unknown as { keys: { key: string }[] };
  const headers = { authorization: `Bearer ${keys[0]!.key}` };
  for (const [method, target, body] of [
    ['GET', '/v2/backups'],
    ['POST', '/v2/backups'],
    ['DELETE', `/v2/backups/${id}`],
    ['POST', `/v2/backups/${id}/restore`, { what: 'all' }],
  ] as const) {
    const answer = await server.ask(method, target, body, headers);
    expect([answer.status, answer.body.hint]).toEqual([
      403,
      'Only keys of the first project (My project) may do this, which is about the whole server; this key is that of the project Other.',
    ]);
  }
  expect(restart).not.toHaveBeenCalled();
  expect((await list()).backups.filter(({ kind }) => kind === 'own')).toHaveLength(1);
});

describe.runIf(hasPostgres)('with records in a database', () => {
  const postgres = usePostgres();
  test('all routes say that it has backups of its own', async () => {
    await server.stop();
    server = await startTestServer({ database: await postgres.create() });
    for (const [method, target, body] of [
      ['GET', '/v2/backups'],
      ['POST', '/v2/backups'],
      ['DELETE', '/v2/backups/own-none'],
      ['POST', '/v2/backups/own-none/restore', { what: 'all' }],
    ] as const) {
      const answer = await server.ask(method, target, body);
      expect([answer.status, answer.body.hint]).toEqual([
        409,
        'The records are in a database, which has backups of its own.',
      ]);
    }
  });
});
