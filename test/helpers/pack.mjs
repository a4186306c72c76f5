/**
 * Packs the built program with electron-builder as `npm run package` does, up to the installers: `node pack.mjs
 * FOLDER`. An empty file replaces Electron's binary, which may be missing; it has no fuses to set. The ffmpeg of 2018
 * replaces the current one, which is a download, unless there is `--current`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Platform, build } from 'electron-builder';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const output = path.resolve(process.argv[2]);
// electron-builder reads its settings with this package.
const yaml = createRequire(createRequire(import.meta.url).resolve('electron-builder'))('js-yaml');
const config = yaml.load(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8'));

const electronDist = path.join(output, 'electron');
mkdirSync(path.join(electronDist, 'resources'), { recursive: true });
const executable = { darwin: 'Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
for (const name of [executable, 'LICENSE', 'LICENSES.chromium.html']) {
  writeFileSync(path.join(electronDist, name), '', { mode: 0o755 });
}

const isOld = (pattern) => pattern.includes('@ffmpeg-installer');
const oldFfmpeg = process.argv.includes('--current')
  ? {}
  : {
      beforePack: null,
      files: config.files.filter((pattern) => !isOld(pattern)),
      asarUnpack: [...config.asarUnpack, 'node_modules/@ffmpeg-installer/**'],
    };

// In a separate file: electron-builder would merge plain values with electron-builder.yml, including lists.
const settings = path.join(output, 'settings.json');
const own = {
  ...config,
  directories: { ...config.directories, output },
  electronDist,
  electronFuses: null,
  ...oldFfmpeg,
};
writeFileSync(settings, JSON.stringify(own));
await build({
  projectDir: root,
  targets: Platform.LINUX.createTarget('dir'),
  publish: 'never',
  config: settings,
});
