/** `npm start` after the build: desktop where Electron can be had, else one line why not and the server in the terminal. */
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const launcher = fileURLToPath(new URL('../../main/launch.mjs', import.meta.url));

/** A server that says how it was called and ends in order when it is asked to. */
const server = `
process.on('SIGTERM', () => { console.log('ended in order'); process.exit(0); });
console.log('server', ...process.argv.slice(2));
setInterval(() => undefined, 1000);
`;

/** A program folder with the launcher; `electron` are files of its package by name. */
function programFolder(electron: Record<string, string> = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), 'framewright-launch-'));
  const files: Record<string, string> = { 'dist/server/cli.mjs': server, 'main/launch.mjs': '' };
  for (const [name, text] of Object.entries(electron))
    files[`node_modules/electron/${name}`] = text;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  copyFileSync(launcher, path.join(root, 'main/launch.mjs'));
  return root;
}

/** Runs the launcher, ends it once it has written `until`, and gives back its lines and exit code. */
async function launch(
  root: string,
  display: string,
  until: string,
): Promise<[string[], number | null]> {
  // An empty one counts as none.
  const env = { ...process.env, DISPLAY: display, WAYLAND_DISPLAY: '' };
  const child = spawn(process.execPath, [path.join(root, 'main/launch.mjs'), '--port', '0'], {
    env,
  });
  let output = '';
  let asked = false;
  const take = (piece: Buffer): void => {
    output += piece.toString();
    if (!asked && output.includes(until)) asked = child.kill('SIGTERM');
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return [output.trim().split('\n'), code];
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  test('F127: without a display: one line, the server, its end in order', async () => {
    const [lines, code] = await launch(programFolder(), '', 'server serve');
    expect(lines).toEqual([
      'There is no display here: Framewright runs as a server, and its window opens in a browser.',
      'server serve --port 0',
      'ended in order',
    ]);
    expect(code).toBe(0);
  });

  test('without Electron: fetched once, quietly, then one line and the server', async () => {
    const root = programFolder({ 'install.js': "console.error('a long story'); process.exit(1);" });
    const [lines] = await launch(root, ':0', 'server serve');
    expect(lines).toEqual([
      'Electron could not be fetched: Framewright runs as a server, and its window opens in a browser.',
      'server serve --port 0',
      'ended in order',
    ]);
  });

  test('with Electron: started with the program folder; a failed end is passed on', async () => {
    const root = programFolder({
      'path.txt': 'electron',
      'dist/electron': '#!/bin/sh\necho desktop $1\nexit 3\n',
    });
    chmodSync(path.join(root, 'node_modules/electron/dist/electron'), 0o755);
    expect(await launch(root, ':0', 'never')).toEqual([[`desktop ${root}`], 3]);
  });
});
