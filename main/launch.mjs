/**
 * What `npm start` runs after the build: the desktop program where Electron can be had, else the server in this terminal with
 * the window in a browser. Plain Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const electronFolder = path.join(root, 'node_modules', 'electron');
/** Time for fetching Electron's binary, in ms. */
const fetchTime = 60_000;

/** Path of Electron's binary, or null when it is not installed. */
function findElectron() {
  const pathFile = path.join(electronFolder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const binary = path.join(electronFolder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

/** Fetches Electron's binary once, as its package would at install time. Its output says nothing to a person. */
function fetchElectron() {
  const script = path.join(electronFolder, 'install.js');
  if (!existsSync(script)) return null;
  spawnSync(process.execPath, [script], { cwd: root, stdio: 'ignore', timeout: fetchTime });
  return findElectron();
}

/** Why no window of our own can be opened, or null with the binary when one can. */
function chooseShell() {
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (process.platform === 'linux' && !hasDisplay) {
    return { binary: null, reason: 'There is no display here' };
  }
  const binary = findElectron() ?? fetchElectron();
  return { binary, reason: binary ? null : 'Electron could not be fetched' };
}

/** Runs a program in this terminal, passes signals on, and ends as it ends. */
function run(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit' });
  // Ctrl+C reaches the child by itself as well; a second signal does no harm.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${program} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

const { binary, reason } = chooseShell();
const options = process.argv.slice(2);
if (binary) {
  // The folder, not the file: Electron then reads name and entry from package.json.
  run(binary, [root, ...options]);
} else {
  console.log(`${reason}: Framewright runs as a server, and its window opens in a browser.`);
  run(process.execPath, [path.join(root, 'dist', 'server', 'cli.mjs'), 'serve', ...options]);
}
