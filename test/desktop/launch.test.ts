/**
 * `npm start` after the build: desktop where Electron can be had and starts, else one line why not and the server in
 * the terminal.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { toldExitCode } from '../../main/faults.ts';
import { ctrlC, expectedLines, startInTerminal } from '../terminal.mjs';

vi.mock('electron', () => import('./electron-stand-in.ts'));

const launchers = ['launch.mjs', 'launch-browser.mjs', 'launch-electron.mjs'];
const mainFolder = fileURLToPath(new URL('../../main/', import.meta.url));
const windowUrl = 'http://127.0.0.1:51234/#token=secret';
const isRoot = process.getuid?.() === 0;
/** `nobody` on every Linux: Electron does not start as root, and the tests may run as root. */
const otherUser = 65_534;

/** A server that says how it was called and where its window is, and ends in order when it is asked to. */
const server = `
process.on('SIGTERM', () => { console.log('ended in order'); process.exit(0); });
console.log('server', ...process.argv.slice(2));
process.send?.({ windowUrl: '${windowUrl}' });
setInterval(() => undefined, 1000);
`;
const asServer = (
  reason: string,
  place = 'at the address below, in any browser',
  advice: readonly string[] = [],
): string[] => [
  `${reason}: Framewright runs as a server, and its window opens ${place}.`,
  ...advice,
  'server serve --port 0',
  'ended in order',
];
/** The same after Electron could not be fetched, with what the user can do. */
const notFetched = (reason: string): string[] =>
  asServer(`Electron could not be fetched (${reason})`, undefined, [
    expect.stringMatching(
      /HTTPS_PROXY.*ELECTRON_MIRROR.*Electron 45\.4\.1.*ELECTRON_OVERRIDE_DIST_PATH/,
    ) as string,
  ]);

/** A system that keeps nothing from Electron; no browser. */
const usual = { unshare: '#!/bin/sh\nexit 0\n' };

/**
 * A program folder with the launcher.
 *
 * @param electron files of its package by name
 * @param programs what stands in the PATH by name
 */
function programFolder(
  electron: Record<string, string> = {},
  programs: Record<string, string> = usual,
): string {
  const root = mkdtempSync(path.join(tmpdir(), 'framewright-launch-'));
  const files: Record<string, string> = { 'dist/server/cli.mjs': server };
  if (Object.keys(electron).length > 0) {
    files['node_modules/electron/package.json'] = '{ "version": "45.4.1" }';
  }
  for (const [name, text] of Object.entries(electron))
    files[`node_modules/electron/${name}`] = text;
  for (const [name, text] of Object.entries(programs)) files[`bin/${name}`] = text;
  mkdirSync(path.join(root, 'main'));
  mkdirSync(path.join(root, 'bin'));
  for (const name of launchers) cpSync(path.join(mainFolder, name), path.join(root, 'main', name));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text, { mode: 0o755 });
  }
  if (isRoot) execFileSync('chown', ['-R', `${otherUser}:${otherUser}`, root]);
  return root;
}

/** Electron's package with a program that is this script. */
const electronThat = (script: string): Record<string, string> => ({
  'path.txt': 'electron',
  'dist/electron': `#!/bin/sh\n${script}\n`,
});

interface Launch {
  readonly display?: string;
  /** It is ended once it has written this. */
  readonly until?: string;
  /** Or once this file is there. */
  readonly untilFile?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
  readonly asRoot?: boolean;
}

/** Runs the launcher, and gives back its lines and exit code. */
async function launch(root: string, how: Launch = {}): Promise<[string[], number | null]> {
  const { display = ':0', env = {}, args = [], asRoot = false, untilFile } = how;
  const until = how.until ?? (untilFile === undefined ? 'server serve' : null);
  const script = path.join(root, 'main/launch.mjs');
  const child = spawn(process.execPath, [script, '--port', '0', ...args], {
    // An empty display counts as none. Nothing of this computer is in the PATH: it may have a browser.
    env: {
      ...process.env,
      DISPLAY: display,
      WAYLAND_DISPLAY: '',
      PATH: path.join(root, 'bin'),
      ...env,
    },
    ...(isRoot && !asRoot && { uid: otherUser, gid: otherUser }),
  });
  let output = '';
  let asked = false;
  const take = (piece: Buffer): void => {
    output += piece.toString();
    if (!asked && until !== null && output.includes(until)) asked = child.kill('SIGTERM');
  };
  const looking = setInterval(() => {
    if (!asked && untilFile !== undefined && existsSync(untilFile)) asked = child.kill('SIGTERM');
  }, 50);
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearInterval(looking);
  return [output.trim().split('\n'), code];
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  test('F127: without a display: one line, the server, its end in order', async () => {
    const root = programFolder(electronThat('echo desktop'));
    const [lines, code] = await launch(root, { display: '' });
    expect(lines).toEqual(asServer('There is no display here'));
    expect(code).toBe(0);
  });

  test.runIf(isRoot)('as root, where Electron does not start: the server', async () => {
    // As Electron, a browser does not start as root either.
    const programs = { ...usual, chromium: '#!/bin/sh\necho opened' };
    const root = programFolder(electronThat('echo desktop'), programs);
    const [lines] = await launch(root, { asRoot: true });
    expect(lines).toEqual(asServer('Electron does not start as root'));
  });

  test('where user namespaces are restricted: the server, before anything is fetched', async () => {
    const programs = { unshare: '#!/bin/sh\nexit 1\n' };
    const reason = 'This system keeps Electron from its sandbox';
    for (const [electron, fetching] of [
      [electronThat('echo desktop'), ''],
      [{ 'install.js': 'fetched' }, 'npx install-electron && '],
    ] as const) {
      const root = programFolder(electron, programs);
      const helper = path.join(root, 'node_modules/electron/dist/chrome-sandbox');
      const ways = `${fetching}sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`;
      const [lines] = await launch(root);
      expect(lines).toEqual(
        asServer(reason, undefined, [
          `For the desktop window, install the deb that npm run package makes, or give Electron's helper to root: ${ways}`,
        ]),
      );
    }
  });

  test.runIf(isRoot)('with the helper that those commands make: the desktop', async () => {
    const programs = { unshare: '#!/bin/sh\nexit 1\n' };
    const root = programFolder(electronThat('echo desktop'), programs);
    const helper = path.join(root, 'node_modules/electron/dist/chrome-sandbox');
    writeFileSync(helper, '');
    execFileSync('sh', ['-c', `chown root:root '${helper}' && chmod 4755 '${helper}'`]);
    expect(await launch(root)).toEqual([['desktop'], 0]);
  });

  test('with Electron: started with the program folder, as a program of its own kind', async () => {
    const root = programFolder(electronThat('echo desktop $1 $ELECTRON_RUN_AS_NODE.'));
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    expect(await launch(root, { env })).toEqual([[`desktop ${root}/dist/desktop .`], 0]);
  });

  test('a signal is passed on to Electron, and its end then starts no server', async () => {
    const script =
      "trap 'echo ended in order; exit 3' TERM; echo desktop; while :; do /bin/sleep 0.05; done";
    const how = { until: 'desktop' };
    expect(await launch(programFolder(electronThat(script)), how)).toEqual([
      ['desktop', 'ended in order'],
      3,
    ]);
  });

  test.each([
    ['by SIGTRAP', 'kill -TRAP $$', 'SIGTRAP'],
    ['for want of a library', 'exit 127', 'code 127'],
  ])('an Electron that ends at once %s: the server', async (_case, script, end) => {
    const [lines] = await launch(programFolder(electronThat(script)));
    expect(lines).toEqual(asServer(`Electron ended at once (${end})`));
  });

  test('a desktop program that has said why it did not start: no server in its place', async () => {
    const root = programFolder(electronThat(`echo told; exit ${toldExitCode}`));
    expect(await launch(root, { until: 'server serve' })).toEqual([['told'], toldExitCode]);
  });

  test('an Electron that cannot be run at all: the server', async () => {
    const root = programFolder(electronThat('echo desktop'));
    chmodSync(path.join(root, 'node_modules/electron/dist/electron'), 0o644);
    const [lines] = await launch(root);
    expect(lines[0]).toMatch(/^Electron ended at once \(.+\): Framewright runs as a server/);
    expect(lines[1]).toBe('server serve --port 0');
  });

  test('an Electron that takes its time is waited for', async () => {
    const root = programFolder(electronThat('/bin/sleep 2; echo desktop'));
    expect(await launch(root, { until: 'server serve' })).toEqual([['desktop'], 0]);
  });

  test('a download that takes its time says so every few seconds', async () => {
    const root = programFolder({
      'install.js': "setTimeout(() => { throw new Error('fetch failed'); }, 10_500);",
    });
    const [lines] = await launch(root);
    expect(lines[0]).toBe('Electron is being fetched, once; that takes some minutes …');
    expect(lines[1]).toMatch(/^Electron is being fetched: \d+ s …$/);
    expect(lines.slice(-4)).toEqual(notFetched('fetch failed'));
  });

  test('Electron is fetched, which is said, and started', async () => {
    const root = programFolder({
      'install.js': `
        const fs = require('node:fs');
        const at = (name) => require('node:path').join(__dirname, name);
        console.log('of no use to a person');
        fs.mkdirSync(at('dist'));
        fs.writeFileSync(at('dist/electron'), '#!/bin/sh\\necho desktop', { mode: 0o755 });
        fs.writeFileSync(at('path.txt'), 'electron');`,
    });
    expect(await launch(root)).toEqual([
      ['Electron is being fetched, once; that takes some minutes …', 'desktop'],
      0,
    ]);
    expect(await launch(root)).toEqual([['desktop'], 0]);
  });

  test('Electron that cannot be fetched: why, the server, and not tried again at every start', async () => {
    const root = programFolder({
      'install.js': `
        require('node:fs').appendFileSync(__filename + '.tries', 'x');
        console.error('TypeError: fetch failed\\n    at node:internal');
        process.exit(1);`,
    });
    const note = path.join(root, 'node_modules/electron/not-fetched.json');
    const tries = path.join(root, 'node_modules/electron/install.js.tries');
    expect((await launch(root))[0]).toEqual([
      'Electron is being fetched, once; that takes some minutes …',
      ...notFetched('fetch failed'),
    ]);
    const again = 'fetch failed; it is tried again after a day, or with: npx install-electron';
    expect((await launch(root))[0]).toEqual(notFetched(again));
    expect(readFileSync(tries, 'utf8')).toBe('x');
    // With a proxy there is another way to it. Its password is not kept.
    const env = { HTTPS_PROXY: 'http://me:secret@127.0.0.1:9' };
    expect((await launch(root, { env }))[0]).toEqual([
      'Electron is being fetched, once; that takes some minutes …',
      ...notFetched('fetch failed'),
    ]);
    expect((await launch(root, { env }))[0]).toEqual(notFetched(again));
    expect(readFileSync(note, 'utf8')).not.toContain('secret');
    expect(readFileSync(tries, 'utf8')).toBe('xx');
    // A day later, and after a note that nobody can read.
    for (const text of [JSON.stringify({ reason: 'x', at: Date.now() - 90_000_000 }), '{']) {
      writeFileSync(note, text);
      expect((await launch(root))[0][0]).toMatch('is being fetched');
    }
    expect(readFileSync(tries, 'utf8')).toBe('xxxx');
  });

  test.each<[string, NodeJS.ProcessEnv, Record<string, string>]>([
    ['none', {}, {}],
    ['the usual variables', { https_proxy: 'http://a:1' }, { HTTPS_PROXY: 'http://a:1' }],
    [
      'npm’s own settings',
      {
        npm_config_https_proxy: 'http://b:2',
        npm_config_proxy: 'http://c:3',
        npm_config_noproxy: 'intern',
        npm_config_cafile: '/etc/proxy.pem',
      },
      {
        HTTPS_PROXY: 'http://b:2',
        HTTP_PROXY: 'http://c:3',
        NO_PROXY: 'intern',
        NODE_EXTRA_CA_CERTS: '/etc/proxy.pem',
      },
    ],
    ['npm’s one setting', { npm_config_proxy: 'http://c:3' }, { HTTPS_PROXY: 'http://c:3' }],
    [
      'both: the usual ones first',
      { HTTPS_PROXY: 'http://a:1', npm_config_https_proxy: 'http://b:2', npm_config_noproxy: '' },
      { HTTPS_PROXY: 'http://a:1' },
    ],
  ])('Electron is fetched through a proxy that is named by %s', async (_case, env, expected) => {
    const root = programFolder({
      'install.js': `
        require('node:fs').writeFileSync(__filename + '.env', JSON.stringify(process.env));
        throw new Error('no');`,
    });
    const none = Object.fromEntries(
      ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS']
        .flatMap((name) => [name, name.toLowerCase()])
        .concat(['https_proxy', 'proxy', 'noproxy', 'cafile'].map((name) => `npm_config_${name}`))
        .map((name) => [name, '']),
    );
    await launch(root, { env: { ...none, ...env } });
    const used = JSON.parse(
      readFileSync(path.join(root, 'node_modules/electron/install.js.env'), 'utf8'),
    ) as Record<string, string>;
    expect(used).toMatchObject({ NODE_USE_ENV_PROXY: '1', ...expected });
    if (!('HTTPS_PROXY' in expected)) expect(used['HTTPS_PROXY']).toBe('');
  });

  test('Electron that the user has unpacked elsewhere is started; a folder without it is said', async () => {
    const root = programFolder({ 'install.js': "throw new Error('fetched')" });
    const elsewhere = path.join(root, 'else where');
    mkdirSync(elsewhere);
    const env = { ELECTRON_OVERRIDE_DIST_PATH: elsewhere };
    const reason = `ELECTRON_OVERRIDE_DIST_PATH is ${elsewhere}, where there is no electron`;
    expect((await launch(root, { env }))[0]).toEqual(asServer(reason));
    writeFileSync(path.join(elsewhere, 'electron'), '#!/bin/sh\necho desktop\n', { mode: 0o755 });
    expect(await launch(root, { env })).toEqual([['desktop'], 0]);
  });

  test('in a folder that belongs to someone else, too: why it could not be fetched, and the server', async () => {
    const root = programFolder({ 'install.js': "throw new Error('EACCES: not here')" });
    chmodSync(path.join(root, 'node_modules/electron'), 0o555);
    expect((await launch(root))[0].slice(1)).toEqual(notFetched('EACCES: not here'));
  });

  test('ended while Electron is being fetched: nothing is started, and it is tried next time', async () => {
    const root = programFolder({
      'install.js': `
        require('node:fs').writeFileSync(__filename + '.runs', '');
        setInterval(() => undefined, 1000);`,
    });
    const untilFile = path.join(root, 'node_modules/electron/install.js.runs');
    const [lines, code] = await launch(root, { untilFile });
    expect([lines.length, code]).toEqual([1, 1]);
    expect(existsSync(path.join(root, 'node_modules/electron/not-fetched.json'))).toBe(false);
  });

  describe('without Electron, with a browser', () => {
    /** A browser that writes down how it was called, and where the address leads: the first time and the second. */
    const browser = `#!/bin/sh
exec ${process.execPath} -e '
const address = process.argv[1].slice("--app=".length);
const ask = (url) => fetch(url, { redirect: "manual" }).then(
  ({ status, headers }) => [status, headers.get("location")], () => ["gone"]);
(async () => {
  const guess = await ask(new URL("/guess", address));
  const answers = [process.argv[1], guess, await ask(address), await ask(address)];
  const fs = require("node:fs");
  fs.writeFileSync(process.env.CALLED + "~", JSON.stringify(answers));
  fs.renameSync(process.env.CALLED + "~", process.env.CALLED);
  console.log("said by nobody");
})();' -- "$@"
`;
    test('the window opens in it, and its token stands in no command line', async () => {
      const root = programFolder({}, { ...usual, chromium: browser });
      const untilFile = path.join(root, 'called.json');
      const [lines] = await launch(root, { env: { CALLED: untilFile }, untilFile });
      expect(lines).toEqual(
        asServer('Electron could not be fetched (its package is not installed)', 'in a browser'),
      );
      const [address, ...answers] = JSON.parse(readFileSync(untilFile, 'utf8')) as unknown[];
      expect(address).toMatch(/^--app=http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
      // A guess leads nowhere, and the right one leads there once.
      expect(answers).toEqual([[404, null], [302, windowUrl], ['gone']]);
    });

    test.each([
      ['with --no-open', { args: ['--no-open'] }],
      ['without a display', { display: '' }],
    ])('nothing is opened %s', async (_case, how) => {
      const root = programFolder({}, { ...usual, chromium: browser });
      const called = path.join(root, 'called.json');
      const [lines] = await launch(root, { ...how, env: { CALLED: called } });
      const ends = asServer('', 'at the address below, in any browser');
      expect(lines[0]?.endsWith(ends[0] ?? '')).toBe(true);
      expect(lines.slice(1)).toEqual(ends.slice(1));
      expect(existsSync(called)).toBe(false);
    });
  });
});

test.runIf(process.platform === 'linux' && existsSync('/usr/bin/script'))(
  'npm start in a terminal: addresses, key and what to do next, nothing to wonder about, and Ctrl+C ends it in order',
  async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'framewright-terminal-'));
    const ports = ['--port', '0', '--window-port', '0'];
    const { lines, window, api, code } = await startInTerminal({
      folder: path.dirname(mainFolder),
      options: [...ports, '--data', data],
      env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' },
    });
    const expected = expectedLines({ isFirst: false });
    expect(lines).toEqual(expected.map((line): unknown => expect.stringMatching(line)));
    expect([window, api, code]).toEqual([200, 200, ctrlC]);
    expect(existsSync(path.join(data, 'runtime.json'))).toBe(false);
    const [, document = ''] = /render -- (\S+)/.exec(lines.join('\n')) ?? [];
    expect(existsSync(path.join(mainFolder, '..', document))).toBe(true);
  },
);

test.runIf(process.platform === 'linux')(
  'npm run test:desktop ends with 2 and says why, where nothing can be tried',
  () => {
    const script = fileURLToPath(new URL('run.mjs', import.meta.url));
    const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' };
    const { status, stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stdout).toMatch(/^The desktop program was not tried: .+\.\n$/);
  },
);
