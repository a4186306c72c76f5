/**
 * Has electron-builder make the Windows installer as `npm run package` does there, and compiles its script with the
 * `makensis` of the system: `node windows-installer.mjs FOLDER`. Writes installer.log and uninstaller.log, every
 * instruction with its values.
 *
 * Stand-ins take the places of what is a download or runs on Windows alone: the packed program is three files, 7-Zip
 * writes an empty archive, Wine makes no uninstaller, and the plugins of NSIS have their functions' names and no code.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Arch, Platform, build } from 'electron-builder';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const output = path.resolve(process.argv[2]);
const inOutput = (...names) => path.join(output, ...names);
const templates = path.join(root, 'node_modules/app-builder-lib/templates/nsis');

/** A text file, with the folders that it lies in. */
function write(file, content, mode = 0o644) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

/** A Windows icon that holds a PNG: its table has one row. */
function iconOf(png) {
  const head = Buffer.alloc(22);
  [0, 1, 1].forEach((value, at) => head.writeUInt16LE(value, 2 * at));
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

/** A Windows library for x86 with functions of these names and no code; layout: Microsoft's "PE Format". */
function libraryOf(names) {
  const [address, start] = [0x1000, 0x200];
  const sorted = [...names].sort();
  const tables = 40 + sorted.length * 10;
  const texts = Buffer.from(`plugin.dll\0${sorted.join('\0')}\0`, 'latin1');
  const size = tables + texts.length;
  const file = Buffer.alloc(start + size);
  const fill = (at, values, bytes = 4) =>
    values.forEach((value, index) => file.writeUIntLE(value, at + index * bytes, bytes));
  file.write('MZ', 0, 'latin1');
  fill(0x3c, [0x40]);
  file.write('PE\0\0', 0x40, 'latin1');
  // Machine, sections; size of the optional head; "library, executable, 32 bits".
  fill(0x44, [0x14c, 1], 2);
  fill(0x54, [0xe0, 0x2102], 2);
  fill(0x58, [0x10b], 2);
  // Base, alignments, versions of the system, size of image and heads, number of directories, the first of them:
  // exports.
  fill(0x58 + 28, [0x10000000, 0x1000, 0x200]);
  fill(0x58 + 56, [0x1000 + Math.ceil(size / 0x1000) * 0x1000, start]);
  fill(0x58 + 92, [16, address, size]);
  file.write('.edata', 0x138, 'latin1');
  fill(0x138 + 8, [size, address, size, start]);
  // The export table: name, first number, counts, then three tables: addresses, names, numbers.
  const [functions, nameTable] = [address + 40, address + 40 + sorted.length * 4];
  fill(start + 12, [address + tables, 1, sorted.length, sorted.length, functions, nameTable]);
  fill(start + 36, [nameTable + sorted.length * 4]);
  let text = address + tables + 'plugin.dll\0'.length;
  sorted.forEach((name, at) => {
    fill(start + 40 + at * 4, [address]);
    fill(start + 40 + (sorted.length + at) * 4, [text]);
    fill(start + 40 + sorted.length * 8 + at * 2, [at], 2);
    text += name.length + 1;
  });
  texts.copy(file, start + tables);
  return file;
}

/** The plugins that electron-builder brings, with what its templates call of them. */
function writePlugins() {
  const called = new Map();
  for (const file of readdirSync(templates, { recursive: true })) {
    if (!/\.ns[hi]$/.test(file)) continue;
    const text = readFileSync(path.join(templates, file), 'utf8');
    for (const [, plugin, name] of text.matchAll(/\b([a-z]\w*)::([a-z_]\w*)/gi)) {
      called.set(plugin, new Set(called.get(plugin)).add(name));
    }
  }
  for (const plugin of ['StdUtils', 'UAC', 'WinShell', 'SpiderBanner', 'Nsis7z', 'nsProcess']) {
    write(inOutput('plugins/x86-unicode', `${plugin}.dll`), libraryOf(called.get(plugin) ?? []));
  }
}

writePlugins();
write(inOutput('app/Framewright.exe'), 'MZ');
write(inOutput('app/resources/app.asar'), 'packed');
write(inOutput('elevate.exe'), 'MZ');
write(inOutput('icon.ico'), iconOf(readFileSync(path.join(root, 'resources/icons/icon.png'))));
write(
  inOutput('7za'),
  '#!/bin/sh\nfor name in "$@"; do case "$name" in *.7z) echo archive > "$name";; esac; done\n',
  0o755,
);
const made = inOutput('out');
write(
  inOutput('wine'),
  `#!/bin/sh\ntouch "${made}/$(basename "$1" exe)__uninstaller.exe"\n`,
  0o755,
);
// Texts of Debian's NSIS lack some languages, so warnings are none here (electron-builder's first option makes faults
// of them).
write(
  inOutput('linux/makensis'),
  `#!/bin/sh
unset NSISDIR
case "$*" in *BUILD_UNINSTALLER*) log=uninstaller;; *) log=installer;; esac
[ "$1" = -WX ] && shift
exec makensis -V4 "$@" > "${output}/$log.log" 2>&1
`,
  0o755,
);

Object.assign(process.env, {
  PATH: `${output}${path.delimiter}${process.env.PATH}`,
  ELECTRON_BUILDER_7ZIP_PATH: inOutput('7za'),
  ELECTRON_BUILDER_NSIS_DIR: output,
  ELECTRON_BUILDER_NSIS_RESOURCES_DIR: output,
});
await build({
  projectDir: root,
  prepackaged: inOutput('app'),
  targets: Platform.WINDOWS.createTarget('nsis', Arch.x64),
  publish: 'never',
  config: { directories: { output: made }, win: { icon: inOutput('icon.ico') } },
});
