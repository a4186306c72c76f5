/**
 * `node main/mac-parts.mjs`, before packing on macOS: the parts of both processors, which npm installs for one alone.
 * Drawing and speech recognition have a package for each; the two ffmpegs become one program. Plain Node.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireBothProcessors } from './before-pack.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const processors = ['x64', 'arm64'];

function run(program, args, env = {}) {
  execFileSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
}

if (process.platform !== 'darwin') {
  throw new Error('Only macOS has programs for two processors: run this where you pack for it.');
}

const { version } = JSON.parse(
  readFileSync(path.join(root, 'node_modules/@napi-rs/canvas/package.json'), 'utf8'),
);
// `--cpu` takes one processor only, and without `--force` npm refuses the other one's package.
const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const packages = processors.flatMap((name) => {
  const speech = `@fugood/node-whisper-darwin-${name}`;
  return [`@napi-rs/canvas-darwin-${name}@${version}`, `${speech}@${optionalDependencies[speech]}`];
});
run('npm', ['install', '--no-save', '--force', ...packages]);

const folder = path.join(root, 'node_modules', 'ffmpeg-static');
const ffmpeg = path.join(folder, 'ffmpeg');
const single = processors.map((name) => {
  // What is there already is not downloaded again, whatever it is for.
  rmSync(ffmpeg, { force: true });
  run(process.execPath, [path.join(folder, 'install.js')], { npm_config_arch: name });
  renameSync(ffmpeg, `${ffmpeg}-${name}`);
  return `${ffmpeg}-${name}`;
});
run('lipo', ['-create', ...single, '-output', ffmpeg]);
for (const file of single) rmSync(file);
requireBothProcessors(root, ffmpeg);
