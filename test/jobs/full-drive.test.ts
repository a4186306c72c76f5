/**
 * A drive that fills up while a film is written: a small file system of its own, which the built server sees alone.
 * Linux, where the system lets an ordinary program have one. Needs dist/.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';

const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));
const key = 'full-drive';
const megabyte = 1024 * 1024;
/**
 * Of the drive, all of which is free at first, and what has to be free for a render to begin: the film takes far less.
 */
const driveSize = 64;
const limit = 56 * megabyte;

/** Runs a program with a drive of so many megabytes at a place. */
const withDrive = (megabytes: number, place: string, command: readonly string[]): string[] => [
  ...['-rm', 'sh', '-c', `mount -t tmpfs -o size=${megabytes}m none "$0" && exec "$@"`, place],
  ...command,
];
const hasDrives = ((): boolean => {
  try {
    execFileSync('unshare', withDrive(1, '/tmp', ['true']), { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let folder: string;
let server: ChildProcess;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
});
afterEach(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, maxRetries: 20 });
});

/** A picture that no encoder makes small: a bitmap of noise. */
function noise(width: number, height: number): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + width * height * 3, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return Buffer.concat([header, randomBytes(width * height * 3)]);
}

test.skipIf(!hasDrives)(
  'F22: a drive that fills up fails the film with that reason, keeps the next ones waiting, and they go on when there is room',
  async () => {
    const drive = path.join(folder, 'drive');
    const data = path.join(folder, 'data');
    await mkdir(drive);
    writeFileSync(path.join(folder, 'noise.bmp'), noise(640, 360));
    const args = ['serve', '--port', '0', '--data', data, '--output', drive, '--media', folder];
    const command = [process.execPath, cli, ...args, '--api-key', key, '--no-rate-limit'];
    server = spawn('unshare', withDrive(driveSize, drive, command), { stdio: 'ignore' });
    const runtimeFile = z.object({ apiUrl: z.string(), windowUrl: z.string() });
    const readRuntime = () => {
      expect(server.exitCode).toBeNull();
      return runtimeFile.parse(JSON.parse(readFileSync(path.join(data, 'runtime.json'), 'utf8')));
    };
    await expect.poll(readRuntime).toBeDefined();
    const { apiUrl, windowUrl } = readRuntime();
    /** The drive, which only the server has at this place. */
    const inside = (name: string): string => path.join(`/proc/${server.pid}/root`, drive, name);

    const { origin, hash } = new URL(windowUrl);
    const headers = {
      authorization: `Bearer ${key}`,
      'x-framewright-token': hash.replace('#token=', ''),
      'content-type': 'application/json',
    };
    const ask = async (method: string, url: string, body?: object): Promise<unknown> => {
      const sent = body && { body: JSON.stringify(body) };
      return (await fetch(url, { method, headers, ...sent })).json();
    };
    const renderShape = z.object({
      id: z.string(),
      status: z.string(),
      error_message: z.string().optional(),
    });
    const create = async (body: object) =>
      renderShape.parse(await ask('POST', `${apiUrl}/v2/renders`, body)).id;
    const look = async (id: string) =>
      renderShape.parse(await ask('GET', `${apiUrl}/v2/renders/${id}`));
    const queueShape = z.object({
      queue: z.object({ waiting: z.number(), heldBy: z.array(z.string()).optional() }),
    });
    const queue = async () => queueShape.parse(await ask('GET', `${origin}/api/state`)).queue;

    await ask('PATCH', `${origin}/api/settings`, { freeSpaceLimit: limit });
    const x = [
      { time: 0, value: '0%' },
      { time: 20, value: '100%' },
    ];
    const picture = { type: 'image', source: 'noise.bmp', x, width: '200%', height: '200%' };
    const size = { width: 640, height: 360, frame_rate: 25, duration: 20 };
    const film = await create({ ...size, output_format: 'mp4', elements: [picture] });
    const next = await create({ output_format: 'png', width: 64, height: 64, elements: [] });
    const part = inside(`${film}.mp4.part`);
    const partSize = (): number => statSync(part, { throwIfNoEntry: false })?.size ?? 0;
    await expect.poll(partSize).toBeGreaterThan(0);
    // Another program takes all the room there is meanwhile.
    expect(() => writeFileSync(inside('other'), Buffer.alloc(driveSize * megabyte))).toThrow(
      'ENOSPC',
    );

    await expect.poll(async () => (await look(film)).status, { timeout: 90_000 }).toBe('failed');
    expect((await look(film)).error_message).toMatch(/^Render error: The disk is full\. /);
    await expect.poll(queue).toEqual({ waiting: 1, heldBy: ['space'] });
    expect((await look(next)).status).toBe('planned');
    // Whether there is room again is tried with a file, which is there for a moment.
    await expect.poll(() => readdirSync(inside('')).sort()).toEqual(['other', 'snapshots']);
    expect(readdirSync(path.join(data, 'work'))).toEqual([]);

    rmSync(inside('other'));
    await expect.poll(async () => (await look(next)).status).toBe('succeeded');
    expect(readdirSync(inside('')).sort()).toEqual([`${next}.png`, 'snapshots']);
  },
  150_000,
);
