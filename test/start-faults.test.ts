/**
 * The built server started where it can't be: each says so in one sentence, and nothing is left behind. Needs dist/.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../dist/server/cli.mjs', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framewright-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `serve` in the folder until it ends, or says where its data are; then it is ended. */
async function serve(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const rest = { ...process.env };
  delete rest['HOME'];
  delete rest['XDG_DATA_HOME'];
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: { ...rest, ...env },
  });
  let output = '';
  const take = (piece: Buffer): void => {
    output += piece.toString();
    if (output.includes('Press Ctrl+C')) child.kill('SIGTERM');
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

test.skipIf(process.platform === 'win32')('F127: a home that is no folder is said', async () => {
  const { code, output } = await serve([], { HOME: '/dev/null' });
  expect(output).toMatch(
    /^The data in \/dev\/null\/.*framewright could not be opened: a part of its path is a file, not a folder\. Name another folder with --data\.\n$/,
  );
  expect(output).toContain('Name another folder with --data.');
  expect(code).toBe(1);
});

test.skipIf(process.platform !== 'linux')(
  'F127: variables that name no whole path are as if they were not there',
  async () => {
    const share = path.join(folder, 'share');
    // The one is used for what the other one leaves open.
    const { output } = await serve([], { HOME: folder, XDG_DATA_HOME: 'relative' });
    expect(output).toContain('Framewright is running.');
    expect(readdirSync(folder)).toEqual(['.local']);
    await serve([], { HOME: '', XDG_DATA_HOME: share });
    expect(readdirSync(share)).toEqual(['framewright']);
    expect(readdirSync(folder).sort()).toEqual(['.local', 'share']);
  },
);

test('F131: data of a newer version are neither opened nor changed', async () => {
  const store = path.join(folder, 'data', 'store');
  mkdirSync(store, { recursive: true });
  writeFileSync(path.join(store, 'format.json'), '{"format":99}');
  writeFileSync(path.join(store, 'renders.db'), 'other form');
  const { code, output } = await serve(['--data', path.join(folder, 'data')]);
  expect(output).toContain('was made by a newer version of the app (format 99');
  expect(code).toBe(1);
  expect(readdirSync(store).sort()).toEqual(['format.json', 'renders.db']);
  expect(readFileSync(path.join(store, 'renders.db'), 'utf8')).toBe('other form');
});

test.skipIf(process.platform === 'win32')(
  'one Ctrl+C that arrives several times ends it in order',
  async () => {
    const data = path.join(folder, 'data');
    const runtimeFile = path.join(data, 'runtime.json');
    const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', data]);
    const ended = new Promise((resolve) => child.once('close', (...how) => resolve(how)));
    await expect.poll(() => existsSync(runtimeFile)).toBe(true);
    // The terminal, npm and main/launch.mjs.
    for (let count = 0; count < 3; count++) {
      child.kill('SIGINT');
      await pause(5);
    }
    expect(await ended).toEqual([0, null]);
    expect(existsSync(runtimeFile)).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')(
  'F127: a path that leads nowhere is told in a sentence with the place, by every command that takes one',
  async () => {
    const long = 'n'.repeat(300);
    writeFileSync(path.join(folder, 'file'), '');
    writeFileSync(path.join(folder, 'ok.json'), '{"output_format":"mp4","width":20,"height":20}');
    const rows: [words: RegExp, ...args: string[]][] = [
      [
        /file\/below can't be used: a part of its path is a file/,
        'serve',
        '--output',
        'file/below',
      ],
      [/n{300} can't be used: its name is too long/, 'serve', '--output', long],
      [/file can't be used: it is a file, not a folder/, 'serve', '--output', 'file'],
      [/file\/below .*there is no such file/, 'doctor', '--ffmpeg', 'file/below'],
      [
        /file\/below .*there is no such file/,
        'render',
        'ok.json',
        'o.mp4',
        '--ffmpeg',
        'file/below',
      ],
      [/^file\/below can't be read: a part of its path is a file/, 'validate', 'file/below'],
      [/^\. can't be read: it is a folder/, 'validate', '.'],
      [/^n{300} can't be read: its name is too long/, 'validate', long],
      // One that never ends is not read to its end.
      [/^\/dev\/zero has more than 40 MB/, 'validate', '/dev/zero'],
      [/^\/dev\/zero has more than \d+ MB/, 'render', 'ok.json', 'o.mp4', '--data', '/dev/zero'],
    ];
    await Promise.all(
      rows.map(async ([words, command = '', ...args]) => {
        const more =
          command === 'serve' ? ['--port', '0', '--data', `data ${args[1]!.length}`] : [];
        const child = spawn(process.execPath, [cli, command, ...args, ...more], { cwd: folder });
        let output = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (piece: Buffer) => (output += piece.toString()));
        const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
        expect(output).toMatch(words);
        expect(output).not.toMatch(/^ +at |node:internal/m);
        expect(code, output).toBeGreaterThan(0);
      }),
    );
  },
  60_000,
);
