/**
 * `npm run test:nodes`: the built server and its worker under newer versions of Node, which npm has as a package. Each starts, renders a
 * picture and a film, and ends in order. A version that npm can't give is named as left out.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Beside the oldest, under which everything else is tested; or those that are named. */
const named = process.argv.slice(2);
const versions = named.length > 0 ? named : ['22', '24'];
/** Milliseconds for a start, and for a render. */
const patience = 60_000;
const cli = fileURLToPath(new URL('../dist/server/cli.mjs', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Path of this version's program, from npm; null without one. */
function findNode(version) {
  const ask = [
    'exec',
    '--yes',
    `--package=node@${version}`,
    '--',
    'node',
    '-p',
    'process.execPath',
  ];
  try {
    const options = { encoding: 'utf8', timeout: 300_000, shell: process.platform === 'win32' };
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

async function tryNode(node) {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-node-'));
  const args = [cli, 'serve', '--port', '0', '--data', folder, '--api-key', 'key'];
  const server = spawn(node, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const { apiUrl } = await until(() => readRuntime(folder), 'runtime.json');
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

function readRuntime(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'runtime.json'), 'utf8'));
  } catch {
    return null;
  }
}

for (const version of versions) {
  const node = findNode(version);
  if (node === null) {
    console.log(`Left out: Node ${version}, which npm does not give here.`);
    continue;
  }
  try {
    await tryNode(node);
    console.log(
      `Node ${version} works (${execFileSync(node, ['-v'], { encoding: 'utf8' }).trim()}).`,
    );
  } catch (error) {
    console.error(`Node ${version}: ${error.message}`);
    process.exitCode = 1;
  }
}
