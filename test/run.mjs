/**
 * `npm test`: builds what is stale, then runs everything that can run on this machine and names what was left out and
 * why. Arguments go to vitest, e.g. `npm test -- test/shared`. With `--looks` it looks at every state of the window
 * instead, in both themes and all sizes, and prints the budgets: minutes of work in Chromium.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const looks = process.argv.includes('--looks');
const chosen = process.argv.slice(2).filter((argument) => argument !== '--looks');
const leftOut = [];

/** Runs a Node script of ours or of a package and ends with its status when it fails. */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The Chromium to test the window in, or undefined. */
function findChromium() {
  const places = [
    process.env.CHROMIUM_PATH,
    // Without the browser's own window: two thirds of the work.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return places.find((place) => place && existsSync(place));
}

run('build.mjs', '--stale', '--quiet');
if (looks) process.env.LOOKS = '1';
else run('node_modules/vitest/vitest.mjs', 'run', ...chosen);

if (chosen.length === 0) {
  const chromium = findChromium();
  if (chromium) {
    process.env.CHROMIUM_PATH = chromium;
    run('node_modules/@playwright/test/cli.js', 'test');
  } else {
    leftOut.push('UI tests in a browser: no Chromium was found (install it, or set CHROMIUM_PATH)');
  }
  if (looks) {
    // Electron is not what is looked at.
  } else if (!existsSync(path.join(root, 'node_modules/electron/path.txt'))) {
    leftOut.push(
      "desktop tests in Electron: Electron's binary is not installed (npx install-electron)",
    );
  } else if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    leftOut.push('desktop tests in Electron: there is no display (try xvfb-run)');
  }
}
for (const reason of leftOut) console.log(`Left out: ${reason}.`);
