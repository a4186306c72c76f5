/**
 * What `npm start` runs after the build: the desktop program where Electron can be had and starts, else the server in
 * this terminal with the window in a browser. Plain Node.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, openInBrowser } from './launch-browser.mjs';
import { fetchElectron, findElectron, whyNoSandbox } from './launch-electron.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** The desktop program ends so when it has told the user why it did not start (main/faults.ts). */
const toldExitCode = 70;
/** An Electron that ends with a fault within this time, in ms, has not come as far as a window. */
const earlyTime = 30_000;

const isLinux = process.platform === 'linux';
const hasDisplay = !isLinux || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/**
 * Why Electron would end at once here, as far as that can be known before it is started; null when nothing speaks
 * against it.
 *
 * @returns the reason and what the user can do
 */
function whyNotHere() {
  if (!hasDisplay) return { reason: 'There is no display here', advice: '' };
  if (!isLinux) return null;
  if (process.getuid?.() === 0) return { reason: 'Electron does not start as root', advice: '' };
  return whyNoSandbox();
}

/**
 * Runs a Node script to its end.
 * @returns its code, null when it took too long or was ended, and what it wrote of faults
 */
async function runQuietly(args, options) {
  const stdio = ['ignore', 'ignore', 'pipe'];
  const { child, stop } = spawnWithSignals(process.execPath, args, { stdio, ...options });
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
 * Starts a program, and passes on to it what is meant to end this one, from before its start on. On Windows a signal
 * would end the other at once, past its orderly end; there Ctrl+C reaches it by itself.
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
  return {
    reason: `Electron ended at once (${fault ?? signal ?? `code ${code}`})`,
    advice: '',
  };
}

async function startServer({ reason, advice }, options) {
  const browser = hasDisplay && !options.includes('--no-open') ? findBrowser() : null;
  const place = browser === null ? 'at the address below, in any browser' : 'in a browser';
  console.log(`${reason}: Framewright runs as a server, and its window opens ${place}.`);
  if (advice !== '') console.log(advice);
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
  let why = whyNotHere();
  if (why === null && !findElectron()) why = await fetchElectron(runQuietly);
  const binary = findElectron();
  if (why === null && binary) why = await startDesktop(binary, options);
  await startServer(why ?? { reason: 'Electron is not here', advice: '' }, options);
}

await start(process.argv.slice(2));
