/**
 * Workers that reach the database and storage, and no folder of the servers: over a folder and over S3. Real processes
 * of the built program.
 */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readMp4 } from '../../server/engine/encode/mp4-facts.ts';
import { openStorage } from '../../server/cluster/storage/open-storage.ts';
import type { Storage } from '../../server/store/storage.ts';
import {
  create,
  end,
  ended,
  film,
  free,
  picture,
  upload,
  useFarm,
  type Farm,
  type Place,
} from '../helpers/farm-programs.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { namedFont } from '../helpers/named-font.ts';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';
import { startS3, type S3Server } from '../helpers/s3-server.ts';
import { send } from '../helpers/server.ts';

/** A storage for a farm, which can be taken away and damaged. */
interface TestStorage {
  readonly where: string;
  readonly leave: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  /** Puts other bytes in the place of a file. */
  readonly damage: (key: string) => Promise<void>;
}

const other = Buffer.from('something else');
let s3: S3Server | null = null;
const opened: Storage[] = [];
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  await s3?.stop().catch(() => undefined);
  s3 = null;
  vi.unstubAllEnvs();
});

function inFolder({ folder }: Farm): Promise<TestStorage> {
  const where = path.join(folder, 'storage');
  return Promise.resolve({
    where,
    leave: () => rename(where, `${where}-away`),
    comeBack: () => rename(`${where}-away`, where),
    damage: (key) => writeFile(path.join(where, key), other),
  });
}

async function inS3(): Promise<TestStorage> {
  const server = await startS3();
  s3 = server;
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKey);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.secretKey);
  return {
    where: `s3://films?endpoint=${server.endpoint}`,
    leave: () => server.stop(),
    comeBack: () => server.start(),
    damage: (key) => {
      const known = server.objects.get(key);
      if (known) server.objects.set(key, { ...known, body: other });
      return Promise.resolve();
    },
  };
}

async function keysOf(storage: TestStorage, prefix: string): Promise<string[]> {
  let look = opened[0];
  if (!look) opened.push((look = await openStorage(storage.where)));
  const keys: string[] = [];
  for await (const { key } of look.list(prefix)) keys.push(key);
  return keys;
}

const photo = (colour: string): Buffer =>
  runFfmpegSync(
    ...['-f', 'lavfi', '-i', `color=${colour}:size=64x64:duration=1`],
    ...['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', '-'],
  );

async function addFont({ windowUrl }: Place, family: string): Promise<void> {
  const { origin, hash } = new URL(windowUrl);
  const answer = await send(`${origin}/api/fonts/added?name=font.ttf`, {
    method: 'POST',
    headers: { 'x-framewright-token': hash.replace('#token=', ''), origin },
    body: new Uint8Array(namedFont({ family })),
  });
  expect([200, 201]).toContain(answer.status);
}

async function fileOf(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const until = { timeout: 60_000 };

describe.runIf(hasPostgres).each([
  ['a folder', inFolder],
  ['S3', inS3],
] as const)('workers that reach only the database and %s', (_name, open) => {
  const farm = useFarm(usePostgres());

  test('make pictures of the library, of added fonts, and of long documents, as with the folder', async () => {
    const made = await farm();
    const storage = await open(made);
    const { place } = await made.serve('--storage', storage.where, '--no-worker', free);
    const image = await upload(place, 'red.png', photo('red'));
    await addFont(place, 'Own Letters');
    expect(await keysOf(storage, 'media/')).toEqual([`media/${image.replace('media:', '')}`]);
    expect(await keysOf(storage, 'fonts/')).toHaveLength(1);
    const source = {
      ...picture,
      elements: [
        { type: 'image', source: image, height: '50%', y: '25%' },
        // Longer than what is sent in a message.
        {
          type: 'text',
          text: 'Hi',
          font_family: 'own letters',
          y: '75%',
          name: 'n'.repeat(150_000),
        },
      ],
    };
    const results: Buffer[] = [];
    for (const places of [
      ['--storage', storage.where],
      ['--storage', storage.where, '--shared', made.shared],
    ]) {
      const worker = await made.work(...places);
      const { url, status, error_message } = await ended(place, await create(place, source));
      expect([status, error_message]).toEqual(['succeeded', undefined]);
      results.push(await fileOf(url));
      expect(await end(worker, 'SIGTERM')).toBe(0);
    }
    expect(results[0]?.equals(results[1]!)).toBe(true);
    // The first worker's folder is that of nobody else, and keeps what it may need again.
    const [kept] = await Promise.all([readdir(path.join(made.folder, 'own-1', 'contents'))]);
    expect(kept.sort()).toEqual(['fonts', 'media']);
    expect(
      (await readdir(path.join(made.folder, 'own-1'))).filter((one) => one.startsWith('work')),
    ).toEqual([]);
    expect(await made.run('SELECT render FROM framewright.documents')).toEqual([]);
  });

  test('a damaged copy is mended from the servers’ folder; what is lost there, too, fails its render with the reason', async () => {
    const made = await farm();
    const storage = await open(made);
    const { place } = await made.serve('--storage', storage.where, '--no-worker', free);
    const image = await upload(place, 'blue.png', photo('blue'));
    const id = image.replace('media:', '');
    await storage.damage(`media/${id}`);
    await made.work('--storage', storage.where);
    const source = { ...picture, elements: [{ type: 'image', source: image }] };
    const first = await ended(place, await create(place, source));
    expect(first).toMatchObject({ status: 'succeeded' });

    const lost = await upload(place, 'green.png', photo('green'));
    await storage.damage(`media/${lost.replace('media:', '')}`);
    await rename(
      path.join(made.shared, 'media', 'content', lost.replace('media:', '')),
      path.join(made.folder, 'hidden'),
    );
    const gone = { ...picture, elements: [{ type: 'image', source: lost }] };
    const failed = await ended(place, await create(place, gone));
    expect([failed.status, failed.error_message]).toEqual([
      'failed',
      'Render error: The file green.png of the library is not in the storage',
    ]);
  }, 120_000);

  test('a long film is made by three; a piece that is damaged is made again, a storage that is away is waited for', async () => {
    const made = await farm();
    const storage = await open(made);
    const { place } = await made.serve('--storage', storage.where, '--no-worker', free);
    const workers = await Promise.all([1, 2, 3].map(() => made.work('--storage', storage.where)));
    await expect
      .poll(async () => (await made.machines()).filter(({ build }) => build !== null).length, until)
      .toBe(3);
    const id = await create(place, film(800));
    const pieces = async (): Promise<string[]> =>
      (await keysOf(storage, 'kept/')).filter((key) => key.endsWith('.mp4'));
    await expect.poll(async () => (await pieces()).length, until).toBeGreaterThan(0);
    const [first = ''] = await pieces();
    await storage.damage(first);
    await storage.leave();
    const victim = (await made.machines()).find((one) => one.pieces.includes(id));
    await end(
      workers.find(({ pid }) => pid === victim?.pid)!,
      'SIGKILL',
    );
    // Until the silence of the lost one shows, the others find no storage either.
    const living =
      "SELECT id FROM framewright.machines WHERE seen_at > now() - interval '8 seconds'";
    await expect.poll(() => made.run(living), until).toHaveLength(2);
    await storage.comeBack();
    const { url, status, duration } = await ended(place, id);
    expect([status, duration]).toEqual(['succeeded', 800]);
    const copy = path.join(made.folder, 'film.mp4');
    await writeFile(copy, await fileOf(url));
    expect((await readMp4(copy))?.map(({ samples }) => samples)).toEqual([24_000]);
    await expect.poll(() => keysOf(storage, 'pieces/'), until).toEqual([]);
  }, 300_000);
});

describe.runIf(hasPostgres)('a worker', () => {
  const farm = useFarm(usePostgres());

  test('with another storage than the servers, or with none, does not start', async () => {
    const made = await farm();
    const { where } = await inFolder(made);
    await made.serve('--storage', where, '--no-worker', free);
    await expect(made.work('--storage', `${where}-2`)).rejects.toThrow('ended with 1');
    await expect(made.work('--concurrency', '1')).rejects.toThrow('ended with');
    await made.work('--storage', where);
    expect(await readFile(path.join(where, '.framewright-storage'), 'utf8')).toMatch(
      /^[0-9a-f-]{36}\n$/,
    );
  });
});
