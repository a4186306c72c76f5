/** What the window says about the data folder: the space it takes, and settings put back, through its own routes. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerSettings } from '../../server/store/settings.ts';
import type { SettingsRecord, SpaceKind, SpaceUse } from '../../shared/api.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-data-'));
  server = await startTestServer();
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function space(): Promise<Record<SpaceKind, { bytes: number; files: number }>> {
  const { status, text } = await server.askWindow('GET', '/api/space');
  expect(status).toBe(200);
  // The form that shared/api.ts promises.
  const { kinds } = JSON.parse(text) as SpaceUse;
  // Each kind is there once.
  return Object.fromEntries(kinds.map(({ kind, ...size }) => [kind, size])) as never;
}

// The form that the store has.
const settings = async (): Promise<ServerSettings> =>
  JSON.parse((await server.askWindow('GET', '/api/settings')).text) as ServerSettings;

test('space is told by kind: files go to theirs, and those of others in the output folder do not count', async () => {
  const shown = await server.askWindow('GET', '/api/settings/all');
  const { dataFolder } = JSON.parse(shown.text) as SettingsRecord;
  const before = await space();
  expect(before.records.bytes).toBeGreaterThan(0);
  for (const [name, length] of [
    ['media/content', 3000],
    ['fonts/content', 500],
    ['cache/deep/er', 70],
  ] as const) {
    await mkdir(path.join(dataFolder, name), { recursive: true });
    await writeFile(path.join(dataFolder, name, 'file'), 'x'.repeat(length));
  }
  await server.askWindow('PATCH', '/api/settings', { outputFolder: folder });
  await writeFile(path.join(folder, 'holiday.mp4'), 'x'.repeat(100_000));
  await server.ended((await server.ask('POST', '/v2/renders', document())).body.id);
  const after = await space();
  expect(after.media.bytes - before.media.bytes).toBe(3000);
  expect(after.fonts.bytes - before.fonts.bytes).toBe(500);
  expect(after.cache.bytes - before.cache.bytes).toBeGreaterThanOrEqual(70);
  expect(after.renders.files).toBeGreaterThan(before.renders.files);
  expect(after.renders.bytes).toBeLessThan(100_000);
});

test('a backup that shares its documents with the data takes little more', async () => {
  const text = 'x'.repeat(200_000);
  const source = { output_format: 'png', width: 8, height: 8, elements: [{ type: 'text', text }] };
  await server.ask('POST', '/v2/templates', { name: 'Large', source });
  const before = await space();
  expect(before.records.bytes).toBeGreaterThan(200_000);
  expect((await server.askWindow('POST', '/api/backups')).status).toBe(201);
  const after = await space();
  expect(after.backups.files).toBeGreaterThan(before.backups.files);
  expect(after.backups.bytes - before.backups.bytes).toBeLessThan(200_000);
});

test('reset: settings are as at first, and what was rendered, made and paused stays', async () => {
  const first = await settings();
  const { body: shown } = await server.askWindow('GET', '/api/settings/all');
  const changes = {
    outputFolder: folder,
    creditAllowance: 5,
    requestLogSize: 7,
    templateVersions: 3,
    allowedOrigins: ['http://localhost:3000'],
    keepAwake: false,
    freeSpaceLimit: 0,
    queuePaused: true,
  };
  expect((await server.askWindow('PATCH', '/api/settings', changes)).status).toBe(200);
  const made = await server.ask('POST', '/v2/templates', { name: 'Kept', source: document() });
  expect((await server.askWindow('POST', '/api/settings/reset')).status).toBe(200);
  const now = await settings();
  expect(now.earlierOutputFolders).toContain(folder);
  const { earlierOutputFolders } = now;
  expect(now).toEqual({ ...first, queuePaused: true, earlierOutputFolders });
  // In use at once, not only stored.
  expect((await server.askWindow('GET', '/api/settings/all')).body).toEqual(shown);
  expect((await server.ask('GET', `/v2/templates/${made.body.id}`)).status).toBe(200);
});
