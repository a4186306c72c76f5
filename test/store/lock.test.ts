/**
 * The lock of a data folder, held by processes of their own: one owner at a time, whoever starts together, and none
 * that is dead. `LONG=1` for the long form of the race.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { build } from 'rolldown';
import { FolderInUseError, lockFolder } from '../../server/store/lock.ts';
import { isLong } from '../helpers/long.ts';
import { listProcesses } from '../helpers/process-table.ts';

const races = isLong ? 200 : 15;
const starters = 8;

let folder: string;
let tools: string;
let program: string;
beforeAll(async () => {
  tools = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  program = path.join(tools, 'starter.mjs');
  const library = path.join(tools, 'lock.mjs');
  await build({
    input: path.resolve('server/store/lock.ts'),
    platform: 'node',
    output: { file: library, format: 'esm' },
    logLevel: 'silent',
  });
  // Takes the folder when told to, says how that ended, and lets go when told to. `now` is for owners that nobody talks
  // to.
  await writeFile(
    program,
    `import { lockFolder } from ${JSON.stringify(library)};
     const log = (level, place, text) => process.send?.({ text });
     let unlock = null;
     const take = async (folder) => {
       try { unlock = await lockFolder(folder, log); return 'owner'; }
       catch (error) { return error.name; }
     };
     if (process.argv[2]) {
       console.log(process.pid, await take(process.argv[2]));
       setInterval(() => {}, 1000);
     }
     process.on('message', async ({ take: folder, release }) => {
       if (release) { await unlock?.(); unlock = null; process.send({ released: true }); }
       else process.send({ result: await take(folder) });
     });`,
  );
});
afterAll(() => rm(tools, { recursive: true }));

const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const file = (): string => path.join(folder, 'lock');

function starter(env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env,
  });
  children.push(child);
  return child;
}

/** What a starter answers to a message. */
async function ask(child: ChildProcess, message: object, field: string): Promise<unknown> {
  const answer = new Promise((resolve) => {
    const listen = (said: Record<string, unknown>): void => {
      if (said[field] === undefined) return;
      child.off('message', listen);
      resolve(said[field]);
    };
    child.on('message', listen);
  });
  child.send(message);
  return answer;
}
const take = (child: ChildProcess): Promise<unknown> => ask(child, { take: folder }, 'result');

/** An owner below a command of its own, e.g. another container's; settles with its process number as it sees it. */
async function ownerBelow(command: string, args: readonly string[]): Promise<{ said: string }> {
  const child = spawn(command, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { said };
}

test('F16: belongs to one program, also within one process, and can be had again', async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  await expect(lockFolder(folder)).rejects.toThrow(
    `The data folder ${folder} is in use by another copy of the app.`,
  );
  const other = starter();
  expect(await take(other)).toBe('FolderInUseError');
  await unlock();
  expect(await readdir(folder)).toEqual([]);
  expect(await take(other)).toBe('owner');
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
});

test(`F17: of ${starters} starts over a lock that was left, one gets the folder, every time`, async () => {
  const all = Array.from({ length: starters }, () => starter());
  for (let race = 0; race < races; race++) {
    // In turn: left by a crash, half written, emptied, and none at all.
    const left = ['{"pid":4194305,"processStart":null,"token":"t"}', '{"pid":', '', null][race % 4];
    if (typeof left === 'string') await writeFile(file(), left);
    const results = await Promise.all(all.map(take));
    const owners = all.filter((_, index) => results[index] === 'owner');
    expect([...results].sort()).toEqual([
      ...Array.from({ length: starters - 1 }, () => 'FolderInUseError'),
      'owner',
    ]);
    // While one lets go, others try: again one at most, and the folder is free when it has let go.
    const others = all.filter((child) => child !== owners[0]);
    const [, ...tries] = await Promise.all([
      ask(owners[0]!, { release: true }, 'released'),
      ...others.map(take),
    ]);
    const next = others.filter((_, index) => tries[index] === 'owner');
    expect(next.length).toBeLessThan(2);
    for (const child of next) await ask(child, { release: true }, 'released');
    // Whether a file is left doesn't matter: two that failed may have left one.
    expect(await take(owners[0]!)).toBe('owner');
    await ask(owners[0]!, { release: true }, 'released');
  }
}, 600_000);

test('F17: of several starts at the moment an owner is killed, one gets the folder', async () => {
  let owner = starter();
  expect(await take(owner)).toBe('owner');
  const waiting = Array.from({ length: starters }, () => starter());
  for (let round = 0; round < 4; round++) {
    const ended = once(owner, 'exit');
    owner.kill('SIGKILL');
    await ended;
    const results = await Promise.all(waiting.map(take));
    expect(results.filter((result) => result === 'owner')).toHaveLength(1);
    [owner] = waiting.splice(results.indexOf('owner'), 1) as [ChildProcess];
  }
}, 60_000);

test.each([
  ['of a process that is gone', '{"pid":4194305,"processStart":null,"token":"t"}'],
  [
    'of a living process that is not its owner',
    `{"pid":${process.ppid},"processStart":null,"token":"t"}`,
  ],
  ['that came with a copy of another folder', `{"pid":1,"processStart":"x","token":"t"}`],
  ['that is half written', '{"pid":'],
])('F17: is taken over when a file is left %s', async (_name, content) => {
  await writeFile(file(), content);
  const release = await lockFolder(folder);
  expect(await take(starter())).toBe('FolderInUseError');
  await release();
});

test.each(['with', 'without'])(
  'an owner whose file was removed by hand is still the owner, %s the program that locks files',
  async (how) => {
    const env = how === 'with' ? process.env : { ...process.env, PATH: tools };
    const [owner, second] = [starter(env), starter(env)];
    expect(await take(owner)).toBe('owner');
    for (const put of [() => rm(file(), { force: true }), () => writeFile(file(), 'another')]) {
      await put();
      expect(await take(second)).toBe('FolderInUseError');
    }
    await rm(file(), { force: true });
    await ask(owner, { release: true }, 'released');
    expect(await take(second)).toBe('owner');
  },
);

test('an owner that is stopped is still the owner', async () => {
  const owner = starter();
  expect(await take(owner)).toBe('owner');
  owner.kill('SIGSTOP');
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  owner.kill('SIGCONT');
  await ask(owner, { release: true }, 'released');
  await (
    await lockFolder(folder)
  )();
});

test('a folder that is moved takes its owner along, and one in its place is free', async () => {
  const owner = starter();
  expect(await take(owner)).toBe('owner');
  const moved = `${folder}-moved`;
  await rename(folder, moved);
  await expect(lockFolder(moved)).rejects.toThrow(FolderInUseError);
  await mkdir(folder);
  await (
    await lockFolder(folder)
  )();
  await rm(moved, { recursive: true });
});

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  test('F17: an owner that is dead but was not waited for by its parent holds nothing', async () => {
    const script = `"${process.execPath}" "${program}" "${folder}" & exec sleep 60`;
    const { said } = await ownerBelow('sh', ['-c', script]);
    expect(said).toMatch(/owner/);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    const pid = parseInt(said, 10);
    process.kill(pid, 'SIGKILL');
    // Still in the table of processes: signals reach it.
    await expect
      .poll(() => listProcesses().find((one) => one.pid === pid))
      .toMatchObject({ isZombie: true });
    expect(() => process.kill(pid, 0)).not.toThrow();
    // The last of its threads to end lets go of the lock, perhaps after the first, whose state that is.
    const unlock = await vi.waitFor(() => lockFolder(folder), { timeout: 5_000 });
    await unlock();
  });

  const apart = ['-r', '-p', '-n', '-f', '--kill-child', '--mount-proc'];
  const canBeApart = spawnSync('unshare', [...apart, 'true']).status === 0;
  test.skipIf(!canBeApart)('F16: an owner in another container is found', async () => {
    const { said } = await ownerBelow('unshare', [...apart, process.execPath, program, folder]);
    // Its number there says nothing here.
    expect(said).toMatch(/^\d{1,2} owner/);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
  });

  test('without the program that locks files, one program is still alone, and the log says what is missing', async () => {
    const without = { ...process.env, PATH: tools };
    const [first, second] = [starter(without), starter(without)];
    const told: string[] = [];
    first.on('message', ({ text }: { text?: string }) => {
      if (text !== undefined) told.push(text);
    });
    expect(await take(first)).toBe('owner');
    expect(await take(second)).toBe('FolderInUseError');
    expect(told.join()).toContain("Files can't be locked here");
    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
    expect(await take(second)).toBe('owner');
  });
});
