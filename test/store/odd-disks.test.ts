/**
 * A whole server on disks that are slow, refuse renames for a while, or take no backup: nothing is wrong, nothing is
 * lost.
 */
import { failRenames, failWrite, repairDisk, slowDown } from './faulty-disk.ts';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishBytes } from '../../server/engine/encode/publish.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ windowPort: 0 });
});
afterEach(async () => {
  repairDisk();
  await server.stop();
});

const complaints = (): string[] =>
  server.logged.filter((line) => line.startsWith('error') || line.startsWith('warning'));
const noticesOf = async (): Promise<string[]> =>
  (await server.askWindow('GET', '/api/state')).body.notices.map(({ text }) => text);

test('F41: with a slow drive answers are late, not wrong, and whoever asks for something that is there waits for none', async () => {
  const { body: before } = await server.ask('POST', '/v2/renders', document());
  await server.ended(before.id);
  slowDown(300);
  const ends: string[] = [];
  const noted = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const value = await work;
    ends.push(name);
    return value;
  };
  const [created, template, read] = await Promise.all([
    noted('create', server.ask('POST', '/v2/renders', document({}, { width: 200 }))),
    noted('template', server.ask('POST', '/v2/templates', { name: 'Slow', source: document() })),
    noted('read', server.ask('GET', `/v2/renders/${before.id}`)),
  ]);
  expect([created.status, template.status, read.body.status]).toEqual([202, 201, 'succeeded']);
  expect(ends[0]).toBe('read');
  // What was answered is on the disk by then.
  const store = path.join(server.dataFolder, 'store');
  expect(await readFile(path.join(store, 'renders.db'), 'utf8')).toContain(created.body.id);
  expect(await readFile(path.join(store, 'templates.db'), 'utf8')).toContain(template.body.id);
  expect(await server.ended(created.body.id)).toMatchObject({ status: 'succeeded', width: 200 });
  const renamed = await server.ask('PATCH', `/v2/templates/${template.body.id}`, { name: 'Late' });
  expect(renamed.body.name).toBe('Late');
  expect(complaints()).toEqual([]);
  repairDisk();
  await server.restart();
  expect((await server.ask('GET', `/v2/templates/${template.body.id}`)).body.name).toBe('Late');
  expect((await server.ended(created.body.id)).status).toBe('succeeded');
}, 60_000);

describe('F42: the first five renames are refused', () => {
  test.each(['EPERM', 'EBUSY', 'EACCES'])('with %s, and nobody hears of it', async (code) => {
    failRenames(5, code);
    const large = { 'Title.text': 'x'.repeat(50_000) };
    const { status, body } = await server.ask('POST', '/v2/renders', {
      source: document(),
      modifications: large,
    });
    expect(status).toBe(202);
    expect((await server.ended(body.id)).status).toBe('succeeded');
    // The worker's own: a finished file gets its name.
    failRenames(5, code);
    const file = path.join(server.outputFolder, 'picture.png');
    await publishBytes(file, Buffer.from('whole'));
    expect(await readFile(file, 'utf8')).toBe('whole');
    expect(await readdir(server.outputFolder)).not.toContain('picture.png.part');
    expect(complaints()).toEqual([]);
    expect((await server.askWindow('GET', '/api/state')).body.storeProblem).toBeUndefined();
    await server.restart();
    expect((await server.ask('GET', `/v2/renders/${body.id}`)).body.modifications).toEqual(large);
  });
});

describe('F44: no backup can be made', () => {
  const backups = (): string => path.join(server.dataFolder, 'store', 'backups');
  const works = async (): Promise<void> => {
    const { body } = await server.ask('POST', '/v2/renders', document());
    expect((await server.ended(body.id)).status).toBe('succeeded');
    expect(complaints().filter((line) => line.startsWith('error'))).toEqual([]);
  };

  test('because the disk is full: the day of the last one is said, and the program works', async () => {
    const [today = ''] = await readdir(backups());
    await rm(path.join(backups(), today), { recursive: true });
    await mkdir(path.join(backups(), 'day-2025-02-03'));
    await mkdir(path.join(backups(), 'day-2025-01-31'));
    await server.running.close();
    failWrite(1, { forGood: false });
    await server.restart();
    expect(repairDisk()).toBe(true);
    expect(await noticesOf()).toEqual([
      'No backup since 2025-02-03: the disk is full. The next start tries again.',
    ]);
    await works();
    // Half a copy would pass for the day's.
    expect((await readdir(backups())).sort()).toEqual(['day-2025-01-31', 'day-2025-02-03']);
    await server.restart();
    expect(await noticesOf()).toEqual([]);
    expect(await readdir(backups())).toContain(today);
  });

  test('because its folder can’t be written', async () => {
    await rm(backups(), { recursive: true });
    await writeFile(backups(), 'not a folder');
    await server.restart();
    expect(await noticesOf()).toEqual([
      expect.stringMatching(/^There is no backup yet: .*\. The next start tries again\.$/),
    ]);
    await works();
  });
});

test('what the shell found wrong at its start is among the window’s notices', async () => {
  await server.restart({ notices: ['The settings could not be read.'] });
  expect(await noticesOf()).toEqual(['The settings could not be read.']);
});
