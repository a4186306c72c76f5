/**
 * Data that can't be opened: the shell says so with the backup that there is, and a restored one brings everything
 * back.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startWithData } from '../../main/faults.ts';
import { newestBackup } from '../../server/store/restore.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import * as electron from './electron-stand-in.ts';

const { asked, questions } = electron;

// Imported anew: the mock is made before this file's own imports.
vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electronModule);

let server: TestServer;
let store: string;
let template: string;
const log = (): void => undefined;

/** A server whose day's backup has a template, and whose note of the data's form was damaged afterwards. */
beforeEach(async () => {
  electron.forget();
  server = await startTestServer();
  const source = { output_format: 'png', width: 16, height: 16, elements: [] };
  const made = await server.ask('POST', '/v2/templates', { name: 'Card', tags: [], source });
  template = made.body.id;
  store = path.join(server.dataFolder, 'store');
  // The next start of a day makes the day's copy.
  rmSync(path.join(store, 'backups'), { recursive: true, force: true });
  await server.restart();
  await server.running.close();
  writeFileSync(path.join(store, 'format.json'), '{"format":');
  writeFileSync(path.join(store, 'templates.db'), '');
});

afterEach(() => server.stop());

const start = async () => {
  await server.restart();
  return server.running;
};

/** The question that is open. */
const question = (index: number): Promise<electron.OpenQuestion> =>
  vi.waitFor(() => {
    const found = questions[index];
    if (!found) throw new Error('nothing was asked');
    return found;
  });

test('is said with the time of the backup; restored, everything of it is there', async () => {
  const backup = await newestBackup(server.dataFolder);
  expect(backup?.name).toMatch(/^day-/);
  const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(backup!.madeAt);
  const opening = startWithData(start, server.dataFolder, log);
  const first = await question(0);
  expect(first).toMatchObject({
    message: 'The template data could not be opened.',
    buttons: ['Restore backup', 'Open folder', 'Quit'],
    cancelId: 2,
  });
  expect(first.detail).toMatch(new RegExp(`^A backup from today ${time} is available\\.`));
  // Looking at the folder decides nothing.
  first.answer(1);
  (await question(1)).answer(0);
  expect(asked).toContain(`open ${store}`);
  expect(await opening).not.toBe(null);
  expect((await server.ask('GET', `/v2/templates/${template}`)).body.name).toBe('Card');
  // What was replaced is kept.
  const [kept] = readdirSync(path.join(store, 'backups')).filter((name) => /^replaced-/.test(name));
  const replaced = path.join(store, 'backups', kept ?? '', 'format.json');
  expect(readFileSync(replaced, 'utf8')).toBe('{"format":');
});

test('without a backup, and given up: nothing is touched', async () => {
  rmSync(path.join(store, 'backups'), { recursive: true });
  const opening = startWithData(start, server.dataFolder, log);
  const asking = await question(0);
  expect(asking).toMatchObject({ buttons: ['Open folder', 'Quit'], cancelId: 1 });
  expect(asking.detail).toMatch(/^There is no backup of it\./);
  asking.answer(1);
  expect(await opening).toBe(null);
  expect(readFileSync(path.join(store, 'format.json'), 'utf8')).toBe('{"format":');
});

test('other reasons not to start are not asked about', async () => {
  writeFileSync(path.join(store, 'format.json'), '{"format":99}');
  await expect(startWithData(start, server.dataFolder, log)).rejects.toThrow(/newer version/);
  expect(questions).toEqual([]);
  const empty = mkdtempSync(path.join(tmpdir(), 'framewright-none-'));
  expect([await newestBackup(empty), existsSync(path.join(empty, 'store'))]).toEqual([null, false]);
  rmSync(empty, { recursive: true });
});
