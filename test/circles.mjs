/**
 * A step of `npm run check`: no circle of imports in the product, and none from a lower floor to a higher one, type-only imports
 * included. A circle means that two files can't be read, tested or moved without each other; an import upwards, that what many
 * stand on stands on one of them. TypeScript finds the imports of a file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Absolute paths of all source files below a folder. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|cts|svelte)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The files of ours that a file imports. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const scripts = file.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n')
    : text;
  const found = ts.preProcessFile(scripts, true, true).importedFiles;
  return found
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => path.resolve(path.dirname(file), fileName))
    .filter((imported) => existsSync(imported));
}

/**
 * Circles among files, each as the files along it.
 *
 * @param {ReadonlyMap<string, readonly string[]>} imports
 */
function circlesIn(imports) {
  const circles = [];
  const done = new Set();
  const way = [];
  const visit = (file) => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    way.push(file);
    for (const next of imports.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}

/**
 * The floors of the house from the ground up; what is on one floor may know each other. The longest beginning of a path counts.
 * The walls in eslint.config.mjs say which rooms stay apart beside that, and which packages they may not know.
 */
const floors = [
  ['shared/renderscript/'],
  ['shared/'],
  ['shared/engine/'],
  ['shared/engine/compile/'],
  ['shared/engine/layout/', 'shared/engine/text/'],
  ['shared/engine/paint/'],
  ['server/system/'],
  // What every room of the server uses.
  'api-address clock commands/command-rows commands/option-rows connections data-folder json-text log parameters paths slow-requests start-error'
    .split(' ')
    .map((name) => `server/${name}.ts`),
  // What the phases of the engine use.
  'cage canvas-surface ffmpeg ffmpeg-builds garbage projector routines stopwatch straighten-alpha thread-file'
    .split(' ')
    .map((name) => `server/engine/${name}.ts`),
  ['server/engine/assets/'],
  ['server/engine/encode/'],
  ['server/engine/'],
  ['server/storage/'],
  ['server/store/'],
  ['server/jobs/'],
  ['server/api/'],
  [
    'server/window/',
    'server/app.ts',
    'server/services.ts',
    'server/listen.ts',
    'server/last-defence.ts',
    'server/api-listener.ts',
    'server/first-templates.ts',
  ],
  ['server/'],
  ['main/'],
  // The window, from the ground up; it stands on shared/ alone.
  ['renderer/styles/', 'renderer/lib/', 'renderer/engine/'],
  ['renderer/editor/'],
  ['renderer/state/'],
  ['renderer/components/'],
  ['renderer/views/'],
  ['renderer/'],
];

/** The number of a file's floor. */
function floorOf(file) {
  const beginnings = floors.flatMap((names, floor) => names.map((name) => ({ name, floor })));
  const own = beginnings.filter(({ name }) => file.startsWith(name));
  return own.sort((a, b) => b.name.length - a.name.length)[0]?.floor ?? -1;
}

const folders = ['shared', 'server', 'main', 'renderer'];
const files = folders.flatMap((name) => sourcesIn(path.join(root, name)));
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const short = (file) => path.relative(root, file).replaceAll(path.sep, '/');

const circles = circlesIn(imports).map(
  (circle) => `circle of imports: ${circle.map(short).join(' → ')}`,
);
const upward = [...imports].flatMap(([file, imported]) =>
  imported
    .filter((other) => floorOf(short(other)) > floorOf(short(file)))
    .map((other) => `import upwards: ${short(file)} → ${short(other)}`),
);
for (const fault of [...circles, ...upward]) console.log(fault);
process.exit(circles.length + upward.length === 0 ? 0 : 1);
