/**
 * `npm run test:nodes`: the built server and its worker under newer versions of Node, and the client in Deno and Bun,
 * all of which npm has as packages. Each server starts, renders a picture and a film, and ends in order. The tests of
 * the desktop program run under Electron's version as well. What npm can't give is named as left out.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** The version of Node in Electron, which its package names by the types that it asks for. */
const { dependencies: ofElectron } = JSON.parse(
  readFileSync(path.join(root, 'node_modules/electron/package.json'), 'utf8'),
);
const electronNode = /\d+/.exec(ofElectron['@types/node'])[0];
/** Runtimes for the client: how each runs a file, and checks the types of one that uses the installed client. */
const runtimes = {
  deno: { run: ['run', '--no-config', '--allow-all'], check: ['check'] },
  bun: { run: ['run'], check: null },
};
/** Beside the oldest, under which everything else is tested; or those that are named. */
const named = process.argv.slice(2);
const versions = named.length > 0 ? named.filter((name) => !(name in runtimes)) : ['22', '24'];
const tried = Object.keys(runtimes).filter((name) => named.length === 0 || named.includes(name));
/** Milliseconds for a start, and for a render. */
const patience = 60_000;
const cli = fileURLToPath(new URL('../dist/server/cli.mjs', import.meta.url));
const client = fileURLToPath(new URL('../dist/client/index.mjs', import.meta.url));
const trial = fileURLToPath(new URL('client-trial.mjs', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** What a command of a package of npm prints; null if npm has no such package here. */
function askPackage(name, command) {
  try {
    const options = { encoding: 'utf8', timeout: 300_000, shell: process.platform === 'win32' };
    const ask = ['exec', '--yes', `--package=${name}`, '--', ...command];
    return execFileSync(npm, ask, { ...options, cwd: tmpdir() }).trim();
  } catch {
    return null;
  }
}

/** Asks until there is an answer. @throws when there is none in time */
async function until(ask, what) {
  for (const end = Date.now() + patience; Date.now() < end; await pause(100)) {
    const found = await ask();
    if (found) return found;
  }
  throw new Error(`no ${what} in ${patience / 1000} s`);
}

/** Runs a command of a package of npm. @throws with what it said, if it fails */
function runPackage(name, command, folder = tmpdir()) {
  return runNpm(folder, 'exec', '--yes', `--package=${name}`, '--', ...command);
}

/** Runs npm. @throws with what it said, if it fails */
function runNpm(folder, ...args) {
  const options = { timeout: patience, shell: process.platform === 'win32', cwd: folder };
  return new Promise((resolve, reject) => {
    execFile(npm, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

/** Starts the server, has it used, and ends it. */
async function withServer(node, use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-node-'));
  const args = [cli, 'serve', '--port', '0', '--data', folder, '--api-key', 'key'];
  const server = spawn(node, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const { apiUrl } = await until(() => readRuntime(folder), 'runtime.json');
    await use(apiUrl);
    server.kill('SIGTERM');
    const code = await ended;
    // A signal ends a process of Windows at once.
    if (code !== 0 && process.platform !== 'win32') throw new Error(`it ended with ${code}`);
  } finally {
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function renderBoth(apiUrl) {
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
  for (const format of ['png', 'mp4']) {
    const text = {
      type: 'text',
      text: 'Node',
      width: '80%',
      height: '50%',
      fill_color: '#ffffff',
    };
    const size = { width: 64, height: 64, duration: 0.2, frame_rate: 10 };
    const body = JSON.stringify({ source: { output_format: format, ...size, elements: [text] } });
    const post = await fetch(`${apiUrl}/v2/renders`, { method: 'POST', headers, body });
    const { id } = await post.json();
    const render = await until(async () => {
      const answer = await (await fetch(`${apiUrl}/v2/renders/${id}`, { headers })).json();
      return ['succeeded', 'failed'].includes(answer.status) ? answer : null;
    }, `end of the ${format}`);
    if (render.status !== 'succeeded') throw new Error(`${format}: ${render.error_message}`);
  }
}

function readRuntime(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'runtime.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** Has a runtime check the types of a script beside which the client is installed, as the server hands it out. */
async function checkTypes(name, command, apiUrl) {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-types-'));
  try {
    await runNpm(folder, 'init', '-y');
    await runNpm(folder, 'install', `${apiUrl}/client.tgz`);
    const document = (format) => `{ output_format: '${format}', elements: [] }`;
    const lines = [
      "import { Framewright, type RenderScript } from 'framewright/client';",
      "import { startFramewright } from 'framewright/testing';",
      `export const source: RenderScript = ${document('png')};`,
      '// @ts-expect-error a wrong word',
      `export const wrong: RenderScript = ${document('pgn')};`,
      'export const begin = async (): Promise<Framewright> => (await startFramewright()).client;',
    ];
    writeFileSync(path.join(folder, 'use.ts'), lines.join('\n'));
    await runPackage(name, [name, ...command, 'use.ts'], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function attempt(name, version, use) {
  if (version === null) {
    console.log(`Left out: ${name}, which npm does not give here.`);
    return;
  }
  try {
    await use();
    console.log(`${name} works (${version}).`);
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Time for the desktop program's tests, in ms. */
const desktopTime = 15 * 60_000;

/** Runs the desktop program's tests, without those that make an installer. @throws if one fails */
async function testDesktop(installed) {
  // Some start it as another user, who can't see into npm's folder.
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-node-'));
  chmodSync(folder, 0o755);
  const node = path.join(folder, path.basename(installed));
  copyFileSync(installed, node);
  const args = ['run', 'test/desktop', '--reporter=dot'];
  const child = spawn(node, [path.join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    // What the tests start by the name `node` is of this version, too.
    env: { ...process.env, QUICK: '1', PATH: folder + path.delimiter + process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: desktopTime,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => (output += piece));
  const code = await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(output);
}

for (const version of versions) {
  const node = askPackage(`node@${version}`, ['node', '-p', 'process.execPath']);
  const exact = node && execFileSync(node, ['-v'], { encoding: 'utf8' }).trim();
  await attempt(`Node ${version}`, exact, () => withServer(node, renderBoth));
  // Under the others they would say the same once more; where all tests run under Electron's, they have run.
  const isRunBy = process.versions.node.startsWith(`${version}.`);
  if (version === electronNode && !isRunBy)
    await attempt(`The desktop program's tests under Node ${version}`, exact, () =>
      testDesktop(node),
    );
}
for (const name of tried) {
  const exact = askPackage(name, [name, '--version'])?.split('\n')[0] ?? null;
  await attempt(`The client in ${name}`, exact, () =>
    withServer(process.execPath, async (apiUrl) => {
      const { run, check } = runtimes[name];
      await runPackage(name, [name, ...run, trial, apiUrl, 'key', pathToFileURL(client).href]);
      if (check !== null) await checkTypes(name, check, apiUrl);
    }),
  );
}
