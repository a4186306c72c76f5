/**
 * `npm run test:desktop`: the desktop program itself, where Electron's program and a display are: its start, window,
 * templates, renders, second starts, links and its end (electron.spec.ts), then the self-test of the packed program.
 * With `--no-package` the last is left out.
 *
 * Ends with 0 when all passed, 1 when something failed, 2 when nothing could be tried.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findElectron } from '../../main/launch-electron.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Why it can't be tried here; null when it can. */
function whyNot() {
  if (findElectron() === null) {
    return "Electron's program is not installed (npx install-electron fetches it)";
  }
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return process.platform === 'linux' && !hasDisplay ? 'there is no display (try xvfb-run)' : null;
}

/** Runs a Node script of ours or of a package in this terminal. */
function run(script, ...args) {
  const options = { cwd: root, stdio: 'inherit' };
  return spawnSync(process.execPath, [path.join(root, script), ...args], options).status === 0;
}

/** Packs the program without an installer, and has it test itself. */
function tryPacked() {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-packed-'));
  try {
    const output = `-c.directories.output=${folder}`;
    if (!run('node_modules/electron-builder/cli.js', '--dir', output)) return false;
    const place = path.join(
      folder,
      readdirSync(folder).find((name) => /unpacked$|^mac/.test(name)) ?? '',
    );
    const program = {
      darwin: 'Framewright.app/Contents/MacOS/Framewright',
      win32: 'Framewright.exe',
    }[process.platform];
    // Root has no sandbox on Linux.
    const more = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const file = path.join(place, program ?? 'framewright');
    const { status, error } = spawnSync(file, ['--self-test', ...more], { stdio: 'inherit' });
    if (error) console.error(`${file} could not be started: ${error.message}`);
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const reason = whyNot();
if (reason !== null) {
  console.log(`The desktop program was not tried: ${reason}.`);
  process.exit(2);
}
const isBuilt = run('build.mjs', '--stale', '--quiet');
const passed =
  isBuilt &&
  run('node_modules/@playwright/test/cli.js', 'test', 'test/desktop/electron.spec.ts') &&
  (process.argv.includes('--no-package') || tryPacked());
console.log(passed ? 'The desktop program works here.' : 'The desktop program failed here.');
process.exit(passed ? 0 : 1);
