/**
 * Electron's program for `npm start`: where it is, what keeps it from starting, and fetching it. Plain Node. Its
 * package has no install step.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const electronFolder = path.join(root, 'node_modules', 'electron');
/** Notes why it could not be fetched. Goes away with the package, so that a new version is tried again. */
const failureFile = path.join(electronFolder, 'not-fetched.json');
/** Time for fetching, in ms. */
const fetchTime = 10 * 60_000;
/** After a failure it is not fetched again for this time, in ms, unless the way to it has changed. */
const fetchPause = 24 * 60 * 60_000;
/** Every so often, in ms, a line says that it is still being fetched. */
const progressTime = 10_000;

/** The program below the folder that it was unpacked into, as its package has it. */
const platformPath =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ??
  'electron';

/** The folder that the program was unpacked into: the package's own, or one that the user names. */
function programFolder() {
  return process.env.ELECTRON_OVERRIDE_DIST_PATH || path.join(electronFolder, 'dist');
}

/** Path of Electron's program, or null when it is not installed. */
export function findElectron() {
  const isFetched = existsSync(path.join(electronFolder, 'path.txt'));
  if (!isFetched && !process.env.ELECTRON_OVERRIDE_DIST_PATH) return null;
  const binary = path.join(programFolder(), platformPath);
  return existsSync(binary) ? binary : null;
}

/**
 * Why Electron can't make its sandbox here; null if it can, as far as can be known before it is started.
 *
 * @returns the reason and what the user can do
 */
export function whyNoSandbox() {
  // Without user namespaces (Ubuntu 24.04, e.g.) its sandbox needs a helper that belongs to root.
  const { status, error } = spawnSync('unshare', ['-Ur', 'true'], {
    stdio: 'ignore',
    timeout: 5_000,
  });
  const helper = path.join(programFolder(), 'chrome-sandbox');
  if (error || status === 0 || belongsToRoot(helper)) return null;
  const fetching = findElectron() ? '' : 'npx install-electron && ';
  const ways = `${fetching}sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`;
  return {
    reason: 'This system keeps Electron from its sandbox',
    advice: `For the desktop window, install the deb that npm run package makes, or give Electron's helper to root: ${ways}`,
  };
}

function belongsToRoot(helper) {
  if (!existsSync(helper)) return false;
  const { uid, mode } = statSync(helper);
  return uid === 0 && (mode & 0o7777) === 0o4755;
}

/**
 * Fetches Electron's program.
 *
 * @param runQuietly runs a Node script to its end: launch.mjs
 * @returns why it could not be, and what the user can do; null: it is there
 */
export async function fetchElectron(runQuietly) {
  const { ELECTRON_OVERRIDE_DIST_PATH: named } = process.env;
  if (named) {
    return {
      reason: `ELECTRON_OVERRIDE_DIST_PATH is ${named}, where there is no ${platformPath}`,
      advice: '',
    };
  }
  const script = path.join(electronFolder, 'install.js');
  if (!existsSync(script)) return failed('its package is not installed', '');
  const env = fetchEnvironment(process.env);
  const way = wayOf(env);
  const before = lastFailure(way);
  if (before) {
    return failed(`${before}; it is tried again after a day, or with: npx install-electron`);
  }
  console.log('Electron is being fetched, once; that takes some minutes …');
  const started = Date.now();
  const progress = setInterval(() => {
    console.log(`Electron is being fetched: ${Math.round((Date.now() - started) / 1000)} s …`);
  }, progressTime);
  const { code, output } = await runQuietly([script], { env, timeout: fetchTime });
  clearInterval(progress);
  if (code === 0 && findElectron()) return null;
  const reason = code === null ? 'that took too long' : faultOf(output);
  try {
    writeFileSync(failureFile, JSON.stringify({ reason, way, at: Date.now() }));
  } catch {
    // The folder belongs to someone else: then it is tried again at the next start.
  }
  return failed(reason);
}

const failed = (reason, advice = howToFetch()) => ({
  reason: `Electron could not be fetched (${reason})`,
  advice,
});

/** What a user can do who has no way to where Electron is downloaded from. */
function howToFetch() {
  const { version } = JSON.parse(readFileSync(path.join(electronFolder, 'package.json'), 'utf8'));
  return (
    `For the desktop window, name your proxy (HTTPS_PROXY, or npm config set https-proxy; needs Node 22.21 or newer) or a mirror ` +
    `(ELECTRON_MIRROR), or unpack Electron ${version} yourself and name its folder (ELECTRON_OVERRIDE_DIST_PATH). Then: npm start`
  );
}

/**
 * The environment that fetches through a proxy: Node looks at the usual variables only when it is told to, and npm
 * hands its own settings to scripts under other names.
 */
function fetchEnvironment(env) {
  const first = (...names) => names.map((name) => env[name]).find(Boolean);
  const found = {
    HTTPS_PROXY: first('HTTPS_PROXY', 'https_proxy', 'npm_config_https_proxy', 'npm_config_proxy'),
    HTTP_PROXY: first('HTTP_PROXY', 'http_proxy', 'npm_config_proxy'),
    NO_PROXY: first('NO_PROXY', 'no_proxy', 'npm_config_noproxy'),
    // A proxy that reads along has a certificate of its own.
    NODE_EXTRA_CA_CERTS: first('NODE_EXTRA_CA_CERTS', 'npm_config_cafile'),
  };
  const set = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return { NODE_USE_ENV_PROXY: '1', ...env, ...set };
}

/** What decides where from and how it is fetched. Proxies' names contain passwords, so that only a digest is kept. */
function wayOf({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, ELECTRON_MIRROR }) {
  const parts = [process.version, HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS];
  const text = JSON.stringify([...parts, ELECTRON_MIRROR]);
  return createHash('sha256').update(text).digest('hex');
}

/** Why the last try failed, if that was not long ago and on the same way. */
function lastFailure(way) {
  try {
    const { reason, way: tried, at } = JSON.parse(readFileSync(failureFile, 'utf8'));
    const age = Date.now() - at;
    const isFresh = age >= 0 && age < fetchPause && tried === way;
    return typeof reason === 'string' && isFresh ? reason : null;
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
