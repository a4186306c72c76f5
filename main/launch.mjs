/**
 * What `npm start` runs after the build: the desktop program where Electron can be had and starts, else the server in this
 * terminal with the window in a browser. Plain Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, openInBrowser } from './launch-browser.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const electronFolder = path.join(root, 'node_modules', 'electron');
/** Notes why Electron's program could not be fetched. Goes away with the package, so that a new version is tried again. */
const failureFile = path.join(electronFolder, 'not-fetched.json');
/** Time for fetching Electron's program, in ms. */
const fetchTime = 10 * 60_000;
/** After a failure it is not fetched again for this time, in ms. */
const fetchPause = 24 * 60 * 60_000;
/** Every so often, in ms, a line says that it is still being fetched. */
const progressTime = 10_000;
/** The desktop program ends so when it has told the user why it did not start (main/faults.ts). */
const toldExitCode = 70;
/** An Electron that ends with a fault within this time, in ms, has not come as far as a window. */
const earlyTime = 30_000;

const isLinux = process.platform === 'linux';
const hasDisplay = !isLinux || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** Path of Electron's program, or null when it is not installed. */
function findElectron() {
  const pathFile = path.join(electronFolder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const binary = path.join(electronFolder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

/** Why Electron would end at once here, as far as that can be known before it is started; null when nothing speaks against it. */
function whyNotHere() {
  if (!hasDisplay) return 'There is no display here';
  if (!isLinux) return null;
  if (process.getuid?.() === 0) return 'Electron does not start as root';
  // Without user namespaces (Ubuntu 24.04, e.g.) its sandbox needs a helper that belongs to root.
  const { status, error } = spawnSync('unshare', ['-Ur', 'true'], {
    stdio: 'ignore',
    timeout: 5_000,
  });
  if (error || status === 0 || hasSandboxHelper()) return null;
  return 'This system keeps Electron from its sandbox';
}

function hasSandboxHelper() {
  const helper = path.join(electronFolder, 'dist', 'chrome-sandbox');
  if (!existsSync(helper)) return false;
  const { uid, mode } = statSync(helper);
  return uid === 0 && (mode & 0o7777) === 0o4755;
}

/** Fetches Electron's program, whose package has no install step. @returns why it could not be, or null */
async function fetchElectron() {
  const script = path.join(electronFolder, 'install.js');
  if (!existsSync(script)) return 'its package is not installed';
  const before = lastFailure();
  if (before) return `${before}; it is tried again after a day, or with: npx install-electron`;
  console.log('Electron is being fetched, once; that takes some minutes …');
  const started = Date.now();
  const progress = setInterval(() => {
    console.log(`Electron is being fetched: ${Math.round((Date.now() - started) / 1000)} s …`);
  }, progressTime);
  const { code, output } = await runQuietly(process.execPath, [script], fetchTime);
  clearInterval(progress);
  if (code === 0 && findElectron()) return null;
  const reason = code === null ? 'that took too long' : faultOf(output);
  try {
    writeFileSync(failureFile, JSON.stringify({ reason, at: Date.now() }));
  } catch {
    // The folder belongs to someone else: then it is tried again at the next start.
  }
  return reason;
}

/** Why the last try failed, when that was not long ago. */
function lastFailure() {
  try {
    const { reason, at } = JSON.parse(readFileSync(failureFile, 'utf8'));
    const age = Date.now() - at;
    return typeof reason === 'string' && age >= 0 && age < fetchPause ? reason : null;
  } catch {
    return null;
  }
}

/** The line of a program's last words that says what went wrong, without its stack. */
function faultOf(output) {
  const lines = output.split('\n').map((line) => line.trim());
  const cause = lines.find((line) => /\bcause\b.*Error:/.test(line));
  const fault = cause ?? lines.find((line) => /Error:/.test(line)) ?? lines.findLast(Boolean);
  return fault?.replace(/^.*?Error: /, '').slice(0, 200) ?? 'it says no reason';
}

/** Runs a program to its end. @returns its code, null when it took too long or was ended, and what it wrote of faults */
async function runQuietly(program, args, timeout) {
  const stdio = ['ignore', 'ignore', 'pipe'];
  const { child, stop } = spawnWithSignals(program, args, { stdio, timeout });
  let output = '';
  child.stderr.on('data', (piece) => (output = (output + piece).slice(-10_000)));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output = error.message;
      resolve(1);
    });
    child.on('close', resolve);
  });
  if (stop()) process.exit(1);
  return { code, output };
}

/**
 * Starts a program, and passes on to it what is meant to end this one, from before its start on. On Windows a signal would
 * end the other at once, past its orderly end; there Ctrl+C reaches it by itself.
 *
 * @returns the program, and what takes that back and tells whether such a signal came
 */
function spawnWithSignals(program, args, options) {
  let child = null;
  let came = null;
  const pass = (signal) => {
    came = signal;
    if (process.platform !== 'win32') child?.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);
  child = spawn(program, args, { cwd: root, ...options });
  const stop = () => {
    for (const signal of signals) process.off(signal, pass);
    return came !== null;
  };
  return { child, stop };
}

/** Runs a program in this terminal. @returns how it ended; `asked`: a signal had come for it */
async function run(program, args, { env = process.env, onMessage = null } = {}) {
  const terminal = ['inherit', 'inherit', 'inherit'];
  const stdio = onMessage ? [...terminal, 'ipc'] : terminal;
  const { child, stop } = spawnWithSignals(program, args, { stdio, env });
  if (onMessage) child.on('message', onMessage);
  const end = await new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, signal: null, fault: error.message }));
    child.on('exit', (code, signal) => resolve({ code, signal, fault: null }));
  });
  return { ...end, asked: stop() };
}

/** @returns why the desktop program did not start. When it did, this program ends with it. */
async function startDesktop(binary, options) {
  const env = { ...process.env };
  // Set by editors that are programs of Electron themselves; it would make this one a plain Node.
  delete env.ELECTRON_RUN_AS_NODE;
  const started = Date.now();
  // The folder, not the file: Electron then reads name, version and entry from its package.json.
  const folder = path.join(root, 'dist', 'desktop');
  const { code, signal, fault, asked } = await run(binary, [folder, ...options], { env });
  const isEarly = Date.now() - started < earlyTime;
  // A server instead would open another data folder, and leave the fault where it is.
  if (asked || code === 0 || code === toldExitCode || !isEarly) process.exit(code ?? 1);
  return `Electron ended at once (${fault ?? signal ?? `code ${code}`})`;
}

async function startServer(reason, options) {
  const browser = hasDisplay && !options.includes('--no-open') ? findBrowser() : null;
  const place = browser === null ? 'at the address below, in any browser' : 'in a browser';
  console.log(`${reason}: Framewright runs as a server, and its window opens ${place}.`);
  const args = options.filter((option) => option !== '--no-open');
  const script = path.join(root, 'dist', 'server', 'cli.mjs');
  const { code, fault } = await run(process.execPath, [script, 'serve', ...args], {
    onMessage: ({ windowUrl }) => {
      if (browser === null) return;
      openInBrowser(browser, windowUrl).catch((error) => console.log(String(error)));
    },
  });
  if (fault !== null) console.error(`The server could not be started: ${fault}`);
  process.exit(code ?? 1);
}

async function start(options) {
  let reason = whyNotHere();
  if (reason === null && !findElectron()) {
    const problem = await fetchElectron();
    if (problem !== null) reason = `Electron could not be fetched (${problem})`;
  }
  const binary = findElectron();
  if (reason === null && binary) reason = await startDesktop(binary, options);
  await startServer(reason ?? 'Electron is not here', options);
}

await start(process.argv.slice(2));
